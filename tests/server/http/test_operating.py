"""What an operator needs of a server over HTTP: TLS, metrics on a port of their own, logs with the ids of requests."""

import http.client
import json
import os
import re
import signal
import ssl

import pytest

from certificates import self_signed
from command_line import done, indelible
from http_server import HttpServer
from indelible.errors import InvalidInput
from indelible.server import json_logs
from indelible.server.error_ids import begin_request
from indelible.server.http.listen import Address
from indelible.server.http.tls import Certificate
from indelible.server.web.serving import certified

PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
JSON = {"Content-Type": "application/json"}


class Served:
    """A server with a token, TLS, a port of metrics and a log in a file."""

    def __init__(self, place):
        self.place = place
        self.certificate = self_signed(place)
        self.secret = done("token", "create", "me", "--scope", "read", data=place / "data").strip()
        self.log = place / "server.log"
        files = ("--tls-cert", str(place / "cert.pem"), "--tls-key", str(place / "key.pem"))
        logs = ("--log-level", "info", "--log-file", str(self.log))
        self.server = HttpServer(place / "data", *files, *logs, "--metrics", "127.0.0.1:0")

    @property
    def metrics_port(self):
        return int(re.search(r"metrics at http://127.0.0.1:(\d+)/metrics", self.server.stderr)[1])

    def asked(self, path="/jsonrpc", body=PING, **headers):
        """The answer, over TLS, and the serial number of the certificate that came with it."""
        trusted = ssl.create_default_context(cafile=str(self.certificate[0]))
        connection = http.client.HTTPSConnection(self.server.host, self.server.port, context=trusted, timeout=30)
        try:
            connection.connect()
            serial = connection.sock.getpeercert()["serialNumber"]
            given = {**JSON, "Authorization": f"Bearer {self.secret}", **headers}
            connection.request("GET" if body is None else "POST", path, body, given)
            answer = connection.getresponse()
            answer.read()
            return answer, serial
        finally:
            connection.close()

    def lines(self, file=None):
        """The requests in the log."""
        log = file or self.log
        text = log.read_text(encoding="utf-8") if log.exists() else ""
        told = [json.loads(line) for line in text.splitlines()]
        return [line for line in told if line["event"] == "request"]

    def line_of(self, answer):
        """The line of the log about the request of an answer, which is written once that is sent."""
        while True:
            assert self.server.process.poll() is None
            if found := [each for each in self.lines() if each["requestId"] == answer.headers["x-request-id"]]:
                (line,) = found
                return line

    def metrics(self, path="/metrics", host="127.0.0.1"):
        """The status and the text of an answer on the port of the metrics, without a token."""
        connection = http.client.HTTPConnection("127.0.0.1", self.metrics_port, timeout=30)
        try:
            connection.request("GET", path, headers={"Host": host})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    made = Served(tmp_path_factory.mktemp("operating"))
    with made.server:
        yield made


@pytest.mark.process
def test_a_server_speaks_tls_and_says_so(served):
    assert f"serving https://127.0.0.1:{served.server.port}/mcp" in served.server.stderr
    assert served.asked()[0].status == 200
    with pytest.raises((http.client.HTTPException, OSError)):
        served.server.request("GET", "/health")


@pytest.mark.process
def test_ui_finds_a_server_that_speaks_tls_and_opens_its_page(served):
    link = done("ui", "--no-browser", data=served.place / "data").strip()
    where, _, path = link.partition("/open")
    assert where == f"https://127.0.0.1:{served.server.port}"
    answer, _ = served.asked(f"/open{path}", body=None)
    assert (answer.status, answer.headers["location"]) == (303, "/")
    assert "Secure" in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    ("host", "allowed", "url"),
    [
        ("memory.example.org", (), "https://memory.example.org:443"),
        ("0.0.0.0", ("memory.example.org", "other.example.org"), "https://memory.example.org:443"),
        ("::", (), "https://localhost:443"),
    ],
)
def test_the_page_of_a_server_with_tls_is_opened_by_a_name_that_a_certificate_can_be_for(host, allowed, url):
    assert certified(Address(host, 443, "https"), allowed).url == url


@pytest.mark.process
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signal here")
def test_a_renewed_certificate_is_taken_in_and_a_broken_one_is_not(served):
    _, before = served.asked()
    files = [file.read_bytes() for file in self_signed(served.place)]
    (served.place / "key.pem").write_text("none")
    os.kill(served.server.process.pid, signal.SIGHUP)
    while "certificate not renewed" not in served.log.read_text():
        assert served.server.process.poll() is None
    (served.place / "key.pem").write_bytes(files[1])
    os.kill(served.server.process.pid, signal.SIGHUP)
    while "certificate renewed" not in served.log.read_text():
        assert served.server.process.poll() is None
    assert served.asked()[1] != before


