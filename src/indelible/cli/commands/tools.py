"""The tools that a server offers, and what they cost a model."""

import argparse
import json
from typing import TYPE_CHECKING, Any

from indelible.cli.opening import Adding, settings_of
from indelible.cli.terminal import out, table
from indelible.server.options import add_filters

if TYPE_CHECKING:
    from indelible.toolsets.registry import Tool


def add(command: Adding) -> None:
    """Declare the command."""
    tools = command("tools", _tools, "list the tools that a server with the same flags offers")
    add_filters(tools)
    tools.add_argument(
        "--tokens", action="store_true", help="count the tokens that each takes of a model's context (o200k)"
    )
    tools.add_argument("--json", action="store_true", help="as JSON, for scripts")


def _tools(arguments: argparse.Namespace) -> int:
    from indelible.toolsets import registry

    offered = registry.offered(settings_of(arguments))
    listed = [_described(tool, arguments.tokens) for tool in offered.values()]
    if arguments.json:
        out(json.dumps(listed, ensure_ascii=False, indent=2))
        return 0
    counts = ("tokens", "with output schema") if arguments.tokens else ()
    rows = [tuple(map(str, tool.values())) for tool in listed]
    if counts:
        sums = (str(sum(tool[name] for tool in listed)) for name in ("tokens", "tokens_with_output"))
        rows.append((f"{len(listed)} tools", "", "", *sums, ""))
    table(("tool", "toolset", "access", *counts, "what it does"), rows)
    return 0


def _described(tool: "Tool", counted: bool) -> dict[str, Any]:
    whole = {**in_context(tool), "outputSchema": tool.output_schema}
    counts = {"tokens": tokens(in_context(tool)), "tokens_with_output": tokens(whole)} if counted else {}
    return {
        "name": tool.name,
        "toolset": tool.toolset,
        "access": "writes" if tool.writes else "reads",
        **counts,
        "summary": tool.description.partition(". ")[0].rstrip("."),
    }


def in_context(tool: "Tool") -> dict[str, Any]:
    """Return the parts of a tool that clients put into a model's context; a few add the output schema."""
    return {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}


def tokens(value: Any) -> int:
    """Return the number of o200k tokens of a value's compact JSON."""
    from indelible.search.model_tokens.o200k import count

    return count(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
