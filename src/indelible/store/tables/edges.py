"""Rows of `edge`, and their conversion from and to `Edge`."""

import json
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from indelible.dataclass import dataclass
from indelible.model import MAY_SUPERSEDE, REPLACED_SOURCE, REPLACED_TARGET, Edge
from indelible.store.database import Row, Transaction, listed, one
from indelible.store.tables import records

READ = 20_000  # relations at one end of records that are looked through for the heaviest
DERIVED = ("index", "mention")  # origins of relations: between code, and from records that mention it


@dataclass(frozen=True, slots=True)
class Linked:
    """A record at the other end of a relation of the record `of`; both by row id."""

    of: int
    id: int
    kind: str
    key: str
    metadata: dict[str, Any]


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
        uid=row[8],
        origin=row[9],
    )


def parameters(edge: Edge) -> dict[str, Any]:
    """The columns of an edge as query parameters, without its id."""
    return {
        "source": edge.source,
        "target": edge.target,
        "relation": edge.relation,
        "canonical": edge.canonical,
        "weight": float(edge.weight),
        "metadata": records.dump(edge.metadata),
        "created": edge.created,
        "uid": edge.uid or records.new_uid(),
        "origin": edge.origin,
    }


def put(tx: Transaction, edge: Edge) -> None:
    """Store a relation; an existing one keeps its place and takes the new weight. Marks the record it replaces."""
    tx.run("edges.put", **parameters(edge))
    mark_replaced(tx, [edge])


def set_metadata(tx: Transaction, edge: int, metadata: dict[str, Any]) -> None:
    """Give a relation other metadata."""
    tx.run("edges.set_metadata", id=edge, metadata=records.dump(metadata))


def add(tx: Transaction, edge: Edge) -> bool:
    """Store a relation if it is new; whether it was. Marks the record it replaces."""
    added = tx.run("edges.add", **parameters(edge)) > 0
    if added:
        mark_replaced(tx, [edge])
    return added


def add_many(tx: Transaction, relations: Iterable[Edge]) -> None:
    """Store those relations that are new; one that exists, whoever made it, is left as it is.

    For relations of the code index: they mark nothing as replaced.
    """
    kinds = sorted(relations, key=_named)
    for (relation, canonical, created), group in groupby(kinds, key=_named):
        rows = [
            (edge.source, edge.target, float(edge.weight), records.dump(edge.metadata), edge.uid or records.new_uid())
            for edge in group
        ]
        shared = {"relation": relation, "canonical": canonical, "created": created}
        tx.run("edges.add_many", **shared, rows=records.dump(rows))


def _named(edge: Edge) -> tuple[str, str, int]:
    return edge.relation, edge.canonical, edge.created


def add_index_edges(
    tx: Transaction, relations: Mapping[tuple[int, int, str], tuple[float, int, int]], created: int
) -> None:
    """Do `add_many` for the relations that a run of the index makes by the hundred thousand.

    By source, target and relation: the weight, the first line that states it, and how many do; CONTAINS has no line.
    """
    uids = records.new_uids(len(relations))
    tx.run_many(
        "edges.add",
        (
            {
                "source": source,
                "target": target,
                "relation": relation,
                "canonical": relation,
                "weight": weight,
                "metadata": (
                    '{"origin":"index"}'
                    if relation == "CONTAINS"
                    else f'{{"origin":"index","line":{line},"count":{times}}}'
                ),
                "created": created,
                "uid": uid,
                "origin": "",
            }
            for uid, ((source, target, relation), (weight, line, times)) in zip(uids, relations.items(), strict=True)
        ),
    )


def of_index(tx: Transaction, sources: Iterable[int]) -> list[Edge]:
    """The relations that the index made and that lead away from the records, oldest first."""
    return [from_row(row) for row in tx.rows("edges.of_index", ids=listed(sources))]


def drop_index_edges(tx: Transaction, sources: Iterable[int]) -> int:
    """Remove those relations (see `of_index`); how many there were."""
    return tx.run("edges.drop_of_index", ids=listed(sources))


