"""What every engine function works with: the store, the caches beside it, the clock, the project, the call."""

import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from indelible.engine.aliases import Aliases, aliases, namespaces_to_read, notes_of, own_namespace, project_of, within
from indelible.engine.behind import Behind
from indelible.engine.conversations import Conversations
from indelible.engine.embedder import Embedder, open_embedder
from indelible.engine.entity_texts import EntityTexts
from indelible.engine.grants import EVERYTHING, Grant
from indelible.engine.graph_scores import GraphScores
from indelible.engine.index import Index
from indelible.engine.metrics import Metrics
from indelible.engine.project import Location, is_path, locate
from indelible.engine.repository import Repository
from indelible.engine.shares import Shares
from indelible.engine.vector_space import VectorSpace
from indelible.errors import Cancelled, Conflict, Forbidden, IndelibleError, InvalidInput, NotFound
from indelible.redact import Finding
from indelible.settings import Settings
from indelible.store import applied, copying, projects
from indelible.store.database import Database, Transaction
from indelible.store.limited import LimitedStore, outside

__all__ = [  # and what tells of projects, which most of the engine asks for beside its context
    "EPOCH",
    "NOBODY",
    "Aliases",
    "Call",
    "Caller",
    "Context",
    "TakingIn",
    "aliases",
    "context_for_tenant",
    "context_on",
    "micros",
    "moment_of",
    "namespace_to_write",
    "namespaces_to_read",
    "open_context",
    "own_namespace",
    "space_to_read",
    "space_to_write",
    "utc_now",
]

T = TypeVar("T")

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def utc_now() -> datetime:
    """The time, with its zone."""
    return datetime.now(UTC)


