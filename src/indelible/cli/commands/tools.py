"""For programs and scripts: the tools that a server offers, the schema of answers with --json, shell completion."""

import argparse
import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from indelible.cli import answers
from indelible.cli.opening import Adding, settings_of
from indelible.cli.terminal import out, table
from indelible.server.options import add_filters

if TYPE_CHECKING:
    from indelible.toolsets.registry import Tool


def add(command: Adding) -> None:
    """Declare the commands."""
    tools = command("tools", _tools, "list the tools that a server with the same flags offers")
    add_filters(tools)
    tools.add_argument(
        "--tokens", action="store_true", help="count the tokens that each takes of a model's context (o200k)"
    )
    command("schema", _schema, "print the JSON schema of what every command answers with --json")
    completion = command("completion", _completion, "print the script with which a shell completes `indelible` at Tab")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))


def _completion(arguments: argparse.Namespace) -> int:
    from indelible.cli import completing

    out(completing.script(arguments.shell))
    return 0


def _schema(arguments: argparse.Namespace) -> int:
    text = files("indelible.cli").joinpath("answer.schema.json").read_text(encoding="utf-8")
    answers.give({"schema": json.loads(text)})
    out(text.rstrip("\n"))
    return 0


def _tools(arguments: argparse.Namespace) -> int:
    from indelible.toolsets import profiles

    settings = settings_of(arguments)
    is_lean = profiles.is_lean(settings)
    listed = [_described(tool, arguments.tokens, is_lean) for tool in profiles.offered(settings).values()]
    answers.give({"tools": listed})
    counts = ("tokens", "with output schema") if arguments.tokens else ()
    rows = [tuple(map(str, tool.values())) for tool in listed]
    if counts:
        sums = (str(sum(tool[name] for tool in listed)) for name in ("tokens", "tokens_with_output"))
        rows.append((f"{len(listed)} tools", "", "", *sums, ""))
    table(("tool", "toolset", "access", *counts, "what it does"), rows)
    return 0


def _described(tool: "Tool", counted: bool, is_lean: bool) -> dict[str, Any]:
    counts = {}
    if counted:
        shown = in_context_lean(tool) if is_lean else in_context(tool)
        whole = shown if is_lean else {**shown, "outputSchema": tool.output_schema}
        counts = {"tokens": tokens(shown), "tokens_with_output": tokens(whole)}
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


def in_context_lean(tool: "Tool") -> dict[str, Any]:
    """Return the same parts of a tool as a lean list has it."""
    from indelible.server.mcp import lean

    listed = lean.advertised(tool)
    return {"name": listed.name, "description": listed.description, "inputSchema": listed.input_schema}


def tokens(value: Any) -> int:
    """Return the number of o200k tokens of a value's compact JSON."""
    from indelible.search.model_tokens.o200k import count

    return count(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
