"""Heads that two readers may read in two ways: one answer, a closed connection, and no byte behind is a request.

Who sits between a client and this server (a proxy) may read such a head in another way than this server does, and takes
for a body what this server would take for the next request (RFC 9112, 6.1 and 11.2: request smuggling).
"""

import json
import socket
from collections.abc import Sequence
from contextlib import suppress

import pytest

from http_server import HttpServer
from indelible.server.http import heads

FIELDS = b"Host: localhost\r\nContent-Type: application/json\r\n"
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
LENGTH = b"Content-Length: %d\r\n" % len(PING)
CHUNKED = b"Transfer-Encoding: chunked\r\n"
ENDLESS = 100 << 10  # bytes of a head


def post(fields: bytes, body: bytes = PING, *, line: bytes = b"POST /jsonrpc HTTP/1.1\r\n") -> bytes:
    return line + FIELDS + fields + b"\r\n" + body


def chunked(body: bytes) -> bytes:
    return post(CHUNKED, body)


def in_chunks(rest: bytes) -> bytes:
    """A whole body in one chunk, and what stands behind it."""
    return chunked(b"%x\r\n%s\r\n" % (len(PING), PING) + rest)


MALFORMED = {
    "a length and chunks": post(LENGTH + CHUNKED, b"%x\r\n%s\r\n0\r\n\r\n" % (len(PING), PING)),
    "chunks and a length": post(CHUNKED + b"Content-Length: 3\r\n", b"%x\r\n%s\r\n0\r\n\r\n" % (len(PING), PING)),
    "chunks of HTTP/1.0": post(
        b"Connection: keep-alive\r\n" + CHUNKED, b"0\r\n\r\n", line=b"POST /jsonrpc HTTP/1.0\r\n"
    ),
    "the same length twice": post(LENGTH + LENGTH),
    "a length as a list": post(LENGTH.replace(b"\r\n", b", %d\r\n" % len(PING))),
    "two lengths": post(LENGTH + b"Content-Length: 0\r\n"),
    "a length with a sign": post(LENGTH.replace(b": ", b": +")),
    "a length in hexadecimal": post(b"Content-Length: 0x2\r\n"),
    "no length": post(b"Content-Length: \r\n"),
    "a length with a space in its name": post(LENGTH.replace(b":", b" :")),
    "chunks twice": post(CHUNKED + CHUNKED, b"0\r\n\r\n"),
    "chunks as a list": post(b"Transfer-Encoding: chunked, identity\r\n", b"0\r\n\r\n"),
    "chunks behind a control character": post(b"Transfer-Encoding: \x0bchunked\r\n", b"0\r\n\r\n"),
    "an unknown encoding": post(b"Transfer-Encoding: xchunked\r\n"),
    "a folded field": post(b"X: a\r\n b\r\n" + LENGTH),
    "a folded encoding": post(b"Transfer-Encoding:\r\n chunked\r\n", b"0\r\n\r\n"),
    "a first field that is folded": b"GET /health HTTP/1.1\r\n " + FIELDS + b"\r\n",
    "lines that end in LF alone": post(LENGTH).replace(b"\r\n", b"\n"),
    "one line that ends in LF alone": post(b"X: y\nZ: z\r\n" + LENGTH),
    "a head that ends in LF alone": post(LENGTH).replace(b"\r\n\r\n", b"\r\n\n"),
    "a line break of CR alone": post(b"X: y\rZ: z\r\n" + LENGTH),
    "NUL in a value": post(b"X: y\0z\r\n" + LENGTH),
    "NUL in a name": post(b"X\0: y\r\n" + LENGTH),
    "a control character in a value": post(b"X: y\x01z\r\n" + LENGTH),
    "a field without a colon": post(b"X\r\n" + LENGTH),
    "a field without a name": post(b": x\r\n" + LENGTH),
    "an absolute target": post(LENGTH, line=b"POST http://localhost/jsonrpc HTTP/1.1\r\n"),
    "an absolute target of another": post(LENGTH, line=b"POST http://evil.example/jsonrpc HTTP/1.1\r\n"),
    "an authority as a target": post(LENGTH, line=b"CONNECT localhost:80 HTTP/1.1\r\n"),
    "no path as a target": post(LENGTH, line=b"OPTIONS * HTTP/1.1\r\n"),
    "a path without its slash": post(LENGTH, line=b"POST jsonrpc HTTP/1.1\r\n"),
    "another version": post(LENGTH, line=b"POST /jsonrpc HTTP/2.0\r\n"),
    "a version in small letters": post(LENGTH, line=b"POST /jsonrpc http/1.1\r\n"),
    "a line without a version": post(LENGTH, line=b"POST /jsonrpc\r\n"),
    "two spaces": post(LENGTH, line=b"POST  /jsonrpc HTTP/1.1\r\n"),
    "a tab for a space": post(LENGTH, line=b"POST\t/jsonrpc HTTP/1.1\r\n"),
    "no host": post(LENGTH).replace(b"Host: localhost\r\n", b""),
    "two hosts": post(b"Host: localhost\r\n" + LENGTH),
    "a head that is too long": post(b"X: %s\r\n" % (b"x" * ENDLESS) + LENGTH),
    "two tokens": post(b"Authorization: Bearer a\r\nAuthorization: Bearer b\r\n" + LENGTH),
    "two projects": post(b"X-Indelible-Project: a\r\nX-Indelible-Project: b\r\n" + LENGTH),
    "a chunk of a negative size": chunked(b"-1\r\n"),
    "a chunk of a size in C": chunked(b"0x2\r\n{}\r\n0\r\n\r\n"),
    "a chunk of no size": chunked(b"\r\n{}\r\n0\r\n\r\n"),
    "a chunk of too large a size": chunked(b"1" * 21 + b"\r\n{}\r\n0\r\n\r\n"),
    "a chunk that is longer than it says": chunked(b"1\r\n{}\r\n0\r\n\r\n"),
    "a chunk's size that ends in LF alone": chunked(b"%x\n%s\r\n0\r\n\r\n" % (len(PING), PING)),
    "an end of chunks in LF alone": in_chunks(b"0\r\n\n"),
    "fields behind chunks": in_chunks(b"0\r\nX-Indelible-Project: a\r\n\r\n"),
    "folded fields behind chunks": in_chunks(b"0\r\nX: a\r\n b\r\n\r\n"),
}
SPLIT = ("an end of chunks in LF alone", "lines that end in LF alone", "a folded field", "a length and chunks")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with HttpServer(tmp_path_factory.mktemp("heads") / "data", env={"INDELIBLE_HTTP_PATIENCE": "20"}) as server:
        yield server


