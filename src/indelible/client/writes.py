"""Writes: done at once, or kept in the spool and done in order when the server is back."""

import hashlib
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from indelible.client import failures
from indelible.client.entries import Entry
from indelible.client.failures import Failure
from indelible.client.link import Link
from indelible.client.log import Log
from indelible.client.replay import Outcome, Replay
from indelible.client.result import Result
from indelible.client.retries import Policy, Timing
from indelible.client.spool import Spool
from indelible.client.tools import WRITES
from indelible.errors import IndelibleError, InvalidInput, NotFound, StoreError, Unavailable
from indelible.sanitize.validate import admit

LONGEST_KEY = 255  # characters of a request key, as servers take them
REST = 0.02  # seconds between two looks whether another process still replays


class Writes:
    """The writes of one client."""

    def __init__(self, link: Link, spool: Spool, policy: Policy, timing: Timing, log: Log):
        self._link = link
        self._spool = spool
        self._policy = policy
        self._timing = timing
        self._log = log
        self._replay = Replay(spool, link.send, policy, timing, log)

    def do(self, tool: str, arguments: Mapping[str, Any], request_key: str | None) -> Result:
        """Do a write, behind all that wait; or keep it. Raises what refuses it, Unavailable where it cannot be kept."""
        began = self._timing.monotonic()
        key = uuid.uuid4().hex if request_key is None else _admitted(request_key)
        if tool not in WRITES:
            return self._unlisted(tool, arguments, key)
        entry = Entry(tool, dict(arguments), key, self._timing.now())
        up = self._link.is_up()
        if up and not self._spool.is_empty():
            with suppress(StoreError):
                return self._in_order(self._spool.put(entry))
            self.catch_up()  # there is no room: who only writes would never come to make some
            up = not self._link.why
        if not self._spool.is_empty():
            entry = self._kept(entry, began)
            return self._in_order(entry) if up else self._deferred(entry)
        if up:
            try:
                value, retries = self._link.send(tool, arguments, key)
            except Failure as failure:
                entry = replace(entry, tried=entry.time if failure.sent else 0)
            else:
                self._log.info("write", key, self._timing.monotonic() - began, retries, tool=tool)
                return Result(value, key=key, retries=retries)
        return self._deferred(self._kept(entry, began))

    def _unlisted(self, tool: str, arguments: Mapping[str, Any], key: str) -> Result:
        """Call a tool of which it is not known whether it writes: after all that wait, and never kept."""
        if self._link.is_up():
            self.catch_up()
        if not self._link.why and self._spool.is_empty():
            with suppress(Failure):
                value, retries = self._link.send(tool, arguments, key)
                return Result(value, key=key, retries=retries)
        raise Unavailable(f"{tool} cannot be called: {self.why}; calls of this tool cannot wait")

    def _in_order(self, entry: Entry) -> Result:
        try:
            outcome = self.catch_up(entry)
        except IndelibleError:  # refused before the write was examined
            if self._spool.remove(entry.id):
                raise
            outcome = None
        if outcome is None:
            return self._deferred(entry)
        if outcome.refused is not None:
            self._forget(entry.id)  # its caller hears of it now
            raise outcome.refused
        return Result(outcome.value, key=entry.key, retries=outcome.retries)

    def _kept(self, entry: Entry, began: float) -> Entry:
        """Keep a write for later, durably. Raises Unavailable."""
        why = self._link.why or "other writes wait before it"
        try:
            kept = self._spool.put(entry)
        except StoreError as error:
            self._log.error("not_kept", entry.key, self._timing.monotonic() - began, tool=entry.tool)
            perhaps = f"perhaps it was done: repeat it with request_key={entry.key!r}, which does no harm"
            raise Unavailable(
                f"{entry.tool} could not be done ({why}), nor kept for later: {error}; "
                f"{perhaps if entry.tried else 'nothing of it was done'}"
            ) from error
        if self._link.why:
            self._log.warning("deferred", entry.key, self._timing.monotonic() - began, tool=entry.tool)
        return kept

    def _deferred(self, entry: Entry) -> Result:
        return Result(None, degraded=True, why=self.why, deferred=True, key=entry.key)

    @property
    def why(self) -> str:
        """Why calls are degraded now; "" where they are not."""
        count = self._spool.count()
        waits = f"{count:,} {'write waits' if count == 1 else 'writes wait'} to be done" if count else ""
        return "; ".join(part for part in (self._link.why, waits) if part)

    # --- What waits ---

    def catch_up(self, own: Entry | None = None, *, patient: bool = False) -> Outcome | None:
        """Replay what waits, until `own` is done; its outcome, None where it waits still.

        Raises what is no verdict on a write, such as Unauthorized: then it waits on.
        It ends after `policy.catch_up` seconds, or with `patient` when nothing waits or the server is down.
        """
        until = None if patient else self._timing.monotonic() + self._policy.catch_up
        while not self._spool.is_empty():
            try:
                with self._replay.turn() as ours:
                    outcome = self._replay.run(own.id if own else None, until) if ours else None
            except Failure:
                break
            except StoreError as error:
                self._log.error("spool_unusable", "", why=str(error))
                break
            if outcome is not None:
                return outcome
            if ours or (own is not None and not self._spool.has(own.id)):
                break
            if until is not None and self._timing.monotonic() >= until:
                break
            self._timing.sleep(REST)
        return None if own is None or self._spool.has(own.id) else self._of_another(own)

    def _of_another(self, own: Entry) -> Outcome | None:
        """The outcome of a write that another process replayed: the server knows its answer."""
        refusal = self._spool.refusal(own.id)
        if refusal is not None:
            error = failures.answered(refusal.code, refusal.message)
            return Outcome(refused=error if isinstance(error, IndelibleError) else IndelibleError(refusal.message))
        try:
            value, retries = self._link.send(own.tool, own.arguments, own.key)
        except Failure:
            return None
        return Outcome(value, retries=retries)

    def again(self, id: str) -> Result:
        """Do a refused write again, with its request key, as the newest. Raises NotFound, and what refuses it."""
        found = self._spool.refusal(id)
        if found is None or not found.tool:
            raise NotFound(f"no refused write {id!r:.80} can be repeated; `client.refused()` lists them")
        result = self.do(found.tool, found.arguments, found.key)
        self._forget(id)
        return result

    def _forget(self, id: str) -> None:
        if self._spool.refusal(id) is not None:
            self._spool.forget(id)


def _admitted(key: Any) -> str:
    """A request key as it may be kept and sent: one in which a secret stands becomes a digest, the same each time."""
    if not isinstance(key, str) or not 0 < len(key) <= LONGEST_KEY:
        given = len(key) if isinstance(key, str) else type(key).__name__
        raise InvalidInput(f"request_key must have 1 to {LONGEST_KEY} characters, got {given}")
    clean, _ = admit(key, "request_key")
    return key if clean == key else hashlib.sha256(key.encode()).hexdigest()
