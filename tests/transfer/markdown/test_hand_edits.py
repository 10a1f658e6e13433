"""Edits by hand in a tree of Markdown: each is taken into the store, or named with the reason, and none is lost."""

import os
import shutil

import pytest

import everything
from indelible.admin import dry_run
from indelible.core.records import exporting
from indelible.toolsets.memory import importing
from indelible.transfer.markdown import hand_edits, tree
from park import undo


def export(memory, root):
    return tree.export(memory.context, root)


def take_in(memory, root, **how):
    return hand_edits.take_in(memory.context, root, **how)


def files(root):
    found = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    return {path: content for path, content in found.items() if path != ".indelible/lock"}


def only(root, pattern):
    (path,) = root.rglob(pattern)
    return path


def name(root, path):
    return path.relative_to(root).as_posix()


def edit(path, *changes):
    text = path.read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text, (before, text)
        text = text.replace(before, after, 1)
    path.write_text(text, encoding="utf-8")


def memories(memory):
    return {item["content"]: item for item in exporting.export_all(memory.context) if item["kind"] == "memory"}


@pytest.fixture
def root(memory, tmp_path):
    """A tree of a store with two memories, an entity and a todo."""
    one = memory.store_memory(content="Otters swim", tags=["zoo"])["id"]
    two = memory.store_memory(content="Bats fly", namespace="/srv/zoo")["id"]
    memory.associate_memories(source_id=one, target_id=two, relationship="EXPLAINS", weight=0.5)
    memory.create_entities(entities=[{"name": "Ada", "entityType": "keeper", "observations": ["feeds", "cleans"]}])
    memory.add_todo(title="Mend the fence", description="soon")
    export(memory, tmp_path / "tree")
    return tmp_path / "tree"


def test_a_tree_goes_into_an_empty_store_and_comes_out_the_same(open_store, tmp_path):
    first, other, lines = open_store("first"), open_store("other"), open_store("lines")
    everything.fill(first)
    first.store_memory(content="# The park\n\nAll of it.\n\n## Relations\n", file_name="park.md", namespace="/srv/zoo")
    first.store_memory(content="Ends\n\n## Relations\n\n- A [[b]]\n", memory_type="decision", tags=["zoo:otter", "b"])
    first.add_todo(title="Mend the fence", description="soon")
    first.recall_memory(query="wombat")
    first.context.write_behind.flush()
    export(first, tmp_path / "one")
    done = take_in(other, tmp_path / "one")
    assert (done.refused, done.conflicts, done.missing) == ({}, {}, [])
    export(other, tmp_path / "two")
    assert files(tmp_path / "two") == files(tmp_path / "one")
    items = list(exporting.export_all(first.context))
    importing.import_items(lines.context, items)

    def every(memory):
        return sorted(exporting.export_all(memory.context), key=lambda item: item["uid"])

    assert every(other) == every(lines)


def test_edits_of_every_field_are_taken_and_undone_as_one(memory, root):
    before = files(root)
    otters = only(root, "otters-*.md")
    edit(otters, ("swim\n", "dive\nand play\n"), ("[zoo]", "[zoo, water]"), ("importance: 0.5", "importance: 0.9"))
    edit(otters, ("type: context", "type: insight"), ("tags:", "pinned: true\ntags:"))
    edit(only(root, "ada-*.md"), ("- feeds\n", "- feeds\n- counts\n  twice\n"), ("- cleans\n", ""))
    done = take_in(memory, root)
    assert (len(done.changed), done.refused, done.conflicts) == (2, {}, {})
    item = memories(memory)["Otters dive\nand play"]
    assert (item["tags"], item["importance"], item["memory_type"]) == (["zoo", "water"], 0.9, "insight")
    assert item["metadata"]["pinned"] is True
    assert [edge["relationship"] for edge in item["edges"]] == ["EXPLAINS"]
    (ada,) = memory.open_nodes(names=["Ada"])["entities"]
    assert ada["observations"] == ["feeds", "counts\ntwice"]
    assert only(root, "otters-dive-*.md").read_text().count("Otters") == 1
    assert not export(memory, root).written
    again = take_in(memory, root)
    assert (again.changed, again.added, again.unchanged) == ([], [], 4)
    undo(memory)
    export(memory, root)
    assert {path: content for path, content in files(root).items() if path.endswith(".md")}.keys() == {
        path for path in before if path.endswith(".md")
    }
    assert memories(memory).keys() == {"Otters swim", "Bats fly"}


