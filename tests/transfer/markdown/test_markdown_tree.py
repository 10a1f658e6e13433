"""A store as a tree of Markdown: the same bytes each time, only what differs written, and nothing of others touched."""

import json
import os
import re

import pytest

import everything
from history_times import moment_between
from indelible.core.records import exporting
from indelible.transfer.markdown import manifest, tree


def export(memory, root):
    return tree.export(memory.context, root)


def files(root):
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def only(root, pattern):
    (path,) = root.rglob(pattern)
    return path


@pytest.fixture
def root(tmp_path):
    return tmp_path / "tree"


def test_each_record_has_a_file_that_tells_what_it_is_and_leads_on(memory, root):
    everything.fill(memory)
    memory.store_memory(content="# The park\n\nAll of it.", file_name="park.md", namespace="/srv/zoo")
    memory.store_memory(content="Otters swim\nat night", memory_type="decision", tags=["zoo:otter", "b"])
    done = export(memory, root)
    assert not done.kept
    found = {re.sub(r"-[0-9a-f]{8}\.md$", "", path) for path in files(root) if path.endswith(".md")}
    assert {re.sub(r"^([^/]+)-[0-9a-f]{6}/", r"\1/", path) for path in found} >= {
        "no-project/memories/otters-swim",
        "no-project/memories/wombat-builds-run-at-night",
        "no-project/entities/wombat-works",
        "no-project/failures/build-wombaterror-burrow-7-is-locked",
        "zoo/documents/park-md",
    }
    text = only(root, "otters-swim-*.md").read_text()
    assert text.startswith("---\nuid: ")
    assert "\ntype: decision\n" in text
    assert '\ntags: ["zoo:otter", b]\n' in text
    assert text.endswith("---\n\nOtters swim\nat night\n")
    wombat = only(root, "wombat-builds-*.md").read_text()
    (link,) = re.findall(r"^- LEADS_TO \[\[(.*)\]\] %% ", wombat, re.MULTILINE)
    assert only(root, f"{link}.md").parent.name == "solutions"
    assert "- digs for the wombat\n" in only(root, "wombat-works-*.md").read_text()
    others = [json.loads(line) for line in (root / ".indelible/records.jsonl").read_text().splitlines()]
    assert {item["kind"] for item in others} == {"chunk", "file", "vector"}


def test_another_run_writes_nothing_and_an_access_changes_no_file_of_markdown(memory, root):
    everything.fill(memory)
    first = export(memory, root)
    before = {path: (content, (root / path).stat().st_mtime_ns) for path, content in files(root).items()}
    again = export(memory, root)
    assert (again.written, again.removed, again.kept) == ([], [], {})
    assert sorted(again.unchanged) == sorted(first.written)
    assert {path: (content, (root / path).stat().st_mtime_ns) for path, content in files(root).items()} == before
    memory.recall_memory(query="wombat")
    memory.context.write_behind.flush()
    export(memory, root)
    changed = {path for path, content in files(root).items() if content != before[path][0]}
    assert changed == {".indelible/access.jsonl"}


def test_the_file_of_what_is_gone_goes_and_of_what_changed_is_written(memory, root):
    one = memory.store_memory(content="Otters swim")["id"]
    two = memory.store_memory(content="Bats fly", namespace="/srv/zoo")["id"]
    export(memory, root)
    memory.update_memory(id=one, content="Otters dive")
    memory.delete_memory(id=two)
    done = export(memory, root)
    assert [path.rpartition("/")[2].rsplit("-", 1)[0] for path in done.written] == ["otters-dive"]
    assert sorted(path.rpartition("/")[2].rsplit("-", 1)[0] for path in done.removed) == ["bats-fly", "otters-swim"]
    assert [path.name.rsplit("-", 1)[0] for path in root.rglob("*.md")] == ["otters-dive"]
    assert sorted(path.name for path in root.iterdir()) == [".indelible", "no-project"]  # the empty folder went too


def test_nothing_that_somebody_else_wrote_is_touched(memory, root):
    memory.store_memory(content="Otters swim")
    gone = memory.store_memory(content="Bats fly")["id"]
    export(memory, root)
    edited, bats = only(root, "otters-*.md"), only(root, "bats-*.md")
    edited.write_text(edited.read_text() + "by hand\n")
    bats.write_text(bats.read_text() + "by hand\n")
    foreign = edited.parent / "my-notes.md"
    foreign.write_text("mine")
    before = {path: path.read_bytes() for path in (edited, bats, foreign)}
    memory.delete_memory(id=gone)
    done = export(memory, root)
    assert {path: path.read_bytes() for path in (edited, bats, foreign)} == before
    assert sorted(done.kept) == sorted(path.relative_to(root).as_posix() for path in (edited, bats))
    assert all("was edited since it was written" in reason for reason in done.kept.values())


def test_a_file_in_the_place_of_one_is_left_and_named(memory, root):
    memory.store_memory(content="Otters swim")
    export(memory, root)
    file = only(root, "otters-*.md")
    file.write_text("mine")
    (root / ".indelible/manifest.jsonl").unlink()
    done = export(memory, root)
    assert file.read_text() == "mine"
    assert list(done.kept.values()) == ["is there and was not written by Indelible; move it away"]


def test_a_missing_file_is_written_again_and_named(memory, root):
    memory.store_memory(content="Otters swim")
    export(memory, root)
    file = only(root, "otters-*.md")
    file.unlink()
    assert export(memory, root).restored == [file.relative_to(root).as_posix()]
    assert file.is_file()


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_links_are_not_followed_and_a_manifest_leads_nowhere_else(memory, root, tmp_path):
    memory.store_memory(content="Otters swim")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "victim.md").write_text("mine")
    root.mkdir()
    (root / "no-project").symlink_to(outside, target_is_directory=True)
    (root / ".indelible").mkdir()
    digest = manifest.digest(b"mine")
    entries = [
        {"path": path, "uid": "0" * 32, "sha256": digest, "state": ""}
        for path in ("../outside/victim.md", "no-project/victim.md", str(outside / "victim.md"))
    ]
    (root / ".indelible/manifest.jsonl").write_bytes(manifest.lines(entries) + b"[]\nnothing\n\xff\n")
    done = export(memory, root)
    assert {reason for reason in done.kept.values()} == {"no-project is a link; links are not followed"}
    assert [path.name for path in outside.iterdir()] == ["victim.md"]
    assert not done.written


def test_a_tree_of_a_time_holds_what_was_known_then(memory, root):
    one = memory.store_memory(content="Otters swim")["id"]
    moment = moment_between()
    memory.update_memory(id=one, content="Otters dive")
    tree.export(memory.context, root, moment)
    assert only(root, "*.md").read_text().endswith("\n\nOtters swim\n")
    assert [item["content"] for item in exporting.export_all(memory.context)] == ["Otters dive"]
