"""The structured-output ladder: what can be saved is, nothing is guessed, nothing blows up."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sim.errors import (
    ConfigError,
    ContextOverflow,
    JournalError,
    ModelDisconnected,
    ModelError,
    ModelTimeout,
)
from sim.llm.ladder.salvage import without_thinking
from sim.llm.ladder.schema import LIVE, conform
from sim.llm.ladder.structured import CORRECTION, Ladder, read
from sim.llm.outcomes import CANCELLED, OF_THE_ANSWER, OF_THE_CALL, TOO_LONG
from sim.llm.protocol import Outcome, Reply, Request
from sim.llm.scripted import Scripted
from sim.records import ActId

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "action": {"type": "string", "enum": ["take_order", "ask_back"]},
        "details": {
            "type": "object",
            "properties": {"dish": {"type": ["string", "null"]}, "spice": {"type": "integer"}},
            "required": ["dish"],
            "additionalProperties": False,
        },
        "extras": {"type": "array", "items": {"type": "string"}, "maxItems": 4},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "required": ["action", "details", "confidence"],
    "additionalProperties": False,
}
GOOD: dict[str, Any] = {
    "action": "take_order",
    "details": {"dish": 'ramen {hot} "x" don\'t', "spice": 2},
    "confidence": 0.9,
}
TEXT = json.dumps(GOOD)
ONE = {"type": "object", "properties": {"a": {}}, "required": ["a"]}


def request(schema: dict[str, Any] | None = SCHEMA, user: str = "Ramen, please") -> Request:
    """A question of one act."""
    act = ActId(agent="mei", customer="anna", visit="v1", purpose="reply")
    return Request(role="order", system="You are a waiter.", user=user, act=act, schema=schema)


def said(text: str, schema: dict[str, Any] | None = SCHEMA, finish: str = "stop") -> Outcome:
    """What the ladder reads in one reply."""
    return read(Reply(text=text, model="m", finish=finish), schema)


def ask(
    *answers: str | Reply | ModelError, schema: dict[str, Any] | None = SCHEMA, language: str = ""
) -> tuple[Outcome, Scripted]:
    """Asks a model that gives these answers in turn."""
    left = list(answers)
    model = Scripted(lambda _: left.pop(0), name="glm")
    asked = replace(request(schema), language=language)
    return asyncio.run(Ladder(model).ask(asked)), model


@pytest.mark.parametrize(
    ("text", "step"),
    [
        (TEXT, ""),
        (f"  \n{TEXT}\n", ""),
        (f"<think>he wants {{ramen}}</think>\n{TEXT}", ""),
        (f"he wants {{ramen}}</think>{TEXT}", ""),
        (f"```json\n{TEXT}\n```", "fence"),
        (f"Sure {{here}}:\n```\n{TEXT}\n```\nEnjoy!", "fence"),
        (f"```json\n{TEXT}", "fence"),
        (f"Here you are: {TEXT} Enjoy!", "braces"),
        (f"The form {{action}} was wanted: {TEXT}", "braces"),
        (f"[{TEXT}]", "braces"),
        (f'{{"thought": "hm"}} {TEXT}', "braces"),
        (TEXT[:-1] + ",}", "repair"),
        (f"Sure: {TEXT[:-1]},}} Enjoy!", "repair"),
        (TEXT[:-1], "repair"),
        (repr(GOOD), "repair"),
        (TEXT.replace('"action"', "action").replace('"confidence"', "confidence"), "repair"),
    ],
)
def test_each_step_saves_what_it_is_for(text: str, step: str) -> None:
    outcome = said(text)
    assert outcome.value == GOOD
    assert (outcome.kind, outcome.step) == ("recovered" if step else "ok", step)


@pytest.mark.parametrize(
    ("text", "finish", "kind"),
    [
        ("", "stop", "empty"),
        (" " * 10, "stop", "empty"),
        (" " * 5000, "stop", "whitespace_loop"),
        ("<think>hm</think>" + "\n" * 5000, "length", "whitespace_loop"),
        (TEXT[: TEXT.index("details")] + "\t " * 500, "length", "whitespace_loop"),
        (TEXT[: TEXT.index("ramen") + 3] + "\\n" * 500 + "\\", "length", "whitespace_loop"),
        ("<think>so long that no answer came", "length", "truncated"),
        ("<think>only this</think>", "stop", "empty"),
        ("I would like ramen.", "stop", "invalid_json"),
        (TEXT[: len(TEXT) // 2], "length", "truncated"),
        (TEXT[: TEXT.index("ramen") + 3], "stop", "truncated"),
        ("null", "stop", "invalid_json"),
        ('"take_order"', "stop", "invalid_json"),
        ('{"action": "take_order"}', "stop", "schema_violation"),
        (TEXT.replace("take_order", "dance"), "stop", "schema_violation"),
        (TEXT.replace("0.9", "1.5"), "stop", "schema_violation"),
        (TEXT.replace("0.9", "true"), "stop", "schema_violation"),
        (TEXT.replace("0.9", "NaN"), "stop", "schema_violation"),
        (TEXT.replace("0.9", "1e999"), "stop", "invalid_json"),
    ],
)
def test_each_failure_has_its_class(text: str, finish: str, kind: str) -> None:
    outcome = said(text, finish=finish)
    assert (outcome.value, outcome.kind) == (None, kind)
    assert outcome.error
    assert "\n" not in outcome.error


@given(st.sampled_from(("{0},]", "{0}", "{0},")), st.text(alphabet="ab,:'[]{}\\\" \n", max_size=12))
def test_mending_never_changes_a_string(broken: str, text: str) -> None:
    value = {"a": [text]}
    assert said(broken.replace("{0}", json.dumps(value)[:-2]), ONE).value == value


def test_repair_is_bounded_by_length_and_by_brackets() -> None:
    def broken(items: int, word: str = "") -> str:
        return '{"a": [' + ", ".join(["{}"] * items) + f'], "b": "{word}",}}'

    assert said(broken(150), ONE).step == "repair"
    assert said(broken(250), ONE).kind == "invalid_json"
    assert said(broken(1, "x" * 7_000), ONE).step == "repair"
    assert said(broken(1, "x" * 9_000), ONE).kind == "invalid_json"


def test_half_a_value_is_not_the_value() -> None:
    cut = '{"a": "no egg, no chi'
    assert said(cut, ONE, "length").kind == "truncated"
    assert said(cut, ONE).kind == "truncated"
    assert said(cut + '"', ONE).value == {"a": "no egg, no chi"}


def test_an_object_inside_a_broken_one_is_not_the_answer() -> None:
    broken = '{"wrong": {"a": 1}, "a": 2, "b": [}'
    assert said(broken, ONE).value != {"a": 1}


def test_unknown_keys_are_dropped_where_the_schema_says_so() -> None:
    outcome = said(json.dumps({**GOOD, "mood": "good", "details": {**GOOD["details"], "id": 7}}))
    assert (outcome.value, outcome.kind) == (GOOD, "ok")
    assert said('{"a": 1, "b": 2}', ONE).value == {"a": 1, "b": 2}


def test_free_text_is_a_text() -> None:
    assert said(" <think>x</think> Hello ", None).value == {"text": "Hello"}
    assert said("{}", None).value == {"text": "{}"}
    assert said("\n", None).kind == "empty"


def test_what_cannot_be_written_to_a_file_is_replaced() -> None:
    outcome = said('{"a": "x\\ud800y \\ud83c\\udf5c", "\\udfff": 1}', ONE)
    assert outcome.value == {"a": "x?y 🍜", "?": 1}
    assert said("x\ud800", None).value == {"text": "x?"}


@pytest.mark.parametrize(
    "text",
    [
        "x" * 100_000,
        '{"a": "' * 15_000,
        '{"' * 50_000,
        "[" * 100_000,
        '{"a":' * 20_000,
        '{"a":' * 900 + "1" + "}" * 900,
        '{"a":[' * 400 + "]}" * 400,
        "{" * 3_000,
        '{"a": [' * 90,
        '\\"' * 50_000,
        "```" * 30_000,
        "{}" * 50_000,
        "<think>" * 14_000,
        "</think>" * 12_000,
        "<think></think>" * 6_000,
        '{"a": ' + "9" * 90_000 + "}",
        '{"action": "take_order", ' * 300,
        "\x00" * 1_000,
        '{"a": ' + "-" * 7_000 + "1}",
        "{'a': '\\d', }, ",
        "{'a': \"b' " * 700,
    ],
)
def test_garbage_is_bounded(text: str) -> None:
    outcome = said(text)
    assert outcome.value is None
    assert outcome.kind in OF_THE_ANSWER
    assert len(outcome.error) <= 200


@given(st.text(alphabet="{}[]\",:\\'`ab01 \n", max_size=200))
def test_no_text_makes_it_raise(text: str) -> None:
    for schema in (SCHEMA, ONE):
        value = said(text, schema).value
        assert value is None or conform(value, schema) == value


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


OBJECTS = st.dictionaries(st.text(), JSON)


@given(OBJECTS)
def test_valid_json_is_never_changed(value: dict[str, Any]) -> None:
    # Any object is valid here: nothing inside a string may win over the whole.
    assert said(json.dumps(value), {"type": "object"}) == Outcome(value=value, kind="ok")


@given(OBJECTS, st.sampled_from(["```json\n{0}\n```", "Well: {0} Bye"]))
def test_json_among_words_is_never_changed(value: dict[str, Any], around: str) -> None:
    text = json.dumps(value)
    assume("```" not in text and "think>" not in text)
    assert said(around.replace("{0}", text), {"type": "object"}).value == value


def test_an_answer_may_end_in_blanks() -> None:
    assert said(TEXT + "\n" * 5000, finish="length").value == GOOD


DISHES: dict[str, Any] = {"type": "string", "enum": ["ramen", "udon"], LIVE: True}


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("pizza", "illegal_action"),
        (7, "schema_violation"),
        (None, "ok"),
        ("udon", "ok"),
        ("mild", "ok"),
    ],
)
def test_what_the_world_does_not_have_has_a_class_of_its_own(value: Any, kind: str) -> None:
    either = {"anyOf": [DISHES, {"type": "string", "enum": ["mild"], LIVE: True}, {"type": "null"}]}
    schema = {"type": "object", "properties": {"a": either}, "required": ["a"]}
    outcome = said(json.dumps({"a": value}), schema)
    assert outcome.kind == kind
    assert kind == "ok" or outcome.error.startswith("reply.a ")


def test_our_own_marks_are_kept_from_the_model() -> None:
    schema = {"type": "object", "properties": {"a": DISHES}, "required": ["a"]}
    _, model = ask('{"a": "pizza"}', '{"a": "udon"}', schema=schema)
    assert '"udon"' in model.calls[1].user
    assert LIVE not in model.calls[1].user


BAD_ANSWERS = {
    "truncated": Reply(text=TEXT[:20], model="m", finish="length"),
    "whitespace_loop": " " * 100,
    "empty": "",
    "invalid_json": "Ramen!",
    "schema_violation": "{}",
    "illegal_action": json.dumps({**GOOD, "dish": "pizza"}),
    "wrong_language": json.dumps({**GOOD, "say": "好的，拉面"}),
}
WITH_WORDS: dict[str, Any] = {
    **SCHEMA,
    "properties": {**SCHEMA["properties"], "dish": DISHES, "say": {"type": "string"}},
}


@pytest.mark.parametrize("kind", OF_THE_ANSWER)
def test_what_the_model_wrote_is_asked_once_more(kind: str) -> None:
    bad = BAD_ANSWERS[kind]
    saved, model = ask(bad, TEXT, schema=WITH_WORDS, language="en")
    assert (saved.value, saved.step, len(model.calls)) == (GOOD, "re-ask", 2)
    failed, model = ask(bad, bad, TEXT, schema=WITH_WORDS, language="en")
    assert (failed.value, failed.kind, len(model.calls)) == (None, kind, 2)


def every(kind: type[ModelError]) -> Iterator[type[ModelError]]:
    yield kind
    for one in kind.__subclasses__():
        yield from every(one)


def test_every_failure_of_a_call_has_its_class_and_is_not_asked_again() -> None:
    kinds = {one.kind for one in every(ModelError)}
    assert kinds == OF_THE_CALL.keys() - {CANCELLED}
    assert not OF_THE_CALL.keys() & OF_THE_ANSWER.keys()
    assert kinds >= TOO_LONG


def test_a_correction_that_does_not_fit_leaves_the_first_failure() -> None:
    outcome, model = ask("no", ContextOverflow("too long"))
    assert (outcome.kind, outcome.attempts, len(model.calls)) == ("invalid_json", 2, 2)


def test_a_slip_of_language_is_told_and_not_shown() -> None:
    outcome, model = ask(BAD_ANSWERS["wrong_language"], TEXT, schema=WITH_WORDS, language="en")
    assert outcome.kind == "recovered"
    assert "Chinese letters" in model.calls[1].user
    assert "好的" not in model.calls[1].user
    assert ask(BAD_ANSWERS["wrong_language"], schema=WITH_WORDS)[0].kind == "ok"


def test_the_language_is_no_part_of_the_digest() -> None:
    assert request().wire() == replace(request(), language="ru").wire()


def test_a_reask_shows_the_error_and_the_schema() -> None:
    outcome, model = ask('{"action": "dance"}', f"```{TEXT}```")
    assert outcome.value == GOOD
    assert (outcome.kind, outcome.step, outcome.attempts, outcome.error) == ("recovered", "re-ask", 2, "")
    first, second = model.calls
    assert (first.attempt, second.attempt) == (0, 1)
    assert second.user.startswith(first.user + CORRECTION)
    assert "lacks details, confidence" in second.user
    assert '"take_order"' in second.user
    assert "dance" not in second.user
    assert second.system == first.system


def test_there_is_one_reask_and_then_a_typed_failure() -> None:
    outcome, model = ask("no", '{"action": "dance"}')
    assert (outcome.value, outcome.kind, outcome.attempts) == (None, "schema_violation", 2)
    assert len(model.calls) == 2


@pytest.mark.parametrize("error", [ModelTimeout("t"), ModelDisconnected("d"), ModelError("s")])
def test_failures_of_the_model_are_data_and_not_asked_again(error: ModelError) -> None:
    outcome, model = ask(error)
    assert (outcome.value, outcome.kind, outcome.attempts) == (None, error.kind, 1)
    assert outcome.error == str(error)
    assert len(model.calls) == 1


def test_a_failure_of_the_reask_is_data_too() -> None:
    outcome, _ = ask("no", ModelTimeout("too slow"))
    assert (outcome.kind, outcome.attempts, outcome.error) == ("timeout", 2, "too slow")


def test_other_errors_are_not_hidden() -> None:
    def broken(_: Request) -> str:
        raise JournalError("asked differently now")

    with pytest.raises(JournalError):
        asyncio.run(Ladder(Scripted(broken)).ask(request()))


def test_costs_add_up() -> None:
    first = Reply(text="no", model="glm", prompt_tokens=10, completion_tokens=1, seconds=0.5, replayed=True)
    second = Reply(text=TEXT, model="qwen", prompt_tokens=20, completion_tokens=2, seconds=0.25)
    outcome, _ = ask(first, second)
    assert (outcome.prompt_tokens, outcome.completion_tokens, outcome.seconds) == (30, 3, 0.75)
    assert (outcome.model, outcome.replayed) == ("qwen", False)


def test_an_empty_text_is_asked_again_without_a_schema() -> None:
    outcome, model = ask("", "Hello", schema=None)
    assert (outcome.value, outcome.step) == ({"text": "Hello"}, "re-ask")
    assert "schema" not in model.calls[1].user


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a", "a"),
        ("<think>a</think>b", "b"),
        ("a</think>b", "b"),
        ("x<think>a</think>b<think>c</think>d", "xbd"),
        ("b<think>never closed", "b"),
        ("</think>", ""),
        ("<think>{}</think>", ""),
    ],
)
def test_thinking_is_dropped(text: str, left: str) -> None:
    assert without_thinking(text) == left


@pytest.mark.parametrize(
    ("value", "schema", "error"),
    [
        ({"a": "1"}, {"properties": {"a": {"type": "integer"}}}, 'reply.a must be integer, not "1"'),
        ({"a": [1, "x"]}, {"properties": {"a": {"items": {"type": "number"}}}}, "reply.a[1] must be number"),
        ({"a": 3}, {"properties": {"a": {"enum": ["3", True]}}}, "reply.a must be one of"),
        (1, {"enum": [True]}, "reply must be one of"),
        ([1, 2], {"maxItems": 1}, "reply must have 0 to 1 items, not 2"),
        ({"a": 0}, {"additionalProperties": {"minimum": 1}}, "reply.a must lie within 1"),
        ("x", {"anyOf": [{"type": "null"}, {"type": "integer"}]}, "reply fits none of 2 alternatives"),
        (2.5, {"type": "integer"}, "reply must be integer"),
    ],
)
def test_a_breach_names_the_field(value: Any, schema: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=r"^reply") as caught:
        conform(value, schema)
    assert str(caught.value).startswith(error)


def test_alternatives_and_whole_floats_fit() -> None:
    either = {"anyOf": [{"type": "null"}, {"type": "integer", "minimum": 1}]}
    assert conform(None, either) is None
    whole = conform(2.0, either)
    assert (whole, type(whole)) == (2, int)


@pytest.mark.parametrize("schema", [{"pattern": "x"}, {"$ref": "#/x"}, {"type": "text"}])
def test_a_schema_that_cannot_be_checked_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="cannot check"):
        conform({}, schema)


@pytest.mark.parametrize("mark", ["<think>secret</think>Sure.", "Sure.<|im_end|>", "```json", "[INST] more"])
def test_what_a_model_says_to_its_machinery_is_no_answer(mark: str) -> None:
    schema = {"type": "object", "properties": {"say": {"type": "string"}}, "required": ["say"]}
    outcome, _ = ask(json.dumps({"say": mark}), json.dumps({"say": "Sure."}), schema=schema)
    assert (outcome.kind, outcome.step, outcome.value) == ("recovered", "re-ask", {"say": "Sure."})
    again, _ = ask(json.dumps({"say": mark}), json.dumps({"say": mark}), schema=schema)
    assert (again.kind, again.value) == ("schema_violation", None)
