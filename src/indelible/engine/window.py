"""What was stored beside an answer, in the same session and within half an hour of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from indelible.engine.nearness import Measured, Nearness
from indelible.store import records
from indelible.store.database import Transaction

LENDERS = 64  # best answers whose neighbours are looked at
WINDOW = 30 * 60 * 1_000_000  # microseconds


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two records of one session with at most one other between them: row ids."""

    lender: int
    borrower: int
    distance: int


def neighbours(tx: Transaction, tenant: int, lenders: list[int]) -> list[Neighbours]:
    """The two records before and the two after each, as far as there are any."""
    found = []
    for lender, before, before_that, after, after_that in records.beside(tx, tenant, lenders, WINDOW):
        beside = ((before, 1), (before_that, 2), (after, 1), (after_that, 2))
        found += [Neighbours(lender, other, distance) for other, distance in beside if other is not None]
    return found


def borrowed(
    everyone: Sequence[Measured], answers: dict[int, Nearness], pairs: Sequence[Neighbours]
) -> dict[int, Nearness]:
    """The borrowers of the pairs that get something, with what they have then."""
    if not pairs:
        return {}
    import numpy as np

    from indelible.search import window

    ids = [record for measured in everyone for record in measured.ids]
    own = dict(zip(ids, [near for measured in everyone for near in measured.nearness()], strict=True))
    place = {record: i for i, record in enumerate(ids)}
    values = np.array([answers[record].relevance if record in answers else 0.0 for record in ids])
    vectors = np.concatenate([measured.vectors for measured in everyone])
    placed = [
        window.Pair(place[pair.lender], place[pair.borrower], pair.distance) for pair in pairs if pair.borrower in place
    ]
    found: dict[int, Nearness] = {}
    for pair, share in zip(placed, window.lent(values, vectors, placed).tolist(), strict=True):
        if share > 0:
            lender, borrower = ids[pair.lender], ids[pair.borrower]
            found[borrower] = found.get(borrower, own[borrower]).with_more(answers[lender].part(share))
    return found
