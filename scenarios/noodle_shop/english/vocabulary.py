"""The words and cues by which English is read (see `scenarios.noodle_shop.reader`)."""

from scenarios.noodle_shop.speech import Vocabulary

_CHILLI = r"(?:chill?i(?:es)?|chill?y|spice|heat|spiciness)"
_SPICY = r"(?:spicy|hot|fiery)"
_SIZE = r"(?:[- ]siz(?:e|ed)(?: portion| bowl)?|[- ]portions?|[- ]bowl|[- ]one|[- ]helping)"
_NOUN = r"(?:food|meal|bowl|soup|broth|noodles|dish|plate|order|lunch|dinner|supper|seasoning|cooking)"
_MEAL = (
    rf"(?:it|that|this|these|all|everything|something|(?:the|my|your|today's) (?:\w+ )?{_NOUN})"
    r"(?: today| here)?"
)
_WAS = r"(?:was|were|is|are|'s|tasted|tastes|came|came out|turned out|has been|looks|looked)"
_VERY = (
    r"(?:really |very |so |absolutely |just |simply |quite |exactly |truly |all |rather |a bit |too |that "
    r"|at all )*"
)
_GOOD = (
    r"(?:perfect|great|good|right(?! (?:now|away))|lovely|wonderful|excellent|fantastic|superb|nice"
    r"|amazing"
    r"|correct|a (?:treat|joy|delight)|tremendous|magnificent|splendid|fabulous|brilliant|marvellous"
    r"|gorgeous)"
)
_BAD = (
    r"(?:bad|awful|terrible|horrible|inedible|off|bland|a mess|tasteless|poor|cold|salty|burnt|dreadful|false"
    r"|not (?:it|for me))"
)
_MINE = (
    r"(?:what|how|the (?:way|one|bowl|dish|thing)) i(?:'d| had)?"
    r" (?:wanted|want|ordered|asked|like|said|had in mind)"
)
_OFFER = r"(?:recommend|suggest|advis|propos|offer|prais)"
_TIP = r"(?:recommendations?|suggestions?|tips?|hint|advice|proposals?)"
_FOND = r"(?:like|enjoy|love|happy|satisfied|pleased|content|delighted|find|fond|think|thrilled|impressed)"
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
        "small": rf"(?:small|smaller|little|half){_SIZE}|small(?! (?:talk|thing|favou?r|matter|question"
        rf"|request|point|note|wish))|smaller",
        "regular": rf"(?:regular|normal|standard|ordinary|medium){_SIZE}"
        r"|(?<!my )(?<!i'm a )regular(?! (?:order|here|customer|guest|thing|dish|bowl))",
        "large": rf"(?:extra[- ])?(?:large|larger|big|bigger|huge|double){_SIZE}|larger?(?! (?:crowd|group"
        rf"|family|part))",
    },
    "style": {
        "short": r"(?:keep|make) (?:it|things|your \w+) (?:short|brief)|short(?:er)?(?! (?:of|time|while"
        r"|walk|on))"
        r"(?: (?:answers?|replies|reply|sentences))?|(?:be|more|stay) (?:brief|concise|short)|brief(?:ly"
        r"|er)?|brevity"
        r"|concise(?:ly)?|in a nutshell|few(?:er)? words|less (?:talk|chatter|chat|talking)"
        r"|without long (?:speeches|talk)"
        r"|no (?:long )?(?:speeches|lectures|small talk|rambling|waffle)|(?:get |come "
        r"|straight )?to the point|crisp"
        r"|quick answers?",
        "detailed": r"(?:tell|give) me (?:a bit )?more|(?:in|into|with|like|love|all the"
        r"|the) (?:\w+ )?details?"
        r"|more details?|(?:more )?detail(?:ed)?(?: answers?| replies)?|thorough(?:ly)?|the (?:whole"
        r"|full) story|elaborate"
        r"|long(?:er)? (?:\w+ )?(?:answers?|replies|explanations?)|(?:hear|say|know|learn"
        r"|talk) (?:a (?:bit|little) )?more"
        r"|explain (?:more|everything|things)|at length|expand on",
    },
    "visit": {"*": r"here on \d{4}-\d\d-\d\d"},
    "liked": {
        "good": rf"delicious|(?:how|as|the way|what) it (?:should|ought)|loved it|tasty|yummy|spot on"
        rf"|well done|nothing to complain about|no complaints|liked it"
        rf"|(?:not|wasn't|isn't) (?:too |so |half )?bad|{_MEAL} {_WAS} {_VERY}{_GOOD}"
        rf"|that's (?!all right){_VERY}{_GOOD}"
        rf"|(?:just|exactly|precisely) right|(?:just|exactly|precisely|all) (?:{_MINE}(?: (?:it|for))?"
        r"|as (?:i )?(?:ordered|asked|wanted|like it))|i (?:\w+ )?(?:enjoyed|loved|liked) (?:it|that|this"
        r"|my|the|every)"
        r"|hit the spot|to my (?:taste|liking)|compliments|perfectly (?:done|made|right|cooked)|to perfection"
        r"|(?:can|could)(?:n't| not|not) (?:\w+ ){0,3}(?:better|fault)|heavenly|divine|flawless|faultless"
        r"|outstanding"
        r"|top-notch|first-class|every (?:bite|drop|mouthful)|went down well|full marks|ten out of ten"
        r"|nailed it"
        r"|got (?:it|everything|that) (?:\w+ )?right|licked (?:the|my)|cannot fault|satisfied(?! (?:the"
        r"|with you))"
        rf"|(?:a|an|what a|such a) (?:\w+ )?(?:{_GOOD}|beautiful|fine) {_NOUN}|best (?:\w+ )?{_NOUN}"
        rf"|(?:{_GOOD}) {_NOUN}|happy with (?:it|that|this|everything)|enjoyed myself",
        "bad": rf"(?:not|\w+n't) (?:\w+ ){{0,2}}{_MINE}|(?:did not|didn't|don't) (?:\w+ )?(?:like"
        rf"|enjoy) (?:it|that|this|my|the)"
        rf"|{_MEAL} {_WAS} {_VERY}{_BAD}|(?:not|\w+n't) {_VERY}(?:{_GOOD}|happy(?: with (?:it|that|this"
        rf"|my \w+|the \w+))?|satisfied|pleased"
        rf"|to my (?:taste|liking)"
        rf"|{_MINE})|(?<!me )wrong(?! (?:way|bus|train|turn|street|side|number|day|foot|idea|time))|incorrect"
        r"|(?:an? )?(?:mistake|error|slip)|mistaken|mix(?:ed)? (?:\w+ )?up|mix-up|mess(?:ed)? (?:\w+ )?up"
        r"|muddled?"
        r"|muddle|disappoint\w*|unhappy|let ?down|confused (?:my|the|me)|swapped|(?:meant"
        r"|supposed) to (?:be|have been|get)"
        r"|(?:somebody|someone) else(?:'s)?|(?:another|other) (?:table|customer|guest)|should(?:'ve"
        r"| have) been"
        r"|(?:not|\w+n't) (?:mine|my (?:\w+ )?(?:order|bowl|dish|plate|one))|went astray"
        r"|(?:didn't|did not|never|hadn't) (?:ask for|asked for|order|ordered|want|wanted) (?:this|that|it"
        r"|these)",
    },
}
CUES = {
    "not": r"drop|no|not|don't|do not|doesn't|does not|didn't|won't|wouldn't|isn't|aren't|never|nor|neither"
    r"|no more|no longer|without(?: any)?|leav(?:e|es|ing) (?:out|off)|nothing with|no trace of|free of"
    r"|without a trace of|steer clear of|stay away from|keep away from|do without|never mind the|take out"
    r"|hold|skip|minus|omit|drop|lose"
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
    "after_not": r"(?:is|are|has|have) (?:gone|over|cured|passed)|out|left out|off|free|isn't for me"
    r"|is not for me|aren't for me|has to go|must go"
    r"|can stay away|can go(?! (?:back|in))",
    "again": r"again|as well|too",
    "allergy": r"allergic to|allerg(?:y|ies) to|allergy:|allergies:|intolerant (?:to|of)"
    r"|reacts? (?:badly )?to|can't eat|cannot eat|must not eat|mustn't eat|mustn't have|can't have"
    r"|must not have|not allowed to eat",
    "allergic": r"allergic to (?:it|them|that|those|these|this)|allerg(?:y|ies|ic)(?! (?:to|test))"
    r"|makes? me (?:very )?(?:ill|sick)|could kill me"
    r"|(?:is|are) (?:dangerous|poison) (?:for|to) me|send me to (?:the )?hospital|disagrees? with me",
    "skip": r"used to|until now|so far|previously|formerly|in the past|switch(?:ed|ing)? from|moved? from"
    r"|back then|there is(?! (?:no|to be no))|there's(?! no need)|there was|there were|i found|i got"
    r"|you gave me"
    r"|you brought me|this is|came with|(?<!could )(?<!can )(?<!would )(?<!will )you put|i can taste",
    "turn": r"to|now|these days|nowadays",
    "but": r"because(?: of)?|due to|owing to|but|however|otherwise|yet",
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
    r"|same (?:thing )?as (?:always|ever|usual|last time|before)|the same again|(?<![a-z] )as (?:always"
    r"|ever|usual)"
    r"|(?:just|again|thing|please|me|that|it|one|was|have|order) as (?:always|ever|usual)"
    r"|you know (?:what i|my|how i)|(?:know|remember|recall) my (?:order|usual|taste)|what i (?:always"
    r"|usually|normally)"
    r"|my (?:regular|normal|standing) (?:order|thing|bowl|dish)|like (?:always|last time|every time)",
    "last_visit": r"when (?:was|did|were|have)[^.?!]{0,60}(?:last|previous)|(?:what|which) (?:day"
    r"|date)[^.?!]{0,60}last"
    r"|last (?:visit|time i (?:was|came))[^.?!]{0,60}\?|how (?:long|many (?:days"
    r"|weeks))[^.?!]{0,60}(?:since|last)"
    r"|(?:date|day) of my (?:last|previous)|(?:day|date)[^.?!]{0,40}last[^.?!]{0,40}\?"
    r"|when [^.?!]{0,60}(?:last|previous)[^.?!]{0,60}\?"
    r"|when [^.?!]{0,60}last came"
    r"|(?:tell|remember|know|recall|look up|say|check) (?:me )?when [^.?!]{0,60}last"
    r"|how long (?:ago|is it|has it been)[^.?!]{0,60}(?:here|visit|in|by)",
    "recommended": r"(?:told|said|asked|urged|wanted|got|advised) (?:me|i should|that i) (?:\w+ )?(?:try"
    r"|taste|have|order)"
    r"[^?]{0,80}\?"
    rf"|(?:what|which)[^.?!]{{0,60}}(?:did|was it|were)[^.?!]{{0,30}}{_OFFER}\w*"
    rf"|did you {_OFFER}\w*"
    rf"|(?:what|which)[^.?!]{{0,60}}{_OFFER}e?d|(?:{_OFFER}(?:e?d|ing)|{_TIP})[^?]{{0,80}}\?"
    rf"|(?:remember|recall|remind|know|tell)[^.?!]{{0,60}}(?:{_OFFER}(?:ed|ing|e)?|{_TIP})"
    r"|you (?:say|tell|said) (?:me )?i should try|(?:what|which)[^.?!]{0,40}you[^.?!]{0,30}"
    r"(?:tell|told|say|said|want|wanted|urge|urged|get|talk|talked)[^.?!]{0,20}(?:try|taste|order|eat|have)"
    r"|(?:what|which)[^.?!]{0,40}you[^.?!]{0,20}(?:point(?:ed)? (?:me to|out)|raved? about|talk(?:ed)? up)"
    rf"|(?:what|which)[^.?!]{{0,30}}(?:your|that|the) (?:\w+ )?{_TIP}",
    "liked": r"(?:last|previous|did|was|were|had|remember|recall)(?!\w)[^.?!]{0,80} (?:liked?|enjoy(?:ed)?"
    r"|loved?|happy"
    r"|satisfied|pleased?(?= me|d)|pleased|content|tasty|to my (?:taste|liking)|fond|impressed|opinion"
    r"|verdict|impression"
    r"|think (?:of|about)|thought (?:of|about)|reaction|go down)(?!\w)[^.?!]{0,60}\?"
    rf"|(?:did|was|were|had|have|do) i [^.?!]{{0,40}}{_FOND}(?![^.?!]{{0,40}}(?:order|recommend))"
    r"|(?:how|what|whether|if) (?:\w+ ){0,3}i (?:\w+ )?(?:liked|enjoyed|loved|found|thought|rated|felt"
    r"|was (?:happy|satisfied|pleased)|said (?:about|of))|(?:what|how) did i (?:say|feel)"
    r"|how (?:did|do) i (?:like|find|enjoy|rate|feel)|(?:what|how) (?:was|is) my (?:\w+ )?(?:meal|bowl"
    r"|lunch|dinner)"
    r"|my (?:\w+ )?(?:verdict|opinion|impression|reaction|judge?ment|feelings?|experience|rating|review"
    r"|feedback)"
    r"[^?]{0,60}\?|how (?:did|was|were|had)[^.?!]{0,60}(?:go down|taste|for me|with me|to me|last)"
    r"|was (?:it|my \w+|the \w+|everything)[^.?!]{0,40}(?:good|right|taste|liking)[^.?!]{0,40}\?"
    r"|(?:liked|enjoyed|happy|satisfied|pleased|tasted"
    r"|to my (?:taste|liking))[^.?!]{0,50}"
    r"(?:last|previous|before|that time)[^.?!]{0,30}\?"
    r"|(?:last|previous)[^.?!]{0,50}(?:happy|satisfied|pleased|to my (?:taste|liking)"
    r"|any good)[^.?!]{0,30}\?",
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
    "hurried": r"hurry|(?:few|couple of|five|ten|fifteen|twenty) minutes|clock|rush\w*|running late"
    r"|late for|(?:no|much|little|short of|out of) time|train leaves"
    r"|be (?:quick|back)|have to (?:run|go|leave|be)|pressed for|five minutes|ten minutes",
    "tired": r"tired|asleep|nap|bed|yawn\w*|exhausted|worn out|sleepy|slept|sleep|long (?:day|shift|night"
    r"|week)|weary|drained"
    r"|yawning"
    r"|dead on my feet|keep my eyes open|on my feet all",
    "sad": r"sad|heavy|heart|tears|down(?! (?:the|here|there|by))|(?:bad|terrible|sad|awful) news"
    r"|low(?: spirits)?|gloomy"
    r"|miserable"
    r"|blue|lonely|upset|heartbroken|not (?:\w+ )?(?:been )?a good day|(?:rough|bad|hard) (?:day|week)"
    r"|crying",
    "cheerful": r"(?:great|good|wonderful|excellent|fine|splendid|best|marvellous|high|bright) (?:mood"
    r"|spirits)|happy"
    r"|cheerful"
    r"|(?:had|having|what) (?:a |an )?(?:great|wonderful|lovely|fantastic|beautiful|marvellous) day"
    r"|feel(?:ing)? (?:fantastic|great|wonderful|marvellous|good)|life is|beautiful day|delighted"
    r"|celebrat\w*|over the moon"
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
