"""Records of other kinds, taken in as `indelible import` does: the tools that make them come with later steps."""

from typing import Any

from indelible.api import Memory
from indelible.toolsets.memory import importing


def take_in(memory: Memory, *things: dict[str, Any]) -> None:
    done = importing.import_items(memory.context, things)
    assert done.errors == []
    assert len(done.ids) == len(things)
