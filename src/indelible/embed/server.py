"""The shared encoder: one process a user that holds the models for all servers and command lines.

It has no store, so its death loses nothing. A request may name a model of the user's choice (see `chosen`), which is
loaded for it; one that cannot be loaded is an answer to that request and nothing to others. Each connection has a
thread; queries are encoded at once, beside texts, which are encoded one request at a time, in small slices, at a low
priority.
"""

import logging
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from indelible.embed import channel, frames
from indelible.embed.base import Chosen, Embedding
from indelible.embed.channel import Channel, Listener
from indelible.embed.chosen import ChosenModels, Cross, Dense
from indelible.embed.local import LocalEncoder
from indelible.errors import IndelibleError, InvalidInput
from indelible.filesystem import FileLock

_CONNECTIONS = 200  # at once; servers and command lines of one user, a few each
_SLICE_TEXTS = 8  # between two slices a closed connection is noticed
_SLICE_CHARACTERS = 4000
_LAST_WORDS = 30.0  # seconds that a running request and a slow client get at the end
_NICENESS = 10

_log = logging.getLogger("indelible.encoder")


def run(idle: float) -> bool:
    """Serve until nobody has asked for `idle` seconds or SIGTERM comes; False at once where an encoder runs already.

    For the main thread of a process. A running request is finished first. Raises InvalidInput for an `idle` that is no
    time, and IndelibleError where there is no private place for the socket or the models cannot be loaded.
    """
    if not 0 < idle < threading.TIMEOUT_MAX:
        raise InvalidInput(f"--idle must be a number of seconds above 0, got {idle}")
    encoder = LocalEncoder()
    place = channel.find_place(encoder.model)
    lock = FileLock(place.lock)
    if not lock.try_acquire():
        return False
    try:
        listener = channel.open_listener(place)
        _log.info("listening", extra={"socket": str(place.path), "model": encoder.model, "pid": os.getpid()})
        _Serving(encoder, listener, idle).serve()
    except OSError as error:
        raise IndelibleError(f"{place.path} cannot be used: {error.strerror or error}") from error
    finally:
        lock.release()
    return True


