"""What every benchmark prints: a table, the same as JSON, and the machine it ran on."""

import json
import os
import platform
import sys
from collections.abc import Sequence
from typing import Any


def machine() -> dict[str, Any]:
    """The machine, as far as it matters for a figure."""
    return {"cores": os.cpu_count(), "python": platform.python_version(), "system": platform.system()}


def show(title: str, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Prints a table and, below it, one line of JSON."""
    cells = [list(map(str, row)) for row in [header, *rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    print(f"\n{title}")
    for row in cells:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    table = [dict(zip(header, row, strict=True)) for row in rows]
    print(json.dumps({"title": title, "rows": table, "machine": machine()}, ensure_ascii=False))
    sys.stdout.flush()


def percent(value: float, digits: int = 1) -> str:
    """A share as percent."""
    return f"{100 * value:.{digits}f} %"
