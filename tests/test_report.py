"""report.html: whole, alone, safe whatever was said, and honest about what could not be read."""

import json
import re
import shutil
from base64 import b64encode
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from html.parser import HTMLParser
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reports import EVIL, EVIL_WORDS, hostile_run, real_run, sweep
from sample_run import DAY_MS, NOON_MS, missed, probe, write_run

from sim import cli
from sim.metrics.portraits import line_of, portraits
from sim.metrics.wording import harmless
from sim.report import write_report
from sim.report.dialogues import Dialogues, dialogues
from sim.report.markup import Html, element
from sim.report.members import Member, found
from sim.report.worst import choose

VOID = {"meta", "input", "br"}


class Page(HTMLParser):
    """The elements of a page with their attributes and text; refuses what is not closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self.said: list[str] = []
        self.feed(text)
        self.close()
        assert self.inside == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.inside.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.inside.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.texts.setdefault(self.inside[-1], []).append(data)
            self.said += [] if self.inside[-1] in ("script", "style") else [data]

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def text(self) -> str:
        return " ".join(" ".join(self.said).split())


def page_of(folder: Path) -> Page:
    return Page(write_report(folder).read_text(encoding="utf-8"))


def said_by(*arguments: object) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = cli.main([str(one) for one in arguments])
    return code, out.getvalue(), err.getvalue()


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return real_run(tmp_path_factory.mktemp("report") / "real")


@pytest.fixture(scope="module")
def whole(real: Path) -> Page:
    return page_of(real)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Page:
    return page_of(hostile_run(tmp_path_factory.mktemp("report") / "hostile"))


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Page:
    return page_of(sweep(tmp_path_factory.mktemp("report") / "sweep"))


PAGES = pytest.mark.parametrize("name", ["whole", "hostile", "swept"])


@PAGES
def test_every_figure_is_in_words_and_in_numbers(name: str, request: pytest.FixtureRequest) -> None:
    page: Page = request.getfixturevalue(name)
    pictures = page.named("svg")
    assert len(pictures) >= 4
    titles = [title for title in page.named("title") if title.get("id")]
    assert [one["aria-labelledby"] for one in pictures] == [title["id"] for title in titles]
    assert all(one["role"] == "img" for one in pictures)
    assert len(page.named("figcaption")) == len(page.named("figure")) == len(pictures)
    # the text of every title, behind that of the page itself
    assert all(len(words) > 20 for words in page.texts["title"][1:])
    assert len(page.named("table")) >= len(pictures)


@PAGES
def test_nothing_is_fetched_and_only_our_script_may_run(name: str, request: pytest.FixtureRequest) -> None:
    page: Page = request.getfixturevalue(name)
    ours = [words for words in page.texts["script"] if words.startswith('"use strict"')]
    assert len(ours) == 1
    assert len(page.named("script")) == 2
    digest = b64encode(sha256(ours[0].encode()).digest()).decode()
    policy = next(one["content"] for one in page.named("meta") if "http-equiv" in one) or ""
    assert policy.startswith("default-src 'none'")
    assert f"script-src 'sha256-{digest}'" in policy
    assert not {"link", "img", "iframe", "object", "embed", "base"} & {tag for tag, _ in page.elements}
    for _, attributes in page.elements:
        assert not [key for key in attributes if key.startswith("on") or key in ("src", "srcdoc")]
        for key in ("href", "xlink:href"):
            assert re.match(r"#|[\w%./-]*report\.html$|$", attributes.get(key) or "")
    assert "url(http" not in "".join(page.texts["style"])


@PAGES
def test_ids_are_unique_and_what_is_linked_is_there(name: str, request: pytest.FixtureRequest) -> None:
    page: Page = request.getfixturevalue(name)
    ids = Counter(one["id"] for _, one in page.elements if "id" in one)
    assert [id_ for id_, count in ids.items() if count > 1] == []
    links = [one[key] or "" for _, one in page.elements for key in ("href", "xlink:href") if key in one]
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
    labels = [one[key] or "" for _, one in page.elements for key in ("for", "aria-labelledby") if key in one]
    assert set(labels) <= set(ids)


@PAGES
def test_headings_are_in_order(name: str, request: pytest.FixtureRequest) -> None:
    page: Page = request.getfixturevalue(name)
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(then <= before + 1 for before, then in pairwise(levels))


def test_what_a_customer_says_stays_text(hostile: Page) -> None:
    for words in (EVIL, EVIL_WORDS):
        assert " ".join(harmless(words).split()) in hostile.text()
    assert not [words for words in hostile.texts["b"] if "ramen" in words and "<b>" not in words]
    data = json.loads(next(words for words in hostile.texts["script"] if not words.startswith('"use')))
    assert data[0]["l"][0] == [harmless(EVIL), harmless(EVIL_WORDS)]


def test_a_real_run_shows_all_there_is(whole: Page, real: Path) -> None:
    sections = [one["id"] for one in whole.named("section")]
    assert sections == ["recall", "curves", "lost", "shop", "known", "worst", "search"]
    assert found(real).left_out == ()
    visits = {visit.visit for visit in found(real).members[0].visits}
    data = json.loads(next(words for words in whole.texts["script"] if not words.startswith('"use')))
    assert {one["v"] for one in data} == visits
    assert "(text not in the snapshot)" not in whole.text()


def test_a_loss_is_told_from_what_was_said_to_what_was_sent(tmp_path: Path) -> None:
    write_run(tmp_path / "r", [missed(context='["r-1", "gone"]', time_ms=NOON_MS + DAY_MS)])
    record = {"id": "r-1", "text": "orders tonkotsu", "kind": "event", "sources": ["c-001/1/0"]}
    record |= {"claims": [{"slot": "dish", "value": "tonkotsu", "polarity": 1}], "claimants": ["c-001"]}
    (tmp_path / "r/memory/waiter-1/snapshot.json").write_text(json.dumps([record | {"agent": "waiter-1"}]))
    words = page_of(tmp_path / "r").text()
    for part in (
        "1. c-001: dish tonkotsu,",
        "Lost because no record that says it was recalled.",
        "to waiter-1, visit c-001/1",
        "orders tonkotsu",
        "(text not in the snapshot)",
        "The memory that was sent (2 records, 50 tokens)",
        "The usual, please.",
    ):
        assert part in words


def test_losses_come_from_every_stage_in_turn_and_one_of_a_slot() -> None:
    many = [missed(customer=f"c-{n}", lag_days=float(9 - n)) for n in range(6)]
    rare = missed(customer="c-9", loss="ignored", kind="exam")
    beside = missed(told=False, loss="told_to_colleague")
    chosen = choose([*many, missed(customer="c-5", time_ms=5), rare, beside, probe()], 4)
    assert [(one.loss, one.customer) for one in chosen] == [
        ("not_retrieved", "c-5"),
        ("ignored", "c-9"),
        ("not_retrieved", "c-4"),
        ("not_retrieved", "c-3"),
    ]
    assert choose([probe()], 4) == []


def test_replications_are_one_report(tmp_path: Path) -> None:
    for seed in (1, 2):
        write_run(tmp_path / f"run/seed-{seed}", [probe(), missed(slot="extra")], seed=seed)
    shutil.copy(tmp_path / "run/seed-1/manifest.json", tmp_path / "run/manifest.json")
    words = page_of(tmp_path / "run").text()
    assert "runs 2" in words
    assert "seed 2: on" in words


def test_a_sweep_shows_its_arms_and_names_what_is_missing(tmp_path: Path) -> None:
    folder = sweep(tmp_path / "sweep")
    write_report(folder / "flat-1")
    page = page_of(folder)
    words = page.text()
    assert [one["id"] for one in page.named("section")] == [
        "arms",
        "grid",
        "curves",
        "lost",
        "worst",
        "search",
    ]
    assert "memory=flat" in words
    assert "memory=none" not in page.texts["th"]
    assert "lost: recall.parquet: no such table" in words
    assert [one["href"] for one in page.named("a") if "report.html" in (one["href"] or "")] == [
        "flat-1/report.html"
    ]


def test_a_killed_run_shows_its_dialogues_and_no_verdict(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "r", [missed()])
    for name in ("recall", "visits", "facts", "llm_calls"):
        (folder / f"{name}.parquet").unlink()
    (folder / "summary.json").unlink()
    (folder / "memory/waiter-1/snapshot.json").write_text("{", encoding="utf-8")
    code, out, _ = said_by("report", folder)
    assert code == 0
    assert "left out: recall.parquet: no such table" in out
    assert "left out: memory/waiter-1/snapshot.json" in out
    page = Page((folder / "report.html").read_text(encoding="utf-8"))
    assert [one["id"] for one in page.named("section")] == ["worst", "search"]
    assert "Cannot be shown" in page.text()
    assert "2 visits can be searched." in page.text()


def test_a_damaged_part_costs_its_lines_only(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "r", [missed(time_ms=NOON_MS + DAY_MS)])
    part = folder / "events/part-00000.parquet"
    part.write_bytes(part.read_bytes()[:200])
    words = page_of(folder).text()
    assert "events/part-00000.parquet: truncated" in words
    assert "1 visit can be searched." in words
    assert "(its words are not in the log)" in words


@pytest.mark.parametrize("make", ["missing", "empty", "manifest"])
def test_bad_input_costs_one_line(make: str, tmp_path: Path) -> None:
    folder = tmp_path / "it"
    if make != "missing":
        folder.mkdir()
    if make == "manifest":
        (folder / "manifest.json").write_text("{", encoding="utf-8")
    code, out, err = said_by("report", folder)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert str(folder) in err
    assert not (folder / "report.html").exists()


def test_of_too_many_dialogues_those_with_a_loss_stay(tmp_path: Path) -> None:
    member = Member(arm="run", run=found(write_run(tmp_path / "r", [missed()])).members[0].run)
    every = dialogues([member])
    assert (len(every.visits), every.of) == (2, 2)
    few = dialogues([member], most_bytes=200)
    assert [one["v"] for one in few.visits] == ["c-001/2"]
    assert few.of == 2


@given(st.text())
def test_no_text_can_leave_the_data_or_an_element(words: str) -> None:
    data = Dialogues(visits=[{"v": words, "l": [[words, words]]}], of=1).data()
    assert not re.search("[<>&\u2028\u2029]", data)
    assert json.loads(data)[0]["v"] == words
    page = Page(element("p", words, title=words))
    assert page.elements == [("p", {"title": harmless(words)})]
    assert "".join(page.texts.get("p", [])) == harmless(words)
    assert isinstance(element("p", Html("<br>")), Html)


def test_a_line_of_a_profile_is_put_together_again(tmp_path: Path) -> None:
    def row(slot: str, since: int, until: int | None = None, *, pinned: bool = False) -> dict[str, object]:
        claim = {"slot": slot, "value": "v", "polarity": 1}
        return {"claim": claim, "since_ms": since, "until_ms": until, "pinned": pinned}

    rows = [
        row("dish", DAY_MS),
        row("extra", DAY_MS + 1, 2 * DAY_MS),
        row("spice", 0),
        row("allergy", DAY_MS, pinned=True),
    ]
    (tmp_path / "memory/waiter-1").mkdir(parents=True)
    path = tmp_path / "memory/waiter-1/profile.json"
    path.write_text(json.dumps({"customers": [{"customer": "a/b", "rows": rows}]}), encoding="utf-8")
    known = portraits(tmp_path)
    assert line_of(known, "waiter-1/profile/a/b/1", 2 * DAY_MS + 5) == "dish v, extra v"
    assert line_of(known, "waiter-1/profile/a/b/1", 4 * DAY_MS) == "dish v"
    assert line_of(known, "waiter-1/profile/a/b/1/pinned") == "allergy v"
    assert line_of(known, "waiter-1/profile/nobody/1") == line_of(known, "r-1") == ""
    path.write_text("{", encoding="utf-8")
    assert portraits(tmp_path) == {}
