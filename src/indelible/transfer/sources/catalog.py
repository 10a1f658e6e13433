"""The sources that an import knows, by name."""

from indelible.transfer.sources import claude_memory, instructions
from indelible.transfer.sources.source import Source

SOURCES: dict[str, Source] = {each.SOURCE.name: each.SOURCE for each in (claude_memory, instructions)}
