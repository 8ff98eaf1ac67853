"""Times that texts name, in three languages."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.language.dates import dated, tells_time
from sim.language.questions import asks_latest, kind_of, only_asks

TODAY = date(2026, 3, 19)  # a Thursday


def spans(text: str) -> list[tuple[str, str]]:
    return [(str(span.first), str(span.last)) for span in dated(text, TODAY).spans]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("what happened on 7 May 2023?", "2023-05-07", "2023-05-07"),
        ("on May 7th, 2023", "2023-05-07", "2023-05-07"),
        ("2023-05-07", "2023-05-07", "2023-05-07"),
        ("in May 2023", "2023-05-01", "2023-05-31"),
        ("in 2023", "2023-01-01", "2023-12-31"),
        ("What did I say last week?", "2026-03-09", "2026-03-15"),
        ("yesterday", "2026-03-18", "2026-03-18"),
        ("three weeks ago", "2026-02-23", "2026-03-01"),
        ("on Friday", "2026-03-13", "2026-03-13"),
        ("last month", "2026-02-01", "2026-02-28"),
        ("7 мая 2023 года", "2023-05-07", "2023-05-07"),
        ("на прошлой неделе", "2026-03-09", "2026-03-15"),
        ("вчера вечером", "2026-03-18", "2026-03-18"),
        ("две недели назад", "2026-03-02", "2026-03-08"),
        ("в пятницу", "2026-03-13", "2026-03-13"),
        ("в марте 2025", "2025-03-01", "2025-03-31"),
        ("2023年5月7日", "2023-05-07", "2023-05-07"),
        ("我上周三点了什么", "2026-03-11", "2026-03-11"),
        ("上个月", "2026-02-01", "2026-02-28"),
        ("三天前", "2026-03-16", "2026-03-16"),
        ("二〇二三不算，十二月三十一日", "2025-12-31", "2025-12-31"),
    ],
)
def test_a_time_is_named(text: str, first: str, last: str) -> None:
    assert spans(text)[0] == (first, last)


def test_a_month_without_a_year_is_any_that_has_begun() -> None:
    assert spans("in March")[0] == ("2026-03-01", "2026-03-31")
    assert spans("в июне") == [("2025-06-01", "2025-06-30"), ("2024-06-01", "2024-06-30")]
    assert spans("6月")[0] == ("2025-06-01", "2025-06-30")


@pytest.mark.parametrize(
    "text",
    [
        "may I have tea",
        "31 February",
        "2.5 spoons",
        "майонез",
        "三文鱼",
        "a month of it",
        "下周三",
        "下个周三",
    ],
)
def test_what_is_no_time_names_none(text: str) -> None:
    assert dated(text, TODAY).spans == ()
    assert dated(text, TODAY).rest == text


def test_the_words_of_a_date_are_left_out_of_the_rest() -> None:
    found = dated("İn İstanbul on 7 May 2023, what may I say?", TODAY)
    assert found.rest.split() == ["İn", "İstanbul", "on", ",", "what", "may", "I", "say?"]


@given(st.text(max_size=60), st.dates())
def test_any_text_on_any_day_is_read(text: str, today: date) -> None:
    assert len(dated(text, today).rest) == len(text)
    tells_time(text)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When was I here last?", "when"),
        ("When did you recommend it?", "when"),
        ("What books has she read?", "list"),
        ("How many tournaments has he won?", "list"),
        ("What did you recommend?", "preference"),
        ("What is my usual?", "preference"),
        ("What did she paint?", "other"),
        ("Когда я был у вас?", "when"),
        ("Какие блюда он брал?", "list"),
        ("Что ты мне советовал?", "preference"),
        ("我上次来是什么时候？", "when"),
        ("你推荐了什么？", "preference"),
        ("她去过哪些地方？", "list"),
    ],
)
def test_the_kind_of_a_question(question: str, kind: str) -> None:
    assert kind_of(question) == kind


def test_cues_of_the_last_time_and_of_asking() -> None:
    assert all(map(asks_latest, ["When was I here last?", "Что я брал в прошлый раз?", "上次我点了什么"]))
    assert not asks_latest("Where did I last-minute shop?")
    assert all(map(only_asks, ['And you?"', "真的吗？"]))
    assert not only_asks("Really? Yes.")


@pytest.mark.parametrize("text", ["I went there last week", "это было вчера", "去年去的", "in 2022 we met"])
def test_a_text_tells_when(text: str) -> None:
    assert tells_time(text)
    assert not tells_time("I went there")
