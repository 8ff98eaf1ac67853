"""How Chinese patterns are put together: lists of alternatives, and where a clause ends."""


def any_of(text: str) -> str:
    """One pattern of many that are written apart by white space."""
    return f"(?:{'|'.join(text.split())})"


# Bounds, for nobody says more adverbs in a row and a pasted text must not take long.
ANY = "{0,4}"
MANY = "{1,4}"
# Particles may close a clause; then comes a stop.
_CLOSE = r"[了吧啊呀哦呢嘛啦哈哟的呗]{0,3}(?:[，。！？；：、,.!?;:…—～\n]|$)"
END = f"(?={_CLOSE})"
NOT_END = f"(?!{_CLOSE})"
# Anything but the end of a sentence, and anything within a clause.
SENTENCE = "[^。？！?!]"
CLAUSE = "[^，。！？；,.!?;]"
# What names of ingredients end with: a word right behind speaks of the ingredient.
FOOD_ENDS = "蛋笋肉烧腐米菇菜葱蒜麻姜芽末泥丝片花"
VERY = any_of("""
    很 非常 真的? 太 特别 挺 十分 超级? 真是 实在 相当 好 蛮 格外 极其? 尤其 的确 确实 还 够 那么 这么
""")
OFFER = "(?:推荐|建议|介绍)"
