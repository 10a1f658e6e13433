"""Purging data from all files of the data directory, backups included.

The order ensures that nothing comes back: waiting writes are removed, rows deleted, the store is rewritten, then every
automatic backup, and finally the write-ahead log is truncated. A journal (`purge_journal`) lasts until the end.

In a database the rows are deleted and their room is given back; its log, replicas and backups are left to its
administrator.
"""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from indelible.admin import backups, erasure, purge_backups, purge_files, purge_journal
from indelible.admin.checks.check import counted
from indelible.admin.erasure import Selection
from indelible.admin.purge_journal import Journal
from indelible.capture import ingest, spool
from indelible.clock import sortable_text
from indelible.core.context import ids
from indelible.core.context.context import Context
from indelible.dataclass import dataclass
from indelible.errors import Conflict, IndelibleError, InvalidInput, NotFound, StoreError
from indelible.filesystem import FileLock
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.sqlite import pages
from indelible.store.sqlite.connection import FILE, read_once
from indelible.store.tables import activity, records, trash, versions
from indelible.store.tables import purge as rows
from indelible.store.views import documents, lifetimes
from indelible.toolsets.memory import deletion, namespaces

# Imported late (extra): indelible.store.postgres.maintenance

BACKUP_PATIENCE = 5.0  # seconds to wait for a backup that another process reads
# How often the bytes of what is written anew are there beside it: the new pages, the log through which they go, and of
# a backup a copy.
STORE_COPIES, BACKUP_COPIES = 2, 3
SPARE = 16 << 20  # bytes
EXPIRED = "what has expired"


@dataclass(frozen=True, slots=True)
class Plan:
    """The data that a purge would delete: records by kind, and amounts of other data.

    `holding` are the backups in which something of it is, or may be; all of `backups` are written anew. `namespaces`
    are those that go, each with its own records by kind; no other does.
    """

    selection: Selection
    records: dict[str, int]
    states: int
    events: int
    code: int
    waiting: list[Path]
    aside: list[Path]
    holding: list[Path]
    backups: list[Path]
    copies: list[Path]
    namespaces: dict[str, dict[str, int]]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing of it anywhere."""
        return not (
            self.records or self.states or self.events or self.code or self.waiting or self.aside or self.holding
        )

    @property
    def parts(self) -> list[tuple[str, int]]:
        """Return how many of each kind would be deleted, by the singular of its name."""
        rest = [
            ("code entry", self.code),
            ("state in the trash", self.states),
            ("event of a session", self.events + len(self.aside)),
            ("write in the queue", len(self.waiting)),
        ]
        return [*self.records.items(), *((name, count) for name, count in rest if count)]


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a purge: the backups that had to be removed, and the processes that still read the old content.

    `is_blocked` is True if there are such readers; if they cannot be determined, `readers` is empty.
    """

    removed: list[str]
    is_blocked: bool
    readers: list[str]
    elsewhere: str = ""  # where something of it may be left that only others can reach


# --- What is meant ---


def of_records(ctx: Context, given: Sequence[str]) -> Selection:
    """Return the selection of the records of these ids with their earlier texts; deleted ones are found in the trash or
    in backups.

    Raises NotFound, Conflict where an id names several, InvalidInput for a part of a document and indexed source code.
    """
    found: list[Record] = []
    with ctx.store.read() as tx:
        for each in given:
            if ids.candidates(ctx, tx, each):
                found.append(deletion.named(ctx, tx, each))
            else:
                found += _discarded(ctx, tx, each) or _in_backups(ctx, each)
    names = frozenset((record.kind, record.key) for record in found)
    hashes = frozenset((record.kind, record.content_hash) for record in found if record.content_hash)
    return Selection("record", ", ".join(given), records=names, hashes=hashes)


