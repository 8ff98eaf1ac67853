"""How bad input is told: one line that names the key, whatever Hydra made of it."""

import os
import re
import sys
import traceback

from hydra.errors import MissingConfigException, OverrideParseException


def plain(error: Exception) -> str:
    """One line of an error of Hydra's, which names the key."""
    if isinstance(error, OverrideParseException):
        return _misread(error)
    text = " ".join(f"{error} {error.__cause__ or ''}".split())
    if isinstance(error, MissingConfigException) and error.options:
        group, _, name = str(error.missing_cfg_file).rpartition("/")
        return f"{group}: there is no {name!r}, only {', '.join(error.options)}"
    if unknown := re.search(r"Could not override '([^']+)'", text):
        return f"{unknown[1]}: there is no such key or group; noodle run --cfg job shows all"
    if absent := re.search(r"path=(.*) is not available", text):
        return f"hydra.searchpath: there is no folder {absent[1]}"
    where = re.search(r"full_key: (\S+)", text)
    text = re.sub(r"\s*(See https?://\S+.*|full_key: .*)$", "", text)
    return f"{where[1]}: {text}" if where else text


def _misread(error: OverrideParseException) -> str:
    key, _, value = error.override.partition("=")
    if value and "LexerNoViableAltException" in str(error):
        return f"{error.override}: put the value in quotes, and all in others: \"{key}='{value}'\""
    reason = str(error).splitlines()[-2 if "See http" in str(error) else -1]
    return f"{error.override or 'an empty argument'}: is not like key=value ({reason})"


def complain(line: str) -> None:
    """Says on stderr what is wrong; with ``HYDRA_FULL_ERROR=1`` the traceback too."""
    if os.environ.get("HYDRA_FULL_ERROR") == "1" and sys.exc_info()[0]:
        traceback.print_exc()
    print("noodle: " + " ".join(line.split()), file=sys.stderr, flush=True)
