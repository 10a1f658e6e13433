"""Ingests of the spool, and the rows that they leave in a store."""

from __future__ import annotations

from typing import Any

from indelible.capture import ingest, spool
from indelible.core.context.context import Context
from indelible.core.records import exporting
from indelible.store.tables import activity
from indelible.toolsets import registry
from told import Told, spooled


def drained(ctx: Context, *sessions: Told) -> ingest.Drained:
    """Put whole sessions into the spool, and drain it."""
    for told in sessions:
        spooled(ctx.settings.data, told.events)
    return ingest.drain(ctx)


def captured(ctx: Context, kind: str | None = None) -> list[dict[str, Any]]:
    """The memories that were captured, as an export has them, the oldest first."""
    found = [thing for thing in exporting.export_all(ctx) if thing.get("metadata", {}).get("origin") == "capture"]
    return [thing for thing in found if kind in (None, thing["metadata"]["captured"])]


def events_of(ctx: Context, session: str = "claude-code:s1") -> list[activity.Activity]:
    with ctx.store.read() as tx:
        return activity.of_session(tx, session, (1 << 62, ""), 10_000)


def waiting(ctx: Context) -> list[str]:
    return spool.waiting(str(ctx.settings.data))


def call(ctx: Context, tool: str, **arguments: Any) -> Any:
    return registry.call(ctx, registry.find_tool(tool), arguments).value