def _discarded(ctx: Context, tx: Transaction, given: str) -> list[Record]:
    """Return the states of a deleted record in the trash and in the history.

    Raises Conflict where several kinds have that id.
    """
    kind, _, key = given.partition(":")
    found: list[Record] = []
    known = ids.past_keys(tx, given)
    for name in dict.fromkeys((*known, key)):
        if name:
            found += (thing.state for thing in trash.of_key(tx, name))
            found += versions.of_key(tx, name)
    fitting = [record for record in found if record.key in known or record.kind == kind]
    kinds = sorted({record.kind for record in fitting})
    if len(kinds) > 1:
        names = ", ".join(f"{each}:{fitting[0].key}" for each in kinds)
        raise Conflict(f"ID {given[:200]!r} matches several deleted records; choose one of: {names}")
    _refuse_part(tx, given, fitting)
    return fitting


def _refuse_part(tx: Transaction, given: str, fitting: Sequence[Record]) -> None:
    """Raise InvalidInput for a deleted part of a document that is there, or can be brought back with that text."""
    for number in {documents.key_of(record.session) for record in fitting if record.kind == "chunk"}:
        known = [*records.by_key(tx, number), *(thing.state for thing in trash.of_key(tx, number))]
        if any(record.kind == "document" for record in known):
            raise InvalidInput(f"ID {given[:200]!r} is a part of the document doc_{number}; purge that")


def _in_backups(ctx: Context, given: str) -> list[Record]:
    """The same of a record that only backups have. Raises NotFound."""
    for path in reversed(_backups(ctx)):
        try:
            with read_once(path, BACKUP_PATIENCE) as tx:
                found = ids.candidates(ctx, tx, given)[:1] or _discarded(ctx, tx, given)
        except IndelibleError:  # of another version, or damaged: it cannot be asked
            continue
        if found:
            return found
    raise NotFound(f"ID {given[:200]!r} is unknown: neither the store, nor its trash, nor a backup has it")


def _backups(ctx: Context) -> list[Path]:
    """Return the automatic backups; a database has none here."""
    return purge_backups.automatic(ctx.settings.data) if backups.is_file(ctx) else []


def of_namespace(ctx: Context, namespace: str) -> Selection:
    """Everything of a namespace, by all of its names. Raises InvalidInput for ''."""
    elsewhere = set().union(*(_names_of(ctx, path) for path in _backups(ctx)))
    with ctx.store.read() as tx:
        elsewhere |= {kept.state.namespace for kept in rows.trash(tx) if kept.state is not None}
        elsewhere |= {state.namespace for state in versions.every(tx)}
        names = namespaces.named(ctx, tx, namespace, elsewhere)
    return Selection("namespace", namespace, names=frozenset(names | {namespace}))


def _names_of(ctx: Context, path: Path) -> set[str]:
    """The namespaces of a backup; none of one of another version, or a damaged one, which cannot be asked."""
    try:
        with read_once(path, BACKUP_PATIENCE) as tx:
            return {*records.namespaces(tx), *activity.namespaces(tx)}
    except IndelibleError:
        return set()


def of_time(ctx: Context, before: int) -> Selection:
    """Return the selection of all unchanged since a time in microseconds. Raises InvalidInput for a future time."""
    if before > ctx.now():
        raise InvalidInput("--older-than must be a time in the past, else everything would be deleted")
    return Selection("time", before=before)


def of_expired(ctx: Context) -> Selection:
    """Return the selection of all memories and solutions that have expired, with their earlier texts."""
    with ctx.store.read() as tx:
        expired = records.keys_of(tx, lifetimes.expired(tx, sortable_text(ctx.now())))
    return Selection("record", EXPIRED, records=frozenset(expired.values()))