def drop_all_index_edges(tx: Transaction, ids: Iterable[int]) -> int:
    """Remove the relations that the index made and that have an end among the records; how many there were."""
    return tx.run("edges.drop_of_index_at", ids=listed(ids))


def drop_many(tx: Transaction, relations: Iterable[int]) -> int:
    """Remove relations by their own ids; how many there were. For relations of the index, see `add_many`."""
    return tx.run("edges.drop_many", ids=listed(relations))


def is_derived(edge: Edge) -> bool:
    """Whether no caller stated a relation: it repeats source code or a mention of it, or supposes a newer version."""
    return is_of_code(edge) or edge.canonical == MAY_SUPERSEDE


def is_of_code(edge: Edge) -> bool:
    """Whether a relation only repeats what the index found in source code or in mentions of it."""
    return edge.metadata.get("origin") in DERIVED


def held(tx: Transaction, ids: Iterable[int]) -> set[int]:
    """Those of the records that have a relation, in either direction, that the index did not make."""
    return {int(record) for (record,) in tx.rows("edges.held", ids=listed(ids))}


def reinsert(tx: Transaction, edge: Edge) -> None:
    """Bring back a deleted relation with its id."""
    tx.run("edges.reinsert", id=edge.id, **parameters(edge))
    mark_replaced(tx, [edge])


def find(tx: Transaction, source: int, target: int, relation: str) -> Edge | None:
    """The relation of that name between two records."""
    row = one(tx.rows("edges.find", source=source, target=target, relation=relation))
    return None if row is None else from_row(row)


def of_records(tx: Transaction, ids: Iterable[int]) -> list[Edge]:
    """Every relation with at least one end among the records, oldest first."""
    wanted = json.dumps([int(i) for i in ids])
    if wanted == "[]":
        return []
    return [from_row(row) for row in tx.rows("edges.of_records", ids=wanted)]


def delete(tx: Transaction, edge: Edge) -> None:
    """Remove a relation; a record that only it replaced is current again."""
    tx.run("edges.delete", id=edge.id)
    unmark_replaced(tx, [edge])


def count_by_relation(tx: Transaction) -> dict[str, int]:
    """How many relations there are of each canonical name."""
    return {str(name): int(count) for name, count in tx.rows("edges.count_by_relation")}


def in_range(tx: Transaction, low: int, high: int, *, stated: bool, limit: int) -> list[Row]:
    """(source, target, weight) of the relations from records with low <= id < high, so many at most, in no order.

    `stated`: without the relations derived from source code, which may be hundreds of thousands, and from its names.
    """
    return tx.rows("edges.stated_in_range" if stated else "edges.in_range", low=low, high=high, limit=limit)


def count_stated(tx: Transaction) -> int:
    """Return the number of stated relations; for a limited caller without those of records of source code."""
    return int(tx.rows("edges.count_stated")[0][0])


def nodes(tx: Transaction, *, stated: bool) -> list[Row]:
    """(id, namespace, kind) of the records that have such relations, by kind and key, which an export keeps."""
    return tx.rows("edges.stated_nodes" if stated else "edges.nodes")


def last_id(tx: Transaction) -> int:
    """The highest number of a relation, 0 where there is none."""
    return int(tx.rows("edges.last_id")[0][0])


def replaces(edge: Edge) -> tuple[int, int] | None:
    """Return (the record no longer current, the record that replaces it), if the relation is of that sort."""
    if edge.canonical in REPLACED_SOURCE:
        return edge.source, edge.target
    if edge.canonical in REPLACED_TARGET:
        return edge.target, edge.source
    return None


def mark_replaced(tx: Transaction, edges: Iterable[Edge]) -> None:
    """Mark the records that these relations replace."""
    for old in sorted({pair[0] for edge in edges if (pair := replaces(edge))}):
        records.set_replaced(tx, old, True)


def unmark_replaced(tx: Transaction, edges: Iterable[Edge]) -> None:
    """Mark records as current that nothing replaces any more, after these relations were removed."""
    for old in sorted({pair[0] for edge in edges if (pair := replaces(edge))}):
        records.set_replaced(tx, old, False)


