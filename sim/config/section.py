"""What all settings share: closed, frozen groups of keys, and the kinds of number they take."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=1, le=10**9)]
# a year: nobody waits longer for an answer, and more would leave the calendar
Seconds = Annotated[float, Field(ge=0, le=365 * 86_400)]


class Section(BaseModel):
    """A group of settings: frozen, strictly typed, and closed to keys it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)
