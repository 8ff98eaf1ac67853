"""Words that give away the tone and the mood of what is said, in English."""

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
