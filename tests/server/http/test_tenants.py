"""Several tenants on one server: each sees its own alone, by whatever door, tool and token it comes."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import httpx2
import mcp
import pytest
from anyio.abc import TaskStatus
from mcp.client.streamable_http import streamable_http_client
from test_http_foreign import FAMILIES, bearer, called, without

import apart
from every_tool import EXAMPLES, PREPARED, SMALL_CODEBASE
from http_server import HttpServer
from indelible.admin import tenants, tokens
from indelible.admin.maintenance import Housekeeper
from indelible.capture import ingest, spool
from indelible.core.context.context import Context
from indelible.core.context.permissions import Grant
from indelible.core.records import exporting
from indelible.errors import Forbidden, IndelibleError
from indelible.sanitize.prompt_frame import json_text
from indelible.sanitize.secret_spans import redact_text
from indelible.server.http.tenants import Tenants
from indelible.server.request_context import Connection, client
from indelible.settings import MOST_TENANT
from indelible.store.tables import activity
from indelible.toolsets import registry
from official_client import over_http
from open_stores import OpenTenant

ONE, TWO = 1, 2
EMPTY = {"legacy": 4, "2026-07-28": 8}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
NOBODY = "A" * 43


# --- The number in a secret ---


@pytest.mark.parametrize(
    ("secret", "tenant"),
    [
        ("ind_" + NOBODY, 1),
        ("ind_7_" + "A" * 41, 1),  # made before there were numbers: the length tells
        ("ind_12345_" + "A" * 37, 1),
        ("ind_" + "7" * 43, 1),
        ("ind_7_" + NOBODY, 7),
        ("ind_7_8_" + "A" * 41, 7),
        ("ind_12345_" + NOBODY, 12_345),
        (f"ind_{MOST_TENANT}_{NOBODY}", MOST_TENANT),
        (f"ind_{MOST_TENANT + 1}_{NOBODY}", None),
        (f"ind_{10**18}_{NOBODY}", None),
        ("ind_1_" + NOBODY, None),  # of the first tenant none is made like that
        ("ind_0_" + NOBODY, None),
        ("ind_02_" + NOBODY, None),
        ("ind_-2_" + NOBODY, None),
        ("ind_2.0_" + NOBODY, None),
        ("ind_²_" + NOBODY, None),
        ("ind_２_" + NOBODY, None),
        ("ind__" + NOBODY, None),
        ("ind_2_" + "A" * 42, None),
        ("ind_2_" + "A" * 44, None),
        ("ind_2_" + "A" * 42 + "\n", None),
        ("ind_2_" + NOBODY + "\n", None),
        ("IND_2_" + NOBODY, None),
        ("", None),
        ("ind_" + "7_" * 50_000, None),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_secret_says_in_whose_rows_it_would_stand(secret: str, tenant: int | None) -> None:
    assert tokens.tenant_of(secret) == tenant


@pytest.mark.process
def test_a_new_secret_is_read_as_it_was_meant_even_where_chance_begins_it_like_a_number(
    open_tenant: OpenTenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = iter(["7_" + "x" * 41, "0123_" + "x" * 38, "y" * 43, "z" * 43])
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: next(drawn))
    made = [tokens.create(open_tenant(tenant), "", "read").secret for tenant in (11, 1)]
    assert made == ["ind_11_" + "y" * 43, "ind_" + "z" * 43]
    assert [tokens.tenant_of(secret) for secret in made] == [11, 1]


@pytest.mark.parametrize("number", ["", "2_", "12345_", f"{MOST_TENANT}_"])
def test_a_secret_of_any_tenant_is_taken_out_of_what_is_stored(number: str) -> None:
    secret = f"ind_{number}{'xY9-_' * 8}abC"
    assert tokens.tenant_of(secret) is not None
    clean, found = redact_text(f"the token is {secret}, keep it")
    assert secret[-40:] not in clean
    assert dict(found) == {"indelible-token": 1}


# --- One server, several tenants ---


@pytest.fixture(scope="module")
def one(open_tenant: OpenTenant) -> Context:
    """The tenant of the server itself, which has one of everything."""
    ctx = open_tenant(ONE)
    done = registry.call(ctx, registry.find_tool("import_memories"), {"memories": PREPARED}).value
    assert done["errors"] == []
    registry.call(ctx, registry.find_tool("index_codebase"), {"path": SMALL_CODEBASE})
    return ctx


@pytest.fixture(scope="module")
def two(open_tenant: OpenTenant) -> Context:
    return open_tenant(TWO)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server") / "data"


@pytest.fixture(scope="module")
def server(one: Context, database: str, data: Path) -> Iterator[HttpServer]:
    tokens.create(one, "the first one", "read")
    with HttpServer(data, "--database", database) as running:
        yield running


@pytest.fixture(scope="module")
def first(one: Context) -> str:
    """A token of the server's own tenant that may do all."""
    return tokens.create(one, "", "admin").secret


