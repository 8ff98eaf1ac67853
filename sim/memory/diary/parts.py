"""The parts of a memory that can be switched off one by one."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Parts:
    """Which parts are on.

    Args:
        profile: who a customer is; without it nothing is superseded, and old values come back.
        graph: centrality, and records linked to the best one.
        compression: the oldest records become one after closing.
        experience: rules of manners.
    """

    profile: bool = False
    graph: bool = False
    compression: bool = False
    experience: bool = False
