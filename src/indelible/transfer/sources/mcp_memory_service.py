r"""mcp-memory-service: its database `sqlite_vec.db`, or the JSON that its export wrote.

The database lies in `~/.local/share/mcp-memory` (macOS `~/Library/Application Support/mcp-memory`, Windows
`%LOCALAPPDATA%\mcp-memory`) or where MCP_MEMORY_SQLITE_PATH or MCP_MEMORY_BASE_DIR say. A memory is known by its
`content_hash`; deleted ones (`deleted_at`) are left out. Taken from the package mcp-memory-service 12.4.0
(storage/mixins/migrations.py, sync/exporter.py, config/), read on 2026-11-29.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from indelible.errors import InvalidInput
from indelible.model import MEMORY_TYPES
from indelible.transfer.sources import rows
from indelible.transfer.sources.source import DELETED, Entry, PassedOver, Refused, Source, Surroundings

_FILE = "sqlite_vec.db"
_LARGEST = 1 << 30  # bytes of an export


def _places(around: Surroundings) -> list[Path]:
    named = around.named("MCP_MEMORY_SQLITE_PATH")
    base = around.named("MCP_MEMORY_BASE_DIR")
    local = around.named("LOCALAPPDATA")
    folders = [
        *([base] if base else []),
        around.home / ".local" / "share" / "mcp-memory",
        around.home / "Library" / "Application Support" / "mcp-memory",
        *([local / "mcp-memory"] if local else []),
    ]
    files = [*([named] if named else []), *(folder / _FILE for folder in folders)]
    return [path for path in dict.fromkeys(files) if path.is_file()][:1]


def _read(place: Path, around: Surroundings) -> Iterator[Entry | Refused | PassedOver]:
    path = place / _FILE if place.is_dir() else place
    with path.open("rb") as file:
        head = file.read(16)
    if not head.startswith(b"SQLite format 3"):
        yield from _export(path)
        return
    for _, row in rows.of(path, "mcp-memory-service", ("memories",)):
        is_there = row.get("deleted_at") is None
        yield _entry(row, f"memory {row.get('id')}") if is_there else PassedOver(DELETED)


def _export(path: Path) -> Iterator[Entry | Refused]:
    if path.stat().st_size > _LARGEST:
        raise InvalidInput(f"it is larger than {_LARGEST >> 30} GiB; give the database instead")
    try:
        found = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"it is neither a database nor JSON: {error}") from None
    listed = found.get("memories") if isinstance(found, dict) else None
    if not isinstance(listed, list):
        raise InvalidInput("it is no export of mcp-memory-service: it has no list `memories`")
    for number, row in enumerate(listed):
        place = f"memories[{number}]"
        yield _entry(row, place) if isinstance(row, dict) else Refused(place, "it is no object")


def _entry(row: dict[str, Any], place: str) -> Entry | Refused:
    own, content = rows.text(row, "content_hash"), rows.text(row, "content")
    if not own or not content:
        return Refused(place, f"it has no {'content' if own else 'content_hash'}")
    type_ = rows.text(row, "memory_type")
    metadata = rows.value(row, "metadata", {})
    item = {
        "content": content,
        "memory_type": type_ if type_ in MEMORY_TYPES else "context",
        "tags": rows.tags(row, "tags"),
        "namespace": None,
        "metadata": {**metadata, **({"memory_type": type_} if type_ else {})},
        **rows.times(row.get("created_at"), row.get("updated_at")),
    }
    return Entry(own, place, item)


SOURCE = Source("mcp-memory-service", "mcp-memory-service's memories", _places, _read)
