"""The client over HTTP: what is tried again, what is not, and what comes of answers that no server of ours gives."""

from __future__ import annotations

import socket
import ssl
import time
from email.utils import formatdate
from pathlib import Path

import pytest
from scripted import CLOSE, RESULT, Scripted, reply
from surroundings import Hours, Lines

from certificates import self_signed
from http_server import HttpServer
from indelible.client.client import Client
from indelible.client.http import Http
from indelible.client.retries import Policy
from indelible.errors import Forbidden, IndelibleError, InvalidInput, NotFound, Unauthorized, Unavailable

QUICK = Policy(timeout=5.0)


def over(url: str, tmp_path: Path, hours: Hours | None = None, **options) -> Client:
    options.setdefault("log", lambda _: None)
    options.setdefault("policy", QUICK)
    return Client.http(url, data=tmp_path / "own", timing=(hours or Hours()).timing, **options)


def error(code: int, message: str, data: dict | None = None) -> dict:
    told = {"code": code, "message": message, **({"data": data} if data else {})}
    return {"jsonrpc": "2.0", "id": None, "error": told}


HTML = b"<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (reply(200, error(-32602, "query is required", {"code": "invalid_input"})), InvalidInput),
        (reply(200, error(-32602, "no data")), InvalidInput),
        (reply(200, error(-32601, "unknown tool")), InvalidInput),
        (reply(200, error(-32004, "unknown id", {"code": "not_found"})), NotFound),
        (reply(200, error(-32003, "not you", {"code": "forbidden"})), Forbidden),
        (reply(200, error(-32603, "internal error 1234", {"code": "internal_error"})), IndelibleError),
        (
            reply(
                200,
                {"jsonrpc": "2.0", "id": 1, "result": {"success": False, "error": "no"}},
                X_Indelible_Error="not_found",
            ),
            NotFound,
        ),
        (reply(400, error(-32600, "nested too deep")), InvalidInput),
        (reply(401, error(-32001, "this server needs a token")), Unauthorized),
        (reply(403, error(-32003, "the Origin is another site")), Forbidden),
        (reply(403, HTML), Forbidden),
        (reply(404, HTML), NotFound),
        (reply(413, error(-32600, "too large")), InvalidInput),
        (reply(421, error(-32600, "not one of this server's names")), InvalidInput),
        (reply(301, b"", Location="https://elsewhere.example"), InvalidInput),
        (reply(500, error(-32603, "internal error 1234")), IndelibleError),
    ],
)
def test_what_a_server_refuses_is_asked_once_raised_as_what_it_is_and_keeps_nothing(answer, kind, tmp_path):
    for call in (lambda asked: asked.recall_memory(query="q"), lambda asked: asked.store_memory(content="c")):
        with Scripted(answer) as server, over(server.url, tmp_path) as asked:
            with pytest.raises(kind) as raised:
                call(asked)
            assert type(raised.value) is kind
            assert len(server.requests) == 1
            assert (asked.degraded, asked.waiting) == (False, 0)


@pytest.mark.parametrize(
    "answer",
    [
        *(reply(status, HTML) for status in (408, 425, 429, 502, 503, 504)),
        reply(200, error(-32603, "this server cannot read or write its store now", {"code": "store_error"})),
        CLOSE,
        reply(200, HTML, Content_Type="text/html"),
        reply(200, b'{"jsonrpc": "2.0", "id": 1, "result": {"done": tr'),
        reply(200, b""),
        reply(200, b"[" * 100_000),
        reply(200, {"jsonrpc": "2.0", "id": 1}),
        reply(200, [RESULT]),
        reply(200, b'{"jsonrpc": "2.0"', Content_Length="4000"),
        reply(200, b'5\r\n{"json', Transfer_Encoding="chunked", X_No="length").replace(b"Content-Length", b"X-Length"),
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Le",
    ],
    ids=lambda answer: answer[:60].decode("latin-1").replace("\r\n", " ") or "closed",
)
def test_what_passes_is_tried_three_times_then_kept_or_unavailable(answer, tmp_path):
    with Scripted(answer, closes=True) as server, over(server.url, tmp_path) as asked:
        result = asked.store_memory(content="c")
        assert (result.deferred, asked.waiting, len(server.requests)) == (True, 1, 3)
        assert result.why
        keys = {body["params"]["_meta"]["indelible/key"] for _, body in server.requests}
        assert keys == {result.key}
        with pytest.raises(Unavailable):
            asked.recall_memory(query="q")
        assert len(server.requests) == 3  # the circuit is open


