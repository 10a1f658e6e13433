"""Own mistakes: what a tool deletes or overwrites comes back with `undo`, and the export is what it was."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import store_file
from command_line import assert_sound, done, export, opened, result, undo
from indelible.admin import maintenance
from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.core.records import exporting, history
from indelible.errors import Conflict, NotFound
from indelible.store.sqlite.connection import FILE
from indelible.store.tables import pending
from indelible.toolsets import registry
from indelible.toolsets.memory import deletion, importing, merged_projects
from made_up_meaning import embed_all, with_meaning
from mcp_client import McpClient


def item(key: str, content: str, **more: Any) -> dict[str, Any]:
    return {"id": key, "content": content, "namespace": "shop", "created_at": "2025-08-08T10:30:00Z", **more}


def relation(source: str, name: str, target: str, weight: float = 1.0) -> dict[str, Any]:
    return {"source": source, "target": target, "relationship": name, "weight": weight, "metadata": {"by": "import"}}


ITEMS = [
    item("axum", "We use Axum, since Actix broke on upgrades", memory_type="decision", importance=0.9, access_count=3),
    item("actix", "We use Actix", memory_type="decision", tags=["web:server"], confidence=0.4, access_count=17),
    item(
        "pool", "The pool has 20 connections ✓ äöü", tags=["db", "ops:limits"], metadata={"from": {"deep": [1, None]}}
    ),
    item("slow", "Queries over 2 s come from the report page", memory_type="insight", access_count=1),
    item(
        "seen",
        "Captured: tests run with -n 2",
        metadata={"origin": "capture", "trust": "untrusted"},
        created_at=datetime.now(UTC).isoformat(),  # an old one that nobody used is folded away by a server
    ),
    item("twin1", "Deploys go out on Tuesdays", memory_type="habit", tags=["ops:limits"], access_count=2),
    item("twin2", "Deploys go out  on Tuesdays.", memory_type="habit", tags=["ops:days"], importance=0.6),
    item("chain1", "Version one of the rule"),
    item("chain2", "Version two of the rule"),
    item("chain3", "Version three of the rule"),
]
ENTITIES = [
    {
        "id": name,
        "kind": "entity",
        "label": name,
        "content": "\n".join([name, *observations]),
        "memory_type": "thing",
        "namespace": None,
        "metadata": {"observations": observations},
    }
    for name, observations in (("the cart", ["holds 5 things", "wird geleert ✓"]), ("the door", []))
]
VECTOR = {
    "id": "v1",
    "kind": "vector",
    "content": "how the door sounds",
    "namespace": None,
    "metadata": {"vector": {"3": 0.25, "17": -1.5}, "metadata": {"from": "mic"}, "score": 2.0},
}
RELATIONS = [
    {**relation("entity:the cart", "leaves by", "entity:the door", 0.5), "created_at": "2025-08-08T10:30:00Z"},
    relation("entity:the door", "contains", "entity:the door"),
    relation("axum", "SUPERSEDES", "actix", 0.8),
    relation("axum", "LEADS_TO", "pool", 0.25),
    relation("pool", "RELATES_TO", "slow"),
    relation("slow", "RELATES_TO", "pool", 0.5),
    relation("seen", "EXPLAINS", "axum"),
    relation("twin1", "LEADS_TO", "pool"),
    relation("chain1", "EVOLVED_INTO", "twin1"),
    relation("chain1", "EVOLVED_INTO", "chain2"),
    relation("chain2", "EVOLVED_INTO", "chain3"),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def ctx(data: Path) -> Iterator[Context]:
    with opened(data) as ctx:
        taken = importing.import_items(ctx, [*ITEMS[:-1], *ENTITIES, VECTOR, {**ITEMS[-1], "edges": RELATIONS}])
        assert taken.errors == []
        yield ctx


def call(ctx: Context, tool: str, **arguments: Any) -> Any:
    return registry.call(ctx, registry.find_tool(tool), arguments).value


def rows(data: Path) -> dict[str, list[Any]]:
    """What the store holds of records, relations, words, access, work and embeddings, as it stands on the disk."""
    connection = store_file.opened(data / FILE)
    try:
        tables = ("record", "edge", "terms", "access", "pending", "embedding")
        return {table: store_file.as_stored(connection, table) for table in tables}
    finally:
        connection.close()


# Each tool that is marked destructive, with calls that delete or overwrite in every way it can.
CASES: dict[str, list[dict[str, Any]]] = {
    "update_memory": [
        {"id": "axum", "content": "We use Axum 0.8"},
        {"id": "pool", "content": "The pool has 40 connections", "importance": 0.1},
        {"id": "pool", "content": "The pool has 20 connections ✓ äöü", "importance": 1},
        {"id": "actix", "content": "We used Actix until 2024"},
        {"id": "seen", "content": "Captured: tests run with -n 2"},
        {"id": "chain2", "content": "Version two of the rule, reworded"},
    ],
    "delete_memory": [{"id": thing["id"]} for thing in ITEMS],
    "associate_memories": [
        {"source_id": "axum", "target_id": "pool", "relationship": "LEADS_TO", "weight": 0.75},
        {"source_id": "axum", "target_id": "actix", "relationship": "SUPERSEDES", "weight": -1},
        {"source_id": "chain2", "target_id": "chain3", "relationship": "evolved_into", "weight": 0},
    ],
    "delete_namespace": [{"namespace": "shop", "confirm": True}],
    "delete_entities": [{"entityNames": ["the door", "the window"]}, {"entityNames": ["the door", "the cart"]}],
    "delete_observations": [{"deletions": [{"entityName": "the cart", "observations": ["holds 5 things", "none"]}]}],
    "delete_relations": [{"relations": [{"from": "the door", "to": "the door", "relationType": "contains"}]}],
    "memorize": [{"id": "v1", "vector": {"2": 1.0}, "text": "another sound"}, {"id": "v1", "vector": [0.5]}],
    "delete": [{"id": "v1"}],
    # Not marked destructive, since it overwrites one mark only: that a captured memory is not trusted.
    "store_memory": [{"content": "Captured: tests run with -n 2", "namespace": "shop"}],
    "consolidate_decay": [{}, {"threshold_days": 14}],
    "consolidate_cluster": [{}],
    "consolidate_forget": [{"importance_threshold": 0.55}, {"importance_threshold": 1}],
    # Nor these, since they only add: that goes away again.
    "consolidate_creative": [{}],
    "consolidate_summarize": [{"cluster_size": 2}, {"cluster_size": 3}],
}
NOT_DESTRUCTIVE = {"store_memory", "consolidate_creative", "consolidate_summarize"}
# The calls that others cannot follow, since they take away what these name.
LAST = ("delete_", "consolidate_cluster", "consolidate_forget")


def test_every_tool_that_deletes_or_overwrites_has_cases_here():
    destructive = {tool.name for tool in registry.all_tools().values() if tool.destructive}
    assert destructive == CASES.keys() - NOT_DESTRUCTIVE


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [pytest.param(tool, arguments, id=f"{tool}-{n}") for tool in CASES for n, arguments in enumerate(CASES[tool])],
)
def test_undo_after_a_tool_gives_back_the_same_export(ctx: Context, data: Path, tool: str, arguments: dict[str, Any]):
    before = export(data), rows(data)
    call(ctx, tool, **arguments)
    after = export(data), rows(data)
    assert after != before
    undone = undo(ctx)
    assert undone["tool"] == tool
    assert (export(data), rows(data)) == before
    assert ctx.indexes.records.loaded is False
    again = history.operations(ctx, 1)[0]
    assert again["tool"] == "undo"
    undo(ctx, again["operation"])
    assert export(data) == after[0]
    assert undo(ctx)["tool"] == "undo"  # of what was done again, the newest change by now
    assert (export(data), rows(data)) == before


@pytest.mark.parametrize("tool", CASES)
def test_undo_gives_back_the_same_embeddings_once_what_came_back_is_embedded(ctx: Context, data: Path, tool: str):
    warm = with_meaning(ctx)
    embed_all(warm)
    before = export(data), stored(data)
    assert before[1]["embedding"]
    call(warm, tool, **CASES[tool][0])
    embed_all(warm)
    undo(warm)
    with warm.store.read() as tx:
        assert pending.forgotten(tx) == 0
    embed_all(warm)
    assert (export(data), stored(data)) == before


def stored(data: Path) -> dict[str, list[Any]]:
    """The rows of the store, in an order of their own: what came back has its terms and vectors from later."""
    return {table: sorted(map(repr, found)) for table, found in rows(data).items()}


def test_recall_finds_what_came_back_and_not_what_was_undone(ctx: Context):
    call(ctx, "update_memory", id="pool", content="The pond has ducks")
    call(ctx, "delete_memory", id="slow")
    assert call(ctx, "recall_memory", query="pond ducks")[0]["id"] == "pool"
    assert call(ctx, "recall_memory", query="report page queries") == []
    undo(ctx)
    undo(ctx)
    assert call(ctx, "recall_memory", query="pond ducks") == []
    assert call(ctx, "recall_memory", query="report page queries")[0]["id"] == "slow"
    assert call(ctx, "recall_memory", query="20 connections")[0]["id"] == "pool"


@pytest.mark.slow
def test_calls_are_undone_one_by_one_back_to_the_start(ctx: Context, data: Path):
    states = []
    for tool, cases in sorted(CASES.items(), key=lambda case: [case[0].startswith(last) for last in reversed(LAST)]):
        for arguments in cases:
            states.append((tool, export(data), rows(data)))
            call(ctx, tool, **arguments)
    while states:
        tool, text, tables = states.pop()
        if text != export(data):  # a call that changed nothing has nothing to undo
            assert undo(ctx)["tool"] == tool
        assert (export(data), rows(data)) == (text, tables)
    with pytest.raises(NotFound, match="nothing to undo"):
        undo(ctx)


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_deleted_versions_come_back_whole_in_whatever_order_they_are_undone(ctx: Context, data: Path, order):
    before = export(data), rows(data)
    for key in ("chain2", "chain3", "chain1"):
        call(ctx, "delete_memory", id=key)
    operations = [past["operation"] for past in history.history(ctx)]
    for place in order:
        undo(ctx, operations[place])
    assert (export(data), rows(data)) == before


@pytest.mark.parametrize("seed", range(12))
def test_deletions_come_back_whole_in_whatever_order_they_are_undone(ctx: Context, data: Path, seed: int):
    rng = random.Random(seed)
    before = export(data), rows(data)
    for key in rng.sample([thing["id"] for thing in ITEMS], rng.randint(2, 8)):
        call(ctx, "delete_memory", id=key)
    operations = [past["operation"] for past in history.history(ctx)]
    rng.shuffle(operations)
    for operation in operations:
        undo(ctx, operation)
    assert (export(data), rows(data)) == before


def test_access_counts_that_were_not_written_yet_come_back_too(ctx: Context, data: Path):
    for _ in range(3):
        assert call(ctx, "recall_memory", query="report page queries", k=1)[0]["id"] == "slow"
    before = call(ctx, "export_memories")
    assert {memory["id"]: memory["access_count"] for memory in before}["slow"] == 4
    call(ctx, "delete_memory", id="slow")
    ctx.write_behind.flush()
    undo(ctx)
    assert call(ctx, "export_memories") == before


def test_access_counts_of_a_deletion_undone_at_once_are_not_doubled(ctx: Context):
    call(ctx, "recall_memory", query="report page queries", k=1)
    before = call(ctx, "export_memories")
    call(ctx, "delete_memory", id="slow")
    undo(ctx)
    assert call(ctx, "export_memories") == before
    ctx.write_behind.flush()
    assert call(ctx, "export_memories") == before


# --- What cannot be undone is refused, in words, and changes nothing ---


def operations(ctx: Context) -> list[str]:
    """The operations that can be named, newest first."""
    return [past["operation"] for past in history.history(ctx)]


Mistake = Callable[[Context], str]


def later_update(ctx: Context) -> str:
    call(ctx, "update_memory", id="pool", content="first")
    call(ctx, "update_memory", id="pool", content="second")
    return operations(ctx)[1]


def later_deletion(ctx: Context) -> str:
    call(ctx, "update_memory", id="pool", content="first")
    call(ctx, "delete_memory", id="pool")
    return operations(ctx)[1]


def later_weight(ctx: Context) -> str:
    call(ctx, "associate_memories", source_id="axum", target_id="pool", relationship="LEADS_TO", weight=0.5)
    call(ctx, "associate_memories", source_id="axum", target_id="pool", relationship="LEADS_TO", weight=0.6)
    return operations(ctx)[1]


def deleted_source(ctx: Context) -> str:
    call(ctx, "associate_memories", source_id="axum", target_id="pool", relationship="LEADS_TO", weight=0.5)
    call(ctx, "delete_memory", id="axum")
    return operations(ctx)[1]


def deleted_target(ctx: Context) -> str:
    call(ctx, "associate_memories", source_id="axum", target_id="pool", relationship="LEADS_TO", weight=0.5)
    call(ctx, "delete_memory", id="pool")
    return operations(ctx)[1]


def content_stored_again(ctx: Context) -> str:
    call(ctx, "delete_memory", id="pool")
    call(ctx, "store_memory", content="The pool has 20 connections ✓ äöü", namespace="shop")
    return operations(ctx)[0]


def id_imported_again(ctx: Context) -> str:
    call(ctx, "delete_memory", id="pool")
    call(ctx, "import_memories", memories=[item("pool", "Something else")])
    return operations(ctx)[0]


def old_content_stored_by_another(ctx: Context) -> str:
    call(ctx, "update_memory", id="pool", content="The pool has 40 connections")
    call(ctx, "store_memory", content="The pool has 20 connections ✓ äöü", namespace="shop")
    return operations(ctx)[0]


def undone_already(ctx: Context) -> str:
    call(ctx, "update_memory", id="pool", content="first")
    return str(undo(ctx)["operation"])


def undo_of_an_undo_after_an_update(ctx: Context) -> str:
    call(ctx, "update_memory", id="pool", content="first")
    undo(ctx)
    undoing = operations(ctx)[0]
    call(ctx, "update_memory", id="pool", content="second")
    return undoing


def later_change_done_again(ctx: Context) -> str:
    call(ctx, "update_memory", id="pool", content="first")
    call(ctx, "update_memory", id="pool", content="second")
    undo(ctx)
    undoing, _, operation = operations(ctx)
    undo(ctx, undoing)
    return operation


def undo_before_another_undo(ctx: Context) -> str:
    call(ctx, "update_memory", id="pool", content="first")
    call(ctx, "update_memory", id="pool", content="second")
    undo(ctx)
    undo(ctx)
    return operations(ctx)[1]


def id_in_the_project_that_it_was_moved_from(ctx: Context) -> str:
    logged = {"content": "Who drains the queue?", "conversation_id": "talk", "message_id": "m1"}
    call(ctx, "log_chat", **logged)
    chosen = merged_projects.chosen_of(ctx, "", ["message:m1"])
    merged_projects.split(ctx.for_call(Call(tool="project move")), "", "/projects/moved", chosen)
    call(ctx, "log_chat", **{**logged, "content": "Who fills it?"})
    return operations(ctx)[0]


REFUSED: dict[Mistake, str] = {
    later_update: "a later update_memory changed the same records; undo that first",
    later_deletion: "a later delete_memory changed the same records; undo that first",
    later_weight: "a later associate_memories changed the same records; undo that first",
    deleted_source: "a later delete_memory changed the same records; undo that first",
    deleted_target: "pool is deleted now; undo the deletion first",
    content_stored_again: "pool cannot be restored: its id, name or content is taken by a newer one",
    id_imported_again: "pool cannot be restored: its id, name or content is taken by a newer one",
    old_content_stored_by_another: "pool cannot be restored: .* content is taken",
    undone_already: "is already undone",
    later_change_done_again: "a later undo changed the same records; undo that first",
    undo_before_another_undo: "a later undo changed the same records; undo that first",
    id_in_the_project_that_it_was_moved_from: "message m1 cannot be restored: its id, .* is taken by a newer one",
    undo_of_an_undo_after_an_update: "a later update_memory changed the same records; undo that first",
}


@pytest.mark.parametrize("mistake", REFUSED, ids=lambda mistake: mistake.__name__)
def test_an_undo_that_would_lose_something_is_refused(ctx: Context, data: Path, mistake: Mistake):
    operation = mistake(ctx)
    before = export(data), rows(data), operations(ctx)
    with pytest.raises(Conflict, match=REFUSED[mistake]):
        undo(ctx, operation)
    assert (export(data), rows(data), operations(ctx)) == before


def test_a_refused_undo_works_once_its_remedy_was_followed(ctx: Context, data: Path):
    before = export(data)
    for mistake in (later_update, later_deletion, later_weight, deleted_source, deleted_target):
        operation = mistake(ctx)
        undo(ctx)  # the later call is the newest
        undo(ctx, operation)
        assert export(data) == before


def test_an_unknown_operation_is_refused(ctx: Context):
    with pytest.raises(NotFound, match="'nonsense' is unknown; `indelible history` lists"):
        undo(ctx, "nonsense")


def test_undoing_an_update_keeps_what_was_related_since(ctx: Context, data: Path):
    call(ctx, "update_memory", id="slow", content="first")
    call(ctx, "associate_memories", source_id="axum", target_id="slow", relationship="SUPERSEDES")
    undo(ctx)
    replaced = {row[5]: row[15] for row in rows(data)["record"]}
    assert replaced["slow"] == 1  # not the mark that it had before the update


def test_a_resource_that_was_only_named_comes_back_as_it_was(ctx: Context, data: Path):
    call(ctx, "link_resources", source_id="axum", target_id="resource_700", relationship_type="about")
    before = rows(data)
    deletion.delete(ctx.for_call(Call(tool="delete")), ["document:700"])
    undo(ctx)
    assert rows(data) == before


def test_what_an_import_brought_again_elsewhere_is_another_one_for_other_stores(ctx: Context, data: Path):
    exported = next(each for each in exporting.export_all(ctx) if each["id"] == "pool")
    chosen = merged_projects.chosen_of(ctx, "shop", ["pool"])
    merged_projects.split(ctx.for_call(Call(tool="project split")), "shop", "park", chosen)
    call(ctx, "delete_memory", id="pool")
    assert importing.import_items(ctx, [exported]).ids == ["pool"]
    undo(ctx)
    uids = [(each["namespace"], each["uid"]) for each in exporting.export_all(ctx) if each["id"] == "pool"]
    assert [namespace for namespace, _ in uids] == ["park", "shop"]
    assert len({uid for _, uid in uids}) == 2
    assert_sound(data)


def test_a_record_comes_back_current_where_what_replaced_it_is_gone(ctx: Context, data: Path):
    call(ctx, "delete_memory", id="actix")
    actix = operations(ctx)[0]
    call(ctx, "delete_memory", id="axum")
    undo(ctx, actix)
    assert {row[5]: row[15] for row in rows(data)["record"]}["actix"] == 0


def test_what_is_older_than_thirty_days_is_gone_from_the_trash(data: Path):
    now = [datetime(2026, 1, 1, tzinfo=UTC)]
    with opened(data, clock=lambda: now[0]) as ctx:
        importing.import_items(ctx, ITEMS)
        call(ctx, "delete_memory", id="pool")
        now[0] += timedelta(days=29)
        call(ctx, "delete_memory", id="slow")
        maintenance.trim(ctx)
        assert [past["id"] for past in history.history(ctx)] == ["slow", "pool"]
        now[0] += timedelta(days=2)
        maintenance.trim(ctx)
        assert [past["id"] for past in history.history(ctx)] == ["slow"]
        assert undo(ctx)["restored"] == ["slow"]


def test_history_shows_earlier_states_newest_first(ctx: Context):
    for content in ("first", "second"):
        call(ctx, "update_memory", id="pool", content=content)
    call(ctx, "delete_memory", id="pool")
    past = history.history(ctx, "pool")
    assert [(p["tool"], p["action"], p["content"]) for p in past] == [
        ("delete_memory", "delete", "second"),
        ("update_memory", "update", "first"),
        ("update_memory", "update", "The pool has 20 connections ✓ äöü"),
    ]
    assert [p["id"] for p in history.history(ctx, limit=2)] == ["pool", "pool"]
    assert history.history(ctx, "axum") == []


@pytest.mark.process
def test_the_command_line_undoes_what_a_running_server_did(data: Path):
    lines = "\n".join(json.dumps(thing) for thing in ITEMS)
    done("import", "-", data=data, stdin=lines.encode())
    before = done("export", data=data)
    with McpClient(data) as client:
        client.call("update_memory", {"id": "axum", "content": "changed"})
        client.call("delete_memory", {"id": "pool"})
        assert client.call("recall_memory", {"query": "20 connections"}) == []
        assert "undone delete_memory" in done("undo", data=data)
        past = result("history", "axum", data=data)["states"]
        assert [(p["tool"], p["undone"]) for p in past] == [("update_memory", False), ("import", False)]
        assert f"({past[0]['operation']})\nback: memory axum: " in done(
            "undo", "--operation", past[0]["operation"], data=data
        )
        assert done("export", data=data) == before
        assert client.call("recall_memory", {"query": "20 connections"})[0]["id"] == "pool"
    undone = done("undo", data=data)
    assert undone.startswith("undone import (")
    assert "removed: memory pool: " in undone
    assert done("export", data=data) == ""
    assert_sound(data)
