"""LoCoMo as a world: two people talk for months, an agent listens, and at last is asked what it remembers.

Every session is a process at its own date, every turn an act that writes it down as the memory takes it in.
Each question is a fact, told in the turns that are its evidence: a stage holds it where it holds *any* of
them. When the talk is over, the questions are asked one a minute. What an agent heard, it heard in one talk
only: every talk has an agent and a memory of its own, with ``memory.sharing=shared`` all have one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path

from scenarios.locomo.answering import answer
from scenarios.locomo.hearing import hear
from scenarios.locomo.judging import ADVERSARIAL, gold
from scenarios.locomo.night import night
from scenarios.locomo.settings import LocomoSettings
from scenarios.locomo.skills import skills
from scenarios.locomo.talks import AGENTS, Asked, Session, Talk, talk_of
from scenarios.locomo.world import World
from sim.bench.locomo import HOME, Conversation, Question, files, first_monday, read
from sim.clock import DAY_MS, MINUTE_MS, Calendar, day_start
from sim.engine.nights import nights
from sim.engine.scenario import Cast
from sim.engine.simulation import Process, Simulation
from sim.errors import ConfigError
from sim.memory.plan import MemoryPlan
from sim.memory.protocol import Owner, Record
from sim.streams import Stream

DATA = "scenario.data"


class Locomo:
    """The scenario; see `sim.engine.scenario.Scenario`.

    Args:
        settings: its keys.

    Raises:
        ConfigError: there is no data, or it is no LoCoMo, or there is nothing to ask.
    """

    Settings = LocomoSettings
    name = "locomo"

    def __init__(self, settings: LocomoSettings | None = None) -> None:
        self.settings = settings or LocomoSettings()
        if not self.settings.data:
            raise ConfigError(f"{DATA}: name the LoCoMo file, or a folder of them; it is at {HOME}")
        self._path = Path(self.settings.data)
        chosen = _chosen(read(self._path, DATA), self.settings.conversations)
        self.start = first_monday(chosen)
        self._talks = tuple(talk_of(one, Calendar(start=self.start)) for one in chosen)
        if not any(map(self._askable, self._talks)):
            raise ConfigError(f"scenario.categories: {self._path} has no questions of these; name others")
        self.duration_ms = day_start(max(map(self._last_ms, self._talks))) + DAY_MS
        self.skills = skills()
        self.cast = Cast(groups={talk.agent: AGENTS for talk in self._talks})

    @property
    def inputs(self) -> Mapping[str, str]:
        """The sha256 of the data, by the name of its key."""
        digest = sha256()
        for file in files(self._path):
            digest.update(sha256(file.read_bytes()).digest())
        return {DATA: digest.hexdigest()}

    def check(self, memory: MemoryPlan) -> None:
        """Refuses a memory that keeps words and does not find them: by its notes alone it cannot be scored.

        Raises:
            ConfigError: it names the key.
        """
        if "exchange" not in memory.capabilities.ingests:
            return
        trial = memory.make(Owner(store="trial"))
        words = Record(
            id="trial", at_ms=0, visible_at_ms=0, agent="trial", customer="", visit="", kind="exchange",
            text="trial", sources=("trial",),
        )  # fmt: skip
        trial.write(trial.owner, words)
        if not trial.lineage(trial.owner, "trial"):
            raise ConfigError("memory.verbatim: scenario=locomo scores the words of turns; give searched")

    def open(self, simulation: Simulation) -> None:
        """Starts a process for each session, and one for each talk that asks when all has been said."""
        asked = {talk.id: self._facts(simulation, talk) for talk in self._talks}
        world = World(
            memory=simulation.memory,
            calendar=simulation.calendar,
            notes=self.settings.notes,
            turns={utterance: turn for talk in self._talks for utterance, turn in talk.utterances()},
            told=dict(_told(self._talks, asked)),
        )
        for talk in self._talks:
            for session in talk.sessions:
                simulation.process(_session(simulation, world, talk, session))
            simulation.process(self._questions(simulation, world, talk, asked[talk.id]))
        ends = sorted({session.end_ms + MINUTE_MS for talk in self._talks for session in talk.sessions})
        simulation.process(nights(simulation, tuple(ends), partial(night, world)))

    def _facts(self, simulation: Simulation, talk: Talk) -> list[Asked]:
        """The questions that will be asked, their answers made true."""
        return [_fact(simulation, talk, *one) for one in self._drawn(talk, simulation.streams)]

    def _askable(self, talk: Talk) -> list[tuple[int, Question]]:
        """The questions of the wanted categories that can be judged, each with its number."""
        return [
            (number, question)
            for number, question in enumerate(talk.conversation.questions)
            if question.category in self.settings.categories
            and (question.answer or question.category == ADVERSARIAL)
        ]

    def _drawn(self, talk: Talk, streams: Stream) -> list[tuple[int, Question]]:
        askable, most = self._askable(talk), self.settings.questions
        return askable if most is None else streams.of("questions", talk.id).sample(askable, most)

    def _last_ms(self, talk: Talk) -> int:
        """When the last question of a talk has been answered."""
        most = self.settings.questions
        count = len(self._askable(talk))
        return talk.asked_ms(count if most is None else min(count, most), self.settings.ask_after_days)

    def _questions(self, simulation: Simulation, world: World, talk: Talk, asked: Sequence[Asked]) -> Process:
        for place, one in enumerate(asked):
            at_ms = talk.asked_ms(place, self.settings.ask_after_days)
            yield simulation.until(at_ms)
            simulation.submit(one.act, answer(world, talk, one, at_ms), due_ms=at_ms + MINUTE_MS)


def _chosen(found: list[Conversation], wanted: list[str] | None) -> list[Conversation]:
    if wanted is None:
        return found
    there = {one.id: one for one in found}
    if unknown := [name for name in wanted if name not in there]:
        known = ", ".join(there)
        raise ConfigError(f"scenario.conversations: there is no {unknown[0]!r}; the data has {known}")
    return [there[name] for name in dict.fromkeys(wanted)]


def _fact(simulation: Simulation, talk: Talk, number: int, question: Question) -> Asked:
    fact = simulation.ledger.make_true(
        customer=talk.id, slot=f"question-{number}", value=gold(question), at_ms=0
    )
    return Asked(number=number, question=question, fact=fact)


def _told(
    talks: Iterable[Talk], asked: Mapping[str, Sequence[Asked]]
) -> Iterator[tuple[str, tuple[Asked, ...]]]:
    """The questions that each utterance helps to answer."""
    for talk in talks:
        for utterance, turn in talk.utterances():
            if found := tuple(one for one in asked[talk.id] if turn.id in one.question.evidence):
                yield utterance, found


def _session(simulation: Simulation, world: World, talk: Talk, session: Session) -> Process:
    """The turns of one session, each an act that nobody waits for."""
    yield simulation.until(session.begin_ms)
    simulation.ledger.visited(talk.id, session.begin_ms, session.visit)
    for place in range(len(session.turns)):
        yield simulation.until(session.at_ms(place))
        act, now_ms = session.act(place), simulation.now
        # Words are there at once; a note takes as long as the model that makes it.
        latency_ms = simulation.latency("reflect", act.visit, place) if world.note_kind else 0
        simulation.submit(
            act,
            hear(world, talk, session, place),
            due_ms=now_ms,
            writes=[world.owner(talk)],
            visible_at_ms=simulation.memory.visible_at(now_ms, latency_ms),
        )
