"""A captured memory that is purged is told by nothing that was made of the same session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from command_line import opened
from indelible.admin import backups, purge
from indelible.capture import promotion
from indelible.core.context.call import Call
from indelible.core.context.context import Context
from ingested import call, captured, drained
from store_file import holding
from told import Told, repository, whole_session

WORD = "quokkafinch"  # what is purged


def told(data: Path) -> list[str]:
    return holding(data, WORD)


def purged(ctx: Context, *ids: str) -> dict[str, int]:
    plan = purge.plan(ctx, purge.of_records(ctx, ids))
    purge.run(ctx, plan.selection, lambda _: None)
    return plan.records


def session(place: Path, name: str, *prompts: str) -> Told:
    made = Told(repository(place), name)
    made.start()
    for prompt in prompts:
        made.prompt(prompt)
        made.turn("Done.")
    made.end()
    return made


def of_kind(ctx: Context, kind: str) -> dict[str, str]:
    """The texts of captures by id."""
    return {each["id"]: each["content"] for each in captured(ctx, kind)}


@pytest.mark.parametrize("is_deleted", [False, True], ids=["there", "deleted"])
def test_the_summary_of_its_session_goes_with_it_and_that_of_another_stays(tmp_path: Path, is_deleted: bool):
    data = tmp_path / "data"
    with opened(data) as ctx:
        drained(
            ctx,
            session(tmp_path / "shop", "s1", f"We use {WORD} for the cart cache, never Redis.", "Thanks."),
            session(tmp_path / "till", "s2", "We use pnpm here, never npm.", "Please show the receipts."),
        )
        (one,) = [key for kind in ("statement", "decision") for key, text in of_kind(ctx, kind).items() if WORD in text]
        summaries = of_kind(ctx, "session")
        assert sorted(WORD in text for text in summaries.values()) == [False, True]
        if data_is_file := backups.is_file(ctx):
            assert backups.daily(ctx) is not None
        if is_deleted:
            call(ctx, "delete_memory", id=one)
        found = purged(ctx, one)
        assert found == {"memory": 1 if is_deleted else 2}
        assert list(of_kind(ctx, "session").values()) == [text for text in summaries.values() if WORD not in text]
    assert told(data) == []
    assert data_is_file == any((data / "backups").glob("daily-*.db"))


def failed(place: Path, name: str = "s1") -> Told:
    made = whole_session(repository(place), name)
    for event in made.events:
        for part in ("output", "new"):
            if isinstance(event.get(part), str):
                event[part] = event[part].replace("assert 3 == 4", f"{WORD} is 3, not 4")
    return made


def promoted(ctx: Context) -> tuple[str, str]:
    """The ids of the captured failure, which is promoted, and of the failure that is recorded with it."""
    (key,) = of_kind(ctx, "failure")
    (done,) = promotion.promote(ctx.for_call(Call()), [key])
    assert done.failure
    return key, done.failure


def keys_of(ctx: Context, kind: str) -> list[Any]:
    with ctx.store.read() as tx:
        return [key for (key,) in tx.connection.execute(f"SELECT key FROM record WHERE kind = '{kind}'").fetchall()]


def test_the_failure_that_was_recorded_with_it_goes_too(tmp_path: Path):
    data = tmp_path / "data"
    with opened(data) as ctx:
        drained(ctx, failed(tmp_path / "shop"))
        key, failure = promoted(ctx)
        assert keys_of(ctx, "failure") == [failure]
        purged(ctx, key)
        assert keys_of(ctx, "failure") == []
    assert told(data) == []


def test_a_failure_that_occurred_again_stays(tmp_path: Path):
    with opened(tmp_path / "data") as ctx:
        drained(ctx, failed(tmp_path / "shop"))
        key, failure = promoted(ctx)
        (fields,) = captured(ctx, "failure")
        said = {"errorType": fields["metadata"]["error_type"], "errorMessage": fields["metadata"]["error_message"]}
        again = call(ctx, "matrix_failure", **said, rootCause="Floats drift", fixApplied="Cents")
        assert (again["id"], again["occurrences"]) == (failure, 2)
        purged(ctx, key)
        assert keys_of(ctx, "failure") == [failure]
