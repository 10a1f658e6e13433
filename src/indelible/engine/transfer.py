"""Export and import: everything there is to know of a record, as JSON, and back."""

import hashlib
import json
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from typing import Any

from indelible.engine import memories
from indelible.engine.admission import admit
from indelible.engine.context import Context, micros, moment_of, namespace_to_write, namespaces_to_read
from indelible.errors import IndelibleError, InvalidInput
from indelible.model import KINDS, MEMORY_TYPES, Access, Edge, Record
from indelible.search import tokens
from indelible.store import access, edges, records
from indelible.store.database import Transaction

BATCH = 32  # records a transaction, so that other processes are not kept waiting


def time_text(moment: int, *, fraction: bool = False) -> str:
    """Microseconds since 1970 as `2025-08-08T10:30:00Z`, with the fraction where there is one and it is asked for."""
    when = moment_of(moment).replace(tzinfo=None)
    return f"{(when if fraction else when.replace(microsecond=0)).isoformat()}Z"


def time_value(text: Any, name: str) -> int:
    """The inverse of `time_text`; other ISO 8601 forms are taken too, without a zone as UTC. Raises InvalidInput."""
    try:
        moment = datetime.fromisoformat(text)
        return micros((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC))
    except (TypeError, ValueError, OverflowError):  # in UTC it must lie in the years 1 to 9999
        raise InvalidInput(f"{name} must be an ISO 8601 time such as 2025-08-08T10:30:00Z, got {text!r:.80}") from None


def as_json(record: Record, used: Access | None, relations: Sequence[Edge], keys: dict[int, Record]) -> dict[str, Any]:
    """A record with its relations, as exports show it; the ends of relations are ids, `kind:id` for foreign kinds."""
    return {
        "id": record.key,
        "kind": record.kind,
        "content": record.text,
        **({"label": record.label} if record.label else {}),
        "memory_type": record.type,
        "importance": record.importance,
        "confidence": record.confidence,
        "tags": list(record.tags),
        "namespace": record.namespace or None,
        "metadata": record.metadata,
        **({"replaced": True} if record.replaced else {}),
        "created_at": time_text(record.created, fraction=True),
        "updated_at": time_text(record.updated, fraction=True),
        "access_count": used.count if used else 0,
        "last_accessed_at": time_text(used.last, fraction=True) if used else None,
        "session": record.session,
        "position": record.position,
        "edges": [
            {
                "source": name_of(keys[edge.source]),
                "target": name_of(keys[edge.target]),
                "relationship": edge.relation,
                "weight": edge.weight,
                "metadata": edge.metadata,
                "created_at": time_text(edge.created, fraction=True),
            }
            for edge in relations
        ],
    }


def name_of(record: Record) -> str:
    """How a relation names its end: a memory by its id, anything else by `kind:id`."""
    return record.key if record.kind == "memory" else f"{record.kind}:{record.key}"


def export_memories(ctx: Context, namespace: str | None, type_: str | None, limit: int) -> list[dict[str, Any]]:
    """Memories with all relations that they have an end of, newest first."""
    with ctx.store.read() as tx:
        names = set(records.namespaces(tx, ctx.tenant))
        wanted = namespaces_to_read(ctx, tx, namespace, names)
        found = (r for r in records.newest(tx, ctx.tenant, "memory", type_) if wanted is None or r.namespace in wanted)
        chosen = list(islice(found, limit))
        return list(_with_relations(ctx, tx, chosen, both_ends=True))


def export_all(ctx: Context) -> Iterator[dict[str, Any]]:
    """Every record of every kind in the order of storing, each relation at its source, as of one moment."""
    with ctx.store.read() as tx:
        last = 0
        while page := records.after(tx, ctx.tenant, last, 500):
            yield from _with_relations(ctx, tx, page, both_ends=False)
            last = page[-1].id


def _with_relations(
    ctx: Context, tx: Transaction, page: Sequence[Record], *, both_ends: bool
) -> Iterator[dict[str, Any]]:
    ids = [record.id for record in page]
    relations: dict[int, list[Edge]] = {}
    ends: set[int] = set()
    found = edges.of_records(tx, ctx.tenant, ids)
    for edge in found:
        ends |= {edge.source, edge.target}
    keys = records.by_ids(tx, ctx.tenant, sorted(ends))
    # By what an import keeps, so that the export of an import is the same again.
    found.sort(key=lambda edge: (edge.created, edge.relation, keys[edge.source].key, keys[edge.target].key))
    for edge in found:
        relations.setdefault(edge.source, []).append(edge)
        if both_ends:
            relations.setdefault(edge.target, []).append(edge)
    used = ctx.behind.access_of(tx, ctx.tenant, ids)
    for record in page:
        yield as_json(record, used.get(record.id), relations.get(record.id, []), keys)


