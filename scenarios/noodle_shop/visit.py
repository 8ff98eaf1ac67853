"""A visit from arrival to leaving, as a SimPy process.

It waits for tables, waiters, the kitchen and the clock, never for an answer: durations are drawn
from streams named by customer, visit and purpose, so the shop's timetable is the same whatever is
said or cooked in it.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import simpy

from scenarios.noodle_shop import chef, closing, waiter
from scenarios.noodle_shop.customers import Customer, wanted, wishes
from scenarios.noodle_shop.script import Cue, script
from scenarios.noodle_shop.settings import NoodleSettings
from scenarios.noodle_shop.staff import Staff
from scenarios.noodle_shop.waiter import Desk, Moment
from sim.clock import milliseconds
from sim.engine.act import Act
from sim.engine.simulation import Process, Simulation
from sim.ledger import Fact
from sim.records import ActId
from sim.streams import Stream


@dataclass(kw_only=True, slots=True)
class History:
    """What the world knows of a customer's past: how often served and by which stores, what was stated."""

    arrivals: int = 0
    served: int = 0
    stated: set[str] = field(default_factory=set)
    stores: set[str] = field(default_factory=set)


@dataclass(kw_only=True, slots=True)
class Stay:
    """One visit under way."""

    customer: Customer
    history: History
    id: str
    number: int
    arrived_ms: int
    draw: Stream
    facts: dict[str, Fact] = field(default_factory=dict)
    seated_ms: int | None = None
    ordered_ms: int | None = None
    served_ms: int | None = None
    waiter: str = ""
    cues: list[Cue] = field(default_factory=list)
    talks: list[Act] = field(default_factory=list)


