"""Which records follow one another in a session, and what they hand to their neighbours."""

from dataclasses import dataclass

import numpy as np

from sim.memory.retrieval.columns import Column, Flags, Floats, Places

# Share of what a record says that counts for the next and the last record; then for those beyond.
REACH = ((0.5, 0.3), (0.25, 0.1))


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class View:
    """The records that a search as of one time may see, among the first that came.

    Args:
        alive: which of them had not been retired.
        count: how many that is.
        session: the number of each record's session.
        previous: the place of the record one and two before it in its session, or -1.
        following: the place of the record one and two after it, or -1.
    """

    alive: Flags
    count: int
    session: Places
    previous: tuple[Places, Places]
    following: tuple[Places, Places]

    @property
    def seen(self) -> int:
        """How many records had come, retired ones included."""
        return len(self.alive)

    @property
    def all_alive(self) -> bool:
        """Whether none of them had been retired."""
        return self.count == self.seen

    def shown(self, values: Floats) -> Floats:
        """The values, 0 for records that cannot be seen."""
        return values if self.all_alive else np.where(self.alive, values, 0.0)

    def before(self, values: Floats) -> Floats:
        """For each record the value of the one before it in its session; 0 where there is none."""
        return _taken(values, self.previous[0])

    def after(self, values: Floats) -> Floats:
        """For each record the value of the one after it in its session; 0 where there is none."""
        return _taken(values, self.following[0])

    def spread(self, values: Floats, share: float) -> Floats:
        """The values, and ``share`` of what `REACH` gives each record of its neighbours'."""
        total = values.copy()
        for steps, (onward, backward) in enumerate(REACH if share else ()):
            total += share * onward * _taken(values, self.previous[steps])
            total += share * backward * _taken(values, self.following[steps])
        return total

    def spread_from(self, places: Places, values: Floats, share: float) -> Floats:
        """As `spread` for values at a few places and 0 elsewhere; faster."""
        total = np.zeros(self.seen + 1)  # a link of -1 leads to the last place, which is not returned
        total[places] = values
        for steps, (onward, backward) in enumerate(REACH if share else ()):
            # No record follows two, so no place but that one is named twice.
            total[self.following[steps][places]] += share * onward * values
            total[self.previous[steps][places]] += share * backward * values
        return total[:-1]


def _taken(values: Floats, links: Places) -> Floats:
    return np.append(values, 0.0)[links]  # -1 is the last place, where the 0 stands


def _turned(links: Places) -> Places:
    """Links the other way round."""
    turned = np.full(len(links), -1, dtype=np.int64)
    from_places = np.flatnonzero(links >= 0)
    turned[links[from_places]] = from_places
    return turned


class Sessions:
    """The chain of records of each session; a record without a session is one of its own."""

    def __init__(self) -> None:
        self._session = Column(np.int64)
        self._previous = Column(np.int64)
        self._second = Column(np.int64)
        self._numbers: dict[str, int] = {}
        self._last: dict[str, int] = {}
        self._count = 0
        # Made again only when something has changed since the last search.
        self._view: View | None = None

    def add(self, session: str) -> int:
        """Takes in the session of the next record, empty for none; the place before it there, or -1."""
        place = len(self._session)
        previous = self._last.get(session, -1) if session else -1
        self._session.append(self._number(session))
        self._previous.append(previous)
        self._second.append(-1 if previous < 0 else self._previous.upto(place)[previous])
        if session:
            self._last[session] = place
        return previous

    def _number(self, session: str) -> int:
        if session in self._numbers:
            return self._numbers[session]
        number, self._count = self._count, self._count + 1
        if session:
            self._numbers[session] = number
        return number

    def view(self, alive: Flags) -> View:
        """What can be seen when of the first records only the ``alive`` ones are."""
        if self._view is None or not np.array_equal(self._view.alive, alive):
            seen = len(alive)
            previous = self._previous.upto(seen), self._second.upto(seen)
            self._view = View(
                alive=alive.copy(),
                count=int(alive.sum()),
                session=self._session.upto(seen),
                previous=previous,
                following=(_turned(previous[0]), _turned(previous[1])),
            )
        return self._view
