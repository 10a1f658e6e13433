"""Communities, held against networkx's Louvain."""

import itertools
import subprocess
import sys

import networkx
import numpy as np
import pytest

from indelible.graph.communities import LARGE, communities, modularity
from mcp_client import environment


def of(graph, **options):
    """The communities of a networkx graph."""
    edges = list(graph.edges(data="weight", default=1.0))
    ends = np.array([edge[:2] for edge in edges], np.int64).reshape(-1, 2)
    return communities(len(graph), ends[:, 0], ends[:, 1], np.array([edge[2] for edge in edges], float), **options)


def members(labels):
    """The communities as sets of nodes, by number."""
    return [set(np.flatnonzero(labels == label).tolist()) for label in range(labels.max(initial=-1) + 1)]


def of_pairs(nodes, *pairs):
    """The communities of (source, target, weight)."""
    sources, targets = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    return communities(nodes, sources, targets, np.array([pair[2] for pair in pairs], float)).tolist()


def cliques(*sizes):
    """Complete graphs side by side, each with one relation to the next."""
    graph = networkx.disjoint_union_all([networkx.complete_graph(size) for size in sizes])
    firsts = np.cumsum([0, *sizes[:-1]]).tolist()
    graph.add_edges_from(itertools.pairwise(firsts))
    return graph


def test_communities_are_numbered_by_size_then_by_their_smallest_node():
    labels = of(cliques(4, 6, 4, 5))
    assert labels.tolist() == [2] * 4 + [0] * 6 + [3] * 4 + [1] * 5


GRAPHS = {
    "a club": networkx.karate_club_graph(),
    "characters": networkx.convert_node_labels_to_integers(networkx.les_miserables_graph()),
    "planted": networkx.planted_partition_graph(8, 25, 0.3, 0.02, seed=1),
    "popular ones": networkx.powerlaw_cluster_graph(400, 2, 0.3, seed=2),
    "random": networkx.gnm_random_graph(300, 500, seed=3),
    "in a ring": networkx.ring_of_cliques(20, 5),
}


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("resolution", [0.5, 1.0, 2.0])
def test_modularity_is_at_least_that_of_louvain(graph, resolution):
    found = members(of(graph, resolution=resolution))
    known = networkx.community.louvain_communities(graph, seed=7, resolution=resolution)
    ours, theirs = (networkx.community.modularity(graph, parts, resolution=resolution) for parts in (found, known))
    assert ours >= theirs - 1e-9


