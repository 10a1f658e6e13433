"""What was purged is in no raw byte of the data directory, through whatever door it came in."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import on_postgres
import store_file
from command_line import assert_sound, done, export, indelible, killed_at, opened, refused
from indelible.admin import backups, purge, purge_journal
from indelible.capture import spool
from indelible.client.entries import Entry
from indelible.client.places import target_of
from indelible.client.spool import Spool
from indelible.filesystem import spool_of
from indelible.store.sqlite import pages
from indelible.store.sqlite.connection import FILE
from mcp_client import McpClient, environment
from store_file import found_in, tables
from store_file import opened as past_our_code

pytestmark = pytest.mark.process

WORD = "quokkafinch"  # what is purged
OTHER = "Another project counts wombats"
SOURCE = f'''def {WORD}_total(cart):
    """Adds up what the {WORD} eats."""
    return sum(cart)
'''


# --- What is in the files ---


def told(data: Path, word: str = WORD) -> list[str]:
    """The files in which a word stands, or in whose names, and the tables of a store in PostgreSQL."""
    named = [str(path) for path in data.rglob("*") if word in path.name]
    return sorted(
        {file for code in ("utf-8", "utf-16-le", "utf-16-be") for file in found_in(data, word.encode(code))}
        | set(named)
        | {name for name, body in tables(data).items() if word.encode() in body.lower()}
    )


def outlines(data: Path) -> list[bytes]:
    """What the store keeps of source files, as it stands in its pages."""
    with closing(past_our_code(data / FILE)) as file:
        return [bytes(row[0])[:200] for row in file.execute("SELECT outline FROM source_file")]


# --- Every door ---


def repository(place: Path) -> Path:
    (place / ".git").mkdir(parents=True)
    (place / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return place


def event(app: Path, number: int, text: str) -> dict[str, Any]:
    time = int(datetime.now(UTC).timestamp() * 1_000_000)
    same = {"v": 1, "id": f"prompt:{number}", "client": "claude-code", "session": "s1", "time": time, "cwd": str(app)}
    return {**same, "what": "prompt", "text": text}


def keep_all(client: McpClient, app: Path) -> None:
    """Store the word by every tool that keeps text for the project, recall it, change it, delete some of it."""
    memory = {"content": f"We use {WORD} for the cart", "tags": [f"team:{WORD}"]}
    told_about = {"content": f"{WORD} has metadata", "metadata": {WORD: [WORD]}, "namespace": str(app)}
    client.call("import_memories", {"memories": [told_about]}, key="k0")
    own = client.call("store_memory", memory, key=f"key {WORD}")["id"]
    client.call("update_memory", {"id": own, "content": f"We use {WORD} for carts and for crates"}, key="k2")
    client.call("refine_memory", {"id": own, "content": f"Carts are kept by {WORD}"}, key="k3")
    other = client.call("store_memory", {"content": f"Carts and {WORD}", "links": [own]})["id"]
    gone = client.call("store_memory", {"content": f"{WORD} was deleted"})["id"]
    client.call("delete_memory", {"id": gone})
    client.call("matrix_store", {"problem": f"{WORD} hangs", "solution": f"restart {WORD}", "scope": "repo"}, key="k4")
    client.call(
        "matrix_failure",
        {
            **{"errorType": "runtime", "errorMessage": f"{WORD} broke", "rootCause": f"{WORD} is old"},
            **{"fixApplied": f"new {WORD}", "stackTrace": f"at {WORD}", "filesInvolved": [f"{WORD}.py"]},
        },
        key="k5",
    )
    text = f"# {WORD}\n\nThe {WORD} is described here. " + f"It has a {WORD} in every sentence. " * 40
    client.call("store_memory", {"content": text, "file_name": f"{WORD}.md"}, key="k6")
    client.call("store_memory", {"content": text + "And an end.", "file_name": f"{WORD}.md"})
    said = {"conversation_id": f"talk {WORD}", "role": "user", "content": f"What is {WORD}?"}
    client.call("log_chat", said, key="k7")
    client.call("add_todo", {"title": f"Feed {WORD}", "description": WORD}, key="k8")
    client.call("log_code_attempt", {"input_prompt": WORD, "generated_code": f"{WORD}()", "result": "fail"}, key="k9")
    client.call("index_codebase", {"path": str(app)})
    assert client.call("recall_memory", {"query": f"{WORD} carts"})
    assert client.call("retrieve_memory", {"query": f"{WORD} described", "conversation_id": f"talk {WORD}"})
    client.call("get_symbol_info", {"qualified_name": f"{WORD}_total"})
    client.call("associate_memories", {"source_id": own, "target_id": other, "relationship": "LEADS_TO"})


def keep_shared(client: McpClient) -> None:
    """The same for what belongs to no project: entities, vectors."""
    entity = {"name": f"{WORD} Works", "entityType": WORD, "observations": [f"{WORD} digs"]}
    client.call("create_entities", {"entities": [entity]}, key="s1")
    more = {"entityName": f"{WORD} Works", "contents": [f"{WORD} digs deeper"]}
    client.call("add_observations", {"observations": [more]}, key="s2")
    client.call(
        "delete_observations", {"deletions": [{"entityName": f"{WORD} Works", "observations": [f"{WORD} digs"]}]}
    )
    vector = {"id": f"note-{WORD}", "vector": {"3": 0.5}, "text": f"A {WORD} note", "metadata": {WORD: WORD}}
    client.call("memorize", vector, key="s3")
    client.call("memorize", {**vector, "text": f"Another {WORD} note"})
    client.call("open_nodes", {"names": [f"{WORD} Works"]})


def leave_in_files(data: Path, app: Path) -> None:
    """What hooks left: taken in, waiting, unfinished, unreadable."""
    spool.put(str(data), event(app, 1, f"Let's use {WORD} instead of Redis for the cart cache."))
    done("drain", data=data)
    spool.put(str(data), event(app, 2, f"And {WORD} again"))
    (data / "spool" / "bad" / "01-1-aa.json").write_text(f'{{"cwd": "{app}", "text": "{WORD}')
    unfinished = data / "spool" / "tmp" / "01-1-bb.json"
    unfinished.write_text(f'{{"text": "{WORD}')
    os.utime(unfinished, (1, 1))


def leave_of_clients(data: Path, app: Path) -> None:
    """Writes that wait, that a replay has begun, that were refused, that were left unfinished."""
    waits = Spool(spool_of(data, target_of(data, str(app))), lambda: 1_900_000_000 * 10**9)
    waits.put(Entry("store_memory", {"content": f"{WORD} waits"}, "w1", 1_900_000_000 * 10**9))
    begun = waits.put(Entry("store_memory", {"content": f"{WORD} is on its way"}, "w2", 1_900_000_000 * 10**9))
    waits.begin([begun.id])
    for folder, name in (("refused", "r1"), ("tmp", "t1")):
        file = waits.directory / folder / f"00000000000000000001-1-{name}.json"
        file.write_text(f'{{"tool": "store_memory", "arguments": {{"content": "{WORD}"}}, "key": "k", "time": 1}}')
        os.utime(file, (1, 1))


def back_up(data: Path) -> None:
    """Automatic backups of today and of yesterday, and copies that were left by processes that were killed.

    A database has none of them.
    """
    if on_postgres.is_chosen():
        return
    for made in (data / "backups").glob("*.db"):  # by a server that ran for long
        made.unlink()
    with opened(data) as ctx:
        assert backups.daily(ctx) is not None
    with opened(data, lambda: datetime.now(UTC) - timedelta(days=1)) as ctx:
        assert backups.daily(ctx) is not None
    (data / "dry-run-left").mkdir()
    shutil.copy(data / FILE, data / "dry-run-left" / FILE)
    shutil.copy(data / FILE, data / "backups" / "daily-2026-01-01.db.unfinished")
    shutil.copy(data / FILE, data / "backups" / "restoring-1.db")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("purge")


@pytest.fixture(scope="module")
def app(place: Path) -> Path:
    app = repository(place / f"{WORD}-app")
    (app / f"{WORD}.py").write_text(SOURCE)
    return app


@pytest.fixture(scope="module")
def filled(place: Path, app: Path) -> Path:
    """A store with the word in it, in every way, and with something else; backed up. It is copied, not changed."""
    data = place / "filled"
    with McpClient(data, "--toolsets", "all", cwd=app) as client:
        client.call("store_memory", {"content": OTHER, "namespace": "/other"})
        keep_all(client, app)
    leave_in_files(data, app)
    back_up(data)
    return data


@pytest.fixture
def data(filled: Path, app: Path, tmp_path: Path) -> Path:
    """A copy of it, with what clients left: their spools go by the name of the data directory."""
    data = tmp_path / "data"
    store_file.copy(filled, data)
    leave_of_clients(data, app)
    return data


@pytest.mark.sqlite("bytes of the file and its copies")
def test_a_namespace_that_was_purged_is_in_no_byte_of_the_data_directory(data: Path, app: Path):
    kept = outlines(data)
    assert any(f.startswith("backups/daily-") for f in told(data))
    assert {"indelible.db", "dry-run-left/indelible.db", "spool/bad/01-1-aa.json"} <= set(told(data))
    assert all(found_in(data, outline) for outline in kept)
    assert len(kept) == 1
    shown = done("purge", "--namespace", str(app), "--dry-run", data=data)
    assert "would be rewritten" in shown
    assert told(data) != []
    assert "purged" in done("purge", "--namespace", str(app), "--yes", data=data)
    assert told(data) == []
    assert [outline for outline in kept if found_in(data, outline)] == []
    assert OTHER in export(data)
    assert len(list((data / "backups").glob("daily-*.db"))) == 2
    assert_sound(data)
    assert done("purge", "--namespace", str(app), "--yes", data=data).startswith("nothing is stored in namespace")


@pytest.mark.sqlite("bytes of the file and its copies")
def test_each_record_that_was_purged_by_its_id_is_in_no_byte(tmp_path: Path):
    data = tmp_path / "data"
    with McpClient(data, "--toolsets", "all") as client:
        client.call("store_memory", {"content": OTHER})
        client.call("create_entities", {"entities": [{"name": "Ground", "entityType": "place", "observations": []}]})
        before = export(data)
        keep_shared(client)
        relation = {"from": "Ground", "to": f"{WORD} Works", "relationType": f"carries {WORD}"}
        client.call("create_relations", {"relations": [relation]})
        client.call("delete_relations", {"relations": [relation]})
        client.call("create_relations", {"relations": [relation]})
    back_up(data)
    assert told(data) != []
    done("purge", f"entity:{WORD} Works", f"note-{WORD}", "--yes", data=data)
    assert told(data) == []
    assert export(data) == before
    assert_sound(data)


@pytest.mark.sqlite("bytes of the file and its copies")
def test_a_memory_that_was_deleted_before_is_purged_by_its_id_from_the_trash_and_the_backups(tmp_path: Path):
    data = tmp_path / "data"
    with McpClient(data) as client:
        client.call("store_memory", {"content": OTHER})
        own = client.call("store_memory", {"content": f"The {WORD} is secret"}, key="k")["id"]
        client.call("recall_memory", {"query": f"secret {WORD}"})
        client.call("update_memory", {"id": own, "content": f"The {WORD} is very secret"})
        client.call("delete_memory", {"id": own})
    back_up(data)
    before = export(data)
    assert told(data) != []
    assert "purged 2 states in the trash" in done("purge", own, "--yes", data=data)
    assert told(data) == []
    assert export(data) == before
    assert "is unknown: neither the store, nor its trash, nor a backup has it" in refused(
        "purge", own, "--yes", data=data
    )


@pytest.mark.sqlite("bytes of the file and its copies")
def test_what_only_a_backup_has_is_purged_from_it(tmp_path: Path):
    data = tmp_path / "data"
    with McpClient(data) as client:
        own = client.call("store_memory", {"content": f"The {WORD} is secret"})["id"]
    back_up(data)
    shutil.copy(data / "backups" / f"daily-{datetime.now(UTC):%Y-%m-%d}.db", data / "backups" / "before-restore-1.db")
    with opened(data) as ctx:
        purge.run(ctx, purge.plan(ctx, purge.of_records(ctx, [own])).selection, lambda _: None)
    shutil.copy(data / FILE, tmp_path / "clean.db")
    assert told(data) == []
    done("import", "-", data=data, stdin=json.dumps({"id": "m1", "content": f"{WORD} is back"}).encode())
    with opened(data) as ctx:
        backups.backup(ctx, data / "backups" / "before-restore-2.db")
    done("restore", str(tmp_path / "clean.db"), data=data)
    for own_copy in (data / "backups").glob("before-restore-2*"):
        assert own_copy.exists()
    assert told(data) != []
    assert "purged what backups contained of m1" in done("purge", "m1", "--yes", data=data)
    assert told(data) == []


# --- Others are left whole ---


def test_what_is_not_purged_stays_as_it_is_and_can_be_undone(tmp_path: Path):
    data = tmp_path / "data"
    with McpClient(data) as client:
        one, other = (client.call("store_memory", {"content": text})["id"] for text in (f"The {WORD}", OTHER))
        third = client.call("store_memory", {"content": "A third", "links": [other]})["id"]
        before = export(data)
        client.call("associate_memories", {"source_id": third, "target_id": one, "relationship": "LEADS_TO"})
        client.call("delete_memory", {"id": third})
    done("purge", one, "--yes", data=data)
    assert told(data) == []
    done("undo", data=data)
    wanted = [json.loads(line) for line in before.splitlines() if WORD not in line]
    assert [json.loads(line) for line in export(data).splitlines()] == wanted


def test_older_than_purges_what_nobody_changed_since(tmp_path: Path):
    data = tmp_path / "data"
    long_ago = (datetime.now(UTC) - timedelta(days=100)).isoformat()
    old = {"id": "old", "content": f"An old {WORD}", "created_at": long_ago, "updated_at": long_ago}
    new = {"id": "new", "content": "A new wombat"}
    aged = {"id": "aged", "content": f"Changed since {WORD}", "created_at": long_ago, "updated_at": long_ago}
    done("import", "-", data=data, stdin="\n".join(map(json.dumps, (old, new, aged))).encode())
    with McpClient(data) as client:
        client.call("update_memory", {"id": "aged", "content": "Changed since"})
    back_up(data)
    assert "nothing is as old as that" in done("purge", "--older-than", "1y", "--yes", data=data)
    assert "purged 1 memory" in done("purge", "--older-than", "90d", "--yes", data=data)
    assert told(data) == []
    assert {json.loads(line)["id"] for line in export(data).splitlines()} == {"new", "aged"}


@pytest.mark.parametrize("given", ["soon", "0d", "90", "-3d", "", "99999-01-01"])
def test_an_age_that_is_none_is_refused(tmp_path: Path, given: str):
    data = tmp_path / "data"
    done("remember", "something", data=data)
    assert "--older-than must be an age such as 90d" in refused("purge", f"--older-than={given}", "--yes", data=data)


def test_a_time_that_is_to_come_is_refused(tmp_path: Path):
    data = tmp_path / "data"
    done("remember", "something", data=data)
    assert "must be a time in the past" in refused("purge", "--older-than", "2999-01-01", "--yes", data=data)


def test_what_said_the_same_before_is_purged_with_it_and_a_twin_elsewhere_stays(tmp_path: Path):
    data = tmp_path / "data"
    with McpClient(data) as client:
        stored = [client.call("store_memory", {"content": f"The {WORD}"})["id"]]
        client.call("delete_memory", {"id": stored[0]})
        stored.append(client.call("store_memory", {"content": f"The {WORD}"})["id"])
    done("purge", stored[1], "--yes", data=data)
    assert told(data) == []
    done("remember", f"The {WORD}", "--namespace", "/a", data=data)
    done("remember", f"The {WORD}", "--namespace", "/b", data=data)
    done("purge", "--namespace", "/a", "--yes", data=data)
    assert [json.loads(line)["namespace"] for line in export(data).splitlines()] == ["/b"]


def test_a_summary_that_a_cycle_made_goes_with_any_of_its_sentences(tmp_path: Path):
    data = tmp_path / "data"
    things = [{"id": f"m{n}", "content": f"Wombat {n} digs beside the {WORD if n == 2 else 'creek'}"} for n in range(5)]
    with McpClient(data, "--toolsets", "all") as client:
        ids = [client.call("store_memory", {"content": thing["content"]})["id"] for thing in things]
        for one in ids[1:]:
            client.call("associate_memories", {"source_id": one, "target_id": ids[0], "relationship": "RELATES_TO"})
        (summary,) = client.call("consolidate_summarize", {"cluster_size": 5})["created_ids"]
    assert WORD in export(data)
    assert "purged 2 memories" in done("purge", ids[2], "--yes", data=data)
    assert told(data) == []
    left = {json.loads(line)["id"] for line in export(data).splitlines()}
    assert left == {*ids} - {ids[2]}
    assert summary not in left


def test_usage_is_explained_and_several_selections_are_refused(tmp_path: Path):
    data = tmp_path / "data"
    done("remember", "something", data=data)
    for given in ([], ["id", "--namespace", "/a"], ["--older-than", "1y", "--namespace", "/a"]):
        assert indelible("purge", *given, "--yes", data=data).returncode == 2
    assert "is unknown" in refused("purge", "nothing", "--yes", data=data)
    assert "something" in export(data)


# --- Beside others ---


def test_a_running_server_forgets_what_is_purged_and_does_not_write_it_back(tmp_path: Path):
    data = tmp_path / "data"
    with McpClient(data, "--toolsets", "all") as client:
        own = client.call("store_memory", {"content": f"The {WORD} digs at night"})["id"]
        keep_shared(client)
        assert client.call("recall_memory", {"query": f"{WORD} digs"})
        assert client.call("open_nodes", {"names": [f"{WORD} Works"]})["entities"]  # an event that waits
        done("purge", own, f"entity:{WORD} Works", f"vector:note-{WORD}", "--yes", data=data)
        assert client.call("recall_memory", {"query": "digs at night"}) == []
        assert client.call("store_memory", {"content": OTHER})["status"] == "stored"
        assert client.call("recall_memory", {"query": "wombats"})[0]["content"] == OTHER
    assert told(data) == []
    assert_sound(data)


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that reads the store and does not come to an end; it says when it does."""
    script = """
import apsw, sys
connection = apsw.Connection(sys.argv[1])
connection.execute("BEGIN"); connection.execute("SELECT count(*) FROM record").fetchall()
print("reads", flush=True); sys.stdin.read()
"""
    command = [sys.executable, "-c", script, str(tmp_path / "data" / FILE)]
    done("remember", f"The {WORD} is read", data=tmp_path / "data")
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
    assert process.stdout is not None
    assert process.stdout.readline() == b"reads\n"
    yield process
    process.kill()
    process.communicate()