def around(tx: Transaction, ids: Iterable[int]) -> list[tuple[int, int, float]]:
    """(one of the records, the other end, weight) of their relations of positive weight, in no order.

    One between two of them comes twice, as seen from either. Far lighter than `of_records` where there are many.
    """
    return [(near, far, weight) for near, far, weight in tx.rows("edges.around", ids=listed(ids))]


def heaviest(tx: Transaction, ids: Iterable[int], limit: int, relation: str = "") -> list[Edge]:
    """Return the heaviest relations of records, ties by age; of one canonical name if it is given.

    Where records have more than READ relations at one end, they are the heaviest of some READ of these.
    """
    where = {"ids": listed(ids), "relation": relation, "most": READ, "limit": limit}
    return [from_row(row) for row in tx.rows("edges.heaviest", **where)]


def degrees(tx: Transaction, ids: Iterable[int]) -> dict[int, int]:
    """How many relations each of the records has that exist."""
    return {int(record): int(count) for record, count in tx.rows("edges.degrees", ids=listed(ids))}


def linked(tx: Transaction, ids: Iterable[int], kinds: Iterable[str], type_: str = "") -> list[Linked]:
    """The records of those kinds, and of that type if one is given, one relation away in either direction.

    Each once for each record that it is related to: by that one, then heaviest relation first, newest, key.
    """
    rows = tx.rows("edges.linked", ids=listed(ids), kinds=records.dump(list(kinds)), type=type_)
    return [_linked(row) for row in rows]


def sources(tx: Transaction, ids: Iterable[int], names: Iterable[str], kinds: Iterable[str]) -> list[Linked]:
    """The records of those kinds from which a relation of those canonical names leads to one of the records."""
    rows = tx.rows(
        "edges.sources",
        ids=listed(ids),
        names=records.dump(list(names)),
        kinds=records.dump(list(kinds)),
    )
    return [_linked(row) for row in rows]


def incoming(tx: Transaction, ids: Iterable[int], names: Iterable[str]) -> list[tuple[int, int, str, float]]:
    """(source, target, canonical name, weight) of the relations of those names to one of the records, in no order."""
    rows = tx.rows("edges.incoming", ids=listed(ids), names=records.dump(list(names)))
    return [(source, target, name, weight) for source, target, name, weight in rows]


def reachable(tx: Transaction, ids: Iterable[int], names: Iterable[str]) -> list[int]:
    """The records, and all that relations of those canonical names lead to in either direction, ascending."""
    rows = tx.rows("edges.reachable", ids=listed(ids), names=records.dump(list(names)))
    return [int(record) for (record,) in rows]


def among(tx: Transaction, ids: Iterable[int], names: Iterable[str]) -> list[Edge]:
    """The relations of those canonical names with both ends among the records, oldest first."""
    rows = tx.rows("edges.among", ids=listed(ids), names=records.dump(list(names)))
    return [from_row(row) for row in rows]


def between(tx: Transaction, ids: Iterable[int]) -> list[Edge]:
    """The relations of any name with both ends among the records, oldest first."""
    return [from_row(row) for row in tx.rows("edges.between", ids=listed(ids))]


def newer(tx: Transaction, ids: Iterable[int]) -> tuple[list[tuple[int, int, float]], list[tuple[int, int]]]:
    """(one of the records, a record that may be its newer version, how sure), the surest last; see MAY_SUPERSEDE.

    And beside these (one of the records, a record that CONTRADICTS it).
    """
    rows = tx.rows("edges.newer", ids=listed(ids))
    versions = [(int(old), int(new), float(sure)) for old, new, relation, sure in rows if relation == MAY_SUPERSEDE]
    return versions, [(int(old), int(new)) for old, new, relation, _ in rows if relation != MAY_SUPERSEDE]


def refinements(tx: Transaction, ids: Iterable[int]) -> dict[int, int]:
    """How many EVOLVED_INTO led to each record, over all that it evolved from, or away from it; 0 is left out."""
    rows = tx.rows("edges.refinements", ids=listed(ids))
    return {int(record): int(count) for record, count in rows}


def _linked(row: Row) -> Linked:
    of, id_, kind, key, metadata = row
    return Linked(of, id_, kind, key, json.loads(metadata))
