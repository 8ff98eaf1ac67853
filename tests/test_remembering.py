"""What a summary says of the memories themselves: counted from records, added over runs, rated last."""

from dataclasses import replace
from typing import Any

from test_forgetting import probe, record, telling

from sim.memory.experience.brier import Forecast
from sim.memory.figures import Happening, Held, counts
from sim.metrics.remembering import rated, together

STORE = "waiter-1"


def happening(kind: str, time_ms: int = 5, **payload: Any) -> Happening:
    return Happening(time_ms=time_ms, kind=kind, store=STORE, payload=payload)


def counted(*happenings: Happening, asked_ms: int = 9, **held: Any) -> dict[str, Any]:
    """One store that holds one record, and one question about the fact of utterance u-gone."""
    fields: dict[str, Any] = {"store": STORE, "living": [record("r-kept")], "index_bytes": {"dense": 10}}
    told = replace(telling("f", "u-gone"), said_to=STORE)
    asked = replace(probe("f", asked_ms), agent=STORE, context_records=4, of_others=1, of_other_agents=0)
    return counts(happenings, [Held(**(fields | held))], [asked], [told])


def test_compressions_are_added_up_with_what_they_lost() -> None:
    lost = [{"slot": "extra", "value": "egg"}]
    table = counted(
        happening("compressed", tokens_before=90, tokens_after=30, claims_lost=lost, refused="too_long"),
        happening("compressed", tokens_before=60, tokens_after=20, claims_lost=[], refused=""),
        happening("not_compressed"),
    )
    names = ("compressions", "claims_lost", "abstracts_refused", "not_compressed")
    assert [table[name] for name in names] == [2, 1, 1, 1]
    assert rated(table)["times_smaller"] == 3.0


def test_what_was_forgotten_counts_as_asked_for_only_afterwards() -> None:
    forgot = happening("forgot", forgotten=[{"record": "r-gone", "utterances": ["u-gone"]}])
    assert rated(counted(forgot))["forgotten_asked_share"] == 1.0
    assert rated(counted(forgot, asked_ms=4))["forgotten_asked_share"] == 0.0
    assert rated(counted())["forgotten_asked_share"] is None


def test_rules_are_judged_by_how_far_they_were_trusted() -> None:
    forecasts = [
        Forecast(rule="r", confidence=0.8, confirmed=True),
        Forecast(rule="r", confidence=0.4, confirmed=False),
    ]
    table = rated(counted(forecasts=forecasts, rules=3))
    assert (table["rules"], table["rules_judged"], table["rules_brier"]) == (3, 2, 0.1)
    assert "rules_squared_error" not in table


def test_what_stands_in_prompts_of_others_is_a_share_of_all_that_stands_there() -> None:
    table = rated(counted())
    assert (table["of_others_share"], table["of_other_agents_share"]) == (0.25, 0.0)


def test_runs_are_added_before_they_are_rated() -> None:
    one = counted(happening("compressed", tokens_before=30, tokens_after=10))
    other = counted(happening("compressed", tokens_before=10, tokens_after=10))
    both = together([one, other])
    assert (both["compressions"], both["index_bytes"], both["records"]) == (2, {"dense": 20}, {"event": 2})
    assert rated(both)["times_smaller"] == 2.0
