"""Records and relations to store in tests."""

import copy
import uuid
from dataclasses import dataclass, replace
from typing import Any

from indelible.model import Edge, Record
from indelible.store.database import Database, Transaction
from indelible.store.tables import edges, records

TENANT = 1


@dataclass(slots=True)
class _Record(Record):
    """A record to be stored for a tenant, whichever the transaction is of."""

    tenant: int = TENANT


def of_tenant(tx: Transaction, tenant: int) -> Transaction:
    """The same transaction, with the queries of another tenant."""
    other = copy.copy(tx)
    other.tenant, other.scopes, other.remembered = tenant, {}, None if tx.remembered is None else {}
    return other


def record(key: str = "a", **fields: Any) -> Record:
    values: dict[str, Any] = {
        "kind": "memory",
        "text": f"text of {key}",
        "created": 10,
        "updated": 10,
        "content_hash": key,
        "uid": uuid.uuid4().hex,
    }
    return (_Record if "tenant" in fields else Record)(key=key, **{**values, **fields})


def stored(tx: Transaction, *keys: str, tenant: int | None = None, **fields: Any) -> list[int]:
    """Store a record of each key; their ids."""
    tx = of_tenant(tx, tx.tenant if tenant is None else tenant)
    ids = [records.insert(tx, record(key, **fields)) for key in keys]
    assert None not in ids
    return [int(i) for i in ids if i is not None]


def keep(db: Database, *given: Record) -> list[Record]:
    """Store records durably; as they are in the store."""

    def work(tx: Transaction) -> list[Record]:
        return [
            replace(one, id=records.insert(of_tenant(tx, getattr(one, "tenant", tx.tenant)), one) or 0) for one in given
        ]

    return db.write(work)


def edge(source: int, target: int, relation: str = "RELATES_TO", weight: float = 1.0, **fields: Any) -> Edge:
    values: dict[str, Any] = {"canonical": relation.upper(), "created": 10, "uid": uuid.uuid4().hex, **fields}
    return Edge(source, target, relation, weight=weight, **values)


def link(db: Database, *given: Edge) -> None:
    def work(tx: Transaction) -> None:
        for one in given:
            edges.put(tx, one)

    db.write(work)
