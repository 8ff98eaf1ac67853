"""After closing: the oldest notes are squeezed into summaries."""

from collections.abc import Sequence
from typing import Any

from scenarios.noodle_shop.desk import Desk
from scenarios.noodle_shop.events import event_text
from scenarios.noodle_shop.menu import Menu
from scenarios.noodle_shop.prompts import compress_prompt, memory_line
from scenarios.noodle_shop.scene import customer_of
from scenarios.noodle_shop.schemas import compress_schema
from sim.agents.effects import Ask, Note, Overflow, Write
from sim.engine.act import Steps
from sim.memory.protocol import Claim, Owner, Record
from sim.records import ActId


def squeeze(desk: Desk, language: str, act: ActId, owner: Owner) -> Steps:
    """Replaces each batch of old records by one summary with its key facts and a pointer to its sources.

    A batch whose summary fails stays as it is and is tried again after the next day that
    adds something.
    """
    batches = yield Overflow(owner=owner)
    for number, batch in enumerate(batches):
        lines = [line for one in batch for line in desk.line(one).split("\n")]
        system, user = compress_prompt(act.agent, lines, language, desk.menu)
        outcome = yield Ask(role="compress", system=system, user=user, schema=compress_schema())
        if outcome.value is None:
            yield Note(kind="not_compressed", payload={"records": len(batch), "why": outcome.kind})
            continue
        kept = outcome.value["summary_lines"][: desk.memory.squeeze_lines]
        summary = _summary(desk.menu, language, f"{act.agent}/{act.visit}/{number}", batch, kept)
        yield Write(owner=owner, record=summary)
        yield Note(kind="compressed", payload={"records": [one.id for one in batch], "summary": summary.id})


def _summary(menu: Menu, language: str, name: str, batch: Sequence[Record], kept: Sequence[Any]) -> Record:
    claims: list[Claim] = []
    claimants: list[str] = []
    lines = []
    for line in kept:
        found = [Claim(slot=c["slot"], value=c["value"], polarity=c["polarity"]) for c in line["claims"]]
        found = [claim for claim in found if menu.allows(claim.slot, claim.value)]
        claims += found
        claimants += [customer_of(line["customer"])] * len(found)
        lines.append(memory_line(line["day"], line["customer"], event_text(language, found)))
    newest = batch[-1]
    return Record(
        # It stands where the newest of what it replaces stood, so that time order holds.
        id=name,
        at_ms=newest.at_ms,
        visible_at_ms=0,
        agent=newest.agent,
        customer="",
        visit="",
        kind="summary",
        text="\n".join(lines),
        claims=tuple(claims),
        claimants=tuple(claimants),
        sources=tuple(dict.fromkeys(source for one in batch for source in one.sources)),
        replaces=tuple(one.id for one in batch),
    )
