"""``noodle bench locomo``: evidence recall of a retriever on LoCoMo, as a table and as JSON."""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from textwrap import fill
from typing import Any

from sim.bench.evidence import Answered, Make, Records, remembered, summarised
from sim.bench.held import HELD
from sim.bench.locomo import Conversation, read
from sim.bench.settings import NAMES, Settings, maker, settings_of
from sim.errors import ConfigError, SimError
from sim.memory.saved.files import encoded, put

BAD_INPUT = 2
_HELP = f"""\
Which of the turns that answer a question does the memory find? Turn-level evidence on LoCoMo
(https://github.com/snap-research/locomo): recall, hit and all at k, MRR, nDCG, by category and by
conversation, with 95 % intervals from drawing conversations, and questions, anew.

overrides:
  memory=full             or graph, diary, flat (nearest by cosine)
  held=turns              or compressed: windows of turns after the compression cascade
  embedder=wordllama      or minilm (needs the extra embed), or none
  embedder.cache=DIR      keep vectors there
  memory.weights.NAME=X   one weight of the ranking; its names:
{fill(", ".join(NAMES), 100, initial_indent="    ", subsequent_indent="    ")}
"""


def main(argv: Sequence[str]) -> int:
    """Carries out ``noodle bench NAME …`` and returns the exit code."""
    parser = ArgumentParser("noodle bench", description=_HELP, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=["locomo"], help="the benchmark")
    parser.add_argument(
        "--data", type=Path, required=True, metavar="FILE", help="its data: a file or a folder"
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures there")
    parser.add_argument("overrides", nargs="*", metavar="key=value", help="see below")
    given = parser.parse_intermixed_args(argv)
    try:
        settings = settings_of(given.overrides)
        found = measured(read(given.data), settings)
        if given.json is not None:
            _write(given.json, found)
    except SimError as error:
        print("noodle: " + " ".join(str(error).split()), file=sys.stderr)
        return BAD_INPUT
    print(text(found))
    return 0


def measured(conversations: Sequence[Conversation], settings: Settings) -> dict[str, Any]:
    """All figures, as they are written: ``overall``, ``by_category``, ``by_conversation``, ``settings``."""
    answers = answered(conversations, maker(settings), HELD[settings.held])
    about = asdict(settings) | {
        "conversations": len(conversations),
        "turns": sum(len(one.turns) for one in conversations),
        "questions_without_evidence": sum(one.skipped for one in conversations),
    }
    return summarised(answers) | {"settings": about}


def answered(
    conversations: Sequence[Conversation], make: Make, records: Records, *, quiet: bool = False
) -> list[Answered]:
    """Every question asked of its own conversation, with a bar on a terminal."""
    from tqdm import tqdm

    total = sum(len(one.questions) for one in conversations)
    found = []
    # None: only where standard error is a terminal
    with tqdm(total=total, unit="question", disable=True if quiet else None, leave=False) as bar:
        for conversation in conversations:
            bar.set_description(conversation.id)
            asking = remembered(conversation, make, records)
            for number in range(len(conversation.questions)):
                found.append(asking.answer(number))
                bar.update()
    return found


def text(found: Mapping[str, Any]) -> str:
    """The figures as a table."""
    shown = ("recall_at_5", "recall_at_10", "hit_at_5", "all_at_10", "mrr", "ndcg_at_10")
    rows = {"overall": found["overall"]} | found["by_category"] | found["by_conversation"]
    width = max(map(len, rows))
    lines = [f"{'':{width}}  questions  " + "  ".join(f"{name:>12}" for name in shown)]
    for name, row in rows.items():
        values = "  ".join(f"{_number(row[measure]):>12}" for measure in shown)
        lines.append(f"{name:{width}}  {row['questions']:9}  {values}")
    for measure in ("recall_at_5", "recall_at_10"):
        over = found["overall"]["intervals_95"][measure]
        ranges = ", ".join(f"over {name} {_range(ends)}" for name, ends in over.items())
        lines.append(f"95 % of {measure}: {ranges}")
    return "\n".join(lines)


def _number(value: float | None) -> str:
    return "no data" if value is None else f"{value:.3f}"


def _range(ends: Sequence[float | None]) -> str:
    return "unknown" if ends[0] is None else f"{ends[0]:.3f} to {ends[1]:.3f}"


def _write(path: Path, found: Mapping[str, Any]) -> None:
    try:
        put(path, encoded(found, indent=1) + b"\n")
    except OSError as error:
        raise ConfigError(f"--json: {path} cannot be written ({error.strerror or error})") from error
