"""Chinese words that tell nothing or little, negations and question words."""

from sim.memory.compress.cues import Cues

_CALLS = """
真的 真是 非常 特别 十分 实在 确实 其实 当然 绝对 肯定 也许 好的 好吧 好呀 好啊 没问题 没关系 没事 不客气
对不起 抱歉 谢谢 感谢 多谢 哈哈 嘿嘿 哇 嗨 嗯 哎呀 哎 唉 你好 您好 再见 拜拜 恭喜 加油 真 挺 更 最 特
"""
_FILLERS = """
大概 可能 好像 似乎 觉得 感觉 认为 以为 知道 记得 想想 看看 听听 听起来 看起来 看来 听说 希望 喜欢 开心 高兴
太好了 太棒了 很棒 真棒 厉害 了不起 不错 有意思 有趣 棒极了 完美 美好 漂亮 东西 事情 时间 一起 总是 经常
有时 有时候 刚刚 刚才 最近 马上 终于 突然 一直 继续 开始 告诉 说说 聊聊 说 讲 聊 照片 图片 很多 许多 一点
一样 这样 那样 样子 方式 方面 部分 时刻 比较 相当
"""
_NEGATIONS = """
不 不吃 不喝 不放 不加 别放 别加 不再吃 不能吃 不能放 不能加 没
没有 别 无 勿 非 未 不要 不能 不再 不是 除了 忌 忌口 免
"""

CUES = Cues(
    calls=frozenset(_CALLS.split()),
    fillers=frozenset(_FILLERS.split()),
    negations=frozenset(_NEGATIONS.split()),
    dislikes=frozenset("讨厌 厌恶 反感 痛恨 避免".split()),
    turns=frozenset("但 但是 可是 不过 然而 却 而是".split()),
    questions=frozenset("什么 谁 哪 哪里 哪儿 哪个 怎么 怎样 为什么 几 多少 何时 吗 呢".split()),
    # Of the words of one character those that tie others together and are seldom part of a longer word.
    ties=frozenset("的了吗呢吧啊呀哦嘛啦我你您他她它这那是在和跟就也都还又把被说要去来吃喝放加对给再"),
    after=frozenset(("不过敏", "没过敏")),
    whole=frozenset(
        (
            "别人 别的 无论 不同 区别 分别 告别 性别 非洲 未来"
            " 不但 不仅 不断 不久 不管 不如 免费 除非 无数 差不多"
        ).split()
    ),
    names=False,
)
