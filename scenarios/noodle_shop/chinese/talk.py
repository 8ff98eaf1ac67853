"""How customers and agents put things in Chinese, put together from its parts."""

from scenarios.noodle_shop.chinese import feedback, ordering, questions, small_talk, wishes
from scenarios.noodle_shop.chinese.agent import EVENTS, REPLIES
from scenarios.noodle_shop.chinese.held_out import HELD_OUT
from scenarios.noodle_shop.chinese.names import NAMES
from scenarios.noodle_shop.chinese.parts import FRAGMENTS, SENTENCES
from scenarios.noodle_shop.speech import Talk

TALK = Talk(
    names=NAMES,
    moves=ordering.MOVES | questions.MOVES | wishes.MOVES | feedback.MOVES | small_talk.MOVES,
    fragments=FRAGMENTS,
    sentences=SENTENCES,
    held_out=HELD_OUT,
    events=EVENTS,
    replies=REPLIES,
    openings=("嗯。", "那个。", "好。", "我想想。"),
    attach=(),
    conjunction="和",
    disjunction="和",
    comma="、",
    pause="，",
    space="",
    nothing="来过",
)
