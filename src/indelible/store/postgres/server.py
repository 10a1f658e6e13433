"""A PostgreSQL server: its address, the SQL that begins transactions, and its failures in plain words."""

import math
import re
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import field
from typing import Any

from psycopg import Connection, Error, ProgrammingError, conninfo
from psycopg.errors import ConnectionTimeout

from indelible.dataclass import dataclass
from indelible.errors import InvalidInput, StoreError
from indelible.store.database import Row
from indelible.store.postgres.retry import is_lost, state_of
from indelible.store.postgres.roles import STORE_KEY, TENANT_KEY
from indelible.store.tables.settings import DELETED, MIGRATING

OLDEST_SERVER = 140_000
CONNECTING = 10  # seconds at most until a server answers, shared by the hosts of a URL
_DEFAULTS = {
    "fallback_application_name": "indelible",
    "client_encoding": "UTF8",
    # A machine that disappears without a word is noticed early enough for another try within WAIT.
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}
_NOTHING = "nothing of this call was written"
_READ_ONLY = (
    f"is read-only (a standby, or default_transaction_read_only); {_NOTHING}. Give the URL of the primary server, or "
    "all hosts in it and target_session_attrs=read-write"
)
_DAMAGED = "is damaged; restore it with pg_restore from a backup that pg_dump made"
_AT_ONCE = f"was changed by another program in the same moment, again and again; {_NOTHING}. Repeat the call"
_MEANINGS = {  # by SQLSTATE
    "25006": _READ_ONLY,
    "25P03": f"ended this session, which stood still for {{wait:g}} s in a write; {_NOTHING}. Repeat the call",
    "40001": _AT_ONCE,
    "40P01": _AT_ONCE,
    "42501": f"allows too little to this user ({{said}}); {_NOTHING}. Its owner can run `indelible database upgrade "
    "--role USER`; who is to own it needs GRANT USAGE and CREATE on its schema",
    "53100": f"is on a full disk; {_NOTHING}. Free some space on the server, then repeat it",
    "53200": f"has a server that is out of memory; {_NOTHING}. Repeat the call",
    "53300": f"has a server with too many connections; {_NOTHING}. Raise max_connections, or repeat the call",
    "55000": _READ_ONLY,
    "55P03": f"was kept busy for {{wait:g}} s by other processes; {_NOTHING}. Repeat the call",
    "57014": f"took longer than the server's statement_timeout allows; {_NOTHING}. Raise it for this user",
    "XX001": _DAMAGED,
    "XX002": _DAMAGED,
}


class Session(Connection[tuple[Any, ...]]):
    """A connection that notices, after `watch`, when its server is silent for long and is not at work either.

    A limit on the time of a statement would cut a migration or a purge that takes it, and the server's own limits
    (`statement_timeout`) help nobody where it is frozen, or where the network swallows what is sent.
    """

    _silence: float | None = None
    _is_at_work: Callable[["Session"], bool]

    def watch(self, silence: float, is_at_work: Callable[["Session"], bool]) -> None:
        """Ask whether the server is at work for this session whenever it has said nothing for `silence` seconds.

        If not, the session is closed, and what waits for it raises ConnectionTimeout.
        """
        self._silence, self._is_at_work = silence, is_at_work

    def wait(self, gen: Any, *interval: Any, **more: Any) -> Any:
        """Wait as psycopg does, but not for ever."""
        return super().wait(gen if self._silence is None else self._watched(gen, self._silence), *interval, **more)

    def _watched(self, gen: Any, silence: float) -> Any:
        """The same generator; it is resumed with nothing every tenth of a second."""
        heard, doubted = time.monotonic(), False
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                now = time.monotonic()
                if ready:
                    heard, doubted = now, False
                elif doubted:  # and its answer was not on the way while it was asked for
                    self.close()
                    raise ConnectionTimeout(f"it has not answered for {silence:g} s and is not working")
                elif now - heard >= silence:
                    doubted = not self._is_at_work(self)
                    heard = time.monotonic()
                wanted = gen.send(ready)
        except StopIteration as end:
            return end.value


