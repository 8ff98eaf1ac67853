"""One self-contained page for a run or a sweep: figures, the worst losses, and a search over dialogues."""

from sim.report.writing import reported, write_report

__all__ = ["reported", "write_report"]
