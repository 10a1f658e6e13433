"""associate_memories and graph_traverse."""

import itertools

import pytest

from foreign import take_in
from indelible.errors import Conflict, InvalidInput, NotFound
from indelible.model import MAY_SUPERSEDE, RELATIONSHIPS


@pytest.fixture
def nodes(memory):
    """Memories whose ids are letters, so that their order is known."""
    letters = "abcdefgh"
    memory.import_memories(memories=[{"id": name, "content": f"memory {name}"} for name in letters])
    return memory


def relate(memory, *pairs):
    """Relations from pairs of letters, `ab` or `("ab", weight)`."""
    for pair in pairs:
        ends, weight = pair if isinstance(pair, tuple) else (pair, 1.0)
        memory.associate_memories(source_id=ends[0], target_id=ends[1], relationship="LEADS_TO", weight=weight)


def edges(memory):
    """Every relation once: (source, relationship, target, weight)."""
    found = {
        (edge["source"], edge["relationship"], edge["target"], edge["weight"])
        for item in memory.export_memories(limit=100)
        for edge in item["edges"]
    }
    return sorted(found)


def walk(memory, start="a", **arguments):
    return [(step["id"], step["depth"]) for step in memory.graph_traverse(start_id=start, **arguments)]


# --- associate_memories ---


@pytest.mark.parametrize("relationship", RELATIONSHIPS)
def test_every_documented_relationship_is_taken_in_any_case_and_shown_in_upper_case(nodes, relationship):
    spoken = relationship.title()
    made = nodes.associate_memories(source_id="a", target_id="b", relationship=spoken)
    assert made == {"source": "a", "target": "b", "relationship": relationship, "weight": 1.0}
    assert edges(nodes) == [("a", relationship, "b", 1.0)]


def test_there_are_the_23_documented_relationships_and_our_own():
    assert len(set(RELATIONSHIPS) - {MAY_SUPERSEDE}) == 23


@pytest.mark.parametrize("weight", [0, 0.8, 1, -2.5, 1e308, -1e308, 5e-324, 12345678901234567])
def test_done_again_only_the_weight_is_replaced(nodes, weight):
    nodes.associate_memories(source_id="a", target_id="b", relationship="LEADS_TO", weight=0.5)
    nodes.associate_memories(source_id="a", target_id="b", relationship="leads_to", weight=weight)
    assert edges(nodes) == [("a", "LEADS_TO", "b", float(weight))]
    assert walk(nodes) == [("a", 0), ("b", 1)]
    assert len(nodes.recall_memory(query="memory a")) == 8
    again = nodes.import_memories(memories=nodes.export_memories())
    assert (again["skipped"], again["errors"]) == (8, [])


def test_relations_differ_by_direction_and_by_name(nodes):
    for source, target, relationship in (("a", "b", "LEADS_TO"), ("b", "a", "LEADS_TO"), ("a", "b", "PART_OF")):
        nodes.associate_memories(source_id=source, target_id=target, relationship=relationship)
    assert edges(nodes) == [("a", "LEADS_TO", "b", 1), ("a", "PART_OF", "b", 1), ("b", "LEADS_TO", "a", 1)]
    assert nodes.codemem_stats()["graph"]["relationship_types"] == {"LEADS_TO": 2, "PART_OF": 1}


@pytest.mark.parametrize(("source", "target"), [("a", "a"), ("a", "memory:a"), ("memory:a", "a")])
def test_a_memory_is_not_related_to_itself(nodes, source, target):
    with pytest.raises(InvalidInput, match=r"target_id '(memory:)?a' is source_id itself"):
        nodes.associate_memories(source_id=source, target_id=target, relationship="LEADS_TO")
    assert edges(nodes) == []


def test_any_record_can_be_an_end(nodes):
    take_in(nodes, {"kind": "file", "id": "file:src/auth.py", "content": "src/auth.py"})
    made = nodes.associate_memories(source_id="a", target_id="file:src/auth.py", relationship="EXPLAINS")
    assert (made["source"], made["target"]) == ("a", "file:src/auth.py")
    steps = nodes.graph_traverse(start_id="file:src/auth.py")
    assert [(step["id"], step["kind"], step.get("memory_id")) for step in steps] == [
        ("file:src/auth.py", "file", None),
        ("a", "memory", "a"),
    ]


@pytest.mark.parametrize(("source", "target", "named"), [("x", "a", "source_id 'x'"), ("a", "y", "target_id 'y'")])
def test_an_unknown_end_is_an_error_that_names_it(nodes, source, target, named):
    with pytest.raises(NotFound, match=f"{named} is unknown"):
        nodes.associate_memories(source_id=source, target_id=target, relationship="LEADS_TO")
    assert edges(nodes) == []


