"""Group commit: one thread a process runs the waiting writes and commits them together."""

import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from indelible.errors import Interrupted, StoreError
from indelible.store.database import Transaction

T = TypeVar("T")
Work = Callable[[Transaction], Any]
Waiting = tuple[Work, "Future[Any]"]
Answer = tuple["Future[Any]", Any, BaseException | None]  # what a write returned, or raised

MOST_TOGETHER = 64  # writes a commit
LONGEST = 0.025  # seconds of work a commit, so that other processes get their turn


def unrepeated(work: Callable[[Transaction], T]) -> Callable[[Transaction], T]:
    """Wrap work that changes more than its transaction, so that it is not run again after a rollback by the server.

    It raises Interrupted then; the caller has to begin anew. (A transaction that could not even begin is run again.)
    """
    began = False

    def run(tx: Transaction) -> T:
        nonlocal began
        if began:
            raise Interrupted(
                "the database rolled back the current write, as its server stopped or another write had precedence; "
                "what was committed before is kept. Repeat the call: it continues from there"
            )
        began = True
        return work(tx)

    return run


class Spoiled(Exception):
    """A write that raised cannot be undone without those before it in its transaction."""


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
        """Go back to the remembered point. Raises Spoiled where that cannot be."""

    def again(self, error: BaseException) -> bool:
        """Whether a transaction that failed so, and was undone, is to be run again; waits before where that helps."""

    def failures(self) -> tuple[type[BaseException], ...]:
        """Return the exception types by which the database itself fails."""

    def describe(self, error: BaseException) -> StoreError:
        """Return such a failure as a StoreError that says what to do."""

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

    def _commit_together(self, connection: WriteConnection, first: Waiting) -> bool:
        """Run and commit the waiting writes, and answer them; whether the connection is still good.

        Writes that the database rolled back are run again where `again` says so, and those beside one that spoiled the
        transaction, which is answered: no other caller was answered yet, and a write touches nothing but its
        transaction.
        """
        taken = [first]
        while taken:
            answers: list[Answer] = []
            try:
                connection.begin()
                if self._run_all(connection, taken, answers):
                    connection.commit()
            except Spoiled as error:
                taken = [each for each in taken if not each[1].done()]
                if self._rolled_back(connection):
                    continue
                self._fail(taken, connection.describe(error))
                return False
            except connection.failures() as error:
                good = self._rolled_back(connection)
                if good and connection.again(error):
                    continue
                self._fail(taken, connection.describe(error))
                return good
            except BaseException as error:  # noqa: BLE001 - handed to the callers, who wait for it
                good = self._rolled_back(connection)
                self._fail(taken, error)
                return good
            for future, result, error_of_it in answers:
                if error_of_it is None:
                    future.set_result(result)
                else:
                    future.set_exception(error_of_it)
            del taken[: len(answers)]
        return True

    def _run_all(self, connection: WriteConnection, taken: list[Waiting], answers: list[Answer]) -> bool:
        """Run the taken writes and those that wait beside them; whether there is something to commit.

        There is not where the first one raises: it is rolled back, and the others have not been run.
        """
        if not self._run_one(connection, taken[0], answers, connection.rollback):
            return False
        until = time.monotonic() + LONGEST
        for place in range(1, MOST_TOGETHER):
            if place == len(taken) and not (time.monotonic() <= until and self._take(taken)):
                break
            connection.savepoint()
            self._run_one(connection, taken[place], answers, connection.undo_to_savepoint)
        return True

    def _take(self, taken: list[Waiting]) -> bool:
        """Take one more waiting write, if there is one."""
        try:
            following = self._waiting.get_nowait()
        except queue.Empty:
            return False
        if following is None:  # close(): after this batch
            self._waiting.put(None)
            return False
        taken.append(following)
        return True

    @staticmethod
    def _rolled_back(connection: WriteConnection) -> bool:
        """Roll back the open transaction; False where even that fails: then a new connection starts clean."""
        try:
            connection.rollback()
        except connection.failures():
            return False
        return True

    @staticmethod
    def _run_one(
        connection: WriteConnection, waiting: Waiting, answers: list[Answer], undo: Callable[[], None]
    ) -> bool:
        work, future = waiting
        connection.scopes.clear()  # each write is a transaction of its own to who runs it
        try:
            result = work(connection)
        except connection.failures():
            raise  # the transaction itself may be lost: all of it is rolled back
        except BaseException as error:  # noqa: BLE001 - handed to the caller, who waits for it
            try:
                undo()
            except Spoiled:
                future.set_exception(error)
                raise
            answers.append((future, None, error))
            return False
        answers.append((future, result, None))
        return True

    @staticmethod
    def _fail(taken: list[Waiting], error: BaseException) -> None:
        for _, future in taken:
            future.set_exception(error)


@contextmanager
def translated(connection: Any) -> Iterator[None]:
    """Turn the database's own failures into StoreError."""
    try:
        yield
    except connection.failures() as error:
        raise connection.describe(error) from error
