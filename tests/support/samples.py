"""Records and relations to store in tests."""

import uuid
from dataclasses import replace
from typing import Any

from indelible.model import Edge, Record
from indelible.store.database import Database, Transaction
from indelible.store.tables import edges, records

TENANT = 1


def record(key: str = "a", **fields: Any) -> Record:
    values: dict[str, Any] = {
        "kind": "memory",
        "text": f"text of {key}",
        "created": 10,
        "updated": 10,
        "content_hash": key,
        "uid": uuid.uuid4().hex,
    }
    return Record(key=key, **{**values, **fields})


def stored(tx: Transaction, *keys: str, **fields: Any) -> list[int]:
    """Store a record of each key; their ids."""
    ids = [records.insert(tx, record(key, **fields)) for key in keys]
    assert None not in ids
    return [int(i) for i in ids if i is not None]


def keep(db: Database, *given: Record) -> list[Record]:
    """Store records durably; as they are in the store."""

    def work(tx: Transaction) -> list[Record]:
        return [replace(one, id=records.insert(tx, one) or 0) for one in given]

    return db.write(work)


def edge(source: int, target: int, relation: str = "RELATES_TO", weight: float = 1.0, **fields: Any) -> Edge:
    values: dict[str, Any] = {"canonical": relation.upper(), "created": 10, "uid": uuid.uuid4().hex, **fields}
    return Edge(source, target, relation, weight=weight, **values)


def link(db: Database, *given: Edge) -> None:
    def work(tx: Transaction) -> None:
        for one in given:
            edges.put(tx, TENANT, one)

    db.write(work)
