"""Memories as the cycles of consolidation find them, and what a store says after one."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from indelible.core.context.call import Call
from indelible.core.records import exporting
from indelible.core.records import undo as records_undo

CYCLES = ("decay", "creative", "cluster", "forget", "summarize")
UNTRUSTED = {"origin": "capture", "trust": "untrusted"}


def put(memory, *items: dict[str, Any]) -> None:
    """Import memories as they are given; they stand in namespace `n` unless they say otherwise."""
    done = memory.import_memories(memories=[{"namespace": "n", **item} for item in items])
    assert done["errors"] == []


def exported(memory) -> dict[str, dict[str, Any]]:
    return {record["id"]: record for record in exporting.export_all(memory.context)}


def whole(memory) -> str:
    return json.dumps(list(exporting.export_all(memory.context)))


def undo(memory) -> records_undo.Undone:
    return records_undo.undo(memory.context.for_call(Call(tool="undo")))


def time_before(clock, days: float) -> str:
    """When it was some days ago, as an import gives it."""
    return (clock.now - timedelta(days=days)).isoformat()


def old(clock, days: float = 40, **more: Any) -> dict[str, Any]:
    """An imported memory that was stored some days ago."""
    when = time_before(clock, days)
    return {"content": more.get("id", "old"), "created_at": when, "updated_at": when, **more}


def tagged(name: str, type_: str, *tags: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "content": f"content of {name}", "memory_type": type_, "tags": list(tags), **more}


def relations(memory, name: str = "RELATES_TO") -> dict[tuple[str, str], float]:
    return {
        (edge["source"], edge["target"]): edge["weight"]
        for record in exported(memory).values()
        for edge in record["edges"]
        if edge["relationship"] == name
    }


def ring(name: str, size: int, **more: Any) -> list[dict[str, Any]]:
    """Memories that are all related to each other."""
    ids = [f"{name}{n}" for n in range(size)]
    edges = [{"source": a, "target": b, "relationship": "RELATES_TO"} for n, a in enumerate(ids) for b in ids[n + 1 :]]
    items = [
        {"id": id_, "content": f"The {name} retries job {n}. Note {id_}.", "tags": [name, f"t{n}"], **more}
        for n, id_ in enumerate(ids)
    ]
    return [*items[:-1], {**items[-1], "edges": edges}]
