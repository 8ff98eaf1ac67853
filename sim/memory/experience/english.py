"""English phrases of feedback, and rules in English words."""

from sim.memory.experience.actions import (
    ADDRESS,
    AVOID,
    DETAILED,
    FORMAL,
    INCLUDE,
    INFORMAL,
    LIST,
    NO_EMOJI,
    NO_JOKES,
    PROSE,
    SAY,
    SHORT,
)
from sim.memory.experience.cues import FeedbackCues

_ANSWER = r"(?:answer|repl(?:y|ies)|explanation|message|response|sentence|speech)(?:e?s)?"
_WORDS = r"[\"'“‘](?P<it>[^\"'”’]{1,40})[\"'”’]"
# Capitals tell "call me Anna" from "call me a cab"; the other letters may be of either case.
_NAME = r"(?P<it>(?:(?:Mr|Mrs|Ms|Dr)\.? )?(?-i:[A-Z])[^\s,.!?;:\"]*(?: (?-i:[A-Z])[^\s,.!?;:\"]*)?)"
_NICKNAME = r"[\"'“‘]?(?P<it>[^\s,.!?;:\"'”’]+(?: (?-i:[A-Z])[^\s,.!?;:\"'”’]*)?)[\"'”’]?"

_WISHES = (
    (
        (
            rf"(?:no longer|no more|any ?more|stop (?:giving|with)|no need for)[^.!?]{{0,20}}(?:short"
            rf"|brief) {_ANSWER}"
        ),
        DETAILED,
    ),
    (
        (
            rf"(?:no longer|no more|stop (?:giving|with)|no need for)[^.!?]{{0,20}}(?:long|detailed) "
            rf"{_ANSWER}"
        ),
        SHORT,
    ),
    (
        (
            r"(?:not|don't be|less) (?:so|that|too|quite so|as) (?:short|brief|terse|curt)|too "
            r"(?:short|brief|terse|curt)"
        ),
        DETAILED,
    ),
    (
        (
            r"(?:not|less|don't be) (?:so|that|too|quite so|as) (?:long|wordy|verbose|detailed)|too "
            r"(?:long|wordy|verbose|detailed|much (?:text|detail))"
        ),
        SHORT,
    ),
    (r"(?:don't|do not|needn't) (?:explain|elaborate|go into detail)", SHORT),
    (
        (
            rf"(?:make|keep) (?:it|that|them|this|your {_ANSWER}|things) (?:a (?:bit|little) )?(?:short"
            rf"|brief|concise)(?:er)?"
        ),
        SHORT,
    ),
    (
        (
            rf"(?:short|brief|concis)e?(?:er)? {_ANSWER}|(?:a (?:bit|little) )?(?:shorter|briefer|more "
            rf"concise|more briefly)(?:,? please|[.!?]?$)"
        ),
        SHORT,
    ),
    (
        (
            r"be (?:more )?(?:brief|concise)|fewer words|less detail|cut it short|get to the point|no "
            r"long speech(?:es)?|i like it brief|person of few words|in a few words,? please"
        ),
        SHORT,
    ),
    (
        (
            rf"long(?:er)? {_ANSWER}|more detail(?:s|ed)?|in (?:more |greater )?detail|into detail"
            rf"|detailed {_ANSWER}|i like (?:the )?details"
        ),
        DETAILED,
    ),
    (
        (
            r"explain (?:\w+ )?(?:more|further|better)(?! about)|(?:please )?elaborate|tell me more(?! about)"
            r"|hear more "
            r"about|a (?:bit|little) longer,? please|longer,? please"
        ),
        DETAILED,
    ),
    (
        (
            r"(?:use|with|as|in) (?:a )?(?:bullet points?|bullets|bulleted list|list)|bullet points,? "
            r"please"
        ),
        LIST,
    ),
    (
        (
            r"(?:no|without|not? more) (?:bullet points?|bullets|lists?)|(?:in|as|use) (?:full "
            r"sentences|prose)"
        ),
        PROSE,
    ),
    (r"(?:no|without|skip the|stop (?:using|with)|don't use) (?:the )?(?:emojis?|smileys?)", NO_EMOJI),
    (r"(?:no|without|stop (?:making|with)|don't make|skip the) (?:the )?(?:more )?jok(?:es|ing)", NO_JOKES),
    (
        (
            r"(?:be|a (?:bit|little)) (?:less|not so) formal|(?:be )?(?:more )?(?:informal"
            r"|casual)(?:,? please)?|don't be so (?:formal|stiff)"
        ),
        INFORMAL,
    ),
    (r"(?:be )?more formal(?:ly)?|be formal|(?:not|less) so casual|be less casual", FORMAL),
    (
        (
            rf"(?:don't|do not|never|stop) (?:ever )?(?:call(?:ing)? me|address(?:ing)? me as) "
            rf"{_NICKNAME}"
        ),
        AVOID,
    ),
    (rf"(?:please |just )?(?:call|address) me (?:as )?{_NAME}", ADDRESS),
    (rf"say {_WORDS},? (?:instead of|not) [\"'“‘](?P<instead>[^\"'”’]{{1,40}})[\"'”’]", SAY),
    (rf"(?:don't|do not|never|stop) (?:use|using|say|saying)(?: the words?)? {_WORDS}", AVOID),
    (r"(?:don't|do not|never) use the words? (?P<it>[\w-]{1,30})", AVOID),
    (
        (
            r"(?:always|next time|from now on),? (?:please )?(?:tell me|mention|include|add"
            r"|give me|say) (?P<it>(?:the|my|your|a|an|how|when|what|where|which"
            r"|whether)\b[^.!?;]{2,50})"
        ),
        INCLUDE,
    ),
)

