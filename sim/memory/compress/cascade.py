"""The cascade: the weightiest sentences, then an abstract by a model, and a gate that lets nothing be lost.

All of it is pure. Who has a model asks it in between::

    source = Source(text=text, language="en", count=estimate_tokens, ids=ids)
    asked = request(source)
    reply = None if asked is None else (yield Ask(**asdict(asked))).value
    short = accept(source, reply)

Who has none calls `accept(source)`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sim.memory.compress.asking import MOST_WORDS, Question, question
from sim.memory.compress.extractive import extracted, fresh, phrases
from sim.memory.compress.gate import Extractor, lost, named
from sim.memory.compress.result import Compressed, Step, line_of
from sim.memory.compress.sentences import word_count
from sim.memory.compress.squeezed import SHORT_WORDS, SMALLER, Count, compressed
from sim.memory.compress.units import units

SMALLEST = 10.0
"""An abstract more than so many times smaller is not believed to say all."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """What is to be made shorter.

    Args:
        text: all of it.
        language: code of its language.
        count: tokens of a text, as the model that will read it counts them.
        ids: of what it comes from; the result carries them all.
        known: words that stand beside the result anyway, such as the customer's name.
        entities: the caller's extractor; what it finds in the source it must find in the result.
    """

    text: str
    language: str
    count: Count
    ids: Sequence[str] = ()
    known: Sequence[str] = ()
    entities: Extractor | None = None


def request(source: Source) -> Question | None:
    """What to ask a model; None where the weightiest sentences are short enough."""
    kept = _extractive(source)
    if _small_enough(source, kept):
        return None
    told = units(source.text, source.language, source.known, named(source.entities, source.text))
    must_keep = tuple(phrase.rstrip(";") for phrase in phrases(fresh([one for one in told if one.mention])))
    return question(source.text, source.language, must_keep)


def accept(source: Source, reply: Mapping[str, Any] | None = None) -> Compressed:
    """The shorter version: the model's where the gate lets it through, else one made without it.

    Args:
        source: as it was asked about.
        reply: the model's answer, valid against the schema; None if there was none, or nobody was asked.
    """
    kept = _extractive(source)
    if _small_enough(source, kept):
        return kept
    if reply is None:
        return replace(_without_model(source, kept), refused="no_reply")
    told = _version(source, str(reply["summary"]).strip(), _listed(source, reply["entities"]), "abstractive")
    why = _refusal(told)
    return replace(_without_model(source, kept), refused=why, would_lose=told.lost) if why else told


def _refusal(told: Compressed) -> str:
    if told.lost:
        return "loses_entities"
    if not told.text or told.smaller > SMALLEST:
        return "too_short"
    # Chinese words are estimated, and a model miscounts: half as many again pass, if it is small enough.
    return "too_long" if told.smaller < SMALLER or word_count(told.text) > 1.5 * MOST_WORDS else ""


def _without_model(source: Source, kept: Compressed) -> Compressed:
    """Word by word, which is always small; by whole sentences where words would lose something."""
    squeezed = compressed(
        [source.text],
        source.language,
        sources=source.ids,
        known=source.known,
        entities=source.entities,
        count=source.count,
    )
    return kept if squeezed.lost and not kept.lost else squeezed


def _extractive(source: Source) -> Compressed:
    wanted = named(source.entities, source.text)
    text, field = extracted(source.text, source.language, source.known, wanted)
    step: Step = "whole" if text == source.text.strip() else "extractive"
    kept = _version(source, text, field, step)
    return kept if not kept.lost else _version(source, source.text.strip(), (), "whole")


def _version(source: Source, text: str, field: tuple[str, ...], step: Step) -> Compressed:
    line = line_of(text, field)
    return Compressed(
        text=text,
        entities=field,
        sources=tuple(source.ids),
        tokens_before=source.count(source.text),
        tokens_after=source.count(line),
        step=step,
        lost=lost(source.text, line, source.language, source.known, source.entities),
    )


def _small_enough(source: Source, kept: Compressed) -> bool:
    """Whether no model is needed: a short source, or so few sentences left of it."""
    if word_count(source.text) <= SHORT_WORDS:
        return True
    return word_count(kept.line) <= SHORT_WORDS and kept.smaller >= SMALLER


def _listed(source: Source, entities: Sequence[Any]) -> tuple[str, ...]:
    """The entity field of a reply; an entry with a negation is closed, so that its reach ends there."""
    entries = dict.fromkeys(str(entry).strip().rstrip(";") for entry in entities)
    denied = {one: any(unit.negation for unit in units(one, source.language)) for one in entries}
    return tuple(f"{entry};" if denied[entry] else entry for entry in entries if entry)
