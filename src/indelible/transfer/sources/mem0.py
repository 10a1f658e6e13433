"""mem0, run locally: the history of its memories, `~/.mem0/history.db` (`MEM0_DIR`).

Each event of a memory (ADD, UPDATE, DELETE) is a row of `history`; the newest one says what the memory is. Its vectors
(Qdrant's files are pickled Python, which is not read) are not needed: they are computed again. Taken from the package
mem0ai 2.2.1 (mem0/memory/storage.py, setup.py), read on 2026-11-29.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from indelible.transfer.sources import rows
from indelible.transfer.sources.source import DELETED, Entry, PassedOver, Refused, Source, Surroundings


def _places(around: Surroundings) -> list[Path]:
    path = (around.named("MEM0_DIR") or around.home / ".mem0") / "history.db"
    return [path] if path.is_file() else []


def _read(place: Path, around: Surroundings) -> Iterator[Entry | Refused | PassedOver]:
    path = place / "history.db" if place.is_dir() else place
    newest: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}  # the first and the last event of a memory
    for _, row in rows.of(path, "mem0", ("history",)):
        own = rows.text(row, "memory_id")
        if not own:
            yield Refused(f"history {row.get('id')}", "it names no memory")
            continue
        newest[own] = newest.get(own, (row, row))[0], row
    for own, (first, last) in newest.items():
        if last.get("is_deleted") or rows.text(last, "event").startswith("DEL"):
            yield PassedOver(DELETED)
            continue
        content = rows.text(last, "new_memory")
        if not content:
            yield Refused(f"memory {own}", "it has no text")
            continue
        who = {name: rows.text(last, name) for name in ("actor_id", "role")}
        times = rows.times(first.get("created_at"), last.get("updated_at") or last.get("created_at"))
        metadata = {name: text for name, text in who.items() if text}
        yield Entry(own, f"memory {own}", {"content": content, "namespace": None, "metadata": metadata, **times})


SOURCE = Source("mem0", "mem0's memories, kept locally", _places, _read)
