"""Several servers of one database behind a load balancer: each request to another, and none of them is missed."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import anyio
import anyio.to_thread
import httpx2
import mcp
import psycopg
import pytest
from mcp.client.streamable_http import streamable_http_client
from psycopg.conninfo import conninfo_to_dict

import apart
from every_tool import SMALL_CODEBASE
from http_server import MCP, HttpServer, RpcError, ask
from indelible.admin import tokens
from indelible.admin.maintenance import Housekeeper
from indelible.core.context.call import Call, Caller
from indelible.core.context.context import Context
from indelible.core.records import exporting
from indelible.errors import Cancelled
from indelible.store.tables import leases, repositories
from indelible.toolsets.code import index
from mcp_client import environment
from page_client import FORM
from wire import Wire

pytestmark = pytest.mark.process

TENANT, WITH_TOKENS = 101, 197  # two tenants have tokens: that one and the next
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
URI = "memory://knowledge-graph"
OpenTenant = Callable[[int], Context]


class Balanced:
    """Servers that take turns, a request each."""

    def __init__(self, servers: list[HttpServer]) -> None:
        self.servers = servers
        self._turns = itertools.cycle(servers)

    def call(self, tool: str, arguments: dict[str, Any] | None = None, **headers: str) -> Any:
        return next(self._turns).call(tool, arguments, **headers)

    async def redirect(self, request: httpx2.Request) -> None:
        """Send a request of the SDK's client to whose turn it is."""
        server = next(self._turns)
        request.url = request.url.copy_with(host=server.host, port=server.port)
        request.headers["host"] = f"{server.host}:{server.port}"

    def over_mcp(self, mode: str, talk: Callable[[mcp.Client], Awaitable[Any]]) -> Any:
        """What `talk` returns of one client, whose requests take turns."""

        async def session() -> Any:
            http = httpx2.AsyncClient(timeout=50, event_hooks={"request": [self.redirect]})
            transport = streamable_http_client(f"{self.servers[0].url}/mcp", http_client=http)
            async with http, mcp.Client(transport, mode=mode) as client:
                return await talk(client)

        return anyio.run(session)


@pytest.fixture(scope="module")
def balanced(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Balanced]:
    with two_servers(database, TENANT, tmp_path_factory) as servers:
        yield servers


@contextmanager
def two_servers(database: str, tenant: int, folders: pytest.TempPathFactory) -> Iterator[Balanced]:
    """Two, each on a machine of its own: they have nothing in common but the database."""
    one, other = (folders.mktemp(name) / "data" for name in ("one", "other"))
    options = ("--database", database, "--tenant", str(tenant))
    with HttpServer(one, *options) as first, HttpServer(other, *options) as second:
        yield Balanced([first, second])


@pytest.fixture(scope="module")
def owner(open_tenant: OpenTenant) -> Context:
    """The same tenant in this process."""
    return open_tenant(TENANT)


# --- What one writes the other knows ---


def test_what_one_server_writes_the_other_finds_at_once_in_every_cache(balanced: Balanced) -> None:
    for server in balanced.servers:  # what a process keeps in memory is there before
        server.call("recall_memory", {"query": "warm"})
        server.call("search", {"vector": [1.0]})
        server.call("search_nodes", {"query": "warm"})
    for number, (writer, reader) in enumerate((balanced.servers, balanced.servers[::-1])):
        text = f"The potoroo number{number} digs for truffles"
        stored = writer.call("store_memory", {"content": text})
        (hit,) = reader.call("recall_memory", {"query": f"potoroo number{number} truffles", "k": 1})
        assert (hit["id"], hit["content"]) == (stored["id"], text)
        reader.call("update_memory", {"id": stored["id"], "content": f"The wallaroo number{number} grazes"})
        (hit,) = writer.call("recall_memory", {"query": f"wallaroo number{number} grazes", "k": 1})
        assert hit["id"] == stored["id"]
        writer.call("delete_memory", {"id": stored["id"]})
        found = reader.call("recall_memory", {"query": f"wallaroo number{number} grazes", "k": 9})
        assert stored["id"] not in [hit["id"] for hit in found]
        writer.call("memorize", {"id": f"v{number}", "vector": {str(number + 50): 1.0}})
        (near,) = reader.call("search", {"vector": {str(number + 50): 1.0}, "limit": 1})
        assert near["id"] == f"v{number}"
        entity = {"name": f"Marsupial {number}", "entityType": "t", "observations": [f"pouch{number}"]}
        writer.call("create_entities", {"entities": [entity]})
        found = reader.call("search_nodes", {"query": f"pouch{number}"})["entities"]
        assert [each["name"] for each in found] == [f"Marsupial {number}"]


