"""Rows of `edge` and the noun."""

import json
from collections.abc import Iterable
from typing import Any

from indelible.model import REPLACED_SOURCE, REPLACED_TARGET, Edge
from indelible.store import records
from indelible.store.database import Row, Transaction, one


def from_row(row: Row) -> Edge:
    """The edge of a row of any query that selects all columns."""
    return Edge(
        id=row[0],
        source=row[1],
        target=row[2],
        relation=row[3],
        canonical=row[4],
        weight=row[5],
        metadata=json.loads(row[6]),
        created=row[7],
    )


def parameters(tenant: int, edge: Edge) -> dict[str, Any]:
    """The columns of an edge as query parameters, without its id."""
    return {
        "tenant": tenant,
        "source": edge.source,
        "target": edge.target,
        "relation": edge.relation,
        "canonical": edge.canonical,
        "weight": float(edge.weight),
        "metadata": records.dump(edge.metadata),
        "created": edge.created,
    }


def put(tx: Transaction, tenant: int, edge: Edge) -> None:
    """Store a relation; an existing one keeps its place and takes the new weight. Marks what it replaces."""
    tx.run("edges.put", **parameters(tenant, edge))
    mark_replaced(tx, tenant, [edge])


def add(tx: Transaction, tenant: int, edge: Edge) -> bool:
    """Store a relation if it is new; whether it was. Marks what it replaces."""
    added = tx.run("edges.add", **parameters(tenant, edge)) > 0
    if added:
        mark_replaced(tx, tenant, [edge])
    return added


def reinsert(tx: Transaction, tenant: int, edge: Edge) -> None:
    """Bring back a deleted relation with its id."""
    tx.run("edges.reinsert", id=edge.id, **parameters(tenant, edge))
    mark_replaced(tx, tenant, [edge])


def find(tx: Transaction, tenant: int, source: int, target: int, relation: str) -> Edge | None:
    """The relation of that name between two records."""
    row = one(tx.rows("edges.find", tenant=tenant, source=source, target=target, relation=relation))
    return None if row is None else from_row(row)


def of_records(tx: Transaction, tenant: int, ids: Iterable[int]) -> list[Edge]:
    """Every relation with at least one end among the records, oldest first."""
    wanted = json.dumps([int(i) for i in ids])
    if wanted == "[]":
        return []
    return [from_row(row) for row in tx.rows("edges.of_records", tenant=tenant, ids=wanted)]


def delete(tx: Transaction, tenant: int, edge: Edge) -> None:
    """Remove a relation; what only it replaced is current again."""
    tx.run("edges.delete", tenant=tenant, id=edge.id)
    unmark_replaced(tx, tenant, [edge])


def count_by_relation(tx: Transaction, tenant: int) -> dict[str, int]:
    """How many relations there are of each canonical name."""
    return {str(name): int(count) for name, count in tx.rows("edges.count_by_relation", tenant=tenant)}


def ends(tx: Transaction, tenant: int) -> list[tuple[int, int, float, str, str]]:
    """(source, target, weight, namespace of the source, namespace of the target) of every relation."""
    return [(a, b, w, m, n) for a, b, w, m, n in tx.rows("edges.ends", tenant=tenant)]


def replaces(edge: Edge) -> tuple[int, int] | None:
    """(what is no longer current, what stands for it), if the relation says so."""
    if edge.canonical in REPLACED_SOURCE:
        return edge.source, edge.target
    if edge.canonical in REPLACED_TARGET:
        return edge.target, edge.source
    return None


def mark_replaced(tx: Transaction, tenant: int, edges: Iterable[Edge]) -> None:
    """Mark what these relations replace."""
    for old in sorted({pair[0] for edge in edges if (pair := replaces(edge))}):
        records.set_replaced(tx, tenant, old, True)


def unmark_replaced(tx: Transaction, tenant: int, edges: Iterable[Edge]) -> None:
    """After these relations went: what nothing replaces any more is current again."""
    for old in sorted({pair[0] for edge in edges if (pair := replaces(edge))}):
        records.set_replaced(tx, tenant, old, False)