def plan(ctx: Context, selection: Selection) -> Plan:
    """Return the plan of purging a selection; the plan's own selection names all data that was found."""
    data = ctx.settings.data
    with ctx.store.read() as tx:
        found = erasure.find(ctx, tx, selection)
        names = selection.names
        code = len(namespaces.code_of(ctx, tx, names)) if names else 0
        by_name = {name: records.count_kinds_in(tx, {name}) for name in sorted(names)}
        captured = found.captured if selection.what == "record" else set()
        events = rows.count_activity(tx, selection.before, captured)
        if selection.what == "namespace":
            events = activity.count_in(tx, set(names))
    copies = _backups(ctx)
    return Plan(
        selection=erasure.named(selection, found),
        records=erasure.counts(found),
        states=max(len(found.trash), len(found.versions)),
        events=events,
        code=code,
        waiting=purge_files.waiting(data, purge_files.wanted(ctx.settings, selection, found, names)),
        aside=purge_files.set_aside(Path(ctx.settings.inbox), selection, names, found),
        holding=[path for path in copies if _holds(ctx, path, selection)],
        backups=copies,
        copies=purge_files.copies(data),
        namespaces=by_name,
    )


def _holds(ctx: Context, path: Path, selection: Selection) -> bool:
    """Return whether a backup has data of a selection; an unreadable one may have."""
    try:
        with read_once(path, BACKUP_PATIENCE) as tx:
            return erasure.is_there(ctx, tx, selection)
    except IndelibleError:
        return True


SECRETS = Selection("secrets")


def backups_with_secrets(ctx: Context) -> list[Path]:
    """The automatic backups in which there is a secret that these rules know, or may be one."""
    return [path for path in _backups(ctx) if _holds(ctx, path, SECRETS)]


# --- Doing it ---


def take_in(ctx: Context, report: Callable[[str], None]) -> bool:
    """Take in what waits, and wait for who does so already: else it would come in behind the purge.

    Return whether it was; `report` is called with what is to be known of the rest.
    """
    if ctx.settings.read_only:
        return True
    data = ctx.settings.inbox
    try:
        ingest.again(ctx)
        ingest.drain(ctx, wait=True)
    except (IndelibleError, OSError) as error:
        report(f"events of hooks were not processed, and may be stored after the purge: {error}; purge again then")
        return False
    if aside := len(spool.set_aside_names(data)):
        report(
            f"{counted(aside, 'event')} in {spool.directory(data)}/bad cannot be read; those are purged that name what "
            "goes, or are as old. Look at the others yourself"
        )
    return True


def unfinished(ctx: Context) -> list[Selection]:
    """Return the selections of an earlier purge that was not finished. Raises StoreError."""
    return list(purge_journal.read(_journal(ctx)).selections)


def run(ctx: Context, selection: Selection | None, report: Callable[[str], None]) -> Done:
    """Purge a selection, and finish earlier purges; `report` is called with each long step.

    An interrupted or blocked purge continues with the next call; a part may be deleted by then. Raises Conflict in a
    read-only store, StoreError.
    """
    if ctx.settings.read_only:
        raise Conflict(f"purge writes, and {ctx.settings.why_read_only}")
    path = _journal(ctx)
    with _lock(ctx.settings.data):
        journal = purge_journal.read(path)
        _check_room(ctx)
        if selection is not None:
            journal = Journal((*journal.selections, selection))
            purge_journal.write(path, journal)
        return _finished(ctx, journal, report)


def go_on(ctx: Context) -> Done | None:
    """Finish an interrupted or blocked purge; None if there is none, or another process is at it.

    For servers, between calls. Raises StoreError.
    """
    path = _journal(ctx)
    if not purge_journal.is_there(path):
        return None
    lock = _lock(ctx.settings.data)
    if not lock.try_acquire():
        return None
    try:
        journal = purge_journal.read(path)
        if not journal.selections:
            return None
        _check_room(ctx)
        return _finished(ctx, journal, lambda _: None)
    finally:
        lock.release()


def _lock(data: Path) -> FileLock:
    return FileLock(data / "purge.lock")


