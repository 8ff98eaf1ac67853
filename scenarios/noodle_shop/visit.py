"""A visit from arrival to leaving, as a SimPy process.

It waits for tables, waiters, the kitchen and the clock, never for an answer: durations are drawn
from streams named by customer, visit and purpose, so the shop's timetable is the same whatever is
said or cooked in it. ``kitchen.remake=content`` is the exception that couples them.
"""

import heapq
from collections.abc import Sequence

import simpy

from scenarios.noodle_shop import chef, closing, reflecting, waiter
from scenarios.noodle_shop.chef import Plate
from scenarios.noodle_shop.closing import right
from scenarios.noodle_shop.customers import Customer, wanted, wishes
from scenarios.noodle_shop.desk import Desk, Moment
from scenarios.noodle_shop.durations import duration_ms
from scenarios.noodle_shop.script import Cue, script
from scenarios.noodle_shop.settings import NoodleSettings
from scenarios.noodle_shop.staff import Staff
from scenarios.noodle_shop.stay import History, Stay
from sim.clock import milliseconds
from sim.engine.act import Act, Steps
from sim.engine.simulation import Process, Simulation
from sim.memory.diary.manners import DIALOGUE
from sim.records import ActId
from sim.streams import Stream

_REMAKE, _REGULAR, _PASSER_BY = 0, 1, 2


