"""The graph of a store, read in slices so that other threads get the interpreter in between."""

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from indelible.model import INDEXED_KINDS
from indelible.store.database import Row, Transaction
from indelible.store.tables import edges, records

if TYPE_CHECKING:
    from indelible.graph.snapshot import Drawn

# Imported late (start, cli): indelible.graph.snapshot

FIRST, WIDEST = 256, 4_096  # ids of records whose relations are read at a time
FEW, MANY = 500, 2_000  # relations of a slice: with more it is made narrower, with fewer the next is wider
AT_ONCE = 5_000  # records whose rows are taken apart at a time
PAUSE = 0.001  # seconds between slices
EVERYTHING = 1 << 62  # above every id

_Node = tuple[int, tuple[str, bool]]  # a record, and its group: its namespace, code apart from the rest


def read(tx: Transaction, *, stated: bool, at_once: bool = False) -> "Drawn":
    """Return the graph as of a transaction; `stated`: without the code index's relations; `at_once`: in one piece."""
    from indelible.graph.snapshot import Drawn

    relations = [edges.in_range(tx, 0, EVERYTHING, stated=stated, limit=EVERYTHING)] if at_once else _slices(tx, stated)
    return Drawn.of(relations, _nodes(tx, stated))


def _slices(tx: Transaction, stated: bool) -> Iterator[Sequence[Row]]:
    """Yield the relations in slices small enough that no other thread waits long for the interpreter."""
    low, width, last = 0, FIRST, records.last_id(tx)
    while low <= last:
        most = MANY if width > 1 else EVERYTHING
        rows = edges.in_range(tx, low, low + width, stated=stated, limit=most)
        if len(rows) < most:
            yield rows
            low += width
        width = max(1, width // 4) if len(rows) == most else min(WIDEST, 2 * width) if len(rows) < FEW else width
        time.sleep(PAUSE)


def _nodes(tx: Transaction, stated: bool) -> Iterator[list[_Node]]:
    """Yield the records that have relations, some at a time."""
    rows = edges.nodes(tx, stated=stated)
    for at in range(0, len(rows), AT_ONCE):
        yield [(row[0], (row[1], row[2] in INDEXED_KINDS)) for row in rows[at : at + AT_ONCE]]
        time.sleep(PAUSE if at + AT_ONCE < len(rows) else 0)
