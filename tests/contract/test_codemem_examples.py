"""Every example of the reference's memory sections runs as it is written there, on one store, in its order."""

import json
from pathlib import Path

import pytest

import codemem_reference
from indelible.toolsets.registry import all_tools
from mcp_client import McpClient

TABLE = Path(__file__).with_name("codemem_examples.jsonl")
EXAMPLES = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]
OURS = {tool.name for tool in all_tools().values() if tool.toolset in ("memory", "lifecycle")}
# Named there, without an example.
NOT_IN_IT = {"refine_memory", "split_memory", "merge_memories", "codemem_metrics", "consolidate_summarize"}

# The memories whose ids the examples name, and what they ask for.
NAMED = [
    {"id": "a1b2c3d4-5678-9abc-def0-123456789abc", "content": "Use Axum 0.7", "namespace": "/Users/dev/myproject"},
    {"id": "aaa-111", "content": "Sessions are kept in Redis", "memory_type": "decision"},
    {"id": "bbb-222", "content": "Redis must run before the error handling patterns are tested"},
    {"content": "The authentication flow goes through middleware in src/auth.rs", "namespace": "/Users/dev/myproject"},
    {"content": "Decided in src/auth.rs: tokens last an hour", "memory_type": "decision"},
    {"content": "A pattern of error handling: one exception tree", "memory_type": "pattern"},
    {"content": "Of a project that ended", "namespace": "/Users/dev/old-project"},
]


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What each example was answered, in the order of the document."""
    with McpClient(tmp_path_factory.mktemp("examples") / "data") as client:
        client.call("import_memories", {"memories": NAMED})
        return [(each["tool"], client.call(each["tool"], each["arguments"])) for each in EXAMPLES]


def of(answers, tool):
    return [answer for name, answer in answers if name == tool]


def test_every_tool_of_the_sections_has_its_example():
    assert {each["tool"] for each in EXAMPLES} == OURS - NOT_IN_IT


def test_the_examples_are_those_of_the_reference():
    assert codemem_reference.examples(OURS) == EXAMPLES


@pytest.mark.process
def test_what_the_examples_store_they_recall(answers):
    stored, pattern = of(answers, "store_memory")
    assert stored["status"] == pattern["status"] == "stored"
    assert stored["graph_node_created"] is True
    framework, patterns = of(answers, "recall_memory")
    assert framework[0]["id"] == stored["id"]
    assert framework[0]["memory_type"] == "decision"
    assert len(framework[0]["score_breakdown"]) == 8
    assert patterns[0]["content"] == "A pattern of error handling: one exception tree"


@pytest.mark.process
def test_what_the_examples_change_is_changed(answers):
    (updated,), (deleted,) = of(answers, "update_memory"), of(answers, "delete_memory")
    (related,) = of(answers, "associate_memories")
    assert updated["updated"] is True
    assert deleted == {"id": updated["id"], "deleted": True}
    assert related == {"source": "aaa-111", "target": "bbb-222", "relationship": "LEADS_TO", "weight": 0.8}
    assert [node["id"] for node in of(answers, "graph_traverse")[0]] == ["aaa-111", "bbb-222"]
    weights = of(answers, "set_scoring_weights")[0]["weights"]
    assert weights["vector_similarity"] == pytest.approx(0.4 / 1.15)
    assert of(answers, "delete_namespace")[0] == {"namespace": "/Users/dev/old-project", "deleted": 1}


@pytest.mark.process
def test_what_the_examples_ask_is_answered(answers):
    assert of(answers, "codemem_health")[0]["healthy"] is True
    assert of(answers, "codemem_stats")[0]["storage"]["memories"] == len(NAMED) - 1 + 2
    (exported,) = of(answers, "export_memories")
    assert [memory["memory_type"] for memory in exported] == ["decision"]
    assert of(answers, "import_memories")[0]["imported"] == 2
    flow = of(answers, "recall_with_expansion")[0][0]
    assert flow["expansion_path"] == [flow["id"]]
    assert of(answers, "recall_with_impact")[0][0]["impact"]["modification_count"] == 0
    assert of(answers, "get_decision_chain")[0]["chain_length"] == 1
    names = [each["name"] for each in of(answers, "list_namespaces")[0]["namespaces"]]
    assert {"/Users/dev/myproject", "/Users/dev/old-project"} <= set(names)
    assert of(answers, "namespace_stats")[0]["count"] > 0


@pytest.mark.process
def test_what_the_examples_consolidate_is_answered(answers):
    """Nothing of what they store is old, of tags in common, said twice or unimportant."""
    assert of(answers, "consolidate_decay") == [{"cycle": "decay", "affected": 0, "threshold_days": 14}]
    assert of(answers, "consolidate_creative") == [{"cycle": "creative", "new_connections": 0}]
    assert of(answers, "consolidate_cluster") == [{"cycle": "cluster", "merged": 0, "kept": 0}]
    assert of(answers, "consolidate_forget") == [{"cycle": "forget", "deleted": 0, "threshold": 0.15}]
    (status,) = of(answers, "consolidation_status")
    ran = {name for name, cycle in status["cycles"].items() if cycle["last_run"] is not None}
    assert ran == {"decay", "creative", "cluster", "forget"}
    assert of(answers, "detect_patterns") == [{"patterns": [], "count": 0}]
    assert "Recall memories: " in of(answers, "pattern_insights")[0]
