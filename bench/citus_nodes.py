"""A store that is spread over a Citus cluster on this disk, and the same PostgreSQL without Citus beside it."""

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

sys.path.append(str(Path(__file__).resolve().parents[1] / "scripts"))

import citus_cluster
from citus_cluster import Cluster, Node

OWNER, ROLE, DATABASE = "owner", "bench", "bench"
BUFFERS = {"shared_buffers": "512MB"}  # of each node, as of the one server that others are compared with
TRIES = 10
IN_SYNC = 120.0  # seconds
COUNTED = """SELECT query_execution_single_shard, query_execution_multi_shard FROM citus_stat_counters
  WHERE name = current_database()"""


@dataclass(frozen=True, slots=True)
class Spread:
    """A store on a cluster: the URL of Indelible's role, and of the administrator of its database."""

    url: str
    admin: str
    cluster: Cluster

    def ask(self, query: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Rows of a query that sees every tenant."""
        with psycopg.connect(self.admin, autocommit=True) as connection:
            cursor = connection.execute(query, parameters or None)  # type: ignore[arg-type]
            return cursor.fetchall() if cursor.description else []

    def administer(self, statement: str, parameters: Sequence[Any] = ()) -> int:
        """Run an administrator's command; how often it was run again, as it was in a deadlock with clients' writes.

        A node that was away is in sync again within a minute, and no shard moves before: that is waited for.
        """
        again, until = 0, time.monotonic() + IN_SYNC
        while again < TRIES:
            try:
                self.ask(statement, parameters)
            except psycopg.errors.DeadlockDetected:
                again += 1
            except (psycopg.errors.ObjectNotInPrerequisiteState, psycopg.errors.InternalError_):
                if time.monotonic() > until:
                    raise
                time.sleep(1)
            else:
                return again
        raise SystemExit(f"{statement}: in a deadlock {TRIES} times")

    def size(self) -> int:
        """Bytes of its tables on the disks of all nodes."""
        sizes = "SELECT sum(citus_total_relation_size(logicalrelid))::bigint FROM pg_dist_partition"
        return int(self.ask(sizes)[0][0])

    def reset(self) -> None:
        """Begin to count statements."""
        for node in self.cluster.nodes:
            self._on(node, "SELECT citus_stat_counters_reset(0)")

    def reached(self) -> tuple[int, int]:
        """How many statements reached one shard, and how many several, as all nodes counted since `reset`."""
        single, several = zip(*(self._on(node, COUNTED)[0] for node in self.cluster.nodes), strict=True)
        return sum(single), sum(several)

    def add(self) -> int:
        """Start one more worker and make it a member; its port."""
        node = self.cluster.start()
        citus_cluster.add_worker(self.admin, node, OWNER)
        self.cluster.nodes.append(node)
        return node.port

    def _on(self, node: Node, query: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(f"{node.url.rsplit('/', 1)[0]}/{DATABASE}", autocommit=True) as connection:
            cursor = connection.execute(query)  # type: ignore[arg-type]
            return cursor.fetchall()


@dataclass(frozen=True, slots=True)
class Plain:
    """One server of the same build and settings, without Citus."""

    url: str
    admin: str

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """Rows of a query that sees every tenant."""
        with psycopg.connect(self.admin, autocommit=True) as connection:
            cursor = connection.execute(query)  # type: ignore[arg-type]
            return cursor.fetchall() if cursor.description else []

    def size(self) -> int:
        """Bytes of the database on the disk."""
        return int(self.ask("SELECT pg_database_size(current_database())")[0][0])


@contextmanager
def spread(folder: Path) -> Iterator[Spread]:
    """A cluster below a folder with an empty store, until the end.

    A role serves it that row-level security holds; the owner of its tables, as whom PostgreSQL replicates into a shard
    that moves, serves nothing, and may see all rows.
    """
    from indelible.store.postgres.distribution import distribute
    from indelible.store.postgres.migrate import upgrade_postgres

    with citus_cluster.running(citus_cluster.default_directory(), folder, settings=BUFFERS) as cluster:
        admin = citus_cluster.database(cluster.url, DATABASE, OWNER)
        with psycopg.connect(admin, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {ROLE} LOGIN NOSUPERUSER NOBYPASSRLS")
            connection.execute(f"ALTER ROLE {OWNER} BYPASSRLS")
        own = _as(OWNER, admin)
        distribute(own)
        upgrade_postgres(own, role=ROLE)
        yield Spread(_as(ROLE, admin), admin, cluster)


@contextmanager
def plain(folder: Path) -> Iterator[Plain]:
    """A server beside it, with an empty database."""
    from indelible.store.postgres.migrate import upgrade_postgres

    own = {name: value for name, value in citus_cluster.SETTINGS.items() if not name.startswith("citus.")}
    with citus_cluster.servers(citus_cluster.default_directory(), folder) as start:
        node = start({**own, **BUFFERS, "shared_preload_libraries": "pg_stat_statements"})
        citus_cluster.make_database(node.url, DATABASE, OWNER)
        admin = f"{node.url.rsplit('/', 1)[0]}/{DATABASE}"
        with psycopg.connect(admin, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {ROLE} LOGIN NOSUPERUSER NOBYPASSRLS")
        upgrade_postgres(_as(OWNER, admin), role=ROLE)
        yield Plain(_as(ROLE, admin), admin)


def _as(role: str, admin: str) -> str:
    return admin.replace("//postgres:@", f"//{role}@")


def version(store: Spread) -> str:
    """`Citus 14.0.1 on PostgreSQL 18.6, a coordinator and 2 workers, 4 shards`."""
    asked = """SELECT (SELECT extversion FROM pg_extension WHERE extname = 'citus'), current_setting('server_version'),
      (SELECT count(*) FROM pg_dist_node WHERE groupid > 0), current_setting('citus.shard_count')"""
    ((citus, postgres, workers, shards),) = store.ask(asked)
    return (
        f"Citus {citus_cluster.VERSION} (extension {citus}) on PostgreSQL {postgres}: a coordinator and {workers} "
        f"workers, {shards} shards"
    )
