"""Which memories the cycles take as no evidence: what has expired, is not true now, or speaks of code that is gone."""

from collections.abc import Mapping

from indelible.clock import sortable_text
from indelible.core.context.context import Context
from indelible.core.recall import freshness
from indelible.core.records import lifetimes
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.views import consolidation
from indelible.store.views import lifetimes as stored


def none_among(ctx: Context, tx: Transaction, found: Mapping[int, Record]) -> set[int]:
    """Return those of the records, by row id, that are no evidence."""
    now = sortable_text(ctx.now())
    untrue = {record for record, each in found.items() if lifetimes.validity(each.metadata, now)}
    return freshness.gone_among(tx, found) | expired(ctx, tx).intersection(found) | untrue


def none_in(ctx: Context, tx: Transaction, namespace: str) -> set[int]:
    """Return all records of a namespace that are no evidence; those that have expired may be of others too."""
    untrue = consolidation.untrue(tx, namespace, sortable_text(ctx.now()))
    return freshness.gone_in(tx, namespace) | expired(ctx, tx) | untrue


def expired(ctx: Context, tx: Transaction) -> frozenset[int]:
    """Return the row ids of what has expired."""
    return stored.expired(tx, sortable_text(ctx.now()))
