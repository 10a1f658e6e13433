"""What nobody foresaw: an id for the caller, what happened for the log; never the message, which may hold a secret."""

import logging
import traceback
import uuid

log = logging.getLogger("indelible")


def noted(what: str, error: BaseException) -> str:
    """Log an accident in `what` (a tool, a method, a route); the sentence that its caller is told."""
    number = uuid.uuid4().hex[:8]
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error("internal", extra={"key": number, "tool": what, "error": type(error).__name__, "where": where})
    return f"internal error {number}: nothing of this call is certain; the server's log has the details"
