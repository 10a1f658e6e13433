"""Several hosts in one URL: the first that will do is taken, and errors say what became of each."""

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from indelible.errors import StoreError
from indelible.hook_settings import check_clear, has_password, place_of
from indelible.store.postgres.database import open_postgres
from indelible.store.postgres.retry import passes_at_first
from indelible.store.postgres.server import CONNECTING, WAIT, Server
from samples import keep, record

TWO = "postgresql://ann:secret@one.example.org:5432,other.example.org:5433/memory?target_session_attrs=read-write"


def test_hosts_are_named_with_their_ports_and_without_the_password():
    check_clear(TWO)
    assert has_password(TWO)
    hosts = "one.example.org:5432,other.example.org:5433"
    assert Server.of(TWO, "s", WAIT).name == f"the store postgresql://{hosts}/memory (schema s)"
    assert place_of(TWO, 1) == f"postgresql://{hosts}/memory"
    assert "secret" not in repr(Server.of(TWO, "s", WAIT))
    one_port = Server.of("postgresql://u@/memory?host=one,other&port=6000", None, WAIT)
    assert one_port.name == "the store postgresql://one:6000,other:6000/memory"
    assert Server.of("postgresql:///memory", None, WAIT).name == "the store postgresql:///memory"


@pytest.mark.parametrize(("hosts", "seconds"), [("a", CONNECTING), ("a,b", 5), ("a,b,c,d,e,f,g", 2)])
def test_all_hosts_together_have_the_time_of_one(hosts, seconds):
    server = Server.of(f"postgresql://u@{hosts}/memory", None, WAIT)
    assert server.parameters["connect_timeout"] == str(seconds)
    told = Server.of(f"postgresql://u@{hosts}/memory?connect_timeout=7", None, WAIT)
    assert told.parameters["connect_timeout"] == "7"


def test_a_url_of_which_no_host_answers_says_so_of_each():
    url = "postgresql://ann:secret@127.0.0.1:1,127.0.0.1:2/memory"
    with pytest.raises(
        StoreError, match=r'cannot be reached \(.*port 1 failed: .*; .*port 2 failed: [^"]*\)'
    ) as raised:
        open_postgres(url)
    assert "secret" not in str(raised.value)


def among(url, *hosts, **parameters):
    """The URL with more hosts before the one that it has."""
    given = conninfo_to_dict(url)
    ports = ",".join([*("1" for _ in hosts), str(given.get("port", 5432))])
    return make_conninfo(url, host=",".join([*hosts, str(given["host"])]), port=ports, **parameters)


@pytest.mark.process
def test_the_host_that_can_be_written_is_found_behind_one_that_does_not_answer(postgres_url, open_pg):
    db = open_pg(among(postgres_url, "127.0.0.1", target_session_attrs="read-write"))
    keep(db, record("a"))
    with db.read() as tx:
        assert tx.connection.execute("SELECT count(*) FROM record").fetchall() == [(1,)]


@pytest.mark.process
def test_a_url_of_which_only_servers_answer_that_cannot_be_written_is_waited_for(postgres_url, open_pg):
    """One of them may be promoted in a moment; the words come from the client's library."""
    read_only = {"options": "-c default_transaction_read_only=on", "target_session_attrs": "read-write"}
    url = among(postgres_url, "127.0.0.1", **read_only)
    with pytest.raises(psycopg.OperationalError) as raised:
        psycopg.connect(url)
    assert passes_at_first(raised.value)
    with pytest.raises(StoreError, match=r"cannot be reached \(.*port 1 failed: .*; .*session is read-only\)"):
        open_pg(url, wait=0.1)
