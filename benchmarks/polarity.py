"""Does a real model write down who likes what, and does the memory keep it apart? Pairs that look alike.

``python benchmarks/polarity.py [PAIRS] [llm=… override …]`` (20 per language and llm=smollm2 by default).
Each of two statements is put in a customer's words, reflected on by the model, and written into a memory with
a profile; then who each of the two people is is compared with what they said. The pairs are those of
`tests/test_polarity.py`.
"""

import asyncio
import sys
from collections import Counter

from benchmarks._pairs import MENU, PEOPLE, Said, entry, pair, truth, words_of
from benchmarks._table import percent, show
from scenarios.noodle_shop.profiles import NOODLE_SLOTS
from scenarios.noodle_shop.prompts import reflect_prompt
from scenarios.noodle_shop.reflecting import extracted
from scenarios.noodle_shop.schemas import diary_schema
from scenarios.noodle_shop.skills import skills
from scenarios.noodle_shop.speech import LANGUAGES
from sim.agents.effects import Ask
from sim.build import thinking_of
from sim.clock import DAY_MS
from sim.door import configured
from sim.llm.ladder.structured import Ladder
from sim.llm.protocol import LanguageModel
from sim.llm.thinking import Thinking
from sim.llm.wrappers.limiter import Limiter
from sim.memory.diary import Diary, Parts
from sim.memory.domain import Domain
from sim.memory.protocol import Claim, Owner, Query
from sim.records import ActId
from sim.streams import Stream

PAIRS = 20
OWNER = Owner(store="waiter-1")


class Reflecting:
    """A model that reflects on what customers say."""

    def __init__(self, thinking: Thinking, model: LanguageModel) -> None:
        self._thinking = thinking
        self._ladder = Ladder(model)

    async def claims(self, language: str, one: Said, words: str, number: int, day: int) -> tuple[Claim, ...]:
        """What the model says that the customer wants; nothing where it gave no usable answer."""
        who = f"Mia ({one.who})"
        prompt = reflect_prompt("waiter-1", f"2026-01-0{day}", who, words, "", language, MENU, role="diary")
        question = Ask(
            role="reflect", system=prompt[0], user=prompt[1], schema=diary_schema(MENU), language=language
        )
        act = ActId(agent="waiter-1", customer=one.who, visit=f"{language}/{number}/{day}", purpose="reflect")
        outcome = await self._ladder.ask(self._thinking.request(act, 0, question, 0))
        return extracted(outcome.value["customer_preference"], MENU) if outcome.value else ()


async def asked(reflecting: Reflecting, language: str, pairs: int) -> Counter[str]:
    """Of all statements how many were understood, and of all people how many are known as they are."""
    seen: Counter[str] = Counter()
    for number in range(pairs):
        draw = Stream.root(number).of("pair", language)
        said = pair(draw)
        memory = Diary(OWNER, domain=Domain(slots=NOODLE_SLOTS), parts=Parts(profile=True))
        for day, one in enumerate(said, 1):
            words = words_of(language, one, day, draw)
            claims = await reflecting.claims(language, one, words, number, day)
            turned = Claim(slot=one.claim.slot, value=one.claim.value, polarity=-one.claim.polarity)
            seen.update(statements=1, understood=one.claim in claims, turned_round=turned in claims)
            seen["made_up"] += sum(claim not in (one.claim, turned) for claim in claims)
            memory.write(OWNER, entry(language, one, claims, day))
        for who in PEOPLE:
            hits = memory.recall(OWNER, Query(text="", customer=who, at_ms=9 * DAY_MS))
            known = {claim for hit in hits if hit.record.kind == "profile" for claim in hit.record.claims}
            seen.update(people=1, known=known == truth(who, said))
    return seen


async def measured(pairs: int, overrides: list[str]) -> list[list[str]]:
    """One row per language."""
    thinking = thinking_of(configured(*overrides).llm, skills(MENU))
    models = dict(thinking.models(0))
    try:
        router = thinking.router(models, Limiter(thinking.max_in_flight), None, "run")
        reflecting = Reflecting(thinking, router)
        return [_row(language, await asked(reflecting, language, pairs)) for language in LANGUAGES]
    finally:
        for model in models.values():
            await model.close()


def _row(language: str, seen: Counter[str]) -> list[str]:
    shares = [percent(seen[name] / seen["statements"]) for name in ("understood", "turned_round")]
    return [
        language,
        str(seen["statements"]),
        *shares,
        str(seen["made_up"]),
        percent(seen["known"] / seen["people"]),
    ]


def main(arguments: list[str]) -> None:
    """Asks the model and prints the table."""
    pairs = int(arguments[0]) if arguments and arguments[0].isdigit() else PAIRS
    overrides = [argument for argument in arguments if "=" in argument] or ["llm=smollm2"]
    rows = asyncio.run(measured(pairs, overrides))
    header = [
        "language",
        "statements",
        "understood",
        "turned round",
        "claims made up",
        "people known as they are",
    ]
    show(f"pairs that look alike, {overrides[0]}", header, rows)


if __name__ == "__main__":
    main(sys.argv[1:])
