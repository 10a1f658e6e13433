"""Many tenants' complete records in one PostgreSQL store, by COPY: what `filling.py` writes, ten million of them.

The administrator copies, and the triggers do not fire: each would look for the newest position of the log first. What
they would have made is copied too (two rows of the log a record); what they make for a time only (a record's place in
the queue of what is to be embedded) is never there. Blocks are sealed by the product.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import complete
import filling
from complete import BATCH, Batch

LARGE = 1  # the tenant with the most records; the others are numbered from 2 on
NUMBERS = {"id", "record", "tenant", "space", "size", "view", "model", "position", "replaced", "created", "updated"}
REALS = {"importance", "confidence"}
BYTES = {"body", "vector", "code"}
Rows = Iterable[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Piece:
    """Records of a tenant that are copied in one transaction: `count` of them after the `first` ones."""

    tenant: int
    first: int
    count: int


def sizes(records: int, tenants: int, large: int) -> dict[int, int]:
    """Return how many records each tenant has: one `large`, the others the rest in equal parts."""
    others = tenants - 1
    return {LARGE: large, **{LARGE + 1 + n: (records - large + n) // others for n in range(others)}}


def pieces(records: int, tenants: int, large: int) -> list[Piece]:
    """Return all pieces in the order of copying: the others one after another, the large one's spread among them."""
    every = [
        Piece(tenant, first, min(BATCH, size - first))
        for tenant, size in sizes(records, tenants, large).items()
        for first in range(0, size, BATCH)
    ]
    own = [piece for piece in every if piece.tenant == LARGE]
    others = [piece for piece in every if piece.tenant != LARGE]
    placed = [((n + 0.5) / len(part), piece) for part in (own, others) for n, piece in enumerate(part)]
    return [piece for _, piece in sorted(placed, key=lambda each: each[0])]


def prepare(url: str, tenants: Iterable[int]) -> None:
    """Make the store, and what each tenant has before its first record."""
    from indelible.embed.local import MODEL
    from indelible.store.postgres.database import open_postgres

    with closing(open_postgres(url)) as store:
        for tenant in tenants:
            with closing(store.for_tenant(tenant)) as own:
                own.write(lambda tx: filling.add_model(tx, MODEL))
                own.write(filling.note_words)
                own.write(filling.note_compared)


def copy(admin: str, topics: Path, until: int, piece: Piece) -> int:
    """Copy a piece unless it is there; how many records that were."""
    import psycopg

    with psycopg.connect(admin, autocommit=True) as connection:
        there = "SELECT 1 FROM record WHERE tenant = %s AND id = %s"
        if connection.execute(there, [piece.tenant, piece.first + 1]).fetchall():
            return 0
        made = complete.batch(topics, piece.first, piece.count, until, seed=piece.tenant)
        with connection.transaction():
            connection.execute("SET LOCAL session_replication_role = replica; SET LOCAL synchronous_commit = off")
            ((model,),) = connection.execute("SELECT id FROM model WHERE tenant = %s", [piece.tenant]).fetchall()
            for table, rows in _tables(made, piece, int(model)).items():
                _copy_rows(connection, table, piece.tenant, rows)
            connection.execute(
                "INSERT INTO record_number (tenant, last) VALUES (%s, %s) "
                "ON CONFLICT (tenant) DO UPDATE SET last = greatest(record_number.last, excluded.last)",
                [piece.tenant, piece.first + piece.count],
            )
    return piece.count


def _tables(made: Batch, piece: Piece, model: int) -> dict[str, Rows]:
    ids = range(piece.first + 1, piece.first + piece.count + 1)
    return {
        "record": filling.record_rows(made, ids),
        "terms": filling.term_rows(made, ids),
        "embedding": filling.vector_rows(made, ids, model),
        "change": _changes(piece, ids),
    }


def _changes(piece: Piece, ids: Sequence[int]) -> Iterator[dict[str, Any]]:
    """The log, in which a tenant's positions follow each other: the records of the piece, then their embeddings."""
    position = 2 * piece.first
    for operation in ("put", "embed"):
        for record in ids:
            position += 1
            yield {"position": position, "record": record, "operation": operation}


def _copy_rows(connection: Any, table: str, tenant: int, rows: Rows) -> None:
    kept = iter(rows)
    first = next(kept)
    with connection.cursor().copy(f"COPY {table} (tenant, {', '.join(first)}) FROM STDIN (FORMAT BINARY)") as out:
        out.set_types(["int8", *map(_type, first)])
        out.write_row([tenant, *first.values()])
        for row in kept:
            out.write_row([tenant, *row.values()])


def _type(column: str) -> str:
    if column in NUMBERS:
        return "int8"
    return "float8" if column in REALS else "bytea" if column in BYTES else "text"


def seal(url: str, tenant: int) -> int:
    """Seal what is due of a tenant, as its server would; how many blocks that were."""
    from indelible.core.indexes import sealing
    from indelible.store.postgres.database import open_postgres

    with closing(open_postgres(url, tenant=tenant)) as store:
        due = sealing.blocks_due(store)
        for partition, block in due:
            sealing.seal(store, partition, block)
        sealing.refresh_positions(store)
    return len(due)
