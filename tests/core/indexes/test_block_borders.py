"""A sealed block holds the records of its range and no others, so that no record stands in two."""

from pathlib import Path

from indelible.core.context.context import Context, open_context
from indelible.core.indexes import partitions, sealing
from indelible.core.recall.candidates import Query
from indelible.core.recall.recall import recall
from indelible.core.records import insert
from indelible.model import Record
from indelible.search.index.postings import BLOCK, unpack_block
from indelible.settings import Settings
from indelible.store.tables import records, terms

ACROSS = range(BLOCK - 10, BLOCK + 10)


def store_across_the_border(ctx: Context) -> None:
    def work(tx):
        for number in ACROSS:
            record = Record(
                id=number,
                key=f"m{number}",
                kind="memory",
                type="context",
                text=f"border stone {number}",
                content_hash=str(number),
                created=number,
                updated=number,
            )
            assert records.insert(tx, record) == number
            insert.index_words(ctx, tx, record)

    ctx.store.write(work)


def test_blocks_that_are_sealed_beside_each_other_share_no_record(tmp_path: Path):
    ctx = open_context(Settings(data=tmp_path / "data"))
    try:
        store_across_the_border(ctx)
        for block in (0, 1):
            sealing.seal(ctx.store, partitions.words(), block)
        with ctx.store.read() as tx:
            sealed = terms.blocks(tx, partitions.words().number, partitions.words().version)
        held = [unpack_block(body)[1]["records"].tolist() for _, _, _, body in sealed]
        assert held == [list(range(BLOCK - 10, BLOCK)), list(range(BLOCK, BLOCK + 10))]
    finally:
        ctx.close()


def test_after_a_start_from_sealed_blocks_each_record_is_counted_and_found_once(tmp_path: Path):
    settings = Settings(data=tmp_path / "data")
    ctx = open_context(settings)
    try:
        store_across_the_border(ctx)
        for block in (0, 1):
            sealing.seal(ctx.store, partitions.words(), block)
    finally:
        ctx.close()
    ctx = open_context(settings)
    try:
        with ctx.store.read() as tx, ctx.indexes.records.current(tx) as caches:
            assert caches.words.count == len(ACROSS)
        hits = recall(ctx, Query("border stone", 100))
        assert sorted(hit.record.id for hit in hits) == list(ACROSS)
    finally:
        ctx.close()


def test_sealing_pauses_before_each_piece_that_it_reads(tmp_path: Path):
    ctx = open_context(Settings(data=tmp_path / "data"))
    try:
        store_across_the_border(ctx)
        pauses = []
        sealing.seal(ctx.store, partitions.words(), 0, lambda: pauses.append(None))
        assert len(pauses) > BLOCK // sealing.SLICE
    finally:
        ctx.close()
