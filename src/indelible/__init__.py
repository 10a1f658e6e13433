"""Indelible: the long-term memory of AI coding agents. What was acknowledged is never lost."""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from indelible import errors
    from indelible.memory import Memory, open_memory
    from indelible.settings import Settings

__all__ = ["Memory", "Settings", "__version__", "errors", "open_memory"]


def __getattr__(name: str) -> Any:
    """Load the engine's face when it is asked for: a hook that needs only the version pays for nothing else."""
    from importlib import import_module

    if name in ("Memory", "open_memory"):
        return getattr(import_module("indelible.memory"), name)
    if name == "Settings":
        return import_module("indelible.settings").Settings
    if name == "errors":
        return import_module("indelible.errors")
    raise AttributeError(f"module 'indelible' has no attribute {name!r}")
