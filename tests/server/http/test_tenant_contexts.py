"""Contexts of the tenants of a server: opened once, closed when nobody asks, the last ones kept."""

from __future__ import annotations

import threading
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
import psycopg
import pytest

import apart
from every_tool import SMALL_CODEBASE
from indelible.admin import tenants, tokens
from indelible.core.context.context import Context
from indelible.core.context.permissions import Grant
from indelible.core.records import exporting
from indelible.errors import Forbidden
from indelible.server.http.tenants import IDLE, Bearer, Tenants
from indelible.server.request_context import Connection, client
from indelible.store.postgres.pool import READERS
from open_stores import OpenTenant


class Time:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def threads() -> int:
    return sum(thread.name.startswith("indelible-") for thread in threading.enumerate())


def bearer_of(open_tenant: OpenTenant, serving: Tenants, tenant: int) -> Bearer:
    found = serving.bearer(tokens.create(open_tenant(tenant), "", "write").secret)
    assert found is not None
    return found


@pytest.mark.process
def test_a_tenant_nobody_asks_for_is_closed_and_comes_back(open_tenant: OpenTenant) -> None:
    clock, before = Time(), threads()
    serving = Tenants(open_tenant(10), clock=clock)
    bearer = bearer_of(open_tenant, serving, 12)
    before = threads()

    async def talk() -> None:
        async with serving.running():
            async with serving.entered(bearer) as ctx:
                apart.call(ctx, "store_memory", content="The bilby sleeps in burrows")
                clock.now += IDLE + 1
                await serving.close_idle()
                assert serving.others == [12]  # somebody is there
                apart.call(ctx, "recall_memory", query="bilby")
            clock.now += IDLE - 1
            await serving.close_idle()
            assert serving.others == [12]
            clock.now += 2
            await serving.close_idle()
            assert (serving.others, threads()) == ([], before)
            async with serving.entered(bearer) as again:
                assert again is not ctx
                (hit,) = apart.call(again, "recall_memory", query="bilby")
                assert hit["content"] == "The bilby sleeps in burrows"
                (kept,) = exporting.export_all(again)
                assert kept["access_count"] == 2  # what waited behind was written when the context was closed
        assert (serving.others, threads()) == ([], before)

    anyio.run(talk)


@pytest.mark.process
def test_of_many_tenants_those_asked_for_last_stay_open_and_where_all_are_at_work_one_more_waits(
    open_tenant: OpenTenant,
) -> None:
    clock = Time()
    serving = Tenants(open_tenant(10), most=2, clock=clock)
    bearers = {tenant: bearer_of(open_tenant, serving, tenant) for tenant in (13, 14, 15)}

    async def enter(tenant: int) -> None:
        async with serving.entered(bearers[tenant]):
            clock.now += 1

    async def talk() -> None:
        async with serving.running():
            for tenant in (13, 14, 13, 15):
                await enter(tenant)
            assert serving.others == [13, 15]
            async with AsyncExitStack() as busy:
                for tenant in (13, 15):
                    await busy.enter_async_context(serving.entered(bearers[tenant]))
                with pytest.raises(tenants.Unserved, match="already works for 2 other tenants") as refused:
                    await enter(14)
                assert refused.value.headers == {"Retry-After": "5"}
                await enter(13)
            await enter(14)

    anyio.run(talk)


def connections(administrator: str, database: str) -> int:
    """How many connections the server has for the database of the tests."""
    name = database.partition("?")[0].rpartition("/")[2]
    with psycopg.connect(administrator) as seeing:
        found = seeing.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = %s", [name]).fetchone()
    assert found is not None
    return int(found[0])


