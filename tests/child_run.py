"""A run in a process of its own, to be killed: ``python child_run.py FOLDER TRACE SALT [resume]``."""

import sys
from pathlib import Path

from shops import SMALL, shop_plan, sleeping

from sim.runs import run


def main() -> None:
    folder, trace, salt, *more = sys.argv[1:]
    plan = shop_plan(
        *SMALL,
        "scenario.weeks=1",
        "probes.every_days=3",
        "probes.sample=20",
        folder=Path(folder),
        resume=bool(more),
    )
    result = run(sleeping(plan, 8, salt=salt, longest_s=0.01, trace=Path(trace)))
    sys.stdout.write(result.digests[0])


if __name__ == "__main__":
    main()
