"""The context that every feature works with: the store, its caches, the clock, the project and the call."""

import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from indelible.clock import micros, utc_now
from indelible.core.context.call import Call
from indelible.core.context.caller_state import CallerStates, Conversations
from indelible.core.context.metrics import Metrics
from indelible.core.context.permissions import EVERYTHING, Grant
from indelible.core.context.scoping import aliases, without_secrets
from indelible.core.context.write_behind import WriteBehind
from indelible.core.indexes.embedder import Embedder, open_embedder
from indelible.core.indexes.entity_index import EntityTexts
from indelible.core.indexes.graph_scores import GraphScores
from indelible.core.indexes.record_index import Index
from indelible.core.indexes.repo_fingerprint import Repository
from indelible.core.indexes.vector_index import CallerVectors
from indelible.errors import Conflict, Forbidden, IndelibleError, NotFound
from indelible.filesystem import prepare
from indelible.project import Location, is_path, locate
from indelible.settings import Settings
from indelible.store.database import Database, Transaction, shared
from indelible.store.namespace_filter import LimitedStore
from indelible.store.tables import applied, projects
from indelible.store.tables.settings import refuse_unfinished

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
    """Everything that belongs to one connection to one store. Safe to share between threads.

    Files of this machine (codebases, what hooks left) are those of the tenant that the process was started for: in the
    context of another tenant that it serves too `own_machine` is False. `is_local` is False for callers over the
    network: a path that they name is not looked at.
    """

    store: Database
    settings: Settings
    location: Location | None
    index: Index
    graph_scores: GraphScores
    write_behind: WriteBehind
    embedder: Embedder
    clock: Callable[[], datetime] = utc_now
    session: str = field(default_factory=lambda: f"session_{uuid.uuid4().hex[:12]}")
    call: Call = field(default_factory=Call)
    process: str = field(default_factory=lambda: uuid.uuid4().hex)
    metrics: Metrics = field(default_factory=Metrics)
    entity_texts: EntityTexts = field(default_factory=EntityTexts)
    repository: Repository = field(default_factory=Repository)
    vectors: CallerVectors = field(default_factory=CallerVectors)
    conversations: Conversations = field(default_factory=Conversations)
    grant: Grant = EVERYTHING
    caller_state: CallerStates = field(default_factory=CallerStates)
    own_machine: bool = True
    taking_in: TakingIn = field(default_factory=TakingIn)
    is_local: bool = True

    def __post_init__(self) -> None:
        if self.location is not None:
            object.__setattr__(self, "location", without_secrets(self.location))

    def granted(self, grant: Grant) -> "Context":
        """Return the same context for a caller with a grant: records outside the grant are invisible in it.

        Cheap; called for each request. State of a caller (conversations, figures) is kept by `who`, caches by the set
        of namespaces, while the process lives and as far as there is room.
        """
        if grant == self.grant:
            return self
        if self.grant != EVERYTHING:
            raise ValueError("a grant is given only once, to the context of the server; use that")
        own = self.caller_state.of_caller(grant)
        ctx = replace(self, grant=grant, conversations=own.conversations, session=own.session)
        if grant.namespaces is None:
            return ctx
        seen = self.caller_state.of_namespaces(grant.namespaces)
        return replace(
            ctx,
            store=LimitedStore(self.store, grant.namespaces, grant.who),
            metrics=own.metrics.part_of(self.metrics),
            graph_scores=seen.graph_scores,
            entity_texts=seen.entity_texts,
            vectors=seen.vectors,
        )

    def for_call(self, call: Call) -> "Context":
        """Return the same context for this call."""
        return replace(self, call=call)

    def now(self) -> int:
        """The time in microseconds since 1970 UTC."""
        return micros(self.clock())

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a durable transaction; with a request key, once: a retry gets the first answer.

        The result must be JSON. It returns after the commit and waits for nothing else: the worker of this process is
        woken for what follows from it. Raises Conflict for a key that came with another call before, or in a read-only
        server, and Forbidden for a caller that may only read.
        """
        if self.settings.read_only:
            raise Conflict(f"{self.call.tool} writes, and {self.settings.why_read_only}")
        if not self.grant.allows("write"):
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
        result = self.store.write(work)
        self.embedder.follow_up.wake()
        return result

    def earlier_answer(self) -> Any:
        """Return the answer this call got before under its request key; None if there was none. Raises Conflict."""
        request_key = self._request_key()
        if request_key is None:
            return None
        with self.store.read() as tx:
            found = applied.find(tx, request_key)
        if found is not None and found[0] != self.call.digest:
            raise self._key_reused()
        return None if found is None else found[1]

    def _request_key(self) -> str | None:
        """Return the call's key as it is stored: prefixed by the caller's id, so that callers cannot collide."""
        key = self.call.key
        return key if key is None or not self.grant.who else f"{self.grant.who}\n{key}"

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
    hint = {"CLAUDE_PROJECT_DIR": settings.project_hint} if settings.project_hint else {}
    location = locate(settings.project, hint, settings.start, settings.home)
    return context_on(store, settings, location, embedder, clock)


def context_for_tenant(ctx: Context, tenant: int) -> Context:
    """Return a separate context for another tenant of the same database, through the same connections and encoder.

    `ctx` is a server's own, without a grant. Nothing read from a tenant is shared: caches, questions, figures and
    conversations are new. Each context is closed by itself; the last to close releases the connections. Raises
    NotFound where the store is a file, which holds one tenant.
    """
    if ctx.grant != EVERYTHING:
        raise ValueError("a tenant is opened by the server, not by a caller; use the server's own context")
    database = shared(ctx.store)
    if database is None:
        raise NotFound(f"tenant {tenant} is not here: this store is a SQLite file, which holds tenant 1 only")
    settings = replace(ctx.settings, tenant=tenant)
    return context_on(database.for_tenant(tenant), settings, ctx.location, ctx.embedder.lent(), ctx.clock)


def _open_store(settings: Settings, **options: Any) -> Database:
    if not settings.database:
        from indelible.store.sqlite.opening import open_sqlite

        return open_sqlite(settings.data, **options)
    from indelible.store.postgres.database import open_postgres

    prepare(settings.data)
    make = options.pop("make", True) and not settings.read_only
    return open_postgres(settings.database, tenant=settings.tenant, make=make, **options)


def context_on(
    store: Database, settings: Settings, location: Location | None, embedder: Embedder, clock: Callable[[], datetime]
) -> Context:
    """Return a context on an open store, with caches of its own. Raises Conflict if a copy into it was not finished."""
    try:
        with store.read() as tx:
            refuse_unfinished(tx)
    except IndelibleError:
        store.close()
        raise
    return Context(
        store=store,
        settings=settings,
        location=location,
        index=Index(),
        graph_scores=GraphScores(),
        write_behind=WriteBehind(store, enabled=not settings.read_only),
        embedder=embedder,
        clock=clock,
        entity_texts=EntityTexts(),
        vectors=CallerVectors(),
        caller_state=CallerStates(),
    )


def note_project(ctx: Context, tx: Transaction, given: str) -> None:
    """Note the repository that a given namespace lies in, where it begins below what is noted already."""
    if not (ctx.is_local and is_path(given)):
        return
    known = aliases(ctx, tx)
    found = known.repository_to_note(given)
    if found is not None:
        projects.add(tx, found.path, known.canonical(found.path), ctx.now(), found.kind)
