"""The numbers that a copied store goes on from: after all that were ever given in the original.

Logs and the trash name deleted rows: none of their numbers may be given again.
"""

from collections.abc import Callable
from typing import Any

from indelible.store.database import Row

# Imported late (extra): indelible.store.postgres.roles

# The tables whose rows are numbered by the database. Positions of the log go on after the existing ones.
RECORD = "record"
OTHERS = (
    *("edge", "event", "trash", "model", "token", "activity", "repository", "symbol_name"),
    *("record_version", "edge_version"),
)
VERSIONS = ("record_version", "edge_version")  # numbered together in a database, tenant by tenant as records are
SHARED = tuple(table for table in OTHERS if table not in VERSIONS)  # numbered by one sequence for all tenants there

# Numbers that are taken to get past them. PostgreSQL's log is 32 ahead of what was given (SEQ_LOG_VALS), so that a
# server that has recovered goes on so much later.
STEPS = 10_000

Ask = Callable[..., list[Row]]  # a query and its values


class SqliteNumbers:
    """The numbers of a store file."""

    def __init__(self, ask: Ask, tenant: int):
        self._ask, self._tenant = ask, tenant

    def last(self) -> dict[str, int]:
        """Return by table the highest number ever given to a row, at least as high as those of the existing rows."""
        return {table: max(self._highest(table), self._given(table)) for table in (RECORD, *OTHERS)}

    def may_go_on(self) -> bool:
        """Whether this user may set from which number on rows are numbered."""
        return True

    def go_on_after(self, numbers: dict[str, int]) -> None:
        """Give only numbers above these to new rows."""
        counting = "SELECT 1 FROM sqlite_schema WHERE name = ? AND type = 'table' AND sql LIKE '%AUTOINCREMENT%'"
        for table, last in numbers.items():
            if not self._ask(counting, table):
                continue  # its numbers go on after the highest that is there
            if not self._ask("SELECT 1 FROM sqlite_sequence WHERE name = ?", table):
                self._ask("INSERT INTO sqlite_sequence (name, seq) VALUES (?, 0)", table)
            self._ask("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", last, table)

    def _highest(self, table: str) -> int:
        return _number(self._ask(f"SELECT max(id) FROM {table} WHERE tenant = ?", self._tenant))

    def _given(self, table: str) -> int:
        return _number(self._ask("SELECT max(seq) FROM sqlite_sequence WHERE name = ?", table))


class PostgresNumbers:
    """The numbers of a tenant in a database: records and versions have their own, the others one sequence for all."""

    def __init__(self, ask: Ask, tenant: int):
        self._ask, self._tenant = ask, tenant

    def last(self) -> dict[str, int]:
        """See SqliteNumbers."""
        own = self._ask("SELECT max(last), max(version) FROM record_number WHERE tenant = %s", self._tenant)[0]
        given = {RECORD: int(own[0] or 0), **dict.fromkeys(VERSIONS, int(own[1] or 0))}
        given |= {table: _number(self._ask(f"SELECT pg_sequence_last_value({_sequence(table)})")) for table in SHARED}
        return {table: max(self._highest(table), last) for table, last in given.items()}

    def may_go_on(self) -> bool:
        """See SqliteNumbers."""
        allowed = " AND ".join(f"has_sequence_privilege({_sequence(table)}, 'UPDATE')" for table in SHARED)
        return bool(self._ask(f"SELECT {allowed}")[0][0])

    def go_on_after(self, numbers: dict[str, int]) -> None:
        """See SqliteNumbers. It waits for the writes of all tenants: one that takes a number meanwhile would have it
        set back.
        """
        from indelible.store.postgres.roles import STORE_KEY

        self._ask(f"SELECT pg_advisory_xact_lock({STORE_KEY.format(schema='current_schema()')})")
        self.tenant_goes_on_after(numbers)
        for table in SHARED:
            if (last := numbers.get(table, 0)) > 0:
                own = _sequence(table)
                self._ask(f"SELECT setval({own}, greatest(%s, coalesce(pg_sequence_last_value({own}), 0)))", last)

    def step_over(self, numbers: dict[str, int]) -> bool:
        """Do the same for who may not set numbers, by taking those up to them; False where they are too many.

        It stops nobody. The numbers are taken also if the transaction is undone.
        """
        given = self.last()
        others = {table: last - given[table] for table, last in numbers.items() if table in SHARED}
        if any(ahead > STEPS for ahead in others.values()):
            return False
        for table, ahead in others.items():
            self._ask(f"SELECT count(nextval({_sequence(table)})) FROM generate_series(1, %s)", ahead)
        self.tenant_goes_on_after(numbers)
        return True

    def tenant_goes_on_after(self, numbers: dict[str, int]) -> None:
        """Do the same for records and versions alone, as any role may: their numbers are each tenant's own."""
        last, version = numbers.get(RECORD, 0), max(numbers.get(table, 0) for table in VERSIONS)
        if last > 0 or version > 0:
            self._ask(
                "INSERT INTO record_number (tenant, last, version) VALUES (%s, %s, %s) "
                "ON CONFLICT (tenant) DO UPDATE SET last = greatest(record_number.last, excluded.last), "
                "version = greatest(record_number.version, excluded.version)",
                self._tenant,
                last,
                version,
            )

    def _highest(self, table: str) -> int:
        return _number(self._ask(f"SELECT max(id) FROM {table} WHERE tenant = %s", self._tenant))


def _sequence(table: str) -> str:
    return f"pg_get_serial_sequence('{table}', 'id')::regclass"


def _number(rows: list[Row]) -> int:
    value: Any = rows[0][0]
    return int(value or 0)
