"""Rules of manners that a run begins with, and leaves for the next one."""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from sim.errors import ConfigError
from sim.memory.experience.patterns import read, write
from sim.memory.experience.rule import Rule
from sim.memory.protocol import Owner
from sim.place import check_writable, folder_name

FILE = "patterns.json"


class Patterns:
    """The rules of every agent of a run, each file read once.

    Args:
        folder: holds ``<store>/patterns.json``; None for no rules.
    """

    def __init__(self, folder: str | None) -> None:
        self._folder = folder
        self._read: dict[str, Mapping[str, Rule]] = {}

    def check(self) -> None:
        """Reads every file there is, and sees to it that more can be written.

        Raises:
            ConfigError: naming ``memory.patterns_dir`` and the path.
        """
        if self._folder is None:
            return
        if Path(self._folder).exists() and not Path(self._folder).is_dir():
            raise ConfigError(f"memory.patterns_dir: {self._folder} is no folder")
        check_writable(Path(self._folder), "memory.patterns_dir")
        for path in sorted(Path(self._folder).glob(f"*/{FILE}")):
            read(path)

    def of(self, owner: Owner) -> tuple[Rule, ...]:
        """The rules that one owner may use: those for all, and those of its customer.

        Raises:
            ConfigError: the file cannot be read as rules.
        """
        if self._folder is None:
            return ()
        everybody = owner.customer is None
        return tuple(
            rule
            for rule in self._base(owner.store).values()
            if everybody or rule.customer in ("", owner.customer)
        )

    def carry(self, store: str, rules: Mapping[str, Rule]) -> None:
        """Writes the rules of a store for the next run; what was changed by hand meanwhile stays."""
        if self._folder is not None:
            write(self._path(store), rules, self._base(store))

    def _base(self, store: str) -> Mapping[str, Rule]:
        if store not in self._read:
            self._read[store] = read(self._path(store))
        return self._read[store]

    def _path(self, store: str) -> Path:
        assert self._folder is not None
        return Path(self._folder) / folder_name(store) / FILE


def digest_of(folder: str) -> str:
    """The sha256 of all rules in a folder, so that a resume can tell whether they are the same."""
    paths = sorted(Path(folder).glob(f"*/{FILE}"))
    return sha256(
        b"".join(str(path.relative_to(folder)).encode() + path.read_bytes() for path in paths)
    ).hexdigest()
