"""The trace of a recall: each stage at which a record can fall out, and why each hit is there."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from foreign import take_in
from indelible.core.recall import recall, trace
from indelible.core.recall.candidates import Query
from indelible.errors import Conflict, InvalidInput
from indelible.model import COMPONENTS
from made_up_meaning import embed_all, with_meaning

WORDS = "axum router deploy cluster banana yellow invoice ledger retry socket".split()


def store(memory, *contents, **arguments):
    return [memory.store_memory(content=content, **arguments)["id"] for content in contents]


def explained(memory, query, id_, k=10, **filters):
    return trace.explain(memory.context, Query(query, k, **filters), id_)


def reasons(memory, query, k=10, **filters):
    found = trace.explained(memory.context, Query(query, k, **filters))
    return {each.hit.record.key: [(why.by, why.id, why.relationship) for why in each.reasons] for each in found}


# --- exists ---


def test_an_unknown_id_is_no_error(memory):
    found = explained(memory, "axum", "no-such-id")
    assert (found.stage, found.reason, found.record, found.place) == ("exists", "unknown", None, None)
    assert found.sentence.startswith("id 'no-such-id' is unknown")


def test_a_deleted_record_is_named_so_until_it_is_back(memory):
    (id_,) = store(memory, "axum router chosen")
    memory.delete_memory(id=id_)
    assert explained(memory, "axum router", id_).reason == "deleted"
    assert "indelible undo" in explained(memory, "axum router", id_).sentence
    assert explained(memory, "axum router", f"memory:{id_}").reason == "deleted"


def test_a_solution_of_another_repository_is_unknown(open_store):
    shop = open_store(project="/home/me/shop")
    made = shop.matrix_store(problem="axum router panics", solution="pin tower to 0.4", scope="repo")
    id_ = made["id"]
    assert explained(shop, "axum router panics", id_).stage == "returned"
    other = open_store(project="/home/me/other")
    assert explained(other, "axum router panics", id_).reason == "unknown"


def test_the_beginning_of_an_id_is_enough(memory):
    (id_,) = store(memory, "axum router chosen")
    assert explained(memory, "axum router", id_[:8]).id == id_


def test_a_trace_without_results_or_of_an_earlier_time_is_refused(memory):
    (id_,) = store(memory, "axum router chosen")
    with pytest.raises(InvalidInput, match="k must be at least 1"):
        explained(memory, "axum", id_, k=0)
    with pytest.raises(InvalidInput, match="leave as_of out"):
        explained(memory, "axum", id_, as_of=1)
    with pytest.raises(InvalidInput, match="leave as_of out"):
        trace.explained(memory.context, Query("axum", 3, as_of=1))


# --- filter ---


@pytest.mark.parametrize(
    ("filters", "reason", "said"),
    [
        ({"type": "decision"}, "type", "its type is context, asked for is decision"),
        ({"namespace": "/dev/other"}, "project", "its project is /dev/app, searched is /dev/other"),
        ({"kinds": ("solution",)}, "kind", "its kind is memory, searched are solution"),
        ({"kinds": ("commit",)}, "kind", "its kind is memory, searched are commit"),
    ],
)
def test_each_filter_says_that_it_was_that_one(memory, filters, reason, said):
    (id_,) = store(memory, "axum router chosen", namespace="/dev/app")
    found = explained(memory, "axum router", id_, **filters)
    assert (found.stage, found.reason, found.filters) == ("filter", reason, (reason,))
    assert said in found.sentence


def test_what_refuses_it_twice_is_named_twice(memory):
    (id_,) = store(memory, "axum router chosen", namespace="/dev/app")
    found = explained(memory, "axum router", id_, type="decision", namespace="/dev/other")
    assert found.filters == ("type", "project")


def test_what_has_expired_is_outside(memory, clock):
    (id_,) = store(memory, "axum router chosen", expires_at="1d")
    assert explained(memory, "axum router", id_).stage == "returned"
    clock.pass_(days=2)
    assert explained(memory, "axum router", id_).reason == "expired"


# --- candidates, floor ---


def test_by_words_alone_what_shares_none_was_not_found(memory):
    _, other = store(memory, "axum router chosen", "bananas are yellow")
    found = explained(memory, "axum router", other)
    assert (found.stage, found.reason) == ("candidates", "unmatched")
    assert (found.place.word_rank, found.place.overlap, found.place.cosine) == (0, 0, None)
    assert list(found.components) == list(COMPONENTS)
    assert "none of the words" in found.sentence


def test_by_meaning_what_is_far_falls_at_the_floor(open_store):
    memory = open_store()
    ctx = with_meaning(memory.context)
    _, other, *_ = store(memory, "axum router chosen", "bananas are yellow", "invoices are paid late")
    embed_all(ctx)
    found = trace.explain(ctx, Query("axum router chosen", 10), other)
    assert (found.stage, found.reason) == ("floor", "below")
    place = found.place
    assert place.embedded
    assert place.relevance < place.least_relevance
    assert place.cosine < place.least_cosine
    assert place.word_share < place.least_word_share
    assert list(found.components) == list(COMPONENTS)
    assert found.score < found.last_score


def test_a_common_word_alone_is_below_the_floor(memory):
    ids = store(memory, *(f"the server number {word} runs" for word in WORDS), "the server has an axum router")
    found = explained(memory, "axum router and server of the burrow in wombat county", ids[4])
    assert (found.stage, found.place.word_rank > 0) == ("floor", True)
    assert "none rare enough" in found.sentence


# --- rank, collapse, returned ---


def test_what_is_beyond_the_limit_has_its_rank_and_the_score_that_it_missed(memory):
    store(memory, *(f"axum router note {word}" for word in WORDS))
    hits = recall.ranked(memory.context, Query("axum router", 10))
    for rank, hit in enumerate(hits, 1):
        found = explained(memory, "axum router", hit.record.key, k=3)
        assert (found.stage, found.rank, found.limit) == ("returned" if rank <= 3 else "rank", rank, 3)
        assert found.score == pytest.approx(hit.score)
        assert found.last_score == pytest.approx(hits[2].score)
        assert found.components == pytest.approx(hit.components)


def test_by_words_what_is_far_beyond_the_limit_is_not_even_found(memory):
    ids = store(memory, *(f"axum router{' padding' * (i + 1)} note{i}" for i in range(60)))
    found = explained(memory, "axum router", ids[-1], k=1)
    assert (found.stage, found.reason, found.place.word_rank) == ("candidates", "unmatched", 60)
    assert 0 < found.place.overlap < found.place.last_overlap
    assert "by words it is number 60" in found.sentence


def test_what_is_found_far_beyond_the_limit_has_its_rank_by_relevance(open_store):
    memory = open_store()
    ctx = with_meaning(memory.context)
    ids = store(memory, *(f"axum router{' padding' * (i + 1)} note{i}" for i in range(60)))
    embed_all(ctx)
    traces = [trace.explain(ctx, Query("axum router", 1), id_) for id_ in ids]
    assert sorted(found.rank for found in traces) == [*range(1, 61)]
    assert {found.reason for found in traces} == {"", "limit", "relevance"}
    assert all((found.reason == "relevance") == (found.rank > 42) for found in traces)
    assert all(list(found.components) == list(COMPONENTS) for found in traces)


def test_equal_texts_are_one_and_the_other_is_named(memory):
    take_in(memory, *({"id": each, "kind": "todo", "content": "axum router chosen"} for each in ("first", "second")))
    (shown,) = (hit["id"] for hit in memory.recall_memory(query="axum router"))
    (hidden,) = {"first", "second"} - {shown}
    found = explained(memory, "axum router", hidden)
    assert (found.stage, found.reason, found.into, found.into_rank) == ("collapse", "text", shown, 1)
    assert f"is shown by {shown}" in found.sentence


# --- Why ---


def test_a_hit_by_words_says_so_and_marks_the_sentence(memory):
    text = "Bananas are yellow. We chose the axum router. Invoices are paid late."
    (id_,) = store(memory, text)
    (found,) = trace.explained(memory.context, Query("which axum router?", 5))
    assert (found.rank, [why.by for why in found.reasons]) == (1, ["words"])
    start, end = found.passage
    assert text[start:end] == "We chose the axum router."
    assert explained(memory, "which axum router?", id_).passage == found.passage


def test_a_hit_by_meaning_has_no_passage_where_it_shares_no_word(open_store):
    memory = open_store()
    ctx = with_meaning(memory.context)
    store(memory, "axum router chosen")
    embed_all(ctx)
    (found,) = trace.explained(ctx, Query("axum router chosen", 5))
    assert {why.by for why in found.reasons} == {"words", "meaning"}


def test_a_hit_by_a_relation_names_the_record_and_the_relation(memory):
    hit, related = store(memory, "axum router chosen", "measured on the old cluster")
    memory.associate_memories(source_id=hit, target_id=related, relationship="LEADS_TO")
    found = reasons(memory, "axum router")
    assert found[hit] == [("words", "", "")]
    assert found[related] == [("relation", hit, "LEADS_TO")]
    assert explained(memory, "axum router", related).reasons == (trace.Reason("relation", hit, "LEADS_TO"),)


def test_nothing_is_counted_as_an_access(memory):
    (id_,) = store(memory, "axum router chosen")
    explained(memory, "axum router", id_)
    trace.explained(memory.context, Query("axum router", 5))
    (hit,) = memory.recall_memory(query="axum router")
    assert hit["access_count"] == 0


# --- The trace agrees with the recall ---

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(texts, st.sampled_from(["context", "decision"]), st.booleans()), min_size=1, max_size=12),
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=4),
    texts,
    st.integers(1, 4),
    st.sampled_from([None, "decision"]),
    st.booleans(),
)
def test_the_trace_says_returned_of_the_hits_and_of_nothing_else(open_store, kept, pairs, asked, k, type_, meant):
    memory = open_store()
    ctx = with_meaning(memory.context) if meant else memory.context
    ids = []
    for text, of_type, ours in kept:
        namespace = "/dev/app" if ours else "/dev/other"
        ids += store(memory, text, memory_type=of_type, namespace=namespace)
    ids = list(dict.fromkeys(ids))
    for source, target in pairs:
        if source != target and max(source, target) < len(ids):
            memory.associate_memories(source_id=ids[source], target_id=ids[target], relationship="LEADS_TO")
    if meant:
        embed_all(ctx)
    query = Query(asked, k, type=type_)
    hits = {hit.record.key: (rank, hit.score) for rank, hit in enumerate(recall.ranked(ctx, query), 1)}
    assert [each.hit.record.key for each in trace.explained(ctx, query)] == list(hits)
    assert all(each.reasons for each in trace.explained(ctx, query))
    for id_ in ids:
        found = trace.explain(ctx, query, id_)
        assert found.sentence.startswith(f"memory {id_} ")
        assert (found.stage == "returned") == (id_ in hits), found.sentence
        if id_ in hits:
            assert (found.rank, pytest.approx(found.score)) == hits[id_]
            assert found.reasons
        elif found.stage == "rank":
            assert found.rank > len(hits)
        elif found.stage == "collapse":
            assert found.into_rank is not None


def test_an_id_of_two_kinds_must_name_one(memory):
    for kind in ("solution", "document"):
        take_in(memory, {"id": "twice", "kind": kind, "content": "axum router"})
    with pytest.raises(Conflict, match="choose one of"):
        explained(memory, "axum router", "twice", kinds=("memory",))


def test_the_nearest_below_the_floor_are_named_the_most_relevant_first(open_store):
    memory = open_store()
    ctx = with_meaning(memory.context)
    ids = store(memory, "bananas are yellow", "invoices are paid late", "a cluster of bananas")
    embed_all(ctx)
    query = Query("wombat burrow", 5)
    assert recall.ranked(ctx, query) == []
    found = trace.nearest(ctx, query, 2)
    assert {each.id for each in found} < set(ids)
    assert [each.stage for each in found] == ["floor"] * 2
    assert found[0].place.relevance >= found[1].place.relevance
    assert "is below" in found[0].sentence
    (answer,) = trace.explained(ctx, Query("yellow", 5))
    assert answer.hit.record.key not in {each.id for each in trace.nearest(ctx, Query("yellow", 5), 9)}
