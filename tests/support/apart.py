"""Two worlds: one in which only a caller's own namespace was ever written, and one in which others wrote all around it.

A caller that is limited to its namespace must not be able to tell them apart. Everything of others says `quokka`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from empty_store import begin
from every_tool import SMALL_CODEBASE
from indelible.core.context.context import Context, open_context
from indelible.core.context.permissions import Grant
from indelible.core.records import exporting
from indelible.errors import IndelibleError
from indelible.settings import Settings
from indelible.toolsets import registry
from made_up_meaning import embed_all, seal_all, with_meaning

ALPHA, BETA = "alpha", "beta"
NEEDLE = "quokka"
BEGAN = datetime(2026, 3, 1, 12, tzinfo=UTC)
Call = tuple[str, dict[str, Any]]


class Clock:
    """A time that stands until it is set."""

    now = BEGAN

    def __call__(self) -> datetime:
        return self.now


def call(ctx: Context, tool: str, /, key: str | None = None, **arguments: Any) -> Any:
    return registry.call(ctx, registry.find_tool(tool), arguments, key=key).value


@dataclass
class World:
    """A store as its owner sees it; `ids` are beta's by what they are, `foreign` those of others."""

    ctx: Context
    clock: Clock
    ids: dict[str, str] = field(default_factory=dict)
    foreign: dict[str, str] = field(default_factory=dict)

    @property
    def beta(self) -> Context:
        return self.ctx.granted(Grant("tok_beta", "admin", frozenset({BETA})))

    @property
    def alpha(self) -> Context:
        return self.ctx.granted(Grant("tok_alpha", "admin", frozenset({ALPHA})))

    def said(self, tool: str, arguments: Mapping[str, Any], key: str | None = None) -> str:
        """What beta is answered, its own ids by what they are; errors too."""
        try:
            value = call(self.beta, tool, key=key, **arguments)
            if tool == "get_clusters":  # of the same size the one with the first id is first
                return "\n".join(sorted(plain({**each, "cluster_id": 0}, self.ids) for each in value["clusters"]))
            if tool == "get_pagerank":  # the same of those of the same rank
                return "\n".join(sorted(plain(each, self.ids) for each in value["results"]))
        except IndelibleError as error:
            value = f"{error.code}: {error}"
        return plain(value, self.ids)


def is_random(id_: str) -> bool:
    """Whether another store has another id for the same: names are the same."""
    return re.fullmatch(r"[0-9a-f-]{36}|(sol|fail)_[0-9a-f]{8}|(msg_)?[0-9]{13}", id_) is not None


def plain(value: Any, ids: Mapping[str, str]) -> str:
    """A value without what two stores give at random, or count on over what they forget."""
    text = json.dumps(_in_one_order(value, ids), ensure_ascii=False, indent=1, sort_keys=True)
    for name, id_ in ids.items():
        text = text.replace(id_, f"<{name}>") if is_random(id_) else text
        text = text.replace(id_[:8], f"<{name}>") if len(id_) == 36 else text  # as briefs name it
    text = re.sub(r"\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b", "<new>", text)
    text = re.sub(r'"token_count": \d+', '"token_count": <of random ids>', text)
    text = re.sub(r"\b(sol|fail)_[0-9a-f]{8}\b", r"<new \1>", text)
    text = re.sub(r"(?<!\d)[1-9]\d{12}(?!\d)", "<new number>", text)
    text = re.sub(r"\bsession_[0-9a-f]{12}\b", "<session>", text)
    text = re.sub(r'("(?:mean_ms|max_ms|p\d\d_ms|processing_time_ms)": )[\d.e-]+', r"\1<time>", text)
    return re.sub(r"\brel_\d+\b", "<relation>", text)


def _in_one_order(value: Any, ids: Mapping[str, str]) -> Any:
    """A value whose relations are in an order of their own: those of one moment come in that of their random ids."""
    if isinstance(value, list):
        return [_in_one_order(each, ids) for each in value]
    if not isinstance(value, dict):
        return value
    inner = {key: _in_one_order(each, ids) for key, each in value.items()}
    if isinstance(inner.get("edges"), list):
        inner["edges"] = sorted(inner["edges"], key=lambda edge: plain(edge, ids))
    return inner


