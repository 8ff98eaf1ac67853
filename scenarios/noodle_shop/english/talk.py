"""How customers and agents put things in English."""

from scenarios.noodle_shop.english import feedback, ordering, questions, small_talk, wishes
from scenarios.noodle_shop.english.agent import EVENTS, REPLIES
from scenarios.noodle_shop.english.held_out import HELD_OUT
from scenarios.noodle_shop.english.names import NAMES
from scenarios.noodle_shop.english.parts import FRAGMENTS, SENTENCES
from scenarios.noodle_shop.speech import Talk

TALK = Talk(
    names=NAMES,
    moves=ordering.MOVES | questions.MOVES | wishes.MOVES | feedback.MOVES | small_talk.MOVES,
    fragments=FRAGMENTS,
    sentences=SENTENCES,
    events=EVENTS,
    replies=REPLIES,
    held_out=HELD_OUT,
    openings=("Well.", "Let me see.", "All right.", "Right."),
    attach=("with ", "without "),
    conjunction="and",
    disjunction="or",
    nothing="came by",
)
