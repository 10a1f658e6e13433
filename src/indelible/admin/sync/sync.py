"""`indelible sync DIR`: the store of this machine and those of others become one, through files in a directory.

What changed here is stamped, the files of the others are taken in, purges are carried out, and what this machine knows
is left for the others. Each step is repeatable: a process that ends in the middle leaves the rest to the next.
"""

import hashlib
import json
import platform
from collections.abc import Callable, Iterator
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any

from indelible.admin import erasure, purge
from indelible.admin.checks import chunks
from indelible.admin.erasure import Selection
from indelible.admin.sync import bundles, contents, merging, noting, projects
from indelible.admin.sync.bundles import Bundle
from indelible.admin.sync.merging import Entry, Taken
from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.core.records import trash as trash_rows
from indelible.dataclass import dataclass
from indelible.errors import Conflict, InvalidInput, StoreError
from indelible.filesystem import FileLock
from indelible.sanitize.validate import merged
from indelible.store.database import Transaction
from indelible.store.sqlite.connection import FILE
from indelible.store.tables import purge as purge_rows
from indelible.store.tables import records, settings, sync_states, versions
from indelible.store.tables.sync_states import EDGE, HERE, RECORD, SyncState
from indelible.store.views import documents, soundness
from indelible.toolsets.context.documents import documents as cutting

MACHINE, TAKEN, APART = "sync machine", "sync taken", "sync told apart"  # settings
TOOL = "sync"


@dataclass(slots=True)
class Done:
    """The result of a sync. `problems` are files that were not taken in, and why; `written` counts own files."""

    machine: str
    noted: int = 0
    taken: Taken = field(default_factory=Taken)
    purged: int = 0
    machines: int = 0
    written: int = 0
    problems: list[str] = field(default_factory=list)
    redacted: list[dict[str, Any]] = field(default_factory=list)


def sync(ctx: Context, directory: Path, key: Callable[[], bytes | None], report: Callable[[str], None]) -> Done:
    """Sync with the machines that have files in a directory; a `key` of None writes and reads plain files.

    It is asked for once the directory is known to be fit, so that none is made for one that is not. `report` is called
    with each long step of a purge.

    Raises Conflict in a read-only store, while a purge is unfinished or while another process syncs; InvalidInput for a
    directory that is none or holds a store; StoreError.
    """
    if ctx.settings.read_only:
        raise Conflict(f"sync writes, and {ctx.settings.why_read_only}")
    _refuse_unfit(ctx, directory)
    if purge.unfinished(ctx):
        raise Conflict("a purge is not finished: run `indelible purge`, then sync")
    lock = FileLock(ctx.settings.data / "sync.lock")
    if not lock.try_acquire():
        raise Conflict("another process syncs this store; wait for its end")
    ctx = ctx.for_call(Call(tool=TOOL, bulk=True))
    try:
        secret = key()
        ctx.write_behind.flush()
        done = Done(ctx.store.write(_machine))
        ctx.store.write(_tell_apart)
        done.noted = noting.note(ctx, done.machine)
        known = _take_in(ctx, directory, secret, done)
        _cut_again(ctx, done.taken.documents)
        dropped = _drop_lost_passages(ctx)
        if _carry_out_purges(ctx, done, report) or _has_changed(done.taken) or dropped:
            noting.note(ctx, done.machine)
        known |= _leave(ctx, directory, secret, done)
        # Last: what a process that ended before this had not done of these files, the next one does.
        ctx.store.write(lambda tx: settings.put(tx, TAKEN, records.dump(known)))
        done.redacted = merged(ctx.call.redacted)
        return done
    finally:
        lock.release()


def _refuse_unfit(ctx: Context, directory: Path) -> None:
    """Raise InvalidInput for a directory that is none, or in which a store lies: its file must not be copied alone."""
    if not directory.is_dir():
        raise InvalidInput(f"DIR is {directory}, which is no directory; make it, or give the one that is shared")
    data = ctx.settings.data.resolve()
    if (directory / FILE).exists() or directory.resolve() == data or data in directory.resolve().parents:
        raise InvalidInput(f"DIR is {directory}, in which a store is; give one that only `indelible sync` writes to")


