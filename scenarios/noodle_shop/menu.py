"""What the shop sells, as data: dishes and the ids every slot may take."""

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError

from sim.config import Section
from sim.errors import ConfigError

SPICES = ("none", "mild", "medium", "hot")
PORTIONS = ("small", "regular", "large")
STYLES = ("short", "detailed")
LIKINGS = ("good", "bad")
OTHER_LIKING: Mapping[str, str] = {"good": "bad", "bad": "good"}
DAY = re.compile(r"\d{4}-\d\d-\d\d")
SINGLE = frozenset({"dish", "spice", "portion", "style", "visit", "offer", "liked"})
SLOTS = ("dish", "extra", "without", "spice", "portion", "allergy", "style", "visit", "offer", "liked")
STANDARD: Mapping[str, Any] = {
    "dishes": {
        "tonkotsu_ramen": {"price": 12.5, "cooking_s": 420, "allergens": ["egg", "soy"]},
        "shoyu_ramen": {"price": 11.5, "cooking_s": 380, "allergens": ["soy"]},
        "miso_ramen": {"price": 12.0, "cooking_s": 390, "allergens": ["soy", "sesame"]},
        "tantanmen": {"price": 13.0, "cooking_s": 440, "allergens": ["peanut", "sesame"]},
        "beef_pho": {"price": 12.0, "cooking_s": 360, "allergens": ["fish"]},
        "laksa": {"price": 13.5, "cooking_s": 460, "allergens": ["shellfish", "peanut"]},
        "curry_udon": {"price": 11.0, "cooking_s": 350, "allergens": ["soy"]},
        "cold_soba": {"price": 10.0, "cooking_s": 260, "allergens": ["fish", "soy"]},
    },
    "extra": ["egg", "bamboo", "pork", "tofu", "corn", "mushroom"],
    "without": ["coriander", "spring_onion", "garlic", "sesame", "ginger", "bean_sprout"],
    "allergy": ["peanut", "shellfish", "egg", "sesame", "fish", "soy"],
}

_ID = re.compile(r"[^\W\d_]\w*")


def _named(text: str) -> str:
    if _ID.fullmatch(text) is None:
        raise ValueError("an id begins with a letter and holds letters, digits and _ only")
    return text


def _once(ids: list[str]) -> list[str]:
    """Refuses ids that stand in a list more than once."""
    twice = [name for place, name in enumerate(ids) if name in ids[:place]]
    if twice:
        raise ValueError(f"{twice[0]} stands there twice; leave one out")
    return ids


def _some(ids: list[str]) -> list[str]:
    if not ids:
        raise ValueError("is empty; name at least one, and set its share in scenario.tastes to 0 for nobody")
    return ids


Id = Annotated[str, AfterValidator(_named)]
Ids = Annotated[list[Id], AfterValidator(_once)]
Choice = Annotated[Ids, AfterValidator(_some)]


class DishKeys(Section):
    """A dish as a configuration gives it; see `Dish`."""

    price: float = Field(ge=0, le=1e6)
    cooking_s: float = Field(gt=0, le=86_400)
    allergens: Ids = Field(default=[])


class MenuKeys(Section):
    """The keys of ``scenario.menu``, laid out like `STANDARD`."""

    dishes: dict[Id, DishKeys] = Field(min_length=1)
    extra: Choice
    without: Choice
    allergy: Choice


@dataclass(frozen=True, kw_only=True, slots=True)
class Dish:
    """A dish; ``cooking_s`` is the mean time in the kitchen, in seconds."""

    id: str
    price: float
    cooking_s: float
    allergens: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if not (0 <= self.price < math.inf and 0 < self.cooking_s < math.inf):
            key = f"scenario.menu.dishes.{self.id}"
            raise ConfigError(f"{key}: price must not be negative and cooking_s must be positive")


@dataclass(frozen=True, kw_only=True, slots=True)
class Menu:
    """The dishes and what may go into them or stay out."""

    dishes: tuple[Dish, ...]
    extra: tuple[str, ...]
    without: tuple[str, ...]
    allergy: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.dishes:
            raise ConfigError("scenario.menu.dishes is empty; name at least one dish")
        both = sorted(set(self.extra) & set(self.without))
        if both:
            # "No egg" must mean one thing: an extra taken back, or an ingredient left out.
            raise ConfigError(f"scenario.menu: {both[0]} stands under extra and under without; choose one")
        for dish in self.dishes:
            unknown = sorted(dish.allergens - set(self.allergy))
            if unknown:
                key = f"scenario.menu.dishes.{dish.id}.allergens"
                raise ConfigError(f"{key}: {unknown[0]} is not listed under scenario.menu.allergy")

    def dish(self, name: str) -> Dish:
        """The dish of this id; KeyError when there is none."""
        for dish in self.dishes:
            if dish.id == name:
                return dish
        raise KeyError(f"no dish {name!r} on the menu")

    def values(self, slot: str) -> tuple[str, ...]:
        """Every id a slot may take; empty for ``visit``, whose values are dates."""
        fixed = {"spice": SPICES, "portion": PORTIONS, "style": STYLES, "visit": (), "liked": LIKINGS}
        if slot in fixed:
            return fixed[slot]
        if slot == "dish":
            return tuple(dish.id for dish in self.dishes)
        if slot == "offer":
            return (*self.values("dish"), *self.extra)
        return {"extra": self.extra, "without": self.without, "allergy": self.allergy}[slot]

    def allows(self, slot: str, value: str) -> bool:
        """Whether a model's (slot, value) is something that can be meant here."""
        if slot == "visit":
            return DAY.fullmatch(value) is not None
        return slot in SLOTS and value in self.values(slot)

    def allergens_on(self, dish: str, extra: Collection[str], without: Collection[str]) -> frozenset[str]:
        """The allergens that reach the plate of a dish with these extras and omissions."""
        added = set(extra) & set(self.allergy)
        return frozenset((self.dish(dish).allergens | added) - set(without))


def menu_from(data: Mapping[str, Any] | MenuKeys) -> Menu:
    """Builds a menu from its keys, or from plain mappings laid out like `STANDARD`.

    Raises:
        ConfigError: a key is missing, unknown or of the wrong kind.
    """
    keys = data if isinstance(data, MenuKeys) else _checked(data)
    return Menu(
        dishes=tuple(_dish(name, entry) for name, entry in keys.dishes.items()),
        extra=tuple(keys.extra),
        without=tuple(keys.without),
        allergy=tuple(keys.allergy),
    )


@cache
def standard_menu() -> Menu:
    """The menu of the shop as it comes."""
    return menu_from(STANDARD)


def _checked(data: Mapping[str, Any]) -> MenuKeys:
    try:
        return MenuKeys.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(map(str, ("scenario", "menu", *first["loc"])))
        message = first["msg"].removeprefix("Value error, ")
        raise ConfigError(f"{key}: {message}; lay it out like the standard menu") from None


def _dish(name: str, keys: DishKeys) -> Dish:
    return Dish(id=name, price=keys.price, cooking_s=keys.cooking_s, allergens=frozenset(keys.allergens))
