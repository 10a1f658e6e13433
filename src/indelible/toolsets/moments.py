"""Times as callers of tools give them."""

from typing import Annotated

from pydantic import Field

from indelible.clock import time_value

LONGEST = 40  # characters of a time

AsOf = Annotated[str | None, Field(min_length=1, max_length=LONGEST, description="ISO 8601 time: what was known then")]
# "" takes away what is there.
ExpiresAt = Annotated[str | None, Field(max_length=LONGEST, description="Not recalled from then on: time, or 30d")]
ValidFrom = Annotated[str | None, Field(max_length=LONGEST, description="True since this ISO 8601 time")]
ValidTo = Annotated[str | None, Field(max_length=LONGEST, description="True until")]
PinIt = Annotated[bool | None, Field(description="Opens every brief")]


def passed(as_of: str | None) -> int | None:
    """Return a time in microseconds since 1970, None for none. Raises InvalidInput for what is no ISO 8601 time."""
    return None if as_of is None else time_value(as_of, "as_of")
