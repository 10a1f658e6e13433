"""Roles of a PostgreSQL store: the owner makes and upgrades it, a service role reads and writes its rows.

Row-level security, forced, hides the rows of other tenants from both: a transaction sees those of the tenant that it
names (`SET LOCAL indelible.tenant`), and none where it names none. A third role may be given to the statements of
callers limited to namespaces: policies of its own hide the rows of other namespaces from it, whatever a statement says.
"""

from collections.abc import Iterable

from psycopg import Connection
from psycopg.sql import SQL, Identifier

from indelible.errors import InvalidInput, StoreError
from indelible.store.database import Row

# Locks, as SQL; {schema} and {tenant} are expressions. A write takes the first shared and the second whole, in this
# order; a migration takes the first whole, so that nobody writes meanwhile. The change triggers take the second.
STORE_KEY = "hashtextextended('indelible ' || {schema}, 0)"
TENANT_KEY = "hashtextextended('indelible ' || {schema} || ' ' || {tenant}, 0)"

_TABLES = "SELECT tablename FROM pg_policies WHERE schemaname = %s AND policyname = 'own_tenant' ORDER BY tablename"
_SEQUENCES = """SELECT own.relname FROM pg_class AS own JOIN pg_depend AS of_it ON of_it.objid = own.oid
  WHERE own.relkind = 'S' AND of_it.deptype = 'i' AND of_it.refobjid = ANY (%s::text[]::regclass[]) ORDER BY 1"""
_GRANTED = """SELECT DISTINCT role.rolname FROM pg_class AS store, aclexplode(store.relacl) AS given
  JOIN pg_roles AS role ON role.oid = given.grantee
  WHERE store.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = %s) AND store.relname = 'setting'
    AND given.grantee <> store.relowner ORDER BY 1"""
_GRANT = (
    "REVOKE ALL ON SCHEMA {schema} FROM {role}",
    "GRANT USAGE ON SCHEMA {schema} TO {role}",
    "REVOKE ALL ON TABLE {tables} FROM {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON TABLE {tables} TO {role}",
    "REVOKE ALL ON SEQUENCE {numbers} FROM {role}",
    "GRANT USAGE, SELECT ON SEQUENCE {numbers} TO {role}",
)
# Policies for a role of its own: for everybody they would make PostgreSQL read another column, so that many indexes no
# longer have all that a query needs (docs/decisions/024-a-role-for-limited-callers.md).
_LIMITED = (
    "DROP POLICY IF EXISTS granted_namespaces ON {table}",
    """CREATE POLICY granted_namespaces ON {table} AS RESTRICTIVE TO {role} USING (namespace = ANY (ARRAY(
      SELECT json_array_elements_text(nullif(current_setting('indelible.namespaces', true), '')::json))))""",
)
_PLACED = ("record", "record_version", "activity", "repository")
_LIMITED_ROLE = """SELECT role, current_user, pg_has_role(role, 'USAGE') AND NOT (own.rolsuper OR own.rolbypassrls)
  FROM pg_policies CROSS JOIN unnest(roles) AS role JOIN pg_roles AS own ON own.rolname = current_user
  WHERE schemaname = %s AND policyname = 'granted_namespaces' AND pg_has_role(role, 'MEMBER') LIMIT 1"""
_LIMITED_ROLES = """SELECT DISTINCT unnest(roles) FROM pg_policies
  WHERE schemaname = %s AND policyname = 'granted_namespaces' ORDER BY 1"""
_BYPASSES = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = %s"
_OWNS = """SELECT pg_has_role(%s, relowner, 'USAGE') FROM pg_class
  WHERE relname = 'setting' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = %s)"""


def tables(connection: Connection[Row], schema: str) -> list[str]:
    """The tables of a store that hide the rows of other tenants, by name: all of it, from schema 8 on."""
    return [str(name) for (name,) in connection.execute(_TABLES, [schema]).fetchall()]


