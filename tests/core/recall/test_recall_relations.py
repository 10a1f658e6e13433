"""Recall follows relations: one hop from the best, records between two hits, and what replaced what."""

import itertools

import pytest


def store(memory, *contents, **arguments):
    return [memory.store_memory(content=content, **arguments)["id"] for content in contents]


def relate(memory, source, target, relationship="LEADS_TO", **weight):
    memory.associate_memories(source_id=source, target_id=target, relationship=relationship, **weight)


def recalled(memory, query, **arguments):
    return [hit["id"] for hit in memory.recall_memory(query=query, **arguments)]


# --- One hop and bridges ---


@pytest.mark.parametrize("forward", [True, False])
def test_what_is_related_to_a_hit_is_found_below_it_in_either_direction(memory, forward):
    hit, related, _ = store(memory, "axum router chosen", "measured on the old cluster", "bananas are yellow")
    relate(memory, *((hit, related) if forward else (related, hit)))
    assert recalled(memory, "axum router") == [hit, related]


def test_only_one_hop_is_followed(memory):
    hit, near, far = store(memory, "axum router chosen", "measured on the old cluster", "the cluster was sold")
    relate(memory, hit, near)
    relate(memory, near, far)
    assert recalled(memory, "axum router") == [hit, near]


def test_several_relations_between_the_same_two_lend_as_much_as_the_heaviest(memory):
    hit, once, often = store(memory, "axum router chosen", "lies beside once", "lies beside often")
    relate(memory, hit, once, "LEADS_TO", weight=0.9)
    for relationship in ("LEADS_TO", "REINFORCES", "EXPLAINS", "PART_OF"):
        relate(memory, hit, often, relationship, weight=0.8)
        relate(memory, often, hit, relationship, weight=0.8)
    lent = {h["id"]: h["score_breakdown"]["token_overlap"] for h in memory.recall_memory(query="axum router")}
    assert lent[hit] > lent[once] > lent[often] > 0


def test_a_record_that_many_hits_relate_to_is_lent_less_than_any_of_them_has(memory):
    hits = store(memory, *(f"axum router note {i} with several other words about it" for i in range(12)))
    (hub,) = store(memory, "an overview of everything")
    for hit in hits:
        relate(memory, hub, hit, "SUMMARIZES")
    lent = {h["id"]: h["score_breakdown"]["token_overlap"] for h in memory.recall_memory(query="axum router", k=20)}
    assert 0 < lent[hub] < min(lent[hit] for hit in hits)


@pytest.mark.parametrize("weight", [0, -1])
def test_a_relation_without_weight_lends_nothing(memory, weight):
    hit, related = store(memory, "axum router chosen", "measured on the old cluster")
    relate(memory, hit, related, weight=weight)
    assert recalled(memory, "axum router") == [hit]


def test_the_heavier_relation_lends_more(memory):
    hit, light, heavy = store(memory, "axum router chosen", "about the light thing", "about the heavy thing")
    relate(memory, hit, light, weight=0.3)
    relate(memory, hit, heavy, weight=0.9)
    assert recalled(memory, "axum router") == [hit, heavy, light]


def test_a_record_between_two_hits_comes_before_one_beside_a_single_hit(memory):
    one, two, beside, bridge = store(
        memory, "axum router chosen", "axum router replaced", "lies beside", "lies between"
    )
    relate(memory, one, beside)
    relate(memory, one, bridge)
    relate(memory, bridge, two)
    found = recalled(memory, "axum router")
    assert set(found[:2]) == {one, two}
    assert found[2:] == [bridge, beside]


@pytest.mark.parametrize(
    ("filtered", "found"),
    [({"namespace": "/a"}, True), ({"memory_type": "decision"}, False), ({"memory_type": "insight"}, False)],
)
def test_filters_hold_for_what_relations_bring(memory, filtered, found):
    (hit,) = store(memory, "axum router chosen", namespace="/a", memory_type="decision")
    (inside,) = store(memory, "measured on the old cluster", namespace="/a", memory_type="insight")
    (outside,) = store(memory, "sold to another team", namespace="/b", memory_type="insight")
    relate(memory, hit, inside)
    relate(memory, hit, outside)
    ids = recalled(memory, "axum router", **filtered)
    assert outside not in ids
    assert (inside in ids) == found


# --- Replaced memories ---

# The old one fits the query better than the new one, by far.
OLD = "gateway timeout: the gateway timeout is ten seconds"
NEW = "since the move of the cluster every request of the gateway may take twenty seconds before the timeout"
NEWER = (
    "thirty seconds, agreed with the platform team in the weekly call, for the gateway and whatever else has a timeout"
)


def components_add_up(hit):
    weights = {"graph_strength": 0.25, "token_overlap": 0.15, "temporal": 0.1, "tag_matching": 0.1}
    weights |= {"vector_similarity": 0.25, "importance": 0.05, "confidence": 0.05, "recency": 0.05}
    return hit["score"] == pytest.approx(sum(weights[n] * v for n, v in hit["score_breakdown"].items()), abs=2e-6)


