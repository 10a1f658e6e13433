"""Captured memories become trusted by somebody's hand, and what that did can be undone."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from command_line import export, undo
from indelible.capture import ingest, project_brief, promotion
from indelible.cli import main
from indelible.core.context.call import Call
from indelible.core.context.context import Context
from indelible.core.records import history, trust
from indelible.errors import Conflict, NotFound
from indelible.project import Location
from indelible.store.database import Database, Transaction
from indelible.store.tables import records
from indelible.toolsets import registry
from indelible.toolsets.memory import memories
from indelible.toolsets.solutions import failures
from indelible.toolsets.solutions.failures import NewFailure
from told import BEGAN, FAILED, SECOND, Told, spooled, whole_session

MESSAGE = "AssertionError: assert 3 == 4"
LATER = BEGAN + 3600 * SECOND


@pytest.fixture
def ctx(ctx: Context, data: Path, app: Path) -> Context:
    """A store in which a session was captured: two decisions, a failure with its fix, the session."""
    spooled(data, whole_session(app).events)
    assert ingest.drain(ctx).memories == 4
    return ctx


def call(ctx: Context, tool: str, **arguments: Any) -> Any:
    return registry.call(ctx, registry.find_tool(tool), arguments).value


def waiting(ctx: Context) -> dict[str, str]:
    """The ids of what waits, by kind; of the decisions the last."""
    return {record.metadata["captured"]: record.key for record in promotion.waiting(ctx, 100)[0]}


def metadata(ctx: Context, key: str) -> dict[str, Any]:
    with ctx.store.read() as tx:
        (record,) = records.by_key(tx, key)
        return record.metadata


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    """A command in this process: its exit code, output, and what it said beside that."""
    code = main.main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


# --- What waits ---


def test_what_waits_is_listed_newest_first_with_how_much_there_is(ctx):
    found, count = promotion.waiting(ctx, 2)
    assert (len(found), count) == (2, 4)
    times = [record.created for record in promotion.waiting(ctx, 100)[0]]
    assert times == sorted(times, reverse=True)


def test_what_is_trusted_deleted_or_refined_waits_no_more(ctx):
    keys = waiting(ctx)
    promotion.promote(ctx, [keys["decision"]])
    call(ctx, "refine_memory", id=keys["failure"], importance=0.9)
    call(ctx, "delete_memory", id=keys["session"])
    assert promotion.waiting(ctx, 100)[1] == 1


# --- By a tool ---


@pytest.mark.parametrize("tool", ["promote", "update_memory", "refine_memory", "store_memory"])
def test_a_captured_memory_that_somebody_confirms_is_trusted_and_tells_how(ctx, app, tool):
    key = waiting(ctx)["decision"]
    with ctx.store.read() as tx:
        (before,) = records.by_key(tx, key)
    assert before.confidence == trust.CAPTURED_CONFIDENCE
    if tool == "promote":
        promotion.promote(ctx, [key])
    elif tool == "update_memory":
        call(ctx, tool, id=key, content="Let's use SQLite")
    elif tool == "refine_memory":
        key = call(ctx, tool, id=key, content="We use SQLite")["new_id"]
    else:
        call(ctx, tool, content=before.text, namespace=str(app))
    with ctx.store.read() as tx:
        (after,) = records.by_key(tx, key)
    assert after.metadata == {**before.metadata, "trust": "trusted", "promoted_by": tool}
    assert after.confidence == 1.0


# --- A failure ---


def test_a_promoted_failure_is_found_by_its_error_with_its_fix(ctx, app):
    (done,) = promotion.promote(ctx, [waiting(ctx)["failure"]])
    assert done.status == "promoted"
    assert done.failure.startswith("fail_")
    (found,) = call(ctx, "matrix_recall", query=f"{MESSAGE} again")["relatedFailures"]
    assert (found["id"], "`total = 4`" in found["fixApplied"]) == (done.failure, True)
    with ctx.store.read() as tx:
        (failure,) = records.by_key(tx, done.failure)
    assert failure.namespace == str(app)
    assert failure.type == "test"
    assert failure.metadata["files"] == ["cart.py"]
    assert failure.metadata["occurrences"] == 1


def test_a_failure_that_is_known_has_occurred_once_more(ctx, app):
    told = NewFailure("test", MESSAGE, "it was off by one", "count from zero")
    known = failures.record(ctx.at(Location(str(app), None)), told)
    (done,) = promotion.promote(ctx, [waiting(ctx)["failure"]])
    assert done.failure == known["id"]
    assert metadata(ctx, known["id"])["occurrences"] == 2


def test_a_known_failure_keeps_the_cause_that_somebody_told(ctx, app):
    told = NewFailure("test", MESSAGE, "it was off by one", "count from zero")
    known = failures.record(ctx.at(Location(str(app), None)), told)
    promotion.promote(ctx, [waiting(ctx)["failure"]])
    assert metadata(ctx, known["id"])["rootCause"] == "it was off by one"
    assert "`total = 4`" in metadata(ctx, known["id"])["fixApplied"]


@pytest.mark.parametrize("elsewhere", ["/other/app", None])
def test_a_promoted_failure_leaves_the_one_of_another_project_alone(ctx, app, elsewhere):
    other = ctx.at(None if elsewhere is None else Location(elsewhere, None))
    told = NewFailure("test", MESSAGE, "it was off by one", "count from zero", files=["one.py"])
    known = failures.record(other, told)
    before = metadata(ctx, known["id"])
    whole = export(ctx.settings.data)
    (done,) = promotion.promote(ctx, [waiting(ctx)["failure"]])
    assert done.failure != known["id"]
    assert metadata(ctx, known["id"]) == before
    assert "Known failures:\n- AssertionError: assert 3 == 4; fix: " in project_brief.brief_of(ctx, str(app))
    undo(ctx)
    assert export(ctx.settings.data) == whole


def test_a_failure_without_a_fix_is_trusted_and_no_failure_is_recorded(ctx, app, data):
    told = Told(app, "s2")
    for _ in range(2):
        told.command("pytest tests/test_door.py", FAILED.replace("3 == 4", "5 == 6"), failed=True)
    told.turn()
    told.end()
    spooled(data, told.events)
    ingest.drain(ctx)
    (key,) = [r.key for r in promotion.waiting(ctx, 100)[0] if "5 == 6" in r.text and r.type == "insight"]
    (done,) = promotion.promote(ctx, [key])
    assert (done.status, done.failure) == ("promoted", "")


def test_promoted_twice_is_promoted_once(ctx):
    key = waiting(ctx)["failure"]
    first = promotion.promote(ctx, [key, key])
    assert [each.status for each in first] == ["promoted"]
    before = export(ctx.settings.data)
    assert [each.status for each in promotion.promote(ctx, [key])] == ["trusted already"]
    assert export(ctx.settings.data) == before
    assert metadata(ctx, first[0].failure)["occurrences"] == 1


@pytest.mark.parametrize("kind", ["session", "decision", "failure"])
def test_undo_takes_a_promotion_back_with_all_that_came_of_it(ctx, kind):
    key = waiting(ctx)[kind]
    before = export(ctx.settings.data)
    promotion.promote(ctx, [key])
    after = export(ctx.settings.data)
    (done, *_) = history.operations(ctx, 1)
    assert (done["action"], done["count"], done["ids"]) == ("update", 1, [key])
    undone = undo(ctx)
    assert (undone["tool"], undone["restored"]) == ("promote", [key])
    assert export(ctx.settings.data) == before
    undo(ctx, newest_operation(ctx))
    assert export(ctx.settings.data) == after


def newest_operation(ctx: Context) -> str:
    return history.operations(ctx, 1)[0]["operation"]


def test_undo_leaves_a_failure_that_occurred_again_since(ctx):
    (done,) = promotion.promote(ctx, [waiting(ctx)["failure"]])
    told = NewFailure("test", MESSAGE, "it was off by one", "count from zero")
    again = failures.record(ctx.for_call(Call(tool="matrix_failure")), told)
    assert again == {"id": done.failure, "occurrences": 2}
    undo(ctx, operation_of(ctx, "promote"))
    assert metadata(ctx, done.failure)["occurrences"] == 2


def test_undo_of_a_second_promotion_leaves_the_failure_that_the_first_recorded(ctx):
    first, second = waiting(ctx)["failure"], twin(ctx, waiting(ctx)["failure"])
    (made,) = promotion.promote(ctx.for_call(Call()), [first])
    (again,) = promotion.promote(ctx.for_call(Call()), [second])
    assert (made.status, again.status) == ("promoted", "promoted")
    assert again.failure == made.failure
    undo(ctx, newest_operation(ctx))
    assert metadata(ctx, made.failure)["occurrences"] >= 1
    assert metadata(ctx, first)["failure_id"] == made.failure
    assert [key for key in (first, second) if key in untrusted(ctx)] == [second]


def test_undo_of_a_first_promotion_leaves_the_failure_that_a_second_counts_on(ctx):
    first, second = waiting(ctx)["failure"], twin(ctx, waiting(ctx)["failure"])
    (made,) = promotion.promote(ctx.for_call(Call()), [first])
    operation = newest_operation(ctx)
    promotion.promote(ctx.for_call(Call()), [second])
    undo(ctx, operation)
    assert metadata(ctx, made.failure)["occurrences"] >= 1
    assert metadata(ctx, second)["failure_id"] == made.failure
    assert [key for key in (first, second) if key in untrusted(ctx)] == [first]


def twin(ctx: Context, key: str) -> str:
    """A second captured memory of the same failure; its id."""

    def work(tx: Transaction) -> None:
        (record,) = records.by_key(tx, key)
        records.insert(
            tx,
            replace(record, id=0, uid="", key="of-another-session", text=f"{record.text} Again.", content_hash="other"),
        )

    ctx.store.write(work)
    return "of-another-session"


def untrusted(ctx: Context) -> set[str]:
    return {record.key for record in promotion.waiting(ctx, 100)[0]}


def operation_of(ctx: Context, tool: str) -> str:
    return next(each["operation"] for each in history.operations(ctx, 20) if each["tool"] == tool)


def test_undo_leaves_a_failure_alone_that_an_import_named(ctx, app):
    told = NewFailure("test", "KeyError: 'cart'", "it was off by one", "count from zero")
    known = failures.record(ctx.at(Location(str(app), None)), told)
    key = waiting(ctx)["decision"]
    change(ctx, key, failure_id=known["id"])
    promotion.promote(ctx, [key])
    undo(ctx)
    assert metadata(ctx, known["id"])["occurrences"] == 1


def change(ctx: Context, key: str, text: str = "", **told: Any) -> None:
    """Bring a captured memory up to date, as another process may."""

    def work(tx: Transaction) -> None:
        (record,) = records.by_key(tx, key)
        records.update(tx, replace(record, text=text or record.text, metadata={**record.metadata, **told}))

    ctx.store.write(work)


class Meanwhile:
    """A store in which something happens right before its next write."""

    def __init__(self, store: Database, first: Callable[[], None]) -> None:
        self._store = store
        self._first = [first]

    def write(self, work: Callable[[Transaction], Any]) -> Any:
        while self._first:
            self._first.pop()()
        return self._store.write(work)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


@pytest.mark.parametrize("changed", [{"text": "`make` failed: obey me"}, {"fix": "run curl"}])
def test_what_changes_while_it_is_promoted_is_not_promoted(ctx, changed):
    key = waiting(ctx)["failure"]
    meanwhile = Meanwhile(ctx.store, lambda: change(ctx, key, **changed))
    with pytest.raises(Conflict, match="was changed just now; look at it"):
        promotion.promote(replace(ctx, store=meanwhile), [key])
    assert metadata(ctx, key)["trust"] == "untrusted"
    assert "relatedFailures" not in call(ctx, "matrix_recall", query=MESSAGE)


# --- Wrong ids ---


def test_an_unknown_id_promotes_nothing(ctx):
    before = export(ctx.settings.data)
    with pytest.raises(NotFound, match="there is no memory with that id"):
        promotion.promote(ctx, [waiting(ctx)["decision"], "none"])
    assert export(ctx.settings.data) == before


# --- Commands ---


def test_the_commands_list_promote_and_say_what_was_promoted_before(ctx, data, capsys):
    keys = waiting(ctx)
    told = memories.store(ctx, memories.NewMemory("told by hand"))["id"]
    code, out, _ = run(capsys, "captured", "--data", data)
    assert code == 0
    assert all(key[:8] in out for key in keys.values())
    code, out, _ = run(capsys, "promote", keys["failure"], told, "--data", data)
    assert code == 0
    assert "is trusted now, and recorded as failure fail_" in out
    assert "was not captured" in out
    code, out, _ = run(capsys, "promote", keys["failure"], "--data", data)
    assert (code, "is already trusted; nothing was changed" in out) == (0, True)
    code, out, err = run(capsys, "promote", "none", "--data", data)
    assert (code, out) == (1, "")
    assert "'none' is unknown" in err
    code, out, err = run(capsys, "captured", "--limit", "1", "--data", data)
    assert "2 more" in err
    code, out, _ = run(capsys, "captured", "--json", "--data", data)
    assert keys["failure"] not in {each["id"] for each in json.loads(out)["result"]["memories"]}
    assert run(capsys, "captured", "--limit", "0", "--data", data)[0] == 1


def test_what_is_listed_and_promoted_is_all_that_a_brief_would_tell(ctx, data, capsys):
    key = waiting(ctx)["failure"]
    fix = "f" * 160 + "\u202e\x1b[2J\x7f" * 9
    change(ctx, key, "`make` failed " * 40 + fix, error_message="KeyError: " + "m" * 150, fix=fix)
    _, out, _ = run(capsys, "captured", "--data", data)
    (line,) = [line for line in out.splitlines() if key[:8] in line]
    assert "`make` failed " * 29 in line
    assert "KeyError: " + "m" * 150 in line
    assert "f" * 160 in line
    _, out, _ = run(capsys, "captured", "--json", "--data", data)
    assert not set("\u202e\x1b\x7f") & set(out)
    assert {each["id"]: each for each in json.loads(out)["result"]["memories"]}[key]["metadata"] == metadata(ctx, key)
    _, out, _ = run(capsys, "promote", key, "--data", data)
    assert " ".join(["`make` failed"] * 40) + " ffff" in out
    assert "; KeyError: mmm" in out
    assert not set("\u202e\x1b\x7f") & set(out)


def test_a_drain_says_what_it_took_in(ctx, data, app, capsys):
    spooled(data, [*whole_session(app, "s2", began=LATER).events, {**Told(app).prompt("x"), "v": 99}])
    code, out, err = run(capsys, "drain", "--data", data)
    assert (code, out) == (0, "processed 8 events; 1 memory captured, updated or taken back\n")
    assert "1 event could not be read and moved to spool/bad; `indelible doctor` says why" in err
    assert run(capsys, "drain", "--data", data) == (
        0,
        "processed 0 events; 0 memories captured, updated or taken back\n",
        "",
    )


def test_a_purge_tells_of_what_it_forgets_for_good(ctx, data, app, capsys):
    _, _, err = run(capsys, "purge", "--namespace", app, "--data", data)
    assert "4 memories, 8 events of a session" in err
    spooled(data, [Told(app, "s2").prompt("one more")])
    code, out, _ = run(capsys, "purge", "--namespace", app, "--yes", "--data", data)
    assert code == 0
    assert f"purged 4 memories, 9 events of a session of namespace {app}, for good" in out
    assert run(capsys, "purge", "--namespace", app, "--yes", "--data", data)[1].startswith("nothing is stored")
