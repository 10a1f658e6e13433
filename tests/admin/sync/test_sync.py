"""Two machines and a directory: what each has after a sync, and what it is told."""

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from command_line import assert_sound
from indelible.admin import purge
from indelible.admin.sync import bundles, merging
from indelible.core.records import history, undo
from indelible.errors import Conflict, InvalidInput, StoreError
from synced import KEY, Machine, met

YEARS = (2016, 2026, 2036)


def _texts(one: Machine) -> list[str]:
    return sorted(found["content"] for found in one.call("export_memories"))


def test_what_one_stored_the_other_recalls(two):
    one, other, place = two
    made = one.call("store_memory", content="The queue is drained by the nightly job", tags=["queue"])
    done = one.meet(place)
    assert (done.noted, done.machines, done.taken.added) == (1, 0, 0)
    done = other.meet(place)
    assert (done.noted, done.machines, done.taken.added) == (0, 1, 1)
    assert [hit["id"] for hit in other.call("recall_memory", query="nightly queue")] == [made["id"]]
    assert other.contents() == one.contents()


def test_a_sync_without_news_writes_nothing(two):
    one, other, place = two
    one.call("store_memory", content="The queue is drained by the nightly job")
    met(one, other, place=place)
    before = {path: path.read_bytes() for path in place.rglob("*.bundle")}
    assert before
    met(one, other, place=place)
    assert {path: path.read_bytes() for path in place.rglob("*.bundle")} == before


def test_nothing_of_a_memory_stands_in_the_files_unless_they_are_plain(two, tmp_path):
    one, other, place = two
    one.call("store_memory", content="Zanzibar is the name of the build host")
    one.meet(place)
    files = list(place.rglob("*.bundle"))
    assert files
    entries = [entry for path in files for entry in bundles.read(bundles._head_of(path, path.parent.name), KEY)]
    assert [entry.content["content"] for entry in entries] == ["Zanzibar is the name of the build host"]
    done = other.meet(place, bytes(31) + b"x")
    assert done.problems
    assert all("another key" in problem for problem in done.problems)
    assert _texts(other) == []
    plain = tmp_path / "plain"
    plain.mkdir()
    one.meet(plain, None)
    assert other.meet(plain, None).taken.added == 1


def test_of_two_changes_of_one_memory_the_newer_holds_and_both_are_kept(two):
    one, other, place = two
    made = one.call("store_memory", content="Deploys are on Monday")
    met(one, other, place=place)
    other.call("update_memory", id=made["id"], content="Deploys are on Tuesday")
    one.call("update_memory", id=made["id"], content="Deploys are on Friday")
    one.meet(place)
    told = other.meet(place).taken.conflicts
    assert len(told) == 1
    assert made["id"] in told[0]
    met(one, other, place=place)
    (holds,) = _texts(one)
    lost = {"Deploys are on Tuesday", "Deploys are on Friday"} - {holds}
    kept = {past["content"] for each in (one, other) for past in history.past_of(each.memory.context, made["id"])}
    assert lost <= kept


def test_who_changes_what_came_from_a_clock_ahead_is_later_than_it(two):
    ahead, behind, place = two
    made = ahead.call("store_memory", content="Deploys are on Monday")
    met(ahead, behind, place=place)
    behind.call("update_memory", id=made["id"], content="Deploys are on Tuesday")
    assert behind.meet(place).taken.conflicts == []
    assert ahead.meet(place).taken.conflicts == []
    assert _texts(ahead) == ["Deploys are on Tuesday"]


def test_a_memory_that_both_stored_is_one(two):
    one, other, place = two
    for each in (one, other):
        each.call("store_memory", content="Deploys are on Monday")
    note = other.call("store_memory", content="The deploy needs the vault")
    same = next(found for found in other.call("export_memories") if found["content"] == "Deploys are on Monday")
    other.call("associate_memories", source_id=note["id"], target_id=same["id"], relationship="DEPENDS_ON")
    met(one, other, place=place)
    assert _texts(one) == ["Deploys are on Monday", "The deploy needs the vault"]
    relations = [edge for found in one.call("export_memories") for edge in found["edges"]]
    assert {edge["relationship"] for edge in relations} == {"DEPENDS_ON"}


