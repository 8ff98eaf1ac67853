"""What a scenario says of its slots: which hold one value, which several, and which are pinned."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sim.memory.protocol import Claim, Record


@dataclass(frozen=True, kw_only=True, slots=True)
class Slots:
    """The slots of a scenario; whether two statements contradict each other is decided by it alone.

    Args:
        single: hold one value at a time; a new value takes the place of the old one.
        multi: hold several values; each is taken back by itself.
        pinned: never compressed away and never forgotten, whatever came after.
        episodic: tell what happened, not what holds, such as the day of a visit. Newer ones come first,
            but a record that tells nothing else stays history and is never out of date.
        opposites: of a slot with two values, what each one taken back means.
        open: a slot that is not named here holds several values; otherwise it is none of this profile's.
    """

    single: frozenset[str] = frozenset()
    multi: frozenset[str] = frozenset()
    pinned: frozenset[str] = frozenset()
    episodic: frozenset[str] = frozenset()
    opposites: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    open: bool = False

    def __post_init__(self) -> None:
        if both := sorted(self.single & self.multi):
            raise ValueError(f"slot {both[0]!r} is single and multi; choose one")
        if strange := sorted((self.pinned | self.episodic | set(self.opposites)) - self.all):
            raise ValueError(f"slot {strange[0]!r} is neither single nor multi; name it under one of them")

    @property
    def all(self) -> frozenset[str]:
        """Every slot that is named."""
        return self.single | self.multi

    def knows(self, slot: str) -> bool:
        """Whether statements about a slot are kept."""
        return self.open or slot in self.all

    def plain(self, claim: Claim) -> Claim:
        """The claim as its opposite where a slot of two values was taken back: "not good" is "bad"."""
        other = self.opposites.get(claim.slot, {}).get(claim.value)
        if claim.polarity == 1 or other is None:
            return claim
        return Claim(slot=claim.slot, value=other)

    def contradict(self, one: Claim, other: Claim) -> bool:
        """Whether not both can hold of one customer at one time.

        A value taken back contradicts that value only: "no more laksa" says nothing against the ramen.
        """
        if one.slot != other.slot:
            return False
        if one.value == other.value:
            return one.polarity != other.polarity
        return one.slot in self.single and one.polarity == other.polarity == 1

    def pins(self, record: Record) -> bool:
        """Whether a record makes a claim in a pinned slot, be it out of date or not."""
        return any(claim.slot in self.pinned for claim in record.claims)
