"""`indelible add` stores files and folders as documents of the project, and what is unchanged only once."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from command_line import BOUND_BY_MODES, done, export, indelible, opened, refused
from indelible.core.context.context import open_context
from indelible.settings import Settings
from indelible.toolsets.context.documents import files
from mcp_client import McpClient, environment

posix = pytest.mark.skipif(sys.platform == "win32", reason="links and modes are POSIX")
GUIDE = "# Guide\n\nThe queue is drained by one worker.\n"


@pytest.fixture
def project(tmp_path):
    """A repository with two documents, a program, and what is no document."""
    top = tmp_path.resolve() / "project"
    (top / ".git").mkdir(parents=True)
    (top / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (top / "docs").mkdir()
    (top / "docs" / "guide.md").write_text(GUIDE)
    (top / "docs" / "日本語.md").write_text("夜間バッチは毎晩データを写す。", encoding="utf-8")
    (top / "main.py").write_text("def main():\n    return 0\n")
    (top / "logo.png").write_bytes(b"\x89PNG\x00\x00")
    (top / "big.txt").write_text("x" * ((1 << 20) + 1))
    (top / "debug.log").write_text("ignored")
    (top / ".gitignore").write_text("*.log\n.gitignore\n")
    return top


def add(project, *files, data=None):
    """Run the command in the project; what it said."""
    ran = run(project, *files, data=data)
    assert ran.returncode == 0, ran.stderr.decode()
    return ran.stderr.decode().splitlines()


def run(project, *files, data=None, **more):
    data = data or project.parent / "data"
    return indelible("add", "--project", str(project), *map(str, files), data=data, **more)


def documents(data):
    """The documents of a store: (type, content) by namespace and name."""
    items = map(json.loads, export(data).splitlines())
    return {(i["namespace"], i["label"]): (i["memory_type"], i["content"]) for i in items if i["kind"] == "document"}


@pytest.mark.process
def test_a_folder_is_stored_by_the_paths_in_the_project_and_what_is_no_text_is_told(project):
    said = add(project, project)
    assert said == [
        f"skipped {project / 'big.txt'}: over 1,048,576 bytes",
        f"skipped {project / 'logo.png'}: binary",
        "added 3 documents, changed 0, unchanged 0; skipped 2 files (1 over 1,048,576 bytes, 1 binary)",
    ]
    name = str(project)
    assert documents(project.parent / "data") == {
        (name, "docs/guide.md"): ("document", GUIDE),
        (name, "docs/日本語.md"): ("document", "夜間バッチは毎晩データを写す。"),
        (name, "main.py"): ("code", "def main():\n    return 0\n"),
    }


@pytest.mark.process
def test_a_second_run_stores_nothing_and_a_change_only_what_changed(project):
    add(project, project)
    before = export(project.parent / "data")
    assert add(project, project, project / "docs")[-1].startswith("added 0 documents, changed 0, unchanged 3")
    assert export(project.parent / "data") == before
    (project / "docs" / "guide.md").write_text(GUIDE + "\nIt is never full.\n")
    (project / "docs" / "new.md").write_text("New")
    assert add(project, project)[-1].startswith("added 1 document, changed 1, unchanged 2")
    assert "It is never full" in documents(project.parent / "data")[(str(project), "docs/guide.md")][1]


@pytest.mark.process
def test_what_was_added_is_found_and_an_undo_brings_back_what_was_changed(project):
    data = project.parent / "data"
    add(project, project)
    with McpClient(data) as client:
        found = client.call("retrieve_memory", {"query": "who drains the queue"})["results"]
        assert [each["metadata"]["file_name"] for each in found] == ["docs/guide.md"]
        code = client.call("retrieve_by_type", {"query": "main", "doc_type": "code"})["results"]
        assert [each["metadata"]["file_name"] for each in code] == ["main.py"]
    for name in ("guide.md", "日本語.md"):
        (project / "docs" / name).write_text("changed")
    add(project, project)
    done("undo", data=data)
    assert documents(data)[(str(project), "docs/guide.md")][1] == GUIDE
    assert documents(data)[(str(project), "docs/日本語.md")][1] != "changed"


@pytest.mark.process
def test_a_file_that_is_named_itself_is_taken_though_git_ignores_it(project):
    add(project, project / "debug.log", project / "docs" / ".." / "main.py", "--type", "note")
    assert documents(project.parent / "data") == {
        (str(project), "debug.log"): ("note", "ignored"),
        (str(project), "main.py"): ("note", "def main():\n    return 0\n"),
    }


@pytest.mark.process
def test_a_file_of_elsewhere_keeps_its_whole_path(project, tmp_path):
    elsewhere = tmp_path.resolve() / "elsewhere" / "guide.md"
    elsewhere.parent.mkdir()
    elsewhere.write_text("Of elsewhere")
    add(project, elsewhere, project / "docs" / "guide.md")
    assert set(documents(project.parent / "data")) == {
        (str(project), elsewhere.as_posix()),
        (str(project), "docs/guide.md"),
    }


@pytest.mark.process
def test_the_same_file_of_a_clone_is_the_same_document(project, tmp_path):
    config = '[remote "origin"]\n\turl = https://example.org/team/project.git\n'
    (project / ".git" / "config").write_text(config)
    add(project, project / "docs")
    clone = tmp_path.resolve() / "clone"
    (clone / ".git").mkdir(parents=True)
    (clone / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (clone / ".git" / "config").write_text(config)
    (clone / "docs").mkdir()
    (clone / "docs" / "guide.md").write_text(GUIDE)
    said = add(clone, clone / "docs", data=project.parent / "data")
    assert said == [
        "added 0 documents, changed 0, unchanged 1",
        "kept 1 document of files that no longer exist; --prune deletes them",
    ]


@pytest.mark.process
def test_a_document_that_an_agent_stored_under_the_path_is_the_same_one(project):
    data = project.parent / "data"
    with McpClient(data, "--project", str(project)) as client:
        stored = client.call("store_memory", {"content": "Old", "file_name": "docs/guide.md", "tags": ["kept"]})
        assert add(project, project / "docs" / "guide.md")[-1] == "added 0 documents, changed 1, unchanged 0"
        again = client.call("store_memory", {"content": GUIDE, "file_name": "docs/guide.md"})
    assert (again["id"], again["status"]) == (stored["id"], "duplicate")
    (item,) = [json.loads(line) for line in export(data).splitlines() if '"document"' in line[:40]]
    assert item["tags"] == ["kept"]


@pytest.mark.process
def test_secrets_are_redacted_and_told_and_the_file_is_unchanged_the_next_time(project):
    secret = "ghp_" + "a1B2" * 9
    (project / "docs" / "guide.md").write_text(f"token = {secret}")
    said = add(project, project / "docs")
    assert any(line.startswith("redacted in docs/guide.md: ") for line in said)
    assert secret not in export(project.parent / "data")
    assert add(project, project / "docs")[-1].startswith("added 0 documents, changed 0, unchanged 2")


@pytest.mark.process
def test_many_skipped_files_are_counted_and_the_first_named(project):
    for number in range(30):
        (project / f"{number}.bin").write_bytes(b"\0")
    said = add(project, project)
    assert len([line for line in said if line.startswith("skipped ")]) == 10
    assert "and 22 more" in said
    assert "skipped 32 files (31 binary, 1 over 1,048,576 bytes)" in said[-1]


@pytest.mark.process
@posix
def test_a_file_that_cannot_be_read_is_told_and_the_others_are_taken(project):
    os.chmod(project / "main.py", 0)
    ran = run(project, project, python=BOUND_BY_MODES)
    assert ran.returncode == 1
    said = ran.stderr.decode()
    assert f"skipped {project / 'main.py'}: unreadable: Permission denied" in said
    assert "added 2 documents" in said


@pytest.mark.process
@posix
def test_a_file_whose_name_is_no_text_is_told_and_the_others_are_taken(project):
    with open(os.fsencode(project / "docs") + b"/caf\xe9.md", "wb") as file:
        file.write(b"text")
    ran = run(project, project / "docs")
    assert ran.returncode == 1
    said = ran.stderr.decode(errors="replace")
    assert "half of a surrogate pair" in said
    assert "added 2 documents" in said


@pytest.mark.process
def test_what_is_not_there_is_refused_before_anything_is_stored(project):
    data = project.parent / "data"
    words = refused("add", "--project", str(project), project / "docs", project / "nowhere.md", data=data)
    assert "nowhere.md' does not exist; give files or directories that exist" in words
    assert documents(data) == {}
    words = refused("add", "--project", str(project), project, "--type", " ", data=data)
    assert "the type must have at least one visible character, got ' '" in words
    assert documents(data) == {}


@pytest.mark.process
def test_a_read_only_store_takes_nothing(project):
    words = refused("add", str(project), data=project.parent / "data", env={"INDELIBLE_READ_ONLY": "1"})
    assert "add writes, and INDELIBLE_READ_ONLY is set" in words


def test_progress_is_told_file_by_file(project):
    heard = []
    ctx = open_context(Settings(data=project.parent / "data", project=str(project), home=project.parent))
    try:
        answer = files.add(ctx, [project], report=lambda done, total, path: heard.append((done, total, path.name)))
    finally:
        ctx.close()
    assert heard == [
        (0, 5, "big.txt"),
        (1, 5, "logo.png"),
        (2, 5, "main.py"),
        (3, 5, "guide.md"),
        (4, 5, "日本語.md"),
    ]
    assert (answer.new, answer.changed, answer.unchanged, answer.failed) == (3, 0, 0, False)


@pytest.mark.process
@posix
def test_a_terminal_shows_a_bar_and_nothing_of_it_stays_in_a_pipe(project):
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "indelible", "add", "--project", str(project), "--data"]
    environ = environment({"TERM": "xterm-256color"})
    with open(ours, "rb", closefd=True) as screen:
        ran = subprocess.Popen([*command, str(project.parent / "data"), str(project)], stderr=theirs, env=environ)
        os.close(theirs)
        shown = b""
        while b"unchanged 0" not in shown:
            shown += os.read(screen.fileno(), 4096)
        assert ran.wait() == 0
    assert "━" in shown.decode()
    assert "/5" in shown.decode()
    assert not any("━" in line for line in add(project, project))


@pytest.mark.process
def test_two_processes_that_add_the_same_folder_at_once_store_each_file_once(project, tmp_path):
    for number in range(40):
        (project / "docs" / f"{number}.md").write_text(f"# Number {number}\n\n{GUIDE}")
    data = project.parent / "data"
    with opened(data):
        pass
    with ThreadPoolExecutor(2) as pool:
        ran = list(pool.map(lambda _: run(project, project / "docs"), range(2)))
    assert [each.returncode for each in ran] == [0, 0]
    assert len(documents(data)) == 42


# --- Files that are gone ---


@pytest.mark.process
def test_documents_of_deleted_files_stay_until_they_are_pruned_and_an_undo_brings_them_back(project):
    data = project.parent / "data"
    add(project, project)
    name, stored = str(project), documents(data)
    (project / "docs" / "guide.md").rename(project / "docs" / "manual.md")
    (project / "main.py").unlink()
    said = add(project, project)
    assert "added 1 document, changed 0, unchanged 1; skipped" in said[-2]
    assert said[-1] == "kept 2 documents of files that no longer exist; --prune deletes them"
    assert "added 0 documents, changed 0, unchanged 2, pruned 2; skipped" in add(project, project, "--prune")[-1]
    assert set(documents(data)) == {(name, "docs/manual.md"), (name, "docs/日本語.md")}
    assert "pruned 0" in add(project, project, "--prune")[-1]
    with McpClient(data, "--project", name) as client:
        found = client.call("retrieve_memory", {"query": "who drains the queue"})["results"]
        assert [each["metadata"]["file_name"] for each in found] == ["docs/manual.md"]
    done("undo", data=data)
    assert documents(data) == {**stored, (name, "docs/manual.md"): ("document", GUIDE)}


@pytest.mark.process
def test_only_what_was_stored_from_a_file_of_the_folder_is_pruned(project, tmp_path):
    data = project.parent / "data"
    elsewhere = tmp_path.resolve() / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "far.md").write_text("Far")
    (project / "docs" / "own.md").write_text("From a file")
    add(project, project, elsewhere)
    (project / "docs" / "own.md").unlink()
    with McpClient(data, "--project", str(project)) as client:
        client.call("store_memory", {"content": "Not from a file", "file_name": "docs/notes.md"})
        client.call("store_memory", {"content": "Not from it any more", "file_name": "docs/own.md"})
        client.call("store_memory", {"content": "Nor this", "file_name": str(project / "docs" / "more.md")})
        client.call("link_resources", {"source_id": "docs/to-come.md", "target_id": "docs/guide.md"} | RELATED)
    for path in (project / "docs" / "guide.md", project / "main.py", elsewhere / "far.md"):
        path.unlink()
    assert add(project, project / "docs", "--prune")[-1] == "added 0 documents, changed 0, unchanged 1, pruned 1"
    by_others = {"docs/notes.md", "docs/own.md", "docs/to-come.md", f"{project}/docs/more.md"}
    of_other_folders = {"main.py", f"{elsewhere}/far.md"}
    assert {label for _, label in documents(data)} == {"docs/日本語.md"} | by_others | of_other_folders
    assert add(project, elsewhere, "--prune")[-1] == "added 0 documents, changed 0, unchanged 0, pruned 1"
    assert add(project, project / "docs" / "日本語.md", "--prune")[-1].endswith("unchanged 1, pruned 0")


RELATED = {"relationship_type": "related_to"}


@pytest.mark.process
@posix
def test_a_folder_that_cannot_be_read_loses_no_document(project):
    add(project, project)
    os.chmod(project / "docs", 0)
    ran = run(project, project, "--prune", python=BOUND_BY_MODES)
    os.chmod(project / "docs", 0o755)
    assert ran.returncode == 1
    assert "pruned 0" in ran.stderr.decode()
    assert len(documents(project.parent / "data")) == 3


@pytest.mark.process
def test_a_pruned_document_does_not_come_back_beside_one_that_was_stored_since(project):
    data = project.parent / "data"
    add(project, project)
    (project / "docs" / "guide.md").unlink()
    add(project, project, "--prune")
    (project / "docs" / "guide.md").write_text("A new guide")
    add(project, project)
    assert "name or content is taken by a newer one" in refused("undo", data=data)
    assert documents(data)[(str(project), "docs/guide.md")] == ("document", "A new guide")


# --- What a person does ---


@pytest.mark.process
def test_a_worktree_in_the_folder_is_not_taken_for_the_project(project):
    other = project / ".claude" / "worktrees" / "fix"
    (other / "docs").mkdir(parents=True)
    git = project / ".git" / "worktrees" / "fix"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/fix\n")
    (git / "commondir").write_text("../..\n")
    (other / ".git").write_text(f"gitdir: {git}\n")
    (other / "docs" / "guide.md").write_text("Of the worktree")
    said = add(project, project)
    assert f"skipped {other}: a worktree" in said
    assert documents(project.parent / "data")[(str(project), "docs/guide.md")] == ("document", GUIDE)
    assert add(project, other) == ["added 0 documents, changed 1, unchanged 0"]  # the others are in the project


@pytest.mark.process
def test_the_rarest_reasons_are_named_first(project):
    for number in range(12):
        (project / f"{number}.bin").write_bytes(b"\0")
    (project / "zz.txt").write_bytes("Grüße".encode("latin-1"))
    said = add(project, project)
    assert said[:2] == [
        f"skipped {project / 'big.txt'}: over 1,048,576 bytes",
        f"skipped {project / 'zz.txt'}: not UTF-8",
    ]


@contextmanager
def interruptible():
    """What is started can be interrupted, also where these tests run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.process
@posix
def test_who_interrupts_is_told_how_to_go_on(project):
    for number in range(300):
        (project / "docs" / f"{number}.md").write_text(f"# Number {number}\n\n{GUIDE}")
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "indelible", "add", "--project", str(project), "--data"]
    environ = environment({"TERM": "xterm-256color"})
    with open(ours, "rb", closefd=True) as screen:
        with interruptible():
            ran = subprocess.Popen([*command, str(project.parent / "data"), str(project)], stderr=theirs, env=environ)
        os.close(theirs)
        shown = b""
        while b"/305" not in shown:
            shown += os.read(screen.fileno(), 4096)
        ran.send_signal(signal.SIGINT)
        while b"continues with the rest" not in shown:
            shown += os.read(screen.fileno(), 4096)
        assert ran.wait() == 130
    assert len(documents(project.parent / "data")) < 302
    add(project, project)
    assert len(documents(project.parent / "data")) == 303
