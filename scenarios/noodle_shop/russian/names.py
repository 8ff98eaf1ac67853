"""Names of dishes, ingredients and manners in Russian, by case."""

from collections.abc import Mapping

from scenarios.noodle_shop.speech import Forms


def _forms(nom: str, acc: str, gen: str, ins: str = "") -> dict[str, str]:
    return {"nom": nom, "acc": acc, "gen": gen, "ins": ins or nom}


def _masculine(noun: str) -> dict[str, str]:
    return _forms(noun, noun, f"{noun}а", f"с {noun}ом")


NAMES: dict[str, Mapping[str, Forms]] = {
    "dish": {
        "tonkotsu_ramen": _masculine("тонкоцу-рамен"),
        "shoyu_ramen": _masculine("сёю-рамен"),
        "miso_ramen": _masculine("мисо-рамен"),
        "tantanmen": _masculine("тантанмен"),
        "beef_pho": _forms("фо с говядиной", "фо с говядиной", "фо с говядиной"),
        "laksa": _forms("лакса", "лаксу", "лаксы"),
        "curry_udon": _masculine("карри-удон"),
        "cold_soba": _forms("холодная соба", "холодную собу", "холодной собы"),
    },
    "extra": {
        "egg": _forms("яйцо", "яйцо", "яйца", "с яйцом"),
        "bamboo": _masculine("бамбук"),
        "pork": _forms("свинина", "свинину", "свинины", "со свининой"),
        "tofu": _forms("тофу", "тофу", "тофу", "с тофу"),
        "corn": _forms("кукуруза", "кукурузу", "кукурузы", "с кукурузой"),
        "mushroom": _forms("грибы", "грибы", "грибов", "с грибами"),
    },
    "without": {
        "coriander": _forms("кинза", "кинзу", "кинзы", "с кинзой"),
        "spring_onion": _forms("зелёный лук", "зелёный лук", "зелёного лука", "с зелёным луком"),
        "garlic": _masculine("чеснок"),
        "sesame": _masculine("кунжут"),
        "ginger": _forms("имбирь", "имбирь", "имбиря", "с имбирём"),
        "bean_sprout": _forms("ростки фасоли", "ростки фасоли", "ростков фасоли", "с ростками фасоли"),
    },
    "allergy": {
        "peanut": _masculine("арахис"),
        "shellfish": _forms("морепродукты", "морепродукты", "морепродуктов"),
        "egg": _forms("яйца", "яйца", "яиц"),
        "sesame": _masculine("кунжут"),
        "fish": _forms("рыба", "рыбу", "рыбы"),
        "soy": _forms("соя", "сою", "сои"),
    },
    "spice": {
        "none": {"nom": "не остро"},
        "mild": {"nom": "слегка остро"},
        "medium": {"nom": "средне остро"},
        "hot": {"nom": "очень остро"},
    },
    "portion": {
        "small": _forms("маленькая", "маленькую", "маленькой"),
        "regular": _forms("обычная", "обычную", "обычной"),
        "large": _forms("большая", "большую", "большой"),
    },
    "style": {"short": {"nom": "коротко"}, "detailed": {"nom": "подробно"}},
    "liked": {"good": {"nom": "понравилось"}, "bad": {"nom": "не понравилось"}},
}
NAMES["offer"] = {**NAMES["dish"], **NAMES["extra"]}
