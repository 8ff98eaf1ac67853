"""How long a text is in tokens, where the tokenizer of the model is not at hand."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import ceil
from types import MappingProxyType

_DIGITS = re.compile(r"[0-9]")
_MARKS = re.compile(r"[!-/:-@\[-`{-~\n]")
_CYRILLICS = re.compile(r"[\u0400-\u052f]")
_CJKS = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]")
_OTHERS = re.compile(r"[^\x00-\u052f\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]")


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenRates:
    """Tokens per character that a family of tokenizers needs, each set to err high.

    A prompt that is thought longer than it is wastes a little room; one that is thought shorter is refused
    or silently cut by the server.

    Args:
        letter: of English prose, spaces included.
        digit: numbers are split into single digits, and some put a token before each number.
        mark: brackets, quotes, dashes, line breaks; with an id's underscores they make JSON dense.
        cyrillic: of Russian prose.
        cjk: of Chinese.
        other: emoji and other scripts, which may fall apart into their bytes.
    """

    letter: float
    digit: float
    mark: float
    cyrillic: float
    cjk: float
    other: float


# On 1,000 prompts of the shop, the least and the median of estimate by truth (benchmarks/tokens.py): Llama 2
# 1.14 and 1.25, SmolLM2 1.16 and 1.24, MiniLM 1.11 and 1.15, Qwen 2.5 1.15 and 1.24, Qwen 3.6 1.19 and 1.29,
# DeepSeek 1.21 and 1.35. Those of GLM, Llama 3 and GPT-4 were made in the same way and not measured here.
FAMILIES: Mapping[str, TokenRates] = MappingProxyType(
    {
        # 32k pieces, mostly Latin: Llama 2, Mistral 7B
        "llama2": TokenRates(letter=0.32, digit=1.2, mark=0.85, cyrillic=0.55, cjk=2.05, other=4.0),
        # 50k pieces learnt from English alone: GPT-2, SmolLM2
        "small": TokenRates(letter=0.28, digit=1.2, mark=0.9, cyrillic=1.08, cjk=2.4, other=4.0),
        # 100k pieces and more, of many languages: Qwen, GLM, DeepSeek, Llama 3, GPT-4
        "large": TokenRates(letter=0.26, digit=1.2, mark=0.95, cyrillic=0.43, cjk=0.92, other=3.0),
        # English words and single letters of everything else: BERT, MiniLM
        "wordpiece": TokenRates(letter=0.25, digit=0.7, mark=1.0, cyrillic=1.06, cjk=1.1, other=1.1),
    }
)
USUAL = TokenRates(letter=1 / 3, digit=1.2, mark=0.8, cyrillic=1 / 1.8, cjk=1.75, other=4.0)
"""What the memory's budget is counted with, so that a run remembers alike whatever model it has."""

HIGHEST = TokenRates(
    **{one.name: max(getattr(rates, one.name) for rates in FAMILIES.values()) for one in fields(TokenRates)}
)
"""Above the truth with every tokenizer; for models of which nobody said what theirs is."""

TEMPLATE_TOKENS = 32
"""What a chat template puts around two messages, at most."""


def estimate_tokens(text: str, rates: TokenRates = USUAL) -> int:
    """Tokens of a text, estimated to err high in English, Russian and Chinese; 0 for an empty text."""
    marks, digits = len(_MARKS.findall(text)), len(_DIGITS.findall(text))
    extra = marks * (rates.mark - rates.letter) + digits * (rates.digit - rates.letter)
    exact = len(text) * rates.letter + extra + (0.0 if text.isascii() else _beyond_ascii(text, rates))
    # without the noise of the sum, which could make a token of nothing
    return ceil(round(exact, 6))


def _beyond_ascii(text: str, rates: TokenRates) -> float:
    kinds = ((_CYRILLICS, rates.cyrillic), (_CJKS, rates.cjk), (_OTHERS, rates.other))
    return sum(len(kind.findall(text)) * (rate - rates.letter) for kind, rate in kinds)
