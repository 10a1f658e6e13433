"""Sealed blocks: 65,536 records of a space as arrays, so that a start reads a few large blobs instead of all rows."""

import time

from indelible.core.indexes import partitions
from indelible.core.indexes.partitions import Space
from indelible.store.database import Database, Transaction
from indelible.store.tables import changes, embeddings, purge, records, repositories, terms

SLICE = 2000  # rows that are read at a time
LONGEST_LOG = 100_000  # changes since a block was sealed, after which it is sealed again whatever they were
SEAL_AFTER = 4096  # changes of a block, before it is sealed again; a quarter of its records where that is more


def spaces_of(tx: Transaction, tenant: int) -> list[Space]:
    """Every space that has rows in the store."""
    models = embeddings.models(tx, tenant)
    found = [partitions.words(), *(space for model in models for space in partitions.of_model(model))]
    if repositories.everything(tx, tenant):  # what was imported of code is too little to be sealed
        found += [
            partitions.words(code=True),
            *(space for model in models for space in partitions.of_model(model, code=True)),
        ]
    return found


def blocks_due(store: Database, tenant: int) -> list[tuple[Space, int]]:
    """The blocks that it pays to seal: never sealed, much changed since, or changed a long log ago."""
    with store.read() as tx:
        return [(space, block) for space in spaces_of(tx, tenant) for block in _due(tx, tenant, space)]


def _due(tx: Transaction, tenant: int, space: Space) -> list[int]:
    from indelible.search.index.postings import BLOCK

    last, oldest = changes.last(tx, tenant), changes.oldest(tx, tenant)
    sizes = terms.block_sizes(tx, tenant, space.number, space.version)
    sealed = {block: (at, count) for block, at, count in sizes if at + 1 >= oldest}
    due = []
    for block in range(records.last_id(tx, tenant) // BLOCK + 1):
        low, high = block * BLOCK, (block + 1) * BLOCK
        if block not in sealed:
            changed, enough = space.count_in_range(tx, tenant, low, high), SEAL_AFTER
        else:
            at, count = sealed[block]
            changed = changes.count_in_range(tx, tenant, at, low, high, space.embeds)
            enough = 0 if last - at > LONGEST_LOG else max(SEAL_AFTER, count // 4)
        if changed > enough:
            due.append(block)
    return due


def refresh_positions(store: Database, tenant: int) -> None:
    """Note of sealed blocks without changes for long that they are right as of now: a start reads less log."""
    with store.read() as tx:
        last = changes.last(tx, tenant)
        old = any(
            last - at > LONGEST_LOG
            for space in spaces_of(tx, tenant)
            for _, at, _ in terms.block_sizes(tx, tenant, space.number, space.version)
        )
    if old:
        store.write(lambda tx: _refresh_positions(tx, tenant))


def _refresh_positions(tx: Transaction, tenant: int) -> None:
    from indelible.search.index.postings import BLOCK

    last = changes.last(tx, tenant)
    for space in spaces_of(tx, tenant):
        for block, at, _ in terms.block_sizes(tx, tenant, space.number, space.version):
            low, high = block * BLOCK, (block + 1) * BLOCK
            unchanged = changes.count_in_range(tx, tenant, at, low, high, space.embeds) == 0
            if last - at > LONGEST_LOG and unchanged:
                terms.move_block(tx, tenant, space.number, block, last)


def seal(store: Database, tenant: int, space: Space, block: int) -> None:
    """Write one block as arrays, as of now. Done twice at once it is only done in vain."""
    from indelible.search.index.postings import BLOCK

    with store.read() as tx:
        purged = purge.marked(tx, tenant)
        position = changes.last(tx, tenant)
        entries = []
        end = (block + 1) * BLOCK
        for low in range(block * BLOCK, end, SLICE):
            entries += space.in_range(tx, tenant, low, min(low + SLICE, end))
            time.sleep(0.001)  # the interpreter is shared with the calls that are being answered
    body = space.pack(entries)

    def work(tx: Transaction) -> None:
        if purge.marked(tx, tenant) == purged:  # else it may hold what was purged since it was read
            terms.put_block(tx, tenant, space.number, space.version, block, position, len(entries), body)

    store.write(work)
