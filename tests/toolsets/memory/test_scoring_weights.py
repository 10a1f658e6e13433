"""set_scoring_weights: what replaces, what is kept, who sees it."""

import threading

import pytest

from command_line import result
from indelible.errors import Conflict, InvalidInput
from indelible.model import COMPONENTS
from indelible.search.scoring import DEFAULT_WEIGHTS
from indelible.toolsets.registry import find_tool
from mcp_client import McpClient

EXAMPLE = {"vector_similarity": 0.4, "graph_strength": 0.3, "token_overlap": 0.1}
AFTER = {
    "vector_similarity": 0.4 / 1.15,
    "graph_strength": 0.3 / 1.15,
    "token_overlap": 0.1 / 1.15,
    "temporal": 0.1 / 1.15,
    "tag_matching": 0.1 / 1.15,
    "importance": 0.05 / 1.15,
    "confidence": 0.05 / 1.15,
    "recency": 0.05 / 1.15,
}
NOTHING = dict.fromkeys(COMPONENTS, 0.0)
# 0.5 for a weight that was 0.1 / 1.15: the sum is 1.05 / 1.15 + 0.5
LATER = {name: weight / (1.05 / 1.15 + 0.5) for name, weight in {**AFTER, "tag_matching": 0.5}.items()}


@pytest.mark.parametrize(
    ("calls", "weights"),
    [
        ([{}], dict(DEFAULT_WEIGHTS)),
        ([EXAMPLE], AFTER),
        ([EXAMPLE, {}], AFTER),
        ([EXAMPLE, {"tag_matching": 0.5}], LATER),
        ([EXAMPLE, {"tag_matching": 0.5}, dict(DEFAULT_WEIGHTS)], dict(DEFAULT_WEIGHTS)),
        ([dict(DEFAULT_WEIGHTS)], dict(DEFAULT_WEIGHTS)),
        ([{"recency": 1}], {**{n: w / 1.95 for n, w in DEFAULT_WEIGHTS.items()}, "recency": 1 / 1.95}),
        ([{"recency": 0}], {**{n: w / 0.95 for n, w in DEFAULT_WEIGHTS.items()}, "recency": 0.0}),
        ([{**NOTHING, "tag_matching": 7}], {**NOTHING, "tag_matching": 1.0}),
        ([{**NOTHING, "tag_matching": 5e-324}], {**NOTHING, "tag_matching": 1.0}),
        ([{**NOTHING, "tag_matching": 7}, {"recency": 3}], {**NOTHING, "tag_matching": 0.25, "recency": 0.75}),
        ([{name: 3 for name in COMPONENTS}], dict.fromkeys(COMPONENTS, 0.125)),
    ],
)
def test_given_weights_replace_omitted_ones_stay_and_all_are_divided_by_their_sum(memory, calls, weights):
    for arguments in calls:
        answer = memory.set_scoring_weights(**arguments)
        assert answer["updated"] == bool(arguments)
        assert list(answer["weights"]) == list(COMPONENTS)
        assert sum(answer["weights"].values()) == pytest.approx(1)
    assert answer["weights"] == pytest.approx(weights)
    assert memory.set_scoring_weights() == {"updated": False, "weights": answer["weights"]}


@pytest.mark.parametrize(
    ("arguments", "weights"),
    [
        ({"reset": True}, dict(DEFAULT_WEIGHTS)),
        ({"reset": True, **EXAMPLE}, AFTER),
        ({"reset": False, "recency": 1}, {**{n: w / 1.95 for n, w in DEFAULT_WEIGHTS.items()}, "recency": 1 / 1.95}),
    ],
)
def test_a_reset_begins_from_the_weights_of_a_new_store(open_store, arguments, weights):
    memory = open_store()
    if arguments["reset"]:
        memory.set_scoring_weights(tag_matching=7, temporal=0)
    answer = memory.set_scoring_weights(**arguments)
    assert answer == {"updated": True, "weights": pytest.approx(weights)}
    assert open_store().set_scoring_weights() == {"updated": False, "weights": answer["weights"]}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"recency": -0.01}, "recency must be at least 0, got -0.01"),
        ({"recency": float("nan")}, "recency must be a finite number"),
        ({"recency": float("inf")}, "recency must be a finite number"),
        ({"recency": True}, "recency must be a number, got True"),
        ({"recency": "0.5"}, "recency must be a number, got '0.5'"),
        ({"recency": [0.5]}, "recency must be a number"),
        ({"temporal": 0.1, "vector": 1}, "unknown argument 'vector'; allowed are: vector_similarity, graph_strength"),
        (NOTHING, "at least one of vector_similarity, .* must be above 0"),
        ({"recency": 1.7e308, "temporal": 1.7e308}, "too large to be added up"),
    ],
)
def test_what_is_no_weight_is_refused_and_changes_nothing(memory, arguments, says):
    memory.set_scoring_weights(**EXAMPLE)
    with pytest.raises(InvalidInput, match=says):
        memory.set_scoring_weights(**arguments)
    assert memory.set_scoring_weights()["weights"] == pytest.approx(AFTER)


