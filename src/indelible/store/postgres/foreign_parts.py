"""Parts of a PostgreSQL store that no version of Indelible made, and parts of its own that are missing or switched off.

A trigger or rule runs with every write of ours, a policy opens rows to other tenants, a view shows them past row-level
security. An administrator may have reasons for one, and other programs use the server: so a store with such a part is
not refused as a file is (`store/sqlite/shape.py`), but named by `doctor`. Bodies of functions are not compared.
"""

from psycopg import Connection

from indelible.store.database import Row

_OF_RECORD = ("record_changed", "record_numbered", "record_to_embed", "record_to_embed_again", "record_versioned")
TRIGGERS = frozenset(
    (
        *(("record", name) for name in _OF_RECORD),
        ("edge", "edge_changed"),
        ("edge", "edge_versioned"),
        ("embedding", "embedding_added"),
        ("project", "project_changed"),
        *(("symbol", name) for name in ("symbol_removed", "symbol_renamed")),
    )
)
OF_PGVECTOR = ("embedding", "embedding_neighbor_kept")  # where there is such an index
POLICY, OF_SETTINGS = "own_tenant", ("setting", "whole_store")

_PARTS = """
SELECT 'trigger', relname::text, tgname::text, tgenabled = 'D' FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  WHERE relnamespace = quote_ident(current_schema())::regnamespace AND NOT tgisinternal
UNION ALL
SELECT 'rule', relname::text, rulename::text, false FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class
  WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind IN ('r', 'p')
UNION ALL
SELECT 'policy', relname::text, polname::text, false FROM pg_policy JOIN pg_class ON pg_class.oid = polrelid
  WHERE relnamespace = quote_ident(current_schema())::regnamespace
    AND (polpermissive OR polname <> 'granted_namespaces')  -- of the role of limited callers: see `roles.set_limited`
UNION
SELECT 'view', ours.relname::text, reading.oid::regclass::text, false
  FROM pg_depend JOIN pg_rewrite ON pg_rewrite.oid = pg_depend.objid AND classid = 'pg_rewrite'::regclass
  JOIN pg_class AS reading ON reading.oid = ev_class AND reading.relkind IN ('v', 'm')
  JOIN pg_class AS ours ON ours.oid = refobjid AND refclassid = 'pg_class'::regclass AND ours.relkind IN ('r', 'p')
  WHERE ours.relnamespace = quote_ident(current_schema())::regnamespace
ORDER BY 1, 2, 3"""


def differences(connection: Connection[Row]) -> list[str]:
    """Return the foreign triggers, rules, policies and views on tables of the connection's schema, by name.

    Triggers of ours that are missing or switched off are named too. Sorted by kind, table and name; empty if none.
    """
    rows = connection.execute(_PARTS).fetchall()
    found = [
        f"foreign {kind} {name} (of {table})" for kind, table, name, _ in rows if not _is_ours(kind, (table, name))
    ]
    triggers = {(table, name): off for kind, table, name, off in rows if kind == "trigger"}
    found += [f"no trigger {name} (of {table})" for table, name in sorted(TRIGGERS - triggers.keys())]
    off = sorted(each for each in triggers if triggers[each] and _is_ours("trigger", each))
    return found + [f"trigger {name} (of {table}) switched off" for table, name in off]


def _is_ours(kind: str, part: tuple[str, str]) -> bool:
    if kind == "trigger":
        return part in TRIGGERS or part == OF_PGVECTOR
    return kind == "policy" and (part[1] == POLICY or part == OF_SETTINGS)