def test_a_bare_id_that_fits_several_foreign_kinds_lists_them(nodes):
    take_in(nodes, *({"kind": kind, "id": "auth", "content": f"auth {kind}"} for kind in ("entity", "file")))
    with pytest.raises(
        Conflict, match="target_id 'auth' matches several records; choose one of: entity:auth, file:auth"
    ):
        nodes.associate_memories(source_id="a", target_id="auth", relationship="EXPLAINS")
    nodes.associate_memories(source_id="a", target_id="file:auth", relationship="EXPLAINS")
    assert edges(nodes) == [("a", "EXPLAINS", "file:auth", 1.0)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, r"(?s)source_id is required.*target_id is required.*relationship is required"),
        ({"relationship": "KNOWS"}, r"relationship must be one of 'RELATES_TO', .*got 'KNOWS'"),
        ({"relationship": "leads to"}, r"relationship must be one of .*got 'LEADS TO'|got 'leads to'"),
        ({"relationship": ""}, r"relationship must be one of"),
        ({"relationship": 5}, r"relationship must be one of .*got 5"),
        ({"weight": "1"}, r"weight must be a number, got '1'"),
        ({"weight": True}, r"weight must be a number, got True"),
        ({"weight": None}, r"weight must be a number, got None"),
        ({"weight": float("nan")}, r"weight must be a finite number, got nan"),
        ({"weight": float("-inf")}, r"weight must be a finite number, got -inf"),
        ({"source_id": ""}, r"source_id must .*got ''"),
        ({"target_id": 1}, r"target_id must be a text, got 1"),
        ({"note": "x"}, r"unknown argument 'note'; allowed are: source_id, target_id, relationship, weight"),
    ],
)
def test_bad_input_is_refused(nodes, arguments, words):
    good = {"source_id": "a", "target_id": "b", "relationship": "LEADS_TO"} if arguments else {}
    with pytest.raises(InvalidInput, match=words):
        nodes.associate_memories(**{**good, **arguments})
    assert edges(nodes) == []


# --- graph_traverse ---


def test_a_walk_starts_with_the_start_and_shows_each_node(nodes):
    stored = nodes.store_memory(content="A decision\nwith a second line")["id"]
    nodes.associate_memories(source_id="a", target_id=stored, relationship="LEADS_TO")
    assert nodes.graph_traverse(start_id="a") == [
        {"id": "a", "kind": "memory", "label": "memory a", "depth": 0, "path": ["a"], "memory_id": "a"},
        {
            "id": stored,
            "kind": "memory",
            "label": "A decision",
            "depth": 1,
            "path": ["a", stored],
            "relationship": "LEADS_TO",
            "direction": "outgoing",
            "memory_id": stored,
        },
    ]


@pytest.mark.parametrize("algorithm", ["bfs", "dfs"])
def test_each_step_says_the_relation_that_led_to_it_and_its_direction(nodes, algorithm):
    relate(nodes, "ab", "cb")
    nodes.associate_memories(source_id="d", target_id="c", relationship="SUPERSEDES", weight=0.5)
    nodes.associate_memories(source_id="c", target_id="d", relationship="EXPLAINS", weight=0.6)
    nodes.link_resources(source_id="later.md", target_id="d", relationship_type="depends on")
    start, *steps = nodes.graph_traverse(start_id="a", max_depth=5, algorithm=algorithm)
    assert start.keys().isdisjoint(("relationship", "direction"))
    assert [(step["id"], step["relationship"], step["direction"]) for step in steps] == [
        ("b", "LEADS_TO", "outgoing"),
        ("c", "LEADS_TO", "incoming"),
        ("d", "EXPLAINS", "outgoing"),  # the heavier of two
        (steps[-1]["id"], "depends on", "incoming"),
    ]


def test_a_long_first_line_is_cut_in_the_label(nodes):
    stored = nodes.store_memory(content="word " * 100)["id"]
    (step,) = nodes.graph_traverse(start_id=stored)
    assert step["label"].startswith("word word")
    assert step["label"].endswith("…")
    assert len(step["label"]) <= 80


@pytest.mark.parametrize("algorithm", ["bfs", "dfs"])
@pytest.mark.parametrize(("depth", "found"), [(0, "a"), (1, "ab"), (2, "abc"), (3, "abcd"), (100, "abcd"), (1.0, "ab")])
def test_a_walk_goes_as_far_as_it_may(nodes, algorithm, depth, found):
    relate(nodes, "ab", "bc", "cd")
    assert walk(nodes, max_depth=depth, algorithm=algorithm) == [(name, i) for i, name in enumerate(found)]


def test_a_walk_goes_two_relations_far_breadth_first_unless_said(nodes):
    relate(nodes, "ab", "bc", "cd", "ae")
    assert walk(nodes) == [("a", 0), ("b", 1), ("e", 1), ("c", 2)]


