"""What a command does with all projects it does with one where `--project` names that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import done, indelible, opened, refused, result
from history_times import moment_between
from indelible.capture import ingest
from indelible.clock import sortable_text
from told import Told, repository, spooled

pytestmark = pytest.mark.process

FLOATS, SALARIES = "Never store the prices of the API as floats.", "Never log the salaries of the API users."


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop")


@pytest.fixture
def hr(tmp_path: Path) -> Path:
    return repository(tmp_path / "hr")


@pytest.fixture
def captured(data: Path, shop: Path, hr: Path) -> None:
    """A rule that waits for a review in each of two projects."""
    for project, session, said in (
        (shop, "s1", FLOATS),
        (hr, "s2", SALARIES),
    ):
        told = Told(project, session)
        told.prompt(said)
        told.turn("Understood.")
        spooled(data, told.events)
    with opened(data) as ctx:
        ingest.drain(ctx)


def texts(answer: dict) -> list[str]:
    return sorted(each["content"] for each in answer["memories"])


@pytest.mark.usefixtures("captured")
def test_what_waits_in_a_project_is_listed_and_reviewed_by_itself(data, shop, hr):
    assert texts(result("captured", data=data)) == [SALARIES, FLOATS]
    listed = result("captured", "--project", shop, data=data)
    assert (texts(listed), listed["waiting"]) == ([FLOATS], 1)
    assert texts(result("review", "--project", hr, data=data)) == [SALARIES]
    assert texts(result("review", data=data)) == [SALARIES, FLOATS]


@pytest.mark.usefixtures("captured")
def test_all_of_a_project_is_promoted_and_nothing_of_another(data, shop, hr):
    told = done("promote", "--all", "--yes", "--project", shop, data=data)
    assert FLOATS in told
    assert SALARIES not in told
    assert texts(result("captured", data=data)) == [SALARIES]
    assert "promote --all would trust 1 memory" in refused("promote", "--all", "--project", hr, data=data)


@pytest.mark.parametrize("what", [("--older-than", "2000-01-01"), ("--expired",)])
def test_a_purge_of_what_is_old_in_every_project_is_none_of_one_project(data, shop, hr, what):
    done("remember", "the salaries", "--project", hr, data=data)
    said = refused("purge", *what, "--yes", "--project", shop, data=data)
    assert said == (
        f"indelible: --project does not limit purge {what[0]}, which is of every project; leave it out, or give "
        "--namespace NS alone for all of one project. Nothing was deleted\n"
    )
    assert exported(data) == ["the salaries"]


def exported(data: Path, *more: str | Path) -> list[str]:
    return [json.loads(line)["content"] for line in done("export", *more, data=data).splitlines()]


def test_an_export_of_a_project_has_its_records_and_the_relations_between_them(data, shop, hr):
    till, scale, salaries = (
        done("remember", text, "--project", project, data=data).split()[1]
        for text, project in (("the till", shop), ("the scale", shop), ("the salaries", hr))
    )
    for target in (scale, salaries):
        between = ("--source_id", till, "--target_id", target)
        done("call", "associate_memories", *between, "--relationship", "RELATES_TO", data=data)
    assert exported(data) == ["the till", "the scale", "the salaries"]
    assert exported(data, "--project", shop) == ["the till", "the scale"]
    assert exported(data, "--project", hr) == ["the salaries"]
    records = [json.loads(line) for line in done("export", "--project", shop, data=data).splitlines()]
    ids = {each["id"] for each in records}
    assert [edge["target"] in ids for each in records for edge in each.get("edges", [])] == [True]


def test_an_export_of_a_project_as_of_a_time_has_its_records(data, shop, hr):
    done("remember", "the till", "--project", shop, data=data)
    done("remember", "the salaries", "--project", hr, data=data)
    then = sortable_text(moment_between())
    done("remember", "the scale", "--project", shop, data=data)
    assert exported(data, "--as-of", then) == ["the till", "the salaries"]
    assert exported(data, "--as-of", then, "--project", shop) == ["the till"]


def test_a_consolidation_is_of_the_whole_store_and_refuses_one_project(data, shop):
    done("remember", "the salaries", "--importance", "0.01", data=data)
    for cycle in ("forget", "all"):
        assert refused("consolidate", cycle, "--project", shop, data=data) == (
            "indelible: --project does not limit consolidate, which maintains the whole store; leave it out. Nothing "
            "was changed\n"
        )
    assert exported(data) == ["the salaries"]


@pytest.mark.usefixtures("captured")
def test_a_project_of_which_nothing_is_known_is_named(data):
    typo = ("--project", "shpo")
    assert indelible("captured", *typo, data=data).stderr == b"no captured memory waits for review in project shpo\n"
    promoted = indelible("promote", "--all", "--yes", *typo, data=data)
    assert promoted.stderr == b"no captured memory waits for review in project shpo\n"
    empty = indelible("export", *typo, data=data)
    assert (empty.returncode, empty.stdout) == (0, b"")
    assert empty.stderr == (
        b"nothing is stored in project shpo; `indelible call list_namespaces` lists the projects that have memories\n"
    )


def test_an_export_in_another_form_is_of_all_projects_and_says_so(data, shop, tmp_path):
    done("remember", "the till", "--project", shop, data=data)
    for to in ("memory-jsonl", "markdown"):
        said = refused("export", "--to", to, tmp_path / "place", "--project", shop, data=data)
        assert said.startswith(f"indelible: --project does not go with --to {to}, which writes those of every project")