@pytest.mark.parametrize(
    ("relationship", "old_is_source"), [("EVOLVED_INTO", True), ("INVALIDATED_BY", True), ("SUPERSEDES", False)]
)
def test_a_replaced_memory_stays_a_result_just_below_its_replacement(memory, relationship, old_is_source):
    old, new = store(memory, OLD, NEW)
    (other,) = store(memory, "gateway of the mailer with many words that say little about what is asked here")
    assert recalled(memory, "gateway timeout") == [old, new, other]
    relate(memory, *((old, new) if old_is_source else (new, old)), relationship)
    hits = memory.recall_memory(query="gateway timeout")
    assert [hit["id"] for hit in hits] == [new, old, other]
    assert hits[0]["score"] >= hits[1]["score"] >= hits[2]["score"]
    assert all(components_add_up(hit) for hit in hits)


@pytest.mark.parametrize(
    ("relationship", "old_is_source"), [("EVOLVED_INTO", True), ("INVALIDATED_BY", True), ("SUPERSEDES", False)]
)
def test_a_replaced_hit_names_what_replaces_it_and_scores_less(memory, relationship, old_is_source):
    old, new = store(memory, OLD, NEW)
    relate(memory, *((old, new) if old_is_source else (new, old)), relationship)
    first, second = memory.recall_memory(query="gateway timeout")
    assert (first["id"], second["id"], second["replaced_by"]) == (new, old, new)
    assert "replaced_by" not in first
    assert first["score"] > second["score"]
    assert components_add_up(second)


def test_a_replaced_hit_names_its_replacement_where_that_is_no_hit(memory):
    (old,) = store(memory, OLD, namespace="/a")
    (new,) = store(memory, "sixty seconds now", namespace="/b")
    relate(memory, new, old, "SUPERSEDES")
    (hit,) = memory.recall_memory(query="gateway timeout", namespace="/a")
    assert (hit["id"], hit["replaced_by"]) == (old, new)


def test_a_text_that_is_stored_again_after_it_was_replaced_is_current(memory):
    first = memory.store_memory(content="The package manager is npm")["id"]
    second = memory.refine_memory(id=first, content="The package manager is bun since March")["new_id"]
    again = memory.store_memory(content="The package manager is npm")
    assert again["status"] == "stored"
    hits = {hit["id"]: hit for hit in memory.recall_memory(query="package manager")}
    assert again["id"] in hits
    assert second in hits
    assert "replaced_by" not in hits[again["id"]]
    assert [hit["content"] for hit in hits.values()].count("The package manager is npm") == 1


def test_a_hit_that_only_a_relation_brings_says_which(memory):
    hit, related, beside = store(memory, "axum router chosen", "measured on the old cluster", "axum router measured")
    relate(memory, hit, related, "EXPLAINS", weight=0.5)
    relate(memory, related, hit, "LEADS_TO", weight=0.9)
    relate(memory, hit, beside, "LEADS_TO")
    found = {each["id"]: each.get("via") for each in memory.recall_memory(query="axum router")}
    assert found == {hit: None, beside: None, related: {"id": hit, "relationship": "LEADS_TO"}}


def test_other_relations_replace_nothing(memory):
    old, new = store(memory, OLD, NEW)
    for relationship in ("LEADS_TO", "CONTRADICTS", "DERIVED_FROM", "PRECEDED_BY", "REINFORCES"):
        relate(memory, old, new, relationship)
        relate(memory, new, old, relationship)  # so that both are equally central
        assert recalled(memory, "gateway timeout") == [old, new]


@pytest.mark.parametrize("order", list(itertools.permutations([OLD, NEW, NEWER])))
def test_a_chain_of_replacements_is_shown_newest_first_however_well_each_fits(memory, order):
    first, second, third = store(memory, *order)
    relate(memory, first, second, "EVOLVED_INTO")
    relate(memory, third, second, "SUPERSEDES")
    hits = memory.recall_memory(query="gateway timeout")
    assert [hit["id"] for hit in hits] == [third, second, first]
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(components_add_up(hit) for hit in hits)


def test_a_memory_replaced_by_two_stands_below_both(memory):
    old, new, newer = store(memory, OLD, NEW, NEWER)
    relate(memory, old, new, "EVOLVED_INTO")
    relate(memory, old, newer, "EVOLVED_INTO")
    found = recalled(memory, "gateway timeout")
    assert found[2] == old


def test_memories_that_replace_each_other_in_a_circle_are_all_found(memory):
    contents = store(memory, OLD, NEW, NEWER)
    for source, target in itertools.pairwise([*contents, contents[0]]):
        relate(memory, source, target, "EVOLVED_INTO")
    hits = memory.recall_memory(query="gateway timeout")
    assert {hit["id"] for hit in hits} == set(contents)
    assert all(components_add_up(hit) for hit in hits)


def test_a_replacement_that_is_no_hit_does_not_lower_the_replaced_one(memory):
    (old,) = store(memory, OLD, namespace="/a")
    (new,) = store(memory, "sixty seconds now", namespace="/b")
    before = memory.recall_memory(query="gateway timeout", namespace="/a", k=1)[0]["score_breakdown"]["token_overlap"]
    relate(memory, old, new, "EVOLVED_INTO")
    (hit,) = memory.recall_memory(query="gateway timeout", namespace="/a")
    assert hit["id"] == old
    assert hit["score_breakdown"]["token_overlap"] == before


def test_when_the_replacement_is_deleted_the_replaced_one_is_current_again(memory):
    old, new = store(memory, OLD, NEW)
    relate(memory, old, new, "EVOLVED_INTO")
    memory.delete_memory(id=new)
    assert recalled(memory, "gateway timeout") == [old]
    assert memory.store_memory(content=OLD)["status"] == "duplicate"
