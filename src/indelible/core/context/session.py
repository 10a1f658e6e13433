"""The session of a caller: what its calls have in common, whatever connection and tool they come through."""

import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from indelible.core.context.permissions import EVERYTHING, Grant
from indelible.core.context.scoping import without_secrets
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.git import Head
from indelible.project import Location
from indelible.sanitize.validate import is_blank

ARGUMENT = "conversation_id"


LONGEST_ID = 1_000  # bytes of the ids of conversations and messages: both stand in indexes


class Conversations:
    """The conversations of one connection. Safe to share between threads."""

    def __init__(self) -> None:
        self._last = ""

    def of(self, arguments: Mapping[str, Any], reported: str = "") -> str:
        """Return the conversation of a call with these arguments, "" where none was ever named.

        `reported` is what the transport reports. A value that is no valid id counts as not given.
        """
        named = arguments.get(ARGUMENT)
        if not (isinstance(named, str) and len(named.encode()) <= LONGEST_ID and not is_blank(named)):
            named = reported
        if named:
            self._last = named
        return self._last


def refuse_long(given: str, argument: str) -> None:
    """Raise InvalidInput for an id that is too long to be looked up by."""
    size = len(given.encode())
    if size > LONGEST_ID:
        raise InvalidInput(f"{argument} must have at most {LONGEST_ID:,} bytes, got {size:,}; shorten it")


@dataclass(frozen=True, slots=True)
class Session:
    """One session: what its caller may do, and the project that it works in.

    What is stored in it bears its `id`. `is_local` is False for a caller over the network: a path that it names is not
    looked at. `directory` is where it works, "" where that is not known, `head` what its client says that it has
    checked out.
    """

    location: Location | None = None
    grant: Grant = EVERYTHING
    is_local: bool = True
    directory: str = ""
    head: Head | None = None
    id: str = field(default_factory=lambda: f"session_{uuid.uuid4().hex[:12]}")
    conversations: Conversations = field(default_factory=Conversations)

    def __post_init__(self) -> None:
        if self.location is not None:
            object.__setattr__(self, "location", without_secrets(self.location))

    def of(self, grant: Grant) -> "Session":
        """Return the session of another caller at the same place: of one id whenever it is asked for."""
        digest = hashlib.sha256(f"{self.id}\n{grant.who}".encode()).hexdigest()
        return replace(self, grant=grant, id=f"session_{digest[:12]}", conversations=Conversations())
