"""The words and cues by which English is read (see `scenarios.noodle_shop.reader`)."""

from scenarios.noodle_shop.speech import Vocabulary

_CHILLI = r"(?:chill?i(?:es)?|chill?y|spice|heat|spiciness)"
_SPICY = r"(?:spicy|hot|fiery)"
_SIZE = r"(?:[- ]siz(?:e|ed)(?: portion| bowl)?|[- ]portions?|[- ]bowl|[- ]one|[- ]helping)"
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
        r"(?: as (?:it comes|you can))?(?! (?:day|outside|tea|water|drink|weather))"
        rf"|(?:plenty|lots|loads) of {_CHILLI}|(?:extra|more|with) {_CHILLI}|set my mouth on fire",
    },
    "portion": {
        "small": rf"(?:small|smaller|little|half){_SIZE}|small(?! talk)|smaller",
        "regular": rf"(?:regular|normal|standard|ordinary|medium){_SIZE}"
        r"|(?<!my )(?<!i'm a )regular(?! (?:order|here|customer|guest|thing|dish|bowl))",
        "large": rf"(?:extra[- ])?(?:large|larger|big|bigger|huge|double){_SIZE}|larger?",
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
}
ASKED = {
    "usual": r"(?:the|my) usual(?! (?:bowl|dish) (?:is|has))"
    r"|same (?:thing )?as (?:always|ever|usual|last time|before)|the same again|as (?:always|ever|usual)"
    r"|you know (?:what i|my|how i)|what i (?:always|usually|normally)"
    r"|my (?:regular|normal|standing) (?:order|thing|bowl|dish)|like (?:always|last time|every time)",
    "last_visit": r"when (?:was|did|were|have)[^.?!]{0,60}(?:last|previous)"
    r"|last (?:visit|time i (?:was|came))[^.?!]{0,60}\?|(?:what|which) (?:day|date)[^.?!]{0,60}last"
    r"|how long[^.?!]{0,60}(?:since|last)|when [^.?!]{0,60}last came"
    r"|when [^.?!]{0,60}last (?:here|visit|saw|see)|date of my last",
}
VOCABULARY = Vocabulary(
    words=WORDS, cues=CUES, asked=ASKED, politeness=r"please|if you please|if you would|if possible|kindly"
)
