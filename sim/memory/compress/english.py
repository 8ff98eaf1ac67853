"""English words that tell nothing or little, negations and question words."""

from sim.memory.compress.cues import Cues

_CALLS = """
ah aha aw aww absolutely actually basically bye completely congrats congratulations definitely exactly
extremely gonna gotta haha heck hello hey hi hmm honestly hooray incredibly indeed just lol mm oh ok okay
omg ooh perhaps please pretty probably quite rather really seriously simply super sure surely thank thankful
thanks totally truly ugh wanna welcome well wow ya yay yea yeah yep yes yet yum yummy
"""
_FILLERS = """
able add agree agreed all alright already also always amazing amazingly another anymore anyone anything
anytime anyway appreciate appreciated appreciating around awesome beautiful become becomes believe best bet
better big bit blast bless both bring bringing brings brought came care chance cheer check come comes coming
complete cool crazy curious cute damn dear did different done doubt each easy else enjoy enjoyed enjoying
enough especially even ever every everyone everything excellent excited exciting extra fab fabulous fact
fantastic far fascinating feel feeling feelings feels felt few figure find finding fine first forward found
full fun funny gave get gets getting gives give giving glad go goes going good gorgeous got gotten great
guess guy guys had happen happened happening happens happy hard hear heard hearing help helped helpful
helping helps high hold honest hope hopefully hoping huge idea imagine impact important impressed impressive
incredible inspire inspired inspires inspiring interesting joy keep keeping keeps kept kind kinda knew know
knowing large last lately later leave least let lets like liked likes little long look looked looking looks
lot lots love loved lovely loves loving luckily lucky made main major make makes making many maybe mean
meaning meaningful means meant might mind moment moments much must nearly need needed needs new next nice
one ones open other part perfect perfectly pic pics pick picture piece pictures photo photos place plenty
plus point positive possible power powerful proud pull push put putting reach ready real reason recently
recent remember remind reminder reminds result right same said saw say saying says see seeing seem seemed
seems seen sense set shame share shared sharing should show showed showing side simple since some somehow
someone something sometimes soon sorry sort sound sounded sounds special spot stand start started starting
stay stick still stop strong stuff stunning such supportive sweet take taken takes taking talk talked
talking tell telling terrible that's there's thing things think thinking though thought thoughts till time
times tip today together told took top total tough treasure tried true try trying turn turned understand
understanding unfortunately unique upcoming use used using usually various vibe vibes vital wait want wanted
wants watch way ways weird went whatever whenever whole why wild wish wonder wonderful wondering word words
worry worth worthwhile would yourself
"""
_NEGATIONS = """
not no never without nor neither none nobody nothing nowhere cannot can't don't doesn't didn't won't
wouldn't isn't aren't wasn't weren't haven't hasn't hadn't couldn't shouldn't mustn't ain't hardly except
"""
_DISLIKES = """
hate hates hated hating dislike dislikes disliked detest detests loathe loathes refuse refuses avoid avoids
avoiding
"""

CUES = Cues(
    calls=frozenset(_CALLS.split()),
    fillers=frozenset(_FILLERS.split()),
    negations=frozenset(_NEGATIONS.split()),
    dislikes=frozenset(_DISLIKES.split()),
    turns=frozenset("but however although though yet instead".split()),
    questions=frozenset("what when where which who whom whose why how".split()),
)
