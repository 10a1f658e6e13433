"""Taking in the states of another machine: entry by entry, in any order, any number of times.

Of two states of one record the one with the later stamp holds. Where neither machine knew of the other's, both are
kept: the later one holds, the other one is in the history, and both are named. Observations of an entity that was
changed on both sides are put together. What two machines made alike under two uids (an entity of one name, a memory of
one text) becomes one record, of the lower uid. A purge holds against everything.
"""

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from functools import partial

from indelible.admin.sync import contents, noting
from indelible.admin.sync.contents import Content
from indelible.admin.sync.noting import Change
from indelible.admin.sync.stamps import Clock, Seen, joined, knows, seen_with
from indelible.core.context import numbers
from indelible.core.context.context import Context
from indelible.core.records import entity_fields, insert, trash, undo
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.model import Edge, Record
from indelible.store.database import Transaction
from indelible.store.tables import edges, records, sync_states
from indelible.store.tables.sync_states import DELETED, EDGE, HERE, PURGED, RECORD, SAME, SyncState
from indelible.store.views import chats, documents, solutions

TOGETHER = 200  # entries a transaction, so that other processes are not kept waiting


@dataclass(frozen=True, slots=True)
class Entry:
    """The state of a uid on another machine: the state, and of what is here the content."""

    uid: str
    part: str
    state: str
    same: str = ""
    stamp: str = ""
    seen: Seen = field(default_factory=dict)
    content: Content = field(default_factory=dict)


@dataclass(slots=True)
class Taken:
    """Counts of what was taken in; `purge` are uids that another machine purged, `waiting` entries that need others.

    `documents` are the numbers of those of which something was written here: the chunks of two machines may be there.
    """

    added: int = 0
    changed: int = 0
    deleted: int = 0
    relations: int = 0
    conflicts: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    purge: list[str] = field(default_factory=list)
    waiting: list[Entry] = field(default_factory=list)
    documents: set[str] = field(default_factory=set)

    def add(self, other: "Taken") -> None:
        """Count what was taken in beside that; `waiting` is that of the last."""
        self.added += other.added
        self.changed += other.changed
        self.deleted += other.deleted
        self.relations += other.relations
        self.conflicts += other.conflicts
        self.refused += other.refused
        self.purge += other.purge
        self.documents |= other.documents


def take(ctx: Context, machine: str, entries: Iterable[Entry], *, trusted: bool) -> Taken:
    """Take in entries: what is a record before what is a relation, a document before its chunks.

    Raises StoreError; then a part may be taken in, and another call does the rest.
    """
    ordered = sorted(entries, key=lambda each: (each.part != RECORD, "document" in each.content))
    done = Taken()
    for at in range(0, len(ordered), TOGETHER):
        some = ordered[at : at + TOGETHER]
        part = ctx.store.write(partial(_batch, ctx, machine, some, trusted))
        done.add(part)
        done.waiting += part.waiting
    return done


def _batch(ctx: Context, machine: str, some: Sequence[Entry], trusted: bool, tx: Transaction) -> Taken:
    known = sync_states.of(tx, [each.uid for each in some])
    news = [each for each in some if _is_news(each, known.get(each.uid))]
    if not news:
        return Taken()
    merge = _Merge(ctx, tx, noting.clock_of(tx, machine), trusted)
    for each in news:
        merge.take(each)
    merge.note_added()
    noting.keep_clock(tx, merge.clock)
    return merge.taken


def _is_news(entry: Entry, state: SyncState | None) -> bool:
    if state is None:
        return True
    if state.state == PURGED or (entry.state == SAME and entry.same == state.same):
        return False
    return entry.stamp != state.stamp or any(state.seen.get(each, "") < last for each, last in entry.seen.items())