def fill(ctx: Context, word: str, moments: Iterator[None]) -> dict[str, str]:
    """One of everything, about one subject, related to each other."""
    made: dict[str, Any] = {}

    def do(tool: str, **arguments: Any) -> Any:
        next(moments)
        embed_all(ctx)  # or the owner would find what stands beside it by words only, and count that as an access
        return call(ctx, tool, **arguments)

    def memory(name: str, content: str, **more: Any) -> None:
        made[name] = do("store_memory", content=content, **more)["id"]

    memory(
        "decision", f"The {word} cache was chosen over redis", memory_type="decision", tags=[f"zoo:{word}", "shared"]
    )
    memory("later", f"The {word} cache is emptied at night", memory_type="decision", links=[made["decision"]])
    memory("wrong", f"The build of the {word} runs twice", tags=["shared"])
    memory("draft", f"A draft on the {word} burrow")
    memory("plain", "The deploy runs on Fridays", tags=["shared", "ops"])
    do("associate_memories", source_id=made["decision"], target_id=made["later"], relationship="LEADS_TO")
    do("update_memory", id=made["wrong"], content=f"The build of the {word} runs once", importance=0.7)
    made["refined"] = do("refine_memory", id=made["draft"], content=f"The {word} burrow has two exits")["new_id"]
    solution = do(
        "matrix_store",
        problem=f"{word} queue hangs at shutdown",
        solution=f"drain the {word} queue",
        scope="global",
        tags=[f"zoo:{word}"],
        filesAffected=[f"src/{word}.ts"],
    )
    made["solution"] = solution["id"]
    do("matrix_reward", solutionId=made["solution"], outcome="success", notes=f"{word} noted")
    failure = do(
        "matrix_failure",
        errorType="runtime",
        errorMessage=f"{word.title()}Error: burrow is locked",
        rootCause=f"two {word} builds",
        fixApplied=f"lock the {word}",
        filesInvolved=[f"src/{word}.ts"],
    )
    made["failure"] = failure["id"]
    do("matrix_failure", errorType="test", errorMessage="Timeout of 3 s", rootCause=word, fixApplied=f"wait for {word}")
    made["entity"] = f"{word.title()} Works"
    entities = [
        {"name": made["entity"], "entityType": "company", "observations": [f"digs for the {word}"]},
        {"name": f"cmd#{word} build#0a1b2c3d", "entityType": "Command", "observations": []},
        {"name": "Ground", "entityType": "place", "observations": [f"under the {word}"]},
    ]
    do("create_entities", entities=entities)
    do("create_relations", relations=[{"from": made["entity"], "to": "Ground", "relationType": "digs in"}])
    do("add_observations", observations=[{"entityName": "Ground", "contents": [f"the {word} was here"]}])
    made["vector"] = f"{word}-note"
    do(
        "memorize",
        id=made["vector"],
        vector={"3": 0.5, "7": len(word) / 8},
        text=f"A {word} digs",
        metadata={"of": word},
    )
    do("memorize", id="note", vector=[1.0, 2.0], text=f"Shared note on {word}")
    do("feedback", id="note", scoreAdjustment=0.5)
    text = f"# {word}\n\nThe {word} retries back off from 100 ms.\n\n## Burrow\n\nThe burrow of the {word} is deep."
    stored = do("store_memory", content=text, file_name="notes.md", resource_type="document")
    made["document"], made["chunk"] = stored["resource_id"], stored["chunk_ids"][0]
    other = do("store_memory", content=f"The {word} retries back off from 100 ms.", file_name=f"{word}.md")
    made["other"] = other["resource_id"]
    message = {"content": f"How long do {word} retries wait?", "conversation_id": "talk", "source_tool": "editor"}
    do("log_chat", **message, message_id=f"ask-{word}")
    made["message"] = f"ask-{word}"
    do("log_chat", content=f"The {word} answers at once", conversation_id=f"talk-{word}", role="assistant")
    do("store_context_links", message_id=made["message"], chunk_ids=[made["chunk"]])
    made["todo"] = do("add_todo", title=f"Feed the {word}", description="every day", priority=2)["todo_id"]
    do("add_todo", title="Measure the retries", description=f"of the {word}", priority=3)
    do("log_code_attempt", input_prompt=f"Write a {word} loop", generated_code="for", result="fail", tags=["python"])
    do("link_resources", source_id="notes.md", target_id=f"{word}.md", relationship_type="depends_on")
    do("auto_link_documents", document_id=f"doc_{made['document']}", similarity_threshold=0.2)
    for query in (f"{word} cache", "burrow"):
        do("recall_memory", query=query)
        do("retrieve_memory", query=query, conversation_id="talk")
    return {name: str(id_) for name, id_ in made.items()}


