"""What is done to the store as a whole holds for every kind: counts, lists, exports, namespaces, undo, purge."""

import json

import pytest

import purging
from everything import ENTITY, ERROR, FAILURE, MEMORY, SOLUTION, VECTOR, fill, of_all
from foreign import take_in
from indelible.core.context.call import Call
from indelible.core.records import history
from indelible.errors import Conflict
from indelible.toolsets.memory import importing
from park import exported, of_kind, undo
from repositories import repository

pytestmark = pytest.mark.process

# What `fill` stores: the file records are those of the solution and the failure, the entities also its twins.
COUNTS = {"entity": 4, "failure": 1, "file": 2, "memory": 1, "solution": 1, "vector": 2}


@pytest.fixture
def home(tmp_path):
    return repository(tmp_path / "zoo", name="zoo")


@pytest.fixture
def filled(open_store, home):
    """A store with everything, of a server that works for a repository; its ids."""
    memory = open_store(start=home)
    return memory, fill(memory)


# --- Lists and counts ---


def test_each_toolset_lists_counts_and_exports_its_own_kind(filled):
    memory, ids = filled
    assert memory.codemem_stats()["storage"]["memories"] == 1
    assert [item["id"] for item in memory.export_memories()] == [ids["memory"]]
    assert [item["memory_count"] for item in memory.list_namespaces()["namespaces"]] == [1]
    status = memory.matrix_status()
    assert (status["stats"], [each["id"] for each in status["recentSolutions"]]) == (
        {"solutions": 1, "failures": 1, "repos": 1},
        [ids["solution"]],
    )
    assert [match["id"] for match in memory.search(vector=VECTOR["vector"], limit=9)] == ["wombat-note", "bare"]
    names = [entity["name"] for entity in memory.read_graph()["entities"]]
    assert (names[0], names[2:], len(names)) == (ERROR, [ENTITY["name"], "Ground"], 4)
    assert len(memory.read_graph()["relations"]) == 3


def test_nodes_and_edges_count_everything(filled):
    memory, _ = filled
    stats = memory.codemem_stats()
    edges = {"DIGS IN": 1, "IS": 1, "LEADS_TO": 5, "RELATES_TO": 2, "RESOLVES": 1}
    assert stats["graph"]["node_kinds"] == COUNTS
    assert stats["graph"]["relationship_types"] == edges
    assert stats["storage"]["graph_nodes"] == stats["graph"]["nodes"] == sum(COUNTS.values())
    assert stats["storage"]["graph_edges"] == stats["graph"]["edges"] == sum(edges.values())


def test_a_walk_goes_through_every_kind(filled):
    memory, ids = filled
    steps = memory.graph_traverse(start_id=ids["memory"], max_depth=5)
    assert {step["kind"] for step in steps} == set(COUNTS)
    assert {step["id"] for step in steps} >= set(ids.values())
    assert {"memory_id" in step for step in steps if step["kind"] != "memory"} == {False}


# --- Namespaces ---


def test_a_namespace_counts_and_deletes_memories_only(filled, home):
    memory, ids = filled
    before = of_all(memory)
    assert memory.namespace_stats(namespace=str(home))["count"] == 1
    assert memory.namespace_stats(namespace=str(home))["tag_frequency"] == {"zoo:wombat": 1}
    assert memory.delete_namespace(namespace=str(home), confirm=True)["deleted"] == 1
    after = of_all(memory)
    assert {item["kind"]: item["id"] for item in after if item["kind"] in ids}.keys() == ids.keys() - {"memory"}
    left = {item["id"]: item for item in after}
    for item in before:
        if item["kind"] != "memory":
            assert {**left[item["id"]], "edges": None} == {**item, "edges": None}
    undo(memory)
    assert of_all(memory) == before


def purge(memory, namespace):
    return purging.purge(memory.context.for_call(Call(tool="purge")), str(namespace))