def test_a_renewal_reads_the_files_once_so_that_what_is_replaced_meanwhile_is_taken_whole(tmp_path, monkeypatch):
    reads = []

    class Context(ssl.SSLContext):
        def load_cert_chain(self, *given, **more):
            super().load_cert_chain(*given, **more)
            reads.append(given)
            files[1].write_text("the next key, half written")

    files = self_signed(tmp_path)
    certificate = Certificate(*files)
    self_signed(tmp_path)
    monkeypatch.setattr(ssl, "SSLContext", Context)
    certificate.renew()
    assert reads == [files]


@pytest.mark.process
def test_metrics_and_health_have_a_port_of_their_own_which_has_nothing_else(served):
    status, text = served.metrics()
    assert status == 200
    assert "# TYPE indelible_records gauge" in text
    assert served.metrics("/health") == (200, '{"status":"ok"}')
    assert served.metrics("/jsonrpc")[0] == 404
    assert served.asked("/metrics", None)[0].status == 200  # with a token, as before
    assert served.asked("/metrics", None, Authorization="Bearer ind_wrong")[0].status == 401


@pytest.mark.process
@pytest.mark.parametrize(
    ("host", "status"), [("10.0.0.7:9464", 200), ("[fd00::7]:9464", 200), ("localhost", 200), ("evil.example", 421)]
)
def test_a_prometheus_may_call_that_port_by_any_address_and_a_web_page_by_no_name(served, host, status):
    assert served.metrics(host=host)[0] == status


@pytest.mark.process
def test_each_request_has_an_id_which_is_in_the_answer_and_in_the_log(served):
    answer, _ = served.asked(**{"X-Request-ID": "proxy-1"})
    assert answer.headers["x-request-id"] == "proxy-1"
    line = served.line_of(answer)
    assert (line["method"], line["route"], line["status"]) == ("POST", "/jsonrpc", 200)
    assert re.fullmatch("[0-9]+ tok_[0-9a-f]+", line["caller"])
    assert served.secret not in served.log.read_text()
    new = served.asked(**{"X-Request-ID": "not an id"})[0].headers["x-request-id"]
    assert re.fullmatch(r"[0-9a-f]{32}", new)
    refused = served.asked("/p/secret-project/jsonrpc", Authorization="Bearer ind_wrong")[0]
    line = served.line_of(refused)
    assert (line["route"], line["status"]) == ("/jsonrpc", 401)
    assert "secret-project" not in served.log.read_text()


@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be moved here")
def test_a_log_that_was_moved_away_is_begun_again(served):
    moved = served.log.with_suffix(".1")
    served.line_of(served.asked(**{"X-Request-ID": "before"})[0])
    served.log.rename(moved)
    served.line_of(served.asked(**{"X-Request-ID": "after"})[0])
    assert [line["requestId"] for line in served.lines()] == ["after"]
    assert "before" in [line["requestId"] for line in served.lines(moved)]
    assert served.log.stat().st_mode & 0o777 == 0o600
    served.log.write_bytes(moved.read_bytes() + served.log.read_bytes())


@pytest.mark.parametrize("given", ["", "a b", "x" * 65, "a\nb", "ü"])
def test_an_id_that_could_not_stand_in_a_log_is_replaced(given):
    assert re.fullmatch(r"[0-9a-f]{32}", begin_request(given))


def test_files_that_are_no_certificate_are_refused_before_anything_is_served(tmp_path):
    chain, key = self_signed(tmp_path)
    for files in ((tmp_path / "none.pem", key), (key, chain), (chain, chain)):
        with pytest.raises(InvalidInput, match="are no certificate with its key"):
            Certificate(*files)


def test_a_log_file_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match=r"--log-file .* cannot be written: No such file or directory"):
        json_logs.start(file=tmp_path / "nowhere" / "server.log")


@pytest.mark.process
@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--tls-cert", "cert.pem"), "--tls-cert is for a server over HTTP"),
        (("--metrics", "9464"), "--metrics is for a server over HTTP"),
        (("--http", "0", "--tls-cert", "cert.pem"), "belong together"),
        (("--http", "0", "--metrics", "x"), r"--metrics must be \[HOST:\]PORT"),
    ],
)
def test_flags_that_do_not_fit_are_refused(options, why, tmp_path):
    ran = indelible("serve", *options, data=tmp_path / "data")
    assert ran.returncode == 1
    assert re.search(why, ran.stderr.decode())
