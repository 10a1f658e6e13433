"""A node of a Citus cluster that is lost: in a commit, and for a while; and shards that move meanwhile.

On a cluster only where its build is there.
"""

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress

import anyio
import psycopg
import pytest

import on_postgres
from indelible.admin import tokens
from indelible.core.context.context import open_context
from indelible.errors import StoreError
from indelible.server.http.auth import Authentication
from indelible.server.http.tenants import Tenants
from indelible.settings import Settings
from indelible.store.postgres.database import open_postgres
from indelible.store.postgres.distribution import distribute
from indelible.store.postgres.migrate import upgrade_postgres
from indelible.store.tables import records, settings
from postgres_store import fetch, keys
from samples import keep, record
from wire import Wire

pytestmark = [pytest.mark.full, pytest.mark.timeout(600)]

OURS, THEIRS = 1, 2  # tenants, on different nodes
ROLE = "serving"
NODES = """SELECT nodeport, shardid FROM citus_shards WHERE table_name = 'record'::regclass
  AND shardid = get_shard_id_for_distribution_column('record', %s::bigint)"""
WAITING = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND wait_event <> 'advisory'"


class Nodes:
    """A cluster with a store, which a role serves that owns no table: its URL, and what the administrator does."""

    def __init__(self, cluster, admin):
        self.cluster = cluster
        self.admin = admin
        self.url = admin.replace("//postgres:@", f"//{ROLE}@")

    def ask(self, query, *parameters):
        with psycopg.connect(self.admin, autocommit=True) as connection:
            cursor = connection.execute(query, parameters or None)
            return cursor.fetchall() if cursor.description else []

    def of(self, tenant):
        """The node of a tenant."""
        port = self.ask(NODES, tenant)[0][0]
        return next(node for node in self.cluster.nodes if node.port == port)


@pytest.fixture(scope="module")
def nodes(citus):
    with citus.running(citus.default_directory(), citus.place_in_memory()) as cluster:
        made = Nodes(cluster, citus.database(cluster.url, "nodes", on_postgres.ROLE))
        made.ask(f"CREATE ROLE {ROLE} LOGIN")
        # as the owner PostgreSQL replicates into a shard that moves, which it refuses for who is held to some rows
        made.ask(f"ALTER ROLE {on_postgres.ROLE} BYPASSRLS")
        own = made.admin.replace("//postgres:@", f"//{on_postgres.ROLE}@")
        distribute(own)
        upgrade_postgres(own, role=ROLE)
        assert made.of(OURS) is not made.of(THEIRS)
        yield made


@contextmanager
def behind_a_wire(nodes, tenant):
    """Let the coordinator reach the node of a tenant by a wire that can be cut."""
    node = nodes.of(tenant)
    place = "SELECT citus_update_node(nodeid, '127.0.0.1', %s) FROM pg_dist_node WHERE nodeport = %s"
    with closing(Wire(node.url)) as wire:
        port = int(psycopg.conninfo.conninfo_to_dict(wire.url)["port"])
        nodes.ask(place, port, node.port)
        try:
            yield node, wire
        finally:
            nodes.ask(place, node.port, port)


@pytest.mark.parametrize("lost", ["commit", "answer"])
def test_a_write_whose_commit_is_lost_between_the_coordinator_and_the_node_is_done_once(nodes, lost):
    with behind_a_wire(nodes, OURS) as (_, wire), closing(open_postgres(nodes.url, tenant=OURS)) as db:
        keep(db, record(f"before {lost}"))
        wire.lose = lost
        keep(db, record(f"lost {lost}"))
        assert wire.lose is None
        keep(db, record(f"after {lost}"))
        assert [key for key in keys(db) if key.endswith(lost)] == [
            f"{when} {lost}" for when in ("before", "lost", "after")
        ]


@pytest.mark.parametrize("first", [True, False])
def test_a_commit_that_the_node_has_not_heard_yet_is_waited_for(nodes, first):
    """As the first of its writer there is no row of another, for which one could wait."""
    name = f"late {first}"
    with behind_a_wire(nodes, OURS) as (node, wire), closing(open_postgres(nodes.url, tenant=OURS)) as db:
        if not first:
            keep(db, record(f"before {name}"))
        wire.lose = "late"
        with ThreadPoolExecutor() as pool, psycopg.connect(node.url, autocommit=True) as watch:
            lost = pool.submit(keep, db, record(name))
            while not watch.execute(WAITING).fetchall():
                pass
            assert not lost.done()
            wire.deliver()
            lost.result()
        assert keys(db).count(name) == 1


