"""Relations of the graph say since when and until when they hold."""

import pytest

from consolidated import undo
from indelible.clock import utc_now
from indelible.errors import InvalidInput


def relation(source, name, target):
    return {"from": source, "to": target, "relationType": name}


@pytest.fixture
def graph(memory):
    """Ann knows Bob; Acme stands alone."""
    names = ("Ann", "Bob", "Acme")
    memory.create_entities(entities=[{"name": n, "entityType": "thing", "observations": []} for n in names])
    memory.create_relations(relations=[relation("Ann", "knows", "Bob")])
    return memory


def test_a_relation_says_since_when_and_until_when_it_holds(graph):
    made = {**relation("Ann", "leads", "Acme"), "valid_from": "2019-01-01", "valid_to": "2020-01-01T00:00:00+00:00"}
    shown = {
        **relation("Ann", "leads", "Acme"),
        "valid_from": "2019-01-01T00:00:00.000000Z",
        "valid_to": "2020-01-01T00:00:00.000000Z",
        "validity": "ended",
    }
    plain = relation("Ann", "owns", "Acme")
    assert graph.create_relations(relations=[made, plain]) == {"relations": [shown, plain]}
    for answer in (
        graph.read_graph(),
        graph.search_nodes(query="acme"),
        graph.open_nodes(names=["Acme"]),
        graph.read_graph(limit=3),
    ):
        assert answer["relations"][-2:] == [shown, plain]
    steps = graph.graph_traverse(start_id="entity:Ann", max_depth=1)
    (step,) = [each for each in steps if each.get("relationship") == "leads"]
    assert {name: step[name] for name in ("valid_from", "valid_to", "validity")} == {
        name: shown[name] for name in ("valid_from", "valid_to", "validity")
    }


def test_a_known_relation_takes_times_that_are_given_and_loses_them_by_undo(graph):
    known = relation("Ann", "knows", "Bob")
    ahead = {**known, "valid_from": "2990-01-01T00:00:00.000000Z", "validity": "ahead"}
    assert graph.create_relations(relations=[{**known, "valid_from": "2990-01-01"}]) == {"relations": [ahead]}
    assert graph.create_relations(relations=[{**known, "valid_from": "2990-01-01"}]) == {"relations": []}
    assert graph.create_relations(relations=[known]) == {"relations": []}
    assert graph.read_graph()["relations"][0] == ahead
    undo(graph)
    assert graph.read_graph()["relations"][0] == known
    graph.create_relations(relations=[{**known, "valid_from": "2990-01-01"}])
    assert graph.create_relations(relations=[{**known, "valid_from": ""}]) == {"relations": [known]}


@pytest.mark.parametrize(
    ("times", "words"),
    [
        ({"valid_from": "soon"}, r"relations\.0: valid_from"),
        ({"valid_from": "2020-01-01", "valid_to": "2019-01-01"}, r"relations\.0: valid_to"),
    ],
)
def test_wrong_times_of_a_relation_are_refused_and_nothing_is_stored(graph, times, words):
    before = graph.read_graph()
    with pytest.raises(InvalidInput, match=words):
        graph.create_relations(relations=[{**relation("Bob", "leads", "Acme"), **times}])
    assert graph.read_graph() == before


def test_a_search_as_of_a_time_says_what_held_then(graph, clock):
    graph.create_relations(relations=[{**relation("Ann", "leads", "Acme"), "valid_to": "2990-01-01"}])
    then = utc_now().isoformat()
    (shown,) = [each for each in graph.search_nodes(query="ann", as_of=then)["relations"] if "valid_to" in each]
    assert "validity" not in shown
