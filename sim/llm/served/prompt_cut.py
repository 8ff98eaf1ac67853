"""Notices a server that cut a prompt without a word: it counts fewer tokens than the prompt can have."""

import re

from sim.errors import PromptCut
from sim.llm.protocol import Request

# Tokens per character that no tokenizer in use goes below on prose: the largest vocabularies (200k) need
# 0.2 in English, 0.25 in Russian and 0.55 in Chinese. A third below, so that nothing whole is called cut.
_LETTER = 0.13
_CYRILLIC = 0.16
_CJK = 0.35
_SPACES = re.compile(r"\s{2,}")
_CYRILLICS = re.compile(r"[\u0400-\u052f]")
_CJKS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_OTHERS = re.compile(r"[^\x00-\u052f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def fewest_tokens(text: str) -> int:
    """Tokens that the text has at least, with any tokenizer."""
    text = _SPACES.sub(" ", text)  # long runs of spaces may be one token
    cyrillic, cjk = len(_CYRILLICS.findall(text)), len(_CJKS.findall(text))
    rest = len(text) - cyrillic - cjk - len(_OTHERS.findall(text))
    return int(rest * _LETTER + cyrillic * _CYRILLIC + cjk * _CJK)


def check_whole(request: Request, counted: int | None, where: str, known: int | None = None) -> None:
    """Lets a reply pass whose server has read the whole prompt, or does not say what it read.

    Args:
        request: what was sent.
        counted: tokens of the prompt as the server counted them; None or 0 is no count.
        where: address of the server, for the message.
        known: tokens of the prompt where its tokenizer was asked before; allowed a tenth of difference.

    Raises:
        PromptCut: it counted fewer than the prompt has at least.
    """
    fewest = fewest_tokens(request.system) + fewest_tokens(request.user) if known is None else known * 9 // 10
    if counted and counted < fewest:
        raise PromptCut(
            f"{where} counted {counted} tokens in a prompt of {fewest} at least, so it cut it:"
            " raise the window of the server, or set context_tokens to what it has"
        )
