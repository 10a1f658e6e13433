"""The project of the one client of a server over standard input and output, by the folders that the client has open.

The protocol calls these folders roots. They are deprecated since 2026-07-28: only a session of an older era, whose
client offers them, is asked, and only where no better way gave the project (see `project.find`).
"""

import logging
import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from indelible.core.context.context import Context
from indelible.project import START, Location, locate

PATIENCE = 0.2  # seconds that a write waits for the folders
GIVE_UP = 5.0  # seconds until a client that offered its folders and names none is taken for one without

_ROOTS = types.ClientCapabilities(roots=types.RootsCapability())

log = logging.getLogger("indelible")


class Roots:
    """The project of one connection: that of the server's start, until the client has named its folders.

    `folders` are the projects of several open folders, the first of which is taken, unless the server was started in
    one of the others.
    """

    def __init__(self, ctx: Context) -> None:
        self._started = self.ctx = ctx
        self.folders: tuple[str, ...] = ()
        self._asked: anyio.Event | None = None  # set once the latest question is answered, or will not be
        self._is_known = False

    def register(self, server: Server[Any]) -> None:
        """Ask a client for its folders once it is there, and whenever it says that they changed.

        Where the server was given its project no client is asked.
        """
        if self._started.settings.project_found.by != START:
            return
        for moment in ("notifications/initialized", "notifications/roots/list_changed"):
            server.add_notification_handler(moment, types.NotificationParams, self._ask)

    async def for_write(self) -> Context:
        """Return the context of a call that writes: it waits a moment for the folders, and then is in no project."""
        if self._asked is None or self._is_known:
            return self.ctx
        with anyio.move_on_after(PATIENCE):
            await self._asked.wait()
        return self.ctx if self._asked.is_set() else self._started.at(None)

    async def _ask(self, request: ServerRequestContext[Any], _: types.NotificationParams) -> None:
        if not request.session.check_client_capability(_ROOTS):
            return
        asked = self._asked = anyio.Event()
        try:
            with anyio.move_on_after(GIVE_UP):
                answer = await request.session.send_request(types.ListRootsRequest(), types.ListRootsResult)
                found = await anyio.to_thread.run_sync(self._projects, [str(root.uri) for root in answer.roots])
                if self._asked is asked:  # not asked again meanwhile
                    self._work_in(found)
        except (MCPError, ValidationError) as error:
            log.warning("the client's folders are not known", extra={"error": str(error)})
        finally:
            asked.set()

    def _projects(self, uris: list[str]) -> dict[str, tuple[Location, str]]:
        """Return the projects of folders of this machine, with the folders, by their paths, in the given order."""
        home = self._started.settings.home
        directories = [path for uri in uris if (path := _directory(uri)) is not None]
        found = [(locate(None, {}, directory, home), str(directory)) for directory in directories]
        return {location.path: (location, directory) for location, directory in found if location is not None}

    def _work_in(self, found: dict[str, tuple[Location, str]]) -> None:
        self._is_known = True
        own = self._started.session.location
        if own is not None and (own.path in found or not found):
            self.ctx = self._started
        else:
            self.ctx = self._started.at(*next(iter(found.values()), (None, "")))
        self.folders = tuple(found) if len(found) > 1 else ()


def _directory(uri: str) -> Path | None:
    """Return the directory of this machine that a URI names, None for what is none here."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    path = Path(url2pathname(parts.path))
    return path if os.path.isdir(path) else None
