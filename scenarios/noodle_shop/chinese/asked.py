"""The Chinese words that ask what is still known of a customer."""

from scenarios.noodle_shop.chinese.patterns import ANY, CLAUSE, OFFER, SENTENCE, any_of

_PAST = any_of("上一?[次回趟餐顿碗] 之前 [那前]一?[次回] 最[近后]一次 以前 先前 当时 那天 前几天")
_WHAT = "(?:什么|哪|啥|来着|何物)"
_WHEN = any_of("""
    什么时候 啥时候 何时 哪一?天 哪[个一]?日 几号 几月 多久 多长时间 多少[天日] 几天
    几个?(?:星期|礼拜|周|月) 日期 日子 时间(?=[。？，]|$) [星礼][期拜]几 周几
""")
_CAME = any_of("来 光顾 露面 见面 见 到店 登门 上门 出现 过来 到访 吃")
_OFTEN = any_of("""
    平时 平常 通常 一般 往常 经常 常 每次 每回 一直 总是? 老是? 习惯 固定 素来 惯常 平日 往日 以前 之前
    过去
""")
_USUALLY = any_of("""
    平时 平常 往常 以往 以前 之前 上一?[次回] 从前 过去 先前 每次 每回 往日 平日里? 惯例 昨天 前天 原来
    原先 上周 上个?(?:星期|礼拜|月)
""")
_EAT = any_of("来 吃 点 要 叫 爱吃 爱点 喜欢吃 喜欢点")
_BOWL = "[碗份个种样款道]"
_KNOW = "(?:知道|清楚|懂|了解|记得|记不记得|晓得)"
# "My usual is the laksa from now on" tells it.
_CHANGED = f"{SENTENCE}{{0,8}}[换改变]"
_HABITS = "(?:习惯|口味|喜好)"
# "As good as last time" compares.
_COMPARED = "[不没有]|[那这]么|差不多|(?:一样)?[好棒香美热周可舒难满开]"
_THAT = f"的(?![嘛呢啊呀，]{ANY}[就都]?是(?!什么|啥|哪))"
_AS_LAST = f"上一?[次回]{_EAT}?的?(?:那{_BOWL}|一样)"
_SURELY = "(?:应该|该|肯定|都|还|一定|现在|早就?|已经|也|总)"
_FANCY = (
    "(?:[要吃点想]|爱(?!上)|喜欢(?=[吃点喝什啥哪怎的。？！，]|$))"
    f"(?!{SENTENCE}{{0,10}}(?:过敏|满意|不喜欢|喜不))"
)
_USUAL = any_of(rf"""
    (?:^|[，。！])我?[也还就]?[要来][个份碗]?一样的 还是?[要来]?一样(?!{_COMPARED})
    上一?[次回]{SENTENCE}{{0,10}}再来(?!{SENTENCE}{ANY}[吗？]) 老样子(?![是从改换变]|就是) 老规矩 老一套
    老[一二两三四几]样 老味道 老习惯 照旧 照例 一如既往 照常(?![放加吃]) 不变 你懂[的我]
    还是那一?(?:{_BOWL}|套) 我的(?:单子?|点法){CLAUSE}{{0,4}}[记背]
    (?:平常|平时|往常|通常|惯常)的(?=[就吧，。！]|$) 还是原来那{_BOWL} 照我?的?{_HABITS}
    {_KNOW}我{_OFTEN}?的?{_HABITS} 我的{_HABITS}{SENTENCE}{{0,4}}{_KNOW}
    [跟和照像按同]着?我?{_USUALLY}(?:那样|的|{_EAT}|一样){ANY}(?!{_COMPARED})
    {_OFTEN}(?:都|爱|会|就|最){ANY}{_EAT}(?:{_THAT}|什么|啥|哪|那)(?!{_CHANGED})
    {_OFTEN}那一?{_BOWL}(?!{_CHANGED}) (?:给我|[我上来要吃照按]){_OFTEN}的那?一?{_BOWL}(?!{_CHANGED})
    (?:^|[，。！])(?:上一?[次回][吃点要]?的?那{_BOWL}|一样的|同样的)(?=[吧呗，。！]|$)(?!.*[？吗])
    (?:还是?|就|要|来|吃|点|给我)再?[要来吃点]?(?:一?[碗份])?我?{_AS_LAST}(?!{SENTENCE}{{0,8}}[换改变吗怎])
    [你您]们?{_SURELY}{ANY}{_KNOW}我(?:平时|一般|都|就|最|每次){ANY}{_FANCY}
    (?:同样|一样)的?再?来一?[份碗] 来一?[个份碗](?:一样|同样)的?
    我的(?:最爱|标配|固定{CLAUSE}{{0,2}}|惯例)(?!{SENTENCE}{{0,6}}[是改换变])
""")
_LAST_VISIT = any_of(rf"""
    {_PAST}{SENTENCE}{{0,20}}{_WHEN} {_WHEN}{SENTENCE}{{0,20}}{_PAST}
    {_PAST}{SENTENCE}{{0,6}}(?:周|星期|礼拜)[一二三四五六日天几]
    {_WHEN}都?(?:[没未不]|才又?|又){SENTENCE}{{0,4}}{_CAME} [没未]有?{_CAME}{SENTENCE}{{0,8}}{_WHEN}
    距离?{SENTENCE}{{0,12}}{_WHEN} 我(?:上[次回])?是{CLAUSE}{{1,8}}来的(?:吗|还是) 离开了?{_WHEN}
    {_PAST}{SENTENCE}{{0,12}}[？?，。]{SENTENCE}{{0,4}}{_WHEN}
    (?:上周|上个?(?:星期|月|礼拜)|昨天|前天|最近){CLAUSE}{{0,4}}来过[吗没]
    (?:我们?)?{_WHEN}之?前?{_CAME}[过的]
""")
_MADE = any_of("""
    让 叫 劝 要 请 鼓励 催 建议 要求 非要 希望 [说讲]过?(?=我(?:应该|该|可以|得|下次|会|肯定|一定))
""")
_SHOULD = "(?:去|再|一定|多|应该|该|可以|得|下次|要|务必|必须|会|肯定)"
_TRY = any_of("喜欢 尝 试 点 吃 品 选 来")
_TIP = any_of(f"{OFFER} 安利 提议 力荐 提[到过起的] 说起 力推 主推 推[销介] 推(?=的) 种草 夸")
_RECALL = any_of("记得 记不记得 [想记][得不]?起 忘 回忆 提醒 再说一 再讲一 再告诉 叫什么 告诉我 印象 知道")
_SAID = f"[你您]们?(?:上次|上回|之前|那次|[跟对和]我){ANY}[说讲]"
_RECOMMENDED = any_of(rf"""
    {_MADE}我{_SHOULD}{ANY}{_TRY}{SENTENCE}{{0,14}}{_WHAT}
    {_WHAT}{SENTENCE}{{0,12}}{_MADE}我{_SHOULD}{ANY}{_TRY}
    {_RECALL}{SENTENCE}{{0,14}}{_MADE}我{_SHOULD}{ANY}{_TRY} {_TIP}{SENTENCE}{{0,20}}{_WHAT}
    (?<!有){_WHAT}{SENTENCE}{{0,20}}{_TIP} {_TIP}{SENTENCE}{{0,10}}[。？！，]{SENTENCE}{{0,10}}{_WHAT}
    {_RECALL}{SENTENCE}{{0,16}}(?:{OFFER}|安利) (?:{OFFER}|安利){SENTENCE}{{0,14}}{_RECALL}
    {_SAID}{SENTENCE}{{0,6}}(?:哪|什么|啥){SENTENCE}{{0,6}}(?:好吃|不错|值得)
    [说讲]得?(?:很|特别)?(?:好吃|值得){SENTENCE}{{0,10}}{_WHAT}
""")
_PLEASED = any_of("""
    好吃 满意 喜欢 开心 [合对]我?的?(?:口味|胃口) 可口 高兴 过瘾 爱吃 中意 香(?![菜葱菇]) 舒服 好喝 美味
    味道好 满足 尽兴 [好差]评 还(?:可以|行|好|不错)
""")
_VERDICT = any_of("评价 意见 感受 感想 看法 想法 反应 评语 反馈 评论 点评")
_OR_NOT = "(?:吗|(?<![什怎多那这])么|没有?[？?]|不[？?]|还是)"
_WHICH = "(?:什么|啥|哪)"
# The group of the first pattern stands for a verb that is repeated: "like-not-like".
_LIKED = r"([喜满合爱][欢意]?)[不没]\1|" + any_of(rf"""
    {_PLEASED}(?!吃[什啥哪]|点?的?是?[什啥哪])(?:(?!{_WHICH}){SENTENCE}){{0,8}}{_OR_NOT} 有多么?{_PLEASED}
    {_PAST}{SENTENCE}{{0,10}}好不好[？?] 好不好[吃喝] 开不开心 高不高兴 香不香 夸没夸
    (?:有没有|是不是|是否|有无|会不会){SENTENCE}{{0,8}}(?:{_PLEASED}|夸|抱怨|嫌)
    (?:夸|抱怨|嫌弃){SENTENCE}{{0,6}}(?:吗|没有?[？?]|还是) {_PAST}{SENTENCE}{{0,16}}怎么样
    我[^。，？！?!,]{{0,14}}怎么样 (?:什么|怎样的|啥){SENTENCE}{{0,4}}{_VERDICT}
    {_VERDICT}{SENTENCE}{{0,8}}(?:什么|如何|[怎吗好高记]) {_RECALL}{SENTENCE}{{0,14}}{_VERDICT}
    (?:觉得|感觉|味道|滋味|认为)(?:它|那碗)?(?:如何|怎么?样|怎么说)
    怎么(?:说|评价|看|形容){SENTENCE}{{0,6}}(?:上次|味道|那碗|那顿|的)
    (?:上次|上回|那次|那天|那碗|那顿|我){SENTENCE}{{0,14}}(?:印象|反应|感受)(?:如何|怎|好|是什么)
    对{SENTENCE}{{0,8}}印象 我{SENTENCE}{{0,12}}说[了过]?些?(?:什么|啥)(?!{SENTENCE}{{0,3}}好吃)
""")
ASKED = {"usual": _USUAL, "last_visit": _LAST_VISIT, "recommended": _RECOMMENDED, "liked": _LIKED}
