"""Communities and ranks of the graph of code and memories."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from indelible.core.context.context import Context, open_context
from indelible.errors import InvalidInput
from indelible.settings import Settings
from indelible.toolsets.code import clusters
from indexed_code import call, write

GROUPS, IN_A_GROUP = 16, 40


def module(group: int) -> str:
    """A module of functions that call the first one and the one before."""
    lines = [f"def invoice_{group}_start():\n    return 0\n"]
    for number in range(1, IN_A_GROUP):
        before = f"invoice_{group}_{number - 1}()" if number > 1 else "0"
        lines.append(f"def invoice_{group}_{number}():\n    return invoice_{group}_start() + {before}\n")
    return "\n\n".join(lines)


@pytest.fixture(scope="module")
def ctx(tmp_path_factory) -> Iterator[Context]:
    """A codebase of two parts that hardly know each other."""
    home = tmp_path_factory.mktemp("clusters")
    shop = write(
        home / "shop",
        {
            "billing/tax.py": "def rate():\n    return 1\n\n\ndef gross(n):\n    return n * rate()\n",
            "billing/invoice.py": "from billing.tax import gross\n\n\ndef total(n):\n    return gross(n)\n\n\n"
            "def send(n):\n    return total(n) + gross(n)\n",
            "billing/__init__.py": "",
            "depot/__init__.py": "",
            "depot/rack.py": "def place():\n    return 1\n\n\ndef find():\n    return place()\n",
            "depot/crane.py": "from depot.rack import find, place\n\n\ndef lift():\n    return find() + place()\n\n\n"
            "def lower():\n    return lift() + place()\n",
        },
    )
    opened = open_context(Settings(data=home / "data", start=shop, home=home))
    call(opened, "index_codebase", path=str(shop))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def large(tmp_path_factory) -> Iterator[Context]:
    home = tmp_path_factory.mktemp("large")
    shop = write(home / "shop", {f"part_{group:02}/work.py": module(group) for group in range(GROUPS)})
    opened = open_context(Settings(data=home / "data", start=shop, home=home))
    call(opened, "index_codebase", path=str(shop))
    yield opened
    opened.close()


# --- Communities ---


def test_what_belongs_together_is_one_cluster_with_a_readable_name(ctx):
    found = call(ctx, "get_clusters")
    assert (found["cluster_count"], found["resolution"]) == (len(found["clusters"]), 1.0)
    assert 0 < found["modularity"] < 1
    by_member = {member: each for each in found["clusters"] for member in each["members"]}
    assert by_member["sym:billing.tax.gross"] is by_member["sym:billing.invoice.total"]
    assert by_member["sym:depot.rack.place"] is by_member["sym:depot.crane.lift"]
    assert by_member["sym:depot.rack.place"] is not by_member["sym:billing.tax.gross"]
    assert by_member["sym:billing.tax.gross"]["label"].startswith("billing")
    assert by_member["sym:depot.rack.place"]["label"].startswith("depot")


def test_clusters_are_ordered_by_size_and_their_members_by_rank(ctx):
    found = call(ctx, "get_clusters")["clusters"]
    assert [each["cluster_id"] for each in found] == list(range(len(found)))
    sizes = [each["size"] for each in found]
    assert sizes == sorted(sizes, reverse=True) == [len(each["members"]) for each in found]
    ranks = {each["id"]: each["pagerank"] for each in call(ctx, "get_pagerank", top_k=1_000)["results"]}
    for each in found:
        order = [ranks[member] for member in each["members"]]
        assert order == sorted(order, reverse=True)
    assert len(ranks) == sum(sizes)


def test_a_higher_resolution_gives_more_clusters(ctx):
    counts = [call(ctx, "get_clusters", resolution=each)["cluster_count"] for each in (0.01, 1.0, 10.0)]
    assert counts[0] <= counts[1] < counts[2]


def test_the_same_graph_has_the_same_clusters(ctx):
    assert call(ctx, "get_clusters", resolution=1.7) == call(ctx, "get_clusters", resolution=1.7)


def test_memories_are_in_the_graph_with_the_code_that_they_are_related_to(tmp_path):
    ctx = open_context(Settings(data=tmp_path / "data", start=tmp_path, home=tmp_path))
    first = call(ctx, "store_memory", content="The crane may not lift more than two racks")["id"]
    second = call(ctx, "store_memory", content="Racks are placed by hand", links=[first])["id"]
    (only,) = call(ctx, "get_clusters")["clusters"]
    assert set(only["members"]) == {first, second}
    ranked = call(ctx, "get_pagerank")["results"]
    assert {each["id"]: (each["kind"], each["label"]) for each in ranked} == {
        first: ("memory", "The crane may not lift more than two racks"),
        second: ("memory", "Racks are placed by hand"),
    }
    ctx.close()


def test_of_a_large_graph_the_most_central_members_are_named_and_all_are_counted(large):
    found = call(large, "get_clusters")
    named = sum(len(each["members"]) for each in found["clusters"])
    counted = sum(each["size"] for each in found["clusters"])
    assert counted > GROUPS * IN_A_GROUP
    assert clusters.MOST_MEMBERS - len(found["clusters"]) < named <= clusters.MOST_MEMBERS
    lengths = {len(each["members"]) for each in found["clusters"] if each["size"] > 31}
    assert len(lengths) == 1
    for each in found["clusters"]:
        if each["size"] >= IN_A_GROUP:
            assert each["members"][0].endswith("_start")


def test_an_empty_store_has_no_clusters_and_no_ranks(tmp_path):
    ctx = open_context(Settings(data=tmp_path / "data", start=tmp_path, home=tmp_path))
    assert call(ctx, "get_clusters") == {"cluster_count": 0, "resolution": 1.0, "modularity": 0.0, "clusters": []}
    assert call(ctx, "get_pagerank") == {"damping": 0.85, "top_k": 20, "results": []}
    ctx.close()


# --- Ranks ---


def test_what_much_depends_on_ranks_first_with_its_kind_and_name(ctx):
    found = call(ctx, "get_pagerank", top_k=3)
    assert (found["top_k"], found["damping"], len(found["results"])) == (3, 0.85, 3)
    kinds = {each["id"]: (each["kind"], each["label"]) for each in found["results"]}
    assert kinds["sym:depot.rack.place"] == ("function", "place")
    ranks = [each["pagerank"] for each in found["results"]]
    assert ranks == sorted(ranks, reverse=True)


def test_ranks_sum_to_one_whatever_the_damping(ctx):
    for damping in (0.0, 0.5, 0.85, 1.0):
        found = call(ctx, "get_pagerank", top_k=1_000, damping=damping)["results"]
        assert sum(each["pagerank"] for each in found) == pytest.approx(1, abs=1e-4)
    even = call(ctx, "get_pagerank", top_k=1_000, damping=0)["results"]
    assert len({each["pagerank"] for each in even}) == 1


def test_no_results_are_asked_for_and_none_come(ctx):
    assert call(ctx, "get_pagerank", top_k=0)["results"] == []


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("get_pagerank", {"top_k": -1}, "top_k must be between 0 and"),
        ("get_pagerank", {"top_k": 1.5}, "top_k must"),
        ("get_pagerank", {"damping": 1.01}, "damping must be between 0 and 1"),
        ("get_pagerank", {"damping": float("nan")}, "damping"),
        ("get_pagerank", {"damping": True}, "damping must"),
        ("get_clusters", {"resolution": 0}, "resolution must be between 0.01 and 100"),
        ("get_clusters", {"resolution": -1.0}, "resolution must be between 0.01 and 100"),
        ("get_clusters", {"resolution": 1e9}, "resolution must be between 0.01 and 100"),
        ("get_clusters", {"resolution": "high"}, "resolution must"),
    ],
)
def test_what_is_out_of_range_is_refused_with_what_is_allowed(ctx, tool, arguments, words):
    with pytest.raises(InvalidInput, match=words):
        call(ctx, tool, **arguments)