@pytest.mark.parametrize("failure", [reply(503, HTML), CLOSE, reply(429, HTML, Retry_After="2")])
def test_an_attempt_that_works_after_one_that_did_not_is_the_answer(failure, tmp_path):
    hours = Hours(chance=0.5)
    with Scripted(failure, reply()) as server, over(server.url, tmp_path, hours) as asked:
        result = asked.store_memory(content="c")
        assert (result.value, result.retries, result.degraded) == ({"done": True}, 1, False)
    assert hours.slept == [2.0 if b"Retry" in failure else 0.125]


def test_a_long_retry_after_is_not_waited_for_but_heeded(tmp_path):
    hours = Hours()
    with Scripted(reply(429, HTML, Retry_After="60"), reply()) as server, over(server.url, tmp_path, hours) as asked:
        assert asked.store_memory(content="c").deferred
        assert hours.slept == []
        hours.sleep(59)
        assert asked.flush() == 1
        assert len(server.requests) == 1
        hours.sleep(1)
        assert asked.flush() == 0


@pytest.mark.parametrize("given", ["soon", "-5", "", "1e9", "Thu, 99 Nov 2026"])
def test_a_retry_after_that_says_nothing_is_passed_over(given, tmp_path):
    hours = Hours(chance=0.5)
    with Scripted(reply(503, HTML, Retry_After=given), reply()) as server, over(server.url, tmp_path, hours) as asked:
        assert asked.recall_memory(query="q").value == {"done": True}
    assert hours.slept == [0.125]


def test_a_retry_after_may_be_a_date(tmp_path):
    at = formatdate(time.time() + 3.5, usegmt=True)
    hours = Hours(chance=0.0)
    with Scripted(reply(503, HTML, Retry_After=at), reply()) as server, over(server.url, tmp_path, hours) as asked:
        assert asked.recall_memory(query="q").value == {"done": True}
    assert 0 < hours.slept[0] <= 3.5


def test_a_connection_that_the_server_closed_while_it_idled_is_no_failure(tmp_path):
    lines = Lines()
    with Scripted(reply(), reply(), reply(), closes=True) as server, over(server.url, tmp_path, log=lines) as asked:
        for _ in range(3):
            assert asked.store_memory(content="c").retries == 0
        assert server.connections == 3
    assert lines.named("retry") == []


def test_connections_are_kept_and_carry_the_token_the_project_and_the_key(tmp_path):
    with (
        Scripted(reply()) as server,
        over(server.url, tmp_path, token="tok_secret", project="Kläranlage") as asked,
    ):
        first, second = asked.store_memory(content="a"), asked.call("store_memory", content="b", request_key="mine")
        assert server.connections == 1
        assert (len(first.key), second.key) == (32, "mine")
        for (headers, body), key in zip(server.requests, (first.key, "mine"), strict=True):
            assert headers["authorization"] == "Bearer tok_secret"
            assert headers["x-indelible-project"].encode("latin-1").decode() == "Kläranlage"
            assert body["params"]["_meta"] == {"indelible/key": key}
        assert "tok_secret" not in repr(vars(asked))


def test_what_waits_for_one_server_project_or_token_is_never_sent_to_another(tmp_path):
    def place(url="http://127.0.0.1:1", **options) -> Path:
        return over(url, tmp_path, **options).spool

    places = [place(), place("http://127.0.0.1:2"), place(project="a"), place(token="t"), place(token="u")]
    assert len(set(places)) == 5
    assert place(token="t") == places[3]
    assert place("http://127.0.0.1:1/jsonrpc") == places[0]


