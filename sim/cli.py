"""The ``noodle`` command: finds what does the work, imports only that, and says errors in one line."""

import io
import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any

from sim.errors import SimError
from sim.usage import DOCTOR_HELP, RUN_HELP, SERVE_HELP, USAGE

FAILED, BAD_INPUT = 1, 2
# What a shell shows for a program that SIGPIPE ended, as it ends `cat` in `cat FILE | head`.
BROKEN_PIPE = 141
_SAVED = "a run, its memory folder, or a saved memory"


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
    if out.failure:
        print(f"noodle: {out.failure}", file=err)
        return code or FAILED
    return BROKEN_PIPE if out.broken and not code else code


class _Quiet:
    """A stream that writes what it can, and nothing any more once its reader has gone."""

    def __init__(self, stream: Any) -> None:
        # Python has none where the program was started with its output closed.
        self._stream = io.StringIO() if stream is None else stream
        self.broken = False
        self.failure = ""
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
        except OSError as error:
            self._give_up(error)
        return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._fall_silent()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        """A full disk behind the output: the work goes on, and the exit code says that it was not read."""
        self.failure = self.failure or f"the output cannot be written: {error.strerror}"
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
    return _printed("sim.metrics.show.show", given.run, given.customer)


def compare(arguments: Sequence[str]) -> int:
    """``noodle compare RUN RUN``."""
    parser = ArgumentParser("noodle compare", description="Two runs side by side, paired by question.")
    parser.add_argument("a", type=Path, metavar="RUN", help="a run's folder")
    parser.add_argument("b", type=Path, metavar="RUN", help="the folder of the run to compare it with")
    given = parser.parse_args(arguments)
    return _printed("sim.metrics.compare.compare", given.a, given.b)


def collect(arguments: Sequence[str]) -> int:
    """``noodle collect DIR ...``."""
    parser = ArgumentParser(
        "noodle collect",
        description="One table over all runs in and below some folders, results.parquet, and their arms"
        " side by side, paired by question over common seeds.",
    )
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR", help="folder of a sweep, or of runs")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where to write (default: the first DIR)")
    parser.add_argument("--csv", action="store_true", help="write results.csv as well")
    parser.add_argument("--all-settings", action="store_true", help="not only those that differ")
    parser.add_argument("--against", metavar="ARM", help="the arm to compare with, or a part of its name")
    given = parser.parse_args(arguments)
    options = {name: value for name, value in vars(given).items() if name != "folders"}
    return _printed("sim.metrics.collect.collect_text", given.folders, **options)


def doctor(arguments: Sequence[str]) -> int:
    """``noodle doctor [key=value ...]``."""
    if "--help" in arguments or "-h" in arguments:
        print(DOCTOR_HELP, end="")
        return 0

    def examine() -> int:
        from sim.doctor import doctor
        from sim.door import configured

        return doctor(configured(*arguments), _say)

    return _carried_out(examine)


def serve(arguments: Sequence[str]) -> int:
    """``noodle serve [--start] [key=value ...]``."""
    if "--help" in arguments or "-h" in arguments:
        print(SERVE_HELP, end="")
        return 0

    def commands() -> int:
        from sim.door import configured
        from sim.serve import servers, started

        wanted = servers(configured(*(one for one in arguments if one != "--start")).llm)
        if "--start" in arguments:
            return started(wanted, _say)
        for server in wanted:
            _say(f"# {server.name}, {server.url}" + ("" if server.is_local else f": on {server.host}"))
            _say(server.text())
        return 0

    return _carried_out(commands)


def calibrate(arguments: Sequence[str]) -> int:
    """``noodle calibrate RUN``."""
    parser = ArgumentParser(
        "noodle calibrate",
        description="Measures on a finished run how often its models erred and how long they took, and writes"
        " a surrogate that does the same.",
    )
    parser.add_argument("run", type=Path, metavar="RUN", help="the folder of a run with real models")
    parser.add_argument("--name", default="calibrated", help="what to call it (default: calibrated)")
    parser.add_argument("--into", type=Path, default=Path("conf"), metavar="DIR", help="default: conf")
    given = parser.parse_args(arguments)

    def measure() -> int:
        from sim.calibrate import calibrated, table, written

        found = calibrated(given.run)
        path = written(found, given.run, given.into, given.name)
        _say("\n".join([*table(found), "", f"written to {path}"]))
        _say(f"to use it: noodle run --config-dir {given.into} llm={given.name}")
        return 0

    return _carried_out(measure)


