"""Storing, updating and deleting memories."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

from indelible.core.context import checkout, ids
from indelible.core.context.context import Context
from indelible.core.context.write_scope import namespace_to_write
from indelible.core.records import insert, trash
from indelible.core.records.bounds import refuse_many_tags
from indelible.core.records.insert import content_hash, new_tags
from indelible.core.records.trust import trusted
from indelible.errors import Conflict
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


class Stored(TypedDict):
    """The answer to a store: `status` is stored or duplicate."""

    id: str
    status: str
    content_hash: str


def store(ctx: Context, memory: NewMemory) -> Stored:
    """Store a memory, unless its namespace has a current one of the same content, which gets the tags that are new.

    Raises NotFound for a link to an unknown id; nothing is stored then.
    """
    digest, text_terms = content_hash(memory.content), tokens.terms(memory.content)
    head = checkout.head_of(ctx)

    def work(tx: Transaction) -> Stored:
        ends = [ids.find(ctx, tx, "links", link) for link in memory.links]
        namespace = namespace_to_write(ctx, tx, memory.namespace)
        existing = records.by_content(tx, namespace, digest)
        if existing is not None:
            _store_again(ctx, tx, existing, memory.tags)
            return {"id": existing.key, "status": "duplicate", "content_hash": digest}
        record = insert.new(
            ctx,
            "memory",
            memory.content,
            key=str(uuid.uuid4()),
            type=memory.type,
            namespace=namespace,
            tags=tuple(memory.tags),
            metadata=checkout.noted(head),
            importance=memory.importance,
            content_hash=digest,
        )
        record = insert.add(ctx, tx, record, text_terms)
        for end in ends:
            edges.add(tx, Edge(record.id, end.id, "RELATES_TO", "RELATES_TO", 1.0, record.created))
        return {"id": record.key, "status": "stored", "content_hash": digest}

    answer = ctx.write(work)
    ctx.call.touched.append(answer["id"])
    return answer


def _store_again(ctx: Context, tx: Transaction, existing: Record, tags: Sequence[str]) -> None:
    """Add the new tags, and the caller's trust, to a memory whose content is stored again."""
    new = trusted(ctx, existing)
    if added := new_tags(existing, tags):
        refuse_many_tags([*existing.tags, *added], "what is known and this")
        new = replace(new, tags=(*existing.tags, *added), updated=ctx.now())
    if new is not existing:
        trash.overwrite(ctx, tx, existing, new)


def update(ctx: Context, key: str, content: str, importance: float | None) -> Stored:
    """Replace a memory's content, and its importance if given; the old state is kept in the trash.

    Raises NotFound for an unknown id and Conflict where another memory of the namespace has that content.
    """
    digest, text_terms = content_hash(content), tokens.terms(content)

    def work(tx: Transaction) -> Stored:
        old = ids.find_own(ctx, tx, "id", key, "memory")
        same = records.by_content(tx, old.namespace, digest)
        if same is not None and same.id != old.id:
            raise Conflict(
                f"content equals memory {same.key} of the same namespace; update or delete that one, or relate the two"
            )
        new = replace(
            trusted(ctx, old),
            text=content,
            content_hash=digest,
            importance=old.importance if importance is None else importance,
            updated=ctx.now(),
        )
        if replace(new, updated=old.updated) != old:
            trash.overwrite(ctx, tx, old, new, text_terms, revision=True)
        return {"id": old.key, "status": "updated", "content_hash": digest}

    answer = ctx.write(work)
    ctx.call.touched.append(answer["id"])
    return answer


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