CUES = FeedbackCues(
    wishes=_WISHES,
    # A wait may be too long as well.
    negated=r"\b(?:wait|waiting|queue|line|took|takes)\b(?: \w+){0,3}\s*$"
    r"|(?:\bnot|\bnever|\bnobody|n't|\bno need (?:to|for)|\bisn't|\bwithout)(?: \w+){0,2}\s*$",
    about=(
        (
            r"(?:when(?:ever)?|if|every time) (?:i|we) (?:ask|talk|speak|order|want to know)(?: "
            r"you)? ?(?:about|for|of)? ?(?:the )?(?P<it>[^,.!?;:]{2,40}),"
        ),
        (
            r",? (?:when(?:ever)?|if) (?:i|we) (?:ask|talk|speak|order)(?: you)? ?(?:about|for"
            r"|of)? ?(?:the )?(?P<it>[^,.!?;:]{2,40})[.!?]?$"
        ),
    ),
    praise=(
        r"(?:just|exactly|that's) (?:right|how i like|what i (?:like|wanted))|perfect(?:ly)? "
        r"(?:answer|short|clear|put|explained)"
        r"|(?:good|great|nice|lovely|excellent|clear|helpful) (?:answer|reply|explanation|service)"
        r"|well (?:said|put|explained)"
        r"|i like (?:how|that|the way) you|you(?:'re| are) (?:so |very )?(?:polite|kind|helpful"
        r"|attentive|patient)|thank you,? that helped|keep (?:it|that) up"
    ),
    heading="How to speak, learnt from feedback:",
    wordings={
        "response_format:short:+": "Answer briefly.",
        "response_format:detailed:+": "Answer in detail.",
        "response_format:list:+": "Answer with a list.",
        "response_format:prose:+": "Answer in full sentences, without lists.",
        "response_format:+": 'Answer in this form: "{value}".',
        "response_format:-": 'Do not answer in this form: "{value}".',
        "style:formal:+": "Speak formally.",
        "style:informal:+": "Speak informally.",
        "style:emoji:-": "Use no emoji.",
        "style:jokes:-": "Make no jokes.",
        "style:+": 'Speak in this style: "{value}".',
        "style:-": 'Avoid this style: "{value}".',
        "must_include:+": 'Always mention: "{value}".',
        "must_include:-": 'Do not mention: "{value}".',
        "terminology:you:+": 'Call the customer "{value}".',
        "terminology:instead:+": 'Say "{value}" instead of "{instead}".',
        "terminology:+": 'Use the word "{value}".',
        "terminology:instead:-": 'Do not say "{value}".',
        "terminology:-": 'Do not say "{value}".',
    },
    conditions={
        "query_contains": 'When asked about "{value}": {action}',
        "query_topic": "On the topic {value}: {action}",
        "feedback": "After {value}: {action}",
    },
)
