"""The transport over HTTP: the endpoint /jsonrpc, over kept-alive connections."""

import hashlib
import http.client
import io
import json
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from email.message import Message
from email.utils import parsedate_to_datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import SplitResult, quote, urlsplit

from indelible import errors, tracing
from indelible.client.failures import CLOSED, Failure, answered, code_of
from indelible.client.transport import ERROR_HEADER, KEY
from indelible.errors import Forbidden, InvalidInput, NotFound, Unauthorized
from indelible.version import __version__

LARGEST = 4 << 20  # bytes of a request, as servers take them
LARGEST_ANSWER = 64 << 20
PIECE = 1 << 20
IDLE = 60.0  # seconds after which a connection is not used again: servers keep them for 75
DOORS = ("/jsonrpc", "/mcp")
PASSING = (408, 425, 429, 502, 503, 504)
_BROKEN = (OSError, http.client.HTTPException)


class Http:
    """Speaks JSON-RPC with the server at a URL: `http://host:5050`, perhaps with `/p/PROJECT` behind it.

    `token` is sent as a bearer token and never shown. `ca` is a file with the certificates that are trusted in place of
    the system's. Proxies of the environment are not used.
    """

    largest: int | None = LARGEST

    def __init__(self, url: str, token: str | None, project: str | None, ca: str | None, home: Path):
        place = _place(url)
        path = quote(place.path.rstrip("/"), safe="/%:@!$&'()*+,;=~")
        self._path = next((path.removesuffix(door) for door in DOORS if path.endswith(door)), path) + "/jsonrpc"
        self._secure = place.scheme == "https"
        self._host, self._port = str(place.hostname), place.port or (443 if self._secure else 80)
        self._url = f"{place.scheme}://{place.netloc}"
        self._headers = _headers(token, project)
        self._tls = _tls(ca) if self._secure else None
        caller = hashlib.sha256(f"indelible client\n{token}".encode()).hexdigest()[:16] if token else ""
        self.target = f"{self._url}{self._path}\n{project or ''}\n{caller}"
        self.home = home
        self._idle: list[tuple[http.client.HTTPConnection, float]] = []
        self._lock = threading.Lock()
        self._closed = False

    def __repr__(self) -> str:
        return f"<Http {self._url}>"

    def call(self, tool: str, arguments: Mapping[str, Any], key: str | None, timeout: float) -> Any:
        """See Transport."""
        meta = {} if key is None else {"_meta": {KEY: key}}
        return self._rpc("tools/call", {"name": tool, "arguments": dict(arguments), **meta}, timeout)

    def probe(self, timeout: float) -> None:
        """See Transport."""
        self._rpc("ping", {}, timeout)

    def close(self) -> None:
        """See Transport."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection, _ in idle:
            connection.close()

    # --- JSON-RPC ---

    def _rpc(self, method: str, params: dict[str, Any], timeout: float) -> Any:
        asked = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        body = json.dumps(asked, ensure_ascii=False, separators=(",", ":")).encode()
        status, headers, content = self._exchange(body, timeout)
        message = _message(content)
        error = None if message is None else message.get("error")
        server_message = str(error["message"]) if isinstance(error, dict) and "message" in error else ""
        if status != 200:
            raise self._refusal(status, headers, server_message)
        if message is None or ("result" in message) == (error is not None):
            kind = headers.get("Content-Type", "nothing")
            raise Failure(f"the server at {self._url} is not an Indelible server ({kind!r:.60})", sent=True)
        if isinstance(error, dict):
            raise answered(code_of(error), server_message)
        if ERROR_HEADER in headers:
            raise answered(headers[ERROR_HEADER], str(message["result"].get("error", "")))
        return message["result"]

    def _refusal(self, status: int, headers: Message, server_message: str) -> Exception:
        """Return the exception for an answer that is not 200."""
        message = server_message or f"{self._url} answered {status} {http.client.responses.get(status, '')}".rstrip()
        if status in PASSING:
            # What a server refused at its door it has not begun; a proxy does not know.
            return Failure(message, sent=status not in (408, 425, 429), after=_after(headers.get("Retry-After")))
        if status >= 500:  # who is no server of ours is in between, and the server behind it cannot be reached
            return (
                answered("", message)
                if server_message
                else Failure(message, sent=True, after=_after(headers.get("Retry-After")))
            )
        if status == 413 or (status in (400, 422) and server_message):
            return InvalidInput(message)
        return self._way(status, message)

    def _way(self, status: int, message: str) -> errors.IndelibleError:
        """Return the exception for a refusal before the call was examined, which is no verdict on it."""
        kinds: dict[int, type[errors.IndelibleError]] = {401: Unauthorized, 403: Forbidden, 404: NotFound}
        if status == 404:
            message = f"{message} at {self._path}; see that the URL is that of `indelible serve --http`"
        refusal = kinds.get(status, InvalidInput)(message)
        refusal.is_verdict = False
        return refusal

    # --- Connections ---

    def _exchange(self, body: bytes, timeout: float) -> "_Answer":
        """The answer to a request. Raises Failure."""
        kept, sent = self._kept(), False
        if kept is not None:
            try:
                return self._ask(kept, body, timeout)
            except (http.client.RemoteDisconnected, ConnectionError):
                kept.close()  # it idled too long for the server, or the server ended: asked again at once, on a new one
                sent = True
            except _BROKEN as error:
                raise self._broken(kept, error, timeout) from error
        try:
            connection = self._connected(timeout)
        except Failure as failure:
            failure.sent = sent
            raise
        try:
            return self._ask(connection, body, timeout)
        except _BROKEN as error:
            raise self._broken(connection, error, timeout) from error

    def _ask(self, connection: http.client.HTTPConnection, body: bytes, timeout: float) -> "_Answer":
        connection.sock.settimeout(timeout)
        connection.response_class = partial(_Response, until=time.monotonic() + timeout)  # type: ignore[assignment]
        with suppress(BrokenPipeError, ConnectionResetError):  # who refuses a body reads no further, and says why
            connection.request("POST", self._path, body, {**self._headers, **tracing.outgoing()})
        answer = connection.getresponse()
        content = _content(answer, connection)
        answer.close()
        if answer.will_close:
            connection.close()
        else:
            self._keep(connection)
        return _Answer(answer.status, answer.headers, content)

    def _broken(self, connection: http.client.HTTPConnection, error: Exception, timeout: float) -> Failure:
        connection.close()
        return Failure(f"{self._url}: {_words(error, timeout)}", sent=True)

    def _connected(self, timeout: float) -> http.client.HTTPConnection:
        if self._closed:
            raise Failure(CLOSED, sent=False, retry=False)
        connection: http.client.HTTPConnection
        if self._tls is None:
            connection = http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        else:
            connection = http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._tls)
        try:
            connection.connect()
        except OSError as error:
            connection.close()
            untrusted = isinstance(error, ssl.SSLError) and not isinstance(error, ssl.SSLEOFError)
            raise Failure(f"{self._url}: {_words(error, timeout)}", sent=False, retry=not untrusted) from error
        return connection

    def _kept(self) -> http.client.HTTPConnection | None:
        with self._lock:
            while self._idle:
                connection, since = self._idle.pop()
                if time.monotonic() - since < IDLE:
                    return connection
                connection.close()
        return None

    def _keep(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append((connection, time.monotonic()))
                return
        connection.close()


def _place(url: str) -> SplitResult:
    """Return the parts of a server's URL. Raises InvalidInput."""
    try:
        place = urlsplit(url)
        fits = place.scheme in ("http", "https") and place.hostname and not (place.username or place.query)
        if fits and place.port != 0 and str(place.hostname).encode("idna"):
            return place
    except ValueError:  # a port that is none, half of an address in brackets, a name that no host has
        pass
    raise InvalidInput(f"the URL must be http[s]://HOST[:PORT], got {_shown(url)!r:.120}")


