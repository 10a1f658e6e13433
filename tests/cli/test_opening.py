"""The parts that the commands share."""

from dataclasses import replace

from indelible.cli import opening
from indelible.core.indexes.embedder import Embedder
from indelible.toolsets.memory import memories
from made_up_meaning import WordsEncoder


def test_a_command_compares_what_it_stored_before_it_ends(memory):
    """There may be no server beside it."""
    keys = []
    for text in ("The lease of a worker lasts 20 seconds", "The lease of a worker lasts 90 seconds"):
        ctx = replace(memory.context, embedder=Embedder(WordsEncoder()))
        keys.append(memories.store(ctx, memories.NewMemory(text))["id"])
        opening.embed_stored(ctx)
    old, new = keys
    (related,) = memory.graph_traverse(start_id=new, max_depth=1)[1:]
    assert (related["id"], related["relationship"], related["direction"]) == (old, "MAY_SUPERSEDE", "outgoing")
