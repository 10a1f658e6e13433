"""What agents read: one module a toolset. Importing this declares every tool."""

from indelible.tools import memories

__all__ = ["memories"]
