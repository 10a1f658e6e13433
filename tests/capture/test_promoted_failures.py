"""A promoted failure: recalled once, found by the command that failed, and taken back whole by an undo."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from command_line import export, undo
from indelible.capture import ingest, promotion
from indelible.capture.review import Review
from indelible.cli import main
from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.core.records import history, insert
from indelible.graph import keys
from indelible.project import Location
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.toolsets import registry
from told import spooled, whole_session

MESSAGE = "AssertionError: assert 3 == 4"
COMMAND = "pytest tests/test_cart.py"
KEY = keys.command_key(COMMAND)
ERROR = keys.error_key(MESSAGE)


@pytest.fixture
def ctx(ctx: Context, data: Path, app: Path) -> Context:
    """A store in which a session was captured, with a failure and its fix."""
    spooled(data, whole_session(app).events)
    ingest.drain(ctx)
    return ctx


def call(ctx: Context, tool: str, **arguments: Any) -> Any:
    return registry.call(ctx, registry.find_tool(tool), arguments).value


def failed(ctx: Context) -> str:
    """The id of the captured failure that waits."""
    (key,) = [r.key for r in promotion.waiting(ctx, 100)[0] if r.metadata["captured"] == "failure"]
    return key


def promoted(ctx: Context, key: str) -> str:
    """Promote a memory in a call of its own; the id of its failure."""
    (done,) = promotion.promote(ctx.for_call(Call()), [key])
    return done.failure


def recalled(ctx: Context, query: str, **more: Any) -> list[str]:
    return [hit["id"] for hit in call(ctx, "recall_memory", query=query, **more)]


def broken(ctx: Context, command: str) -> list[str]:
    return [each["name"] for each in call(ctx, "breaks", command=command)]


def named(ctx: Context, key: str) -> list[Any]:
    with ctx.store.read() as tx:
        return records.by_key(tx, key)


def operation(ctx: Context) -> str:
    return history.operations(ctx, 1)[0]["operation"]


# --- Recalled once ---


def test_a_promoted_failure_is_recalled_once(ctx):
    memory = failed(ctx)
    assert memory in recalled(ctx, MESSAGE)
    failure = promoted(ctx, memory)
    found = recalled(ctx, MESSAGE)
    assert failure in found
    assert memory not in found
    assert memory in recalled(ctx, MESSAGE, memory_type="insight")


def test_nor_is_its_command_recalled_beside_it(ctx):
    failure = promoted(ctx, failed(ctx))
    found = call(ctx, "recall_memory", query=COMMAND)
    assert failure in [hit["id"] for hit in found]
    assert not [hit for hit in found if hit["content"].startswith(("cmd#", "err#", "fix#"))]


def test_a_command_of_which_an_agent_says_more_is_recalled_itself(ctx):
    promoted(ctx, failed(ctx))
    call(ctx, "add_observations", observations=[{"entityName": KEY, "contents": ["needs a running broker"]}])
    assert any("needs a running broker" in hit["content"] for hit in call(ctx, "recall_memory", query="running broker"))


def test_what_a_person_added_in_a_review_is_found_by_its_words(ctx):
    memory = failed(ctx)
    review = Review(ctx)
    while (current := review.current()) is not None and current.key != memory:
        review.skip(current)
    review.keep(current, f"{current.text} Mind the rounding of vouchers.")
    (record,) = named(ctx, memory)
    failure = record.metadata["failure_id"]
    (hit,) = [hit for hit in call(ctx, "recall_memory", query=f"{MESSAGE} vouchers") if "3 == 4" in hit["content"]]
    assert (hit["id"], "vouchers" in hit["content"]) == (memory, True)
    found = recalled(ctx, MESSAGE)
    assert (failure in found, memory in found) == (True, False)


def test_a_text_that_a_person_rewrote_stands_for_the_failure(ctx):
    memory = failed(ctx)
    (seen,) = named(ctx, memory)
    promotion.keep(ctx, seen, "AssertionError in the cart: prices are cents, 3 == 4 was a total in euro")
    found = recalled(ctx, "AssertionError")
    assert memory in found
    assert not [each for each in found if each.startswith("fail_")]


def test_the_one_that_is_recalled_is_as_relevant_as_the_other_would_be(ctx):
    memory = failed(ctx)
    (seen,) = named(ctx, memory)
    promotion.keep(ctx, seen, f"{seen.text} Mind the rounding of vouchers.")
    for query in (MESSAGE, "vouchers", "why was the total of the cart off by one?"):
        (first, *_) = call(ctx, "recall_memory", query=query, k=1)
        assert first["id"] in (memory, named(ctx, memory)[0].metadata["failure_id"])


def test_of_two_memories_of_one_failure_each_is_recalled_for_its_own_words(ctx):
    memory = failed(ctx)
    other = another(ctx, memory, "It comes back in leap years.")
    failure = promoted(ctx, memory)
    assert promoted(ctx, other) == failure
    assert {memory, other, failure} & set(recalled(ctx, MESSAGE)) == {failure}
    assert {memory, other, failure} & set(recalled(ctx, f"{MESSAGE} leap years")) == {other}


def another(ctx: Context, key: str, more: str, **changed: str) -> str:
    """A second captured memory of the same failure, with more in its text and other metadata; its id."""

    def work(tx: Transaction) -> None:
        (record,) = records.by_key(tx, key)
        made = replace(record, id=0, uid="", key="another", content_hash="another", text=f"{record.text} {more}")
        insert.add(ctx, tx, replace(made, metadata={**record.metadata, **changed}))

    ctx.store.write(work)
    return "another"


# --- By its command ---


@pytest.mark.parametrize("command", [COMMAND, f"  uv run   {COMMAND}", KEY, "pytest"])
def test_a_promoted_failure_is_found_by_the_command_that_failed(ctx, command):
    assert broken(ctx, command) == []
    promoted(ctx, failed(ctx))
    (found,) = call(ctx, "breaks", command=command)
    assert (found["name"], found["message"]) == (ERROR, MESSAGE)
    assert "`total = 4`" in found["best_fix"]["strategy"]


def test_the_command_line_finds_it(ctx, data, capsys):
    key = failed(ctx)
    assert main.main(["promote", key, "--data", str(data)]) == 0
    capsys.readouterr()
    assert main.main(["breaks", *COMMAND.split(), "--data", str(data)]) == 0
    assert MESSAGE in capsys.readouterr().out
    assert main.main(["breaks", "--json", COMMAND, "--data", str(data)]) == 0
    assert [each["name"] for each in json.loads(capsys.readouterr().out)["result"]["errors"]] == [ERROR]


@pytest.mark.parametrize("command", [COMMAND, f"uv run {COMMAND}"])
def test_one_that_was_promoted_before_commands_were_written_is_found_too(ctx, command):
    failure = promoted(ctx, failed(ctx))

    def as_before(tx: Transaction) -> None:
        (record,) = records.by_key(tx, failure)
        metadata = {name: value for name, value in record.metadata.items() if name != "commands"}
        records.update(tx, replace(record, metadata=metadata))
        records.delete(tx, records.by_key(tx, KEY)[0].id)

    ctx.store.write(as_before)
    assert broken(ctx, command) == [ERROR]
    assert broken(ctx, "cargo test") == []


def test_a_failure_without_a_command_is_promoted_too(ctx):
    key = failed(ctx)

    def work(tx: Transaction) -> None:
        (record,) = records.by_key(tx, key)
        records.update(tx, replace(record, metadata={**record.metadata, "command": " "}))

    ctx.store.write(work)
    failure = promoted(ctx, key)
    assert named(ctx, failure)[0].metadata.get("commands") is None


# --- Taken back ---


@pytest.mark.parametrize("how", ["promote", "promote_all", "review"])
def test_undo_takes_the_command_back_with_the_failure(ctx, how):
    key = failed(ctx)
    before = export(ctx.settings.data)
    if how == "promote":
        promotion.promote(ctx, [key])
    elif how == "promote_all":
        promotion.promote_all(ctx, promotion.all_waiting(ctx))
    else:
        promotion.keep(ctx, named(ctx, key)[0], "rewritten")
    assert named(ctx, KEY)
    after = export(ctx.settings.data)
    done = operation(ctx)
    undo(ctx, done)
    assert export(ctx.settings.data) == before
    undo(ctx, operation(ctx))
    assert export(ctx.settings.data) == after


def test_a_command_that_an_agent_had_stored_stays_as_it_was(ctx):
    call(ctx, "create_entities", entities=[{"name": KEY, "entityType": "Command", "observations": []}])
    before = export(ctx.settings.data)
    promoted(ctx.for_call(Call()), failed(ctx))
    assert broken(ctx, COMMAND) == [ERROR]
    undo(ctx, operation(ctx))
    assert export(ctx.settings.data) == before


@pytest.mark.parametrize("use", ["relation", "observation", "another failure"])
def test_a_command_that_is_used_by_now_stays(ctx, use):
    promoted(ctx, failed(ctx))
    done = operation(ctx)
    if use == "relation":
        call(ctx, "create_entities", entities=[{"name": "err#other", "entityType": "Error", "observations": []}])
        relation = {"from": KEY, "to": "err#other", "relationType": "EMITS"}
        call(ctx, "create_relations", relations=[relation])
    elif use == "observation":
        call(ctx, "add_observations", observations=[{"entityName": KEY, "contents": ["needs a broker"]}])
    else:
        promoted(ctx, another_failure(ctx))
    undo(ctx, done)
    assert named(ctx, KEY)
    assert named(ctx, ERROR) == []
    found = {"relation": ["err#other"], "observation": [], "another failure": [keys.error_key("KeyError: 'cart'")]}
    assert broken(ctx, COMMAND) == found[use]


def another_failure(ctx: Context) -> str:
    """A captured failure of the same command with another error; its id."""
    (record,) = [r for r in promotion.waiting(ctx, 100)[0] if r.metadata["captured"] == "decision"][:1]
    metadata = {**record.metadata, "captured": "failure", "error_type": "test", "error_message": "KeyError: 'cart'"}
    metadata |= {"fix": "asked first", "command": COMMAND}
    ctx.store.write(lambda tx: records.update(tx, replace(record, metadata=metadata)))
    return record.key


def test_the_commands_of_a_second_project_stay_with_its_failure(ctx, data, tmp_path):
    failure = promoted(ctx, failed(ctx))
    done = operation(ctx)
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    spooled(data, whole_session(other, "s2").events)
    ingest.drain(ctx)
    again = promoted(ctx.at(Location(str(other), None)), failed(ctx))
    assert again != failure
    undo(ctx, done)
    assert named(ctx, failure) == []
    assert broken(ctx, COMMAND) == [ERROR]
    assert len(named(ctx, KEY)) == 1


SECOND = "npm run carts"


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("changed", [{"fix": "asked the shop"}, {"command": SECOND}, {}])
def test_undo_of_a_second_promotion_takes_back_what_only_that_wrote(ctx, changed, at_once):
    first = failed(ctx)
    second = another(ctx, first, "It comes back in leap years.", **changed)
    untouched = export(ctx.settings.data)
    if at_once:
        promotion.promote(ctx.for_call(Call()), [first, second])
    else:
        promoted(ctx, first)
        untouched = export(ctx.settings.data)
        promoted(ctx, second)
    assert broken(ctx, changed.get("command", COMMAND)) == [ERROR]
    after = export(ctx.settings.data)
    undo(ctx, operation(ctx))
    assert export(ctx.settings.data) == untouched
    undo(ctx, operation(ctx))
    assert export(ctx.settings.data) == after


def test_what_a_second_promotion_wrote_stays_where_it_is_used_by_now(ctx):
    first = failed(ctx)
    second = another(ctx, first, "It comes back in leap years.", command=SECOND)
    promoted(ctx, first)
    promoted(ctx, second)
    done = operation(ctx)
    call(ctx, "create_entities", entities=[{"name": "err#other", "entityType": "Error", "observations": []}])
    relation = {"from": keys.command_key(SECOND), "to": "err#other", "relationType": "EMITS"}
    call(ctx, "create_relations", relations=[relation])
    undo(ctx, done)
    assert "err#other" in broken(ctx, SECOND)


def test_deleting_a_failure_deletes_the_command_that_it_wrote(ctx):
    failure = promoted(ctx, failed(ctx))
    assert main.main(["delete", failure, "--data", str(ctx.settings.data)]) == 0
    assert named(ctx, KEY) == []
