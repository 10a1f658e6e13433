"""One id may name a thing of every kind: which of them a tool means, changes, deletes, relates."""

from contextlib import nullcontext

import pytest

from everything import of_all
from foreign import take_in
from indelible.errors import Conflict, InvalidInput, NotFound
from park import exported, undo

X = "the same id"
KINDS = ("memory", "solution", "failure", "vector", "entity", "file")


def thing(kind, key=X, **more):
    return {"kind": kind, "id": key, "content": f"wombat {kind}", "memory_type": "", **more}


@pytest.fixture
def same(memory):
    """A thing of each kind, all of one id."""
    take_in(memory, {**thing("memory"), "memory_type": "insight"}, *map(thing, KINDS[1:]))
    return memory


def by_kind(memory):
    return {item["kind"]: item for item in of_all(memory)}


CHANGES = {
    "update_memory": ({"id": X, "content": "changed"}, "memory", "changed"),
    "delete_memory": ({"id": X}, "memory", None),
    "matrix_reward": ({"solutionId": X, "outcome": "success"}, "solution", "wombat solution"),
    "memorize": ({"id": X, "vector": [1.0], "text": "changed"}, "vector", "changed"),
    "feedback": ({"id": X, "scoreAdjustment": 1}, "vector", "wombat vector"),
    "delete": ({"id": X}, "vector", None),
    "add_observations": (
        {"observations": [{"entityName": X, "contents": ["new"]}]},
        "entity",
        f"{X}\nwombat entity\nnew",
    ),
    "delete_observations": ({"deletions": [{"entityName": X, "observations": ["wombat entity"]}]}, "entity", X),
    "delete_entities": ({"entityNames": [X]}, "entity", None),
}


@pytest.mark.parametrize("tool", CHANGES)
def test_a_tool_changes_and_deletes_its_own_kind_only(same, tool):
    arguments, kind, content = CHANGES[tool]
    before = by_kind(same)
    same.call(tool, **arguments)
    after = by_kind(same)
    assert {name: item for name, item in after.items() if name != kind} == {
        name: item for name, item in before.items() if name != kind
    }
    assert after.get(kind, {}).get("content") == content
    assert after.get(kind) != before[kind]


SILENT = ("feedback", "delete", "delete_entities", "delete_observations")  # about what they do not know


@pytest.mark.parametrize("tool", [name for name in CHANGES if name != "memorize"])
def test_where_its_own_kind_has_none_a_tool_changes_nothing(memory, tool):
    arguments, own, _ = CHANGES[tool]
    others = [kind for kind in KINDS if kind != own]
    take_in(memory, *(thing(kind, memory_type="insight" if kind == "memory" else "") for kind in others))
    before = of_all(memory)
    with nullcontext() if tool in SILENT else pytest.raises(NotFound, match=X):
        memory.call(tool, **arguments)
    assert of_all(memory) == before


def test_creating_in_one_kind_takes_no_id_of_another(same):
    assert same.create_entities(entities=[{"name": X, "entityType": "thing"}]) == {"entities": []}
    same.delete_entities(entityNames=[X])
    assert len(same.create_entities(entities=[{"name": X, "entityType": "thing"}])["entities"]) == 1
    same.delete(id=X)
    same.memorize(id=X, vector=[1.0])
    assert {item["kind"] for item in of_all(same)} == set(KINDS)


def test_undo_brings_back_the_one_that_was_deleted(same):
    before = of_all(same)
    for tool in ("delete_memory", "delete", "delete_entities"):
        same.call(tool, **CHANGES[tool][0])
    for _ in range(3):
        undo(same)
    assert of_all(same) == before


# --- Which one an id means ---


def test_a_bare_id_means_a_memory_before_all_others(same):
    other = same.store_memory(content="note")["id"]
    assert same.associate_memories(source_id=other, target_id=X, relationship="LEADS_TO")["target"] == X
    assert [node["kind"] for node in same.graph_traverse(start_id=X)] == ["memory", "memory"]


