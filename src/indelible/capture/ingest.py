"""Draining the spool of hooks: events become activity of the store, and captures become memories.

Any process drains the spool: a server every few seconds, the next command, or a process of its own. Events have ids
that are unique in their session, so that an event that comes twice, or again after a crash, is stored once.
"""

import logging
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from indelible.capture import captured_memories, session_notes, spool
from indelible.capture.hook_events import row_of
from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.core.context.write_scope import namespace_to_write
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput, StoreError
from indelible.filesystem import FileLock
from indelible.project import locate
from indelible.sanitize.redact import Finding
from indelible.sanitize.validate import merged
from indelible.store.database import Transaction
from indelible.store.tables import activity
from indelible.store.tables.activity import Activity

log = logging.getLogger("indelible")

TOOL = "capture"  # as whose call a drain writes
BATCH = 200  # events that are taken in together
OF_AN_EVENT = (
    InvalidInput,
    *captured_memories.ACCIDENTS,
)  # what lies with an event, and not with the store or the disk


@dataclass(frozen=True, slots=True)
class Drained:
    """The result of a drain: new events, memories added or renewed, unreadable files.

    `secrets` counts those that the hooks redacted in the new events, by rule.
    """

    events: int = 0
    memories: int = 0
    bad: int = 0
    secrets: Counter[str] = field(default_factory=Counter)

    @property
    def redacted(self) -> list[dict[str, Any]]:
        """Return the redacted secrets in the form of other reports."""
        return merged(Finding(rule, TOOL, count) for rule, count in self.secrets.items())

    def __add__(self, other: "Drained") -> "Drained":
        secrets = self.secrets + other.secrets
        return Drained(self.events + other.events, self.memories + other.memories, self.bad + other.bad, secrets)


# --- The spool ---


def drain(ctx: Context, most: int | None = None, *, wait: bool = False) -> Drained:
    """Store the oldest `most` events of the spool (None: all).

    An empty spool costs one look at a directory. While another process drains, this one returns, or waits with `wait`.
    An event that cannot be stored is set aside.
    Raises StoreError where the store or the spool cannot be written: the events stay in the spool.
    """
    data = ctx.settings.inbox
    if ctx.settings.read_only or spool.is_empty(data):
        return Drained()
    lock = FileLock(Path(spool.lock_path(data)))
    if wait:
        lock.acquire()
    elif not lock.try_acquire():
        return Drained()
    try:
        return _drain(ctx, data, most)
    except OSError as error:
        raise StoreError(f"the spool {spool.directory(data)} cannot be drained: {error}; make it writable") from error
    finally:
        lock.release()


def _drain(ctx: Context, data: str, most: int | None) -> Drained:
    done, names = Drained(), spool.waiting(data, most)
    for start in range(0, len(names), BATCH):
        done += _batch(ctx, data, names[start : start + BATCH])
    return done


def _batch(ctx: Context, data: str, names: Sequence[str]) -> Drained:
    rows: dict[str, Activity] = {}
    done = Drained()
    for name in names:
        try:
            rows[name] = row_of(spool.read(data, name))
        except FileNotFoundError:  # somebody removed it by hand
            continue
        except InvalidInput as error:
            done += _set_aside(data, name, error)
    return done + _taken(ctx, data, rows)


def _taken(ctx: Context, data: str, rows: Mapping[str, Activity]) -> Drained:
    """Store events by the names of their files: together, or one by one if that fails."""
    try:
        done = _take_in(ctx.for_call(Call(tool=TOOL)), list(rows.values()))
    except OF_AN_EVENT as error:
        if len(rows) > 1:
            return sum((_taken(ctx, data, {name: row}) for name, row in rows.items()), Drained())
        return _set_aside(data, next(iter(rows)), error)
    spool.remove(data, list(rows))  # only now: a crash before this takes them in once more, and the store knows them
    return done


def _set_aside(data: str, name: str, error: Exception) -> Drained:
    log.warning("capture", extra={"key": "bad_event", "message_text": f"{name} is set aside: {_error_kind(error)}"})
    spool.set_aside(data, name)
    return Drained(bad=1)


