"""What customers say in the noodle shop, and what a careful reader takes from it."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.noodle_shop.events import event_text
from scenarios.noodle_shop.menu import SINGLE, SLOTS, STANDARD, Menu, menu_from, standard_menu
from scenarios.noodle_shop.phrases import MOVES, Phrases
from scenarios.noodle_shop.reader import Reader
from scenarios.noodle_shop.speech import LANGUAGES, Speech, speech
from sim.errors import ConfigError
from sim.memory.protocol import Claim
from sim.streams import Stream

MENU = standard_menu()
READERS = {code: Reader(code, MENU) for code in LANGUAGES}
DISHLESS = ("usual", "last_visit", "greeting", "thanks", "feedback_right")
ASKS = {"usual": {"usual"}, "last_visit": {"last_visit"}}

# Written apart from the phrases, to see whether the reader reads English and not our templates.
ENGLISH = [
    (
        "Evening! A big bowl of tonkotsu with two eggs, hold the cilantro and don't make it spicy.",
        "dish=tonkotsu_ramen extra=egg without=coriander spice=none portion=large",
    ),
    (
        "Could you do me the laksa, but without garlic or ginger? And go easy on the chilli.",
        "dish=laksa without=garlic without=ginger spice=mild",
    ),
    ("I used to take shoyu, now I'm a miso person.", "dish=miso_ramen"),
    ("I used to take laksa, now pho.", "dish=beef_pho"),
    ("I'm off eggs, so please don't put any in.", "extra=-egg"),
    ("No more egg.", "extra=-egg"),
    ("The coriander can come back, I've grown fond of it.", "without=-coriander"),
    ("Just so you know, shellfish could kill me.", "allergy=shellfish"),
    ("I've got a peanut allergy.", "allergy=peanut"),
    ("No egg please, I'm allergic.", "allergy=egg"),
    ("Turns out I don't have a sesame allergy.", "allergy=-sesame"),
    ("Kick the bean sprouts out, and add some corn.", "without=bean_sprout extra=corn"),
    ("Not the udon, the soba, and a little spicy.", "dish=cold_soba spice=mild"),
    ("Pho. Scallions are fine again.", "dish=beef_pho without=-spring_onion"),
    ("Skip the tofu from today on; I'd rather have pork on top.", "extra=-tofu extra=pork"),
    ("I don't want garlic any more, and no heat whatsoever.", "without=garlic spice=none"),
    ("Extra egg, no fish, I'm allergic.", "extra=egg allergy=fish"),
    ("Coriander again, please.", "without=-coriander"),
    ("Not too spicy, please.", "spice=mild"),
    ("Don't make it too hot.", "spice=mild"),
    ("Please be more concise.", "style=short"),
    ("I love it when you explain everything.", "style=detailed"),
    ("Same again as always, but hot today and with mushrooms.", "spice=hot extra=mushroom"),
    ("Garlic I don't like.", "without=garlic"),
    ("There was egg in it, and I had asked for none.", ""),
    ("Everything was lovely, see you soon!", ""),
    ("When was it that I last came by?", ""),
    (
        "A tantanmen with tofu and corn, leave the spring onions and the garlic out, medium heat.",
        "dish=tantanmen extra=tofu extra=corn without=spring_onion without=garlic spice=medium",
    ),
    ("No more chilli for me, doctor's orders.", "spice=none"),
    ("I switched from laksa to pho a while ago.", "dish=beef_pho"),
    ("Prawns and fish make me sick.", "allergy=shellfish allergy=fish"),
    (
        "I'd like my miso ramen garlic-free and as a small portion.",
        "dish=miso_ramen without=garlic portion=small",
    ),
    ("I no longer eat pork. Bamboo instead, please.", "extra=-pork extra=bamboo"),
    ("You can stop leaving out the sesame.", "without=-sesame"),
    ("Leave out, please, the ginger.", "without=ginger"),
    ("Tofu instead of pork from now on.", "extra=tofu extra=-pork"),
    ("Cold soba, no wait, curry udon with an egg.", "dish=curry_udon extra=egg"),
    ("Extra bamboo, small, mild.", "extra=bamboo portion=small spice=mild"),
    ("It's hot outside today, a cold soba would be nice.", "dish=cold_soba"),
    ("No small talk please, just the noodles.", "style=short"),
    ("Mine is the tonkotsu. Forget the egg.", "dish=tonkotsu_ramen extra=-egg"),
    ("I can't eat ginger.", "without=ginger"),
    ("The usual, and I would like the spring onions back.", "without=-spring_onion"),
    ("Until now I had it mild. From today on make it really hot.", "spice=hot"),
    ("I'm a regular here, remember me?", ""),
]
RUSSIAN = [
    (
        "Добрый вечер, хочу тонкоцу с двумя яйцами, кинзу не кладите.",
        "dish=tonkotsu_ramen extra=egg without=coriander",
    ),
    ("Раньше я брала сёю, теперь мисо.", "dish=miso_ramen"),
    (
        "Большую лаксу, неострую, без чеснока и без лука.",
        "dish=laksa portion=large spice=none without=garlic without=spring_onion",
    ),
    ("Яйца мне больше не нужны.", "extra=-egg"),
    ("Кинзу можно вернуть.", "without=-coriander"),
    ("От арахиса мне становится плохо.", "allergy=peanut"),
    ("Оказалось, что у меня нет аллергии на кунжут.", "allergy=-sesame"),
    ("У меня аллергия на креветки и рыбу, будьте осторожны.", "allergy=shellfish allergy=fish"),
    ("Говорите, пожалуйста, короче.", "style=short"),
    ("А поподробнее можно?", "style=detailed"),
    ("Мне как всегда, но поострее.", "spice=hot"),
    ("Имбирь я не ем.", "without=ginger"),
    ("Добавьте кукурузы и грибов, пожалуйста.", "extra=corn extra=mushroom"),
    ("Вместо свинины теперь тофу.", "extra=-pork extra=tofu"),
    ("Фо, маленькую порцию, слегка острый.", "dish=beef_pho portion=small spice=mild"),
    ("Больше никакой остроты, врач запретил.", "spice=none"),
    ("Всё было замечательно, спасибо!", ""),
    ("Уберите чеснок, зато положите бамбук.", "without=garlic extra=bamboo"),
    ("Перехожу с лаксы на удон.", "dish=curry_udon"),
    ("Не собу, а тантанмен.", "dish=tantanmen"),
    ("Там было яйцо.", ""),
    ("Чеснок теперь можно.", "without=-garlic"),
]


def claim(slot: str, value: str, polarity: int = 1) -> Claim:
    return Claim(slot=slot, value=value, polarity=polarity)


def spelt(text: str) -> set[Claim]:
    pairs = [part.split("=") for part in text.split()]
    return {claim(slot, value.lstrip("-"), -1 if value.startswith("-") else 1) for slot, value in pairs}


@st.composite
def claim_sets(draw: st.DrawFn, *, reversed_too: bool = True) -> list[Claim]:
    """Consistent claims: at most one value of a single slot, one polarity per value elsewhere."""
    found = []
    for slot in ("extra", "without", "allergy"):
        chosen = draw(st.lists(st.sampled_from(MENU.values(slot)), max_size=3, unique=True))
        polarity = draw(st.sampled_from((1, -1))) if reversed_too else 1
        found += [claim(slot, value, polarity) for value in chosen]
    for slot in ("spice", "portion", "style"):
        chosen = draw(st.none() | st.sampled_from(MENU.values(slot)))
        if chosen:
            found.append(claim(slot, chosen))
    return draw(st.permutations(found))


dishes = st.sampled_from(MENU.values("dish"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("move", MOVES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_reader_takes_exactly_what_was_said(language: str, move: str, data: st.DataObject) -> None:
    claims = data.draw(claim_sets())
    dish = data.draw(dishes)
    needs_dish = move in {"order", "clarify", "feedback_wrong"}
    if (
        needs_dish
        or (move == "reversal" and data.draw(st.booleans()))
        or (move not in DISHLESS and not claims)
    ):
        claims.append(claim("dish", dish))
    old = data.draw(dishes.filter(lambda name: name != dish))
    form = data.draw(st.sampled_from([None, {"old": old}, {"name": "Mia", "habit": "7"}, {"habit": "a"}]))
    stream = Stream.root(data.draw(st.integers(0, 10_000)))
    text = Phrases(language).say(move, claims, stream, form)
    assert set(READERS[language].claims(text)) == set(claims), text
    assert not re.search(r"[ ,:][.,?!]|  |[{}]|^[^A-ZА-ЯЁ]", text), text
    assert READERS[language].asked(text) == ASKS.get(move, set()), text


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=60, deadline=None)
@given(claims=claim_sets(), data=st.data())
def test_event_lines_are_read_back(language: str, claims: list[Claim], data: st.DataObject) -> None:
    singles = sorted(SINGLE - {"visit"} - {one.slot for one in claims})
    for slot in singles:
        polarity = data.draw(st.sampled_from((1, -1)))
        claims = [*claims, claim(slot, data.draw(st.sampled_from(MENU.values(slot))), polarity)]
    claims.append(claim("visit", "2026-02-09", data.draw(st.sampled_from((1, -1)))))
    text = event_text(language, claims)
    assert set(READERS[language].claims(text)) == set(claims), text
    assert not READERS[language].asked(text)
    assert "\n" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_event_without_claims_claims_nothing(language: str) -> None:
    text = event_text(language, [])
    assert text
    assert READERS[language].claims(text) == ()


@pytest.mark.parametrize(("text", "expected"), ENGLISH)
def test_english_nobody_rehearsed(text: str, expected: str) -> None:
    assert set(READERS["en"].claims(text)) == spelt(expected)


@pytest.mark.parametrize(("text", "expected"), RUSSIAN)
def test_russian_nobody_rehearsed(text: str, expected: str) -> None:
    assert set(READERS["ru"].claims(text)) == spelt(expected)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "You know what I like.", {"usual"}),
        ("en", "The usual - and when was I here last?", {"usual", "last_visit"}),
        ("en", "How long is it since I last visited?", {"last_visit"}),
        ("en", "My portion was as usual too small.", {"usual"}),
        ("en", "At last, noodles!", set()),
        ("ru", "Мне то же самое, что обычно.", {"usual"}),
        ("ru", "В какой день меня тут видели?", {"last_visit"}),
        ("ru", "Обычную порцию, пожалуйста.", set()),
    ],
)
def test_questions_are_heard(language: str, text: str, expected: set[str]) -> None:
    assert READERS[language].asked(text) == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_moves_have_variety_and_habits_have_less(language: str) -> None:
    phrases, dish = Phrases(language), [claim("dish", "laksa")]
    streams = [Stream.root(seed) for seed in range(200)]
    free = {phrases.say("order", dish, stream) for stream in streams}
    habit = {phrases.say("order", dish, stream, {"habit": "c-1"}) for stream in streams}
    assert len(free) >= 6
    assert 1 < len(habit) <= 3
    assert habit < free


def test_every_move_has_enough_phrasings() -> None:
    for move in MOVES:
        claims = {"style": [claim("style", "short")], "allergy": [claim("allergy", "fish")]}.get(move, [])
        if move in {"order", "clarify", "feedback_wrong", "new_wish", "reversal"}:
            claims = [claim("dish", "laksa"), claim("extra", "egg")]
        for language, least in (("en", 6), ("ru", 2)):
            form = {"old": "beef_pho", "name": "Mia"}
            said = {Phrases(language).say(move, claims, Stream.root(n), form) for n in range(300)}
            assert len(said) >= least, (move, language)


def test_the_same_stream_says_the_same() -> None:
    claims = [claim("dish", "laksa"), claim("spice", "hot")]
    first = Phrases("en").say("order", claims, Stream.root(3))
    assert first == Phrases("en").say("order", list(reversed(claims)), Stream.root(3))


def test_what_cannot_be_said_is_refused() -> None:
    with pytest.raises(ValueError, match="shout"):
        Phrases("en").say("shout", [], Stream.root(1))
    with pytest.raises(ValueError, match="order"):
        Phrases("en").say("order", [], Stream.root(1))
    with pytest.raises(ValueError, match="2026-01-05"):
        Phrases("en").say("thanks", [claim("visit", "2026-01-05")], Stream.root(1))


@settings(max_examples=50, deadline=None)
@given(text=st.text(max_size=200), language=st.sampled_from(LANGUAGES))
def test_the_reader_survives_any_text(text: str, language: str) -> None:
    for found in READERS[language].claims(text):
        assert MENU.allows(found.slot, found.value)
    assert READERS[language].asked(text) <= {"usual", "last_visit"}


def test_the_reader_bounds_its_work_on_a_pasted_book() -> None:
    assert READERS["en"].claims("when was " * 20_000) == ()
    assert READERS["en"].asked("when was " * 20_000) == frozenset()


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_are_complete(language: str) -> None:
    words: Speech = speech(language)
    assert words.code == language
    assert set(words.talk.moves) == set(MOVES)
    for slot in SLOTS:
        missing = set(MENU.values(slot)) - set(words.talk.names.get(slot, {}))
        assert not missing, (slot, missing)
        assert {f"{slot}+", f"{slot}-"} <= set(words.talk.events)
    foods = set(words.vocabulary.words["food"])
    assert foods == {food for slot in ("extra", "without", "allergy") for food in MENU.values(slot)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_have_sixty_names_of_each_kind(language: str) -> None:
    people = speech(language).people
    assert len(set(people.first)) == 60
    assert len(set(people.last)) == 60
    assert len(people.last_women) == 60


def test_russian_surnames_agree() -> None:
    people = speech("ru").people
    assert people.full("Анна", "Петров") == "Анна Петрова"
    assert people.full("Анна", "Белый") == "Анна Белая"
    assert people.full("Иван", "Петров") == "Иван Петров"
    assert speech("en").people.full("Anna", "Baker") == "Anna Baker"


def test_russian_cases() -> None:
    said = {
        Phrases("ru").say("order", [claim("dish", "laksa"), claim("without", "coriander")], Stream.root(n))
        for n in range(60)
    }
    assert any("лаксу" in text and "без кинзы" in text for text in said)
    assert not any("лакса без" in text or "без кинза" in text for text in said)


def test_no_phrase_carries_a_tag() -> None:
    for language in LANGUAGES:
        talk = speech(language).talk
        wordings = [*talk.moves.values(), *talk.fragments.values(), *talk.sentences.values()]
        for text in (text for group in wordings for text in group):
            assert not re.search(r"[<>\[\]#_]", re.sub(r"\{\w+\}", "", text)), text


def test_unknown_language_names_the_key() -> None:
    with pytest.raises(ConfigError, match=r"scenario\.language=xx"):
        speech("xx")


def test_a_menu_of_ones_own_is_read_by_its_ids() -> None:
    menu = _menu(dishes={"egg_drop_soup": {"price": 5, "cooking_s": 60}})
    reader = Reader("en", menu)
    said = Phrases("en").say("order", [claim("dish", "egg_drop_soup"), claim("extra", "egg")], Stream.root(2))
    assert set(reader.claims(said)) == {claim("dish", "egg_drop_soup"), claim("extra", "egg")}
    assert reader.claims("The laksa, please.") == ()


def test_allergens_reach_the_plate_unless_left_out() -> None:
    assert MENU.allergens_on("tantanmen", ["egg"], ["sesame"]) == {"peanut", "egg"}
    assert MENU.allergens_on("cold_soba", [], []) == {"fish", "soy"}
    with pytest.raises(KeyError, match="pizza"):
        MENU.dish("pizza")


def test_menu_knows_what_may_be_meant() -> None:
    assert MENU.allows("dish", "laksa")
    assert MENU.allows("visit", "2026-01-05")
    assert not MENU.allows("dish", "egg")
    assert not MENU.allows("mood", "good")


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"dishes": {}}, r"scenario\.menu\.dishes"),
        ({"dishes": {"soup": {"price": 5}}}, "cooking_s"),
        ({"dishes": {"soup": {"price": -5, "cooking_s": 60}}}, r"scenario\.menu\.dishes\.soup"),
        ({"dishes": {"soup": {"price": 5, "cooking_s": 60, "allergens": ["dust"]}}}, "dust"),
        ({"without": ["egg"]}, "egg stands under extra"),
        ({"extra": None}, r"scenario\.menu"),
    ],
)
def test_a_bad_menu_is_refused_by_name(change: dict[str, object], names: str) -> None:
    with pytest.raises(ConfigError, match=names):
        _menu(**change)


def _menu(**change: object) -> Menu:
    return menu_from({**STANDARD, **change})


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wish_about_manners_needs_no_list_of_dishes(language: str) -> None:
    for n in range(40):
        text = Phrases(language).say("new_wish", [claim("style", "short")], Stream.root(n))
        assert not re.search(r"[ :][.,]", text), text
