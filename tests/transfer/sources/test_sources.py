"""Each source gives the entries of its tool, by hand on made files, through the command."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import foreign_memories as foreign
from indelible.cli.main import main
from indelible.transfer import sources

VARIABLES = "CLAUDE_CONFIG_DIR CODEX_HOME DB_PATH MCP_MEMORY_SQLITE_PATH MCP_MEMORY_BASE_DIR MEM0_DIR".split()
Import = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    (tmp_path / "home" / "shop").mkdir(parents=True)
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("INDELIBLE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("INDELIBLE_ENCODER", "off")
    monkeypatch.chdir(tmp_path / "home" / "shop")
    return tmp_path / "home"


@pytest.fixture
def take(home, capfd) -> Import:
    """Import a source; the exit code and its part of the answer, whose figures must add up."""

    def taken(name: str, *arguments: str) -> tuple[int, dict[str, Any]]:
        capfd.readouterr()
        code = main(["import", "--from", name, *arguments, "--json"])
        (one,) = json.loads(capfd.readouterr().out)["result"]["sources"]
        told = (
            one["taken"] + one["changed"] + one["known"] + one["repeated"] + one["deleted_here"] + len(one["refused"])
        )
        assert told + sum(one["passed_over"].values()) == one["entries"]
        return code, one

    return taken


@pytest.fixture
def records(home, capfd) -> Callable[[], dict[str, dict[str, Any]]]:
    """What the store holds, by content."""

    def listed() -> dict[str, dict[str, Any]]:
        capfd.readouterr()
        assert main(["export"]) == 0
        return {r["content"]: r for r in map(json.loads, capfd.readouterr().out.splitlines())}

    return listed


def test_codemem(home, take, records):
    path = foreign.codemem(home / ".codemem" / "codemem.db", 500)
    before = path.read_bytes()
    code, one = take("codemem")
    assert (code, one["taken"]) == (0, 500)
    assert one["relations_left_out"] == ["memory m-1: relation CALLS left out: 'sym:f' is not in the store"]
    found = records()
    fact = found["Codemem fact 1"]
    assert (fact["id"], fact["namespace"], fact["memory_type"], fact["access_count"]) == ("m-1", "shop", "decision", 2)
    (edge,) = fact["edges"]
    assert (edge["target"], edge["relationship"], edge["weight"]) == ("m-0", "EVOLVED_INTO", 0.5)
    assert edge["metadata"] == {"why": "faster", "valid_to": "2026-02-02T02:40:00.000000Z"}
    assert edge["created_at"] == "2025-10-09T08:53:20Z"
    assert take("codemem")[1]["known"] == 500
    assert path.read_bytes() == before
    line = {"id": "m-1", "content": "Codemem fact 1", "memory_type": "decision", "tags": ["a"], "namespace": "shop"}
    export = foreign.text(home / "c.jsonl", json.dumps({**line, "edges": []}) + "\nno\n[]\n{}\n")
    code, one = take("codemem", str(export))
    assert (code, one["known"], len(one["refused"])) == (3, 1, 3)


def test_a_database_that_somebody_writes_to_is_read_and_left_alone(home, take):
    path = foreign.codemem(home / ".codemem" / "codemem.db", 1)
    with closing(sqlite3.connect(path)) as other:
        other.execute("INSERT INTO memories SELECT 'm-9', 'Not committed', 'x', 0, 0, 0, '', '', '', '', '', 1, 1, 1")
        assert take("codemem")[1]["taken"] == 1
        other.commit()
        assert take("codemem")[1]["taken"] == 1


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\0" + b"\2" * 200, b""])
def test_what_is_no_database_is_refused_by_its_place(home, take, content):
    path = home / "ltmc.db"
    path.write_bytes(content)
    code, one = take("ltmc", str(path))
    assert (code, one["taken"]) == (3, 0)
    assert one["refused"][0].startswith(str(path))


def test_ltmc(home, take, records, capfd):
    foreign.database(home / "shop" / "ltmc.db", foreign.LTMC)
    code, one = take("ltmc")
    assert (code, one["kinds"]) == (3, {"memory": 1, "message": 1, "todo": 1, "solution": 1})
    assert one["refused"] == ["ResourceChunks 2: it has no text"]
    found = records()
    assert found["Why Axum?"]["session"] == "conversation:c1"
    assert found["write f\n\ndef f(): pass"]["metadata"]["successes"] == 1
    assert main(["call", "list_todos"]) == 0
    (todo,) = json.loads(capfd.readouterr().out)["todos"]
    assert [todo[name] for name in ("todo_id", "title", "description", "priority")] == [7, "Fix", "the bug", 3]
    assert take("ltmc")[1]["known"] == 4


def test_mcp_memory_service(home, take, records):
    foreign.database(home / ".local" / "share" / "mcp-memory" / "sqlite_vec.db", foreign.MCP_MEMORY_SERVICE)
    code, one = take("mcp-memory-service")
    assert (code, one["taken"], one["refused"]) == (3, 1, ["memory 2: it has no content"])
    assert one["passed_over"] == {"deleted there": 1}
    record = records()["Ship on Tuesdays"]
    assert (record["tags"], record["created_at"]) == (["ops", "release"], "2025-10-09T08:53:20.500000Z")
    memory = {"content": "Ship on Tuesdays", "content_hash": "h1", "tags": ["ops", "release"]}
    export = foreign.text(home / "e.json", json.dumps({"export_metadata": {}, "memories": [memory, {}, 1]}))
    code, one = take("mcp-memory-service", str(export))
    assert (code, one["known"], len(one["refused"])) == (3, 1, 2)


def test_claude_mem(home, take, records):
    foreign.database(home / ".claude-mem" / "claude-mem.db", foreign.CLAUDE_MEM)
    code, one = take("claude-mem")
    assert (code, one["taken"], one["passed_over"]) == (0, 2, {"a prompt": 1})
    found = records()
    decision = found["Use Axum\nthe web\nIt is fast\n- a fact"]
    assert (decision["memory_type"], decision["namespace"]) == ("decision", "shop")
    assert decision["tags"] == ["decision", "trade-off"]
    assert "Request: Choose\nLearned: Axum is fast" in found


def test_mem0_is_as_its_last_event_says(home, take, records):
    foreign.database(home / ".mem0" / "history.db", foreign.MEM0)
    code, one = take("mem0")
    assert (code, one["taken"], one["passed_over"]) == (0, 1, {"deleted there": 1})
    assert [record["created_at"] for record in records().values()] == ["2026-01-01T00:00:00Z"]
    assert list(records()) == ["Likes coffee"]


def test_codex(home, take, records):
    folder = home / ".codex" / "memories"
    foreign.text(folder / "MEMORY.md", foreign.HANDBOOK.format(project=home / "shop"))
    foreign.text(folder / "memory_summary.md", "v1\nmade of the others\n")
    code, one = take("codex")
    assert (code, one["taken"], one["passed_over"]) == (0, 2, {"a file made of the others": 1})
    found = records()["Task 1: JWT / learnings\n- invalidate old tokens"]
    assert (found["namespace"], found["tags"]) == (str(home / "shop"), ["codex", "shop/auth"])


def test_basic_memory(home, take, records):
    foreign.text(home / "basic-memory" / "Coffee.md", foreign.COFFEE)
    foreign.text(
        home / "basic-memory" / "beans" / "Coffee Beans.md", "---\ntitle: Coffee Beans\n---\n- [origin] Yemen\n"
    )
    code, one = take("basic-memory")
    assert (code, one["kinds"]) == (0, {"memory": 2, "entity": 3})
    note = records()["Coffee Brewing\n[method] Pour over is clear #brewing (trial)"]
    assert {(edge["relationship"], edge["target"]) for edge in note["edges"]} == {
        ("relates_to", "entity:Tea"),
        ("requires", "entity:Coffee Beans"),
    }
    foreign.text(home / "basic-memory" / "beans" / "Coffee Beans.md", "---\ntitle: Coffee Beans\n---\n- [x1] Peru\n")
    assert take("basic-memory")[1]["changed"] == 1
    assert "Coffee Beans\n[x1] Peru" in records()
    assert main(["undo"]) == 0
    assert "Coffee Beans\n[origin] Yemen" in records()


def test_a_note_of_plain_text_is_its_text_and_no_entity_unless_another_names_it(home, take, records):
    notes = home / "basic-memory"
    foreign.text(notes / "Boiler.md", "---\ntitle: The boiler\ntags: [house]\n---\n\nServiced each May.\n")
    foreign.text(notes / "Empty.md", "---\ntitle: Empty\n---\n\n# Empty\n")
    code, one = take("basic-memory")
    assert (code, one["kinds"]) == (0, {"memory": 1, "entity": 1})
    assert {text: record["tags"] for text, record in records().items()} == {
        "Serviced each May.": ["The boiler", "house"],
        "Empty": [],
    }
    foreign.text(notes / "House.md", "---\ntitle: House\n---\n- has [[The boiler]]\n")
    assert take("basic-memory")[1]["kinds"] == {"memory": 1, "entity": 3}
    (edge,) = records()["House"]["edges"]
    assert edge["target"] == "entity:The boiler"


@pytest.mark.parametrize("name", ["codex", "serena", "basic-memory"])
def test_a_name_outside_of_a_text_is_a_tag_and_no_longer_than_one(home, take, records, name):
    long = f"{'n' * 200} {'m' * 700}"
    kept = long
    if name == "codex":
        foreign.text(home / ".codex" / "memories" / "MEMORY.md", f"# Task Group: {long}\n\nRotate the keys\n")
    elif name == "serena":
        kept = "n" * 200
        foreign.text(home / "shop" / ".serena" / "memories" / f"{kept}.md", "Rotate the keys")
    else:
        foreign.text(home / "basic-memory" / "a.md", f"---\ntitle: {long}\n---\nRotate the keys\n")
    assert take(name)[:1] == (0,)
    assert kept[:512] in records()["Rotate the keys"]["tags"]


def test_a_link_to_other_instructions_is_these_once(home, take):
    project = home / "shop"
    foreign.text(project / "AGENTS.md", "Use pnpm")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    assert take("instructions")[:1] == (0,)


def test_what_is_larger_than_notes_are_is_refused(home, take):
    path = home / "shop" / "AGENTS.md"
    with path.open("wb") as file:
        file.truncate(64 << 20)
    code, one = take("instructions")
    assert (code, one["refused"]) == (3, [f"{path}: it is larger than 16 MiB; split it"])


def test_serena(home, take, records):
    foreign.text(home / "shop" / ".serena" / "memories" / "core" / "style.md", "Two spaces everywhere")
    assert take("serena")[1]["taken"] == 1
    assert [(content, record["tags"]) for content, record in records().items()] == [
        ("Two spaces everywhere", ["core", "style"])
    ]


def test_what_lies_in_a_tools_own_folder_belongs_to_the_project_around_it(home, take, records):
    project, of_all = home / "shop", home / ".serena" / "memories" / "global"
    foreign.text(project / ".serena" / "memories" / "style.md", "Two spaces")
    foreign.text(of_all / "names.md", "Short names")
    foreign.text(project / ".specstory" / "history" / "2025-01-02_03-04Z-old.md", "# Old\n\n_**User**_\n\nHello\n")
    foreign.text(project / ".cursor" / "rules" / "style.mdc", "Use tabs")
    foreign.text(home / ".claude" / "CLAUDE.md", "Be brief")
    for name in ("serena", "specstory", "instructions"):
        assert take(name)[0] == 0
    there = {content: record["namespace"] for content, record in records().items()}
    ours = str(project)
    assert there == {
        **{"Two spaces": ours, "Hello": ours, "Use tabs": ours},
        **dict.fromkeys(("Short names", "Be brief"), there["Be brief"]),
    }
    assert there["Be brief"] != ours
    assert ".claude" not in str(there["Be brief"])


def test_specstory(home, take, records):
    history = home / "shop" / ".specstory" / "history"
    foreign.text(history / "2026-07-13_13-40-49Z-fix.md", foreign.SPECSTORY)
    foreign.text(history / "2025-01-02_03-04Z-old.md", "# Old\n\n_**User**_\n\nHello\n\n---\n\n_**Assistant**_\n\nHi\n")
    foreign.text(history / "notes.md", "nothing said\n")
    code, one = take("specstory")
    assert (code, one["taken"], len(one["refused"])) == (3, 4, 1)
    found = records()
    assert found["I'll look at it."]["created_at"] == "2026-07-13T13:40:56Z"
    assert found["Hello"]["created_at"] == "2025-01-02T03:04:00Z"
    assert found["Hi"]["memory_type"] == "assistant"


def test_all_are_found_at_once(home, take, capfd):
    foreign.codemem(home / ".codemem" / "codemem.db", 3)
    foreign.database(home / ".mem0" / "history.db", foreign.MEM0)
    capfd.readouterr()
    assert main(["import", "--from", "auto", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)["result"]["sources"]
    assert [(one["source"], one["taken"]) for one in found] == [("codemem", 3), ("mem0", 1)]


def test_a_source_has_the_name_that_the_command_knows_it_by():
    from indelible.transfer.sources.catalog import SOURCES

    assert [source.name for source in SOURCES.values()] == list(SOURCES)
    modules = {path.stem for path in Path(sources.__file__).parent.glob("*.py") if "\nSOURCE = " in path.read_text()}
    assert modules == {name.replace("-", "_") for name in SOURCES}


def test_a_message_that_grows_and_a_todo_that_is_completed_there_are_so_here(home, take, records, capfd):
    history = home / "shop" / ".specstory" / "history" / "a.md"
    message = "<!-- Session 5c7d5c23-0691-4467-b98e -->\n\n_**Agent (x 2026-07-13 13:40:56Z)**_\n\nLet me look.\n"
    foreign.text(history, message)
    take("specstory")
    foreign.text(history, f"{message}\nThe cause is node 18.\n")
    code, one = take("specstory")
    assert (code, one["changed"], one["known"]) == (0, 1, 0)
    assert list(records()) == ["Let me look.\n\nThe cause is node 18."]
    assert take("specstory")[1]["known"] == 1

    main(["call", "add_todo", "--title", "mine", "--description", "of this machine"])
    path = foreign.database(home / "shop" / "ltmc.db", foreign.LTMC.replace("VALUES (7,", "VALUES (1,"))
    take("ltmc")
    with closing(sqlite3.connect(path)) as there, there:
        there.execute("UPDATE todos SET title = 'Mend', completed = 1, completed_at = '2025-09-01T10:00:00'")
        there.execute("UPDATE CodePatterns SET generated_code = 'def f(): return 1'")
    code, one = take("ltmc")
    assert (one["taken"], one["changed"], one["known"]) == (0, 2, 2)
    capfd.readouterr()
    assert main(["call", "list_todos", "--status", "completed"]) == 0
    (todo,) = json.loads(capfd.readouterr().out)["todos"]
    assert (todo["title"], todo["completed_at"]) == ("Mend", "2025-09-01T10:00:00Z")
    assert records()["write f\n\ndef f(): return 1"]["metadata"]["successes"] == 1
    assert take("ltmc")[1]["known"] == 4


@pytest.mark.parametrize(("name", "script"), [("claude-mem", foreign.CLAUDE_MEM), ("ltmc", foreign.LTMC)])
def test_the_database_of_another_machine_with_the_same_numbers_is_taken_beside_it(home, take, records, name, script):
    first = foreign.database(home / f"{name}.db", script)
    _, one = take(name, str(first))
    later = script
    for of_first in ("1760000000000", "2025-08-08T10"):
        later = later.replace(of_first, of_first.replace("08T1", "09T1").replace("17600", "17610"))
    for text in ("Use Axum", "Axum is fast", "Roll back", "Why Axum?", "'Fix'", "write f"):
        later = later.replace(text, text[:-1] + "B" + text[-1])
    (home / "laptop").mkdir()
    second = foreign.database(home / "laptop" / f"{name}.db", later)
    _, two = take(name, str(second))
    assert (two["taken"], two["changed"], two["known"]) == (one["taken"], 0, 0)
    assert len(records()) == 2 * one["taken"]


def test_observations_follow_a_note_and_what_was_deleted_here_stays_deleted(home, take, capfd):
    note = "---\ntitle: Auth\n---\n- [decision] Tokens live 15 minutes\n- [fact] Redis holds sessions\n"
    other = foreign.text(home / "basic-memory" / "Login.md", "- needs [[Auth]]\n")
    take("basic-memory")  # which only names it
    path = foreign.text(home / "basic-memory" / "Auth.md", note)
    take("basic-memory")
    added = '[{"entityName": "Auth", "contents": ["[fact] Written here"]}]'
    deleted = '[{"entityName": "Auth", "observations": ["[fact] Redis holds sessions"]}]'
    assert main(["call", "add_observations", "--observations", added]) == 0
    assert main(["call", "delete_observations", "--deletions", deleted]) == 0
    assert take("basic-memory")[1]["known"] == 2
    assert take("basic-memory", str(other))[1]["known"] == 2  # without the note that it names
    foreign.text(path, note.replace("15 minutes", "60 minutes"))
    assert take("basic-memory")[1]["changed"] == 1
    foreign.text(path, note.replace("15 minutes", "90 minutes"))
    assert take("basic-memory")[1]["changed"] == 1
    assert take("basic-memory")[1]["known"] == 2
    capfd.readouterr()
    assert main(["call", "open_nodes", "--names", "Auth"]) == 0
    (entity,) = json.loads(capfd.readouterr().out)["entities"]
    assert entity["observations"] == ["[fact] Written here", "[decision] Tokens live 90 minutes"]


def test_what_is_gone_there_is_named_and_deleted_on_request(home, take, records, capfd):
    rules = home / "shop" / "CLAUDE.md"
    foreign.text(rules, "# Rules\n\n## Deploy\nOn Tuesdays\n\n## State\nUse Redux\n\n## Tests\nUse vitest\n")
    foreign.text(home / "shop" / "AGENTS.md", "# Agents\nAsk first\n")
    take("instructions")
    assert take("instructions")[1]["gone"] == []
    foreign.text(rules, "# Rules\n\n## Deployment\nOn Tuesdays\n\n## Tests\nUse vitest\n")
    before = records()
    gone = sorted(before[text]["id"] for text in ("Rules / Deploy\nOn Tuesdays", "Rules / State\nUse Redux"))
    code, one = take("instructions")
    assert (code, one["taken"], sorted(one["gone"]), one["deleted"]) == (0, 1, gone, 0)
    assert len(take("instructions", "--deletions", "--dry-run")[1]["gone"]) == 2
    assert set(before) < set(records())
    (home / "shop" / "AGENTS.md").write_bytes(b"\xff\xfe\xff")
    assert take("instructions", "--deletions")[1]["gone"] == []  # one could not be read
    (home / "shop" / "AGENTS.md").unlink()
    code, one = take("instructions", "--deletions")
    assert (code, sorted(one["gone"]), one["deleted"]) == (0, gone, 2)
    kept = {"Rules / Deployment\nOn Tuesdays", "Rules / Tests\nUse vitest", "Agents\nAsk first"}
    assert set(records()) == kept
    assert main(["undo"]) == 0
    assert len(records()) == 5


def test_what_was_renamed_there_is_not_gone(home, take, records):
    memories = home / "shop" / ".serena" / "memories"
    old = foreign.text(memories / "style.md", "Four spaces\n")
    take("serena")
    old.rename(memories / "conventions.md")
    code, one = take("serena", "--deletions")
    assert (code, one["known"], one["gone"]) == (0, 1, [])
    assert list(records()) == ["Four spaces"]


def test_what_was_deleted_here_stays_deleted_and_what_an_undo_or_an_import_deleted_does_not(home, take, records):
    rules = foreign.text(home / "shop" / "CLAUDE.md", "# Deploy\nOn Tuesdays\n\n# State\nUse Redux\n")
    take("instructions")
    assert main(["delete", records()["State\nUse Redux"]["id"]]) == 0
    code, one = take("instructions")
    assert (code, one["taken"], one["known"], one["deleted_here"]) == (0, 0, 1, 1)
    assert main(["undo"]) == 0
    assert take("instructions")[1]["known"] == 2
    whole = rules.read_text()
    foreign.text(rules, "# Deploy\nOn Tuesdays\n")
    assert take("instructions", "--deletions")[1]["deleted"] == 1
    foreign.text(rules, whole)
    assert take("instructions")[1]["taken"] == 1
    assert main(["undo"]) == 0
    assert take("instructions")[1]["taken"] == 1
    assert len(records()) == 2
