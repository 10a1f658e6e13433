"""The local socket of a serving process, at which the hooks of its user ask what an agent is to be told right now.

Of the processes that serve a store on this machine one listens, the first; when it ends another takes its place. Only
the same user gets in, and every request is answered with what this process may see itself.
"""

import json
import logging
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from indelible.capture import serving
from indelible.core.context.context import Context
from indelible.embed import channel
from indelible.embed.channel import Channel, Place
from indelible.embed.frames import Malformed
from indelible.errors import IndelibleError
from indelible.filesystem import FileLock
from indelible.server.error_ids import logged_message

# Imported late (start): indelible.capture.moments

LOOK = 2.0  # seconds between two looks whether the process that listens has ended
PATIENCE = 1.0  # seconds for a request to come, and for its answer to be taken
AT_ONCE = 4  # requests that are answered at the same time

_log = logging.getLogger("indelible.hooks")


class HookListener:
    """Listens for hooks of one store, in threads of its own, from `start` to `stop`. A read-only server does not."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._ended = threading.Event()
        self._place: Place | None = None
        self._thread = threading.Thread(target=self._run, name="hooks", daemon=True)

    def start(self) -> None:
        """Begin; the socket is there a moment later, or once the process that has it ends."""
        if not self._ctx.settings.read_only:
            self._thread.start()

    def stop(self) -> None:
        """End: what is being answered is answered first. Done twice it does no harm."""
        self._ended.set()
        if self._place is not None:
            with suppress(OSError):  # it wakes the thread that accepts; where nobody listens any more there is no need
                channel.connect(self._place).close()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        inbox = Path(self._ctx.settings.inbox)
        try:
            place = channel.private_place("hooks", str(inbox.resolve()))
            lock = FileLock(place.lock)
            while not lock.try_acquire():
                if self._ended.wait(LOOK):
                    return
            try:
                self._listen(place, inbox)
            finally:
                lock.release()
        except (IndelibleError, OSError) as error:  # a full disk, no private directory: hooks do without
            _log.warning("no socket for hooks", extra={"error": str(error)})

    def _listen(self, place: Place, inbox: Path) -> None:
        listener = channel.open_listener(place)
        try:
            address = place.path.read_text(encoding="ascii") if sys.platform == "win32" else str(place.path)
            _write(inbox, address)
            self._place = place
            with ThreadPoolExecutor(AT_ONCE, "hook") as threads:
                while not self._ended.is_set():
                    threads.submit(self._answer, listener.accept())
        finally:
            listener.close()
            (inbox / serving.ADDRESS).unlink(missing_ok=True)

    def _answer(self, peer: Channel) -> None:
        until = time.monotonic() + PATIENCE
        try:
            request = json.loads(peer.receive(until))
            peer.send(json.dumps(self._answered(request)).encode(), until)
        except (OSError, Malformed, ValueError, RecursionError):  # who asked has gone, or is no hook
            return
        finally:
            peer.close()

    def _answered(self, request: Any) -> dict[str, Any]:
        from indelible.capture import moments  # compiles the shapes of errors, which the first hook may wait for

        try:
            return moments.answered(self._ctx, request)
        except IndelibleError as error:
            return {"error": str(error)}
        except Exception as error:  # noqa: BLE001 - the one place of this transport: the hook gets an id, the log the rest
            return {"error": logged_message("hook", error)}


def _write(inbox: Path, address: str) -> None:
    """Write where hooks find the socket."""
    inbox.mkdir(0o700, parents=True, exist_ok=True)
    fresh = inbox / f"{serving.ADDRESS}.{os.getpid()}"
    fresh.write_text(address, encoding="utf-8")
    fresh.replace(inbox / serving.ADDRESS)
