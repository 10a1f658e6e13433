"""The store of a caller limited to some namespaces: no statement sees or changes the rest.

Every named query declares what of it is limited (`named_queries`), and has a second text, in which these tables have
only the rows of the namespaces (`limited_form`). An id of another namespace is unknown, nothing outside is counted,
joined or walked over, and nothing can be written there.
"""

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from indelible.errors import Forbidden
from indelible.store.database import Database, Row, Transaction
from indelible.store.limited_form import FORM
from indelible.store.named_queries import checked_parameters

T = TypeVar("T")


class LimitedTransaction:
    """A transaction that sees and changes only the records of some namespaces and the rows that belong to them."""

    def __init__(self, whole: Transaction, namespaces: frozenset[str], who: str) -> None:
        self.whole = whole
        self.tenant = whole.tenant
        self.scopes = whole.scopes
        self.namespaces = namespaces
        self.remembered: dict[Hashable, Any] | None = None if whole.remembered is None else {}
        self._more = {"granted": json.dumps(sorted(namespaces), ensure_ascii=False), "caller": who}

    def rows(self, query: str, **parameters: Any) -> list[Row]:
        self._check(query, [parameters])
        return self.whole.rows(FORM + query, **parameters, **self._more)

    def run(self, query: str, **parameters: Any) -> int:
        self._check(query, [parameters])
        return self.whole.run(FORM + query, **parameters, **self._more)

    def run_many(self, query: str, rows: Iterable[dict[str, Any]]) -> None:
        given = list(rows)
        self._check(query, given)
        self.whole.run_many(FORM + query, [{**parameters, **self._more} for parameters in given])

    def _check(self, query: str, given: Sequence[dict[str, Any]]) -> None:
        """Refuse new rows in other namespaces: existing rows cannot show that."""
        checked = checked_parameters().get(query)
        if checked == ("namespace",):
            for parameters in given:
                if parameters["namespace"] not in self.namespaces:
                    raise outside(parameters["namespace"], self.namespaces)
        elif checked and given:
            on = {parameters[each] for each in checked for parameters in _each(query, given)}
            found = self.rows("records.keys_of", ids=json.dumps(sorted(on)))
            if len(found) < len(on):
                raise Forbidden("this would refer to a record that this token does not reach; nothing was written")


def _each(query: str, given: Sequence[dict[str, Any]]) -> Iterable[Mapping[str, Any]]:
    """Yield the rows to be inserted, of which a statement may get many as one parameter."""
    if query != "edges.add_many":
        return given
    return [{"source": row[0], "target": row[1]} for parameters in given for row in json.loads(parameters["rows"])]


def outside(namespace: str, allowed: Iterable[str]) -> Forbidden:
    """Return the error for a write outside the namespaces of a token."""
    said = f"namespace {namespace!r:.200} is not" if namespace else "what belongs to no project is not"
    names = ", ".join(repr(name)[:200] for name in sorted(allowed)) or "none"
    return Forbidden(f"{said} within this token's namespaces; it holds in {names}. Nothing was written")


class LimitedStore:
    """A store through which only the records of some namespaces are seen and written."""

    def __init__(self, whole: Database, namespaces: frozenset[str], who: str) -> None:
        self.dialect = whole.dialect
        self.tenant = whole.tenant
        self.receives = False
        self._whole = whole
        self._namespaces = namespaces
        self._who = who

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        with self._whole.read() as tx:
            yield LimitedTransaction(tx, self._namespaces, self._who)

    def write(self, work: Callable[[Transaction], T]) -> T:
        return self._whole.write(lambda tx: work(LimitedTransaction(tx, self._namespaces, self._who)))

    def check(self) -> list[str]:
        raise Forbidden("a token that is limited to namespaces cannot check the whole store")

    def size(self) -> int:
        raise Forbidden("a token that is limited to namespaces cannot measure the whole store")

    def leave_in(self, seconds: float) -> None:
        raise Forbidden("a token that is limited to namespaces cannot end what the store waits for")

    def close(self) -> None:
        raise Forbidden("a token that is limited to namespaces cannot close the store")


def limits(tx: Transaction) -> frozenset[str] | None:
    """Return the namespaces that a transaction is limited to; None means that it is not."""
    return tx.namespaces if isinstance(tx, LimitedTransaction) else None


def whole(tx: Transaction) -> Transaction:
    """Return the same transaction without limits: for caches shared by all callers, which filter what they return."""
    return tx.whole if isinstance(tx, LimitedTransaction) else tx
