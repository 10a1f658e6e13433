"""Group commit: one thread a process runs the waiting writes and commits them together."""

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from indelible.errors import StoreError
from indelible.store.database import Transaction

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
Work = Callable[[Transaction], Any]

MOST_TOGETHER = 64  # writes a commit
LONGEST = 0.025  # seconds of work a commit, so that other processes get their turn


class WriteConnection(Transaction, Protocol):
    """A connection that only the writer thread uses."""

    def begin(self) -> None:
        """Start a write transaction, waiting for other processes; refuse where the store was upgraded."""

    def commit(self) -> None:
        """Make it durable."""

    def rollback(self) -> None:
        """Undo it; safe where none is open."""

    def savepoint(self) -> None:
        """Remember this point of the transaction."""

    def undo_to_savepoint(self) -> None:
        """Go back to the remembered point."""

    def failures(self) -> tuple[type[BaseException], ...]:
        """The exceptions by which the database itself fails."""

    def describe(self, error: BaseException) -> StoreError:
        """What such a failure means to the caller, with the remedy."""

    def close(self) -> None:
        """Let go of the connection."""


class Writer:
    """Commits the writes of all threads of a process through one connection.

    Started at the first write. Each write but the first of a transaction stands in a savepoint of its own: one that
    raises takes nothing of the others with it. The first has no others before it, and large ones are mostly alone: in
    a savepoint SQLite copies each page that each statement changes, which tripled their time. Futures resolve after the
    commit, never before.
    """

    def __init__(self, connect: Callable[[], WriteConnection]):
        self._connect = connect
        self._waiting: queue.SimpleQueue[tuple[Work, Future[Any]] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a durable transaction and return what it returns."""
        from concurrent.futures import Future  # with logging: who only reads does without

        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                raise StoreError("the store is closed; open it again")
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="indelible-writer", daemon=True)
                self._thread.start()
            self._waiting.put((work, future))
        return future.result()

    def close(self) -> None:
        """Commit what waits, then stop."""
        with self._lock:
            self._closed = True
            thread = self._thread
            self._waiting.put(None)
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        connection: WriteConnection | None = None
        while (first := self._waiting.get()) is not None:
            try:
                connection = connection or self._connect()
            except StoreError as error:
                first[1].set_exception(error)
                continue
            if not self._commit_together(connection, first):
                connection.close()
                connection = None
        if connection is not None:
            connection.close()

    def _commit_together(self, connection: WriteConnection, first: tuple[Work, "Future[Any]"]) -> bool:
        """Run and commit what waits, and answer it; whether the connection is still good."""
        done: list[tuple[Future[Any], Any]] = []
        taken = [first[1]]
        try:
            connection.begin()
            self._run_one(connection, first, done, connection.rollback)
            if not done:
                return True  # undone, and nothing to commit
            for work, future in self._more():
                taken.append(future)
                connection.savepoint()
                self._run_one(connection, (work, future), done, connection.undo_to_savepoint)
            connection.commit()
        except connection.failures() as error:
            good = self._rolled_back(connection)
            self._fail(taken, connection.describe(error))
            return good
        except BaseException as error:  # noqa: BLE001 - handed to the callers, who wait for it
            good = self._rolled_back(connection)
            self._fail(taken, error)
            return good
        for future, result in done:
            future.set_result(result)
        return True

    @staticmethod
    def _rolled_back(connection: WriteConnection) -> bool:
        """Undo what is open; False where even that fails: then a new connection starts clean."""
        try:
            connection.rollback()
        except connection.failures():
            return False
        return True

    def _more(self) -> Iterator[tuple[Work, "Future[Any]"]]:
        """What waits beside the first write of a transaction, as long as there is time for it."""
        until = time.monotonic() + LONGEST
        for _ in range(MOST_TOGETHER - 1):
            if time.monotonic() > until:
                return
            try:
                following = self._waiting.get_nowait()
            except queue.Empty:
                return
            if following is None:  # close(): after this batch
                self._waiting.put(None)
                return
            yield following

    @staticmethod
    def _run_one(
        connection: WriteConnection,
        waiting: tuple[Work, "Future[Any]"],
        done: list[tuple["Future[Any]", Any]],
        undo: Callable[[], None],
    ) -> None:
        work, future = waiting
        try:
            result = work(connection)
        except connection.failures():
            raise  # the transaction itself may be gone: all of it is undone
        except BaseException as error:  # noqa: BLE001 - handed to the caller, who waits for it
            undo()
            future.set_exception(error)
        else:
            done.append((future, result))

    @staticmethod
    def _fail(futures: list["Future[Any]"], error: BaseException) -> None:
        for future in futures:
            if not future.done():
                future.set_exception(error)


@contextmanager
def translated(connection: Any) -> Iterator[None]:
    """Turn the database's own failures into StoreError."""
    try:
        yield
    except connection.failures() as error:
        raise connection.describe(error) from error
