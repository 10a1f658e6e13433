"""The content of a manifest, and checks of its values."""

from collections.abc import Iterable
from typing import Any

from indelible.dataclass import dataclass

MAX_DEPENDENCIES = 2000  # of one manifest, the first by name
LONGEST_NAME = 214  # npm's limit, the largest that there is


@dataclass(frozen=True, slots=True)
class Manifest:
    """One manifest: `path` relative to the tree's top with `/`; `ecosystem` as in package URLs (npm, pypi, cargo ...).

    `dependencies` are sorted names as the ecosystem compares them, whatever they are needed for (run, test, build).
    `members` are the folders or globs of the packages that belong to a workspace, as written. `commands`: it installs
    commands. `importable`: it builds something meant to be imported by others.
    """

    path: str
    ecosystem: str
    language: str
    name: str | None = None
    dependencies: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    commands: bool = False
    importable: bool = False


def table(value: Any, *keys: str) -> dict[str, Any]:
    """Return the object at the end of the keys, {} where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def strings(value: Any) -> list[str]:
    """Return the texts of a list, none for any other value."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def clean_name(value: Any) -> str | None:
    """Return a name that can be shown and stored: printable, trimmed, at most 214 characters; None if empty."""
    if not isinstance(value, str):
        return None
    printable = "".join(c for c in value[: 2 * LONGEST_NAME] if c.isprintable())
    return printable.strip()[:LONGEST_NAME].strip() or None


def names_of(names: Iterable[str]) -> tuple[str, ...]:
    """Return names sorted, trimmed, each once, without invalid ones; at most MAX_DEPENDENCIES."""
    good = {n for n in (name.strip() for name in names) if 0 < len(n) <= LONGEST_NAME and n.isprintable()}
    return tuple(sorted(good)[:MAX_DEPENDENCIES])