def _check_room(ctx: Context) -> None:
    """Raise StoreError if the disk has no room to rewrite the store; not for a database."""
    if ctx.store.dialect != "sqlite":
        return
    data = ctx.settings.data
    sizes = [STORE_COPIES * pages.live_size(data / FILE)]
    sizes += [BACKUP_COPIES * path.stat().st_size for path in purge_backups.automatic(data)]
    needed, free = max(sizes) + SPARE, shutil.disk_usage(data).free
    if free < needed:
        raise StoreError(
            f"the store and its backups are rewritten, one after another, for which {data} needs {needed >> 20:,} "
            f"MiB of space and has {free >> 20:,} MiB. Nothing was deleted by this call; make room (a backup in "
            f"{data / 'backups'} may be removed too), then repeat it"
        )


def _finished(ctx: Context, journal: Journal, report: Callable[[str], None]) -> Done:
    """Finish all steps of a journal."""
    try:
        return _clean(ctx, _erased(ctx, journal), report)
    except StoreError as error:
        raise StoreError(f"{error}. Not everything is deleted yet: `indelible purge` does the rest") from error
    except Conflict as error:  # source code that is being indexed
        raise Conflict(f"{error}. Then run `indelible purge` to continue") from error


def _erased(ctx: Context, journal: Journal) -> Journal:
    """The journal after the store was rid of every row of its selections; it is kept after each."""
    selections = list(journal.selections)
    for at, selection in enumerate(selections):
        if not selection.erased:
            _forget_files(ctx, selection)
            found = erasure.erase(ctx, selection)
            selections[at] = replace(erasure.named(selection, found), erased=found.marked)
            journal = replace(journal, selections=tuple(selections))
            purge_journal.write(_journal(ctx), journal)
    return journal


def _journal(ctx: Context) -> Path:
    return purge_journal.path_of(ctx.settings)


def _forget_files(ctx: Context, selection: Selection) -> None:
    """Remove waiting writes and events that would enter the store later, or stay beside it."""
    inbox = Path(ctx.settings.inbox)
    if selection.what == "secrets":
        purge_files.mend_waiting(ctx.settings.data)
        purge_files.unfinished_events(inbox)
        purge_files.mend_events(inbox)
        return
    with ctx.store.read() as tx:
        found = erasure.find(ctx, tx, selection)
    names = selection.names
    purge_files.forget_waiting(ctx.settings.data, purge_files.wanted(ctx.settings, selection, found, names))
    purge_files.unfinished_events(inbox)
    purge_files.remove(purge_files.set_aside(inbox, selection, names, found))


def _clean(ctx: Context, journal: Journal, report: Callable[[str], None]) -> Done:
    """Rewrite the store and its backups, so that no deleted data is left in their files."""
    if not backups.is_file(ctx):
        return _clean_database(ctx, report)
    data = ctx.settings.data
    clean = list(journal.clean)

    def done(name: str, step: str) -> None:
        clean.append(name)
        purge_journal.write(_journal(ctx), replace(journal, clean=tuple(clean)))
        report(step)

    if FILE not in clean:
        pages.vacuum(data / FILE)
        done(FILE, "wrote the store anew")
    removed = purge_backups.rewrite(
        ctx, journal.selections, journal.clean, lambda name: done(name, f"wrote the backup {name} anew")
    )
    purge_files.forget_copies(data)
    if not pages.empty_log(data / FILE):
        return Done(removed, is_blocked=True, readers=pages.readers(data / FILE))
    purge_journal.remove(_journal(ctx))
    return Done(removed, is_blocked=False, readers=[])


def _clean_database(ctx: Context, report: Callable[[str], None]) -> Done:
    """Free the room of the deleted rows; the result names where data may remain."""
    from indelible.store.postgres import maintenance

    refused = maintenance.vacuum(ctx.settings.database)
    report("gave the room of deleted rows back")
    purge_files.forget_copies(ctx.settings.data)
    purge_journal.remove(_journal(ctx))
    elsewhere = "the write-ahead log, the replicas and the backups of the database may still hold it"
    if refused:
        elsewhere += f"; so may {', '.join(refused)}, which their owner must VACUUM"
    return Done([], is_blocked=False, readers=[], elsewhere=f"{elsewhere}. They are its administrator's")