def _moments(clock: Clock, start: datetime) -> Iterator[None]:
    clock.now = start
    while True:
        clock.now += timedelta(seconds=61)
        yield None


def only_beta(ctx: Context, clock: Clock) -> World:
    """A store in which nobody but beta ever wrote."""
    world = World(with_meaning(ctx), clock)
    world.ids = fill(world.beta, "wombat", _moments(world.clock, BEGAN + timedelta(days=3)))
    return _settled(world)


def among_others(ctx: Context, clock: Clock) -> World:
    """A store in which others wrote before beta, after it, and about it."""
    world = World(with_meaning(ctx), clock)
    world.foreign = fill(world.alpha, NEEDLE, _moments(world.clock, BEGAN))
    own = fill(world.ctx, f"own {NEEDLE}", _moments(world.clock, BEGAN + timedelta(days=1)))
    world.foreign |= {f"own {name}": id_ for name, id_ in own.items()}
    call(world.ctx, "store_memory", content=f"Of no project, about the {NEEDLE} and the wombat cache")
    world.ids = fill(world.beta, "wombat", _moments(world.clock, BEGAN + timedelta(days=3)))
    next(_moments(world.clock, BEGAN + timedelta(days=4)))
    for name in ("decision", "solution", "entity", "document", "chunk", "todo"):  # what the owner relates to beta's
        kind = "memory" if name == "decision" else name
        call(
            world.ctx,
            "associate_memories",
            source_id=f"{kind}:{world.ids[name]}",
            target_id=f"memory:{world.foreign['decision']}",
            relationship="LEADS_TO",
        )
    call(world.alpha, "store_memory", content=f"The wombat cache is loved by the {NEEDLE}", memory_type="decision")
    call(world.alpha, "add_todo", title=f"Wombat and {NEEDLE}")
    for caller in (world.ctx, world.alpha):  # all that a process keeps in memory is loaded, by others
        call(caller, "search", vector={"3": 0.5, "7": len(f"own {NEEDLE}") / 8}, limit=1)
        call(caller, "search_nodes", query=f"{NEEDLE.title()} Works")
        call(caller, "recall_memory", query=f"{NEEDLE} burrow exits", k=1)
        call(caller, "matrix_recall", query=f"{NEEDLE} queue hangs", limit=1)
    return _settled(world)


def opened(data: Path, clock: Clock) -> Context:
    """A new store in a directory."""
    begin(data)
    return open_context(Settings(data=data, start=data.parent, home=data.parent), clock)


def differing(worlds: tuple[World, World], calls: Sequence[Call]) -> list[Any]:
    """The calls that are answered otherwise in the two stores, with both answers."""
    alone, among = worlds
    found = []
    for tool, arguments in calls:
        for world in worlds:
            world.clock.now += timedelta(milliseconds=1)
        answers = alone.said(tool, elsewhere(worlds, arguments)), among.said(tool, arguments)
        if answers[0] != answers[1]:
            found.append((tool, arguments, *answers))
    return found


def elsewhere(worlds: tuple[World, World], value: Any) -> Any:
    """A value that names things of the second store, naming the same of the first."""
    alone, among = worlds
    text = json.dumps(value)
    for name, id_ in among.ids.items():
        text = text.replace(id_, alone.ids[name]) if is_random(id_) else text
    return json.loads(text)