def test_weights_that_one_server_is_given_rank_at_the_other(balanced: Balanced) -> None:
    before = balanced.call("set_scoring_weights", {"recency": 0.4})
    try:
        answers = [server.call("recall_memory", {"query": "truffles", "k": 3}) for server in balanced.servers]
        assert answers[0] == answers[1]
    finally:
        balanced.call("set_scoring_weights", {"recency": 0.05})
    assert before


def test_a_page_that_one_server_began_is_gone_on_with_by_the_other(balanced: Balanced) -> None:
    items = [{"content": f"page {number}: item{number}"} for number in range(60)]
    balanced.call("import_memories", {"memories": items})

    async def talk(client: mcp.Client) -> list[list[str]]:
        first = await client.list_resources()
        rest = await client.list_resources(cursor=first.next_cursor)
        return [[str(each.uri) for each in page.resources] for page in (first, rest)]

    first, rest = balanced.over_mcp("2026-07-28", talk)
    assert len(first) >= 50
    assert rest
    assert not set(first) & set(rest)


# --- Retries ---


def test_a_retry_that_reaches_the_other_server_is_answered_and_not_repeated(balanced: Balanced, owner: Context) -> None:
    answers = [balanced.call("add_todo", {"title": "once"}, Idempotency_Key="once") for _ in range(4)]
    assert answers == [answers[0]] * 4
    for _ in balanced.servers:
        refused = balanced.call("add_todo", {"title": "another"}, Idempotency_Key="once")
        assert "was used for another call" in refused["error"]
    assert sum(each["content"] == "once" for each in exporting.export_all(owner)) == 1


def test_a_retry_that_comes_while_the_first_is_at_work_is_answered_the_same(balanced: Balanced, owner: Context) -> None:
    def add(server: HttpServer) -> Any:
        return server.call("add_todo", {"title": "at once"}, Idempotency_Key="at once")

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(add, balanced.servers * 4))
    assert answers == [answers[0]] * 8
    assert sum(each["content"] == "at once" for each in exporting.export_all(owner)) == 1


def test_the_same_content_at_once_is_one_memory(balanced: Balanced) -> None:
    def store(server: HttpServer) -> str:
        try:
            return str(server.call("store_memory", {"content": "A tenrec is no hedgehog"})["status"])
        except RpcError as error:
            return str(error.data["code"])

    with ThreadPoolExecutor(8) as pool:
        said = sorted(pool.map(store, balanced.servers * 4))
    assert said.count("stored") == 1, said


# --- Sessions ---


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_each_request_of_an_mcp_client_may_reach_another_server(balanced: Balanced, mode: str) -> None:
    async def talk(client: mcp.Client) -> list[Any]:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        stored = await client.call_tool("store_memory", {"content": f"The {mode} bettong carries straw"})
        found = await client.call_tool("recall_memory", {"query": f"{mode} bettong straw", "k": 1})
        recent = await client.read_resource("memory:///recent")
        prompt = await client.get_prompt("recall-context", {"task": f"{mode} bettong"})
        return [listed, stored, found, recent.contents[0].text, prompt.messages[0].content.text]

    listed, stored, found, recent, prompt = balanced.over_mcp(mode, talk)
    assert "recall_memory" in listed
    assert found.structured_content["result"][0]["id"] == stored.structured_content["id"]
    assert f"{mode} bettong" in recent
    assert f"{mode} bettong" in prompt


def test_one_client_is_one_session_whichever_server_it_reaches(balanced: Balanced, owner: Context) -> None:
    for number in range(4):
        balanced.call("store_memory", {"content": f"numbat {number}", "tags": ["session"]}, User_Agent="agent/1")
    balanced.call("store_memory", {"content": "numbat 5", "tags": ["session"]}, User_Agent="agent/2")
    stored = [each for each in exporting.export_all(owner) if each["content"].startswith("numbat ")]
    sessions = {each["content"]: each["session"] for each in stored}
    assert len({sessions[f"numbat {number}"] for number in range(4)}) == 1
    assert sessions["numbat 5"] != sessions["numbat 0"]


def test_calls_are_counted_by_the_conversation_that_they_name_or_else_by_their_session(balanced: Balanced) -> None:
    asked = {"question": "truffles", "conversation_id": "over both"}
    for server in balanced.servers * 2:
        server.call("ask_with_context", asked, User_Agent="agent/3")
        server.call("query_graph", {"query": "truffles"}, User_Agent="agent/3")
    assert conversations_of(balanced, "ask_with_context", 4) == {"over both": 4}
    ((session, calls),) = conversations_of(balanced, "query_graph", 4).items()
    assert (session.startswith("session_"), calls) == (True, 4)