def _machine(tx: Transaction) -> str:
    """Return the name of this machine, drawn anew where the store was copied from another one."""
    place = hashlib.blake2b(platform.node().encode(), digest_size=8).hexdigest()
    stored = json.loads(settings.find(tx, MACHINE) or "{}")
    if stored.get("place") != place:
        stored = {"machine": records.new_uid()[:16], "place": place}
        settings.put(tx, MACHINE, records.dump(stored))
    return str(stored["machine"])


def _tell_apart(tx: Transaction) -> None:
    """Give each record a uid of its own, once: an earlier version gave some that of the memory they were made of."""
    if settings.find(tx, APART) is None:
        soundness.give_uids(tx, soundness.shared_uids(tx))
        settings.put(tx, APART, "true")


def _has_changed(taken: Taken) -> bool:
    return bool(taken.added or taken.changed or taken.deleted or taken.relations)


# --- From the others ---


def _take_in(ctx: Context, directory: Path, key: bytes | None, done: Done) -> dict[str, str]:
    """Take in what is new; return the token of each file of which nothing is left to take, by its name."""
    found, done.problems = bundles.others(directory)
    done.machines = len({bundle.machine for bundle in found} - {done.machine})
    with ctx.store.read() as tx:
        known: dict[str, str] = json.loads(settings.find(tx, TAKEN) or "{}")
    waiting: list[tuple[Bundle, list[Entry]]] = []
    for bundle in found:
        if known.get(bundle.name) == bundle.token:
            continue
        try:
            waiting.append((bundle, bundles.read(bundle, key)))
            projects.take(ctx, waiting[-1][1])
        except (bundles.Unreadable, OSError) as error:
            done.problems.append(f"{bundle.path}: {error}")
            continue
        waiting[-1:] = _left(ctx, waiting[-1:], done, known)
    before = -1
    while waiting and before != (before := sum(len(entries) for _, entries in waiting)):
        waiting = _left(ctx, waiting, done, known)  # for what came with a later file
    done.taken.waiting = [entry for _, entries in waiting for entry in entries]
    return known


def _left(
    ctx: Context, some: list[tuple[Bundle, list[Entry]]], done: Done, known: dict[str, str]
) -> list[tuple[Bundle, list[Entry]]]:
    """Take in entries of files; return those that wait for others. A file of which none waits is known from now on."""
    left = []
    for bundle, entries in some:
        carried = [each for each in entries if each.part != projects.PROJECT]
        part = merging.take(ctx, done.machine, carried, trusted=not bundle.plain)
        done.taken.add(part)
        if part.waiting:
            left.append((bundle, part.waiting))
        else:
            known[bundle.name] = bundle.token
    return left


def _cut_again(ctx: Context, numbers: set[str]) -> None:
    """Leave of each document the chunks of the text that holds: of one that two machines changed both may be here.

    New chunks get the same uid on each machine that cuts the text, so that they are one.
    """
    for number in sorted(numbers):
        ctx.store.write(partial(_cut_one_again, ctx, number))


def _drop_lost_passages(ctx: Context) -> bool:
    """Delete chunks whose document was deleted, here or elsewhere, while they were changed: they are a part of it.

    Return whether there were any.
    """
    with ctx.store.read() as tx:
        lost = [documents.key_of(session) for session in soundness.documents_of_lost_chunks(tx)]
    for number in lost:
        ctx.store.write(lambda tx, number=number: _drop(ctx, tx, number))  # type: ignore[misc]
    return bool(lost)


def _drop(ctx: Context, tx: Transaction, number: str) -> None:
    trash_rows.delete_all(ctx, tx, [chunk.id for chunk in documents.chunks(tx, number)])


def _cut_one_again(ctx: Context, number: str, tx: Transaction) -> None:
    document = next((each for each in records.by_key(tx, number) if each.kind == "document"), None)
    before = documents.chunks(tx, number)
    if document is None or chunks.fits(document, before):
        return
    known = {chunk.id for chunk in before}
    cutting.cut_again(ctx, tx, document)
    for at, chunk in enumerate(documents.chunks(tx, number)):
        if chunk.id not in known:
            made = hashlib.blake2b(f"{document.uid} {at} {chunk.text}".encode(errors="surrogatepass"), digest_size=16)
            sync_states.rename(tx, RECORD, chunk.id, made.hexdigest())


