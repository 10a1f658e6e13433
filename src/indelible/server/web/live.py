"""The live stream: each record that is stored anywhere in the store appears on the pages that are open, at once.

A browser whose connection was lost says with `Last-Event-ID` up to where it has all, and gets what it missed.
"""

from collections.abc import AsyncIterator, Collection
from functools import partial
from typing import NamedTuple

import anyio
import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.errors import IndelibleError
from indelible.model import KINDS, RECALLED_KINDS, Record
from indelible.server.web import rows
from indelible.server.web.page import part, project_of
from indelible.store.database import Transaction
from indelible.store.tables import changes, records

EVERY = 0.7  # seconds between looks at the change log
QUIET = 15.0  # seconds after which a stream says that it is there
AT_ONCE = 20  # records of one look that are shown
READ = 200  # records that are read at once to find them
MISSED = 10_000  # changes that are looked through for what a browser missed


class Shown(NamedTuple):
    """The records that a stream shows: of a project, None for all, of these kinds, and of a type, "" for any."""

    project: str | None
    kinds: frozenset[str]
    type: str

    def has(self, record: Record) -> bool:
        """Return whether a record is one of them, apart from its project."""
        return record.kind in self.kinds and self.type in ("", record.type) and not record.replaced


class Live:
    """The streams of one server."""

    def __init__(self) -> None:
        self._looking = anyio.CapacityLimiter(2)
        self._ended = False

    def end(self) -> None:
        """End all streams: the server leaves."""
        self._ended = True

    def stream(self, ctx: Context, request: Request) -> Response:
        """Return the stream of what is stored from now on, as far as the visitor may see it."""
        given = request.query_params
        kinds = frozenset(given.get("kinds", "").split(",")) & {*KINDS} or frozenset(RECALLED_KINDS)
        shown = Shown(project_of(given.get("project")), kinds, given.get("type", ""))
        return _EventStream(self._events(ctx, shown, request.headers.get("last-event-id", "")))

    async def _events(self, ctx: Context, shown: Shown, had: str) -> AsyncIterator[str]:
        at = await anyio.to_thread.run_sync(_position, ctx, had, limiter=self._looking)
        yield _event("ready", "", at)
        quiet = 0.0
        look = partial(_since, ctx, shown)
        while not self._ended:
            await anyio.sleep(EVERY)
            quiet += EVERY
            try:
                at, found = await anyio.to_thread.run_sync(look, at, limiter=self._looking)
            except IndelibleError:
                continue  # the store is away for a while, and the page says so by itself
            for row in found:
                yield _event("record", part("row.html", row=row, with_project=shown.project is None, selectable=False))
            if found or quiet >= QUIET:
                yield _event("beat", "", at)
                quiet = 0.0


def _position(ctx: Context, had: str) -> int:
    """Return from where on changes are shown: from now on, or from where a stream that was lost had come to."""
    with ctx.store.read() as tx:
        last = changes.last(tx)
    is_position = had.isascii() and had.isdecimal() and len(had) < 19
    return min(last, max(int(had), last - MISSED)) if is_position else last


def _since(ctx: Context, shown: Shown, position: int) -> tuple[int, list[rows.Row]]:
    """Return the newest position, and the rows of what was stored after `position`, oldest first."""
    with ctx.store.read() as tx:
        last = changes.last(tx)
        if last <= position:
            return last, []
        stored = {each.record for each in changes.since(tx, position) if each.operation == "put"}
        found = _newest(ctx, tx, shown, stored)
        shorts = ids.shorts(tx, found)
        return last, [rows.of_record(ctx, record, shorts[record.id]) for record in found]


def _newest(ctx: Context, tx: Transaction, shown: Shown, stored: Collection[int]) -> list[Record]:
    """Return the newest of some records that are shown, oldest first.

    Of an import or a document all but a few may not be shown: those of other kinds are not read.
    """
    kinds = {key: kind for key, (kind, _) in records.keys_of(tx, stored).items()}
    newest = sorted((key for key, kind in kinds.items() if kind in shown.kinds), reverse=True)
    found: list[Record] = []
    for start in range(0, len(newest), READ):
        batch = newest[start : start + READ]
        seen = records.by_ids(tx, sorted(set(batch) - visibility.hidden(ctx, tx, batch)))
        if shown.project is not None:
            names = ctx.scope(tx).named(shown.project, {record.namespace for record in seen.values()})
            seen = {key: record for key, record in seen.items() if record.namespace in names}
        found += [seen[key] for key in batch if key in seen and shown.has(seen[key])]
        if len(found) >= AT_ONCE:
            break
    return found[:AT_ONCE][::-1]


def _event(name: str, text: str, position: int | None = None) -> str:
    """Return an event; with a position whoever got it has all up to there."""
    data = "".join(f"data: {line}\n" for line in text.splitlines() or [""])
    given = "" if position is None else f"id: {position}\n"
    return f"event: {name}\n{data}{given}\n"


class _EventStream(Response):
    """Server-sent events, until the other side leaves or may not see them any more."""

    def __init__(self, events: AsyncIterator[str]):
        super().__init__()
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        async with anyio.create_task_group() as group:

            async def leave() -> None:
                while (await receive())["type"] != "http.disconnect":
                    pass
                group.cancel_scope.cancel()

            group.start_soon(leave)
            async for event in self._events:
                await send({"type": "http.response.body", "body": event.encode(), "more_body": True})
            group.cancel_scope.cancel()
