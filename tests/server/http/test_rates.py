"""Calls a minute of a tenant's quota: counted by tenant, refused with 429, and no excess reaches the database."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.datastructures import Headers
from test_http_foreign import bearer

import apart
from http_server import HttpServer
from indelible.admin import tenant_usage, tokens
from indelible.core.context import quota
from indelible.errors import QuotaExceeded, StoreError
from indelible.server.http.middleware import Middleware, Traffic, names
from indelible.server.http.rates import Rates
from indelible.server.http.tenants import Bearer, Tenants
from open_stores import OpenTenant
from page_client import Visitor

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


class Time:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


class Door:
    """The middleware in front of an application that answers all, and how often it looked a caller up."""

    def __init__(self, rates: Rates, found: dict[str, Bearer]) -> None:
        self.looked = self.reached = 0
        self._found = found
        self.app = Middleware(
            self._work,
            names([], [], 5050),
            self._bearer,
            lambda *_: nullcontext(),
            10.0,
            lambda _: False,
            Traffic(),
            rates=rates,
        )

    async def _bearer(self, headers: Headers) -> Bearer:
        self.looked += 1
        return self._found[headers["authorization"]]

    async def _work(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        self.reached += 1
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def ask(self, who: str) -> tuple[int, dict[str, str]]:
        given = {"host": "localhost", "content-type": "application/json", "content-length": "2", "authorization": who}
        raw = [(name.encode(), value.encode()) for name, value in given.items()]
        scope = {"type": "http", "method": "POST", "path": "/jsonrpc", "headers": raw, "client": ("127.0.0.1", 1)}
        said: list[Any] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"{}", "more_body": False}

        async def send(message: Any) -> None:
            said.append(message)

        await self.app(scope, receive, send)
        return said[0]["status"], {name.decode(): value.decode() for name, value in said[0]["headers"]}


@pytest.mark.process
def test_calls_are_counted_by_tenant_and_an_excess_is_refused_before_its_token_is_looked_up(
    open_tenant: OpenTenant,
) -> None:
    clock, own, other = Time(), open_tenant(7_100), open_tenant(7_101)
    tenant_usage.set_quota(other, {"calls_per_minute": 6})
    grants = {tokens.create(ctx, "", "read").secret: ctx for ctx in (other, other, own)}
    serving = Tenants(own)
    one, two, free = grants
    found = {secret: serving.bearer(secret) for secret in grants}
    door = Door(Rates(serving, clock), {secret: each for secret, each in found.items() if each is not None})

    async def talk() -> None:
        assert [(await door.ask(secret))[0] for secret in (one, two, one, two, one, two)] == [204] * 6
        looked = door.looked
        for secret in (one, two, one):
            status, headers = await door.ask(secret)
            assert (status, headers["retry-after"]) == (429, "10")
        assert (door.looked, door.reached) == (looked, 6)
        assert (await door.ask(free))[0] == 204
        clock.now += 10  # room for one
        assert [(await door.ask(secret))[0] for secret in (one, two)] == [204, 429]
        tenant_usage.set_quota(other, {"calls_per_minute": None})
        clock.now += quota.LOOKED
        assert [(await door.ask(two))[0] for _ in range(20)] == [204] * 20

    anyio.run(talk)


@pytest.mark.process
def test_a_lowered_quota_holds_at_once_for_what_was_called_already(open_tenant: OpenTenant) -> None:
    clock, own = Time(), open_tenant(7_102)
    tenant_usage.set_quota(own, {"calls_per_minute": 100})
    rates = Rates(Tenants(own), clock)
    caller, headers = Tenants(own).anybody(), {"authorization": "x"}

    async def talk() -> None:
        for _ in range(50):
            await rates.take(headers, caller)
        tenant_usage.set_quota(own, {"calls_per_minute": 6})
        clock.now += quota.LOOKED
        with pytest.raises(QuotaExceeded, match="6 calls a minute on this server; wait 10 s, or have the operator"):
            await rates.take(headers, caller)
        clock.now += 60
        for _ in range(6):
            await rates.take(headers, caller)
        with pytest.raises(QuotaExceeded, match="send fewer at once") as refused:
            rates.take_more(own.store.tenant, 6)
        assert refused.value.headers == {"Retry-After": "60"}

    anyio.run(talk)
    assert math.isinf(rates._allowances[own.store.tenant].wait(6, clock.now, 1))


@pytest.mark.process
def test_a_quota_holds_on_while_the_store_cannot_be_read(open_tenant: OpenTenant) -> None:
    clock, own = Time(), open_tenant(7_108)
    tenant_usage.set_quota(own, {"calls_per_minute": 1})
    rates = Rates(Tenants(own), clock)
    caller, headers = Tenants(own).anybody(), {"authorization": "x"}

    async def talk() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(rates.take, headers, caller)
        own.store.close()
        clock.now += quota.LOOKED
        with pytest.raises(QuotaExceeded):
            await rates.take(headers, caller)
        clock.now += 60
        await rates.take(headers, caller)
        with pytest.raises(StoreError):
            await Rates(Tenants(own), clock).take(headers, caller)

    anyio.run(talk)


@pytest.fixture(scope="module")
def server(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    place: Path = tmp_path_factory.mktemp("rates")
    with HttpServer(place / "data", "--database", database, "--tenant", "7103") as running:
        yield running


@pytest.mark.process
def test_each_door_refuses_with_429_and_retry_after_and_another_tenant_is_answered(
    server: HttpServer, open_tenant: OpenTenant
) -> None:
    closed, open_ = (open_tenant(number) for number in (7_104, 7_105))
    tenant_usage.set_quota(closed, {"calls_per_minute": 0})
    secrets = [tokens.create(ctx, "", "admin").secret for ctx in (closed, open_)]
    login = {"Content-Type": "application/x-www-form-urlencoded"}
    for secret, status in zip(secrets, (429, 200), strict=True):
        answers = [server.post(path, PING, bearer(secret)) for path in ("/jsonrpc", "/p/shop/jsonrpc")]
        cookie = server.request("POST", "/login", f"token={secret}".encode(), login).headers["set-cookie"]
        answers.append(server.get("/", {"Cookie": cookie.partition(";")[0]}))
        initialize = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        accept = {"Accept": "application/json, text/event-stream"}
        answers.append(server.post("/mcp", initialize, {**bearer(secret), **accept}))
        assert {answer.status for answer in answers} == {status}, [answer.body for answer in answers]
        if status == 429:
            assert {answer.headers["retry-after"] for answer in answers} == {"60"}
            assert "quota of 0 calls a minute" in answers[0].message
            assert b"quota of 0 calls a minute" in answers[2].body


@pytest.mark.process
def test_each_request_of_a_batch_is_a_call(server: HttpServer, open_tenant: OpenTenant) -> None:
    ctx = open_tenant(7_106)
    tenant_usage.set_quota(ctx, {"calls_per_minute": 3})
    secret = tokens.create(ctx, "", "write").secret
    stores = [
        {"jsonrpc": "2.0", "id": n, "method": "store_memory", "params": {"content": f"quoll {n}"}} for n in range(4)
    ]
    answer = server.post("/jsonrpc", stores, bearer(secret))
    assert (answer.status, answer.headers["retry-after"]) == (429, "60")
    assert tenant_usage.of_one(ctx).stored.records == 0


@pytest.mark.process
def test_a_full_quota_is_an_error_of_json_rpc_with_its_code(server: HttpServer, open_tenant: OpenTenant) -> None:
    ctx = open_tenant(7_107)
    tenant_usage.set_quota(ctx, {"records": 0})
    secret = tokens.create(ctx, "", "write").secret
    call = {"jsonrpc": "2.0", "id": 1, "method": "store_memory", "params": {"content": "quoll"}}
    error = server.post("/jsonrpc", call, bearer(secret)).json["error"]
    assert (error["code"], error["data"]) == (-32003, {"code": "quota_exceeded"})
    assert "it has 0 of 0 records" in error["message"]


@pytest.mark.process
def test_on_the_page_a_full_quota_is_said_and_what_was_typed_is_not_lost(
    server: HttpServer, open_tenant: OpenTenant
) -> None:
    ctx = open_tenant(7_109)
    stored = apart.call(ctx, "store_memory", content="quoll")["id"]
    tenant_usage.set_quota(ctx, {"bytes": 10})
    visitor = Visitor(server, tokens.create(ctx, "", "write").secret)
    page = visitor.get("/record", id=stored, edit="1")
    seen = next(value for form in page.forms for name, value in form.values if name == "updated")
    told = visitor.post("/record/edit", id=stored, text="quolls sleep by day", updated=seen)
    assert (told.status, "has no room left" in told.text) == (403, True)
    assert "quolls sleep by day" in told.html
    told = visitor.post("/record/refine", id=stored, text="quolls sleep by day")
    assert (told.status, "has no room left" in told.text) == (403, True)
