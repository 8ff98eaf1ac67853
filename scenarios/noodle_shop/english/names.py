"""The names of dishes and of all else that can be claimed, in English."""

from scenarios.noodle_shop.speech import Forms, uninflected

NAMES: dict[str, dict[str, Forms]] = {
    "dish": uninflected(
        tonkotsu_ramen="tonkotsu ramen",
        shoyu_ramen="shoyu ramen",
        miso_ramen="miso ramen",
        tantanmen="tantanmen",
        beef_pho="beef pho",
        laksa="laksa",
        curry_udon="curry udon",
        cold_soba="cold soba",
    ),
    "extra": uninflected(
        egg="egg", bamboo="bamboo", pork="pork", tofu="tofu", corn="corn", mushroom="mushrooms"
    ),
    "without": uninflected(
        coriander="coriander",
        spring_onion="spring onion",
        garlic="garlic",
        sesame="sesame",
        ginger="ginger",
        bean_sprout="bean sprouts",
    ),
    "allergy": uninflected(
        peanut="peanuts", shellfish="shellfish", egg="eggs", sesame="sesame", fish="fish", soy="soy"
    ),
    "spice": uninflected(none="not spicy", mild="mild", medium="medium spicy", hot="hot"),
    "portion": uninflected(small="small", regular="regular", large="large"),
    "style": uninflected(short="short", detailed="detailed"),
    "liked": uninflected(good="liked it", bad="did not like it"),
}
NAMES["offer"] = NAMES["dish"] | NAMES["extra"]
