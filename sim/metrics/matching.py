"""Scores one probe: was the answer right, and if not, which stage of memory lost the fact."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What became of one probe.

    Args:
        outcome: one of `sim.records.OUTCOMES`.
        loss: one of `sim.records.LOSSES`; None when the answer is right, or when the fact was never
            said to anybody and so nothing was lost.
        answered: right, with the fact in the context where the memory has that stage.
    """

    outcome: str
    loss: str | None
    answered: bool


def score(
    *,
    expected: str,
    polarity: int,
    earlier: frozenset[str],
    others: frozenset[str],
    values: tuple[str, ...],
    abstained: bool,
    told: bool,
    told_to_colleague: bool,
    written: bool | None,
    kept: bool | None,
    retrieved: bool | None,
    in_context: bool | None,
    single: bool = False,
    also_true: frozenset[str] = frozenset(),
) -> Verdict:
    """Compares an answer with the truth and charges what was lost to the first stage that failed.

    Args:
        expected: the value true at the time; with polarity -1 the value that must be absent.
        polarity: 1 while the value holds, -1 when it was taken back.
        earlier: values of the slot told to this agent before and no longer true.
        others: values that records of other customers in the context gave for the slot.
        values: what was answered for the slot.
        abstained: the agent said that it does not know.
        told: the fact was said to this agent (or to one it shares its memory with).
        told_to_colleague: it was said, but only to agents that do not share this memory.
        written: some record holds it; None when the memory has no such stage, here and below.
        kept: such a record still lived when it was asked for.
        retrieved: the recall returned one.
        in_context: one stood in the prompt.
        single: the slot has one value at a time, so a second value beside the right one is a fault.
        also_true: other values of the slot that are true too; they explain no mistake.
    """
    right = _right(expected, polarity, frozenset(values), single)
    guessed = right and in_context is False
    if right:
        outcome = "guessed" if guessed else "correct"
    else:
        blamed = _blamed(expected, polarity, frozenset(values), also_true)
        outcome = _mistake(blamed, earlier, others, abstained)
    if outcome == "correct":
        return Verdict(outcome=outcome, loss=None, answered=True)
    # A memory that neither writes nor retrieves keeps nothing: what it lost was never written.
    kept_nothing = written is kept is retrieved is None and in_context is False
    stages = (
        ("told_to_colleague", not (told_to_colleague and not told)),
        ("never_written", False if kept_nothing else written),
        ("compressed_away", kept),
        ("not_retrieved", retrieved),
        ("cut_by_budget", in_context),
    )
    loss = _first_failed(stages) or _reader_loss(outcome)
    return Verdict(outcome=outcome, loss=loss if told or told_to_colleague else None, answered=False)


def _right(expected: str, polarity: int, values: frozenset[str], single: bool) -> bool:
    if polarity < 0:
        return expected not in values
    return values == {expected} if single else expected in values


def _blamed(
    expected: str, polarity: int, values: frozenset[str], also_true: frozenset[str]
) -> frozenset[str]:
    """The answered values that made the answer wrong."""
    return frozenset({expected}) if polarity < 0 else values - also_true - {expected}


def _mistake(blamed: frozenset[str], earlier: frozenset[str], others: frozenset[str], abstained: bool) -> str:
    if blamed & earlier:
        return "stale"
    if blamed & others:
        return "confused_customer"
    if blamed:
        return "wrong"
    return "abstained" if abstained else "missing"


def _first_failed(stages: tuple[tuple[str, bool | None], ...]) -> str | None:
    # Only False is a failure: None says that the memory has no such stage.
    return next((loss for loss, passed in stages if passed is False), None)


def _reader_loss(outcome: str) -> str:
    """The loss when every stage of the memory did its part, or there was none."""
    return {"stale": "stale", "confused_customer": "confused"}.get(outcome, "ignored")
