"""Rows, failures and waiting writers of a PostgreSQL store, past its named queries."""

from indelible.store.tables import records

NOTHING_WRITTEN = "nothing of this call was written"


def fail_with(tx, state):
    fetch(tx, f"DO $$ BEGIN RAISE EXCEPTION 'told to' USING ERRCODE = '{state}'; END $$")


def keys(db):
    with db.read() as tx:
        return [r.key for r in records.after(tx, 0, 100)]


def fetch(tx, sql, *parameters):
    return tx.connection.execute(sql, parameters or None).fetchall()


def wait_for_a_waiting_writer(watch):
    while not watch.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory'").fetchall():
        pass
