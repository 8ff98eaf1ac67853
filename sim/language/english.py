"""English: what the memory and the prompts need of it."""

from sim.language.snowball import SnowballPack

# Negations (no, not, never, without) are no stop words: they are the difference that matters.
_STOP_WORDS = """
a about again all also am an and any are as at be because been before being both but by can could
did do does doing down during each few for from further had has have having he he'd he'll he's her
here here's hers herself him himself his how how's i i'd i'll i'm i've if in into is it it'd it'll
it's its itself just let's me more most my myself now of on once only or other our ours ourselves
out over own please same shall she she'd she'll she's should so some such than that that'll that's
the their theirs them themselves then there there's these they they'd they'll they're they've this
those through to too under until up us very was we we'd we'll we're we've were what what's when
when's where where's which while who who's whom why why's will with would you you'd you'll you're
you've your yours yourself yourselves
"""

_MARKERS = """
agree agreed agrees allergic allergy always avoid avoids critical crucial decide decided decision
essential favorite favourite forever important importantly insist insists key must never note
prefer preference preferred prefers promise promised remember required serious usual usually vital
"""

_SAME = (
    ("allergy", "allergic", "allergen"),
    ("chilli", "chili", "chile"),
    ("coriander", "cilantro"),
    ("dislike", "hate", "detest"),
    ("favourite", "favorite"),
    ("like", "love", "enjoy", "prefer"),
    ("portion", "serving", "helping"),
    ("shrimp", "prawn"),
    ("spicy", "hot", "fiery"),
    ("vegetarian", "veggie"),
)

_HEADINGS = {
    "today": "Today is {day}.",
    "customer": "Customer: {who}",
    "memory": "What you remember:",
    "nothing_remembered": "Nothing is remembered: this customer is new to you.",
    "visit_so_far": "This visit so far:",
    "customer_says": "The customer says: {text}",
    "you": "You",
}


def english() -> SnowballPack:
    """Builds the English pack."""
    return SnowballPack(
        code="en",
        algorithm="english",
        stop_words=frozenset(_STOP_WORDS.split()),
        markers=frozenset(_MARKERS.split()),
        headings=_HEADINGS,
        same=_SAME,
    )
