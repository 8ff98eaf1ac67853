"""How Russian patterns are put together: lists of alternatives, and where a part of a sentence ends."""

import re

END = r"(?= ?(?:[.,!?;:…)—–]|- )| ?$)"
# How names of dishes and of what goes into them begin.
DISH = r"(?:тонко|сею|шою|мисо|рамен|тан[ -]?тан|фо(?!\w)|лакс|удон|кар+и|соб[ауые](?!\w)|холодн\w+ соб)"
FOOD = (
    r"(?:яйц|яиц|яич|бамбук|свин|тофу|кукуруз|гриб|кинз|кориандр|лук|лучк|зелен\w+ лу|чесно|кунжут|имбир"
    r"|рост)"
)
_GENITIVES = (
    *("яйца", "яиц", "бамбука", "свинины", "тофу", "кукурузы", "грибов", "кинзы", "кориандра", "лука"),
    *("чеснока", "кунжута", "имбиря", "ростков", "мяса"),
)
AFTER_FOOD = "(?:" + "|".join(f"(?<={word} )" for word in _GENITIVES) + ")"
NOT_AFTER_FOOD = "".join(f"(?<!{word} )" for word in _GENITIVES)
MEAL = r"(?:суп|лапш|блюд|еда(?!\w)|ед[уы](?!\w)|бульон|обед|ужин|завтрак|порци|тарелк|миск|заказ)"
CHILLI = (
    r"(?:острот\w+|остр(?:ого|ых|ым|ый)(?: (?:соус|пер|приправ)\w+)|перец|перц\w+|пер(?:чик|чинк)\w*"
    r"|чили|остринк\w+|жгучест\w+|остренького|острого)(?: чили)?"
)


def any_of(text: str) -> str:
    """One pattern of many that are written a line each; a line that begins with ``|`` goes on in a group."""
    # `re` can skip to no likely place when the alternatives begin with anything; this spares it most places.
    return r"(?<!\w)(?:" + re.sub(r"\n\s*\|?", "|", text.strip()) + ")"
