"""The ``noodle`` command: finds what does the work, imports only that, and says errors in one line."""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path

from sim.errors import SimError

BAD_INPUT = 2

USAGE = """\
usage: noodle COMMAND ...

  run [key=value ...] [-m]    run an experiment; with -m every combination of values
  show RUN --customer X       dialogues, contexts and losses of one person
  compare RUN RUN             two runs side by side, paired by question

noodle COMMAND --help says more.
"""

RUN_HELP = """\
usage: noodle run [key=value ...] [-m]          (or: python -m sim ...)

Runs one experiment and leaves it in outputs/<date>/<time>/.

groups (a name picks conf/<group>/<name>.yaml; group.key=value changes one key):
  scenario=noodle_shop        the world; scenario.weeks=8 scenario.regulars=40
  memory=flat                 none, window, flat, oracle
                              memory.top_k=3  memory.budget_tokens=1500  memory.scope=agent|customer
                              memory.visible_after=0|next_morning  memory.sharing=private|shared
  llm=surrogate               surrogate, scripted; llm.max_in_flight=64
  embedder=wordllama          wordllama, minilm, sentence_transformers
  experiment=smoke            a set of keys on top of all this: about a week, few customers

keys:
  seed=0                      root of every random draw
  replications=1              so many seeds on one loop, seed-<n>/ each
  probes.enabled=true         examinations, which change nothing; probes.every_days, probes.sample
  max_failure_rate=0.05       share of failed model calls beyond which a run is degraded
  resume=RUN                  take up an interrupted run in its own folder, as it was configured
  hydra.run.dir=DIR           where to write; with -m hydra.sweep.dir=DIR, one folder per arm
  progress=true plots=true log.rows_per_part=50000

options:
  -m, --multirun              run every combination of the values given with commas
  --cfg job                   print the whole configuration and stop
  --config-dir DIR            look for groups of your own here as well
  --hydra-help                what else Hydra can do

examples:
  noodle run experiment=smoke
  noodle run memory=window scenario.weeks=4 seed=7
  noodle run -m memory=none,window,flat,oracle seed=0,1,2

exit codes: 0 done; 1 failed, or degraded beyond its limit; 2 bad input; 130 interrupted (resumable)
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Carries out one ``noodle`` command line and returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(USAGE, end="", file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else BAD_INPUT
    command = COMMANDS.get(arguments[0])
    if command is None:
        known = ", ".join(COMMANDS)
        print(f"usage: noodle COMMAND ...: there is no {arguments[0]!r}, only {known}", file=sys.stderr)
        return BAD_INPUT
    return command(arguments[1:])


def run(arguments: Sequence[str]) -> int:
    """``noodle run``: everything about it is behind the door."""
    if "--help" in arguments or "-h" in arguments:
        print(RUN_HELP, end="")
        return 0
    from sim import door

    return door.main(arguments)


def show(arguments: Sequence[str]) -> int:
    """``noodle show RUN --customer X``."""
    parser = ArgumentParser("noodle show", description="Dialogues, contexts and losses of one person.")
    parser.add_argument("run", type=Path, metavar="RUN", help="a run's folder")
    parser.add_argument("--customer", required=True, metavar="X", help="the customer's id")
    given = parser.parse_args(arguments)

    def text() -> str:
        from sim.metrics.show import show

        return show(given.run, given.customer)

    return _printed(text)


def compare(arguments: Sequence[str]) -> int:
    """``noodle compare RUN RUN``."""
    parser = ArgumentParser("noodle compare", description="Two runs side by side, paired by question.")
    parser.add_argument("a", type=Path, metavar="RUN", help="a run's folder")
    parser.add_argument("b", type=Path, metavar="RUN", help="the folder of the run to compare it with")
    given = parser.parse_args(arguments)

    def text() -> str:
        from sim.metrics.compare import compare

        return compare(given.a, given.b)

    return _printed(text)


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {"run": run, "show": show, "compare": compare}


def _printed(text: Callable[[], str]) -> int:
    try:
        print(text())
    except SimError as error:
        print("noodle: " + " ".join(str(error).split()), file=sys.stderr)
        return BAD_INPUT
    return 0


if __name__ == "__main__":
    sys.exit(main())
