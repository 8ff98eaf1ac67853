"""How a model's tokens are counted on this side: by its tokenizer's file, or by the rates of its family."""

from collections.abc import Mapping

from sim.llm.served.local_tokens import LocalTokens
from sim.llm.tokens import FAMILIES, HIGHEST, TokenRates, estimate_tokens

# What a model's name gives away of its tokenizer, where the settings say nothing.
_NAMES: Mapping[str, tuple[str, ...]] = {
    "large": ("qwen", "glm", "deepseek", "llama-3", "llama3", "gemma", "gpt-4", "gpt-5", "gpt-oss"),
    "small": ("smollm", "gpt2"),
    "llama2": ("llama-2", "llama2"),
}


class TextCount:
    """Counts the tokens of texts as the settings of a model say.

    Args:
        tokenizer: a family (`FAMILIES`), or the file or folder of a tokenizer; None goes by the name of
            the model, and counts higher than any tokenizer where that says nothing.
        model: name of the model where it is served.
        key: name of the setting, for the message.

    Raises:
        ConfigError: it is no family, and there is no such file.
    """

    def __init__(self, tokenizer: str | None, model: str, key: str) -> None:
        self._rates = rates_of(tokenizer, model)
        is_file = tokenizer is not None and tokenizer not in FAMILIES
        self._local = LocalTokens(tokenizer, key) if is_file and tokenizer else None

    @property
    def is_exact(self) -> bool:
        """Whether a tokenizer counts, not an estimate."""
        return self._local is not None

    def __call__(self, text: str) -> int:
        """Tokens of a text, without those that mark its beginning and end."""
        return estimate_tokens(text, self._rates) if self._local is None else self._local.count(text)


def rates_of(tokenizer: str | None, model: str) -> TokenRates:
    """The rates of a family, of the one the model's name belongs to, or else the highest."""
    if (told := FAMILIES.get(tokenizer or "")) is not None:
        return told
    name = model.lower()
    families = (family for family, parts in _NAMES.items() if any(part in name for part in parts))
    return FAMILIES.get(next(families, ""), HIGHEST)
