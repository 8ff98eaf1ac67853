"""What an edited answer tells: how its editor wants answers to be."""

import re
from difflib import SequenceMatcher

from sim.memory.compress.sentences import word_count
from sim.memory.experience.actions import DETAILED, LIST, PROSE, SAY, SHORT
from sim.memory.experience.cues import harmless
from sim.memory.experience.rule import Action

_MUCH = 1.5
_FEW_WORDS = 4
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s", re.MULTILINE)


def wished_by_edit(original: str, edited: str) -> tuple[Action, ...]:
    """The actions an edit asks for: shorter or longer by half, a list or none, one word for another."""
    before, after = word_count(original), word_count(edited)
    if not after:
        return ()
    found: list[Action] = []
    if before >= _MUCH * after:
        found.append(SHORT)
    elif after >= _MUCH * before:
        found.append(DETAILED)
    had, has = (len(_BULLET.findall(text)) > 1 for text in (original, edited))
    if had != has:
        found.append(LIST if has else PROSE)
    return (*found, *_replaced(original, edited))


def _replaced(original: str, edited: str) -> tuple[Action, ...]:
    """The one word that stands for another now, in an answer that is else the same."""
    old, new = _WORD.findall(original), _WORD.findall(edited)
    changes = [
        step for step in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if step[0] != "equal"
    ]
    if len(changes) != 1 or changes[0][0] != "replace" or len(old) < _FEW_WORDS:
        return ()
    _, old_start, old_end, new_start, new_end = changes[0]
    if old_end - old_start > 2 or new_end - new_start > 2:
        return ()
    instead, value = harmless(" ".join(old[old_start:old_end])), harmless(" ".join(new[new_start:new_end]))
    return (Action(kind=SAY.kind, value=value, instead_of=instead),)