class Floor:
    """The dining room: what every visit needs to run.

    Args:
        simulation: the run.
        settings: numbers of the shop.
        desk: what waiters and chefs share.
        staff: waiters and chefs with their queues.
    """

    def __init__(self, simulation: Simulation, settings: NoodleSettings, desk: Desk, staff: Staff) -> None:
        self._sim = simulation
        self._settings = settings
        self._desk = desk
        self._staff = staff
        self._tables = simpy.Resource(simulation.env, capacity=settings.tables)
        self._free = list(range(1, settings.tables + 1))
        self._here: dict[str, Stay] = {}

    def visit(self, customer: Customer, history: History) -> Process:
        """One customer comes in."""
        stay = self._arrive(customer, history)
        with self._tables.request() as table:
            patience_ms = milliseconds(stay.draw.of("patience").exponential(self._settings.timing.patience_s))
            seated = yield table | self._sim.timeout(patience_ms)
            if table not in seated:
                self._renege(stay)
                return
            number = self._seat(stay)
            yield from self._order(stay)
            yield from self._cook(stay)
            yield from self._eat(stay)
            heapq.heappush(self._free, number)

    def _arrive(self, customer: Customer, history: History) -> Stay:
        number = history.arrivals
        history.arrivals += 1
        stay = Stay(
            customer=customer,
            history=history,
            id=f"{customer.id}/{number}",
            number=number,
            arrived_ms=self._sim.now,
            draw=customer.stream.of("visit", number),
        )
        self._sim.log(
            "arrived",
            customer=customer.id,
            visit=stay.id,
            regular=customer.regular,
            number=number,
            name=customer.name,
        )
        self._here[stay.id] = stay
        return stay

    def last_moment(self, time_ms: int) -> Process:
        """Closes the books on whoever is still there when the run ends, so that nobody goes uncounted."""
        yield self._sim.until(time_ms)
        for stay in list(self._here.values()):
            self._close(stay, "closed", [])

    def _renege(self, stay: Stay) -> None:
        self._sim.log("reneged", customer=stay.customer.id, visit=stay.id)
        self._close(stay, "reneged", [])

    def _seat(self, stay: Stay) -> int:
        stay.seated_ms = self._sim.now
        number = heapq.heappop(self._free)
        self._sim.log("seated", customer=stay.customer.id, visit=stay.id, table=number)
        return number

    def _order(self, stay: Stay) -> Process:
        """The waiter comes and hears everything up to the order."""
        stay.waiter = self._staff.waiter_for(stay.customer, stay.draw)
        with self._staff.request(stay.waiter) as turn:
            yield turn
            self._begin(stay)
            for place, cue in enumerate(stay.cues):
                yield self._sim.timeout(self._exchange(stay, place, cue))
            stay.ordered_ms = self._sim.now

    def _begin(self, stay: Stay) -> None:
        customer, ledger = stay.customer, self._sim.ledger
        stay.facts = wishes(customer, ledger, self._sim.now)
        stay.cues = script(
            customer, stay.history.served, stay.facts, stay.history.stated, self._settings.talk
        )
        here = ledger.make_true(
            customer=customer.id,
            slot="visit",
            value=self._sim.calendar.day(stay.arrived_ms),
            at_ms=self._sim.now,
        )
        ledger.visited(customer.id, self._sim.now)
        first = stay.cues[0]
        stay.cues[0] = Cue(
            move=first.move, states=first.states, asks=first.asks, form=first.form, silent=(here,)
        )

    def _exchange(self, stay: Stay, place: int, cue: Cue) -> int:
        """Submits an exchange and what is written of it; returns how long it takes."""
        takes_ms = self._talk_ms(stay, place)
        at = self._moment(stay, stay.waiter, place)
        full = Cue(
            move="clarify", states=tuple(f for f in stay.facts.values() if f.slot in wanted(stay.facts))
        )
        stay.talks.append(self._speak(stay, at, cue, full, takes_ms))
        return takes_ms

    def _talk_ms(self, stay: Stay, place: int) -> int:
        mean_s = self._settings.timing.exchange_s
        return max(1, milliseconds(stay.draw.of("talk", place).exponential(mean_s)))

    def _speak(self, stay: Stay, at: Moment, cue: Cue, full: Cue, takes_ms: int) -> Act:
        due_ms = self._sim.now + takes_ms
        store = at.owner.store
        steps = waiter.answer(
            self._desk,
            at,
            cue,
            full,
            before=[act.id for act in stay.talks],
            known=store in stay.history.stores and not stay.talks,
        )
        act = self._submit(at, "reply", steps, due_ms=due_ms, after=stay.talks, writes="telling")
        self._write_down(at, act)
        return act

    def _write_down(self, at: Moment, act: Act) -> None:
        steps = waiter.reflect(self._desk, at, act.id)
        self._submit(at, "reflect", steps, due_ms=act.due_ms, after=[act], writes="exchange event")

    def _submit(
        self, at: Moment, purpose: str, steps: Any, *, due_ms: int, after: Sequence[Act], writes: str
    ) -> Act:
        """Submits an act that may write the kinds named, if the memory takes any of them in."""
        plan = self._sim.memory
        wants = bool(set(writes.split()) & plan.capabilities.ingests)
        latency_ms = self._sim.latency(purpose, at.agent, at.utterance)
        return self._sim.submit(
            at.act(purpose),
            steps,
            due_ms=due_ms,
            after=after,
            writes=[at.owner] if wants else [],
            visible_at_ms=plan.visible_at(due_ms, latency_ms),
        )

    def _cook(self, stay: Stay) -> Process:
        """The kitchen cooks, as long as the dish that was wanted takes."""
        name = self._staff.chef_for(stay.id)
        with self._staff.request(name) as turn:
            yield turn
            mean_s = self._desk.menu.dish(stay.facts["dish"].value).cooking_s
            takes_s = max(60.0, stay.draw.of("cooking").normal(mean_s, 0.2 * mean_s))
            due_ms = self._sim.now + milliseconds(takes_s)
            at = self._moment(stay, name, len(stay.talks))
            told = frozenset(fact.slot for cue in stay.cues for fact in cue.states)
            steps = chef.cook(self._desk, at, [act.id for act in stay.talks], stay.facts, told)
            plate = self._submit(at, "cook", steps, due_ms=due_ms, after=stay.talks, writes="telling")
            yield self._sim.until(due_ms)
        stay.served_ms = self._sim.now
        stay.talks.append(plate)

    def _eat(self, stay: Stay) -> Process:
        """The customer looks at the plate, eats, says what they think of it, and goes."""
        *talks, plate = stay.talks
        eating_s = self._settings.timing.eating_s
        takes_s = max(60.0, stay.draw.of("eating").normal(eating_s, 0.2 * eating_s))
        yield self._sim.timeout(milliseconds(takes_s))
        place = len(talks)
        at = self._moment(stay, stay.waiter, place)
        due_ms = self._sim.now + self._talk_ms(stay, place)
        steps = closing.feedback(self._desk, at, [act.id for act in talks], plate.id, stay.facts)
        said = self._submit(at, "reply", steps, due_ms=due_ms, after=stay.talks, writes="telling")
        self._write_down(at, said)
        kitchen = self._moment(stay, plate.id.agent, place)
        note = chef.write_down(self._desk, kitchen, plate.id, said.id)
        self._submit(kitchen, "reflect", note, due_ms=due_ms, after=[plate, said], writes="exchange event")
        yield self._sim.until(due_ms)
        self._close(stay, "served", [*talks, plate, said])

    def _close(self, stay: Stay, outcome: str, acts: list[Act]) -> None:
        if self._here.pop(stay.id, None) is None:
            return
        history = stay.history
        if outcome == "served":
            history.served += 1
            history.stated |= {fact.id for cue in stay.cues for fact in cue.states}
            history.stores.add(self._moment(stay, stay.waiter, 0).owner.store)
        act_id = ActId(agent="shop", customer=stay.customer.id, visit=stay.id, purpose="leave")
        steps = closing.leave(self._desk, stay, outcome, self._sim.now, [act.id for act in acts])
        self._sim.submit(act_id, steps, due_ms=self._sim.now, after=acts)

    def _moment(self, stay: Stay, agent: str, place: int) -> Moment:
        owner = self._sim.memory.owner(agent, self._staff.group(agent), stay.customer.id)
        return Moment(
            agent=agent,
            owner=owner,
            customer=stay.customer,
            visit=stay.id,
            exchange=place,
            at_ms=self._sim.now,
            arrived_ms=stay.arrived_ms,
            today=self._sim.calendar.day(self._sim.now),
            wording=stay.draw.of("wording", place),
        )
