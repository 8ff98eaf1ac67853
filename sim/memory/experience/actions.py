"""The actions that phrases of feedback ask for, the same in every language."""

from sim.memory.experience.rule import Action

SHORT = Action(kind="response_format", value="short")
DETAILED = Action(kind="response_format", value="detailed")
LIST = Action(kind="response_format", value="list")
PROSE = Action(kind="response_format", value="prose")
FORMAL = Action(kind="style", value="formal")
INFORMAL = Action(kind="style", value="informal")
NO_EMOJI = Action(kind="style", value="emoji", polarity=-1)
NO_JOKES = Action(kind="style", value="jokes", polarity=-1)

# ``{it}`` and ``{instead}`` stand for the groups of the phrase.
INCLUDE = Action(kind="must_include", value="{it}")
ADDRESS = Action(kind="terminology", value="{it}", instead_of="you")
AVOID = Action(kind="terminology", value="{it}", polarity=-1)
SAY = Action(kind="terminology", value="{it}", instead_of="{instead}")