def test_a_purge_takes_all_of_a_project_and_what_its_failures_wrote_into_the_graph(filled, home):
    memory, _ = filled
    before = of_all(memory)
    gone = {"memory": 1, "solution": 1, "failure": 1, "file": 2, "entity": 2}
    assert purge(memory, home) == gone
    assert {item["id"] for item in of_all(memory)} == {ENTITY["name"], "Ground", "wombat-note", "bare"}
    shown = json.dumps(memory.read_graph()) + json.dumps(memory.recall_memory(query="WombatError burrow 7 is locked"))
    assert FAILURE["errorMessage"].lower() not in shown.lower()
    assert memory.matrix_recall(query="wombat", minScore=0)["totalFound"] == 0
    undo(memory)
    assert of_all(memory) == before
    assert memory.recall_memory(query="burrow 7 is locked")[0]["kind"] == "failure"


def test_a_purge_leaves_entities_that_others_say_or_build_on(open_store, tmp_path):
    one, two = (open_store(start=repository(tmp_path / name)) for name in ("one", "two"))
    one.matrix_failure(**FAILURE)
    two.matrix_failure(**{**FAILURE, "errorType": "test", "fixApplied": "another way"})
    key = "err#disk full"
    one.matrix_failure(errorType="build", errorMessage="disk full", rootCause="c", fixApplied="rm")
    one.add_observations(observations=[{"entityName": key, "contents": ["seen in CI too"]}])
    one.matrix_failure(errorType="build", errorMessage="no route", rootCause="c", fixApplied="dns")
    one.create_entities(entities=[{"name": "dep#curl@8", "entityType": "Dependency"}])
    one.create_relations(relations=[{"from": "err#no route", "to": "dep#curl@8", "relationType": "CAUSED_BY"}])
    before = {entity["name"] for entity in one.read_graph()["entities"]}
    purge(one, tmp_path / "one")
    left = {entity["name"] for entity in one.read_graph()["entities"]}
    fixes = {name for name in before - left if name.startswith("fix#")}
    assert before - left == fixes
    assert len(fixes) == 3
    assert {ERROR, key, "err#no route", "dep#curl@8"} < left
    undo(one)
    assert {entity["name"] for entity in one.read_graph()["entities"]} == before


def test_an_error_recorded_again_after_a_purge_is_a_new_one_and_stands_in_the_way_of_an_undo(filled, home):
    memory, _ = filled
    purge(memory, home)
    assert memory.matrix_failure(**FAILURE)["status"] == "recorded"
    before = of_all(memory)
    with pytest.raises(Conflict, match="cannot be restored: its id, name or content is taken by a newer one"):
        undo(memory)
    assert of_all(memory) == before


# --- Undo, history, trash ---

CHANGES = {
    "matrix_store": lambda m, ids: m.matrix_store(**SOLUTION, tags=["more"], filesAffected=["src/queue.ts"]),
    "matrix_reward": lambda m, ids: m.matrix_reward(solutionId=ids["solution"], outcome="success", notes="well"),
    "matrix_failure": lambda m, ids: m.matrix_failure(**{**FAILURE, "rootCause": "another cause"}),
    "memorize": lambda m, ids: m.memorize(id=ids["vector"], vector=[1.0], text="other"),
    "feedback": lambda m, ids: m.feedback(id=ids["vector"], scoreAdjustment=2),
    "delete": lambda m, ids: m.delete(id=ids["vector"]),
    "delete_entities": lambda m, ids: m.delete_entities(entityNames=[ids["entity"], "Ground"]),
    "delete_observations": lambda m, ids: m.delete_observations(
        deletions=[{"entityName": ids["entity"], "observations": ENTITY["observations"]}]
    ),
    "delete_relations": lambda m, ids: m.delete_relations(
        relations=[{"from": "Ground", "to": "Ground", "relationType": "is"}]
    ),
    "associate_memories": lambda m, ids: m.associate_memories(
        source_id=ids["memory"], target_id=ids["solution"], relationship="LEADS_TO", weight=9
    ),
    "update_memory": lambda m, ids: m.update_memory(id=ids["memory"], content="another"),
    "delete_memory": lambda m, ids: m.delete_memory(id=ids["memory"]),
}


@pytest.mark.parametrize("tool", CHANGES)
def test_whatever_a_tool_overwrites_or_deletes_can_be_undone_and_done_again(filled, tool):
    memory, ids = filled
    before = of_all(memory)
    CHANGES[tool](memory, ids)
    after = of_all(memory)
    assert after != before
    done = history.operations(memory.context, 1)[0]
    assert done["tool"] == tool
    undo(memory, done["operation"])
    assert of_all(memory) == before
    with pytest.raises(Conflict, match="is already undone"):
        undo(memory, done["operation"])


