"""The cross-toolset rules between real servers: whose `repo` solution is seen where, and what is seen at once."""

import json
import re
from contextlib import suppress

import pytest

from command_line import done, indelible, result
from every_tool import EXAMPLES
from everything import BARE_VECTOR, ENTITY, FAILURE, MEMORY, SOLUTION, VECTOR
from indelible.errors import Conflict
from indelible.toolsets import registry
from mcp_client import McpClient, ProtocolError, ToolError
from repositories import repository

NEEDLE = "quokka"  # what only the `repo` solution says
A, B = "The ibis cache is the first decision", "The heron cache is the last decision"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("scopes")
    for name in ("own", "foreign"):
        repository(place / name, name=name)
    return place


@pytest.fixture(scope="module")
def servers(place):
    """A server of the repository, and one of another; both on one store."""
    with McpClient(place / "data", cwd=place / "own") as own, McpClient(place / "data", cwd=place / "foreign") as other:
        yield own, other


@pytest.fixture(scope="module")
def key(servers):
    """The id of a `repo` solution that stands between two decisions, an entity, a vector and a failure."""
    own, _ = servers
    key = own.call(
        "matrix_store",
        {
            "problem": f"the {NEEDLE} queue hangs in the ibis cache",
            "solution": f"restart the {NEEDLE}",
            "scope": "repo",
            "tags": [f"{NEEDLE}:tag"],
            "filesAffected": [f"src/{NEEDLE}.ts"],
        },
    )["id"]
    own.call("matrix_reward", {"solutionId": key, "outcome": "success", "notes": f"{NEEDLE} noted"})
    first, last = (own.call("store_memory", {"content": c, "memory_type": "decision"})["id"] for c in (A, B))
    own.call("create_entities", {"entities": [ENTITY]})
    own.call("memorize", VECTOR)
    failure = own.call("matrix_failure", FAILURE)["id"]
    for source, target in ((first, key), (key, last), (ENTITY["name"], key), (VECTOR["id"], key), (failure, key)):
        own.call("associate_memories", {"source_id": source, "target_id": target, "relationship": "LEADS_TO"})
    return key


QUERIES = (f"{NEEDLE} queue hangs", "ibis cache", "wombat", "heron cache decision")


