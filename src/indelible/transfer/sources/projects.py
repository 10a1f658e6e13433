"""The project of a folder that another tool names."""

import os
from collections.abc import Iterator
from pathlib import Path

from indelible import project


def namespace(path: Path, home: Path) -> str | None:
    """Return the namespace of what belongs to a folder; None for what belongs to no project, as the home."""
    found = project.locate(None, {}, path, home)
    return None if found is None else found.origin or found.path


_OF_TOOLS = frozenset((".claude", ".codex", ".cursor", ".serena", ".specstory"))


def around(path: Path) -> Path:
    """Return the folder in which a tool's own folder stands that holds a path; a path that none holds as it is."""
    return next((folder.parent for folder in (path, *path.parents) if folder.name in _OF_TOOLS), path)


def of_slug(slug: str) -> Path | None:
    """Return the folder that Claude Code names by its path with a dash for each other character; None if it is gone.

    Several may have such a name: the first is meant, by the order of the names.
    """
    return next(_below(Path(os.sep), slug.lstrip("-")), None) if slug.startswith("-") else None


def _below(folder: Path, rest: str) -> Iterator[Path]:
    if not rest:
        yield folder
        return
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
    except OSError:
        return
    for name in names:
        dashed = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in name)
        if rest == dashed:
            yield folder / name
        elif rest.startswith(f"{dashed}-"):
            yield from _below(folder / name, rest[len(dashed) + 1 :])
