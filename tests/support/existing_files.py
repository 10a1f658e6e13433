"""Files of other memory servers, and a server beside one, for tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import apsw

import forked
from mcp_client import Call, McpClient, environment, value_of

START = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}


def served(env: Mapping[str, str], cwd: Path, *calls: Call, options: tuple[str, ...] = ()) -> tuple[list[Any], str]:
    """The values of calls to a server that is told of no data directory, and what it wrote to stderr."""
    messages = [{"id": 0, "method": "initialize", "params": START}, {"method": "notifications/initialized"}]
    messages += [{"id": number, "method": "tools/call", "params": call.params} for number, call in enumerate(calls, 1)]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
    ran = forked.run(["serve", *options], input=lines.encode(), env=environment(env), cwd=cwd)
    assert ran.returncode == 0, ran.stderr.decode()
    answers = {
        message["id"]: message["result"] for message in map(json.loads, ran.stdout.splitlines()) if "id" in message
    }
    return [value_of(answers[number]) for number in range(1, len(calls) + 1)], ran.stderr.decode()


def ended(client: McpClient) -> str:
    """What a server wrote to stderr until it left."""
    client.close_input()
    client.process.wait(50)
    return client.stderr


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


def write_lines(path: Path, *more: bytes) -> Path:
    lines = [json.dumps(each, ensure_ascii=False).encode() for each in GOOD]
    path.write_bytes(b"\xef\xbb\xbf" + b"\n".join([*lines, *more]) + b"\n\n")
    return path


BAD = {
    b"{not json": "line 4 is not JSON",
    b'{"id": "x", "vector": {"a": 1}}': "line 5: vector has the index 'a'",
    b'{"vector": {"1": 1}}': "line 6: id must be a non-empty string",
    b'["x"]': "line 7: an entry must be an object",
    b'{"id": "y", "vector": [1], "score": NaN}': "line 8: score must be a finite number",
}
SEARCH = Call("search", {"vector": {"3": 1}, "limit": 10})


def many(count: int) -> str:
    return "".join(json.dumps(entry(f"e{n}", {"1": 1})) + "\n" for n in range(count))


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


def write_matrix(path: Path) -> Path:
    """A database of claude-matrix with two solutions and a failure."""
    connection = apsw.Connection(str(path))
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(SCHEMA)
    connection.close()
    return path


def add_failure(path: Path, key: str, message: str, occurrences: int, told: str, created: str, **more: Any) -> None:
    """Add a failure of the first repository, whose cause, fix and prevention begin with `told`."""
    texts = {name: f"{told} {name}" for name in ("root_cause", "fix_applied", "prevention")}
    row = {"id": key, "repo_id": "repo_1", "error_type": "runtime", "error_message": message, "error_signature": key}
    row |= {"error_embedding": b"\0", "occurrences": occurrences, "created_at": created, **texts, **more}
    connection = apsw.Connection(str(path))
    columns = ", ".join(row)
    connection.execute(f"INSERT INTO failures ({columns}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))
    connection.close()
