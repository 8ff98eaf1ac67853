"""Pictures of runs: each function takes records or a summary and returns a figure; `save` writes it."""

from sim.metrics.plots.canvas import save
from sim.metrics.plots.curves import retention, strength_text, tokens
from sim.metrics.plots.grid import heat_map
from sim.metrics.plots.known import graph_in, knowledge, known_about
from sim.metrics.plots.lost import losses
from sim.metrics.plots.recall import LABELS, funnel, funnel_title, save_funnel
from sim.metrics.plots.shop import day, days, save_day

__all__ = [
    "LABELS",
    "day",
    "days",
    "funnel",
    "funnel_title",
    "graph_in",
    "heat_map",
    "knowledge",
    "known_about",
    "losses",
    "retention",
    "save",
    "save_day",
    "save_funnel",
    "strength_text",
    "tokens",
]
