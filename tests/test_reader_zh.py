"""Chinese that the shop's phrases do not say: what a customer might, and what it claims or asks."""

from itertools import permutations

import pytest
from reading import read

from scenarios.noodle_shop.menu import standard_menu
from scenarios.noodle_shop.reader import Reader

READER = Reader("zh", standard_menu())
# "?usual" asks for it; "extra=-egg" takes it back.
SENTENCES = [
    ("要不就担担面吧，别太辣，芝麻也别放。", "dish=tantanmen spice=mild without=sesame"),
    ("等等，不要叻沙了，换成荞麦冷面。", "dish=cold_soba"),
    ("加个蛋，哦不，加豆腐，叻沙。", "dish=laksa extra=tofu"),
    ("一碗豚骨拉面，一点辣都别放，大份。", "dish=tonkotsu_ramen spice=none portion=large"),
    ("荞麦冷面一份，葱少许，姜不要。", "dish=cold_soba without=ginger"),
    ("河粉，不加香菜不加葱，加辣。", "dish=beef_pho without=coriander without=spring_onion spice=hot"),
    ("要一碗牛肉河粉，除了香菜什么都可以放。", "dish=beef_pho without=coriander"),
    ("咖喱乌冬面，麻烦别放香菜，蘑菇加双份。", "dish=curry_udon without=coriander extra=mushroom"),
    ("给我咖喱乌冬，蛋要全熟的，蒜泥一点不要。", "dish=curry_udon extra=egg without=garlic"),
    ("菜单上的咖喱乌冬看着不错，给我来一碗，辣度低一点。", "dish=curry_udon spice=mild"),
    ("担担面不要花生……我是说不要芝麻，抱歉。", "dish=tantanmen without=sesame"),
    ("虽然我也想吃叻沙，还是点酱油拉面吧。", "dish=shoyu_ramen"),
    ("我平时都吃啥你还记得吧？", "?usual"),
    ("按老规矩来，今天不要辣。", "?usual spice=none"),
    ("上次吃的那个不错，再来一份。", "?usual"),
    ("和以前一样好吃。", "liked=good"),
    ("距离我上一次光顾过去多少天了？", "?last_visit"),
    ("我是上周来的还是上上周来的？", "?last_visit"),
    ("你有我上次来的记录吗？是几号？", "?last_visit"),
    ("你当时向我安利的是什么？", "?recommended"),
    ("上次你说有个特别好吃的，叫我一定要试，是哪个？", "?recommended"),
    ("上次我是不是挺喜欢的？", "?liked"),
    ("我上次对味道有没有不满意？", "?liked"),
    ("给我备注一下：去葱、去蒜、加蛋。", "without=spring_onion without=garlic extra=egg"),
    ("以后葱和姜别放，蒜可以照放。", "without=spring_onion without=ginger without=-garlic"),
    ("我怕辣，以后一点都别放。", "spice=none"),
    ("以后我的老样子改成叻沙。", "dish=laksa"),
    ("从这次起，把我平时点的换成酱油拉面。", "dish=shoyu_ramen"),
    ("叻沙我不想再吃了。", "dish=-laksa"),
    ("以前我加蛋，现在不加了。", "extra=-egg"),
    ("把鸡蛋换成豆腐吧，以后都这样。", "extra=-egg extra=tofu"),
    ("别再往里放豆腐了，换成蘑菇吧。", "extra=-tofu extra=mushroom"),
    ("不用把葱去掉了。", "without=-spring_onion"),
    ("之前不放葱的要求可以取消了。", "without=-spring_onion"),
    ("加蛋的要求取消吧。", "extra=-egg"),
    ("豆芽我不排斥了，放吧。", "without=-bean_sprout"),
    (
        "不用加蛋和笋了，香菜、葱和蒜可以重新放。",
        "extra=-egg extra=-bamboo without=-coriander without=-spring_onion without=-garlic",
    ),
    ("不要葱，玉米要。", "without=spring_onion extra=corn"),
    ("加蛋，还有虾我不能吃。", "extra=egg allergy=shellfish"),
    ("鸡蛋我过敏，不能放。", "allergy=egg"),
    ("我对芝麻过敏，请把它去掉。", "allergy=sesame"),
    ("别放花生，鱼我过敏。", "allergy=fish"),
    ("我是过敏体质，鱼和贝类都不能吃。", "allergy=fish allergy=shellfish"),
    ("我一沾鸡蛋就浑身起红疹。", "allergy=egg"),
    ("我的花生过敏好了，现在能吃了。", "allergy=-peanut"),
    ("我没有过敏，只是不爱吃香菜。", "without=coriander"),
    ("一两句话就够了，不用多说。", "style=short"),
    ("请不厌其烦地给我讲清楚。", "style=detailed"),
    ("厨师没弄错，都是按我说的做的。", "liked=good"),
    ("好吃得我都想再来一碗。", "liked=good"),
    ("跟我说的一点不差。", "liked=good"),
    ("我说了不要葱，你们还是放了。", "liked=bad without=spring_onion"),
    ("我要的是大份，这是小份。", "liked=bad portion=large"),
    ("怎么上了大份？我要的是小份叻沙。", "liked=bad portion=small dish=laksa"),
    ("跟我要的完全不是一回事，应该是咖喱乌冬面。", "liked=bad dish=curry_udon"),
    ("抱歉，说错了，应该是荞麦冷面才对。", "dish=cold_soba"),
    ("你们家的面是全城最好吃的。", ""),
    ("厨房里飘来的味道好香。", ""),
    ("刚才路上差点走错了路。", ""),
    ("听着不错，不过下次吧。", ""),
    ("昨天看的电影太棒了。", ""),
]


@pytest.mark.parametrize(("text", "expected"), SENTENCES)
def test_chinese_is_read_as_people_read_it(text: str, expected: str) -> None:
    assert read(READER, text) == set(expected.split())


def test_what_people_refuse_and_what_they_want_stay_apart_in_any_order() -> None:
    said = {
        "不要葱": "without=spring_onion",
        "香菜免了": "without=coriander",
        "玉米要": "extra=corn",
        "竹笋不用加了": "extra=-bamboo",
        "姜又可以放了": "without=-ginger",
        "虾我不能吃": "allergy=shellfish",
        "我对鱼不过敏了": "allergy=-fish",
    }
    for (one, meant), (other, also_meant) in permutations(said.items(), 2):
        for link in ("，", "，但是", "，还有", "；"):
            assert read(READER, f"{one}{link}{other}。") == {meant, also_meant}


@pytest.mark.parametrize("word", ["都", "很", "再", "就"])
def test_a_word_without_end_is_read_in_one_go(word: str) -> None:
    assert READER.asked(word * 5_000) == frozenset()
