"""A dense model behind an OpenAI-compatible address: Ollama, vLLM, TEI, OpenAI. Used where the settings name one."""

import http.client
import ipaddress
import json
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

import numpy as np
from numpy.typing import NDArray

from indelible.dataclass import dataclass
from indelible.embed.base import Embedding, Encoder, SparseVector
from indelible.errors import InvalidInput

_WINDOW = 1000  # characters: within the 512 tokens that small models read
_OVERLAP = 150
_BATCH = 64  # windows in a request
_LARGEST = 64 << 20  # bytes of an answer
_PROBE_TIMEOUT = 60.0  # seconds: Ollama loads a model at the first request
_QUESTION_TIMEOUT = 1.0  # seconds: an address that takes longer gives a recall nothing
_QUERIES = 32  # at once; more wait for their turn
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 8.0  # seconds between attempts of one request
_LONGEST_REST = 60.0  # seconds without a query, after an address that cannot be reached
_PASSING = frozenset({429, 500, 502, 503, 504})
_TOO_MUCH = frozenset({413, 422})  # TEI's answer to more texts than it takes at once


class _Failed(Exception):
    """A failed request; the message is for `state` and has neither key nor text in it."""

    def __init__(self, why: str, unreachable: bool = False) -> None:
        super().__init__(why)
        self.unreachable = unreachable


