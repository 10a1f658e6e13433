"""Indelible: the long-term memory of AI coding agents. What was acknowledged is never lost."""

from indelible.version import __version__

TYPE_CHECKING = False  # as typing's, which costs a hook half of its time to load
if TYPE_CHECKING:
    from typing import Any

    from indelible import errors
    from indelible.api import Memory, open_memory
    from indelible.client.client import Client
    from indelible.graph.keys import (
        command_key,
        concept_key,
        dependency_key,
        doc_key,
        error_key,
        file_key,
        fix_key,
        fp8,
        mode_key,
        normalized_key,
        outcome_key,
        run_key,
        sha8,
        slug,
        tool_key,
        warning_key,
    )
    from indelible.settings import Settings

# Imported late (cli, hooks, redact): importlib

__all__ = [
    "Client",
    "Memory",
    "Settings",
    "__version__",
    "command_key",
    "concept_key",
    "dependency_key",
    "doc_key",
    "error_key",
    "errors",
    "file_key",
    "fix_key",
    "fp8",
    "mode_key",
    "normalized_key",
    "open_memory",
    "outcome_key",
    "run_key",
    "sha8",
    "slug",
    "tool_key",
    "warning_key",
]
# The canonical keys of the knowledge graph, in `indelible.graph.keys`.
_KEYS = ("fp8", "normalized_key", "sha8", "slug", *(name for name in __all__ if name.endswith("_key")))


def __getattr__(name: str) -> "Any":
    """Load the engine's face when it is asked for: a hook that needs only the version pays for nothing else."""
    if name == "Client":
        return _module("client").Client
    if name in ("Memory", "open_memory"):
        return getattr(_module("api"), name)
    if name in _KEYS:
        return getattr(_module("graph.keys"), name)
    if name == "Settings":
        return _module("settings").Settings
    if name == "errors":
        return _module("errors")
    raise AttributeError(f"module 'indelible' has no attribute {name!r}")


def _module(name: str) -> "Any":
    from importlib import import_module

    return import_module(f"indelible.{name}")
