"""Documents that are stored while others are looked for."""

from dataclasses import replace

from earlier import EarlierFirst
from indelible.store.tables import changes
from indelible.toolsets.context.documents import passages
from talk import document


def test_a_document_that_came_after_a_look_began_is_no_part_of_it(memory):
    first = document(memory, "Parcels leave at noon.", "a.md")
    ctx = memory.context
    with ctx.store.read() as earlier:
        changes.moment(earlier)  # its moment is now
        second = document(memory, "Parcels are weighed at noon.", "b.md")
        memory.recall_memory(query="parcels at noon")  # the caches have both
        for store, expected in ((EarlierFirst(ctx.store, earlier), {first}), (ctx.store, {first, second})):
            found = passages.by_type(replace(ctx, store=store), "parcels at noon", "document", 5)
            assert {passage.record.id for passage in found} == expected