def smuggled(word: str) -> bytes:
    """A request of its own that stores a word."""
    call = {"jsonrpc": "2.0", "id": 2, "method": "store_memory", "params": {"content": word}}
    body = json.dumps(call).encode()
    return post(b"Content-Length: %d\r\nConnection: close\r\n" % len(body), body)


def answered(server: HttpServer, parts: Sequence[bytes]) -> bytes:
    """All that is said on a connection until it is closed."""
    said = b""
    with socket.create_connection((server.host, server.port), timeout=50) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with suppress(ConnectionError):  # it is closed before all is sent
            for part in parts:
                connection.sendall(part)
        with suppress(ConnectionError):
            while more := connection.recv(65536):
                said += more
    return said


def is_stored(server: HttpServer, word: str) -> bool:
    return word in str(server.call("recall_memory", {"query": word}))


@pytest.mark.process
def test_what_is_behind_a_request_that_is_well_formed_is_the_next_one(server):
    for number, first in enumerate((post(LENGTH), in_chunks(b"0\r\n\r\n"), in_chunks(b"0;last\r\n\r\n"))):
        word = f"Aubergine{number}"
        said = answered(server, [first + smuggled(word)])
        assert said.count(b"HTTP/1.1 200 ") == 2, said
        assert is_stored(server, word)


@pytest.mark.process
@pytest.mark.parametrize("fault", MALFORMED)
def test_what_is_behind_a_malformed_head_is_never_a_request(server, fault):
    word = f"Salsify{list(MALFORMED).index(fault)}th"
    said = answered(server, [MALFORMED[fault] + smuggled(word)])
    assert not is_stored(server, word)
    assert said.count(b"HTTP/1.1 ") == 1, said
    assert said.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 431 ", b"HTTP/1.1 501 ", b"HTTP/1.1 505 ")), said
    assert b"connection: close" in said.lower()


@pytest.mark.process
@pytest.mark.parametrize("fault", SPLIT)
def test_a_fault_is_seen_wherever_the_network_cuts_it(server, fault):
    word = f"Skirret{SPLIT.index(fault)}"
    said = answered(server, [bytes((byte,)) for byte in MALFORMED[fault] + smuggled(word)])
    assert said.count(b"HTTP/1.1 ") == 1, said
    assert not is_stored(server, word)


@pytest.mark.process
def test_the_refusal_says_what_is_wrong(server):
    for fault, told in {
        "a length and chunks": b"not both",
        "the same length twice": b"Content-Length",
        "a folded field": b"folded",
        "one line that ends in LF alone": b"CR LF",
        "an absolute target": b"path",
        "fields behind chunks": b"trailer",
    }.items():
        assert told in answered(server, [MALFORMED[fault]]), fault


@pytest.mark.parametrize("name", MALFORMED)
def test_a_head_in_pieces_is_refused_as_the_whole_is(name: str) -> None:
    """Each piece is looked at once, whatever stands on both sides of a cut."""
    head = MALFORMED[name].partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
    for size in (1, 2, 3, 7):
        found, looked = None, 0
        for end in range(size, len(head) + size, size):
            found = heads.fault(head[:end], looked)
            looked = min(end, len(head))
            if found:
                break
        assert found == heads.fault(head)


def test_what_was_looked_through_is_not_looked_through_again() -> None:
    """So that a head of one byte at a time takes work in proportion to its length."""
    begun = b"GET / HTTP/1.1\r\nX: a\0" + b"a" * 100
    assert heads.fault(begun) is not None
    assert heads.fault(begun, len(begun) - 10) is None
    assert heads.fault(begun + b"\0", len(begun)) is not None
    assert heads.fault(b"a" * (heads.LONGEST_HEAD + 1), heads.LONGEST_HEAD) is not None
