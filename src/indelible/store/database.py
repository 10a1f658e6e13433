"""The contract of a database: what `sqlite/` and `postgres/` both implement."""

import json
from collections.abc import Callable, Hashable, Iterable
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from indelible.errors import Interrupted

T = TypeVar("T")
Row = tuple[Any, ...]


class Transaction(Protocol):
    """One transaction: a consistent view of the store, and its own changes. Not to be shared between threads.

    It is of one tenant, whose number each query gets as its parameter `tenant`, unless another one is given.
    `remembered` is what was read of this moment of the store so far, by what it is, so that it is read once (`once`);
    None in a transaction that writes, which may change it.
    """

    tenant: int

    scopes: dict[Hashable, Any]  # what core made of the projects that are noted; whatever changes these empties it

    @property
    def remembered(self) -> dict[Hashable, Any] | None:
        """See above."""

    def rows(self, query: str, **parameters: Any) -> list[Row]:
        """All rows of a named query (`noun.name`)."""

    def run(self, query: str, **parameters: Any) -> int:
        """Execute a named query; returns the number of rows it changed."""

    def run_many(self, query: str, rows: Iterable[dict[str, Any]]) -> None:
        """Execute a named query once a row of parameters."""


class Database(Protocol):
    """A store that several threads and several processes use at once."""

    dialect: str
    tenant: int  # whose rows every transaction reads and writes
    receives: bool  # whether what this process writes belongs to an unfinished migration into the store

    def read(self) -> AbstractContextManager[Transaction]:
        """A transaction that sees one moment of the store and changes nothing."""

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a transaction that is durable when this returns.

        Waiting calls of other threads may be committed together with this one; each is undone alone when it
        raises. `work` must be short and may run in another thread.

        Raises what `work` raises; Conflict where a newer version of Indelible has upgraded the store, or a
        migration into it is not finished; StoreError where the database fails (nothing of `work` is kept then).
        """

    def check(self) -> list[str]:
        """Return the faults that the database itself finds in its storage; empty if sound."""

    def size(self) -> int:
        """Bytes on disk."""

    def leave_in(self, seconds: float) -> None:
        """Wait no longer than that, from now on and in all, for a server that is away: this process ends."""

    def close(self) -> None:
        """Finish waiting writes and let go of every connection."""


def once(tx: Transaction, what: Hashable, read: Callable[[], T]) -> T:
    """Return what `read` gives: the first value of a transaction that only reads, each time anew in one that writes."""
    if tx.remembered is None:
        return read()
    if what not in tx.remembered:
        tx.remembered[what] = read()
    found: T = tx.remembered[what]
    return found


class Indexing(Protocol):
    """Builds the indexes of a database that take minutes."""

    def keep(self, tenant: int | None = None) -> list[str]:
        """Build what is due, of one tenant or of all; returns what was done."""

    def stop(self) -> None:
        """End what runs."""


class Standby(NamedTuple):
    """How far a standby is behind its primary.

    `behind_bytes` are received and not yet replayed, `behind_seconds` is the age of the last transaction that was
    replayed: 0 where all is that was received, None where nothing was replayed yet. Where it is not `connected`,
    nothing more is received, and nobody knows what is missing.
    """

    connected: bool
    behind_bytes: int
    behind_seconds: float | None


class SharedDatabase(Database, Protocol):
    """A database that holds several tenants."""

    def for_tenant(self, tenant: int) -> Database:
        """Return another tenant's part, through the same connections; it is closed by itself."""

    def tenants(self) -> list[int]:
        """Return the numbers of the tenants that have stored something, ascending. Raises StoreError.

        Only the owner of the tables, or a role from which no rows are hidden, can see them.
        """

    def standby(self) -> Standby | None:
        """Return how far the server is behind where it is a standby; None where it is a primary.

        Raises StoreError where it does not answer or the store cannot be read.
        """

    def bypasses_row_security(self) -> bool:
        """Whether the role of this process sees the rows of every tenant: it may serve one only."""

    def count_rows(self) -> None:
        """Let the server learn which tenant has how many rows: it plans by that, and learns it late by itself.

        For bulk work: while a tenant's rows are taken for few, the planner reads all of them for each one that is
        asked for. Does nothing for a role that may not. Raises StoreError.
        """

    def neighbor_indexes(self) -> Indexing:
        """Return what keeps the indexes of nearest vectors."""


def shared(store: Database) -> SharedDatabase | None:
    """Return the database as one of several tenants, None for a file; the store is a server's own, not a caller's."""
    return cast(SharedDatabase, store) if store.dialect == "postgres" else None


def read_again(work: Callable[[], T]) -> T:
    """Return what `work` returns, which only reads: it is run once more where the database went away in the middle."""
    try:
        return work()
    except Interrupted:
        return work()  # whose first look at the store waits until the server is back


def one(rows: list[Row]) -> Row | None:
    """The first row, if there is one."""
    return rows[0] if rows else None


def listed(ids: Iterable[int]) -> str:
    """Ids as a statement takes many of them: a JSON array, in their order."""
    return json.dumps([int(i) for i in ids])
