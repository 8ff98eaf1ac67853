"""The memory of memory=diary, graph and full; its parts can be switched off one by one."""

from sim.memory.diary.diary import Diary
from sim.memory.diary.parts import Parts

__all__ = ["Diary", "Parts"]
