"""The shape of a store file: the tables, indexes and triggers that the migrations make, and nothing else.

A trigger or view that somebody added to a file would run with every read or write of its next user. A file in which
anything was added, changed or removed is therefore refused, with the names of the differences.
"""

from functools import cache
from hashlib import sha256

import apsw

from indelible.store import named_queries

# By schema, the digest of what a new store has: a shortcut. Where it does not fit, the schema is built and compared.
KNOWN = {16: "e81dca8a356a73a1fa5a1a4a56c73b4be224519f0f3c97a6ba3ae0c9dea90905"}
_OF_SQLITE = frozenset(("sqlite_sequence", "sqlite_stat1", "sqlite_stat3", "sqlite_stat4"))  # of ANALYZE and its like
_MOST_SHOWN = 5

Shape = dict[tuple[str, str], tuple[str, str]]  # (kind, name): (table, definition)


def shape_of(connection: apsw.Connection) -> Shape:
    """The parts of an open file, apart from what SQLite makes for itself."""
    rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    found = {(str(kind), str(name)): (str(table), " ".join(str(sql or "").split())) for kind, name, table, sql in rows}
    return {key: part for key, part in found.items() if key[0] != "table" or key[1] not in _OF_SQLITE}


def digest(shape: Shape) -> str:
    """Return a hash that identifies a shape."""
    return sha256(repr(sorted(shape.items())).encode()).hexdigest()


def differences(shape: Shape, schema: int) -> list[str]:
    """Return the parts that a file of a schema has beyond, lacks from or changes in the migrations'; empty if none."""
    if digest(shape) == KNOWN.get(schema):
        return []
    made = _made(schema)
    found = [f"foreign {kind} {name} (of {shape[kind, name][0]})" for kind, name in sorted(shape.keys() - made.keys())]
    found += [f"no {kind} {name}" for kind, name in sorted(made.keys() - shape.keys())]
    shadows = tuple(f"{name}_" for (_, name), (_, sql) in made.items() if sql.startswith("CREATE VIRTUAL"))
    for key in sorted(made.keys() & shape.keys()):
        if made[key] != shape[key] and not (shadows and key[1].startswith(shadows)):  # as the version of SQLite has it
            found.append(f"another {key[0]} {key[1]} than is made")
    return found


@cache
def _made(schema: int) -> Shape:
    """The shape of a store that the migrations up to a schema make."""
    connection = apsw.Connection(":memory:")
    try:
        for number, sql in named_queries.migrations("sqlite"):
            if number <= schema:
                connection.execute(sql).fetchall()
        return shape_of(connection)
    finally:
        connection.close()


def sentence_of(found: list[str]) -> str:
    """Return differences in a sentence."""
    more = f" and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
    return f"it has {', '.join(found[:_MOST_SHOWN])}{more}, which no version of Indelible made"
