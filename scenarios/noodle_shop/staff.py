"""Waiters and chefs as SimPy resources, and who serves whom."""

import simpy

from scenarios.noodle_shop.customers import Customer
from scenarios.noodle_shop.settings import NoodleSettings
from sim.streams import Stream

WAITERS, CHEFS = "waiters", "chefs"


def groups(settings: NoodleSettings) -> dict[str, str]:
    """All agents with the group each belongs to."""
    waiters = {f"waiter-{n}": WAITERS for n in range(1, settings.waiters + 1)}
    return waiters | {f"chef-{n}": CHEFS for n in range(1, settings.chefs + 1)}


class Staff:
    """One queue per waiter and per chef.

    Whom a customer gets hangs on queues, streams and earlier visits, never on anything said.
    """

    def __init__(self, env: simpy.Environment, settings: NoodleSettings) -> None:
        self._assignment = settings.assignment
        self._groups = groups(settings)
        self._queues = {agent: simpy.PriorityResource(env, capacity=1) for agent in self._groups}
        self._waiters = [agent for agent, group in self._groups.items() if group == WAITERS]
        self._chefs = [agent for agent, group in self._groups.items() if group == CHEFS]
        self._regular_waiter: dict[str, str] = {}

    def group(self, agent: str) -> str:
        """The group of an agent."""
        return self._groups[agent]

    def request(self, agent: str, priority: int = 0) -> simpy.resources.resource.PriorityRequest:
        """A place in the queue of an agent; a lower number goes first, equal ones in order of asking."""
        return self._queues[agent].request(priority=priority)

    def waiter_for(self, customer: Customer, draw: Stream) -> str:
        """The waiter by ``scenario.assignment``: the freest, one's own, or any."""
        if self._assignment == "random":
            return draw.of("waiter").choice(self._waiters)
        if self._assignment == "sticky" and customer.id in self._regular_waiter:
            return self._regular_waiter[customer.id]
        chosen = self._freest(self._waiters, draw)
        return (
            self._regular_waiter.setdefault(customer.id, chosen) if self._assignment == "sticky" else chosen
        )

    def chef_for(self, visit: str) -> str:
        """The chef with the shortest queue."""
        return self._freest(self._chefs, Stream.root(0).of(visit))

    def _freest(self, agents: list[str], draw: Stream) -> str:
        # Ties are broken by a draw, or the first waiter would serve nearly everybody.
        def load(agent: str) -> tuple[int, bytes]:
            queue = self._queues[agent]
            return queue.count + len(queue.queue), draw.of("tie", agent).key

        return min(agents, key=load)
