"""Chinese: what the memory and the prompts need of it.

It is written without spaces, so its tokens are pairs of neighbouring characters: they find words
without a dictionary and do not depend on how a segmenter cuts.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from unicodedata import normalize

from sim.language.headings import checked

# Negations (不, 没, 别, 无, 勿) are no stop words: they are the difference that matters.
_STOP_WORDS = """
的 了 着 过 吗 呢 吧 啊 呀 哦 嘛 啦 得 地 我 你 您 他 她 它 们 我们 你们 他们 她们 咱们 自己 大家 这
那 哪 这个 那个 这些 那些 这里 那里 这儿 那儿 哪里 哪个 什么 怎么 怎样 这样 那样 谁 几 一个 一些
一下 是 在 有 和 跟 与 及 或 或者 还是 而 而且 但 但是 不过 可是 因为 所以 如果 的话 就 也 都 还 又
再 才 只 就是 只是 已经 正在 曾经 将 会 能 可以 可能 应该 要 想 想要 让 给 把 被 对 对于 关于 从 到
向 往 由 于 为 为了 以 之 其 等 上 下 里 中 请 麻烦 谢谢 放 做 来 去 今天 现在 时候 每次 位 个 碗 份
次 点 很 太
"""

_MARKERS = """
重要 关键 务必 一定 必须 千万 过敏 忌口 总是 永远 绝不 从不 记住 记得 牢记 注意 偏好 偏爱 最爱 喜欢 习惯 通常
决定 答应 承诺 约定 同意 坚持 避免 严重 特别
"""

_SAME = (
    ("香菜", "芫荽"),
    ("喜欢", "喜爱"),
    ("讨厌", "厌恶", "反感"),
    ("猪肉", "叉烧"),
    ("蘑菇", "香菇"),
    ("重辣", "特辣"),
    ("大份", "大碗"),
    ("小份", "小碗"),
)

_HEADINGS = {
    "today": "今天是{day}。",
    "customer": "客人：{who}",
    "memory": "你记得的事：",
    "nothing_remembered": "你什么都不记得：这位客人对你来说是新客。",
    "visit_so_far": "这次来店到目前为止：",
    "customer_says": "客人说：{text}",
    "you": "你",
}
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# A run of Chinese characters, or a word of any other script.
_RUN = re.compile(rf"[{_HAN}]+|(?:(?![{_HAN}])[^\W_])+")


class ChinesePack:
    """Chinese, cut into pairs of characters; see `LanguagePack`."""

    code = "zh"

    def __init__(self) -> None:
        self.stop_words = frozenset(_STOP_WORDS.split())
        self.markers = frozenset(_MARKERS.split())
        self.headings: Mapping[str, str] = checked(_HEADINGS, self.code)
        pairs = ((word, group[0]) for group in _SAME for word in group[1:])
        self.synonyms: Mapping[str, str] = MappingProxyType(dict(pairs))
        # Longest first, so that 一个 is one stop word and not a leftover 一.
        longest = sorted(self.stop_words, key=lambda word: (-len(word), word))
        self._stops = re.compile("|".join(longest))

    def stem(self, word: str) -> str:
        """The word itself: Chinese words have no endings."""
        return _plain(word)

    def tokens(self, text: str) -> list[str]:
        """Pairs of neighbouring characters between stop words; a character alone, a foreign word as it is."""
        found: list[str] = []
        for run in _RUN.findall(_plain(text)):
            if _is_han(run):
                for piece in self._stops.split(run):
                    found += _pairs(piece)
            else:
                found.append(run)
        return found


def chinese() -> ChinesePack:
    """Builds the Chinese pack."""
    return ChinesePack()


def _plain(text: str) -> str:
    return normalize("NFKC", text).lower()


def _is_han(run: str) -> bool:
    return re.match(f"[{_HAN}]", run) is not None


def _pairs(piece: str) -> list[str]:
    if len(piece) < 2:
        return [piece] if piece else []
    return [piece[place : place + 2] for place in range(len(piece) - 1)]
