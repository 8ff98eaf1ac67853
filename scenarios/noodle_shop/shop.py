"""The noodle shop: people worth remembering come, order, leave and come back over simulated weeks."""

from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Literal

from scenarios.noodle_shop.calendar import (
    Hours,
    earliest_return_ms,
    first_visit_ms,
    next_visit_ms,
    walk_in_times,
)
from scenarios.noodle_shop.customers import Customer, make_true, person, regulars, walk_in
from scenarios.noodle_shop.desk import Desk
from scenarios.noodle_shop.exam import examine
from scenarios.noodle_shop.menu import menu_from, standard_menu
from scenarios.noodle_shop.night import reading, squeeze
from scenarios.noodle_shop.population import KEY, population_of
from scenarios.noodle_shop.profiles import domain_of
from scenarios.noodle_shop.settings import NoodleSettings
from scenarios.noodle_shop.skills import skills
from scenarios.noodle_shop.staff import Staff, groups
from scenarios.noodle_shop.stay import History, Stay
from scenarios.noodle_shop.visit import Floor
from sim.agents.night import consolidate
from sim.clock import WEEK_MS
from sim.engine.act import Steps
from sim.engine.nights import nights
from sim.engine.scenario import Cast
from sim.engine.simulation import Process, Simulation
from sim.errors import ConfigError
from sim.ledger import Fact
from sim.memory.domain import Domain
from sim.memory.plan import MemoryPlan
from sim.memory.protocol import Owner
from sim.records import ActId

_HELD_OUT: Mapping[str, Literal["mixed", "never", "only"]] = {
    "mixed": "mixed",
    "seen": "never",
    "held_out": "only",
}


class NoodleShop:
    """The flagship scenario; see `sim.engine.scenario.Scenario`.

    Args:
        settings: numbers of the shop.
    """

    Settings = NoodleSettings
    name = "noodle_shop"

    def __init__(self, settings: NoodleSettings | None = None) -> None:
        self.settings = settings or NoodleSettings()
        self.menu = menu_from(self.settings.menu) if self.settings.menu else standard_menu()
        self.duration_ms = self.settings.weeks * WEEK_MS
        self.start = self.settings.start
        self.skills = skills(self.menu)
        self._hours = Hours.of(self.settings)
        self._population = population_of(self.settings, self.menu)
        self.cast = Cast(groups=groups(self.settings), closings_ms=self._hours.closings(), exam=self._exam)

    @property
    def domain(self) -> Domain:
        """What the memories of the agents may know of the shop."""
        return domain_of(self.menu, self.start)

    @property
    def inputs(self) -> Mapping[str, str]:
        """The sha256 of the file that a setting names, by the name of the setting."""
        given = self.settings.population
        return {KEY: sha256(Path(given).read_bytes()).hexdigest()} if isinstance(given, str) else {}

    def open(self, simulation: Simulation) -> None:
        """Opens a fresh shop."""
        floor = Floor(simulation, self.settings, self._desk(simulation), Staff(simulation.env, self.settings))
        for customer in regulars(self.settings, simulation.streams, self._population):
            self._settle(simulation, customer, 0)
            first_ms = first_visit_ms(customer, self._hours)
            simulation.process(self._visits(simulation, floor, customer, first_ms))
        simulation.process(self._passers_by(simulation, floor))
        simulation.process(floor.last_moment(self.duration_ms - 1))
        simulation.process(nights(simulation, self._hours.closings(), partial(self._night, simulation)))

    def _desk(self, simulation: Simulation) -> Desk:
        return Desk(
            menu=self.menu,
            memory=simulation.memory,
            calendar=simulation.calendar,
            confidence_threshold=simulation.confidence_threshold,
            wording=self.settings.wording,
            held_out=_HELD_OUT[self.settings.phrasings],
        )

    def check(self, memory: MemoryPlan) -> None:
        """Refuses memory settings that make no sense in this shop.

        Raises:
            ConfigError: a memory per customer needs a customer that can be told from others.
        """
        if memory.scope == "customer" and self.settings.identity == "described":
            raise ConfigError("memory.scope: customer needs scenario.identity=given or name, not described")

    def _settle(self, simulation: Simulation, customer: Customer, from_ms: int) -> None:
        settings = self.settings
        make_true(customer, settings.tastes, self.menu, simulation.ledger, settings.weeks, from_ms=from_ms)

    def _visits(self, simulation: Simulation, floor: Floor, customer: Customer, first_ms: int) -> Process:
        """All visits of one customer, from the first on."""
        history, at_ms = History(), first_ms
        while at_ms < self.duration_ms:
            yield simulation.until(at_ms)
            stay = yield simulation.process(floor.visit(customer, history))
            if not customer.comes_back:
                return
            next_ms = yield from self._next_visit(simulation, customer, stay)
            if next_ms is None:
                simulation.log("lost", customer=customer.id, visit=stay.id)
                return
            at_ms = next_ms

    def _next_visit(self, simulation: Simulation, customer: Customer, stay: Stay) -> Process:
        """When the customer comes again, or None; how the visit went is asked as late as can be."""
        settings, hours, satisfaction = self.settings, self._hours, None
        if settings.returns == "adaptive":
            earliest_ms = earliest_return_ms(
                customer, settings, hours, number=stay.number, arrived_ms=stay.arrived_ms
            )
            if earliest_ms >= self.duration_ms:
                return earliest_ms
            yield simulation.until(earliest_ms)
            satisfaction = yield stay.closed_books.event()
        return next_visit_ms(
            customer,
            settings,
            hours,
            number=stay.number,
            arrived_ms=stay.arrived_ms,
            satisfaction=satisfaction,
        )

    def _passers_by(self, simulation: Simulation, floor: Floor) -> Process:
        times = walk_in_times(self.settings, self._hours, simulation.streams)
        for number, at_ms in enumerate(times, 1):
            yield simulation.until(at_ms)
            customer = walk_in(self.settings, simulation.streams, number)
            self._settle(simulation, customer, at_ms)
            simulation.process(self._visits(simulation, floor, customer, at_ms))

    def _customer(self, simulation: Simulation, name: str) -> Customer:
        """The customer behind an id; drawn anew, since all about them hangs on their stream."""
        return person(self.settings, simulation.streams, name, self._population)

    def _exam(self, simulation: Simulation, act: ActId, fact: Fact, at_ms: int) -> Steps:
        customer = self._customer(simulation, fact.customer)
        owner = simulation.memory.owner(act.agent, self.cast.groups[act.agent], customer.known_as)
        return examine(self._desk(simulation), owner, act, fact, customer=customer, at_ms=at_ms)

    def _night(self, simulation: Simulation, act: ActId, owner: Owner, at_ms: int) -> Steps:
        del at_ms
        desk, settings = self._desk(simulation), self.settings
        if desk.writes("diary"):
            languages = (settings.main_language, *settings.languages)
            return consolidate(act, owner, simulation.memory.capabilities, partial(reading, desk, languages))
        return squeeze(desk, settings.main_language, act, owner)
