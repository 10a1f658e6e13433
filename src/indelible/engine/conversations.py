"""Which conversation a call belongs to: the one that it names, else the last that its connection named."""

from collections.abc import Mapping
from typing import Any

from indelible.engine.admission import is_blank
from indelible.errors import InvalidInput

ARGUMENT = "conversation_id"
LONGEST_ID = 1_000  # bytes of the ids of conversations and messages: both stand in indexes


class Conversations:
    """The conversations of one connection. Safe to share between threads."""

    def __init__(self) -> None:
        self._last = ""

    def of(self, arguments: Mapping[str, Any], told: str = "") -> str:
        """The conversation of a call with these arguments, "" where nobody ever named one.

        `told` is what the transport says of it. What is no id counts as not said.
        """
        named = arguments.get(ARGUMENT)
        if not (isinstance(named, str) and len(named.encode()) <= LONGEST_ID and not is_blank(named)):
            named = told
        if named:
            self._last = named
        return self._last


def refuse_long(given: str, argument: str) -> None:
    """Raise InvalidInput for an id that is too long to be looked up by."""
    size = len(given.encode())
    if size > LONGEST_ID:
        raise InvalidInput(f"{argument} must have at most {LONGEST_ID:,} bytes, got {size:,}; shorten it")
