"""The facts that a recall reads before anything else, in one statement instead of ten."""

import json
from functools import lru_cache

from indelible.store.database import Transaction
from indelible.store.namespace_filter import whole
from indelible.store.tables import changes, pending, projects, settings
from indelible.store.tables.changes import Moment
from indelible.store.tables.projects import Noted
from indelible.store.views import code_links, lifetimes, solutions


def read(tx: Transaction, now: str) -> None:
    """Read, and remember where a transaction only reads, what a recall needs whatever is asked.

    That is: where the log of changes stands, the aliases of projects, the weights of scores, which dense model was
    chosen, which branches are not merged, whether any code is indexed, which namespaces have solutions of scope `repo`,
    whether nothing waits for its embedding, what has expired at a time (`clock.sortable_text`). Once is enough, in a
    file until it changes. A transaction that writes remembers nothing, so nothing is read; what is asked for later is
    read then.
    """
    if tx.remembered is None or projects.NOTED in tx.remembered:
        return
    ((*moment, weights, model, branches, indexed, private, waiting, noted, expired, until),) = tx.rows(
        "recall.opening", now=now
    )
    tx.remembered[projects.NOTED] = _noted(noted)
    tx.remembered[settings.STORED, settings.SCORING_WEIGHTS] = weights
    tx.remembered[settings.STORED, settings.DENSE_MODEL] = model
    tx.remembered[settings.STORED, settings.BRANCHES] = branches
    tx.remembered[code_links.INDEXED] = bool(indexed)
    tx.remembered[lifetimes.EXPIRED] = lifetimes.Expired(now, until, frozenset(json.loads(expired)))
    if not waiting:
        tx.remembered[pending.NONE] = True
    if not private:
        tx.remembered[solutions.PRIVATE_NAMESPACES] = []
    everything = whole(tx).remembered
    if everything is not None:
        everything[changes.MOMENT] = Moment(*moment)


@lru_cache(maxsize=8)
def _noted(aliases: str) -> dict[str, Noted]:
    """Return the aliases of a JSON array of [alias, namespace, kind]; not to be changed."""
    return {alias: Noted(namespace, kind) for alias, namespace, kind in sorted(json.loads(aliases))}
