"""MEMORY_FILE_PATH, VECFS_FILE and MATRIX_DB: a server beside the file of another tool, with what is in it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from command_line import done, export
from indelible.engine.context import Call as ContextCall
from indelible.engine.context import Caller, open_context
from indelible.engine.existing_stores import import_existing
from indelible.errors import Cancelled, InvalidInput
from indelible.settings import Settings
from mcp_client import Call, McpClient, environment, value_of

START = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}


def served(env: Mapping[str, str], cwd: Path, *calls: Call, options: tuple[str, ...] = ()) -> tuple[list[Any], str]:
    """The values of calls to a server that is told of no data directory, and what it wrote to stderr."""
    messages = [{"id": 0, "method": "initialize", "params": START}, {"method": "notifications/initialized"}]
    messages += [{"id": number, "method": "tools/call", "params": call.params} for number, call in enumerate(calls, 1)]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
    command = [sys.executable, "-m", "indelible", "serve", *options]
    ran = subprocess.run(
        command, input=lines.encode(), capture_output=True, env=environment(env), cwd=cwd, check=False, timeout=50
    )
    assert ran.returncode == 0, ran.stderr.decode()
    answers = {
        message["id"]: message["result"] for message in map(json.loads, ran.stdout.splitlines()) if "id" in message
    }
    return [value_of(answers[number]) for number in range(1, len(calls) + 1)], ran.stderr.decode()


def told(errors: str) -> list[str]:
    """What a server said of its imports."""
    events = [json.loads(line) for line in errors.splitlines()]
    return [event["message_text"] for event in events if event["event"] == "import"]


def entry(name: str, vector: Any, text: str | None = None, **more: Any) -> dict[str, Any]:
    metadata = {"topic": "ci", **({} if text is None else {"text": text})}
    return {"id": name, "metadata": metadata, "vector": vector, "score": 0, "timestamp": 1771038000000, **more}


GOOD = [
    entry("lint", {"3": 0.42, "17": -0.31}, "Run the linter first", score=1.5),
    entry("日本語", {"3": 1}, "夜間バッチは三時に動く"),
    entry("silent", {"9": 2.5}),
]
BAD = {
    b"{not json": "line 4 is no JSON",
    b'{"id": "x", "vector": {"a": 1}}': "line 5: vector has the index 'a'",
    b'{"vector": {"1": 1}}': "line 6: id must be a non-empty string",
    b'["x"]': "line 7: an entry must be an object",
    b'{"id": "y", "vector": [1], "score": NaN}': "line 8: score must be a finite number",
}
SEARCH = Call("search", {"vector": {"3": 1}, "limit": 10})


def write_lines(path: Path, *more: bytes) -> Path:
    lines = [json.dumps(each, ensure_ascii=False).encode() for each in GOOD]
    path.write_bytes(b"\xef\xbb\xbf" + b"\n".join([*lines, *more]) + b"\n\n")
    return path


# --- VecFS ---


def test_a_server_beside_a_file_of_vecfs_has_its_entries(tmp_path: Path):
    file = write_lines(tmp_path / "vectors.jsonl", *BAD)
    before = file.read_bytes()
    recall = Call("recall_memory", {"query": "linter"})
    (matches, hits), errors = served({"VECFS_FILE": str(file)}, tmp_path, SEARCH, recall)
    assert [match["id"] for match in matches] == ["日本語", "lint", "silent"]
    assert matches[1]["metadata"] == {"topic": "ci", "text": "Run the linter first"}
    assert (matches[1]["vector"], matches[1]["score"]) == ({"3": 0.42, "17": -0.31}, 1.5)
    assert [(hit["id"], hit["kind"], hit["created_at"]) for hit in hits] == [("lint", "vector", "2026-02-14T03:00:00Z")]
    said = told(errors)
    for words in BAD.values():
        assert any(line.startswith(words) for line in said), (words, said)
    assert said[-1] == "imported 3, skipped 0 that were known, 5 problems"
    assert file.read_bytes() == before
    assert (tmp_path / "vectors.jsonl.db" / "indelible.db").is_file()


def test_a_file_is_taken_in_once(tmp_path: Path):
    file = write_lines(tmp_path / "vectors.jsonl")
    env = {"VECFS_FILE": str(file)}
    served(env, tmp_path, Call("delete", {"id": "lint"}), Call("feedback", {"id": "silent", "scoreAdjustment": 1}))
    (matches,), errors = served(env, tmp_path, SEARCH)
    assert {match["id"]: match["score"] for match in matches} == {"日本語": 0, "silent": 1}
    assert told(errors) == []


def test_a_file_that_comes_later_is_taken_in_then(tmp_path: Path):
    env = {"VECFS_FILE": str(tmp_path / "later.jsonl")}
    (matches,), _ = served(env, tmp_path, SEARCH)
    assert matches == []
    write_lines(tmp_path / "later.jsonl")
    (matches,), _ = served(env, tmp_path, SEARCH)
    assert len(matches) == 3


@pytest.mark.parametrize("indent", [None, 2])
def test_a_file_may_be_one_array(tmp_path: Path, indent: int | None):
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps([*GOOD, {"id": "bad"}], indent=indent), encoding="utf-8")
    (matches,), errors = served({"VECFS_FILE": str(file)}, tmp_path, SEARCH)
    assert len(matches) == 3
    assert told(errors)[0].startswith("entry 4: vector must be an object")


@pytest.mark.parametrize("content", [b"", b"\n\n", b"[]", b"[1, 2", b"\xff\xfe\x00", b"null\n5\n"])
def test_a_server_answers_whatever_is_in_the_file(tmp_path: Path, content: bytes):
    file = tmp_path / "odd.jsonl"
    file.write_bytes(content)
    (matches,), _ = served({"VECFS_FILE": str(file)}, tmp_path, SEARCH)
    assert matches == []


def test_two_servers_that_start_at_once_take_a_file_in_once(tmp_path: Path):
    lines = [entry(f"e{n}", {"1": 1, str(n + 2): 1}, f"text {n}") for n in range(300)]
    file = tmp_path / "vectors.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    data, env = tmp_path / "data", {"VECFS_FILE": str(file)}
    clients = [McpClient(data, env=env) for _ in range(2)]
    with clients[0] as one, clients[1] as two:
        for client in (one, two):
            assert len(client.call("search", {"vector": {"1": 1}, "limit": 1000})) == 300
    assert len(export(data).splitlines()) == 300


def test_a_read_only_server_takes_nothing_in(tmp_path: Path):
    file = write_lines(tmp_path / "vectors.jsonl")
    done("stats", data=tmp_path / "vectors.jsonl.db")  # which makes the store
    (matches,), _ = served({"VECFS_FILE": str(file)}, tmp_path, SEARCH, options=("--read-only",))
    assert matches == []


# --- claude-matrix ---

SCHEMA = """
CREATE TABLE repos (id TEXT PRIMARY KEY, name TEXT NOT NULL, path TEXT, languages JSON, frameworks JSON,
  dependencies JSON, patterns JSON, test_framework TEXT, fingerprint_embedding BLOB, created_at TEXT, updated_at TEXT);
