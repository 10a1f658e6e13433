"""What there is in the store, and whether all is well."""

from typing import Any

from indelible.engine.context import Context
from indelible.store import edges, records


def stats(ctx: Context) -> dict[str, Any]:
    """Counts of everything: memories, records of all kinds, relations."""
    with ctx.store.read() as tx:
        kinds = records.count_by_kind(tx, ctx.tenant)
        relations = edges.count_by_relation(tx, ctx.tenant)
    nodes, links = sum(kinds.values()), sum(relations.values())
    return {
        "storage": {"memories": kinds.get("memory", 0), "embeddings": 0, "graph_nodes": nodes, "graph_edges": links},
        "vector": {"indexed": 0, "dimensions": 384, "metric": "cosine"},
        "graph": {"nodes": nodes, "edges": links, "node_kinds": kinds, "relationship_types": relations},
        "embeddings": {"available": False, "model": "none", "cache": {}},
    }


def health(ctx: Context) -> dict[str, Any]:
    """Whether every part works, each in a word: `ok`, or what is wrong with it."""
    with ctx.store.read() as tx:
        records.last_id(tx, ctx.tenant)
        edges.count_by_relation(tx, ctx.tenant)
        with ctx.index.current(tx) as postings:
            words = f"ok: {postings.count} records indexed by words"
    return {
        "healthy": True,
        "storage": "ok",
        "vector": words,
        "graph": "ok",
        "embeddings": "none: recall is by words",
    }


def lines(ctx: Context, counted: dict[str, Any]) -> list[tuple[str, str]]:
    """The same for a person: what there is, how much of it."""
    shown = [(kind, f"{count:,}") for kind, count in counted["graph"]["node_kinds"].items()]
    shown += [(f"relation {name}", f"{count:,}") for name, count in counted["graph"]["relationship_types"].items()]
    return [*shown, ("bytes on disk", f"{ctx.store.size():,}")]
