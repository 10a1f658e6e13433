"""The aliases of a tenant's projects, which each write needs and few change: read again only where they have changed.

It is for a cluster, where that saves one of four statements to the node. A writer's transaction begins there with its
row in `lease` (`transactions`), in which a trigger counts the changes of `project` (0016.sql): of any process, and of
other programs. The tenant's lock is held by then, so that what is so at the beginning stays so but for own changes.
"""

import re
from collections.abc import Callable
from functools import cache

from indelible.store import named_queries
from indelible.store.database import Row
from indelible.store.limited_form import FORM

_ALIASES = "projects.aliases"
_NAMES_PROJECTS = re.compile(r"\bproject\b")


class KnownAliases:
    """The answer to `projects.aliases` of a tenant, as a committed transaction of its writer had it, while it is so."""

    def __init__(self, tenant: int) -> None:
        self.tenant = tenant
        self._changes = -1  # counted where it was read
        self._known: list[Row] | None = None
        self._read: list[Row] | None = None  # by the transaction that runs
        self._own_changes = False

    def begin(self, changes: int) -> None:
        """Begin a transaction whose row has counted so many changes."""
        if changes != self._changes:
            self._changes, self._known = changes, None
        self._read, self._own_changes = None, False

    def rows(self, read: Callable[[], list[Row]]) -> list[Row]:
        """Return what is known; else what `read` gives, which is known from the commit on."""
        if self._own_changes:
            return read()
        if self._known is not None:
            return self._known
        if self._read is None:
            self._read = read()
        return self._read

    def change(self) -> None:
        """Note that the transaction may change them: it reads them each time from now on."""
        self._own_changes = True

    def undo(self) -> None:
        """Forget what the transaction has read: some of what it did, or all, is undone."""
        self._read = None

    def commit(self) -> None:
        """Keep what it has read. Where it has changed anything the next one's row says so."""
        if self._read is not None and not self._own_changes:
            self._known = self._read


def is_asked_for(query: str) -> bool:
    """Return whether a query reads the aliases; it is the same for limited callers."""
    return query.removeprefix(FORM) == _ALIASES


@cache
def may_change(query: str) -> bool:
    """Return whether a query names the projects, so that it may change them where it changes anything."""
    return _NAMES_PROJECTS.search(named_queries.load("postgres")[query]) is not None