def reads(key: str, namespace: str) -> list[tuple[str, dict]]:
    """Calls of every tool that only reads: of the solution, around it, and of everything."""
    recalls = [
        {"query": query, **more} for query in QUERIES for more in ({"k": 100}, {"k": 100, "namespace": namespace})
    ]
    starts = [ENTITY["name"], VECTOR["id"], f"file:src/{NEEDLE}.ts", key, f"solution:{key}"]
    return [
        *(("recall_memory", each) for each in recalls),
        *(("recall_with_expansion", {**each, "expansion_depth": 5}) for each in recalls),
        *(("recall_with_impact", each) for each in recalls),
        *(("get_decision_chain", {"topic": topic}) for topic in ("ibis", "heron", NEEDLE)),
        ("get_decision_chain", {"file_path": f"src/{NEEDLE}.ts"}),
        *(("graph_traverse", {"start_id": start, "max_depth": 20, "algorithm": "dfs"}) for start in starts),
        *(("matrix_recall", {"query": q, "minScore": 0, "limit": 100}) for q in (f"{NEEDLE} queue", "ibis", "wombat")),
        ("matrix_recall", {"query": "queue", "minScore": 0, "scopeFilter": "repo"}),
        ("matrix_status", {}),
        ("codemem_stats", {}),
        ("codemem_health", {}),
        ("codemem_metrics", {}),
        ("list_namespaces", {}),
        ("namespace_stats", {"namespace": namespace}),
        ("export_memories", {"limit": 1000}),
        ("read_graph", {}),
        *(("search_nodes", {"query": query}) for query in (NEEDLE, f"the {NEEDLE} queue hangs", key, "")),
        ("open_nodes", {"names": [key, ENTITY["name"], f"solution:{key}"]}),
        ("search", {"vector": VECTOR["vector"], "limit": 100}),
        *(("retrieve_memory", {"query": query, "top_k": 50}) for query in QUERIES),
        ("retrieve_by_type", {"query": "ibis", "doc_type": "solution"}),
        *(("build_context", {"documents": [{"id": id_}]}) for id_ in (key, f"solution:{key}", ENTITY["name"])),
        *(("ask_with_context", {"question": q, "conversation_id": "talk", "context_limit": 50}) for q in QUERIES),
        *(("route_query", {"query": query}) for query in QUERIES),
        *(("query_graph", {"query": query}) for query in QUERIES),
        ("query_graph", {"query": "wombat", "relationship_types": ["LEADS_TO"]}),
        *(("get_document_relationships", {"document_id": id_, "max_depth": 5}) for id_ in (key, ENTITY["name"])),
        ("get_chats_by_tool", {"tool_name": "matrix_store"}),
        ("get_context_links_for_message", {"message_id": key}),
        ("get_messages_for_chunk", {"chunk_id": key}),
        ("get_context_usage_statistics", {}),
        ("list_tool_identifiers", {}),
        *(("get_tool_conversations", {"tool_name": tool}) for tool in ("matrix_store", "matrix_reward")),
        ("list_todos", {}),
        *(("search_todos", {"query": query}) for query in QUERIES),
        *(("get_code_patterns", {"query": query}) for query in QUERIES),
        ("analyze_code_patterns", {}),
        ("get_pagerank", {"top_k": 1000}),
        *(("get_clusters", {"resolution": resolution}) for resolution in (0.5, 2.0)),
        *(("search_symbols", {"query": query}) for query in (NEEDLE, "e")),
        *(("search_code", {"query": query}) for query in QUERIES),
        *((tool, {"qualified_name": f"src/{NEEDLE}.ts"}) for tool in ("get_dependencies", "get_impact")),
        ("get_symbol_info", {"qualified_name": key}),
        ("get_cross_repo", {"path": namespace}),
        ("consolidation_status", {}),
        ("review_diff", {"diff": f"--- a/src/{NEEDLE}.ts\n+++ b/src/{NEEDLE}.ts\n@@ -1 +1 @@\n-x\n+y\n"}),
        ("what_changed", {"since": "2026-01-01"}),
        *((tool, {"min_frequency": 1}) for tool in ("detect_patterns", "pattern_insights")),
    ]


