"""The Chinese names of what the shop sells; words have no forms and no spaces between them."""

from scenarios.noodle_shop.speech import uninflected

NAMES = {
    "dish": uninflected(
        tonkotsu_ramen="豚骨拉面",
        shoyu_ramen="酱油拉面",
        miso_ramen="味噌拉面",
        tantanmen="担担面",
        beef_pho="牛肉河粉",
        laksa="叻沙",
        curry_udon="咖喱乌冬面",
        cold_soba="荞麦冷面",
    ),
    "extra": uninflected(egg="鸡蛋", bamboo="竹笋", pork="猪肉", tofu="豆腐", corn="玉米", mushroom="蘑菇"),
    "without": uninflected(
        coriander="香菜",
        spring_onion="葱",
        garlic="大蒜",
        sesame="芝麻",
        ginger="姜",
        bean_sprout="豆芽",
    ),
    "allergy": uninflected(peanut="花生", shellfish="贝类", egg="鸡蛋", sesame="芝麻", fish="鱼", soy="大豆"),
    "spice": uninflected(none="不辣", mild="微辣", medium="中辣", hot="特辣"),
    "portion": uninflected(small="小份", regular="中份", large="大份"),
    "style": uninflected(short="简短", detailed="详细"),
    "liked": uninflected(good="满意", bad="不满意"),
}
NAMES["offer"] = NAMES["dish"] | NAMES["extra"]
