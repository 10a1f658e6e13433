"""A secret in any column is counted by `doctor` and removed by `redact --stored`, or the column says why not."""

from __future__ import annotations

import json
import re
import zlib
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

import everything
import on_postgres
import store_file
from apart import call
from command_line import opened
from every_tool import SMALL_CODEBASE
from http_server import HttpServer, RpcError
from indelible.admin import stored_secrets, tokens
from indelible.api import open_memory
from indelible.store.tables import activity, projects, settings
from indelible.store.views import redaction
from mcp_client import McpClient, ProtocolError, ToolError, value_of
from secret_formats import drawn

SECRET = drawn(Random(31), "ghp_{a 36}")
JSON_OBJECTS = {
    *("record.metadata", "edge.metadata", "record_version.metadata", "edge_version.metadata"),
    *("applied.result", "activity.detail", "repository.summary"),
}
JSON_LISTS = {"record.tags", "record_version.tags", "event.records", "token.namespaces", "symbol.places"}
ON_SQLITE = """SELECT m.name, c.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE 'symbol_gram%'
  AND c.type NOT IN ('INTEGER', 'REAL')"""
ON_POSTGRES = """SELECT relname::text, attname::text FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
  AND attgenerated = '' AND atttypid::regtype::text NOT IN ('bigint', 'integer', 'double precision', 'boolean')"""
VECTORS_OF_PGVECTOR = ("embedding_neighbor", "neighbor_partition")  # numbers: copies of `embedding.vector`


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a row in each table that is searched. It is copied, not changed."""
    data = tmp_path_factory.mktemp("filled") / "data"
    with closing(open_memory(data)) as memory:
        everything.fill(memory)
        others = [memory.store_memory(content=f"was related {n}")["id"] for n in range(2)]
        deleted = memory.store_memory(content="was deleted", links=others)["id"]
        memory.delete_memory(id=deleted)
        memory.index_codebase(path=SMALL_CODEBASE)
    with opened(data) as ctx:
        call(ctx, "store_memory", key="a request key", content="stored once")
        tokens.create(ctx, "laptop", "read", ["/p"])
        event = activity.Activity("claude:s", "tool:1", 1, "claude", "tool", "/p", subject="a.py")
        ctx.store.write(lambda tx: activity.add(tx, [event]))
        ctx.store.write(lambda tx: projects.add(tx, "/elsewhere", "/p", 1))
        ctx.store.write(lambda tx: settings.put(tx, "imported MEMORY_FILE_PATH /p/m.json", "1"))
    return data


def columns(data: Path) -> set[str]:
    """Every column of texts or bytes that the store's schema has, as `table.column`."""
    with closing(store_file.opened(data / "indelible.db")) as store:
        rows = store.execute(ON_POSTGRES if on_postgres.is_chosen() else ON_SQLITE).fetchall()
    return {f"{table}.{column}" for table, column in rows if table not in VECTORS_OF_PGVECTOR}


def test_each_column_with_text_is_searched_or_says_why_not(filled: Path):
    named = [*redaction.searched(), *redaction.NOT_SEARCHED]
    assert len(named) == len(set(named))
    assert columns(filled) == set(named)


@pytest.mark.process
def test_the_name_of_a_tool_that_is_not_known_is_not_kept(tmp_path: Path):
    """As `NOT_SEARCHED` says of `event.tool`: a client may send any text there."""
    data = tmp_path / "data"
    with McpClient(data) as client:
        for method, name in (("tools/call", "name"), ("prompts/get", "name"), ("resources/read", "uri"), (SECRET, "x")):
            with pytest.raises((ProtocolError, ToolError)):
                value_of(client.request(method, {name: SECRET, "arguments": {}}))
        client.call("list_namespaces")
    with HttpServer(data) as server:
        for method, params in ((SECRET, {}), ("tools/call", {"name": SECRET}), (f"memory.{SECRET}", {})):
            with pytest.raises(RpcError):
                server.rpc(method, params)
        server.call("codemem_stats")
    assert set(values(data, "event.tool")) == {b"list_namespaces", b"codemem_stats"}
    assert SECRET.encode() not in store_file.kept(data)


