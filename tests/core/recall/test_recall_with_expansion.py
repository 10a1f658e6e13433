"""recall_with_expansion: the hits of recall, and what lies some relations away from them."""

import itertools
from dataclasses import replace

import pytest

from foreign import take_in
from in_turn import FULL_ON_BOTH
from indelible.core.recall.candidates import Query
from indelible.core.recall.expansion import recall_with_expansion
from indelible.core.recall.recall import recall
from indelible.errors import InvalidInput
from made_up_meaning import embed_all, with_meaning

# "a" answers the query; the others share no word with it, nor with each other.
TEXTS = {
    "a": "axum router chosen",
    "b": "measured on the old cluster",
    "c": "somebody sold the hardware",
    "d": "invoices go out on Fridays",
    "e": "paint dries slowly",
    "f": "bananas are yellow",
}
QUERY = "axum router"


@pytest.fixture
def nodes(memory):
    """Memories whose ids are letters, so that their order is known."""
    memory.import_memories(memories=[{"id": name, "content": text} for name, text in TEXTS.items()])
    return memory


def relate(memory, *pairs, relationship="LEADS_TO"):
    """Relations from pairs of letters, `ab` or `("ab", weight)`."""
    for pair in pairs:
        ends, weight = pair if isinstance(pair, tuple) else (pair, 1.0)
        memory.associate_memories(source_id=ends[0], target_id=ends[1], relationship=relationship, weight=weight)


def expanded(memory, depth=1, query=QUERY, **arguments):
    """The paths of the hits, best first, their ids joined."""
    hits = memory.recall_with_expansion(query=query, expansion_depth=depth, **arguments)
    assert all(hit["expansion_path"][-1] == hit["id"] for hit in hits)
    return ["".join(hit["expansion_path"]) for hit in hits]


def overlaps(hits):
    return {hit["id"]: hit["score_breakdown"]["token_overlap"] for hit in hits}


# --- How far ---


@pytest.mark.parametrize(
    ("depth", "found"),
    [
        (1, ["a", "ab"]),
        (2, ["a", "ab", "abc"]),
        (3, ["a", "ab", "abc", "abcd"]),
        (10, ["a", "ab", "abc", "abcd", "abcde"]),
    ],
)
def test_records_are_found_as_many_relations_away_as_asked_for(nodes, depth, found):
    relate(nodes, "ab", "bc", "cd", "de")
    assert expanded(nodes, depth) == found


def test_one_relation_is_followed_where_no_depth_is_given(nodes):
    relate(nodes, "ab", "bc")
    hits = nodes.recall_with_expansion(query=QUERY)
    assert [hit["expansion_path"] for hit in hits] == [["a"], ["a", "b"]]


def test_without_expansion_no_relation_is_followed(nodes):
    relate(nodes, "ab", "bc")
    assert [hit["id"] for hit in nodes.recall_memory(query=QUERY)] == ["a", "b"]
    assert expanded(nodes, 0) == ["a"]


def test_a_hit_at_the_end_of_a_path_names_its_last_relation(nodes):
    relate(nodes, "ab", "bc")
    relate(nodes, "cd", relationship="EXPLAINS")
    hits = nodes.recall_with_expansion(query=QUERY, expansion_depth=3)
    assert [hit.get("via") for hit in hits] == [
        None,
        {"id": "a", "relationship": "LEADS_TO"},
        {"id": "b", "relationship": "LEADS_TO"},
        {"id": "c", "relationship": "EXPLAINS"},
    ]


@pytest.mark.parametrize("depth", [-1, 11, 1.5, True, "1"])
def test_a_depth_that_is_not_allowed_is_refused(nodes, depth):
    with pytest.raises(InvalidInput, match="expansion_depth must"):
        nodes.recall_with_expansion(query=QUERY, expansion_depth=depth)


def test_relations_are_followed_against_their_direction_too_and_whatever_their_name(nodes):
    relate(nodes, "ba", relationship="CONTRADICTS")
    relate(nodes, "bc", relationship="SHARES_THEME")
    relate(nodes, "dc", relationship="CALLS")
    assert expanded(nodes, 3) == ["a", "ab", "abc", "abcd"]


@pytest.mark.parametrize("weight", [0, -0.5])
def test_a_relation_without_weight_leads_nowhere(nodes, weight):
    relate(nodes, "ab", ("bc", weight))
    assert expanded(nodes, 3) == ["a", "ab"]


def test_relations_in_a_circle_lead_to_each_record_once(nodes):
    relate(nodes, "ab", "bc", "ca", "ba", "cb", "ac")
    assert sorted(expanded(nodes, 10)) == ["a", "ab", "ac"]


# --- Which way ---


def test_the_shortest_way_is_shown_even_where_a_longer_one_is_heavier(nodes):
    relate(nodes, "ab", "bc", ("ac", 0.2))
    assert sorted(expanded(nodes, 3)) == ["a", "ab", "ac"]


