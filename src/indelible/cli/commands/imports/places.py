"""The usual places of tools whose data is read from a file, for an import that is given no path."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from indelible.errors import InvalidInput, NotFound
from indelible.hook_settings import claude_directory

CLAUDE_CODE, MEMORY_JSONL, VECFS, MATRIX = "claude-code", "memory-jsonl", "vecfs", "matrix"
# In the package of the reference memory server, below each of npx's own folders (its src/memory/index.ts, 2026-11-29).
_IN_NPX = "node_modules/@modelcontextprotocol/server-memory/dist"


def of(name: str) -> Path:
    """Return the one place where a tool's data is found.

    Raises NotFound where there is none, InvalidInput where there are several: which is meant cannot be known.
    """
    usual, looked = _usual(name)
    there = [path for path in usual if path.exists()]
    if not there:
        raise NotFound(f"no data of {name} was found at {looked}; give its path")
    if len(there) > 1:
        listed = ", ".join(map(str, there))
        raise InvalidInput(f"data of {name} was found in several places: {listed}; give the path of one")
    return there[0]


def is_piped() -> bool:
    """Return whether another program's output, or a file, is standard input."""
    with suppress(OSError):
        mode = os.fstat(0).st_mode
        return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)
    return False


def _usual(name: str) -> tuple[list[Path], str]:
    """Return the usual places of a tool's data, and in words where that is."""
    from indelible.settings import child_environment

    claude = Path(claude_directory())
    if name == MEMORY_JSONL:
        npx = Path(child_environment().get("npm_config_cache") or Path.home() / ".npm") / "_npx"
        found = [_newer(folder) for folder in sorted(npx.glob(f"*/{_IN_NPX}"))]
        return found, f"{npx}/*/{_IN_NPX}/memory.jsonl"
    one = {
        CLAUDE_CODE: claude / "projects",
        MATRIX: claude / "matrix" / "matrix.db",
        VECFS: Path.cwd() / "vecfs-data.jsonl",
    }[name]
    return [one], str(one)


def _newer(folder: Path) -> Path:
    """Return the file of a package: of old versions it has another name."""
    old = folder / "memory.json"
    return old if old.exists() and not (folder / "memory.jsonl").exists() else folder / "memory.jsonl"
