"""The client itself: calls, and what it does while the server is away."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from indelible.client.entries import Refused, size_of
from indelible.client.failures import Failure
from indelible.client.link import Link
from indelible.client.log import Log
from indelible.client.places import target_of
from indelible.client.result import Result
from indelible.client.retries import Policy, Timing
from indelible.client.session import Session, key_of
from indelible.client.spool import MOST_BYTES, MOST_FILES, Spool
from indelible.client.tools import ITEMWISE, READS, RECIPES, WRITES
from indelible.client.transport import Transport
from indelible.client.writes import Writes
from indelible.errors import IndelibleError, InvalidInput, Unavailable
from indelible.filesystem import spool_of
from indelible.hook_settings import data_directory
from indelible.sanitize.redact import redact
from indelible.sanitize.validate import admit, merged

# Imported late (client): indelible.client.http, indelible.client.in_process, indelible.client.stdio,
#   indelible.graph.keys

ENVELOPE = 1_024  # bytes of a request around its arguments
SHARE = 0.1  # of the calls that went well, how many are logged
FIXES = 3  # of an error


class Client:
    """A memory server for a program that goes on while the server is away. Safe to share between threads.

    Make one with `Client.stdio`, `Client.http` or `Client.in_process`, use it as a context manager, or close it.

    A call is tried 3 times in all where it fails for a reason that passes: connection refused, reset or closed, no
    answer within 30 s, 408, 429, 502, 503, 504, a store that is busy, being upgraded or on a full disk. Between two
    attempts it waits a random time up to 250 ms, then up to 500 ms, never more than 4 s, or what Retry-After says.
    A call that the server refuses (wrong arguments, unknown id, conflict, no right) is refused at once. After a failure
    the server is left alone for 1 s, then 2, 4 .. 30 s; then one call asks whether it is back.

    While it is away a read is answered with what the same read was answered before in this task, and raises
    `Unavailable` if there was none; a write is kept in a spool on this disk (10,000 writes, 64 MiB) and done when the
    server is back, in order, before any newer write. Every write has a request key, by which servers answer what they
    did before (7 days) and do not repeat it; after that it is looked for among what is stored. Secrets are taken out
    of the arguments before they are sent or kept.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        spool: str | os.PathLike[str] | None = None,
        policy: Policy | None = None,
        timing: Timing | None = None,
        log: Callable[[str], object] | None = None,
        log_share: float = SHARE,
        most_files: int = MOST_FILES,
        most_bytes: int = MOST_BYTES,
    ):
        self._transport = transport
        self._policy = policy or Policy()
        self._timing = timing or Timing()
        self._log = Log(log, log_share, self._timing)
        home = transport.home
        around = (home, home / "client") if spool is None else ()
        place = spool_of(home, transport.target) if spool is None else Path(spool).absolute()
        self._spool = Spool(place, self._timing.now, most_files, most_bytes, around)
        self._largest = transport.largest
        self._link = Link(transport, self._policy, self._timing, self._log)
        self._writes = Writes(self._link, self._spool, self._policy, self._timing, self._log)
        self._session = Session()
        self._task: ContextVar[Session | None] = ContextVar("indelible_task", default=None)
        self._closed = False

    # --- Ways to a server ---

    @classmethod
    def stdio(
        cls,
        data: str | os.PathLike[str] | None = None,
        *,
        project: str | None = None,
        command: Sequence[str] | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> Self:
        """A client with a server of its own, started with the first call and again whenever it died.

        The server is `indelible serve` on a data directory (default: the platform's), or another `command`. `env` is
        its whole environment, `cwd` where it starts (which names its project); both are ours by default.
        """
        from indelible.client.stdio import Stdio

        home = Path(data_directory(None if data is None else os.fspath(data)))
        start = None if cwd is None else Path(cwd).absolute()
        target = target_of(home, project, start)
        if command is not None:
            target = f"{json.dumps(list(command))}\n{target}"
        named = [] if project is None else ["--project", project]
        own = [sys.executable, "-P", "-m", "indelible", "serve", "--data", str(home), *named]
        return cls(Stdio(own if command is None else command, target, home, env, start), **options)

    @classmethod
    def http(
        cls,
        url: str,
        *,
        token: str | None = None,
        project: str | None = None,
        ca: str | None = None,
        data: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> Self:
        """A client of a server over HTTP, such as `http://memory.example:5050`.

        `project` is a name or path that the server knows the project by, `ca` a file of certificates to trust in place
        of the system's. What waits is kept below the data directory of this machine (default: the platform's), apart
        for each URL, project and token.
        """
        from indelible.client.http import Http

        home = Path(data_directory(None if data is None else os.fspath(data)))
        return cls(Http(url, token, project, ca, home), **options)

    @classmethod
    def in_process(
        cls, data: str | os.PathLike[str] | None = None, *, project: str | None = None, **options: Any
    ) -> Self:
        """A client of the store in a data directory (default: the platform's), opened in this process."""
        from indelible.client.in_process import InProcess

        return cls(InProcess(data, project), **options)

    # --- Calls ---

    def call(self, tool: str, /, *, request_key: str | None = None, **arguments: Any) -> Result:
        """Run a tool. Raises what the server refuses, and Unavailable where there is neither server nor cache nor room.

        A write that is to be done once, even if this program dies and starts again in the middle of it, brings a
        `request_key` of its own that is the same then; else each call is a write of its own.
        """
        clean, redacted = self._asked(tool, arguments)
        if tool in READS | RECIPES:
            result = self._read(tool, clean, key_of(tool, clean))
        else:
            result = self._writes.do(tool, clean, request_key)
        return replace(result, redacted=redacted)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in READS | WRITES:
            raise AttributeError(f"Client has no attribute or tool {name!r}")
        return lambda **arguments: self.call(name, **arguments)

    # --- Recipes of the knowledge graph ---

    def fixes(self, error: str, k: int = FIXES) -> Result:
        """The best `k` fixes of an error or warning, given by its message or key, as `indelible fixes --json` has them.

        They are cached by the error's key, in which versions, hashes and white space do not count; while the server is
        away an error that differs in paths only is answered too.
        """
        from indelible.graph.keys import normalized_key, stem

        clean, redacted = self._asked("fixes", {"error": error, "k": k})
        key = key_of("fixes", {"error": normalized_key(clean["error"]), "k": k})
        result = self._read("fixes", clean, key, f"fixes {k} {stem(clean['error'])}")
        return replace(result, redacted=redacted)

    def breaks(self, command: str, k: int = FIXES) -> Result:
        """The errors and warnings that a command led to, each with its best fix, as `indelible breaks --json`."""
        return self._recipe("breaks", command=command, k=k)

    def fixes_by_dependency(self, dependency: str, k: int = FIXES) -> Result:
        """The best `k` fixes of errors that a dependency caused, given by its name, name@version or key."""
        return self._recipe("fixes_by_dependency", dependency=dependency, k=k)

    def fix_evidence(self, fix: str) -> Result:
        """A fix by its key, with what it resolves, its outcomes and documents. Raises NotFound."""
        return self._recipe("fix_evidence", fix=fix)

    def _recipe(self, name: str, **arguments: Any) -> Result:
        clean, redacted = self._asked(name, arguments)
        return replace(self._read(name, clean, key_of(name, clean)), redacted=redacted)

    def _asked(self, tool: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The arguments of a call as they may leave this process. Raises InvalidInput, where it is closed too."""
        if self._closed:
            raise InvalidInput("the client is closed; create a new one")
        return self._admitted(tool, arguments)

    def _admitted(self, tool: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The arguments as they may leave this process, and what was redacted in them. Raises InvalidInput."""
        clean, found = {}, []
        for name, value in arguments.items():
            # Of these a server reports the bad ones and takes the others.
            clean[name], findings = redact(value, name) if ITEMWISE.get(tool) == name else admit(value, name)
            found.extend(findings)
        size = size_of(clean)
        if self._largest is not None and size + ENVELOPE > self._largest:
            raise InvalidInput(
                f"the arguments of {tool} have {size:,} bytes, and a server accepts {self._largest:,} at once; "
                "send them in parts"
            )
        return clean, merged(found)

    @contextmanager
    def task(self, name: str = "") -> Iterator[Self]:
        """A task: what is read in it is cached for it alone, and forgotten when it ends.

        It holds for the code of this thread (and of what copies its context, such as `asyncio.to_thread`). Outside of
        tasks the cache lasts as long as the client.
        """
        session = Session(name)
        before = self._task.set(session)
        try:
            yield self
        finally:
            self._task.reset(before)
            session.end()

    # --- What is going on ---

    @property
    def degraded(self) -> bool:
        """Whether the server was away when it was asked last, or writes wait for it."""
        return bool(self.why)

    @property
    def why(self) -> str:
        """Why the client is degraded; "" where it is not."""
        return self._writes.why

    @property
    def waiting(self) -> int:
        """How many writes wait in the spool, those of other processes included."""
        return self._spool.count()

    @property
    def spool(self) -> Path:
        """The directory in which writes wait."""
        return self._spool.directory

    def flush(self) -> int:
        """Replay what waits, however long that takes; how many writes wait still, because the server is away."""
        if self._link.is_up():
            self._writes.catch_up(patient=True)
        return self.waiting

    def refused(self) -> list[Refused]:
        """The writes that the server refused for good when they were replayed, the oldest first."""
        return self._spool.refused()

    def again(self, id: str) -> Result:
        """Do a refused write again, with its request key, as the newest. Raises NotFound, and what refuses it."""
        return self._writes.again(id)

    def forget(self, id: str) -> None:
        """Drop a refused write. Raises NotFound."""
        self._spool.forget(id)

    def close(self) -> None:
        """Replay what waits, if the server is there, for `policy.catch_up` seconds at most; then let it go."""
        if self._closed:
            return
        self._closed = True
        try:
            if not self._link.why:
                self._writes.catch_up()
        except IndelibleError as error:
            self._log.warning("closed_while_writes_wait", "", code=error.code)
        finally:
            self._session.end()
            self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- Reading ---

    def _read(self, tool: str, arguments: dict[str, Any], key: str, stem: str = "") -> Result:
        """Ask the server, after the writes that wait; else the cache."""
        began = self._timing.monotonic()
        if self._link.is_up():
            self._writes.catch_up()
        if self._link.why:
            return self._from_cache(tool, key, stem, began)
        try:
            value, retries = self._link.send(tool, arguments, None, key)
        except Failure:
            return self._from_cache(tool, key, stem, began)
        (self._task.get() or self._session).keep(key, value, stem)
        self._log.info("read", key, self._timing.monotonic() - began, retries, tool=tool)
        why = "" if self._spool.is_empty() else self.why
        return Result(value, degraded=bool(why), why=why, retries=retries)

    def _from_cache(self, tool: str, key: str, stem: str, began: float) -> Result:
        found = (self._task.get() or self._session).find(key, stem)
        took = self._timing.monotonic() - began
        self._log.warning("read_degraded", key, took, tool=tool, cached=found is not None)
        if found is None:
            raise Unavailable(f"{tool} cannot be answered: {self.why}; this was not read in this task before")
        value, exact = found
        source = "the session's cache" if exact else "the session's cache, of an error like it"
        return Result(value, degraded=True, why=f"from {source}: {self.why}")
