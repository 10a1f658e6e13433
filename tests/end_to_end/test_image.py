"""The image is built and started, and so are the services of compose.yaml (packaging/docker)."""

import json
import socket
import urllib.request
from contextlib import closing

import pytest

from containers import DOCKER, ROOT, Podman, composed, start

LARGEST = 450_000_000  # bytes
NOTE = {"content": "Deploys go out on Tuesdays"}

pytestmark = [
    pytest.mark.full,
    pytest.mark.process,
    pytest.mark.timeout(1_800),
    pytest.mark.needs("podman"),
    pytest.mark.needs("debootstrap"),
    pytest.mark.sqlite("an image of its own"),
]


@pytest.fixture(scope="module")
def podman(tmp_path_factory):
    directory = tmp_path_factory.mktemp("podman")
    with closing(Podman(directory)) as engine:
        engine.make_base(directory / "base")
        engine.build("indelible", DOCKER / "Dockerfile", ROOT, BASE="localhost/indelible-base")
        yield engine


@pytest.fixture
def port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def asked(port, secret, method, params):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {secret}"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/jsonrpc", body, headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["result"]


def remembers(port, secret):
    stored = asked(port, secret, "store_memory", NOTE)
    return [hit["id"] for hit in asked(port, secret, "recall_memory", {"query": "deploys"})] == [stored["id"]]


def test_the_image_is_small_and_serves_without_root_on_what_it_cannot_change(podman, port):
    assert podman.size("indelible") <= LARGEST
    apart = ("--read-only", "--tmpfs=/tmp", "--volume=memory:/data")
    secret = podman("run", "--rm", *apart, "indelible", "token", "create", "me", "--scope", "write").splitlines()[0]
    podman("run", "--detach", "--name=served", *apart, f"--publish=127.0.0.1:{port}:5050", "indelible")
    podman.becomes_healthy("served")
    assert remembers(port, secret)
    assert podman("exec", "served", "id", "-u") == "10001"
    for place in ("/", "/opt/indelible"):
        assert "Read-only file system" in podman.try_to("exec", "served", "touch", f"{place}/x").stderr
    podman("stop", "served")
    assert podman("inspect", "--format={{.State.ExitCode}}", "served") == "0"


def test_a_server_in_a_container_does_not_start_without_a_token(podman):
    ran = podman.try_to("run", "--rm", "--read-only", "--tmpfs=/tmp", "--volume=nothing:/data", "indelible")
    assert ran.returncode
    assert "the store /data has no token" in ran.stderr


def test_the_services_of_compose_start_in_their_order_and_keep_the_memory_in_postgresql(podman, port, tmp_path):
    podman.make_postgres(tmp_path / "postgres")
    variables = {
        "POSTGRES_PASSWORD": "a word",
        "POSTGRES_IMAGE": "localhost/indelible-postgres",
        "INDELIBLE_IMAGE": "localhost/indelible",
        "INDELIBLE_PORT": str(port),
    }
    with composed(podman, variables) as services:
        secret = start(podman, services, "indelible", "token", "create", "me", "--scope", "write").splitlines()[0]
        start(podman, services, "indelible")
        podman.becomes_healthy("indelible")
        assert remembers(port, secret)
        assert "indelible.db" not in podman("exec", "indelible", "ls", "/data")
