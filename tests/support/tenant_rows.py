"""Rows of a tenant in every table, and what the named queries are given to find them."""

from __future__ import annotations

import json
import re
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from indelible.store.postgres.migrate import upgrade_postgres

OWNER, SERVICE = "store_owner", "store_service"
PLACE = "/p"
STEP = 1000  # between the ids of two tenants


def roles(url: str) -> tuple[str, str]:
    """A role that may make stores and one that may only be given them, neither of them above that; their URLs."""
    with psycopg.connect(url, autocommit=True) as administrator:
        for role in (OWNER, SERVICE):
            if not administrator.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchall():
                administrator.execute(f"CREATE ROLE {role} LOGIN NOSUPERUSER NOBYPASSRLS")
        database = administrator.info.dbname
        administrator.execute(f'GRANT CREATE ON DATABASE "{database}" TO {OWNER}')
    return make_conninfo(url, user=OWNER), make_conninfo(url, user=SERVICE)


def store(url: str, schema: str) -> tuple[str, str]:
    """A new store that one role owns and another serves; their URLs. What the schema had before is gone.

    A module's tests may come to a worker in two parts: its fixtures are made twice then.
    """
    own, serve = roles(url)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(Identifier(schema)))
    upgrade_postgres(own, schema, SERVICE)
    return own, serve


def connected(url: str, schema: str) -> psycopg.Connection[Any]:
    """A connection of another program, which names the schema and no tenant."""
    connection = psycopg.connect(url, autocommit=True)
    connection.execute("SELECT set_config('search_path', quote_ident(%s), false)", [schema])
    return connection


def tables(seeing: psycopg.Connection[Any], schema: str) -> list[str]:
    """Return the names of a schema's tables."""
    query = "SELECT tablename FROM pg_tables WHERE schemaname = %s ORDER BY 1"
    return [str(name) for (name,) in seeing.execute(query, [schema]).fetchall()]


def rows(seeing: psycopg.Connection[Any], schema: str, tenant: int) -> dict[str, list[Any]]:
    """Return every row of a tenant, as text, by table; each table must say whose its rows are."""
    return {
        name: seeing.execute(f"SELECT of::text FROM {name} AS of WHERE tenant = %s ORDER BY 1", [tenant]).fetchall()
        for name in tables(seeing, schema)
    }


def secret(tenant: int) -> str:
    """What stands in every text of a tenant, and nowhere else."""
    return f"secret of {tenant}"


_CAPTURED = {"trust": "untrusted", "origin": "capture", "typed_by": "me"}
_RECORDS: dict[int, dict[str, Any]] = {  # id within the tenant: columns
    1: {"kind": "memory", "type": "decision", "importance": 0.9, "content_hash": "h1", "session": "s", "tags": '["t"]'},
    2: {"kind": "memory", "type": "pattern", "metadata": {**_CAPTURED, "captured": "session"}},
    3: {"kind": "message", "type": "user", "session": "conv"},
    4: {"kind": "document", "type": "document", "key": "104", "label": "doc", "content_hash": "d"},
    5: {"kind": "chunk", "key": "105", "session": "document:104"},
    6: {"kind": "solution", "type": "repo", "content_hash": "sol", "tags": '["t"]',
        "metadata": {"score": 1, "pinned": True, "expires_at": "2020-01-01T00:00:00.000000Z"}},
    7: {"kind": "failure", "type": "build", "content_hash": "fail",
        "metadata": {"occurrences": 1, "rootCause": "cause"}},
    8: {"kind": "entity", "key": "ann", "namespace": ""},
    9: {"kind": "entity", "key": "bob", "namespace": ""},
    10: {"kind": "vector", "key": "vec", "namespace": ""},
    11: {"kind": "todo", "type": "pending", "metadata": {"priority": 1}},
    12: {"kind": "attempt", "type": "fail", "content_hash": "prompt", "metadata": {"error": "E1"}},
    13: {"kind": "file", "key": "file:src/a.py"},
    14: {"kind": "symbol", "type": "function", "key": "sym:a.f"},
    15: {"kind": "symbol", "type": "function", "key": "sym:a.g"},
    16: {"kind": "memory", "type": "context", "replaced": 1, "content_hash": "h16"},
    17: {"kind": "symbol", "type": "function", "key": "sym:stray"},
    18: {"kind": "memory", "type": "insight", "importance": 0.1, "content_hash": "h18", "session": "s", "tags": "[]",
         "metadata": {"valid_to": "2020-01-01T00:00:00.000000Z"}},
    19: {"kind": "memory", "type": "decision", "content_hash": "h19", 
         "metadata": {"file_path": "a.py", "imported_from": {"source": "serena", "at": "/notes"}}},
    20: {"kind": "memory", "type": "pattern", "content_hash": "h20", "created": 1, "updated": 1, "session": "cli:s",
         "metadata": {**_CAPTURED, "captured": "failure", "signature": "fail"}},
    0: {"kind": "commit", "key": "c0ffee"},
}  # fmt: skip
_RECORDS[3]["metadata"] = {"source_tool": "editor", "number": 7, "linked": "by words"}
_EDGES = [  # source, target, relation, origin
    (1, 18, "RELATES_TO", None),
    (1, 19, "RELATES_TO", None),
    (1, 2, "EVOLVED_INTO", None),
    (1, 18, "SUMMARIZES", None),
    (3, 5, "REFERENCES", None),
    (8, 9, "KNOWS", None),
    (1, 14, "EXPLAINS", "mention"),
    (18, 15, "EXPLAINS", "mention"),
    (13, 14, "CONTAINS", "index"),
    (14, 15, "CALLS", "index"),
]
_STATE = {"mention": {"was": {"tail": "f"}, "now": {"change": "gone"}}}  # of what the index has found since


