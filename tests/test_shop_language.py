"""What customers say in the noodle shop, and what a careful reader takes from it."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.noodle_shop.events import event_text
from scenarios.noodle_shop.menu import SINGLE, SLOTS, STANDARD, Menu, menu_from, standard_menu
from scenarios.noodle_shop.phrases import MOVES, Phrases, implied
from scenarios.noodle_shop.reader import Reader
from scenarios.noodle_shop.speech import LANGUAGES, MOODS, Speech, speech
from sim.errors import ConfigError
from sim.memory.protocol import Claim
from sim.streams import Stream

MENU = standard_menu()
READERS = {code: Reader(code, MENU) for code in LANGUAGES}
TALKATIVE = {"new_wish", "reversal", "allergy", "style"}
NEEDS_DISH = {"order", "clarify", "feedback_wrong"}
ASKS = {name: {name} for name in ("usual", "last_visit", "recommended", "liked")}
# Spaces and stops that no language puts so, and an unfilled field; sentences begin in upper case.
BADLY_SET = re.compile(
    r"[ ,:][.,?!]|  |[{}]|^[a-zа-яё]|[，：、][。，？！：]|[。！？][，。]| [一-鿿]|[一-鿿] "
)

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
    ("There was egg in it, and I had asked for none.", "liked=bad"),
    ("Everything was lovely, see you soon!", "liked=good"),
    ("That wasn't bad at all.", "liked=good"),
    ("I'm not allergic to soy, just to fish.", "allergy=-soy allergy=fish"),
    ("I found it delicious, but next time no garlic.", "liked=good without=garlic"),
    ("Somebody mixed up my order, mine was the udon.", "liked=bad dish=curry_udon"),
    ("Did I enjoy the laksa last time?", "dish=laksa"),
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
    ("Всё было замечательно, спасибо!", "liked=good"),
    ("Мне не понравилось, слишком много чеснока.", "liked=bad"),
    ("У меня нет аллергии на сою, только на рыбу.", "allergy=-soy allergy=fish"),
    ("Уберите чеснок, зато положите бамбук.", "without=garlic extra=bamboo"),
    ("Перехожу с лаксы на удон.", "dish=curry_udon"),
    ("Не собу, а тантанмен.", "dish=tantanmen"),
    ("Там было яйцо.", ""),
    ("Чеснок теперь можно.", "without=-garlic"),
]

CHINESE = [
    (
        "来一碗大份的豚骨拉面，加两个鸡蛋，不要香菜。",
        "dish=tonkotsu_ramen portion=large extra=egg without=coriander",
    ),
    ("以前我吃酱油拉面，现在改吃味噌拉面了。", "dish=miso_ramen"),
    ("我对花生过敏，千万别放。", "allergy=peanut"),
    ("我不吃蒜，也不吃姜。", "without=garlic without=ginger"),
    ("香菜可以放回来了。", "without=-coriander"),
    ("我对大豆不过敏，只对鱼过敏。", "allergy=-soy allergy=fish"),
    ("别加豆腐了，加点竹笋吧。", "extra=-tofu extra=bamboo"),
    ("担担面，少放点辣。", "dish=tantanmen spice=mild"),
    ("不要葱花和豆芽，多放辣椒。", "without=spring_onion without=bean_sprout spice=hot"),
    ("回答短一点就行。", "style=short"),
    ("不是叻沙，是河粉。", "dish=beef_pho"),
    ("太好吃了，下次还来！", "liked=good"),
    ("味道不对，我点的是乌冬面。", "liked=bad dish=curry_udon"),
    ("今天天气真好。", ""),
    ("要小碗的荞麦面，玉米和蘑菇都要。", "portion=small dish=cold_soba extra=corn extra=mushroom"),
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
    wants_dish = move == "reversal" and data.draw(st.booleans())
    if move in NEEDS_DISH or wants_dish or (move in TALKATIVE and not claims):
        claims.append(claim("dish", dish))
    old = data.draw(dishes.filter(lambda name: name != dish))
    form = data.draw(st.sampled_from([{}, {"old": old}, {"name": "Mia", "habit": "7"}, {"habit": "a"}]))
    stream = Stream.root(data.draw(st.integers(0, 10_000)))
    text = Phrases(language).say(move, claims, stream, form | {"held_out": "never"})
    assert set(READERS[language].claims(text)) == set(claims) | set(implied(move)), text
    assert not BADLY_SET.search(text), text
    assert READERS[language].asked(text) == ASKS.get(move, set()), text


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=60, deadline=None)
@given(claims=claim_sets(), data=st.data())
def test_event_lines_are_read_back(language: str, claims: list[Claim], data: st.DataObject) -> None:
    singles = sorted(SINGLE - {"visit", "liked"} - {one.slot for one in claims})
    for slot in singles:
        polarity = data.draw(st.sampled_from((1, -1)))
        claims = [*claims, claim(slot, data.draw(st.sampled_from(MENU.values(slot))), polarity)]
    claims.append(claim("visit", "2026-02-09", data.draw(st.sampled_from((1, -1)))))
    claims.append(claim("liked", data.draw(st.sampled_from(MENU.values("liked")))))
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


@pytest.mark.parametrize(("text", "expected"), CHINESE)
def test_chinese_nobody_rehearsed(text: str, expected: str) -> None:
    assert set(READERS["zh"].claims(text)) == spelt(expected)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "You know what I like.", {"usual"}),
        ("en", "What did you recommend when I was last here?", {"recommended"}),
        ("en", "When was I here last, and what did you recommend?", {"last_visit", "recommended"}),
        ("ru", "Что вы советовали, когда я в последний раз приходил?", {"recommended"}),
        ("zh", "上次我来的时候你推荐了什么？", {"recommended"}),
        ("zh", "跟上次一样，谢谢。", {"usual"}),
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
        for language in LANGUAGES:
            form = {"old": "beef_pho", "name": "Mia"}
            said = {Phrases(language).say(move, claims, Stream.root(n), form) for n in range(300)}
            assert len(said) >= 12, (move, language)


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
    with pytest.raises(ValueError, match="held_out"):
        Phrases("en").say("thanks", [], Stream.root(1), {"held_out": "some"})


@settings(max_examples=50, deadline=None)
@given(text=st.text(max_size=200), language=st.sampled_from(LANGUAGES))
def test_the_reader_survives_any_text(text: str, language: str) -> None:
    for found in READERS[language].claims(text):
        assert MENU.allows(found.slot, found.value)
    assert READERS[language].asked(text) <= set(ASKS)
    assert READERS[language].mood(text) in MOODS


def test_the_reader_bounds_its_work_on_a_pasted_book() -> None:
    assert READERS["en"].claims("when was " * 20_000) == ()
    assert READERS["en"].asked("when was " * 20_000) == frozenset()


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_are_complete(language: str) -> None:
    words: Speech = speech(language)
    assert words.code == language
    moods = {f"mood:{mood}" for mood in MOODS}
    assert set(words.talk.moves) == set(MOVES) - {"mood"} | moods
    assert set(words.talk.replies) == set(speech("en").talk.replies)
    assert set(words.vocabulary.tones) == set(speech("en").vocabulary.tones)
    assert set(words.instructions.roles) == set(speech("en").instructions.roles)
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_can_be_described(language: str) -> None:
    looks = speech(language).people.descriptions
    assert len(set(looks)) >= 40
    assert not any(re.search(r'[():"\[\]]', text) for text in looks)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mood", MOODS)
def test_moods_are_heard(language: str, mood: str) -> None:
    for n in range(20):
        text = Phrases(language).say("mood", [], Stream.root(n), {"mood": mood, "held_out": "never"})
        assert READERS[language].mood(text) == mood, text


@pytest.mark.parametrize(
    ("language", "said", "item"),
    [
        ("en", "Certainly: laksa. May I recommend the egg?", "egg"),
        ("en", "How about the beef pho next time?", "beef_pho"),
        ("ru", "Хорошо: лакса. Советую попробовать карри-удон.", "curry_udon"),
        ("zh", "好的：叻沙。要不要试试豆腐？", "tofu"),
    ],
)
def test_what_a_waiter_recommends_is_an_offer(language: str, said: str, item: str) -> None:
    claims = READERS[language].of_waiter(said)
    assert [one.value for one in claims if one.slot == "offer"] == [item]
    assert not any(one.value == item and one.slot != "offer" for one in claims)


def test_feedback_says_how_it_was_whether_told_to_or_not() -> None:
    for language in LANGUAGES:
        for told in ([], list(implied("feedback_right"))):
            text = Phrases(language).say("feedback_right", told, Stream.root(4))
            assert READERS[language].claims(text) == implied("feedback_right")


def test_a_sentence_is_held_to_its_facts() -> None:
    facts = {claim("dish", "laksa"), claim("without", "garlic")}
    claims = READERS["en"].claims
    assert set(claims("Laksa today, but keep the garlic out of it.")) == facts
    assert set(claims("Laksa today, please.")) != facts
    assert set(claims("Laksa with egg, no garlic.")) != facts


def test_russian_surnames_agree() -> None:
    people = speech("ru").people
    assert people.full("Анна", "Петров") == "Анна Петрова"
    assert people.full("Анна", "Белый") == "Анна Белая"
    assert people.full("Иван", "Петров") == "Иван Петров"
    assert speech("en").people.full("Anna", "Baker") == "Anna Baker"


def test_russian_cases() -> None:
    wanted = [claim("dish", "laksa"), claim("without", "coriander")]
    said = {Phrases("ru").say("order", wanted, Stream.root(n), {"held_out": "never"}) for n in range(60)}
    assert any("лаксу" in text and "без кинзы" in text for text in said)
    assert not any("без кинза" in text for text in said)
    # the nominative is right behind a colon only
    assert not any("лакса без" in text and ": лакса" not in text for text in said)


def test_no_phrase_carries_a_tag() -> None:
    for language in LANGUAGES:
        talk = speech(language).talk
        wordings = [*talk.moves.values(), *talk.fragments.values(), *talk.sentences.values()]
        wordings += talk.held_out.values()
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
    assert not MENU.allows("visit", "laksa")
    assert not MENU.allows("dish", "egg")
    assert not MENU.allows("mood", "good")
    assert MENU.allows("offer", "laksa")
    assert MENU.allows("offer", "egg")
    assert MENU.values("liked") == ("good", "bad")


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
