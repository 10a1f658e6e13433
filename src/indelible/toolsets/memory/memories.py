"""Storing, updating and deleting memories."""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, NotRequired, TypedDict

from indelible.core.context import checkout, ids
from indelible.core.context.context import Context
from indelible.core.context.write_scope import namespace_to_write
from indelible.core.records import insert, lifetimes, past, trash
from indelible.core.records.bounds import refuse_many_tags
from indelible.core.records.insert import content_hash, new_tags
from indelible.core.records.lifetimes import UNCHANGED, Lifetime
from indelible.core.records.trust import trusted
from indelible.dataclass import dataclass
from indelible.errors import Conflict, InvalidInput, QuotaExceeded
from indelible.model import Edge, Record
from indelible.search import tokens
from indelible.store.database import Transaction
from indelible.store.tables import edges, records


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory to be stored; no namespace means the server's project."""

    content: str
    type: str = "context"
    importance: float = 0.5
    tags: Sequence[str] = ()
    namespace: str | None = None
    links: Sequence[str] = ()
    lifetime: Lifetime = UNCHANGED


class Stored(TypedDict):
    """The answer to a store or an update: `status` is stored, duplicate or updated.

    `warning` says that too many are pinned, or of an update that the memory had been replaced before.
    """

    id: str
    status: str
    content_hash: str
    warning: NotRequired[str]


def store(ctx: Context, memory: NewMemory) -> Stored:
    """Store a memory, unless its namespace has a current one of the same content, which gets the tags that are new.

    Raises NotFound for a link to an unknown id; nothing is stored then.
    """
    digest, text_terms = content_hash(memory.content), tokens.terms(memory.content)
    head = checkout.head_of(ctx)

    def add(tx: Transaction) -> Stored:
        ends = [ids.find(ctx, tx, "links", link) for link in memory.links]
        namespace = namespace_to_write(ctx, tx, memory.namespace)
        record = insert.new(
            ctx,
            "memory",
            memory.content,
            key=str(uuid.uuid4()),
            type=memory.type,
            namespace=namespace,
            tags=tuple(memory.tags),
            metadata=lifetimes.with_lifetime(ctx, checkout.noted(head), memory.lifetime),
            importance=memory.importance,
            content_hash=digest,
        )
        record = insert.add(ctx, tx, record, text_terms)
        for end in ends:
            edges.add(tx, Edge(record.id, end.id, "RELATES_TO", "RELATES_TO", 1.0, record.created))
        return _warned(ctx, tx, memory.lifetime, namespace, record.key, "stored", digest)

    def add_to_existing(tx: Transaction) -> Stored:
        namespace = namespace_to_write(ctx, tx, memory.namespace)
        existing = records.by_content(tx, namespace, digest)
        if existing is None:  # there is no room for it, or what was there has been deleted
            return add(tx)
        _store_again(ctx, tx, existing, memory)
        return _warned(ctx, tx, memory.lifetime, namespace, existing.key, "duplicate", digest)

    try:
        answer = ctx.write(add)
    except (Conflict, QuotaExceeded):  # most are new: whether one is there is asked only where it was not added
        answer = ctx.write(add_to_existing)
    ctx.call.touched.append(answer["id"])
    return answer


def _warned(
    ctx: Context, tx: Transaction, given: Lifetime, namespace: str, key: str, status: str, digest: str
) -> Stored:
    warning = lifetimes.warning(ctx, tx, namespace) if given.pinned else ""
    answer: Stored = {"id": key, "status": status, "content_hash": digest}
    return {**answer, "warning": warning} if warning else answer


def _store_again(ctx: Context, tx: Transaction, existing: Record, memory: NewMemory) -> None:
    """Add the new tags, the caller's trust and what is given of its lifetime to a memory that is stored again."""
    new = lifetimes.stored_again(ctx, trusted(ctx, existing), memory.lifetime)
    if added := new_tags(existing, memory.tags):
        refuse_many_tags([*existing.tags, *added], "what is known and this")
        new = replace(new, tags=(*existing.tags, *added), updated=ctx.now())
    if new is not existing:
        trash.overwrite(ctx, tx, existing, new)


