"""Writes ``report.html`` into the folder of a run or of a sweep."""

from pathlib import Path

from sim.metrics.wording import counted, harmless
from sim.report.dialogues import dialogues
from sim.report.members import Shown, found
from sim.report.page import page
from sim.report.sections import key_figures, sections, title_of

FILE = "report.html"
_MOST_LINES = 10


def write_report(folder: Path) -> Path:
    """Writes the report of a run, of its replications, or of a sweep, and returns its path.

    The file appears whole or not at all. What cannot be read is named in it.

    Raises:
        RecordError: there is nothing in the folder that can be read.
    """
    return _written(found(folder))


def reported(folder: Path) -> str:
    """Writes the report, and says where it is and what was left out of it."""
    shown = found(folder)
    path = _written(shown)
    lines = [f"left out: {harmless(line)}" for line in shown.left_out[:_MOST_LINES]]
    if len(shown.left_out) > _MOST_LINES:
        lines.append(f"and {counted(len(shown.left_out) - _MOST_LINES, 'more line')} in the report")
    return "\n".join([*lines, f"written to {path} ({path.stat().st_size / 1e6:.1f} MB)"])


def _written(shown: Shown) -> Path:
    title = title_of(shown)
    text = page(shown, title, key_figures(shown), sections(shown, title, dialogues(shown.members)))
    path = shown.path / FILE
    half = path.with_name(f"{FILE}.tmp")
    # A name with half a character must not cost the report.
    half.write_text(text, encoding="utf-8", errors="backslashreplace")
    half.replace(path)
    return path