def _error_kind(error: Exception) -> str:
    """Return the kind of an error without its message, which may quote the event."""
    return str(error) if isinstance(error, (InvalidInput, OSError)) else f"it stumbles ({type(error).__name__})"


def sweep(ctx: Context) -> None:
    """Remove unfinished files of hooks that died. Raises StoreError if one cannot be removed."""
    data = ctx.settings.inbox
    try:
        spool.sweep(data)
        session_notes.sweep(data)
    except OSError as error:
        raise StoreError(f"the spool {spool.directory(data)} cannot be swept: {error}; make it writable") from error


def again(ctx: Context) -> int:
    """Put files that were set aside back into the spool if they can be read now; return how many."""
    data = ctx.settings.inbox
    readable = [name for name in spool.set_aside_names(data) if unreadable(ctx, name) == ""]
    for name in readable:
        spool.put_back(data, name)
    return len(readable)


def unreadable(ctx: Context, name: str) -> str:
    """Return why a file that was set aside cannot be read or its project not be found; "" if they can."""
    try:
        _at(ctx, row_of(spool.read(ctx.settings.inbox, name, "bad")).detail)
    except (*OF_AN_EVENT, OSError) as error:
        return _error_kind(error)
    return ""


# --- Events ---


def take_in(ctx: Context, events: Iterable[Any]) -> Drained:
    """Store common events as activity and the captures of their sessions as memories, in batches of the context's call.

    What a `bulk` call does to memories is noted for its undo. Known events are skipped. Raises InvalidInput for an
    invalid event; earlier batches are kept.
    """
    done, batch = Drained(), []
    for event in events:
        batch.append(row_of(event))
        if len(batch) == BATCH:
            done += _take_in(ctx, batch)
            batch = []
    return done + _take_in(ctx, batch)


def _take_in(ctx: Context, rows: Sequence[Activity]) -> Drained:
    """One batch: its events in one transaction, then the captures of each session in one."""
    if not rows:
        return Drained()
    firsts: dict[str, Activity] = {}
    for row in sorted(rows, key=lambda row: row.place):
        firsts.setdefault(row.session, row)
    at = {session: _at(ctx, first.detail) for session, first in firsts.items()}

    def work(tx: Transaction) -> tuple[list[Activity], list[Activity]]:
        known = {session: activity.namespace_of(tx, session) for session in at}
        of = {session: _namespace(there, tx, known[session]) for session, there in at.items()}
        new = [replace(first, namespace=of[session]) for session, first in firsts.items() if known[session] is None]
        return [row for row in rows if activity.add(tx, [replace(row, namespace=of[row.session])])], new

    added, new = ctx.write(work)
    secrets: Counter[str] = Counter()
    for row in added:
        secrets.update(row.detail.get("redacted", {}))
    renewed = sum(captured_memories.renew(ctx, session, first.place) for session, first in firsts.items())
    if not ctx.call.bulk:  # an import, which can be undone, is of what it reads
        renewed += sum(captured_memories.renew_left(ctx, first) for first in new)
    return Drained(len(added), renewed, secrets=secrets)


def _at(ctx: Context, event: Mapping[str, Any]) -> Context:
    """Return the context of a server started in the directory of a hook, which may no longer exist."""
    project, cwd = str(event.get("project", "")).strip() or None, Path(str(event.get("cwd", "")))
    start = cwd if cwd.is_absolute() else ctx.settings.home
    location = locate(project, {}, start, ctx.settings.home) if project or cwd.is_absolute() else None
    if location is not None and not os.path.isdir(location.path):
        location = location._replace(here=False)  # it becomes no alias: nothing can be known of it any more
    return ctx.at(location)


def _namespace(ctx: Context, tx: Transaction, known: str | None) -> str:
    """Return the namespace of a session: the one that is known, else that of its first directory."""
    return namespace_to_write(ctx, tx, None) if known is None else known