def others(world: World) -> list[dict[str, Any]]:
    """All that is not beta's, as the owner exports it, without how often it was read."""
    found = [record for record in exporting.export_all(world.ctx) if record["namespace"] != BETA]
    return [{k: v for k, v in record.items() if k not in ("access_count", "last_accessed_at")} for record in found]


def _settled(world: World) -> World:
    world.clock.now = BEGAN + timedelta(days=5)
    embed_all(world.ctx)
    seal_all(world.ctx)
    return world


def reads(own: Mapping[str, str], foreign: Mapping[str, str]) -> list[Call]:
    """Calls of every tool that only reads: of its own things, of those of others, and of everything."""
    queries = (
        *("wombat cache", "cache chosen over redis", f"{NEEDLE} queue hangs", "burrow is locked", "retries back off"),
        *("deploy runs on Fridays", "what happened on March 2", f"own {NEEDLE}", "decision", "feed"),
    )
    ids = [id_ for ids in (own, foreign) for id_ in ids.values()]
    named = [f"{kind}:{id_}" for kind, id_ in foreign.items() if " " not in kind] + [f"memory:{foreign['decision']}"]
    numbers = [ids_[name] for ids_ in (own, foreign) for name in ("document", "chunk", "todo", "other")]
    filters: list[dict[str, Any]] = [{}, {"namespace": ALPHA}, {"namespace": BETA}]
    asked = [{"query": query, "k": 50, **more} for query in queries for more in filters]
    return [
        *(("recall_memory", each) for each in asked),
        *(("recall_memory", {**each, "memory_type": "decision"}) for each in asked[:6]),
        *(("recall_with_expansion", {**each, "expansion_depth": 5}) for each in asked),
        *(("recall_with_impact", each) for each in asked),
        *(("get_decision_chain", {"topic": topic}) for topic in ("cache", NEEDLE, "wombat")),
        *(("get_decision_chain", {"file_path": f"src/{word}.ts"}) for word in (NEEDLE, "wombat")),
        *(("graph_traverse", {"start_id": id_, "max_depth": 20, "algorithm": "bfs"}) for id_ in (*ids, *named, "note")),
        *(("matrix_recall", {"query": query, "minScore": 0, "limit": 50}) for query in queries),
        ("matrix_status", {}),
        ("codemem_stats", {}),
        ("codemem_health", {}),
        ("codemem_metrics", {}),
        ("list_namespaces", {}),
        *(("namespace_stats", {"namespace": name}) for name in (ALPHA, BETA)),
        *(("export_memories", {"limit": 1000, **more}) for more in filters),
        ("read_graph", {}),
        ("read_graph", {"limit": 2, "offset": 1}),
        *(("search_nodes", {"query": query}) for query in (*queries, NEEDLE, "", "Ground", "type:Command build", *ids)),
        *(("search_nodes", {"query": f"cmd#{word} build"}) for word in (NEEDLE, "wombat")),
        ("open_nodes", {"names": [*ids, "Ground", "Command"]}),
        *(("search", {"vector": vector, "limit": 50}) for vector in ([1.0, 2.0], {"3": 1.0}, [0.0, 0.0, 0.0, 1.0])),
        *(("retrieve_memory", {"query": query, "conversation_id": "talk", "top_k": 50}) for query in queries),
        *(("retrieve_by_type", {"query": query, "doc_type": "document", "top_k": 50}) for query in queries[:3]),
        *(
            ("build_context", {"documents": [{"id": id_, "title": "It"}], "max_tokens": 500})
            for id_ in (*ids, *named, "notes.md")
        ),
        *(("build_context", {"documents": [{"id": f"doc_{number}"}], "max_tokens": 99}) for number in numbers),
        *(("ask_with_context", {"question": query, "conversation_id": "talk"}) for query in queries),
        *(("route_query", {"query": query, "conversation_id": "talk"}) for query in queries),
        *(("query_graph", {"query": query}) for query in queries),
        *(("query_graph", {"query": query, "relationship_types": ["LEADS_TO"]}) for query in queries[:3]),
        *(("get_document_relationships", {"document_id": id_, "max_depth": 5}) for id_ in (*ids, "notes.md")),
        *(("get_chats_by_tool", {"tool_name": tool, "limit": 50}) for tool in ("editor", "log_chat")),
        *(("get_context_links_for_message", {"message_id": id_}) for id_ in ids),
        *(("get_messages_for_chunk", {"chunk_id": int(number)}) for number in numbers),
        ("get_context_usage_statistics", {}),
        ("list_tool_identifiers", {}),
        *(("get_tool_conversations", {"tool_name": tool, "limit": 50}) for tool in ("log_chat", "recall_memory")),
        *(("list_todos", {"limit": 50, **more}) for more in ({}, {"status": "pending"}, {"status": "completed"})),
        *(("search_todos", {"query": query, "limit": 50}) for query in (*queries, NEEDLE)),
        *(("get_code_patterns", {"query": query, "limit": 50}) for query in (f"{NEEDLE} loop", "write a loop")),
        ("consolidation_status", {}),
        ("review_diff", {"diff": f"--- a/src/{NEEDLE}.ts\n+++ b/src/{NEEDLE}.ts\n@@ -1 +1 @@\n-x\n+y\n"}),
        ("what_changed", {"since": "2026-01-01"}),
        *(("detect_patterns", {"min_frequency": 1, **more}) for more in filters),
        *(("pattern_insights", {"min_frequency": 1, **more}) for more in filters),
        *(("analyze_code_patterns", more) for more in ({}, {"query": f"{NEEDLE} loop"})),
        # of code itself see tools/test_code_callers.py; here is none, only the graph of all else. A finer division
        # depends on the order of ids, which are random here
        *(("get_pagerank", {"top_k": 100, "damping": damping}) for damping in (0.85, 0.5)),
        ("get_clusters", {"resolution": 0.01}),
        *((tool, {"query": NEEDLE}) for tool in ("search_symbols", "search_code")),
        *((tool, {"qualified_name": NEEDLE}) for tool in ("get_symbol_info", "get_dependencies", "get_impact")),
        *(("get_cross_repo", more) for more in ({}, {"path": SMALL_CODEBASE})),
    ]


