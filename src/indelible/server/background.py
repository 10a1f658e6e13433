"""The background work of a server, over stdio or HTTP, from its start to its end."""

import gc
import sys

from indelible.admin.embedding_worker import Worker
from indelible.admin.maintenance import Housekeeper
from indelible.core.context.context import Context
from indelible.transfer.auto_import import Importer

# Seconds that a thread keeps the interpreter while others wait. A recall gives it away a dozen times (at each query);
# with the standard 5 ms each time, a thread at work in the background held it up: p99 fell from 60 to 33 ms.
SLICE = 0.0005
LEAVING = 3.0  # seconds in which a server that leaves writes its last events, where the database is away for a moment
PATIENCE = 30.0  # seconds for what is not answered yet when a server is told to leave


def collect_garbage() -> None:
    """Begin to collect garbage, of what is made from now on: what a server has loaded when it serves, it keeps."""
    gc.freeze()
    gc.enable()


class Background:
    """The threads of one tenant of a server: keeping house, embedding what waits, and for its own taking in files."""

    def __init__(self, ctx: Context):
        self._ctx = ctx
        self._keeper = Housekeeper(ctx)
        self._worker = Worker(ctx)
        self._importer = Importer(ctx) if ctx.settings.own_machine else None

    def start(self) -> None:
        """Begin."""
        sys.setswitchinterval(SLICE)
        self._keeper.start()
        self._worker.start()
        if self._importer is not None:
            self._importer.start()

    def leave(self) -> None:
        """End with the process: as `finish`, but without waiting for a database that is away."""
        self._ctx.store.leave_in(LEAVING)
        self.finish()

    def finish(self) -> None:
        """End the threads, write what waits, close the store. Done twice it does no harm."""
        if self._importer is not None:
            self._importer.stop()
        self._worker.stop()
        self._keeper.stop()
        self._ctx.close()
