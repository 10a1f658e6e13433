"""The connections of a process to a store in PostgreSQL: a few that read, shared by every tenant it serves.

`psycopg_pool` is not used: it connects in threads of its own, so that a caller learns of a timeout and never of its
cause (a wrong password, a full server), it comes back to a restarted server by steps of seconds, and asking whether a
connection still answers costs it a round trip. Here the BEGIN asks that.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from psycopg import Connection, Error

from indelible.errors import Interrupted, StoreError
from indelible.store import traced
from indelible.store.database import Row
from indelible.store.postgres.retry import UNPREPARED, Patience, is_lost, passes, state_of
from indelible.store.postgres.server import Server

READERS = 4
IDLE = 300.0  # seconds after which a connection that nobody needed is closed
PREPARED_AFTER = 5  # executions on a connection, psycopg's own choice
MOST_PREPARED = 200  # on a connection


class Connections:
    """Makes connections, keeps up to READERS of them for reading, and knows whether a pooler is in between."""

    def __init__(self, server: Server):
        self.server = server
        self._free = threading.BoundedSemaphore(READERS)
        self._here = threading.local()  # whether this thread has one of them
        self._lock = threading.Lock()
        self._idle: list[tuple[float, Connection[Row]]] = []  # the one that was used last is the last
        self._users = 1
        self._plain = False
        self._doubted: set[int] = set()  # tenants whose node was lost, of which a BEGIN on the coordinator says nothing
        self._waits = threading.Lock()  # one read waits for a lost node: others' tenants need the threads of the rest

    def connect(self) -> Connection[Row]:
        """A new connection. Raises psycopg.Error."""
        return self.server.dial()

    def saw(self, connection: Connection[Row], process: int) -> None:
        """Prepare what is executed often on a new connection, where it has a server process of its own.

        A pooler that gives each transaction another process must not be told to prepare: the statement of that name may
        be another client's there, and would be executed without an error.
        """
        if connection.prepare_threshold is None and process == connection.info.backend_pid and not self._plain:
            connection.prepare_threshold = PREPARED_AFTER
            connection.prepared_max = MOST_PREPARED

    def failed(self, connection: Connection[Row], error: BaseException) -> None:
        """Act on a failure, for this connection and new ones."""
        if state_of(error) in UNPREPARED:
            self._plain = True
            connection.prepare_threshold = None

    @contextmanager
    def reading(self, tenant: int, closing: threading.Event) -> Iterator[Connection[Row]]:
        """A connection in a transaction that sees one moment of a tenant's rows, and changes nothing.

        Where the server is away it is waited for, unless `closing` is set. Raises Interrupted where it goes away
        afterwards, else StoreError.
        """
        patience = Patience(self.server.wait, closing)
        with ExitStack() as place:
            connection = self._begin(tenant, patience, place)
            try:
                yield connection
            except Error as error:
                self.failed(connection, error)
                if self.server.distributed and is_lost(error):
                    self._doubted.add(tenant)
                said = self.server.describe(error)
                raise (Interrupted(*said.args) if passes(error) else said) from error
            finally:
                self._end(connection)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Hold a place among the readers. A thread that has one gets no second: all would wait for each other."""
        if getattr(self._here, "reads", False):
            yield
            return
        if not traced.take_place(self._free, "postgres", self.server.wait):
            raise StoreError(
                f"{self.server.name} is read by {READERS} other calls of this process, for {self.server.wait:g} s "
                "already; repeat the call"
            )
        self._here.reads = True
        try:
            yield
        finally:
            self._here.reads = False
            self._free.release()

    def _begin(self, tenant: int, patience: Patience, place: ExitStack) -> Connection[Row]:
        """Begin a transaction on a connection, with a turn in `place`; none is held while the server is waited for."""
        while True:
            place.enter_context(self._turn())
            connection = self._take()
            was_idle = connection is not None
            try:
                connection = connection or self.connect()
                self._begin_on(connection, tenant, fresh=not was_idle)
                return connection
            except Error as error:
                if connection is not None:
                    connection.close()
                place.close()
                if not (passes(error) and self._may_retry(tenant, patience, at_once=was_idle)):
                    raise self.server.describe(error) from error

    def _may_retry(self, tenant: int, patience: Patience, *, at_once: bool) -> bool:
        """Wait a little after a transaction that could not begin; False where it was enough."""
        if tenant not in self._doubted:
            # an idle one was lost where the server was restarted since: the next, or a new one, is tried at once
            return bool(at_once and patience.left) or patience.pause()
        if not self._waits.acquire(blocking=False):
            return False
        try:
            return patience.pause()
        finally:
            self._waits.release()

    def _begin_on(self, connection: Connection[Row], tenant: int, *, fresh: bool) -> None:
        begin = self.server.begin_read(tenant)
        if fresh:
            cursor = connection.execute(f"{begin}; SELECT pg_backend_pid()")
            while cursor.nextset():
                pass
            self.saw(connection, cursor.fetchall()[0][0])
        else:
            connection.execute(begin)
        if tenant in self._doubted:
            connection.execute(self.server.touch(tenant))
            self._doubted.discard(tenant)

    def _end(self, connection: Connection[Row]) -> None:

        try:
            connection.execute("ROLLBACK")
        except Error:
            connection.close()  # lost; it has read, and there is nothing to undo
            return
        now = time.monotonic()
        with self._lock:
            unneeded = [] if self._users else [connection]
            if self._users:
                self._idle.append((now, connection))
                while self._idle[0][0] < now - IDLE:
                    unneeded.append(self._idle.pop(0)[1])
        for each in unneeded:
            each.close()

    def _take(self) -> "Connection[Row] | None":
        with self._lock:
            if self._users == 0:
                raise StoreError("the store is closed; open it again")
            return self._idle.pop()[1] if self._idle else None

    def share(self) -> "Connections":
        """Return the same connections for one more user, who closes them too."""
        with self._lock:
            if self._users == 0:
                raise StoreError("the store is closed; open it again")
            self._users += 1
        return self

    def close(self) -> None:
        """When the last user closes: close idle connections; those in use are closed when they are given back."""
        with self._lock:
            self._users -= 1
            idle = self._idle if self._users == 0 else []
            if self._users == 0:
                self._idle = []
        for _, connection in idle:
            connection.close()
