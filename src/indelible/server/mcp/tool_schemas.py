"""The schemas of each tool as they were written down in tools.json: a server need not make them at its start."""

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from indelible.toolsets.registry import Tool


@cache
def _written() -> dict[str, dict[str, Any]]:
    """To make all of them would be a tenth of a server's start."""
    text = Path(__file__).with_name("tools.json").read_text(encoding="utf-8")
    return {tool["name"]: tool for tool in json.loads(text)}


def schemas_of(tool: "Tool") -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the schemas of a tool's arguments and result; those of one that is not written down are made."""
    known = _written().get(tool.name)
    return (known["inputSchema"], known["outputSchema"]) if known else (tool.input_schema, tool.output_schema)


def names() -> list[str]:
    """Return the names of all tools that are written down, in the order of the registry."""
    return list(_written())