def _carry_out_purges(ctx: Context, done: Done, report: Callable[[str], None]) -> bool:
    """Purge here what another machine purged; whether there was anything of it.

    A purge goes by names: where something else has the name by now, it is left to the user.
    """
    uids = set(done.taken.purge)
    if not uids:
        return False
    with ctx.store.read() as tx:
        names = _names(tx, uids)
        anew = {name for name in names if _is_anew(tx, name, uids)}
    for kind, key in sorted(anew):
        done.problems.append(
            f"{kind} {key} was purged on another machine, and made anew here: that is kept, with what the history has "
            "of the old one; `indelible purge` deletes both"
        )
    names -= anew
    if names:
        cleaned = purge.run(ctx, Selection("record", "what another machine purged", records=frozenset(names)), report)
        if cleaned.is_blocked:
            done.problems.append("other processes still read what was purged; `indelible purge` does the rest")
    ctx.store.write(lambda tx: sync_states.purge(tx, uids))
    done.purged = len(names)
    return bool(names)


def _is_anew(tx: Transaction, name: erasure.Name, uids: set[str]) -> bool:
    kind, key = name
    return any(record.kind == kind and record.uid not in uids for record in records.by_key(tx, key))


def _names(tx: Transaction, uids: set[str]) -> set[erasure.Name]:
    """Return the kinds and ids that the records of uids have or had here."""
    states = sync_states.of(tx, uids).values()
    here = records.by_ids(tx, [state.local_id for state in states if state.state == HERE]).values()
    found = {(record.kind, record.key) for record in here if record.uid in uids}
    found |= {(kept.kind, kept.key) for kept in versions.every(tx) if kept.uid in uids}
    for discarded in purge_rows.trash(tx):
        record = discarded.state
        if record is not None and record.uid in uids:
            found.add((record.kind, record.key))
    return found


# --- For the others ---


def _leave(ctx: Context, directory: Path, key: bytes | None, done: Done) -> dict[str, str]:
    """Write the files of the parts of which this machine knows more than its file says; return their tokens."""
    written = {}
    own = {bundle.part: bundle for bundle in bundles.others(directory)[0] if bundle.machine == done.machine}
    for part in range(bundles.PARTS + 1):
        with ctx.store.read() as tx:
            token = _token(tx, part)
        there = own.get(part)
        if there is not None and (there.token, there.plain) == (token, key is None) and bundles.is_whole(there, key):
            continue
        with ctx.store.read() as tx:
            entries = list(_entries(tx, part))
        if not entries and there is None:
            continue
        try:
            bundles.write(directory, done.machine, part, token, entries, key)
        except OSError as error:
            raise StoreError(f"{directory} cannot be written to: {error.strerror}; make it writable") from error
        done.written += 1
        written[bundles.name_of(done.machine, part)] = token
    return written


def _token(tx: Transaction, part: int) -> str:
    """Return the token of what this machine knows of a part."""
    if part == bundles.OF_PROJECTS:
        return bundles.token_of([(records.dump(each.content),) for each in projects.entries(tx)])
    return bundles.token_of(
        [(s.uid, s.state, s.same, s.stamp, json.dumps(s.seen, sort_keys=True)) for s in _states(tx, part)]
    )


def _states(tx: Transaction, part: int) -> Iterator[SyncState]:
    return sync_states.between(tx, *bundles.bounds(part))


def _entries(tx: Transaction, part: int) -> Iterator[Entry]:
    """Yield the states of a part with their contents; without what was changed since it was noted."""
    if part == bundles.OF_PROJECTS:
        yield from projects.entries(tx)
        return
    page: list[SyncState] = []
    for state in _states(tx, part):
        page.append(state)
        if len(page) == sync_states.PAGE:
            yield from _filled(tx, page)
            page = []
    yield from _filled(tx, page)


def _filled(tx: Transaction, page: list[SyncState]) -> Iterator[Entry]:
    here = [state for state in page if state.state == HERE]
    found = records.by_ids(tx, [state.local_id for state in here if state.part == RECORD])
    of_records = contents.of_records(tx, found.values())
    ended = sync_states.edges_of(tx, [state.local_id for state in here if state.part == EDGE])
    of_edges = {row: contents.of_edge(edge) for row, edge in ended.items()}
    for state in page:
        content = (of_records if state.part == RECORD else of_edges).get(state.local_id) if state.state == HERE else {}
        if content is None or (state.state == HERE and contents.digest(content) != state.digest):
            continue
        yield Entry(state.uid, state.part, state.state, state.same, state.stamp, dict(state.seen), content)
