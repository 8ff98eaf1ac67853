"""A run in a process of its own, to be killed at some moment."""

from pathlib import Path

from shops import SMALL, shop_plan, sleeping

from sim.runs import run

# What a child has imported before it is forked; each would need seconds to do so itself.
IMPORTS = ("child_run", "pandas", "pyarrow.parquet", "sim.metrics.plots")


def child(folder: Path, trace: Path, salt: str, resume: bool) -> None:
    """Runs or resumes a small shop, and leaves its digest beside the folder."""
    plan = shop_plan(
        *SMALL,
        "scenario.weeks=1",
        "probes.every_days=3",
        "probes.sample=20",
        folder=folder,
        resume=resume,
    )
    result = run(sleeping(plan, 8, salt=salt, longest_s=0.01, trace=trace))
    folder.with_suffix(".digest").write_text(result.digests[0])