CREATE TABLE solutions (id TEXT PRIMARY KEY, repo_id TEXT, problem TEXT NOT NULL, problem_embedding BLOB NOT NULL,
  solution TEXT NOT NULL, scope TEXT NOT NULL, context JSON NOT NULL DEFAULT '{}', tags JSON DEFAULT '[]',
  score REAL DEFAULT 0.5, uses INTEGER DEFAULT 0, successes INTEGER DEFAULT 0, partial_successes INTEGER DEFAULT 0,
  failures INTEGER DEFAULT 0, created_at TEXT, updated_at TEXT, last_used_at TEXT, category TEXT, supersedes TEXT);
CREATE TABLE failures (id TEXT PRIMARY KEY, repo_id TEXT, error_type TEXT NOT NULL, error_message TEXT NOT NULL,
  error_signature TEXT NOT NULL, error_embedding BLOB NOT NULL, stack_trace TEXT, files_involved JSON DEFAULT '[]',
  recent_changes TEXT, root_cause TEXT, fix_applied TEXT, prevention TEXT, occurrences INTEGER DEFAULT 1,
  created_at TEXT, resolved_at TEXT);
CREATE TABLE usage_log (id INTEGER PRIMARY KEY, solution_id TEXT, repo_id TEXT, outcome TEXT, notes TEXT,
  created_at TEXT);