def test_of_the_shortest_ways_the_heaviest_is_shown(nodes):
    relate(nodes, ("ab", 0.5), ("bd", 1.0), ("ac", 0.9), ("cd", 0.9))
    assert "acd" in expanded(nodes, 2)


@pytest.mark.parametrize("order", list(itertools.permutations("bce")))
def test_of_ways_of_one_weight_the_one_with_the_lower_ids_is_shown(nodes, order):
    relate(nodes, *(f"a{name}" for name in order), *(f"{name}d" for name in order))
    assert "abd" in expanded(nodes, 2)


def test_of_several_relations_between_the_same_two_the_heaviest_counts(nodes):
    relate(nodes, ("ab", 0.9), ("ac", 0.5), "bd", "cd")
    relate(nodes, ("ac", 0.95), relationship="EXPLAINS")
    assert "acd" in expanded(nodes, 2)


def test_a_way_begins_at_the_nearest_direct_hit(nodes):
    nodes.update_memory(id="c", content="axum router sold")
    relate(nodes, "ab", "bd", "cd", "de")
    assert set(expanded(nodes, 2)) == {"a", "c", "ab", "cd", "cde"}


def test_a_direct_hit_keeps_its_own_path_however_it_is_related(nodes):
    nodes.update_memory(id="b", content="axum router replaced")
    relate(nodes, "ab", "bc")
    assert set(expanded(nodes, 2)) == {"a", "b", "bc"}


# --- In which order ---


def test_what_relations_lend_decays_with_every_hop(nodes):
    relate(nodes, "ab", "bc", "cd")
    overlap = overlaps(nodes.recall_with_expansion(query=QUERY, expansion_depth=3))
    for near, far in itertools.pairwise("abcd"):
        assert overlap[far] == pytest.approx(0.4 * overlap[near], abs=2e-6)


def test_the_lighter_relation_lends_less(nodes):
    relate(nodes, "ab", ("bc", 0.5), ("bd", 0.9))
    assert expanded(nodes, 2) == ["a", "ab", "abd", "abc"]


def test_a_weight_above_one_lends_no_more_than_one(nodes):
    relate(nodes, ("ab", 50.0))
    overlap = overlaps(nodes.recall_with_expansion(query=QUERY))
    assert overlap["b"] == pytest.approx(0.4 * overlap["a"], abs=2e-6)


def test_what_has_something_of_the_query_itself_comes_before_what_has_nothing(memory):
    filler = [{"id": f"filler {i}", "content": f"the weekly notes number {i} say little"} for i in range(40)]
    close = [
        {"id": "a", "content": "axum router chosen"},
        {"id": "b", "content": "lies beside"},
        {"id": "c", "content": "lies beside, with the weekly notes"},
    ]
    memory.import_memories(memories=[*filler, *close])
    relate(memory, "ab", "ac")
    assert expanded(memory, 1, "axum router weekly", k=3) == ["a", "ac", "ab"]


def test_what_was_reached_has_its_own_meaning_and_on_top_what_the_relation_lends(nodes):
    ctx = with_meaning(nodes.context)
    embed_all(ctx)
    unjudged = replace(ctx, settings=replace(ctx.settings, floor=False, window=False))
    own = {h.record.key: h.components["vector_similarity"] for h in recall(unjudged, Query(QUERY, 10))}
    relate(nodes, "ab", "ac", "bd")
    hits = recall_with_expansion(ctx, Query(QUERY, 10), 2)
    found = {"".join(each.path): each.hit.components["vector_similarity"] for each in hits}
    assert found == {
        "a": pytest.approx(own["a"]),
        "ab": pytest.approx(own["b"] + 0.4 * own["a"]),
        "ac": pytest.approx(own["c"] + 0.4 * own["a"]),
        "abd": pytest.approx(own["d"] + 0.16 * own["a"]),
    }
    assert any(own[name] > 0 for name in "bcd")


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_hits_come_by_score_which_is_the_weighted_sum_of_its_components(nodes, depth):
    nodes.update_memory(id="d", content="a router of another make")
    relate(nodes, "ab", "bc", "ca", "de", "ef")
    hits = nodes.recall_with_expansion(query=QUERY, expansion_depth=depth)
    weights = {"graph_strength": 0.25, "token_overlap": 0.15, "temporal": 0.1, "tag_matching": 0.1}
    weights |= {"vector_similarity": 0.25, "importance": 0.05, "confidence": 0.05, "recency": 0.05}
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    for hit in hits:
        assert hit["score_breakdown"].keys() == weights.keys()
        assert hit["score"] == pytest.approx(sum(weights[n] * v for n, v in hit["score_breakdown"].items()), abs=2e-6)


# --- How many, and which ---


