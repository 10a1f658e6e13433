"""Every curl example of the reference of the context tools, as it stands there, against a server on port 5050."""

import json
import re
import socket
import subprocess

import pytest

from http_server import HttpServer
from ltmc_reference import EXAMPLES, REFERENCE, assert_shaped, documents

pytestmark = pytest.mark.process

PORT = 5050
SAID = {"content": "How do JWT access tokens expire?", "conversation_id": "session_123", "message_id": "msg_123"}


def _taken():
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", PORT)) == 0


def request_of(example):
    """The request of an example, as the reference writes it."""
    params = {"name": example["tool"], "arguments": example["arguments"]}
    return {"jsonrpc": "2.0", "method": "tools/call", "params": params, "id": 1}


@pytest.mark.needs("curl")
def test_every_example_gives_the_documented_fields(tmp_path):
    """One test: there is one port 5050, and tests run side by side."""
    if _taken():
        pytest.skip(f"something listens on port {PORT} of this machine: the examples of the reference were NOT run")
    with HttpServer(tmp_path / "data", http=str(PORT)) as server:
        assert server.url == f"http://127.0.0.1:{PORT}"
        assert server.call("import_memories", {"memories": list(documents())})["errors"] == []
        server.call("log_chat", SAID)
        server.call("store_memory", {"content": "User storing project documentation"})
        for example in EXAMPLES:  # in their order: some read what others before them wrote
            answer = server.post("/jsonrpc", request_of(example))
            assert answer.status == 200
            assert set(answer.json) == {"jsonrpc", "result", "id"}
            assert (answer.json["jsonrpc"], answer.json["id"]) == ("2.0", 1)
            assert_documented(answer.json["result"], example)
        for command, example in commands():
            ran = subprocess.run(["sh", "-c", command], capture_output=True, check=True, timeout=50)
            assert_documented(json.loads(ran.stdout)["result"], example)


def commands():
    """The commands of the reference as they stand there, where it is beside this repository."""
    if not REFERENCE.exists():
        return []
    found = re.findall(r"```bash\n(curl .*?)```", REFERENCE.read_text(encoding="utf-8"), re.DOTALL)
    return list(zip(found, EXAMPLES, strict=True))


def assert_documented(result, example):
    assert result["success"] is True
    assert_shaped(result, example["result"], example["tool"])