@pytest.fixture(scope="module")
def second(two: Context) -> str:
    """The same of another."""
    return tokens.create(two, "", "admin").secret


def exported(ctx: Context) -> list[Any]:
    found = list(exporting.export_all(ctx))
    assert found
    return [{k: v for k, v in each.items() if k not in ("access_count", "last_accessed_at")} for each in found]


MORE: dict[str, list[tuple[str, dict[str, Any], dict[str, Any]]]] = {
    "code": [
        ("search_symbols", {"query": "price"}, {"query": "nobody"}),
        ("search_code", {"query": "price"}, {"query": "nobody"}),
        ("get_symbol_info", {"qualified_name": "prices.total"}, {"qualified_name": "nobody"}),
        ("get_impact", {"qualified_name": "prices.total"}, {"qualified_name": "nobody"}),
    ],
    "lifecycle": [
        ("detect_patterns", {"min_frequency": 1, "namespace": "/projects/old"}, {"namespace": "nobody"}),
        ("pattern_insights", {"min_frequency": 1, "namespace": "/projects/old"}, {"namespace": "nobody"}),
    ],
}


@pytest.mark.process
@pytest.mark.parametrize("family", [*FAMILIES, *MORE])
def test_what_is_another_tenant_s_is_answered_as_what_is_not_there(
    server: HttpServer, one: Context, first: str, second: str, family: str
) -> None:
    before = exported(one)
    for tool, given, nobody in {**FAMILIES, **MORE}[family]:
        said = [without(called(server, second, tool, each), each) for each in (given, nobody)]
        assert said[0] == said[1], tool
    assert exported(one) == before
    tool, given, _ = FAMILIES["memory"][3]
    assert called(server, first, tool, given)  # it is there for who may see it


# What tells of the process or of the hour, or needs the server's machine.
OF_THE_SERVER = {
    *("codemem_metrics", "codemem_health", "codemem_stats", "get_context_usage_statistics"),
    *("index_codebase", "get_cross_repo", "what_changed"),
}


@pytest.mark.process
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_over_mcp_an_empty_tenant_beside_a_full_one_answers_as_an_empty_store(
    server: HttpServer, open_tenant: OpenTenant, tmp_path: Path, mode: str
) -> None:
    secret = tokens.create(open_tenant(EMPTY[mode]), "", "read").secret
    alone = apart.opened(tmp_path / "alone", apart.Clock())
    asked = [name for name, tool in registry.all_tools().items() if not tool.writes and name not in OF_THE_SERVER]

    def here(tool: str) -> str:
        try:
            return apart.plain(apart.call(alone, tool, **EXAMPLES.get(tool, {})), {})
        except IndelibleError as error:
            documented = registry.find_tool(tool).failure(str(error))
            return f"error: {error if documented is None else json_text(documented)}"

    async def talk(talking: Any) -> tuple[dict[str, str], str]:
        said = {}
        for tool in asked:
            answer = await talking.call_tool(tool, EXAMPLES.get(tool, {}))
            value = answer.structured_content
            value = value["result"] if isinstance(value, dict) and value.keys() == {"result"} else value
            said[tool] = f"error: {answer.content[0].text}" if answer.is_error else apart.plain(value, {})
        resources = (await talking.list_resources()).model_dump_json()
        brief = (await talking.read_resource("memory:///recent")).model_dump_json()
        prompt = (await talking.get_prompt("recall-context", {"task": "axum"})).model_dump_json()
        return said, resources + brief + prompt

    said, shown = over_http(f"{server.url}/mcp", mode, talk, bearer(secret))
    try:
        assert said == {tool: here(tool) for tool in asked}
    finally:
        alone.close()
    assert not any(word in shown.lower() for word in ("tower", "middleware", "small_codebase"))


