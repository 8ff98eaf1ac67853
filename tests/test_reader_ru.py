"""Russian as customers might speak it, none of it among the phrases they are made to say."""

import pytest
from reading import read

from scenarios.noodle_shop.menu import standard_menu
from scenarios.noodle_shop.reader import Reader

READER = Reader("ru", standard_menu())

# Each sentence with the claims it makes ("slot=value", "-" before a value taken back).
CLAIMED = [
    ("Не могли бы вы принести мне лаксу, только без кинзы?", "dish=laksa without=coriander"),
    ("Я бы не отказался от миски мисо-рамена с тофу.", "dish=miso_ramen extra=tofu"),
    ("Тонкоцу, чеснок исключить, лук тоже.", "dish=tonkotsu_ramen without=garlic without=spring_onion"),
    ("Я, наверное, буду мисо... нет, погодите, лучше сёю.", "dish=shoyu_ramen"),
    (
        "Рамен тонкоцу с грибами и двойной порцией бамбука.",
        "dish=tonkotsu_ramen extra=mushroom extra=bamboo",
    ),
    ("Мисо-рамен. Добавки: яйцо, кукуруза.", "dish=miso_ramen extra=egg extra=corn"),
    ("Холодную собу, пожалуйста, чили вообще не кладите.", "dish=cold_soba spice=none"),
    (
        "Здравствуйте! Я бы взяла мисо, большое, слабоострое, с тофу.",
        "dish=miso_ramen portion=large spice=mild extra=tofu",
    ),
    ("Кинзу не люблю, поэтому фо без неё.", "dish=beef_pho without=coriander"),
    (
        "Сёю-рамен, бамбука побольше, кинзы не надо вообще.",
        "dish=shoyu_ramen extra=bamboo without=coriander",
    ),
    (
        "Одну собу, ни лука, ни имбиря не надо.",
        "dish=cold_soba without=spring_onion without=ginger",
    ),
    ("Мне, пожалуй, хватит маленькой порции мисо-рамена.", "dish=miso_ramen portion=small"),
    ("Хочу, чтобы порция у меня была всегда большая.", "portion=large"),
    ("Мне бы хотелось, чтобы в супе всегда была кукуруза.", "extra=corn"),
    ("Мне нужно, чтобы в лапше не было чеснока.", "without=garlic"),
    ("Давайте договоримся: кинзу — никогда.", "without=coriander"),
    ("Лук мне не сыпьте никогда.", "without=spring_onion"),
    ("И ещё: ничего острого мне не давайте.", "spice=none"),
    ("Теперь вместо обычного я беру тантанмен.", "dish=tantanmen"),
    ("С сегодняшнего дня мой обычный заказ — лакса.", "dish=laksa"),
    ("Поменяйте мне обычное на тантанмен.", "dish=tantanmen"),
    ("Вместо моего обычного рамена теперь приносите фо.", "dish=beef_pho"),
    ("Давайте отныне тантанмен, фо мне наскучил.", "dish=tantanmen"),
    ("От яиц я теперь отказываюсь.", "extra=-egg"),
    ("Больше никакого бамбука, пожалуйста.", "extra=-bamboo"),
    ("Чеснок можно больше не убирать.", "without=-garlic"),
    ("Кунжут уже не проблема, сыпьте.", "without=-sesame"),
    ("Раньше я просила не класть чеснок, но теперь можно.", "without=-garlic"),
    ("Забудьте, что я просил без лука, теперь кладите.", "without=-spring_onion"),
    ("Зря я отказался от лука, верните его, пожалуйста.", "without=-spring_onion"),
    ("Не надо больше большой порции, хватит обычной.", "portion=regular"),
    ("Яйцо верните, а вот бамбук уберите.", "extra=egg extra=-bamboo"),
    (
        "Яйца больше не надо, бамбука тоже, а вот кинзу и чеснок верните.",
        "extra=-egg extra=-bamboo without=-coriander without=-garlic",
    ),
    (
        "Уберите грибы, зато кинзу и лук можно вернуть.",
        "extra=-mushroom without=-coriander without=-spring_onion",
    ),
    ("Учтите, я аллергик: мне нельзя морепродукты.", "allergy=shellfish"),
    ("Из-за аллергии не ем морепродукты.", "allergy=shellfish"),
    ("Врачи запретили мне арахис из-за аллергии.", "allergy=peanut"),
    ("От креветок я задыхаюсь, пожалуйста, осторожнее.", "allergy=shellfish"),
    ("Аллергия у меня, на арахис и кунжут.", "allergy=peanut allergy=sesame"),
    ("У меня аллергия: ни рыбы, ни морепродуктов.", "allergy=fish allergy=shellfish"),
    ("Аллергия у меня не на рыбу, а на сою.", "allergy=-fish allergy=soy"),
    ("Кунжут мне больше не опасен, аллергии нет.", "allergy=-sesame"),
    ("Говорите, пожалуйста, по существу.", "style=short"),
    ("Подробности мне не нужны.", "style=short"),
    ("Можно поразвёрнутее? Люблю детали.", "style=detailed"),
    ("Вы принесли ровно то, что я просила.", "liked=good"),
    ("Заказ был правильный, спасибо.", "liked=good"),
    ("Ошибок нет, всё на месте.", "liked=good"),
    ("Суп, честно говоря, совсем не вкусный.", "liked=bad"),
    ("Мне принесли удон, а я просил собу.", "liked=bad dish=cold_soba"),
    ("Я заказывал лаксу, а принесли удон.", "liked=bad dish=laksa"),
    ("Вы принесли лаксу вместо тонкоцу.", "liked=bad dish=tonkotsu_ramen"),
    (
        "Вы забыли яйцо, я заказывала тонкоцу с яйцом.",
        "liked=bad dish=tonkotsu_ramen extra=egg",
    ),
    ("Я просил без кинзы, а тут кинза.", "liked=bad without=coriander"),
    ("У вас всегда очень вкусно готовят.", ""),
    ("Звучит вкусно, давайте!", ""),
    ("Мне, пожалуйста, с собой.", ""),
    ("Сын у меня уже большой, в пятый класс пошёл.", ""),
    ("Я уже наелся, спасибо.", ""),
    ("Фо, и чтобы совсем не жгло.", "dish=beef_pho spice=none"),
    ("Фо, острого ни грамма.", "dish=beef_pho spice=none"),
    ("Фо, без намёка на остроту.", "dish=beef_pho spice=none"),
    ("Тантанмен, чтобы слегка щипало.", "dish=tantanmen spice=mild"),
    ("Тантанмен, перчика на кончике ножа.", "dish=tantanmen spice=mild"),
    ("Удон, чтобы жгло в меру.", "dish=curry_udon spice=medium"),
    ("Удон, острота пусть будет средняя.", "dish=curry_udon spice=medium"),
    ("Удон, чтоб до слёз пробрало.", "dish=curry_udon spice=hot"),
    ("Удон, поддайте огоньку.", "dish=curry_udon spice=hot"),
    ("Внесите поправку в мой обычный заказ: без лука.", "without=spring_onion"),
    ("Мой обычный заказ меняется: яйцо больше не кладите.", "extra=-egg"),
    ("Говорите поменьше.", "style=short"),
    ("Рассказывайте подольше.", "style=detailed"),
    ("Чуть язык не проглотил.", "liked=good"),
    ("Придраться совершенно не к чему.", "liked=good"),
    ("Вкусно, как всегда!", "liked=good"),
    ("Это чей суп? Я жду лаксу.", "liked=bad dish=laksa"),
    ("Разговор был о другом: лакса без кинзы.", "liked=bad dish=laksa without=coriander"),
    ("Вчера такой фильм показали, просто шедевр.", ""),
]
# Each sentence with what it asks; none of them claims anything.
ASKED = [
    ("Помните, что я у вас обычно беру?", "usual"),
    ("Тот же суп, что и в прошлый раз, пожалуйста.", "usual"),
    ("Хочу свою обычную лапшу.", "usual"),
    ("А давно я к вам заходила?", "last_visit"),
    ("Напомните дату, когда я у вас был.", "last_visit"),
    ("Здравствуйте, давно не виделись!", ""),
    ("Вы мне что-то хвалили в прошлый раз, что это было?", "recommended"),
    ("Мне что-то посоветовали, а я запамятовал что.", "recommended"),
    ("Что я сказал про еду, когда был здесь в прошлый раз?", "liked"),
    ("Угодили вы мне в прошлый раз?", "liked"),
    ("Вы и сами знаете, что мне подать.", "usual"),
    ("Месяц меня не было или меньше?", "last_visit"),
    ("На чём вы настаивали в прошлый раз?", "recommended"),
    ("Были у меня претензии к прошлому заказу?", "liked"),
]


@pytest.mark.parametrize(("text", "expected"), CLAIMED)
def test_what_a_customer_states(text: str, expected: str) -> None:
    assert read(READER, text) == set(expected.split())


@pytest.mark.parametrize(("text", "expected"), ASKED)
def test_what_a_customer_asks(text: str, expected: str) -> None:
    assert read(READER, text) == {f"?{name}" for name in expected.split()}