def test_a_server_that_is_not_there_is_tried_three_times(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    hours = Hours()
    with over(f"http://127.0.0.1:{port}", tmp_path, hours) as asked:
        result = asked.store_memory(content="c")
        assert result.deferred
        assert "Connection refused" in result.why
        assert len(hours.slept) == 2


def test_a_server_that_does_not_answer_is_not_waited_for_longer_than_the_policy_says(tmp_path):
    policy = Policy(attempts=1, timeout=0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with over(url, tmp_path, policy=policy) as asked:
            result = asked.store_memory(content="c")
            assert result.deferred
            assert "no answer within 0.05 s" in result.why


# --- TLS ---


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> tuple[Path, Path]:
    """(certificate, key) for 127.0.0.1 that nobody signed."""
    return self_signed(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def tls(certificate) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    return context


def test_a_certificate_that_is_trusted_is_trusted(tls, certificate, tmp_path):
    with Scripted(reply(), tls=tls) as server, over(server.url, tmp_path, ca=str(certificate[0])) as asked:
        assert asked.store_memory(content="c").value == {"done": True}


def test_a_certificate_that_does_not_hold_is_tried_once_and_nothing_is_sent(tls, tmp_path):
    hours = Hours()
    with Scripted(reply(), tls=tls) as server, over(server.url, tmp_path, hours) as asked:
        result = asked.store_memory(content="c")
        assert result.deferred
        assert "its certificate does not hold: self-signed certificate" in result.why
        assert (server.connections, server.requests, hours.slept) == (1, [], [])
        with pytest.raises(Unavailable, match="certificate"):
            asked.recall_memory(query="q")
        assert server.connections == 1


def test_a_server_that_speaks_no_tls_is_tried_once(tmp_path):
    with Scripted(b"HTTP/1.1 400 Bad\r\n\r\n", blunt=True) as server:
        with over(server.url.replace("http:", "https:"), tmp_path) as asked:
            assert asked.store_memory(content="c").deferred
        assert server.connections == 1


def test_a_file_of_certificates_that_is_none_is_refused(tmp_path):
    (tmp_path / "ca.pem").write_text("nothing")
    for name in ("ca.pem", "missing.pem"):
        with pytest.raises(InvalidInput, match="ca must be a file of certificates"):
            over("https://127.0.0.1:1", tmp_path, ca=str(tmp_path / name))


# --- Arguments ---


@pytest.mark.parametrize(
    "url", ["", "memory.example:5050", "ftp://x", "http://", "http://ann:secret@host:5050", "http://host?token=secret"]
)
def test_a_url_that_is_none_is_refused_without_repeating_a_password(url, tmp_path):
    with pytest.raises(InvalidInput, match="the URL must be") as raised:
        over(url, tmp_path)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("token", ["", "two words", "line\n", "ümlaut"])
def test_a_token_that_is_none_is_refused_without_repeating_it(token, tmp_path):
    with pytest.raises(InvalidInput, match="the token has characters"):
        over("http://127.0.0.1:1", tmp_path, token=token)


def test_a_url_may_name_a_door_and_a_path_before_it():
    for url, path in (
        ("http://host", "/jsonrpc"),
        ("http://host/", "/jsonrpc"),
        ("http://host/mcp", "/jsonrpc"),
        ("http://host/p/shop/jsonrpc", "/p/shop/jsonrpc"),
        ("http://host/memory", "/memory/jsonrpc"),
    ):
        assert Http(url, None, None, None, Path())._path == path


# --- A real server ---


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with HttpServer(tmp_path_factory.mktemp("http") / "data") as started:
        yield started


@pytest.mark.process
def test_a_real_server_answers_refuses_and_redacts_as_the_engine_does(server, tmp_path):
    with over(server.url, tmp_path) as asked:
        assert asked.store_memory(content="Deploys go out on Tuesdays").value["status"] == "stored"
        assert asked.recall_memory(query="deploys").value[0]["content"] == "Deploys go out on Tuesdays"
        for tool, arguments, kind, words in (
            ("recall_memory", {"k": 1}, InvalidInput, "query is required"),
            ("delete_memory", {"id": "nobody"}, NotFound, "'nobody' is unknown"),
            ("complete_todo", {"todo_id": 999}, NotFound, "^todo_id 999 is unknown"),
            ("add_todo", {"title": ""}, InvalidInput, "title"),
            ("dance", {}, InvalidInput, "unknown tool 'dance'"),
        ):
            with pytest.raises(kind, match=words):
                asked.call(tool, **arguments)


@pytest.mark.process
def test_a_payload_that_no_server_takes_is_refused_before_it_is_sent(server, tmp_path):
    with over(server.url, tmp_path) as asked:
        with pytest.raises(InvalidInput, match="content has 1,048,577 bytes"):
            asked.store_memory(content="x" * ((1 << 20) + 1))
        memories = [{"content": f"{number} " + "x" * 1_000_000} for number in range(5)]
        with pytest.raises(InvalidInput, match="send them in parts"):
            asked.import_memories(memories=memories)
        assert asked.import_memories(memories=memories[:4]).value["imported"] == 4
        assert asked.waiting == 0


@pytest.mark.process
def test_a_server_that_refuses_a_body_before_it_is_read_is_heard(server):
    transport = Http(server.url, None, None, None, Path())
    with pytest.raises(InvalidInput, match="the body has"):
        transport.call("store_memory", {"content": "x" * (64 << 20)}, None, 30.0)
    transport.close()


@pytest.mark.process
def test_the_same_request_key_is_answered_and_not_repeated(server, tmp_path):
    with over(server.url, tmp_path) as asked:
        first = asked.call("add_todo", title="once", request_key="my-key")
        assert asked.call("add_todo", title="once", request_key="my-key").value == first.value
        with pytest.raises(IndelibleError, match="request key 'my-key' was used for another call"):
            asked.call("add_todo", title="twice", request_key="my-key")
