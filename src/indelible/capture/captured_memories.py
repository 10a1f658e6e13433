"""Captured memories of a session, updated from its events after each turn.

Each capture leaves a mark beside the events of its session: deleted captures do not come back, changed or promoted ones
stay as they are, and untouched ones are updated in place. A `bulk` call, the import of transcripts, can be undone: it
notes what it adds and keeps what it changes. What an undo took back, another import captures again.
"""

import logging
import os
import uuid
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from indelible import git, hook_settings
from indelible.capture.hook_events import event_of
from indelible.core.context import checkout
from indelible.core.context.context import Context
from indelible.core.context.quota import size_of
from indelible.core.records import insert, trust, undo
from indelible.core.records import trash as records_trash
from indelible.core.records.trust import is_confirmed
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.model import MEMORY_TYPES, Record
from indelible.project import locate
from indelible.sanitize.validate import admit, is_blank
from indelible.search.statements import repeated
from indelible.store.database import Transaction
from indelible.store.tables import activity, edges, purge, records, trash
from indelible.store.tables.activity import Activity, Mark, Place
from indelible.store.views import brief

if TYPE_CHECKING:
    from indelible.extraction.extraction import Capture

# Imported late (start, cli): indelible.extraction.extraction, indelible.source.tree.files

log = logging.getLogger("indelible")

WINDOW = 2_000  # newest events of a session that captures are made of
OWN_LOOKED_AT, READ = 200, 200  # newest words of a person that are compared, and characters more than the statement has
STRONGER, MOST_IMPORTANT = 0.05, 0.95  # importance for each time that a statement is said again
CLOSING = ("prompt", "turn_ended", "compacting", "session_ended")  # events up to which a session is looked at
ALL = ("session_started", "tool", *CLOSING)
RECENT = 2 * 86_400 * 1_000_000  # microseconds before a session in which one that was killed is looked for
LEFT, LEFT_CALLS = 10, 200  # how many of them, and newest calls of the project by which they are found
NOW = 15 * 60 * 1_000_000  # microseconds after an event in which its directory is taken to be as it was
IDS = uuid.UUID("6a0f5f0e-6d5b-5d0c-9c55-0f5f5ad3a6f1")  # captures of one session and key have one id
# Errors of a rule on an unforeseen text: they cost the captures of a session, not the drain.
ACCIDENTS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class _Made:
    """A capture as a memory to be stored, and the hash of the whole capture."""

    key: str
    record: Record
    digest: str


@dataclass(frozen=True, slots=True)
class _Seen:
    """The events of a session from which captures are made, and the marks of its earlier captures."""

    rows: list[Activity]
    marks: dict[str, Mark]

    @property
    def last(self) -> Activity:
        return self.rows[-1]


def memory_key(session: str, capture: str) -> str:
    """Return the id of the memory of a capture, by its session and its key there."""
    return str(uuid.uuid5(IDS, f"{session}\n{capture}"))


def renew(ctx: Context, session: str, since: Place, left_before: int = 0) -> int:
    """Update the captured memories of a session from its events; return how many were added, renewed or withdrawn.

    Only events up to the last end of a turn or the last prompt count, and only if there are new ones `since` an event:
    a running turn brings an event each second. Of a session that has none since the time `left_before` all count.
    """
    with ctx.store.read() as tx:
        end = activity.last_of(tx, session, CLOSING)
        if left_before:
            last = activity.last_of(tx, session, ALL)
            if last is None or last == end or last[0] >= left_before:
                return 0
            end = last
        if end is None or end < since:
            return 0
        purged = purge.marked(tx)
        rows = activity.of_session(tx, session, end, WINDOW)
        seen = _Seen(rows, _marks(ctx, tx, session))
    found = _captures(ctx, seen.rows)
    if found is None:
        return 0
    made = {each.key: each for each in (_made(ctx, seen.last, capture) for capture in found) if each is not None}
    new = [each for each in made.values() if _differs(seen.marks.get(each.key), each)]
    obsolete = [key for key, mark in seen.marks.items() if mark.own and key not in made]
    if not new and not obsolete:
        return 0

    def work(tx: Transaction) -> int:
        if purge.marked(tx) != purged:  # it may be of what is purged since
            return 0
        withdrawn = sum(_withdraw(ctx, tx, seen, key) for key in obsolete)
        return withdrawn + sum(_keep(ctx, tx, seen.last, each) for each in new)

    return ctx.write(work)


def renew_left(ctx: Context, began: Activity) -> int:
    """Update the captured memories of the sessions that nobody ended before another one of their project began.

    They were killed in the middle of a turn: no event will say that it ended. Returns how many memories that were.
    """
    with ctx.store.read() as tx:
        calls = activity.newest_calls(tx, began.namespace, began.time - RECENT, LEFT_CALLS)
    left = [session for session in dict.fromkeys(call.session for call in calls) if session != began.session][:LEFT]
    return sum(renew(ctx, session, (0, ""), left_before=began.time) for session in left)


