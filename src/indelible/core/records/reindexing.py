"""Words of records that an earlier version indexed: stored again as this one has them, behind everything else."""

from collections.abc import Callable

from indelible.core.context.context import Context
from indelible.core.records import insert
from indelible.core.records.batching import breathe
from indelible.model import CODE_KINDS
from indelible.search import rules, tokens
from indelible.store.database import Transaction
from indelible.store.tables import records, settings, terms
from indelible.store.views import soundness

STATE = "words_indexed"  # setting: the version that the words get, and the last row id looked at
VERSION = f"{tokens.VERSION}.{rules.VERSION}"
DONE = "done"
BATCH = 50  # records of a transaction: a few milliseconds


def catch_up(ctx: Context, is_stopped: Callable[[], bool]) -> bool:
    """Index again what the store's words say otherwise than this version would; whether all was looked at.

    Each batch is a transaction that notes how far it came, so several processes share the work, and one that was ended
    is continued. Symbols and files are indexed by their own runs.
    """
    with ctx.store.read() as tx:
        if settings.find(tx, STATE) == f"{VERSION} {DONE}":
            return True
    while not is_stopped():
        if ctx.store.write(lambda tx: _batch(ctx, tx)):
            return True
        breathe()
    return False


def _batch(ctx: Context, tx: Transaction) -> bool:
    """Look at the next records; whether there are no more."""
    version, _, last = (settings.find(tx, STATE) or "").partition(" ")
    if version == VERSION and last == DONE:
        return True
    page = records.after(tx, int(last) if version == VERSION else 0, BATCH)
    if not page:
        settings.put(tx, STATE, f"{VERSION} {DONE}")
        return True
    rows = {(row.record, row.partition): row.body for row in soundness.terms_in(tx, page[0].id, page[-1].id)}
    changed = []
    for record in page:
        counts = {} if record.kind in CODE_KINDS else insert.words_of(record)
        if counts and rows.get((record.id, terms.words_of(record.kind))) != tokens.pack(counts):
            terms.put(tx, record.id, counts, terms.words_of(record.kind))
            changed.append(record.id)
    soundness.log_again(tx, changed)
    settings.put(tx, STATE, f"{VERSION} {page[-1].id}")
    return False
