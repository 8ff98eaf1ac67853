"""The story of one customer, and two runs side by side."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_run import DAY_MS, NOON_MS, missed, probe, write_run

from sim.errors import RecordError
from sim.metrics.compare import compare, differing
from sim.metrics.pairing import pair
from sim.metrics.show import show
from sim.metrics.wording import harmless
from sim.records import Event, canonical
from sim.tables import part_path, write_table


def test_show_tells_what_was_said_remembered_and_lost_in_order(tmp_path: Path) -> None:
    lost = missed(time_ms=NOON_MS + DAY_MS + 3_000, visit="c-001/2")
    exam = probe(
        kind="exam", question="exam", answer='["tonkotsu","shoyu"]', time_ms=NOON_MS + 2 * DAY_MS, visit=""
    )
    page = show(write_run(tmp_path / "r", [exam, lost]), "c-001")
    told_in_order = [
        "2026-01-05  visit c-001/1", "is seated at table 3", '[order]: "Tonkotsu ramen, please."',
        "understood: dish tonkotsu", "in the prompt: nothing remembered",
        "is served dish tonkotsu, extra egg, right",
        "2026-01-06  visit c-001/2", '[usual]: "The usual, please."', 'waiter-1 (order): "Of course."',
        "understood: dish tonkotsu", "r-1  [2026-01-05] c-001: orders tonkotsu",
        "question usual: dish = tonkotsu; answered nothing", "missing, lost: not_retrieved",
        "told yes, written yes, kept yes, retrieved NO, in_context NO, answered NO",
        "leaves, satisfaction 0.8", "2026-01-07  after closing", "examination of waiter-1 exam",
        "answered tonkotsu + shoyu",
    ]  # fmt: skip
    for words in told_in_order:
        _, found, page = page.partition(words)
        assert found, words


def test_show_names_near_customers(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "r", [probe(customer="c-011")])
    with pytest.raises(RecordError, match=r"no customer 'c-01' among 2; near names: .*c-011"):
        show(folder, "c-01")
    with pytest.raises(RecordError, match="near names: c-001, c-011"):
        show(folder, "zzz")


def test_show_asks_for_one_of_several_seeds(tmp_path: Path) -> None:
    write_run(tmp_path / "seed-3", [])
    with pytest.raises(RecordError, match="give the folder of one of them: seed-3"):
        show(tmp_path, "c-001")


def test_show_reads_a_killed_run_and_says_so(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "r", [])
    (folder / "recall.parquet").unlink()
    (folder / "memory/waiter-1/snapshot.json").write_text('{"id": ', encoding="utf-8")
    page = show(folder, "c-001")
    assert "left out: recall.parquet: no such table" in page
    assert "r-1  (text not in the snapshot)" in page


KINDS = ("said", "replied", "served", "seated", "arrived", "left", "cooked", "offered")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("payload", ["{}", "[1]", "no json", '{"context": 3, "details": "x", "text": null}'])
def test_show_bears_events_with_other_payloads(tmp_path: Path, kind: str, payload: str) -> None:
    folder = write_run(tmp_path / "r", [])
    event = Event(time_ms=1, seq=0, kind=kind, agent="w", customer="c-9", visit="v", payload=payload)
    write_table(part_path(folder / "events", 1), [event], Event)
    assert "visit v" in show(folder, "c-9")


def test_show_lets_no_text_control_the_terminal(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "r", [])
    evil = "\x1b[2Jhi\x1b]0;title\x07\u202e<script>\r\nsecond"
    said = canonical({"move": evil, "text": evil})
    event = Event(time_ms=1, seq=0, kind="said", agent="", customer=evil, visit=evil, payload=said)
    write_table(part_path(folder / "events", 1), [event], Event)
    page = show(folder, evil)
    assert 'hi&lt;script&gt;  second"' in page
    assert all(character.isprintable() for line in page.split("\n") for character in line)


@given(st.text())
def test_harmless_text_is_one_printable_line_without_tags(text: str) -> None:
    shown = harmless(text)
    assert all(character == " " or character.isprintable() or character.isspace() for character in shown)
    assert len(shown.splitlines()) <= 1
    assert "<" not in shown


def test_harmless_leaves_other_alphabets_alone() -> None:
    assert harmless("Тонкоцу, 拉面, crème") == "Тонкоцу, 拉面, crème"


# --- compare


def many(count: int, lost_every: int) -> list:
    return [
        (missed if place % lost_every == 0 else probe)(customer=f"c-{place % 20:03d}", visit=f"v-{place}")
        for place in range(count)
    ]


def test_compare_finds_the_difference_between_paired_runs(tmp_path: Path) -> None:
    first = write_run(tmp_path / "a", many(200, 2), memory="flat")
    second = write_run(tmp_path / "b", many(200, 10)[:-3], memory="diary")
    page = compare(first, second)
    assert "settings that differ (A / B): memory.name flat / diary" in page
    assert "natural questions: 197 pairs told in both" in page
    assert "unpaired questions: 3 only in A, 0 only in B" in page
    (line,) = [line for line in page.splitlines() if line.startswith("  answered")]
    assert line.endswith("*")
    assert "WARNING" not in page


def test_compare_of_a_run_with_itself_finds_nothing(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "a", [*many(40, 3), probe(kind="exam")])
    page = compare(folder, folder)
    assert "settings: the same" in page
    assert "+0.0  [+0.0, +0.0]" in page
    assert "*" not in page.rpartition("unpaired")[0]
    assert "examinations: 1 pairs told in both" in page
    assert "one customer: no interval" in page


def test_compare_warns_of_different_worlds_and_bears_no_pairs(tmp_path: Path) -> None:
    first = write_run(tmp_path / "a", [probe()])
    second = write_run(tmp_path / "b", [probe(visit="elsewhere")], seed=2)
    page = compare(first, second)
    assert "WARNING: the worlds differ (seed)" in page
    assert "natural questions: 0 pairs" in page
    assert "1 only in A, 1 only in B" in page


def test_compare_shows_a_stage_that_only_one_run_has(tmp_path: Path) -> None:
    absent = {"written": None, "kept": None}
    first = write_run(tmp_path / "a", [probe(**absent)], memory="window")
    second = write_run(tmp_path / "b", [probe()])
    (line,) = [line for line in compare(first, second).splitlines() if line.startswith("  written")]
    assert line.split() == ["written", "n/a", "100.0", "%", "not", "in", "both"]


def test_compare_pairs_replications_seed_by_seed(tmp_path: Path) -> None:
    for arm in ("a", "b"):
        for seed in (1, 2):
            write_run(tmp_path / arm / f"seed-{seed}", [probe()], seed=seed)
        for name in ("manifest.json", "summary.json"):
            (tmp_path / arm / name).write_text(json.dumps({"config": {}}), encoding="utf-8")
    page = compare(tmp_path / "a", tmp_path / "b")
    assert "2 pairs told in both" in page
    assert "0 only in A, 0 only in B" in page


def test_compare_needs_the_questions_of_both(tmp_path: Path) -> None:
    first, second = write_run(tmp_path / "a", []), write_run(tmp_path / "b", [])
    (second / "recall.parquet").unlink()
    with pytest.raises(RecordError, match=r"b/recall\.parquet"):
        compare(first, second)


def test_equal_questions_pair_in_the_order_they_were_asked() -> None:
    twice = [("1", probe()), ("1", missed())]
    table = pair(twice, twice[:1])
    assert (len(table.pairs), table.only_first, table.only_second) == (1, 1, 0)
    assert table.pairs[0].first.outcome == table.pairs[0].second.outcome == "correct"


def test_where_a_run_was_put_is_no_setting() -> None:
    first = {"hydra": {"run": 1}, "resume": None, "a": {"b": 1, "c": 2}}
    second = {"hydra": {"run": 2}, "resume": "x", "a": {"b": 1}, "d": 3}
    assert differing(first, second) == {"a.c": (2, None), "d": (None, 3)}
