"""How English patterns are put together."""


def any_of(text: str) -> str:
    """One pattern of many that are written a line each; a line that begins with | goes on with the last."""
    alternatives = "|".join(line.strip() for line in text.strip().splitlines())
    return f"(?:{alternatives})".replace("||", "|")
