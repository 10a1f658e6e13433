"""Everything that Indelible refuses or fails at.

::

    IndelibleError
    ├── InvalidInput    an argument is wrong; nothing was written
    ├── NotFound        an id or name is unknown
    ├── Conflict        the call contradicts what is stored (equal content, reused key, upgraded store)
    ├── StoreError      the store cannot be opened, read or written
    ├── MissingExtra    an optional dependency is not installed
    └── Cancelled       the caller took a long call back

Each has a machine-readable `code`; its message says what is wrong and how to mend it.
"""


class IndelibleError(Exception):
    """The root of all errors that are answers, not accidents."""

    code = "error"


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


class MissingExtra(IndelibleError):
    """An optional dependency is needed for this and is not installed."""

    code = "missing_extra"


class Cancelled(IndelibleError):
    """The caller took a call back between two steps of it; what earlier steps committed is kept."""

    code = "cancelled"