class Floor:
    """The dining room: what every visit needs to run.

    Args:
        simulation: the run.
        settings: numbers of the shop.
        desk: what agents share.
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
        """One customer comes in; the process returns the `Stay`."""
        stay = self._arrive(customer, history)
        with self._tables.request() as table:
            patience_ms = milliseconds(stay.draw.of("patience").exponential(customer.patience_s))
            seated = yield table | self._sim.timeout(patience_ms)
            if table not in seated:
                self._sim.log("reneged", customer=customer.id, visit=stay.id)
                self._close(stay, "reneged")
                return stay
            number = self._seat(stay)
            yield from self._order(stay)
            yield from self._serve(stay)
            yield from self._eat(stay)
            heapq.heappush(self._free, number)
        return stay

    def last_moment(self, time_ms: int) -> Process:
        """Closes the books on whoever is still there when the run ends, so that nobody goes uncounted."""
        yield self._sim.until(time_ms)
        for stay in list(self._here.values()):
            self._close(stay, "closed")

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
            extra_price=self._settings.kitchen.extra_price,
        )
        self._here[stay.id] = stay
        self._sim.log(
            "arrived",
            customer=customer.id,
            visit=stay.id,
            regular=stay.regular,
            number=number,
            name=customer.name,
            known_as=customer.known_as,
        )
        return stay

    def _seat(self, stay: Stay) -> int:
        stay.seated_ms = self._sim.now
        number = heapq.heappop(self._free)
        self._sim.log("seated", customer=stay.customer.id, visit=stay.id, table=number)
        return number

    def _order(self, stay: Stay) -> Process:
        """The waiter comes, hears everything up to the order, and may make an offer."""
        stay.waiter = self._staff.waiter_for(stay.customer, stay.draw)
        with self._staff.request(stay.waiter) as turn:
            yield turn
            self._sim.log("attended", agent=stay.waiter, customer=stay.customer.id, visit=stay.id)
            self._begin(stay)
            for cue in stay.cues:
                yield self._sim.timeout(self._exchange(stay, cue))
            stay.ordered_ms = self._sim.now
            if stay.draw.of("offer made").chance(self._settings.talk.offer):
                yield self._sim.timeout(self._offer(stay))

    def _begin(self, stay: Stay) -> None:
        customer, ledger = stay.customer, self._sim.ledger
        stay.facts = wishes(customer, ledger, self._sim.now)
        history = stay.history
        stay.cues = script(
            customer,
            history.served,
            stay.facts,
            history.stated,
            self._settings.talk,
            at_risk=self._at_risk(stay),
        )
        stay.here = ledger.make_true(
            customer=customer.id,
            slot="visit",
            value=self._sim.calendar.day(stay.arrived_ms),
            at_ms=self._sim.now,
        )
        ledger.visited(customer.id, self._sim.now, stay.id)

    def _at_risk(self, stay: Stay) -> bool:
        """Whether the wanted plate holds what the customer is allergic to."""
        wish = wanted(stay.facts)
        extra, without = ([wish[slot]] if slot in wish else [] for slot in ("extra", "without"))
        reached = self._desk.menu.allergens_on(wish["dish"], extra, without)
        return "allergy" in stay.facts and stay.facts["allergy"].value in reached

    def _exchange(self, stay: Stay, cue: Cue) -> int:
        """Submits an exchange and what is written of it; returns how long it takes."""
        at = self._moment(stay, stay.waiter, len(stay.talks))
        known = at.owner.store in stay.history.stores and not stay.talks
        steps = waiter.answer(self._desk, at, cue, stay.everything, before=stay.talked(), known=known)
        return self._talk(stay, at, steps, self._talk_ms(stay, at.exchange) + self._thinking_ms(at))

    def _offer(self, stay: Stay) -> int:
        at = self._moment(stay, stay.waiter, len(stay.talks))
        accepts = stay.draw.of("offer accepted").chance(self._settings.talk.accept)
        steps = waiter.offer(self._desk, at, accepts=accepts, before=stay.talked())
        return self._talk(stay, at, steps, self._talk_ms(stay, at.exchange))

    def _talk(self, stay: Stay, at: Moment, steps: Steps, takes_ms: int) -> int:
        act = self._reply(stay, at, steps, due_ms=self._sim.now + takes_ms, after=stay.so_far)
        stay.talks.append(act)
        return takes_ms

    def _reply(self, stay: Stay, at: Moment, steps: Steps, *, due_ms: int, after: Sequence[Act]) -> Act:
        """Submits an answer, and what is written down of it."""
        writes = "telling diary" if self._desk.reflects_first else "telling"
        act = self._submit(at.act("reply"), at, steps, due_ms=due_ms, after=after, writes=writes)
        entry = self._submit(
            at.act("reflect"),
            at,
            reflecting.reflect(self._desk, at, act.id),
            due_ms=due_ms,
            after=[act],
            writes="exchange event diary use",
        )
        if self._desk.writes("diary"):
            stay.entries.append(entry)
        return act

    def _thinking_ms(self, at: Moment) -> int:
        """How long the customer waits until what they said is in the diary."""
        if not self._desk.reflects_first:
            return 0
        return self._sim.latency("reflect", at.agent, at.utterance)

    def _talk_ms(self, stay: Stay, place: int) -> int:
        mean_s = self._settings.timing.exchange_s
        return max(1, milliseconds(stay.draw.of("talk", place).exponential(mean_s)))

    def _submit(
        self, act_id: ActId, at: Moment, steps: Steps, *, due_ms: int, after: Sequence[Act], writes: str
    ) -> Act:
        """Submits an act that may write the kinds named, if the memory takes any of them in."""
        plan = self._sim.memory
        wants = bool(set(writes.split()) & plan.capabilities.ingests)
        latency_ms = self._sim.latency(act_id.purpose, at.agent, at.utterance)
        return self._sim.submit(
            act_id,
            steps,
            due_ms=due_ms,
            after=after,
            writes=[at.owner] if wants else [],
            visible_at_ms=plan.visible_at(due_ms, latency_ms),
        )

    def _serve(self, stay: Stay) -> Process:
        """The kitchen cooks, and cooks again what goes back."""
        ordered = self._settings.kitchen.priorities == "regulars_first" and not stay.regular
        yield from self._cook(stay, _PASSER_BY if ordered else _REGULAR)
        if self._settings.kitchen.remake == "content":
            plate: Plate = yield stay.plates[-1].event()
            if not right(plate.content, wanted(stay.facts)):
                stay.sent_back = True
                self._sim.log("remade", customer=stay.customer.id, visit=stay.id)
                yield from self._cook(stay, _REMAKE)
        stay.served_ms = self._sim.now

    def _cook(self, stay: Stay, priority: int) -> Process:
        """One plate, in the time that the dish that was wanted takes."""
        name = self._staff.chef_for(stay.id)
        attempt = len(stay.plates)
        with self._staff.request(name, priority) as turn:
            yield turn
            self._sim.log("cooking", agent=name, customer=stay.customer.id, visit=stay.id)
            due_ms = self._sim.now + self._cooking_ms(stay, stay.draw.of("cooking", attempt))
            # The kitchen's exchange is numbered apart from what is said at the table.
            at = self._moment(stay, name, len(stay.talks) + attempt)
            if attempt:
                steps = chef.cook_again(self._desk, at, stay.plates[-1].id, stay.wishes)
            else:
                steps = chef.cook(self._desk, at, stay.talked(), stay.wishes)
            act_id = at.act("cook", attempt)
            after = [*stay.talks, *stay.plates]
            stay.plates.append(self._submit(act_id, at, steps, due_ms=due_ms, after=after, writes="telling"))
            yield self._sim.until(due_ms)

    def _cooking_ms(self, stay: Stay, draw: Stream) -> int:
        mean_s = self._desk.menu.dish(stay.facts["dish"].value).cooking_s
        return duration_ms(draw, mean_s, self._settings.timing.law)

    def _eat(self, stay: Stay) -> Process:
        """The customer eats, says what they think of it, and goes."""
        timing = self._settings.timing
        yield self._sim.timeout(duration_ms(stay.draw.of("eating"), timing.eating_s, timing.law))
        plate = stay.plates[-1]
        at = self._moment(stay, stay.waiter, len(stay.talks))
        due_ms = self._sim.now + self._talk_ms(stay, at.exchange) + self._thinking_ms(at)
        steps = closing.feedback(self._desk, at, stay.talked(), cooked=plate.id, stay=stay)
        said = self._reply(stay, at, steps, due_ms=due_ms, after=[*stay.so_far, plate])
        kitchen = self._moment(stay, plate.id.agent, plate.id.exchange)
        note = chef.write_down(self._desk, kitchen, plate.id, said.id)
        self._submit(
            kitchen.act("reflect"),
            kitchen,
            note,
            due_ms=due_ms,
            after=[plate, said],
            writes="exchange event diary use telling",
        )
        stay.talks.append(said)
        yield self._sim.until(due_ms)
        self._close(stay, "served")

    def _close(self, stay: Stay, outcome: str) -> None:
        if self._here.pop(stay.id, None) is None:
            return
        acts = [*stay.talks, *stay.plates] if outcome == "served" else []
        if outcome == "served":
            stay.serve()
            stay.history.stores.add(self._moment(stay, stay.waiter, 0).owner.store)
            self._learn(stay)
        act_id = ActId(agent="shop", customer=stay.customer.id, visit=stay.id, purpose="leave")
        steps = closing.leave(self._desk, stay, outcome, self._sim.now, [act.id for act in acts])
        stay.books = self._sim.submit(act_id, steps, due_ms=self._sim.now, after=acts)

    def _learn(self, stay: Stay) -> None:
        """Submits the whole talk to a memory that learns manners from it."""
        if self._desk.writes(DIALOGUE):
            at = self._moment(stay, stay.waiter, len(stay.talks))
            steps = closing.learn(at, stay.talked())
            act_id, now_ms = at.act("learn"), self._sim.now
            self._submit(act_id, at, steps, due_ms=now_ms, after=stay.talks, writes=DIALOGUE)

    def _moment(self, stay: Stay, agent: str, place: int) -> Moment:
        group = self._staff.group(agent)
        return Moment(
            agent=agent,
            owner=self._sim.memory.owner(agent, group, stay.customer.known_as),
            customer=stay.customer,
            visit=stay.id,
            exchange=place,
            at_ms=self._sim.now,
            arrived_ms=stay.arrived_ms,
            today=self._sim.calendar.day(self._sim.now),
            wording=stay.draw.of("wording", place),
        )
