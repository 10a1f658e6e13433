"""A deleted tenant: nothing of it is left in any table or file, nobody writes for it again, others keep theirs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import anyio
import psycopg
import pytest

import apart
import tenant_rows
from indelible import filesystem
from indelible.admin import purge_journal, tenant_deletion, tokens
from indelible.core.context.context import Context
from indelible.core.context.permissions import Grant
from indelible.errors import Forbidden, NotFound
from indelible.server.http.tenants import Tenants
from indelible.settings import Settings
from indelible.store.postgres import tenants
from indelible.store.postgres.database import open_postgres
from indelible.store.tables import settings as stored
from open_stores import OpenTenant

pytestmark = pytest.mark.process

GONE, KEPT = 2, 3
NUMBERS = count(7_300)
Connection = psycopg.Connection[Any]


@pytest.fixture
def filled(administrator: str, tmp_path: Path) -> Iterator[tuple[str, str, str, Connection]]:
    """A schema in which two tenants have rows in every table: it, its owner's URL, a server's, and who sees all."""
    schema = f"deleting_{tmp_path.name.replace('-', '_')[-30:]}"
    own, serve = tenant_rows.store(administrator, schema)
    with closing(tenant_rows.connected(serve, schema)) as connection:
        for tenant in (GONE, KEPT):
            tenant_rows.fill(connection, tenant)
    with closing(tenant_rows.connected(administrator, schema)) as seeing:
        yield schema, own, serve, seeing


def quiet(table: str, count: int) -> None:
    assert table
    assert count


def test_nothing_is_left_in_any_table_and_another_tenant_s_rows_are_untouched(
    filled: tuple[str, str, str, Connection],
) -> None:
    schema, _, serve, seeing = filled
    before, theirs = tenant_rows.rows(seeing, schema, GONE), tenant_rows.rows(seeing, schema, KEPT)
    empty = {name for name, found in before.items() if not found}
    assert empty <= {"lease"}, "a table of which this tells nothing: fill it in tenant_rows"
    found = tenants.contents(serve, GONE, schema)
    assert (found.is_deleted, set(found.rows)) == (False, set(before) - empty)
    assert tenant_rows.PLACE in found.projects
    tenants.mark(serve, GONE, schema)
    assert tenants.delete(serve, GONE, quiet, schema) == []
    left = {name: found for name, found in tenant_rows.rows(seeing, schema, GONE).items() if found}
    assert list(left) == ["setting"]
    assert [text.split(",")[:2] for ((text,),) in [left["setting"]]] == [["(2", "deleted"]]
    for name in tenant_rows.tables(seeing, schema):
        said = f"SELECT count(*) FROM {name} AS of WHERE of::text LIKE %s"
        assert seeing.execute(said, [f"%{tenant_rows.secret(GONE)}%"]).fetchall() == [(0,)], name
    assert tenant_rows.rows(seeing, schema, KEPT) == theirs
    assert tenants.contents(serve, GONE, schema) == tenants.Contents({}, frozenset(), is_deleted=True)


def test_who_had_it_open_writes_nothing_more_and_who_opens_it_is_refused(
    filled: tuple[str, str, str, Connection],
) -> None:
    schema, _, serve, seeing = filled
    with closing(open_postgres(serve, schema, tenant=GONE)) as open_before:
        open_before.write(lambda tx: stored.put(tx, "before", "1"))
        tenants.mark(serve, GONE, schema)
        for receives in (False, True):  # a migration's own writes too
            open_before.receives = receives
            with pytest.raises(Forbidden, match="tenant 2 was deleted for good, and its number is not used again"):
                open_before.write(lambda tx: stored.put(tx, "after", "1"))
        tenants.delete(serve, GONE, quiet, schema)
        with open_before.read() as tx:
            assert tx.rows("usage.stored") == [(0, 0)]
            with pytest.raises(Forbidden):
                stored.refuse_unusable(tx)
    assert [name for name, found in tenant_rows.rows(seeing, schema, GONE).items() if found] == ["setting"]


@pytest.mark.parametrize("until", ["record", "record_version", "token"])
def test_what_was_interrupted_is_finished_by_the_next_run(filled: tuple[str, str, str, Connection], until: str) -> None:
    schema, _, serve, _ = filled

    def interrupted(table: str, _: int) -> None:
        if table == until:
            raise KeyboardInterrupt

    tenants.mark(serve, GONE, schema)
    with pytest.raises(KeyboardInterrupt):
        tenants.delete(serve, GONE, interrupted, schema)
    assert tenants.contents(serve, GONE, schema).is_deleted
    tenants.delete(serve, GONE, quiet, schema)
    assert tenants.contents(serve, GONE, schema).rows == {}


def test_the_indexes_that_are_of_it_alone_are_dropped_by_who_owns_them(
    filled: tuple[str, str, str, Connection],
) -> None:
    schema, own, serve, seeing = filled
    with closing(tenant_rows.connected(own, schema)) as owner:
        for name in ("neighbors_2_1_0", "neighbors_2_1_1_half_made", "neighbors_22_1_0", "neighbors_3_1_0"):
            owner.execute(f"CREATE INDEX {name} ON embedding (tenant)")
    tenants.mark(serve, GONE, schema)
    assert tenants.delete(serve, GONE, quiet, schema) == ["neighbors_2_1_0", "neighbors_2_1_1_half_made"]
    assert tenants.delete(own, GONE, quiet, schema) == []
    query = "SELECT indexname FROM pg_indexes WHERE schemaname = %s AND indexname LIKE 'neighbors%%' ORDER BY 1"
    assert [name for (name,) in seeing.execute(query, [schema]).fetchall()] == ["neighbors_22_1_0", "neighbors_3_1_0"]


def of(ctx: Context, tenant: int) -> Settings:
    return replace(ctx.settings, tenant=tenant)


def test_its_files_on_this_machine_go_with_it_and_those_of_others_stay(open_tenant: OpenTenant) -> None:
    gone, kept = next(NUMBERS), next(NUMBERS)
    ctx, data = open_tenant(gone), open_tenant(gone).settings.data
    apart.call(ctx, "store_memory", content="the quoll", namespace="shop")
    left: dict[int, list[Path]] = {}
    for tenant in (gone, kept):
        place = of(ctx, tenant)
        event = Path(place.inbox) / "spool" / "new" / "event"
        spools = [
            filesystem.spool_of(data, filesystem.target_of(data, name, place.place)) / "new" / "write"
            for name in ("shop", "")
        ]
        left[tenant] = [event, *spools, purge_journal.path_of(place)]
        for path in left[tenant]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("of a tenant")
    plan = tenant_deletion.plan(of(ctx, gone))
    assert plan.rows["record"] == 1
    assert len(plan.files) == 4
    assert all(path.exists() for path in (*left[gone], *left[kept]))  # a plan changes nothing
    assert set(tenant_deletion.run(of(ctx, gone), plan, quiet)) >= set(tenant_deletion.ELSEWHERE)
    assert [path for path in left[gone] if path.exists()] == []
    assert [path for path in left[kept] if not path.exists()] == []
    again = tenant_deletion.plan(of(ctx, gone))
    assert (again.is_empty, again.is_deleted) == (True, True)
    with pytest.raises(Forbidden, match="was deleted for good"):
        open_tenant(gone)
    with pytest.raises(NotFound, match=f"tenant {kept + 1_000} has stored nothing"):
        tenant_deletion.plan(of(ctx, kept + 1_000))


def test_a_server_that_runs_refuses_its_tokens_closes_its_context_and_opens_it_no_more(open_tenant: OpenTenant) -> None:
    gone, own = next(NUMBERS), open_tenant(next(NUMBERS))
    secret = tokens.create(open_tenant(gone), "", "write").secret
    serving = Tenants(own)

    async def talk() -> None:
        async with serving.running():
            bearer = serving.bearer(secret)
            assert bearer is not None
            async with serving.entered(bearer) as ctx:
                apart.call(ctx, "store_memory", content="the quoll")
                place = of(own, gone)
                plan = await anyio.to_thread.run_sync(tenant_deletion.plan, place)
                await anyio.to_thread.run_sync(tenant_deletion.run, place, plan, quiet)
                assert serving.bearer(secret) is None
                assert apart.call(ctx, "recall_memory", query="quoll") == []
                with pytest.raises(Forbidden, match="was deleted for good"):
                    apart.call(ctx, "store_memory", content="the bilby")
                await serving.close_deleted()
                assert serving.others == [gone]  # somebody is there
            await serving.close_deleted()
            assert serving.others == []
            with pytest.raises(Forbidden, match="was deleted for good"):
                async with serving.entered(serving.issued(Grant("jwt:ann", "write"), gone)):
                    pass
            assert serving.others == []

    anyio.run(talk)
    assert tenants.contents(own.settings.database, gone).rows == {}  # neither by what waited behind in the context