@pytest.mark.parametrize("tool", ["delete", "delete_entities", "delete_memory"])
def test_no_tool_sees_what_is_in_the_trash(filled, tool):
    memory, ids = filled
    kind = {"delete": "vector", "delete_entities": "entity", "delete_memory": "memory"}[tool]
    CHANGES[tool](memory, ids)
    seen = [
        memory.recall_memory(query="wombat", k=50),
        memory.recall_with_expansion(query="wombat", k=50),
        memory.search(vector=VECTOR["vector"], limit=50),
        memory.search_nodes(query=""),
        memory.export_memories(),
        memory.graph_traverse(start_id=ids["failure"], max_depth=9),
    ]
    assert ids[kind] not in json.dumps(seen)
    past = history.history(memory.context, ids[kind])
    assert {(state["tool"], state["action"]) for state in past} == {(tool, "delete")}
    assert past[0]["content"].startswith({"vector": "A wombat", "entity": ENTITY["name"], "memory": MEMORY}[kind])


# --- Export and import ---


def test_an_export_taken_in_elsewhere_gives_the_same_export_and_again_nothing_new(filled, open_store):
    memory, ids = filled
    memory.matrix_reward(solutionId=ids["solution"], outcome="success", notes="it did")
    memory.feedback(id=ids["vector"], scoreAdjustment=0.5)
    memory.recall_memory(query="wombat", k=20)
    lines = [json.dumps(item) for item in exported(memory)]
    other = open_store("other")
    for new in (len(lines), 0):
        done = importing.import_items(other.context, map(json.loads, lines))
        assert (done.errors, len(done.ids), done.skipped) == ([], new, len(lines) - new)
        assert [json.dumps(item) for item in exported(other)] == lines
    assert other.read_graph() == memory.read_graph()
    vector = VECTOR["vector"]
    assert other.search(vector=vector, limit=9) == memory.search(vector=vector, limit=9)
    assert other.matrix_failure(**FAILURE)["occurrences"] == 2


def test_relations_come_whole_whatever_the_order_of_their_ends(filled, open_store):
    memory, _ = filled
    things = exported(memory)
    other = open_store("other")
    take_in(other, *reversed(things))
    assert of_all(other) == of_all(memory)


def test_files_of_one_path_in_two_projects_stay_two(open_store, tmp_path):
    homes = [repository(tmp_path / name) for name in ("one", "two")]
    for number, home in enumerate(homes):
        memory = open_store(start=home)
        memory.matrix_store(problem=f"problem {number}", solution="s", scope="global", filesAffected=["src/app.py"])
    memory.store_memory(content="far", links=["file:src/app.py"])  # of the second project
    note = memory.store_memory(content="in none", namespace="elsewhere")["id"]
    memory.associate_memories(source_id=note, target_id="file:src/app.py", relationship="EXPLAINS")
    open_store(start=homes[0]).associate_memories(
        source_id="file:src/app.py", target_id=note, relationship="RELATES_TO"
    )
    other = open_store("other")
    take_in(other, *exported(memory))
    assert exported(other) == exported(memory)
    done = importing.import_items(other.context, exported(memory))
    assert (done.ids, done.errors) == ([], [])
    assert exported(other) == exported(memory)
    assert len(of_kind(other, "file")) == 2
    for number, home in enumerate(homes):
        with other.context.store.read() as tx:
            from indelible.store.tables import edges, records

            (solution,) = [r for r in records.newest(tx, "solution", None) if r.text.startswith(f"problem {number}")]
            (edge,) = edges.of_records(tx, [solution.id])
            assert records.by_ids(tx, [edge.target])[edge.target].namespace == str(home)


def test_memories_of_an_export_go_there_and_back_with_their_relations_to_other_kinds(filled, open_store):
    memory, ids = filled
    things = memory.export_memories()
    memory.delete_memory(id=ids["memory"])
    assert memory.import_memories(memories=things)["errors"] == []
    assert memory.export_memories() == things
