"""The brief of a project is the same by every door, and its ids lead to the whole."""

from pathlib import Path

import pytest

from briefed import asked_for, call, capture, doors, fail, hooked, remember, sections, told
from indelible.capture import brief as briefs
from indelible.capture import project_brief
from indelible.cli import main
from indelible.core.context.call import NO_CALLER
from indelible.core.context.context import Context
from indelible.core.context.permissions import Grant
from indelible.errors import Conflict, NotFound
from indelible.search.model_tokens.o200k import count
from indelible.server.mcp import resources

# --- Every door ---


def test_the_text_is_the_same_by_every_door(ctx: Context, capsys: pytest.CaptureFixture[str]) -> None:
    remember(ctx, "Axum was chosen")
    call(ctx, "add_todo", title="Renew the certificate")
    fail(ctx, "TypeError: None has no len")
    capture(ctx, "seen", "session", client="cursor", prompts=2, **asked_for(ctx, "Mend the queue."))
    said = doors(ctx, capsys)
    assert len(set(said.values())) == 1, said
    assert list(sections(said["hook"])) == ["Decisions", "Last session", "Open todos", "Known failures"]


def test_where_nothing_is_stored_a_hook_says_nothing_and_the_others_one_sentence(
    ctx: Context, capsys: pytest.CaptureFixture[str]
) -> None:
    said = doors(ctx, capsys)
    assert said.pop("engine") == said.pop("hook") == ""
    assert set(said.values()) == {briefs.NOTHING}


def test_the_resource_of_the_own_project_is_listed(ctx: Context) -> None:
    listed = {each.name: str(each.uri) for each in resources.listing(ctx, None).resources}
    assert listed["brief"] == resources.uri_of_brief(str(ctx.session.location.path) if ctx.session.location else "")
    with pytest.raises(NotFound, match="is empty"):
        resources.text_of(ctx, resources.uri_of_brief("/nowhere"), NO_CALLER)


def test_a_brief_counts_an_access_of_what_it_tells_but_a_hook_does_not(ctx: Context) -> None:
    decision = remember(ctx, "Axum was chosen")

    def accesses() -> int:
        return {each["id"]: each for each in call(ctx, "export_memories")}[decision]["access_count"]

    hooked(ctx)
    assert accesses() == 0
    told(ctx)
    assert accesses() == 1


def test_the_command_takes_a_project_and_a_number_of_tokens(
    ctx: Context, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    remember(ctx, "Decided elsewhere", namespace="elsewhere")
    for at in range(30):
        remember(ctx, f"Decision {at} " + "and its reason " * 9)
    data = str(ctx.settings.data)
    capsys.readouterr()
    assert main.main(["brief", "--data", data, "--project", "elsewhere"]) == 0
    assert "Decided elsewhere" in capsys.readouterr().out
    assert main.main(["brief", "--data", data, "--tokens", "300"]) == 0
    assert 100 < count(capsys.readouterr().out) <= 301
    assert main.main(["brief", "--data", data, "--tokens", "1"]) == 1
    assert "tokens must be between" in capsys.readouterr().err


def test_a_limited_caller_is_told_of_its_namespaces_only(ctx: Context) -> None:
    remember(ctx, "Of the app")
    call(ctx, "add_todo", title="Todo of the app")
    fail(ctx, "AppError: of the app")
    capture(ctx, "captured in the app", "session", client="codex")
    remember(ctx, "Of the shop", namespace="shop")
    shop = ctx.granted(Grant("tok_shop", "read", frozenset({"shop"})))
    text = told(shop)
    assert list(sections(text)) == ["Decisions"]
    assert "Of the shop" in text
    assert "app" not in text.replace("shop", "")
    assert "wait" not in text
    with pytest.raises(NotFound):
        project_brief.brief_of(shop, str(ctx.session.location.path) if ctx.session.location else "")


# --- Ids ---


def test_the_beginning_of_an_id_stands_for_it_where_no_other_begins_so(ctx: Context) -> None:
    decision = remember(ctx, "Axum was chosen")
    assert call(ctx, "update_memory", id=decision[:8], content="Actix was chosen")["id"] == decision
    assert resources.text_of(ctx, f"memory://{decision[:13]}", NO_CALLER).count("Actix was chosen") == 1
    with pytest.raises(NotFound):
        call(ctx, "update_memory", id=decision[:7], content="x")


def test_ids_that_begin_alike_are_told_whole_and_their_beginning_is_refused(ctx: Context) -> None:
    ids = [f"0a1b2c3d-0000-4000-8000-00000000000{at}" for at in (1, 2)]
    memories = [{"id": id_, "content": f"Decision {id_[-1]}", "memory_type": "decision"} for id_ in ids]
    call(ctx, "import_memories", memories=memories)
    assert all(f", {id_}]" in told(ctx) for id_ in ids)
    with pytest.raises(Conflict, match="several ids begin with '0a1b2c3d'"):
        call(ctx, "update_memory", id="0a1b2c3d", content="x")