def test_relations_are_added_and_removed_by_their_lines(memory, root):
    bats, otters = only(root, "bats-*.md"), only(root, "otters-*.md")
    lines = otters.read_text().split("\n## Relations\n")
    otters.write_text(lines[0])
    bats.write_text(bats.read_text() + f"\n## Relations\n- depends_on [[folder/{otters.stem}|otters]]\n- [[nowhere]]\n")
    done = take_in(memory, root)
    assert done.changed == [name(root, otters)]
    assert done.refused == {name(root, bats): "has a relation to [[nowhere]], and there is no such file"}
    edit(bats, ("- [[nowhere]]\n", ""))
    assert take_in(memory, root).changed == [name(root, bats)]
    found = memories(memory)
    assert found["Otters swim"]["edges"] == []
    ((edge),) = found["Bats fly"]["edges"]
    assert (edge["relationship"], edge["target"]) == ("DEPENDS_ON", found["Otters swim"]["id"])


def test_a_file_written_by_hand_is_a_new_memory_of_its_folders_project(memory, root):
    (only(root, "bats-*.md").parent / "my note.md").write_text("---\ntags: ops, 'b'\n---\nOwls hoot\n")
    (root / "bare.md").write_text("Cats sleep", encoding="utf-8-sig")
    done = take_in(memory, root)
    assert len(done.added) == 2
    found = memories(memory)
    assert (found["Owls hoot"]["namespace"], found["Owls hoot"]["memory_type"]) == ("/srv/zoo", "context")
    assert "Cats sleep" in found
    assert [path.stem.rsplit("-", 1)[0] for path in root.rglob("owls-*.md")] == ["owls-hoot"]
    assert not list(root.rglob("my note.md"))
    assert take_in(memory, root).added == []


def test_a_deletion_is_named_and_carried_out_only_when_asked_for(memory, root):
    otters = only(root, "otters-*.md")
    otters.unlink()
    assert take_in(memory, root).missing == [name(root, otters)]
    assert "Otters swim" in memories(memory)
    assert not otters.exists()
    assert take_in(memory, root, deletes=True).deleted == [name(root, otters)]
    assert memories(memory).keys() == {"Bats fly"}
    undo(memory)
    assert memories(memory).keys() == {"Otters swim", "Bats fly"}


def test_what_both_changed_is_a_conflict_that_loses_neither(memory, root):
    otters, bats = only(root, "otters-*.md"), only(root, "bats-*.md")
    edit(otters, ("swim", "dive"))
    edit(bats, ("fly", "sleep"))
    found = memories(memory)
    memory.update_memory(id=found["Otters swim"]["id"], content="Otters float")
    memory.delete_memory(id=found["Bats fly"]["id"])
    assert export(memory, root).kept.keys() == {name(root, otters), name(root, bats)}
    done = take_in(memory, root)
    assert done.conflicts == {each: f"{each}.conflict" for each in (name(root, otters), name(root, bats))}
    assert "Otters dive" in (root / done.conflicts[name(root, otters)]).read_text()
    assert "Bats sleep" in (root / done.conflicts[name(root, bats)]).read_text()
    assert only(root, "otters-float-*.md")
    assert memories(memory).keys() == {"Otters float"}
    assert take_in(memory, root).conflicts == {}


