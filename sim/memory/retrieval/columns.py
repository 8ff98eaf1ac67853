"""Columns that grow one row at a time and are read as arrays up to a row."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Places = NDArray[np.int64]
_SMALLEST_ROOM = 64


class Column:
    """One value, or one row of ``width`` values, per record.

    Args:
        kind: a numpy type.
        width: values per row; 0 makes a plain column.
    """

    def __init__(self, kind: Any, width: int = 0) -> None:
        self._array: NDArray[Any] = np.zeros((0, width) if width else 0, dtype=kind)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return self._array.nbytes

    def append(self, value: Any) -> None:
        """Adds one row."""
        self._make_room(self._count + 1)
        self._array[self._count] = value
        self._count += 1

    def extend(self, values: NDArray[Any]) -> None:
        """Adds rows."""
        self._make_room(self._count + len(values))
        self._array[self._count : self._count + len(values)] = values
        self._count += len(values)

    def put(self, row: int, value: Any) -> None:
        """Changes a row that is there."""
        self._array[: self._count][row] = value

    def upto(self, seen: int) -> NDArray[Any]:
        """The first ``seen`` rows; a view, to be read at once and not kept."""
        return self._array[: min(seen, self._count)]

    def _make_room(self, needed: int) -> None:
        if needed > len(self._array):
            # Doubled, so that adding one by one copies each row about twice.
            grown = max(needed, 2 * len(self._array), _SMALLEST_ROOM)
            larger = np.zeros((grown, *self._array.shape[1:]), dtype=self._array.dtype)
            larger[: self._count] = self._array[: self._count]
            self._array = larger
