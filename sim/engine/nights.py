"""The night consolidates: after closing every memory that was written to is looked after."""

from collections.abc import Callable

from sim.clock import MINUTE_MS
from sim.engine.act import Steps
from sim.engine.simulation import Process, Simulation
from sim.memory.protocol import Owner
from sim.records import ActId

NightWork = Callable[[ActId, Owner, int], Steps]


def nights(simulation: Simulation, closings_ms: tuple[int, ...], work: NightWork) -> Process:
    """Submits, after each closing, one act for every scope written to since the last one.

    Which scopes that are hangs on what was declared and not on what was written, so the
    submissions are the same whatever the models answered.
    """
    if not simulation.memory.capabilities.compresses:
        return
    for night, closing_ms in enumerate(closings_ms):
        yield simulation.until(closing_ms)
        for owner in simulation.scopes.touched():
            _submit(simulation, owner, night, work)
        # What the night itself may write is no reason for another night.
        simulation.scopes.touched()


def _submit(simulation: Simulation, owner: Owner, night: int, work: NightWork) -> None:
    act_id = ActId(
        agent=owner.store, customer=owner.customer or "", visit=f"night/{night}", purpose="compress"
    )
    due_ms = simulation.now + MINUTE_MS
    latency_ms = simulation.latency("compress", str(owner), night)
    simulation.submit(
        act_id,
        work(act_id, owner, simulation.now),
        due_ms=due_ms,
        writes=[owner],
        # Never next_morning: the next day must find the night's work done.
        visible_at_ms=due_ms + max(1, latency_ms),
    )
