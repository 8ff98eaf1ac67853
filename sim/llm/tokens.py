"""How long a text is in tokens, where the tokenizer of the model is not at hand."""

import re
from math import ceil

# Tokens per character. A prompt that is thought longer than it is wastes a little room; one that
# is thought shorter is refused or silently cut by the server. So each rate lies above what the
# Llama 2 tokenizer (a small vocabulary, hence many tokens) was seen to need.
_LETTER = 1 / 3  # English prose needs 0.23
_DIGIT = 1.2  # numbers are split into single digits, Llama puts a token before each number too
_MARK = 0.8  # brackets, quotes, dashes; JSON as a whole needs 0.41 per character
_CYRILLIC = 1 / 1.8  # Russian needs 0.43
_CJK = 1.75  # Chinese needs 1.6 where the vocabulary is small, 0.7 where it is large
_OTHER = 4.0  # emoji fall apart into their four bytes

_DIGITS = re.compile(r"[0-9]")
_MARKS = re.compile(r"[!-/:-@\[-`{-~\n]")
_CYRILLICS = re.compile(r"[\u0400-\u052f]")
_CJKS = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]")
_OTHERS = re.compile(r"[^\x00-\u052f\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]")


def estimate_tokens(text: str) -> int:
    """Tokens of a text, estimated to err high in English, Russian and Chinese; 0 for an empty text."""
    marks, digits = len(_MARKS.findall(text)), len(_DIGITS.findall(text))
    extra = marks * (_MARK - _LETTER) + digits * (_DIGIT - _LETTER)
    return ceil(len(text) * _LETTER + extra + (0.0 if text.isascii() else _beyond_ascii(text)))


def _beyond_ascii(text: str) -> float:
    rates = ((_CYRILLICS, _CYRILLIC), (_CJKS, _CJK), (_OTHERS, _OTHER))
    return sum(len(kind.findall(text)) * (rate - _LETTER) for kind, rate in rates)
