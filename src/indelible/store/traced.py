"""Transactions whose statements are noted in the trace of the call that runs them.

Named as OpenTelemetry's conventions for databases name them (stable since 1.33): the summary of a query is its name
here, its text has parameters in the place of values.
"""

import contextvars
import threading
from collections.abc import Callable, Hashable, Iterable
from contextlib import AbstractContextManager
from functools import cache
from typing import Any, TypeVar, cast

from indelible import tracing
from indelible.store import named_queries
from indelible.store.database import Row, Transaction
from indelible.store.group_commit import Writer

T = TypeVar("T")

_SYSTEMS = {"sqlite": "sqlite", "postgres": "postgresql"}  # as the conventions name them
_OPERATIONS = ("SELECT", "INSERT", "UPDATE", "DELETE")


class TracedTransaction:
    """Another transaction, each of whose statements is a span."""

    def __init__(self, whole: Transaction, dialect: str) -> None:
        self.tenant = whole.tenant
        self.scopes = whole.scopes
        self._whole = whole
        self._dialect = dialect

    @property
    def remembered(self) -> dict[Hashable, Any] | None:
        """See Transaction."""
        return self._whole.remembered

    @property
    def connection(self) -> Any:
        """The database's own connection, for what names no query; its statements are no spans."""
        return cast("Any", self._whole).connection

    def rows(self, query: str, **parameters: Any) -> list[Row]:
        """See Transaction."""
        with self._statement(query) as span:
            found = self._whole.rows(query, **parameters)
            span.note("db.response.returned_rows", len(found))
            return found

    def run(self, query: str, **parameters: Any) -> int:
        """See Transaction."""
        with self._statement(query):
            return self._whole.run(query, **parameters)

    def run_many(self, query: str, rows: Iterable[dict[str, Any]]) -> None:
        """See Transaction."""
        given = list(rows)
        with self._statement(query) as span:
            if len(given) > 1:
                span.note("db.operation.batch.size", len(given))
            self._whole.run_many(query, given)

    def _statement(self, query: str) -> AbstractContextManager[tracing.Span]:
        return tracing.part(query, _described(self._dialect, query), kind="client")


@cache
def _described(dialect: str, query: str) -> dict[str, tracing.Value]:
    """Return the attributes of a named query."""
    text = named_queries.load(dialect)[query]
    operation = text.split(None, 1)[0].upper()
    return {
        "db.system.name": _SYSTEMS[dialect],
        "db.query.summary": query,
        "db.query.text": text,
        **({"db.operation.name": operation} if operation in _OPERATIONS else {}),
    }


def reading(tx: Transaction, dialect: str) -> Transaction:
    """Return a transaction whose statements are noted where a call is being traced, else the same."""
    return TracedTransaction(tx, dialect) if tracing.is_inside() else tx


def take_place(free: threading.Semaphore, dialect: str, seconds: float | None = None) -> bool:
    """Take one of the places of those who read, waiting so many seconds at most; return whether there was one.

    Where a call is being traced, a wait is a span.
    """
    if free.acquire(blocking=False):
        return True
    with tracing.part("wait for connection", {"db.system.name": _SYSTEMS[dialect]}):
        return free.acquire(timeout=seconds)


def write(writer: Writer, work: Callable[[Transaction], T], dialect: str) -> T:
    """Run `work` by the writer; where a call is being traced, in a span from the wait for others to the commit."""
    if not tracing.is_inside():
        return writer.write(work)
    with tracing.span("write transaction", {"db.system.name": _SYSTEMS[dialect]}):
        caller = contextvars.copy_context()  # the statements run in the writer's thread
        return writer.write(lambda tx: caller.run(work, TracedTransaction(tx, dialect)))
