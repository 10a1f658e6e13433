"""A store moves to the other database: every row as it is, in pieces, and compared when all of it is there."""

import json
from collections.abc import Callable
from dataclasses import field, replace
from hashlib import sha256
from pathlib import Path

from indelible.dataclass import dataclass
from indelible.errors import Conflict, Forbidden, InvalidInput, StoreError
from indelible.settings import DATABASE, Settings, database_of
from indelible.store.copy import tables
from indelible.store.copy.tables import CALLS, TABLES, Copy, Table
from indelible.store.database import Database, Transaction
from indelible.store.sqlite.connection import FILE
from indelible.store.sqlite.opening import open_sqlite
from indelible.store.tables import changes, settings

# Imported late (extra): indelible.store.postgres.database

Tell = Callable[[str, int, int], None]  # a table, rows of it that are there, of how many


@dataclass(slots=True)
class Progress:
    """How far a migration is, as the target keeps it: written with each batch, in its transaction.

    `source` tells the rows of the source apart from those of another moment or store; `last` is the key of the last row
    of table number `table`; `rows` and `sums` are of each table, as they were read.
    """

    source: str
    table: int = 0
    last: list[int | str] | None = None
    rows: dict[str, int] = field(default_factory=dict)
    sums: dict[str, int] = field(default_factory=dict)

    def text(self) -> str:
        """As JSON."""
        return json.dumps([self.source, self.table, self.last, self.rows, self.sums])

    @classmethod
    def of(cls, text: str) -> "Progress":
        """The inverse."""
        return cls(*json.loads(text))


@dataclass(frozen=True, slots=True)
class Moved:
    """The result: moved rows by table, whether an interrupted run was continued, whether the source changed since."""

    rows: dict[str, int]
    resumed: bool
    changed: bool


def place_of(flag: str, given: str, tenant: int, *, make: bool) -> Database:
    """The store that a flag names: a data directory, the file in it, or the URL of a database.

    Raises InvalidInput, and what opening raises. A store that is not there is made only where `make` says so.
    """
    if given.startswith(DATABASE):
        from indelible.store.postgres.database import open_postgres

        return open_postgres(database_of(given), tenant=tenant, make=make)
    if tenant != 1:
        raise InvalidInput(f"{flag}-tenant is {tenant}, and a data directory holds tenant 1 only; leave it out")
    directory = _directory(given)
    if not make and not (directory / FILE).is_file():
        raise InvalidInput(f"{flag} is {given!r:.200}, and has no {FILE}; give the data directory of a store")
    return open_sqlite(directory)


def _directory(given: str) -> Path:
    path = Path(given).expanduser().absolute()
    return path.parent if path.name == FILE else path


def settings_of(given: str, tenant: int, data: str | None) -> Settings:
    """Return the settings of a store that a flag names, for whose files of this machine a database has a directory."""
    if given.startswith(DATABASE):
        return Settings.load(data, database=given, tenant=str(tenant))
    return replace(Settings.load(str(_directory(given))), database="", tenant=1)


def migrate(source: Database, target: Database, tell: Tell = lambda _table, _done, _total: None) -> Moved:
    """Copy all that the source's tenant has to a target that has nothing; run again, it goes on where it stopped.

    The source is read as of one moment and left as it is. Until it is finished and compared the target is opened by
    nobody else. Where the source was changed meanwhile the target is not finished, and the next run empties it and
    begins anew. Raises Conflict for a target that has rows of its own, or into which another migration writes, and for
    a source that has only some of its rows; StoreError where what has arrived is not what was read.
    """
    tables.refuse_unusable(source)
    target.receives = True
    with source.read() as tx:
        ours = Copy(source, tx)
        counts = {table.name: ours.count(table) for table in TABLES}
        moment = _moment(tx, source, counts)
        progress, resumed = _begun(target, moment)
        for number in range(progress.table, len(TABLES)):
            _copied(ours, target, progress, number, counts, tell)
        numbers, last_change = ours.numbers.last(), changes.last(tx)
    _compare(target, progress, last_change)
    with source.read() as tx:
        ours = Copy(source, tx)
        changed = _moment(tx, source, {table.name: ours.count(table) for table in TABLES}) != moment
    if not changed:
        target.write(lambda tx: _finish(target, tx, progress, numbers))
    return Moved(progress.rows, resumed, changed)


