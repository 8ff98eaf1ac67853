"""Manners learnt from feedback, usable alone around any chat model; begin with `Experience`."""

from sim.memory.experience.brier import Forecast, brier
from sim.memory.experience.feedback import Dialogue, Feedback, feedback_in
from sim.memory.experience.notes import Experience
from sim.memory.experience.rule import Action, Condition, Rule

__all__ = [
    "Action",
    "Condition",
    "Dialogue",
    "Experience",
    "Feedback",
    "Forecast",
    "Rule",
    "brier",
    "feedback_in",
]
