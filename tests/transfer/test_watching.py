"""Exports that are kept current: what is in the files after each change of the store. Nothing here waits."""

import json
import signal

import pytest

from indelible.cli.main import main
from indelible.errors import InvalidInput
from indelible.transfer import memory_jsonl, watching
from indelible.transfer.markdown import hand_edits, tree


class Stop(Exception):
    pass


@pytest.fixture
def followed(memory, monkeypatch):
    """Call steps one by one where the watch waits, and say how long it was to wait."""

    def follow(write, *steps, failed=pytest.fail):
        left, waited = iter(steps), []

        def wait(seconds):
            waited.append(seconds)
            for step in left:
                step()
                return
            raise Stop

        monkeypatch.setattr(watching, "wait", wait)
        with pytest.raises(Stop):
            watching.follow(memory.context, write, failed)
        return waited

    return follow


def test_a_change_is_written_and_several_at_once(memory, followed):
    seen = []

    def write():
        seen.append(len(memory.export_memories()))

    def two():
        memory.store_memory(content="Otters swim")
        memory.store_memory(content="Bats fly")

    waited = followed(write, lambda: None, two, lambda: memory.recall_memory(query="otters"), lambda: None)
    assert seen == [0, 2]
    assert min(waited) >= watching.EVERY


def test_what_goes_wrong_is_said_once_and_tried_again(memory, followed):
    seen, said = [], []

    def write():
        seen.append(len(memory.export_memories()))
        if len(seen) in (2, 3):
            raise InvalidInput("the disk is full")

    def change():
        memory.store_memory(content="Otters swim")

    followed(write, change, *[lambda: None] * 3, failed=said.append)
    assert seen == [0, 1, 1, 1]
    assert said == ["the disk is full"]


def test_a_tree_follows_the_store_and_leaves_what_was_edited_or_deleted_by_hand(memory, followed, tmp_path):
    root = tmp_path / "tree"
    memory.store_memory(content="Otters swim")
    bats = memory.store_memory(content="Bats fly")["id"]

    def texts():
        return sorted(path.read_text().rpartition("---\n\n")[2].strip() for path in root.rglob("*.md"))

    def delete():
        next(root.rglob("otters-*.md")).unlink()
        memory.store_memory(content="Owls hoot")

    def edit():
        assert texts() == ["Bats fly", "Owls hoot"]
        path = next(root.rglob("owls-*.md"))
        path.write_text(path.read_text().replace("hoot", "sleep"))
        memory.update_memory(id=bats, content="Bats hang")

    def look():
        assert texts() == ["Bats hang", "Owls sleep"]
        hand_edits.take_in(memory.context, root, deletes=True)
        assert sorted(item["content"] for item in memory.export_memories()) == ["Bats hang", "Owls sleep"]

    followed(lambda: tree.export(memory.context, root, restores=False), delete, edit, look)
    assert texts() == ["Bats hang", "Owls sleep"]


def test_the_reference_servers_file_follows_and_what_another_wrote_into_it_is_kept(memory, followed, tmp_path):
    path = tmp_path / "memory.jsonl"
    foreign = '{"type":"entity","name":"Cleo","entityType":"cat","observations":[]}\n'
    path.write_text(foreign)
    written = [None]
    kept = []

    def write():
        written[0], beside = memory_jsonl.export_file(memory.context, path, written[0])
        kept.extend([beside.name] if beside else [])

    def names():
        return [json.loads(line).get("name") for line in path.read_text().splitlines()]

    def add():
        memory.create_entities(entities=[{"name": "Ada", "entityType": "keeper", "observations": ["feeds"]}])

    def look():
        assert names() == ["Ada"]
        path.write_text(path.read_text() + foreign)
        memory.create_entities(entities=[{"name": "Bo", "entityType": "otter", "observations": []}])

    def forget():
        assert names() == ["Ada", "Bo"]
        memory.delete_entities(entityNames=["Ada"])

    followed(write, add, look, forget)
    assert names() == ["Bo"]
    assert kept == ["memory.jsonl.before", "memory.jsonl.before2"]
    assert (tmp_path / kept[0]).read_text() == foreign
    assert foreign in (tmp_path / kept[1]).read_text()


@pytest.mark.parametrize("to", ["markdown", "memory-jsonl"])
def test_a_watch_ends_by_ctrl_c_with_one_sentence(to, open_store, tmp_path, monkeypatch, capfd):
    open_store().close()
    for name, value in {"HOME": tmp_path, "INDELIBLE_DATA": tmp_path / "data", "XDG_RUNTIME_DIR": tmp_path}.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(watching, "wait", lambda _: signal.raise_signal(signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert main(["export", "--to", to, str(tmp_path / "place"), "--watch"]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    said = capfd.readouterr().err
    assert "the same command brings it up to date again" in said
    assert (tmp_path / "place").exists()


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (["--watch"], "--watch goes with"),
        (["--to", "memory-jsonl", "--watch"], "--watch needs a file"),
        (["--to", "markdown", "x", "--watch", "--json"], "--watch ends by Ctrl-C only"),
        (["--to", "markdown", "x", "--watch", "--as-of", "2026-01-01"], "--as-of"),
    ],
)
def test_what_does_not_go_together_is_refused(given, reason, open_store, tmp_path, monkeypatch, capfd):
    open_store().close()
    monkeypatch.setenv("INDELIBLE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert main(["export", *given]) != 0
    assert reason in "".join(capfd.readouterr())
