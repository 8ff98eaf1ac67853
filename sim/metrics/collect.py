"""One tidy table over any number of runs and sweeps: a row per run, settings and figures as columns."""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.errors import RecordError
from sim.metrics.arm_table import arm_table
from sim.metrics.arms import Arm, arms, differing_settings, plain, settings
from sim.metrics.caveats import caveats
from sim.metrics.gather import Found, gather
from sim.metrics.recall_table import NOT_APPLICABLE
from sim.metrics.wording import counted, name_of

if TYPE_CHECKING:
    import pandas as pd

# What stands in a column of its own, and what varies in its very names.
_NO_FIGURES = ("schema_version", "by_seed", "replications")
_BROKEN_DOWN = ("by_", "recall_by_", "retention")
_GROUPS = ("scenario", "memory", "llm", "embedder")


def collect(*folders: Path | str, all_settings: bool = False) -> "pd.DataFrame":
    """The table of all runs in and below these folders.

    Settings are called as on the command line, figures as in ``summary.json``: a rate stands under its
    own name, with ``.low``, ``.high`` and ``.n`` or ``.count`` beside it. A figure that a run has not, or
    that its memory has no stage for, is missing.

    Args:
        folders: of runs, or of sweeps.
        all_settings: every setting is a column, not only those in which runs differ.

    Raises:
        RecordError: a folder is not there, or none of them holds a run.
    """
    return _frame(arms(gather([Path(folder) for folder in folders]).runs), all_settings)


def collect_text(
    folders: Sequence[Path],
    *,
    out: Path | None = None,
    csv: bool = False,
    all_settings: bool = False,
    against: str | None = None,
) -> str:
    """Writes ``results.parquet`` (and ``results.csv``), and puts the arms side by side.

    Args:
        folders: of runs, or of sweeps.
        out: the folder to write to; None takes the first of ``folders``.
        csv: writes ``results.csv`` as well.
        all_settings: as in `collect`.
        against: words in the name of the arm that all others are compared with; None takes the first.

    Raises:
        RecordError: as in `collect`, or the table cannot be written, or there is no such arm.
    """
    gathered = gather(folders)
    every = arms(gathered.runs)
    named = ", ".join(map(str, folders))
    lines = [f"{counted(len(gathered.runs), 'run')} of {counted(len(every), 'arm')} in {named}"]
    lines += [f"left out: {line}" for line in gathered.left_out]
    lines += [f"{found.name}: {found.trouble}" for found in gathered.runs if found.trouble]
    lines += [f"WARNING: {line}" for line in caveats(gathered.runs, every)]
    lines += arm_table(every, against)
    frame = _frame(every, all_settings)
    written = [str(path) for path in _write(frame, folders[0] if out is None else out, csv=csv)]
    return "\n".join([*lines, "", f"{counted(len(frame), 'row')} in {' and '.join(written)}"])


def _frame(every: Sequence[Arm], all_settings: bool) -> "pd.DataFrame":
    import pandas as pd

    pairs = [(arm, found) for arm in every for found in arm.runs]
    runs = [found for _, found in pairs]
    heads = pd.DataFrame([_head(arm, found) for arm, found in pairs])
    sets = [settings(found) for found in runs] if all_settings else differing_settings(runs)
    chosen = [_groups(found) | table for found, table in zip(runs, sets, strict=True)]
    known = pd.DataFrame(_uniform(chosen))
    figures = pd.DataFrame([dict(_figures(found.summary)) for found in runs], index=heads.index)
    known = known.drop(columns=list(heads), errors="ignore")
    # a run without figures of its memory says so under the name of a setting
    return pd.concat([heads, known, figures.drop(columns=list(known), errors="ignore")], axis=1)


def _head(arm: Arm, found: Found) -> dict[str, Any]:
    return {
        "run": found.name,
        "arm": arm.name,
        "seed": found.seed,
        "state": found.state,
        "schema_version": found.schema,
        "program": found.program,
    }


def _groups(found: Found) -> dict[str, Any]:
    return {group: name_of(found.config, group) for group in _GROUPS}


def _uniform(tables: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The settings with one kind of value per column: where kinds differ, all are words."""
    rows = [{key: plain(value) for key, value in table.items()} for table in tables]
    kinds: dict[str, set[type]] = {}
    for key, value in ((key, value) for row in rows for key, value in row.items() if value is not None):
        kinds.setdefault(key, set()).add(type(value))
    mixed = {key for key, found in kinds.items() if len(found) > 1 and found != {int, float}}
    for row in rows:
        row |= {key: str(row[key]) for key in mixed if row.get(key) is not None}
    return rows


def _figures(summary: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, float | str]]:
    for name, value in summary.items():
        if name in _NO_FIGURES or name.startswith(_BROKEN_DOWN):
            continue
        key = prefix + name
        if value == NOT_APPLICABLE:
            yield from ((key + end, math.nan) for end in ("", ".low", ".high", ".n"))
        elif isinstance(value, Mapping):
            yield from ((inner.removesuffix(".rate"), part) for inner, part in _figures(value, f"{key}."))
        else:
            yield key, _number(value)


def _number(value: Any) -> float | str:
    """A figure as a number, NaN where there is no data; words stay words."""
    if isinstance(value, str):
        return value
    return math.nan if value is None else float(value)


def _write(frame: "pd.DataFrame", folder: Path, *, csv: bool) -> list[Path]:
    """Each file appears whole or not at all."""
    paths = [folder / "results.parquet", *([folder / "results.csv"] if csv else [])]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in paths:
            half = path.with_name(path.name + ".tmp")
            if path.suffix == ".csv":
                frame.to_csv(half, index=False)
            else:
                frame.to_parquet(half, index=False)
            half.replace(path)
    except OSError as error:
        raise RecordError(f"{folder}: cannot be written ({error.strerror}); give --out DIR") from None
    return paths