def test_a_node_that_is_away_is_waited_for_by_its_tenants_and_by_no_others(nodes):
    with closing(open_postgres(nodes.url, tenant=OURS)) as ours, closing(ours.for_tenant(THEIRS)) as theirs:
        for db in (ours, theirs):
            keep(db, record("there"))
        node = nodes.of(OURS)
        node.kill()
        with ThreadPoolExecutor() as pool:
            with pytest.raises(StoreError, match="cannot be reached"):
                keys(ours)
            writing = pool.submit(keep, ours, record("meanwhile"))
            reading = [pool.submit(keys, ours) for _ in range(12)]  # more than there are readers
            keep(theirs, record("meanwhile"))
            assert keys(theirs)[-2:] == ["there", "meanwhile"]
            node.start()
            writing.result()
        for read in reading:  # those beyond the first were told at once
            with suppress(StoreError):
                assert "there" in read.result()
        assert keys(ours)[-2:] == ["there", "meanwhile"]


def test_what_is_kept_on_every_node_is_refused_at_once_while_one_is_away_and_holds_up_no_write(nodes):
    """Such are settings, which the background notes for each tenant."""
    with closing(open_postgres(nodes.url, tenant=THEIRS)) as theirs, ThreadPoolExecutor() as pool:
        keep(theirs, record("first there"))
        node = nodes.of(OURS)
        node.kill()
        begun, go_on = threading.Event(), threading.Event()

        def slow(tx):
            begun.set()
            go_on.wait()
            records.insert(tx, record("slow"))

        with pytest.raises(StoreError, match="settings are kept on every node"):
            theirs.write(lambda tx: settings.put(tx, "probe", "1"))
        writing = [pool.submit(theirs.write, slow)]
        begun.wait()  # those after it are committed together with it
        writing.append(pool.submit(theirs.write, lambda tx: settings.put(tx, "probe", "2")))
        writing.append(pool.submit(keep, theirs, record("beside")))
        go_on.set()
        writing[0].result()
        with pytest.raises(StoreError, match="settings are kept on every node"):
            writing[1].result()
        writing[2].result()
        assert {"first there", "slow", "beside"} <= set(keys(theirs))
        node.start()
        theirs.write(lambda tx: settings.put(tx, "probe", "3"))
        with theirs.read() as tx:
            assert settings.find(tx, "probe") == "3"


def test_a_request_of_a_tenant_needs_no_node_of_the_servers_own(nodes, tmp_path):
    def settings(tenant):
        return Settings(data=tmp_path / "data", database=nodes.url, tenant=tenant, encoder="off", start=tmp_path)

    with closing(open_context(settings(THEIRS))) as ctx:
        secret = tokens.create(ctx, "", "write").secret
    with closing(open_context(settings(OURS))) as ctx:
        asking = Authentication(Tenants(ctx))
        node = nodes.of(OURS)
        node.kill()
        try:
            bearer = anyio.run(asking.bearer, {"authorization": f"Bearer {secret}"})
        finally:
            node.start()
        assert bearer.tenant == THEIRS


@contextmanager
def writing(nodes, tenant):
    """Write for a tenant meanwhile, by several clients; all that was acknowledged must be there in the end."""
    nodes.ask("SELECT start_metadata_sync_to_all_nodes()")  # which else waits for a minute after a node was away
    ended, written = threading.Event(), []

    def write(db, client):
        number = 0
        while not ended.is_set():
            number += 1
            written.extend(kept.key for kept in keep(db, record(f"{client} {number}")))

    with closing(open_postgres(nodes.url, tenant=tenant)) as one, closing(one.for_tenant(tenant)) as other:
        before = every_key(one)
        with ThreadPoolExecutor() as pool:
            clients = [pool.submit(write, db, uuid.uuid4().hex) for db in (one, one, other)]
            try:
                yield
            finally:
                ended.set()
            for client in clients:
                client.result()
        assert every_key(one) - before == set(written)
        assert written


def every_key(db):
    with db.read() as tx:
        return {key for (key,) in fetch(tx, f"SELECT key FROM record WHERE tenant = {db.tenant}")}


def repeat(nodes, query, *parameters):
    """Run an administrator's command until it is not in a deadlock with a write, of which either may be undone."""
    while True:
        try:
            return nodes.ask(query, *parameters)
        except psycopg.errors.DeadlockDetected:
            pass


@pytest.mark.parametrize("mode", ["auto", "block_writes"])
def test_a_shard_that_moves_loses_nothing_and_nobody_is_told(nodes, mode):
    there = nodes.of(THEIRS)
    here, shard = nodes.ask(NODES, OURS)[0]
    move = "SELECT citus_move_shard_placement(%s, '127.0.0.1', %s, '127.0.0.1', %s, %s)"
    with writing(nodes, OURS):
        for source, target in ((here, there.port), (there.port, here)):
            repeat(nodes, move, shard, source, target, mode)


def test_a_tenant_that_is_isolated_loses_nothing_and_nobody_is_told(nodes):
    isolated = 17
    with writing(nodes, isolated):
        for tenant in (isolated, *shard_mates(nodes, isolated)):
            repeat(nodes, "SELECT isolate_tenant_to_new_shard('record', %s, 'CASCADE', 'block_writes')", tenant)


def shard_mates(nodes, tenant):
    """A tenant of the same shard."""
    ((_, shard),) = nodes.ask(NODES, tenant)
    return [next(other for other in range(100, 1000) if nodes.ask(NODES, other)[0][1] == shard)]
