"""The words and cues by which English is read (see `scenarios.noodle_shop.reader`)."""

from scenarios.noodle_shop.speech import Vocabulary

_CHILLI = r"(?:chill?i(?:es)?|chill?y|spice|heat|spiciness)"
_SPICY = r"(?:spicy|hot|fiery)"
_SIZE = r"(?:[- ]siz(?:e|ed)(?: portion| bowl)?|[- ]portions?|[- ]bowl|[- ]one|[- ]helping)"
_MEAL = (
    r"(?:it|that|this|all|everything|(?:the|my) (?:\w+ )?(?:food|meal|bowl|soup|broth|noodles|dish|plate))"
)
_WAS = r"(?:was|were|is|are|'s|tasted|came|came out|turned out)"
_VERY = r"(?:really |very |so |absolutely |just |simply |quite |exactly |truly |all |rather |a bit )*"
_GOOD = r"(?:perfect|great|good|right|lovely|wonderful|excellent|fantastic|superb|nice|amazing|a treat)"
_BAD = r"(?:bad|wrong|awful|terrible|horrible|disappointing|inedible|off|bland|mixed up|a mistake|a mess)"
_MINE = r"(?:what|how|the way) i(?:'d| had)? (?:wanted|want|ordered|asked for|asked|like|said|had in mind)"
_OFFER = r"(?:recommend|suggest|advis|propos|offer)"
WORDS = {
    "dish": {
        "tonkotsu_ramen": r"tonkotsu(?: ramen| noodles)?",
        "shoyu_ramen": r"shoyu(?: ramen| noodles)?",
        "miso_ramen": r"miso(?: ramen| noodles| soup)?",
        "tantanmen": r"tan ?tan ?(?:men|noodles)",
        "beef_pho": r"(?:beef )?pho",
        "laksa": r"laksa",
        "curry_udon": r"(?:curry )?udon",
        "cold_soba": r"(?:cold )?soba(?: noodles)?",
    },
    "food": {
        "egg": r"(?:soft[- ])?(?:boiled )?eggs?",
        "bamboo": r"bamboo(?: shoots?)?",
        "pork": r"(?:roast )?(?:pork|chashu)(?: belly)?",
        "tofu": r"tofu|bean curd",
        "corn": r"(?:sweet ?)?corn",
        "mushroom": r"mushrooms?|shiitake",
        "coriander": r"coriander|cilantro",
        "spring_onion": r"(?:spring |green )onions?|scallions?",
        "garlic": r"garlic",
        "sesame": r"sesame(?: seeds?| oil)?",
        "ginger": r"ginger",
        "bean_sprout": r"(?:bean ?)?sprouts?",
        "peanut": r"peanuts?|groundnuts?",
        "shellfish": r"shellfish|prawns?|shrimps?",
        "fish": r"fish(?: sauce)?",
        "soy": r"soya?(?: sauce| beans?)?",
    },
    "spice": {
        "none": rf"(?:not|isn't|nothing|never) (?:at all )?{_SPICY}"
        rf"|(?:don't|do not|doesn't) (?:make|do|cook) (?:it|mine) {_SPICY}"
        rf"|(?:no|no more|any|without|without any|leave out the|skip the|zero|hold the) {_CHILLI}(?: at all)?"
        r"|unspiced|non-spicy",
        "mild": rf"mild(?:ly)?(?: {_SPICY})?|not (?:too|so|very|that) {_SPICY}"
        rf"|(?:don't|do not|doesn't) (?:make|do|cook) (?:it|mine) (?:so|too|very) {_SPICY}"
        rf"|(?:only |just )?(?:a (?:little|bit|tad|touch)|slightly|gently) (?:of )?(?:{_SPICY}|{_CHILLI})"
        rf"|(?:little|less) {_CHILLI}|go easy on the {_CHILLI}",
        "medium": rf"medium(?:[- ]{_SPICY}| {_CHILLI})?"
        rf"|(?:moderate|middling|average)(?:ly)?(?: {_SPICY}| {_CHILLI})",
        "hot": rf"(?<!it.s )(?:(?:really|very|extra|properly|super|nice and|as) )?{_SPICY}"
        r"(?: as (?:it comes|you can))?(?! (?:day|outside|out|in here|tea|water|drink|weather|summer"
        r"|afternoon))"
        rf"|(?:plenty|lots|loads) of {_CHILLI}|(?:extra|more|with) {_CHILLI}|set my mouth on fire",
    },
    "portion": {
        "small": rf"(?:small|smaller|little|half){_SIZE}|small(?! talk)|smaller",
        "regular": rf"(?:regular|normal|standard|ordinary|medium){_SIZE}"
        r"|(?<!my )(?<!i'm a )regular(?! (?:order|here|customer|guest|thing|dish|bowl))",
        "large": rf"(?:extra[- ])?(?:large|larger|big|bigger|huge|double){_SIZE}|larger?(?! (?:crowd|group"
        rf"|family|part))",
    },
    "style": {
        "short": r"(?:keep|make) it (?:short|brief)|short(?:er)? (?:answers?|replies|reply|sentences)"
        r"|(?:be|more) (?:brief|concise|quick|short)|briefly|few(?:er)? words|less (?:talk|chatter|chat)"
        r"|no (?:long )?(?:speeches|lectures|small talk)|(?:get|come) to the point"
        r"|without long (?:speeches|talk)",
        "detailed": r"tell me (?:a bit )?more|in (?:more |full )?detail"
        r"|(?:more|like|love|with|the) details?|(?:more )?detailed(?: answers?| replies)?"
        r"|long(?:er)? (?:answers?|replies|explanations?)|hear more|explain (?:more|everything|things)"
        r"|at length",
    },
    "visit": {"*": r"here on \d{4}-\d\d-\d\d"},
    "liked": {
        "good": rf"delicious|tasty|yummy|spot on|well done|nothing to complain about|no complaints|liked it"
        rf"|{_MEAL} {_WAS} {_VERY}{_GOOD}|that's {_VERY}{_GOOD}|(?:just|exactly|precisely) right"
        rf"|(?:just|exactly|precisely|all) (?:{_MINE}(?: it)?|as (?:i )?(?:ordered|asked|wanted|like it))"
        r"|i (?:really |very much |thoroughly )?(?:enjoyed|loved|liked) (?:it|that|this|my|the|every)"
        r"|hit the spot|to my (?:taste|liking)|(?:could(?:n't| not)) (?:have been|be) better"
        r"|compliments to the|perfectly (?:done|made|right|cooked)",
        "bad": rf"(?:did not|didn't|don't) (?:like|enjoy) (?:it|that|this)|{_MEAL} {_WAS} {_VERY}{_BAD}"
        rf"|(?:not|isn't|wasn't|aren't|weren't) {_VERY}(?:right|correct|good|great|to my (?:taste|liking)"
        rf"|{_MINE})"
        r"|(?:an? )?mistake|mix(?:ed)? (?:\w+ )?up|mix-up|mess(?:ed)? (?:\w+ )?up|somebody else's"
        r"|someone else's"
        r"|(?:the )?wrong (?:bowl|dish|order|soup|noodles|plate|one|thing)|(?:came out|went"
        r"|something was) wrong"
        r"|(?:got|had|took) (?:it|that|this|my order) wrong|disappointed|unhappy with|not satisfied",
    },
}
CUES = {
    "not": r"no|not|don't|do not|doesn't|does not|didn't|won't|wouldn't|isn't|aren't|never|nor|neither"
    r"|no more|no longer|without(?: any)?|leav(?:e|es|ing) out|take out|hold|skip|minus|omit|drop|lose"
    r"|hates?|dislikes?|can't stand|cannot stand|can't bear|avoid"
    r"|stop(?:ped)?(?: adding| putting| giving me)?|forget the|keep out|quit|given up|except|instead of"
    r"|rather than|(?:had )?enough of|tired of|sick of|done with|fed up with|i'm off|not a fan of"
    r"|no need (?:for|to)|can't do",
    "with": r"with|extra|add|plus|put|wants?|likes?|loves?|eats?|eating|takes?|have|having|enjoys?|include"
    r"|bring back|don't mind|do not mind|doesn't mind|no (?:problem|trouble|objection) with"
    r"|(?:happy|fine|ok|okay) with|some|more|asked for|ordered|give me|don't forget|missed|crave|why not"
    r"|allow(?:ed)?|side of",
    "after_with": r"on top|on it|(?:is|are) (?:fine|ok|okay|welcome|all right|allowed|back)(?: again)?"
    r"|fine again|okay again|back in|back on|can (?:come|go) (?:back|in)(?: in)?|on the side|is good again",
    "after_not": r"out|left out|off|free|isn't for me|is not for me|aren't for me|has to go|must go"
    r"|can stay away|can go(?! (?:back|in))",
    "again": r"again|as well|too",
    "allergy": r"allergic to|allerg(?:y|ies) to|allergy:|allergies:|intolerant (?:to|of)"
    r"|reacts? (?:badly )?to|can't eat|cannot eat|must not eat|mustn't eat|mustn't have|can't have"
    r"|must not have|not allowed to eat",
    "allergic": r"allerg(?:y|ies|ic)(?! (?:to|test))|makes? me (?:very )?(?:ill|sick)|could kill me"
    r"|(?:is|are) (?:dangerous|poison) (?:for|to) me|send me to (?:the )?hospital|disagrees? with me",
    "skip": r"used to|until now|so far|previously|formerly|in the past|switch(?:ed|ing)? from|moved? from"
    r"|back then|there is|there's(?! no need)|there was|there were|i found|i got|you gave me"
    r"|you brought me|this is|came with|you put|i can taste",
    "turn": r"to|now|these days|nowadays",
    "but": r"but|however|otherwise|yet",
    "and": r"and|or",
    "open": r"leave|keep|kick|bring",
    "only": r"(?:just|only|but) (?:to|of|from)",
    "offer": r"recommended(?::| to them:)",
}
OFFERING = (
    rf"(?:may|can|could|would|might|let) (?:i|me) {_OFFER}e?|i(?:'d| would| can"
    rf"| could)? (?:like to )?{_OFFER}e?"
    r"|how about|what about|would you (?:like|care) (?:to try|for)|(?:you )?(?:might|should|could) (?:like"
    r"|try)"
    r"|why not try|have you (?:ever )?tried|goes (?:very )?well with|(?:my|our) (?:recommendation|tip"
    r"|suggestion)"
)
ASKED = {
    "usual": r"(?:the|my) usual(?! (?:bowl|dish) (?:is|has))"
    r"|same (?:thing )?as (?:always|ever|usual|last time|before)|the same again|as (?:always|ever|usual)"
    r"|you know (?:what i|my|how i)|what i (?:always|usually|normally)"
    r"|my (?:regular|normal|standing) (?:order|thing|bowl|dish)|like (?:always|last time|every time)",
    "last_visit": r"when (?:was|did|were|have)[^.?!]{0,60}(?:last|previous)"
    r"|last (?:visit|time i (?:was|came))[^.?!]{0,60}\?|(?:what|which) (?:day|date)[^.?!]{0,60}last"
    r"|how long[^.?!]{0,60}(?:since|last)|when [^.?!]{0,60}last came"
    r"|when [^.?!]{0,60}last (?:here|in here|visit|saw|see)|date of my last|how many (?:days"
    r"|weeks)[^.?!]{0,30}since",
    "recommended": rf"(?:what|which)[^.?!]{{0,60}}(?:did|was it|were)[^.?!]{{0,30}}{_OFFER}\w*"
    rf"|(?:what|which)[^.?!]{{0,60}}{_OFFER}e?d|{_OFFER}\w*[^.?!]{{0,40}}[.?!][^.?!]{{0,30}}wh(?:at|ich)"
    rf"|(?:remember|recall|remind|know|tell)[^.?!]{{0,60}}{_OFFER}(?:ed|ation|ion|e)\w*"
    r"|what was your (?:last )?(?:recommendation|suggestion|tip|advice)|you (?:say|tell"
    r"|said) (?:me )?i should try",
    "liked": r"how (?:did|do) i (?:like|find|enjoy)|(?:did|do) i (?:\w+ )?(?:like|enjoy|love)|was i (?:\w+ )?"
    r"(?:happy|satisfied|pleased|content)|(?:what|how) did i (?:think|say|feel)|(?:how|whether|if) i "
    r"(?:liked|found|enjoyed|loved|was happy)|how (?:was|were|did)[^.?!]{0,40}(?:last|taste|for me)"
    r"|was (?:it|my \w+|the \w+|everything)[^.?!]{0,40}(?:good|right|taste|liking)[^.?!]{0,40}\?",
}
TONES = {
    "decline": r"no,? (?:thanks|thank you)|not (?:today|this time|now|for me)|another time|but no|i'll pass"
    r"|rather not|maybe later|leave it at that|perhaps (?:next|later)|fine as it is|some other (?:time|day)",
    "accept": r"yes|sure|why not|gladly|with pleasure|sounds (?:good|great|lovely)|talked me into|good idea"
    r"|i'll (?:try|take) it|i'd love (?:that|to)|let's try|go (?:ahead|on)|okay|bring it|of course",
    "praise": r"you(?:'re| are)[^.?!]{0,40}(?:friendly|kind|attentive|best|nice|patient|helpful|polite)"
    r"|(?:the|your|lovely|great|good|excellent) (?:\w+ )?service|look after|served by you|feel welcome"
    r"|kind manner|how patient|with a smile|waits? at table",
    "small_talk": r"weather|rain\w*|snow\w*|sun\w*|wind\w*|match|game|team|traffic|bus|train|street|holidays?"
    r"|weekend|news|quiet|busy|trees|summer|winter|spring|autumn",
    "greeting": r"hello|hi|hey|good (?:morning|day|afternoon|evening)|evening|again|here i am|back",
    "thanks": r"thank\w*|cheers|bye|goodbye|see you",
}
MOODS = {
    "hurried": r"hurry|rush\w*|running late|late for|(?:no|much|little|short of|out of) time|train leaves"
    r"|be (?:quick|back)|have to (?:run|go|leave|be)|pressed for|five minutes|ten minutes",
    "tired": r"tired|exhausted|worn out|sleepy|slept|sleep|long (?:day|shift|night|week)|weary|drained"
    r"|yawning"
    r"|dead on my feet|keep my eyes open|on my feet all",
    "sad": r"sad|down(?! (?:the|here|there|by))|(?:bad|terrible|sad|awful) news|low(?: spirits)?|gloomy"
    r"|miserable"
    r"|blue|lonely|upset|heartbroken|not (?:\w+ )?(?:been )?a good day|(?:rough|bad|hard) (?:day|week)"
    r"|crying",
    "cheerful": r"(?:great|good|wonderful|excellent|fine|splendid|best|marvellous) (?:mood|spirits)|happy"
    r"|cheerful"
    r"|(?:had|having|what) (?:a |an )?(?:great|wonderful|lovely|fantastic|beautiful|marvellous) day"
    r"|feel(?:ing)? (?:fantastic|great|wonderful|marvellous)|delighted|celebrat\w*|over the moon"
    r"|on top of the world"
    r"|(?:good|great) news",
}
VOCABULARY = Vocabulary(
    words=WORDS,
    cues=CUES,
    offering=OFFERING,
    asked=ASKED,
    tones=TONES,
    moods=MOODS,
    politeness=r"please|if you please|if you would|if possible|kindly",
)
