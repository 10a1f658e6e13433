"""Records stored in the same session as an answer and within half an hour of it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from indelible.core.recall.relevance import Measured, Relevance
from indelible.store.database import Transaction
from indelible.store.tables import records

if TYPE_CHECKING:
    from indelible.search.window import Pair

# Imported late (start, cli): indelible.search.window, numpy

LENDERS = 64  # best answers whose neighbours are looked at
WINDOW = 30 * 60 * 1_000_000  # microseconds


def neighbours(tx: Transaction, lenders: list[int]) -> "list[Pair]":
    """Return the two records before and the two after each, as far as there are any, by row ids."""
    from indelible.search.window import Pair

    found = []
    for lender, before, before_that, after, after_that in records.beside(tx, lenders, WINDOW):
        beside = ((before, 1), (before_that, 2), (after, 1), (after_that, 2))
        found += [Pair(lender, other, distance) for other, distance in beside if other is not None]
    return found


def borrowed(
    everyone: Sequence[Measured], answers: dict[int, Relevance], pairs: "Sequence[Pair]"
) -> dict[int, Relevance]:
    """Return the borrowers of the pairs (row ids) that get something, with their relevance then."""
    if not pairs:
        return {}
    import numpy as np

    from indelible.search import window

    ids = [record for measured in everyone for record in measured.ids]
    own = dict(zip(ids, [near for measured in everyone for near in measured.relevances()], strict=True))
    place = {record: i for i, record in enumerate(ids)}
    values = np.array([answers[record].value if record in answers else 0.0 for record in ids])
    vectors = np.concatenate([measured.vectors for measured in everyone])
    known = [pair for pair in pairs if pair.borrower in place]
    placed = [window.Pair(place[pair.lender], place[pair.borrower], pair.distance) for pair in known]
    found: dict[int, Relevance] = {}
    for pair, share in zip(known, window.lent(values, vectors, placed).tolist(), strict=True):
        if share > 0:
            before = found.get(pair.borrower, own[pair.borrower])
            found[pair.borrower] = before.with_more(answers[pair.lender].part(share))
    return found