def writes(own: Mapping[str, str], foreign: Mapping[str, str]) -> list[Call]:
    """Calls of every tool that writes: at what others have, and of what others have too."""
    calls: list[Call] = []
    for id_ in (
        foreign["decision"],
        f"memory:{foreign['decision']}",
        f"solution:{foreign['solution']}",
        foreign["own plain"],
    ):
        calls += [
            ("update_memory", {"id": id_, "content": "taken"}),
            ("refine_memory", {"id": id_, "content": "taken"}),
            ("split_memory", {"id": id_, "parts": [{"content": "taken"}]}),
            ("merge_memories", {"source_ids": [id_, own["plain"]], "content": "taken"}),
            ("delete_memory", {"id": id_}),
            ("associate_memories", {"source_id": id_, "target_id": own["plain"], "relationship": "CALLS"}),
            ("associate_memories", {"source_id": own["plain"], "target_id": id_, "relationship": "CALLS"}),
            ("store_memory", {"content": "linked", "links": [id_]}),
            ("store_memory", {"content": "linked", "links": [id_], "file_name": "linked.md"}),
            ("matrix_reward", {"solutionId": id_, "outcome": "failure"}),
        ]
    calls += [
        ("index_codebase", {"path": SMALL_CODEBASE}),
        *(("complete_todo", {"todo_id": int(foreign[name])}) for name in ("todo", "document", "own todo")),
        *(("delete", {"id": foreign[name]}) for name in ("vector", "own vector", "entity")),
        *(("feedback", {"id": foreign[name], "scoreAdjustment": -9}) for name in ("vector", "own vector")),
        ("delete_entities", {"entityNames": [foreign["entity"], foreign["own entity"]]}),
        ("add_observations", {"observations": [{"entityName": foreign["entity"], "contents": ["taken"]}]}),
        (
            "create_relations",
            {"relations": [{"from": own["entity"], "to": foreign["entity"], "relationType": "knows"}]},
        ),
        ("delete_relations", {"relations": [{"from": foreign["entity"], "to": "Ground", "relationType": "digs in"}]}),
        ("delete_observations", {"deletions": [{"entityName": "Ground", "observations": [f"under the {NEEDLE}"]}]}),
        ("store_context_links", {"message_id": own["message"], "chunk_ids": [int(foreign["chunk"])]}),
        ("store_context_links", {"message_id": foreign["message"], "chunk_ids": [int(own["chunk"])]}),
        *(("auto_link_documents", {"document_id": foreign[name]}) for name in ("document", "own document")),
        *(
            ("link_resources", {"source_id": "notes.md", "target_id": given, "relationship_type": "needs"})
            for given in (f"resource_{foreign['document']}", f"doc_{foreign['own document']}", foreign["chunk"])
        ),
        ("delete_namespace", {"namespace": ALPHA, "confirm": True}),
        ("store_memory", {"content": "there", "namespace": ALPHA}),
        ("set_scoring_weights", {"recency": 1.0}),
    ]
    # the same as others have: it is new here
    calls += [
        ("store_memory", {"content": f"The {NEEDLE} cache was chosen over redis"}),
        ("store_memory", {"content": "# quokka", "file_name": f"{NEEDLE}.md"}),
        (
            "matrix_failure",
            {
                "errorType": "runtime",
                "errorMessage": f"{NEEDLE.title()}Error: burrow is locked",
                "rootCause": "other",
                "fixApplied": "another",
            },
        ),
        ("create_entities", {"entities": [{"name": foreign["entity"], "entityType": "x", "observations": ["mine"]}]}),
        ("memorize", {"id": foreign["vector"], "vector": [4.0]}),
        ("log_chat", {"content": "mine", "conversation_id": "talk", "message_id": foreign["own message"]}),
        ("log_code_attempt", {"input_prompt": f"Write a {NEEDLE} loop", "generated_code": "x", "result": "pass"}),
        (
            "matrix_store",
            {
                "problem": f"{NEEDLE} queue hangs at shutdown",
                "solution": f"drain the {NEEDLE} queue",
                "scope": "global",
            },
        ),
        ("import_memories", {"memories": imported(foreign)}),
        ("delete_entities", {"entityNames": ["Ground"]}),
        ("delete", {"id": "note"}),
        ("delete_memory", {"id": own["later"]}),
        ("add_todo", {"title": "Mine"}),
        ("complete_todo", {"todo_id": int(own["todo"])}),
        ("consolidate_decay", {"threshold_days": 1}),
        ("consolidate_creative", {}),
        ("store_memory", {"content": "the  deploy runs on Mondays"}),
        ("store_memory", {"content": "the deploy runs on Mondays!"}),
        ("consolidate_cluster", {}),
        ("consolidate_summarize", {"cluster_size": 2}),
        ("consolidate_forget", {"importance_threshold": 0.48}),
    ]
    return calls


