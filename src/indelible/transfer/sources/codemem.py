"""Codemem: its database `~/.codemem/codemem.db`, or what `codemem export --format jsonl` wrote.

Tables `memories` and `graph_edges`; ids, times, namespaces, access counts and relations between memories are kept, so
that an import of the export and one of the database are the same. Its code index and sessions are not taken. Taken
from github.com/cogniplex/codemem crates/codemem-storage/src/migrations (001 to 016) and
crates/codemem-cli/src/commands_export.rs, read on 2026-11-29.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from indelible.core.records import lifetimes
from indelible.errors import InvalidInput
from indelible.model import MEMORY_TYPES
from indelible.store.sqlite.foreign_file import ForeignFile
from indelible.transfer.sources import rows
from indelible.transfer.sources.source import Entry, Refused, Source, Surroundings

_LONGEST_LINE = 16 << 20


def _places(around: Surroundings) -> list[Path]:
    path = around.home / ".codemem" / "codemem.db"
    return [path] if path.is_file() else []


def _read(place: Path, around: Surroundings) -> Iterator[Entry | Refused]:
    path = place / "codemem.db" if place.is_dir() else place
    with path.open("rb") as file:
        head = file.read(16)
    yield from _database(path) if head.startswith(b"SQLite format 3") else _export(path)


def _database(path: Path) -> Iterator[Entry | Refused]:
    with closing(ForeignFile(path, "codemem")) as file:
        if not file.has("memories"):
            raise InvalidInput("it is no database of codemem: it has no table memories")
        known = {row["id"] for row in file.rows("memories") if isinstance(row.get("id"), str)}
        edges = defaultdict(list)
        for row in file.rows("graph_edges"):
            ends = (row.get("src"), row.get("dst"))
            own = next((end for end in ends if isinstance(end, str) and end in known), None)
            if own is not None:  # the others are between code
                edges[own].append(row)
        for number, row in enumerate(file.rows("memories"), 1):
            place = f"memory {row.get('id') or number}"
            row["tags"], row["metadata"] = rows.tags(row, "tags"), rows.value(row, "metadata", {})
            row["edges"] = edges.get(str(row.get("id")), [])
            yield _entry(row, place)


def _export(path: Path) -> Iterator[Entry | Refused]:
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE), b""), 1):
            if not line.strip():
                continue
            place = f"line {number}"
            try:
                found = json.loads(line)
            except (ValueError, RecursionError) as error:
                yield Refused(place, f"it is not JSON: {error}")
                continue
            if isinstance(found, dict):
                yield _entry(found, place)
            else:
                yield Refused(place, f"it must be an object, got {type(found).__name__}")


def _entry(row: dict[str, Any], place: str) -> Entry | Refused:
    own, content = rows.text(row, "id"), rows.text(row, "content")
    if not own or not content:
        return Refused(place, f"it has no {'content' if own else 'id'}")
    type_ = rows.text(row, "memory_type")
    count = row.get("access_count")
    item = {
        "id": own,
        "content": content,
        "memory_type": type_ if type_ in MEMORY_TYPES else "context",
        "importance": rows.fraction(row, "importance", 0.5),
        "confidence": rows.fraction(row, "confidence", 1.0),
        "tags": rows.tags(row, "tags"),
        "namespace": rows.text(row, "namespace") or None,
        "metadata": rows.value(row, "metadata", {}),
        "access_count": count if isinstance(count, int) and 0 <= count < 1 << 31 else 0,
        "edges": [edge for each in rows.value(row, "edges", []) if (edge := _edge(each)) is not None],
        **rows.times(row.get("created_at"), row.get("updated_at")),
    }
    expires = rows.times(row.get("expires_at")).get("created_at")
    if expires:
        item["metadata"] = {**item["metadata"], "expires_at": expires}
    return Entry(own, place, item)


def _edge(row: Any) -> dict[str, Any] | None:
    if not isinstance(row, dict):
        return None
    source, target, relation = (rows.text(row, name) for name in ("src", "dst", "relationship"))
    if not (source and target and relation):
        return None
    weight = row.get("weight")
    is_number = isinstance(weight, int | float) and not isinstance(weight, bool)
    said = {name: each for name, each in rows.value(row, "properties", {}).items() if name not in lifetimes.TIMES}
    bounds = {name: rows.times(row.get(name)).get("created_at") for name in (lifetimes.VALID_FROM, lifetimes.VALID_TO)}
    return {
        "source": source,
        "target": target,
        "relationship": relation,
        "weight": weight if is_number else 1.0,
        "metadata": {**said, **{name: time for name, time in bounds.items() if time}},
        **({"created_at": made} if (made := rows.times(row.get("created_at")).get("created_at")) else {}),
    }


SOURCE = Source("codemem", "codemem's memories", _places, _read)
