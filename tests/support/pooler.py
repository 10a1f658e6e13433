"""PgBouncer in front of a server, in transaction mode.

with Pooler(url, folder, sessions=2) as pooler:
    pooler.url              # the same database, by way of it
    pooler.point_to(other)  # the next server, as who promotes it tells PgBouncer
"""

from __future__ import annotations

import signal
import socket
import subprocess
from pathlib import Path
from typing import Self

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

_CONFIGURATION = """
[databases]
{dbname} = host={host} port={port} dbname={dbname} user={user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {sessions}
server_reset_query =
server_login_retry = 1
"""


class Pooler:
    """A PgBouncer with so many sessions to the database of a URL; it can be used as soon as the block begins."""

    def __init__(self, url: str, folder: Path, *, sessions: int) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self.url = make_conninfo(url, host="127.0.0.1", port=self.port)
        self._sessions = sessions
        self._path = folder / "pgbouncer.ini"
        self._write(url)
        as_user = []
        if Path("/proc/self").owner() == "root":  # which it refuses to be
            as_user = ["-u", "nobody"]
            folder.chmod(0o777)
        self._process = subprocess.Popen(["pgbouncer", "-q", *as_user, str(self._path)], stderr=subprocess.DEVNULL)

    def _write(self, url: str) -> None:
        where = {"port": "5432", **conninfo_to_dict(url)}
        self._path.write_text(_CONFIGURATION.format(**where, own=self.port, sessions=self._sessions))

    def point_to(self, url: str) -> None:
        """Lead to another server from now on."""
        self._write(url)
        self._process.send_signal(signal.SIGHUP)

    def __enter__(self) -> Self:
        while True:
            try:
                psycopg.connect(self.url).close()
            except psycopg.OperationalError as error:
                if self._process.poll() is not None:
                    raise RuntimeError(f"pgbouncer ended with {self._process.returncode}: {error}") from error
            else:
                return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()
