"""claude-mem: its database `~/.claude-mem/claude-mem.db` (`CLAUDE_MEM_DATA_DIR`).

Observations (`title`, `subtitle`, `narrative`, `facts`, `concepts`, of old `text`) and the summaries of sessions become
memories of their project; prompts of the user are left out, as Claude Code's own transcripts have them. Taken from the
package claude-mem 13.25.3 and github.com/thedotmack/claude-mem docs (database architecture), read on 2026-11-29.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from indelible.transfer.sources import rows
from indelible.transfer.sources.source import Entry, PassedOver, Refused, Source, Surroundings

_TYPES = {"decision": "decision", "discovery": "insight", "bugfix": "insight"}
_OF_SUMMARY = ("request", "investigated", "learned", "completed", "next_steps", "notes")


def _places(around: Surroundings) -> list[Path]:
    path = (around.named("CLAUDE_MEM_DATA_DIR") or around.home / ".claude-mem") / "claude-mem.db"
    return [path] if path.is_file() else []


def _read(place: Path, around: Surroundings) -> Iterator[Entry | Refused | PassedOver]:
    path = place / "claude-mem.db" if place.is_dir() else place
    for table, row in rows.of(path, "claude-mem", ("observations", "session_summaries", "user_prompts")):
        if table == "user_prompts":
            yield PassedOver("a prompt")
            continue
        where = f"{table} {row.get('id')}"
        content = _observation(row) if table == "observations" else _summary(row)
        if not content:
            yield Refused(where, "it has no text")
            continue
        type_, when = rows.text(row, "type"), row.get("created_at_epoch") or row.get("created_at")
        files = list(dict.fromkeys(rows.value(row, "files_read", []) + rows.value(row, "files_modified", [])))
        item = {
            "content": content,
            "memory_type": _TYPES.get(type_, "context"),
            "tags": list(dict.fromkeys([*([type_] if type_ else ["summary"]), *rows.tags(row, "concepts")])),
            "namespace": rows.text(row, "merged_into_project") or rows.text(row, "project") or None,
            "metadata": {"files": [file for file in files if isinstance(file, str)]},
            **rows.times(when),
        }
        yield Entry(rows.numbered(table, row, when), where, item)


def _observation(row: dict[str, Any]) -> str:
    facts = [f"- {fact}" for fact in rows.tags(row, "facts")]
    named = [rows.text(row, name) for name in ("title", "subtitle", "narrative")]
    return "\n".join(filter(None, (*named, *facts))) or rows.text(row, "text")


def _summary(row: dict[str, Any]) -> str:
    said = {name: rows.text(row, name) for name in _OF_SUMMARY}
    return "\n".join(f"{name.replace('_', ' ').capitalize()}: {text}" for name, text in said.items() if text)


SOURCE = Source("claude-mem", "claude-mem's observations and summaries", _places, _read)
