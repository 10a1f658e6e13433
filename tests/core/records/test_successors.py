"""A memory that says another value of what an older one says is related to it behind the call; recall shows both."""

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from indelible.core.context import answering
from indelible.core.indexes.embedder import Embedder
from indelible.core.records import embedding_queue, successors
from indelible.model import MAY_SUPERSEDE, Edge
from indelible.store.tables import edges, pending, records, settings
from indelible.toolsets.memory import memories
from made_up_meaning import PATIENCE, WordsEncoder, compare_all, embed_all, waits_to_be_compared

OLD = "The lease of a worker lasts 20 seconds"
NEW = "The lease of a worker lasts 90 seconds"
QUERY = "how long does the lease of a worker last"


@pytest.fixture
def known(memory):
    """A store whose encoder is there."""
    return type(memory)(replace(memory.context, embedder=Embedder(WordsEncoder())))


def store(memory, *contents, **arguments):
    return [memory.store_memory(content=content, **arguments)["id"] for content in contents]


def stored(memory, *texts):
    """A context without a worker, and the keys of the texts that it has embedded and not compared."""
    ctx = replace(memory.context, embedder=Embedder(WordsEncoder()))
    keys = [memories.store(ctx, memories.NewMemory(text))["id"] for text in texts]
    embed_all(ctx)
    return ctx, keys


def related(memory, start):
    """The ids, relations and directions around a memory."""
    return [
        (step["id"], step["relationship"], step["direction"])
        for step in memory.graph_traverse(start_id=start, max_depth=1)[1:]
    ]


def recalled(memory, query=QUERY, **arguments):
    return [(hit["id"], hit.get("newer")) for hit in memory.recall_memory(query=query, **arguments)]


def test_the_newer_is_related_to_the_older_and_stands_before_it(known):
    old, new = store(known, OLD, NEW)
    compare_all(known.context)
    assert related(known, new) == [(old, "MAY_SUPERSEDE", "outgoing")]
    assert recalled(known) == [(new, None), (old, new)]


def test_a_command_compares_a_few_and_leaves_the_rest_to_a_server(memory):
    ctx, keys = stored(memory, *(f"The lease of worker {number} is renewed by the coordinator" for number in range(6)))
    assert successors.relate_few(ctx) == embedding_queue.FEW
    assert waits_to_be_compared(ctx)
    assert successors.relate(ctx) == len(keys) - embedding_queue.FEW
    assert successors.relate_few(ctx) == 0


def test_whichever_is_embedded_first(known):
    (old,) = store(known, OLD)
    compare_all(known.context)
    (new,) = store(known, NEW)
    compare_all(known.context)
    assert related(known, old) == [(new, "MAY_SUPERSEDE", "incoming")]


def test_a_newer_version_that_says_nothing_of_the_question_does_not_come_before_the_older(known):
    old, new = store(known, OLD + " as the plan of the first year says", NEW)
    compare_all(known.context)
    assert recalled(known, "plan first year", k=1) == [(old, new)]
    assert recalled(known, k=1) == [(new, None)]


def test_the_surer_it_is_the_less_near_a_newer_version_may_be(known):
    old, new = store(known, "The lease of a worker of the night shift lasts 20 seconds", NEW)
    compare_all(known.context)
    question = "how long does the lease of a worker of the night shift last"
    assert recalled(known, question) == [(new, None), (old, new)]
    known.associate_memories(source_id=new, target_id=old, relationship="MAY_SUPERSEDE", weight=0.7)
    assert recalled(known, question) == [(old, new), (new, None)]


def test_nothing_else_follows_it(known):
    old, new = store(known, OLD, NEW, importance=0.1)
    compare_all(known.context)
    assert {hit["id"]: hit["score_breakdown"]["graph_strength"] for hit in known.recall_memory(query=QUERY)} == {
        old: 0,
        new: 0,
    }
    hits = known.recall_with_expansion(query=QUERY, expansion_depth=2)
    assert [hit["expansion_path"] for hit in hits] == [[new], [old]]
    exported = {each["id"]: each["edges"] for each in known.export_memories()}
    assert [edge["relationship"] for edge in exported[new]] == ["MAY_SUPERSEDE"]


