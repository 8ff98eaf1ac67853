"""From checked settings to built objects: the only place that knows both."""

from sim.build.embedders import embedder_of
from sim.build.memories import domain_of, ignored, memory_of
from sim.build.models import thinking_of
from sim.build.plan import check, config_of, execute, plan_of, scenario_of

__all__ = [
    "check",
    "config_of",
    "domain_of",
    "embedder_of",
    "execute",
    "ignored",
    "memory_of",
    "plan_of",
    "scenario_of",
    "thinking_of",
]
