"""Memories of what can be captured of a session, brought in step with its events after each turn.

Each thing that was captured leaves a mark beside the events of its session: what somebody deleted does not come back,
what somebody changed or promoted stays as it is, and what was not touched is renewed in its place.
"""

import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from indelible.capture.hook_events import event_of
from indelible.core.context.context import Context
from indelible.core.records import insert, trust
from indelible.core.records.trust import is_confirmed
from indelible.errors import InvalidInput
from indelible.model import MEMORY_TYPES, Record
from indelible.sanitize.validate import admit, is_blank
from indelible.search import tokens
from indelible.store.database import Transaction
from indelible.store.tables import activity, edges, purge, records, trash
from indelible.store.tables.activity import Activity, Mark, Place

if TYPE_CHECKING:
    from indelible.extraction.extraction import Capture

log = logging.getLogger("indelible")

WINDOW = 2_000  # newest events of a session that captures are made of
CLOSING = ("prompt", "turn_ended", "compacting", "session_ended")  # events up to which a session is looked at
IDS = uuid.UUID("6a0f5f0e-6d5b-5d0c-9c55-0f5f5ad3a6f1")  # captures of one session and key have one id
# What a rule may stumble over in a text that nobody foresaw: it costs the captures of a session, not the drain.
ACCIDENTS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class _Made:
    """A capture as a memory to be, and the hash of all that is captured of it."""

    key: str
    record: Record
    digest: str


@dataclass(frozen=True, slots=True)
class _Seen:
    """The events of a session that captures were made of, and what had become of its captures before."""

    rows: list[Activity]
    marks: dict[str, Mark]

    @property
    def last(self) -> Activity:
        return self.rows[-1]


def renew(ctx: Context, session: str, since: Place) -> int:
    """Bring the memories of a session in step with what can be captured of it; how many were made, renewed, withdrawn.

    Only what is up to the last end of a turn, or the last prompt, is looked at, and only where that has changed `since`
    an event: a turn that runs brings an event each second.
    """
    with ctx.store.read() as tx:
        end = activity.last_of(tx, ctx.tenant, session, CLOSING)
        if end is None or end < since:
            return 0
        purged = purge.marked(tx, ctx.tenant)
        rows = activity.of_session(tx, ctx.tenant, session, end, WINDOW)
        seen = _Seen(rows, _marks(ctx, tx, session))
    found = _captures(seen.rows)
    if found is None:
        return 0
    made = {each.key: each for each in (_made(ctx, seen.last, capture) for capture in found) if each is not None}
    new = [each for each in made.values() if _differs(seen.marks.get(each.key), each)]
    gone = [key for key, mark in seen.marks.items() if mark.own and key not in made]
    if not new and not gone:
        return 0

    def work(tx: Transaction) -> int:
        if purge.marked(tx, ctx.tenant) != purged:  # it may be of what is purged since
            return 0
        withdrawn = sum(_withdraw(ctx, tx, seen, key) for key in gone)
        return withdrawn + sum(_keep(ctx, tx, seen.last, each) for each in new)

    return ctx.write(work)


def _marks(ctx: Context, tx: Transaction, session: str) -> dict[str, Mark]:
    """What became of each capture of a session, but for those that a memory stood for which is withdrawn since.

    That was captured of another session, which took its words back: what this one says is to be captured then.
    """
    marks = activity.marks(tx, ctx.tenant, session)
    return {key: mark for key, mark in marks.items() if mark.own or not _is_withdrawn(ctx, tx, mark.memory)}


def _is_withdrawn(ctx: Context, tx: Transaction, memory: str) -> bool:
    return bool(memory) and not records.by_key(tx, ctx.tenant, memory) and not trash.of_key(tx, ctx.tenant, memory)


def _captures(rows: Sequence[Activity]) -> "list[Capture] | None":
    """What can be captured, None where a rule stumbles."""
    from indelible.extraction.extraction import captures  # its expressions, which nobody needs who has no events

    try:
        return captures([event_of(row) for row in rows])
    except ACCIDENTS as error:
        log.exception("capture", extra={"key": "accident", "message_text": type(error).__name__}, exc_info=error)
        return None


