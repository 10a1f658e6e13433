"""How much `doctor` holds in memory at a time: rows by slices, one block of the index, no text twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from command_line import memory, opened
from indelible.admin.checks import blocks
from indelible.core.context.context import Context
from indelible.core.indexes import sealing
from indelible.store.database import Row, Transaction
from indelible.store.tables import terms
from indelible.store.views import soundness
from indelible.toolsets.memory import importing
from made_up_meaning import embed_all, seal_all, with_meaning

RECORDS, FEW = 90, 20
PARTITIONS = 3  # words, sparse terms, vectors


class Watched:
    """A store of which it is noted how many rows each query gives at a time."""

    def __init__(self, ctx: Context) -> None:
        self._whole = ctx.store
        self.given: dict[str, list[int]] = defaultdict(list)

    @contextmanager
    def read(self) -> Iterator[Any]:
        with self._whole.read() as tx:
            yield _Watching(tx, self.given)


class _Watching:
    def __init__(self, tx: Transaction, given: dict[str, list[int]]) -> None:
        self._tx = tx
        self._given = given

    def rows(self, query: str, **parameters: Any) -> list[Row]:
        found = self._tx.rows(query, **parameters)
        self._given[query].append(len(found))
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tx, name)


@pytest.fixture
def sealed(tmp_path: Path) -> Iterator[Context]:
    """A store with a sealed block of each partition that is not of code."""
    with opened(tmp_path / "data") as ctx:
        assert importing.import_items(ctx, [{"id": f"m{n}", **memory(n)} for n in range(RECORDS)]).errors == []
        embed_all(with_meaning(ctx))
        seal_all(ctx)
        yield ctx


def test_blocks_are_compared_with_slices_of_their_rows(sealed: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "SLICE", FEW)
    watched = Watched(sealed)
    assert list(blocks.damaged(replace(sealed, store=watched))) == []  # type: ignore[arg-type]
    ranges = [given for query, given in watched.given.items() if query.endswith("in_range")]
    assert [sum(given) for given in ranges] == [RECORDS] * PARTITIONS
    assert max(max(given) for given in ranges) <= FEW


def test_a_change_in_any_slice_is_found(sealed: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "SLICE", FEW)
    lost = [1, FEW - 1, FEW, FEW + 1, RECORDS]
    sealed.store.write(lambda tx: [soundness.drop_terms(tx, record, [terms.WORDS]) for record in lost])
    (words,) = blocks.damaged(sealed)
    assert (words.partition.number, words.records) == (terms.WORDS, lost)


def test_of_several_blocks_each_is_read_once(sealed: Context) -> None:
    def seal_again(tx: Transaction) -> None:
        for each in sealing.partitions_of(tx):
            for _, change, count, body in terms.blocks(tx, each.number, each.version):
                terms.put_block(tx, each.number, each.version, 1, change, count, body)

    sealed.store.write(seal_again)
    watched = Watched(sealed)
    assert {each.block for each in blocks.damaged(replace(sealed, store=watched))} == {1}  # type: ignore[arg-type]
    assert sum(watched.given["terms.blocks"] + watched.given["terms.block"]) == 2 * PARTITIONS