def test_a_moved_file_is_the_same_record(memory, root):
    otters = only(root, "otters-*.md")
    moved = root / "elsewhere" / "other name.md"
    moved.parent.mkdir()
    otters.rename(moved)
    edit(moved, ("swim", "dive"))
    assert take_in(memory, root).changed == ["elsewhere/other name.md"]
    assert not moved.exists()
    assert only(root, "otters-dive-*.md").parent == otters.parent


def test_a_moved_file_that_cannot_be_taken_stays_the_file_of_its_record(memory, root):
    otters, bats = only(root, "otters-*.md"), only(root, "bats-*.md")
    edit(otters, ("kind: memory", "kind: entity"))
    edit(bats, ("tags: []", "tags: [}"))
    otters.rename(root / "kind.md")
    bats.rename(root / "yaml.md")
    before = files(root)
    for _ in range(2):
        done = take_in(memory, root, deletes=True)
        assert done.refused.keys() == {"kind.md", "yaml.md"}
        assert (done.deleted, files(root)) == ([], before)
    edit(root / "yaml.md", ("tags: [}", "tags: [b]"))
    assert take_in(memory, root, deletes=True).changed == ["yaml.md"]
    assert only(root, "bats-*.md") == bats


def test_a_copy_does_not_count_as_moved_where_the_first_file_lost_its_uid(memory, root):
    otters = only(root, "otters-*.md")
    shutil.copy(otters, root / "copy.md")
    edit(otters, ("uid:", "was:"))
    before = files(root)
    for _ in range(2):
        assert take_in(memory, root, deletes=True).refused == {
            name(root, otters): "says what is stored already; delete it"
        }
        assert files(root) == before


def test_a_file_that_is_empty_is_named_and_its_record_stays_when_deletions_are_carried_out(memory, root):
    before = memories(memory)
    for content in (b"", b" \n\n"):
        only(root, "otters-*.md").write_bytes(content)
        done = take_in(memory, root, deletes=True)
        assert done.refused == {name(root, only(root, "otters-*.md")): "is empty; write its text, or delete it"}
        assert (done.deleted, done.missing, memories(memory)) == ([], [], before)
        assert only(root, "otters-*.md").read_bytes() == content


def test_a_new_file_may_say_what_a_deleted_one_said(memory, root):
    otters = only(root, "otters-*.md")
    otters.unlink()
    (root / "new.md").write_text("Otters swim\n")
    done = take_in(memory, root, deletes=True)
    assert (done.deleted, done.added, done.refused) == ([name(root, otters)], ["new.md"], {})
    assert memories(memory).keys() == {"Otters swim", "Bats fly"}


BAD = {
    "bytes.md": (b"\xff\xfe\x00", "is not UTF-8 at byte 0"),
    "open.md": (b"---\nuid: 1\n", "the front matter has no end"),
    "uid.md": (b"---\nuid: 1\nid: x\ntype: context\nkind: memory\n---\ntext\n", "uid must be 32 hexadecimal digits"),
    "blank.md": (b"  \n", "is empty; write its text, or delete it"),
    "kind.md": (b"---\nkind: ../../etc\n---\ntext\n", "kind must be one of"),
    "weight.md": (b"---\nimportance: 7\n---\ntext\n", "importance must be a number from 0 to 1"),
    "nan.md": (b"---\nimportance: nan\n---\ntext\n", "must be a finite number"),
    "nul.md": (b"te\0xt\n", "contains a NUL character"),
    "long.md": (b"x" * (1 << 21), "has 2,097,152 bytes, at most 1,048,576 are allowed"),
    "twice.md": (b"---\ntags: [a]\nx: y\ntags: [b]\n---\ntext\n", "it has the key 'tags' twice"),
    "comment.md": (b"---\ntags: ['#a'] # why\n---\ntext\n", "it has the comment '# why', which is not kept"),
    "key.md": (b"---\n? [a]\n: b\n---\ntext\n", "it has a key that is no text"),
    "no_id.md": (b"---\nuid: 0123\nkind: memory\n---\ntext\n", "has the line uid and none for id"),
    "time.md": (b"---\ncreated: noon\n---\ntext\n", "created_at must be an ISO 8601 time"),
    "deep.md": (b"---\na: " + b"[" * 500 + b"\n---\nx\n", "it is nested deeper than 100 levels"),
}