def conversations_of(balanced: Balanced, tool: str, calls: int) -> dict[str, int]:
    """The conversations of a tool, once each server has written what it knew."""
    while True:
        shown = balanced.call("get_tool_conversations", {"tool_name": tool, "limit": 50})["conversations"]
        counts = {each["conversation_id"]: each["usage_count"] for each in shown}
        if sum(counts.values()) >= calls:
            return counts


def test_a_proxy_s_connection_is_nobody_s(balanced: Balanced) -> None:
    """Another client's call may come over it next, and this client's over another."""
    connection = balanced.servers[0].connect()
    headers = {"Content-Type": "application/json", "Via": "1.1 balancer", "User-Agent": "agent/4"}
    for method, params in (
        ("log_chat", {"content": "Hello", "conversation_id": "of another"}),
        ("list_tool_identifiers", {}),
    ):
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        assert "result" in ask(connection, "POST", "/jsonrpc", body, headers).json
    connection.close()
    (session,) = conversations_of(balanced, "list_tool_identifiers", 1)
    assert session.startswith("session_")


# --- What is behind ---


def test_accesses_at_one_server_are_counted_at_the_other_soon_after(balanced: Balanced) -> None:
    one, other = balanced.servers
    stored = one.call("store_memory", {"content": "The cuscus is counted", "tags": ["counted"]})
    for server in (one, other, one):
        (hit,) = server.call("recall_memory", {"query": "cuscus counted", "k": 1})
        assert hit["id"] == stored["id"]
    while accesses(other, stored["id"]) < 3 or accesses(one, stored["id"]) < 3:
        assert one.process.poll() is None
    assert accesses(one, stored["id"]) == accesses(other, stored["id"]) == 3


def accesses(server: HttpServer, id_: str) -> int:
    (found,) = [each for each in server.call("export_memories", {"limit": 1000}) if each["id"] == id_]
    return int(found["access_count"])


def test_who_listens_at_one_server_hears_of_what_the_other_writes(balanced: Balanced) -> None:
    one, other = balanced.servers

    async def session() -> str:
        http = httpx2.AsyncClient(timeout=50)
        transport = streamable_http_client(f"{one.url}/mcp", http_client=http)
        async with (
            http,
            mcp.Client(transport, mode="2026-07-28") as client,
            client.listen(resource_subscriptions=[URI]) as changes,
        ):
            entity = {"name": "told", "entityType": "t", "observations": []}
            await anyio.to_thread.run_sync(lambda: other.call("create_entities", {"entities": [entity]}))
            async for each in changes:
                return str(each.uri)
        return ""

    assert anyio.run(session) == URI


def test_figures_are_those_of_a_process_and_of_the_one_store(balanced: Balanced) -> None:
    for server, times in zip(balanced.servers, (3, 1), strict=True):
        for _ in range(times):
            server.call("get_pagerank", {"top_k": 1})
    texts = [server.get("/metrics").body.decode() for server in balanced.servers]
    for text, times in zip(texts, (3, 1), strict=True):
        assert f'indelible_calls_total{{tool="get_pagerank"}} {times}\n' in text
    stored = [next(line for line in text.splitlines() if line.startswith("indelible_records ")) for text in texts]
    assert stored[0] == stored[1]


# --- Codebases ---


def test_two_machines_do_not_index_one_codebase_at_once(owner: Context, tmp_path: Path) -> None:
    """A lock file keeps others of the machine out; of others the database must."""
    apart.call(owner, "index_codebase", path=SMALL_CODEBASE)
    with owner.store.read() as tx:
        (codebase,) = repositories.everything(tx)
    name, now = f"index:{codebase.id}", owner.now()
    owner.store.write(lambda tx: leases.take(tx, name, "elsewhere", now, now + 60_000_000))
    waited: list[str] = []
    call = Call(tool="index_codebase", caller=Caller(lambda *told: waited.append(told[2]), lambda: len(waited) > 1))
    here = replace(owner, settings=replace(owner.settings, data=tmp_path))
    with pytest.raises(Cancelled):
        index.index(here.for_call(call), Path(SMALL_CODEBASE))
    assert set(waited) == {"waiting for another run"}
    owner.store.write(lambda tx: leases.release(tx, name, "elsewhere"))
    assert index.index(here, Path(SMALL_CODEBASE)).symbols > 0


