"""What a reader makes of a sentence, spelt as the tests of each language spell it."""

from scenarios.noodle_shop.reader import Reader


def read(reader: Reader, text: str) -> set[str]:
    """Claims as ``slot=value``, with ``-`` before a value taken back, and questions as ``?usual``."""
    claimed = {f"{one.slot}={'-' if one.polarity < 0 else ''}{one.value}" for one in reader.claims(text)}
    return claimed | {f"?{name}" for name in reader.asked(text)}
