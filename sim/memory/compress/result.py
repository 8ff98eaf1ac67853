"""What became of a text that was made shorter."""

from dataclasses import dataclass
from typing import Any, Literal

Step = Literal["whole", "extractive", "squeezed", "abstractive"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Compressed:
    """A shorter text with the way back to where it came from.

    Args:
        text: what was taken or told of the source.
        entities: what must not be lost and does not stand in the text: names, numbers, rare words, and what
            was negated with its negation.
        sources: ids of what it rests on, as they were given.
        tokens_before: of the source.
        tokens_after: of `line`, so of text and entity field together.
        step: how far the cascade went: ``whole`` (nothing was done), ``extractive`` (its weightiest
            sentences), ``squeezed`` (of those, the weightiest words), ``abstractive`` (told by a model).
        lost: what the text and the entity field do not hold of the source's entities.
        refused: why a model's version was not taken: ``no_reply``, ``too_long``, ``loses_entities`` or empty.
        would_lose: the entities that the refused version had lost.
    """

    text: str
    entities: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    tokens_before: int
    tokens_after: int
    step: Step
    lost: tuple[str, ...] = ()
    refused: str = ""
    would_lose: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """Text and entity field as one line, for a prompt or an index."""
        return line_of(self.text, self.entities)

    @property
    def smaller(self) -> float:
        """How many times smaller it is; 1 for an empty source."""
        return self.tokens_before / self.tokens_after if self.tokens_after else 1.0

    @property
    def payload(self) -> dict[str, Any]:
        """For a line of the log: what it cost and what it lost, without the words and without a float."""
        return {
            "step": self.step,
            "tokens_before": self.tokens_before,
            "tokens_after": self.tokens_after,
            "lost": list(self.lost),
            "refused": self.refused,
            "would_lose": list(self.would_lose),
        }


def line_of(text: str, entities: tuple[str, ...]) -> str:
    """Text and entities as one line; a semicolon ends what a negation stands in."""
    return " ".join(part for part in (text, *entities) if part)
