"""A tenant's quota of what it stores: what is refused, what is not, and how exact it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import apart
from indelible.admin import purge, tenant_usage
from indelible.capture import ingest, spool
from indelible.core.context import quota
from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.core.context.permissions import Grant
from indelible.core.records import exporting, undo
from indelible.errors import InvalidInput, QuotaExceeded
from indelible.store.views import usage
from open_stores import OpenTenant
from told import spooled, whole_session

pytestmark = pytest.mark.process

NUMBERS = count(7_000)
OpenQuota = Callable[..., Context]


class Time:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def limited(open_tenant: OpenTenant, time: Time) -> OpenQuota:
    """Open a new tenant with a quota, as a server has it whose time is the test's."""

    def open_it(**limits: int | None) -> Context:
        ctx = replace(open_tenant(next(NUMBERS)), room=quota.Room(clock=time))
        tenant_usage.set_quota(ctx, limits)
        return ctx

    return open_it


def stored(ctx: Context) -> usage.Stored:
    return tenant_usage.of_one(ctx).stored


STORING: dict[str, dict[str, Any]] = {
    "store_memory": {"content": "one too many"},
    "create_entities": {"entities": [{"name": "Ada", "entityType": "person", "observations": ["one too many"]}]},
    "log_chat": {"content": "one too many", "role": "user", "conversation_id": "c"},
    "add_todo": {"title": "one too many"},
    "log_code_attempt": {"input_prompt": "one", "generated_code": "one", "result": "pass"},
}


def test_what_would_exceed_the_records_is_refused_whole_and_says_what_is_used(limited: OpenQuota) -> None:
    ctx = limited(records=2)
    for text in ("the quoll", "the bilby"):
        apart.call(ctx, "store_memory", content=text)
    tenant = ctx.store.tenant
    for tool, given in STORING.items():
        with pytest.raises(QuotaExceeded) as refused:
            apart.call(ctx, tool, **given)
        said = str(refused.value)
        assert f"tenant {tenant} " in said
        assert "it has 2 of 2 records" in said
        assert f"`indelible tenant quota {tenant} --records N`" in said
    assert stored(ctx).records == 2


def test_of_a_call_that_stores_several_none_is_stored_where_there_is_no_room_for_all(limited: OpenQuota) -> None:
    ctx = limited(records=3)
    entities = [{"name": f"e{n}", "entityType": "t", "observations": []} for n in range(4)]
    with pytest.raises(
        QuotaExceeded, match="it has 0 of 3 records; it was not stored"
    ):  # what is undone is not counted
        apart.call(ctx, "create_entities", entities=entities)
    assert stored(ctx).records == 0
    assert len(apart.call(ctx, "create_entities", entities=entities[:3])["entities"]) == 3


def test_over_the_quota_one_can_delete_undo_purge_export_read_and_change(limited: OpenQuota, time: Time) -> None:
    ctx = limited(records=3)
    kept, other, last = (apart.call(ctx, "store_memory", content=f"the quoll {n}")["id"] for n in range(3))
    tenant_usage.set_quota(ctx, {"records": 1, "bytes": 10})
    time.now += quota.COUNTED
    with pytest.raises(QuotaExceeded):
        apart.call(ctx, "store_memory", content="one too many")
    assert len(list(exporting.export_all(ctx))) == 3
    assert len(apart.call(ctx, "recall_memory", query="quoll", k=9)) == 3
    apart.call(ctx, "delete_memory", id=other)
    assert stored(ctx).records == 2
    undo.undo(ctx.for_call(Call(tool="undo")))
    assert stored(ctx).records == 3  # it brings back what was acknowledged, quota or not
    apart.call(ctx, "update_memory", id=kept, content="quoll")  # which is shorter
    plan = purge.plan(ctx, purge.of_records(ctx, [last]))
    purge.run(ctx, plan.selection, lambda _: None)
    assert stored(ctx).records == 2


def test_room_that_was_made_is_there_again_and_a_raised_quota_holds(limited: OpenQuota, time: Time) -> None:
    ctx = limited(records=1)
    first = apart.call(ctx, "store_memory", content="the quoll")["id"]
    apart.call(ctx, "delete_memory", id=first)
    time.now += quota.DOUBTED
    second = apart.call(ctx, "store_memory", content="the bilby")["id"]
    assert second
    with pytest.raises(QuotaExceeded):
        apart.call(ctx, "store_memory", content="the numbat")
    tenant_usage.set_quota(ctx, {"records": None})
    time.now += quota.LOOKED
    apart.call(ctx, "store_memory", content="the numbat")


def test_bytes_are_held_by_what_is_added_and_by_what_is_lengthened(limited: OpenQuota) -> None:
    ctx = limited(bytes=1_500)
    first = apart.call(ctx, "store_memory", content="ä" * 300)["id"]
    entity = {"name": "Ada", "entityType": "person", "observations": []}
    apart.call(ctx, "create_entities", entities=[entity])
    before = stored(ctx)
    with pytest.raises(QuotaExceeded, match=f"it has {before.bytes:,} of 1,500 bytes"):
        apart.call(ctx, "store_memory", content="o" * 2_000)
    with pytest.raises(QuotaExceeded, match="bytes"):
        apart.call(ctx, "update_memory", id=first, content="o" * 2_000)
    with pytest.raises(QuotaExceeded, match="bytes"):
        apart.call(ctx, "add_observations", observations=[{"entityName": "Ada", "contents": ["o" * 2_000]}])
    assert stored(ctx) == before
    apart.call(ctx, "update_memory", id=first, content="ä" * 200)


