"""The surrogate: errors at the rates given, paired between arms, never hanging on the prompt."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.errors import ConfigError
from sim.llm.ladder.structured import Ladder
from sim.llm.protocol import Request
from sim.llm.surrogate import DAMAGES, Rates, Slips, Surrogate
from sim.llm.tokens import estimate_tokens
from sim.records import ActId
from sim.streams import Stream

SCHEMA = {
    "type": "object",
    "properties": {"dish": {"type": "string"}, "known": {"type": ["boolean", "null"]}},
    "required": ["dish", "known"],
    "additionalProperties": False,
}
CHOICES = ("ramen", "udon", "soba")


def act(number: int = 0, attempt: int = 0) -> ActId:
    """One of many acts."""
    return ActId(agent="mei", customer="anna", visit=f"v{number}", purpose="reply", attempt=attempt)


def request(number: int = 0, **fields: Any) -> Request:
    """A question of one act."""
    wanted = {
        "role": "order",
        "system": "You are a waiter.",
        "user": "Ramen!",
        "schema": SCHEMA,
        "act": act(number),
    }
    return Request(**{**wanted, **fields})


def order(asked: Request, slips: Slips) -> dict[str, Any]:
    """A skill that reads one word and may miss it."""
    dish = "don't know" if slips.missed("anna", "dish") else asked.user.rstrip("!")
    return {"dish": dish, "known": None if slips.ignored("anna", "dish") else True}


def surrogate(seed: int = 0, **rates: Any) -> Surrogate:
    """A surrogate with the one skill."""
    skills = {"order": order, "mood": lambda asked, slips: {"text": "cheerful"}}
    return Surrogate(skills, Rates(**rates), seed)


def texts(model: Surrogate, **fields: Any) -> list[str]:
    """Replies to 200 questions of different acts."""

    async def ask() -> list[str]:
        return [(await model.complete(request(number, **fields))).text for number in range(200)]

    return asyncio.run(ask())


def slips(number: int, rate: float, seed: int = 0, attempt: int = 0) -> Slips:
    """The errors of one act with all rates alike."""
    rates = Rates(missed_extraction=rate, ignored_context=rate, confabulation=rate, lost_in_compression=rate)
    return Slips(rates, Stream.root(seed), act(number, attempt))


def drawn(errors: Slips, slot: str = "dish") -> tuple[bool, ...]:
    """All draws for one slot."""
    names = ("anna", slot)
    kinds = (errors.missed, errors.ignored, errors.confabulated, errors.lost)
    return tuple(kind(*names) for kind in kinds)


@given(st.integers(0, 10_000), st.floats(0, 1), st.floats(0, 1), st.text())
def test_a_higher_rate_makes_the_same_errors_and_more(number: int, one: float, two: float, slot: str) -> None:
    fewer, more = drawn(slips(number, min(one, two)), slot), drawn(slips(number, max(one, two)), slot)
    assert all(high or not low for low, high in zip(fewer, more, strict=True))


@given(st.integers(0, 10_000))
def test_rates_of_nothing_and_of_all_are_exact(number: int) -> None:
    assert drawn(slips(number, 0.0)) == (False,) * 4
    assert drawn(slips(number, 1.0)) == (True,) * 4


@given(st.integers(0, 10_000), st.text(), st.text())
def test_a_retry_of_the_act_errs_alike(number: int, customer: str, slot: str) -> None:
    first, again = slips(number, 0.5), slips(number, 0.5, attempt=1)
    assert drawn(first, slot) == drawn(again, slot) == drawn(first, slot)
    assert first.invented(customer, slot, CHOICES) == again.invented(customer, slot, CHOICES)
    assert first.lost(customer, slot, "egg") == again.lost(customer, slot, "egg")


def test_errors_happen_at_the_rate_given() -> None:
    many = [drawn(slips(number, 0.2)) for number in range(2000)]
    for kind in zip(*many, strict=True):
        assert 0.16 < sum(kind) / len(kind) < 0.24


def test_kinds_slots_customers_and_seeds_err_independently() -> None:
    draws = {
        "kind": [slips(n, 0.5).ignored("anna", "dish") for n in range(2000)],
        "slot": [slips(n, 0.5).missed("anna", "spice") for n in range(2000)],
        "customer": [slips(n, 0.5).missed("anni", "dish") for n in range(2000)],
        "seed": [slips(n, 0.5, seed=1).missed("anna", "dish") for n in range(2000)],
    }
    reference = [slips(n, 0.5).missed("anna", "dish") for n in range(2000)]
    for name, other in draws.items():
        agree = sum(one == two for one, two in zip(reference, other, strict=True)) / 2000
        assert 0.45 < agree < 0.55, name


def test_what_is_lost_may_hang_on_the_value() -> None:
    lost = [slips(0, 0.5).lost("anna", "extras", str(value)) for value in range(50)]
    assert 10 < sum(lost) < 40


def test_what_is_invented_is_one_of_the_choices() -> None:
    seen = {slips(number, 1.0).invented("anna", "dish", CHOICES) for number in range(100)}
    assert seen == set(CHOICES)
    with pytest.raises(ValueError, match="slot dish"):
        slips(0, 1.0).invented("anna", "dish", ())


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_a_rate_outside_0_to_1_names_its_key(rate: float) -> None:
    with pytest.raises(ConfigError, match=r"llm\.rates\.confabulation"):
        Rates(confabulation=rate)


def test_errors_do_not_hang_on_the_words_of_the_prompt() -> None:
    rates: dict[str, Any] = {"missed_extraction": 0.3, "ignored_context": 0.3, "malformed_json": 0.3}
    plain = texts(surrogate(**rates))
    wordy = texts(surrogate(**rates), system="You are a waiter. Be brief. " * 20)
    assert plain == wordy
    other = texts(surrogate(**rates), user="Udon!")
    assert [text.replace("Udon", "Ramen") for text in other if text.endswith("}")] == [
        text for text in plain if text.endswith("}")
    ]


def test_the_same_seed_gives_the_same_replies_and_another_gives_others() -> None:
    rates: dict[str, Any] = {"missed_extraction": 0.3, "malformed_json": 0.3}
    assert texts(surrogate(1, **rates)) == texts(surrogate(1, **rates)) != texts(surrogate(2, **rates))


def test_perfect_rates_give_plain_json() -> None:
    assert set(texts(surrogate())) == {'{"dish": "Ramen", "known": true}'}


def test_damage_happens_at_its_rate_and_in_every_way() -> None:
    data = {"dish": "don't know", "known": None}
    broken = [
        text for text in texts(surrogate(malformed_json=0.3)) if not text.startswith('{"') or text[-1] != "}"
    ]
    assert 0.15 < len(broken) / 200 < 0.40
    assert len({way(data) for way in DAMAGES}) == len(DAMAGES) == 7
    assert len(set(texts(surrogate(malformed_json=1.0)))) == len(DAMAGES)


def test_a_reask_draws_damage_anew() -> None:
    model = surrogate(malformed_json=0.5)
    first = [text.startswith('{"dish": "Ramen", "known": true}') for text in texts(model)]
    again = [text.startswith('{"dish": "Ramen", "known": true}') for text in texts(model, attempt=1)]
    agree = sum(one == two for one, two in zip(first, again, strict=True)) / 200
    assert 0.35 < agree < 0.65


def test_a_reask_reads_the_same_prompt() -> None:
    seen = []

    def skill(asked: Request, _: Slips) -> dict[str, Any]:
        seen.append(asked.user)
        return {"dish": 7}

    outcome = asyncio.run(Ladder(Surrogate({"order": skill}, Rates(), 0)).ask(request()))
    assert outcome.kind == "schema_violation"
    assert seen == ["Ramen!", "Ramen!"]


WORDS = st.text(alphabet="abc 'don\"{}[],:ёжя面条\n\\", max_size=30)


@given(WORDS, st.sampled_from([None, True, False]), st.integers(0, 10_000))
def test_damage_never_changes_what_is_said(dish: str, known: bool | None, number: int) -> None:
    """What comes through the ladder is what the skill said, or it is a failure."""
    data = {"dish": dish, "known": known}
    model = Surrogate({"order": lambda asked, slips: data}, Rates(malformed_json=1.0), 0)
    outcome = asyncio.run(Ladder(model).ask(request(number)))
    assert outcome.value in (data, None)


def test_most_damage_is_recovered() -> None:
    model = surrogate(malformed_json=1.0)

    async def ask() -> list[str]:
        return [(await Ladder(model).ask(request(number))).kind for number in range(200)]

    kinds = asyncio.run(ask())
    assert set(kinds) == {"recovered", "truncated", "empty"}
    assert kinds.count("recovered") > 160


def test_free_text_is_said_plainly() -> None:
    assert set(texts(surrogate(malformed_json=1.0), role="mood", schema=None)) == {"cheerful"}


def test_an_unknown_role_is_a_mistake_and_no_failure_of_the_model() -> None:
    with pytest.raises(ConfigError, match="'cook'"):
        asyncio.run(Ladder(surrogate()).ask(request(role="cook")))


def test_an_act_that_is_retried_gets_the_same_reply() -> None:
    model = surrogate(missed_extraction=0.5, malformed_json=0.5)
    retried = [replace(request(number), act=act(number, attempt=1)) for number in range(200)]

    async def ask() -> list[str]:
        return [(await model.complete(one)).text for one in retried]

    assert asyncio.run(ask()) == texts(model)


def test_tokens_are_counted() -> None:
    reply = asyncio.run(surrogate().complete(request()))
    assert reply.prompt_tokens >= estimate_tokens("You are a waiter.")
    assert reply.completion_tokens == estimate_tokens(json.dumps({"dish": "Ramen", "known": True}))


SAMPLES = (
    "The waiter remembered that Anna always orders the beef noodle soup without egg, a little less hot.",
    "customer: Zhang Wei; usual: dan dan noodles, bok choy, tonkotsu; allergy: peanuts",
    '{"action":"take_order","details":{"dish":"beef_noodle","extras":["egg"],"spice":3},"confidence":0.85}',
    "2026-01-05 12:30:45 anna v0003 0.25 1500",
    "Официант помнит, что Анна всегда заказывает говяжью лапшу без яйца, но просит меньше перца.",
    "服务员记得安娜总是点牛肉面,不要鸡蛋,这次她说少放一点辣椒。香菜也不要,谢谢。",
    "Great 🍜🍜 thanks 🙏",
)


@pytest.mark.parametrize("text", SAMPLES)
def test_the_estimate_lies_above_a_real_tokenizer_but_not_far(text: str) -> None:
    """Against the Llama 2 tokenizer that wordllama carries."""
    tokenizers = pytest.importorskip("tokenizers")
    wordllama = pytest.importorskip("wordllama")
    file = Path(wordllama.__file__).parent / "tokenizers" / "l2_supercat_tokenizer_config.json"
    real = len(tokenizers.Tokenizer.from_file(str(file)).encode(text, add_special_tokens=False).ids)
    assert real <= estimate_tokens(text) <= 2 * real


@given(st.text(), st.text())
def test_the_estimate_never_shrinks_as_the_text_grows(one: str, two: str) -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens(one + two) >= max(estimate_tokens(one), estimate_tokens(two))
    assert estimate_tokens(one + two) <= estimate_tokens(one) + estimate_tokens(two)
