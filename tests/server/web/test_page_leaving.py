"""A server that `indelible ui` starts leaves when the page is closed and nobody else uses it."""

import http.client
import subprocess
from urllib.parse import urlsplit

import pytest

import forked
from http_server import PATIENCE
from indelible.server.http.middleware import Traffic
from indelible.server.http.server import Use
from mcp_client import environment


def test_a_use_lasts_while_a_page_is_open_and_a_while_after_each_request():
    traffic, use = Traffic(), Use(90)
    assert not use.has_ended(traffic, 0)
    traffic.answered["/", 200] += 1
    assert not use.has_ended(traffic, 80)
    assert not use.has_ended(traffic, 169)
    with traffic.one_of("ann", listening=True):
        assert not use.has_ended(traffic, 10_000)
    assert not use.has_ended(traffic, 10_089)
    with traffic.one_of("an agent"):
        assert not use.has_ended(traffic, 10_095)
    assert not use.has_ended(traffic, 10_184)
    assert use.has_ended(traffic, 10_185)


@pytest.mark.full
@pytest.mark.process
def test_the_server_of_a_page_leaves_when_the_page_is_closed(tmp_path):
    options = ("--data", str(tmp_path / "data"), "--http", "127.0.0.1:0", "--no-browser", "--idle", "3")
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    process = forked.start(("ui", *options), **pipes, env=environment(), cwd=tmp_path)
    try:
        link = urlsplit(process.stdout.readline().strip())
        connection = http.client.HTTPConnection(link.netloc, timeout=PATIENCE)
        connection.request("GET", f"{link.path}?{link.query}")
        answer = connection.getresponse()
        answer.read()
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
        connection.request("GET", "/live", headers={"Cookie": cookie})
        stream = connection.getresponse()
        events = [stream.readline() for _ in range(2)]
        assert events[0] == b"event: ready\n"
        assert process.poll() is None
        stream.close()
        connection.close()
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