class _Answer(NamedTuple):
    status: int
    headers: Message
    content: bytes


class _Timed(io.RawIOBase):
    """Reads from a socket until a deadline, then raises TimeoutError: some servers send single bytes for ever."""

    def __init__(self, receiving: socket.socket, until: float):
        self._socket = receiving
        self._raw = receiving.makefile("rb", buffering=0)
        self._until = until

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._socket.settimeout(left)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(http.client.HTTPResponse):
    """An answer, head and body, that has to be there at a moment."""

    def __init__(self, receiving: socket.socket, *given: Any, until: float, **named: Any):
        super().__init__(receiving, *given, **named)
        self.fp.close()
        self.fp = io.BufferedReader(_Timed(receiving, until))


def _content(answer: http.client.HTTPResponse, connection: http.client.HTTPConnection) -> bytes:
    """The whole body. Raises HTTPException where it is cut off, TimeoutError, InvalidInput where it is too large."""
    parts: list[bytes] = []
    size = 0
    while part := answer.read1(PIECE):
        parts.append(part)
        size += len(part)
        if size > LARGEST_ANSWER:
            connection.close()
            raise InvalidInput(f"the answer has more than {LARGEST_ANSWER:,} bytes; ask for less (limit, k, namespace)")
    if answer.length:
        raise http.client.IncompleteRead(b"", answer.length)
    return b"".join(parts)


def _tls(ca: str | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca)
    except OSError as error:
        raise InvalidInput(f"ca must be a file of certificates (PEM), got {ca!r:.120}: {error.strerror}") from error


def _headers(token: str | None, project: str | None) -> dict[str, bytes]:
    named = {"Content-Type": "application/json", "User-Agent": f"indelible-client/{__version__}"}
    if token is not None:
        if not token.isascii() or not token.isprintable() or not token or " " in token:
            raise InvalidInput(
                "the token has characters that are not allowed in a token; give it without line ends and quotes"
            )
        named["Authorization"] = f"Bearer {token}"
    if project is not None:
        if not project.isprintable() or not project.strip():
            raise InvalidInput(f"the project must be a name or a path of visible characters, got {project!r:.80}")
        named["X-Indelible-Project"] = project
    return {name: value.encode() for name, value in named.items()}


def _message(content: bytes) -> dict[str, Any] | None:
    """The JSON object of an answer, None where it is none."""
    try:
        message = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def _after(given: str | None) -> float | None:
    """Seconds to wait that a Retry-After asks for, as a number or as a date; None where it says nothing."""
    if given is None:
        return None
    if given.strip().isdecimal():
        return float(given)
    try:
        return max(0.0, parsedate_to_datetime(given).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def _words(error: Exception, timeout: float) -> str:
    if isinstance(error, TimeoutError):
        return f"no answer within {timeout:g} s"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate does not hold: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f"no TLS: {error.reason or type(error).__name__}"
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return f"the answer broke off ({type(error).__name__})"


def _shown(url: str) -> str:
    """Return a URL without a possible password, for errors."""
    return url.rpartition("@")[2].partition("?")[0]