@pytest.mark.process
@pytest.mark.parametrize(("tenants_", "most"), [(9, 3), pytest.param(50, 8, marks=pytest.mark.full)])
def test_however_many_tenants_a_server_has_few_contexts_threads_and_connections_are_open(
    open_tenant: OpenTenant, administrator: str, database: str, tenants_: int, most: int
) -> None:
    clock, own = Time(), open_tenant(10)
    serving = Tenants(own, most=most, clock=clock)
    numbers = range(7_400 + tenants_, 7_400 + 2 * tenants_)
    before, there = threads(), connections(administrator, database)
    seen: list[int] = []

    async def ask(tenant: int, tool: str, **given: str) -> Any:
        async with serving.entered(serving.issued(Grant("jwt:ann", "write"), tenant)) as ctx:
            clock.now += 1
            answer = await anyio.to_thread.run_sync(partial(apart.call, ctx, tool, **given))
            seen.append(len(serving.others))
            return answer

    async def talk() -> None:
        async with serving.running():
            for tenant in numbers:
                await ask(tenant, "store_memory", content=f"The quoll of tenant {tenant}")
            for tenant in numbers:
                (hit,) = await ask(tenant, "recall_memory", query="quoll")
                assert hit["content"] == f"The quoll of tenant {tenant}"
            assert max(seen) == most
            assert serving.others == list(numbers)[-most:]
            assert threads() - before <= 3 * most  # one that writes, one that keeps house, one that embeds
            while connections(administrator, database) - there > most + READERS + 1:
                await anyio.sleep(0.01)  # the server takes a moment to end one that was closed
            clock.now += IDLE
            await serving.close_idle()
            assert (serving.others, threads()) == ([], before)

    anyio.run(talk)


@pytest.mark.process
def test_many_requests_at_once_open_a_tenant_once_also_where_the_first_is_taken_back(open_tenant: OpenTenant) -> None:
    serving = Tenants(open_tenant(10))
    bearer = bearer_of(open_tenant, serving, 16)
    seen: list[Context] = []

    async def enter() -> None:
        async with serving.entered(bearer) as ctx:
            seen.append(ctx)
            await anyio.sleep(0)

    async def talk() -> None:
        async with serving.running():
            before = threads()
            async with anyio.create_task_group() as group:
                scope = anyio.CancelScope()

                async def taken_back() -> None:
                    with scope:
                        await enter()

                group.start_soon(taken_back)
                await anyio.sleep(0)
                scope.cancel()
                for _ in range(20):
                    group.start_soon(enter)
            assert len({id(ctx) for ctx in seen}) == 1
            assert len(seen) >= 20
            assert serving.others == [16]
            assert threads() - before <= 2
        assert threads() <= before

    anyio.run(talk)


@pytest.mark.process
def test_the_own_tenant_has_the_context_that_the_server_was_started_with(open_tenant: OpenTenant) -> None:
    own = open_tenant(10)
    serving = Tenants(own)

    async def talk() -> None:
        async with serving.entered(serving.anybody()) as ctx:
            assert ctx is own
            assert (ctx.settings.own_machine, serving.others) == (True, [])

    anyio.run(talk)


@pytest.mark.process
def test_another_tenant_has_nothing_of_the_server_s_project(open_tenant: OpenTenant) -> None:
    own = open_tenant(10)
    at_shop = own.at(client(own, Grant(), Connection(), {}, "shop").ctx.session.location)
    other = tenants.opened(at_shop, 17)
    assert (other.session.location, other.settings.own_machine, other.store.tenant) == (None, False, 17)
    assert other.indexes is not own.indexes
    with pytest.raises(Forbidden, match="server's machine"):
        apart.call(other, "index_codebase", path=SMALL_CODEBASE)
    other.close()
    apart.call(own, "recall_memory", query="still open")


@pytest.mark.process
def test_a_jwt_opens_the_tenant_that_its_issuer_names(open_tenant: OpenTenant) -> None:
    """One that never wrote anything too: the issuer is trusted, where a number in a secret is only looked up."""
    serving = Tenants(open_tenant(10))

    async def talk() -> None:
        async with serving.running():
            for tenant in (18, 19):
                async with serving.entered(serving.issued(Grant("jwt:ann", "write"), tenant)) as ctx:
                    mine = ctx.granted(Grant("jwt:ann", "write"))
                    apart.call(mine, "store_memory", content=f"The quoll of tenant {tenant}")
                    (hit,) = apart.call(mine, "recall_memory", query="quoll")
                    assert hit["content"] == f"The quoll of tenant {tenant}"
            assert serving.others == [18, 19]

    anyio.run(talk)