def test_what_is_counted_in_a_process_is_what_the_database_counts(limited: OpenQuota) -> None:
    ctx = limited(bytes=10**9)
    apart.call(ctx, "store_memory", content="Zoë's quoll \\ \" 🐾", tags=["a", "ü"])
    apart.call(ctx, "create_entities", **STORING["create_entities"])
    apart.call(ctx, "add_observations", observations=[{"entityName": "Ada", "contents": ["has a quoll"]}])
    apart.call(ctx, "log_code_attempt", **STORING["log_code_attempt"])
    apart.call(ctx, "log_chat", content="héllo", role="user", conversation_id="c")
    assert ctx.room._used == stored(ctx)


def test_what_is_there_already_takes_no_room(limited: OpenQuota) -> None:
    ctx = limited(records=2)
    first = apart.call(ctx, "store_memory", content="the quoll")
    for tags in ([], ["shy"], ["shy"]):
        again = apart.call(ctx, "store_memory", content="the quoll", tags=tags)
        assert (again["id"], again["status"]) == (first["id"], "duplicate")
    assert ctx.room._used == stored(ctx)
    apart.call(ctx, "store_memory", content="the bilby")
    assert apart.call(ctx, "store_memory", content="the quoll")["status"] == "duplicate"  # there is no room left
    with pytest.raises(QuotaExceeded, match="it has 2 of 2 records"):
        apart.call(ctx, "store_memory", content="the numbat")


def test_what_other_processes_stored_counts_within_a_minute(limited: OpenQuota, time: Time) -> None:
    ctx = limited(records=2)
    apart.call(ctx, "store_memory", content="the quoll")
    other = replace(ctx, room=quota.Room(clock=time))
    apart.call(other, "store_memory", content="the bilby")
    time.now += quota.COUNTED
    with pytest.raises(QuotaExceeded):
        apart.call(ctx, "store_memory", content="the numbat")


def test_who_sees_a_part_of_a_tenant_is_told_no_figure_of_the_whole(limited: OpenQuota) -> None:
    ctx = limited(records=1)
    apart.call(ctx, "store_memory", content="the quoll", namespace="other")
    mine = ctx.granted(Grant("tok_mine", "write", frozenset({"mine"})))
    with pytest.raises(QuotaExceeded) as refused:
        apart.call(mine, "store_memory", content="the bilby", namespace="mine")
    assert "its records are used up" in str(refused.value)
    assert "of 1" not in str(refused.value)


def test_without_a_quota_nothing_is_counted_and_none_takes_it_away(limited: OpenQuota, time: Time) -> None:
    ctx = limited()
    apart.call(ctx, "store_memory", content="the quoll")
    assert ctx.room._counted == float("-inf")
    assert tenant_usage.set_quota(ctx, {"records": 1}) == quota.Quota(records=1)
    assert tenant_usage.set_quota(ctx, {"bytes": 5}) == quota.Quota(records=1, bytes=5)
    assert tenant_usage.set_quota(ctx, {"records": None, "bytes": None}) == quota.NO_QUOTA
    time.now += quota.LOOKED
    apart.call(ctx, "store_memory", content="the bilby")
    with pytest.raises(InvalidInput, match="bytes must be a whole number from 0"):
        tenant_usage.set_quota(ctx, {"bytes": -1})


def test_what_hooks_left_waits_until_there_is_room(limited: OpenQuota, time: Time, tmp_path: Path) -> None:
    ctx = limited(records=0)
    ctx = replace(ctx, settings=replace(ctx.settings, data=tmp_path))
    inbox = Path(ctx.settings.inbox)
    inbox.mkdir(parents=True, mode=0o700)
    spooled(inbox, whole_session(tmp_path / "shop").events)
    waiting = spool.waiting(str(inbox))
    with pytest.raises(QuotaExceeded):
        ingest.drain(ctx)
    assert spool.waiting(str(inbox)) == waiting != []
    tenant_usage.set_quota(ctx, {"records": None})
    time.now += quota.LOOKED
    done = ingest.drain(ctx)
    assert (done.events, done.bad) == (0, 0)  # the events are known by then
    assert done.memories > 0
    assert spool.is_empty(str(inbox))


def test_what_counting_costs_is_a_fiftieth_of_the_time(limited: OpenQuota, time: Time) -> None:
    ctx = limited(records=100)
    apart.call(ctx, "store_memory", content="the quoll")
    ctx.room._took = 4.0  # as of millions of records
    counted = ctx.room._counted
    time.now += 199
    apart.call(ctx, "store_memory", content="the bilby")
    assert ctx.room._counted == counted
    time.now += 1
    apart.call(ctx, "store_memory", content="the numbat")
    assert ctx.room._counted == time.now
