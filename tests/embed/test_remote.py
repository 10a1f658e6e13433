"""A remote encoder against a server of this test that speaks as Ollama, vLLM, TEI and OpenAI do."""

import http.server
import json
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from indelible.embed.base import Embedding, SparseVector
from indelible.embed.remote import RemoteEncoder
from indelible.errors import InvalidInput

PATIENCE = 20.0  # seconds
KEY = "-".join(["sk", "of", "the", "test"])

Answer = tuple[int, Any]


class Api(http.server.ThreadingHTTPServer):
    """Embeds a text as its length and its first character; `answers` are given first, one a request."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Asked)
        self.requests: list[tuple[str, dict[str, Any], dict[str, str]]] = []
        self.answers: list[Callable[[list[str]], Answer]] = []
        self.most = 1000  # inputs in a request
        self.headers: dict[str, str] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def answer(self, inputs: list[str]) -> Answer:
        if self.answers:
            return self.answers.pop(0)(inputs)
        return (413, {"error": "too many"}) if len(inputs) > self.most else (200, embedded(inputs))


class Asked(http.server.BaseHTTPRequestHandler):
    server: Api

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, body, dict(self.headers)))
        status, answer = self.server.answer(body["input"])
        sent = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {**self.server.headers, "Content-Length": str(len(sent))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Sparse:
    """A local encoder that has only terms, and does not always answer."""

    model = "sparse/1"
    state = "ready"
    awake = False
    there = True

    def probe(self) -> str:
        return self.state

    def wake(self) -> None:
        self.awake = True

    def query(self, text: str, timeout: float) -> Embedding | None:
        return self.of(text) if self.there else None

    def texts(self, texts: list[str], timeout: float) -> list[Embedding] | None:
        return [self.of(text) for text in texts] if self.there else None

    def of(self, text: str) -> Embedding:
        terms = SparseVector(np.array([len(text)], np.uint32), np.ones(1, np.float32))
        return Embedding(np.ones((1, 1), np.float32), terms)

    def close(self) -> None:
        self.awake = False


def vector(text: str) -> list[float]:
    return [float(len(text)), float(ord(text[0])), 1.0]


def embedded(inputs: list[str]) -> dict[str, Any]:
    """In an order of its own: the index says which is which."""
    return {"data": [{"index": at, "embedding": vector(text)} for at, text in reversed(list(enumerate(inputs)))]}


def unit(text: str) -> np.ndarray:
    row = np.array(vector(text))
    return row / np.linalg.norm(row)


def says(status: int, answer: Any = b"") -> Callable[[list[str]], Answer]:
    return lambda _inputs: (status, answer)


def rows(*given: Any) -> Callable[[list[str]], Answer]:
    return says(200, {"data": [{"index": at, "embedding": row} for at, row in enumerate(given)]})


@pytest.fixture
def api() -> Iterator[Api]:
    with Api() as server:
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        serving.start()
        yield server
        server.shutdown()
        serving.join()


@pytest.fixture
def encoder(api) -> RemoteEncoder:
    return RemoteEncoder(api.url, "small", KEY)


def wait_for_probe() -> None:
    for thread in threading.enumerate():
        if thread.name == "remote-encoder":
            thread.join(PATIENCE)


# --- What is asked and what comes ---


def test_texts_become_unit_rows_in_their_order(api, encoder):
    texts = ["one", "two and more", "three"]
    found = encoder.texts(texts, PATIENCE)
    for text, embedding in zip(texts, found, strict=True):
        assert embedding.dense.dtype == np.float32
        np.testing.assert_allclose(embedding.dense, [unit(text)], rtol=1e-6)
        assert len(embedding.sparse.terms) == len(embedding.sparse.weights) == 0
    np.testing.assert_allclose(encoder.query("four", PATIENCE).dense, [unit("four")], rtol=1e-6)
    path, body, headers = api.requests[0]
    assert (path, body) == ("/v1/embeddings", {"model": "small", "input": texts})
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert (encoder.model, encoder.state) == ("remote:small", "ready")


def test_no_key_is_no_header_and_a_slash_at_the_end_changes_nothing(api):
    assert RemoteEncoder(api.url + "/", "small").query("one", PATIENCE) is not None
    path, _, headers = api.requests[0]
    assert path == "/v1/embeddings"
    assert "Authorization" not in headers


def test_many_texts_are_asked_for_in_batches(api, encoder):
    texts = [f"{number:03} text" for number in range(150)]
    found = encoder.texts(texts, PATIENCE)
    assert [len(body["input"]) for _, body, _ in api.requests] == [64, 64, 22]
    np.testing.assert_allclose(found[149].dense, [unit(texts[149])], rtol=1e-6)
    assert encoder.texts([], PATIENCE) == []


def test_a_server_that_takes_fewer_at_once_gets_fewer(api, encoder):
    api.most = 32
    assert len(encoder.texts(["text"] * 64, PATIENCE)) == 64
    assert len(encoder.texts(["text"] * 64, PATIENCE)) == 64
    assert [len(body["input"]) for _, body, _ in api.requests] == [64, 32, 32, 32, 32]


@pytest.mark.parametrize(
    "text",
    ["word " * 1000, "x" * 3000, "a" * 400 + " " + "b" * 900 + "\n" + "c " * 900, "字" * 2500],
    ids=["words", "one word", "mixed", "no spaces"],
)
def test_a_long_text_comes_in_windows_that_overlap_and_leave_nothing_out(text, api, encoder):
    [found] = encoder.texts([text], PATIENCE)
    windows = api.requests[0][1]["input"]
    assert len(found.dense) == len(windows) > 1
    assert all(len(window) <= 1000 for window in windows)
    start = end = 0
    for window in windows:
        start = text.index(window, max(start, end - 150))
        assert start <= end
        end = start + len(window)
    assert end == len(text)


def test_words_are_not_cut_where_there_are_spaces(api, encoder):
    encoder.texts(["word " * 1000], PATIENCE)
    assert {word for window in api.requests[0][1]["input"] for word in window.split()} == {"word"}


def test_a_question_is_asked_while_its_caller_does_something_else(api, encoder):
    begun = [encoder.begin(text, PATIENCE) for text in ("one", "four")]
    assert all(pending.ready(PATIENCE) for pending in begun)
    assert len(api.requests) == 2, "nobody has waited for a result yet"
    for pending, text in zip(begun, ("one", "four"), strict=True):
        np.testing.assert_allclose(pending.result().dense, [unit(text)], rtol=1e-6)


def test_an_address_that_cannot_be_reached_is_not_begun_with_while_it_rests():
    with socket.socket() as bound:  # but not listening
        bound.bind(("127.0.0.1", 0))
        encoder = RemoteEncoder(f"http://127.0.0.1:{bound.getsockname()[1]}/v1", "small")
        assert encoder.begin("one", PATIENCE).result() is None
        assert encoder.begin("two", PATIENCE) is None


def test_of_a_long_question_the_first_window_is_asked(api, encoder):
    assert len(encoder.query("word " * 1000, PATIENCE).dense) == 1
    assert [len(body["input"]) for _, body, _ in api.requests] == [1]


@pytest.mark.parametrize("text", ["", " \n", "\ud800"])
def test_a_text_that_servers_refuse_is_asked_for_as_one_that_they_take(text, api, encoder):
    assert encoder.texts([text], PATIENCE)[0].dense.shape == (1, 3)
    sent = api.requests[0][1]["input"][0]
    assert sent.strip()
    assert sent.encode()


# --- The sparse part ---


def test_the_sparse_part_comes_from_the_local_encoder(api):
    sparse = Sparse()
    encoder = RemoteEncoder(api.url, "small", sparse=sparse)
    encoder.wake()
    wait_for_probe()
    assert sparse.awake
    assert encoder.model == "remote:small+sparse/1"
    assert encoder.query("four", PATIENCE).sparse.terms.tolist() == [4]
    assert [each.sparse.terms.tolist() for each in encoder.texts(["a", "bb"], PATIENCE)] == [[1], [2]]
    sparse.there, sparse.state = False, "loading"
    assert encoder.query("four", PATIENCE) is None
    assert encoder.texts(["a"], PATIENCE) is None
    assert encoder.state == "loading"


# --- What goes wrong ---

WRONG = {
    "not JSON": (says(200, b"<html>"), "form"),
    "no object": (says(200, [1]), "form"),
    "no data": (says(200, {"embeddings": []}), "form"),
    "too few": (rows([1.0, 2.0, 3.0]), "form"),
    "too many": (rows([1.0], [1.0], [1.0]), "rows"),
    "rows of two lengths": (rows([1.0], [1.0, 2.0]), "form"),
    "rows of nothing": (rows([], []), "rows"),
    "numbers for rows": (rows(1.0, 2.0), "rows"),
    "words for numbers": (rows(["1.0"], ["2.0"]), "rows"),
    "base64": (rows("AACAPw==", "AACAPw=="), "rows"),
    "not a number": (rows([1.0, float("nan")], [1.0, 2.0]), "finite"),
    "infinite": (rows([1.0, float("inf")], [1.0, 2.0]), "finite"),
    "nothing at all": (rows([0.0, 0.0], [1.0, 2.0]), "zero"),
    "an error": (says(400, {"error": "no"}), "400"),
    "a wrong key": (says(401, {"error": "no"}), "key"),
    "an unknown model": (says(404, {"error": "no"}), "small"),
}


@pytest.mark.parametrize(("answer", "why"), WRONG.values(), ids=WRONG)
def test_an_answer_that_is_none_gives_nothing_and_is_told(answer, why, api, encoder, caplog):
    caplog.set_level(logging.DEBUG)
    api.answers = [answer]
    assert encoder.texts(["one", "two"], PATIENCE) is None
    assert why in encoder.state
    assert KEY not in encoder.state + repr(encoder) + str(vars(encoder).get("_condition")) + caplog.text
    assert len(api.requests) == 1
    assert encoder.texts(["one", "two"], PATIENCE) is not None
    assert encoder.state == "ready"


def test_rows_of_very_large_or_small_numbers_become_unit_rows(api, encoder):
    api.answers = [rows([3e300, 4e300], [3e-300, 4e-300])]
    found = encoder.texts(["one", "two"], PATIENCE)
    np.testing.assert_allclose([each.dense[0] for each in found], [[0.6, 0.8]] * 2, rtol=1e-6)


def test_another_dimension_than_before_is_refused(api, encoder):
    assert encoder.query("one", PATIENCE) is not None
    api.answers = [rows([1.0, 2.0])]
    assert encoder.query("one", PATIENCE) is None
    assert "2 dimensions, before with 3" in encoder.state


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_busy_server_is_asked_again(status, api, encoder):
    api.answers = [says(status)]
    assert encoder.query("one", PATIENCE) is not None
    assert len(api.requests) == 2


def test_a_busy_server_is_not_asked_longer_than_there_is_time(api, encoder):
    api.answers = [says(503)] * 100
    assert encoder.texts(["one"], 0.6) is None
    assert "503" in encoder.state
    assert len(api.requests) < 4


def test_a_server_that_wants_more_time_than_there_is_is_left_alone(api, encoder):
    api.answers = [says(429)] * 2
    api.headers = {"Retry-After": "3600"}
    assert encoder.query("one", PATIENCE) is None
    assert "429" in encoder.state
    assert len(api.requests) == 1


def test_a_server_that_does_not_answer_in_time_gives_nothing_and_questions_rest(api, encoder):
    answered = threading.Event()
    api.answers = [lambda inputs: (answered.wait(PATIENCE) and 200, embedded(inputs))]
    assert encoder.query("one", 0.2) is None
    assert "in time" in encoder.state
    answered.set()
    before = len(api.requests)
    assert encoder.query("one", PATIENCE) is None
    assert len(api.requests) == before
    assert encoder.texts(["one"], PATIENCE) is not None
    assert encoder.state == "ready"


def test_an_address_where_nobody_listens_gives_nothing(api):
    encoder = RemoteEncoder(api.url, "small", KEY)
    api.shutdown()
    api.server_close()
    assert encoder.texts(["one"], PATIENCE) is None
    assert encoder.state.startswith(f"unreachable: {api.url}: ")
    encoder.wake()
    wait_for_probe()
    assert encoder.state != "ready"


def test_a_redirection_takes_neither_key_nor_text_along(api, encoder):
    with Api() as elsewhere:
        threading.Thread(target=elsewhere.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        for status in (301, 302, 307, 308):
            api.answers, api.headers = [says(status)], {"Location": f"{elsewhere.url}/embeddings"}
            assert encoder.query("one", PATIENCE) is None
            assert str(status) in encoder.state
        elsewhere.shutdown()
        assert elsewhere.requests == []


def test_a_server_on_this_machine_is_not_looked_for_behind_a_proxy(api, encoder, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    assert encoder.query("one", PATIENCE) is not None


def test_waking_finds_out_whether_the_server_answers(api, encoder):
    assert encoder.state == "loading"
    encoder.wake()
    wait_for_probe()
    assert encoder.state == "ready"
    encoder.wake()
    wait_for_probe()
    assert len(api.requests) == 1
    encoder.close()


# --- What is refused ---


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://models.example.com/v1", KEY),
        ("http://10.0.0.7:8080/v1", KEY),
        ("http://localhost.example.com/v1", KEY),
        ("ftp://localhost/v1", None),
        ("localhost:11434/v1", None),
        ("http:///v1", None),
        ("http://localhost:0x/v1", None),
        ("http://local host/v1", None),
        (f"https://ann:{KEY}@models.example.com/v1", None),
        (f"https://models.example.com/v1?key={KEY}", None),
        ("https://models.example.com/v1", KEY + "\n"),
        ("https://models.example.com/v1", "two words"),
        ("https://models.example.com/v1", "schlüssel"),
    ],
)
def test_an_address_or_key_that_cannot_be_used_safely_is_refused(url, key):
    with pytest.raises(InvalidInput) as refused:
        RemoteEncoder(url, "small", key)
    assert KEY not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://models.example.com/v1", KEY),
        ("http://localhost:11434/v1", KEY),
        ("http://[::1]:11434/v1", KEY),
        ("http://127.1.2.3/v1", KEY),
        ("http://10.0.0.7:8080/v1", None),
        ("http://10.0.0.7:8080/v1", ""),
    ],
)
def test_an_address_that_keeps_the_key_safe_is_taken(url, key):
    assert KEY not in repr(RemoteEncoder(url, "small", key))


def test_a_model_without_a_name_is_refused():
    with pytest.raises(InvalidInput, match="model"):
        RemoteEncoder("http://localhost:11434/v1", " ")
