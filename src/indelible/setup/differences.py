"""What a change does to a file, as a unified difference."""

import difflib
from pathlib import Path


def unified(path: Path, before: bytes | None, after: bytes | None) -> str:
    """The difference of two contents, None for no file; "" where they are equal."""
    old, new = (str(path) if content is not None else "/dev/null" for content in (before, after))
    shown: list[str] = []
    for line in difflib.unified_diff(_lines(before), _lines(after), old, new):
        shown.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(shown)


def _lines(content: bytes | None) -> list[str]:
    return (content or b"").decode(errors="replace").splitlines(keepends=True)