def test_a_refused_relation_is_not_made_again(known):
    old, new = store(known, OLD, NEW)
    compare_all(known.context)
    before = recalled(known)
    known.associate_memories(source_id=new, target_id=old, relationship="MAY_SUPERSEDE", weight=0)
    assert [newer for _, newer in recalled(known)] == [None, None]
    known.update_memory(id=new, content=NEW + " at least")
    known.update_memory(id=new, content=NEW)
    compare_all(known.context)
    assert [newer for _, newer in recalled(known)] == [None, None]
    assert before == [(new, None), (old, new)]


def test_it_goes_with_either_end_and_with_the_text_that_it_was_made_for(known):
    old, new = store(known, OLD, NEW)
    compare_all(known.context)
    known.update_memory(id=new, content="Rents are paid in advance")
    compare_all(known.context)
    assert related(known, old) == []
    known.update_memory(id=new, content=NEW)
    compare_all(known.context)
    assert related(known, old) == [(new, "MAY_SUPERSEDE", "incoming")]
    known.delete_memory(id=new)
    assert related(known, old) == []


def test_memories_of_other_projects_are_not_compared(known):
    store(known, OLD, namespace="/a")
    (new,) = store(known, NEW, namespace="/b")
    compare_all(known.context)
    assert related(known, new) == []


def test_what_was_claimed_by_a_process_that_ended_is_compared_by_the_next(memory):
    ctx, (old, new) = stored(memory, OLD, NEW)
    now = ctx.now()
    ended = ctx.store.write(lambda tx: pending.take(tx, "ended", now, now + 1, 20, work=pending.COMPARE))
    assert len(ended) == 2
    assert successors.relate(ctx) == 2
    assert successors.relate(ctx) == 0
    assert related(memory, new) == [(old, "MAY_SUPERSEDE", "outgoing")]


def test_a_stop_leaves_the_rest_on_the_list(memory):
    ctx, _ = stored(memory, OLD, NEW)
    answers = iter([False, False, True])
    assert successors.relate(ctx, lambda: next(answers, True)) == 1
    assert len(waits_to_be_compared(ctx)) == 1
    assert successors.relate(ctx) == 1


def test_it_gives_way_to_a_call(memory, monkeypatch):
    monkeypatch.setattr(answering, "LONGEST_WAY", 10 * PATIENCE)
    ctx, _ = stored(memory, OLD, NEW)
    several, stopping = threading.Event(), threading.Event()
    looks = itertools.count()

    def stop():
        if next(looks) > 3:
            several.set()
        return stopping.is_set()

    with ThreadPoolExecutor(1) as thread:
        with ctx.answering.call():
            work = thread.submit(successors.relate, ctx, stop)
            assert several.wait(PATIENCE)
            with ctx.store.read() as tx:
                assert edges.newer(tx, range(10)) == ([], [])
        try:
            assert work.result(PATIENCE) == 2
        finally:
            stopping.set()


def test_it_gives_no_way_for_ever_nor_where_it_is_to_stop(memory, monkeypatch):
    ctx, _ = stored(memory, OLD, NEW)
    with ctx.answering.call():
        monkeypatch.setattr(answering, "LONGEST_WAY", 10 * PATIENCE)
        ctx.answering.give_way(lambda: True)
        monkeypatch.setattr(answering, "LONGEST_WAY", 0.001)
        assert successors.relate(ctx) == 2


def test_how_long_it_gives_way_can_be_given(memory, monkeypatch):
    monkeypatch.setattr(answering, "LONGEST_WAY", 10 * PATIENCE)
    ctx, _ = stored(memory, OLD, NEW)
    with ctx.answering.call():
        assert successors.relate(ctx, longest=0.001) == 2


def test_every_call_is_given_way_to(memory):
    seen = []

    class Watching(WordsEncoder):
        def _embedding(self, text):
            ctx.answering.give_way(lambda: seen.append(text) or True)
            return super()._embedding(text)

    ctx = replace(memory.context, embedder=Embedder(Watching()))
    ctx.answering.give_way(lambda: seen.append("no call") or True)
    type(memory)(ctx).recall_memory(query=QUERY)
    assert seen == [QUERY]


def test_a_text_that_changes_while_it_is_compared_is_compared_again(memory):
    ctx, (_, new) = stored(memory, OLD, NEW)

    def stop():
        if next(asked) < 2:  # before the list is looked at, and before the newer is compared
            return False
        memories.update(ctx, new, "Rents are paid in advance", None)
        return True

    asked = itertools.count()
    assert successors.relate(ctx, stop) == 0
    embed_all(ctx)
    successors.relate(ctx)
    assert related(memory, new) == []


