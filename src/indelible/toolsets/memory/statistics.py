"""Statistics and health of the store."""

from typing import Any, NamedTuple

from indelible.core.context.context import Context
from indelible.core.indexes import model_choice
from indelible.errors import StoreError
from indelible.store.database import Transaction
from indelible.store.tables import edges, embeddings, pending, records

DIMENSIONS = 384  # of the model that Indelible brings


def stats(ctx: Context) -> dict[str, Any]:
    """Return counts of memories, embeddings, records of each kind and relations."""
    embedder = ctx.embedder
    with ctx.store.read() as tx:
        kinds = records.count_by_kind(tx)
        relations = edges.count_by_relation(tx)
        embedded = model_choice.embedded(tx)
        model = embeddings.model(tx, embedder.model or "")
    nodes, links = sum(kinds.values()), sum(relations.values())
    return {
        "storage": {
            "memories": kinds.get("memory", 0),
            "embeddings": sum(embedded.values()),
            "graph_nodes": nodes,
            "graph_edges": links,
        },
        "vector": {
            "indexed": embedded.get(embedder.model or "", 0),
            "dimensions": model.dimensions if model else DIMENSIONS,
            "metric": "cosine",
        },
        "graph": {"nodes": nodes, "edges": links, "node_kinds": kinds, "relationship_types": relations},
        "embeddings": {
            "available": embedder.probe() == "ready",
            "model": embedder.model or "none",
            "cache": dict.fromkeys(embedder.cache, 0)
            if ctx.session.grant.limited
            else embedder.cache,  # all callers share it
        },
    }


def health(ctx: Context) -> dict[str, Any]:
    """Return the health of each part: `ok`, or a short description of its fault."""
    parts = {"storage": _storage(ctx), "vector": _words(ctx), "graph": _graph(ctx)}
    healthy = all(found.startswith("ok") for found in parts.values())
    return {"healthy": healthy, **parts, "embeddings": _embeddings(ctx)}


def _embeddings(ctx: Context) -> str:
    """Return `ok`, or why some or all records can be recalled by words only."""
    if ctx.embedder.model is None:
        return "off: recall is by words"
    try:
        with ctx.store.read() as tx:
            waiting = pending.count(tx)
            others = model_choice.embedded(tx)
            change = _change(tx)
    except StoreError as error:
        return str(error)
    known = others.pop(ctx.embedder.model, 0)
    state = ctx.embedder.probe()
    said = f"ok: {known} records embedded" if state == "ready" else state
    if waiting and state == "ready":
        said = f"embedding: {known} of {known + waiting} records embedded"
    if waiting:
        said += f", {waiting} records pending"
    if others:
        said += f"; {sum(others.values())} are embedded by {', '.join(others)}: `indelible reembed` renews them"
    if change is not None:
        said += f"; changing to {change.name}: {change.done} of {change.every} records embedded by it"
        incoming = ctx.embedder.incoming
        if incoming is not None and incoming.probe() != "ready":
            said += f" ({incoming.state})"
    if ctx.embedder.reranker is not None:
        named, scorer = ctx.embedder.reranker
        said += f"; hits are ordered by {named.name}: {scorer.probe()}"
    return said


class _Change(NamedTuple):
    """How far a change to another model is: the records that it has embedded, of how many."""

    name: str
    done: int
    every: int


def _change(tx: Transaction) -> _Change | None:
    """Return how far a change to another model is, None where there is none."""
    choice = model_choice.read(tx)
    if choice.wanted is None:
        return None
    counts = embeddings.count_by_model(tx)
    done = counts.pop(choice.wanted.model, 0)
    return _Change(choice.wanted.name, done, max(done, *counts.values(), 0))


def _storage(ctx: Context) -> str:
    try:
        with ctx.store.read() as tx:
            records.last_id(tx)
    except StoreError as error:
        return str(error)
    return "ok"


def _words(ctx: Context) -> str:
    try:
        with ctx.store.read() as tx, ctx.indexes.records.current(tx) as caches:
            return f"ok: {caches.words.count} records indexed by words"
    except StoreError as error:
        return str(error)


def _graph(ctx: Context) -> str:
    try:
        with ctx.store.read() as tx:
            count = sum(edges.count_by_relation(tx).values())
    except StoreError as error:
        return str(error)
    return f"ok: {count} relations"


def lines(ctx: Context, counted: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the statistics as (label, value) lines for a person."""
    shown = [(kind, f"{count:,}") for kind, count in (counted["graph"]["node_kinds"] or {"memory": 0}).items()]
    shown += [(f"relation {name}", f"{count:,}") for name, count in counted["graph"]["relationship_types"].items()]
    return [*shown, *_embedded(ctx), ("bytes on disk", f"{ctx.store.size():,}")]


def _embedded(ctx: Context) -> list[tuple[str, str]]:
    """Return how far embedding is, where this process has a model."""
    if ctx.embedder.model is None:
        return []
    with ctx.store.read() as tx:
        waiting = pending.count(tx)
        known = model_choice.embedded(tx).get(ctx.embedder.model, 0)
        change = _change(tx)
    said = [("embedded", f"{known:,} of {known + waiting:,}" if waiting else f"{known:,}")]
    if change is not None:
        said.append((f"embedded by {change.name}, which takes over", f"{change.done:,} of {change.every:,}"))
    return said
