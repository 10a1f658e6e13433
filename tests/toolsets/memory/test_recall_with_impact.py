"""recall_with_impact: each hit of recall with what hangs on it."""

import pytest

from codebases import Codebase
from command_line import undo
from foreign import take_in
from indelible.core.records import history
from indelible.model import MAY_SUPERSEDE, RELATIONSHIPS
from indelible.store.tables import trash
from indelible.toolsets.code import links
from indelible.toolsets.registry import find_tool

QUERY = "axum router"
DEPENDING = ("CALLS", "IMPORTS", "INHERITS", "EXTENDS", "IMPLEMENTS", "DEPENDS_ON")


def store(memory, *ids, **fields):
    """Memories of these ids that the query does not find."""
    texts = [{"id": name, "content": f"text of {name}", **fields} for name in ids]
    assert memory.import_memories(memories=texts)["errors"] == []


@pytest.fixture
def asked(memory):
    """A store whose memory `hit` alone answers the query."""
    memory.import_memories(memories=[{"id": "hit", "content": "axum router chosen", "importance": 0.9}])
    return memory


def relate(memory, source, target, relationship="EXPLAINS", **weight):
    memory.associate_memories(source_id=source, target_id=target, relationship=relationship, **weight)


def code(memory, kind, *ids, **metadata):
    take_in(memory, *({"kind": kind, "id": name, "content": name, "metadata": metadata} for name in ids))


def impact(memory, of="hit"):
    return next(h["impact"] for h in memory.recall_with_impact(query=QUERY, k=100) if h["id"] == of)


def files(memory):
    return impact(memory)["dependent_files"]


# --- As recall ---


def test_hits_are_those_of_recall_in_its_order_and_nothing_hangs_on_a_lone_one(asked):
    asked.import_memories(memories=[{"id": "other", "content": "another router"}])
    plain = asked.recall_memory(query=QUERY)
    hits = asked.recall_with_impact(query=QUERY)
    assert [hit["id"] for hit in hits] == [hit["id"] for hit in plain] == ["hit", "other"]
    nothing = {"pagerank": 0.0, "centrality": 0.0, "connected_decisions": [], "dependent_files": []}
    for hit in hits:
        assert hit.pop("impact") == {**nothing, "modification_count": 0}
        assert hit.keys() == plain[0].keys()


def test_k_and_namespace_are_those_of_recall(memory):
    for i in range(12):
        memory.store_memory(content=f"axum router number {i}", namespace="/even" if i % 2 == 0 else "/odd")
    assert len(memory.recall_with_impact(query=QUERY)) == 10
    assert memory.recall_with_impact(query=QUERY, k=0) == []
    hits = memory.recall_with_impact(query=QUERY, k=3, namespace="/odd")
    assert [hit["namespace"] for hit in hits] == ["/odd"] * 3


@pytest.mark.parametrize("query", ["xyzzy quux", "!!!"])
def test_what_nothing_answers_has_no_impact(asked, query):
    assert asked.recall_with_impact(query=query) == []


def test_returned_hits_are_counted_as_accessed_and_connected_decisions_are_not(asked):
    store(asked, "d", memory_type="decision")
    relate(asked, "hit", "d", "CONTAINS")
    asked.recall_with_impact(query=QUERY, k=1)
    assert {item["id"]: item["access_count"] for item in asked.export_memories()} == {"hit": 1, "d": 0}


# --- Centrality ---


def test_pagerank_and_centrality_are_fractions_of_the_largest_of_the_namespace(memory):
    for space in ("/a", "/b"):
        leaves = 4 if space == "/a" else 2
        hub = memory.store_memory(content=f"axum router hub of {space}", namespace=space)["id"]
        for i in range(leaves):
            leaf = memory.store_memory(content=f"axum router leaf {i} of {space}", namespace=space)["id"]
            relate(memory, leaf, hub)
    hits = memory.recall_with_impact(query=QUERY, k=20)
    assert len(hits) == 8
    for hit in hits:
        found = hit["impact"]
        if "hub" in hit["content"]:
            assert (found["pagerank"], found["centrality"]) == (1.0, 1.0)
        else:
            assert 0 < found["pagerank"] < 1
            assert found["centrality"] == 0


