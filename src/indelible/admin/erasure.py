"""Permanent deletion within one store: rows, trash, events, answers, activity, aliases. `purge` handles the files.

Each step is a transaction that finds again what is left, so that after a crash the deletion can be repeated and ends
when nothing is left.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import field, replace
from functools import partial
from typing import Any, Literal, TypeVar

from indelible.admin import deleted_dependents, stored_secrets
from indelible.batching import breathe
from indelible.capture import captured_memories
from indelible.capture.session_summaries import SESSION
from indelible.clock import moment_of
from indelible.core.context import ids
from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.core.records import dependents, solution_fields, trash
from indelible.core.records.solution_fields import RECORDED
from indelible.dataclass import dataclass
from indelible.model import Record
from indelible.search.index.postings import BLOCK
from indelible.store.database import Transaction
from indelible.store.tables import edges, purge, records, sync_states, versions
from indelible.store.tables import trash as trash_table
from indelible.store.views import chats
from indelible.toolsets.context.documents import documents
from indelible.toolsets.memory import namespaces

T = TypeVar("T")

TALK = chats.session_of("")  # begins the session of a message; what follows names its conversation
TOOL = "purge"

Name = tuple[str, str]  # kind and key of a record


@dataclass(frozen=True, slots=True)
class Selection:
    """The data to delete: records, all of a namespace, all that was not changed since a time, or every secret.

    `names` are the stored namespaces that go, and no other goes; `before` the time in microseconds, 0 for none.
    `records` are the kind and key of each record that was found to belong to it, of those in the trash too, and
    `hashes` the kind and content hash of records that were named: by these they are found in backups, and where they
    are deleted already. `sessions` and `captured` are as in `Found`, `blocks` the sealed blocks in which the records
    stood: they outlive the rows. `erased` is the mark of when the store was rid of it, 0 for not yet: what was stored
    since then is not meant.
    """

    what: Literal["record", "namespace", "time", "secrets"]
    given: str = ""
    names: frozenset[str] = frozenset()
    before: int = 0
    records: frozenset[Name] = frozenset()
    hashes: frozenset[Name] = frozenset()
    sessions: frozenset[str] = frozenset()
    captured: frozenset[str] = frozenset()
    blocks: frozenset[int] = frozenset()
    erased: int = 0


@dataclass(slots=True)
class Found:
    """The data of a selection in one store. `live` are the kinds of records by row id, `trash` rows of the trash.

    `versions` are rows of the history.

    `ids` are the row ids of all of its records, deleted ones too, `uids` what names them in every store, `names` their
    kinds and keys, `texts` what they say or said, `sessions` those of conversations, `captured` those of agents in
    which they were captured, `recorded` the keys of failures that were recorded with them. `marked` is the mark that
    the store has since it was rid of them, 0 before.
    """

    live: dict[int, str] = field(default_factory=dict)
    trash: set[int] = field(default_factory=set)
    versions: set[int] = field(default_factory=set)
    ids: set[int] = field(default_factory=set)
    uids: set[str] = field(default_factory=set)
    names: set[Name] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    sessions: set[str] = field(default_factory=set)
    captured: set[str] = field(default_factory=set)
    recorded: set[str] = field(default_factory=set)
    marked: int = 0

    def add(self, record: Record, *, with_text: bool) -> None:
        """Note a record, or an earlier state of one."""
        self.ids.update([record.id] if record.id else [])
        self.uids.update([record.uid] if record.uid else [])
        self.names.add((record.kind, record.key))
        if with_text:
            self.texts.update(text for text in (record.text, record.label) if text)
        if record.metadata.get("origin") == "capture":
            self.captured.add(record.session)
            if isinstance(failure := record.metadata.get(RECORDED), str):
                self.recorded.add(failure)
        elif record.session.startswith(TALK):
            self.sessions.add(record.session)


# --- What it is ---


def find(ctx: Context, tx: Transaction, selection: Selection) -> Found:
    """Return the data of a selection: the records that it names, and those that depend on them.

    Of captured memories that were named the summaries of their sessions depend on them, which quote what was said
    there, and the failures that were recorded with them alone.
    """
    found = _found(ctx, tx, selection)
    if selection.what != "record":
        return found
    told = {("memory", captured_memories.memory_key(session, SESSION)) for session in found.captured}
    told |= {("failure", key) for key in found.recorded if not _is_of_others(tx, key)}
    if told <= selection.records:
        return found
    return find(ctx, tx, replace(selection, records=selection.records | told))


def _is_of_others(tx: Transaction, failure: str) -> bool:
    """Return whether a failure occurred again, beside the captured memory with which it was recorded."""
    there = [record for record in records.by_key(tx, failure) if record.kind == "failure"]
    return any(solution_fields.occurrences_of(record) > 1 for record in there)


def _found(ctx: Context, tx: Transaction, selection: Selection) -> Found:
    found = Found()
    with_text = selection.what == "record"
    for page in _pages(_live(ctx, tx, selection)):
        for record in records.by_ids(tx, page).values():
            found.live[record.id] = record.kind
            found.add(record, with_text=with_text)
    code = namespaces.code_of(ctx, tx, selection.names) if selection.names else {}
    found.ids.update(code)
    found.names.update(records.keys_of(tx, code).values())
    _find_earlier(ctx, tx, selection, found)
    return found


def is_there(ctx: Context, tx: Transaction, selection: Selection) -> bool:
    """Return whether a store has anything of a selection; cheap if it has much of it."""
    if selection.what == "secrets":
        return stored_secrets.is_there(ctx, tx)
    if _meant(ctx, tx, selection):
        return True
    found = find(ctx, tx, selection)
    return bool(found.live or found.trash or found.versions)


def _live(ctx: Context, tx: Transaction, selection: Selection) -> list[int]:
    """The row ids of the records, with the chunks of documents, what failures wrote, and summaries of any of them."""
    ids = _meant(ctx, tx, selection)
    for some in _pages(sorted(ids)):
        for record in records.by_ids(tx, some).values():
            ids.update(documents.chunks_of(ctx, tx, record) if record.kind == "document" else ())
    ids.update(dependents.unused_entities(ctx, tx, ids))
    ids.update(_summaries(ctx, tx, ids))
    return sorted(ids)


def _meant(ctx: Context, tx: Transaction, selection: Selection) -> set[int]:
    """Return the row ids of the records that a selection names directly."""
    ids = set(_named(ctx, tx, selection))
    if selection.what == "namespace":
        ids.update(namespaces.everything_in(ctx, tx, selection.names)[0])
    elif selection.what == "time":
        ids.update(purge.older(tx, selection.before))
    return ids


def _named(ctx: Context, tx: Transaction, selection: Selection) -> Iterator[int]:
    """The records that were named, where they are still there; of a namespace and of a time all are found again."""
    if selection.what == "record":
        for kind, key in sorted(selection.records):
            yield from (record.id for record in records.by_key(tx, key) if record.kind == kind)


def _summaries(ctx: Context, tx: Transaction, ids: Collection[int]) -> set[int]:
    """The memories that a cycle made of sentences of any of these."""
    sources: set[int] = set()
    for some in _pages(sorted(ids)):
        relations = edges.of_records(tx, some)
        sources.update(e.source for e in relations if e.canonical == deleted_dependents.SUMMARIZES and e.target in ids)
    known = [each for some in _pages(sorted(sources)) for each in records.by_ids(tx, some).values()]
    return {record.id for record in known if deleted_dependents.is_summary(record)}


def _find_earlier(ctx: Context, tx: Transaction, selection: Selection, found: Found) -> None:
    """Note what the trash and the history have of a selection; a row of the trash goes with the state that it names."""
    _find_states(tx, selection, found)
    numbers = {key for kind, key in found.names | selection.records if kind == "document"}
    depending = deleted_dependents.of(ctx, tx, found.ids, numbers) - found.ids
    if depending:
        found.ids |= depending
        _find_states(tx, selection, found)
    found.trash.update(kept.id for kept in purge.trash(tx) if kept.state is None or kept.version in found.versions)


def _find_states(tx: Transaction, selection: Selection, found: Found) -> None:
    with_text = selection.what == "record"
    _find_discarded(tx, selection, found, with_text=with_text)
    _find_versions(tx, selection, found, with_text=with_text)


def _find_discarded(tx: Transaction, selection: Selection, found: Found, *, with_text: bool) -> None:
    names = selection.names
    same: dict[int, list[tuple[purge.Kept, Record]]] = {}
    for kept in purge.trash(tx):
        if kept.state is None:
            continue
        if _belongs(kept, kept.state, selection, names, found):
            _take(found, kept, kept.state, with_text=with_text)
        elif (kept.state.kind, kept.state.content_hash) in selection.hashes:
            same.setdefault(kept.record, []).append((kept, kept.state))
    for page in _pages(sorted(same)):  # deleted ones that said the same
        there = records.by_ids(tx, page)
        for kept, state in (each for id_ in page if id_ not in there for each in same[id_]):
            _take(found, kept, state, with_text=with_text)


def _find_versions(tx: Transaction, selection: Selection, found: Found, *, with_text: bool) -> None:
    """Note what the history has of the records of a selection, of its namespaces, and of before its time."""
    same: dict[int, list[versions.Earlier]] = {}
    for state in versions.every(tx):
        if (
            state.record in found.ids
            or (state.kind, state.key) in selection.records
            or state.namespace in selection.names
            or min(state.time, state.updated) < selection.before
        ):
            _take_version(found, state, with_text=with_text)
        elif (state.kind, state.content_hash) in selection.hashes:
            same.setdefault(state.record, []).append(state)
    for page in _pages(sorted(same)):  # deleted ones that said the same
        there = records.by_ids(tx, page)
        for state in (each for id_ in page if id_ not in there for each in same[id_]):
            _take_version(found, state, with_text=with_text)


def _take_version(found: Found, state: versions.Earlier, *, with_text: bool) -> None:
    found.versions.add(state.id)
    if state.deleted or state.record in found.ids:
        found.ids.add(state.record)
        found.uids.add(state.uid)
        found.names.add((state.kind, state.key))
        found.texts.update([state.text] if with_text and state.text else [])


def _take(found: Found, kept: purge.Kept, record: Record, *, with_text: bool) -> None:
    found.trash.add(kept.id)
    if kept.action == "delete" or kept.record in found.ids:
        found.add(record, with_text=with_text)


def _belongs(kept: purge.Kept, record: Record, selection: Selection, names: Collection[str], found: Found) -> bool:
    if kept.record in found.ids or (record.kind, record.key) in selection.records:
        return True
    if selection.what == "namespace":
        return record.namespace in names
    return kept.time < selection.before or record.updated < selection.before


# --- Taking it away ---


def erase(ctx: Context, selection: Selection) -> Found:
    """Delete a selection in one store for good; return the deleted data. The store's files still keep the bytes.

    Raises StoreError; then a part may be deleted, and another call does the rest.
    """
    ctx = ctx.for_call(Call(tool=TOOL))
    ctx.write_behind.flush()
    ctx.store.write(lambda tx: purge.mark(tx, ctx.now()))
    if selection.what == "secrets":
        stored_secrets.mend(ctx)
        return Found(marked=ctx.store.write(lambda tx: purge.mark(tx, ctx.now())))
    with ctx.store.read() as tx:
        found = find(ctx, tx, selection)
    names = selection.names
    found.names |= selection.records
    found.sessions |= selection.sessions
    found.captured |= selection.captured
    blocks = named(selection, found).blocks
    # Other machines that have them are told by these names, which say nothing of what they held.
    _in_pieces(ctx, sorted(found.uids), sync_states.purge)
    if names:
        namespaces.purge_all(ctx, names)
    _delete(ctx, found)
    _forget_activity(ctx, selection, found)
    _forget_trash(ctx, selection, found)
    _forget_versions(ctx, selection, found)
    spelled = spellings(found.names) | names
    _forget_answers(ctx, selection, spelled)
    _forget_events(ctx, selection, found, spelled)
    ctx.store.write(lambda tx: purge.drop_blocks(tx, blocks))
    ctx.store.write(lambda tx: purge.drop_aliases(tx, names))
    found.marked = ctx.store.write(lambda tx: purge.mark(tx, ctx.now()))
    return found


def _delete(ctx: Context, found: Found) -> None:
    """Delete the remaining records into the trash, as every deletion does; the trash is emptied next."""
    with ctx.store.read() as tx:
        left = [id_ for some in _pages(sorted(found.live)) for id_ in records.by_ids(tx, some)]
    if left:
        ctx.write_behind.before_deletion()
    for some in _pages(left):  # others get their turn
        ctx.write(partial(_delete_some, ctx, some))
        breathe()


def _delete_some(ctx: Context, ids: list[int], tx: Transaction) -> None:
    trash.delete_all(ctx, tx, ids)


def _forget_activity(ctx: Context, selection: Selection, found: Found) -> None:
    sessions = found.captured if selection.what == "record" else set()
    if selection.before or sessions:
        ctx.store.write(lambda tx: purge.drop_activity(tx, selection.before, sessions))


def _forget_trash(ctx: Context, selection: Selection, found: Found) -> None:
    """Empty the trash of the records, and what is left there of relations to them."""
    with ctx.store.read() as tx:
        _find_earlier(ctx, tx, selection, found)
        changed = list(_without(purge.trash(tx), found))
    deleted = sorted(found.trash | {kept.id for kept in changed if not kept.body})
    _in_pieces(ctx, deleted, purge.drop_trash)
    _in_pieces(ctx, [kept for kept in changed if kept.body], _put_bodies)


def _without(everything: Iterable[purge.Kept], found: Found) -> Iterator[purge.Kept]:
    """Yield rows of the trash that have relations to deleted records, without these; no body where nothing is left."""
    for kept in everything:
        left = [edge for edge in kept.edges if edge.source not in found.ids and edge.target not in found.ids]
        if kept.id not in found.trash and len(left) < len(kept.edges):
            whole = kept.action == "edge" and not left and "added" not in kept.body
            yield replace(kept, edges=left, body={} if whole else kept.body)


def _put_bodies(tx: Transaction, some: list[purge.Kept]) -> None:
    for kept in some:
        trash_table.set_body(tx, kept.id, kept.body, kept.state if kept.version is None else None, kept.edges)


def _forget_versions(ctx: Context, selection: Selection, found: Found) -> None:
    """Erase what the history has of the records and their relations, with what their deletion added to it."""
    with ctx.store.read() as tx:
        _find_versions(tx, selection, found, with_text=selection.what == "record")
    _in_pieces(ctx, sorted(found.versions), versions.drop)
    _in_pieces(ctx, sorted(found.ids), versions.drop_of)
    if selection.before:
        ctx.store.write(lambda tx: versions.drop_edges_before(tx, selection.before))


def _forget_answers(ctx: Context, selection: Selection, spelled: Collection[str]) -> None:
    with ctx.store.read() as tx:
        deleted = [
            answer.key
            for answer in purge.answers(tx)
            if answer.time < selection.before or _tells(answer.result, spelled)
        ]
    _in_pieces(ctx, deleted, purge.drop_answers)


def _forget_events(ctx: Context, selection: Selection, found: Found, spelled: Collection[str]) -> None:
    """Fold the events of the records, or of conversations without remaining messages, into counts a day."""
    with ctx.store.read() as tx:
        ended = found.sessions - purge.sessions_left(tx, found.sessions)
        talks = {session.removeprefix(TALK) for session in ended}
        deleted = [
            event.id
            for event in purge.events(tx)
            if event.time < selection.before
            or event.conversation in talks
            or not set(event.records).isdisjoint(spelled)
        ]
    _in_pieces(ctx, deleted, purge.fold_events)
    if selection.before:
        day = moment_of(selection.before).date().isoformat()
        ctx.store.write(lambda tx: purge.drop_days(tx, day))


# --- What they share ---


def spellings(names: Iterable[Name]) -> set[str]:
    """Return all forms in which answers and events may contain the ids of records."""
    spelled: set[str] = set()
    for kind, key in names:
        spelled.update((key, f"{kind}:{key}", ids.shown_key(kind, key)))
    return spelled


def _tells(value: Any, spelled: Collection[str]) -> bool:
    """Return whether an answer contains any of these strings, at any depth."""
    if isinstance(value, dict):
        return any(name in spelled or _tells(each, spelled) for name, each in value.items())
    if isinstance(value, list):
        return any(_tells(each, spelled) for each in value)
    return not isinstance(value, bool) and isinstance(value, str | int) and str(value) in spelled


def _pages(ids: Collection[T]) -> Iterator[list[T]]:
    listed = list(ids)
    for at in range(0, len(listed), trash.TOGETHER):
        yield listed[at : at + trash.TOGETHER]


def _in_pieces(ctx: Context, ids: Collection[T], work: Callable[[Transaction, list[T]], object]) -> None:
    """Do something for ids in short transactions, so that others get their turn."""
    for some in _pages(ids):
        ctx.store.write(partial(_done, work, some))
        breathe()


def _done(work: Callable[[Transaction, list[T]], object], some: list[T], tx: Transaction) -> None:
    work(tx, some)


def counts(found: Found) -> dict[str, int]:
    """How many records of each kind there are, by kind."""
    return dict(sorted(Counter(found.live.values()).items()))


def named(selection: Selection, found: Found) -> Selection:
    """Return the selection with the names of the data found, which are needed after the rows are deleted."""
    return replace(
        selection,
        records=selection.records | found.names,
        sessions=selection.sessions | found.sessions,
        captured=selection.captured | found.captured,
        blocks=selection.blocks | {record // BLOCK for record in found.ids},
    )
