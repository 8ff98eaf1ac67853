"""The ``noodle`` command: finds what does the work, imports only that, and says errors in one line."""

import io
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from sim.errors import SimError

BAD_INPUT = 2
# What a shell shows for a program that SIGPIPE ended, as it ends `cat` in `cat FILE | head`.
BROKEN_PIPE = 141

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
    """Carries out one ``noodle`` command line and returns its exit code.

    Where the reader of its output goes away, the work is done all the same, and quietly.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    out, err = _Quiet(sys.stdout), _Quiet(sys.stderr)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = _carry_out(arguments)
    finally:
        out.flush()
        err.flush()
    return BROKEN_PIPE if out.broken and not code else code


class _Quiet:
    """A stream that writes what it can, and nothing any more once its reader has gone."""

    def __init__(self, stream: Any) -> None:
        # Python has none where the program was started with its output closed.
        self._stream = io.StringIO() if stream is None else stream
        self.broken = False
        if hasattr(self._stream, "reconfigure"):
            # A name or an answer may hold what this terminal cannot show.
            self._stream.reconfigure(errors="backslashreplace")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        try:
            self._stream.write(text)
        except BrokenPipeError:
            self._fall_silent()
        return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._fall_silent()

    def _fall_silent(self) -> None:
        self.broken = True
        # Under the stream, for what it still holds would be written when the program ends.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)


def _carry_out(arguments: list[str]) -> int:
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
