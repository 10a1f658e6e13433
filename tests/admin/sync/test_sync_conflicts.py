"""What two machines did to one record, and what else lies in the directory through which they meet."""

from datetime import timedelta

import pytest

from indelible.core.records import history
from synced import Machine, met


def _texts(machine: Machine) -> list[str]:
    return [found["content"] for found in machine.call("export_memories")]


@pytest.mark.parametrize("later", ["the edit", "the deletion"])
def test_of_a_deletion_and_an_edit_the_later_holds_and_the_conflict_is_named(tmp_path, later):
    place = tmp_path / "shared"
    place.mkdir()
    one, other = Machine(tmp_path, "one"), Machine(tmp_path, "other")
    made = one.call("store_memory", content="Deploys are on Monday")
    met(one, other, place=place)
    first, second = (one, other) if later == "the edit" else (other, one)
    first.now += timedelta(days=1)
    second.now += timedelta(days=2)
    one.call("delete_memory", id=made["id"])
    other.call("update_memory", id=made["id"], content="Deploys are on Friday")
    one.now += timedelta(days=9)  # the deletion is noted long after it was made
    told = [each.meet(place).taken.conflicts for each in (other, one, other, one)]
    assert _texts(one) == _texts(other) == (["Deploys are on Friday"] if later == "the edit" else [])
    (named,) = [line for lines in told for line in lines]
    assert made["id"] in named
    assert "deleted on one machine" in named
    kept = [past["content"] for past in history.past_of(other.memory.context, made["id"])]
    assert ("Deploys are on Friday" in kept) is (later == "the deletion")
    for each in (one, other):
        each.memory.close()


def test_what_both_made_alike_is_no_conflict(two):
    one, other, place = two
    for each in (one, other):
        each.call("store_memory", content="Deploys are on Monday", tags=["ops"])
        each.call("add_todo", title="Rotate the keys", description="")
    assert one.meet(place).taken.conflicts == []
    assert other.meet(place).taken.conflicts == []
    assert one.meet(place).taken.conflicts == []
    assert _texts(one) == _texts(other) == ["Deploys are on Monday"]


def test_files_of_a_file_manager_are_passed_over_and_one_that_icloud_has_not_brought_is_named(two):
    one, other, place = two
    one.call("store_memory", content="Deploys are on Monday")
    one.meet(place)
    (path,) = place.rglob("*.bundle")
    path.with_name(".DS_Store").touch()
    (path.parents[1] / ".DS_Store").touch()
    assert other.meet(place).problems == []
    path.rename(path.with_name(f".{path.name}.icloud"))
    (problem,) = other.meet(place).problems
    assert "iCloud" in problem
