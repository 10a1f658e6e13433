"""A call whose read was cut off by its server is made once more, where that does nothing twice."""

from collections.abc import Callable
from contextlib import closing

import psycopg
import pytest

from indelible.core.context.context import Context, open_context
from indelible.errors import Interrupted, InvalidInput
from indelible.settings import Settings
from indelible.store.tables import records
from indelible.toolsets import registry
from indelible.toolsets.registry import Tool
from samples import record

pytestmark = pytest.mark.process


@pytest.fixture
def ctx(postgres_url, new_schema, tmp_path):
    settings = Settings(data=tmp_path / "data", database=postgres_url, start=tmp_path, home=tmp_path)
    with closing(open_context(settings, schema=new_schema())) as ctx:
        yield ctx


@pytest.fixture
def end_sessions(postgres_url):
    def end():
        with psycopg.connect(postgres_url, autocommit=True) as server:
            server.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'indelible'"
            )

    return end


def looking(end_sessions: Callable[[], None], times: int, runs: list[str], *, writes: bool = False) -> Tool:
    """A tool that looks at the store, whose session ends that many times meanwhile."""

    def look(ctx: Context) -> dict[str, int]:
        runs.append("look")
        ctx.call.touched.append(f"run {len(runs)}")
        with ctx.store.read() as tx:
            if len(runs) <= times:
                end_sessions()
            last = records.last_id(tx)
        if writes:
            ctx.write(lambda tx: records.insert(tx, record("written")))
        return {"last": last}

    return Tool("look", "memory", "Look", "Looks.", look, writes, destructive=False, idempotent=not writes)


def test_a_tool_that_only_reads_is_run_once_more(ctx, end_sessions):
    runs: list[str] = []
    assert registry.call(ctx, looking(end_sessions, 1, runs), {}).value == {"last": 0}
    assert len(runs) == 2
    ctx.write_behind.flush()
    with ctx.store.read() as tx:
        (event,) = tx.connection.execute("SELECT tool, outcome, records FROM event").fetchall()
    assert event == ("look", "ok", '["run 2"]')


def test_it_is_not_run_a_third_time(ctx, end_sessions):
    runs: list[str] = []
    with pytest.raises(Interrupted, match=r"cannot be reached .*Repeat the call"):
        registry.call(ctx, looking(end_sessions, 2, runs), {})
    assert len(runs) == 2


def test_a_tool_that_writes_is_run_again_where_its_key_keeps_it_from_doing_so_twice(ctx, end_sessions):
    runs: list[str] = []
    with pytest.raises(Interrupted):
        registry.call(ctx, looking(end_sessions, 1, runs, writes=True), {})
    assert len(runs) == 1
    runs.clear()
    tool = looking(end_sessions, 1, runs, writes=True)
    for _ in range(2):
        assert registry.call(ctx, tool, {}, key="once").value["last"] <= 1
    with ctx.store.read() as tx:
        assert [r.key for r in records.after(tx, 0, 10)] == ["written"]


def test_what_is_wrong_with_a_call_is_not_tried_twice(ctx):
    runs: list[str] = []
    with pytest.raises(InvalidInput):
        registry.call(ctx, looking(lambda: None, 0, runs), {"unknown": 1})
    assert runs == []
