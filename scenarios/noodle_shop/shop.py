"""The noodle shop: people worth remembering come, order, leave and come back over simulated weeks."""

from functools import partial

from scenarios.noodle_shop.calendar import Hours, visits_of, walk_in_times
from scenarios.noodle_shop.customers import Customer, make_true, person, regulars, walk_in
from scenarios.noodle_shop.exam import examine
from scenarios.noodle_shop.menu import menu_from, standard_menu
from scenarios.noodle_shop.night import squeeze
from scenarios.noodle_shop.settings import NoodleSettings
from scenarios.noodle_shop.skills import skills
from scenarios.noodle_shop.staff import Staff, groups
from scenarios.noodle_shop.visit import Floor, History
from scenarios.noodle_shop.waiter import Desk
from sim.clock import WEEK_MS
from sim.engine.act import Steps
from sim.engine.nights import nights
from sim.engine.scenario import Cast
from sim.engine.simulation import Process, Simulation
from sim.ledger import Fact
from sim.memory.protocol import Owner
from sim.records import ActId


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
        self.cast = Cast(groups=groups(self.settings), closings_ms=self._hours.closings(), exam=self._exam)

    def open(self, simulation: Simulation) -> None:
        """Opens a fresh shop."""
        floor = Floor(simulation, self.settings, self._desk(simulation), Staff(simulation.env, self.settings))
        for customer in regulars(self.settings, simulation.streams):
            self._settle(simulation, customer)
            simulation.process(self._regular(simulation, floor, customer))
        simulation.process(self._passers_by(simulation, floor))
        simulation.process(floor.last_moment(self.duration_ms - 1))
        simulation.process(nights(simulation, self._hours.closings(), partial(self._night, simulation)))

    def _desk(self, simulation: Simulation) -> Desk:
        return Desk(
            menu=self.menu,
            memory=simulation.memory,
            calendar=simulation.calendar,
            confidence_threshold=simulation.confidence_threshold,
        )

    def _settle(self, simulation: Simulation, customer: Customer) -> None:
        make_true(customer, self.settings.tastes, self.menu, simulation.ledger, self.settings.weeks)

    def _regular(self, simulation: Simulation, floor: Floor, customer: Customer) -> Process:
        history = History()
        for at_ms in visits_of(customer, self.settings, self._hours):
            yield simulation.until(at_ms)
            simulation.process(floor.visit(customer, history))

    def _passers_by(self, simulation: Simulation, floor: Floor) -> Process:
        times = walk_in_times(self.settings, self._hours, simulation.streams)
        for number, at_ms in enumerate(times, 1):
            yield simulation.until(at_ms)
            customer = walk_in(self.settings, simulation.streams, number)
            self._settle(simulation, customer)
            simulation.process(floor.visit(customer, History()))

    def _customer(self, simulation: Simulation, name: str) -> Customer:
        """The customer behind an id; drawn anew, since all about them hangs on their stream."""
        return person(self.settings, simulation.streams, name)

    def _exam(self, simulation: Simulation, act: ActId, fact: Fact, at_ms: int) -> Steps:
        customer = self._customer(simulation, fact.customer)
        owner = simulation.memory.owner(act.agent, self.cast.groups[act.agent], fact.customer)
        return examine(self._desk(simulation), owner, act, fact, customer=customer, at_ms=at_ms)

    def _night(self, simulation: Simulation, act: ActId, owner: Owner, at_ms: int) -> Steps:
        name = partial(self._customer, simulation)
        return squeeze(self._desk(simulation), self.settings.language, name, act, owner)
