"""A primary and its streaming standby: what is served from which, when the primary is lost, and what is known then."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

import on_postgres
from command_line import indelible
from http_server import HttpServer
from indelible.api import open_memory
from indelible.errors import StoreError
from indelible.store.postgres.database import open_postgres
from indelible.store.tables import records
from postgres_pair import Pair, pair
from samples import keep, record
from wire import Wire

pytestmark = [
    pytest.mark.process,
    pytest.mark.full,
    pytest.mark.one_server("has servers or schemas of its own, which are not spread"),
]

BOTH = {"target_session_attrs": "read-write"}


@pytest.fixture(scope="module")
def two() -> Iterator[Pair]:
    with pair(Path(tempfile.mkdtemp(prefix="indelible-pair-", dir=on_postgres.disk()))) as two:
        yield two


def names(db):
    with db.read() as tx:
        return [r.key for r in records.after(tx, 0, 10_000)]


def caught_up(two):
    """The standby has replayed what the primary has written."""
    while two.primary.execute("SELECT 1 FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_lsn()") == []:
        pass


def test_writes_go_to_the_primary_and_reads_where_the_url_says(two):
    with closing(open_postgres(two.url(two.standby, two.primary, **BOTH), "where")) as db:
        keep(db, record("a"))
        caught_up(two)
        for target, is_standby in (("primary", False), ("prefer-standby", True), ("standby", True), ("any", True)):
            url = two.url(two.standby, two.primary, target_session_attrs=target)
            with closing(open_postgres(url, "where")) as reader, reader.read() as tx:
                assert tx.connection.execute("SELECT pg_is_in_recovery()").fetchall() == [(is_standby,)], target
                assert [r.key for r in records.after(tx, 0, 10)] == ["a"]


def test_a_standby_refuses_writes_and_names_the_way_to_the_primary(two):
    with closing(open_postgres(two.url(two.standby), "where")) as db:
        with pytest.raises(StoreError, match=r"is read-only \(a standby.*all hosts in it and target_session_attrs="):
            keep(db, record("b"))
        assert names(db) == ["a"]


def test_of_a_session_that_fell_silent_its_own_host_is_asked_and_no_other(two):
    """Another one would know nothing of it, which is no sign that it is at work."""
    with closing(Wire(f"host={two.primary.place} user=keeper dbname=memory")) as wire:
        port = wire.url.split("port=")[1].split()[0]
        url = f"postgresql://keeper@/memory?host=127.0.0.1,{two.standby.place}&port={port},5432&sslmode=disable"
        with closing(open_postgres(url, "where", wait=4.0)) as db:
            assert names(db) == ["a"]
            wire.swallows = True
            assert names(db) == ["a"]  # the standby's
        wire.swallows = False


def test_a_read_only_server_on_a_standby_serves_reads_and_says_how_far_it_is_behind(two, tmp_path):
    on_standby = ("--database", two.url(two.standby), "--tenant", "7")
    with (
        open_memory(tmp_path / "writer", database=two.url(**BOTH), tenant=7) as memory,
        HttpServer(tmp_path / "reader", "--read-only", *on_standby, env={"INDELIBLE_ENCODER": "off"}) as server,
    ):
        memory.store_memory(content="The koala sleeps all day")
        caught_up(two)
        assert [hit["content"] for hit in server.call("recall_memory", {"query": "koala"})] == [
            "The koala sleeps all day"
        ]
        refused = server.post("/jsonrpc", {"jsonrpc": "2.0", "id": 1, "method": "store_memory", "params": {}})
        assert refused.message == "store_memory writes, and this server is read-only; start it without --read-only"
        up_to_date = {"connected": 1, "lag_bytes": 0, "lag_seconds": 0.0}
        assert server.get("/health").json == {"status": "ok", "standby": up_to_date}

        two.standby.execute("SELECT pg_wal_replay_pause()")
        memory.store_memory(content="The quokka smiles")
        while not (behind := server.get("/health").json["standby"])["lag_bytes"]:
            pass
        assert behind["connected"] == 1
        assert behind["lag_seconds"] > 0
        assert server.call("recall_memory", {"query": "quokka"}) == []
        metrics = server.get("/metrics").body.decode()
        assert f"\nindelible_standby_lag_bytes {behind['lag_bytes']}\n" in metrics
        assert "\nindelible_standby_connected 1\n" in metrics
        told = indelible("doctor", *on_standby, data=tmp_path / "reader").stdout.decode()
        assert f"standby: {behind['lag_bytes']:,} bytes behind what it has received; what it replayed last is" in told

        two.standby.execute("SELECT pg_wal_replay_resume()")
        caught_up(two)
        assert server.get("/health").json["standby"] == up_to_date
        assert len(server.call("recall_memory", {"query": "quokka"})) == 1
        told = indelible("doctor", *on_standby, data=tmp_path / "reader").stdout.decode()
        assert "standby: up to date with what its primary sent" in told


def test_what_an_asynchronous_standby_lost_is_not_found_and_what_is_stored_in_its_place_is(two, tmp_path):
    """The new primary gives the numbers of the lost changes and records out again, which caches must notice."""
    with open_memory(tmp_path / "data", database=two.url(**BOTH), tenant=8) as memory:
        memory.store_memory(content="The koala sleeps all day")
        caught_up(two)
        two.standby.execute("ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()")
        while two.primary.execute("SELECT 1 FROM pg_stat_replication"):
            pass
        lost = memory.store_memory(content="The quokka smiles")
        memory.memorize(id="lost", vector=[1.0])
        memory.create_entities(entities=[{"name": "Quokka", "entityType": "t", "observations": ["smiles"]}])
        assert [hit["id"] for hit in memory.recall_memory(query="quokka smiles")][:1] == [lost["id"]]
        assert memory.search_nodes(query="quokka")["entities"]
        assert memory.search(vector=[1.0])
        with closing(open_postgres(two.url(two.standby), "public", tenant=8)) as standby:
            assert standby.standby().connected is False
        two.fail_over()
        stored = memory.store_memory(content="The numbat eats termites")
        memory.memorize(id="after", vector=[0.0, 1.0])
        memory.create_entities(entities=[{"name": "Numbat", "entityType": "t", "observations": ["eats"]}])
        assert [hit["id"] for hit in memory.recall_memory(query="numbat termites")][:1] == [stored["id"]]
        assert lost["id"] not in [hit["id"] for hit in memory.recall_memory(query="quokka smiles")]
        assert [each["name"] for each in memory.search_nodes(query="numbat")["entities"]] == ["Numbat"]
        assert memory.search_nodes(query="quokka")["entities"] == []
        assert [each["id"] for each in memory.search(vector=[0.0, 1.0])] == ["after"]
    two.rejoin()


def test_a_synchronous_standby_has_every_acknowledged_write_and_the_url_leads_to_it(two):
    with closing(open_postgres(two.url(**BOTH), "sync")) as db:
        two.be_synchronous()
        kept = [keep(db, record(str(number)))[0].key for number in range(20)]
        two.fail_over()
        kept += [keep(db, record("after"))[0].key]
        assert names(db) == kept
        assert db.standby() is None
    two.rejoin()


def test_a_commit_that_no_synchronous_standby_has_is_not_acknowledged_because_it_is_seen(two):
    """A session that is ended while it waits for the standby has committed, for everybody who asks the primary."""
    waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    with closing(open_postgres(two.url(**BOTH), "unseen")) as db, ThreadPoolExecutor() as pool:
        keep(db, record("a"))
        caught_up(two)
        two.be_synchronous()
        two.standby.execute("ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()")
        while two.primary.execute("SELECT 1 FROM pg_stat_replication"):
            pass
        writing = pool.submit(keep, db, record("b"))
        while not (found := two.primary.execute(waiting)):
            pass
        ((first,),) = found
        two.primary.execute(f"SELECT pg_terminate_backend({first})")
        while two.primary.execute(waiting) in ([], [(first,)]) and not writing.done():
            pass
        assert not writing.done()
        two.fail_over()
        writing.result()
        assert names(db) == ["a", "b"]
    two.rejoin()