def test_observations_of_an_entity_that_both_added_are_put_together(two):
    one, other, place = two
    one.call("create_entities", entities=[{"name": "Redis", "entityType": "tool", "observations": ["is a cache"]}])
    other.call("create_entities", entities=[{"name": "Redis", "entityType": "tool", "observations": ["runs on 6379"]}])
    met(one, other, place=place)
    one.call("add_observations", observations=[{"entityName": "Redis", "contents": ["evicts by LRU"]}])
    other.call("add_observations", observations=[{"entityName": "Redis", "contents": ["needs 2 GB"]}])
    met(one, other, place=place)
    (entity,) = one.call("open_nodes", names=["Redis"])["entities"]
    assert set(entity["observations"]) == {"is a cache", "runs on 6379", "evicts by LRU", "needs 2 GB"}


def test_observations_of_three_that_were_put_together_in_pairs_are_one_on_all(tmp_path):
    """Both pairs have the machine in common whose change is the latest."""
    machines = [
        Machine(tmp_path, name, datetime(year, 3, 1, tzinfo=UTC)) for name, year in zip("abc", YEARS, strict=True)
    ]
    places = [tmp_path / name for name in ("a and c", "b and c", "all")]
    for place in places:
        place.mkdir()
    one, other, latest = machines
    entity = {"name": "Redis", "entityType": "tool", "observations": ["is a cache"]}
    one.call("create_entities", entities=[entity])
    met(*machines, place=places[2])
    for each in machines:
        each.call("add_observations", observations=[{"entityName": "Redis", "contents": [f"runs on {each.name}"]}])
    for place, each in zip(places[:2], (one, other), strict=True):
        latest.meet(place)
        each.meet(place)
    met(*machines, place=places[2])
    (found,) = one.call("open_nodes", names=["Redis"])["entities"]
    assert set(found["observations"]) == {"is a cache", *(f"runs on {each.name}" for each in machines)}
    for each in machines:
        each.memory.close()


