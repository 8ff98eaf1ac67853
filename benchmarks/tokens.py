"""The estimate of tokens against real tokenizers, on prompts of the shop in three languages.

``python benchmarks/tokens.py [PROMPTS]`` (1,000 by default). Each tokenizer that lies on the machine is
compared with the rates of its family: the estimate must never be below the truth, and its median at most
40 % above. The last column counts how often the highest rates, those of an unknown tokenizer, are below.
"""

import sys
from collections.abc import Sequence
from statistics import median

from benchmarks._prompts import Sampled, sample
from benchmarks._table import show
from benchmarks._tokenizers import FAMILY, Count, tokenizers
from scenarios.noodle_shop.prompts import Prompt
from scenarios.noodle_shop.speech import LANGUAGES
from sim.llm.tokens import FAMILIES, HIGHEST, TokenRates, estimate_tokens

PROMPTS = 1_000


def estimated(prompt: Prompt, rates: TokenRates) -> int:
    """Tokens of both parts of a prompt."""
    return sum(estimate_tokens(text, rates) for text in prompt)


def row(name: str, count: Count, prompts: Sequence[Sampled]) -> list[str | int]:
    """One line of the table."""
    by_language: dict[str, list[float]] = {language: [] for language in LANGUAGES}
    unknown = []
    for language, _, prompt in prompts:
        truth = sum(map(count, prompt))
        by_language[language].append(estimated(prompt, FAMILIES[FAMILY[name]]) / truth)
        unknown.append(estimated(prompt, HIGHEST) / truth)
    every = [ratio for some in by_language.values() for ratio in some]
    medians = [f"{median(by_language[language]):.2f}" for language in LANGUAGES]
    least, below = f"{min(every):.3f}", sum(ratio < 1 for ratio in unknown)
    return [name, FAMILY[name], least, f"{median(every):.2f}", *medians, f"{median(unknown):.2f}", below]


def main() -> None:
    """Prints the table."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else PROMPTS
    header = ["tokenizer", "family", "least", "median", *LANGUAGES, "unknown", "unknown below"]
    prompts = tuple(sample(number))
    rows = [row(name, count, prompts) for name, count in tokenizers()]
    show(f"estimate by truth, {number} prompts", header, rows)


if __name__ == "__main__":
    main()