def _made(ctx: Context, last: Activity, capture: "Capture") -> _Made | None:
    """The memory of a capture, admitted as any other; None for one that shows nothing or cannot be stored."""
    given = {"content": capture.content, "tags": list(capture.tags), "metadata": dict(capture.metadata)}
    try:
        clean, _ = admit(given, "capture")
    except InvalidInput as error:
        log.warning("capture", extra={"key": error.code, "message_text": str(error)})
        return None
    if is_blank(clean["content"]):
        return None
    created = _began(capture) or capture.time or last.time
    record = Record(
        key=str(uuid.uuid5(IDS, f"{last.session}\n{capture.key}")),
        kind="memory",
        type=capture.memory_type if capture.memory_type in MEMORY_TYPES else "context",
        text=clean["content"],
        tenant=ctx.tenant,
        namespace=last.namespace,
        tags=tuple(clean["tags"]),
        metadata={
            **clean["metadata"],
            "origin": "capture",
            "trust": trust.UNTRUSTED,
            "captured": capture.kind,
            "client": last.client,
            "session": last.session.removeprefix(f"{last.client}:"),
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
    """When a session began, whose capture is renewed with each turn; 0 of other captures."""
    told = capture.metadata.get("started")
    return told if isinstance(told, int) and not isinstance(told, bool) and told > 0 else 0


def _differs(known: Mark | None, made: _Made) -> bool:
    return known is None or known.digest != made.digest


def _keep(ctx: Context, tx: Transaction, of: Activity, made: _Made) -> bool:
    """Store a capture, or renew the memory that was made of it as long as nobody but us has had a hand in that.

    What somebody deleted, changed or promoted stays so. What a current memory of the project says already is that one.
    """
    known = _marks(ctx, tx, of.session).get(made.key)  # another process may have come first
    if not _differs(known, made):
        return False
    twin = records.by_content(tx, ctx.tenant, of.namespace, made.record.content_hash)
    if known is not None and known.own:
        own = _own(tx, ctx.tenant, known)
        if own is None or (twin is not None and twin.id != own.id):
            return False
        _renew(ctx, tx, own, made)
        mark = Mark(own.key, made.digest, own=True)
    elif twin is not None:
        mark = Mark(twin.key, made.digest, own=False)
    else:
        mark = Mark(_add(ctx, tx, made), made.digest, own=True)
    activity.mark(tx, ctx.tenant, of, made.key, mark, ctx.now())
    return mark.own


def _own(tx: Transaction, tenant: int, known: Mark) -> Record | None:
    """The memory that was made of a capture, as long as it is only that."""
    current = (each for each in records.by_key(tx, tenant, known.memory) if each.kind == "memory" and not each.replaced)
    return next((each for each in current if not is_confirmed(each)), None)


def _renew(ctx: Context, tx: Transaction, old: Record, made: _Made) -> None:
    """Bring a captured memory up to date. Its old state is not kept: nobody wrote it, and it can be made again."""
    new = replace(made.record, id=old.id, key=old.key, created=old.created, position=old.position)
    records.update(tx, new)
    insert.index_words(ctx, tx, new)


def _add(ctx: Context, tx: Transaction, made: _Made) -> str:
    """Store a new memory; its id. One that is in the trash keeps its own, so that it can come back."""
    record = made.record
    if trash.of_key(tx, ctx.tenant, record.key) or records.by_key(tx, ctx.tenant, record.key):
        record = replace(record, key=str(uuid.uuid4()))
    return insert.add(ctx, tx, record, tokens.terms(record.text)).key


def _withdraw(ctx: Context, tx: Transaction, seen: _Seen, key: str) -> bool:
    """Remove a memory that was captured too early: the person took the words back in the next message.

    It stays where its events are among those not seen any more, where somebody had a hand in it, or related it.
    """
    known = activity.marks(tx, ctx.tenant, seen.last.session).get(key)
    own = _own(tx, ctx.tenant, known) if known is not None and known.own else None
    if own is None or own.created < seen.rows[0].time:
        return False
    if not all(map(edges.is_derived, edges.of_records(tx, ctx.tenant, [own.id]))):
        return False
    records.delete(tx, ctx.tenant, own.id)
    activity.mark(tx, ctx.tenant, seen.last, key, Mark("", "", own=False), ctx.now())
    return True