def micros(moment: datetime) -> int:
    """Microseconds since 1970 UTC."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def moment_of(time: int) -> datetime:
    """The inverse of `micros`. (`fromtimestamp` knows no time before 1970 on Windows.)"""
    return EPOCH + timedelta(microseconds=time)


def _unheard(done: int, total: int | None, message: str) -> None:
    """Nobody asked how far the call is."""


def _waiting() -> bool:
    """Nobody takes the call back."""
    return False


@dataclass(frozen=True, slots=True)
class Caller:
    """Who waits for a call. Both functions are asked in the thread that runs the call, and return at once.

    `progress` hears how many of how many steps are done (None: unknown); `gone` says that nobody waits any more.
    """

    progress: Callable[[int, int | None, str], None] = _unheard
    gone: Callable[[], bool] = _waiting


NOBODY = Caller()  # asks for no progress and never cancels


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool: `operation` groups what it puts into the trash, `key` makes a retry harmless.

    What a `bulk` operation does to many records is independent: it is undone in short transactions, and so is its undo.
    A call that `reverses` is the undo of another: what it puts into the trash is no change of its own.
    """

    tool: str = "engine"
    operation: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    conversation: str = ""
    key: str | None = None
    digest: str = ""
    touched: list[str] = field(default_factory=list)
    redacted: list[Finding] = field(default_factory=list)
    caller: Caller = NOBODY
    bulk: bool = False
    reverses: bool = False

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for the answer any more."""
        return self.caller.gone()

    def progress(self, done: int, total: int | None, message: str) -> None:
        """Tell the caller how far a long call is. Cheap: call it after every step, with `done` growing."""
        self.caller.progress(done, total, message)

    def stop_if_cancelled(self) -> None:
        """Raise Cancelled where nobody waits any more; for the gap between two transactions, never inside one."""
        if self.cancelled:
            raise Cancelled(f"{self.tool} was cancelled; what it committed before is kept")

    def in_conversation(self, conversation: str) -> "Call":
        """The same call, as part of a conversation."""
        return replace(self, conversation=conversation)

    def with_digest(self, digest: str) -> "Call":
        """The same call, with a digest of its arguments: a request key stands for these and no others."""
        return replace(self, digest=digest)


class TakingIn:
    """Whether files of other memory servers are still being taken in: until then an answer would be a part of it."""

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
        """Wait for the end. Raises Cancelled where nobody waits for the call any more."""
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
    behind: Behind
    embedder: Embedder
    clock: Callable[[], datetime] = utc_now
    tenant: int = 1
    session: str = field(default_factory=lambda: f"session_{uuid.uuid4().hex[:12]}")
    call: Call = field(default_factory=Call)
    process: str = field(default_factory=lambda: uuid.uuid4().hex)
    metrics: Metrics = field(default_factory=Metrics)
    entity_texts: EntityTexts = field(default_factory=EntityTexts)
    repository: Repository = field(default_factory=Repository)
    vectors: VectorSpace = field(default_factory=VectorSpace)
    conversations: Conversations = field(default_factory=Conversations)
    grant: Grant = EVERYTHING
    shares: Shares = field(default_factory=Shares)
    own_machine: bool = True
    taking_in: TakingIn = field(default_factory=TakingIn)
    is_local: bool = True

    def granted(self, grant: Grant) -> "Context":
        """The same context for a caller with a grant: in it what lies beyond the grant is not there.

        Cheap; for each request. What callers keep apart (conversations, figures, caches of what they see) is kept for
        each `who` and each set of namespaces while the process lives, as far as there is room.
        """
        if grant == self.grant:
            return self
        if self.grant != EVERYTHING:
            raise ValueError("a grant is given once, to the context of the server; use that")
        own = self.shares.of_caller(grant)
        ctx = replace(self, grant=grant, conversations=own.conversations, session=own.session)
        if grant.namespaces is None:
            return ctx
        seen = self.shares.of_namespaces(grant.namespaces)
        return replace(
            ctx,
            store=LimitedStore(self.store, grant.namespaces, grant.who),
            metrics=own.metrics.part_of(self.metrics),
            graph_scores=seen.graph_scores,
            entity_texts=seen.entity_texts,
            vectors=seen.vectors,
        )

    def for_call(self, call: Call) -> "Context":
        """The same context, doing this call."""
        return replace(self, call=call)

    def now(self) -> int:
        """The time in microseconds since 1970 UTC."""
        return micros(self.clock())

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a durable transaction; with a request key, once: a retry gets the first answer.

        The result must be JSON. Raises Conflict for a key that came with another call before, or in a read-only server,
        and Forbidden for a caller that may only read.
        """
        if self.settings.read_only:
            raise Conflict(f"{self.call.tool} writes, and {self.settings.why_read_only}")
        if not self.grant.allows("write"):
            raise Forbidden(f"{self.call.tool} writes, and this token may only read; it needs one of scope write")
        request_key = self._request_key()
        if request_key is None:
            return self.store.write(work)

        def once(tx: Transaction) -> T:
            found = applied.find(tx, self.tenant, request_key)
            if found is None:
                result = work(tx)
                applied.add(tx, self.tenant, request_key, self.call.digest, result, self.now())
                return result
            if found[0] != self.call.digest:
                raise self._key_reused()
            answer: T = found[1]
            return answer

        return self.store.write(once)

    def earlier_answer(self) -> Any:
        """What this call was answered before under its request key; None where it was not. Raises Conflict."""
        request_key = self._request_key()
        if request_key is None:
            return None
        with self.store.read() as tx:
            found = applied.find(tx, self.tenant, request_key)
        if found is not None and found[0] != self.call.digest:
            raise self._key_reused()
        return None if found is None else found[1]

    def _request_key(self) -> str | None:
        """The key of the call as it is kept: callers with tokens know only their own."""
        key = self.call.key
        return key if key is None or not self.grant.who else f"{self.grant.who}\n{key}"

    def _key_reused(self) -> Conflict:
        return Conflict(
            f"request key {self.call.key!r} was used for another call within the last "
            f"{self.settings.applied_days} days; use a new key for a new call"
        )

    def close(self) -> None:
        """Write what waits behind, then close the store."""
        try:
            self.behind.close()
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
    """A context of its own for another tenant of the same database, through the same connections and encoder.

    `ctx` is a server's own, without a grant. Nothing is shared that was read of a tenant: caches, questions, figures,
    conversations are new. Each is closed by itself; the last to close lets go of the connections. Raises NotFound where
    the store is a file, which holds one tenant.
    """
    if ctx.grant != EVERYTHING:
        raise ValueError("a tenant is opened by the server, not by a caller; use the server's own context")
    from indelible.store.postgres import PostgresDatabase

    if not isinstance(ctx.store, PostgresDatabase):
        raise NotFound(f"tenant {tenant} is not here: this store is a SQLite file, which holds tenant 1 only")
    settings = replace(ctx.settings, tenant=tenant)
    return context_on(ctx.store.for_tenant(tenant), settings, ctx.location, ctx.embedder.lent(), ctx.clock)


