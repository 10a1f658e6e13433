"""No answer over HTTP names a path of the server: its data, its home or its installation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import indelible
from every_tool import EXAMPLES, PREPARED
from http_server import MCP, HttpServer
from indelible.server.mcp import prompts
from indelible.toolsets import registry

pytestmark = pytest.mark.process

WRONG: tuple[Any, ...] = (None, -1, "", "../../../etc/passwd", ["x"], {"a": 1}, "/nowhere/at/all")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    with HttpServer(tmp_path_factory.mktemp("machine") / "data") as running:
        running.call("import_memories", {"memories": PREPARED})
        yield running


def paths(server: HttpServer) -> list[str]:
    installed = Path(indelible.__file__).parent
    return [str(server.data), str(server.data.parent), str(Path.home()) + "/", str(installed), "site-packages"]


def rpc(method: str, params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def test_no_tool_names_one(server: HttpServer) -> None:
    for tool in registry.all_tools().values():
        good = EXAMPLES[tool.name]
        wrong = [{**good, name: value} for name in tool.input_schema.get("properties", {}) for value in WRONG]
        batch = [rpc("tools/call", {"name": tool.name, "arguments": each}) for each in (good, *wrong, {"no": 1})]
        for at in range(0, len(batch), 100):
            answer = server.post("/jsonrpc", batch[at : at + 100])
            assert answer.status == 200
            told = answer.body.decode()
            assert [path for path in paths(server) if path in told] == [], (tool.name, told[:2000])


def test_no_other_request_names_one(server: HttpServer) -> None:
    asked = [
        *(rpc(f"{what}/list", {}) for what in ("tools", "prompts", "resources", "resources/templates")),
        *(rpc("resources/read", {"uri": uri}) for uri in ("memory://knowledge-graph", "memory://none", "file:///etc")),
        *(
            rpc("prompts/get", {"name": name, "arguments": {each.name: "x" for each in prompt.arguments}})
            for name, prompt in prompts.PROMPTS.items()
        ),
        rpc("completion/complete", {"ref": {"type": "ref/resource", "uri": "memory://{id}"}, "argument": {}}),
        rpc("nothing", {}),
    ]
    told = [server.post("/mcp", each, MCP).body.decode() for each in asked]
    told += [server.get(path).body.decode() for path in ("/health", "/metrics", "/", "/p/x/nothing", "/%00")]
    told += [server.post(path, b"{").body.decode() for path in ("/mcp", "/jsonrpc", "/health")]
    said = json.dumps(told)
    assert [path for path in paths(server) if path in said] == []