def _moment(tx: Transaction, store: Database, counts: dict[str, int]) -> str:
    state = [settings.epoch(tx), store.tenant, changes.last(tx), sorted(counts.items())]
    return sha256(json.dumps(state).encode()).hexdigest()


def _begun(target: Database, moment: str) -> tuple[Progress, bool]:
    """The progress to go on from, and whether it is one of before. Calls that an empty target was asked with go."""

    def work(tx: Transaction) -> tuple[Progress, bool]:
        theirs = Copy(target, tx)
        if not theirs.numbers.may_go_on():
            raise Forbidden("this user may not set the numbers of the target's rows; give the URL of the tables' owner")
        found = settings.find(tx, tables.PROGRESS)
        if found is None:
            there = [table.name for table in TABLES if table.name not in CALLS and theirs.count(table)]
            if there:
                raise Conflict(
                    f"the target has rows already ({', '.join(there)}), and a migration mixes no stores; give an empty "
                    "one: another --tenant, another schema, or a new directory"
                )
        else:
            progress = Progress.of(found)
            if progress.source == moment:
                return progress, True
        for table in reversed(TABLES):
            theirs.clear(table)
        progress = Progress(moment)
        settings.put(tx, tables.PROGRESS, progress.text())
        return progress, False

    return target.write(work)


def _copied(ours: Copy, target: Database, progress: Progress, number: int, counts: dict[str, int], tell: Tell) -> None:
    """Copy what is left of a table; every batch with its progress."""
    table = TABLES[number]
    with target.read() as tx:
        theirs = Copy(target, tx).columns(table)
    columns = tables.same_columns(table, ours.columns(table), theirs)
    name = table.name
    while True:
        rows = ours.batch(table, columns, progress.last)
        done = Progress(
            progress.source,
            number if rows else number + 1,
            ours.key_of(table, columns, rows[-1]) if rows else None,
            {**progress.rows, name: progress.rows.get(name, 0) + len(rows)},
            {**progress.sums, name: (progress.sums.get(name, 0) + tables.checksum(rows)) % tables.SUMS},
        )

        def work(tx: Transaction, done: Progress = done, rows: list[tuple[object, ...]] = rows) -> None:
            _refuse_second(target, tx, progress)
            copy = Copy(target, tx)
            if progress.last is None and name in tables.FILLED_BY_TRIGGERS:
                copy.clear(table)
            copy.put(table, columns, rows)
            settings.put(tx, tables.PROGRESS, done.text())

        target.write(work)
        progress.table, progress.last, progress.rows, progress.sums = done.table, done.last, done.rows, done.sums
        tell(name, done.rows[name], counts[name])
        if not rows:
            return


def _compare(target: Database, progress: Progress, last_change: int) -> None:
    """Read back what has arrived. Raises StoreError where it is not what was read."""

    def work(tx: Transaction) -> None:
        _refuse_second(target, tx, progress)
        Copy(target, tx).drop_changes_after(last_change)

    target.write(work)
    with target.read() as tx:
        theirs = Copy(target, tx)
        for table in TABLES:
            found = _summed(theirs, table)
            if found != (progress.rows[table.name], progress.sums[table.name]):
                raise StoreError(
                    f"{table.name}: {found[0]:,} rows arrived, {progress.rows[table.name]:,} were read, or some "
                    "of them differ; the target is not used. Remove it, and run the migration into an empty one"
                )


def _summed(theirs: Copy, table: Table) -> tuple[int, int]:
    columns, last = theirs.columns(table), None
    count = total = 0
    while rows := theirs.batch(table, columns, last):
        count += len(rows)
        total = (total + tables.checksum(rows)) % tables.SUMS
        last = theirs.key_of(table, columns, rows[-1])
    return count, total


def _refuse_second(target: Database, tx: Transaction, progress: Progress) -> None:
    """Raise Conflict where another migration has written to the target since this one did, or has finished it."""
    if settings.find(tx, tables.PROGRESS) != progress.text():
        raise Conflict(
            "another migration writes to this target, or has finished it; wait for its end, and check the target "
            "before you run this one again"
        )


def _finish(target: Database, tx: Transaction, progress: Progress, numbers: dict[str, int]) -> None:
    _refuse_second(target, tx, progress)
    Copy(target, tx).numbers.go_on_after(numbers)
    settings.drop(tx, tables.PROGRESS)
