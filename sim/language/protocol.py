"""What the simulator knows of a language; phrases of a scenario are the scenario's own."""

from collections.abc import Mapping
from typing import Protocol


class LanguagePack(Protocol):
    """One natural language.

    ``code`` is an ISO 639-1 code. ``stop_words`` and ``markers`` (words that flag importance:
    key, agreed, prefers, …) are in lower case. ``headings`` are the words a prompt is laid out
    with, by name (see `sim.agents.prompt`).
    """

    code: str
    stop_words: frozenset[str]
    markers: frozenset[str]
    synonyms: Mapping[str, str]
    headings: Mapping[str, str]

    def stem(self, word: str) -> str:
        """The stem of one lower-case word."""
        ...

    def tokens(self, text: str) -> list[str]:
        """Lower-case stems of the words of a text that are not stop words, in order."""
        ...