@pytest.mark.parametrize("algorithm", ["bfs", "dfs"])
def test_relations_are_followed_in_both_directions(nodes, algorithm):
    relate(nodes, "ba", "bc", "dc")
    assert walk(nodes, max_depth=5, algorithm=algorithm) == [("a", 0), ("b", 1), ("c", 2), ("d", 3)]


@pytest.mark.parametrize("algorithm", ["bfs", "dfs"])
def test_each_node_of_a_circle_comes_once(nodes, algorithm):
    relate(nodes, "ab", "bc", "ca", "ba", "ac")
    steps = walk(nodes, max_depth=50, algorithm=algorithm)
    assert sorted(name for name, _ in steps) == ["a", "b", "c"]


def test_breadth_first_gives_each_node_its_least_depth_and_depth_first_the_depth_of_its_path(nodes):
    relate(nodes, ("ab", 3), ("bc", 3), ("cd", 3), ("ad", 1))
    assert walk(nodes, max_depth=9) == [("a", 0), ("b", 1), ("d", 1), ("c", 2)]
    assert walk(nodes, max_depth=9, algorithm="dfs") == [("a", 0), ("b", 1), ("c", 2), ("d", 3)]
    paths = {step["id"]: step["path"] for step in nodes.graph_traverse(start_id="a", max_depth=9)}
    assert paths == {"a": ["a"], "b": ["a", "b"], "d": ["a", "d"], "c": ["a", "b", "c"]}


@pytest.mark.parametrize("algorithm", ["bfs", "dfs"])
def test_heavier_relations_come_first_then_smaller_ids(nodes, algorithm):
    relate(nodes, ("ag", 0.5), ("ae", 0.5), ("ab", 0.1), ("ah", 2), ("fa", 0.5))
    assert [name for name, _ in walk(nodes, algorithm=algorithm)] == list("ahefgb")


def test_of_several_relations_between_two_the_heaviest_counts(nodes):
    relate(nodes, ("ab", 0.1), ("ba", 0.9), ("ac", 0.5))
    assert [name for name, _ in walk(nodes)] == ["a", "b", "c"]


@pytest.mark.parametrize("algorithm", ["bfs", "dfs"])
def test_every_path_leads_over_relations_from_the_start(nodes, algorithm):
    relate(nodes, "ab", "cb", "cd", "be", "fe", "fa", "gd", "hg", "ha")
    known = {(source, target) for source, _, target, _ in edges(nodes)}
    steps = nodes.graph_traverse(start_id="a", max_depth=6, algorithm=algorithm)
    assert {step["id"] for step in steps} == set("abcdefgh")
    for step in steps:
        path = step["path"]
        assert (path[0], path[-1], len(path)) == ("a", step["id"], step["depth"] + 1)
        assert all((x, y) in known or (y, x) in known for x, y in itertools.pairwise(path))


@pytest.mark.slow
def test_a_walk_along_a_chain_is_bounded_by_its_depth(memory):
    items = [{"id": f"n{i:04}", "content": f"node {i}", "edges": []} for i in range(150)]
    for i in range(149):
        items[i]["edges"] = [{"source": f"n{i:04}", "target": f"n{i + 1:04}", "relationship": "LEADS_TO"}]
    memory.import_memories(memories=items)
    for algorithm in ("bfs", "dfs"):
        steps = walk(memory, "n0000", max_depth=100, algorithm=algorithm, limit=200)
        assert steps == [(f"n{i:04}", i) for i in range(101)]
        first = walk(memory, "n0000", max_depth=100, algorithm=algorithm)
        assert first == steps[: len(first)]
        assert 0 < len(first) < 101


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, r"start_id is required"),
        ({"start_id": ""}, r"start_id must .*got ''"),
        ({"start_id": "a", "max_depth": -1}, r"max_depth must be between 0 and 100, got -1"),
        ({"start_id": "a", "max_depth": 101}, r"max_depth must be between 0 and 100, got 101"),
        ({"start_id": "a", "max_depth": "2"}, r"max_depth must be a whole number, got '2'"),
        ({"start_id": "a", "max_depth": True}, r"max_depth must be a whole number, got True"),
        ({"start_id": "a", "max_depth": 2.5}, r"max_depth must be a whole number, got 2.5"),
        ({"start_id": "a", "algorithm": "BFS"}, r"algorithm must be one of 'bfs' or 'dfs', got 'BFS'"),
        ({"start_id": "a", "depth": 2}, r"unknown argument 'depth'; allowed are: start_id, max_depth, algorithm"),
    ],
)
def test_a_walk_with_bad_input_is_refused(nodes, arguments, words):
    with pytest.raises(InvalidInput, match=words):
        nodes.graph_traverse(**arguments)


def test_an_unknown_start_is_an_error_that_names_it(nodes):
    with pytest.raises(NotFound, match="start_id 'nowhere' is unknown"):
        nodes.graph_traverse(start_id="nowhere")