def texts_in(value: object) -> list[str]:
    """The texts in an argument, the longest first."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return sorted((text for each in inner for text in texts_in(each)), key=len, reverse=True)


def answered(client: McpClient, calls: list[tuple[str, dict]]) -> dict[str, str]:
    """What each call answers, without what the call itself says; errors too."""
    said = {}
    for tool, arguments in calls:
        text = json.dumps(client.result(tool, arguments), ensure_ascii=False)
        for given in texts_in({**arguments, "namespace": None}):
            text = text.replace(json.dumps(given)[1:-1], "")
        text = text.replace(f"src/{NEEDLE}.ts", "")  # a file is no secret, nor that a cluster is called by it
        said[f"{tool} {json.dumps(arguments)}"] = re.sub(rf"(label\W+){NEEDLE}\b", r"\1", text)
    return said


def test_every_tool_that_reads_is_asked():
    asked = {tool for tool, _ in reads("k", "n")}
    assert asked == {name for name, tool in registry.all_tools().items() if not tool.writes}


@pytest.mark.process
def test_no_tool_of_another_repositorys_server_shows_a_repo_solution(servers, key, place):
    own, other = servers
    calls = reads(key, str(place / "own"))
    assert sum(key in text or NEEDLE in text for text in answered(own, calls).values()) > 20
    for call, text in answered(other, calls).items():
        assert key not in text, call
        assert NEEDLE not in text, call


@pytest.mark.process
def test_no_walk_of_another_repositorys_server_leads_over_a_repo_solution(servers, key):
    own, other = servers
    for client, seen in ((own, True), (other, False)):
        chain = [each["content"] for each in client.call("get_decision_chain", {"topic": "ibis"})["decisions"]]
        assert chain == ([A, B] if seen else [A])
        first = client.call("recall_memory", {"query": A, "k": 1})[0]["id"]
        walked = {node["label"] for node in client.call("graph_traverse", {"start_id": first, "max_depth": 9})}
        assert (B in walked) is seen
        found = client.call("recall_with_expansion", {"query": "ibis first", "k": 50, "expansion_depth": 5})
        assert any(B in hit["content"] and len(hit["expansion_path"]) > 1 for hit in found) is seen


def shown(key, place):
    """The solution as its own repository sees it, without its uses: the reads of its own server are counted later."""
    own = {"CLAUDE_PROJECT_DIR": str(place / "own")}
    (solution,) = result("solutions", key, data=place / "data", env=own)["solutions"]
    del solution["uses"]
    return solution


@pytest.mark.process
def test_no_tool_of_another_repositorys_server_changes_or_relates_a_repo_solution(servers, key, place):
    _, other = servers
    before = shown(key, place)
    for name in (key, f"solution:{key}"):
        for tool, arguments in (
            ("matrix_reward", {"solutionId": name, "outcome": "failure"}),
            ("update_memory", {"id": name, "content": "x"}),
            ("delete_memory", {"id": name}),
            ("refine_memory", {"id": name, "content": "x"}),
            ("split_memory", {"id": name, "parts": [{"content": "x"}]}),
            ("merge_memories", {"source_ids": [name, "y"], "content": "x"}),
            ("associate_memories", {"source_id": name, "target_id": ENTITY["name"], "relationship": "CALLS"}),
            ("associate_memories", {"source_id": ENTITY["name"], "target_id": name, "relationship": "CALLS"}),
            ("store_memory", {"content": "linked", "links": [name]}),
            ("store_memory", {"content": "linked", "links": [name], "file_name": "a.md"}),
        ):
            with pytest.raises(ToolError, match="is unknown"):
                other.call(tool, arguments)
    edge = {"source": f"solution:{key}", "target": "entity:Wombat Works", "relationship": "CALLS"}
    brought = other.call("import_memories", {"memories": [{"content": "brings a relation", "edges": [edge]}]})
    assert "is not in the store" in brought["errors"][0]["error"]
    assert other.call("delete", {"id": key}) == f"Entry not found: {key}"
    other.call("delete_entities", {"entityNames": [key]})
    assert shown(key, place) == before


def prompted(client: McpClient) -> str:
    """What prompts, resources and completions say, without what is asked."""
    said = []
    asked = {
        "recall-context": [{"task": "hanging queue in the ibis cache"}, {"task": "ibis", "memory_type": "decision"}],
        "review-decisions": [{"topic": "ibis"}, {"topic": "heron"}],
        "review-diff": [{"range": "HEAD"}],
        "onboard": [{}],
        "prior-fixes": [{"error": FAILURE["errorMessage"]}],
        "what-breaks": [{"command": "dig"}],
        "fixes-by-dependency": [{"dependency": "ibis"}],
        "fix-evidence": [{"fix": "fix#x#0a1b2c3d"}],
        "save-session": [{}],
    }
    assert {prompt["name"] for prompt in client.request("prompts/list")["prompts"]} == asked.keys()
    for name, calls in asked.items():
        for arguments in calls:
            said.append(client.request("prompts/get", {"name": name, "arguments": arguments}))
    for method in ("resources/list", "resources/templates/list", "tools/list", "prompts/list"):
        said.append(client.request(method))
    for resource in client.request("resources/list")["resources"]:
        said.append(client.request("resources/read", {"uri": resource["uri"]}))
    for ref, argument in (
        ({"type": "ref/prompt", "name": "review-decisions"}, "topic"),
        ({"type": "ref/resource", "uri": "memory://{id}"}, "id"),
    ):
        for typed in ("", NEEDLE, "sol"):
            value = {"name": argument, "value": typed}
            said.append(client.request("completion/complete", {"ref": ref, "argument": value}))
    return json.dumps(said, ensure_ascii=False)


@pytest.mark.process
def test_no_prompt_resource_or_completion_elsewhere_shows_a_repo_solution(servers, key, place):
    own, other = servers
    assert NEEDLE in prompted(own)
    said = prompted(other)
    assert NEEDLE not in said
    assert key not in said
    for uri in (f"memory://{key}", f"memory://solution%3A{key}"):
        assert NEEDLE in json.dumps(own.request("resources/read", {"uri": uri}))
        with pytest.raises(ProtocolError, match="unknown"):
            other.request("resources/read", {"uri": uri})
    recent = f"memory://{str(place / 'own').replace('/', '%2F')}/recent"
    assert NEEDLE not in json.dumps(other.request("resources/read", {"uri": recent}))


@pytest.mark.process
def test_no_command_elsewhere_shows_a_repo_solution(servers, key, place):
    for arguments in (["solutions"], ["solutions", "--json"], ["recall", f"{NEEDLE} queue hangs"], ["solutions", key]):
        shown = []
        for name in ("own", "foreign"):
            ran = indelible(*arguments, data=place / "data", env={"CLAUDE_PROJECT_DIR": str(place / name)})
            shown.append(NEEDLE in ran.stdout.decode())
        assert shown == [True, False], arguments


# --- What one server writes another sees at once ---


@pytest.mark.process
def test_what_one_server_stores_of_any_kind_another_finds_at_once_and_not_after_its_deletion(tmp_path):
    data = tmp_path / "data"
    with McpClient(data) as writer, McpClient(data) as reader:
        assert reader.call("recall_memory", {"query": "wombat", "k": 20}) == []
        ids = {
            "memory": writer.call("store_memory", {"content": MEMORY})["id"],
            "solution": writer.call("matrix_store", SOLUTION)["id"],
            "failure": writer.call("matrix_failure", FAILURE)["id"],
        }
        writer.call("create_entities", {"entities": [ENTITY]})
        writer.call("memorize", VECTOR)
        writer.call("memorize", BARE_VECTOR)
        ids |= {"entity": ENTITY["name"], "vector": VECTOR["id"]}
        found = {hit["kind"]: hit["id"] for hit in reader.call("recall_memory", {"query": "wombat", "k": 20})}
        assert found == ids
        assert len(reader.call("search", {"vector": VECTOR["vector"]})) == 2
        assert reader.call("matrix_recall", {"query": SOLUTION["problem"]})["totalFound"] == 1
        reader.call("delete", {"id": VECTOR["id"]})
        reader.call("delete_entities", {"entityNames": [ENTITY["name"]]})
        reader.call("delete_memory", {"id": ids["memory"]})
        left = {hit["kind"] for hit in writer.call("recall_memory", {"query": "wombat", "k": 20})}
        assert left == {"solution", "failure"}
        assert writer.call("open_nodes", {"names": [ENTITY["name"]]})["entities"] == []
        assert ENTITY["name"] not in json.dumps(writer.call("read_graph"))
        assert len(writer.call("search", {"vector": VECTOR["vector"]})) == 1


@pytest.mark.process
def test_a_failure_that_two_servers_record_is_one_hit_for_both(tmp_path):
    data = tmp_path / "data"
    with McpClient(data) as one, McpClient(data) as other:
        for client in (one, other):
            client.call("matrix_failure", FAILURE)
        for client in (one, other):
            (hit,) = client.call("recall_memory", {"query": FAILURE["errorMessage"]})
            assert (hit["kind"], hit["memory_type"]) == ("failure", "context")


WRITERS = [name for name, tool in registry.all_tools().items() if tool.writes and tool.toolset != "memory"]


@pytest.mark.process
def test_a_read_only_server_offers_and_runs_no_tool_that_writes(tmp_path):
    data = tmp_path / "data"
    with McpClient(data) as client:
        client.call("memorize", VECTOR)
        client.call("create_entities", {"entities": [ENTITY]})
    before = done("export", data=data)
    assert len(WRITERS) == 25
    with McpClient(data, "--read-only") as reader:
        assert not set(WRITERS) & {tool["name"] for tool in reader.tools()}
        for tool in WRITERS:
            with suppress(ProtocolError):
                assert reader.result(tool, {"id": VECTOR["id"]})["isError"]
        assert reader.call("recall_memory", {"query": "wombat"})
        assert reader.call("search", {"vector": VECTOR["vector"]})
        assert reader.call("read_graph")["entities"]
    ran = indelible("call", "delete", "--id", VECTOR["id"], data=data, env={"INDELIBLE_READ_ONLY": "1"})
    assert (ran.returncode, "read-only" in ran.stderr.decode()) == (1, True)
    assert done("export", data=data) == before


@pytest.mark.parametrize("tool", WRITERS)
def test_a_read_only_process_runs_no_tool_that_writes(open_store, tool):
    open_store().memorize(**VECTOR)
    with pytest.raises(Conflict, match="read-only"):
        open_store(read_only=True).call(tool, **EXAMPLES[tool])
