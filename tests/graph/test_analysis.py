"""All measures of a graph in one go: a child's are those of this process, whatever order things were stored in."""

import networkx
import numpy as np
import pytest

from indelible.graph import analysis, child
from indelible.graph.analysis import Task


def task(seed=1, nodes=300, relations=900, **asked):
    """A random graph of records with ids far apart, in an order of its own."""
    chance = np.random.default_rng(seed)
    ids = np.sort(chance.choice(100_000, nodes, replace=False)) + 1
    sources, targets = chance.choice(ids, relations), chance.choice(ids, relations)
    related = np.unique(np.concatenate((sources, targets)))
    return Task(chance.permutation(related), sources, targets, chance.random(relations), **asked)


def assert_same(one, other):
    for name in ("ids", "pagerank", "betweenness", "degree", "community", "modularity"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@pytest.mark.process
def test_a_child_measures_what_this_process_does():
    asked = task(central=True, resolution=1.2, damping=0.7)
    found = child.run("analysis", asked.arrays(), 6)
    assert_same(analysis.Measures(*found), analysis.measured(asked, alone=False))


@pytest.mark.process
def test_where_no_child_can_start_a_large_graph_is_measured_here(monkeypatch, caplog):
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    asked = task(relations=analysis.LARGE + 1, resolution=1.0)
    assert_same(analysis.measures(asked), analysis.measured(asked, alone=False))
    assert "graph without a child" in caplog.text


def test_the_order_in_which_relations_were_stored_changes_nothing():
    one = task(central=True, quick=True, resolution=1.0)
    order = np.random.default_rng(2).permutation(len(one.sources))
    other = Task(
        *(one.nodes, one.sources[order], one.targets[order], one.weights[order]),
        central=True,
        quick=True,
        resolution=1.0,
    )
    assert_same(analysis.measured(one, alone=True), analysis.measured(other, alone=True))


@pytest.mark.parametrize("seed", range(3))
def test_ranks_and_communities_are_those_of_the_reference(seed):
    asked = task(seed, resolution=1.0, damping=0.6)
    found = analysis.measures(asked)
    graph = networkx.MultiDiGraph()
    rows = zip(asked.sources.tolist(), asked.targets.tolist(), asked.weights.tolist(), strict=True)
    graph.add_weighted_edges_from(rows)
    ranks = networkx.pagerank(graph, alpha=0.6, tol=1e-12)
    np.testing.assert_allclose(found.pagerank, [ranks[each] for each in found.ids.tolist()], atol=1e-6)
    simple = networkx.Graph()
    for source, target, weight in zip(asked.sources, asked.targets, asked.weights, strict=True):
        if source != target:
            before = simple.get_edge_data(source, target, {"weight": 0.0})["weight"]
            simple.add_edge(source, target, weight=before + weight)
    theirs = networkx.community.louvain_communities(simple, seed=1)
    assert found.modularity.sum() >= networkx.community.modularity(simple, theirs) - 0.005


def test_what_is_not_asked_for_is_not_measured():
    found = analysis.measures(task())
    assert not found.betweenness.any()
    assert not found.degree.any()
    assert len(set(found.community.tolist())) == len(found.ids)
    assert found.pagerank.sum() == pytest.approx(1)
