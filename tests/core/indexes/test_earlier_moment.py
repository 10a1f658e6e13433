"""A caller whose transaction began earlier than the index's moment."""

from indelible.core.records import insert
from indelible.search import tokens
from indelible.store.tables import changes
from samples import record


def count(ctx, tx, *, code):
    with ctx.indexes.records.current(tx, code=code) as caches:
        return caches.words.count


def test_a_part_that_it_loads_is_not_kept_for_those_that_come_later(memory):
    ctx = memory.context
    memory.store_memory(content="one")
    with ctx.store.read() as earlier:
        changes.moment(earlier)  # its moment is now
        symbol = record("sym", kind="symbol", type="function", text="def gross")
        ctx.store.write(lambda tx: insert.add(ctx, tx, symbol, tokens.terms(symbol.text)))
        with ctx.store.read() as tx:
            assert count(ctx, tx, code=False) == 1  # the follower stands at the later moment
        assert count(ctx, earlier, code=True) == 0
    with ctx.store.read() as tx:
        assert count(ctx, tx, code=True) == 1
