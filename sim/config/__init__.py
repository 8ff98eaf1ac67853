"""The settings of a run as checked, frozen objects; nothing below the door sees raw configuration."""

from sim.config.llm import LlmSettings, ModelSettings
from sim.config.memory import MemorySettings
from sim.config.run import (
    EmbedderSettings,
    LogSettings,
    ProbeSettings,
    ScenarioSettings,
    Settings,
    locate,
    validated,
)
from sim.config.section import Count, Seconds, Section, Share

__all__ = [
    "Count",
    "EmbedderSettings",
    "LlmSettings",
    "LogSettings",
    "MemorySettings",
    "ModelSettings",
    "ProbeSettings",
    "ScenarioSettings",
    "Seconds",
    "Section",
    "Settings",
    "Share",
    "locate",
    "validated",
]
