"""Replaying the spool: waiting writes are sent in their order, by one process at a time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from indelible.client import earlier
from indelible.client.entries import Entry
from indelible.client.log import Log
from indelible.client.retries import Policy, Timing
from indelible.client.spool import Spool
from indelible.dataclass import dataclass
from indelible.errors import Conflict, IndelibleError, InvalidInput, NotFound, StoreError

BATCH = 50  # writes whose beginning is noted together
DAY = 86_400 * 10**9  # nanoseconds


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one write: its answer, or why it was refused for good."""

    value: Any = None
    refused: IndelibleError | None = None
    retries: int = 0


class Replay:
    """Sends what waits in a spool. `send` calls a tool with a request key, and retries."""

    def __init__(
        self,
        spool: Spool,
        send: Callable[[str, dict[str, Any], str | None], tuple[Any, int]],
        policy: Policy,
        timing: Timing,
        log: Log,
    ):
        self._spool = spool
        self._send = send
        self._policy = policy
        self._timing = timing
        self._log = log

    @contextmanager
    def turn(self) -> Iterator[bool]:
        """Whether it is ours to replay; if not, another thread or process does."""
        lock = self._spool.lock()
        held = lock.try_acquire()
        try:
            yield held
        finally:
            lock.release()

    def run(self, own: str | None, until: float | None) -> Outcome | None:
        """Send what waits until `own` was sent, or nothing waits any more, or that time has come; the outcome of `own`.

        Raises Failure where the server is down, and what is no verdict on a write (`errors`), as Unauthorized where the
        server does not know us: what is left waits on. What can neither be read nor moved aside is passed over.
        """
        self._spool.sweep()
        stuck: set[str] = set()
        while batch := [id for id in self._spool.waiting() if id not in stuck][:BATCH]:
            tried = {id: entry.tried for id in batch if (entry := self._read(id)) is not None}
            self._spool.begin(tried)
            for id in batch:
                outcome = self._one(id, tried.get(id, 0))
                if id == own:
                    return outcome
                if until is not None and self._timing.monotonic() >= until:
                    return None
            stuck.update(id for id in batch if self._spool.has(id))
        return None

    def _read(self, id: str) -> Entry | None:
        """The write, None where it waits no more, or could not be read and was moved aside."""
        try:
            return self._spool.read(id)
        except NotFound:
            return None
        except InvalidInput as error:
            self._refuse(id, Entry("", {}, "", 0), error)
            return None

    def _one(self, id: str, tried: int) -> Outcome | None:
        entry = self._read(id)
        if entry is None:
            return None
        began = self._timing.monotonic()
        try:
            value, retries = self._done(entry, tried)
        except IndelibleError as error:
            if not error.is_verdict:
                raise
            self._refuse(id, entry, error)
            return Outcome(refused=error)
        self._spool.remove(id)
        self._log.info("replayed", entry.key, self._timing.monotonic() - began, retries, tool=entry.tool)
        return Outcome(value, retries=retries)

    def _done(self, entry: Entry, tried: int) -> tuple[Any, int]:
        if tried and self._timing.now() - tried > self._policy.key_days * DAY:
            seen = earlier.found(entry.tool, entry.arguments, lambda tool, given: self._send(tool, given, None)[0])
            if seen == "done":
                return None, 0
            if seen == "unknown":
                raise Conflict(
                    f"{entry.tool} was perhaps done {(self._timing.now() - tried) / DAY:.0f} days ago, when its answer "
                    "was lost, and the store does not show it; check, then repeat it with `client.again(id)` or "
                    "drop it with `client.forget(id)`"
                )
        return self._send(entry.tool, entry.arguments, entry.key)

    def _refuse(self, id: str, entry: Entry, error: IndelibleError) -> None:
        try:
            self._spool.refuse(id, error)
        except StoreError as trouble:
            self._log.error("not_set_aside", entry.key, tool=entry.tool, why=str(trouble))
            return
        self._log.error("refused", entry.key, tool=entry.tool, code=error.code)
