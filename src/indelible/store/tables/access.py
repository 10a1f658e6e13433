"""Rows of `access`: how often a record was returned, and when last (see `core/context/write_behind.py`)."""

import json
from collections.abc import Sequence

from indelible.model import Access
from indelible.store.database import Transaction


def add(tx: Transaction, counts: dict[int, Access]) -> None:
    """Add to the counts of records; records deleted meanwhile are left out."""
    tx.run_many(
        "access.add",
        [{"record": record, "count": access.count, "last": access.last} for record, access in sorted(counts.items())],
    )


def of_records(tx: Transaction, ids: Sequence[int]) -> dict[int, Access]:
    """Access of those records that were ever returned."""
    if not ids:
        return {}
    rows = tx.rows("access.of_records", ids=json.dumps([int(i) for i in ids]))
    return {record: Access(count, last) for record, count, last in rows}


def restore(tx: Transaction, record: int, access: Access | None) -> None:
    """Set a record's access data to an earlier state; None means that it was never returned."""
    if access is None:
        tx.run("access.remove", record=record)
    else:
        tx.run("access.set", record=record, count=access.count, last=access.last)