# --- What was stored before there were comparisons ---


def as_earlier(ctx):
    """Leave the store as a version without comparisons does: embedded, and on no list."""
    ctx.store.write(lambda tx: settings.drop(tx, successors.QUEUED))
    now = ctx.now()
    while claimed := ctx.store.write(lambda tx: pending.take(tx, "earlier", now, now + 1, 100, work=pending.COMPARE)):
        ctx.store.write(lambda tx, some=claimed: [pending.done(tx, record, "earlier") for record in some])


def test_what_was_embedded_before_there_were_comparisons_is_compared_once(memory):
    ctx, (old, new) = stored(memory, OLD, NEW)
    as_earlier(ctx)
    assert successors.relate(ctx) == 0
    assert not successors.queue_earlier(ctx)
    assert successors.relate(ctx) == 2
    assert related(memory, new) == [(old, "MAY_SUPERSEDE", "outgoing")]
    assert not successors.queue_earlier(ctx)
    assert waits_to_be_compared(ctx) == []


def test_it_goes_page_by_page_the_last_first_and_only_where_nothing_waits(memory, monkeypatch):
    monkeypatch.setattr(successors, "EARLIER", 2)
    ctx, keys = stored(memory, OLD, "Rents are paid in advance", "The moon is far", NEW, "Bread is baked at night")
    as_earlier(ctx)
    left = []
    while successors.queue_earlier(ctx):
        assert successors.queue_earlier(ctx)  # what is on the list comes first
        left.append(len(waits_to_be_compared(ctx)))
        successors.relate(ctx)
    left.append(successors.relate(ctx))
    assert left == [2, 2, 1]
    assert related(memory, keys[3]) == [(keys[0], "MAY_SUPERSEDE", "outgoing")]


def test_several_at_once_compare_each_memory_once(memory, monkeypatch):
    monkeypatch.setattr(successors, "EARLIER", 1)
    ctx, keys = stored(memory, OLD, NEW, *(f"The room {name} is {name}" for name in ("red", "blue", "wide", "low")))
    as_earlier(ctx)

    def work(_):
        done = 0
        while successors.queue_earlier(ctx):
            done += successors.relate(ctx)
        return done

    with ThreadPoolExecutor(3) as threads:
        assert sum(threads.map(work, range(3))) + successors.relate(ctx) == len(keys)


def test_a_memory_that_is_not_embedded_yet_is_not_queued_before_it_is(memory):
    ctx, _ = stored(memory, OLD)
    memories.store(ctx, memories.NewMemory(NEW))
    as_earlier(ctx)
    embed_all(ctx)
    assert successors.relate(ctx) == 1


def judged_earlier(ctx, newer, older, weight):
    """Relate two memories as an earlier version of the judgement did."""
    with ctx.store.read() as tx:
        known = {record.key: record.id for record in records.by_ids(tx, range(10)).values()}
    metadata = {"origin": successors.ORIGIN}
    edge = Edge(known[newer], known[older], MAY_SUPERSEDE, MAY_SUPERSEDE, weight, ctx.now(), metadata)
    ctx.store.write(lambda tx: edges.add(tx, edge))


def weights(ctx):
    with ctx.store.read() as tx:
        return sorted(edge.weight for edge in edges.of_records(tx, range(10)))


@pytest.mark.parametrize(("weight", "stays"), [(0.7, False), (0.0, True), (1.0, True)])
def test_what_an_earlier_judgement_related_goes_unless_a_caller_has_said_so(memory, weight, stays):
    ctx, (one, other) = stored(memory, "Rents are paid in advance", "The moon is far")
    judged_earlier(ctx, other, one, weight)
    as_earlier(ctx)
    successors.queue_earlier(ctx)
    assert successors.relate(ctx) == 2
    assert weights(ctx) == ([weight] if stays else [])


def test_what_both_judgements_relate_is_as_sure_as_the_later_says(memory):
    ctx, (old, new) = stored(memory, OLD, NEW)
    judged_earlier(ctx, new, old, 0.123)
    as_earlier(ctx)
    successors.queue_earlier(ctx)
    assert successors.relate(ctx) == 2
    (weight,) = weights(ctx)
    assert weight > 0.6
