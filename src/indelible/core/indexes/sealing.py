"""Sealed blocks: 65,536 records of a partition as arrays, so that a start reads a few large blobs, not all rows."""

from collections.abc import Callable

from indelible.batching import no_pause
from indelible.core.indexes import model_choice, partitions
from indelible.core.indexes.partitions import Partition
from indelible.store.database import Database, Transaction
from indelible.store.tables import changes, embeddings, purge, records, repositories, terms

# Imported late (start): indelible.search.index.postings

SLICE = 200  # records that are read at a time: a call that comes meanwhile waits for them
LONGEST_LOG = 100_000  # changes since a block was sealed, after which it is sealed again whatever they were
SEAL_AFTER = 4096  # changes of a block, before it is sealed again; a quarter of its records where that is more


def partitions_of(tx: Transaction) -> list[Partition]:
    """Return every partition that has rows in the store."""
    unsearched = model_choice.unsearched_numbers(tx)  # a model's block would stand in the place of another's
    models = [model for model in embeddings.models(tx) if model.number not in unsearched]
    found = [partitions.words(), *(partition for model in models for partition in partitions.of_model(model))]
    if repositories.everything(tx):  # what was imported of code is too little to be sealed
        found += [
            partitions.words(terms.CODE_WORDS),
            partitions.words(terms.COMMIT_WORDS),
            *(partition for model in models for partition in partitions.of_model(model, code=True)),
        ]
    return found


def blocks_due(store: Database) -> list[tuple[Partition, int]]:
    """Return the blocks worth sealing: never sealed, much changed since, or changed a long log ago."""
    with store.read() as tx:
        return [(partition, block) for partition in partitions_of(tx) for block in _due(tx, partition)]


def _due(tx: Transaction, partition: Partition) -> list[int]:
    from indelible.search.index.postings import BLOCK

    now = changes.moment(tx)
    sizes = terms.block_sizes(tx, partition.number, partition.version)
    sealed = {block: (at, count) for block, at, count in sizes if now.reaches_back_to(at)}
    due = []
    for block in range(records.last_id(tx) // BLOCK + 1):
        low, high = block * BLOCK, (block + 1) * BLOCK
        if block not in sealed:
            changed, enough = partition.count_in_range(tx, low, high), SEAL_AFTER
        else:
            at, count = sealed[block]
            changed = changes.count_in_range(tx, at, low, high, partition.embeds)
            enough = 0 if now.last - at > LONGEST_LOG else max(SEAL_AFTER, count // 4)
        if changed > enough:
            due.append(block)
    return due


def refresh_positions(store: Database) -> None:
    """Mark sealed blocks without recent changes as valid as of now: a start then reads less of the log."""
    with store.read() as tx:
        last = changes.last(tx)
        old = any(
            last - at > LONGEST_LOG
            for partition in partitions_of(tx)
            for _, at, _ in terms.block_sizes(tx, partition.number, partition.version)
        )
    if old:
        store.write(_refresh_positions)


def _refresh_positions(tx: Transaction) -> None:
    from indelible.search.index.postings import BLOCK

    last = changes.last(tx)
    for partition in partitions_of(tx):
        for block, at, _ in terms.block_sizes(tx, partition.number, partition.version):
            low, high = block * BLOCK, (block + 1) * BLOCK
            unchanged = changes.count_in_range(tx, at, low, high, partition.embeds) == 0
            if last - at > LONGEST_LOG and unchanged:
                terms.move_block(tx, partition.number, block, last)


def seal(store: Database, partition: Partition, block: int, pause: Callable[[], object] = no_pause) -> None:
    """Write one block as arrays, as of now. Sealing it twice at once is harmless.

    `pause` is called before each piece: a server lets its calls go first.
    """
    from indelible.search.index.postings import BLOCK

    with store.read() as tx:
        purged = purge.marked(tx)
        position = changes.last(tx)
        entries = []
        end = (block + 1) * BLOCK
        for low in range(block * BLOCK, end, SLICE):
            pause()
            entries += partition.in_range(tx, low, min(low + SLICE, end))
    pause()
    body = partition.pack(entries)

    def work(tx: Transaction) -> None:
        if purge.marked(tx) == purged:  # else it may hold what was purged since it was read
            terms.put_block(tx, partition.number, partition.version, block, position, len(entries), body)

    store.write(work)
