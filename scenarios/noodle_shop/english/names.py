"""The names of dishes and of all else that can be claimed, in English."""


def _same(**names: str) -> dict[str, dict[str, str]]:
    return {value: {"nom": name} for value, name in names.items()}


NAMES: dict[str, dict[str, dict[str, str]]] = {
    "dish": _same(
        tonkotsu_ramen="tonkotsu ramen",
        shoyu_ramen="shoyu ramen",
        miso_ramen="miso ramen",
        tantanmen="tantanmen",
        beef_pho="beef pho",
        laksa="laksa",
        curry_udon="curry udon",
        cold_soba="cold soba",
    ),
    "extra": _same(egg="egg", bamboo="bamboo", pork="pork", tofu="tofu", corn="corn", mushroom="mushrooms"),
    "without": _same(
        coriander="coriander",
        spring_onion="spring onion",
        garlic="garlic",
        sesame="sesame",
        ginger="ginger",
        bean_sprout="bean sprouts",
    ),
    "allergy": _same(
        peanut="peanuts", shellfish="shellfish", egg="eggs", sesame="sesame", fish="fish", soy="soy"
    ),
    "spice": _same(none="not spicy", mild="mild", medium="medium spicy", hot="hot"),
    "portion": _same(small="small", regular="regular", large="large"),
    "style": _same(short="short", detailed="detailed"),
    "liked": _same(good="liked it", bad="did not like it"),
}
NAMES["offer"] = NAMES["dish"] | NAMES["extra"]