def imported(foreign: Mapping[str, str]) -> list[dict[str, Any]]:
    """What an import may bring that is another's: ids, numbers, namespaces, ends of relations."""
    far = {"source": "near", "target": foreign["decision"], "relationship": "CALLS"}
    return [
        {"id": "near", "content": "near", "edges": [far]},
        {"id": foreign["plain"], "content": "the same id"},
        {"content": "elsewhere", "namespace": ALPHA},
        {"content": "of none", "namespace": None},
        {"kind": "document", "id": foreign["document"], "label": "brought.md", "content": "brought"},
        {
            "kind": "chunk",
            "id": foreign["chunk"],
            "content": "put in",
            "session": f"document:{foreign['own document']}",
        },
        {"kind": "todo", "id": foreign["todo"], "content": "brought"},
        {"kind": "message", "id": foreign["message"], "content": "brought", "metadata": {"number": 2}},
        {"kind": "entity", "id": foreign["own entity"], "content": "brought", "memory_type": "x"},
        {"kind": "vector", "id": foreign["own vector"], "metadata": {"vector": {"1": 1.0}}},
        {"kind": "failure", "id": foreign["failure"], "content": "brought"},
        {"kind": "solution", "id": foreign["solution"], "content": "brought", "memory_type": "global"},
    ]
