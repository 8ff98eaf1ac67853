"""Words that only look like a judgement of the meal or like a cue, in English."""

from scenarios.noodle_shop.english.patterns import any_of

ASIDES = {
    "generic": any_of(r"""
        (?<!as )(?<!like )always
        never (?:disappoints?|fails?|lets? \w+ down|let me down)
        every (?:single )?time(?! i (?:order|come))
        in (?:the |this )?(?:whole |entire )?(?:town|city|world|country|area|neighbou?rhood|street
        |district|region|land|quarter)
        for miles(?: around)?
        you (?:people |guys |folks |really |sure |do |all )*(?:make|cook|serve|know how|do (?:the|a))
        you (?:guys |folks |people )?have (?:the|such)
        (?:your|the) (?:\w+ )?(?:cook|chef|kitchen|place|shop|restaurant|staff|team|music|decor|view|tea
        |atmosphere|location|smell|aroma|interior|lighting|table|seat)(?= )
        (?:food|noodles|ramen|soups?|dishes|cooking|broth|everything|everyone|bowls?|meals?) here
        (?:everything|whatever|anything) you (?:make|cook|serve|do|put)
        your (?:\w+ )?(?:noodles|soups|dishes|ramen|broths?|food|cooking|bowls|laksa|pho|recipes?
        |menu)(?= (?:is|are|has|have|always|never|taste))
        this (?:place|shop|restaurant|spot|joint)|smells?|aroma|sounds?
        (?:would|will|'ll|'d|might|could|must|should|can|going to) be|looks?|of yours
        whenever i(?:'m| come| eat| visit)|i (?:tell|told|bring|recommend)|heard
        they say|famous|favou?rite (?:place|shop|spot)|by far the best
        (?:coming|come|been coming|eating) here
    """),
    "elsewhere": any_of(r"""
        my (?:son|daughter|wife|husband|kids?|children|friends?|boss|neighbou?r|colleague|mother|mum|mom
        |father|dad|brother|sister|team|day|week|holiday|job|trip|phone)(?!\w)
        (?:film|movie|book|concert|match|game|weather|news|holiday|trip|party|weekend|show|series
        |exhibition|play|day|evening|walk|song|band|exam|exams|interview|bakery|bus|train|road|street|work
        |office|school|gym|car|computer|laptop|election|government|mayor|park|concert|shoes|team)
    """),
    "idiom": any_of(r"""
        no (?:problem|worries|thanks|thank you|doubt|idea|wonder|rush|hurry|offence|matter (?:what|which
        |how)|surprises|surprise|news|trouble at all|kidding|way|chance|fuss)
        no,? (?:thanks|thank you)|yes or no|not (?:so )?hot (?:as|like) before
        never mind(?! the)|not at all(?! (?:hot|spicy|fiery))|(?:not|\w+n't) sure
        don't worry|without fail|without (?:a )?doubt|i don't know|if you don't mind
        if you wouldn't mind|not only|not long ago|not yet|not to mention|not just
        do you mind|would you mind|mind (?:you|if)|whether or not
        (?:wasn't|weren't|isn't|didn't|aren't|don't|doesn't|won't|haven't|wouldn't) (?:it|that|i|they|you
        |he|she|there)(?=[,?.!]|$)
        dropp?(?:ed|ing)? (?:by|in)|skipped (?:lunch|breakfast|dinner)
        without (?:question|exception|hesitation)|cold out
        (?:eat|eating|dine|dining|go|going|went|day|night|hang|been|turns|turned|turn|sold|run|ran|find
        |found|figure|work|worked|try) out
        (?:day|take|time|hat|hats|better|well|worse) off
        (?:i'm|i'll be|i must be|be|i am) off(?=[,.!]|$| now| then| to)
        out(?:side)? there
        (?:was|were|came|arrived) (?:(?:nice and|nicely|really|very|piping|so|quite) )*(?:hot|mild|spicy
        |fiery)(?=[,.!?]|$| and| but| today| enough)
        it(?:'s| is| was|'ll be) (?:(?:so|very|too|really|quite|pretty|rather|awfully|terribly|getting
        |far too|bitterly) )*(?:(?:cold|chilly|freezing|boiling)(?=[,.!?]| again| enough| and)
        |(?:hot|cold|chilly|warm|boiling|freezing) (?:today|outside|out|in here|tonight|this (?:week|summer)))
        (?:i'm|i am|feel|feeling|we're) (?:so |too |very |a bit |really )*(?:hot|cold|chilly|small)
        (?:hot|cold|warm) (?:weather|day|summer|night|tea|water|outside)
        (?:goes?|going|gone|went) wrong with|can't go wrong|don't get me wrong
        what(?:'s| is| was) wrong
        nothing (?:new|special|fancy|else|more|much|out of the ordinary)|more or less
        to be (?:clear|precise|honest|exact|sure|safe|frank|fair|on the safe side)
        some ?(?:day|time|thing|one|body|where)|not even
        (?:not|\w+n't) (?:be )?(?:afraid|shy|scared|hesitate) to|long time no see
        as much as|for the time being
        more than (?:ever|happy|anything|enough|once|welcome)
        (?:rain|snow|sun|light|wi-?fi|gluten|care|stress|free)-?free
        (?:likes?|love|want) to|(?:like|want|love|need|expect|ask|remind|tell) you
        to be (?:on|left)|free (?:table|seat|spot|chair|place)
        (?:table|seat) (?:is )?free
    """),
}
