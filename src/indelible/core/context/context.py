"""The context that every feature works with: the store, its caches, the clock, the project and the call."""

import threading
from collections.abc import Callable
from dataclasses import field, replace
from datetime import datetime
from typing import Any, TypeVar

from indelible.clock import micros, utc_now
from indelible.core.context import quota
from indelible.core.context.answering import Answering
from indelible.core.context.call import Call
from indelible.core.context.metrics import Metrics
from indelible.core.context.permissions import EVERYTHING, Grant
from indelible.core.context.scoping import Scope
from indelible.core.context.session import Session
from indelible.core.context.write_behind import WriteBehind
from indelible.core.indexes import model_choice
from indelible.core.indexes.embedder import Embedder, open_embedder
from indelible.core.indexes.indexes import Indexes
from indelible.dataclass import dataclass
from indelible.errors import Conflict, Forbidden, IndelibleError, NotFound
from indelible.filesystem import prepare
from indelible.project import Location
from indelible.settings import Settings
from indelible.store.database import Database, Transaction, shared
from indelible.store.namespace_filter import LimitedStore
from indelible.store.tables import applied
from indelible.store.tables.settings import refuse_unusable

# Imported late (cli): indelible.store.sqlite.opening
# Imported late (extra): indelible.store.postgres.database

T = TypeVar("T")


class TakingIn:
    """Whether files of other memory servers are still being imported: until then an answer would be incomplete."""

    LOOKS = 0.05  # seconds between looks whether the caller still waits

    def __init__(self) -> None:
        self._done = threading.Event()
        self._done.set()

    def begin(self) -> None:
        """Let calls wait from now on."""
        self._done.clear()

    def end(self) -> None:
        """Let them go on."""
        self._done.set()

    def wait(self, call: Call) -> None:
        """Wait for the end. Raises Cancelled if the caller gives up."""
        while not self._done.wait(self.LOOKS):
            call.stop_if_cancelled()


@dataclass(frozen=True, slots=True)
class Context:
    """The store, who calls, what it calls, and the services that every call uses. Safe to share between threads."""

    store: Database
    settings: Settings
    session: Session
    write_behind: WriteBehind
    embedder: Embedder
    clock: Callable[[], datetime] = utc_now
    call: Call = field(default_factory=Call)
    indexes: Indexes = field(default_factory=Indexes)
    metrics: Metrics = field(default_factory=Metrics)
    taking_in: TakingIn = field(default_factory=TakingIn)
    answering: Answering = field(default_factory=Answering)
    room: quota.Room = field(default_factory=lambda: quota.Room(limited=False))

    def granted(self, grant: Grant) -> "Context":
        """Return the same context for a caller with a grant: records outside the grant are invisible in it.

        Cheap; called for each request. Figures are kept by `who`, indexes by the set of namespaces, while the process
        lives and as far as there is room.
        """
        if grant == self.session.grant:
            return self
        if self.session.grant != EVERYTHING:
            raise ValueError("a grant is given only once, to the context of the server; use that")
        ctx = replace(self, session=self.session.of(grant))
        if grant.namespaces is None:
            return ctx
        return replace(
            ctx,
            store=LimitedStore(self.store, grant.namespaces, grant.who),
            metrics=self.metrics.of_caller(grant.who),
            indexes=self.indexes.limited(grant.namespaces),
        )

    def at(self, location: Location | None, directory: str = "") -> "Context":
        """Return the same context for a caller that works in another project, None meaning in none.

        `directory` is where it works, as far as that is known and on this machine.
        """
        return replace(self, session=replace(self.session, location=location, directory=directory))

    def for_call(self, call: Call) -> "Context":
        """Return the same context for this call."""
        return replace(self, call=call)

    def now(self) -> int:
        """The time in microseconds since 1970 UTC."""
        return micros(self.clock())

    def scope(self, tx: Transaction) -> Scope:
        """Return what the caller sees: made once a transaction, and again after it has noted projects."""
        own = self.session
        key = own.location, own.grant.namespaces, own.is_local
        if key not in tx.scopes:
            tx.scopes[key] = Scope(tx, own.location, own.grant.namespaces, is_local=own.is_local)
        found: Scope = tx.scopes[key]
        return found

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a durable transaction; with a request key, once: a retry gets the first answer.

        The result must be JSON. It returns after the commit and waits for nothing else: the worker of this process is
        woken for what follows from it. Raises Conflict for a key that came with another call before, or in a read-only
        server, and Forbidden for a caller that may only read.
        """
        if self.settings.read_only:
            raise Conflict(f"{self.call.tool} writes, and {self.settings.why_read_only}")
        if not self.session.grant.allows("write"):
            raise Forbidden(f"{self.call.tool} writes, and this token may only read; it needs one of scope write")
        request_key = self._request_key()
        if request_key is None:
            return self._written(work)

        def once(tx: Transaction) -> T:
            found = applied.find(tx, request_key)
            if found is None:
                result = work(tx)
                applied.add(tx, request_key, self.call.digest, result, self.now())
                return result
            if found[0] != self.call.digest:
                raise self._key_reused()
            answer: T = found[1]
            return answer

        return self._written(once)

    def _written(self, work: Callable[[Transaction], T]) -> T:
        result = self.store.write(self.room.around(work))
        self.embedder.follow_up.wake()
        return result

    def take_room(self, tx: Transaction, added: int, size: Callable[[], int]) -> None:
        """Hold so many records that are about to be added, and `size` more bytes, against the tenant's quota.

        For each write that adds records or lengthens them, but for undo, which brings back. Raises QuotaExceeded.
        """
        if not self.call.restores:
            self.room.take(tx, added, size, names_use=not self.session.grant.limited)

    def earlier_answer(self) -> Any:
        """Return the answer this call got before under its request key; None if there was none. Raises Conflict."""
        request_key = self._request_key()
        if request_key is None:
            return None
        with self.store.read() as tx:
            return self._kept(tx, request_key)

    def part_done(self, tx: Transaction, part: str) -> Any:
        """Return what a call of this request key kept of a part of its work before it ended; None for nothing."""
        request_key = self._request_key()
        return None if request_key is None else self._kept(tx, f"{request_key}\n{part}")

    def keep_part(self, tx: Transaction, part: str, result: Any) -> None:
        """Keep what a part of a call's work did, in its transaction, for a retry; without a request key nothing."""
        request_key = self._request_key()
        if request_key is not None:
            applied.add(tx, f"{request_key}\n{part}", self.call.digest, result, self.now())

    def _kept(self, tx: Transaction, key: str) -> Any:
        found = applied.find(tx, key)
        if found is not None and found[0] != self.call.digest:
            raise self._key_reused()
        return None if found is None else found[1]

    def _request_key(self) -> str | None:
        """Return the call's key as it is stored: prefixed by the caller's id, so that callers cannot collide."""
        key, who = self.call.key, self.session.grant.who
        return key if key is None or not who else f"{who}\n{key}"

    def _key_reused(self) -> Conflict:
        return Conflict(
            f"request key {self.call.key!r} was used for another call within the last "
            f"{self.settings.applied_days} days; use a new key for a new call"
        )

    def close(self) -> None:
        """Write what waits in the write-behind queue, then close the store."""
        try:
            self.write_behind.close()
        finally:
            self.embedder.close()
            self.store.close()


