"""Dry runs of consolidation: the cycles run on a copy of the store, which shows what they would do."""

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from indelible.admin import backups
from indelible.core.context import ids
from indelible.core.context.context import Context, context_on
from indelible.core.context.session import Session
from indelible.core.indexes.embedder import Embedder
from indelible.dataclass import dataclass
from indelible.errors import StoreError
from indelible.model import Record
from indelible.store.copy import tenant_file
from indelible.store.database import Transaction
from indelible.store.sqlite.connection import FILE
from indelible.store.sqlite.opening import open_sqlite
from indelible.store.tables import records, trash
from indelible.store.tables.trash import Discarded

SHOWN = 20  # things of one cycle
LENGTH = 200  # characters of a text
END = 45  # of the text of an end of a relation
LONGEST = 86_400  # seconds that a dry run may take: an older copy was abandoned
PREFIX = "dry-run-"  # of the directory of a copy, in the data directory


@dataclass(frozen=True, slots=True)
class Done:
    """One change by a cycle: the memory's id, and its text before (of a new memory: now)."""

    what: str
    id: str
    text: str


@contextmanager
def copied(ctx: Context) -> Iterator[Context]:
    """A context on a copy of the store as it is now, of a process without models, at the same time.

    The copy is a file in the data directory, as large as the store, and is deleted afterwards; copies left by killed
    processes are removed. Raises StoreError if there is no room.
    """
    ctx.write_behind.flush_if_possible()
    try:
        _sweep(ctx.settings.data)
        with tempfile.TemporaryDirectory(prefix=PREFIX, dir=ctx.settings.data, ignore_cleanup_errors=True) as place:
            copy = _copy(ctx, Path(place))
            try:
                yield copy
            finally:
                copy.close()
    except OSError as error:
        raise StoreError(f"the store cannot be copied for a dry run: {error}; make room in its directory") from error


def _copy(ctx: Context, place: Path) -> Context:
    with backups.copying(ctx.settings.data):
        tenant_file.backup(ctx.store, place / FILE)
    settings = replace(ctx.settings, data=place, read_only=False, encoder="off")
    return context_on(open_sqlite(place), settings, Embedder(None), ctx.clock, Session(ctx.session.location))


def _sweep(data: Path) -> None:
    for left in data.glob(f"{PREFIX}*"):
        if time.time() - left.stat().st_mtime > LONGEST:
            shutil.rmtree(left)


def last_operation(ctx: Context) -> str | None:
    """The newest operation that can be undone."""
    with ctx.store.read() as tx:
        return trash.last_operation(tx)


def done_by(ctx: Context, operation: str) -> tuple[list[Done], bool]:
    """Return the first changes of an operation, and whether there are more."""
    with ctx.store.read() as tx:
        things = trash.first_of_operation(tx, operation, SHOWN + 1)
        found = [done for thing in things for done in _done(ctx, tx, thing)]
    return found[:SHOWN], len(found) > SHOWN


def _done(ctx: Context, tx: Transaction, thing: Discarded) -> list[Done]:
    if "added" in thing.body:
        return _added(ctx, tx, thing)
    record = thing.state
    if thing.action == "delete":
        return [Done("deleted", record.key, record.text[:LENGTH])]
    now = records.by_ids(tx, [record.id]).get(record.id, record)
    return [Done(_change(record, now), record.key, record.text[:LENGTH])]


def _change(was: Record, now: Record) -> str:
    return f"tags {', '.join(now.tags)}" if was.tags != now.tags else "changed"


def _added(ctx: Context, tx: Transaction, thing: Discarded) -> list[Done]:
    added = thing.body["added"]
    ends = [end for source, target, *_ in added["edges"][: SHOWN + 1] for end in (source, target)]
    weights = added["weights"][: SHOWN + 1]
    found = records.by_ids(tx, [*added["records"], *ends, *(record for record, *_ in weights)])
    made = [Done("stored", found[record].key, found[record].text) for record in added["records"] if record in found]
    shorts = ids.shorts(tx, found.values())
    for source, target, relation, weight in added["edges"][: SHOWN + 1]:
        if source in found and target in found:
            what = f"{relation} {shorts[target]} ({weight:.3g})"
            made.append(Done(what, found[source].key, f"{_end(found[source])} -> {_end(found[target])}"))
    for record, was, _, now, _ in weights:
        if record in found:
            made.append(Done(f"importance {was:.3g} to {now:.3g}", found[record].key, found[record].text[:LENGTH]))
    return made


def _end(record: Record) -> str:
    """Return the text of one end of a relation, shortened to stand beside the other's."""
    text = " ".join(record.text.split())
    return text if len(text) <= END else f"{text[: END - 1]}…"
