"""An import gives way to other calls before each item, in a shared database inside its transactions too."""

import pytest

from indelible.store.database import shared
from indelible.store.tables import records
from indelible.toolsets.memory import importing

ITEMS = [{"content": f"the shelf {n} holds jars"} for n in range(40)]  # two transactions


@pytest.fixture
def ways(memory):
    """What an import of the items waits for at most, and how many of them are stored then; it waits 10 ms each time."""
    ctx, found = memory.context, []

    def give_way(longest=None):
        with ctx.store.read() as tx:
            found.append((longest, records.count_by_kind(tx).get("memory", 0)))
        return 0.01

    assert len(importing.import_items(ctx, ITEMS, give_way=give_way).ids) == len(ITEMS)
    return found


def test_before_it_reads_an_item(ways):
    assert [stored for longest, stored in ways if longest is None] == [0] * 32 + [32] * 8


def test_inside_a_transaction_of_a_shared_database_50_ms_in_all(memory, ways):
    within = [(round(longest, 3), stored) for longest, stored in ways if longest is not None]
    rest = [0.05, 0.04, 0.03, 0.02, 0.01]
    expected = [(longest, stored) for stored in (0, 32) for longest in rest]
    assert within == (expected if shared(memory.context.store) else [])