def update(
    ctx: Context,
    key: str,
    content: str,
    importance: float | None,
    lifetime: Lifetime = UNCHANGED,
    *,
    unchanged_since: int | None = None,
) -> Stored:
    """Replace a memory's content, and its importance and lifetime if given; the old state is kept in the trash.

    Raises NotFound for an unknown id, Conflict where another memory of the namespace has that content, and where the
    memory is not as it was last changed at `unchanged_since` (microseconds since 1970 UTC; None: whatever it is).
    """
    digest, text_terms = content_hash(content), tokens.terms(content)

    def work(tx: Transaction) -> Stored:
        old = ids.find_own(ctx, tx, "id", key, "memory")
        if unchanged_since is not None and old.updated != unchanged_since:
            raise Conflict(f"memory {old.key} was changed meanwhile; look at it as it is now, then change it again")
        same = records.by_content(tx, old.namespace, digest)
        if same is not None and same.id != old.id:
            raise Conflict(
                f"content equals memory {same.key} of the same namespace; update or delete that one, or relate the two"
            )
        trusting = trusted(ctx, old)
        new = replace(
            trusting,
            text=content,
            metadata=lifetimes.with_lifetime(ctx, trusting.metadata, lifetime),
            content_hash=digest,
            importance=old.importance if importance is None else importance,
            updated=ctx.now(),
        )
        if replace(new, updated=old.updated) != old:
            trash.overwrite(ctx, tx, old, new, text_terms, revision=True)
        answer = _warned(ctx, tx, lifetime, old.namespace, old.key, "updated", digest)
        newer = past.replacing(ctx, tx, [old]).get(old.id)
        if newer is None:
            return answer
        said = (
            f"memory {old.key} was replaced by {newer} before, which is what recalls give first: update_memory that "
            "one where it is what is wrong"
        )
        return {**answer, "warning": "; ".join(filter(None, (answer.get("warning"), said)))}

    answer = ctx.write(work)
    ctx.call.touched.append(answer["id"])
    return answer


class Pinned(NamedTuple):
    """A memory or solution that is pinned or not any more; `warning` says that too many are."""

    kind: str
    id: str
    text: str
    warning: str


def pin(ctx: Context, keys: Sequence[str], *, pinned: bool) -> list[Pinned]:
    """Pin memories and solutions so that they open every brief of their project, or unpin them: all or none.

    The old states are kept in the trash. Raises NotFound and Conflict for ids, InvalidInput for another kind.
    """

    def work(tx: Transaction) -> list[Pinned]:
        found = []
        for key in keys:
            old = ids.find(ctx, tx, "ID", key)
            if old.kind not in lifetimes.KINDS:
                raise InvalidInput(f"ID {key!r} is a {old.kind}; only {' and '.join(lifetimes.KINDS)} can be pinned")
            metadata = lifetimes.with_lifetime(ctx, old.metadata, Lifetime(pinned=pinned))
            new = replace(trusted(ctx, replace(old, metadata=metadata)), updated=ctx.now())
            if metadata != old.metadata:
                trash.overwrite(ctx, tx, old, new)
            found.append(new)
        names = {each.namespace for each in found} if pinned else set()
        warnings = {name: lifetimes.warning(ctx, tx, name) for name in names}
        return [Pinned(each.kind, ids.shown(each), each.text, warnings.get(each.namespace, "")) for each in found]

    done = ctx.write(work)
    ctx.call.touched.extend(each.id for each in done)
    return done


def delete(ctx: Context, key: str) -> str:
    """Move a memory with its relations to the trash and return its id. Raises NotFound."""

    def work(tx: Transaction) -> str:
        record = ids.find_own(ctx, tx, "id", key, "memory")
        trash.delete(ctx, tx, record)
        return record.key

    ctx.write_behind.before_deletion()
    deleted = ctx.write(work)
    ctx.call.touched.append(deleted)
    return deleted