@pytest.mark.process
def test_a_write_of_one_is_read_by_its_own_alone_over_json_rpc_and_mcp(
    server: HttpServer, first: str, second: str
) -> None:
    async def talk(talking: Any) -> Any:
        answer = await talking.call_tool("recall_memory", {"query": "Whose is the numbat?"})
        return [hit["content"] for hit in answer.structured_content["result"]]

    written = {secret: f"The numbat belongs to {who}" for who, secret in (("one", first), ("two", second))}
    for secret, text in written.items():
        assert called(server, secret, "store_memory", {"content": text})["status"] == "stored"
    for secret, text in written.items():
        found = called(server, secret, "recall_memory", {"query": "Whose is the numbat?"})
        assert [hit["content"] for hit in found] == [text]
        for mode in ("legacy", "2026-07-28"):
            assert over_http(f"{server.url}/mcp", mode, talk, bearer(secret)) == [text]


@pytest.mark.process
def test_one_content_key_name_and_number_are_free_in_each_tenant(
    server: HttpServer, open_tenant: OpenTenant, first: str
) -> None:
    third = tokens.create(open_tenant(3), "", "admin").secret
    for secret in (first, third):
        stored = server.call("store_memory", {"content": "once"}, Authorization=f"Bearer {secret}", Idempotency_Key="k")
        assert stored["status"] == "stored"
        entity = {"name": "Shared", "entityType": "t", "observations": ["o"]}
        assert len(called(server, secret, "create_entities", {"entities": [entity]})["entities"]) == 1
    assert called(server, third, "add_todo", {"title": "the first number"})["todo_id"] == 1


# --- Tokens that are not right ---


@pytest.mark.process
@pytest.mark.parametrize("number", ["ind_1_", "ind_3_", "ind_999_", f"ind_{MOST_TENANT}_", "ind_"])
def test_a_token_with_another_tenant_s_number_is_refused_and_opens_nothing(
    server: HttpServer, first: str, second: str, number: str
) -> None:
    assert server.post("/jsonrpc", PING, bearer(second)).status == 200
    before = figures(server, first)
    answer = server.post("/jsonrpc", PING, bearer(second.replace("ind_2_", number)))
    assert (answer.status, 'error="invalid_token"' in answer.headers["www-authenticate"]) == (401, True)
    nobody = server.post("/jsonrpc", PING, bearer("ind_" + NOBODY))
    assert (nobody.status, nobody.message) == (answer.status, answer.message)
    assert figures(server, first) == before


def figures(server: HttpServer, secret: str) -> dict[str, str]:
    """How many tenants a server has open, and how many threads of them."""
    lines = server.get("/metrics", bearer(secret)).body.decode().splitlines()
    found = dict(line.split() for line in lines if line.startswith("indelible_tenants_open "))
    found["keepers"] = str(sum("housekeeper" in line for line in tasks(server.process.pid)))
    return found


def tasks(pid: int) -> list[str]:
    """The names of a process's threads, where the system tells them."""
    place = Path(f"/proc/{pid}/task")
    return [each.read_text() for each in place.glob("*/comm")] if place.exists() else []


@pytest.mark.process
def test_an_own_token_with_a_number_before_it_is_refused(server: HttpServer, first: str) -> None:
    assert server.post("/jsonrpc", PING, bearer(first.replace("ind_", "ind_2_"))).status == 401


