"""LTMC: its database `ltmc.db` (`DB_PATH`), where it was started.

Tables `Resources` with `ResourceChunks` (texts), `ChatHistory`, `todos`, `CodePatterns`. Chunks become memories, since
a document's whole text is not kept; messages stay messages of their conversations, todos todos, patterns solutions.
Taken from github.com/oldnordic/LTMC ltms/database/schema.py, read on 2026-11-29.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from indelible.clock import time_value
from indelible.core.records import solution_fields
from indelible.store.views import chats
from indelible.transfer.sources import projects, rows
from indelible.transfer.sources.source import Entry, Refused, Source, Surroundings, key_of

_TABLES = ("Resources", "ResourceChunks", "ChatHistory", "todos", "CodePatterns")
_BETWEEN = "\n\n"  # the title of a todo and its description, see toolsets.context.todos
_PRIORITIES = {"low": 1, "medium": 2, "high": 3}


def _places(around: Surroundings) -> list[Path]:
    named = around.named("DB_PATH")
    files = (around.directory / "ltmc.db", around.home / "ltmc.db", around.home / ".ltmc" / "ltmc.db")
    there = [path for path in files if path.is_file()]
    return [named] if named is not None and named.name == "ltmc.db" and named.is_file() else there[:1]


def _read(place: Path, around: Surroundings) -> Iterator[Entry | Refused]:
    path = place / "ltmc.db" if place.is_dir() else place
    namespace = projects.namespace(path.parent, around.home)
    resources: dict[Any, dict[str, Any]] = {}
    for table, row in rows.of(path, "LTMC", _TABLES):
        if table == "Resources":
            resources[row.get("id")] = row
            continue
        item = _item(table, row, resources)
        created = resources.get(row.get("resource_id"), {}) if table == "ResourceChunks" else row
        own = f"{path.name}/{rows.numbered(table, row, created.get('created_at') or created.get('timestamp'))}"
        place_ = f"{table} {row.get('id')}"
        if item is None:
            yield Refused(place_, "it has no text")
            continue
        if table == "todos":  # which may have another number here, and another text the next time
            item["uid"] = key_of(SOURCE.name, own).replace("-", "")
        yield Entry(own, place_, {"namespace": namespace, **item})


def _item(table: str, row: dict[str, Any], resources: dict[Any, dict[str, Any]]) -> dict[str, Any] | None:
    """The fields of what a row is; None where it has no text."""
    if table == "ResourceChunks":
        of = resources.get(row.get("resource_id"), {})
        name, type_ = rows.text(of, "file_name"), rows.text(of, "type")
        content = rows.text(row, "chunk_text")
        found: dict[str, Any] = {"metadata": {"file": name}, "tags": [type_] if type_ else []}
        found |= rows.times(of.get("created_at"))
    elif table == "ChatHistory":
        content, conversation = rows.text(row, "content"), rows.text(row, "conversation_id") or "ltmc"
        optional = {name: rows.text(row, name) for name in ("agent_name", "source_tool")}
        found = {
            "kind": "message",
            "memory_type": rows.text(row, "role") or "user",
            "session": chats.session_of(conversation),
            "position": row["id"] if isinstance(row.get("id"), int) and row["id"] >= 0 else 0,
            "metadata": {"conversation": conversation, **{k: v for k, v in optional.items() if v}},
            **rows.times(row.get("timestamp")),
        }
    elif table == "todos":
        title, priority = rows.text(row, "title"), rows.text(row, "priority")
        content = _BETWEEN.join(filter(None, (title, rows.text(row, "description"))))
        state = "completed" if row.get("completed") or rows.text(row, "status") == "completed" else "pending"
        done = rows.times(row.get("completed_at")).get("created_at") if state == "completed" else None
        found = {
            "id": str(row.get("id")),  # its number, as long as that is free here
            "kind": "todo",
            "memory_type": state,
            "metadata": {
                "title": title,
                "priority": _PRIORITIES.get(priority, 2),
                **({"completed": time_value(done, "completed_at")} if done else {}),
            },
            **rows.times(row.get("created_at"), row.get("completed_at")),
        }
    else:
        problem, code = rows.text(row, "input_prompt"), rows.text(row, "generated_code")
        content = solution_fields.BETWEEN.join(filter(None, (problem, code)))
        result = rows.text(row, "result")
        counts = {"pass": "successes", "partial": "partials", "fail": "failures"}
        found = {
            "kind": "solution",
            "memory_type": "repo",
            "tags": rows.tags(row, "tags"),
            "metadata": {"problem": problem, **({counts[result]: 1} if result in counts else {})},
            **rows.times(row.get("created_at")),
        }
    return {**found, "content": content} if content else None


SOURCE = Source("ltmc", "LTMC's database", _places, _read)
