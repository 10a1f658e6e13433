"""A session is of one caller, whichever contexts are made for it."""

from dataclasses import replace

from indelible.core.context.permissions import EVERYTHING, Grant
from indelible.core.context.session import Session
from indelible.project import Location

ANN = Grant("tok_ann", "write", frozenset({"ann"}))
BEN = Grant("tok_ben", "write", frozenset({"ann"}))
PLACE = Location("/srv/api", None)


def test_a_caller_has_one_session_in_all_contexts_that_are_made_for_it(memory):
    ctx = memory.context
    first, second, other = ctx.granted(ANN), ctx.granted(ANN), ctx.granted(BEN)
    assert first.session.id == second.session.id
    assert len({ctx.session.id, first.session.id, other.session.id}) == 3
    assert first.session.id.startswith("session_")


def test_a_caller_is_not_in_a_conversation_that_another_named(memory):
    ctx = memory.context
    assert ctx.session.conversations.of({"conversation_id": "of the owner"}) == "of the owner"
    assert ctx.granted(ANN).session.conversations.of({}) == ""


def test_callers_of_one_set_of_namespaces_share_its_indexes_and_nothing_that_says_who_they_are(memory):
    ctx = memory.context
    ann, ben = ctx.granted(ANN), ctx.granted(BEN)
    assert ann.indexes is ben.indexes
    assert ann.indexes.records is ctx.indexes.records  # which is searched under a mask
    assert ann.indexes.entities is not ctx.indexes.entities
    assert ann.metrics is not ben.metrics


def test_a_context_elsewhere_differs_in_its_place_alone(memory):
    ctx = memory.context.granted(ANN)
    there = ctx.at(PLACE)
    assert there.session == replace(ctx.session, location=PLACE)
    assert replace(there, session=ctx.session) == ctx
    assert ctx.session.location != PLACE


def test_another_caller_at_a_place_is_there_as_locally_as_the_first():
    far = Session(PLACE, is_local=False).of(BEN)
    assert (far.location, far.is_local, far.grant) == (PLACE, False, BEN)
    assert Session().grant is EVERYTHING