class _Serving:
    """The state of the process: running requests, the last one, and the events that make it end."""

    def __init__(self, encoder: LocalEncoder, listener: Listener, idle: float) -> None:
        self._encoder = encoder
        self._chosen = ChosenModels(encoder, idle)
        self._listener = listener
        self._idle = idle
        self._events: queue.SimpleQueue[str] = queue.SimpleQueue()  # a signal handler may put, whatever it interrupts
        self._change = threading.Condition()  # guards the four below
        self._running = 0
        self._connections = 0
        self._last = time.monotonic()
        self._leaving = False
        self._loaded = threading.Event()
        self._failure: IndelibleError | None = None
        self._one_by_one = threading.Lock()  # held by the request for texts that is encoded

    def serve(self) -> None:
        """Load, accept clients, wait for a reason to end, and end."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._events.put("signal"))
        for job in (self._load, self._let_in):
            threading.Thread(target=job, name=job.__name__, daemon=True).start()
        reason = self._wait()
        self._listener.close()
        with self._change:
            self._leaving = True
            self._change.wait_for(lambda: self._running == 0, _LAST_WORDS)
        _log.info("leaving", extra={"reason": reason})
        if reason == "failure":
            raise self._failure or IndelibleError("the models cannot be loaded; the reason is above")

    def _wait(self) -> str:
        """Sleep until there is a reason to end."""
        while True:
            with self._change:
                left = self._last + self._idle - time.monotonic()
                if self._running:
                    left = self._idle  # whatever runs counts as asked for when it ends
            if left <= 0:
                return "idle"
            try:
                return self._events.get(timeout=min(left, self._chosen.let_go()))
            except queue.Empty:
                continue

    @contextmanager
    def _request(self) -> Iterator[None]:
        """Count a request that keeps the process running. ConnectionAbortedError where it is ending already."""
        with self._change:
            if self._leaving:
                raise ConnectionAbortedError("the encoder leaves")
            self._running += 1
        try:
            yield
        finally:
            with self._change:
                self._running -= 1
                self._last = time.monotonic()
                self._change.notify_all()

    def _load(self) -> None:
        started = time.monotonic()
        try:
            with self._request():
                self._encoder.load()
            self._loaded.set()
            _log.info("ready", extra={"durationMs": round((time.monotonic() - started) * 1000)})
        except IndelibleError as error:
            self._failure = error
        finally:
            if not self._loaded.is_set():
                self._events.put("failure")

    def _let_in(self) -> None:
        try:
            while True:
                self._greet(self._listener.accept())
        except OSError as error:
            if not self._leaving:
                _log.error("no more clients can come", extra={"reason": str(error)})
            self._events.put("closed")

    def _greet(self, client: Channel) -> None:
        with self._change:
            full = self._connections >= _CONNECTIONS
            self._connections += not full
        if full:
            client.close()
        else:
            threading.Thread(target=self._converse, args=(client,), daemon=True).start()

    def _converse(self, client: Channel) -> None:
        """Answer one client until it closes the connection or sends an invalid frame."""
        try:
            while True:
                frame = client.receive(None)
                with self._request():
                    answer = self._answer(client, frames.unpack_request(frame))
                    client.send(answer, time.monotonic() + _LAST_WORDS)
        except frames.Malformed as error:
            _log.warning("refused a frame", extra={"reason": str(error)})
        except OSError as error:
            _log.debug("a client has gone", extra={"reason": str(error)})
        finally:
            client.close()
            with self._change:
                self._connections -= 1

    def _answer(self, client: Channel, request: frames.Request) -> bytes:
        if request.chosen is not None:
            return self._answer_of_chosen(client, request, request.chosen)
        if request.op == "status":
            self._loaded.wait(request.timeout)
            return frames.pack({"state": self._state(), "model": self._encoder.model, "pid": os.getpid()})
        embeddings = self._embeddings(client, request, self._encoder) if self._loaded.is_set() else None
        return frames.pack({"state": self._state()}) if embeddings is None else frames.pack_embeddings(embeddings)

    def _answer_of_chosen(self, client: Channel, request: frames.Request, chosen: Chosen) -> bytes:
        """Answer by a model of the user's choice, which is loaded in the background where it is not yet."""
        until = time.monotonic() + request.timeout
        try:
            model = self._chosen.of_kind(chosen) if request.op == "status" else self._asked(request.op, chosen)
        except IndelibleError as problem:
            return frames.pack({"state": str(problem), "model": chosen.identity})
        if request.op == "status":
            self._loaded.wait(request.timeout)
            model.wake()
            model.wait(until - time.monotonic())
        elif model.state != "ready":
            model.wake()
        elif isinstance(model, Cross):
            scores = model.scores(request.texts[0], request.texts[1:], until)
            if scores is not None:
                return frames.pack_scores(scores, chosen.identity)
        else:
            embeddings = self._embeddings(client, request, model)
            if embeddings is not None:
                return frames.pack_embeddings(embeddings, chosen.identity)
        return frames.pack({"state": model.state, "model": chosen.identity, "pid": os.getpid()})

    def _asked(self, op: str, chosen: Chosen) -> Dense | Cross:
        return self._chosen.cross(chosen) if op == "scores" else self._chosen.dense(chosen)

    def _embeddings(self, client: Channel, request: frames.Request, encoder: LocalEncoder) -> list[Embedding] | None:
        if request.op == "query":
            found = encoder.query(request.texts[0], request.timeout)
            return None if found is None else [found]
        return self._encode(client, request.texts, time.monotonic() + request.timeout, encoder)

    def _state(self) -> str:
        return self._encoder.state if self._loaded.is_set() else "loading"

    def _encode(
        self, client: Channel, texts: Sequence[str], until: float, encoder: LocalEncoder
    ) -> list[Embedding] | None:
        """Encode texts slice by slice; None where the time is over, ConnectionResetError if the client has closed."""
        _lower_priority()
        if frames.is_urgent(texts):
            return encoder.texts(texts, max(0.0, until - time.monotonic()))
        if not self._one_by_one.acquire(timeout=max(0.0, until - time.monotonic())):
            return None
        try:
            found: list[Embedding] = []
            for part in _slices(texts):
                if client.closed():
                    raise ConnectionResetError("the client gave up")
                left = until - time.monotonic()
                encoded = encoder.texts(part, left) if left > 0 else None
                if encoded is None:
                    return None
                found += encoded
            return found
        finally:
            self._one_by_one.release()


def _slices(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Texts in their order, a few at a time; a long one alone."""
    start = size = 0
    for at, text in enumerate(texts):
        if at > start and (at - start == _SLICE_TEXTS or size + len(text) > _SLICE_CHARACTERS):
            yield texts[start:at]
            start, size = at, 0
        size += len(text)
    if start < len(texts):
        yield texts[start:]


def _lower_priority() -> None:
    """Give priority to queries and to all else on the machine; a connection that brought texts stays low.

    Clients keep connections of their own for texts. Where a sandbox forbids it, it stays as it is.
    """
    if sys.platform == "linux":
        own = threading.get_native_id()
        with suppress(PermissionError):
            usual = os.getpriority(os.PRIO_PROCESS, own)  # that of a bulk command that started it may be lower still
            os.setpriority(os.PRIO_PROCESS, own, max(_NICENESS, usual))
