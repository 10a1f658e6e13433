"""Rows of `applied`: the answers of writes that came with a request key, so that a retry is answered, not repeated."""

import json
from typing import Any

from indelible.store.database import Transaction, one


def find(tx: Transaction, key: str) -> tuple[str, Any] | None:
    """(digest of the call, its result) of a request key that was applied."""
    row = one(tx.rows("applied.find", key=key))
    return None if row is None else (str(row[0]), json.loads(row[1]))


def add(tx: Transaction, key: str, digest: str, result: Any, time: int) -> None:
    """Keep the result of a write under its request key, in the write's own transaction."""
    tx.run("applied.add", key=key, digest=digest, result=json.dumps(result), time=time)


def trim(tx: Transaction, before: int, limit: int = 2000) -> int:
    """Forget keys older than a time, at most `limit`; the number forgotten."""
    return tx.run("applied.trim", before=before, limit=limit)