def test_there_are_never_more_than_k_and_those_are_the_best(nodes):
    relate(nodes, "ab", "ac", "ad", "be", "cf")
    everything = expanded(nodes, 2, k=10)
    assert len(everything) == 6
    for k in range(7):
        assert expanded(nodes, 2, k=k) == everything[:k]


def test_an_expanded_record_may_come_before_a_weaker_direct_hit(memory):
    memory.import_memories(
        memories=[
            {"id": "a", "content": "axum router chosen"},
            {"id": "b", "content": "measured on the old cluster"},
            {"id": "c", "content": "router " + " ".join(f"word{i}" for i in range(300))},
        ]
    )
    relate(memory, "ab")
    assert expanded(memory, 1, k=3) == ["a", "ab", "c"]


@pytest.mark.parametrize("query", ["xyzzy quux", "!!!", "的"])
def test_what_nothing_answers_is_not_expanded(nodes, query):
    relate(nodes, "ab", "bc")
    assert nodes.recall_with_expansion(query=query, expansion_depth=3) == []


def test_an_empty_store_has_no_hits(memory):
    assert memory.recall_with_expansion(query=QUERY, expansion_depth=3) == []


def test_the_namespace_holds_for_results_and_what_lies_on_the_way_may_be_of_another(memory):
    spaces = {"a": "/own", "b": "/other", "c": "/own", "d": "/own"}
    memory.import_memories(
        memories=[{"id": name, "content": TEXTS[name], "namespace": space} for name, space in spaces.items()]
    )
    relate(memory, "ab", "bc", "ad")
    assert expanded(memory, 1, namespace="/own") == ["a", "ad"]
    assert expanded(memory, 2, namespace="/own") == ["a", "ad", "abc"]
    assert expanded(memory, 2, namespace="/other") == []


def test_files_and_symbols_are_no_results_but_lead_to_others(nodes):
    take_in(
        nodes,
        {"kind": "file", "id": "file:x", "content": "x"},
        {"kind": "entity", "id": "E", "content": "an entity"},
    )
    for source, target in (("a", "file:x"), ("b", "file:x"), ("a", "E"), ("c", "E")):
        nodes.associate_memories(source_id=source, target_id=target, relationship="EXPLAINS")
    assert set(expanded(nodes, 1)) == {"a", "aE"}
    assert set(expanded(nodes, 2)) == {"a", "aE", "aEc", "afile:xb"}


def test_only_what_is_returned_counts_as_accessed(nodes):
    relate(nodes, "ab", "bc", "cd")
    nodes.recall_with_expansion(query=QUERY, expansion_depth=3, k=3)
    counts = {item["id"]: item["access_count"] for item in nodes.export_memories()}
    assert counts == {"a": 1, "b": 1, "c": 1, "d": 0, "e": 0, "f": 0}


def test_a_replaced_memory_that_was_reached_stands_below_its_replacement(nodes):
    relate(nodes, "ac", ("ab", 0.3))
    relate(nodes, "cb", relationship="EVOLVED_INTO")
    assert expanded(nodes, 1)[1:] == ["ab", "ac"]


def test_text_in_other_scripts_is_expanded_alike(memory):
    memory.import_memories(
        memories=[{"id": "a", "content": "認証にはJWTを使う"}, {"id": "b", "content": "größere Schlüssel"}]
    )
    relate(memory, "ab")
    assert expanded(memory, 1, "認証") == ["a", "ab"]


# --- Large graphs ---


@pytest.mark.slow
@pytest.mark.parametrize("count", [300, pytest.param(3000, marks=FULL_ON_BOTH)])
def test_from_a_record_with_very_many_relations_the_heaviest_are_found(memory, count):
    names = [f"n{i:04}" for i in range(count)]
    late = names[-100]
    heavy = {"n0017", late}
    others = [{"id": name, "content": f"text number {name}"} for name in names]
    hub = {
        "id": "hub",
        "content": "axum router chosen",
        "edges": [
            {"source": "hub", "target": name, "relationship": "LEADS_TO", "weight": 1.0 if name in heavy else 0.5}
            for name in names
        ],
    }
    last = {
        "id": "last",
        "content": "paint dries slowly",
        "edges": [{"source": late, "target": "last", "relationship": "LEADS_TO"}],
    }
    assert memory.import_memories(memories=[*others, hub, last])["errors"] == []
    paths = [hit["expansion_path"] for hit in memory.recall_with_expansion(query=QUERY, k=3, expansion_depth=2)]
    assert paths[0] == ["hub"]
    assert sorted(paths[1:]) == [["hub", "n0017"], ["hub", late]]
    many = memory.recall_with_expansion(query=QUERY, k=10_000, expansion_depth=2)
    assert len(many) == count + 2
    assert ["hub", late, "last"] in [hit["expansion_path"] for hit in many]