def fill(connection: psycopg.Connection[Any], tenant: int) -> None:
    """Put a row or more of a tenant into every table."""
    base = tenant * STEP
    with connection.transaction():
        connection.execute("SELECT set_config('indelible.tenant', %s, true)", [str(tenant)])
        for number, given in _RECORDS.items():
            row = {
                "id": base + number,
                "tenant": tenant,
                "namespace": PLACE,
                "key": f"k{number}",
                "text": secret(tenant),
            }
            row |= {"created": 10 * number, "updated": 10 * number, "position": number, **given}
            if row["kind"] == "commit":
                row["position"] = base + 1  # the codebase
            row["metadata"] = json.dumps({**row.get("metadata", {}), "said": secret(tenant)})
            _insert(connection, "record", row)
        for number, (source, target, relation, origin) in enumerate(_EDGES, 1):
            row = {
                "id": base + number,
                "tenant": tenant,
                "source": base + source,
                "target": base + target,
                "created": 1,
            }
            row |= {
                "relation": relation,
                "canonical": relation,
                "metadata": json.dumps(({"origin": origin} | _STATE.get(origin, {})) if origin else {}),
            }
            _insert(connection, "edge", row)
        for table, rows in _others(base).items():
            for row in rows:
                _insert(connection, table, {"tenant": tenant, **row})
        forgotten = "DELETE FROM pending WHERE tenant = %s AND record IN (%s, %s)"
        connection.execute(forgotten, [tenant, base + 6, base + 18])
        connection.execute("UPDATE pending SET owner = 'me' WHERE tenant = %s", [tenant])


