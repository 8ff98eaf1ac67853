"""Counts with a tokenizer that lies on this machine as a ``tokenizer.json``."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from sim.errors import ConfigError


class LocalTokens:
    """A tokenizer file, loaded when it is first asked.

    Args:
        path: the file, or the folder of a model that has one.
        key: name of the setting, for the message.

    Raises:
        ConfigError: there is no such file.
    """

    def __init__(self, path: str, key: str) -> None:
        place = Path(path).expanduser()
        self._path = place / "tokenizer.json" if place.is_dir() else place
        self._key = key
        if not self._path.is_file():
            raise ConfigError(f"{key}: there is no {self._path}; name a tokenizer.json, or null")

    def count(self, text: str) -> int:
        """Tokens of a text, without those that mark its beginning and end."""
        return len(_loaded(str(self._path), self._key).encode(text, add_special_tokens=False).ids)


@lru_cache(maxsize=4)
def _loaded(path: str, key: str) -> Any:
    from tokenizers import Tokenizer

    try:
        return Tokenizer.from_file(path)
    except Exception as error:  # the library raises bare Exceptions
        raise ConfigError(f"{key}: {path} is no tokenizer ({error}); name a tokenizer.json") from error
