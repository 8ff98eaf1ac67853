"""How a model's tokens are counted on this side: by its tokenizer's file, or by the rates of its family."""

from sim.llm.local_tokens import LocalTokens
from sim.llm.tokens import FAMILIES, HIGHEST, TokenRates, estimate_tokens


class TextCount:
    """Counts the tokens of texts as the setting ``tokenizer`` of a model says.

    Args:
        tokenizer: a family (`FAMILIES`), or the file or folder of a tokenizer; None knows nothing of it,
            and counts higher than any.
        key: name of the setting, for the message.

    Raises:
        ConfigError: it is no family, and there is no such file.
    """

    def __init__(self, tokenizer: str | None, key: str) -> None:
        self.rates = rates_of(tokenizer)
        known = tokenizer is None or tokenizer in FAMILIES
        self._local = None if known else LocalTokens(str(tokenizer), key)

    @property
    def is_exact(self) -> bool:
        """Whether a tokenizer counts, not an estimate."""
        return self._local is not None

    def __call__(self, text: str) -> int:
        """Tokens of a text, without those that mark its beginning and end."""
        return estimate_tokens(text, self.rates) if self._local is None else self._local.count(text)


def rates_of(tokenizer: str | None) -> TokenRates:
    """The rates of a family, or the highest for whatever else a model has."""
    return FAMILIES.get(tokenizer or "", HIGHEST)
