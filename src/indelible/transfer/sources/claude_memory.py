"""Claude Code's auto memory: `~/.claude/projects/<path with dashes>/memory/*.md`.

`MEMORY.md` is the index that is always loaded, one line a memory or notes by headings; each other file is a memory with
front matter (`name`, `description`, `type` or `metadata.type`: user, feedback, project, reference) or plain notes.
Taken from code.claude.com/docs/en/memory and docs.rs/claude-wrapper 0.14.1 `memory` (seen with version 2.1.219), read
on 2026-11-29. The variable CLAUDE_CONFIG_DIR names another folder than `~/.claude`.
"""

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from indelible.errors import InvalidInput
from indelible.transfer.sources import projects, texts
from indelible.transfer.sources.source import Entry, Refused, Source, Surroundings

INDEX = "MEMORY.md"
# The type of memory for the type of Claude Code's.
TYPES = {"user": "preference", "feedback": "preference", "project": "context", "reference": "context"}
_POINTER = re.compile(r"\s*[-*+][ \t]+\[[^\]]*\]\([^)\s]+\.md\)")  # a line of the index that names a file


def _places(around: Surroundings) -> list[Path]:
    root = (around.named("CLAUDE_CONFIG_DIR") or around.home / ".claude") / "projects"
    if not root.is_dir():
        return []
    return [folder for each in sorted(root.iterdir()) if (folder := each / "memory").is_dir() and any(folder.iterdir())]


def _read(place: Path, around: Surroundings) -> Iterator[Entry | Refused]:
    folder = place.parent if place.is_file() else place
    namespace = _namespace(folder, around)
    for path in texts.files(place, ".md"):
        name = path.relative_to(folder).as_posix()
        try:
            values, text = texts.front_matter(texts.read(path))
            when = texts.changed(path)
        except (InvalidInput, OSError) as error:
            yield Refused(str(path), str(error))
            continue
        if name == INDEX:
            text = "\n".join(line for line in text.split("\n") if not _POINTER.match(line))
        own = f"{folder.parent.name}/{name}"
        item = {"namespace": namespace, "created_at": when, "updated_at": when, **_fields(values, path)}
        if values:
            whole = "\n".join(filter(None, (_text(values, "description"), text.strip())))
            if whole:
                yield Entry(own, str(path), {**item, "content": whole})
            else:
                yield Refused(str(path), "it is empty")
            continue
        for part in texts.parts(text):
            yield Entry(own + part.own, f"{path}{part.own}", {**item, "content": part.content})


def _fields(values: dict[str, Any], path: Path) -> dict[str, Any]:
    inner = values.get("metadata")
    kind = _text(values, "type") or (_text(inner, "type") if isinstance(inner, dict) else "")
    tags = [kind] if kind else []
    name = _text(values, "name") or path.stem
    return {"memory_type": TYPES.get(kind, "context"), "tags": tags, "metadata": {"name": name}}


def _text(values: dict[str, Any], name: str) -> str:
    value = values.get(name)
    return value.strip() if isinstance(value, str) else ""


def _namespace(folder: Path, around: Surroundings) -> str | None:
    """The project of a folder of memories: where its sessions were, else the folder that its name can mean."""
    where = _cwd(folder.parent) or projects.of_slug(folder.parent.name)
    if where is not None:
        return projects.namespace(where, around.home)
    return folder.parent.name if folder.parent.name.startswith("-") else None


def _cwd(sessions: Path) -> Path | None:
    """The directory of the first session beside the memories that names one."""
    for path in islice(sorted(sessions.glob("*.jsonl")), 20):
        if path.is_symlink() or not path.is_file():
            continue
        with path.open("rb") as file:
            for line in islice(iter(lambda: file.readline(1 << 20), b""), 50):
                try:
                    value = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                found = value.get("cwd") if isinstance(value, dict) else None
                if isinstance(found, str) and Path(found).is_absolute():
                    return Path(found)
    return None


SOURCE = Source("claude-memory", "Claude Code's auto memory", _places, _read)
