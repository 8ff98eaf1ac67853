"""The languages by their codes."""

from collections.abc import Callable, Mapping
from functools import cache

from sim.errors import ConfigError
from sim.language.chinese import chinese
from sim.language.english import english
from sim.language.protocol import LanguagePack
from sim.language.russian import russian

PACKS: Mapping[str, Callable[[], LanguagePack]] = {"en": english, "ru": russian, "zh": chinese}


@cache
def pack(code: str) -> LanguagePack:
    """The pack of a language; built on first use, the same object each time.

    Args:
        code: ISO 639-1 code, one of `PACKS`.

    Raises:
        ConfigError: no such pack.
    """
    if code not in PACKS:
        raise ConfigError(f"scenario.language: no language {code!r}; choose one of {', '.join(PACKS)}")
    return PACKS[code]()
