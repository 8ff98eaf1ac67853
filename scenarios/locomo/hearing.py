"""Hearing: each turn goes into the memory as it takes it in, word for word or as a note."""

from scenarios.locomo.prompts import NOTE_SCHEMA, note_prompt, one_line
from scenarios.locomo.talks import Session, Talk
from scenarios.locomo.world import LANGUAGE, World
from sim.agents.asking import Clip, ask_noting
from sim.agents.context import Context
from sim.agents.effects import Ask, Note, Report, Tell, Write
from sim.bench.held import said
from sim.engine.act import Steps
from sim.memory.protocol import Record
from sim.records import Visit, canonical, utterance_of


def hear(world: World, talk: Talk, session: Session, place: int) -> Steps:
    """One turn is said; with the last one the session is over."""
    turn, utterance = session.turns[place], utterance_of(session.act(place))
    yield Note(kind="said", payload={"exchange": place, "move": turn.speaker, "text": said(turn)})
    if questions := world.questions_of([utterance]):
        yield Tell(utterance=utterance, facts=tuple(one.fact.id for one in questions))
    if "exchange" in world.memory.capabilities.ingests:
        yield Write(
            owner=world.owner(talk), record=_record(world, talk, session, place, "exchange", said(turn))
        )
    if world.note_kind:
        yield from _noted(world, talk, session, place)
    if place == len(session.turns) - 1:
        yield Report(visit=_visit(session))


def _noted(world: World, talk: Talk, session: Session, place: int) -> Steps:
    """A model makes a note of the turn, and of what it answers to."""
    today = world.calendar.day(session.at_ms(place))

    def question(context: Context, clip: Clip) -> Ask:
        del context  # what is said now is written down without a look at older notes
        before = clip(said(session.turns[place - 1])) if place else ""
        now = clip(said(session.turns[place]))
        system, user = note_prompt(talk.speakers, today, before, now)
        return Ask(role="reflect", system=system, user=user, schema=NOTE_SCHEMA, language=LANGUAGE)

    outcome = (yield from ask_noting(question, exchange=place)).outcome
    if outcome.value is None:
        yield Note(kind="not_written", payload={"exchange": place, "why": outcome.kind})
        return
    text = one_line(outcome.value["note"])
    if not text:
        return
    keywords = tuple(map(one_line, outcome.value["keywords"]))
    record = _record(world, talk, session, place, world.note_kind, text, keywords)
    if record.kind == "event":
        record = world.claiming(record, world.questions_of(record.sources))
    yield Write(owner=world.owner(talk), record=record)


def _record(  # noqa: PLR0917 - where it was said, and what is written of it
    world: World,
    talk: Talk,
    session: Session,
    place: int,
    kind: str,
    text: str,
    keywords: tuple[str, ...] = (),
) -> Record:
    utterance = utterance_of(session.act(place))
    return Record(
        id=f"{utterance}/{kind}",
        at_ms=session.at_ms(place),
        visible_at_ms=0,
        agent=session.agent,
        customer=world.whose(talk, session.turns[place].speaker),
        visit=session.visit,
        kind=kind,
        text=text,
        sources=(utterance,),
        keywords=keywords,
    )


def _visit(session: Session) -> Visit:
    """A session as a visit; nobody is served, so nothing is judged."""
    return Visit(
        visit=session.visit,
        customer=session.customer,
        number=session.number,
        regular=False,
        language=LANGUAGE,
        waiter=session.agent,
        outcome="served",
        arrived_ms=session.begin_ms,
        seated_ms=None,
        ordered_ms=None,
        served_ms=None,
        left_ms=session.end_ms,
        moves="talk",
        wanted=canonical(None),
        served=None,
        right=None,
        satisfaction=None,
    )
