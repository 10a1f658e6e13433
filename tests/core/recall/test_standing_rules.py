"""A standing rule is found by the situation that it is for, with a real encoder, and says so."""

import sys

import pytest
from test_recall_by_meaning import remember

import encoders
from indelible.core.recall import trace
from indelible.core.recall.candidates import Query

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform == "win32", reason="signals and modes are POSIX")]

RULE = "Always use snake_case for columns."
WORK = "write a migration that adds the order table"
KNOWN = (
    "The order page shows the last ten purchases of a customer",
    "A migration of the office to the second floor is planned for June",
    "Tables for the summer party were ordered at the hall's owner",
    "The order of the slides was changed after the rehearsal",
    "We picked PostgreSQL to hold all customer records",
    "Lamps in the office switch themselves off at nine",
    "Parking spots are numbered",
    "The nightly job that copies data to the second site fails",
)


@pytest.fixture(scope="module", autouse=True)
def encoder():
    with encoders.running() as running:
        yield running


@pytest.fixture
def memory(open_store):
    return open_store(encoder="shared")


def rules_in(hits):
    return [hit["content"] for hit in hits if hit.get("rule")]


def test_a_rule_is_brought_where_it_applies_though_it_shares_no_word(memory):
    remember(memory, *KNOWN, RULE)
    for hits in (
        memory.recall_memory(query=WORK),
        memory.recall_with_expansion(query=WORK, k=10),
        memory.recall_with_expansion(query=WORK, k=10, expansion_depth=0),
        memory.recall_with_impact(query=WORK, k=10),
    ):
        assert rules_in(hits) == [RULE], hits
        weights = memory.set_scoring_weights()["weights"]
        for hit in hits:
            parts = hit["score_breakdown"]
            assert hit["score"] == pytest.approx(sum(weights[name] * parts[name] for name in parts), abs=1e-5)


def test_a_rule_is_brought_where_nothing_else_is_known(memory):
    (key,) = remember(memory, RULE)
    assert rules_in(memory.recall_memory(query=WORK)) == [RULE]
    (found,) = trace.explained(memory.context, Query(WORK, 10))
    assert [why.by for why in found.reasons] == ["rule"]
    assert trace.explain(memory.context, Query(WORK, 10), key).stage == "returned"


def test_a_question_about_nothing_known_brings_no_rule(memory):
    remember(memory, *KNOWN, RULE, "Never push to main directly.", "Please keep explanations short.")
    for question in (
        "what do penguins eat in a storm?",
        "how long do I boil an egg",
        "Who won the football World Cup in 1998?",
        "lyrics about the rain",
    ):
        assert memory.recall_memory(query=question) == []


def test_a_weak_answer_to_a_question_has_no_rule_beside_it(memory):
    remember(memory, *KNOWN, RULE, "Never push to main directly.", "Please keep explanations short.")
    for question in ("What colour are the office walls?", "Who pays for the summer?"):
        hits = memory.recall_memory(query=question)
        assert hits, question
        assert hits[0]["weak"]
        assert rules_in(hits) == []


def test_what_is_found_by_its_words_is_no_brought_rule(memory):
    remember(memory, *KNOWN, RULE)
    first, *others = memory.recall_memory(query="snake_case columns")
    assert first["content"] == RULE
    assert rules_in([first, *others]) == []


def test_the_filters_hold_for_rules(memory):
    remember(memory, *KNOWN, memory_type="insight", namespace="/a")
    remember(memory, RULE, memory_type="preference", namespace="/b")
    assert rules_in(memory.recall_memory(query=WORK)) == [RULE]
    assert rules_in(memory.recall_memory(query=WORK, namespace="/a")) == []
    assert rules_in(memory.recall_memory(query=WORK, memory_type="insight")) == []


def test_a_replaced_rule_is_brought_no_more(memory):
    (old,) = remember(memory, RULE)
    remember(memory, *KNOWN)
    memory.refine_memory(id=old, content="Columns have names in camelCase; never change those of legacy tables.")
    remember(memory, "Lunch is at noon")
    assert RULE not in rules_in(memory.recall_memory(query=WORK))


def test_what_was_captured_and_not_confirmed_is_no_standing_rule(memory):
    remember(memory, *KNOWN)
    captured = {"content": RULE, "memory_type": "preference", "metadata": {"origin": "capture", "trust": "untrusted"}}
    assert memory.import_memories(memories=[captured])["imported"] == 1
    remember(memory, "Lunch is at noon")
    assert rules_in(memory.recall_memory(query=WORK)) == []


EARLIER = "The notes of our meetings are written on paper, which hangs beside the door."
NOW = "From now on, please put the notes of our meetings into the wiki."
WHERE = "where do we put the notes of our meetings, on paper?"


def test_a_newer_rule_stands_before_an_older_text_that_the_question_brings_about_equally(memory):
    remember(memory, *KNOWN, EARLIER)
    remember(memory, NOW)
    first, second, *_ = memory.recall_memory(query=WHERE)
    assert [first["content"], second["content"]] == [NOW, EARLIER]
    assert first["score"] >= second["score"]
    assert "newer" not in second


def test_an_older_rule_stands_where_its_score_puts_it(memory):
    remember(memory, *KNOWN, NOW)
    remember(memory, EARLIER)
    assert [hit["content"] for hit in memory.recall_memory(query=WHERE)][:2] == [EARLIER, NOW]


def test_a_newer_rule_of_another_project_changes_nothing(memory):
    remember(memory, *KNOWN, EARLIER, namespace="/a")
    remember(memory, NOW, namespace="/b")
    assert [hit["content"] for hit in memory.recall_memory(query=WHERE)][:2] == [EARLIER, NOW]
