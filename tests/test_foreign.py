"""The guard of language: slips into another script are seen, and nothing else is taken for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.language.packs import PACKS
from sim.language.scripts import native_scripts, script
from sim.llm.ladder.foreign import foreign

PROMPT = "Customer: 王小红 (c-012)\ntonkotsu_ramen, laksa (лакса)"
SCHEMA = {
    "properties": {
        "thought": {"type": "string", "x-private": True},
        "dish": {"anyOf": [{"type": "string", "enum": ["拉面"]}, {"type": "null"}]},
        "say": {"type": "string"},
        "lines": {"type": "array", "items": {"properties": {"who": {"type": "string"}}}},
    }
}


def slip(text: str, language: str) -> str:
    return foreign({"say": text}, SCHEMA, language, PROMPT)


@pytest.mark.parametrize(
    ("language", "text", "letters"),
    [
        ("ru", "Ваша лакса 已经 готова", "Chinese"),
        ("ru", "Ваша лакса готова好", "Chinese"),
        ("en", "Your laksa is готова", "Cyrillic"),
        ("en", "はい, coming up", "Japanese"),
        ("zh", "好的，готово", "Cyrillic"),
        ("zh", "好的です", "Japanese"),
        # wholly in the wrong language, though its script turns up everywhere
        ("ru", "Certainly, your bowl is coming", "Latin"),
        ("zh", "Certainly, your bowl is coming. 好", "Latin"),
    ],
)
def test_slips(language: str, text: str, letters: str) -> None:
    assert slip(text, language).endswith(f"it has {letters} letters")
    assert slip(text, language).startswith("reply.say ")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Certainly! Café, naïve, 12 °C, π, 🍜 … — “quotes”"),
        ("en", "Good evening, 王小红, the лакса?"),  # both stand in the prompt
        ("ru", "OK, один Tonkotsu и Wi-Fi. Ёлка!"),
        ("ru", "Laksa, tonkotsu_ramen"),
        ("zh", "好的，一份 ramen，ok。２碗"),
        ("de", "Was immer 你好 heißt"),  # no pack, no guard
        ("", "你好"),
        ("ru", "42 ₽ / 2026-01-05"),
    ],
)
def test_no_slips(language: str, text: str) -> None:
    assert slip(text, language) == ""


def test_only_what_somebody_reads_counts() -> None:
    unread = {"thought": "他要拉面", "dish": "拉面", "say": "Ramen!"}
    assert foreign(unread, SCHEMA, "en", PROMPT) == ""
    deep = {"lines": [{"who": "Anna"}, {"who": "安娜"}]}
    assert foreign(deep, SCHEMA, "en", PROMPT).startswith("reply.lines[1].who ")
    assert foreign({"text": "你好"}, None, "en", PROMPT)


def test_a_language_is_written_as_its_headings_are() -> None:
    assert {code: native_scripts(code) for code in PACKS} == {
        "en": {"Latin"},
        "ru": {"Cyrillic"},
        "zh": {"Chinese"},
    }


@given(text=st.text(), language=st.sampled_from(["en", "ru", "zh"]))
def test_the_guard_ends_and_lets_the_prompt_be_repeated(text: str, language: str) -> None:
    assert foreign({"say": text}, SCHEMA, language, text) == ""
    letters = {script(char) for char in text} - {""} - native_scripts(language)
    assert bool(slip(text, language)) <= bool(letters)
