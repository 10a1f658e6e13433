"""The sources that an import knows, by name."""

from importlib import import_module

from indelible.transfer.sources import NAMES
from indelible.transfer.sources.source import Source

SOURCES: dict[str, Source] = {
    name: import_module(f"indelible.transfer.sources.{name.replace('-', '_')}").SOURCE for name in NAMES
}