@pytest.mark.process
def test_a_token_of_a_tenant_that_is_limited_and_may_only_read_is_held_to_that_as_ever(
    server: HttpServer, two: Context, second: str
) -> None:
    for namespace in ("shop", "till"):
        called(server, second, "store_memory", {"content": f"Hemlock of the {namespace}", "namespace": namespace})
    shop = tokens.create(two, "", "write", ["shop"]).secret
    found = called(server, shop, "recall_memory", {"query": "hemlock", "k": 9})
    assert [hit["content"] for hit in found] == ["Hemlock of the shop"]
    assert "not within" in called(server, shop, "store_memory", {"content": "x", "namespace": "till"})[1]
    reader = tokens.create(two, "", "read").secret
    assert called(server, reader, "store_memory", {"content": "x"})[0] == -32003
    assert {hit["content"] for hit in called(server, reader, "recall_memory", {"query": "hemlock", "k": 9})} == {
        "Hemlock of the shop",
        "Hemlock of the till",
    }


@pytest.mark.process
def test_the_use_of_another_tenant_s_token_is_noted_there(server: HttpServer, open_tenant: OpenTenant) -> None:
    ctx = open_tenant(5)
    made = tokens.create(ctx, "", "read")
    assert server.post("/jsonrpc", PING, bearer(made.secret)).status == 200
    while tokens.listed(ctx)[0].used is None:  # by the housekeeper of the tenant, behind the answer
        assert server.process.poll() is None


# --- What is the server's own ---


@pytest.mark.process
def test_the_server_s_machine_is_no_other_tenant_s(server: HttpServer, first: str, second: str) -> None:
    for tool, given in (("index_codebase", {"path": SMALL_CODEBASE}), ("get_cross_repo", {"path": SMALL_CODEBASE})):
        code, said = called(server, second, tool, given)
        assert (code, "server's machine" in said) == (-32003, True), said
        assert isinstance(called(server, first, tool, given), dict)
    assert called(server, second, "get_cross_repo", {})[0] == -32003


@pytest.mark.process
def test_figures_of_the_server_are_for_its_own_tenant(server: HttpServer, first: str, second: str) -> None:
    answer = server.get("/metrics", bearer(second))
    assert (answer.status, "another tenant" in answer.message) == (403, True)
    counted = [server.get("/metrics", bearer(first)).body.decode()]
    for secret in (first, second):
        called(server, secret, "list_todos", {})
    counted.append(server.get("/metrics", bearer(first)).body.decode())
    before, after = (
        sum(int(line.split()[1]) for line in text.splitlines() if line.startswith('indelible_calls_total{tool="list_t'))
        for text in counted
    )
    assert after - before == 2  # the server's own figures are of all tenants
    own = called(server, second, "codemem_metrics", {})
    assert {"processor_seconds", "store_bytes", "memory_bytes"}.isdisjoint(own["gauges"])
    assert own["counters"]["calls"] < int(called(server, first, "codemem_metrics", {})["counters"]["calls"]) + 10_000


@pytest.mark.process
def test_records_of_other_tenants_that_wait_to_be_embedded_are_counted(
    server: HttpServer, first: str, second: str
) -> None:
    def waiting() -> int:
        lines = server.get("/metrics", bearer(first)).body.decode().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("indelible_records_pending "))

    called(server, second, "list_todos", {})  # its context is open
    before = waiting()
    called(server, second, "store_memory", {"content": "the bandicoot waits"})
    assert waiting() == before + 1


@pytest.mark.process
def test_a_conversation_that_one_tenant_names_on_a_connection_is_not_another_s(one: Context, two: Context) -> None:
    grant, connection = Grant("jwt:ann", "write"), Connection()
    contexts = [client(ctx, grant, connection, {}, None).ctx for ctx in (one, two, one)]
    assert contexts[0].session.conversations is contexts[2].session.conversations
    assert contexts[0].session.conversations is not contexts[1].session.conversations


