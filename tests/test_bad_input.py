"""Bad input to the whole program: one line that names the key or path, exit code 2, nothing left behind."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel

from scenarios.examples.cafe import CafeSettings, read
from scenarios.noodle_shop.menu import STANDARD, menu_from
from scenarios.noodle_shop.population import population_of
from scenarios.noodle_shop.sayable import check_sayable
from scenarios.noodle_shop.settings import NoodleSettings
from scenarios.noodle_shop.speech import LANGUAGES
from sim.build import config_of, plan_of
from sim.config import validated
from sim.door import configured, main
from sim.errors import ConfigError
from sim.llm.protocol import Request
from sim.llm.surrogate import Rates, Slips
from sim.metrics.load import load
from sim.records import ActId
from sim.runs import run
from sim.streams import Stream

BAD = {
    "memory=nosuch": "memory",
    "nosuch=1": "nosuch",
    "+memory.foo=1": "memory.foo",
    "memory.foo=1": "memory.foo",
    "scenario.weeks=-1": "scenario.weeks",
    "memory.top_k=0": "memory.top_k",
    "memory.top_k=many": "memory.top_k",
    "seed=first": "seed",
    "memory._target_=os.system": "memory._target_",
    "embedder._target_=os.getcwd": "embedder._target_",
    "embedder._target_=os.sep": "embedder._target_",
    "scenario.opening.mon=21-9": "scenario.opening",
    "scenario.opening.mon='23:00-23:30'": "opening.mon",
    "scenario.start=2026-01-06": "scenario.start",
    "scenario.language=xx": "scenario.language",
    "+llm.roles.order=nobody": "roles.order",
    "llm.models.surrogate.rates.confabulation=2": "confabulation",
    "+scenario.menu={dishes:{soup:{price:1}},extra:[],without:[],allergy:[]}": "scenario.menu",
}


@pytest.mark.parametrize(("override", "names"), BAD.items())
def test_one_line_and_exit_code_2(
    override: str,
    names: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([override.replace("+scenario.menu", "scenario.menu")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert names in said.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("memory", ["flat", "window"])
def test_a_missing_model_folder_is_named_whether_the_memory_searches_or_not(
    memory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([f"memory={memory}", "embedder=sentence_transformers", "embedder.model=/nowhere/model"]) == 2
    assert "/nowhere/model" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_smoke_run_through_the_door_leaves_what_the_readme_lists(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    assert main(["experiment=smoke", f"hydra.run.dir={folder}"]) == 0
    assert capsys.readouterr().out.rstrip().endswith(str(folder))
    left = {path.name for path in folder.iterdir()}
    assert {
        ".hydra",
        "manifest.json",
        "status.json",
        "summary.json",
        "events",
        "visits.parquet",
        "recall.parquet",
        "llm_calls.parquet",
        "facts.parquet",
        "memory",
        "funnel.png",
    } <= left
    assert main(["experiment=smoke", f"hydra.run.dir={folder}"]) == 2
    assert f"resume={folder}" in capsys.readouterr().err
    _check_that_it_shows_everything(load(folder).summary)


def _check_that_it_shows_everything(summary: dict[str, Any]) -> None:
    """Returns, every role and every stage of recall, with few enough calls for a small real model."""
    roles = {"order", "cook", "mood", "offer", "reflect", "compress", "exam"}
    assert summary["llm"]["by_role"].keys() == roles
    assert summary["returns"] >= 5
    assert all(summary["recall"][stage]["n"] >= 10 for stage in ("told", "written", "kept", "retrieved"))
    assert summary["recall"]["answered"]["rate"] > 0
    assert 150 <= summary["llm"]["calls"] <= 250


# The keys of a scenario, without a command line


@cache
def _composed(scenario: str) -> dict[str, Any]:
    return config_of(configured(f"scenario={scenario}"))


def refusal(scenario: str, keys: Mapping[str, Any]) -> str:
    """What is said of a configuration with these dotted keys of the scenario changed."""
    composed = _composed(scenario)
    changed = {**composed, "scenario": {**composed["scenario"]}}
    for dotted, value in keys.items():
        *path, last = dotted.split(".")
        node = changed["scenario"]
        for name in path:
            node[name] = {**node[name]}
            node = node[name]
        node[last] = value
    with pytest.raises(ConfigError) as refused:
        plan_of(validated(changed), None, resume=False)
    line = str(refused.value)
    assert "\n" not in line
    return line


def numbers(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, list[Any]]]:
    """Every numeric key of a model with the bounds it declares."""
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from numbers(field.annotation, f"{prefix}{name}.")
        elif field.annotation in (int, float) or {int, float} & set(get_args(field.annotation)):
            yield prefix + name, field.metadata


@pytest.mark.parametrize(("scenario", "model"), [("noodle_shop", NoodleSettings), ("cafe", CafeSettings)])
def test_every_number_of_a_scenario_is_bounded_on_both_sides(scenario: str, model: type[BaseModel]) -> None:
    found = dict(numbers(model))
    assert "weeks" in found
    for key, bounds in found.items():
        assert any(isinstance(bound, Ge | Gt) for bound in bounds), key
        most = [getattr(bound, "le", None) or bound.lt for bound in bounds if isinstance(bound, Le | Lt)]
        assert most, key
        said = refusal(scenario, {key: 10**18})
        assert said.startswith(f"scenario.{key}: ")
        assert f"{most[0]:.15g}" in said


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"start": "9999-12-27"}, "scenario.start: must lie in the years 1900 to 2199"),
        ({"start": "0001-01-01"}, "scenario.start: must lie in the years 1900 to 2199"),
        ({"timing.eating_s": 1e308}, "scenario.timing.eating_s: "),
        ({"rhythm_jitter_days": float("inf")}, "scenario.rhythm_jitter_days: "),
        ({"weeks": 10**400}, "scenario.weeks: "),
    ],
)
def test_numbers_that_would_overflow_late_are_refused_at_once(keys: dict[str, Any], says: str) -> None:
    assert refusal("noodle_shop", keys).startswith(says)


def test_a_shop_runs_at_its_bounds() -> None:
    extreme = {
        "start": "2199-12-30",
        "rhythm_days": 3650,
        "rhythm_jitter_days": 365,
        "rhythm_spread": 3,
        "timing.patience_s": 1e9,
        "timing.patience_spread": 3,
        "timing.eating_s": 31_536_000,
        "timing.exchange_s": 31_536_000,
        "returning.stretch": 100,
        "returns": "adaptive",
        "kitchen.extra_price": 1e6,
    }
    keys = [f"scenario.{key}={value}" for key, value in extreme.items()]
    small = ("scenario.weeks=1", "scenario.regulars=20", "scenario.walk_ins_per_day=2", "progress=false")
    assert run(plan_of(configured(*small, *keys), None, resume=False)).summary["visits"] > 0


# Menus

SOUP = {"price": 5, "cooking_s": 60}
SMALLEST = {"dishes": {"soup": SOUP}, "extra": ["egg"], "without": ["garlic"], "allergy": ["egg"]}
BAD_MENUS: list[tuple[dict[str, Any], str]] = [
    ({"dishes": {}}, "scenario.menu.dishes: "),
    ({"dishes": {1: SOUP}}, "scenario.menu.dishes.1"),
    ({"dishes": {"": SOUP}}, "scenario.menu.dishes"),
    ({"dishes": {"soup [x]": SOUP}}, "scenario.menu.dishes.soup [x]"),
    ({"dishes": {"soup": SOUP | {"foo": 1}}}, "scenario.menu.dishes.soup.foo: there is no such key"),
    ({"dishes": {"soup": SOUP | {"cooking_s": float("nan")}}}, "scenario.menu.dishes.soup.cooking_s: "),
    ({"dishes": {"soup": SOUP | {"cooking_s": float("inf")}}}, "scenario.menu.dishes.soup.cooking_s: "),
    ({"dishes": {"soup": SOUP | {"cooking_s": 1e9}}}, "scenario.menu.dishes.soup.cooking_s: "),
    ({"dishes": {"soup": SOUP | {"price": 1e308}}}, "scenario.menu.dishes.soup.price: "),
    ({"dishes": {"soup": SOUP | {"allergens": "soy"}}}, "scenario.menu.dishes.soup.allergens: "),
    ({"dishes": {"soup": SOUP | {"allergens": ["soy", "soy"]}}}, "scenario.menu.dishes.soup.allergens: "),
    ({"foo": 1}, "scenario.menu.foo: there is no such key"),
    ({"extra": "egg"}, "scenario.menu.extra: "),
    ({"extra": []}, "scenario.menu.extra: is empty"),
    ({"without": []}, "scenario.menu.without: is empty"),
    ({"allergy": []}, "scenario.menu.allergy: is empty"),
    ({"extra": ["egg", "egg"]}, "scenario.menu.extra: egg stands there twice"),
    ({"extra": [1]}, "scenario.menu.extra.0: "),
    ({"extra": ["scallion"]}, "scenario.menu.extra: 'scallion' would not be understood"),
    ({"dishes": {"small": SOUP, "soup": SOUP}}, "scenario.menu.dishes: 'small' would not be understood"),
]


@pytest.mark.parametrize(("change", "says"), BAD_MENUS, ids=lambda part: str(part)[:50])
def test_a_bad_menu_is_one_line_that_names_its_key(change: dict[str, Any], says: str) -> None:
    assert refusal("noodle_shop", {"menu": {**STANDARD, **change}}).startswith(says)


def test_an_empty_menu_is_not_taken_for_the_standard_one() -> None:
    assert refusal("noodle_shop", {"menu": {}}).startswith("scenario.menu.dishes: is missing")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_language_has_no_word_for_is_spelt_out(language: str) -> None:
    dishes = dict.fromkeys(("soup", "egg_drop_soup", "hot_pot", "Tom_Yum", "борщ", "мёд", "牛肉面"), SOUP)
    food = {"extra": ["wasabi", "sesame"], "without": ["anchovy_paste"], "allergy": ["milk", "lupin"]}
    check_sayable(menu_from({"dishes": dishes, **food}), language)


def test_a_menu_must_be_understood_in_the_languages_of_the_guests_too() -> None:
    menu = {**STANDARD, "dishes": {"small": SOUP, "soup": SOUP}}
    rows = [{"id": "anna", "name": "Anna", "dish": "soup", "language": "en"}]
    settings = NoodleSettings.model_validate({"menu": menu, "population": rows, "language": "ru"})
    with pytest.raises(ConfigError, match=r"scenario\.menu\.dishes: 'small' .* speak en"):
        population_of(settings, menu_from(menu))


def test_the_smallest_menu_runs_a_week() -> None:
    week = ("experiment=smoke", "memory=window", "scenario.language=en", "progress=false")
    composed = config_of(configured(*week))
    composed["scenario"] |= {"menu": SMALLEST, "walk_ins_per_day": 2, "confusable": 1}
    composed["scenario"]["tastes"] |= {"drift_per_week": 1, "extra": 1, "allergy": 1}
    result = run(plan_of(validated(composed), None, resume=False))
    assert result.summary["visits"] > 10
    assert result.summary["recall"]["answered"]["rate"] > 0.5


# The cafe


@pytest.mark.parametrize("guests", [[], ["Anna", "Anna"], [""], ["A: B"], ["A\nB"], [" Anna"], [3], "Anna"])
def test_guests_of_the_cafe_are_told_apart(guests: Any) -> None:
    assert refusal("cafe", {"guests": guests}).startswith("scenario.guests")


def test_a_guest_may_be_called_like_a_drink() -> None:
    act = ActId(agent="barista", purpose="serve")
    slips = Slips(Rates(), Stream.root(0), act)
    note, said = "cocoa: One espresso, please. - Here: espresso", "cocoa: The same again, please."
    for user, drink in ((f"{note}\n{said}", "espresso"), (said, None)):
        assert read(Request(role="serve", system="", user=user, act=act), slips) == {"drink": drink}