@dataclass(frozen=True, slots=True)
class Server:
    """The address of a store: the parameters of a connection, and the schema ('' for the connection's own).

    `wait` is in seconds: how long a write waits for other processes, a call for a server that is away, and how long a
    write may stand still while others wait. `limited_role` is the role of limited callers' statements, '' where there
    is none. `distributed` is whether the tables are on other servers (`distribution`). `settings` is the table that
    tells whether a write may begin: in a cluster the coordinator's copy by a name of its own (`own_copy`).
    """

    parameters: dict[str, Any] = field(repr=False)  # the password may be among them
    schema: str
    wait: float
    limited_role: str = ""
    distributed: bool = False
    settings: str = "setting"

    @classmethod
    def of(cls, url: str, schema: str | None, wait: float) -> "Server":
        """The server of a URL. Raises InvalidInput, which does not repeat it: it may hold a password."""
        try:
            given = conninfo.conninfo_to_dict(url)
        except ProgrammingError as error:
            raise InvalidInput(
                f"the PostgreSQL URL cannot be read{_unknown(url, str(error))}; "
                "write it as postgresql://USER@HOST:PORT/DATABASE"
            ) from None
        # libpq takes less than 2 s as 2 s; each host has so long, and the last may be the one that answers
        patient = max(2, min(CONNECTING, math.ceil(wait)) // len(_hosts(given)))
        return cls({"connect_timeout": str(patient), **_DEFAULTS, **given}, schema or "", wait)

    @property
    def name(self) -> str:
        """The store in messages, without user and password."""
        hosts, database = ",".join(_hosts(self.parameters)), self.parameters.get("dbname", "")
        return f"the store postgresql://{hosts}/{database}" + (f" (schema {self.schema})" if self.schema else "")

    def dial(self) -> Connection[Row]:
        """A new connection, which is as the server made it: what a transaction needs it sets for itself (`scope`).

        Raises psycopg.Error.
        """
        session = self._session()
        session.watch(self._silence, self._is_at_work)
        return session

    def _session(self, **place: Any) -> Session:
        # nothing is prepared before it is known that no pooler stands between (`Connections.saw`)
        return Session.connect(**{**self.parameters, **place}, autocommit=True, prepare_threshold=None)

    @property
    def _silence(self) -> float:
        """Seconds: early enough for another try within `wait`."""
        return max(1.0, self.wait / 6)

    def _is_at_work(self, session: Session) -> bool:
        """Whether the server is at work for a session, as another one is told."""
        direct = session.prepare_threshold is not None  # a pooler's process number is another session's, or none
        process = session.info.backend_pid if direct else 0
        # of several hosts this one, whatever it is now: the others know nothing of its sessions
        place = {"host": session.info.host, "port": session.info.port, "hostaddr": session.info.hostaddr or None}
        try:
            with closing(self._session(**place, target_session_attrs="any")) as other:
                other.watch(self._silence, lambda _: False)
                found = other.execute("SELECT state FROM pg_stat_activity WHERE pid = %s", [process]).fetchall()
        except ConnectionTimeout:
            return False
        except Error:
            return True  # it is full, or unreachable: then the session itself notices
        # a busy session is "active", also where it waits for a lock; of another role's sessions nothing is shown
        return not any(str(state).startswith("idle") for (state,) in found)

    def connect(self) -> Connection[Row]:
        """Connect as `dial` does. Raises StoreError."""
        try:
            return self.dial()
        except Error as error:
            raise self.describe(error) from error

    def scope(self, tenant: int) -> str:
        """Return the SQL that begins a transaction for a tenant: whose rows it is about, and where they are.

        All of it LOCAL: nothing is left for the next user of the connection, neither in the pool here nor in a pooler
        that gives each transaction another connection.
        """
        # The session's temporary tables last: else one of them could stand for a table of the store.
        path = f"SET LOCAL search_path = {quoted(self.schema)}, pg_temp; " if self.schema else ""
        own = (
            f"SET LOCAL indelible.tenant = '{int(tenant)}'; SET LOCAL lock_timeout = {max(1, round(self.wait * 1000))}"
        )
        return _told_to_nodes(path, own) if self.distributed else path + own

    def begin_read(self, tenant: int) -> str:
        """The beginning of a transaction that reads, for one round trip."""
        return f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {self.scope(tenant)}"

    def touch(self, tenant: int) -> str:
        """Return the SQL that reaches the node of a tenant, which a BEGIN on its coordinator does not."""
        return f"SELECT FROM record_number WHERE tenant = {int(tenant)} LIMIT 1"

    def begin_write(self, tenant: int) -> str:
        """The beginning of a transaction that writes, with its lock, for one round trip.

        Its last row: the process that serves it, whether it can only read, the settings that keep writes out
        (`MIGRATING`, `DELETED`), the number of the schema.
        """
        return f"""BEGIN ISOLATION LEVEL READ COMMITTED; {self.scope(tenant)};
  SELECT set_config('idle_in_transaction_session_timeout', '{max(1, round(self.wait * 1000))}', true);
  {_ON_DISK}; {self.lock(tenant)};
  SELECT pg_backend_pid(), current_setting('transaction_read_only') = 'on',
    ARRAY(SELECT name FROM {self.settings} WHERE tenant = {int(tenant)} AND name IN ('{MIGRATING}', '{DELETED}')), value
  FROM {self.settings} WHERE tenant = 0 AND name = 'schema'"""

    def begin_look(self, tenant: int) -> str:
        """Return the SQL that begins a transaction which waits for a lost one to end, and then reads what it left.

        Once it holds the lock the other has ended.
        """
        return f"BEGIN ISOLATION LEVEL READ COMMITTED; {self.scope(tenant)}; {_ON_DISK}; {self.lock(tenant)}"

    def lock(self, tenant: int) -> str:
        """Return the SQL that locks out migrations of the store and other writes for the tenant, until the end.

        One transaction at a time writes for a tenant, as in SQLite: what the engine reads in it stays true until it
        commits, the many writes of a group commit cannot deadlock with another's, and the change log becomes visible
        in its order. The triggers that write the log take the same lock.
        """
        schema = "current_schema()"
        store = f"SELECT pg_advisory_xact_lock_shared({STORE_KEY.format(schema=schema)})"
        own = f"SELECT pg_advisory_xact_lock({TENANT_KEY.format(schema=schema, tenant=int(tenant))})"
        return f"{store}; {own}"

    def failures(self) -> tuple[type[BaseException], ...]:
        """Every failure of a connection that writes nothing."""
        return (Error,)

    def describe(self, error: BaseException) -> StoreError:
        """Return a failure of PostgreSQL as an error that says what to do."""
        said = first_line(error)
        state = state_of(error)
        if state == "42501" and _is_of_rows(error):
            return StoreError(
                f"{self.name} refused a row of another tenant or namespace than this transaction ({said}); {_NOTHING}. "
                "No GRANT helps: the policies of its tables were changed, or this is a fault of Indelible: report it"
            )
        if state in _MEANINGS:
            return StoreError(f"{self.name} {_MEANINGS[state].format(wait=self.wait, said=said)}")
        if is_lost(error) or state.startswith("57"):
            return StoreError(f"{self.name} cannot be reached ({said}); {_NOTHING}. {_remedy(error)}")
        return StoreError(f"{self.name} failed: {said}; {_NOTHING}")


# An acknowledged write is on the disk: a server that is set to acknowledge earlier is overruled.
_ON_DISK = """SELECT set_config('synchronous_commit', CASE WHEN value = 'off' THEN 'on' ELSE value END, true)
  FROM current_setting('synchronous_commit') AS value"""


def _told_to_nodes(path: str, own: str) -> str:
    """Return the same settings, `own` of them as a coordinator passes them on to the nodes, where policies and triggers
    run. The path is its own: what reaches a node names each table in full, and the triggers have theirs.

    It sends the whole text that a client's SET LOCAL came in, other statements too: so none comes from a client, and
    what else is for the coordinator alone is set by `set_config`.
    """
    block = f"BEGIN {path}SET LOCAL citus.propagate_set_commands = 'local'; {own}; END"
    return "DO '" + block.replace("'", "''") + "'"


def placed(connection: Connection[Row], schema: str | None = None) -> set[str]:
    """Return the tables of a schema (None: the connection's own) that are spread over a cluster; few have any."""
    if not connection.execute("SELECT FROM pg_extension WHERE extname = 'citus'").fetchall():
        return set()
    return {str(name) for (name,) in connection.execute(_PLACED, [schema]).fetchall()}


def own_copy(connection: Connection[Row], schema: str) -> str:
    """Return the name of the coordinator's copy of the settings, which it reads as any other table.

    By the name that every node knows they take 0.2 ms: a plan for the cluster, and one for the copy, each time.
    """
    found = connection.execute(_OWN_COPY, [schema]).fetchall()
    return str(found[0][0]) if found else "setting"


_PLACED = """SELECT relname::text FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
  WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = coalesce(%s::text, current_schema()))"""
_OWN_COPY = """SELECT shard_name(logicalrelid, shardid) FROM pg_dist_shard JOIN pg_dist_placement USING (shardid)
  WHERE logicalrelid = to_regclass(quote_ident(%s) || '.setting') AND groupid = 0"""


def _hosts(parameters: Mapping[str, Any]) -> list[str]:
    """The hosts of a connection, with the ports that are named; [""] for the one that libpq chooses."""
    hosts, ports = (str(parameters.get(part, "")).split(",") for part in ("host", "port"))
    if len(ports) == 1:  # that of all
        ports *= len(hosts)
    return [f"{host}:{port}" if port else host for host, port in zip(hosts, ports, strict=False)]


_ATTEMPT = re.compile(r"^- host: [^,\n]*+, port: [^,\n]*+, hostaddr: [^ \n]*+ (.*)$", re.MULTILINE)  # of psycopg


def first_line(error: BaseException) -> str:
    """Return the first line of a failure; where several hosts were tried, that of each."""
    text = str(error).strip()
    return "; ".join(_ATTEMPT.findall(text)) or text.split("\n", 1)[0]


def _remedy(error: BaseException) -> str:
    """Return what to do where a server cannot be reached, or lets nobody in; its own words are in any language."""
    attempt = getattr(error, "pgconn", None)
    if getattr(attempt, "needs_password", False):
        return "Its user needs a password: put it into ~/.pgpass (chmod 600), or into PGPASSWORD"
    if getattr(attempt, "used_password", False):
        return (
            "Repeat the call; check the user and the database in the URL, and the password: one in the URL goes before "
            "PGPASSWORD, and that before ~/.pgpass"
        )
    return "Repeat the call; check the URL, and that the server runs"


def _is_of_rows(error: BaseException) -> bool:
    """Whether row-level security refused it: its words are in the server's language, the name of its source is not."""
    return getattr(getattr(error, "diag", None), "source_function", None) == "ExecWithCheckOptions"


def _unknown(url: str, said: str) -> str:
    """Return the parameter that libpq does not know; "" where its name may be a part of a password."""
    found = re.search(r'"([a-z_]{1,40})"', said)
    if "query parameter" not in said or found is None or "password" in url:
        return ""
    return f": {found[1]!r} is no parameter of a connection that libpq knows"


def quoted(name: str) -> str:
    """A name as SQL writes it, whatever is in it. Raises InvalidInput for NUL."""
    if "\0" in name:
        raise InvalidInput("the name of a schema must not contain NUL; give another")
    return '"' + name.replace('"', '""') + '"'


WAIT = 30.0  # seconds, see `Server.wait`