def test_mentions_of_code_make_nothing_central_which_the_tool_says_and_a_relation_does(memory):
    here = "/home/me/app"
    Codebase(memory, here).add({"src/router.py": ["router.axum_router"]})
    text = "axum router: `axum_router` it is"
    hit = memory.store_memory(content=text, memory_type="decision", namespace=here)["id"]
    links.catch_up(memory.context)
    found = impact(memory, hit)
    assert found["dependent_files"] == ["src/router.py"]
    assert (found["pagerank"], found["centrality"]) == (0, 0)
    said = find_tool("recall_with_impact").description
    assert "Merely mentioning code gives no pagerank or centrality" in said
    relate(memory, hit, "sym:router.axum_router@src/router.py")
    assert impact(memory, hit)["pagerank"] > 0


# --- Connected decisions ---


@pytest.mark.parametrize("relationship", RELATIONSHIPS)
@pytest.mark.parametrize("forward", [True, False])
def test_a_decision_one_relation_away_is_connected_by_any_relation_but_a_supposed_version(asked, relationship, forward):
    store(asked, "d", memory_type="decision")
    relate(asked, *(("hit", "d") if forward else ("d", "hit")), relationship)
    assert impact(asked)["connected_decisions"] == ([] if relationship == MAY_SUPERSEDE else ["d"])


def test_only_decisions_one_relation_away_are_connected(asked):
    store(asked, "near", "far", memory_type="decision")
    store(asked, "insight", memory_type="insight")
    code(asked, "failure", "decision")
    relate(asked, "hit", "near")
    relate(asked, "near", "far")
    relate(asked, "hit", "insight")
    relate(asked, "hit", "failure:decision")
    assert impact(asked)["connected_decisions"] == ["near"]


def test_connected_decisions_come_heaviest_first_then_newest_then_by_id(asked):
    times = {"old": 1, "new": 2, "tie b": 3, "tie a": 3, "heavy": 0}
    for name, day in times.items():
        store(asked, name, memory_type="decision", created_at=f"2026-01-0{day + 1}T00:00:00Z")
        relate(asked, "hit", name, weight=0.5)
    relate(asked, "heavy", "hit", "LEADS_TO", weight=0.6)
    assert impact(asked)["connected_decisions"] == ["heavy", "tie a", "tie b", "new", "old"]


# --- Files ---


@pytest.mark.parametrize("forward", [True, False])
def test_a_linked_file_is_a_dependent_file(asked, forward):
    code(asked, "file", "file:src/auth.py")
    relate(asked, *(("hit", "file:src/auth.py") if forward else ("file:src/auth.py", "hit")))
    assert files(asked) == ["src/auth.py"]


def test_the_file_of_a_linked_symbol_is_named_by_its_metadata_or_by_what_contains_it(asked):
    code(asked, "symbol", "sym:by_metadata", file_path="src/metadata.py")
    code(asked, "symbol", "sym:Class", "sym:Class.method", "sym:lost", "sym:odd")
    code(asked, "file", "file:src/class.py")
    relate(asked, "file:src/class.py", "sym:Class", "CONTAINS")
    relate(asked, "sym:Class", "sym:Class.method", "CONTAINS")
    for symbol in ("sym:by_metadata", "sym:Class.method", "sym:lost", "sym:odd"):
        relate(asked, "hit", symbol)
    assert files(asked) == ["src/class.py", "src/metadata.py"]


def test_two_symbols_of_one_class_are_in_its_file_at_whatever_depth(asked):
    code(asked, "symbol", "sym:C", "sym:C.m", "sym:C.m.inner", "sym:C.n")
    code(asked, "file", "file:c.py")
    relate(asked, "file:c.py", "sym:C", "CONTAINS")
    for outer, inner in (("sym:C", "sym:C.m"), ("sym:C.m", "sym:C.m.inner"), ("sym:C", "sym:C.n")):
        relate(asked, outer, inner, "CONTAINS")
    asked.import_memories(memories=[{"id": "second", "content": "axum router again"}])
    relate(asked, "hit", "sym:C.n")
    relate(asked, "second", "sym:C.m.inner")
    assert impact(asked, "hit")["dependent_files"] == impact(asked, "second")["dependent_files"] == ["c.py"]


def test_symbols_that_contain_each_other_are_in_no_file(asked):
    code(asked, "symbol", "sym:a", "sym:b")
    relate(asked, "sym:a", "sym:b", "CONTAINS")
    relate(asked, "sym:b", "sym:a", "CONTAINS")
    relate(asked, "hit", "sym:a")
    assert files(asked) == []