def _open_store(settings: Settings, **options: Any) -> Database:
    if not settings.database:
        from indelible.store.sqlite import open_sqlite

        return open_sqlite(settings.data, **options)
    from indelible.store.places import prepare
    from indelible.store.postgres import open_postgres

    prepare(settings.data)
    make = options.pop("make", True) and not settings.read_only
    return open_postgres(settings.database, tenant=settings.tenant, make=make, **options)


def context_on(
    store: Database, settings: Settings, location: Location | None, embedder: Embedder, clock: Callable[[], datetime]
) -> Context:
    """A context on a store that is open, with caches of its own. Raises Conflict where only a part of it is there."""
    tenant = settings.tenant
    try:
        copying.refuse_unfinished(store, tenant)
    except IndelibleError:
        store.close()
        raise
    return Context(
        store=store,
        settings=settings,
        location=location,
        index=Index(tenant),
        graph_scores=GraphScores(tenant),
        behind=Behind(store, enabled=not settings.read_only, tenant=tenant),
        embedder=embedder,
        clock=clock,
        tenant=tenant,
        entity_texts=EntityTexts(tenant),
        vectors=VectorSpace(tenant),
        shares=Shares(tenant),
    )


def space_to_write(ctx: Context, tx: Transaction) -> str:
    """Where entities and vectors go, which belong to no project: one space a store, '' as a namespace.

    Who is limited to namespaces has these as spaces: nobody who holds in others can reach what is in there. Raises
    InvalidInput where several are meant alike.
    """
    return namespace_to_write(ctx, tx, None) if ctx.grant.limited else ""


def space_to_read(ctx: Context, tx: Transaction) -> str:
    """The space whose entities and vectors come first where others have the same name."""
    return own_namespace(ctx, tx) if ctx.grant.limited else ""


def namespace_to_write(ctx: Context, tx: Transaction, given: str | None) -> str:
    """Where a write goes: the namespace as given, else the server's project, whose aliases are kept from now on.

    Two projects that the server's location shows to be one are joined under the namespace known first; records that are
    stored keep theirs. What a client over the network names is looked up, and made no alias: by that a path would
    become the project of everything below it. Who is limited to namespaces writes there only, and without a project of
    them to the only one; what projects there are is not changed by such a caller. Raises Forbidden.
    """
    if given is not None and not given:
        raise InvalidInput("namespace must not be empty; leave it out to use the server's project")
    if ctx.grant.namespaces is not None:
        return _granted_to_write(ctx, tx, given, ctx.grant.namespaces)
    if given is not None:
        _note_named(ctx, tx, given)
        return given
    if ctx.location is None:
        return ""
    own = project_of(ctx, tx)
    if not ctx.location.here:
        return own.namespace
    if own.joined is not None:
        projects.join(tx, ctx.tenant, own.joined, own.namespace)
    for alias, noted in notes_of(ctx.location, own.namespace, own.known).items():
        if alias not in own.stored:
            projects.add(tx, ctx.tenant, alias, noted.namespace, ctx.now(), noted.kind)
        elif noted != own.stored[alias]:
            projects.change(tx, ctx.tenant, alias, *noted)
    return own.namespace


def _note_named(ctx: Context, tx: Transaction, given: str) -> None:
    """Note the repository that a given namespace lies in, where it begins below what is noted already."""
    if not (ctx.is_local and is_path(given)):
        return
    known = aliases(ctx, tx)
    found = known.repository_to_note(given)
    if found is not None:
        projects.add(tx, ctx.tenant, found.path, known.canonical(found.path), ctx.now(), found.kind)


def _granted_to_write(ctx: Context, tx: Transaction, given: str | None, granted: frozenset[str]) -> str:
    """The namespace as given, or the project's, by its own name or another of that project. Raises Forbidden."""
    found = own_namespace(ctx, tx) if given is None else within(ctx, tx, given, granted)
    if found:
        return found
    if given is not None:
        raise outside(given, granted)
    names = ", ".join(repr(name)[:200] for name in sorted(granted)) or "none"
    raise InvalidInput(f"no namespace is given, and this token holds in several: give one of {names}")