# What graspologic-native found at the resolutions 0.5, 1 and 2 (docs/decisions/002-leiden.md).
BEFORE = {
    "a club": (0.6542, 0.4449, 0.1860),
    "characters": (0.7084, 0.5667, 0.3451),
    "planted": (0.6116, 0.5450, 0.4196),
    "popular ones": (0.6430, 0.5810, 0.5177),
    "random": (0.6506, 0.5824, 0.5222),
    "in a ring": (0.9045, 0.8591, 0.8091),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_modularity_is_near_that_of_the_library_before(name):
    for resolution, before in zip((0.5, 1.0, 2.0), BEFORE[name], strict=True):
        found = members(of(GRAPHS[name], resolution=resolution))
        ours = networkx.community.modularity(GRAPHS[name], found, resolution=resolution)
        assert ours > before - 0.005


@pytest.mark.slow
def test_modularity_of_groups_that_most_relations_lead_out_of():
    """Two of three relations lead to anywhere; graspologic-native found 0.4948."""
    dice = np.random.default_rng(2)
    sizes = np.minimum((dice.pareto(1.2, 1_500) * 10 + 5).astype(np.int64), 1_500)
    assert sizes.sum() == 49_134, "numpy draws another graph now: measure it anew"
    group, starts = np.repeat(np.arange(1_500), sizes), np.cumsum(sizes) - sizes
    sources = dice.integers(0, len(group), 120_000)
    own = group[sources]
    targets = starts[own] + (dice.random(120_000) * sizes[own]).astype(np.int64)
    anywhere = dice.random(120_000) < 0.65
    targets[anywhere] = dice.integers(0, len(group), anywhere.sum())
    found = communities(len(group), sources, targets, np.ones(120_000), alone=True)
    assert modularity(sources, targets, np.ones(120_000), found).sum() > 0.4948 - 0.005


def test_a_higher_resolution_gives_more_communities():
    graph = GRAPHS["popular ones"]
    counts = [len(members(of(graph, resolution=resolution))) for resolution in (0.2, 1.0, 5.0)]
    assert counts == sorted(set(counts))


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([], [0, 1, 2, 3]),
        ([(0, 1, 0.0)], [0, 1, 2, 3]),
        ([(0, 1, -1.0), (2, 3, 1.0)], [1, 2, 0, 0]),
        ([(2, 2, 1.0)], [0, 1, 2, 3]),
        ([(3, 1, 1.0)], [1, 0, 2, 0]),
        ([(0, 1, 1.7e308), (1, 0, 1.7e308), (2, 3, 1.7e308)], [0, 0, 1, 1]),
        ([(0, 1, 1.7e308), (2, 3, 5e-324)], [0, 0, 1, 1]),
        ([(0, 1, 5e-324), (2, 3, 5e-324)], [0, 0, 1, 1]),
    ],
)
def test_only_relations_of_positive_weight_to_others_bring_together(pairs, expected):
    assert of_pairs(4, *pairs) == expected


def test_weights_of_several_relations_between_two_are_added():
    ring = [(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0), (3, 0, 1.0)]
    assert of_pairs(4, *ring, *[(1, 2, 1.0)] * 5, *[(0, 3, 1.0)] * 5) == [0, 1, 1, 0]
    assert of_pairs(4, *ring, *[(1, 0, 1.0)] * 5, *[(2, 3, 1.0)] * 5) == [0, 0, 1, 1]


@pytest.mark.parametrize("resolution", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("shape", [networkx.star_graph, networkx.path_graph, networkx.complete_graph])
def test_graphs_of_one_shape_come_to_an_end(shape, resolution):
    graph = shape(100)
    found = members(of(graph, resolution=resolution))
    assert sum(map(len, found)) == len(graph)
    assert all(networkx.is_connected(graph.subgraph(part)) for part in found)


def test_no_nodes_are_no_communities():
    assert of_pairs(0) == []


PROGRAM = """
import numpy as np
from indelible.graph.communities import communities
ends = np.random.default_rng(1).integers(0, 500, (2, 900))
print(communities(500, *ends, np.ones(900)).tolist())
"""


@pytest.mark.process
def test_every_process_finds_the_same():
    found = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env=environment({"PYTHONHASHSEED": seed}),
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1


@pytest.fixture(scope="module")
def large():
    """A graph that is a child's work, and its communities."""
    sizes = [24] * 60 + [25] * 40
    return cliques(*sizes), sizes


def check_large(large):
    graph, sizes = large
    assert graph.number_of_edges() > LARGE
    labels = of(graph)
    assert np.bincount(labels).tolist() == sorted(sizes, reverse=True)
    firsts = np.cumsum([0, *sizes[:-1]])
    assert labels[firsts].tolist() == [*range(40, 100), *range(40)]
    assert (labels == np.repeat(labels[firsts], sizes)).all()


@pytest.mark.process
def test_communities_of_a_large_graph_are_found_by_a_child(large, caplog, tmp_path, monkeypatch):
    (tmp_path / "numpy.py").write_text("raise SystemExit('not the one of the working directory')")
    monkeypatch.chdir(tmp_path)
    check_large(large)
    assert caplog.records == []


@pytest.mark.process
def test_where_no_child_can_start_they_are_found_all_the_same_and_the_log_says_so(large, caplog, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    check_large(large)
    (record,) = caplog.records
    assert "/nowhere/python" in record.key
