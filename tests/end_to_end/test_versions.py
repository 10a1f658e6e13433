"""Two installed versions on one store: the newer one upgrades it, the older one steps back and breaks nothing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import encoders
import indelible as installed
import store_file
from command_line import assert_sound, contents, done, export, memory, refused
from embedding_rows import assert_each_once, embedded, until, waiting
from encoders import SHARED
from indelible.filesystem import FileLock
from indelible.store.named_queries import newest_schema
from indelible.store.sqlite.connection import FILE
from mcp_client import Call, McpClient, ToolError, text_of

pytestmark = [pytest.mark.process, pytest.mark.sqlite("the file of an earlier schema")]

NEXT = newest_schema("sqlite") + 1
UPGRADE = """
ALTER TABLE record ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';
CREATE TABLE feeling (record INTEGER PRIMARY KEY REFERENCES record (id) ON DELETE CASCADE, name TEXT NOT NULL) STRICT;
INSERT INTO feeling SELECT id, 'new' FROM record;
"""
Environment = dict[str, str]


@pytest.fixture
def newer(tmp_path: Path) -> Callable[[str], Environment]:
    """Makes a copy of Indelible with one more migration; its environment for a process."""

    def make(sql: str) -> Environment:
        copy = tmp_path / "newer" / "indelible"
        shutil.copytree(Path(installed.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
        (copy / "store" / "migrations" / "sqlite" / f"{NEXT:04}.sql").write_text(sql)
        return {"PYTHONPATH": str(copy.parent)}

    return make


def schema(path: Path) -> int:
    connection = store_file.opened(path)
    try:
        return int(connection.pragma("user_version"))
    finally:
        connection.close()


def copies_before_upgrade(data: Path) -> list[Path]:
    return sorted((data / "backups").glob(f"before-schema-{NEXT}-*.db"))


def fill(data: Path, count: int = 30) -> str:
    """Store some memories and relations; the export."""
    lines = [json.dumps({"id": f"m{n}", **memory(n), "edges": edges_of(n)}) for n in range(count)]
    done("import", "-", data=data, stdin="\n".join(lines).encode())
    return export(data)


def edges_of(number: int) -> list[dict[str, str]]:
    return [{"source": f"m{number}", "target": f"m{number - 1}", "relationship": "LEADS_TO"}] * (number > 0)


def test_a_newer_version_upgrades_a_store_in_use_and_the_older_one_asks_to_be_restarted(
    tmp_path: Path, newer: Callable[[str], Environment]
):
    data, environment = tmp_path / "data", newer(UPGRADE)
    before = fill(data)
    with McpClient(data) as older:
        older.call("store_memory", memory(100))
        done("remember", "by the newer version", data=data, env=environment)
        (copy,) = copies_before_upgrade(data)
        after = export(copy_as_store(copy, tmp_path / "copy"))
        assert after.startswith(before)
        assert memory(100)["content"] in after
        assert "by the newer version" not in after
        assert (schema(data / FILE), schema(copy)) == (NEXT, NEXT - 1)
        unchanged = done("export", data=data, env=environment)
        for call in (Call("store_memory", memory(101)), Call("delete_memory", {"id": "m1"})):
            with pytest.raises(ToolError, match=r"store was upgraded, restart me.*Nothing was written"):
                older.call(call.tool, call.arguments)
        refusals = [text_of(r) for r in older.pipeline(Call("store_memory", memory(n)) for n in range(200, 220))]
        assert all("store was upgraded, restart me" in refusal for refusal in refusals)
        assert done("export", data=data, env=environment) == unchanged
    assert "store was upgraded, restart me" in refused("remember", "too old", data=data)
    assert "pip install -U indelible" in refused("recall", "queue1", data=data)
    assert done("export", data=data, env=environment) == unchanged
    assert len(unchanged.splitlines()) == 32
    assert "the store is sound" in done("doctor", data=data, env=environment)
    assert copies_before_upgrade(data) == [copy]  # one upgrade, one copy


@pytest.mark.parametrize("env", [{}, pytest.param(SHARED, marks=pytest.mark.full)], ids=["cold", "embedding"])
def test_what_waits_at_an_upgrade_is_embedded_once_by_the_newer_version(
    tmp_path: Path, newer: Callable[[str], Environment], env: Environment
):
    """An older server that still runs is refused its writes: what it is embedding then waits for its lease to end."""
    data, environment = tmp_path / "data", newer(UPGRADE)
    with encoders.running(), McpClient(data, env=env) as older:
        older.call("import_memories", {"memories": [memory(number) for number in range(150)]})
        if env:
            until(lambda: embedded(data) > 0)
        done("remember", "by the newer version", data=data, env=environment)
        assert waiting(data) + embedded(data) == 151
        with pytest.raises(ToolError, match="store was upgraded, restart me"):
            older.call("store_memory", memory(200))
        done("reembed", "--wait", data=data, env={**environment, **SHARED})
    assert_each_once(data, 151)
    assert "the store is sound" in done("doctor", data=data, env=environment)


def copy_as_store(file: Path, directory: Path) -> Path:
    directory.mkdir(mode=0o700)
    shutil.copyfile(file, directory / FILE)
    return directory


FAILING = {
    "bad SQL": UPGRADE + "CREATE TABEL typo (x);",
    "bad SQL at run time": UPGRADE + "INSERT INTO feeling VALUES (1, NULL);",
    "deleted rows": UPGRADE + "DELETE FROM record WHERE key = 'm7';",
    "a dropped table": "DROP TABLE edge;",
}


@pytest.mark.parametrize("mistake", FAILING)
def test_a_migration_that_fails_leaves_the_store_as_it_was(
    tmp_path: Path, newer: Callable[[str], Environment], mistake: str
):
    data, environment = tmp_path / "data", newer(FAILING[mistake])
    before = fill(data)
    with McpClient(data) as older:
        words = refused("recall", "queue1", data=data, env=environment)
        assert "store is as it was" in words or "would lose rows" in words
        assert schema(data / FILE) == NEXT - 1
        assert copies_before_upgrade(data) == []  # else each attempt would leave one
        assert older.call("store_memory", memory(50))["status"] == "stored"
        assert older.call("delete_memory", {"id": "m7"})["deleted"]
    done("undo", data=data)
    assert_sound(data)
    assert {json.dumps(r) for r in records(export(data))} >= {json.dumps(r) for r in records(before)}


def records(text: str) -> list[object]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_migration_that_loses_rows_names_the_tables(tmp_path: Path, newer: Callable[[str], Environment]):
    data, environment = tmp_path / "data", newer(FAILING["deleted rows"])
    before = fill(data)
    words = refused("recall", "queue1", data=data, env=environment)
    assert "the upgrade would lose rows of" in words
    assert "record" in words
    assert export(data) == before


def test_every_statement_of_a_migration_is_executed(tmp_path: Path, newer: Callable[[str], Environment]):
    # A statement that gives rows must not end the script before those after it.
    data, environment = tmp_path / "data", newer("SELECT 1; PRAGMA user_version;" + UPGRADE)
    fill(data)
    done("stats", data=data, env=environment)
    connection = store_file.opened(data / FILE, write=True)
    assert connection.execute("SELECT count(*) FROM feeling").fetchall() == [(30,)]
    connection.close()


def test_while_one_process_upgrades_another_says_so_and_the_older_one_goes_on(
    tmp_path: Path, newer: Callable[[str], Environment]
):
    data, environment = tmp_path / "data", newer(UPGRADE)
    fill(data)
    with FileLock(data / "upgrade.lock"):
        words = refused("recall", "queue1", data=data, env=environment)
        assert "upgrading: another process" in words
        assert "repeat in a moment" in words
        done("remember", "an older version does not care", data=data)
    done("recall", "queue1", data=data, env=environment)
    assert schema(data / FILE) == NEXT


def test_a_backup_of_an_older_version_is_restored_and_one_of_a_newer_version_is_refused(
    tmp_path: Path, newer: Callable[[str], Environment]
):
    data, environment = tmp_path / "data", newer(UPGRADE)
    older_copy, newer_copy = tmp_path / "older.db", tmp_path / "newer.db"
    before = fill(data)
    done("backup", older_copy, data=data)
    done("remember", "by the newer version", data=data, env=environment)
    done("backup", newer_copy, data=data, env=environment)
    done("restore", older_copy, data=data, env=environment)
    assert done("export", data=data, env=environment) == before
    assert (schema(data / FILE), schema(older_copy), schema(newer_copy)) == (NEXT, NEXT - 1, NEXT)
    other = tmp_path / "other"
    done("remember", "mine", data=other)
    assert "was written by a newer version of Indelible; update this one first" in refused(
        "restore", newer_copy, data=other
    )
    assert contents(other) == {"mine"}


def test_several_processes_of_the_newer_version_upgrade_once(tmp_path: Path, newer: Callable[[str], Environment]):
    data, environment = tmp_path / "data", newer(UPGRADE)
    before = fill(data)
    clients = [McpClient(data, env=environment) for _ in range(4)]
    started = 0
    try:
        for client in clients:
            started += serves_or_says_upgrading(client)
    finally:
        for client in clients:
            client.close()
    assert started >= 1
    assert len(copies_before_upgrade(data)) == 1
    assert done("export", data=data, env=environment) == before
    assert contents(copy_as_store(copies_before_upgrade(data)[0], tmp_path / "copy")) == {
        memory(n)["content"] for n in range(30)
    }


def serves_or_says_upgrading(client: McpClient) -> bool:
    try:
        client.initialize()
    except Exception as error:
        if "upgrading: another process" in str(error):
            return False
        raise
    assert client.call("codemem_stats")["storage"]["memories"] == 30
    return True