class RemoteEncoder:
    """Dense embeddings over HTTP; sparse ones from `sparse`, a local encoder, where one is given.

    `url` is the base as OpenAI's own clients take it, with its version: `http://localhost:11434/v1`. Windows of about
    1,000 characters, cut at white space, stand for a long text. Rows are made unit vectors. The key goes to this
    address only (redirections are not followed) and never to a log or message. A dimension that changes is refused.
    InvalidInput for a `url` that is no such address, and for a key that would go over the network unencrypted.
    """

    def __init__(self, url: str, model: str, key: str | None = None, sparse: Encoder | None = None) -> None:
        self._url = _checked_url(url)
        self._local = _is_loopback(urlsplit(self._url).hostname or "")
        if not model.strip():
            raise InvalidInput("the remote encoder's model has no name; give it as the server of the model calls it")
        if key and not (key.isascii() and key.isprintable() and " " not in key):
            raise InvalidInput(
                "the remote encoder's key has characters that are not allowed in a key (spaces, line ends?)"
            )
        if key and self._url.startswith("http:") and not self._local:
            raise InvalidInput(f"{self._url} would get the key unencrypted; use https, or leave the key out")
        self._name = model
        self._key = key
        self._sparse = sparse
        self._queries = ThreadPoolExecutor(_QUERIES, "remote-query")  # threads are started as they are needed
        self._guard = threading.Lock()  # over all below
        self._opener: OpenerDirector | None = None
        self._batch = _BATCH
        self._dimensions: int | None = None
        self._condition = "loading"
        self._unreached = 0
        self._rest_until = 0.0
        self._probing = False

    def __repr__(self) -> str:
        return f"RemoteEncoder({self._url!r}, {self._name!r})"

    @property
    def model(self) -> str:
        """`remote:` and the model's name, and after a + the local encoder's that gives the sparse part."""
        return f"remote:{self._name}" + (f"+{self._sparse.model}" if self._sparse else "")

    @property
    def languages(self) -> frozenset[str]:
        """See `Encoder`: the server's model is not known."""
        return frozenset()

    @property
    def state(self) -> str:
        """Return how the last request ended: `ready`, `loading` before the first, or its error."""
        if self._condition == "ready" and self._sparse is not None:
            return self._sparse.state
        return self._condition

    def probe(self) -> str:
        """Return `state`; before the first request after one that is given the time of a query."""
        with self._guard:
            known = self._condition != "loading" or self._probing
        if not known:
            self._rows(["ready"], time.monotonic() + _QUESTION_TIMEOUT)
        return self._sparse.probe() if self._condition == "ready" and self._sparse is not None else self.state

    def wake(self) -> None:
        """Find out in the background whether the address answers, which also makes a server load the model."""
        if self._sparse is not None:
            self._sparse.wake()
        with self._guard:
            if self._condition == "ready" or self._probing or time.monotonic() < self._rest_until:
                return
            self._probing = True
        threading.Thread(target=self._probe, name="remote-encoder", daemon=True).start()

    def query(self, text: str, timeout: float) -> Embedding | None:
        """As Encoder says; of a long question the first window counts.

        None at once for 1, 2, 4 .. 60 seconds after an address that could not be reached: people wait for a query.
        """
        until = time.monotonic() + timeout
        sparse = self._sparse.query(text, timeout) if self._sparse else None
        if self._sparse and sparse is None:
            return None
        if time.monotonic() < self._rest_until:
            return None
        rows = self._rows([next(_windows(text))], until)
        return None if rows is None else Embedding(rows, sparse.sparse if sparse else _no_terms())

    def begin(self, text: str, timeout: float) -> "_Asked | None":
        """As Encoder says: the address is asked in a thread of its own. None while it rests after a failure."""
        if time.monotonic() < self._rest_until:
            return None
        try:
            return _Asked(self._queries.submit(self.query, text, timeout))
        except RuntimeError:  # the interpreter ends, and takes no more work
            return None

    def texts(self, texts: Sequence[str], timeout: float) -> list[Embedding] | None:
        """As Encoder says; all texts come or none."""
        until = time.monotonic() + timeout
        pieces = [list(_windows(text)) for text in texts]
        rows = self._rows([window for piece in pieces for window in piece], until) if texts else None
        if rows is None:
            return None if texts else []
        terms = self._terms(texts, until)
        if terms is None:
            return None
        found, at = [], 0
        for piece, sparse in zip(pieces, terms, strict=True):
            found.append(Embedding(rows[at : at + len(piece)], sparse))
            at += len(piece)
        return found

    def close(self) -> None:
        """Close the local encoder; connections last for one request."""
        if self._sparse is not None:
            self._sparse.close()

    def _terms(self, texts: Sequence[str], until: float) -> list[SparseVector] | None:
        if self._sparse is None:
            return [_no_terms() for _ in texts]
        found = self._sparse.texts(texts, until - time.monotonic())
        return None if found is None else [each.sparse for each in found]

    def _probe(self) -> None:
        self._rows(["ready"], time.monotonic() + _PROBE_TIMEOUT)
        with self._guard:
            self._probing = False

    # --- Requests ---

    def _rows(self, windows: Sequence[str], until: float) -> "NDArray[np.float32] | None":
        """A unit row for each window; None, and `state` says why, where one is missing."""
        try:
            rows = np.concatenate(list(self._batches(windows, until)))
        except _Failed as failure:
            with self._guard:
                self._condition = str(failure)
                if failure.unreachable:
                    rest = min(2.0**self._unreached, _LONGEST_REST)
                    self._unreached = min(self._unreached + 1, 10)
                    self._rest_until = time.monotonic() + rest
            return None
        with self._guard:
            self._condition, self._unreached = "ready", 0
        return rows

    def _batches(self, windows: Sequence[str], until: float) -> Iterator["NDArray[np.float32]"]:
        """Rows in the order of the windows; a server that takes fewer at once gets fewer from then on."""
        at = 0
        while at < len(windows):
            asked = windows[at : at + self._batch]
            try:
                answer = self._post(asked, until)
            except HTTPError as error:
                if error.code not in _TOO_MUCH or len(asked) == 1:
                    raise _Failed(self._status(error.code)) from None
                self._batch = len(asked) // 2
                continue
            rows = _read(answer, len(asked))
            self._check_dimension(rows.shape[1])
            yield rows
            at += len(asked)

    def _post(self, windows: Sequence[str], until: float) -> bytes:
        """The answer to one request, which is repeated while the server is busy and time is left.

        HTTPError for a refusal of the server, _Failed for all other trouble.
        """
        pause = _FIRST_PAUSE
        while True:
            try:
                return self._once(windows, until)
            except HTTPError as error:
                error.close()
                wait = max(pause, _retry_after(error))
                if error.code not in _PASSING:
                    raise
                if time.monotonic() + wait >= until:
                    raise _Failed(self._status(error.code)) from None
            except TimeoutError:
                raise _Failed(f"{self._url} did not answer in time", unreachable=True) from None
            except (OSError, http.client.HTTPException) as error:
                why = error.reason if isinstance(error, URLError) else error
                raise _Failed(f"unreachable: {self._url}: {why}", unreachable=True) from None
            time.sleep(wait)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _once(self, windows: Sequence[str], until: float) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "indelible"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        body = json.dumps({"model": self._name, "input": [_clean(window) for window in windows]}).encode()
        request = Request(f"{self._url}/embeddings", body, headers, method="POST")
        with self._open_director().open(request, timeout=_left(until)) as response:
            parts, size = [], 0
            while part := response.read1(1 << 20):
                parts.append(part)
                size += len(part)
                if size > _LARGEST:
                    raise _Failed(f"{self._url} answered with more than {_LARGEST >> 20} MiB")
                _left(until)
        return b"".join(parts)

    def _open_director(self) -> "OpenerDirector":
        class Stay(HTTPRedirectHandler):
            """Follows no redirection: the key and the texts are for the given address only."""

            def redirect_request(self, *_: Any) -> None:
                return None

        if self._opener is None:
            # The environment's proxy stands for the way out; this machine's own servers are not behind it.
            self._opener = build_opener(Stay, *([ProxyHandler({})] if self._local else []))
        return self._opener

    def _check_dimension(self, dimensions: int) -> None:
        with self._guard:
            known = self._dimensions = self._dimensions or dimensions
        if known != dimensions:
            raise _Failed(
                f"{self._url} answered with {dimensions} dimensions, before with {known}: another model has the name "
                f"{self._name!r} now; restart Indelible and run `indelible reembed`"
            )

    def _status(self, code: int) -> str:
        hint = {
            401: "; is the key right?",
            403: "; is the key right?",
            404: f"; is {self._name!r} there, and does the address end as it should (/v1)?",
        }.get(code, "; give the address that it leads to" if 300 <= code < 400 else "")
        return f"{self._url} answered {code} {http.client.responses.get(code, '')}".rstrip() + hint


