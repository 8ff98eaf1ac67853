"""Settings: what is refused, and with which words."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from omegaconf import OmegaConf
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sim.config import (
    EmbedderSettings,
    LlmSettings,
    MemorySettings,
    ScenarioSettings,
    Settings,
    locate,
    validated,
)
from sim.errors import ConfigError

CONF = Path(__file__).parent.parent / "conf"


class Plain:
    """A scenario as far as configuration knows one."""

    class Settings(BaseModel):
        model_config = ConfigDict(extra="forbid", frozen=True)
        weeks: int = Field(default=8, ge=1)


@pytest.fixture(autouse=True)
def scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("plain_scenario")
    module.Plain = Plain  # type: ignore[attr-defined]
    module.nothing = 3  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "plain_scenario", module)


def preset(group: str, name: str) -> dict[str, Any]:
    keys = dict(OmegaConf.to_container(OmegaConf.load(CONF / group / f"{name}.yaml")))  # type: ignore[arg-type]
    shared = [part.split("@")[0] for entry in keys.pop("defaults", []) for part in entry_names(entry)]
    parts = [OmegaConf.load(CONF / f"{part.lstrip('/')}.yaml") for part in shared if part != "_self_"]
    return OmegaConf.to_container(OmegaConf.merge(*parts, keys))  # type: ignore[return-value]


def entry_names(entry: str | dict[str, Any]) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry)


def names(group: str) -> list[str]:
    return sorted(path.stem for path in (CONF / group).glob("*.yaml"))


def raw(**changes: Any) -> dict[str, Any]:
    plain = {
        "scenario": {"_target_": "plain_scenario.Plain", "name": "plain", "weeks": 2},
        "memory": preset("memory", "flat"),
        "llm": preset("llm", "surrogate"),
        "embedder": preset("embedder", "wordllama"),
    }
    for dotted, value in changes.items():
        node: dict[str, Any] = plain
        *path, last = dotted.split("__")
        for key in path:
            node = node.setdefault(key, {})
        node[last] = value
    return plain


def test_the_scenario_checks_its_own_keys_and_keeps_them() -> None:
    settings = validated(raw())
    assert settings.scenario.options == Plain.Settings(weeks=2)
    assert settings.model_dump(by_alias=True)["scenario"] == {
        "_target_": "plain_scenario.Plain",
        "name": "plain",
        "weeks": 2,
    }


@pytest.mark.parametrize("name", names("memory"))
def test_every_memory_preset_has_every_key(name: str) -> None:
    keys = preset("memory", name)
    assert set(keys) == {field.alias or key for key, field in MemorySettings.model_fields.items()}
    assert MemorySettings.model_validate(keys).name == name


@pytest.mark.parametrize(("group", "model"), [("llm", LlmSettings), ("embedder", EmbedderSettings)])
def test_every_other_preset_is_valid_and_named_after_its_file(group: str, model: type[BaseModel]) -> None:
    for name in names(group):
        keys = preset(group, name)
        assert set(keys) == {field.alias or key for key, field in model.model_fields.items()}
        assert model.model_validate(keys).name == name  # type: ignore[attr-defined]


@pytest.mark.parametrize("group", ["memory", "embedder"])
def test_what_a_preset_names_is_there(group: str) -> None:
    for name in names(group):
        assert callable(locate(preset(group, name)["_target_"], f"{group}._target_"))


def test_defaults_of_the_file_are_the_defaults_of_the_model() -> None:
    file = OmegaConf.to_container(OmegaConf.load(CONF / "config.yaml"))
    assert isinstance(file, dict)
    own = {key: value for key, value in file.items() if key not in ("defaults", "hydra")}
    assert validated(raw(**own)) == validated(raw())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("memory__top_k", 0),
        ("memory__top_k", "3"),
        ("memory__top_k", True),
        ("memory__foo", 1),
        ("memory__scope", "zoo"),
        ("memory__visible_after", -1),
        ("memory__visible_after", "tomorrow"),
        ("memory__visible_after", True),
        ("memory__squeeze_count", 1),
        ("scenario__weeks", -1),
        ("scenario__weeks", "many\nweeks"),
        ("scenario__foo", 1),
        ("scenario__options", 1),
        ("llm__max_in_flight", 0),
        ("llm__temperature", float("nan")),
        ("llm__models__surrogate__rates__confabulation", 1.5),
        ("llm__models__surrogate__delay_s", [0]),
        ("probes__every_days", 0),
        ("max_failure_rate", -0.1),
        ("seed", -1),
        ("seed", None),
        ("replications", 0),
        ("foo", 1),
    ],
)
def test_a_bad_value_is_one_line_that_names_its_key(key: str, value: Any) -> None:
    with pytest.raises(ConfigError) as refused:
        validated(raw(**{key: value}))
    line = str(refused.value)
    assert line.startswith(key.replace("__", "."))
    assert "\n" not in line


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("memory__squeeze_count", 60, "squeeze_count must not exceed squeeze_above, 50"),
        ("llm__roles", {"order": "surrogate"}, "roles.default is missing"),
        ("llm__roles__order", "glm", "roles.order names the model 'glm'"),
        ("llm__latency_s", {"order": 2.0}, "latency_s.default is missing"),
        ("llm__models__surrogate", {"kind": "scripted", "delay_s": [1, 0]}, "from low to high"),
    ],
)
def test_values_that_do_not_fit_together_are_refused(key: str, value: Any, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        validated(raw(**{key: value}))


def test_a_missing_key_and_several_faults_are_all_named() -> None:
    with pytest.raises(ConfigError) as refused:
        validated(raw(llm__name=3, memory={"name": "flat"}))
    assert str(refused.value).startswith("memory._target_: is missing; llm.name: ")


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("nowhere_at_all.Shop", "cannot import 'nowhere_at_all.Shop'"),
        ("Shop", "cannot import 'Shop'"),
        ("", "cannot import ''"),
        ("plain_scenario.Missing", "has no 'Missing'"),
        ("plain_scenario.nothing", "no pydantic model named Settings"),
    ],
)
def test_a_scenario_that_is_none_is_named(target: str, words: str) -> None:
    with pytest.raises(ConfigError, match=rf"^scenario\._target_: .*{words}"):
        validated(raw(scenario___target_=target))


def test_a_module_that_breaks_while_imported_is_an_error_of_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_scenario.py").write_text("raise RuntimeError('no\\nluck')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ConfigError, match=r"^memory\._target_: .*RuntimeError: no\)$"):
        locate("broken_scenario.Shop", "memory._target_")


def test_settings_are_frozen_and_options_need_checking() -> None:
    settings = validated(raw())
    with pytest.raises(ValidationError):
        settings.seed = 3  # type: ignore[misc]
    with pytest.raises(ConfigError, match="validated"):
        _ = ScenarioSettings.model_validate({"_target_": "a.b", "name": "a"}).options


@given(
    seed=st.integers(min_value=0, max_value=2**63 - 1),
    after=st.one_of(st.just("next_morning"), st.floats(min_value=0, max_value=31_536_000)),
    rate=st.floats(min_value=0, max_value=1),
)
def test_settings_survive_the_way_through_plain_data(seed: int, after: float | str, rate: float) -> None:
    settings = validated(raw(seed=seed, memory__visible_after=after, max_failure_rate=rate))
    again = validated(settings.model_dump(by_alias=True, mode="json"))
    assert again == settings
    assert again.scenario.options == settings.scenario.options
    assert isinstance(again, Settings)
