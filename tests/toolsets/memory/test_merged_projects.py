"""A store in which an earlier version took a directory and the repositories below it for one project.

`released/merged_projects.sql` was written by the code of schema 9 in real directories: a plain one with two
repositories and a plain directory in it, one repository indexed, the other with a captured session and a clone.
"""

import subprocess
from pathlib import Path

import apsw
import pytest

import released
from command_line import done, indelible, opened, refused
from indelible.admin import doctor
from indelible.api import Memory
from indelible.core.context.context import Context
from indelible.settings import Settings
from indelible.store.sqlite.connection import FILE
from indelible.store.tables import projects, repositories
from indelible.toolsets.memory import merged_projects

pytestmark = [pytest.mark.process, pytest.mark.sqlite("the file of an earlier schema")]

WRITTEN_IN = "/srv/merged"
DECIDED = [
    "Always use tabs in the queue code.",
    "We decided to use PostgreSQL for the queue because it is there already.",
]
CENTS = "We chose that settle_invoice in billing.py takes cents"


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


@pytest.fixture
def there(tmp_path: Path) -> Path:
    """The directories as they were when the store was written."""
    for name, origin in (("w/a", ""), ("w/b", "git@github.com:me/b.git"), ("elsewhere/b2", "https://github.com/me/b")):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        git(folder, "init", "-q")
        if origin:
            git(folder, "remote", "add", "origin", origin)
    (tmp_path / "w" / "notes").mkdir()
    (tmp_path / "w" / "a" / "billing.py").write_text(
        'def settle_invoice(total):\n    """Settle."""\n    return total\n'
    )
    return tmp_path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    directory = tmp_path / "data"
    directory.mkdir(mode=0o700)
    (directory / FILE).touch(mode=0o600)
    connection = apsw.Connection(str(directory / FILE))
    connection.pragma("journal_mode", "wal")
    text = (released.FOLDER / "merged_projects.sql").read_text(encoding="utf-8")
    connection.execute(text.replace(WRITTEN_IN, str(tmp_path))).fetchall()
    connection.close()
    return directory


def stored(ctx: Context) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in Memory(ctx).export_memories(limit=1000):
        found.setdefault(Path(each["namespace"]).name, []).append(each["content"])
    return {name: sorted(texts) for name, texts in found.items()}


def report(data: Path) -> list[str]:
    found = doctor.examine(Settings(data=data, start=data.parent, home=data.parent))
    assert found.sound, found.lines
    return [line for line in found.lines if "may hold memories" in line]


def test_what_says_its_path_is_told_apart_by_the_upgrade(there: Path, data: Path):
    said = indelible("stats", data=data).stderr.decode()
    assert "moved 3 records to their own project; an earlier version stored them in a parent directory" in said
    with opened(data) as ctx:
        known = stored(ctx)
        assert known["a"] == [CENTS]
        assert known["b"] == DECIDED
        assert len(known["w"]) == 5
        with ctx.store.read() as tx:
            assert projects.aliases(tx) == {
                str(there / "w"): str(there / "w"),
                str(there / "w" / "a"): str(there / "w" / "a"),
                str(there / "w" / "b"): str(there / "w" / "b"),
                str(there / "w" / "notes"): str(there / "w"),
                str(there / "elsewhere" / "b2"): str(there / "w" / "b"),
                "github.com/me/b": str(there / "w" / "b"),
            }
            (code,) = repositories.everything(tx)
            assert (code.namespace, code.root) == (str(there / "w" / "a"), str(there / "w" / "a"))
        found = Memory(ctx).search_symbols(query="settle_invoice")
        assert len(found["symbols"] if isinstance(found, dict) else found) == 1
    assert done("index", str(there / "w" / "a"), data=data) == ""
    with opened(data) as ctx, ctx.store.read() as tx:
        assert len(repositories.everything(tx)) == 1


def test_the_upgrade_can_be_undone_and_does_not_come_again(there: Path, data: Path):
    done("stats", data=data)
    done("undo", data=data)
    done("stats", data=data)
    with opened(data) as ctx:
        assert set(stored(ctx)) == {"w"}


