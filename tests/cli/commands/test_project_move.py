"""`indelible project move`: what is stored for a project goes with it when its directory is moved or renamed."""

import json
import os

import pytest

from command_line import done, indelible, refused
from told import repository

pytestmark = pytest.mark.process

FUTURE = {"id": "00000000-0000-4000-8000-000000000001", "content": "Stored by a clock that ran ahead"}


@pytest.fixture
def renamed(data, tmp_path):
    """A repository that was renamed after two memories and a document were stored in it: its paths before and after."""
    before, after = tmp_path / "till", tmp_path / "checkout"
    repository(before)
    (before / "deploy.md").write_text("# Deploys\n\nThey go out on Tuesdays.\n")
    done("remember", "The till rounds up", "--project", str(before), data=data)
    done("add", str(before / "deploy.md"), "--project", str(before), data=data)
    ahead = json.dumps({**FUTURE, "created_at": "2099-01-01T00:00:00Z"})
    done("import", "--project", str(before), data=data, stdin=ahead.encode())
    os.rename(before, after)
    return before, after


def test_a_list_without_a_memory_names_paths_that_are_gone(renamed, data):
    before, after = renamed
    said = indelible("list", "--project", after, data=data).stderr.decode()
    assert str(before) in said
    assert "indelible project move" in said
    assert str(before) not in indelible("list", "--type", "habit", "--project", after, data=data).stderr.decode()


def test_everything_of_a_renamed_project_is_taken_over_and_comes_back(renamed, data):
    before, after = renamed
    here = ("--project", str(after))
    assert done("project", "move", str(before), "--dry-run", *here, data=data).startswith("would move 3 records of ")
    assert done("project", "move", str(before), *here, data=data).startswith("moved 3 records to ")
    listed = done("list", *here, data=data)
    assert "The till rounds up" in listed
    assert FUTURE["content"] in listed
    found = done("recall", "deploys on tuesdays", "--namespace", str(after), data=data)
    assert "They go out on Tuesdays" in found
    done("undo", data=data)
    assert done("list", *here, data=data) == ""


def test_another_name_is_taken_with_to(renamed, data):
    before, _ = renamed
    done("project", "move", str(before), "--to", "checkout", data=data)
    assert "The till rounds up" in done("list", "--project", "checkout", data=data)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["/nothing/here"], "nothing is stored in '/nothing/here'"),
        (["checkout"], "--to must be another project than 'checkout'"),
        (["till", "--to", " "], "--to must be another project than 'till'"),
    ],
)
def test_a_move_that_cannot_be_meant_is_refused(data, arguments, words):
    done("remember", "The till rounds up", "--project", "checkout", data=data)
    assert words in refused("project", "move", *arguments, "--project", "checkout", data=data)
