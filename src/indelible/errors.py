"""Everything that Indelible refuses or fails at.

::

    IndelibleError
    ├── InvalidInput    an argument is wrong; nothing was written
    ├── NotFound        an id or name is unknown
    ├── Conflict        the call contradicts what is stored (equal content, reused key, upgraded store)
    ├── StoreError      the store cannot be opened, read or written
    │   └── Interrupted     its server went away while it was read; what only reads can be run again
    ├── MissingExtra    an optional dependency is not installed
    ├── Unauthorized    a request says not, or not rightly, who it comes from
    ├── Forbidden       the token of a request may not do this, or not there
    ├── QuotaExceeded   the tenant has used what its operator allows it
    ├── Cancelled       the caller took a long call back
    └── Unavailable     a client reaches no server, and can neither answer from its cache nor keep the write

Each has a machine-readable `code`; its message says what is wrong and how to mend it.
"""

from collections.abc import Mapping


class IndelibleError(Exception):
    """The root of all errors that are answers, not accidents."""

    code = "error"
    private = False  # whether its words are about this machine: who asks over a network does not get them
    is_verdict = True  # on the call; False where nobody looked at it: the URL, the host or the token is wrong


class InvalidInput(IndelibleError):
    """An argument has a wrong type, range or value; nothing was written."""

    code = "invalid_input"


class NotFound(IndelibleError):
    """An id or a name is unknown in the places where it was looked up."""

    code = "not_found"


class Conflict(IndelibleError):
    """The call contradicts what is stored already; nothing was written."""

    code = "conflict"


class StoreError(IndelibleError):
    """The store cannot be opened, read or written; what was acknowledged before is safe."""

    code = "store_error"
    private = True


class Interrupted(StoreError):
    """The server of the store went away in the middle of a read; the next one waits until it is back."""


class MissingExtra(IndelibleError):
    """An optional dependency is needed for this and is not installed."""

    code = "missing_extra"


class Unauthorized(IndelibleError):
    """A request has no token where one is needed, or one that does not hold; nothing was looked up for it."""

    code = "unauthorized"
    is_verdict = False

    def __init__(self, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.headers = dict(headers or {})  # of the HTTP answer: how to ask rightly


class Forbidden(IndelibleError):
    """The caller is known and its token does not allow this; nothing was written."""

    code = "forbidden"

    def __init__(self, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.headers = dict(headers or {})


class QuotaExceeded(IndelibleError):
    """The tenant has stored, or called, as much as its operator allows; nothing was written.

    `headers` are for the HTTP answer.
    """

    code = "quota_exceeded"

    def __init__(self, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.headers = dict(headers or {})


class Cancelled(IndelibleError):
    """The caller took a call back between two steps of it; what earlier steps committed is kept."""

    code = "cancelled"


class Unavailable(IndelibleError):
    """A client reaches no server now, and can neither answer from its session's cache nor keep the write for later."""

    code = "unavailable"
