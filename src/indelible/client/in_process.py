"""The store in this process, as a server of its own."""

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from indelible.api import Memory, open_memory
from indelible.client import failures
from indelible.client.failures import Failure
from indelible.client.places import target_of
from indelible.errors import IndelibleError
from indelible.hook_settings import data_directory


class InProcess:
    """Opens the store with the first call, and again after it could not be opened; closes it after the last one."""

    largest: int | None = None

    def __init__(self, data: str | os.PathLike[str] | None, project: str | None):
        self.home = Path(data_directory(None if data is None else os.fspath(data)))
        self._project = project
        self.target = target_of(self.home, project)
        self._lock = threading.Lock()
        self._idle = threading.Condition()
        self._running = 0
        self._closed = False
        self._memory: Memory | None = None

    def call(self, tool: str, arguments: Mapping[str, Any], key: str | None, timeout: float) -> Any:
        """See Transport. A call in this process cannot be left: `timeout` is the store's own."""
        with self._use() as memory:
            return memory.call(tool, request_key=key, **arguments)

    def probe(self, timeout: float) -> None:
        """See Transport."""
        with self._use():
            return

    @contextmanager
    def _use(self) -> Iterator[Memory]:
        """Yield the open store, which is not closed meanwhile. Raises Failure."""
        with self._idle:
            if self._closed:
                raise Failure(failures.CLOSED, sent=False, retry=False)
            self._running += 1
        try:
            yield self._open()
        except IndelibleError as error:
            raise failures.raised(error) from error
        finally:
            with self._idle:
                self._running -= 1
                self._idle.notify_all()

    def _open(self) -> Memory:
        with self._lock:
            if self._memory is None:
                self._memory = open_memory(self.home, project=self._project)
            return self._memory

    def close(self) -> None:
        """See Transport."""
        with self._idle:
            self._closed = True
            self._idle.wait_for(lambda: self._running == 0)
            memory, self._memory = self._memory, None
        if memory is not None:
            memory.close()
