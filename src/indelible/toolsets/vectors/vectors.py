"""Entries with vectors that callers compute: stored under the callers' own ids, in one vector space a store.

An entry is a record of kind `vector` in no namespace (but see `shared_namespace_to_write`). Its text is found by
recall like any other; its vector is searched by cosine only and never compared with embeddings. Its `metadata` holds
`vector` (packed by `vector_format.packed`), `metadata` (the caller's, without the text) and `score`.
"""

import math
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, TypedDict

from indelible.core.context.context import Context
from indelible.core.context.write_scope import shared_namespace_to_read, shared_namespace_to_write
from indelible.core.indexes import vector_format, vector_index
from indelible.core.recall.returned import returned
from indelible.core.records import insert, trash
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.model import Record
from indelible.search import tokens
from indelible.store.database import Transaction
from indelible.store.tables import records

KIND = "vector"
LONGEST_ID = 2_000  # bytes: ids stand in indexes, and PostgreSQL's take some 2,700


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to be stored; without a `text`, that of the metadata is used."""

    id: str
    vector: vector_format.Vector
    text: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


class Match(TypedDict):
    """An entry that a search found; `similarity` is the cosine, from -1 to 1."""

    id: str
    vector: dict[str, float]
    metadata: dict[str, Any]
    score: float
    similarity: float


def memorize(ctx: Context, new: NewEntry) -> str:
    """Store an entry and return its id.

    An entry of the same id is replaced, its score reset and its old state kept in the trash; if nothing changes,
    nothing is written. Raises InvalidInput for an id that is too long.
    """
    refuse_long(new.id)
    text, metadata = parts_of(new)
    text_terms = tokens.terms(text)

    def work(tx: Transaction) -> str:
        space, now = shared_namespace_to_write(ctx, tx), ctx.now()
        old = next((each for each in _every(ctx, tx, new.id) if each.namespace == space), None)
        if old is None:
            draft = replace(_record(ctx, new.id, text, metadata, now), namespace=space)
            made = insert.add(ctx, tx, draft, text_terms)
        else:
            made = replace(old, text=text, metadata=metadata, updated=now)
            if replace(made, updated=old.updated) == old:
                return old.key
            trash.overwrite(ctx, tx, old, made, text_terms)
        return made.key

    stored = ctx.write(work)
    ctx.call.touched.append(stored)
    return stored


def search(ctx: Context, vector: vector_format.Vector, limit: int) -> list[Match]:
    """The `limit` entries nearest to a vector by cosine, highest first; ties by score, newest, id. No threshold."""
    if limit == 0:
        return []
    while True:
        with ctx.store.read() as tx:
            with ctx.indexes.vectors.current(tx) as index:
                found = index.search(list(vector), list(vector.values()), limit)
            known = records.by_ids(tx, [record for record, _ in found])
        if len(known) == len(found):
            break
        # Another call has brought the index to a moment after that of this transaction: a new one sees it.
        ctx.call.stop_if_cancelled()
    returned(ctx, [known[record] for record, _ in found])
    return [_match(known[record], similarity) for record, similarity in found]


def feedback(ctx: Context, key: str, adjustment: float) -> bool:
    """Add to the score of an entry; return False if there is none of that id.

    Its time of change stays as it was. Raises InvalidInput if the sum would not be finite.
    """

    def work(tx: Transaction) -> bool:
        old = named(ctx, tx, key)
        if old is None:
            return False
        before = vector_index.score_of(old.metadata)
        score = before + adjustment
        if not math.isfinite(score):
            raise InvalidInput(f"scoreAdjustment {adjustment} on the score {before} gives no finite number; use less")
        trash.keep(ctx, tx, old, "update")  # its words are what they were
        records.update(tx, replace(old, metadata={**old.metadata, "score": score}))
        return True

    found = ctx.write(work)
    if found:
        ctx.call.touched.append(key)
    return found


def delete(ctx: Context, key: str) -> bool:
    """Move an entry to the trash; return False if there is none of that id."""

    def work(tx: Transaction) -> bool:
        old = named(ctx, tx, key)
        if old is not None:
            trash.delete(ctx, tx, old)
        return old is not None

    ctx.write_behind.before_deletion()
    deleted = ctx.write(work)
    if deleted:
        ctx.call.touched.append(key)
    return deleted


def refuse_long(id: str) -> None:
    """Raise InvalidInput for an id that is too long for the indexes."""
    size = len(id.encode(errors="replace"))
    if size > LONGEST_ID:
        raise InvalidInput(f"id must have at most {LONGEST_ID:,} bytes, got {size:,}; shorten it")


def find(ctx: Context, tx: Transaction, key: str) -> Record | None:
    """Return the entry of an id, preferably from the caller's own vector space."""
    space = shared_namespace_to_read(ctx, tx)
    return min(_every(ctx, tx, key), key=lambda each: (each.namespace != space, each.namespace), default=None)


def _every(ctx: Context, tx: Transaction, key: str) -> list[Record]:
    return [record for record in records.by_key(tx, key) if record.kind == KIND]


def named(ctx: Context, tx: Transaction, name: str) -> Record | None:
    """The entry of an id, or of `vector:id`."""
    kind, colon, rest = name.partition(":")
    return find(ctx, tx, name) or (find(ctx, tx, rest) if colon and kind == KIND else None)


def parts_of(new: NewEntry) -> tuple[str, dict[str, Any]]:
    """The text and the metadata of an entry's record; the text stands in one place only."""
    text, kept = _text_and_rest(new)
    return text, {"vector": vector_format.packed(new.vector), "metadata": kept, "score": 0.0}


def _text_and_rest(new: NewEntry) -> tuple[str, dict[str, Any]]:
    given = new.metadata.get("text") if new.text is None else new.text
    if not isinstance(given, str) or not given:
        return "", dict(new.metadata) if new.text is None else {**new.metadata, "text": given}
    return given, {name: value for name, value in new.metadata.items() if name != "text"}


def _record(ctx: Context, key: str, text: str, metadata: dict[str, Any], now: int) -> Record:
    return insert.new(
        ctx,
        KIND,
        text,
        key=key,
        metadata=metadata,
    )


def _match(record: Record, similarity: float) -> Match:
    kept = record.metadata.get("metadata")
    kept = kept if isinstance(kept, dict) else {}
    return {
        "id": record.key,
        "vector": vector_format.shown(vector_format.unpacked(record.metadata.get("vector"))),
        "metadata": {**kept, "text": record.text} if record.text else kept,
        "score": vector_index.score_of(record.metadata),
        "similarity": similarity,
    }