def test_what_names_a_record_in_every_store_is_drawn_and_never_given(filled: Path, tmp_path: Path):
    """As `NOT_SEARCHED` says of `uid` and `origin`."""
    data = tmp_path / "data"
    store_file.copy(filled, data)
    edge = {"source": "a", "target": "b", "relationship": "LEADS_TO"}
    plain = [{"id": name, "content": f"Memory {name}"} for name in ("a", "b", "c", "d")]
    with opened(data) as ctx:
        for name in ("uid", "origin"):
            named = {**plain[2], name: SECRET}
            related = {**plain[3], "edges": [edge, {**edge, "relationship": "BLOCKS", name: SECRET}]}
            call(ctx, "import_memories", memories=[*plain[:2], named, related])
    for table in ("record", "edge"):
        assert all(re.fullmatch(rb"[0-9a-f]{32}", each) for each in values(data, f"{table}.uid"))
        assert set(values(data, f"{table}.origin")) == {b""}
    assert SECRET.encode() not in store_file.kept(data)


@pytest.mark.parametrize("column", sorted(redaction.searched()))
@pytest.mark.sweep(8)
def test_a_secret_in_a_column_is_counted_and_removed(filled: Path, tmp_path: Path, column: str):
    data = tmp_path / "data"
    store_file.copy(filled, data)
    plant(data, column)
    with opened(data) as ctx:
        with ctx.store.read() as tx:
            assert "github-token" in stored_secrets.count(ctx, tx)
        stored_secrets.mend(ctx)
        with ctx.store.read() as tx:
            assert not stored_secrets.is_there(ctx, tx)
    assert all(SECRET.encode() not in said for said in values(data, column))


def test_tokens_go_on_holding_for_a_namespace_that_is_redacted(filled: Path, tmp_path: Path):
    data = tmp_path / "data"
    store_file.copy(filled, data)
    plant(data, "token.namespaces")
    plant(data, "record.namespace")
    with opened(data) as ctx:
        stored_secrets.mend(ctx)
        (token,) = tokens.listed(ctx)
        with ctx.store.read() as tx:
            stored = {namespace for (namespace,) in tx.rows("records.namespaces")}
    assert set(token.namespaces or ()) <= stored


def plant(data: Path, column: str) -> None:
    """Write a secret into the newest row of a table, past our code."""
    table, name = column.split(".")
    text = f"about {SECRET}"
    planted: str | bytes = text
    if column in JSON_OBJECTS:
        planted = json.dumps({"said": text})
    elif column in JSON_LISTS:
        planted = json.dumps([text])
    elif column in ("source_file.outline", "source_file.looked_up"):
        planted = zlib.compress(text.encode())
    with closing(store_file.opened(data / "indelible.db", write=True)) as store:
        (key, before) = store.execute(
            f"SELECT {KEYS.get(table, 'id')}, {name} FROM {table} {WHERE.get(table, '')} ORDER BY 1 DESC LIMIT 1"
        ).fetchone()
        if column == "trash.body":
            body = json.loads(before)
            body["planted"] = text
            planted = json.dumps(body)
        store.execute(f"UPDATE {table} SET {name} = ? WHERE {KEYS.get(table, 'id')} = ?", (planted, key))


KEYS = {"applied": "key", "project": "alias", "setting": "name", "symbol": "record", "source_file": "record"}
WHERE = {"setting": "WHERE tenant > 0", "record": "WHERE kind = 'memory'"}


def values(data: Path, column: str) -> list[bytes]:
    """Every value of a column, unpacked."""
    table, name = column.split(".")
    with closing(store_file.opened(data / "indelible.db")) as store:
        found = [value for (value,) in store.execute(f"SELECT {name} FROM {table}").fetchall()]
    return [stored_secrets.unpacked(each).encode() if isinstance(each, bytes) else each.encode() for each in found]
