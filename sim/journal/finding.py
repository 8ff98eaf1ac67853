"""Where the journals of a run lie."""

from pathlib import Path


def journal_of(run: Path, seed: int) -> Path:
    """Where the journal of a run lies, or that of one seed among its replications."""
    own = run / f"seed-{seed}" / "journal.sqlite"
    return own if own.is_file() else run / "journal.sqlite"
