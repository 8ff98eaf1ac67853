"""How customers and agents put things in Russian.

Customers speak of themselves in the present tense: the past would need their gender.
"""

from scenarios.noodle_shop.russian import feedback, ordering, questions, small_talk, wishes
from scenarios.noodle_shop.russian.agent import EVENTS, REPLIES
from scenarios.noodle_shop.russian.held_out import HELD_OUT
from scenarios.noodle_shop.russian.names import NAMES
from scenarios.noodle_shop.russian.parts import FRAGMENTS, SENTENCES
from scenarios.noodle_shop.speech import Talk

_MOVES = {**ordering.MOVES, **questions.MOVES, **wishes.MOVES, **feedback.MOVES, **small_talk.MOVES}
TALK = Talk(
    names=NAMES,
    moves=_MOVES,
    fragments=FRAGMENTS,
    sentences=SENTENCES,
    events=EVENTS,
    replies=REPLIES,
    held_out=HELD_OUT,
    openings=("Так.", "Ну что ж.", "Дайте подумать.", "Хорошо."),
    attach=("с ", "со ", "без "),
    conjunction="и",
    disjunction="и",
    nothing="без особых пожеланий",
)
