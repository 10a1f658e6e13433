"""Sealed blocks of the index against the rows that they were made of."""

from collections.abc import Iterator
from typing import NamedTuple

from indelible.admin.checks.check import REPAIR, Check, Finding
from indelible.core.context.context import Context
from indelible.core.indexes import sealing
from indelible.core.indexes.partitions import Partition
from indelible.search.index import block_digests
from indelible.search.index.postings import BLOCK
from indelible.store.database import Transaction
from indelible.store.tables import changes, terms
from indelible.store.views import soundness

SLICE = 2_000  # ids whose rows are read at a time

PARTS = {
    terms.WORDS: "words",
    terms.SPARSE: "sparse terms",
    terms.DENSE: "vectors",
    terms.CODE_WORDS: "words of code",
    terms.CODE_SPARSE: "sparse terms of code",
    terms.CODE_DENSE: "vectors of code",
    terms.COMMIT_WORDS: "words of commits",
}


class Damaged(NamedTuple):
    """A block that cannot be used, or that differs from the rows of some records."""

    partition: Partition
    block: int
    records: list[int]


def damaged(ctx: Context) -> Iterator[Damaged]:
    """Yield the damaged blocks; each block is read in a transaction of its own."""
    with ctx.store.read() as tx:
        every = sealing.partitions_of(tx)
    for partition in every:
        with ctx.store.read() as tx:
            blocks = [block for block, _, _ in terms.block_sizes(tx, partition.number, partition.version)]
        for block in blocks:
            with ctx.store.read() as tx:
                found = _differing(tx, partition, block)
            if found is not None:
                yield Damaged(partition, block, found)


def _differing(tx: Transaction, partition: Partition, block: int) -> list[int] | None:
    """Return the records whose rows differ from a block, [] if the block is unreadable, None if it is sound.

    Records changed since the block was sealed are read from their rows anyway; if the log does not reach back so far,
    all of its records are.
    """
    sealed = terms.block(tx, partition.number, partition.version, block)
    if sealed is None:
        return None
    at, body = sealed
    if not changes.moment(tx).reaches_back_to(at):
        return None
    dense = partition.number in (terms.DENSE, terms.CODE_DENSE)
    try:
        sealed_rows = block_digests.of_codes_block(body) if dense else block_digests.of_block(body)
    except ValueError:
        return []
    there: block_digests.Digests = {}
    for low in range(block * BLOCK, (block + 1) * BLOCK, SLICE):
        rows = partition.in_range(tx, low, min(low + SLICE, (block + 1) * BLOCK))
        if rows:
            there |= block_digests.of_codes(rows) if dense else block_digests.of_entries(rows)
    stale = {change.record for change in changes.since(tx, at) if partition.follows(change.operation)}
    wrong = {record for record in sealed_rows.keys() | there.keys() if sealed_rows.get(record) != there.get(record)}
    return sorted(wrong - stale) or None


def _find(ctx: Context) -> Iterator[Finding]:
    found = list(damaged(ctx))
    if found:
        parts = ", ".join(sorted({PARTS[each.partition.number] for each in found}))
        what = "block of the index is" if len(found) == 1 else "blocks of the index are"
        yield Finding(f"{len(found)} {what} damaged ({parts}); {REPAIR} builds the index again")


def _mend(ctx: Context) -> Iterator[str]:
    """Throw away what is wrong, and let those who loaded it read the rows of these records; seal what pays."""
    found = list(damaged(ctx))
    for each in found:
        ctx.store.write(lambda tx, each=each: _drop(tx, each))  # type: ignore[misc]
    for partition, block in sealing.blocks_due(ctx.store):
        sealing.seal(ctx.store, partition, block)
    if found:
        yield f"built the index again, of which {len(found)} blocks were damaged"


def _drop(tx: Transaction, wrong: Damaged) -> None:
    soundness.drop_block(tx, wrong.partition.number, wrong.block)
    soundness.log_again(tx, wrong.records)


BLOCKS = Check("sealed blocks of the index against rows", _find, _mend)