INSERT INTO repos VALUES ('repo_1', 'shop', '/src/shop', '["typescript"]', '["react"]', '["react","zod"]', '["api"]',
  NULL, x'00', '2025-01-01 00:00:00', '2025-01-01 00:00:00');
INSERT INTO solutions VALUES ('sol_0000000a', 'repo_1', 'OAuth tokens expire', x'0011', 'Refresh them early', 'global',
  '{"filesAffected":["src/auth.ts"]}', '["oauth","auth"]', 0.55, 3, 1, 0, 0, '2025-01-02 03:04:05',
  '2025-01-03 03:04:05', '2025-01-04 03:04:05', 'bugfix', NULL);
INSERT INTO solutions VALUES ('sol_0000000b', NULL, 'Docker image is large', x'0011', 'Use several stages', 'stack',
  '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'sol_0000000a');
INSERT INTO failures VALUES ('fail_0000000a', 'repo_1', 'runtime', 'Cannot read property of undefined', 'abc', x'00',
  'at main.ts:1', '["src/main.ts"]', NULL, 'user was null', 'check for null', 'strict null checks', 4,
  '2025-01-05 03:04:05', NULL);
INSERT INTO usage_log VALUES (1, 'sol_0000000a', 'repo_1', 'success', 'worked at once', '2025-01-04 03:04:05');
"""


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    """A database of claude-matrix with two solutions and a failure."""
    path = tmp_path / "matrix.db"
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(SCHEMA)
    connection.close()
    return path


def test_a_server_beside_a_database_of_matrix_has_its_solutions_and_failures(tmp_path: Path, matrix: Path):
    before = matrix.read_bytes()
    recall = Call("recall_memory", {"query": "OAuth tokens"})
    (hits,), errors = served({"MATRIX_DB": str(matrix)}, tmp_path, recall)
    assert told(errors) == ["imported 3, skipped 0 that were known, 0 problems"]
    (hit,) = (hit for hit in hits if hit["id"] == "sol_0000000a")  # below the one that supersedes it
    assert (hit["kind"], hit["namespace"]) == ("solution", "/src/shop")
    kept = {record["id"]: record for record in map(json.loads, export(tmp_path / "matrix.db.db").splitlines())}
    solution, other, failure = (kept[key] for key in ("sol_0000000a", "sol_0000000b", "fail_0000000a"))
    assert (solution["memory_type"], solution["tags"], solution["access_count"]) == ("global", ["oauth", "auth"], 4)
    assert solution["created_at"] == "2025-01-02T03:04:05Z"
    told_of_it = solution["metadata"]
    assert (told_of_it["problem"], told_of_it["score"], told_of_it["successes"]) == ("OAuth tokens expire", 0.55, 1)
    assert (told_of_it["files"], told_of_it["notes"][0]["notes"]) == (["src/auth.ts"], "worked at once")
    assert told_of_it["fingerprint"]["frameworks"] == ["react"]
    assert (other["namespace"], other["memory_type"], other["content"]) == (
        None,
        "stack",
        "Docker image is large\n\nUse several stages",
    )
    assert [(edge["relationship"], edge["target"]) for edge in other["edges"]] == [
        ("SUPERSEDES", "solution:sol_0000000a")
    ]
    assert (failure["memory_type"], failure["metadata"]["occurrences"]) == ("runtime", 4)
    assert failure["metadata"]["errorMessage"] == "Cannot read property of undefined"
    assert matrix.read_bytes() == before
    _, errors = served({"MATRIX_DB": str(matrix)}, tmp_path, recall)
    assert told(errors) == []


def test_what_is_no_database_is_said_and_the_server_answers(tmp_path: Path):
    file = tmp_path / "matrix.db"
    file.write_text("not a database " * 100)
    (hits,), errors = served({"MATRIX_DB": str(file)}, tmp_path, Call("recall_memory", {"query": "x"}))
    assert hits == []
    assert "cannot be read as a database of claude-matrix" in told(errors)[0]


def test_a_database_without_these_tables_is_empty(tmp_path: Path):
    connection = apsw.Connection(str(tmp_path / "matrix.db"))
    connection.execute("CREATE TABLE other (id)")
    connection.close()
    _, errors = served({"MATRIX_DB": str(tmp_path / "matrix.db")}, tmp_path)
    assert told(errors) == ["imported 0, skipped 0 that were known, 0 problems"]


# --- The reference memory server ---


def test_a_server_beside_a_memory_file_has_its_graph(tmp_path: Path):
    file = tmp_path / "memory.json"
    lines = [
        {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["likes the park"]},
        {"type": "entity", "name": "park", "entityType": "place", "observations": []},
        {"type": "relation", "from": "Ada", "to": "park", "relationType": "visits"},
    ]
    file.write_text("\n".join(map(json.dumps, lines)) + "\n{bad\n", encoding="utf-8")
    (graph,), errors = served({"MEMORY_FILE_PATH": str(file)}, tmp_path, Call("read_graph"))
    assert {each["name"] for each in graph["entities"]} == {"Ada", "park"}
    assert [(each["from"], each["relationType"], each["to"]) for each in graph["relations"]] == [
        ("Ada", "visits", "park")
    ]
    assert told(errors)[-1].endswith("1 problems")
    assert (tmp_path / "memory.json.db" / "indelible.db").is_file()


# --- Where the store is ---


def load(tmp_path: Path, data: str | None = None, **environ: str) -> Settings:
    return Settings.load(data, environ=environ)


@pytest.mark.parametrize("variable", ["MEMORY_FILE_PATH", "VECFS_FILE", "MATRIX_DB"])
def test_the_store_is_beside_the_file_unless_somebody_says_where(tmp_path: Path, variable: str):
    file, named, flag = tmp_path / "file", str(tmp_path / "named"), str(tmp_path / "flag")
    settings = load(tmp_path, **{variable: str(file)})
    assert settings.data == tmp_path / "file.db"
    assert settings.existing == ((variable, file),)
    assert load(tmp_path, **{variable: str(file), "INDELIBLE_DATA": named}).data == Path(named)
    settings = load(tmp_path, flag, **{variable: str(file), "INDELIBLE_DATA": named})
    assert (settings.data, settings.existing) == (Path(flag), ((variable, file),))
    assert load(tmp_path, flag, **{variable: ""}).existing == ()


def test_of_several_files_the_store_is_beside_the_first_and_takes_in_all(tmp_path: Path):
    settings = load(tmp_path, MATRIX_DB=str(tmp_path / "c"), MEMORY_FILE_PATH=str(tmp_path / "a"), VECFS_FILE="~/b")
    assert settings.data == tmp_path / "a.db"
    assert [variable for variable, _ in settings.existing] == ["MEMORY_FILE_PATH", "VECFS_FILE", "MATRIX_DB"]
    assert settings.existing[1][1] == Path.home() / "b"


def test_a_home_that_nobody_has_is_refused_by_the_variable(tmp_path: Path):
    with pytest.raises(InvalidInput, match="VECFS_FILE is '~nobody-of-this-name/x'"):
        load(tmp_path, VECFS_FILE="~nobody-of-this-name/x")


def test_an_explicit_store_takes_the_file_in_too(tmp_path: Path):
    file = write_lines(tmp_path / "vectors.jsonl")
    with McpClient(tmp_path / "data", env={"VECFS_FILE": str(file)}) as client:
        assert len(client.call("search", {"vector": [1]})) == 3
    assert not (tmp_path / "vectors.jsonl.db").exists()


def test_an_import_that_was_broken_off_goes_on_with_the_next_start(tmp_path: Path):
    file = tmp_path / "vectors.jsonl"
    file.write_text("".join(json.dumps(entry(f"e{n}", {"1": 1})) + "\n" for n in range(100)))
    settings = Settings(data=tmp_path / "data", start=tmp_path, home=tmp_path, existing=(("VECFS_FILE", file),))
    with closing(open_context(settings)) as ctx:
        looks = iter([False, False, True])
        leaving = ctx.for_call(ContextCall(caller=Caller(gone=lambda: next(looks))))
        with pytest.raises(Cancelled):
            import_existing(leaving)
    with closing(open_context(settings)) as ctx:
        taken = import_existing(ctx)[file]
        assert (taken.imported, taken.skipped, taken.problems) == (36, 64, [])
        assert import_existing(ctx) == {}
