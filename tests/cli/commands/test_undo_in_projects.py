"""Several agents and people change one store: what `history` lists and `undo` takes back says whose it is."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from command_line import call, done, indelible, opened, refused, result
from indelible.core.context.permissions import Grant
from indelible.toolsets import registry

pytestmark = pytest.mark.process

SHOP = ("--project", "shop")
HR = ("--project", "hr")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def deleted(data: Path, project: str, content: str) -> str:
    """The id of a memory of a project that was stored and deleted again."""
    stored = done("remember", content, "--project", project, data=data).split()[1]
    call("delete_memory", "--id", stored, data=data)
    return stored


def changed(data: Path, *more: str) -> list[str]:
    return [each["content"] for each in result("history", *more, data=data)["operations"]]


def test_undo_of_a_project_takes_back_its_own_last_change_and_no_other(data):
    deleted(data, "hr", "salaries are paid on the 25th")
    deleted(data, "shop", "the till closes at noon")
    deleted(data, "shop", "the till opens at nine")
    told = done("undo", *HR, data=data)
    assert told.startswith("undone delete_memory (")
    assert "salaries are paid on the 25th" in told
    assert "the till" not in told
    assert "there is nothing to undo in project hr" in refused("undo", *HR, data=data)
    assert "the till opens at nine" in done("undo", *SHOP, data=data)
    assert "the till closes at noon" in done("undo", *SHOP, data=data)


def test_the_history_of_a_project_has_its_own_changes_only(data):
    deleted(data, "hr", "salaries are paid on the 25th")
    for number in range(70):
        deleted(data, "shop", f"shelf {number}")
    assert changed(data, *HR) == ["salaries are paid on the 25th"]
    assert changed(data, *SHOP, "--limit", "2") == ["shelf 69", "shelf 68"]
    assert "salaries" in done("undo", *HR, data=data)
    none = indelible("history", "--project", "blog", data=data)
    assert (none.returncode, none.stdout) == (0, b"")
    assert none.stderr == b"nothing was changed or deleted in project blog in the last 30 days\n"


def test_the_history_of_all_says_which_project_each_change_is_of_where_they_differ(data):
    deleted(data, "shop", "the till closes at noon")
    assert "project" not in done("history", *SHOP, data=data).splitlines()[0]
    deleted(data, "hr", "salaries are paid on the 25th")
    head, first, second = done("history", data=data).splitlines()
    assert head.split() == ["operation", "time", "tool", "undone", "count", "project", "content", "before"]
    assert first.split()[4:] == ["hr", *"salaries are paid on the 25th".split()]
    assert second.split()[4:] == ["shop", *"the till closes at noon".split()]
    assert [each["projects"] for each in result("history", data=data)["operations"]] == [["hr"], ["shop"]]


def test_undo_says_of_what_came_back_that_it_is_another_projects(data):
    stored = deleted(data, "hr", "salaries are paid on the 25th")
    told = done("undo", data=data, env={"INDELIBLE_PROJECT": "shop"})
    assert told.splitlines()[1].endswith("(project hr) salaries are paid on the 25th")
    call("delete_memory", "--id", stored, data=data)
    assert done("undo", *HR, data=data).splitlines()[1].endswith(": salaries are paid on the 25th")


def test_the_history_says_who_changed_something_where_callers_have_names(data):
    deleted(data, "shop", "the till closes at noon")
    with opened(data) as ctx:
        ann = replace(ctx, session=replace(ctx.session, grant=Grant("tok_ann", "write")))
        stored = registry.call(ann, registry.find_tool("store_memory"), {"content": "by ann"}).value["id"]
        registry.call(ann, registry.find_tool("delete_memory"), {"id": stored})
    head, first, second = done("history", data=data).splitlines()
    assert head.split()[3] == "by"
    assert first.split()[3] == "tok_ann"
    assert "tok_ann" not in second


def test_what_delete_says_to_undo_is_its_own_change_whatever_came_since(data):
    stored = done("remember", "the till closes at noon", *SHOP, data=data).split()[1]
    said = done("delete", stored, data=data).splitlines()[-1]
    deleted(data, "hr", "salaries are paid on the 25th")
    operation = re.fullmatch(r"`indelible undo --operation (\w+)` brings it back", said)[1]
    assert "the till closes at noon" in done("undo", "--operation", operation, data=data)