def _others(base: int) -> dict[str, list[dict[str, Any]]]:
    said = secret(base // STEP)
    blob = {"size": 1, "body": b"x"}
    symbol = {"signature": said, "doc": said, "visibility": "public", "line": 1, "start_line": 1, "end_line": 2}
    symbol |= {"parent": "a", "is_test": 0, "body_hash": "b", "file": base + 13}
    file = {"path": "src/a.py", "language": "python", "hash": "h", "size": 1, "modified": 1, "lines": 1}
    deed = {
        "client": "cli",
        "namespace": PLACE,
        "session": "cli:s",
        "subject": "a.py",
        "detail": json.dumps({"tool": "x"}),
    }
    was = {"time": 5, "known": 1, "namespace": PLACE, "type": "decision", "label": "", "importance": 0.5}
    was |= {"confidence": 1.0, "content_hash": "h0", "session": "", "position": 1, "replaced": 0}
    was |= {"created": 1, "updated": 1, "uid": "u", "origin": ""}
    return {
        "setting": [{"name": "own", "value": said}],
        "terms": [{"record": base + n, "space": space, **blob} for n in (1, 5, 6, 14) for space in (1, 2)],
        "posting_block": [{"space": 1, "block": 1, "change": 1, "version": 1, "records": 1, "body": b"x"}],
        "access": [{"record": base + 1, "count": 1, "last": 1}],
        "event": [{"id": base + 1, "time": 5, "conversation": said, "tool": "recall", "outcome": "ok", "who": "me",
                   "records": '["k1"]'}],
        "event_day": [{"day": "2026-01-01", "tool": "recall", "outcome": "ok", "count": 1}],
        "record_version": [{**was, "id": base + n, "record": base + 1, "text": said, "kind": "memory", "key": "k1",
                            "tags": '["t"]'} for n in (1, 2)]
        + [{**was, "id": base + 3, "record": base + 5, "kind": "chunk", "key": "105", "text": said,
            "session": "document:104"}],
        "edge_version": [{"id": base + 1, "edge": base + 1, "time": 5, "known": 1, "source": base + 1,
                          "target": base + 2, "relation": "RELATES_TO", "canonical": "RELATES_TO", "weight": 1.0,
                          "metadata": '{"by": "x"}', "created": 1, "uid": "u", "origin": ""}],
        "trash": [
            {"id": base + n, "operation": op, "tool": tool, "action": action, "record": base + 1, "key": "k1",
             "time": 1, "body": json.dumps({"record": {"text": said}}), "undone": n // 3,
             "revision": int(action == "update")}
            for n, op, tool, action in (
                (1, "op1", "update_memory", "update"),
                (2, "op2", "delete_memory", "delete"),
                (3, "op3", "delete_memory", "delete"),
            )
        ],
        "sync_state": [
            {"uid": "u", "part": "record", "state": "here", "local_id": base + 1, "digest": "d", "stamp": "s"},
            {"uid": "v", "part": "record", "state": "same", "same": "u"},
        ],
        "applied": [{"key": "once", "digest": "d", "result": said, "time": 1}],
        "project": [{"alias": said, "namespace": PLACE, "merged": PLACE, "created": 1}],
        "lease": [{"name": "index:1", "owner": "me", "until": 1 << 50}],
        "model": [{"id": base + 1, "name": "m", "dimensions": 3}],
        "embedding": [
            {"record": base + n, "view": 0, "model": base + 1, "vector": b"v", "code": b"c"} for n in (1, 3, 5, 6, 14)
        ],
        "sequence": [{"last": 500}],
        "record_number": [{"last": base + 500, "version": base + 500}],
        "token": [
            {"id": base + 1, "key": "t", "name": said, "hash": "th", "scope": "admin", "namespaces": '["*"]',
             "created": 1}
        ],
        "activity": [
            {**deed, "id": base + 1, "event": "e1", "time": 5, "what": "tool", "action": "read"},
            {**deed, "id": base + 2, "event": "e2", "time": 6, "what": "tool", "action": "command"},
            {**deed, "id": base + 3, "event": "e3", "time": 7, "what": "tool", "action": "edit"},
            {**deed, "id": base + 4, "event": "capture:k2", "time": 8, "what": "captured"},
        ],
        "repository": [{"id": base + 1, "namespace": PLACE, "folder": "", "root": said, "indexed": 1}],
        "source_file": [{"record": base + 13, "repository": base + 1, **file, "looked_up": b"x", "outline": b"x"}],
        "symbol_name": [{"id": base + n, "name": f"name{n}"} for n in (1, 2)],
        "symbol": [
            {**symbol, "record": base + 14, "name": base + 1, "qualified_name": "a.f", "tail": "f.a."},
            {**symbol, "record": base + 15, "name": base + 2, "qualified_name": "a.g", "tail": "g.a.", "gone": 9},
        ],
    }  # fmt: skip


def _insert(connection: psycopg.Connection[Any], table: str, row: dict[str, Any]) -> None:
    columns, values = ", ".join(row), ", ".join(f"%({name})s" for name in row)
    connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({values})", row)


def given(query: str, sql: str, tenant: int) -> dict[str, Any]:
    """The parameters of a named query, so that it finds rows of a tenant where it may."""
    base = tenant * STEP
    known = {**_common(base), **{"tenant": tenant}, **_of_query(query, base)}
    return {name: known[name] for name in re.findall(r"%\((\w+)\)s", sql)}


def _common(base: int) -> dict[str, Any]:
    everything = json.dumps([base + n for n in range(1, 21)])
    code = json.dumps([base + 13, base + 14])
    return {
        # who and where
        "ids": everything, "id": base + 1, "record": base + 1, "files": code, "file": base + 13, "code": 0, "commit": 0,
        "source": base + 1, "target": base + 18, "relation": "RELATES_TO", "message": base + 3, "chunk": base + 5,
        "repository": base + 1, "repositories": json.dumps([base + 1]), "model": base + 1, "name": "own",
        "other_name": "own",
        "namespace": PLACE, "namespaces": json.dumps([PLACE, ""]), "granted": json.dumps([PLACE, ""]), "joined": PLACE,
        "causes": '["cause"]',
        "key": "k1", "keys": '["k1", "104", "105", "once"]', "kind": "memory", "type": "decision", "label": "doc",
        "kinds": '["memory", "message", "document", "symbol", "entity", "chunk"]', "folder": "", "operation": "op1",
        "names": '["RELATES_TO", "EXPLAINS", "CALLS", "EVOLVED_INTO", "KNOWS", "ann", "name1", "own", "/p"]',
        "path": "src/a.py", "paths": '["src/a.py"]', "ends": '["a.py"]', "starts": '["f.a."]', "pattern": "%name%",
        "part": "e", "prompts": '["prompt"]', "signatures": '["fail"]', "content_hash": "h1", "hash": "th",
        "session": "cli:s", "sessions": '["document:104", "s", "cli:s"]', "tool": "editor", "tools": '["recall"]',
        "number": "7", "asked": "[1, 2, 3]", "among": "",
        "what": '["tool"]', "hidden": "[]", "but": "[]", "expired": "[]", "without": "[]",
        "caller": "me", "owner": "me", "who": "me",
        "alias": "new", "event": "z",
        # how far
        "after": 0, "before": 1 << 50, "below": 1 << 50, "low": 0, "high": 1 << 50, "start": "a", "end": "z",
        "since": 0, "position": 0, "first": 0, "last": 1 << 50, "limit": 100, "most": 0, "offset": 0, "length": 50,
        "now": 1 << 51, "window": 1 << 40, "up_to": 1 << 50, "threshold": 1.0, "day": "3", "decayed": "9",
        "untrusted": 1, "time": 1 << 50, "person": "me", "read": 100,
        # what is written
        "text": "x", "tags": "[]", "metadata": "{}", "importance": 0.5, "confidence": 1.0, "replaced": 0, "created": 10,
        "updated": 10, "uid": "u", "origin": "", "bulk": 0, "additive": 0, "revision": 0, "reverses": 0,
        "canonical": "RELATES_TO", "weight": 0.3, "rows": "[]", "body": "{}", "size": 1, "space": 1,
        "block": 1, "blocks": "[1]", "change": 1, "version": 1, "records": "[]", "count": 3, "dimensions": 3, "view": 5,
        "vector": b"v", "conversation": "", "outcome": "ok", "duration": 1, "client": "c", "action": "read",
        "subject": "", "detail": "{}", "digest": "d", "result": "{}", "until": 1 << 50, "pages": 1, "value": "x",
        "late": 0,
        "latest": 1 << 51,
        "scope": "admin",
        "expires": None, "used": None, "revoked": None, "root": "elsewhere", "indexed": 1, "summary": "{}",
        "language": "python", "modified": 2, "lines": 1, "resolved": 1, "looked_up": b"x", "outline": b"x",
        "qualified_name": "q", "tail": "q.", "signature": "", "doc": "", "visibility": "", "line": 1, "start_line": 1,
        "end_line": 1, "parent": "", "is_test": 0, "body_hash": "", "gone": 0, "places": "[]",
    }  # fmt: skip


def _of_query(query: str, base: int) -> dict[str, Any]:
    """Where a name means something else in a query, or its rows are others."""
    return {**_BY_NOUN.get(query.partition(".")[0], {}), **_BY_QUERY.get(query, {}), **_with_ids(base).get(query, {})}


_BY_NOUN: dict[str, dict[str, Any]] = {
    "leases": {"name": "index:1"},
    "source_files": {"hash": "h"},
    "documents": {"session": "document:104", "type": "document", "kind": "document", "created": 40, "number": 9999},
    "embeddings": {"name": "m"},
    "tokens": {"key": "t"},
    "applied": {"key": "once"},
    "versions": {"time": 0},
    "sync": {
        "uids": '["u"]',
        "part": "record",
        "state": "deleted",
        "local_id": 0,
        "same": "",
        "stamp": "t",
        "seen": "{}",
    },
}
_FROM_THE_FIRST = {"start": 0, "end": 1 << 50}
_OF_MEMORIES = {"kind": "memory", "before": 1 << 62}
_BY_QUERY: dict[str, dict[str, Any]] = {
    "recall.opening": {"now": "2026-01-01T00:00:00.000000Z"},
    "lifetimes.expired": {"now": "2026-01-01T00:00:00.000000Z"},
    "consolidation.untrue": {"now": "2026-01-01T00:00:00.000000Z"},
    "versions.chunks": {"sessions": '["document:104"]'},
    "versions.fill": {"tags": "[]", "metadata": "{}"},
    "trash.add": {"action": "delete", "version": 0},
    "brief.start_of_newest": _FROM_THE_FIRST,
    "brief.newest": _FROM_THE_FIRST,
    "brief.sessions": _FROM_THE_FIRST,
    "brief.captured_fixes": {"session": "cli:other"},
    "recent.among_newest": {**_FROM_THE_FIRST, "type": "", **_OF_MEMORIES},
    "recent.of_namespaces": {"type": "", **_OF_MEMORIES},
    "recent.by_day": {**_FROM_THE_FIRST, "type": "", "length": 10, "kind": "memory"},
    "records.created_in": _FROM_THE_FIRST,
    "applied.add": {"key": "new"},
    "tokens.add": {"key": "new", "hash": "new"},
    "chats.first_user_message": {"session": "conv"},
    "code_links.files_below": {"most": 10},
    "code_links.symbols_called": {"most": 10},
    "code_links.indexing": {"now": 0},
    "consolidation.texts": {"after": ""},
    "consolidation.tagged": {"after": ""},
    "patterns.files_edited": {"session": "", "event": ""},
    "edges.stated_in_range": {"limit": 2000},
    "edges.in_range": {"limit": 2000},
    "edges.heaviest": {"relation": "", "most": 100},
    "purge.answers_after": {"after": ""},
    "secrets.answer_after": {"after": ""},
    "secrets.project_after": {"after": ""},
    "secrets.setting_after": {"after": ""},
    "secrets.request_after": {"after": ""},
    "secrets.parallel_edge": {"relation": "SUMMARIZES"},
    "secrets.put_answer": {"key": "once"},
    "soundness.set_canonical": {"right": "RELATES_TO"},
    "soundness.drop_applied": {"key": "once"},
    "soundness.blocks_ahead": {"last": -1},
    "soundness.drop_blocks_ahead": {"last": -1},
    "consolidation.any_undone": {"operation": "op3"},
    "embeddings.add_model": {"name": "new"},
    "events.of_tool": {"tool": "recall"},
    "records.insert": {"key": "new", "content_hash": "new"},
    "records.newest": {"created": 1 << 50, "type": ""},
    "records.by_uid": {"uid": ""},
    "records.taken_from": {"source": "serena", "place": "/notes"},
    "records.named": {"kind": "entity", "part": "n"},
    "records.rekey": {"key": "sym:new"},
    "solutions.by_content": {"content_hash": "sol"},
    "symbols.with_tail": {"start": "f.a."},
    "terms.put_block": {"records": 1, "body": b"x"},
    "terms.put": {"body": b"x"},
    "sync.between": {"after": ""},
    "sync.gone": {"after": ""},
}


def _with_ids(base: int) -> dict[str, dict[str, Any]]:
    new = {"id": base + 99, "key": "new", "content_hash": "new", "relation": "NEW"}
    return {
        "versions.numbered": {"versions": json.dumps([base + 1, base + 2])},
        "versions.edges_after": {"sources": json.dumps([base + 1]), "after": 0},
        "projects.change": {"alias": secret(base // STEP)},
        "projects.note_answer": {"alias": secret(base // STEP)},
        "soundness.drop_file": {"record": base + 13},
        "soundness.drop_symbol": {"record": base + 14},
        "soundness.set_tail": {"record": base + 14},
        "soundness.drop_name": {"id": base + 3},
        "soundness.raise_ids": {"id": base + STEP},
        "code_links.about": {"code": json.dumps([base + 14])},
        "documents.place": {"id": base + 5},
        "documents.equal_record": {"text": secret(base // STEP)},
        "edges.add": new,
        "edges.reinsert": new,
        "edges.add_many": {**new, "rows": json.dumps([[base + 1, base + 18, 1.0, "{}", "new"]])},
        "embeddings.add": {"code": b"c"},
        "pending.add_link": {"record": base + 6},
        "pending.add_other_models": {"model": base + 9},
        "pending.link_next": {"record": base + 3},
        "records.reinsert": new,
        "records.add_many": {**new, "rows": json.dumps([[base + 99, "", "new", "", "x", "{}"]])},
        "records.unset_replaced": {"id": base + 16},
        "records.vacate_key": {"id": base + 14},
        "records.rekey": {"id": base + 14, "key": "sym:new"},
        "source_files.touch": {"record": base + 13},
        "source_files.vacate_path": {"record": base + 13},
        "source_files.move": {"record": base + 13},
        "source_files.put": {"record": base + 13},
        "symbols.add": {"record": base + 17, "name": base + 1},
        "symbols.change": {"record": base + 14, "name": base + 1},
        "symbols.indexed": {"record": base + 14},
        "symbols.of_names": {
            **{"names": json.dumps([[base + 1, 0]]), "namespaces": json.dumps({PLACE: 0}), "kinds": "[]", "within": ""}
        },
        "symbols.names_beginning": {"starts": '["n"]'},
    }
