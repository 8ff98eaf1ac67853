"""Words that ask what is still known of a customer, in English."""

from scenarios.noodle_shop.english.patterns import any_of

_S = r"[^.?!;]"
_OFTEN = r"(?:always|usually|normally|generally|typically|ordinarily|mostly|regularly|tend to|like to)"
_HAVE = r"(?:have|get|eat|order|take|drink|want|like|go for|ask for|choose|pick|having|getting|ordering)"
_HAD = r"(?:had|ate|ordered|got|took|chose|was having|went for|asked for)"
_USUAL = any_of(r"""
    usual|typical|accustomed|regular|customary|normal|standing|standard|go-to|habitual|routine|default
    |everyday
""")
_ORDER = r"(?:order|thing|bowl|dish|one|meal|lunch|dinner|suspect|stuff|choice|noodles|food|poison|fare)"
_EVER = any_of(r"""
    always|ever|usual|per usual|before
    last (?:time|week|month|visit|friday|monday|tuesday|wednesday|thursday|saturday|sunday)
    the (?:last|other|previous) (?:time|day|week|visit)
    every (?:time|week|day|visit)
    (?:on )?(?:all )?my (?:last|other|previous) visits?|any other day|yesterday
    i did last time|normal
""")
_LAST = r"(?:last|previous|previously|most recently|most recent|latest|prior|before|final)"
_VISIT = any_of(r"""
    here|in(?=[?,. ])|by(?=[?,. ])|visit(?:ed)?|come|came|coming|drop(?:ped)? in
    see(?:n)? me|saw me|eat(?:en)?|ate|din(?:e|ed|ner)|lunch(?:ed)?|round(?=[?,. ])
    sat|showed up|show up|around(?=[?,. ])|(?:at|to) (?:your|this|one of your) \w+
    set foot|stop(?:ped)? (?:by|in)|a (?:meal|bowl|visit)|served me|serve me
    with you|face|guest
""")
_TELL = any_of(r"""
    know|tell|remember|recall|remind|say|check|look up|forg[eo]t(?:ten)?|idea|sure|wonder(?:ing)?|jog
    |find out|see|work out|lost track|record|notes?|memory|curious|figure out|recollect|note down|noted
""")
_RECOMMEND = r"(?:recommend|suggest|advis|propos|offer|prais|push|tout|plug)"
_TIP = any_of(r"""
    recommendations?|suggestions?|tips?|hints?|advice|proposals?
    recommend(?:ed)? (?:dish|item|thing)
""")
_TRY = any_of(r"""
    try|taste|order|have|eat|get|like|enjoy|love|go for|pick|choose|sample|go (?:well|nicely|great)
    |check out|give a (?:go|try)|test|sample|fancy|suit
""")
_URGED = any_of(r"""
    told|said|asked|urged|wanted|got|advised|thought|mentioned|figured|reckoned|insisted|swore|claimed
    |talked|persuaded|encouraged|nudged|hinted|directed|convinced|telling|saying|suggested
""")
_TALKED_UP = any_of(r"""
    point(?:ed|ing)? (?:me (?:to|towards?|at)|out)|rav(?:ed?|ing) about|talk(?:ed|ing)? up|put me on to
    |steer(?:ed)? me (?:to|towards?)|(?:so |very )?enthusiastic about|sing(?:ing)? the praises of
    |sang the praises of|dr[ae]w my attention to|sold me on|had in mind for me|pick(?:ed)? (?:out )?for me
    |speak (?:so )?highly of|spoke (?:so )?highly of|swear by|swore by|mention(?:ed)?
""")
_RECALL = any_of(r"""
    remember|recall|remind|know|tell|repeat|jog|forg[eo]t(?:ten)?|slipped my mind|recollect|can't think
    |hear again|refresh|name
""")
_LIKE = any_of(r"""
    liked?|enjoy(?:ed|ing)?|loved?|happy|happily|satisfied|pleased?(?= me|d)|pleased
    content|tasty|tasted?|to my (?:taste|liking)|fond|impressed|opinion|verdict
    impressions?|think (?:of|about)|thought (?:of|about)|reaction|go down|went down
    agree(?:d)? with|suit(?:ed)?|complain(?:ed|t|ts)?|a hit|any good|delicious
    delighted|disappointed|a success|up to scratch|feedback|satisfactory
    satisfaction|how it was|how i found|keen|thumbs up|hit the spot|displeased
    review|good(?! (?:day|evening|morning|news|week))|unhappy|judge?ment|rate(?:d)?
    criticis[em]\w*|grumble
""")
_MEALS = any_of(r"""
    meal|bowl|food|lunch|dinner|dish|order|noodles|soup|ramen|supper|plate|one|thing
    visit|broth|laksa|pho|tantanmen|udon|soba|miso|tonkotsu|shoyu
""")
_PAST = any_of(r"""
    last|previous|previously|before|the other (?:day|time|week)|that time|back then|yesterday|most recent
    |earlier|that day
""")
_NOT_IN = "(?<!out of )(?<!off )(?<!from )(?<!into )"
ASKED = {
    "usual": any_of(rf"""
        {_NOT_IN}(?:the|my|your|that|this) (?:good )?(?:old )?{_USUAL}(?: {_ORDER}(?: of mine)?)?(?! (?:size
        |portion|bowl of|table|seat|time|spot|place|day|chair|corner|route|customer|guest|spice|heat))
        as per (?:the )?usual|usual(?: order)?,? (?:then|thanks|please)
        same(?: (?:thing|order|one|dish|bowl|meal|stuff|procedure|for me|again|please))?,? (?:(?:for me|again
        |please) )?(?:as|like|that) (?:{_EVER}|i(?:'ve)? {_HAD})
        the same again|same again
        same (?:order|thing)(?: again)?(?=[,.!?]|$| please| for me| thanks)
        (?:the|have) same(?=[,.!?]|$| please| for me| thanks)
        my favou?rite,? (?:you know|please|again|as)|same old(?! story)
        (?:the|my) same (?:thing|order|dish|bowl|one)(?: again)?(?! (?:as|that) (?:my|the|that|he|she|him
        |her))
        (?:just|again|thing|please|me|that|it|one|was|have|order|bring me|make it|exactly|thanks|cheers
        |today),? (?:as|like) {_EVER}
        (?<![a-z] )(?:as|like) (?:always|ever|usual|every time|last time|before)
        like (?:always|last time|every (?:time|week))
        you(?:'ll)? (?:\w+ ){{0,2}}(?:know|remember)(?: by now| already)? (?:what i(?:'m| am
        |'ll)?(?: (?:always|usually|normally))? (?:want|like|have|take|order|get|having|need|eat|go for
        |prefer|after)|my (?:order|usual|taste|tastes|regular|dish|favou?rite|preferences?)|how i (?:like
        |want|take))
        you know the (?:drill|order)
        (?:know|remember|recall|memori[sz]ed?|forgotten|forget) my (?:usual |regular )?(?:order|usual
        |dish)
        my order (?:memori[sz]ed|by heart|down)
        (?:guess|imagine) what i(?:'ll| will|'d| would| want|'m| am)? (?:have|having|want|like|be having
        |take)?
        can (?:probably )?guess(?! (?:who|how))
        (?:what|whatever|that which|the (?:one|thing|dish|bowl|stuff|noodles) (?:that )?|all
        |the same (?:thing )?(?:that )?) ?i(?:'m)? (?:{_OFTEN}|most often|invariably|ever
        |so often)(?: {_HAVE})?
        (?:what|which) (?:dish|bowl|noodles|one|order) (?:do )?i (?:{_OFTEN}) {_HAVE}
        what do i (?:{_OFTEN}) {_HAVE}|what(?:'s| is) my (?:usual|regular|standard)
        (?:what|the (?:one|thing|same|dish|bowl)) (?:that )?i {_HAD} (?:here )?(?:last (?:time|week|visit)
        |the (?:last|other) (?:time|day)|before|yesterday)
        (?:thing|one|what|order|same) i {_HAVE} (?:every|each) (?:time|week|visit)
        no change(?:s)?(?: from (?:last|the usual))?(?: today)?(?=[,.!]|$)
        the way i (?:always|usually) (?:have|like|take|get) it
        repeat (?:my|the) (?:last )?order
    """),
    "last_visit": any_of(rf"""
        when (?:exactly |was it (?:that )?|on earth |roughly )?(?:was|did|were|have|had|am|is
        |would)(?!\w){_S}{{0,60}}{_LAST}(?! (?:recommend|suggest))
        (?:what|which) (?:\w+ )?(?:day|date|time|week|month|evening|weekday
        |night)(?!\w){_S}{{0,60}}{_LAST}
        (?:date|day) of (?:my|the) {_LAST}
        what(?:'s| is| was) (?:the|my) (?:last|latest|most recent|previous) (?:date|day|visit
        |time)(?! i (?:ordered|had|ate))
        {_TELL}(?!\w){_S}{{0,30}}(?:when|what day|which day|the (?:day|date)|how long|how many (?:days
        |weeks|months)|my last visit){_S}{{0,60}}(?:last|previous|previously|most recently|since|ago
        |here)(?=[^.?!;]*(?:\?|[.!]|$))(?!{_S}{{0,40}}{_RECOMMEND})
        last (?:visit|time (?:that )?(?:i|we|you) (?:was|were|came|come|popped|stopped|dropped|visited|ate
        |dined|saw|had me|sat|showed|set))[^.?!;]{{0,40}}(?:when (?:was|is)|what (?:day|date)|which (?:day
        |date)|how long|when exactly|ago)(?!\w)
        last (?:visit|time)(?: was|,)? when
        how (?:long|many (?:days|weeks|months))(?!\w){_S}{{0,60}}(?:since|last|previous|passed|gone by
        |haven't|not)(?! (?:rain|snow))
        how long (?:ago|is it|was it|has it been|have i){_S}{{0,60}}(?:here|visit|in|by|saw me)
        how long (?:has it|it has|it's|have i|is it) been(?= (?:away|gone|now|exactly)
        |[,?])(?!,? (?:raining|snowing))
        how long ago was (?:that|it|i here)
        since (?:my {_LAST} visit|i (?:was|came|last))(?!\w){_S}{{0,40}}\?
        (?:was|were|have|haven't|wasn't|did|didn't) (?:it|i)(?: \w+)? (?:here|in|come|visit|been here
        |been in|been by|drop|stop|pop|eat here|{_S}{{0,20}}that i was here
        |{_S}{{0,20}}when i was (?:last )?here){_S}{{0,40}}(?:last (?:week|month|monday|tuesday|wednesday
        |thursday|friday|saturday|sunday|weekend|year)|yesterday|recently|lately|this (?:week|month)
        |week before|days? ago|weeks? ago|month ago|since){_S}{{0,30}}\?
        was it (?:\w+ ){{1,4}}(?:that|when) i was (?:last )?(?:here|in){_S}{{0,20}}\?
        when (?:i|you|we) (?:was|were|came|saw|had|ate|visited|dropped|stopped
        |popped)(?!\w){_S}{{0,40}}last(?=\?)
        (?:here|visit\w*|came|come|in|by|saw me|last time|a while|ages)(?!\w)[^\n]{{0,60}}(?:when|what day
        |what date|which day) (?:was|is) (?:it|that|this)(?: exactly| again| then| now)?\?
        (?:record|note|memory) of my last visit
        (?:when|what day|which day) (?:was|did|have) (?:my|i|you|it){_S}{{0,40}}(?:last|previous|latest
        |most recent)
        (?:day|date){_S}{{0,40}}last{_S}{{0,40}}\?
        haven't (?:been|seen)[^.?!]{{0,20}} (?:how long|since when)
        since when (?:have|haven't|was) (?:i|you)
    """),
    "recommended": any_of(rf"""
        you(?:'d|'ve)? (?:\w+ ){{0,2}}{_URGED} (?:\w+ ){{0,3}}?(?:me|i should|that i|i'd|i might|i would
        |i could|i ought|to me|trying|i must|should|might){_S}{{0,30}}{_TRY}[^?]{{0,80}}\?
        (?:was|were|been|got) (?:told|advised|urged|recommended|suggested)(?: by you)? to {_TRY}[^?]{{0,80}}\?
        you(?:'d|'ve)? (?:\w+ ){{0,2}}{_RECOMMEND}e?d[^?!]{{0,60}}(?:forg[eo]t(?:ten)?|slipped|(?:can't|don't
        |cannot) (?:\w+ )?(?:recall|remember|think|know))
        {_URGED} (?:me|i should|that i) (?:\w+ )?(?:{_TRY})[^?]{{0,80}}\?
        {_RECALL}(?!\w)[^.?!]{{0,60}}you (?:\w+ ){{0,2}}{_URGED}{_S}{{0,40}}{_TRY}
        you (?:\w+ ){{0,2}}{_URGED}{_S}{{0,40}}{_TRY}[^?!]{{0,50}}(?:forg[eo]t(?:ten)?|slipped|(?:can't
        |don't) (?:recall|remember|think)|remember|wonder)
        (?:what|which)(?!\w){_S}{{0,60}}(?:did|was it|were|had|have|'d
        |was)(?!\w){_S}{{0,30}}{_RECOMMEND}\w*
        (?:did|didn't|had|hadn't|have) you (?:\w+ )?{_RECOMMEND}\w*
        you(?:'d|'ve)? (?:\w+ ){{0,2}}{_RECOMMEND}e?d[^?]{{0,100}}\?
        (?:what|which)(?!\w){_S}{{0,60}}(?:recommend|suggest|advis|propos|offer|prais|tout)e?d
        (?<!what do you )(?<!anything to )(?:(?:recommend|suggest|advis|propos|offer|push|prais)(?:e?d
        |ing)|(?<!take your )(?<!follow your )(?<!took your )(?<!some )(?<!any ){_TIP})(?! for (?:today
        |tonight))[^?]{{0,80}}\?
        {_RECALL}(?!\w)[^.?!]{{0,60}}(?:(?:recommend|suggest|advis|propos|offer|push)(?:ed|ing|e)?
        |(?<!for the ){_TIP})(?!\w)
        {_TIP}(?!\w)[^.?!]{{0,50}}(?:forg[eo]t(?:ten)?|slipped|(?:can't|don't) (?:recall|remember))
        you (?:say|tell|told|said|mention)(?: to)?(?: me)? (?:\w+ )?(?:was|is|were) (?:\w+ )?(?:good|worth
        |best|great|nice|delicious)
        (?:what|which)(?!\w){_S}{{0,30}}(?:did|do|had) you (?:have|had) in mind
        you (?:say|tell|said) (?:me )?i should try
        (?:what|which)(?!\w){_S}{{0,40}}you(?:'d|'ve)?(?!\w){_S}{{0,30}}(?:tell|told|say|said|want|wanted
        |urge|urged|get|talk|talked|think|thought|insist|insisted|mention|mentioned|figure|figured
        |persuade){_S}{{0,25}}(?:{_TRY}|trying|ordering)
        (?:what|which)(?!\w){_S}{{0,40}}you(?:'d|'ve)?(?!\w){_S}{{0,20}}{_TALKED_UP}
        you (?:\w+ ){{0,2}}(?:were |was )?{_TALKED_UP}[^?]{{0,80}}(?:what|which)[^?]{{0,30}}\?
        (?:what|which)(?!\w){_S}{{0,30}}(?:your|that|the) (?:\w+ )?{_TIP}
        (?:what|which|who)(?!\w){_S}{{0,20}}(?:was|were) you (?:\w+ )?(?:{_RECOMMEND}|plugg|rav|push)\w*
        (?:dish|thing|item|one|something|extra|topping)(?: that)? you (?:\w+ )?(?:wanted|told|said|urged
        |asked) me to (?:try|have|order|taste)[^?]{{0,60}}\?
    """),
    "liked": any_of(rf"""
        (?:last|previous|(?:did|was|were|had|if|whether) (?:i|it|that|they|my|the|what i|this
        |everything))(?!\w){_S}{{0,80}} {_LIKE}(?!\w){_S}{{0,60}}(?:last|previous|before|other (?:day
        |time)|my|i|me|it|that time|the|back then)(?!\w){_S}{{0,40}}\?(?<!order\?)
        (?:did|was|were|had|have|do|wasn't|didn't
        |am) i (?:\w+ )?{_S}{{0,40}}{_LIKE}(?!\w)(?!{_S}{{0,40}}(?:order|recommend)(?!ed)(?! last
        | the last))
        (?:do you |can you |you )?(?:remember|recall|know|say|sure|forg[eo]t(?:ten)?|tell me|idea
        |wonder) (?:\w+ ){{0,3}}(?:if|whether|how|what) (?:\w+ ){{0,2}}i (?:\w+ )?(?:liked|enjoyed|loved
        |found|thought|rated|felt|was (?:\w+ )?(?:happy|satisfied|pleased|content|disappointed|impressed
        |keen)|said (?:about|of)|complained|had any complaints)
        (?:how|what|whether|if) (?:\w+ ){{0,3}}i (?:\w+ )?(?:liked(?! to)|enjoyed|loved|found (?:it|my|the
        |that)|thought (?:of|about)|rated|felt (?:about|after)|was (?:happy|satisfied|pleased)
        |said (?:about|of))
        (?:what|how) did i (?:say|feel|think|rate|tell you (?:about|of)|report)(?! i
        |{_S}{{0,20}}(?:my name|i want))
        how (?:did|do) i (?:like|find|enjoy|rate|feel)
        (?:what|how) (?:was|is|were) my (?:\w+ )?(?:{_MEALS})(?!\w)
        my (?:\w+ )?(?:verdict|opinion|impressions?|reaction|judge?ment|feelings?|experience|rating|review
        |feedback|thoughts|assessment|comments?)[^?]{{0,60}}\?
        how (?:did|was|were|had)(?!\w){_S}{{0,60}}(?:go down|taste|for me|with me|to me|suit me
        |last)(?!\w)(?!{_S}{{0,20}}(?:weekend|night|week's))
        (?:was|were|did|had|didn't|wasn't) (?:it|they|that|my \w+|the (?:\w+ )?(?:{_MEALS})|everything
        |what i \w+){_S}{{0,50}}(?:good|right|taste|liking|enjoy\w*|like[ds]?|nice|satisf\w*|please[ds]?
        |agree|suit|hit|success|okay|fine|delicious|well|tasty|up to
        |disappoint\w*)(?!\w){_S}{{0,50}}(?:last|before|me|my|other|previous|then|i (?:had|ate|got)
        |\?)(?!\w){_S}{{0,30}}\??(?<=\?)
        (?:liked|enjoyed|happy|satisfied|pleased|tasted|to my (?:taste|liking)|complain\w*|disappointed
        |delicious|impressed)(?!\w){_S}{{0,50}}{_PAST}(?!\w){_S}{{0,30}}\?
        (?:last|previous)(?!\w){_S}{{0,50}}(?:happy|satisfied|pleased|to my (?:taste|liking)|any good
        |a success|good|nice|okay|tasty|delicious|complain\w*|all right)(?!\w){_S}{{0,30}}\?
        what (?:\w+ )?(?:feedback|verdict|comments?|review|reaction|mark|score|rating) (?:did|have|had) i
        i (?:\w+ )?(?:liked|enjoyed|loved|was (?:\w+ )?(?:happy|pleased|satisfied)){_S}{{0,60}}(?:didn't i
        |wasn't i|did i|was i|right|correct|is that right)\?
        (?:did|have|had) i (?:\w+ )?(?:complain|grumble|praise|say anything|leave (?:anything|any
        |satisfied|happy)|clear my|finish|eat up|have any (?:complaints|trouble)|make any complaint
        |send (?:it|anything) back){_S}{{0,60}}\?
        (?:has|did|does) it (?:\w+ )?(?:taste|suit|agree|please|go down){_S}{{0,40}}\?
        (?:if|whether|how) (?:it|my|the|that|everything|they)(?: \w+){{0,3}}? (?:was|were|tasted|went
        |pleased|suited|agreed|met)(?!\w){_S}{{0,30}}{_LIKE}(?!\w){_S}{{0,30}}\?
        was there anything (?:wrong|i didn't like|to complain){_S}{{0,50}}\?
    """),
}
