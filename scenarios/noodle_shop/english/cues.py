"""Words that govern others: what is wanted, what is not, what is only past, in English."""

from scenarios.noodle_shop.english.asides import ASIDES
from scenarios.noodle_shop.english.patterns import any_of
from scenarios.noodle_shop.english.words import DISH, FOOD

_ARTICLE = r"(?:the |a |an |my |your |any |some |with |of |plain |old |usual |good |trusty )*"
_IT = r"(?:it|them|that|those|these)"
_OFFER = r"(?:recommend|suggest|advis|propos|offer|prais)"
_AGAIN = r"(?: (?:again|now|after all|these days|nowadays|back|once more|from now on|in again|back in))"
_FINE = any_of(r"""
    fine|ok|okay|welcome|all right|alright|allowed|back|good|no problem|no longer a problem|not a problem
    |safe
""")
_ILL = any_of(r"""
    (?:very |really |terribly |so |violently |seriously )*(?:ill|sick|unwell|swell up|itch|vomit
    |come out in hives)
    (?:a |an |nasty |bad |terrible |awful |itchy )*(?:hives|rash|reaction|allergic reaction|stomach ?ache
    |swollen \w+|anaphylactic shock|anaphylaxis|cramps)
""")
_ASKED = "".join(f"(?<!{word} )" for word in ("could", "can", "would", "will", "if", "should", "may"))
_FROM = r"(?= (?:from|to|by|with|even from|after|(?:when(?:ever)?|if|as soon as|every time) i)(?!\w))"
NOT = any_of(rf"""
    (?:there's |there is )?no way (?:i'm|i am|i'll|will i|am i)
    (?:decided|advised|voted) against
    no|not|don't|do not|doesn't|does not|didn't|did not|won't|will not|wouldn't
    isn't|aren't|mustn't|shouldn't|shan't|never(?![.!]|$)|nor|neither|no more|no longer
    without(?: any)?|leav(?:e|es|ing) (?:out|off)
    left (?:out|off)(?= (?:the|any|all|my) )|keep(?:ing)? out|nothing with
    nothing containing|no trace of|free (?:of|from)|without a trace of
    steer clear of
    (?:stay|staying|keep|keeping|stayed) (?:well |far |right |clear )?away from
    do(?:ing)? without|go(?:ing)? without|never mind the|tak(?:e|ing) (?:out|off)
    hold(?:ing)?(?! on)|skip(?:ping)?|minus|omit(?:ting)?
    drop(?:ping)?(?! (?:by|in))|lose|losing|scrap|cancel|ditch|remove|eliminate
    ban(?:ish)?|cut(?: out| back on)?|pass on|exclude|get rid of
    (?:got|be|am|been) rid of|lay off|strike|hates?|hated|loathe|detest|despise
    dislikes?|disliked
    (?:can't|cannot|couldn't) (?:stand|bear|abide|take|do|stomach|face)
    avoid(?:ing)?|refuse
    stop(?:ped)?(?: (?:adding|putting|giving me|eating|having|taking|ordering|with))?
    forget(?: about)? the|quit(?: eating)?|(?:have |i've )?given up(?: on)?
    giv(?:e|ing) up|(?:gone|went|going|go) off|except(?: for)?|apart from|other than
    bar(?= (?:the )?(?:garlic|ginger|egg|coriander|sesame))
    (?:everything|anything|all) but|(?:had )?(?:enough|my fill) of|had it with
    (?:grown |got |getting |become )?(?:tired|sick|bored) (?:of|with)|done with
    through with|finished with|fed up with|(?:i'm|i am) off(?= [a-z]+(?! to))
    not (?:a|much of a) fan of|no fan of
    (?:not|\w+n't) (?:\w+ )?(?:keen|big|mad|crazy) on
    no (?:need|reason|point) (?:for|to|in)|no use for|needn't|moved on from
    (?:said|say) goodbye to|goodbye to|without the|outgrown|outgrew|grown out of
    got over|cured of|wrong about(?= my \w+ allergy)
    (?:swap|exchange|replace|trade|substitute)(?: out)?(?= {_ARTICLE}(?:{FOOD}|{DISH}) (?:for|with|by) )
    (?:thought|believed|assumed|was told|suspected)(?: that)? (?:i (?:was|am|were|might be)
    |i'm)(?= allergic)
    (?:wasn't|weren't|was not|never was|never had|haven't got|haven't)(?= (?:an?|my|any) )
    than(?= {_ARTICLE}(?:{DISH}|{FOOD}))|could do without
    less(?= (?:garlic|ginger|onion|sesame|coriander))|too much
""")
WITH = any_of(rf"""
    nothing against|(?:there's )?nothing (?:i like )?(?:more|better) than|nothing beats
    with|extra|add(?:ing|ed)?|plus|put(?:ting)?|wants?|wanting|likes?|loves?|eats?
    eating|takes?|taking|have|having|enjoys?|include|including|bring back
    (?:don't|do not|doesn't|no longer|not|never|wouldn't) mind
    no (?:problem|trouble|objection|issue) with
    (?:happy|fine|ok|okay|cool|all right|good) with|some|more|asked for|ordered
    give me|(?:don't|do not|never) (?:forget|skip|miss)(?: about)?(?: the| my)?
    missed|crave|why not|allow(?:ed)?|side of|heavy on|generous with
    load(?:ed)? (?:up )?(?:on|with)|throw(?:ing)? in|toss in|chuck in|pop|stick
    prefers?|use|(?:grown|become|got) (?:fond of|used to|to like)
    (?:a )?(?:big |huge )?fan of|fond of|back to(?: eating| having)?
    (?:not|isn't|aren't) (?:complete|the same|right|much) without
    can't (?:do|live|eat it|go|be) without|double|get|welcome
    for(?= {_ARTICLE}{FOOD}(?!\w))
""")
CUES = {
    # Of two cues of one length the first one counts: this one looks further ahead than "with".
    "rather": rf"prefer(?:red)?(?= {_ARTICLE}(?:{DISH}|{FOOD}),? (?:to|over) )",
    "not": NOT,
    "with": WITH,
    "after_with": any_of(rf"""
        (?:isn't|aren't|is not|are not|is no longer) (?:really )?(?:a problem|an issue)(?: for me)?
        on top|on it|(?:is|are|be) {_FINE}(?: with me| by me| for me)?(?: again| now)?
        (?:fine|okay|ok|welcome|allowed|all right|alright|good) (?:again|now|with me now)
        back in|back on
        (?:can|may|could|should|is to|are to) (?:come|go) (?:back|in)(?: in)?
        on the side|is good again|doesn't bother me(?: any more| anymore| now)?
        no longer bothers? me|in(?=[,.;!]|$| please| again)
        (?:can|may|could) (?:return|be back|stay in|be put back|be added)
        is a must|are a must|agrees? with me (?:again|now)
    """),
    "after_not": any_of(r"""
        no (?:more|longer)(?=[,.;!]|$)
        (?:is|are|has|have) (?:gone|over|cured|passed|history|behind me|cleared up|disappeared|vanished
        |a thing of the past)
        gone(?= for good|[,.!;]|$)|out|left out|off(?! to)|free
        (?:is|are)(?:n't| not) (?:really |exactly )?(?:for me|my thing|my cup of tea|to my taste
        |my favou?rite)
        away(?: from (?:me|my \w+))?|has to go|must go|have to go|can stay away
        can go(?! (?:back|in))
        (?:was|turned out to be|is) (?:just |only )?a (?:false alarm|misdiagnosis)
        is no longer for me|is off the (?:table|menu)|should go|puts me off
    """),
    "again": r"again|as well|too|(?:always|every time|each time|yes)(?=[,.;!]|$)",
    "away": any_of(rf"""
        never(?=[.!]|$)
        (?:leave|keep|take|pick|cut) {_IT} (?:out|off|away)
        (?:leave|keep|take|cut) out {_IT}
        (?:drop|skip|omit|lose|scrap|remove|ditch|avoid|forget) (?:about )?{_IT}
        (?:don't|do not|didn't|no longer|never|wouldn't) (?:really |even )?(?:want|like|need|eat|take
        |fancy|enjoy|put|add|use|have) {_IT}(?: in)?(?! (?:with|without|so|too|that|as|very|in the|to))
        (?:can't|cannot|can no longer) (?:stand|bear|eat|have|take) {_IT}
        stop(?:ped)? (?:adding|putting|eating|taking|having|liking) {_IT}
        (?:hate|loathe|dislike) {_IT}|(?:tired|sick|bored|had enough|rid) of {_IT}
        (?:done|through|finished|fed up) with {_IT}|(?:do|go) without {_IT}
        gone off {_IT}|none (?:of it|at all|for me)|out with {_IT}
    """),
    "restore": any_of(rf"""
        (?:put|add|bring|throw|take) {_IT} (?:back|in|now|again)(?: in| on)?(?: again)?
        (?:{_IT}|they)(?:'s| is| are|'re) (?:absolutely |quite |perfectly )?{_FINE}(?: with me
        | by me)?(?: again| now)
        (?:now |today )(?:{_IT}|they)(?:'s| is| are|'re) {_FINE}(?: with me| by me)?
        (?:want|like|love|eat|enjoy|take|have|need|miss) {_IT}{_AGAIN}
        now (?:i )?(?:\w+ )?(?:want|like|love|eat|enjoy|take|adore) {_IT}
        (?:don't|no longer|do not) mind {_IT}
        i(?:'d| would) (?:\w+ )?(?:like|love) {_IT}(?=[,.;!]|$| again| back)
        i (?:do |really |now )*want {_IT}(?=[,.;!]|$| again| back)
        (?:stop|no need to|needn't|don't have to|don't need to|no longer need to) (?:leave|leaving|keep
        |keeping) {_IT} out
        don't (?:leave|keep) {_IT} out|with {_IT}{_AGAIN}|with it again
    """),
    "allergy": any_of(rf"""
        not allergic to anything (?:but|except|other than|apart from)
        allergic (?:even |also |only |just |mainly )?(?:to|against)
        allerg(?:y|ies) (?:is |are )?(?:to|against|towards?)|allergy:|allergies:
        allergens?(?: for me)?:|intoleran(?:t|ce|t) (?:to|of|towards?)
        (?:react|reaction|reacts|reactions)(?: \w+)? (?:to|from)|can't eat|cannot eat
        can never eat|may not eat|must not eat|mustn't eat|mustn't have|can't have
        cannot have|must not have
        (?:not|never|\w+n't) (?:allowed|able|supposed|meant) to (?:eat|have)
        must never (?:eat|have)|(?:can't|cannot|don't|do not) tolerate
        forbidden (?:me )?(?:to eat|from eating)
        (?:get|got|getting|come out in|break out in|breaks? out in|broke out in) {_ILL}{_FROM}
        (?:swells?|closes?|itch(?:es)?)(?: up)?{_FROM}
        (?:ill|sick|hospital|unwell|breathe){_FROM}
        allerg(?:ist|ologist|y doctor|y specialist)(?: (?:says?|said|told me|wants me|advised me|found
        |confirmed))?(?: that)?
        (?:diagnosed with|suffer from|developed|discovered|have|got) an? (?:\w+ )?(?:allergy
        |intolerance) to
        sensitive to|the allergen (?:is|being)
    """),
    "allergic": any_of(rf"""
        allerg(?:y|ies|ic)(?! (?:to|tests?|against|doctor|specialist))|allergies
        intoleran(?:t|ce)(?! (?:to|of))
        (?:makes?|make|made|would make|will make|could make|can make) me {_ILL}
        (?:gives?|gave|would give|cause[sd]?) me {_ILL}
        (?:brings?|bring|brought) me out in {_ILL}
        i (?:get|come out in|break out in) {_ILL}(?=[,.!;]|$)
        (?:could|would|might|can|will|may|nearly|almost) (?:literally |easily |well |actually )?kill(?:ed)? me
        (?:is|are|would be|could be) (?:very |really |downright |literally )?(?:dangerous|deadly|lethal
        |fatal|poison|poisonous|life-threatening|toxic|a danger|off limits|a health risk)(?: (?:for
        |to) me)?(?: \w+ reasons)?
        (?:send|put|land|get|lands|puts|sends|landed) me (?:\w+ )?(?:in|into|to
        |in the) (?:the )?(?:hospital|a&e|er|emergency room|ambulance|shock)
        disagrees? with me|(?:don't|doesn't|do not|does not) agree with me
        (?:end up|ended up|land|be) in (?:the )?(?:hospital|a&e|er|emergency)
        (?:i'd|i would|i'll|i could) (?:end up|need|have to go|go
        |be) (?:\w+ )?(?:to )?(?:the )?(?:hospital|an ambulance|my epipen)
        react (?:very |really )?(?:badly|violently|strongly)(?! to)|anaphyla\w+
        (?:throat|tongue|face|lips|eyes) (?:swells?|closes?|itch(?:es)?)(?: up)?(?=[,.!;]|$)
        (?:is|are) an? (?:no-go|allergen|allergy of mine) (?:for me )?(?:because|since|due)
    """),
    "allergic_to_it": rf"allergic to (?:{_IT}|both)|(?:allergy|reaction|intolerance) to {_IT}",
    "may": any_of(r"""
        (?:can|may|could) (?:now |safely )*(?:eat|have|tolerate|enjoy)(?= )(?! (?:it|them|that|those)\b)
        safe for me to eat
    """),
    "skip": any_of(r"""
        (?:used to(?! the| it| that)|until now|up to now|up until now|till now|so far|previously|formerly
        |in the past|once upon a time)
        (?:switch(?:ed|ing)?|chang(?:ed|ing)|moved?|moving|swap(?:ped|ping)?|gone|went|converted
        |transferred)(?: \w+)?(?: over)?(?: my \w+)? from
        back then|i can taste|i was (?:thinking of|going to|about to|tempted by)
        remember (?:how|when|that) i(?: always| usually| never)?(?: \w+)?(?= (?:a|the|my|it|no|with) )
        the days of
    """),
    "got": any_of(rf"""
        there is(?! (?:no|none|nothing|one|something|to be no))
        there's(?! (?:no|none|not|nothing|one|something|to be no))
        (?<!if )there (?:was|were|are)
        i(?:'ve)? (?:just |only )?(?:found|got|received|been (?:served|given|brought))(?! nothing)(?! (?:a
        |an) (?:\w+ )?(?:allergy|intolerance|wish|request|new))
        i was (?:served|given|brought|handed)
        you(?:'ve| have)? (?:just |only |wrongly |mistakenly )*(?:gave|given|brought|served|handed
        |delivered|made)(?: me)?
        (?:this|that) (?:is|was|looks like|tastes like|seems to be)(?= (?:a |an |the |\w+ )?(?:tonkotsu
        |shoyu|miso|tan|pho|beef|laksa|udon|curry|soba|cold soba))
        this is(?! (?:what|how|the way|right|my (?:order|usual)))
        {_ASKED}you(?:'ve)? (?:just |still |also )?(?:put|added|used(?! to)|included|left)
        (?:(?:it|this|that) (?:was|is) )?(?:full of|swimming in|covered (?:in|with)|loaded with)|tastes? of
        (?<=but )(?:it|they|mine|this|that) (?:was|were|came|had|has|contained)(?! (?:fine|ok|good|great))
        came with|came as|comes? out as|(?<=and )(?:got|received|was (?:given|served))
        (?<=but )(?:got|received|was (?:given|served))
        what (?:came|arrived|i got|you brought|i'm looking at|i have here)(?: (?:was|is))?
    """),
    "ordered": any_of(rf"""
        (?<!what )(?<!how )(?<!as )(?<!way )(?<!one )(?<!like )(?<!thing )i(?: did| have
        |'ve)? (?:\w+ )?(?:ordered|asked for|requested|wanted(?! to)|specified|said)
        my order was(?= {_ARTICLE}{DISH})
        i was (?:after|expecting|hoping for|waiting for)
    """),
    "had_ordered": any_of(r"""
        i(?:'d| had) (?:\w+ )?(?:ordered|asked for|requested|wanted|specified|said|told you|mentioned)
        i (?:specifically|clearly|definitely|explicitly|distinctly|expressly) (?:ordered|asked for
        |requested|said|wanted)
        (?:although|though|even though|when|while|despite the fact that) i(?:'d| had)? (?:\w+ )?(?:ordered
        |asked for|requested|said|wanted)
    """),
    "instead": r"instead of|rather than|in place of|in lieu of",
    "swap": any_of(rf"""
        (?:swapped|exchanged|replaced|traded) (?:for|by|with)|gives? way to|makes? way for
        becomes?(?= {_ARTICLE}(?:{DISH}|{FOOD}))
    """),
    "turn": rf"to|now|these days|nowadays|over(?= {_ARTICLE}(?:{DISH}|{FOOD}))|into",
    "but": r"because(?: of)?|due to|owing to|but|however|otherwise|yet|though|although|whereas|while",
    "and": r"and|or|&",
    "open": r"leave|keep|kick|bring|take(?= the \w+(?: \w+)? (?:out|off))",
    "only": r"(?:just|only|but) (?:to|of|from)",
    "not_to": r"(?:but )?not (?:to|from)(?= \w)",
    "turned": r"(?:but|though),? (?:not|no)(?: any ?more| any longer| longer| now| these days)(?=[,.!]|$)",
    "offer": r"recommended(?::| to them:)",
    "correct": any_of(r"""
        (?:no|oh|ah|sorry|er|um|oops|actually)?,? ?(?:wait|hang on|hold on|scratch that|strike that|i mean
        |i meant|i mean to say|or rather|make that|correction|on second thoughts?|let me rephrase
        |no, sorry|sorry, no)(?:,? (?:no(?=,)|actually|sorry|make that))?
        actually,? (?:no|make)|no,? actually
    """),
    **ASIDES,
}
OFFERING = any_of(rf"""
    (?:may|can|could|would|might|let) (?:i|me) {_OFFER}e?
    i(?:'d| would| can| could)? (?:like to )?{_OFFER}e?|how about|what about
    would you (?:like|care) (?:to try|for)
    (?:you )?(?:might|should|could) (?:like|try)|why not try
    have you (?:ever )?tried|goes (?:very )?well with
    (?:my|our) (?:recommendation|tip|suggestion)
""")
