"""Cuts an over-long text in its middle: what it begins and ends with tells most about the rest."""

from sim.llm.tokens import estimate_tokens

_GAP = "…"


def shortened(text: str, most_tokens: int) -> str:
    """The text itself, or its beginning and end with a gap between, of so many estimated tokens at most.

    A text of several lines loses whole lines first, since half a line would run into half of another.
    """
    if estimate_tokens(text) <= most_tokens:
        return text
    lines = text.split("\n")
    if len(lines) > 1:
        return _fewer_lines(lines, most_tokens)
    low, high = 0, len(text)
    while low < high:
        kept = (low + high + 1) // 2
        if estimate_tokens(_without_middle(text, kept)) <= most_tokens:
            low = kept
        else:
            high = kept - 1
    return _without_middle(text, low)


def _fewer_lines(lines: list[str], most_tokens: int) -> str:
    """The first and last lines that fit together, the first one cut if it is too long alone."""
    kept, left = 0, most_tokens
    order = sorted(range(len(lines)), key=lambda place: min(place, len(lines) - 1 - place))
    for place in order:
        left -= estimate_tokens(lines[place]) + 1
        if left < 0:
            break
        kept += 1
    if not kept:
        return shortened(lines[0], most_tokens)
    return "\n".join(lines[place] for place in sorted(order[:kept]))


def _without_middle(text: str, kept: int) -> str:
    head, tail = text[: kept - kept // 2], text[len(text) - kept // 2 :]
    # Half a word may read as another one.
    whole_head, _, _ = head.rpartition(" ")
    _, _, whole_tail = tail.partition(" ")
    return f"{whole_head or head} {_GAP} {whole_tail or tail}"
