"""Words for what can be claimed: dishes, ingredients, spice, portions and manners, in English."""

from scenarios.noodle_shop.english.patterns import any_of

CHILLI = r"(?:chill?i(?:es)?|chill?y|spice|spices|heat|spiciness|hotness|kick)"
SPICY = r"(?:spicy|hot|fiery|spiced)"
_MAKE = r"(?:don't|do not|doesn't) (?:make|do|cook|want|like|need|have|take|prepare) (?:it|mine|my \w+|them)"
_SOFTEN = r"(?:go |take it )?(?:easy|light|lighter|gentle|sparing|lightly) (?:on|with) (?:the |your )?"
_SHY = any_of(r"""
    not|never|\w+n't) (?:be )?(?:shy|hold back|skimp|sparing|spare|stingy|scared|afraid|timid) (?:with|on
    |of
""")
_SIZED = any_of(r"""
    [- ]siz(?:e|ed)(?: (?:portion|bowl|one|helping))?|[- ]portions?|[- ]bowls?|[- ]one|[- ]helpings?
    |[- ]servings?
""")
_ANSWER = any_of(r"""
    answers?|replies|reply|responses?|explanations?|sentences?|descriptions?|version
    story|accounts?|speech(?:es)?|talk|chats?|conversations?
""")
_MUCH = any_of(r"""
    much|a lot|a (?:bit|little|tad|touch)|way|far|rather|so|very|too|more|really|nice and|good and
""")
_MUCH = rf"(?:{_MUCH} )*"
_BE = r"(?:is|are|was|were|be|get|come|seem|sound)"
# "I no longer want detailed answers" takes a wish back; without it "no details" asks for brevity.
_NOT_LATER = r"(?![^.?!]{0,40}(?:any ?more|any longer))"
DISHES = {
    "tonkotsu_ramen": r"tonkotsu(?: ramen| noodles?| soup)?",
    "shoyu_ramen": r"shoyu(?: ramen| noodles?| soup)?",
    "miso_ramen": r"miso(?: ramen| noodles?| soup)?",
    "tantanmen": r"tan[ -]?tan[ -]?(?:men|noodles)",
    "beef_pho": r"(?:beef )?pho(?: noodles?| soup)?",
    "laksa": r"laksa(?: noodles?| soup)?",
    "curry_udon": r"(?:curry )?udon(?: noodles?)?",
    "cold_soba": r"(?:cold )?soba(?: noodles?)?",
}
FOODS = {
    "egg": r"(?:(?:soft|hard)[- ])?(?:boiled )?eggs?",
    "bamboo": r"bamboo(?:[- ]shoots?)?",
    "pork": r"(?:roast |sliced )?(?:pork|chashu)(?: belly| slices?)?",
    "tofu": r"tofu|bean curd",
    "corn": r"(?:sweet ?)?corn",
    "mushroom": r"mushrooms?|shiitakes?",
    "coriander": r"coriander(?: leaves)?|cilantro",
    "spring_onion": r"(?:spring |green )?onions?|scallions?",
    "garlic": r"garlic",
    "sesame": r"sesame(?: seeds?| oil)?",
    "ginger": r"ginger",
    "bean_sprout": r"(?:bean[- ]?)?sprouts?",
    "peanut": r"peanuts?|groundnuts?",
    "shellfish": r"shellfish|seafood|prawns?|shrimps?|crabs?|lobster",
    "fish": r"fish(?: sauce)?",
    "soy": r"soya?(?: sauce| ?beans?)?",
}
DISH = any_of("\n".join(DISHES.values()))
FOOD = any_of("\n".join(FOODS.values()))
_SPICES = {
    "none": any_of(rf"""
        (?:not|isn't|nothing|never|non-?|anything but|un)(?: at all| remotely| the least bit
        | even slightly)?[ -]?{SPICY}(?: at all)?
        {_MAKE} {SPICY}(?: at all)?
        (?:no|no more|any|without|without any|without the|leave out the|skip the|zero|hold the|free of
        |minus the|leave off the|cut (?:out )?the|drop the|lose the|not any|omit the
        |avoid) {CHILLI}(?: (?:at all|whatsoever))?
        leave the {CHILLI} (?:out|off)|keep the {CHILLI} (?:out|off)|{CHILLI}[- ]free|unspiced
        (?:can't|cannot|don't|can not) (?:eat|take|handle|stand|tolerate|have|do|like
        |want)(?: any)? (?:{CHILLI}|{SPICY} (?:food|things|dishes))
    """),
    "mild": any_of(rf"""
        mild(?:ly|er)?(?: {SPICY})?
        (?:not|\w+n't) (?:too|so|very|that|as|overly|quite so|all that|particularly|terribly) {SPICY}
        {_MAKE} (?:so|too|very|as|quite so|overly|that) {SPICY}
        (?:only |just )?(?:a (?:little|bit|tad|touch|hint|dash|pinch|whisper|trace)|slightly|gently
        |lightly|barely|hardly) (?:of )?(?:{SPICY}|{CHILLI}|spiced)
        (?:very |just )?(?:little|less|not much|not too much|not so much|only some) (?:{CHILLI}|{SPICY})
        (?:can't|cannot|don't) (?:handle|take|stand|eat|do|want|like|need) (?:too |so |that )?much {CHILLI}
        {_SOFTEN}{CHILLI}
        (?:tone|turn|dial|bring) (?:down the {CHILLI}|the {CHILLI} down)|(?:reduce|lower) the {CHILLI}
    """),
    "medium": any_of(rf"""
        medium(?:[- ](?:{SPICY}|{CHILLI}|level)| level of {CHILLI})?
        (?:moderate|middling|average)(?:ly)?(?: {SPICY}| {CHILLI}| level of {CHILLI})
        |half(?:way)? (?:{SPICY}|{CHILLI})
        (?:neither (?:too )?{SPICY} nor (?:too )?mild|between mild and {SPICY}|neither mild nor {SPICY})
    """),
    "hot": any_of(rf"""
        (?<!it.s )(?<!it.s so )(?<!how )(?:(?:really|very|extra|properly
        |super|nice and|as|seriously|damn|good and|extremely|more) )?{SPICY}(?: as (?:it comes|you (?:can
        |like|dare)|possible|hell))?(?! (?:day|days|outside|out|in here|tea|water|drink|weather|summer
        |afternoon|night|nights|week|bath|topic)(?!\w))
        hotter|spicier|fierier|hottest|spiciest|spice (?:it|things|mine) up
        (?:plenty|lots|loads|tons|a lot|heaps|all) of (?:the )?{CHILLI}|(?:extra|more|with|all the|maximum
        |full|double|add) {CHILLI}
        {_SHY} (?:the |your )?{CHILLI}
        (?:heavy|generous|heavily|generously) (?:on|with) the {CHILLI}|(?:turn|crank|ramp
        |dial) (?:up the {CHILLI}|the {CHILLI} up)
        set my (?:mouth|tongue) on fire|blow my head off|make me (?:sweat|cry)
    """),
}
_PORTIONS = {
    "small": any_of(rf"""
        (?:small|smaller|smallest|little|half|half-size|mini|child's|kid's|kids'|children's){_SIZED}
        |half a (?:portion|bowl|helping|serving)
        (?:not|\w+n't) (?:too|so|very|that) (?:big|large|huge|much of it)(?: a (?:portion|bowl|one
        |helping))?
        small(?! (?:talk|thing|favou?r|matter|question|request|point|note|wish|world|change|child|children
        |town|place|shop)(?!\w))
        smaller|smallest|less of it|fewer noodles|less noodles
    """),
    "regular": any_of(rf"""
        (?<!my )(?:regular|normal|standard|ordinary|medium|average){_SIZED}
        (?:usual|normal) (?:size|portion)
        (?<!my )(?<!i'm a )(?<!the )regular(?! (?:order|here|customer|guest|thing|dish|bowl
        |visitor)(?!\w))
        the (?:regular|normal|standard) size
    """),
    "large": any_of(rf"""
        (?:extra[- ])?(?:large|larger|largest|big|bigger|biggest|huge|double|giant|jumbo|massive|generous
        |hearty){_SIZED}
        (?:largest|biggest|larger?)(?! (?:crowd|group|family|part|hotel|table))
        (?:as big as (?:it comes|you can|possible)|big as you can)
        (?:bigger|biggest|huge|giant|jumbo|massive) (?=(?:\w+ )?(?:tonkotsu|shoyu|miso|tan|pho|beef|laksa
        |udon|curry|soba|cold|portion|bowl|helping))
        (?:big|double)(?= (?:tonkotsu|shoyu|miso|tan|pho|beef pho|laksa|udon|curry udon|soba|cold soba))
        (?:plenty|lots|loads) of noodles|(?<!, )(?:more|extra) noodles|double (?:the )?noodles
        |a bit more of it
    """),
}
_STYLES = {
    "short": any_of(rf"""
        (?:keep|make|leave|have) (?:it|things|this|that|your \w+|(?:the|our) {_ANSWER}) {_MUCH}(?:short
        |shorter|brief|briefer|concise|simple|snappy)(?: and (?:sweet|simple|snappy))?
        short(?:er)? and (?:sweet|simple|snappy)
        short(?:er)?(?: {_ANSWER})?(?! (?:of|on|time|while|walk|cut|visit|break|trip|day|night|notice|man
        |woman|for)(?!\w))
        (?:be|more|stay|rather) (?:brief|concise|short|succinct)|brief(?:ly|er)?|brevity|concise(?:ly)?
        |succinct(?:ly)?
        in a nutshell|few(?:er)? words|in (?:one|a) (?:word|sentence)|(?:one|a single) (?:sentence
        |word)(?: is enough| will do| is fine)?
        (?:talk|say|chat|speak|explain|write) less
        less (?:talk|chatter|chat|talking|chatty|wordy|detail(?:ed)?|text|explaining|verbose|long-winded)
        without (?:long|so many|all the|too many|the|any) (?:speeches|talk|words|details?|explanations?
        |frills)
        no (?:long |need for long |lengthy |more long |big |great |need for )?(?:speeches|lectures
        |small talk|rambling|waffle|essays?|novels?|monologues?|frills|fuss|chit-?chat|chatter
        |long explanations?|details?){_NOT_LATER}
        (?:get |come |straight |right |more )?to the point|cut (?:straight )?to the chase|crisp|snappy
        |terse|just the (?:facts|essentials|basics|gist)
        cut (?:it|your \w+|things|the \w+) (?:short|down)|skip the (?:details?|explanations?|small talk
        |chit-?chat|speech|long)
        quick (?:answers?|reply|replies)|a (?:quick|short) (?:yes or no|answer|word)|the (?:short
        |quick) (?:version|answer)
        (?:not|\w+n't|no need to|stop|without|rather you (?:didn't|not)|less|quit) (?:\w+ ){{0,3}}?(?:waffl
        |rambl|go(?:ing)? on and on|chatter|drone|lectur|(?:go|going) on (?:so |for so |too )?(?:long|much)
        |elaborat|over-?explain|(?:talk|say|speak|explain|chat)(?:ing)? (?:so|too|that|as) (?:much|long
        |a lot)|talk my ear off|beat(?:ing)? about the bush)\w*
        (?:spare|save) me (?:all |so |the |your |any |too |long |lengthy |many |whole )*(?:details?
        |{_ANSWER}|lectures?)
        (?:don't|do not|doesn't|needn't) (?:really )?(?:need|want|give me|tell me|go into|like|care for
        |have to give me) (?:(?:all|so|such|the|that|any|too|much|many|every|a|your|long|longer
        |full|whole|lengthy|big) )*(?:details?
        |detailed {_ANSWER}|long {_ANSWER}|{_ANSWER}|speech(?:es)?|lectures?|ins and outs){_NOT_LATER}
        (?:{_ANSWER} (?:of yours )?{_BE}|you (?:talk|speak|explain|say|go on)|you're|it {_BE}|that {_BE}
        |your \w+ {_BE}) (?:\w+ )?(?:too|so|rather|a bit|quite|very) (?:long|wordy|detailed|lengthy|much
        |long-winded|chatty|verbose|talkative)
        too (?:long|wordy|lengthy|many words|much (?:talk|information|detail|text)|long-winded|verbose
        |chatty)|(?:not|\w+n't) (?:so|too|that|quite so|as) (?:long|wordy|detailed|lengthy|chatty
        |many words|much (?:talk|information|detail|text))
        long(?:er)? {_ANSWER} (?:aren't|are not|isn't|is not|bore|tire|annoy|are wasted|don't|drive
        |get on)
        (?:not|\w+n't|no) (?:have )?(?:the )?(?:time|patience|nerve) for (?:(?:all|so|such|your|the
        |long|lengthy) )*(?:{_ANSWER}|talks|details?|lectures?)
        don't (?:have|need) to (?:explain|tell me) (?:everything|it all|so much|all)|man of few words
        |woman of few words|you talk a lot
    """),
    "detailed": any_of(rf"""
        (?:tell|give|teach|show) me (?:a (?:bit|little|lot) |some |much |even )*(?:more|everything
        |all about)(?! (?:noodles|soup|time|egg|corn|pork|tofu))
        (?:in|into|with|like|love|all the|the|every|further|go into) (?:\w+ )?details?
        (?:more|much|extra|plenty of|lots of|additional|some) (?:details?|information|info|explanations?
        |background|depth)|(?:more |very |really |as )?detail(?:ed)?(?: {_ANSWER})?(?: as possible)?
        (?:more )?(?:thorough|in-depth|extensive|comprehensive|elaborate|informative)(?:ly)?|in depth
        |(?:the )?(?:whole|full|long|complete) (?:story|explanation|picture|version|answer)
        |full (?:answers?|explanations?)
        long(?:er)? (?:\w+ )?{_ANSWER}|(?:hear|say|know|learn|talk|explain|chat
        |speak) (?:\w+ ){{0,3}}more(?! (?:of|often|slowly|quietly|noodles))
        explain (?:more|everything|things|it all|all)|at (?:great |some |more )?length|expand on
        |elaborate(?: a bit)?(?: more)?|go on a bit more
        (?:{_ANSWER}|they|you|it|that) (?:\w+ )?(?:could|can|may|might|should) be (?:\w+ ){{0,2}}(?:longer
        |fuller|more (?:detailed|thorough|elaborate))
        (?:not|\w+n't|less) (?:(?:be|give|me|such|keep|it|your|answers|so|too|a bit|quite|as|that
        |make) )*(?:short|brief|curt|terse|concise|clipped)(?: {_ANSWER})?(?! of)
        (?:too|so|a bit|rather|quite|very) (?:short|brief|curt|terse|clipped)(?! (?:{_ANSWER}|of))
        like to (?:know|hear) (?:everything|it all|all about|the whys)|hear everything|(?:want|love
        |like) to know everything|don't (?:skimp|hold back) on (?:the )?details?
        take your time (?:explaining|to explain|and explain|with (?:your )?(?:answers|explanations))
    """),
}
WORDS = {
    "dish": DISHES,
    "food": FOODS,
    "spice": _SPICES,
    "portion": _PORTIONS,
    "style": _STYLES,
    "visit": {"*": r"here on \d{4}-\d\d-\d\d"},
}