@dataclass(slots=True)
class Imported:
    """What an import did: ids of the new records in order, how many were known, and what could not be taken."""

    ids: list[str] = field(default_factory=list)
    skipped: int = 0
    errors: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to import: its place in the input (from 0), the record, the terms of its text, what hangs on it."""

    index: int
    record: Record
    text_terms: dict[int, int]
    names_namespace: bool
    used: Access | None
    relations: list[dict[str, Any]]


def import_memories(ctx: Context, things: Sequence[Any]) -> Any:
    """Import what a tool call brings; with a request key a retry gets the first answer."""
    earlier = ctx.earlier_answer()
    if earlier is not None:
        return earlier
    done = import_items(ctx, things)
    result = {"imported": len(done.ids), "skipped": done.skipped, "ids": done.ids, "errors": done.errors}
    return ctx.write(lambda _: result) if ctx.call.key else result


def import_items(ctx: Context, things: Iterable[Any], pause: Callable[[], None] | None = None) -> Imported:
    """Take in exported things: each bad one is reported and the rest taken, in batches of 32 a transaction.

    Known content (or a known id) is skipped. Relations are made when all records are there, so that either end may
    come later. `pause` is called between batches.
    """
    result = Imported()
    known: dict[str, str] = {}  # the id that an item came with -> the id that stands for it here
    relations: list[tuple[int, dict[str, Any]]] = []
    source = enumerate(things)
    while batch := list(islice(source, BATCH)):
        items = _parsed(ctx, batch, result)
        ctx.store.write(partial(_store_batch, ctx, items, result, known))
        relations += [(item.index, edge) for item in items for edge in item.relations]
        if pause is not None:
            pause()
    for at in range(0, len(relations), BATCH):
        ctx.store.write(partial(_store_relations, ctx, relations[at : at + BATCH], result, known))
    return result


def _parsed(ctx: Context, batch: list[tuple[int, Any]], result: Imported) -> list[Item]:
    items = []
    for index, thing in batch:
        try:
            clean, findings = admit(thing, "memories")
            ctx.call.redacted.extend(findings)
            items.append(parse(ctx, index, clean))
        except IndelibleError as error:
            result.errors.append({"index": index, "error": str(error)})
    return items


def _store_batch(ctx: Context, items: list[Item], result: Imported, known: dict[str, str], tx: Transaction) -> None:
    for item in items:
        record = item.record
        if not item.names_namespace:
            record = replace(record, namespace=namespace_to_write(ctx, tx, None))
        there = _there_already(ctx, tx, record)
        if there is not None:
            known[name_of(record)] = name_of(there)
            result.skipped += 1
            continue
        record = memories.add(ctx, tx, record, item.text_terms)
        known[name_of(record)] = name_of(record)
        if item.used is not None:
            access.add(tx, ctx.tenant, {record.id: item.used})
        result.ids.append(record.key)


def _there_already(ctx: Context, tx: Transaction, record: Record) -> Record | None:
    same_id = [r for r in records.by_key(tx, ctx.tenant, record.key) if r.kind == record.kind]
    if same_id:
        return same_id[0]
    if record.kind != "memory" or record.replaced:
        return None
    return records.by_content(tx, ctx.tenant, record.namespace, record.content_hash)


def _store_relations(
    ctx: Context, part: list[tuple[int, dict[str, Any]]], result: Imported, known: dict[str, str], tx: Transaction
) -> None:
    for index, edge in part:
        ends = [_end(ctx, tx, known.get(edge[side], edge[side])) for side in ("source", "target")]
        if ends[0] is None or ends[1] is None:
            missing = edge["source"] if ends[0] is None else edge["target"]
            result.errors.append(
                {"index": index, "error": f"relation {edge['relationship']} left out: {missing!r} is not in the store"}
            )
        elif ends[0].id != ends[1].id:
            edges.add(
                tx,
                ctx.tenant,
                Edge(
                    source=ends[0].id,
                    target=ends[1].id,
                    relation=edge["relationship"],
                    canonical=edge["relationship"].upper(),
                    weight=edge["weight"],
                    created=edge["created"],
                    metadata=edge["metadata"],
                ),
            )


def _end(ctx: Context, tx: Transaction, name: str) -> Record | None:
    kind, colon, key = name.partition(":")
    if not (colon and kind in KINDS):
        kind, key = "memory", name
    return next((r for r in records.by_key(tx, ctx.tenant, key) if r.kind == kind), None)


_FIELDS = frozenset(
    "id kind content label memory_type importance confidence tags namespace metadata replaced created_at updated_at "
    "session position access_count last_accessed_at edges content_hash".split()
)


def parse(ctx: Context, index: int, thing: Any) -> Item:
    """One exported thing as a record. Raises InvalidInput that names the field, what was given and what is allowed."""
    if not isinstance(thing, dict):
        raise InvalidInput(f"each item must be an object with at least `content`, got {type(thing).__name__}")
    unknown = sorted(set(thing) - _FIELDS)
    if unknown:
        raise InvalidInput(f"unknown field {unknown[0]!r}; allowed are {', '.join(sorted(_FIELDS))}")
    kind = _text(thing, "kind", "memory", allowed=KINDS)
    content = _text(thing, "content", None)
    now = ctx.now()
    created = _time(thing, "created_at", now)
    updated = _time(thing, "updated_at", created)
    namespace = thing.get("namespace")
    if namespace is not None:
        namespace = _text(thing, "namespace", None)
    record = Record(
        key=_text(thing, "id", None) if thing.get("id") is not None else str(uuid.uuid4()),
        kind=kind,
        type=_text(thing, "memory_type", "context", allowed=MEMORY_TYPES)
        if kind == "memory"
        else _text(thing, "memory_type", "", empty=True),
        text=content,
        label=_text(thing, "label", "", empty=True),
        created=created,
        updated=updated,
        tenant=ctx.tenant,
        namespace=namespace or "",
        tags=tuple(_texts(thing, "tags")),
        metadata=_object(thing, "metadata"),
        importance=_fraction(thing, "importance", 0.5),
        confidence=_fraction(thing, "confidence", 1.0),
        content_hash=hashlib.sha256(content.encode()).hexdigest() if kind == "memory" else "",
        session=_text(thing, "session", ctx.session, empty=True),
        position=_whole(thing, "position", max(0, created)),
        replaced=_flag(thing, "replaced"),
    )
    count = _whole(thing, "access_count", 0)
    used = Access(count, _time(thing, "last_accessed_at", updated)) if count else None
    return Item(
        index,
        record,
        tokens.terms(content),
        "namespace" in thing,
        used,
        [_relation(e, created) for e in _list(thing, "edges")],
    )


def _relation(edge: Any, created: int) -> dict[str, Any]:
    if not isinstance(edge, dict):
        raise InvalidInput(f"edges must hold objects with source, target and relationship, got {type(edge).__name__}")
    weight = edge.get("weight", 1.0)
    if isinstance(weight, bool) or not isinstance(weight, (int, float)):
        raise InvalidInput(f"edges: weight must be a number, got {json.dumps(weight)[:80]}")
    return {
        "source": _text(edge, "source", None),
        "target": _text(edge, "target", None),
        "relationship": _text(edge, "relationship", None),
        "weight": float(weight),
        "metadata": _object(edge, "metadata"),
        "created": _time(edge, "created_at", created),
    }


def _time(thing: dict[str, Any], name: str, default: int) -> int:
    value = thing.get(name)
    return default if value is None else time_value(value, name)


def _flag(thing: dict[str, Any], name: str) -> bool:
    value = thing.get(name, False)
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} must be true or false, got {json.dumps(value)[:80]}")
    return value


def _text(
    thing: dict[str, Any], name: str, default: str | None, *, allowed: Sequence[str] | None = None, empty: bool = False
) -> str:
    value = thing.get(name, default)
    if not isinstance(value, str) or not (value or empty):
        raise InvalidInput(f"{name} must be a non-empty string, got {json.dumps(value)[:80]}")
    if allowed is not None and value not in allowed:
        raise InvalidInput(f"{name} must be one of {', '.join(allowed)}, got {value!r}")
    return value


def _list(thing: dict[str, Any], name: str) -> list[Any]:
    value = thing.get(name, [])
    if not isinstance(value, list):
        raise InvalidInput(f"{name} must be a list, got {type(value).__name__}")
    return value


def _texts(thing: dict[str, Any], name: str) -> list[str]:
    values = _list(thing, name)
    for value in values:
        if not isinstance(value, str) or not value:
            raise InvalidInput(f"{name} must be a list of non-empty strings, got {json.dumps(value)[:80]} in it")
    return values


def _object(thing: dict[str, Any], name: str) -> dict[str, Any]:
    value = thing.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidInput(f"{name} must be an object, got {type(value).__name__}")
    return value


def _fraction(thing: dict[str, Any], name: str, default: float) -> float:
    value = thing.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise InvalidInput(f"{name} must be a number from 0 to 1, got {json.dumps(value)[:80]}")
    return float(value)


def _whole(thing: dict[str, Any], name: str, default: int) -> int:
    value = thing.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 62:
        raise InvalidInput(f"{name} must be a whole number of at least 0, got {json.dumps(value)[:80]}")
    return value


def breathe() -> None:
    """The pause between two batches of bulk work: other processes get their turn."""
    time.sleep(0.002)
