"""Which memories the cycles take as no evidence: those that have expired, and those that speak of code that is gone."""

from collections.abc import Collection

from indelible.clock import sortable_text
from indelible.core.context.context import Context
from indelible.core.recall import freshness
from indelible.store.database import Transaction
from indelible.store.views import lifetimes


def none_among(ctx: Context, tx: Transaction, ids: Collection[int]) -> set[int]:
    """Return those of the records that are no evidence."""
    return freshness.gone_among(tx, ids) | expired(ctx, tx).intersection(ids)


def none_in(ctx: Context, tx: Transaction, namespace: str) -> set[int]:
    """Return all records of a namespace that are no evidence; those that have expired may be of others too."""
    return freshness.gone_in(tx, namespace) | expired(ctx, tx)


def expired(ctx: Context, tx: Transaction) -> frozenset[int]:
    """Return the row ids of what has expired."""
    return lifetimes.expired(tx, sortable_text(ctx.now()))
