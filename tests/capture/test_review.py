"""A review of captured memories: each is kept or rejected as it was read, and the decisions can be undone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from command_line import export
from indelible.capture import ingest, promotion
from indelible.capture.review import Review, surroundings
from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.errors import Conflict, InvalidInput
from indelible.model import Record
from indelible.store.tables import records
from indelible.toolsets.memory import memories
from told import Told, spooled, whole_session


@pytest.fixture
def ctx(ctx: Context, data: Path, app: Path) -> Context:
    """A store in which a session was captured: two decisions, a failure with its fix, the session."""
    spooled(data, whole_session(app).events)
    assert ingest.drain(ctx).memories == 4
    return ctx


def by_kind(ctx: Context) -> dict[str, Record]:
    """What waits, by who said it or what it is."""
    found = promotion.waiting(ctx, 100)[0]
    return {str(record.metadata.get("stated_by", record.metadata["captured"])): record for record in found}


def read(ctx: Context, record: Record) -> Record | None:
    with ctx.store.read() as tx:
        return records.by_ids(tx, [record.id]).get(record.id)


def current(review: Review) -> Record:
    record = review.current()
    assert record is not None
    return record


def test_each_memory_is_decided_on_once_what_was_said_first_and_sessions_last(ctx):
    review = Review(ctx)
    waiting = by_kind(ctx)  # of the two that were said the agent's is the newer
    expected = [waiting[kind].key for kind in ("agent", "user", "failure", "session")]
    seen = []
    while (record := review.current()) is not None:
        seen.append(record.key)
        if len(seen) % 2:
            review.keep(record)
        else:
            review.reject(record)
    assert seen == expected
    assert [each.decision for each in review.decided] == ["kept", "rejected", "kept", "rejected"]
    assert (review.left, review.waiting()) == (0, 0)


def test_a_kept_memory_is_what_promote_makes_of_it(ctx):
    record = by_kind(ctx)["failure"]
    Review(ctx).keep(record)
    kept = read(ctx, record)
    assert kept is not None
    assert (kept.metadata["trust"], kept.metadata["promoted_by"], kept.confidence) == ("trusted", "promote", 1.0)
    assert kept.metadata["failure_id"].startswith("fail_")


def test_a_rejected_memory_is_deleted_and_not_captured_again(ctx, data, app):
    record = by_kind(ctx)["user"]
    Review(ctx).reject(record)
    assert read(ctx, record) is None
    again = whole_session(app)
    again.prompt("Thanks.")
    again.turn("Bye.")
    spooled(data, again.events)
    ingest.drain(ctx)
    assert record.text not in {each.text for each in promotion.waiting(ctx, 100)[0]}


def test_an_edited_memory_keeps_its_new_text_and_is_the_users_own(ctx):
    record = by_kind(ctx)["user"]
    review = Review(ctx)
    assert review.keep(record, "The cart cache is SQLite") == []
    kept = read(ctx, record)
    assert kept is not None
    assert (kept.text, kept.metadata["stated_by"], kept.metadata["promoted_by"]) == (
        "The cart cache is SQLite",
        "user",
        "promote",
    )
    assert review.decided[0].edited
    with ctx.store.read() as tx:
        found = records.by_content(tx, kept.namespace, kept.content_hash)
    assert found is not None
    assert found.id == kept.id


def test_a_secret_in_an_edited_text_is_redacted(ctx):
    record = by_kind(ctx)["user"]
    secret = "ghp_" + "A1b2C3d4" * 4 + "E5f6"
    (finding,) = Review(ctx).keep(record, f"the token is {secret}")
    assert (finding["argument"], finding["count"]) == ("content", 1)
    kept = read(ctx, record)
    assert kept is not None
    assert secret not in kept.text


def test_an_edited_text_that_cannot_be_kept_leaves_the_memory_waiting(ctx, app):
    memories.store(ctx.for_call(Call()), memories.NewMemory("known", namespace=str(app)))
    review = Review(ctx)
    record = current(review)
    with pytest.raises(InvalidInput, match="content must have at least one visible character"):
        review.keep(record, " \n")
    with pytest.raises(Conflict, match="has that text; reject this one"):
        review.keep(record, "known")
    assert current(review) == record
    assert review.decided == []


def test_undo_takes_decisions_back_the_last_first(ctx):
    before = export(ctx.settings.data)
    review = Review(ctx)
    first, second, third = current(review), None, None
    review.keep(first)
    second = current(review)
    review.reject(second)
    third = current(review)
    review.keep(third, f"{third.text} Edited.")
    for record, decision in ((third, "kept"), (second, "rejected"), (first, "kept")):
        undone = review.undo()
        assert undone is not None
        assert undone.decision == decision
        assert current(review) == record
    assert review.undo() is None
    assert export(ctx.settings.data) == before


def test_what_others_decided_meanwhile_is_left_out(ctx):
    review = Review(ctx)
    first = current(review)
    promotion.promote(ctx.for_call(Call()), [first.key])
    assert current(review).id != first.id
    second = current(review)
    memories.delete(ctx.for_call(Call()), second.key)
    assert current(review).id not in (first.id, second.id)


@pytest.mark.parametrize("decision", [Review.keep, Review.reject])
@pytest.mark.parametrize("change", [{"text": "changed"}, {"metadata": {"fix": "run curl"}}], ids=["text", "metadata"])
def test_a_memory_that_changed_since_it_was_read_is_neither_kept_nor_rejected(ctx, decision, change: dict[str, Any]):
    review = Review(ctx)
    seen = current(review)
    metadata = {**seen.metadata, **change.get("metadata", {})}
    changed = replace(seen, text=change.get("text", seen.text), metadata=metadata)
    ctx.store.write(lambda tx: records.update(tx, changed))
    with pytest.raises(Conflict, match="was changed just now; look at it again"):
        decision(review, seen)
    assert current(review).metadata["trust"] == "untrusted"


def test_a_skipped_memory_still_waits(ctx):
    review = Review(ctx)
    first = current(review)
    review.skip(first)
    assert current(review).id != first.id
    assert (review.left, review.waiting()) == (3, 4)


# --- Around a statement ---


def test_a_statement_is_shown_in_its_message(ctx):
    found = by_kind(ctx)
    assert surroundings(ctx, found["user"]) == (
        "Let's use SQLite instead of Redis for the cart cache. Please fix the failing test."
    )
    assert surroundings(ctx, found["agent"]).startswith("Done. I decided to keep the total as an integer")
    assert surroundings(ctx, found["failure"]) == surroundings(ctx, found["session"]) == ""


def test_a_long_message_is_cut_around_the_statement(ctx, data, app):
    told = Told(app, "s2")
    told.prompt(f"{'Look at this. ' * 60}We decided to use Axum instead of Actix. {'Then go on. ' * 60}")
    told.turn()
    spooled(data, told.events)
    ingest.drain(ctx)
    (record,) = [each for each in promotion.waiting(ctx, 100)[0] if "Axum" in each.text]
    found = surroundings(ctx, record)
    assert record.text in found
    assert len(found) < len(record.text) + 500
    assert (found[0], found[-1]) == ("…", "…")


def test_a_message_that_is_no_longer_stored_is_left_out(ctx):
    record = by_kind(ctx)["user"]
    assert surroundings(ctx, replace(record, session="claude-code:other")) == ""


def test_a_message_that_is_only_the_statement_is_left_out(ctx, data, app):
    told = Told(app, "s3")
    told.prompt("We decided to use Axum instead of Actix.")
    told.turn()
    spooled(data, told.events)
    ingest.drain(ctx)
    (record,) = [each for each in promotion.waiting(ctx, 100)[0] if "Axum" in each.text]
    assert surroundings(ctx, record) == ""
