"""The flags of a server: which tools it offers (`registry.offered` is what they come to), where it is reached."""

import argparse
from pathlib import Path
from typing import TypedDict

LEVELS = ("debug", "info", "warning", "error")
DEFAULT = "127.0.0.1:5050"  # where a server listens

_FLAGS = {
    "toolsets": "whole toolsets, separated by commas, or `all` (default: all, unless --tools names some)",
    "tools": "single tools, alone or in addition to those of --toolsets",
    "exclude_tools": "tools to leave out, whatever else names them",
}


def add_filters(parser: argparse.ArgumentParser) -> None:
    """Let a command take the flags; without one its variable counts (INDELIBLE_TOOLSETS, ...)."""
    for name, text in _FLAGS.items():
        flag = "--" + name.replace("_", "-")
        parser.add_argument(flag, metavar="NAMES", help=f"{text}; else INDELIBLE_{name.upper()}")
    parser.add_argument(
        "--profile",
        metavar="NAME",
        help="the tools that agents are shown: daily, full (the default) or a toolset; lean answers but for full; else "
        "INDELIBLE_PROFILE",
    )
    parser.add_argument(
        "--answers",
        choices=("full", "lean"),
        help="how agents are answered: the documented JSON, or short text; else INDELIBLE_ANSWERS",
    )
    parser.add_argument("--read-only", action="store_true", help="hide and refuse every tool that writes")


def add_address(parser: argparse.ArgumentParser) -> None:
    """Let a command take where it listens."""
    parser.add_argument(
        "--http",
        metavar="[HOST:]PORT",
        nargs="?",
        const=DEFAULT,
        help=f"serve many clients over HTTP instead: MCP at /mcp, JSON-RPC at /jsonrpc (default: {DEFAULT})",
    )
    parser.add_argument(
        "--tls-cert",
        metavar="FILE",
        type=Path,
        help="speak TLS, with this certificate and its chain (PEM); SIGHUP renews it",
    )
    parser.add_argument("--tls-key", metavar="FILE", type=Path, help="the key of that certificate (PEM, not encrypted)")
    parser.add_argument(
        "--metrics",
        metavar="[HOST:]PORT",
        help="serve /metrics and /health on a port of their own as well, without a token",
    )
    parser.add_argument(
        "--allowed-host",
        metavar="NAMES",
        help="names by which clients reach the HTTP server besides its own, separated by commas; "
        "else INDELIBLE_ALLOWED_HOSTS",
    )


def add_logging(parser: argparse.ArgumentParser) -> None:
    """Let a command take what it logs, and where to."""
    parser.add_argument(
        "--log-level",
        choices=LEVELS,
        default="warning",
        help="what is logged, as JSON lines; info: each request over HTTP (default: %(default)s)",
    )
    parser.add_argument(
        "--log-file", metavar="FILE", type=Path, help="where to, instead of stderr; opened again once it was moved"
    )


def add_workspace(parser: argparse.ArgumentParser) -> None:
    """Let a command take the folder that its client has open."""
    parser.add_argument(
        "--workspace",
        metavar="DIR",
        help="the folder that the client has open, as set-up registers it (${workspaceFolder}); --project goes before "
        "it, a variable that the client left as it is counts as not given; else INDELIBLE_WORKSPACE",
    )


class Given(TypedDict):
    """The flags as `Settings.load` takes them; None where a command has no such flag, or was given none."""

    toolsets: str | None
    tools: str | None
    exclude_tools: str | None
    allowed_hosts: str | None
    workspace: str | None
    profile: str | None
    answers: str | None


def given(arguments: argparse.Namespace) -> Given:
    """Return the settings that a command line gives."""
    return {
        "toolsets": getattr(arguments, "toolsets", None),
        "tools": getattr(arguments, "tools", None),
        "exclude_tools": getattr(arguments, "exclude_tools", None),
        "allowed_hosts": getattr(arguments, "allowed_host", None),
        "workspace": getattr(arguments, "workspace", None),
        "profile": getattr(arguments, "profile", None),
        "answers": getattr(arguments, "answers", None),
    }
