"""Every language pack keeps the promises of `sim.language.protocol.LanguagePack`."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.errors import ConfigError
from sim.language.headings import HEADING_FIELDS
from sim.language.packs import PACKS, pack
from sim.language.protocol import LanguagePack
from sim.language.russian import russian
from sim.language.snowball import SnowballPack

CODES = list(PACKS)
SHARED_STEMS = {
    "en": [
        "noodle noodles",
        "order orders ordered ordering",
        "prefer prefers preferred",
        "spicy spiciness",
        "allergy allergies",
    ],
    "ru": [
        "лапша лапшу лапши лапшой",
        "заказ заказа заказы",
        "острый острая острое острого",
        "кинза кинзы кинзу",
    ],
    # words without endings: only ways of writing can differ
    "zh": ["ramen ｒａｍｅｎ"],
}
SENTENCES = {
    "en": (
        "The noodles were too spicy for me; I'd like them WITHOUT coriander!",
        ["noodl", "spici", "like", "without", "coriand"],
    ),
    "ru": ("Мне, пожалуйста, острую лапшу БЕЗ кинзы!", ["остр", "лапш", "без", "кинз"]),
    "zh": (
        "我想要一碗不放香菜的特辣拉面，加EGG！",
        ["一", "不", "香菜", "特辣", "辣拉", "拉面", "加", "egg"],
    ),
}
NEGATIONS = {"en": "no not never without", "ru": "не нет ни без никогда", "zh": "不 没 别 无"}
DISTINCT = {
    "en": "egg pork tofu coriander peanut mild hot",
    "ru": "яйцо свинина тофу кинза арахис острый мягкий",
    "zh": "鸡蛋 猪肉 豆腐 香菜 花生 微辣 特辣",
}
ODD = [
    "",
    " ",
    "\x00",
    "\ud800",
    "a\udfffb\x00c",
    "🍜🍜",
    "\u202e",
    "不要香菜",
    "--- ... '' _",
    "ꙮ" * 10,
    "x" * 100_000,
]
TEXT = st.text(st.characters(exclude_categories=[]), max_size=60)


@pytest.fixture(params=CODES)
def language(request: pytest.FixtureRequest) -> LanguagePack:
    return pack(request.param)


def test_the_code_is_its_own(language: LanguagePack) -> None:
    assert pack(language.code) is language


def test_tokens_of_a_sentence(language: LanguagePack) -> None:
    text, expected = SENTENCES[language.code]
    assert language.tokens(text) == expected


def test_inflected_forms_share_a_stem(language: LanguagePack) -> None:
    for family in SHARED_STEMS[language.code]:
        assert len({language.stem(word) for word in family.split()}) == 1, family
        assert len(set(language.tokens(family))) == 1, family


def test_different_things_keep_different_stems(language: LanguagePack) -> None:
    words = DISTINCT[language.code].split()
    assert len(set(language.tokens(" ".join(words)))) == len(words)


def test_stop_words_are_out_and_negations_stay(language: LanguagePack) -> None:
    assert language.tokens(" ".join(sorted(language.stop_words)).upper()) == []
    assert len(language.stop_words) > 80
    negations = NEGATIONS[language.code].split()
    assert len(language.tokens(" ".join(negations))) == len(negations)


def test_lists_are_in_lower_case(language: LanguagePack) -> None:
    for word in language.stop_words | language.markers:
        assert word == word.lower()
        assert word == word.strip() != ""


def test_markers_flag_importance(language: LanguagePack) -> None:
    known = {
        "en": {"key", "important", "critical", "decision", "agreed", "prefers"},
        "ru": {"важно", "решили"},
        "zh": {"重要", "决定"},
    }
    assert known[language.code] <= language.markers
    assert not language.markers & language.stop_words


def test_synonyms_lead_from_stem_to_stem_in_one_step(language: LanguagePack) -> None:
    assert 5 <= len(language.synonyms) <= 40
    for stem, chosen in language.synonyms.items():
        assert stem != chosen
        assert chosen not in language.synonyms


def test_synonyms_bring_words_together() -> None:
    pairs = [("en", "likes cilantro", "loves coriander"), ("ru", "кориандр", "кинзу"), ("zh", "芫荽", "香菜")]
    for code, first, second in pairs:
        language = pack(code)
        mapped = [[language.synonyms.get(t, t) for t in language.tokens(text)] for text in (first, second)]
        assert mapped[0] == mapped[1]


def test_likes_and_dislikes_stay_apart() -> None:
    english = pack("en")
    likes, hates = (english.synonyms.get(stem, stem) for stem in english.tokens("like hate"))
    assert likes != hates


def test_headings_are_all_there_and_take_their_field(language: LanguagePack) -> None:
    assert set(language.headings) == set(HEADING_FIELDS)
    filled = {name: text.format(day="D", who="W", text="T") for name, text in language.headings.items()}
    assert ("D" in filled["today"], "W" in filled["customer"], "T" in filled["customer_says"]) == (True,) * 3
    assert len(set(filled.values())) == len(filled)


def test_headings_tell_the_languages_apart() -> None:
    for name in HEADING_FIELDS:
        assert len({pack(code).headings[name] for code in CODES}) == len(CODES)


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_odd_text_survives(language: LanguagePack, text: str) -> None:
    assert all(language.tokens(text))
    assert isinstance(language.stem(text), str)


@settings(max_examples=100, deadline=None)
@given(TEXT, st.sampled_from(CODES))
def test_any_text_gives_the_same_lower_case_tokens_each_time(text: str, code: str) -> None:
    language = pack(code)
    tokens = language.tokens(text)
    assert tokens == language.tokens(text)
    assert all(token and token == token.lower() for token in tokens)
    assert isinstance(language.stem(text), str)


@settings(max_examples=50, deadline=None)
@given(TEXT, TEXT, st.sampled_from(CODES))
def test_tokens_of_two_texts_are_the_tokens_of_each(first: str, second: str, code: str) -> None:
    language = pack(code)
    assert language.tokens(first + "\n" + second) == language.tokens(first) + language.tokens(second)


def test_threads_may_share_a_pack(language: LanguagePack) -> None:
    text = SENTENCES[language.code][0] * 20
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(language.tokens, [text] * 40))
    assert all(answer == language.tokens(text) for answer in answers)


def test_typographic_apostrophes_and_wide_letters_are_plain_ones() -> None:
    assert pack("en").tokens("I\u2019d like \uff52\uff41men") == pack("en").tokens("I'd like ramen")


def test_russian_takes_e_for_yo() -> None:
    language = pack("ru")
    assert language.tokens("зелёный лук и её мёд") == language.tokens("зеленый лук и ее мед")


def test_an_unknown_language_names_the_key_and_the_choices() -> None:
    with pytest.raises(ConfigError, match=r"scenario\.language: .*'xx'.*en, ru, zh"):
        pack("xx")


@pytest.mark.parametrize("broken", [{}, {**russian().headings, "today": "Сегодня."}])
def test_a_pack_without_its_headings_cannot_be_built(broken: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="heading"):
        SnowballPack(
            code="ru", algorithm="russian", stop_words=frozenset(), markers=frozenset(), headings=broken
        )


def test_headings_cannot_be_changed(language: LanguagePack) -> None:
    with pytest.raises(TypeError):
        language.headings["you"] = "I"  # type: ignore[index]


def test_chinese_finds_words_without_spaces() -> None:
    language = pack("zh")
    assert set(language.tokens("香菜")) <= set(language.tokens("我不要香菜，谢谢"))
    assert language.tokens("担担面加2个鸡蛋") == ["担担", "担面", "面加", "2", "鸡蛋"]