def _clone(path: Path, origin: str) -> Path:
    """A repository as a clone leaves it, by its files."""
    for part in ("objects", "refs"):
        (path / ".git" / part).mkdir(parents=True)
    (path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (path / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {origin}\n')
    return path


def test_a_repository_at_two_paths_is_one_project(tmp_path):
    place = tmp_path / "shared"
    place.mkdir()
    paths = [
        _clone(tmp_path / "home" / "shop", "git@github.com:acme/shop.git"),
        _clone(tmp_path / "Users" / "code" / "shop", "https://github.com/acme/shop"),
        _clone(tmp_path / "other" / "shop", "https://github.com/else/shop"),
    ]
    machines = [Machine(tmp_path, f"m{number}", project=path) for number, path in enumerate(paths)]
    for one, words in zip(machines, ("at night", "by cron", "by hand"), strict=True):
        one.call("store_memory", content=f"The queue is drained {words}")
    late = Machine(tmp_path, "late")  # it learns of the project before it has a clone
    met(*machines, late, place=place)
    late.memory.close()
    late = Machine(tmp_path, "late", project=_clone(tmp_path / "late-clone", "https://github.com/acme/shop.git"))
    met(*machines, late, place=place)

    def found(one: Machine, project: Path) -> list[str]:
        hits = one.call("recall_memory", query="queue drained", namespace=str(project))
        return sorted(hit["content"] for hit in hits)

    shop = ["The queue is drained at night", "The queue is drained by cron"]
    assert [found(one, paths[0]) for one in (*machines, late)] == [shop] * 4
    assert [found(one, paths[1]) for one in (*machines, late)] == [shop] * 4
    assert [found(one, paths[2]) for one in (*machines, late)] == [["The queue is drained by hand"]] * 4
    late.call("store_memory", content="The queue is drained by Bo")
    met(*machines, late, place=place)
    shop = sorted([*shop, "The queue is drained by Bo"])
    assert found(machines[0], paths[0]) == found(late, tmp_path / "late-clone") == shop
    for one in (*machines, late):
        one.memory.close()


def test_an_undo_takes_back_what_a_sync_added(two):
    one, other, place = two
    note = one.call("store_memory", content="Deploys are on Monday")
    more = one.call("store_memory", content="The deploy needs the vault")
    one.meet(place)
    other.meet(place)
    one.call("associate_memories", source_id=note["id"], target_id=more["id"], relationship="DEPENDS_ON")
    one.call("update_memory", id=note["id"], content="Deploys are on Tuesday")
    one.call("store_memory", content="The vault is sealed")
    one.meet(place)
    before = other.contents()
    other.meet(place)
    assert undo.undo(other.memory.context)["tool"] == "sync"
    assert other.contents() == before
    met(one, other, place=place)
    assert _texts(one) == ["Deploys are on Monday", "The deploy needs the vault"]


def test_a_deletion_and_its_undo_go_everywhere(two):
    one, other, place = two
    made = one.call("store_memory", content="Deploys are on Monday")
    met(one, other, place=place)
    one.call("delete_memory", id=made["id"])
    met(one, other, place=place)
    assert _texts(other) == []
    undo.undo(other.memory.context)
    met(one, other, place=place)
    assert _texts(one) == ["Deploys are on Monday"]


def test_a_purge_is_carried_out_everywhere_and_holds_against_old_files(two, tmp_path):
    one, other, place = two
    made = one.call("store_memory", content="Zanzibar is the name of the build host")
    met(one, other, place=place)
    shutil.copytree(place, tmp_path / "old")
    other.call("update_memory", id=made["id"], content="Zanzibar is the old name of the build host")
    ctx = one.memory.context
    purge.run(ctx, purge.of_records(ctx, [made["id"]]), lambda _: None)
    one.meet(place)
    assert other.meet(place).purged == 1
    met(one, other, place=place)
    shutil.copytree(tmp_path / "old", place, dirs_exist_ok=True)
    met(one, other, place=place)
    for each in (one, other):
        assert _texts(each) == []
        each.memory.close()
        stored = b"".join(path.read_bytes() for path in (tmp_path / each.name).rglob("*") if path.is_file())
        assert b"Zanzibar" not in stored


def test_a_purge_that_an_end_kept_from_being_carried_out_is_carried_out_by_the_next(two, monkeypatch):
    one, other, place = two
    made = one.call("store_memory", content="Zanzibar is the name of the build host")
    met(one, other, place=place)
    ctx = one.memory.context
    purge.run(ctx, purge.of_records(ctx, [made["id"]]), lambda _: None)
    one.meet(place)

    def ended(*_: object) -> purge.Done:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(purge, "run", ended)
        with pytest.raises(StoreError):
            other.meet(place)
    assert other.meet(place).purged == 1
    assert _texts(other) == []


def test_a_purge_leaves_what_was_made_anew_under_the_name(two):
    one, other, place = two
    one.call("create_entities", entities=[{"name": "Redis", "entityType": "tool", "observations": ["is a cache"]}])
    met(one, other, place=place)
    other.call("delete_entities", entityNames=["Redis"])
    other.call("create_entities", entities=[{"name": "Redis", "entityType": "person", "observations": ["is a cat"]}])
    ctx = one.memory.context
    purge.run(ctx, purge.of_records(ctx, ["entity:Redis"]), lambda _: None)
    one.meet(place)
    done = other.meet(place)
    assert len(done.problems) == 1
    assert "entity Redis" in done.problems[0]
    (entity,) = other.call("open_nodes", names=["Redis"])["entities"]
    assert entity["observations"] == ["is a cat"]


def test_files_that_are_known_are_not_read_again(two, monkeypatch):
    one, other, place = two
    one.call("store_memory", content="The queue is drained by the nightly job")
    one.meet(place)
    other.meet(place)
    one.meet(place)
    monkeypatch.setattr(bundles, "read", lambda *_: pytest.fail("it was read again"))
    one.meet(place)
    other.meet(place)


def test_numbers_stay_local(two):
    one, other, place = two
    one.call("add_todo", title="Measure the retries", description="on all hosts")
    other.call("add_todo", title="Rename the queue", description="before May")
    met(one, other, place=place)
    for each in (one, other):
        found = each.call("list_todos")
        todos = found["todos"] if isinstance(found, dict) else found
        assert {todo["title"] for todo in todos} == {"Measure the retries", "Rename the queue"}
        assert len({todo["todo_id"] for todo in todos}) == 2


def test_an_end_in_the_middle_leaves_the_rest_to_the_next(two, monkeypatch):
    one, other, place = two
    for number in range(30):
        one.call("store_memory", content=f"Memory {number} of the queue", tags=[f"n{number}"])
    one.meet(place)
    monkeypatch.setattr(merging, "TOGETHER", 1)
    taken = iter(range(100))
    whole = merging._batch

    def ended(*given: object) -> merging.Taken:
        if next(taken) == 12:
            raise StoreError("the disk is full")
        return whole(*given)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(merging, "_batch", ended)
        with pytest.raises(StoreError):
            other.meet(place)
    assert 0 < len(_texts(other)) < 30
    met(one, other, place=place)
    assert len(_texts(other)) == 30


KILLED = """
import os, signal, sys
from pathlib import Path
from indelible.admin.sync import merging
from synced import Machine

merging.TOGETHER, whole, taken = 1, merging._batch, iter(range(100))

def killed(*given):
    if next(taken) == 12:
        os.kill(os.getpid(), signal.SIGKILL)
    return whole(*given)

merging._batch = killed
path = Path(sys.argv[1])
Machine(path, "other").meet(path / "shared")
"""


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_a_kill_between_batches_leaves_a_sound_store_and_the_rest_to_the_next(tmp_path):
    place = tmp_path / "shared"
    place.mkdir()
    one = Machine(tmp_path, "one")
    for number in range(30):
        one.call("store_memory", content=f"Memory {number} of the queue", tags=[f"n{number}"])
    one.meet(place)
    paths = os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), *sys.path])
    words = [sys.executable, "-c", KILLED, str(tmp_path)]
    ran = subprocess.run(words, env={**os.environ, "PYTHONPATH": paths}, check=False, capture_output=True)
    assert ran.returncode == -signal.SIGKILL, ran.stderr
    assert_sound(tmp_path / "other")
    other = Machine(tmp_path, "other")
    assert 0 < len(_texts(other)) < 30
    met(one, other, place=place)
    assert len(_texts(other)) == 30
    for each in (one, other):
        each.memory.close()
        assert_sound(tmp_path / each.name)


