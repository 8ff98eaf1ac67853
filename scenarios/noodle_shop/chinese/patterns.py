"""How Chinese patterns are put together: lists of alternatives, and where a clause ends."""

# Particles may close a clause; then comes a stop.
END = r"(?=[了吧啊呀哦呢嘛啦哈哟的呗]{0,3}(?:[，。！？；：、,.!?;:…—～\n]|$))"
VERY = (
    r"(?:很|非常|真的?|太|特别|挺|十分|超级?|真是|实在|都很|相当|好|蛮|格外|极其?|尤其|的确|确实|还|够|那么|这么)"
)


def any_of(words: str) -> str:
    """One pattern of many that are written apart by white space."""
    return f"(?:{'|'.join(words.split())})"