def _marks(ctx: Context, tx: Transaction, session: str) -> dict[str, Mark]:
    """Return the marks of a session's captures, without those whose memory another session withdrew since.

    Such a capture belonged to a memory of another session, and is to be stored again for this one. An import stores
    again what the undo of an earlier one took back.
    """
    marks = activity.marks(tx, session)
    taken_back = {key for key, mark in marks.items() if ctx.call.bulk and _is_taken_back(tx, mark.memory)}
    return {
        key: mark
        for key, mark in marks.items()
        if key not in taken_back and (mark.own or not _is_withdrawn(ctx, tx, mark.memory))
    }


def _is_taken_back(tx: Transaction, memory: str) -> bool:
    """Whether an undo deleted the memory last."""
    if not memory or records.by_key(tx, memory):
        return False
    deletions = (each for each in trash.of_key(tx, memory) if each.action == "delete")
    return next((each.reverses == trash.REVERSES for each in deletions), False)


def _is_withdrawn(ctx: Context, tx: Transaction, memory: str) -> bool:
    return bool(memory) and not records.by_key(tx, memory) and not trash.of_key(tx, memory)


def _captures(ctx: Context, rows: Sequence[Activity]) -> "list[Capture] | None":
    """Return the captures of a session, None if a rule fails on its texts."""
    from indelible.extraction.extraction import captures  # its expressions are needed only where there are events

    try:
        return captures([event_of(row) for row in rows], lambda directory: _top(ctx, directory), _repository)
    except ACCIDENTS as error:
        log.exception("capture", extra={"key": "accident", "message_text": type(error).__name__}, exc_info=error)
        return None


def _top(ctx: Context, directory: str) -> str:
    """Return the top of the worktree or clone around a directory, by which its files have one name, else itself.

    A repository of the whole home directory is none: what is below is projects of their own.
    """
    from indelible.source.tree.files import repository_top

    top = repository_top(Path(directory)) if os.path.isabs(directory) else None
    return str(top) if top is not None and locate(None, {}, top, ctx.settings.home) is not None else directory


def _repository(top: str) -> str:
    """Return what the worktrees of a repository share, of the top of one; "" for any other directory."""
    return git.shared_directory(top) if os.path.lexists(os.path.join(top, ".git")) else ""


def _made(ctx: Context, last: Activity, capture: "Capture") -> _Made | None:
    """Return the validated memory of a capture; None for one that is blank or cannot be stored."""
    given = {"content": capture.content, "tags": list(capture.tags), "metadata": dict(capture.metadata)}
    try:
        clean, _ = admit(given, "capture")
    except InvalidInput as error:
        log.warning("capture", extra={"key": error.code, "message_text": str(error)})
        return None
    if is_blank(clean["content"]):
        return None
    created = _began(capture) or capture.time or last.time
    record = insert.new(
        ctx,
        "memory",
        clean["content"],
        key=memory_key(last.session, capture.key),
        type=capture.memory_type if capture.memory_type in MEMORY_TYPES else "context",
        namespace=last.namespace,
        tags=tuple(clean["tags"]),
        metadata={
            **clean["metadata"],
            "origin": "capture",
            "trust": trust.UNTRUSTED,
            "captured": capture.kind,
            "client": last.client,
            "session": last.session.removeprefix(f"{last.client}:"),
            **({trust.TYPED_BY: hook_settings.person(ctx.settings.database)} if capture.own else {}),
        },
        importance=min(1.0, max(0.0, capture.importance)),
        confidence=trust.CAPTURED_CONFIDENCE,
        content_hash=insert.content_hash(clean["content"]),
        session=last.session,
        position=created,
        created=created,
        updated=max(created, capture.time),
    )
    whole = records.dump([record.text, record.type, record.tags, record.metadata, record.importance])
    return _Made(capture.key, record, sha256(whole.encode()).hexdigest())


def _began(capture: "Capture") -> int:
    """Return when a session began, for the capture of a whole session; 0 for other captures."""
    started = capture.metadata.get("started")
    return started if isinstance(started, int) and not isinstance(started, bool) and started > 0 else 0


def _differs(known: Mark | None, made: _Made) -> bool:
    return known is None or known.digest != made.digest


