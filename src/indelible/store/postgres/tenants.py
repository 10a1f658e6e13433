"""The tenants of a store in PostgreSQL as a whole: which there are."""

from contextlib import closing

from indelible.errors import StoreError
from indelible.store.group_commit import translated
from indelible.store.postgres.server import Server

WAIT = 5.0  # seconds for the table, which writes hold for a moment
_SEES = """SELECT rolsuper OR rolbypassrls,
    pg_has_role((SELECT relowner FROM pg_class WHERE oid = 'record_number'::regclass), 'USAGE')
  FROM pg_roles WHERE rolname = current_user"""
_NUMBERS = "SELECT DISTINCT tenant FROM record_number ORDER BY tenant"


def numbers(server: Server) -> list[int]:
    """Return the tenants that have stored records, ascending.

    The owner of the tables sees the rows of all within a transaction in which row-level security is not forced on it,
    of a table that readers do not need. Raises StoreError, for a role that may see one tenant at a time too.
    """
    with translated(server), closing(server.connect()) as connection, connection.transaction():
        connection.execute(f"{server.scope(0)}; SET LOCAL lock_timeout = {round(WAIT * 1000)}")
        ((sees_all, owns),) = connection.execute(_SEES).fetchall()
        if not (sees_all or owns):
            raise StoreError(
                f"{server.name} shows this role one tenant at a time; name one, or connect as the role that owns the "
                "tables"
            )
        if not sees_all:
            connection.execute("ALTER TABLE record_number NO FORCE ROW LEVEL SECURITY")
        found = connection.execute(_NUMBERS).fetchall()
        if not sees_all:
            connection.execute("ALTER TABLE record_number FORCE ROW LEVEL SECURITY")
    return [int(tenant) for (tenant,) in found]
