"""Ids of requests, and of internal errors: the caller gets the id, the log what happened."""

import logging
import re
import traceback
import uuid
from contextvars import ContextVar

from indelible.errors import IndelibleError

log = logging.getLogger("indelible")

REQUEST: ContextVar[str] = ContextVar(
    "request", default=""
)  # the id of the one that is answered, in every line of the log
_GIVEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._=+/-]{0,63}")


def begin_request(given: str | None) -> str:
    """Note the id of the request that is answered from here on: the one that it came with, or a new one; that id."""
    found = given if given is not None and _GIVEN.fullmatch(given) else uuid.uuid4().hex
    REQUEST.set(found)
    return found


def logged_message(what: str, error: BaseException) -> str:
    """Log an accident in `what` (a tool, a method, a route); the sentence that its caller is told.

    Never the message of the error, which may hold a secret.
    """
    number = _number()
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error("internal", extra={"key": number, "tool": what, "error": type(error).__name__, "where": where})
    return f"internal error {number}: it is not known what of this call was done; the server's log has the details"


def public_message(what: str, error: IndelibleError) -> str:
    """Return the message of an error for a caller over the network: its own, unless it is about this machine.

    A store that cannot be read or written says where it is: that is for the log.
    """
    if not error.private:
        return str(error)
    number = _number()
    log.error("store", extra={"key": number, "tool": what, "error": error.code, "message_text": str(error)})
    return (
        f"this server cannot read or write its store now (error {number}); "
        "what was acknowledged is safe; try again later, the server's log has the details"
    )


def _number() -> str:
    return uuid.uuid4().hex[:8]
