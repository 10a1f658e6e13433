"""Indelible: the long-term memory of AI coding agents. What was acknowledged is never lost."""

__version__ = "0.1.0"

TYPE_CHECKING = False  # as typing's, which costs a hook half of its time to load
if TYPE_CHECKING:
    from typing import Any

    from indelible import errors
    from indelible.client import Client
    from indelible.memory import Memory, open_memory
    from indelible.settings import Settings

__all__ = ["Client", "Memory", "Settings", "__version__", "errors", "open_memory"]


def __getattr__(name: str) -> "Any":
    """Load the engine's face when it is asked for: a hook that needs only the version pays for nothing else."""
    if name == "Client":
        return _module("client").Client
    if name in ("Memory", "open_memory"):
        return getattr(_module("memory"), name)
    if name == "Settings":
        return _module("settings").Settings
    if name == "errors":
        return _module("errors")
    raise AttributeError(f"module 'indelible' has no attribute {name!r}")


def _module(name: str) -> "Any":
    from importlib import import_module

    return import_module(f"indelible.{name}")
