"""Records of other kinds, taken in as `indelible import` does: the tools that make them come with later steps."""

from typing import Any

from indelible.engine import transfer
from indelible.memory import Memory


def take_in(memory: Memory, *things: dict[str, Any]) -> None:
    done = transfer.import_items(memory.context, things)
    assert done.errors == []
    assert len(done.ids) == len(things)
