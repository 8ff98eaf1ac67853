"""Chinese phrases of feedback, and rules in Chinese words."""

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

_WORDS = r"[“\"「'](?P<it>[^”\"」']{1,20})[”\"」']"
_SAID = r"(?:回答|说|讲|话|解释|介绍|写)"

_WISHES = (
    (r"(?:不用|不要|不必|别)再?[^，。！？]{0,6}(?:简短|简单|短)", DETAILED),
    (r"(?:不用|不要|不必|别)再?[^，。！？]{0,6}(?:详细|长篇|啰嗦|这么长|那么长|太长|解释)", SHORT),
    (r"太短了?|太简短|太简单了", DETAILED),
    (r"太长了?|太啰嗦|太多话|太详细", SHORT),
    (
        r"简短|长话短说|短一?[些点]|少说(?:几句|两句|点)|说重点|利索点|简洁|简单(?:点|一点|些)(?:说|回答)?|简要",
        SHORT,
    ),
    (
        (
            r"(?:说|讲|解释|回答|介绍)得?(?:更|再)?(?:详细|仔细|清楚)[一]?[些点]?|详细[一]?[些点]|多(?:说|讲)[一]?[些点]|多讲讲|仔细讲讲"
            r"|详细(?:的)?(?:回答|介绍|解释|告诉)|听(?:得)?详细|把?一切都?详细|更详细"
        ),
        DETAILED,
    ),
    (r"(?:不要|别|不用)(?:用)?(?:列表|清单)|用完整的?句子", PROSE),
    (r"(?:用|以)(?:列表|清单|要点)(?:的形式)?|列出要点|分点", LIST),
    (r"(?:不要|别|不用)(?:用|发)?(?:表情|表情符号|颜文字)", NO_EMOJI),
    (r"(?:不要|别|不用)(?:再)?(?:开玩笑|讲笑话)", NO_JOKES),
    (r"(?:不用|别|不要)(?:这么|那么)(?:正式|客气)|随便[一]?点|轻松[一]?点", INFORMAL),
    (r"正式[一]?[点些]|请用您|礼貌[一]?[点些]", FORMAL),
    (
        r"(?:不要|别)(?:再)?(?:叫|称呼)我(?:为)?[“\"「]?(?P<it>[^，。！？”\"」\s]{1,10}?)[”\"」]?(?:了)?(?=[，。！？\s]|$)",
        AVOID,
    ),
    (
        (
            r"(?:请|就|可以)?(?:叫|称呼)我(?:为)?[“\"「]?(?P<it>[^，。！？”\"」\s]{1,10}?)[”\"」]?(?:吧|就好|就行"
            r"|就可以了?)?(?=[，。！？\s]|$)"
        ),
        ADDRESS,
    ),
    (rf"说{_WORDS}[，,]?(?:而不是|不要说|别说|不是)[“\"「'](?P<instead>[^”\"」']{{1,20}})[”\"」']", SAY),
    (rf"(?:不要|别|不准)(?:再)?(?:说|用|讲)(?:这个词)?{_WORDS}", AVOID),
    (
        r"(?:每次|以后|下次)(?:都|请)?(?:要)?(?:告诉我|提到|说明|附上|加上)(?P<it>[^，。！？；]{2,20})",
        INCLUDE,
    ),
)

CUES = FeedbackCues(
    wishes=_WISHES,
    # A wait may be too long as well.
    negated=r"(?:等|排队|队伍?)[^，。！？]{0,4}$|(?:不要|不用|不必|别|不是|没有|不)(?:再|用)?$",
    about=(r"(?:我)?(?:问|说|点|聊)(?:到|起|你)?(?P<it>[^，。！？；]{1,15}?)(?:的时候|时)，?",),
    praise=(
        r"(?:回答|解释|服务|说)得?(?:很|真|太|非常)(?:好|清楚|棒)|就是我想要的|正合我意|我喜欢你(?:这样|这么|的)|保持下去|你(?:真|很|太)(?:有礼貌"
        r"|热情|耐心|细心|周到)"
    ),
    heading="说话方式（来自反馈）：",
    wordings={
        "response_format:short:+": "回答要简短。",
        "response_format:detailed:+": "回答要详细。",
        "response_format:list:+": "用列表回答。",
        "response_format:prose:+": "用完整的句子回答，不用列表。",
        "response_format:+": "用这种形式回答：“{value}”。",
        "response_format:-": "不要用这种形式回答：“{value}”。",
        "style:formal:+": "说话要正式、用“您”。",
        "style:informal:+": "说话随和一些。",
        "style:emoji:-": "不要用表情符号。",
        "style:jokes:-": "不要开玩笑。",
        "style:+": "用这种风格说话：“{value}”。",
        "style:-": "避免这种风格：“{value}”。",
        "must_include:+": "每次都要提到：“{value}”。",
        "must_include:-": "不要提到：“{value}”。",
        "terminology:you:+": "称呼客人“{value}”。",
        "terminology:instead:+": "说“{value}”，不说“{instead}”。",
        "terminology:+": "用“{value}”这个词。",
        "terminology:instead:-": "不要说“{value}”。",
        "terminology:-": "不要说“{value}”。",
    },
    conditions={
        "query_contains": "问到“{value}”时：{action}",
        "query_topic": "关于{value}：{action}",
        "feedback": "在{value}之后：{action}",
    },
)