def test_a_machine_with_a_key_takes_nothing_from_files_that_anybody_can_write(two):
    one, other, place = two
    one.call("store_memory", content="The deploy runs on Tuesdays")
    one.meet(place, None)
    done = other.meet(place)
    assert _texts(other) == []
    assert len(done.problems) == 1
    assert done.problems[0].endswith(
        ": it is not encrypted, so anybody can have written it: run `indelible sync` there without --plain, "
        "or here with it"
    )
    one.meet(place)
    assert other.meet(place).problems == []
    assert _texts(other) == ["The deploy runs on Tuesdays"]
    assert "it is encrypted; leave out --plain to read it" in " ".join(one.meet(place, None).problems)


@pytest.mark.parametrize("damage", ["cut", "changed", "gone"])
def test_a_machines_own_file_that_was_damaged_is_written_again(two, damage):
    one, other, place = two
    one.call("store_memory", content="The deploy runs on Tuesdays")
    assert one.meet(place).written == 1
    (path,) = place.rglob("*.bundle")
    whole = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(whole[:-9] + (b"" if damage == "cut" else b"123456789"))
    assert len(other.meet(place).problems) == (damage != "gone")
    assert one.meet(place).written == 1
    assert other.meet(place).taken.added == 1
    assert one.meet(place).written == 0


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "not ours", "conflicted copy"])
def test_a_file_that_is_damaged_is_named_and_costs_nothing_else(two, damage):
    one, other, place = two
    for number in range(8):
        one.call("store_memory", content=f"Memory {number} of the queue", tags=[f"n{number}"])
    one.meet(place)
    path = sorted(place.rglob("*.bundle"))[0]
    whole = path.read_bytes()
    if damage == "conflicted copy":
        path.with_name(f"{path.stem} (conflicted copy).bundle").write_bytes(whole)
    else:
        cut = {"cut": whole[:-20], "changed": whole[:-1] + bytes([whole[-1] ^ 1]), "empty": b"", "not ours": b"{}\n"}
        path.write_bytes(cut[damage])
    done = other.meet(place)
    assert len(done.problems) == 1
    assert str(path.parent) in done.problems[0]
    assert ("can be deleted" in done.problems[0]) is (damage == "conflicted copy")
    assert (len(_texts(other)) == 8) is (damage == "conflicted copy")
    path.write_bytes(whole)
    for extra in place.rglob("*conflicted*"):
        extra.unlink()
    other.meet(place)
    assert len(_texts(other)) == 8


