"""A conversation as the records of a memory: turn by turn, or after the compression cascade."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby

from sim.bench.locomo import Conversation, Turn
from sim.clock import Calendar, milliseconds
from sim.llm.tokens import estimate_tokens
from sim.memory.compress.squeezed import compressed
from sim.memory.compress.windows import windows
from sim.memory.protocol import Record

_LANGUAGE = "en"


def turns(conversation: Conversation, calendar: Calendar) -> Iterator[Record]:
    """Each turn as a record of the person who spoke, in the order of the conversation."""
    times = _times(conversation, calendar)
    for turn in conversation.turns:
        yield _record([turn], times, customer=turn.speaker, kind="exchange", text=said(turn))


def windowed(conversation: Conversation, calendar: Calendar) -> Iterator[Record]:
    """Some neighbouring turns of a session together as one record, squeezed as after closing."""
    times = _times(conversation, calendar)
    speakers = tuple(dict.fromkeys(turn.speaker for turn in conversation.turns))
    for _, group in groupby(conversation.turns, key=lambda turn: turn.session):
        session = list(group)
        for window in windows([said(turn) for turn in session]):
            part = session[window.start : window.stop]
            spoken = [said(turn) for turn in part]
            short = compressed(spoken, _LANGUAGE, count=estimate_tokens, known=speakers)
            yield _record(part, times, customer="", kind="summary", text=short.line)


HELD: Mapping[str, Callable[[Conversation, Calendar], Iterable[Record]]] = {
    "turns": turns,
    "compressed": windowed,
}


def said(turn: Turn) -> str:
    """What a record of a turn says."""
    picture = f" [{turn.caption}]" if turn.caption else ""
    return f"{turn.speaker}: {turn.text}{picture}"


def _times(conversation: Conversation, calendar: Calendar) -> Mapping[str, int]:
    """Simulated time of each turn by its id: a second apart, so that those of a session have an order."""
    begin = datetime.combine(calendar.start, datetime.min.time())
    return {
        turn.id: milliseconds((turn.at - begin).total_seconds() + number)
        for number, turn in enumerate(conversation.turns)
    }


def _record(part: Sequence[Turn], times: Mapping[str, int], *, customer: str, kind: str, text: str) -> Record:
    return Record(
        id=part[0].id,
        at_ms=times[part[0].id],
        # Seen when all has been said: the dates of sessions need not be in their order.
        visible_at_ms=max(times.values()),
        agent="locomo",
        customer=customer,
        visit=f"session {part[0].session}",
        kind=kind,
        text=text,
        sources=tuple(turn.id for turn in part),
    )