USES = {
    "associate_memories source": lambda m, note, given: m.associate_memories(
        source_id=given, target_id=note, relationship="LEADS_TO"
    ),
    "associate_memories target": lambda m, note, given: m.associate_memories(
        source_id=note, target_id=given, relationship="LEADS_TO"
    ),
    "graph_traverse": lambda m, note, given: m.graph_traverse(start_id=given),
    "store_memory": lambda m, note, given: m.store_memory(content="linked", links=[given]),
    "store_memory of a document": lambda m, note, given: m.store_memory(
        content="linked", file_name="a.md", links=[given]
    ),
}


@pytest.mark.parametrize("use", USES)
def test_a_bare_id_of_several_foreign_kinds_is_refused_with_their_list_and_nothing_is_written(memory, use):
    note = memory.store_memory(content="note")["id"]
    take_in(memory, *map(thing, KINDS[1:]))
    before = of_all(memory)
    listed = ", ".join(f"{kind}:{X}" for kind in sorted(KINDS[1:]))
    with pytest.raises(Conflict, match=f"matches several records; choose one of: {listed}$"):
        USES[use](memory, note, X)
    assert of_all(memory) == before
    for name in listed.split(", "):  # each of those listed can be used
        USES[use](memory, note, name)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("kind", KINDS)
def test_kind_and_id_name_one_thing_everywhere(same, use, kind):
    note = same.store_memory(content="note")["id"]
    made = USES[use](same, note, f"{kind}:{X}")
    if use == "graph_traverse":
        assert [(node["kind"], node["id"], node["depth"]) for node in made] == [(kind, X, 0)]
        return
    name = X if kind == "memory" else f"{kind}:{X}"
    ends = {edge[end] for item in exported(same) for edge in item["edges"] for end in ("source", "target")}
    assert name in ends
    assert len(ends) == 2


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("given", ["vector:nobody", "nobody:x", "entity:", ":", "solution:sol_ffffffff"])
def test_an_id_that_nothing_has_is_named_and_nothing_is_written(same, use, given):
    note = same.store_memory(content="note")["id"]
    before = of_all(same)
    with pytest.raises(NotFound, match=rf"'{given}' is unknown"):
        USES[use](same, note, given)
    assert of_all(same) == before


def test_a_long_text_in_the_place_of_an_id_is_not_repeated_whole(memory):
    with pytest.raises(NotFound, match="…' is unknown") as refused:
        memory.graph_traverse(start_id="word " * 800)
    assert len(str(refused.value)) < 400


ODD = ("entity:Ann", "memory:Ann", "vector:entity:Ann")


@pytest.mark.parametrize("key", ODD)
def test_an_id_that_looks_like_another_with_its_kind_can_still_be_told_apart(memory, key):
    kind = key.partition(":")[0]
    note = memory.store_memory(content="note")["id"]
    take_in(memory, {**thing(kind, key.partition(":")[2]), "memory_type": "context"})
    take_in(memory, thing("vector", key), thing("failure", key))

    def meant(given):
        memory.associate_memories(source_id=note, target_id=given, relationship="LEADS_TO")
        return {step["kind"] for step in memory.graph_traverse(start_id=given, max_depth=0)}

    assert meant(key) == {kind}
    assert meant(f"vector:{key}") == {"vector"}
    assert meant(f"failure:{key}") == {"failure"}


def test_relations_of_ids_that_look_like_others_survive_export_and_import(memory, open_store):
    take_in(
        memory,
        {**thing("memory", "entity:Ann"), "memory_type": "context"},
        {**thing("memory", "b"), "memory_type": "context", "content": "another"},
        thing("entity", "Ann"),
        thing("vector", "entity:Ann"),
    )
    ends = ["memory:entity:Ann", "b", "entity:Ann", "vector:entity:Ann"]
    for at, source in enumerate(ends):
        for target in ends[at + 1 :]:
            memory.associate_memories(source_id=source, target_id=target, relationship="LEADS_TO", weight=at / 8)
    other = open_store("other")
    take_in(other, *exported(memory))
    assert of_all(other) == of_all(memory)
    assert sum(len(item["edges"]) for item in of_all(memory)) == 6


