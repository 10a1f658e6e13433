"""Temporary failures of a shared server: how they are recognised, and how long to retry."""

import random
import threading
import time

from psycopg import InterfaceError, OperationalError

FIRST = 0.02  # seconds
LONGEST = 1.0  # seconds: a server that is back is found soon, by many processes at once too

LOST = ("57P01", "57P02", "57P03", "57P05")  # SQLSTATE: ended, crashed, not yet there, stood idle; and class 08
AGAIN = ("40001", "40P01")  # undone by the server for the sake of another transaction
FULL = "53300"
UNPREPARED = ("26000", "42P05")  # a pooler gave the session to another between two uses of a prepared statement

# Messages of a server before a login: there libpq gives no SQLSTATE. In other languages than this one the first
# connection of a process does not wait; later ones wait whatever the server says.
_NOT_YET = (
    "the database system is",  # starting up, shutting down, in recovery mode, not yet accepting connections
    "too many clients already",
    "remaining connection slots are reserved",
    "too many connections for",
    "no more connections allowed",  # PgBouncer
    "session is read-only",  # and target_session_attrs says read-write: a standby that may be promoted
    "server is in hot standby mode",  # and it says primary
)

# What a coordinator of Citus says of a node that it lost, where there is no SQLSTATE of the node's: its own is that of
# an internal error then. The last one comes of a COMMIT, which the node may have done.
_OF_A_NODE = (
    "server closed the connection unexpectedly",
    "connection not open",
    "could not receive data from server",
    "could not send data to server",
    "failure on connection marked as essential",
    "could not commit transaction for shard",
)

# Of a statement that was planned for a shard which has been split meanwhile.
_SPLIT = "could not find valid entry for shard"


class Patience:
    """How long to go on trying: pauses that grow, until `wait` seconds after it was made or `closing` is set.

    Each pause is a random part of its step (full jitter: Brooker, "Exponential Backoff And Jitter", 2015), so that
    many processes do not come back to a server in the same moment.
    """

    def __init__(self, wait: float, closing: threading.Event):
        self._until = time.monotonic() + wait
        self._closing = closing
        self._step = FIRST

    @property
    def left(self) -> float:
        """Seconds, 0 where it is over."""
        return 0.0 if self._closing.is_set() else max(0.0, self._until - time.monotonic())

    def pause(self) -> bool:
        """Wait a little and say whether to try again; False at once where it is over."""
        left = self.left
        if left <= 0:
            return False
        step, self._step = self._step, min(self._step * 2, LONGEST)
        return not self._closing.wait(min(left, random.uniform(step / 4, step)))


def state_of(error: BaseException) -> str:
    """The SQLSTATE of a failure, '' where it has none."""
    return str(getattr(error, "sqlstate", None) or "")


def is_lost(error: BaseException) -> bool:
    """Whether the session, or that of a coordinator with a node, has ended or never began.

    The transaction's outcome is unknown then.
    """
    state = state_of(error)
    if not state:
        return isinstance(error, (InterfaceError, OperationalError))
    if state == "XX000":
        return any(words in str(error) for words in _OF_A_NODE)
    return state in LOST or state.startswith("08")


def passes(error: BaseException) -> bool:
    """Whether a retry a little later can succeed, where the store was reached before."""
    state = state_of(error)
    return is_lost(error) or state in (*AGAIN, *UNPREPARED, FULL) or (state == "XX000" and _SPLIT in str(error))


def passes_at_first(error: BaseException) -> bool:
    """Whether it can where the store was never reached: a host or port that does not answer may be a wrong one."""
    message = str(error)
    return (passes(error) and bool(state_of(error))) or any(words in message for words in _NOT_YET)
