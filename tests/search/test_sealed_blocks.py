"""Sealed blocks against the rows that they are made of."""

from pathlib import Path

from indelible.engine import sealing, spaces
from indelible.engine.context import open_context
from indelible.engine.memories import add, content_hash
from indelible.engine.recall import Query, recall
from indelible.model import Record
from indelible.search import tokens
from indelible.search.postings import BLOCK
from indelible.settings import Settings


def record(number: int) -> Record:
    text = f"the number {number} of many"
    return Record(
        id=number,
        key=str(number),
        kind="memory",
        type="context",
        text=text,
        content_hash=content_hash(text),
        created=number,
        updated=number,
    )


def test_a_record_is_in_one_sealed_block_only(tmp_path: Path) -> None:
    numbers = [*range(BLOCK - 5, BLOCK + 5), 2 * BLOCK - 1, 2 * BLOCK]
    ctx = open_context(Settings(data=tmp_path / "data"))
    try:
        for number in numbers:
            new = record(number)
            ctx.store.write(lambda tx, new=new: add(ctx, tx, new, tokens.terms(new.text)))
        for block in range(3):
            sealing.seal(ctx.store, ctx.tenant, spaces.words(), block)
        with ctx.store.read() as tx, ctx.index.current(tx) as caches:
            assert caches.words.records.values.tolist() == numbers
        assert {hit.record.id for hit in recall(ctx, Query("number of many", 20))} == set(numbers)
    finally:
        ctx.close()
