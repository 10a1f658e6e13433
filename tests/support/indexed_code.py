"""Source trees as tests write them, and tools called on what was indexed of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from indelible.core.context.context import Context
from indelible.toolsets import registry


def write(root: Path, files: dict[str, str]) -> Path:
    """A directory with these files."""
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


def call(ctx: Context, tool: str, /, **arguments: Any) -> Any:
    return registry.call(ctx, registry.find_tool(tool), arguments).value


def names(hits: list[dict[str, Any]]) -> list[str]:
    return [hit["qualified_name"] for hit in hits]