def open_context(settings: Settings, clock: Callable[[], datetime] = utc_now, **options: Any) -> Context:
    """Open the store that the settings name: a database, or else the file in the data directory.

    Where that directory cannot be written the context is read-only. The options are those of `open_sqlite` and
    `open_postgres`, which also say what is raised.
    """
    settings = settings.for_disk()
    embedder = open_embedder(settings)
    store = _open_store(settings, **options)
    return context_on(store, settings, embedder, clock, session_of(settings))


def session_of(settings: Settings) -> Session:
    """Return the session of a process with these settings: of the project that it was given or started in."""
    found = settings.project_found
    return Session(found.location, directory=found.directory if found.location is not None else "")


def context_for_tenant(ctx: Context, tenant: int) -> Context:
    """Return a separate context for another tenant of the same database, through the same connections and encoder.

    `ctx` is a server's own, without a grant. Nothing read from a tenant is shared: indexes, questions, figures and
    conversations are new; and nothing of this machine is in it: no project, no files, no spool. Work behind the calls
    of one gives way to those of all. Each context is closed
    by itself; the last to close releases the connections. Raises NotFound where the store is a file, which holds one
    tenant.
    """
    if ctx.session.grant != EVERYTHING:
        raise ValueError("a tenant is opened by the server, not by a caller; use the server's own context")
    database = shared(ctx.store)
    if database is None:
        raise NotFound(f"tenant {tenant} is not here: this store is a SQLite file, which holds tenant 1 only")
    settings = replace(ctx.settings, tenant=tenant, own_machine=False)
    store, session = database.for_tenant(tenant), Session(is_local=False)
    other = context_on(store, settings, ctx.embedder.lent(), ctx.clock, session)
    return replace(other, answering=ctx.answering)


def _open_store(settings: Settings, **options: Any) -> Database:
    if not settings.database:
        from indelible.store.sqlite.opening import open_sqlite

        return open_sqlite(settings.data, **options)
    from indelible.store.postgres.database import open_postgres

    prepare(settings.data)
    make = options.pop("make", True) and not settings.read_only
    return open_postgres(settings.database, tenant=settings.tenant, make=make, **options)


def context_on(
    store: Database,
    settings: Settings,
    embedder: Embedder,
    clock: Callable[[], datetime] = utc_now,
    session: Session | None = None,
) -> Context:
    """Return a context on an open store, with indexes of its own; without a session in one of no project.

    Raises Conflict if a copy into it was not finished.
    """
    try:
        with store.read() as tx:
            refuse_unusable(tx)
            embedder.follow(model_choice.stored(tx))
    except IndelibleError:
        store.close()
        raise
    return Context(
        store=store,
        settings=settings,
        session=session or Session(),
        write_behind=WriteBehind(store, enabled=not settings.read_only),
        embedder=embedder,
        clock=clock,
        room=quota.Room(limited=shared(store) is not None),
    )
