"""The client of the encoder process: `SharedEncoder` connects to it, starts it, and works without it."""

import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from indelible.dataclass import dataclass
from indelible.embed import channel, frames
from indelible.embed.base import LANGUAGES, MODEL, Chosen, Embedding, model_of
from indelible.embed.channel import Channel, Place
from indelible.errors import IndelibleError
from indelible.settings import child_environment

if TYPE_CHECKING:
    import subprocess

# Imported late (start, cli): subprocess

_ASLEEP = "not running; it starts when it is needed"
_EARLIER = (
    "the encoder process that runs is of an earlier version and knows only the built-in models; it ends when nobody "
    "has asked it for 10 minutes: close the servers of that version"
)
_START_PATIENCE = 60.0  # seconds until a process that accepts no client counts as failed
_FASTER_PATIENCE = 2.0
_LOAD_PATIENCE = 300.0  # seconds for the models, on a slow disk
_LONGEST_BACKOFF = 60.0  # seconds
_PROBE_PATIENCE = 0.3  # seconds
_READ_PATIENCE = 0.01  # seconds to read an answer that came while its caller did something else
_KEPT = 4  # connections of a kind that wait for the next request


class SharedEncoder:
    """Embeddings from the one encoder process of this user, which ends after `idle` seconds without a request.

    Only `wake` starts the process. Queries and texts have connections of their own, and so has each of several threads.
    No failure of the encoder raises: the answer is None, and `state` says why.
    """

    def __init__(self, idle: float = 600, chosen: Chosen | None = None) -> None:
        """Ask the process for the built-in models, or for an installed one, `chosen`."""
        self._idle = idle
        self._chosen = chosen
        self._guard = threading.Lock()  # over all below
        self._free: dict[str, list[Channel]] = {"query": [], "texts": []}
        self._condition = _ASLEEP
        self._failures = 0  # starts and deaths since the last embedding that came
        self._rest_until = 0.0
        self._following = False
        self._place: Place | None = None

    @property
    def model(self) -> str:
        """The built-in models of this version of Indelible or the chosen one; known without a process."""
        return MODEL if self._chosen is None else model_of(self._chosen)

    @property
    def languages(self) -> frozenset[str]:
        """See `Encoder`: those of the built-in models, or of the chosen one."""
        return LANGUAGES if self._chosen is None else self._chosen.languages

    @property
    def state(self) -> str:
        """Return `ready`, `loading`, or why there are no embeddings, without asking the process."""
        with self._guard:
            free = [each for kind in self._free.values() for each in kind]
            if self._condition == "ready" and free and all(each.closed() for each in free):
                self._condition = _ASLEEP
            return self._condition

    def probe(self) -> str:
        """Return `state` after asking: a process started by another client may be ready."""
        state = self.state
        with self._guard:
            known = state == "ready" or self._following
        peer = None if known else self._connect()
        if peer is None:
            return state
        try:
            until = time.monotonic() + _PROBE_PATIENCE
            peer.send(self._request("status", (), 0.0), until)
            header, _ = frames.unpack(peer.receive(until))
        except TimeoutError:
            peer.close()
            return f"the encoder runs, but did not answer within {_PROBE_PATIENCE:g} s"
        except (OSError, frames.Malformed):  # it is just ending
            peer.close()
            return state
        self._give("query", peer, header, False)
        return self.state

    def wake(self) -> None:
        """Connect, or start the process; a matter of milliseconds, what follows is done in the background.

        After starts that failed it does nothing for 1, 2, 4 .. 60 seconds.
        """
        with self._guard:
            if self._following or (self._condition == "ready" and self._has_open()):
                return
            if time.monotonic() < self._rest_until:
                return
            self._following = True
            self._condition = "loading"
        try:
            reached = self._connect()
            process = None if reached else self._start()
            threading.Thread(target=self._follow, args=(reached, process), name="encoder", daemon=True).start()
        except (OSError, RuntimeError) as error:  # RuntimeError: no thread, the interpreter ends
            self._failed(str(error))

    def query(self, text: str, timeout: float) -> Embedding | None:
        """As Encoder says. None at once where the encoder is not ready."""
        pending = self.begin(text, timeout)
        return pending.result() if pending else None

    def begin(self, text: str, timeout: float) -> "_Sent | None":
        """As Encoder says: the process encodes while the caller does something else."""
        return self._send("query", (text,), time.monotonic() + frames.bounded(timeout))

    def texts(self, texts: Sequence[str], timeout: float) -> list[Embedding] | None:
        """As Encoder says. None at once where the encoder is not ready; all texts come or none."""
        until = time.monotonic() + frames.bounded(timeout)
        found: list[Embedding] = []
        for part in frames.portions(texts):
            sent = self._send("texts", part, until)
            embeddings = sent.embeddings() if sent else None
            if embeddings is None:
                return None
            found += embeddings
        return found

    def close(self) -> None:
        """Close the connections. The process stays for others, until it is idle."""
        with self._guard:
            for kind in self._free.values():
                while kind:
                    kind.pop().close()

    # --- Requests ---

    def _send(self, op: str, texts: tuple[str, ...], until: float) -> "_Sent | None":
        """Send a request; None where it could not be sent."""
        peer = self._take(op)
        if peer is None:
            return None
        left = frames.bounded(until - time.monotonic())
        with self._giving_up(peer):
            peer.send(self._request(op, texts, left), until)
            return _Sent(self, peer, op, len(texts), until)
        return None

    def receive(self, peer: Channel, kind: str, count: int, until: float) -> list[Embedding] | None:
        """Wait for the answer to a request of `count` texts, and keep its connection for the next one."""
        with self._giving_up(peer):
            header, body = frames.unpack(peer.receive(until))
            is_answer = "windows" in header and self._is_of_our_model(header)
            embeddings = frames.unpack_embeddings(header, body, count) if is_answer else None
            self._give(kind, peer, header, embeddings is not None)
            return embeddings
        return None

    def scores(self, query: str, texts: Sequence[str], timeout: float) -> list[float] | None:
        """Return how well each of the first texts answers a query by the chosen cross-encoder, higher for better.

        As many as there was time for, in order; None where none have come in time, as with `query`.
        """
        until = time.monotonic() + frames.bounded(timeout)
        peer = self._take("query")
        if peer is None:
            return None
        with self._giving_up(peer):
            peer.send(self._request("scores", (query, *texts), frames.bounded(timeout)), until)
            header, body = frames.unpack(peer.receive(until + _READ_PATIENCE))
            found = frames.unpack_scores(header, body, len(texts)) if "scores" in header else None
            self._give("query", peer, header, found is not None)
            return found
        return None

    def _request(self, op: str, texts: tuple[str, ...], timeout: float) -> bytes:
        return frames.pack_request(frames.Request(op, texts, timeout, self._chosen))

    def _is_of_our_model(self, header: dict[str, Any]) -> bool:
        return self._chosen is None or header.get("model") == self._chosen.identity

    @contextmanager
    def _giving_up(self, peer: Channel) -> Iterator[None]:
        """Close a connection that fails instead of raising, and note it where it was not for lack of time."""
        try:
            yield
        except TimeoutError:
            peer.close()  # the answer may still come, when it is no longer wanted
        except (OSError, frames.Malformed) as error:
            peer.close()
            self._lost(str(error))

    def _take(self, kind: str) -> Channel | None:
        """A connection for one request; None where no process can be reached."""
        with self._guard:
            free = self._free[kind]
            while free:
                peer = free.pop()
                if not peer.closed():
                    return peer
                peer.close()
        reached = self._connect()
        if reached is None:
            with self._guard:
                if self._condition == "ready":
                    self._condition = _ASLEEP
        return reached

    def _give(self, op: str, peer: Channel, header: dict[str, Any], answered: bool) -> None:
        """Keep a connection for the next request, and the reported state of the process."""
        with self._guard:
            self._condition = str(header.get("state")) if self._is_of_our_model(header) else _EARLIER
            if answered:
                self._failures = 0
            if len(self._free[op]) < _KEPT:
                self._free[op].append(peer)
                return
        peer.close()

    def _lost(self, why: str) -> None:
        """Note that the process died or speaks another protocol: a new one may start at once, later after a rest."""
        with self._guard:
            if self._condition == "ready" and not self._following:
                self._rest(0.0 if not self._failures else 2.0 ** (self._failures - 1))
                self._condition = f"the encoder has gone away ({why}); it starts anew when it is needed"

    def _has_open(self) -> bool:
        return any(not peer.closed() for kind in self._free.values() for peer in kind)

    # --- The process ---

    def _connect(self) -> Channel | None:
        """A new connection; None where no process can be reached."""
        try:
            if self._place is None:
                self._place = channel.find_place(MODEL)
            return channel.connect(self._place)
        except (OSError, IndelibleError):  # wake starts a process in this case and reports the result
            return None

    def _start(self) -> "subprocess.Popen[bytes]":
        """Start the process without anything inherited: no streams, no session, no directory. OSError."""
        import subprocess

        if not sys.executable:
            raise OSError("the path of the Python interpreter is unknown")
        detached: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            detached = {"creationflags": subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP}
        process = subprocess.Popen(
            # -P: a module in the root directory must not hide one of ours
            [sys.executable, "-P", "-m", "indelible", "encoder", "--idle", str(self._idle)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=os.path.abspath(os.sep),
            # each thread of numpy's BLAS, which is not used, and each arena would take memory of its own
            env=child_environment(OPENBLAS_NUM_THREADS="1", MALLOC_ARENA_MAX="1"),
            close_fds=True,
            **detached,
        )
        threading.Thread(target=process.wait, name="encoder-end", daemon=True).start()  # or it stays as a zombie
        return process

    def _follow(self, reached: Channel | None, process: "subprocess.Popen[bytes] | None") -> None:
        """Wait in the background until the process is ready; keep the connection for the first query."""
        try:
            peer, header = self._greeted(reached) or self._reach(process or self._start())
        except OSError as error:
            self._failed(str(error))
            return
        self._give("query", peer, header, False)
        with self._guard:
            self._following = False
            if self._condition not in ("ready", "loading"):
                self._rest(2.0**self._failures)  # a model that cannot be loaded is not read through again at once

    def _greeted(self, peer: Channel | None) -> tuple[Channel, dict[str, Any]] | None:
        """Return a connection and the state of the process once its models are loaded; None where it breaks before."""
        if peer is None:
            return None
        try:
            until = time.monotonic() + _LOAD_PATIENCE
            peer.send(self._request("status", (), _LOAD_PATIENCE), until)
            return peer, frames.unpack(peer.receive(until))[0]
        except (OSError, frames.Malformed):  # for a moment a dying process still takes connections
            peer.close()
            return None

    def _reach(self, process: "subprocess.Popen[bytes]") -> tuple[Channel, dict[str, Any]]:
        """Wait until the process that we started, or a faster one, is ready. OSError where none becomes it."""
        until = time.monotonic() + _START_PATIENCE
        pause = 0.01
        code = None
        while time.monotonic() < until:
            if code is None:
                code = process.poll()
                if code == 0:  # another was faster and may not have come as far as its socket
                    until = min(until, time.monotonic() + _FASTER_PATIENCE)
            greeted = self._greeted(self._connect())
            if greeted is not None:
                return greeted
            if code:
                raise ConnectionError(f"the process ended with exit code {code}")
            time.sleep(pause)
            pause = min(pause * 1.5, 0.25)
        raise TimeoutError("no encoder process accepts the connection")

    def _failed(self, why: str) -> None:
        """Note a failed start: rest, and say how to see what is wrong."""
        with self._guard:
            rest = self._rest(2.0**self._failures)
            self._following = False
            self._condition = (
                f"the encoder did not start: {why}; it is tried again after {rest:.0f} s; "
                "run `indelible encoder` to see what is wrong"
            )

    def _rest(self, seconds: float) -> float:
        """Start nothing for a while; how many seconds. The guard is held."""
        rest = min(seconds, _LONGEST_BACKOFF)
        self._failures = min(self._failures + 1, 10)
        self._rest_until = time.monotonic() + rest
        return rest


@dataclass(frozen=True, slots=True)
class _Sent:
    """A `Pending`: a request that was sent, over a connection that nobody else uses until its answer is there."""

    encoder: SharedEncoder
    peer: Channel
    kind: str
    count: int
    until: float

    def ready(self, seconds: float) -> bool:
        """Whether there is an answer, or none can come; waits `seconds` at most."""
        return self.peer.ready(min(self.until, time.monotonic() + seconds))

    def result(self) -> Embedding | None:
        """Return the embedding of the one text, as Pending says."""
        found = self.embeddings()
        return found[0] if found else None

    def embeddings(self) -> list[Embedding] | None:
        """Wait for the answer, until the time is over; one that has come is read even then."""
        until = max(self.until, time.monotonic() + _READ_PATIENCE)
        return self.encoder.receive(self.peer, self.kind, self.count, until)