def explain_miss(arguments: Sequence[str]) -> int:
    """``noodle explain-miss RUN``."""
    parser = ArgumentParser(
        "noodle explain-miss",
        description="Replays a run in memory, from its own journal or that of llm.journal, up to the first"
        " question the journal does not answer, and says what differs.",
    )
    parser.add_argument("run", type=Path, metavar="RUN", help="a run's folder")
    parser.add_argument("--act", metavar="ACT", help="only list what the journal has of such acts")
    given = parser.parse_args(arguments)

    if given.act is not None:
        return _printed("sim.explain.entries_of", given.run, given.act)

    def explain() -> int:
        from sim.door import settings_in
        from sim.explain import explained

        _say(explained(settings_in(given.run), given.run))
        return 0

    return _carried_out(explain)


def report(arguments: Sequence[str]) -> int:
    """``noodle report DIR``."""
    parser = ArgumentParser(
        "noodle report",
        description="Writes report.html, one page that opens without a network: figures, the worst losses and"
        " every word on their way, a timeline, a search over the dialogues.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder of a run or of a sweep")
    given = parser.parse_args(arguments)
    return _printed("sim.report.writing.reported", given.folder)


def diff(arguments: Sequence[str]) -> int:
    """``noodle diff A B``."""
    parser = ArgumentParser("noodle diff", description="What one saved memory has and another has not.")
    parser.add_argument("a", type=Path, metavar="A", help=_SAVED)
    parser.add_argument("b", type=Path, metavar="B", help="another")
    given = parser.parse_args(arguments)
    return _printed("sim.memory.saved.differing.diff_text", given.a, given.b)


def search(arguments: Sequence[str]) -> int:
    """``noodle search PATH TEXT``."""
    parser = ArgumentParser("noodle search", description="Records of saved memories that are like a text.")
    parser.add_argument("path", type=Path, metavar="PATH", help=_SAVED)
    parser.add_argument("text", metavar="TEXT", help="what to look for")
    parser.add_argument("--customer", default="", metavar="X", help="only what is about this customer")
    parser.add_argument("--count", type=int, default=10, metavar="N", help="so many per memory (default: 10)")
    given = parser.parse_args(arguments)
    options = {"customer": given.customer, "count": given.count}
    return _printed("sim.memory.saved.searching.search_text", given.path, given.text, **options)


def forget(arguments: Sequence[str]) -> int:
    """``noodle forget RUN --customer X``."""
    parser = ArgumentParser(
        "noodle forget", description="Erases a person from saved memories, and says where they still stand."
    )
    parser.add_argument("run", type=Path, metavar="RUN", help=_SAVED)
    parser.add_argument("--customer", required=True, metavar="X", help="the customer's id")
    given = parser.parse_args(arguments)
    return _printed("sim.memory.saved.forget.forget", given.run, given.customer)


def bench(arguments: Sequence[str]) -> int:
    """``noodle bench locomo --data FILE --json OUT``."""
    from sim.bench.cli import main

    return main(list(arguments))


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "run": run,
    "show": show,
    "compare": compare,
    "report": report,
    "collect": collect,
    "doctor": doctor,
    "serve": serve,
    "calibrate": calibrate,
    "explain-miss": explain_miss,
    "bench": bench,
    "diff": diff,
    "search": search,
    "forget": forget,
}


def _printed(name: str, *arguments: Any, **options: Any) -> int:
    """Prints what the function of this name says; it is imported now, since few commands need much."""

    def show() -> int:
        module, _, function = name.rpartition(".")
        print(getattr(import_module(module), function)(*arguments, **options))
        return 0

    return _carried_out(show)


def _carried_out(work: Callable[[], int]) -> int:
    try:
        return work()
    except SimError as error:
        print("noodle: " + " ".join(str(error).split()), file=sys.stderr)
        return BAD_INPUT


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
