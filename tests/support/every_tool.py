"""A right call of every tool, for clients that are to call them all: on a store that holds `PREPARED`.

A tool that has no entry fails the tests of the clients. No call needs another one before it, but for those of the
toolset `code`, which know what its first one indexed.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path
from typing import Any

NAMES = "axum tower queue retry wrong outdated long twin sibling old"
ID = {name: f"00000000-0000-4000-8000-{number:012}" for number, name in enumerate(NAMES.split(), 1)}
OLD_PROJECT = "/projects/old"
SOLUTION = "sol_0000a1b2"
DOCUMENT, CHUNK, TODO = 1, 2, 3  # numbers: the first of a new store
MESSAGE = "msg_known"


def _small_codebase() -> str:
    """Copied out of this repository, of which each index would read the whole history, some 20 s of work."""
    place = Path(tempfile.mkdtemp(prefix="indelible-tests-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    place.chmod(0o755)  # some tests read it as another user
    return str(shutil.copytree(Path(__file__).with_name("small_codebase"), place / "small_codebase"))


SMALL_CODEBASE = _small_codebase()
ERROR, FIX = "err#typeerror: x is not a function", "fix#typeerror: x is not a function#0a1b2c3d"


def _memory(name: str, content: str, type_: str, *tags: str, **more: Any) -> dict[str, Any]:
    return {"id": ID[name], "content": content, "memory_type": type_, "tags": list(tags), **more}


# What import_memories takes before the calls.
PREPARED = [
    _memory("axum", "Axum was chosen over Actix for src/server.rs: tower middleware", "decision", "api:http"),
    _memory(
        "tower",
        "Tower's timeout layer stands in front of every route",
        "decision",
        "api:http",
        edges=[{"source": ID["axum"], "target": ID["tower"], "relationship": "LEADS_TO"}],
    ),
    _memory("queue", "The work queue is drained before a shutdown", "pattern", "queue"),
    _memory("retry", "Retries back off from 100 ms to 5 s", "pattern", "queue"),
    _memory("wrong", "Retries never back off", "insight", "queue"),
    _memory("outdated", "The build runs on Python 3.10", "context", "build"),
    _memory("long", "Tests run in parallel. The linter runs before them.", "habit", "build"),
    _memory("twin", "La caché se vacía al iniciar 缓存", "style", "cache"),
    _memory("sibling", "The cache is emptied at the start", "style", "cache"),
    _memory("old", "Kept by a project that ended", "context", namespace=OLD_PROJECT),
    {"id": SOLUTION, "kind": "solution", "content": "Axum hangs\n\nDrain the queue first", "memory_type": "global"},
    {"id": ERROR, "kind": "entity", "content": ERROR, "memory_type": "Error"},
    {"id": "lesson-0", "kind": "vector", "content": "Tests run in parallel", "metadata": {"vector": {"3": 1.0}}},
    {"id": FIX, "kind": "entity", "content": FIX, "memory_type": "Fix"},
    {
        "id": str(DOCUMENT),
        "kind": "document",
        "content": "# Retries\n\nRetries back off from 100 ms.",
        "label": "retries.md",
        "memory_type": "document",
    },
    {
        "id": str(CHUNK),
        "kind": "chunk",
        "content": "Retries back off from 100 ms.",
        "label": "retries.md > Retries",
        "memory_type": "document",
        "session": f"document:{DOCUMENT}",
        "position": 1 << 40,
    },
    {
        "id": str(TODO),
        "kind": "todo",
        "content": "Drain the queue\n\nbefore a shutdown",
        "memory_type": "pending",
        "metadata": {"title": "Drain the queue", "priority": 2},
    },
    {
        "id": MESSAGE,
        "kind": "message",
        "content": "How long do retries wait?",
        "memory_type": "user",
        "session": "conversation:talk",
        "metadata": {"number": 4, "conversation": "talk", "source_tool": "editor"},
        "edges": [{"source": f"message:{MESSAGE}", "target": f"chunk:{CHUNK}", "relationship": "REFERENCES"}],
    },
    {
        "id": "5",
        "kind": "attempt",
        "content": "Write a retry loop\n\nTimeoutError: 3 s",
        "memory_type": "fail",
        "tags": ["python"],
        "metadata": {"code": "while True: ...", "error": "TimeoutError: 3 s"},
    },
]

EXAMPLES: dict[str, dict[str, Any]] = {
    # memory
    "store_memory": {
        "content": "HTTP handlers answer within 2 s, because the load balancer gives up after 3",
        "memory_type": "decision",
        "importance": 0.8,
        "tags": ["api:http", "таймаут"],
        "namespace": "/projects/new",
        "links": [ID["axum"]],
    },
    "recall_memory": {"query": "why was axum chosen", "k": 3},
    "recall_with_expansion": {"query": "axum", "k": 2, "expansion_depth": 1},
    "recall_with_impact": {"query": "axum", "k": 2},
    "get_decision_chain": {"topic": "axum"},
    "update_memory": {"id": ID["wrong"], "content": "Retries stop after 5 attempts", "importance": 0.6},
    "refine_memory": {"id": ID["outdated"], "content": "The build runs on Python 3.11", "tags": ["build", "python"]},
    "split_memory": {
        "id": ID["long"],
        "parts": [{"content": "Tests run in parallel"}, {"content": "The linter runs before tests", "tags": ["lint"]}],
    },
    "merge_memories": {"source_ids": [ID["twin"], ID["sibling"]], "content": "The cache starts empty"},
    "delete_memory": {"id": ID["retry"]},
    "associate_memories": {"source_id": ID["queue"], "target_id": ID["axum"], "relationship": "DEPENDS_ON"},
    "graph_traverse": {"start_id": ID["axum"], "max_depth": 2, "algorithm": "dfs"},
    "codemem_stats": {},
    "codemem_health": {},
    "codemem_metrics": {},
    "set_scoring_weights": {"vector_similarity": 0.4, "graph_strength": 0.3},
    "list_namespaces": {},
    "namespace_stats": {"namespace": OLD_PROJECT},
    "delete_namespace": {"namespace": OLD_PROJECT, "confirm": True},
    "export_memories": {"memory_type": "decision", "limit": 5},
    "import_memories": {"memories": [{"content": "Imported once: 夜間バッチ", "metadata": {"from": ["a", 1]}}]},
    # solutions
    "matrix_recall": {"query": "axum hangs at shutdown", "limit": 3, "minScore": 0.2, "scopeFilter": "global"},
    "matrix_store": {
        "problem": "OAuth with Google in TypeScript, refresh tokens",
        "solution": "Keep the refresh token; listen to `tokens` for new ones",
        "scope": "stack",
        "tags": ["auth:oauth:google", "アクセス"],
        "filesAffected": ["src/auth/google.ts"],
    },
    "matrix_reward": {"solutionId": SOLUTION, "outcome": "success", "notes": "as it stands"},
    "matrix_failure": {
        "errorType": "runtime",
        "errorMessage": "TypeError: Cannot read property 'map' of undefined at UserList.tsx:42",
        "rootCause": "The API answers null for no users",
        "fixApplied": "users ?? []",
        "filesInvolved": ["src/api/users.ts"],
    },
    "matrix_status": {},
    # graph
    "create_entities": {
        "entities": [
            {"name": "Ann", "entityType": "person", "observations": ["speaks español", {"born": 1990}]},
            {"name": "concept#ts-node-loader", "type": "Concept"},
        ]
    },
    "create_relations": {"relations": [{"from": FIX, "to": ERROR, "relationType": "RESOLVES"}]},
    "add_observations": {"observations": [{"entityName": ERROR, "contents": ["seen in CI too"]}]},
    "delete_entities": {"entityNames": [FIX]},
    "delete_observations": {"deletions": [{"entityName": ERROR, "observations": ["seen in CI too"]}]},
    "delete_relations": {"relations": [{"from": FIX, "to": ERROR, "relationType": "RESOLVES"}]},
    "read_graph": {},
    "search_nodes": {"query": "TypeError", "limit": 5, "offset": 0},
    "open_nodes": {"names": [ERROR]},
    # vectors
    "search": {"vector": {"3": 0.42, "17": -0.31, "128": 0.15}, "limit": 3},
    "memorize": {
        "id": "lesson-1",
        "vector": [0.0, 0.0, 0.42, -0.31],
        "text": "Run the linter before the tests: リンター",
        "metadata": {"topic": "ci"},
    },
    "feedback": {"id": "lesson-0", "scoreAdjustment": 0.5},
    "delete": {"id": "lesson-0"},
    # context: conversations
    "log_chat": {
        "content": "Retries back off, and give up after 5 s: リトライ",
        "conversation_id": "talk",
        "role": "assistant",
        "agent_name": "reviewer",
        "metadata": {"turn": 2},
        "source_tool": "editor",
        "message_id": "answer-2",
    },
    "get_chats_by_tool": {"tool_name": "editor", "limit": 5},
    "store_context_links": {"message_id": "msg_123", "chunk_ids": [CHUNK]},
    "get_context_links_for_message": {"message_id": MESSAGE},
    "get_messages_for_chunk": {"chunk_id": CHUNK},
    "get_context_usage_statistics": {},
    "list_tool_identifiers": {},
    "get_tool_conversations": {"tool_name": "log_chat", "limit": 10},
    # context: todos
    "add_todo": {"title": "Measure the retries", "description": "auf allen Servern ✓", "priority": 3},
    "list_todos": {"status": "pending", "limit": 5},
    "search_todos": {"query": "queue", "limit": 5},
    "complete_todo": {"todo_id": TODO},
    # context: code attempts
    "log_code_attempt": {
        "input_prompt": "Write a retry loop",
        "generated_code": "for pause in pauses: ...",
        "result": "pass",
        "execution_time_ms": 12,
        "tags": ["python"],
    },
    "get_code_patterns": {"query": "retry loop", "limit": 3},
    "analyze_code_patterns": {"query": "retry loop", "limit": 5},
    # context: documents
    "retrieve_memory": {"query": "how long do retries wait", "conversation_id": "talk", "top_k": 3},
    "retrieve_by_type": {"query": "retries", "doc_type": "document", "top_k": 3},
    "build_context": {"documents": [{"content": "Ünïcode 文", "id": "One"}, {"id": "retries.md"}], "max_tokens": 200},
    "ask_with_context": {"question": "How long do retries wait?", "conversation_id": "talk", "context_limit": 5},
    "route_query": {"query": "what is left to do about the queue?", "conversation_id": "talk"},
    # context: resources
    "link_resources": {"source_id": "retries.md", "target_id": "resource_123", "relationship_type": "depends_on"},
    "query_graph": {"query": "retries", "relationship_types": ["depends_on", "REFERENCES"]},
    "auto_link_documents": {"document_id": f"doc_{DOCUMENT}", "similarity_threshold": 0.5},
    "get_document_relationships": {"document_id": "retries.md", "max_depth": 3},
    # code
    "index_codebase": {"path": SMALL_CODEBASE},
    "search_symbols": {"query": "SAVE", "kind": "method", "limit": 5},
    "get_symbol_info": {"qualified_name": "prices.gross"},
    "get_dependencies": {"qualified_name": "Store.save", "direction": "incoming"},
    "get_impact": {"qualified_name": "sym:prices.gross", "depth": 3},
    "get_clusters": {"resolution": 1.5},
    "get_cross_repo": {"path": SMALL_CODEBASE},
    "get_pagerank": {"top_k": 5, "damping": 0.9},
    "search_code": {"query": "price with value-added tax", "k": 3},
    # review
    "review_diff": {"diff": "--- a/prices.py\n+++ b/prices.py\n@@ -1 +1 @@\n-a\n+b\n", "limit": 5},
    "what_changed": {"since": "2025-01-01T00:00:00Z"},
    # lifecycle
    "consolidate_decay": {"threshold_days": 14},
    "consolidate_creative": {},
    "consolidate_cluster": {},
    "consolidate_forget": {"importance_threshold": 0.15},
    "consolidate_summarize": {"cluster_size": 3},
    "consolidation_status": {},
    "detect_patterns": {"min_frequency": 2, "namespace": OLD_PROJECT},
    "pattern_insights": {"min_frequency": 2},
}
