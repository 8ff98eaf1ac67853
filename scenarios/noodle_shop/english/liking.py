"""Words that say how a meal was, in English."""

from scenarios.noodle_shop.english.patterns import any_of
from scenarios.noodle_shop.english.words import DISH

_NOUN = any_of(rf"""
    food|meal|bowl|soup|broth|noodles?|ramen|dish|plate|order|lunch|dinner|supper|seasoning|cooking
    bowlful|flavou?rs?|taste(?! in)|portion|meat|temperature|ones?|{DISH}
""")
_THING = any_of(rf"""
    it|that|this|these|those|they|all(?: of it| of that)?|everything|something
    the whole thing|(?:the|my|your|today's|this|that|these|those) (?:\w+ )?{_NOUN}
""")
_OF_MINE = r"(?: today| here| tonight| you (?:brought|made|gave) me| i (?:got|had|ate)| with (?:my|the) \w+)"
_MEAL = rf"{_THING}{_OF_MINE}{{0,2}}"
_WAS = any_of(r"""
    was|were|is|are|tastes?|tasted|came|came out|turned out|has been|looks|looked
    arrived|went|seemed|seems|felt|smelled|must have been|ended up
""")
_QUITE = any_of(r"""
    really|very|so|absolutely|just|simply|exactly|truly|all|rather|a bit|too|that
    at all|totally|pretty|completely|entirely|perfectly|utterly|somewhat|extremely
    terribly|especially|particularly|again|as|a little|far|way|much|quite|in fact
    actually|honestly|also|out of this world|nothing short of|nice and|almost|both
    today|this time|once again|overall|most
""")
_VERY = rf"(?:{_QUITE} )"
_FINE = any_of(r"""
    fine|ok|okay|all right|alright|in order|just so
    well (?:cooked|made|done|seasoned|prepared)
""")
_GOOD = any_of(rf"""
    perfect(?:ion)?|great|good|right(?! (?:now|away|here|there|next))|lovely
    wonderful|excellent|fantastic|superb|amazing|correct
    nice(?! (?:to|of|talking|seeing|meeting|chatting|being))
    an? (?:\w+ )?(?:treat|joy|delight|dream|pleasure|hit|success|triumph|winner|feast)
    tremendous|magnificent|splendid|fabulous|brilliant|marvellous|marvelous|gorgeous
    incredible|terrific|awesome|exquisite|sublime|impeccable|first[- ]rate|on point
    accurate|beautiful|satisfying|flavou?rful|spot[- ]on|phenomenal|stunning
    unbeatable|out of this world|to die for|the best(?: (?:\w+ )?{_NOUN})?|divine
    heavenly|outstanding|flawless|faultless|cooked to perfection|beyond reproach
    lush|ace|stellar|glorious|enjoyable|comforting|bang on|dead on|as it should be
    delightful
""")
_AWFUL = any_of(r"""
    bad|awful|terrible|horrible|inedible|off|bland|a mess|tasteless|poor|salty
    burn[te]d?|dreadful|false|overcooked|undercooked|underdone|overdone|raw|soggy
    mushy|lukewarm|stale|rubbery|greasy|oily|watery|sour|bitter|spoil(?:ed|t)
    stone[- ]cold|disgusting|nasty|gross|mediocre|so-so|lacking|flavou?rless|chewy
    a let-?down|a disaster|incorrect|missing|revolting|not (?:it|for me)|vile
    average|meh|underwhelming|unpleasant|ruined|a disappointment|unacceptable
    cold(?! (?:outside|out|today|in here|day|this|tonight|soba|again))
    nowhere near (?:right|what)|far from (?:good|right|great)
""")
_EXCESS = any_of(r"""
    too (?:salty|spicy|hot|sweet|oily|greasy|cold|dry|small|big|little|much|mild|bland|sour|bitter|fatty
    |heavy|strong|weak|soft|hard|thin|thick|rich)(?! (?:outside|out|today|in here|for (?:that|ramen
    |noodles|soup)))
""")
_MINE = any_of(r"""
    (?:what|how|as|like|the (?:way|one|bowl|dish|thing|order)|anything) i(?:'d| had| would| usually
    | always| really| was| have|'m)* (?:wanted|want|ordered|order|asked|like|liked|said|had in mind
    |have in mind|expected|requested|prefer|needed|hoped|hoping|specified|after|looking for|told|craving
    |wished)
    as (?:ordered|requested|asked|agreed|described|expected|promised)(?! i)
""")
_PLEASED = r"(?:happy|satisfied|pleased|content|impressed|thrilled|delighted)"
_PRONOUN = any_of(r"""
    it|that|this|everything|these|those|(?:my|the|that|this|your) (?:\w+ )?\w+
    what you \w+
""")
_NOT = r"(?:not|\w+n't|hardly|far from|nowhere near|anything but|never)"
_WRONG_ONE = any_of(rf"""
    dish|bowl|order|thing|food|ones?|meal|plate|soup|noodles|size|portion|item|broth|ramen|toppings?
    customer|table|person|stuff|ticket|spice level|kind|order i think|{DISH}
""")
GOOD = any_of(rf"""
    delicious|tasty|yummy|scrumptious|delectable|mouth-?watering|moreish
    finger-licking|lip-smacking
    (?:how|as|the way|what|where) it (?:should|ought|has to|needs|was meant|was supposed)
    loved it|liked it|enjoyed it|spot[- ]on|bang on|well done|on the money
    on the nose|to a t|to the letter|dead on|first[- ]class
    (?:nothing|no (?:reason|cause)|not a thing|without anything) (?:to (?:complain|criticise|criticize
    |fault|change|add|improve)(?: about)?|(?:was |is |at all )?(?:wrong|missing|amiss
    |out of place)(?: with (?:it|that|this|my \w+))?|i(?:'d| would) change)
    (?:no|zero|without|not a single) (?:complaints?|mistakes?|errors?|mix-ups?|criticism
    |grounds for complaint)
    (?:can't|cannot|couldn't) complain about (?:the|my|this|that|it)
    (?:not|wasn't|isn't) (?:too |so |half |at all )?bad
    {_MEAL} {_WAS} {_VERY}*{_GOOD}
    {_MEAL} (?:was|were|came|came out|turned out|tasted) {_VERY}*{_FINE}
    (?:that|it)'s (?!all right){_VERY}*{_GOOD}(?=[,.!;)]|$| (?:thank|as|just|today|this|and|-|cheers
    |well))
    (?:did|done) an? (?:\w+ )?{_GOOD} job
    (?:exactly|just|precisely) (?:my|the right) (?:order|thing|dish|bowl)
    (?:that's|it's) (?:just|exactly|precisely) (?:{_GOOD}|{_MINE})
    (?:just|exactly|precisely|perfectly|completely|absolutely) (?:right|correct)|all correct(?! (?:now
    |away|here|there|next))
    (?<!no, )(?:just|exactly|precisely|perfectly|all|everything|came(?: out)?|cooked|made|done|served
    |it was|that was|this was)(?: was| came| is| came out| turned out| tasted)?(?: just| exactly
    | precisely| all)? {_MINE}(?: (?:it|for))?
    i (?:\w+ )?(?:enjoyed|loved|liked|relished|devoured|adored|savou?red) (?:it|that|this|my|the|every|all
    |everything|what)
    i (?:was|am|were) {_VERY}*{_PLEASED} with (?:it|that|this|everything|what|(?:the|my|that
    |this) {_NOUN})
    (?:^|(?<=[.!?] )|(?<=yes, ))(?:that's|it's|that is) how i (?:like|want) it
    (?:exactly|just|very much|right) (?:to )?my (?:taste|liking|thing)
    hit the spot|to my (?:taste|liking)|compliments
    (?:cooked|seasoned|done|made|prepared|spiced|served) (?:\w+ )?(?:perfectly|well|right|beautifully
    |properly|to perfection)
    perfectly (?:\w+ed|done|made|right)|to perfection
    (?:hats off|kudos|bravo|props|thumbs up|my respect|congratulations) to (?:the|your) (?:chef|cook
    |kitchen)
    (?:can|could)(?:n't| not|not) (?:\w+ ){{0,3}}(?:better|fault|happier|nicer|tastier|beat(?:en)?
    |improve\w*|wish for more|ask for more)
    (?:couldn't|could not|can't) (?:have been|be) (?:more \w+|better|happier)
    hard to beat|knocked it out of the park|heavenly|divine|flawless(?:ly)?
    faultless(?:ly)?|outstanding|top-notch|impeccabl[ey]|a winner
    (?:every|each|the last|last) (?:\w+ )?(?:bite|drop|mouthful|spoonful|noodle|slurp)
    went down (?:well|a treat|nicely|a storm)|(?:full|top) marks
    (?:ten|10)(?: out of |/)(?:ten|10)|(?:five|5) stars
    (?:nailed|smashed|aced) (?:it|that|my order|this)
    (?:polished|finished|emptied|cleaned|scraped|licked|slurped|wolfed|gobbled|ate) (?:(?:off|up|down|it
    |all) )*(?:the |my |that )?(?:whole |entire )?(?:bowl|plate|off|clean|lot|up)
    (?:got|get|had|put|made|gets) (?:it|everything|every \w+|that|my (?:\w+ )?order|this|the (?:\w+ )?order
    |all of it|all that|it all|mine) (?:\w+ ){{0,2}}(?:right|correct(?:ly)?|spot[- ]on|perfect(?:ly)?)
    (?<!not )(?:the|my) (?:right|correct) {_WRONG_ONE}
    (?:you(?:'ve)?|for) (?:\w+ )?remember(?:ed|ing) (?:everything|all|it|that|my (?!name|face|birthday)
    |exactly|correctly|how|what|perfectly)
    (?:for|that you|you) (?:getting|got|remembering|remembered)(?: it)?(?=[.!]|$)
    satisfied(?! (?:the|with you))
    (?:a|an|what a|such a|one) (?:\w+ )?(?:{_GOOD}|fine|cracking|smashing|killer|banging|proper|top|hearty
    |decent|satisfying|belter of a) (?:\w+ )?{_NOUN}
    (?:{_GOOD}) {_NOUN}(?! (?:shop|place|bar|spot|joint|house))
    best (?:\w+ )?{_NOUN}(?! (?:shop|place|bar|spot|joint|house))
    (?:really|very|so|truly|pretty|quite|bloody|jolly) (?:nice|good|lovely|tasty), (?:that|this)
    good stuff
    (?<!not )happy with (?:it|that|this|everything|(?:the|my|that|this|your) (?:bowl|meal|food|soup|dish
    |lunch|dinner|noodles|result))
    enjoyed myself
    perfect(?=[,.!] ?(?:thank|just|exactly|as |$|cheers|well|that|spot|you|every))
    (?:did|does) (?:the trick|the job)
    (?:you|the chef|the cook|the kitchen) (?:outdid|excelled)
    what a (?:treat|feast|delight)
    (?:as|just as|every bit as) {_GOOD} as (?:ever|always|i|last|the|it)
""")
BAD = any_of(rf"""
    {_NOT} (?:\w+ ){{0,2}}{_MINE}(?: (?:it|for))?
    (?:did not|didn't) (?!feel |look )(?:\w+ )?(?:like|enjoy|love|care for|think much of
    |fancy) (?:it(?! (?:when|if|so|too|that|spicy|hot))|that|this|my|the|what)
    (?:don't|do not) (?:\w+ )?(?:like|enjoy|care for|think much of) (?:this|that|(?:my|the) {_NOUN}
    |what (?:i got|you))(?! any ?more)
    (?:did not|didn't|doesn't|does not|hasn't) (?!agree)(?:\w+ )?(?:taste|come out|turn out|go down|sit
    |work out|look|come|seem)(?: out)? (?:\w+ ){{0,2}}(?:good|right|great|nice|well|properly|at all
    |of much|with me|as)
    (?:did not|didn't) (?:\w+ )?(?:hit the spot|suit me|do it for me|impress|please me|convince me
    |work for me|live up)
    (?:can't|cannot|couldn't|wouldn't) (?:really |honestly )?(?:say|claim
    |pretend)(?: that)? i (?:\w+ )?(?:enjoyed|liked|loved|cared|was)(?: \w+)?
    {_MEAL} {_WAS} {_VERY}*(?:{_AWFUL}|{_EXCESS})
    (?:that|it)'s {_VERY}*(?:inedible|undercooked|overcooked|bland|tasteless|salty|burnt|raw)
    {_NOT} {_VERY}*(?:{_GOOD}|delicious|tasty|{_PLEASED}(?: (?:with|by) {_PRONOUN})?|to my (?:taste|liking
    |standards)|up to (?:scratch|standard|par|snuff|your usual|the usual)|worth|{_MINE}|as it should
    |how it should)
    {_NOT} {_VERY}*{_FINE}|wrong {_WRONG_ONE}
    (?:was|is|are|were|(?:that|it|this|order|something)'s(?: \w+)?|has been|came|came out|all|something
    |somewhat|seriously|order|it|that|this|seems|looks|went|gone|been|completely|quite|rather|just|totally
    |entirely|terribly|still) wrong(?! (?:with (?:me|you|him|her|my|the|that|the weather)|to|about|of|way
    |bus|train|turn|street|side|number|day|foot|idea|time)(?!\w))
    something(?:'s| is| was| went| has gone| must have gone)? (?:\w+ )?wrong(?: with (?:my|the|this
    |it)(?: \w+)?)?
    (?:got|get|had|have|put|written|took|taken) (?:it|that|this|everything|mine|me|my (?:\w+ )?(?:order
    |dish|food|meal|bowl)|the (?:\w+ )?order) (?:\w+ )?(?:wrong|mixed up|muddled|confused|backwards)
    wrongly|incorrect(?:ly)?
    (?<!boss made )(?<!he made )(?<!she made )(?<!i made )(?<!i've made )(?<!not )(?:an? )(?:mistake|error
    |slip|mix-up|misunderstanding|mess)
    mistaken|mix(?:ed)? (?:\w+ ){{0,2}}up|mix-up|mess(?:ed)? (?:\w+ ){{0,2}}up
    (?:screw|mucked|botch|bungl)(?:ed)?(?: (?:it|that|this|my \w+))?(?: up)?
    muddled?|muddle|disappoint\w*|unhappy|let ?down(?! your)
    confused (?:my|the|me|it|with)
    (?:order|dish|bowl|plate|it|they) (?:\w+ )?(?:got|was|were|been) (?:\w+ )?(?:confused|swapped|switched
    |muddled|misunderstood)
    swapped|(?:meant|supposed) to (?:be|have been|get|have|come|go)
    (?:somebody|someone|anyone|another (?:person|customer|guest|table)|other (?:table|customer|guest)
    |my neighbou?r)(?: else)?'s (?:\w+ )?(?:order|bowl|dish|food|plate|meal|noodles|soup|lunch|dinner
    |ramen)?
    (?:somebody|someone) else(?:'s)?
    (?:another|other|next|wrong) (?:table|customer|guest)(?! (?:for|by|please))
    (?:should|ought to)(?:'ve| have) (?:been|had|come|got|come with)|went astray
    {_NOT} (?:mine|my (?:\w+ )?(?:order|bowl|dish|plate|one|food|lunch|dinner)|the (?:right|correct
    |same) \w+|(?:quite )?right(?! (?:now|away))|what was ordered|what we agreed)
    (?:didn't|did not|never|hadn't) (?:ask for|asked for|order|ordered|want|wanted|request
    |requested) (?:this|that|it|these|any|them|those|any of (?:this|it|that)|one)(?: in it)?
    i(?:'d| had| did)? (?:ordered|asked for|requested)(?= [^.?!;]{{0,40}},? (?:and )?not (?:the |a )?{DISH})
    (?<!if )you(?:'ve)? (?:\w+ )?(?:forgot|forgotten|left out|left off|missed(?: out)?|overlooked
    |omitted) (?:the|my|to (?:put|add|leave|include)|about the|that)(?: extra)? \w+(?: (?:the|in|out
    |the \w+|any))?
    (?:where(?:'s| is| are|'re) (?:my|the)|(?:my|the) \w+ (?:is|are|was|were) missing|there(?:'s| is
    | are) no \w+ in (?:here|this|mine|my))(?: \w+(?=[?,.!;]))?
    (?:left|leaves) (?:a lot|much|something) to be desired
    (?:couldn't|could not|can't) (?:even )?(?:finish|eat) (?:it|that|this|my \w+)
    (?:have to|must|need to|want to|hate to|sorry to|like to|going to|forced to) complain
    (?:make a|have a|a|my|one|file a) complaint(?!s)
    expected (?:better|more|something else)|(?:i've|i have) had better|no good
    send (?:it|this|that|my \w+) back|take (?:it|this|that) back
    {_NOT} (?:\w+ )?(?:one|kind|thing) i (?:ordered|asked|wanted)
    tasted (?:\w+ )?(?:odd|weird|strange|funny|off|of nothing|like nothing|bad|awful)
    let me down|why (?:is|are|was|were) there (?:\w+ ){{1,2}}in (?:it|(?:my|this|the)(?: {DISH}| \w+)?)
    (?:there's|there is|there has|must|might|may)(?: be| been| have been)? (?:some |a )?(?:kind of )?(?:error
    |mistake|mix-up|misunderstanding)
""")
LIKED = {"good": GOOD, "bad": BAD}
