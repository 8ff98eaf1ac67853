"""Records are frozen, named and checked; canonical JSON has one form per content."""

import json
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim import records
from sim.agents import effects
from sim.llm.protocol import Request
from sim.memory.protocol import Claim, Kept, Owner, Record
from sim.records import LOSSES, OUTCOMES, STAGES, ActId, as_payload, canonical, utterance_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(payload=JSON)
def test_canonical_json_says_what_was_put_in(payload: object) -> None:
    assert json.loads(canonical(payload)) == payload


@given(payload=st.dictionaries(st.text(), JSON, max_size=6))
def test_the_order_of_keys_makes_no_difference(payload: dict[str, object]) -> None:
    assert canonical(dict(reversed(payload.items()))) == canonical(payload)


def test_canonical_json_has_no_spaces_and_plain_letters() -> None:
    assert canonical({"б": [1, 2], "a": "面"}) == '{"a":"面","б":[1,2]}'
    assert as_payload(text="x", n=1) == '{"n":1,"text":"x"}'
    assert json.loads(canonical("half \ud83c")) == "half \ud83c"


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError):
        canonical({"when": object()})


def kinds(module: object) -> list[type]:
    found = [kind for kind in vars(module).values() if isinstance(kind, type) and is_dataclass(kind)]
    return [kind for kind in found if kind.__module__ == module.__name__]  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", [*kinds(records), *kinds(effects)], ids=lambda kind: kind.__name__)
def test_every_record_and_effect_is_frozen_and_keyword_only(kind: type) -> None:
    settings = kind.__dataclass_params__  # type: ignore[attr-defined]
    assert settings.frozen
    assert all(field.kw_only for field in fields(kind))  # type: ignore[arg-type]
    assert "__dict__" not in dir(kind), "slots keep a record small and closed"


def test_there_are_records_to_look_at() -> None:
    names = {kind.__name__ for kind in kinds(records)}
    assert names >= {"ActId", "Event", "Visit", "Telling", "Probe", "LlmCall"}


def test_a_record_cannot_be_changed() -> None:
    act = ActId(agent="w1", purpose="reply")
    with pytest.raises(FrozenInstanceError):
        act.agent = "w2"  # type: ignore[misc]


def test_an_act_is_known_by_all_its_parts() -> None:
    act = ActId(agent="w1", customer="anna", visit="anna/3", exchange=2, purpose="reply")
    assert str(act) == "w1|anna|anna/3|2|reply|0"
    others = [
        replace(act, agent="w2"),
        replace(act, customer="boris"),
        replace(act, visit="anna/4"),
        replace(act, exchange=3),
        replace(act, purpose="reflect"),
        replace(act, attempt=1),
    ]
    assert len({str(one) for one in [act, *others]}) == len({act, *others}) == 7


def test_an_utterance_is_the_same_for_all_acts_of_its_exchange_and_agent() -> None:
    act = ActId(agent="w1", customer="anna", visit="anna/3", exchange=2, purpose="reply")
    assert utterance_of(act) == utterance_of(replace(act, purpose="reflect", attempt=1))
    apart = {utterance_of(one) for one in (act, replace(act, exchange=3), replace(act, agent="chef"))}
    assert len(apart) == 3, "what is said to the chef is not what is said to the waiter"


def test_names_of_stages_outcomes_and_losses_are_each_given_once() -> None:
    for names in (STAGES, OUTCOMES, LOSSES):
        assert len(set(names)) == len(names)
    assert STAGES[0] == "told"
    assert STAGES[-1] == "answered"


def test_records_check_themselves_when_built() -> None:
    with pytest.raises(ValueError, match="polarity is 1 or -1, not 0"):
        Claim(slot="extra", value="egg", polarity=0)
    with pytest.raises(ValueError, match="name of its store"):
        Owner(store="")
    with pytest.raises(ValueError, match="must be positive"):
        Request(role="order", system="", user="", act=ActId(agent="w1", purpose="reply"), max_tokens=0)
    with pytest.raises(ValueError, match="needs an id"):
        record(id="")
    with pytest.raises(ValueError, match="name the customer of each claim"):
        record(claims=(Claim(slot="dish", value="pho"),), claimants=("anna", "boris"))


def record(**changes: object) -> Record:
    plain: dict[str, object] = {
        "id": "r",
        "at_ms": 0,
        "visible_at_ms": 10,
        "agent": "w1",
        "customer": "anna",
        "visit": "anna/1",
        "kind": "event",
        "text": "",
    }
    return Record(**(plain | changes))  # type: ignore[arg-type]


def test_claims_are_those_of_the_customer_asked_about() -> None:
    pho, egg = Claim(slot="dish", value="pho"), Claim(slot="extra", value="egg")
    own = record(claims=(pho, egg))
    assert own.claims_of("anna") == (pho, egg)
    assert own.claims_of("boris") == ()
    summary = record(customer="", kind="summary", claims=(pho, egg), claimants=("boris", "anna"))
    assert summary.claims_of("anna") == (egg,)
    assert summary.claims_of("boris") == (pho,)
    assert summary.claims_of("") == ()


def test_a_record_lives_from_its_visibility_until_it_is_retired() -> None:
    lives = [at_ms for at_ms in range(9, 22) if Kept(record=record(), retired_at_ms=20).live(at_ms)]
    assert lives == list(range(10, 20))
    assert Kept(record=record()).live(10**9)


def test_owners_name_store_and_person() -> None:
    assert str(Owner(store="w1")) == "w1"
    assert str(Owner(store="w1", customer="anna")) == "w1/anna"
    assert Owner(store="w1") != Owner(store="w1", customer="")


def test_what_decides_an_answer_is_not_who_asks() -> None:
    request = Request(role="order", system="s", user="u", act=ActId(agent="w1", purpose="reply"), time_ms=5)
    other = replace(request, act=ActId(agent="w2", purpose="reply"), time_ms=9, ask=1, deadline_s=1)
    assert request.wire() == other.wire()
    assert request.wire() != replace(request, user="v").wire()