@pytest.mark.sqlite("readers of the file")
def test_a_reader_that_blocks_is_named_and_the_rest_is_purged(tmp_path: Path, reader, monkeypatch):
    data = tmp_path / "data"
    monkeypatch.setattr(pages, "WAIT", 0.1)
    with opened(data) as ctx:
        own = json.loads(export(data))["id"]
        plan = purge.plan(ctx, purge.of_records(ctx, [own]))
        blocked = purge.run(ctx, plan.selection, lambda _: None)
    assert blocked.is_blocked
    if sys.platform == "linux":
        assert [each.split()[1] for each in blocked.readers] == [str(reader.pid)]
    assert export(data) == ""
    assert [each.what for each in purge_journal.read(data / purge_journal.NAME).selections] == ["record"]
    assert "a purge was interrupted" in done("doctor", data=data)
    reader.kill()
    reader.wait()
    done("remember", "Something new", data=data)
    ran = indelible("purge", data=data)
    assert (ran.returncode, b"was interrupted; it is finished first" in ran.stderr) == (0, True)
    assert told(data) == []
    assert "Something new" in export(data)


# --- Killed in the middle ---

STEPS = (
    "admin.purge_journal.write",
    "admin.purge_files.forget_waiting",
    "toolsets.memory.namespaces.purge_all",
    "store.tables.purge.drop_trash",
    "store.tables.purge.fold_events",
    "store.sqlite.pages.vacuum",
    "admin.purge_backups._replace",
    "store.sqlite.pages.empty_log",
    "admin.purge_journal.remove",
)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.sqlite("bytes of the file and its copies")
@pytest.mark.sweep(3)
def test_a_purge_that_was_killed_is_completed_by_the_next(data: Path, app: Path, step: str):
    asked = ["purge", "--namespace", str(app), "--yes"]
    killed_at(step, *asked, data=data)
    ran = indelible(*asked, data=data)
    assert ran.returncode == 0, ran.stderr.decode()
    assert told(data) == []
    assert OTHER in export(data)


@pytest.mark.sqlite("bytes of the file and its copies")
def test_a_damaged_backup_is_removed_and_named(tmp_path: Path):
    data = tmp_path / "data"
    done("remember", f"The {WORD}", "--namespace", "/shop", data=data)
    back_up(data)
    path = data / "backups" / f"daily-{datetime.now(UTC):%Y-%m-%d}.db"
    path.write_bytes(path.read_bytes()[:5_000] + WORD.encode() * 100)
    ran = indelible("purge", "--namespace", "/shop", "--yes", data=data)
    assert ran.returncode == 0
    assert f"removed the backup {path.name}: it is damaged" in ran.stderr.decode()
    assert told(data) == []
