"""`indelible list` and `indelible show`: the newest memories of a project, and one record whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from command_line import opened
from indelible.capture import ingest
from indelible.cli import main, record_lines
from indelible.clock import utc_now
from indelible.core.context.context import Context
from indelible.core.records import exporting, trust
from indelible.store.views import captured
from indelible.toolsets import registry
from told import repository, spooled, whole_session

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], data: Path, app: Path) -> Run:
    """A command in this process, of the project: its exit code, output, and standard error."""

    def run(*arguments: str, project: Path = app) -> tuple[int, str, str]:
        code = main.main([*arguments, "--data", str(data), "--project", str(project)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def app(tmp_path: Path) -> Path:
    return repository(tmp_path / "app")


def call(ctx: Context, tool: str, **arguments: Any) -> Any:
    return registry.call(ctx, registry.find_tool(tool), arguments).value


def store(data: Path, content: str, **arguments: Any) -> str:
    """Store a memory three weeks ago; its id."""
    with opened(data, lambda: utc_now() - timedelta(days=22)) as ctx:
        return str(call(ctx, "store_memory", content=content, **arguments)["id"])


def capture(data: Path, app: Path) -> None:
    """Store what a session leaves: decisions of the user and of the agent, a failure, a summary."""
    spooled(data, whole_session(app).events)
    with opened(data) as ctx:
        assert ingest.drain(ctx).memories == 4


def stored(data: Path) -> list[dict[str, Any]]:
    with opened(data) as ctx:
        return list(exporting.export_all(ctx))


# --- list ---


def test_the_newest_memories_of_the_project_are_listed_on_two_lines_each(run, data, app):
    first = store(data, "\n  We use Axum\nbecause of its middleware", memory_type="decision", namespace=str(app))
    second = store(data, "word " * 40, namespace=str(app))
    store(data, "of another project", namespace="/other")
    code, out, err = run("list")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"{second[:8]}  context, 3 weeks ago, stored",
        "    " + "word " * 14 + "word…",
        f"{first[:8]}  decision, 3 weeks ago, stored",
        "    We use Axum",
    ]
    assert max(map(len, out.splitlines())) <= 80


def test_a_line_of_wide_characters_is_cut_by_its_width(run, data, app):
    store(data, "队" * 100, namespace=str(app))
    assert run("list")[1].splitlines()[1] == "    " + "队" * 37 + "…"


def test_a_type_narrows_the_list_and_all_projects_widen_it(run, data, app):
    store(data, "We use Axum", memory_type="decision", namespace=str(app))
    store(data, "elsewhere", namespace="/other")
    store(data, "nowhere")
    assert "We use Axum" in run("list", "--type", "decision")[1]
    assert run("list", "--type", "habit") == (
        0,
        "",
        f"no memory of type habit is stored for {app}; --all-projects lists those of all\n",
    )
    lines = run("list", "--all-projects")[1].splitlines()
    assert [line.partition("stored, ")[2] for line in lines[::2]] == ["in no project", "in /other", f"in {app}"]
    assert len(run("list", "--all-projects", "-k", "1")[1].splitlines()) == 2


TWINS = ["0a1b2c3d-0000-4000-8000-000000000001", "0a1b2c3d-0000-4000-8000-000000000002"]


def test_an_id_is_short_wherever_a_person_sees_it_unless_another_begins_so(run, data, app):
    with opened(data) as ctx:
        call(ctx, "import_memories", memories=[{"id": id_, "content": f"wombat {id_}"} for id_ in TWINS])
    one = store(data, "the koala sleeps", namespace=str(app))
    assert run("recall", "koala")[1].splitlines()[1].split()[4] == one[:8]
    assert run("why", "koala")[1].splitlines()[1].split()[3] == one[:8]
    assert all(f"  {id_}  " in run("recall", "wombat")[1] for id_ in TWINS)
    assert run("delete", TWINS[0])[1].startswith(f"deleted memory {TWINS[0]}: ")
    assert run("delete", one[:8])[1].startswith(f"deleted memory {one[:8]}: ")
    assert run("history", one[:8])[1].splitlines()[1].split()[4] == one[:8]
    assert "state in the trash  1" in run("purge", one[:8], "--dry-run")[1]
    assert run("undo")[1].splitlines()[1:] == [f"back: memory {one[:8]}: the koala sleeps"]
    run("delete", TWINS[1])
    assert "several ids begin with '0a1b2c3d'" in run("history", TWINS[0][:8])[2]


def test_what_you_typed_is_in_your_briefs_at_once_and_waits_for_others(run, data, app):
    capture(data, app)
    typed, other = (
        next(each["id"] for each in stored(data) if each["metadata"].get("stated_by") == who)
        for who in ("user", "agent")
    )
    assert "said by the user, in your briefs, not reviewed\n" in run("list")[1]
    assert "trusted:     what you typed is told in your own briefs at once; others see it" in run("show", typed)[1]
    assert "trusted:     no: it was captured and waits for review\n" in run("show", other)[1]
    assert run("captured")[2] == "what you typed is told in your own briefs at once; others see it after review\n"
    run("promote", typed)
    assert "said by the user, promoted\n" in run("list")[1]
    assert run("captured")[2] == ""


def test_what_another_person_typed_is_in_their_briefs(data, app):
    capture(data, app)
    with opened(data) as ctx, ctx.store.read() as tx:
        typed = next(each for each in captured.waiting(tx, 10) if trust.typed_by(each))
        assert record_lines.trust_of(typed, "another person") == record_lines.trust_of(typed, "") == "not reviewed"
        summary = next(each for each in captured.waiting(tx, 10) if each.metadata["captured"] == "session")
    assert summary.metadata["typed_by"] == typed.metadata["typed_by"]  # its first request is in the user's words
    assert record_lines.trust_of(summary, trust.typed_by(typed)) == "not reviewed"


def test_an_id_as_a_question_is_answered_with_what_to_ask(run, data):
    id_ = store(data, "the koala sleeps")[:8]
    assert f"`indelible why QUESTION {id_}` says how far that record comes" in run("why", id_)[2]
    assert "why QUESTION" not in run("why", "koala")[2]


def test_what_waits_is_called_the_same_in_both_lists(run, data, app):
    capture(data, app)
    listed = [line.split("  ")[1].split(", ")[0] for line in run("list")[1].splitlines()[::2]]
    heads, *rows = run("captured")[1].splitlines()
    at, end = heads.index("kind"), heads.index("project")
    assert [row[at:end].strip() for row in rows] == listed


def test_a_session_is_listed_by_what_it_was_about(run, data, app):
    capture(data, app)
    lines = run("list")[1].splitlines()
    about = next(at for at, line in enumerate(lines) if "context (session)" in line) + 1
    assert lines[about].startswith("    Let's use SQLite instead of Redis for the cart cache. Please fix the ")


def test_a_list_says_who_said_what_and_what_is_reviewed(run, data, app):
    capture(data, app)
    kept = next(each["id"] for each in stored(data) if each["metadata"].get("stated_by") == "user")
    run("promote", kept)
    lines = [line.split("  ")[1].split(", ") for line in run("list")[1].splitlines()[::2]]
    assert sorted((what, *about) for what, _, *about in lines) == [
        ("context (session)", "from a session", "not reviewed"),
        ("decision", "said by the agent", "not reviewed"),
        ("decision", "said by the user", "promoted"),
        ("insight (failure)", "from a session", "not reviewed"),
    ]


def test_a_script_gets_the_whole_of_what_is_listed(run, data, app):
    id_ = store(data, "x" * 5_000, tags=["a:b"], importance=0.8, namespace=str(app))
    (each,) = json.loads(run("list", "--json")[1])["result"]["memories"]
    assert {name: each[name] for name in ("id", "content", "tags", "importance", "stated_by", "trusted")} == {
        "id": id_,
        "content": "x" * 5_000,
        "tags": ["a:b"],
        "importance": 0.8,
        "stated_by": "",
        "trusted": True,
    }


def test_what_was_replaced_or_deleted_is_not_listed(run, data, app):
    old = store(data, "We use Jenkins", namespace=str(app))
    removed = store(data, "We use Travis", namespace=str(app))
    with opened(data) as ctx:
        call(ctx, "refine_memory", id=old, content="We use Actions")
        call(ctx, "delete_memory", id=removed)
    assert [line.strip() for line in run("list")[1].splitlines()[1::2]] == ["We use Actions"]


def test_a_number_of_memories_that_cannot_be_is_refused(run, data):
    store(data, "x")
    assert run("list", "-k", "0") == (1, "", "indelible: --limit (-k) must be from 1 to 10000, got 0\n")


def test_a_listed_text_does_not_steer_a_terminal(run, data, app):
    store(data, "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x08\u202ecba", namespace=str(app))
    for command in (["list"], ["show", stored(data)[0]["id"]]):
        assert all(c.isprintable() or c == "\n" for c in run(*command)[1])


def test_looking_at_a_store_counts_nothing_as_recalled(run, data, app):
    id_ = store(data, "We use Axum", namespace=str(app))
    before = stored(data)
    run("list")
    run("show", id_)
    assert stored(data) == before


# --- show ---


def test_a_memory_is_shown_whole_by_the_beginning_of_its_id(run, data, app):
    old = store(data, "We use Jenkins\nsince 2019", tags=["ci"], importance=0.8, namespace=str(app))
    with opened(data) as ctx:
        new = call(ctx, "refine_memory", id=old, content="We use Actions")["new_id"]
        call(ctx, "matrix_store", problem="Jenkins hangs", solution="restart", scope="global")
        solution = next(each["id"] for each in exporting.export_all(ctx) if each["kind"] == "solution")
        call(ctx, "associate_memories", source_id=f"solution:{solution}", target_id=old, relationship="DEPENDS_ON")
    code, out, _ = run("show", old[:8])
    assert code == 0
    fields = dict(line.split(":", 1) for line in out.split("\n\n")[0].splitlines())
    assert {name: value.strip() for name, value in fields.items() if name not in ("created", "session", "updated")} == {
        "id": old,
        "kind": "memory",
        "type": "context",
        "project": str(app),
        "source": "stored by a tool or a command",
        "trusted": "yes",
        "importance": "0.80",
        "tags": "ci",
        "current": f"no: {new} replaces it",
    }
    assert out.split("\n\n")[1:] == [
        "We use Jenkins\nsince 2019",
        f"relations:\n  EVOLVED_INTO -> {new[:8]}  We use Actions\n"
        f"  DEPENDS_ON <- solution:{solution}  Jenkins hangs\n",
    ]


@pytest.mark.parametrize("name", ["{}", "memory:{}"])
def test_a_captured_memory_shows_who_said_it_and_that_it_waits(run, data, app, name):
    capture(data, app)
    id_ = next(each["id"] for each in stored(data) if each["metadata"].get("stated_by") == "agent")
    out = run("show", name.format(id_))[1]
    assert "source:      said by the agent\n" in out
    assert "trusted:     no: it was captured and waits for review\n" in out
    assert "session:     claude-code:s1\n" in out
    run("promote", id_)
    assert "trusted:     yes, since promote\n" in run("show", id_)[1]
    whole = json.loads(run("show", id_, "--json")[1])["result"]["record"]
    assert (whole["stated_by"], whole["trusted"], whole["relations"]) == ("agent", True, [])
    assert whole["metadata"]["promoted_by"] == "promote"


def test_a_record_with_many_relations_shows_the_first(run, data, app):
    id_ = store(data, "centre", namespace=str(app))
    with opened(data) as ctx:
        for number in range(53):
            call(ctx, "store_memory", content=f"around {number}", links=[id_])
    assert "  and 3 more; --json lists all\n" in run("show", id_)[1]
    assert len(json.loads(run("show", id_, "--json")[1])["result"]["record"]["relations"]) == 53


def test_a_record_of_another_kind_is_shown_too(run, data):
    with opened(data) as ctx:
        todo = call(ctx, "add_todo", title="drain the queue")["todo_id"]
    out = run("show", f"todo:{todo}")[1]
    assert "kind:        todo\n" in out
    assert "drain the queue" in out


def test_an_unknown_id_is_refused(run, data):
    store(data, "x")
    code, out, err = run("show", "none")
    assert (code, out) == (1, "")
    assert err.startswith("indelible: ID 'none' is unknown")


def test_a_list_says_what_is_pinned_and_what_is_not_true_now(run: Run, data: Path) -> None:
    run("remember", "We deploy with Argo", "--pin")
    run("remember", "We deployed with Jenkins", "--valid-to", "2020-05-01")
    newest, older = run("list")[1].splitlines()[::2]
    assert newest.endswith(", true until 2020-05-01 only")
    assert older.endswith(", pinned")


def test_the_undo_of_a_call_that_changed_a_relation_says_which(run, data, app):
    one, other = (store(data, text, namespace=str(app)) for text in ("the koala sleeps", "koalas are awake"))
    with opened(data) as ctx:
        for weight in (1.0, 0.4):
            call(ctx, "associate_memories", source_id=one, target_id=other, relationship="SUPERSEDES", weight=weight)
    code, said, _ = run("undo")
    between = f"{one[:8]} SUPERSEDES {other[:8]}"
    assert (code, said.splitlines()[1:]) == (0, [f"back: relation {between} (weight 1)"])


def test_the_undo_of_a_cycle_that_only_related_memories_says_which_relations_went(run, data, app, capsys):
    for number, kind in enumerate(["insight", "decision"]):
        store(data, f"koala number {number}", memory_type=kind, tags=["koala", "sleep"], namespace=str(app))
    assert main.main(["consolidate", "creative", "--data", str(data)]) == 0
    capsys.readouterr()
    said = run("undo")[1].splitlines()[1:]
    assert [line.split()[:2] for line in said] == [["removed:", "relation"]]
    undone = run("history", "-k", "1")[1].splitlines()[1].split()[0]
    again = run("undo", "--operation", undone)[1].splitlines()[1:]
    assert again == [line.replace("removed:", "back:") for line in said]
