"""The sources that an import knows, by name."""

from indelible.transfer.sources import (
    basic_memory,
    claude_mem,
    claude_memory,
    codemem,
    codex,
    instructions,
    ltmc,
    mcp_memory_service,
    mem0,
    serena,
    specstory,
)
from indelible.transfer.sources.source import Source

SOURCES: dict[str, Source] = {
    source.name: source
    for source in (
        claude_memory.SOURCE,
        instructions.SOURCE,
        codex.SOURCE,
        codemem.SOURCE,
        ltmc.SOURCE,
        mcp_memory_service.SOURCE,
        basic_memory.SOURCE,
        serena.SOURCE,
        claude_mem.SOURCE,
        mem0.SOURCE,
        specstory.SOURCE,
    )
}
