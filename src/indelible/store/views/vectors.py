"""Rows of `record` of the kind vector: the input of the index of callers' vectors."""

import json
from collections.abc import Sequence
from typing import Any

from indelible.dataclass import dataclass
from indelible.store.database import Transaction


@dataclass(frozen=True, slots=True)
class VectorRow:
    """A caller's vector without its text; `updated` is when it was memorized (microseconds since 1970 UTC)."""

    id: int
    key: str
    updated: int
    metadata: dict[str, Any]


def ids(tx: Transaction) -> list[int]:
    """The row ids of all vectors, ascending."""
    return sorted(int(record) for (record,) in tx.rows("vectors.ids"))


def of_records(tx: Transaction, ids: Sequence[int]) -> list[VectorRow]:
    """Those of the records that are vectors, by ascending id."""
    rows = tx.rows("vectors.of_records", ids=json.dumps([int(i) for i in ids]))
    return [VectorRow(record, key, updated, json.loads(metadata)) for record, key, updated, metadata in rows]