def set_forced(connection: Connection[Row], schema: str, *, forced: bool) -> None:
    """Hide the rows of other tenants from the tables' owner too, or from the owner no more.

    Off only within a transaction that migrates: it changes the rows of all tenants, and nobody else can read meanwhile.
    """
    change = SQL("ALTER TABLE {} " + ("FORCE" if forced else "NO FORCE") + " ROW LEVEL SECURITY")
    for table in tables(connection, schema):
        connection.execute(change.format(Identifier(schema, table)))


def granted_roles(connection: Connection[Row], schema: str) -> list[str]:
    """The roles beside the owner that may use a store."""
    return [str(name) for (name,) in connection.execute(_GRANTED, [schema]).fetchall()]


def grant(connection: Connection[Row], schema: str, roles: Iterable[str]) -> None:
    """Grant service roles what serving takes, and nothing else; the connection is the owner's.

    That is to use the schema, read and change rows, and take numbers: no DDL, no TRUNCATE, no setting of numbers.
    Raises InvalidInput for a role that does not exist or that bypasses row-level security, StoreError where the owner
    of the tables may not let others use the schema.
    """
    own = [Identifier(schema, table) for table in tables(connection, schema)]
    named = [table.as_string(connection) for table in own]
    numbers = [Identifier(schema, name) for (name,) in connection.execute(_SEQUENCES, [named]).fetchall()]
    for role in roles:
        _check_service(connection, schema, role)
        names = {
            "schema": Identifier(schema),
            "role": Identifier(role),
            "tables": SQL(", ").join(own),
            "numbers": SQL(", ").join(numbers),
        }
        for statement in _GRANT:
            connection.execute(SQL(statement).format(**names))
        allowed = connection.execute("SELECT has_schema_privilege(%s, %s, 'USAGE')", [role, schema]).fetchall()[0][0]
        if not allowed:
            raise StoreError(
                f"schema {schema!r} belongs to another role, so its use cannot be granted to {role!r}; as that role: "
                f"GRANT USAGE ON SCHEMA, or give Indelible a schema that the owner of its tables makes"
            )


def set_limited(connection: Connection[Row], schema: str, role: str) -> None:
    """Give a role the rows of those namespaces only that a transaction names, and make it that of limited callers.

    The connection is the owner's. Servers take it on for each statement of such a caller, so their own role must be a
    member of it that does not inherit from it. Raises what `grant` raises.
    """
    grant(connection, schema, [role])
    for table in _PLACED:
        for statement in _LIMITED:
            names = {"table": Identifier(schema, table), "role": Identifier(role)}
            connection.execute(SQL(statement).format(**names))


def limited_roles(connection: Connection[Row], schema: str) -> list[str]:
    """Return the roles that `set_limited` was called for, by name."""
    return [str(name) for (name,) in connection.execute(_LIMITED_ROLES, [schema]).fetchall()]


def limited_role(connection: Connection[Row], schema: str) -> str:
    """Return the role of limited callers that this connection's role may take on, "" where there is none.

    Raises StoreError where this role inherits from it: the policies would hold for all that it asks.
    """
    found = connection.execute(_LIMITED_ROLE, [schema]).fetchall()
    if not found:
        return ""
    role, own, inherits = found[0]
    if inherits:
        raise StoreError(
            f"role {own!r} inherits from {role!r}, whose rows are those of limited tokens, so it would see none of the "
            f"others; REVOKE {role} FROM {own}, ALTER ROLE {own} NOINHERIT, then GRANT {role} TO {own} again"
        )
    return str(role)


def _check_service(connection: Connection[Row], schema: str, role: str) -> None:
    found = connection.execute(_BYPASSES, [role]).fetchall()
    if not found:
        raise InvalidInput(f"there is no role {role!r}; CREATE ROLE it WITH LOGIN first, then repeat this")
    if found[0][0]:
        raise InvalidInput(
            f"row-level security does not apply to role {role!r}, so it cannot serve tenants apart; "
            "ALTER ROLE it NOSUPERUSER NOBYPASSRLS, or name another"
        )
    if connection.execute(_OWNS, [role, schema]).fetchall()[0][0]:
        raise InvalidInput(
            f"role {role!r} owns the store, or is a member of its owner: it may already change the tables; "
            "name a role that only serves"
        )
