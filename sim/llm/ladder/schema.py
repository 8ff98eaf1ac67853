"""Checks a reply against the subset of JSON schema that our requests use.

A validator of our own: the jsonschema library brings a compiled package and three more, costs more
per reply than the rest of the ladder, and cannot drop unknown keys, which we need. A keyword it does
not know is refused, never ignored. Two keywords are our own; servers are never told them:

* ``x-live``: the enum lists what there is in the world now, so that another value names what is not there.
* ``x-private``: nobody reads this text, so that its language does not matter.
"""

from collections.abc import Mapping
from numbers import Real
from types import NoneType
from typing import Any

from sim.errors import ConfigError
from sim.records import canonical

LIVE, PRIVATE = "x-live", "x-private"
_NAMES = {"type", "enum", "required", "properties", "additionalProperties", "items", "minItems", "maxItems"}
_KEYWORDS = _NAMES | {"minimum", "maximum", "anyOf", "title", "description", "default", LIVE, PRIVATE}
_SCALARS: dict[str, type] = {"string": str, "number": Real, "integer": int, "boolean": bool, "null": NoneType}
_TYPES = _SCALARS | {"array": list, "object": dict}
_ERROR = 200  # characters of an error


class IllegalValue(ValueError):
    """A value that is none of those the world has."""


def conform(value: Any, schema: Mapping[str, Any], name: str = "reply") -> Any:
    """The value as the schema wants it: unknown keys dropped, 2.0 made 2 for an integer.

    Raises:
        IllegalValue: it names something that is not there.
        ValueError: the value breaks the schema in another way; one line that names the field.
        ConfigError: the schema uses a keyword that is not supported here.
    """
    types = _checked_types(schema, name)
    if "anyOf" in schema:
        value = _any_of(value, schema["anyOf"], name)
    if types:
        value = _typed(value, types, name)
    _check_values(value, schema, name)
    if isinstance(value, dict):
        return _object(value, schema, name)
    if isinstance(value, list):
        return _array(value, schema, name)
    return value


def _checked_types(schema: Mapping[str, Any], name: str) -> list[str]:
    wanted = schema.get("type", [])
    types = [wanted] if isinstance(wanted, str) else list(wanted)
    unknown = schema.keys() - _KEYWORDS | set(types) - _TYPES.keys()
    if unknown:
        raise ConfigError(f"schema of {name} uses {', '.join(sorted(unknown))}: the ladder cannot check that")
    return types


def _any_of(value: Any, schemas: list[Mapping[str, Any]], name: str) -> Any:
    errors: list[ValueError] = []
    for schema in schemas:
        try:
            return conform(value, schema, name)
        except ValueError as error:
            errors.append(error)
    for breach in errors:
        if isinstance(breach, IllegalValue):  # of the right kind, so this alternative was meant
            raise breach
    raise _breach(name, f"fits none of {len(schemas)} alternatives ({'; '.join(map(str, errors))})")


def _typed(value: Any, names: list[str], name: str) -> Any:
    if "integer" in names and isinstance(value, float) and value.is_integer():
        return int(value)
    for kind in names:
        # In Python a bool is an int; in JSON it is not.
        if isinstance(value, _TYPES[kind]) and isinstance(value, bool) == (kind == "boolean"):
            return value
    raise _breach(name, f"must be {' or '.join(names)}, not {_short(value)}")


def _check_values(value: Any, schema: Mapping[str, Any], name: str) -> None:
    if "enum" in schema and canonical(value) not in map(canonical, schema["enum"]):
        breach = _breach(name, f"must be one of {_short(schema['enum'])}, not {_short(value)}")
        raise IllegalValue(str(breach)) if schema.get(LIVE) else breach
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        low, high = schema.get("minimum", value), schema.get("maximum", value)
        if not low <= value <= high:
            raise _breach(name, f"must lie within {low} and {high}, not {_short(value)}")


def _object(value: dict[str, Any], schema: Mapping[str, Any], name: str) -> dict[str, Any]:
    known = schema.get("properties", {})
    missing = [key for key in schema.get("required", ()) if key not in value]
    if missing:
        raise _breach(name, f"lacks {', '.join(missing)}")
    extra = schema.get("additionalProperties", True)
    checked = {}
    for key, part in value.items():
        if key in known:
            checked[key] = conform(part, known[key], f"{name}.{key}")
        elif extra is not False:
            checked[key] = conform(part, extra, f"{name}.{key}") if isinstance(extra, Mapping) else part
    return checked


def _array(value: list[Any], schema: Mapping[str, Any], name: str) -> list[Any]:
    low, high = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not low <= len(value) <= high:
        raise _breach(name, f"must have {low} to {high} items, not {len(value)}")
    return [conform(part, schema.get("items", {}), f"{name}[{place}]") for place, part in enumerate(value)]


def _breach(name: str, problem: str) -> ValueError:
    return ValueError(one_line(f"{name} {problem}"))


def wire_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema as servers take it: without our own marks, whose names begin with ``x-``."""
    return {key: _bare(value) for key, value in schema.items() if not key.startswith("x-")}


def _bare(value: Any) -> Any:
    if isinstance(value, Mapping):
        return wire_schema(value)
    return [_bare(one) for one in value] if isinstance(value, list | tuple) else value


def one_line(text: str) -> str:
    """A text as one short line, for an error."""
    return " ".join(text.split())[:_ERROR]


def _short(value: Any) -> str:
    return canonical(value)[:80]