@pytest.mark.parametrize("relationship", RELATIONSHIPS)
@pytest.mark.parametrize("incoming", [True, False])
def test_what_depends_directly_on_a_linked_symbol_or_file_is_a_dependent_file(asked, relationship, incoming):
    code(asked, "symbol", "sym:used", file_path="used.py")
    code(asked, "symbol", "sym:other", file_path="other.py")
    code(asked, "file", "file:linked.py", "file:importing.py")
    relate(asked, "hit", "sym:used")
    relate(asked, "hit", "file:linked.py")
    for pair in (("sym:other", "sym:used"), ("file:importing.py", "file:linked.py")):
        relate(asked, *(pair if incoming else reversed(pair)), relationship)
    reached = {"other.py", "importing.py"} if incoming and relationship in DEPENDING else set()
    assert files(asked) == sorted({"used.py", "linked.py"} | reached)


def test_only_what_depends_directly_is_reached_and_only_code(asked):
    for name in ("a", "b", "c"):
        code(asked, "symbol", f"sym:{name}", file_path=f"{name}.py")
    relate(asked, "sym:b", "sym:a", "CALLS")
    relate(asked, "sym:c", "sym:b", "CALLS")
    store(asked, "note", metadata={"file_path": "note.py"})
    relate(asked, "note", "sym:a", "DEPENDS_ON")
    relate(asked, "hit", "sym:a")
    assert files(asked) == ["a.py", "b.py"]


@pytest.mark.parametrize("path", [None, 7, ["x.py"], ""])
def test_a_symbol_whose_metadata_names_no_path_has_none(asked, path):
    code(asked, "symbol", "sym:x", file_path=path)
    relate(asked, "hit", "sym:x")
    assert files(asked) == []


# --- Modifications ---


def modified(memory, of="hit"):
    return impact(memory, of)["modification_count"]


def test_every_update_counts(asked):
    for i in range(3):
        assert modified(asked) == i
        asked.update_memory(id="hit", content=f"axum router chosen, version {i}")
    assert modified(asked) == 3


def test_an_update_of_the_importance_alone_counts_and_one_that_changes_nothing_does_not(asked):
    asked.update_memory(id="hit", content="axum router chosen", importance=0.4)
    asked.update_memory(id="hit", content="axum router chosen", importance=0.4)
    assert modified(asked) == 1


def test_an_update_that_was_undone_does_not_count(asked):
    asked.update_memory(id="hit", content="axum router chosen twice")
    asked.update_memory(id="hit", content="axum router chosen thrice")
    undo(asked.context)
    assert modified(asked) == 1
    undo(asked.context)
    assert modified(asked) == 0
    undo(asked.context, history.history(asked.context, "hit")[0]["operation"])  # the undo itself
    assert modified(asked) == 1


def test_reading_relating_and_confirming_a_memory_is_no_modification(memory):
    captured = {"origin": "capture", "trust": "untrusted"}
    memory.import_memories(memories=[{"id": "hit", "content": "axum router chosen", "metadata": captured}])
    memory.store_memory(content="axum router chosen")  # which makes it trusted
    store(memory, "b")
    relate(memory, "hit", "b", weight=0.3)
    relate(memory, "hit", "b", weight=0.4)
    memory.recall_memory(query=QUERY)
    assert modified(memory) == 0


def test_updates_that_the_trash_has_forgotten_count_as_one(asked):
    for i in range(3):
        asked.update_memory(id="hit", content=f"axum router chosen, version {i}")
    asked.context.store.write(lambda tx: trash.trim(tx, before=1 << 62))
    assert modified(asked) == 1
    asked.update_memory(id="hit", content="axum router chosen, version 3")
    asked.update_memory(id="hit", content="axum router chosen, version 4")
    assert modified(asked) == 2


def test_refinements_count_for_the_new_memory_and_for_the_old_one(asked):
    second = asked.refine_memory(id="hit", content="axum router chosen for its speed")["new_id"]
    assert (modified(asked, "hit"), modified(asked, second)) == (1, 1)
    third = asked.refine_memory(id=second, content="axum router chosen for its speed and safety")["new_id"]
    asked.update_memory(id=third, content="axum router chosen for its speed, safety and size")
    assert [modified(asked, name) for name in ("hit", second, third)] == [1, 2, 3]


def test_a_memory_that_several_evolved_into_counts_all_that_led_to_it(asked):
    for source, target in (("a", "b"), ("b", "hit"), ("c", "hit"), ("a", "c")):
        for name in (source, target):
            if name != "hit":
                store(asked, name)
        relate(asked, source, target, "EVOLVED_INTO")
    relate(asked, "hit", "a", "SUPERSEDES")
    assert modified(asked) == 4


def test_memories_that_evolved_into_each_other_in_a_circle_are_counted_once_each(asked):
    store(asked, "a", "b")
    for source, target in (("hit", "a"), ("a", "b"), ("b", "hit")):
        relate(asked, source, target, "EVOLVED_INTO")
    assert modified(asked) == 3