# --- The gate between entities ---

FIX = "fix#boom#0a1b2c3d"
DOC = "doc#" + "0" * 64


@pytest.fixture
def canonical(memory):
    memory.create_entities(
        entities=[
            {"name": "err#boom", "entityType": "Error"},
            {"name": FIX, "entityType": "Fix"},
            {"name": DOC, "entityType": "Doc"},
            {"name": "Ann", "entityType": "person"},
        ]
    )
    memory.memorize(id="v", vector=[1.0])
    return memory


@pytest.mark.parametrize(
    ("source", "target", "relation", "allowed"),
    [
        (FIX, DOC, "DERIVED_FROM", True),
        (DOC, FIX, "DERIVED_FROM", False),
        ("err#boom", DOC, "derived_from", False),
        (f"entity:{DOC}", "entity:err#boom", "Derived_From", False),
        ("Ann", DOC, "DERIVED_FROM", True),
        ("err#boom", DOC, "RELATES_TO", True),
        ("v", DOC, "DERIVED_FROM", True),
        ("err#boom", "v", "DERIVED_FROM", True),
    ],
)
def test_every_tool_that_relates_entities_passes_the_gate(canonical, source, target, relation, allowed):
    before = of_all(canonical)
    for relate in (
        lambda: canonical.associate_memories(source_id=source, target_id=target, relationship=relation),
        lambda: canonical.create_relations(
            relations=[{"from": end(source), "to": end(target), "relationType": relation}]
        ),
    ):
        if allowed:
            if "v" in (source, target) and relate.__code__.co_names[0] == "create_relations":
                continue
            relate()
        else:
            with pytest.raises(InvalidInput, match="relationType DERIVED_FROM joins Fix to Doc, got"):
                relate()
            assert of_all(canonical) == before


def end(name):
    return name.removeprefix("entity:")


def test_what_import_memories_brings_passes_the_gate_and_the_rest_of_it_is_taken(canonical):
    edge = {"source": f"entity:{DOC}", "target": "entity:err#boom", "relationship": "DERIVED_FROM"}
    right = {"source": f"entity:{FIX}", "target": f"entity:{DOC}", "relationship": "DERIVED_FROM"}
    done = canonical.import_memories(memories=[{"content": "a", "edges": [edge, right]}])
    assert done["imported"] == 1
    assert [error["index"] for error in done["errors"]] == [0]
    assert "relationType DERIVED_FROM joins Fix to Doc" in done["errors"][0]["error"]
    assert canonical.read_graph()["relations"] == [{"from": FIX, "to": DOC, "relationType": "DERIVED_FROM"}]


def test_without_validation_no_tool_has_a_gate(open_store):
    memory = open_store(graph_validation="off")
    memory.create_entities(entities=[{"name": "err#boom", "entityType": "x"}, {"name": FIX, "entityType": "y"}])
    memory.associate_memories(source_id="err#boom", target_id=FIX, relationship="DERIVED_FROM")
    edge = {"source": "entity:err#boom", "target": f"entity:{FIX}", "relationship": "RESOLVES"}
    assert memory.import_memories(memories=[{"content": "a", "edges": [edge]}])["errors"] == []
    assert len(memory.read_graph()["relations"]) == 2


def test_with_strict_validation_every_tool_keeps_to_the_taxonomy(open_store):
    memory = open_store(graph_validation="strict")
    memory.create_entities(entities=[{"name": "err#boom", "entityType": "Error"}, {"name": FIX, "entityType": "Fix"}])
    with pytest.raises(InvalidInput, match="relationType must be one of"):
        memory.associate_memories(source_id="err#boom", target_id=FIX, relationship="RELATES_TO")
    note = memory.store_memory(content="note", links=["err#boom"])["id"]  # no relation between entities
    assert memory.graph_traverse(start_id=note)[1]["id"] == "err#boom"