def _keep(ctx: Context, tx: Transaction, of: Activity, made: _Made) -> bool:
    """Store a capture, or update the memory made of it if no caller has changed that; return whether it was written.

    Deleted, changed and promoted memories stay so. If a current memory of the project has the content already, the mark
    refers to that one.
    """
    known = _marks(ctx, tx, of.session).get(made.key)  # another process may have come first
    if not _differs(known, made):
        return False
    twin = records.by_content(tx, of.namespace, made.record.content_hash) or _said_before(tx, of, made.record)
    if known is not None and known.own:
        own = _own(tx, known)
        if own is None or (twin is not None and twin.id != own.id):
            return False
        _renew(ctx, tx, own, _on_branch(ctx, of, made.record))
        mark = Mark(own.key, made.digest, own=True)
    elif twin is not None:
        if known is None:
            _strengthen(ctx, tx, twin)
        mark = Mark(twin.key, made.digest, own=False)
    else:
        mark = Mark(_add(ctx, tx, replace(made, record=_on_branch(ctx, of, made.record))), made.digest, own=True)
    activity.mark(tx, of, made.key, mark, ctx.now())
    return mark.own


def _on_branch(ctx: Context, of: Activity, record: Record) -> Record:
    """Return a captured memory with what was checked out in the session's directory, if the session is of now."""
    directory = of.detail.get("cwd")
    if not isinstance(directory, str) or not os.path.isabs(directory) or abs(ctx.now() - of.time) > NOW:
        return record
    then = git.head_at(directory, record.updated // 1_000_000)  # the branch may have been changed since
    return replace(record, metadata={**record.metadata, **checkout.noted(then)})


def _said_before(tx: Transaction, of: Activity, record: Record) -> Record | None:
    """Return what the same person said in nearly the same words in another session of the project, if anything."""
    person = record.metadata.get(trust.TYPED_BY)
    if not person or record.metadata["captured"] not in trust.STATED:
        return None
    found = brief.own_words(tx, [of.namespace], str(person), OWN_LOOKED_AT, len(record.text) + READ)
    alike = (each for each in found if each.captured in trust.STATED and each.session != of.session)
    same = next((each for each in alike if repeated.say_the_same(each.text, record.text)), None)
    return None if same is None else records.by_ids(tx, [same.id]).get(same.id)


def _strengthen(ctx: Context, tx: Transaction, twin: Record) -> None:
    """Note that a captured statement that nobody reviewed was said once more: it counts for more among its like."""
    if is_confirmed(twin) or twin.metadata.get("captured") not in trust.STATED:
        return
    said = twin.metadata.get("said")
    times = (said if isinstance(said, int) and not isinstance(said, bool) else 1) + 1
    importance = min(MOST_IMPORTANT, twin.importance + STRONGER)
    _update(ctx, tx, twin, replace(twin, metadata={**twin.metadata, "said": times}, importance=importance))


def _own(tx: Transaction, known: Mark) -> Record | None:
    """Return the memory made of a capture if it is unchanged since, else None."""
    current = (each for each in records.by_key(tx, known.memory) if each.kind == "memory" and not each.replaced)
    return next((each for each in current if not is_confirmed(each)), None)


def _renew(ctx: Context, tx: Transaction, old: Record, new: Record) -> None:
    """Update a captured memory; its branch stays where that of now is not known."""
    known = {name: old.metadata[name] for name in (checkout.KEY,) if name in old.metadata}
    metadata = {**known, **new.metadata}
    new = replace(new, id=old.id, key=old.key, created=old.created, position=old.position, metadata=metadata)
    _update(ctx, tx, old, new)


def _update(ctx: Context, tx: Transaction, old: Record, new: Record) -> None:
    """Change a memory. Its old state can be derived again, and is kept only where an import changes it."""
    if ctx.call.bulk:
        records_trash.overwrite(ctx, tx, old, new)
        return
    ctx.take_room(tx, 0, lambda: size_of([new]) - size_of([old]))
    records.update(tx, new)
    if (new.text, new.tags) != (old.text, old.tags):
        insert.index_words(ctx, tx, new)


def _add(ctx: Context, tx: Transaction, made: _Made) -> str:
    """Store a new memory and return its id, which differs from that of a deleted one, so that this can be restored."""
    record = made.record
    if trash.of_key(tx, record.key) or records.by_key(tx, record.key):
        record = replace(record, key=str(uuid.uuid4()))
    record = insert.add(ctx, tx, record)
    if ctx.call.bulk:
        undo.note(ctx, tx, undo.Added(record.key, record.namespace, records=[record.id]))
    return record.key


def _withdraw(ctx: Context, tx: Transaction, seen: _Seen, key: str) -> bool:
    """Remove a memory whose words the user took back in the next message; return whether it was removed.

    It stays if its events are no longer read, or if a caller changed or related it.
    """
    known = activity.marks(tx, seen.last.session).get(key)
    own = _own(tx, known) if known is not None and known.own else None
    if own is None or own.created < seen.rows[0].time:
        return False
    if not all(map(edges.is_derived, edges.of_records(tx, [own.id]))):
        return False
    records.delete(tx, own.id)
    activity.mark(tx, seen.last, key, Mark("", "", own=False), ctx.now())
    return True
