"""The end of a visit: what came against what was wanted, what is said of it, and the row of the visit."""

from collections.abc import Mapping, Sequence
from typing import Any

from scenarios.noodle_shop import waiter
from scenarios.noodle_shop.chef import Plate
from scenarios.noodle_shop.customers import ORDERED, wanted
from scenarios.noodle_shop.desk import Desk, Exchange, Moment
from scenarios.noodle_shop.menu import Menu
from scenarios.noodle_shop.script import Cue
from scenarios.noodle_shop.stay import Stay
from sim.agents.effects import After, Became, Note, Report, Tell, Write
from sim.agents.waiting import after_all
from sim.clock import SECOND_MS
from sim.engine.act import Steps
from sim.ledger import Fact
from sim.memory.diary.manners import dialogue_of
from sim.records import ActId, Visit, canonical, utterance_of

_WRONG_DISH, _WRONG_DETAIL, _ASKED_AGAIN, _SENT_BACK, _LONG_WAIT = 50, 20, 15, 10, 10
_LONG_WAIT_MS = 1200 * SECOND_MS


def feedback(desk: Desk, at: Moment, talks: Sequence[ActId], *, cooked: ActId, stay: Stay) -> Steps:
    """What the customer says after the meal, which hangs on what came; answered by the waiter.

    How it was liked becomes a fact that the waiter has heard, and so does that the customer was here:
    every exchange of the visit bears its date, and the visit counts as the last one when it is over.

    Returns:
        The `Exchange`.
    """
    plate: Plate = yield After(act=cooked)
    good = right(plate.content, wanted(stay.facts))
    move = "feedback_right" if good else "feedback_wrong"
    cue = Cue(move=move, states=() if good else stay.everything.states)
    exchange = yield from waiter.answer(desk, at, cue, cue, before=talks, known=False)
    yield Became(
        utterance=at.utterance,
        customer=at.customer.id,
        slot="liked",
        value="good" if good else "bad",
    )
    if stay.here is not None:
        for utterance in (*map(utterance_of, talks), at.utterance):
            yield Tell(utterance=utterance, facts=(stay.here.id,))
    return exchange


def learn(at: Moment, talks: Sequence[ActId]) -> Steps:
    """Hands over what the customer said in the whole visit, for manners to be learnt from it."""
    visit: list[Exchange] = yield from after_all(talks)
    dialogue = dialogue_of(
        at.act("learn"),
        at_ms=at.at_ms,
        customer=at.customer.known_as,
        language=at.customer.language,
        said=[one.said for one in visit if one.said],
        used=list(dict.fromkeys(rule for one in visit for rule in one.rules)),
    )
    yield Write(owner=at.owner, record=dialogue)


def leave(desk: Desk, stay: Stay, outcome: str, left_ms: int, acts: Sequence[ActId]) -> Steps:
    """Closes the books on a visit.

    Returns:
        The satisfaction, from 0 to 1, or None if there was no meal.
    """
    results = yield from after_all(acts)
    plates = [result for result in results if isinstance(result, Plate)]
    plate = plates[-1] if plates else None
    wish = wanted(stay.facts)
    for served in plates:
        yield from _incidents(desk, served, stay.facts)
    satisfaction = _satisfaction(stay, plate, results) if plate is not None else None
    yield Note(kind="left", payload={"outcome": outcome, "satisfaction": satisfaction})
    share = None if satisfaction is None else satisfaction / 100
    yield Report(
        visit=Visit(
            visit=stay.id,
            customer=stay.customer.id,
            number=stay.number,
            regular=stay.regular,
            language=stay.customer.language,
            waiter=stay.waiter,
            outcome=outcome,
            arrived_ms=stay.arrived_ms,
            seated_ms=stay.seated_ms,
            ordered_ms=stay.ordered_ms,
            served_ms=stay.served_ms,
            left_ms=left_ms,
            moves=" ".join(cue.move for cue in stay.cues),
            wanted=canonical(wish),
            served=canonical({slot: plate.content[slot] for slot in ORDERED}) if plate else None,
            right=right(plate.content, wish) if plate else None,
            satisfaction=share,
            revenue=_bill(desk.menu, stay.extra_price, plate, results) if plate else None,
        )
    )
    return share


def right(plate: Mapping[str, Any], wish: Mapping[str, str]) -> bool:
    """Whether a plate is what was wanted: leaving out more than asked is no fault, adding something is."""
    extras = {wish["extra"]} if "extra" in wish else set()
    return (
        plate["dish"] == wish["dish"]
        and set(plate["extra"]) == extras
        and ("without" not in wish or wish["without"] in plate["without"])
        and all(plate[slot] == wish[slot] for slot in ("spice", "portion") if slot in wish)
    )


def _bill(menu: Menu, extra_price: float, plate: Plate, results: Sequence[Any]) -> float:
    """What is paid: the dish that came, its extras, and what was taken of an offer."""
    taken = [one.accepted for one in results if isinstance(one, Exchange) and one.accepted]
    dishes = menu.values("dish")
    offers = sum(menu.dish(item).price if item in dishes else extra_price for item in taken)
    extras = extra_price * len(plate.content["extra"])
    return round(menu.dish(plate.content["dish"]).price + extras + offers, 2)


def _incidents(desk: Desk, plate: Plate, facts: Mapping[str, Fact]) -> Steps:
    """An allergen of the customer on the plate, known to the agents or not."""
    if "allergy" not in facts:
        return
    content = plate.content
    reached = desk.menu.allergens_on(content["dish"], content["extra"], content["without"])
    if facts["allergy"].value in reached:
        yield Note(kind="incident", payload={"allergen": facts["allergy"].value, "dish": content["dish"]})


def _satisfaction(stay: Stay, plate: Plate, results: Sequence[Any]) -> int:
    """Percent, from 0 to 100."""
    wish = wanted(stay.facts)
    lost = 0
    if plate.content["dish"] != wish["dish"]:
        lost += _WRONG_DISH
    elif not right(plate.content, wish):
        lost += _WRONG_DETAIL
    if any(isinstance(result, Exchange) and result.asked_back for result in results):
        lost += _ASKED_AGAIN
    if stay.sent_back:
        lost += _SENT_BACK
    if stay.served_ms is not None and stay.served_ms - stay.arrived_ms > _LONG_WAIT_MS:
        lost += _LONG_WAIT
    return 100 - lost
