"""The story of one customer, and two runs side by side."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sample_run
from hypothesis import given
from hypothesis import strategies as st
from sample_run import DAY_MS, NOON_MS, missed, probe, write_run

from sim.errors import RecordError
from sim.metrics.compare import compare, differing
from sim.metrics.pairing import pair
from sim.metrics.show import show
from sim.metrics.wording import COLUMNS, columns, folded, harmless
from sim.records import Event, Probe, Telling, canonical
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
        "? question usual: dish tonkotsu",
        "told      2026-01-05 12:00 in visit c-001/1 (7.0 days and 1 visit ago)",
        "written   yes", "kept      yes", "recalled  NO", "in prompt NO", "answered  nothing (missing)",
        "LOST AT   not_retrieved: no record that says it was recalled",
        "leaves, satisfaction 0.8", "2026-01-07  examinations after closing",
        "? examination of waiter-1: dish tonkotsu -> dish tonkotsu + shoyu", "(correct) (told 7.0 days",
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


def telling(**changes: Any) -> Telling:
    return replace(sample_run.telling(), utterance="c-001/1/0@waiter-1", **changes)


def record(id_: str, **changes: Any) -> dict[str, Any]:
    """A row of a memory snapshot: what the waiter noted of the first order."""
    claims = [{"slot": "dish", "value": "tonkotsu", "polarity": 1}]
    plain = {
        "id": id_, "at_ms": NOON_MS, "visible_at_ms": NOON_MS, "agent": "waiter-1", "customer": "c-001",
        "kind": "event", "text": "c-001: orders tonkotsu", "claims": claims, "claimants": [],
        "sources": ["c-001/1/0@waiter-1"], "replaces": [], "retired_at_ms": None,
    }  # fmt: skip
    return plain | changes


def summary_of(old: dict[str, Any], at_ms: int, text: str, **changes: Any) -> dict[str, Any]:
    old["retired_at_ms"] = at_ms
    plain = {"kind": "summary", "customer": "", "visible_at_ms": at_ms, "replaces": [old["id"]]}
    return record("night", **(plain | {"text": text, "claimants": ["c-001"]} | changes))


def shown(tmp_path: Path, lost: Probe, *records: dict[str, Any], tellings: Sequence[Telling] = ()) -> str:
    """The page of a run with one question and these memories."""
    folder = write_run(tmp_path / "r", [lost])
    said = Event(
        time_ms=NOON_MS, seq=0, kind="said", agent="waiter-1", customer="c-001", visit="c-001/1",
        payload=canonical({"exchange": 0, "move": "order", "text": "The tonkotsu, please."}),
    )  # fmt: skip
    write_table(part_path(folder / "events", 0), [said], Event)
    write_table(folder / "facts.parquet", list(tellings or [telling()]), Telling)
    (folder / "memory/waiter-1/snapshot.json").write_text(json.dumps({"scopes": {"": records}}), "utf-8")
    return show(folder, "c-001")


LATER = {"time_ms": NOON_MS + 7 * DAY_MS, "visit": "c-001/9"}


def test_show_follows_a_lost_fact_from_the_words_to_the_answer(tmp_path: Path) -> None:
    other = record("r-2", text="c-007: orders pho", customer="c-007", sources=["c-007/1/0@waiter-1"])
    lost = missed(**LATER, context='["r-2"]', outcome="wrong", answer='["pho"]')
    page = shown(tmp_path, lost, record("r-1"), other)
    assert page.partition("? question usual")[2].splitlines()[1:] == [
        "          told      2026-01-05 12:00 in visit c-001/1 (7.0 days and 1 visit ago)",
        '                    "The tonkotsu, please."',
        "          written   yes",
        "                    - r-1  [2026-01-05] c-001: orders tonkotsu",
        "          kept      yes",
        "          recalled  NO",
        "          in prompt NO: 1 record, none says it",
        "                    - r-2  [2026-01-05] c-007: orders pho",
        "          answered  dish pho (wrong)",
        "          LOST AT   not_retrieved: no record that says it was recalled",
    ]


def test_show_says_what_took_the_place_of_a_record(tmp_path: Path) -> None:
    old = record("r-1")
    summary = summary_of(old, NOON_MS + DAY_MS, "c-007: likes it hot\nc-001: came by", claims=[{}])
    page = shown(tmp_path, missed(**LATER, kept=False, loss="compressed_away"), old, summary)
    for words in (
        "(replaced 2026-01-06 12:00 by night)", "kept      NO", "LOST AT   compressed_away: a summary that"
    ):  # fmt: skip
        assert words in page
    assert "likes it hot" not in page


def test_show_tells_one_who_says_it_still_only_by_the_line_about_them(tmp_path: Path) -> None:
    old = record("r-1")
    summary = summary_of(old, NOON_MS + DAY_MS, "c-007: likes it hot\nc-001: orders tonkotsu")
    page = shown(tmp_path, missed(**LATER), old, summary)
    assert "- night  c-001: orders tonkotsu" in page
    assert "likes it hot" not in page


def test_show_says_that_a_record_did_not_say_it_or_could_not_be_seen_yet(tmp_path: Path) -> None:
    empty = record("r-1", claims=[], text="c-001: came by")
    page = shown(tmp_path / "a", missed(**LATER, written=False, loss="never_written"), empty)
    assert "what was written of it does not say so:\n                    - r-1" in page
    hidden = record("r-1", visible_at_ms=NOON_MS + 8 * DAY_MS)
    page = shown(tmp_path / "b", missed(**LATER), hidden)
    assert "recalled  NO: it could be seen from 2026-01-13 12:00 on only" in page


def test_show_names_the_colleagues_who_were_told_instead(tmp_path: Path) -> None:
    told = [telling(said_to=name, said_at_ms=NOON_MS + place) for place, name in enumerate("xy")]
    lost = missed(
        **LATER,
        told=False,
        told_to_colleague=True,
        loss="told_to_colleague",
        lag_days=None,
        visits_since=None,
    )
    page = shown(tmp_path, lost, tellings=told)
    assert "told      only to x and y, last 2026-01-05 12:00 in visit c-001/1" in page
    assert "written" not in page.partition("LOST AT   told_to_colleague")[0].partition("told      only")[2]


def test_show_tells_slots_of_one_fate_together_and_others_apart(tmp_path: Path) -> None:
    slots = [missed(slot=slot, expected="x") for slot in ("extra", "spice")]
    page = show(write_run(tmp_path / "r", [*slots, probe(slot="portion", expected="x", answer="x")]), "c-001")
    assert "? question usual: extra x, spice x\n" in page
    assert "? question usual: portion x -> correct" in page


def test_show_counts_what_was_asked_and_no_examination_as_a_visit(tmp_path: Path) -> None:
    exams = [probe(kind="exam", question="exam", visit="exam/1"), missed(kind="exam", visit="exam/1")]
    page = show(write_run(tmp_path / "r", [*exams, missed()]), "c-001")
    assert page.startswith("c-001: 2 visits\n")
    assert "\nquestions      1 fact asked for, 0 right; lost at not_retrieved 1\n" in page
    assert "\nexaminations   2 facts asked for, 1 right; lost at not_retrieved 1\n" in page
    assert "visit exam" not in page


def test_show_fits_a_terminal_of_eighty_columns(tmp_path: Path) -> None:
    lost = missed(**LATER, context='["r-1"]', expected="tonkotsu")
    text = "c-001: " + "orders tonkotsu and much more; " * 20 + "汤" * 90
    page = shown(tmp_path, lost, record("r-1", text=text, claims=[]))
    lines = [line for line in page.splitlines() if str(tmp_path) not in line]
    assert max(map(columns, lines)) == 80


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
    assert 'hi<script>  second"' in page
    assert all(character.isprintable() for line in page.split("\n") for character in line)


@given(st.text())
def test_harmless_text_is_one_printable_line(text: str) -> None:
    plain = harmless(text)
    assert all(character.isprintable() or character.isspace() for character in plain)
    assert len(plain.splitlines()) <= 1


@pytest.mark.parametrize("text", ["Тонкоцу, 拉面, crème", "salt & pepper, <3, \"quoted\" 'words'"])
def test_harmless_leaves_other_alphabets_and_signs_alone(text: str) -> None:
    assert harmless(text) == text


@given(st.text(alphabet="ab 汤é", max_size=300), st.integers(0, 20))
def test_folding_loses_nothing_but_blanks_and_keeps_to_the_columns(text: str, indent: int) -> None:
    lines = folded(text, "- ", " " * indent)
    assert all(columns(line) <= COLUMNS for line in lines)
    assert "".join(lines).replace(" ", "") == "-" + text.replace(" ", "")


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
    assert "settings that differ (A / B):\n  memory.name: flat / diary\n" in page
    assert "natural questions: 197 facts that the agent was told in both runs" in page
    assert "asked in one run only: 3 in A, 0 in B" in page
    for name in ("  answered right", "  correct", "  not_retrieved"):
        (line,) = [line for line in page.splitlines() if line.startswith(name)]
        assert line.endswith("*")
    assert "WARNING" not in page
    assert page.splitlines()[-1] == "in short: B answers more natural questions right, 89.8 % against 49.7 %"
    assert all(len(line) <= 80 for line in page.splitlines() if str(tmp_path) not in line)


def test_compare_of_a_run_with_itself_finds_nothing(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "a", [*many(40, 3), probe(kind="exam")])
    page = compare(folder, folder)
    assert "settings: the same" in page
    assert "+0.0  [  +0.0,   +0.0]" in page
    assert "*" not in page.rpartition("asked in one run only")[0]
    assert page.splitlines()[-1] == "in short: what was answered right does not differ beyond chance"
    assert "examinations: 1 fact that the agent was told in both runs" in page
    assert "one customer: no interval" in page


def test_compare_warns_of_different_worlds_and_bears_no_pairs(tmp_path: Path) -> None:
    first = write_run(tmp_path / "a", [probe()])
    second = write_run(tmp_path / "b", [probe(visit="elsewhere")], seed=2)
    page = compare(first, second)
    assert "WARNING: the worlds differ (seed)" in page
    assert "natural questions: 0 facts" in page
    assert "asked in one run only: 1 in A, 1 in B" in page


def test_compare_shows_a_stage_that_only_one_run_has(tmp_path: Path) -> None:
    absent = {"written": None, "kept": None}
    first = write_run(tmp_path / "a", [probe(**absent)], memory="window")
    second = write_run(tmp_path / "b", [probe()])
    (line,) = [line for line in compare(first, second).splitlines() if line.startswith("  written")]
    assert line.split() == "written down n/a 100.0 % not a stage of both memories".split()


def test_compare_pairs_replications_seed_by_seed(tmp_path: Path) -> None:
    for arm in ("a", "b"):
        for seed in (1, 2):
            write_run(tmp_path / arm / f"seed-{seed}", [probe()], seed=seed)
        for name in ("manifest.json", "summary.json"):
            (tmp_path / arm / name).write_text(json.dumps({"config": {}}), encoding="utf-8")
    page = compare(tmp_path / "a", tmp_path / "b")
    assert "2 facts that the agent was told in both runs" in page
    assert "asked in one run only: 0 in A, 0 in B" in page


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


def test_the_class_behind_a_name_is_no_setting_of_its_own() -> None:
    assert set(differing({"m": {"_target_": "a", "name": "x"}}, {"m": {"_target_": "b", "name": "y"}})) == {
        "m.name"
    }