def _only_entry(place):
    """The plain file of the one that left something, and the entry in it."""
    (path,) = place.rglob("*.bundle")
    bundle = bundles._head_of(path, path.parent.name)
    (entry,) = bundles.read(bundle, None)
    return bundle, entry


def test_an_entry_that_no_store_wrote_is_refused_by_name(two):
    one, other, place = two
    one.call("store_memory", content="Deploys are on Monday")
    one.meet(place, None)
    bundle, entry = _only_entry(place)
    for token, name, value in (("a", "importance", 7), ("b", "metadata", [1]), ("c", "content", None)):
        wrong = replace(entry, content={**entry.content, name: value})
        bundles.write(place, bundle.machine, bundle.part, token, [wrong], None)
        refused = other.meet(place, None).taken.refused
        assert len(refused) == 1
        assert name in refused[0]
    assert _texts(other) == []


def test_an_entry_without_what_has_a_default_is_taken(two):
    one, other, place = two
    one.call("store_memory", content="Deploys are on Monday")
    one.meet(place, None)
    bundle, entry = _only_entry(place)
    few = {name: entry.content[name] for name in ("id", "kind", "content")}
    bundles.write(place, bundle.machine, bundle.part, "few", [replace(entry, content=few)], None)
    assert other.meet(place, None).taken.added == 1
    assert _texts(other) == ["Deploys are on Monday"]


def test_a_directory_in_which_a_store_is_is_refused(two):
    one, _, place = two
    with pytest.raises(InvalidInput, match="store"):
        one.meet(one.memory.context.settings.data)
    with pytest.raises(InvalidInput, match="no directory"):
        one.meet(place / "missing")


def test_one_process_syncs_at_a_time(two):
    from indelible.filesystem import FileLock

    one, _, place = two
    with FileLock(one.memory.context.settings.data / "sync.lock"), pytest.raises(Conflict, match="another process"):
        one.meet(place)


def test_a_key_is_copied_by_hand_and_a_slip_is_noticed():
    key = bundles.new_key()
    text = bundles.key_text(key)
    assert bundles.key_of(f"  {text.upper()}\n") == key
    wrong = ("b" if text[3] == "a" else "a").join((text[:3], text[4:]))
    for given in (wrong, text[:-5], "", "not a key"):
        with pytest.raises(InvalidInput, match="show-key"):
            bundles.key_of(given)


def test_the_head_of_a_file_says_what_it_is(two):
    one, _, place = two
    one.call("store_memory", content="Deploys are on Monday")
    one.meet(place)
    (path,) = place.rglob("*.bundle")
    head = json.loads(path.read_bytes().split(b"\n")[0])
    assert head["indelible_sync"] == 1
    assert head["cipher"] == "aes-256-gcm"
    assert head["machine"] == path.parent.name