def test_doctor_tells_of_what_cannot_be_told_apart_and_its_name_deletes_nothing(there: Path, data: Path):
    name = str(there / "w")
    done("stats", data=data)
    (line,) = report(data)
    for part in ("a", "b"):
        assert repr(f"{name}/{part}") in line
    assert f"{name}/notes" not in line
    assert f"`indelible project split {name}`" in line
    assert "may hold memories of" in refused("purge", "--namespace", name, "--yes", data=data)
    words = refused("call", "delete_namespace", "--namespace", name, "--confirm", "true", data=data)
    assert "Nothing was deleted" in words
    said = done("purge", "--namespace", f"{name}/a", "--yes", data=data)
    assert said.startswith("purged ")
    with opened(data) as ctx:
        assert len(stored(ctx)["w"]) == 5
    done("project", "keep", name, data=data)
    assert report(data) == []
    assert "purged 5 memories" in done("purge", "--namespace", name, "--yes", data=data)
    with opened(data) as ctx:
        assert set(stored(ctx)) == {"b"}


def test_a_store_whose_directories_are_gone_is_reported_and_what_says_its_path_is_moved(data: Path):
    done("stats", data=data)
    assert len(report(data)) == 1
    with opened(data) as ctx:
        assert stored(ctx)["b"] == DECIDED
        assert stored(ctx)["a"] == [CENTS]


def test_a_split_moves_what_is_named_and_answers_the_finding(there: Path, data: Path):
    name, a, b = (str(there / "w"), str(there / "w" / "a"), str(there / "w" / "b"))
    done("stats", data=data)
    with opened(data) as ctx:
        ids = {each["content"]: each["id"] for each in Memory(ctx).export_memories(limit=100)}
    till, queue = ids["Of a: the till rounds up"], ids["Of b: the queue is drained hourly"]
    assert done("project", "split", name, "--to", a, "--ids", till, "--dry-run", data=data).startswith("would move 1 ")
    done("project", "split", name, "--to", a, "--ids", till, data=data)
    assert repr(a) not in report(data)[0]
    done("project", "split", name, "--ids", queue, data=data)  # b is the only one that is left
    assert report(data) == []
    with opened(data) as ctx:
        assert "Of a: the till rounds up" in stored(ctx)["a"]
        assert "Of b: the queue is drained hourly" in stored(ctx)["b"]
        hits = Memory(ctx).recall_memory(query="queue drained hourly", namespace=b)
        assert "Of b: the queue is drained hourly" in [hit["content"] for hit in hits]
    done("undo", data=data)
    with opened(data) as ctx:
        assert "Of b: the queue is drained hourly" in stored(ctx)["w"]
        hits = Memory(ctx).recall_memory(query="queue drained hourly", namespace=name)
        assert "Of b: the queue is drained hourly" in [hit["content"] for hit in hits]


def test_a_split_by_session_and_by_time(there: Path, data: Path):
    name = str(there / "w")
    done("stats", data=data)
    done("undo", data=data)
    with opened(data) as ctx:
        assert len(merged_projects.chosen_of(ctx, name, session="s1")) == len(DECIDED)
        with ctx.store.read() as tx:
            found = {
                (each.record.text, Path(each.to).name, each.why) for each in merged_projects.proposal(ctx, tx, name)
            }
        assert found == {
            *((text, "b", merged_projects.SESSION) for text in DECIDED),
            (CENTS, "a", merged_projects.CODE),
        }
    proposed = done("project", "split", name, data=data)
    assert CENTS in proposed
    assert "captured in it" in proposed
    assert "moved 2 records" in done("project", "split", name, "--session", "s1", "--to", "queue", data=data)
    assert "moved 1 record" in done("project", "split", name, "--proposed", data=data)
    moved = done("project", "split", name, "--before", "2100-01-01", "--to", f"{name}/b", data=data)
    assert "moved 5 records" in moved
    with opened(data) as ctx:
        assert set(stored(ctx)) == {"queue", "a", "b"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--ids", "none"], "--to must say which project"),
        (["--ids", "none", "--to", "x"], "is unknown"),
        (["--before", "yesterday", "--to", "x"], "--before"),
        (["--session", "s1", "--to", " "], "--to must be another project"),
    ],
)
def test_a_split_that_cannot_be_meant_is_refused(there: Path, data: Path, arguments: list[str], words: str):
    done("stats", data=data)
    assert words in refused("project", "split", str(there / "w"), *arguments, data=data)
