"""Which texts are made into one record: neighbours, whole, about so many words together."""

from collections.abc import Sequence

from sim.memory.compress.sentences import word_count

WINDOW_WORDS = 160
"""Words in a window, some seven turns of a talk: longer ones point less exactly, shorter ones lose more,
since what is said again and again must be kept in each."""


def windows(texts: Sequence[str], words: int = WINDOW_WORDS) -> list[range]:
    """Splits texts into runs of neighbours of about equal length, none of which cuts a text.

    Args:
        texts: in their order, of one talk; windows never reach over its end.
        words: words per window that are aimed at.
    """
    lengths = [word_count(text) for text in texts]
    total = sum(lengths)
    number = max(1, round(total / words))
    bounds, passed, current = [0], 0.0, 0
    for place, length in enumerate(lengths):
        wanted = min(number - 1, int((passed + length / 2) / max(total, 1) * number))
        if wanted != current:
            current = wanted
            bounds.append(place)
        passed += length
    ends = [*bounds[1:], len(texts)]
    return [range(low, high) for low, high in zip(bounds, ends, strict=True) if low < high]
