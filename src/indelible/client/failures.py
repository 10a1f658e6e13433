"""Failures of calls from a client to a server: temporary ones, which are retried, and final refusals."""

from collections.abc import Mapping
from typing import Any

from indelible import errors

OUTDATED = "store was upgraded, restart me"  # how a server begins that is older than its store
CLOSED = "the client was closed meanwhile"  # while a call was on its way: a write of it is kept
# How a server that gives no codes (of a version before 9) says that it cannot read or write its store now.
_OF_THE_STORE = "the store "
_PASSING = ("is on a full disk", "was kept busy for", "failed: disk I/O error")
# Codes of JSON-RPC (2.0, section 5.1, and ours) where no word says more.
_NUMBERS = {
    **dict.fromkeys((-32700, -32600, -32601, -32602), "invalid_input"),
    **{-32001: "unauthorized", -32003: "forbidden", -32004: "not_found"},
}


class Failure(Exception):
    """A call failed for a temporary reason: there was no answer, or the server could not work at that time.

    `sent` says whether the server may have done the call all the same. It is worth another attempt at once if `retry`
    (a certificate that does not hold will not hold in 250 ms either), and not before `after` seconds where the server
    said so. `retries` is how many attempts came before it.
    """

    def __init__(self, why: str, *, sent: bool, retry: bool = True, after: float | None = None):
        super().__init__(why)
        self.why = why
        self.sent = sent
        self.retry = retry
        self.after = after
        self.retries = 0


_KINDS: dict[str, type[errors.IndelibleError]] = {
    kind.code: kind
    for kind in (
        *(errors.InvalidInput, errors.NotFound, errors.Conflict, errors.StoreError, errors.MissingExtra),
        *(errors.Unauthorized, errors.Forbidden, errors.QuotaExceeded, errors.Cancelled),
    )
}


def answered(code: str, message: str) -> Failure | errors.IndelibleError:
    """Return the exception for an error that a server answered, by its code in `indelible.errors`; "" if it gave none.

    A store that cannot be read or written now (busy, being upgraded, on a full disk) is a temporary failure, and so is
    a server older than its store, until it is restarted. All else is refused for good.
    """
    is_of_store = not code and message.startswith(_OF_THE_STORE) and any(each in message for each in _PASSING)
    if is_of_store or code == errors.StoreError.code:
        return Failure(message, sent=True)
    if message.startswith(OUTDATED):
        return Failure(message, sent=False)
    return _KINDS.get(code, errors.IndelibleError)(message)


def code_of(error: Mapping[str, Any]) -> str:
    """The code of an error of JSON-RPC; "" if there is none."""
    data = error.get("data")
    if isinstance(data, dict) and isinstance(data.get("code"), str):
        return str(data["code"])
    number = error.get("code")
    return _NUMBERS.get(number, "") if isinstance(number, int) else ""


def raised(error: errors.IndelibleError) -> Failure | errors.IndelibleError:
    """The same for an error that was raised in this process."""
    if isinstance(error, errors.StoreError) or str(error).startswith(OUTDATED):
        found = answered(error.code, str(error))
        if isinstance(found, Failure):
            found.retry = not str(error).startswith(OUTDATED)  # this process stays as old as it is
        return found
    return error