KILLED = """
import os, signal, sys
from pathlib import Path
from indelible.toolsets.code import index
from indelible.core.context.context import open_context
from indelible.settings import Settings
ctx = open_context(Settings(data=Path(sys.argv[1]), database=sys.argv[2], tenant=int(sys.argv[3])))
index.index(ctx, Path(sys.argv[4]), pause=lambda: os.kill(os.getpid(), signal.SIGKILL))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_nobody_on_its_machine_waits_for_a_run_that_was_killed(owner: Context, tmp_path: Path) -> None:
    """Its lease would hold for a minute; that its lock is free says that it is dead."""
    given = [tmp_path, owner.settings.database, str(owner.store.tenant), SMALL_CODEBASE]
    killed = subprocess.run([sys.executable, "-c", KILLED, *given], check=False, env=environment(), cwd=tmp_path)
    assert killed.returncode == -signal.SIGKILL
    with owner.store.read() as tx:
        assert tx.rows("code_links.indexing", now=owner.now())
    told: list[str] = []
    call = Call(
        tool="index_codebase",
        caller=Caller(lambda *each: told.append(each[2]), lambda: any("waiting" in each for each in told)),
    )
    here = replace(owner, settings=replace(owner.settings, data=tmp_path))
    assert index.index(here.for_call(call), Path(SMALL_CODEBASE)).symbols > 0


def test_each_machine_sweeps_its_own_spool_whoever_tidies_the_store(owner: Context, tmp_path: Path) -> None:
    settings = replace(owner.settings, data=tmp_path / "data")
    unfinished = Path(settings.inbox, "spool", "tmp", "unfinished")
    unfinished.parent.mkdir(parents=True, mode=0o700)
    unfinished.touch()
    os.utime(unfinished, (1, 1))
    now = owner.now()
    owner.store.write(lambda tx: leases.take(tx, "daily", "elsewhere", now, now + 60_000_000))
    Housekeeper(replace(owner, settings=settings))._tidy()
    assert not unfinished.exists()


# --- Tokens: a tenant and servers of their own, since from the first one on each request needs one ---


def test_from_the_first_token_on_every_server_asks_and_a_revoked_one_opens_none(
    database: str, tmp_path_factory: pytest.TempPathFactory, open_tenant: OpenTenant
) -> None:
    def statuses(secret: str | None) -> list[int]:
        headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}
        return [server.post("/jsonrpc", PING, headers).status for server in pair.servers]

    own, theirs = open_tenant(WITH_TOKENS), open_tenant(WITH_TOKENS + 1)
    with two_servers(database, WITH_TOKENS, tmp_path_factory) as pair:
        assert statuses(None) == [200, 200]
        made, other = tokens.create(own, "", "write"), tokens.create(theirs, "", "write")
        assert statuses(None) == [401, 401]
        for ctx, each in ((own, made), (theirs, other)):
            assert statuses(each.secret) == [200, 200]
            tokens.revoke(ctx, each.token.key)
            assert statuses(each.secret) == [401, 401]


PLACES = {  # what a request asks, and the table whose reading is cut off
    "who asks": ("token", "POST", "/jsonrpc", PING),
    "a resource": (
        "record",
        "POST",
        "/mcp",
        {**PING, "method": "resources/read", "params": {"uri": "memory:///recent"}},
    ),
    "a page": ("record", "GET", "/timeline", None),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_read_in_which_the_database_goes_away_is_done_again(
    database: str, open_tenant: OpenTenant, tmp_path: Path, place: str
) -> None:
    """As a tool that reads is: a restart of PostgreSQL is no failed request."""
    table, method, path, body = PLACES[place]
    secret = tokens.create(open_tenant(WITH_TOKENS + 2), "", "read").secret
    asking = {**MCP, "Authorization": f"Bearer {secret}"}
    waiting = f"SELECT pid FROM pg_locks WHERE relation = '{table}'::regclass AND NOT granted"
    with (
        HttpServer(tmp_path / "data", "--database", database, "--tenant", str(WITH_TOKENS + 2)) as server,
        psycopg.connect(database) as other,
        ThreadPoolExecutor() as pool,
    ):
        login = server.request("POST", "/login", f"token={secret}".encode(), FORM)
        asking["Cookie"] = login.headers["set-cookie"].partition(";")[0]
        other.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")  # type: ignore[arg-type]
        sent = None if body is None else json.dumps(body).encode()
        answer = pool.submit(server.request, method, path, sent, asking)
        while not other.execute(waiting).fetchall():  # type: ignore[arg-type]
            pass
        other.execute(f"SELECT pg_terminate_backend(pid, 10000) FROM ({waiting})")  # type: ignore[arg-type]
        other.rollback()
        assert answer.result().status == 200
        assert b'"error"' not in answer.result().body


def test_health_says_soon_that_a_database_is_frozen_and_that_it_is_back(database: str, tmp_path: Path) -> None:
    """As often as it is asked meanwhile: a look that waits is everybody's."""
    wire = Wire(database)
    url = f"postgresql:///?{urlencode(conninfo_to_dict(wire.url))}"
    with HttpServer(tmp_path / "data", "--database", url, "--tenant", str(TENANT)) as server:
        assert server.get("/health").status == 200
        wire.swallows = True
        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(lambda _: server.get("/health").status, range(8))) == {503}
        wire.swallows = False
        while server.get("/health").status != 200:
            pass
    wire.close()
