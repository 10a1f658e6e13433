"""The nearest vectors by PostgreSQL's pgvector, where `postgres/vector_indexes` made an index.

A *partition* is a tenant's vectors of one model, of symbols (`code`) or of all other records.
"""

from collections.abc import Sequence

from indelible.store.database import Transaction
from indelible.store.tables.embeddings import Model


def whole(tx: Transaction, model: Model, *, code: bool) -> bool:
    """Whether the index of a partition exists: then it has every vector that the transaction sees."""
    return bool(tx.rows("neighbors.whole", model=model.number, code=int(code)))


def nearest(
    tx: Transaction,
    model: Model,
    query: Sequence[float],
    most: int,
    *,
    code: bool,
    among: Sequence[int] | None = None,
) -> list[int]:
    """Return the records of the `most` vectors nearest to one of unit length, nearest first; once for each vector.

    With `among` exactly, of those records; otherwise as the index finds them, nearly in order, and maybe fewer.
    """
    if among is not None and not len(among):
        return []
    found = tx.rows(
        "neighbors.nearest",
        model=model.number,
        code=int(code),
        dimensions=model.dimensions,
        asked=f"[{','.join(f'{value:.4g}' for value in query)}]",
        most=most,
        among="" if among is None else f"{{{','.join(map(str, among))}}}",
    )
    return [int(record) for (record,) in found]
