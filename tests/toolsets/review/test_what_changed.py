"""Everything that changed since a time or a commit."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from git_repository import GitRepository
from indelible.cli.main import main
from indelible.clock import time_text
from indelible.core.context.context import Context, open_context
from indelible.errors import InvalidInput
from indelible.project import locate
from indelible.sanitize.prompt_frame import json_text
from indelible.search.model_tokens.o200k import count
from indelible.settings import Settings
from indelible.toolsets.code import index
from indelible.toolsets.review import findings
from indexed_code import call

pytestmark = pytest.mark.process

LIBRARY = "def parse(text):\n    return text.split()\n\n\ndef other():\n    return 1\n"


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    return GitRepository(tmp_path / "repository")


@pytest.fixture
def ctx(repository: GitRepository, tmp_path: Path) -> Iterator[Context]:
    settings = Settings(data=tmp_path / "data", start=repository.path, home=tmp_path / "home")
    made = open_context(settings)
    yield made.at(locate(None, {}, repository.path, settings.home))
    made.close()


def test_since_a_commit(repository: GitRepository, ctx: Context) -> None:
    first = repository.commit({"lib.py": LIBRARY}, "begin")
    second = repository.commit({"lib.py": LIBRARY.replace("split()", "split(',')")}, "commas")
    index.index(ctx, repository.path)
    stored = call(ctx, "store_memory", content="commas separate", memory_type="decision")
    found = call(ctx, "what_changed", since=first)
    assert [(each["id"], each["subject"], each["files"]) for each in found["commits"]] == [(second[:12], "commas", 1)]
    assert found["symbols"] == ["lib.parse"]
    assert [(each["id"], each["type"]) for each in found["memories"]] == [(stored["id"], "decision")]
    assert (found["sessions"], found["left_out"], found["lacks"]) == ([], {}, [])
    assert call(ctx, "what_changed", since="HEAD")["commits"] == []


def test_since_a_time(repository: GitRepository, ctx: Context) -> None:
    repository.commit({"lib.py": LIBRARY}, "begin")
    repository.commit({"lib.py": LIBRARY + "# more\n"}, "more")
    time = repository.run("log", "-1", "--format=%cI").strip()
    found = call(ctx, "what_changed", since=time)
    assert [each["subject"] for each in found["commits"]] == ["more"]
    assert call(ctx, "what_changed", since=time_text(ctx.now()))["commits"] == []


@pytest.mark.parametrize("since", ["1h", "2d", "9w", "1y", "today", "yesterday"])
def test_since_an_age_or_a_day(ctx: Context, since: str) -> None:
    stored = call(ctx, "store_memory", content="stored now")
    found = call(ctx, "what_changed", since=since)
    assert [each["id"] for each in found["memories"]] == [stored["id"]]
    assert call(ctx, "what_changed", since=time_text(ctx.now() + 1_000_000))["memories"] == []


def test_the_command_says_that_nothing_changed(
    repository: GitRepository, ctx: Context, capfd: pytest.CaptureFixture[str]
) -> None:
    repository.commit({"lib.py": LIBRARY}, "begin")
    place = ["--data", str(ctx.settings.data), "--project", str(repository.path)]
    assert main(["what-changed", "HEAD", *place]) == 0
    assert "nothing changed since then" in capfd.readouterr().err


def test_the_command_names_memories_by_the_beginning_of_their_ids(
    ctx: Context, capfd: pytest.CaptureFixture[str]
) -> None:
    stored = call(ctx, "store_memory", content="Deploys go out on Tuesdays", memory_type="decision")
    place = ["--data", str(ctx.settings.data), "--project", str(ctx.settings.start)]
    assert main(["what-changed", "1d", *place]) == 0
    assert f"decision {stored['id'][:8]} Deploys go out on Tuesdays" in capfd.readouterr().out.splitlines()


@pytest.mark.parametrize("since", ["0d", "h", "1x", "tomorrow", "-1d", "1.5h"])
def test_what_is_neither_time_nor_commit_is_refused(ctx: Context, since: str) -> None:
    with pytest.raises(InvalidInput, match="12h or 2d, today, yesterday"):
        call(ctx, "what_changed", since=since)


def test_other_projects_memories_are_left_out(repository: GitRepository, ctx: Context) -> None:
    repository.commit({"lib.py": LIBRARY})
    call(ctx, "store_memory", content="elsewhere", namespace="another")
    assert call(ctx, "what_changed", since="2020-01-01")["memories"] == []


def test_without_a_repository_only_a_time_is_taken(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    settings = Settings(data=tmp_path / "data", start=folder, home=tmp_path / "home")
    made = open_context(settings)
    try:
        ctx = made.at(locate(None, {}, folder, settings.home))
        found = call(ctx, "what_changed", since="2020-01-01")
        assert any(each.startswith("git: ") for each in found["lacks"])
        with pytest.raises(InvalidInput, match="ISO 8601"):
            call(ctx, "what_changed", since="main")
    finally:
        made.close()


def test_an_answer_is_bounded_and_says_what_it_leaves_out(repository: GitRepository, ctx: Context) -> None:
    first = repository.commit({"a.txt": "0\n"})
    for number in range(50):
        repository.commit({}, f"a subject of {'many words and ' * 10}more that says what changed, number {number}")
    for number in range(30):
        call(ctx, "store_memory", content=f"a memory of many words about the matter of number {number}")
    found = call(ctx, "what_changed", since=first)
    assert count(json_text(found)) <= findings.TOKENS
    assert len(found["commits"]) + found["left_out"]["commits"] == 50
    assert found["commits"]
    assert found["memories"]


def test_secrets_in_messages_are_not_shown(repository: GitRepository, ctx: Context) -> None:
    secret = "ghp_" + "Ab1" * 12
    repository.commit({"a.txt": "1\n"}, f"use {secret}")
    assert secret not in json_text(call(ctx, "what_changed", since="2020-01-01"))
