"""What an HTTP server offers beside tools, asked in both eras: resources, prompts, completions, streams."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from drawn_calls import Drawn
from eras import ERAS, MODERN
from http_server import MCP, PATIENCE, HttpServer, ask
from indelible.server.mcp import prompts, resources

GRAPH = resources.GRAPH
# Which a server tells by its own clock, and some days later otherwise.
AGES = re.compile(r'(?<= age=\\")[^"\\]*|\b(\d+|an?) (minute|hour|day|week|month|year)s? ago\b')
_VARIABLE = re.compile(r"\{(\w+)\}")
_NAMES = {"prompts/get": "name", "resources/read": "uri", "tools/call": "name"}  # what a header says, too

Request = tuple[str, dict[str, Any]]


def written(era: str, secret: str, method: str, params: Mapping[str, Any]) -> tuple[bytes, dict[str, str]]:
    """The body and the headers of a request of an era."""
    headers = {**MCP, "Authorization": f"Bearer {secret}"}
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params)}
    if era == "2026":
        body["params"]["_meta"] = {**MODERN, **params.get("_meta", {})}
        headers |= {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
        if method in _NAMES:
            headers["Mcp-Name"] = params[_NAMES[method]]
    return json.dumps(body).encode(), headers


def of_resources(draw: Drawn, each: int) -> Iterator[Request]:
    """Every template filled in with what is known of the caller, of others, and of nobody."""
    yield "resources/read", {"uri": GRAPH}
    for template in resources.TEMPLATES:
        (name,) = _VARIABLE.findall(template.uri_template)
        kind = {"id": "memory", "namespace": "namespace"}[name]
        for number in range(each):
            value = quote(str(draw.known(kind, own=not number)), safe="")
            yield "resources/read", {"uri": template.uri_template.replace(f"{{{name}}}", value)}


def of_prompts(draw: Drawn, each: int) -> Iterator[Request]:
    """Every prompt: with all of its arguments of the caller's own, then with others, which it need not have."""
    kinds = {"namespace": "namespace", "file_path": "file", "fix": "entity"}
    for prompt in prompts.PROMPTS.values():
        for number in range(each):
            given = {}
            for argument in prompt.arguments:
                value = draw.known(kinds.get(argument.name, "text"), own=not number)
                if argument.required or not number or draw.of((True, False)):
                    given[argument.name] = str(draw.of(argument.values) if argument.values else value)
            yield "prompts/get", {"name": prompt.name, "arguments": given}


def of_completions(typed: list[str]) -> Iterator[Request]:
    """Every argument of a prompt and every variable of a template, with the beginnings of what may be proposed."""
    refs: list[tuple[dict[str, str], list[str]]] = [
        ({"type": "ref/prompt", "name": prompt.name}, [argument.name for argument in prompt.arguments])
        for prompt in prompts.PROMPTS.values()
    ]
    refs += [
        ({"type": "ref/resource", "uri": each.uri_template}, _VARIABLE.findall(each.uri_template))
        for each in resources.TEMPLATES
    ]
    for ref, names in refs:
        for name in names:
            for value in typed:
                yield "completion/complete", {"ref": ref, "argument": {"name": name, "value": value}}


def answers(server: HttpServer, secret: str, asked: list[Request]) -> list[tuple[str, str, dict[str, Any], str]]:
    """What is answered in each era, without ages."""
    found = []
    connection = server.connect()
    try:
        for era in ERAS:
            for method, params in asked:
                answer = ask(connection, "POST", "/mcp", *written(era, secret, method, params))
                assert answer.status < 500, answer.body
                found.append((era, method, params, AGES.sub("<age>", answer.body.decode())))
    finally:
        connection.close()
    return found


def told(server: HttpServer, secret: str, era: str, count: int) -> set[tuple[int, int]]:
    """What is said of the steps of an import: the last, and all that there are."""
    items = [{"content": f"{era} fact {number}: module{number % 7} waits"} for number in range(count)]
    call = {"name": "import_memories", "arguments": {"memories": items}, "_meta": {"progressToken": "steps"}}
    body, headers = written(era, secret, "tools/call", call)
    lines = server.request("POST", "/mcp", body, headers).body.decode().splitlines()
    said = [json.loads(line.removeprefix("data:")) for line in lines if line.startswith("data:") and "progress" in line]
    steps = [each["params"] for each in said if each.get("method") == "notifications/progress"]
    return {(step["progress"] if step is steps[-1] else 0, step["total"]) for step in steps} - {(0, count)}


class Stream:
    """A stream of the 2026 era that tells of changes of the graph."""

    def __init__(self, server: HttpServer, secret: str) -> None:
        body, headers = written(
            "2026", secret, "subscriptions/listen", {"notifications": {"resourceSubscriptions": [GRAPH]}}
        )
        head = {**headers, "Host": f"{server.host}:{server.port}", "Content-Length": str(len(body))}
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        self._heard = b""
        self._socket = socket.create_connection((server.host, server.port), PATIENCE)
        self._socket.sendall(f"POST /mcp HTTP/1.1\r\n{lines}\r\n".encode() + body)
        self._until(b"acknowledged", 1)

    def _until(self, what: bytes, times: int) -> None:
        while self._heard.count(what) < times:
            part = self._socket.recv(1 << 16)
            assert part, self._heard
            self._heard += part

    def news(self) -> int:
        """How often it was told of a change up to now."""
        self._socket.setblocking(False)
        try:
            while part := self._socket.recv(1 << 16):
                self._heard += part
        except BlockingIOError:
            pass
        finally:
            self._socket.settimeout(PATIENCE)
        return self._heard.count(b"resources/updated")

    def hear(self, times: int) -> None:
        """Wait until it was told so often of a change."""
        self._until(b"resources/updated", times)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()
