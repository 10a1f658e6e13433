"""The code that hits name, as it is now: a hit that speaks of what is gone stands below its like.

States are those of the last run of the index; nothing is read beside the store, and no code is indexed in most stores.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from indelible.code_states import FRESH, CodeState, is_gone, share_gone, worst
from indelible.core.recall import branches
from indelible.store.database import Transaction
from indelible.store.views import code_links, freshness

if TYPE_CHECKING:
    from indelible.search.ranking import Scored

BELOW = 0.1  # of its score that a hit loses which names only what is gone
OUTDATED = 0.9  # of its score is what a hit has that does not hold at the time that is asked about

States = Mapping[int, tuple[CodeState, ...]]


def more(tx: Transaction, known: States, looked_at: Collection[int], ids: Collection[int]) -> States:
    """Return the known states, and those of the records that were not looked at, which costs a statement."""
    others = [record for record in ids if record not in looked_at]
    if not others or not code_links.any_repository(tx):
        return known
    return {**known, **freshness.of_records(tx, others)}


def made_stale(tx: Transaction, ids: Collection[int], after: Mapping[int, CodeState | None]) -> States:
    """Return those of the records that a change makes stale, each with the states that it leaves its code in.

    `after` are the symbols and files that it deletes or moves, by their row ids; see `views.freshness.after_change`.
    """
    found = freshness.after_change(tx, ids, after) if ids and after else {}
    return {record: states for record, states in found.items() if worst(states) != FRESH}


def gone_among(tx: Transaction, ids: Collection[int]) -> set[int]:
    """Return those of the records that speak of what is gone: of which they are no evidence any more."""
    if not ids or not code_links.any_repository(tx):
        return set()
    return {record for record, states in freshness.of_records(tx, ids).items() if is_gone(states)}


def gone_in(tx: Transaction, namespace: str) -> set[int]:
    """Return the same of all records of a namespace."""
    if not code_links.any_repository(tx):
        return set()
    return {record for record, states in freshness.stale(tx, [namespace]).items() if is_gone(states)}


def lowered(
    scored: "Scored",
    ids: Sequence[int],
    states: States,
    unmerged: Collection[int] = (),
    outdated: Collection[int] = (),
) -> "Scored":
    """Return candidates, whose row ids those are, with those lowered that name what is gone: by up to a tenth.

    And those of branches that are `unmerged`, and those that are `outdated`: true until or from another time.
    """
    factors = {
        place: (1 - BELOW * share_gone(states.get(record, ())))
        * (branches.BELOW if record in unmerged else 1.0)
        * (OUTDATED if record in outdated else 1.0)
        for place, record in enumerate(ids)
        if record in unmerged or record in outdated or (record in states and share_gone(states[record]))
    }
    return scored.times(factors) if factors else scored
