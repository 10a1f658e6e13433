"""Data of other memory tools, made to the schemas of their own sources (see each module of transfer/sources)."""

import sqlite3
from contextlib import closing
from pathlib import Path

CODEMEM = """
CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT NOT NULL, memory_type TEXT NOT NULL, importance REAL,
    confidence REAL, access_count INTEGER, content_hash TEXT, tags TEXT, metadata TEXT, namespace TEXT, session_id TEXT,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, last_accessed_at INTEGER NOT NULL);
CREATE TABLE graph_edges (id TEXT PRIMARY KEY, src TEXT, dst TEXT, relationship TEXT, weight REAL, properties TEXT,
    created_at INTEGER, valid_from INTEGER, valid_to INTEGER);
INSERT INTO graph_edges VALUES ('e1', 'm-1', 'm-0', 'EVOLVED_INTO', 0.5, '{"why": "faster", "valid_to": 1}',
    1760000000, NULL, 1770000000);
INSERT INTO graph_edges VALUES ('e2', 'm-1', 'sym:f', 'CALLS', 1.0, '{}', 1760000000, NULL, NULL);
"""
LTMC = """
CREATE TABLE Resources (id INTEGER PRIMARY KEY, file_name TEXT, type TEXT NOT NULL, created_at TEXT NOT NULL);
CREATE TABLE ResourceChunks (id INTEGER PRIMARY KEY, resource_id INTEGER, chunk_text TEXT, vector_id INTEGER UNIQUE);
CREATE TABLE ChatHistory (id INTEGER PRIMARY KEY, conversation_id TEXT, role TEXT, content TEXT, timestamp TEXT,
    agent_name TEXT, metadata TEXT, source_tool TEXT);
CREATE TABLE todos (id INTEGER PRIMARY KEY, title TEXT, description TEXT, priority TEXT, status TEXT, completed BOOLEAN,
    created_at TEXT, completed_at TEXT);
CREATE TABLE CodePatterns (id INTEGER PRIMARY KEY, function_name TEXT, input_prompt TEXT, generated_code TEXT,
    result TEXT, tags TEXT, created_at TEXT);
INSERT INTO Resources VALUES (1, 'a.md', 'document', '2025-08-08T10:00:00');
INSERT INTO ResourceChunks VALUES (1, 1, 'Roll back on the bastion', 1), (2, 1, '', 2);
INSERT INTO ChatHistory VALUES (1, 'c1', 'user', 'Why Axum?', '2025-08-08T10:00:00', NULL, NULL, 'claude');
INSERT INTO todos VALUES (7, 'Fix', 'the bug', 'high', 'pending', 0, '2025-08-08T10:00:00', NULL);
INSERT INTO CodePatterns VALUES (1, 'f', 'write f', 'def f(): pass', 'pass', '["py"]', '2025-08-08T10:00:00');
"""
MCP_MEMORY_SERVICE = """
CREATE TABLE memories (id INTEGER PRIMARY KEY AUTOINCREMENT, content_hash TEXT UNIQUE NOT NULL, content TEXT NOT NULL,
    tags TEXT, memory_type TEXT, metadata TEXT, created_at REAL, updated_at REAL, created_at_iso TEXT,
    updated_at_iso TEXT, deleted_at REAL DEFAULT NULL);
INSERT INTO memories (content_hash, content, tags, memory_type, metadata, created_at, deleted_at) VALUES
    ('h1', 'Ship on Tuesdays', 'ops,release', 'note', '{"a": 1}', 1760000000.5, NULL),
    ('h2', CAST(x'ff41' AS TEXT), '', 'note', '{', 1760000000.5, NULL),
    ('h3', 'Deleted there', '', 'note', '{}', 1760000000.5, 1760000001.0);
"""
CLAUDE_MEM = """
CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, text TEXT, type TEXT,
    title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT,
    created_at TEXT, created_at_epoch INTEGER);
CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, request TEXT,
    investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, notes TEXT, created_at TEXT,
    created_at_epoch INTEGER);
INSERT INTO observations VALUES (1, 's', 'shop', NULL, 'decision', 'Use Axum', 'the web', '["a fact"]', 'It is fast',
    '["trade-off"]', '["a.rs"]', '[]', '2025-10-09T08:53:20Z', 1760000000000);
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, content_session_id TEXT, prompt_number INTEGER, prompt_text TEXT,
    created_at TEXT, created_at_epoch INTEGER);
INSERT INTO user_prompts VALUES (1, 's', 1, 'Choose', '2025-10-09T08:53:20Z', 1760000000000);
INSERT INTO session_summaries VALUES (1, 's', 'shop', 'Choose', NULL, 'Axum is fast', NULL, '', NULL,
    '2025-10-09T08:53:20Z', 1760000000000);
"""
# To the schema of mem0ai 2.2.1; scripts/write_foreign_memories.py has mem0 itself write one.
MEM0 = """
CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,
    created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT);
INSERT INTO history VALUES ('b1', 'id-0', NULL, 'Likes tea', 'ADD', '2026-01-01T00:00:00+00:00', NULL, 0, NULL, 'user');
INSERT INTO history VALUES ('b2', 'id-1', NULL, 'Lives in Oslo', 'ADD', '2026-01-01T00:00:00+00:00', NULL, 0, NULL,
    NULL);
INSERT INTO history VALUES ('b3', 'id-0', 'Likes tea', 'Likes coffee', 'UPDATE', '2026-01-01T00:00:00+00:00',
    '2026-01-02T00:00:00+00:00', 0, NULL, NULL);
INSERT INTO history VALUES ('b4', 'id-1', 'Lives in Oslo', NULL, 'DELETE', NULL, NULL, 1, NULL, NULL);
"""
HANDBOOK = """# Task Group: shop/auth
scope: auth
applies_to: cwd={project}; reuse_rule=checkout-specific

## Task 1: JWT
### learnings
- invalidate old tokens
"""
COFFEE = """---
title: Coffee Brewing
tags: [coffee, brewing]
permalink: coffee
---

# Coffee Brewing
Some context.

## Observations
- [method] Pour over is clear #brewing (trial)
- [ ] a task

## Relations
- relates_to [[Tea]]
- requires [[coffee beans]] (always)
"""
SPECSTORY = """<!-- Generated by SpecStory, Markdown v2.1.0 -->

# 2026-07-13 13:40:49Z

<!-- Claude Code Session 5c7d5c23-0691-4467-b98e-0fb865b4a639 (2026-07-13 13:40:49Z) -->

_**User (2026-07-13 13:40:49Z)**_

fix the flaky test

---

_**Agent (claude-opus 2026-07-13 13:40:56Z)**_

I'll look at it.

_**Agent (claude-opus 2026-07-13 13:41:01Z)**_

<tool-use data-tool-type="shell"><details>pytest</details></tool-use>

---
"""


def database(path: Path, script: str) -> Path:
    """Make a database as another tool leaves it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("PRAGMA journal_mode=WAL;" + script)
    return path


def codemem(path: Path, count: int) -> Path:
    """Make a database of codemem with so many memories."""
    database(path, CODEMEM)
    row = "INSERT INTO memories VALUES (?, ?, 'decision', 0.7, 1.0, 2, '', '[\"a\"]', '{}', 'shop', NULL, ?, ?, ?)"
    time = 1_760_000_000
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executemany(row, [(f"m-{n}", f"Codemem fact {n}", time + n, time + n, time) for n in range(count)])
    return path


def text(path: Path, content: str) -> Path:
    """Write a file with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path
