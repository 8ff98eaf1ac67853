"""The journal: every question to a real model with its answer, on disk before the answer is used."""

from sim.journal.entry import Entry, Place
from sim.journal.file import JOURNAL_VERSION, Journal, Mode
from sim.journal.finding import journal_of
from sim.journal.packing import first_difference, request_digest

__all__ = [
    "JOURNAL_VERSION",
    "Entry",
    "Journal",
    "Mode",
    "Place",
    "first_difference",
    "journal_of",
    "request_digest",
]