def test_weights_that_would_be_0_together_with_the_current_ones_are_refused(memory):
    memory.set_scoring_weights(**{**NOTHING, "recency": 1})
    with pytest.raises(InvalidInput, match="must be above 0"):
        memory.set_scoring_weights(recency=0)
    assert memory.set_scoring_weights()["weights"]["recency"] == 1


def test_a_recall_adds_up_by_the_weights_that_hold(memory):
    for name in ("a", "b"):
        memory.store_memory(content=f"axum router {name}", tags=["axum"])
    for arguments in ({}, EXAMPLE, {"recency": 3}, {**NOTHING, "tag_matching": 1}, {**NOTHING, "importance": 1}):
        weights = memory.set_scoring_weights(**arguments)["weights"]
        for hit in memory.recall_memory(query="axum router"):
            parts = hit["score_breakdown"]
            assert hit["score"] == pytest.approx(sum(weights[n] * parts[n] for n in COMPONENTS), abs=2e-6)


def test_weights_change_the_order(memory):
    fits = memory.store_memory(content="axum router axum router", importance=0.1)["id"]
    matters = memory.store_memory(content="the router named axum is one of many things here", importance=1.0)["id"]

    def order():
        return [hit["id"] for hit in memory.recall_memory(query="axum router")]

    assert order() == [fits, matters]
    memory.set_scoring_weights(**{**NOTHING, "importance": 1})
    assert order() == [matters, fits]
    memory.set_scoring_weights(**DEFAULT_WEIGHTS)
    assert order() == [fits, matters]


def test_every_server_of_the_store_sees_them_at_once_and_later(open_store):
    mine, theirs, another = open_store(), open_store(), open_store("another")
    mine.store_memory(content="axum router")
    before = theirs.recall_memory(query="axum router")[0]["score"]
    mine.set_scoring_weights(**{**NOTHING, "token_overlap": 1})
    (hit,) = theirs.recall_memory(query="axum router")
    assert hit["score"] == hit["score_breakdown"]["token_overlap"] != before
    assert theirs.set_scoring_weights()["weights"] == mine.set_scoring_weights()["weights"]
    mine.close()
    assert open_store().set_scoring_weights()["weights"]["token_overlap"] == 1
    assert another.set_scoring_weights()["weights"] == pytest.approx(dict(DEFAULT_WEIGHTS))


def test_of_weights_that_are_set_at_once_none_is_lost(open_store):
    """Each writer makes one weight 0, in a store opened for it alone; whatever the order, only one is left."""
    stores = {name: open_store() for name in COMPONENTS[:-1]}
    ready = threading.Barrier(len(stores))

    def set_one(name):
        ready.wait()
        stores[name].set_scoring_weights(**{name: 0})

    threads = [threading.Thread(target=set_one, args=(name,)) for name in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert open_store().set_scoring_weights()["weights"] == pytest.approx({**NOTHING, COMPONENTS[-1]: 1.0})


def test_a_retry_with_the_same_key_is_answered_and_not_applied_again(memory):
    answers = [memory.call("set_scoring_weights", request_key="retry-1", recency=1) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2] == {"updated": True, "weights": answers[0]["weights"]}
    assert memory.set_scoring_weights()["weights"] == answers[0]["weights"]
    again = memory.set_scoring_weights(recency=1)["weights"]
    assert again["recency"] > answers[0]["weights"]["recency"]


def test_a_read_only_server_ranks_by_them_and_sets_none(open_store):
    open_store().set_scoring_weights(**{**NOTHING, "token_overlap": 1})
    reader = open_store(read_only=True)
    with pytest.raises(Conflict, match="read-only"):
        reader.set_scoring_weights(recency=1)
    assert reader.recall_memory(query="axum") == []


@pytest.mark.process
def test_over_mcp_and_on_the_command_line_they_are_the_same(tmp_path):
    data = tmp_path / "data"
    with McpClient(data) as client:
        client.call("store_memory", {"content": "axum router"})
        assert client.call("set_scoring_weights", EXAMPLE)["weights"] == pytest.approx(AFTER)
        (over_mcp,) = client.call("recall_memory", {"query": "axum router"})
    (hit,) = result("recall", "axum router", data=data)["hits"]
    assert hit["score"] == pytest.approx(over_mcp["score"], abs=0.01)
    assert hit["score"] == pytest.approx(sum(AFTER[n] * v for n, v in hit["score_breakdown"].items()), abs=2e-6)


def test_the_schema_shows_the_weights_that_hold_at_first():
    schema = find_tool("set_scoring_weights").input_schema
    properties = dict(schema["properties"])
    assert properties.pop("reset") == {
        "type": "boolean",
        "default": False,
        "description": "Omitted ones to their defaults",
    }
    shown = {name: (p["type"], p["minimum"], p["default"]) for name, p in properties.items()}
    assert shown == {name: ("number", 0, weight) for name, weight in DEFAULT_WEIGHTS.items()}
    assert "required" not in schema


def test_naming_a_weight_null_is_leaving_it_out(memory):
    assert memory.set_scoring_weights(recency=None)["updated"] is False
    with_null = memory.set_scoring_weights(**EXAMPLE, recency=None)
    assert with_null["weights"] == pytest.approx(AFTER)
