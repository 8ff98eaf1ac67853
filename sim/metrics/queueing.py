"""What queueing theory says of a shop with Poisson arrivals, and Little's law for what a run shows.

Rates are per second and durations in seconds; any other unit does as well, as long as it is one.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

_NEGLIGIBLE = 1e-18
_HUGE = 1e200


@dataclass(frozen=True, kw_only=True, slots=True)
class Queue:
    """What customers meet on average.

    Args:
        waits: probability that an arrival has to wait.
        abandons: probability that an arrival gives up waiting.
        wait_s: mean wait of all arrivals, of those who give up and of those served at once too.
    """

    waits: float
    abandons: float
    wait_s: float


def erlang_b(servers: int, load: float) -> float:
    """Probability that an arrival finds every server busy where nobody waits (M/M/c/c).

    Args:
        servers: how many there are, at least 1.
        load: arrivals during one mean service, in erlangs.

    Source: Cooper (1981), Introduction to Queueing Theory, 2nd ed., section 3.3 (the recursion).
    """
    if servers < 1 or load <= 0:
        raise ValueError(f"a queue needs a server and a load above 0, not {servers} and {load}")
    blocked = 1.0
    for busy in range(1, servers + 1):
        blocked = load * blocked / (busy + load * blocked)
    return blocked


def erlang_c(servers: int, load: float) -> float:
    """Probability that an arrival has to wait where everybody waits (M/M/c); 1 under overload.

    Source: Cooper (1981), Introduction to Queueing Theory, 2nd ed., section 3.4.
    """
    if load >= servers:
        return 1.0
    blocked = erlang_b(servers, load)
    return blocked / (1 - load / servers * (1 - blocked))


def mmc(*, rate: float, service_s: float, servers: int) -> Queue:
    """Poisson arrivals, exponential service, nobody gives up; the wait is infinite under overload.

    Source: Kleinrock (1975), Queueing Systems I, section 3.5.
    """
    load = rate * service_s
    waits = erlang_c(servers, load)
    wait_s = waits * service_s / (servers - load) if load < servers else math.inf
    return Queue(waits=waits, abandons=0.0, wait_s=wait_s)


def erlang_a(*, rate: float, service_s: float, servers: int, patience_s: float) -> Queue:
    """Poisson arrivals, exponential service and exponential patience (M/M/c+M).

    The states with ``j`` waiting are summed up relative to the one with all servers busy and nobody
    waiting; what abandons is the mean queue times the rate of one person's giving up.

    Source: Garnett, Mandelbaum and Reiman (2002), https://doi.org/10.1287/msom.4.3.208.7753
    """
    if patience_s <= 0:
        raise ValueError(f"patience_s must be above 0, not {patience_s}")
    if math.isinf(patience_s):
        return mmc(rate=rate, service_s=service_s, servers=servers)
    # Of all states in which nobody waits, the one with every server busy has this share: Erlang's B.
    share = erlang_b(servers, rate * service_s)
    below = 1 / share if share else math.inf
    queueing, queue, scale = _waiting_states(rate, servers / service_s, 1 / patience_s)
    whole = queueing + (below - 1) * scale
    wait_s = queue / whole / rate
    return Queue(waits=queueing / whole, abandons=wait_s / patience_s, wait_s=wait_s)


def _waiting_states(rate: float, served: float, gives_up: float) -> tuple[float, float, float]:
    """Weight of the states with everybody busy, their mean queue times it, and the weight of the first."""
    weight, queueing, queue, scale, waiting = 1.0, 1.0, 0.0, 1.0, 0
    while True:
        waiting += 1
        ratio = rate / (served + waiting * gives_up)
        weight *= ratio
        queueing += weight
        queue += waiting * weight
        if ratio < 1 and weight * waiting < _NEGLIGIBLE * queue * (1 - ratio):
            return queueing, queue, scale
        if weight > _HUGE:  # far overload and long patience: only proportions count
            weight, queueing, queue, scale = (x / _HUGE for x in (weight, queueing, queue, scale))


@dataclass(frozen=True, kw_only=True, slots=True)
class Little:
    """Both sides of Little's law over one run, in whole milliseconds.

    Args:
        customers: how many came and left.
        span_ms: from the first arrival to the last departure.
        present_ms: number of people present, integrated over the span.
        stays_ms: the stays of all customers together.
    """

    customers: int
    span_ms: int
    present_ms: int
    stays_ms: int

    @property
    def holds(self) -> bool:
        """Whether both sides agree to the millisecond."""
        return self.present_ms == self.stays_ms

    @property
    def present(self) -> float:
        """L, the mean number of people present; NaN for no time at all."""
        return self.present_ms / self.span_ms if self.span_ms else math.nan

    @property
    def rate_times_stay(self) -> float:
        """Lambda times W: arrivals per millisecond times the mean stay; NaN for no time at all."""
        if not self.span_ms:
            return math.nan
        return (self.customers / self.span_ms) * (self.stays_ms / self.customers)


def littles_law(arrivals: Iterable[int], departures: Iterable[int], stays: Iterable[int]) -> Little:
    """Compares how full it was with how long people stayed, over a time that starts and ends empty.

    Who left when is not asked for: the number present is counted through the times of coming and of
    leaving, the stays come from the customers. So it fails when the two records of a run disagree.

    Args:
        arrivals: times of arrival in ms, in any order.
        departures: times of leaving in ms, in any order.
        stays: how long each customer was there, in ms.

    Raises:
        ValueError: not everybody who came has left, or somebody left before anybody came.

    Source: Little (1961), https://doi.org/10.1287/opre.9.3.383
    """
    came, left, stayed = sorted(arrivals), sorted(departures), list(stays)
    if not len(came) == len(left) == len(stayed):
        raise ValueError(f"{len(came)} arrivals, {len(left)} departures and {len(stayed)} stays")
    return Little(
        customers=len(came),
        span_ms=max(left, default=0) - min(came, default=0),
        present_ms=_integral(came, left),
        stays_ms=sum(stayed),
    )


def _integral(came: list[int], left: list[int]) -> int:
    """Number present times milliseconds, going through all moments at which it changes."""
    # At one moment those who come are counted before those who leave: somebody may do both at once.
    changes = sorted([*((time, 0) for time in came), *((time, 1) for time in left)])
    present, since, total = 0, 0, 0
    for time, leaves in changes:
        total += present * (time - since)
        present, since = present + (-1 if leaves else 1), time
        if present < 0:
            raise ValueError(f"at {time} ms more people have left than have come")
    return total