@dataclass(frozen=True, slots=True)
class _Asked:
    """A `Pending`."""

    answer: "Future[Embedding | None]"

    def ready(self, seconds: float) -> bool:
        """Whether the address has answered, or its time is over; waits `seconds` at most."""
        return bool(wait([self.answer], seconds).done)

    def result(self) -> Embedding | None:
        """Return the embedding, as Pending says."""
        return self.answer.result()


def _checked_url(url: str) -> str:
    """The base without a slash at its end. InvalidInput without what may be a password."""
    try:
        parts = urlsplit(url)
        right = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1)
    except ValueError:
        right = False
    if not right or not (url.isascii() and url.isprintable() and " " not in url):
        raise InvalidInput(
            "the remote encoder's address is not an http(s) URL; give one such as http://localhost:11434/v1"
        )
    if parts.username is not None or parts.query or parts.fragment:
        raise InvalidInput("the remote encoder's address has a user, a query or a fragment; give a key as the key")
    return url.rstrip("/")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost" or host.lower().endswith(".localhost")


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _retry_after(error: "HTTPError") -> float:
    """Return the delay that the server asks for in seconds; a date counts as 0."""
    given = error.headers.get("Retry-After", "") if error.headers else ""
    return float(given) if given.isdecimal() and len(given) < 6 else 0.0


def _clean(window: str) -> str:
    """Return a text that every server takes: valid Unicode, and not empty."""
    return window.encode("utf-8", "replace").decode("utf-8") if window.strip() else "."


def _windows(text: str) -> Iterator[str]:
    """Windows of a text with an overlap, cut at white space where there is some near the end; at least one."""
    start = 0
    while len(text) - start > _WINDOW:
        end = start + _WINDOW
        cut = max(text.rfind(space, start + _WINDOW // 2, end + 1) for space in (" ", "\n", "\t"))
        end = cut if cut > 0 else end
        yield text[start:end]
        start = _word_start(text, end - _OVERLAP, end)
    yield text[start:]


def _word_start(text: str, start: int, end: int) -> int:
    """The first place from `start` on where a word begins; `start` where none does before `end`."""
    return next((at + 1 for at in range(start, end - 1) if text[at].isspace()), start)


def _read(answer: bytes, count: int) -> "NDArray[np.float32]":
    """Unit rows out of an answer, in the order of the texts. _Failed where it is not what was asked for."""
    try:
        data = json.loads(answer)["data"]
        by_index = {each.get("index", at): each["embedding"] for at, each in enumerate(data)}
        rows = np.array([by_index[at] for at in range(count)])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _Failed("the answer does not have the form of OpenAI's embeddings") from None
    if len(data) != count or rows.ndim != 2 or rows.dtype.kind not in "fi" or rows.shape[1] == 0:
        raise _Failed(f"the answer is not {count} rows of numbers of one length")
    largest = np.abs(rows).max(axis=1, keepdims=True)
    if not np.isfinite(largest).all() or not largest.all():
        raise _Failed("the answer has rows that are zero or not finite")
    rows = rows / largest  # first, or the squares of what is very large or small leave the range
    unit: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


def _no_terms() -> SparseVector:
    return SparseVector(np.empty(0, np.uint32), np.empty(0, np.float32))
