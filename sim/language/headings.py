"""The words a prompt is laid out with: which ones every language must have."""

from collections.abc import Mapping
from types import MappingProxyType

# What every pack must say, and the field that stands in it.
HEADING_FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "today": "{day}",
        "customer": "{who}",
        "memory": "",
        "nothing_remembered": "",
        "visit_so_far": "",
        "customer_says": "{text}",
        "you": "",
    }
)


def checked(headings: Mapping[str, str], code: str) -> Mapping[str, str]:
    """The headings of a language, read-only.

    Raises:
        ValueError: one is missing, unknown or without its field.
    """
    if headings.keys() != HEADING_FIELDS.keys():
        odd = sorted(headings.keys() ^ HEADING_FIELDS.keys())
        raise ValueError(f"headings of {code} lack or do not know: {', '.join(odd)}")
    for name, place in HEADING_FIELDS.items():
        if place not in headings[name]:
            raise ValueError(f"heading {name} of {code} must hold {place}")
    return MappingProxyType(dict(headings))
