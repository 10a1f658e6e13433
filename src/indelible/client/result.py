"""The result of a client's call."""

from dataclasses import field
from typing import Any

from indelible.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to one call: the tool's documented value, and how it came about.

    `degraded`: the server could not be asked, or not for the newest; `why` says why. The value is then from the
    session's cache, or None for a write that is `deferred`: kept in the spool, and done when the server is back.
    `key` is the request key of a write: the same call with it is answered, never done twice. `redacted` are the secrets
    that were taken out of the arguments before they left this process: rule, argument, count. `retries` counts the
    attempts that failed before.
    """

    value: Any
    degraded: bool = False
    why: str = ""
    deferred: bool = False
    key: str = ""
    retries: int = 0
    redacted: list[dict[str, Any]] = field(default_factory=list)