class _Merge:
    """Entries that are taken in within one transaction."""

    def __init__(self, ctx: Context, tx: Transaction, clock: Clock, trusted: bool) -> None:
        self.ctx, self.tx, self.clock, self.trusted = ctx, tx, clock, trusted
        self.taken = Taken()
        self.new: list[Record] = []
        self.related: list[Edge] = []

    def note_added(self) -> None:
        """Note for an undo what is new."""
        if self.new:
            first, ids = self.new[0], [each.id for each in self.new]
            undo.note(self.ctx, self.tx, undo.Added(first.key, first.namespace, records=ids))
        if self.related:
            undo.note(self.ctx, self.tx, undo.Added("", "", edges=self.related))

    def take(self, entry: Entry) -> None:
        """Take in one entry, or note it among those that wait, or why it is refused."""
        if entry.stamp:
            self.clock.observe(entry.stamp)
        root = self._root(entry.uid)
        state = self._state(root)
        if state is not None and state.state == PURGED:
            return
        if entry.state == PURGED:
            self.taken.purge.append(root)
        elif entry.state == SAME:
            self._unite(root, self._root(entry.same), entry.part)
        elif entry.part == RECORD:
            self._take_record(entry, root)
        else:
            self._take_edge(entry, root)

    # --- Records ---

    def _take_record(self, entry: Entry, root: str) -> None:
        record = None
        if entry.state == HERE:
            try:
                record = self._placed(entry, contents.to_record(self.ctx, entry.content, root, trusted=self.trusted))
            except InvalidInput as error:
                self.taken.refused.append(f"{entry.uid}: {error}")
                return
            if record is None:
                self.taken.waiting.append(entry)
                return
            record = replace(record, replaced=record.replaced or self._is_replaced(root))
            while (twin := self._twin(record, root)) is not None:
                root = self._unite(root, self._noted(twin).uid, RECORD)
            record = replace(record, uid=root)
        state = self._fresh(root)
        if state is None:
            self._write(entry, record, None, root, seen_with(entry.stamp, entry.seen))
        elif state.state != PURGED:
            self._weigh(entry, record, root, state)

    def _weigh(self, entry: Entry, record: Record | None, root: str, state: SyncState) -> None:
        """Let the later one of two states hold, and keep both where neither machine knew of the other's."""
        seen = seen_with(max(entry.stamp, state.stamp), entry.seen, state.seen)
        apart = not knows(entry.seen, state.stamp) and not knows(state.seen, entry.stamp)
        if apart:
            here = self._row(state) if state.state == HERE else None
            if record is not None and here is not None and self._join(record, here, entry.stamp, state, seen):
                return
            self._name_conflict(entry, state, record, here)
        if entry.stamp > state.stamp:
            self._write(entry, record, state, root, seen)
            return
        if apart and record is not None:
            self._keep_loser(record, state)
        sync_states.put(self.tx, [replace(state, seen=seen)])

    def _placed(self, entry: Entry, record: Record) -> Record | None:
        """Return a chunk in the session of its document; None where that is not here."""
        of = entry.content.get("document")
        if record.kind != "chunk" or of is None:
            return record
        state = self._fresh(self._root(str(of)))
        if state is None or state.state != HERE:
            return None
        return replace(record, session=documents.session_of(self._row(state).key))

    def _is_replaced(self, uid: str) -> bool:
        """Return whether a relation here says that a record is replaced: that holds against what an entry says."""
        state = self._state(uid)
        row = state.local_id if state is not None and state.state == HERE else 0
        return bool(row) and any((edges.replaces(edge) or (0,))[0] == row for edge in edges.of_records(self.tx, [row]))

    def _twin(self, record: Record, uid: str) -> Record | None:
        """Return what is the same thing under another uid: by its id, text or signature, in its namespace."""
        found = [each for each in records.by_key(self.tx, record.key) if record.key and each.kind == record.kind]
        if record.kind == "memory" and not record.replaced:
            same = records.by_content(self.tx, record.namespace, record.content_hash)
            found += [same] if same is not None else []
        if record.kind == solutions.FAILURE and record.content_hash:
            found += solutions.by_signatures(self.tx, [record.content_hash])
        state = self._state(uid)
        own = state.local_id if state is not None and state.state == HERE else 0
        return next((each for each in found if each.namespace == record.namespace and each.id != own), None)

    def _write(self, entry: Entry, record: Record | None, state: SyncState | None, uid: str, seen: Seen) -> None:
        """Bring a record into the state of an entry."""
        digest, row = "", 0
        if record is not None:
            row = self._put(record, state)
            digest = contents.digest(entry.content)
        elif state is not None and state.state == HERE:
            old = self._row(state)
            self._note_document(old)
            trash.delete(self.ctx, self.tx, old)
            self.taken.deleted += 1
        kind = HERE if record is not None else DELETED
        sync_states.put(self.tx, [SyncState(uid, RECORD, kind, row, digest=digest, stamp=entry.stamp, seen=seen)])

    def _put(self, record: Record, state: SyncState | None) -> int:
        """Store a record, or give its row what it says; return the row."""
        old = self._row(state) if state is not None and state.state == HERE else None
        new = self._numbered(record) if old is None else self._over(old, record)
        others = self._named(new)
        is_named = all((each.updated, each.uid) < (new.updated, new.uid) for each in others)
        if is_named:
            self._remove(others)  # first: an undo restores the last first, and a name is one document's
        stored = new if is_named else replace(new, label="")
        if old is None:
            stored = insert.add(self.ctx, self.tx, stored)
            self.taken.added += 1
            self.new.append(stored)
        else:
            trash.keep(self.ctx, self.tx, old, "update")
            sync_states.overwrite_record(self.tx, stored)
            insert.index_words(self.ctx, self.tx, stored)
            self.taken.changed += 1
        self._note_document(stored)
        if not is_named:
            self._remove([stored])
        return stored.id

    def _over(self, old: Record, record: Record) -> Record:
        """Return a record as it is to be stored in the row of its state here."""
        new = replace(record, id=old.id, key=record.key or old.key, origin=old.origin)
        if record.kind == chats.MESSAGE and not record.key:
            new = replace(new, metadata={**new.metadata, "number": chats.number_of(old)})
        return new

    def _note_document(self, record: Record) -> None:
        if record.kind == "document":
            self.taken.documents.add(record.key)
        elif record.kind == "chunk" and record.session.startswith(documents.session_of("")):
            self.taken.documents.add(documents.key_of(record.session))

    def _numbered(self, record: Record) -> Record:
        """Return a new record with a number of this store, if its kind has numbers."""
        if record.key:
            return record
        (number,) = numbers.take(self.ctx, self.tx, 1)
        if record.kind != chats.MESSAGE:
            return replace(record, key=str(number))
        return replace(record, key=chats.key_of(number), metadata={**record.metadata, "number": number})

    def _named(self, record: Record) -> list[Record]:
        """Return other documents of a document's name: of a project, a name stands for one."""
        if record.kind != "document" or not record.label:
            return []
        found = documents.named(self.tx, record.label)
        return [each for each in found if each.namespace == record.namespace and each.id != record.id]

    def _remove(self, some: Iterable[Record]) -> None:
        """Delete documents, of whose name there is a newer one, with their chunks."""
        for document in some:
            going = [each.id for each in documents.chunks(self.tx, document.key)]
            trash.delete_all(self.ctx, self.tx, [*going, document.id])
            self.taken.deleted += 1 + len(going)

    def _join(self, record: Record, here: Record, stamp: str, state: SyncState, seen: Seen) -> bool:
        """Put the observations of two states of an entity together; False where one has all, and for other kinds."""
        if not record.kind == here.kind == "entity":
            return False
        later, earlier = (record, here) if stamp > state.stamp else (here, record)
        both = entity_fields.joined(earlier=later, current=earlier)
        if both is later:
            return False
        both = replace(both, updated=max(record.updated, here.updated))
        row = self._put(replace(both, uid=state.uid), state)
        digest = contents.digest(contents.of_record(both, {}))
        new = joined(max(stamp, state.stamp), digest)
        sync_states.put(
            self.tx,
            [SyncState(state.uid, RECORD, HERE, row, digest=digest, stamp=new, seen=seen_with(new, seen))],
        )
        return True

    def _keep_loser(self, record: Record, state: SyncState) -> None:
        """Keep what another machine said, and a later state of this one holds against, in the trash and the history."""
        if state.state != HERE:
            return
        here = self._row(state)
        lost = replace(record, id=here.id, key=here.key, replaced=here.replaced)
        trash.keep(self.ctx, self.tx, lost, "update", self_contained=True)

    def _name_conflict(self, entry: Entry, state: SyncState, record: Record | None, here: Record | None) -> None:
        """Name what both machines changed, or one of them deleted; it is named where the two states meet first."""
        known = here or record
        if known is None or (here is not None and contents.says_the_same(entry.content, here)):
            return
        is_deleted = record is None or here is None
        what = "deleted on one machine and changed on another" if is_deleted else "changed on two machines"
        holds = entry.stamp > state.stamp
        by = "another machine's" if holds else "this machine's"
        kept = "" if holds or here is not None else ", whose history has the change"
        self.taken.conflicts.append(f"{known.kind} {known.key or entry.uid}: {what}{kept}; {by} is newer and holds")

    # --- One thing under two names ---

    def _unite(self, one: str, other: str, part: str) -> str:
        """Make two uids one, the lower; return it."""
        if one == other:
            return one
        keep, drop = sorted((one, other))
        kept, dropped = self._fresh(keep), self._fresh(drop)
        sync_states.put(self.tx, [SyncState(drop, part, SAME, same=keep)])
        if any(state is not None and state.state == PURGED for state in (kept, dropped)):
            self.taken.purge.append(keep)
        if dropped is None or dropped.state == PURGED:
            return keep
        if kept is None:
            if dropped.state == HERE:
                sync_states.rename(self.tx, part, dropped.local_id, keep)
            sync_states.put(self.tx, [replace(dropped, uid=keep)])
        elif kept.state != PURGED:
            later = max(kept, dropped, key=lambda state: state.stamp)
            row = (self._one_record if part == RECORD else self._one_edge)(kept, dropped, later)
            seen = seen_with(later.stamp, kept.seen, dropped.seen)
            sync_states.put(self.tx, [replace(later, uid=keep, local_id=row, seen=seen)])
        return keep

    def _one_record(self, kept: SyncState, dropped: SyncState, later: SyncState) -> int:
        """Leave one row of two, which says what the later state said; return it, 0 where that was deleted."""
        rows = [self._row(state) for state in (kept, dropped) if state.state == HERE]
        if later.state != HERE:
            for record in rows:
                trash.delete(self.ctx, self.tx, record)
            return 0
        if len(rows) == 1:
            sync_states.rename(self.tx, RECORD, rows[0].id, kept.uid)
            return rows[0].id
        stays, goes = rows
        self._move_relations(goes.id, stays.id)
        trash.delete(self.ctx, self.tx, goes)
        if later is dropped:
            trash.keep(self.ctx, self.tx, stays, "update")
            new = replace(goes, id=stays.id, uid=stays.uid, replaced=stays.replaced)
            sync_states.overwrite_record(self.tx, new)
            insert.index_words(self.ctx, self.tx, new)
        return stays.id

    def _move_relations(self, source: int, to: int) -> None:
        for edge in edges.of_records(self.tx, [source]):
            ends = [to if end == source else end for end in (edge.source, edge.target)]
            moved = replace(edge, source=ends[0], target=ends[1])
            if ends[0] != ends[1] and edges.find(self.tx, moved.source, moved.target, moved.relation) is None:
                sync_states.overwrite_edge(self.tx, moved)

    # --- Relations ---

    def _take_edge(self, entry: Entry, root: str) -> None:
        edge = None
        if entry.state == HERE:
            ends = [self._fresh(self._root(str(entry.content.get(side)))) for side in ("source", "target")]
            if any(end is None or end.state != HERE for end in ends):
                self.taken.waiting.append(entry)
                return
            source, target = (end.local_id for end in ends if end is not None)
            try:
                edge = contents.to_edge(entry.content, root, source, target)
            except InvalidInput as error:
                self.taken.refused.append(str(error))
                return
            twin = edges.find(self.tx, source, target, edge.relation)
            own = self._state(root)
            if twin is not None and (own is None or own.local_id != twin.id):
                root = self._unite(root, self._noted_edge(twin).uid, EDGE)
                edge = replace(edge, uid=root)
        state = self._fresh(root)
        stamp = max(entry.stamp, state.stamp if state is not None else "")
        seen = seen_with(stamp, entry.seen, state.seen if state is not None else {})
        if state is None or entry.stamp > state.stamp:
            row = self._put_edge(edge, state)
            digest = contents.digest(entry.content) if edge is not None else ""
            kind = HERE if row else DELETED
            sync_states.put(self.tx, [SyncState(root, EDGE, kind, row, digest=digest, stamp=stamp, seen=seen)])
        else:
            sync_states.put(self.tx, [replace(state, seen=seen)])

    def _put_edge(self, edge: Edge | None, state: SyncState | None) -> int:
        """Bring a relation into a state, None for deleted; return its row, 0 for none."""
        there = self._edge_of(state) if state is not None and state.state == HERE else None
        if edge is None:
            if there is not None:
                trash.keep_edge(self.ctx, self.tx, there, records.by_ids(self.tx, [there.source])[there.source])
                edges.delete(self.tx, there)
                self.taken.relations += 1
            return 0
        self.taken.relations += 1
        if there is not None:
            sync_states.overwrite_edge(self.tx, replace(edge, id=there.id, origin=there.origin))
            return there.id
        edges.add(self.tx, edge)
        added = edges.find(self.tx, edge.source, edge.target, edge.relation)
        if added is None:
            raise RuntimeError(f"relation {edge.uid} was added and is not there")
        self.related.append(added)
        return added.id

    def _one_edge(self, kept: SyncState, dropped: SyncState, later: SyncState) -> int:
        """Leave one row of two as `_one_record` does."""
        rows = [edge for state in (kept, dropped) if state.state == HERE and (edge := self._edge_of(state))]
        for edge in rows[1:] if later.state == HERE else rows:
            edges.delete(self.tx, edge)
        if later.state != HERE:
            return 0
        of_later = rows[-1] if later is dropped else rows[0]
        sync_states.overwrite_edge(self.tx, replace(of_later, id=rows[0].id, uid=kept.uid))
        return rows[0].id

    # --- What is here ---

    def _root(self, uid: str) -> str:
        """Return the uid that a uid is only another name of, at the end."""
        while True:
            state = self._state(uid)
            if state is None or state.state != SAME:
                return uid
            uid = state.same

    def _state(self, uid: str) -> SyncState | None:
        return sync_states.of(self.tx, [uid]).get(uid)

    def _fresh(self, uid: str) -> SyncState | None:
        """Return the state of a uid, noted now if it was changed or deleted here since it was noted last."""
        state = self._state(uid)
        if state is None or state.state != HERE:
            return state
        if state.part == EDGE:
            ended = sync_states.edges_of(self.tx, [state.local_id]).get(state.local_id)
            there = ended is not None and ended.edge.uid == uid
            digest = contents.digest(contents.of_edge(ended)) if ended is not None and there else ""
        else:
            record = records.by_ids(self.tx, [state.local_id]).get(state.local_id)
            there = record is not None and record.uid == uid
            digest = self._digest(record) if record is not None and there else ""
        if digest == state.digest:
            return state
        return self._note(Change(uid, state.part, state.local_id if there else 0, digest, self._now))

    def _digest(self, record: Record) -> str:
        return contents.digest(contents.of_records(self.tx, [record])[record.id])

    @property
    def _now(self) -> int:
        return self.ctx.now()

    def _noted(self, record: Record) -> SyncState:
        """Return the state of a record that is here, noted now if it was not."""
        state = self._fresh(record.uid)
        if state is not None and state.local_id == record.id:
            return state
        change = Change(record.uid, RECORD, record.id, self._digest(record), self._now)
        return self._note(change if state is None else noting.renamed(self.tx, change))

    def _noted_edge(self, edge: Edge) -> SyncState:
        state = self._fresh(edge.uid)
        if state is not None and state.local_id == edge.id:
            return state
        ended = sync_states.edges_of(self.tx, [edge.id])[edge.id]
        change = Change(edge.uid, EDGE, edge.id, contents.digest(contents.of_edge(ended)), self._now)
        return self._note(change if state is None else noting.renamed(self.tx, change))

    def _note(self, change: Change) -> SyncState:
        state = noting.stamped(self.clock, change, self._state(change.uid))
        sync_states.put(self.tx, [state])
        return state

    def _row(self, state: SyncState) -> Record:
        return records.by_ids(self.tx, [state.local_id])[state.local_id]

    def _edge_of(self, state: SyncState) -> Edge | None:
        ended = sync_states.edges_of(self.tx, [state.local_id]).get(state.local_id)
        return None if ended is None else ended.edge