def test_what_cannot_be_taken_is_named_with_its_reason_and_stays(memory, root):
    for path, (content, _) in BAD.items():
        (root / path).write_bytes(content)
    otters = only(root, "otters-*.md")
    shutil.copy(otters, root / "copy.md")
    fixed = only(root, "bats-*.md")
    edit(fixed, ('project: "/srv/zoo"', "project: elsewhere"))
    todo = only(root, "mend-*.md")
    edit(todo, ("soon", "later"))
    (root / "self.md").write_text("text\n\n## Relations\n\n- KNOWS [[self]]\n")
    before = files(root)
    done = take_in(memory, root)
    for path, (_, reason) in BAD.items():
        assert reason in done.refused[path], path
    assert "has the uid of" in done.refused["copy.md"]
    assert "has the uid of copy.md" in done.refused[name(root, otters)]
    assert 'changes project from "/srv/zoo" to "elsewhere"' in done.refused[name(root, fixed)]
    assert "changes the text of a todo" in done.refused[name(root, todo)]
    assert "has a relation to itself" in done.refused["self.md"]
    assert files(root) == before
    assert memories(memory).keys() == {"Otters swim", "Bats fly"}


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_links_are_named_and_not_followed(memory, root, tmp_path):
    (tmp_path / "secret.md").write_text("Nobody reads this")
    (root / "link.md").symlink_to(tmp_path / "secret.md")
    (root / "up").symlink_to(tmp_path, target_is_directory=True)
    done = take_in(memory, root)
    assert done.refused == dict.fromkeys(("link.md", "up"), "is a link; links are not followed")
    assert "Nobody reads this" not in memories(memory)


def test_a_secret_in_an_edit_is_redacted_in_the_store_and_in_the_file(memory, root):
    token = "ghp_" + "A1b2C3d4E5f6G7h8J9" * 2
    edit(only(root, "otters-*.md"), ("swim", f"swim with {token}"))
    take_in(memory, root)
    assert memory.context.call.redacted
    assert not any(token.encode() in content for content in files(root).values())


def test_a_dry_run_says_what_the_import_says_and_changes_nothing(memory, root):
    otters = only(root, "otters-*.md")
    edit(otters, ("swim", "dive"))
    edit(only(root, "mend-*.md"), ("soon", "now"))
    (root / "new.md").write_text("Owls hoot")
    only(root, "bats-*.md").unlink()
    before = files(root)
    with dry_run.copied(memory.context) as copy:
        said = hand_edits.take_in(copy, root, deletes=True, keeps_files=True)
    assert (said.changed, said.added, len(said.deleted)) == ([name(root, otters)], ["new.md"], 1)
    assert len(said.refused) == 1
    assert files(root) == before
    assert memories(memory).keys() == {"Otters swim", "Bats fly"}
    assert take_in(memory, root, deletes=True) == said


def test_notes_of_somebody_else_are_read_and_not_changed(memory, tmp_path):
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "idea.md").write_text("---\naliases: [x]\n---\nOwls hoot\n")
    before = files(vault)
    assert take_in(memory, vault).added == ["idea.md"]
    assert files(vault) == before
    assert memories(memory)["Owls hoot"]["metadata"]["aliases"] == ["x"]


def test_a_tree_without_its_manifest_still_knows_what_was_changed_here(memory, root):
    otters = only(root, "otters-*.md")
    edit(otters, ("swim", "dive"))
    (root / ".indelible/manifest.jsonl").unlink()
    assert take_in(memory, root).changed == [name(root, otters)]
    assert "Otters dive" in memories(memory)