@pytest.mark.process
def test_what_hooks_left_on_the_server_s_machine_is_taken_in_for_its_own_tenant(
    open_tenant: OpenTenant, tmp_path: Path
) -> None:
    own = open_tenant(6)
    own = replace(own, settings=replace(own.settings, data=tmp_path / "data"))
    inbox = own.settings.inbox
    Path(inbox).mkdir(parents=True, mode=0o700)
    event = {"v": 1, "id": "p", "client": "codex", "session": "s", "time": 1_770_000_000_000_000, "cwd": "/w"}
    spool.put(inbox, {**event, "what": "prompt", "text": "hello"})
    other = tenants.opened(own, 7)
    Housekeeper(other)._round()
    assert not spool.is_empty(inbox)
    assert ingest.drain(own).events == 1
    for ctx, expected in ((own, 1), (other, 0)):
        with ctx.store.read() as tx:
            assert len(activity.namespaces(tx)) == expected
    other.close()


# --- A role that sees all rows ---


@pytest.mark.process
def test_a_server_whose_role_no_rows_are_hidden_from_serves_its_own_tenant_alone(
    administrator: str, database: str, open_tenant: OpenTenant, tmp_path: Path
) -> None:
    name = database.partition("?")[0].rpartition("/")[2]
    own = tokens.create(open_tenant(20), "", "write").secret
    other = tokens.create(open_tenant(21), "", "write").secret
    url = administrator.replace("/postgres?", f"/{name}?")
    with HttpServer(tmp_path / "data", "--database", url, "--tenant", "20") as server:
        assert server.post("/jsonrpc", PING, bearer(own)).status == 200
        answer = server.post("/jsonrpc", PING, bearer(other))
        assert (answer.status, "serves tenant 20 only" in answer.message) == (503, True)
        assert "postgres" not in answer.message
        assert server.post("/jsonrpc", PING, bearer("ind_21_" + NOBODY)).status == 401
        assert server.says("bypasses row-level security")


@pytest.mark.sqlite("what a file cannot hold")
def test_a_store_in_a_file_has_no_other_tenants(tmp_path: Path) -> None:
    own = apart.opened(tmp_path / "data", apart.Clock())
    serving = Tenants(own)
    secret = tokens.create(own, "", "write").secret
    assert serving.bearer(secret) is not None
    assert serving.bearer(secret.replace("ind_", "ind_2_")) is None
    with pytest.raises(Forbidden, match="the token is for tenant 2, and this server's store is a file"):
        serving.issued(Grant("jwt:ann", "read"), 2)
    own.close()


# --- Streams ---


URI = "memory://knowledge-graph"


class Listener:
    """A client of the 2026 era that hears of changes, and counts what it heard."""

    def __init__(self, server: HttpServer, secret: str) -> None:
        self._server, self._secret = server, secret
        self.heard = 0
        self.news = anyio.Event()

    async def listen(self, *, task_status: TaskStatus[None]) -> None:
        http = httpx2.AsyncClient(headers=bearer(self._secret), timeout=50)
        transport = streamable_http_client(f"{self._server.url}/mcp", http_client=http)
        async with (
            http,
            mcp.Client(transport, mode="2026-07-28") as talking,
            talking.listen(resource_subscriptions=[URI]) as changes,
        ):
            task_status.started()
            async for _ in changes:
                self.heard += 1
                self.news.set()

    async def write_and_hear(self, number: int) -> None:
        self.news = anyio.Event()
        entity = {"name": f"heard {number}", "entityType": "t", "observations": []}
        write = partial(called, self._server, self._secret, "create_entities", {"entities": [entity]})
        await anyio.to_thread.run_sync(write)
        with anyio.fail_after(50):
            await self.news.wait()


@pytest.mark.process
def test_who_listens_hears_of_changes_in_its_own_tenant_and_of_no_others(
    server: HttpServer, first: str, second: str
) -> None:
    """By the time of its own change it would have heard of those of the other before."""

    async def session() -> tuple[int, int]:
        one, two = Listener(server, first), Listener(server, second)
        async with anyio.create_task_group() as group:
            for each in (one, two):
                await group.start(each.listen)
            for number in range(4):
                await two.write_and_hear(number)
            await one.write_and_hear(9)
            group.cancel_scope.cancel()
        return one.heard, two.heard

    assert anyio.run(session) == (1, 4)
