"""`indelible import --from NAME`: data of other tools that is found by itself, in process on the command line."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import store_file
from existing_files import add_failure, write_lines, write_matrix
from indelible.capture import spool
from indelible.cli.main import main
from indelible.core.indexes import sealing
from indelible.store.sqlite.connection import FILE

TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    """A home and, below it, the project that the commands run in."""
    place = tmp_path / "home"
    project = place / "work" / "shop"
    project.mkdir(parents=True)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "CLAUDE_PROJECT_DIR", "INDELIBLE_WORKSPACE", "npm_config_cache"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("INDELIBLE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("INDELIBLE_ENCODER", "off")
    monkeypatch.chdir(project)
    return place


@pytest.fixture
def run(home, capfd) -> Callable[..., tuple[int, list[str]]]:
    """Run a command; its exit code and the lines that it said."""

    def ran(*arguments: str) -> tuple[int, list[str]]:
        capfd.readouterr()
        code = main(list(arguments))
        return code, capfd.readouterr().err.splitlines()

    return ran


@pytest.fixture
def records(home, capfd) -> Callable[[], list[dict[str, Any]]]:
    """What the store holds."""

    def listed() -> list[dict[str, Any]]:
        capfd.readouterr()
        assert main(["export"]) == 0
        return [json.loads(line) for line in capfd.readouterr().out.splitlines()]

    return listed


def memories_of(home: Path, **files: str) -> Path:
    """Auto memory of Claude Code for the project."""
    slug = "".join(c if c.isalnum() else "-" for c in str(home / "work" / "shop"))
    folder = home / ".claude" / "projects" / slug / "memory"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


FEEDBACK = (
    "---\nname: testing\ndescription: Tests hit a real database\nmetadata:\n  type: feedback\n---\nMocks burned us.\n"
)
INDEX = f"# Index\n- [Testing](feedback.md) — how\n## Notes\n- Use pnpm\n- The token is {TOKEN}\n"


def test_auto_memory_is_found_planned_taken_once_and_undone_whole(home, run, records):
    folder = memories_of(home, MEMORY=INDEX, feedback=FEEDBACK)
    named, redacted = f"claude-memory: {folder}", "redacted in memories: github-token (1)"
    said = "claude-memory: 2 entries (2 memories): 2 would be taken, 0 known, 0 refused"
    assert run("import", "--from", "claude-memory", "--dry-run") == (0, [named, redacted, said])
    assert records() == []
    assert (
        run("import", "--from", "auto")[1][-1] == "claude-memory: 2 entries (2 memories): 2 taken, 0 known, 0 refused"
    )
    again = "claude-memory: 2 entries (2 memories): 0 taken, 2 known, 0 refused"
    assert run("import", "--from", "auto") == (0, [named, redacted, again])
    index, feedback = sorted(records(), key=lambda record: record["content"])
    assert index["content"] == "Index / Notes\n- Use pnpm\n- The token is [REDACTED:github-token]"
    assert feedback["content"] == "Tests hit a real database\nMocks burned us."
    assert (feedback["memory_type"], feedback["tags"]) == ("preference", ["feedback"])
    assert {record["namespace"] for record in (index, feedback)} == {str(home / "work" / "shop")}
    assert run("undo")[0] == 0
    assert records() == []
    assert run("import", "--from", "auto")[1][-1].endswith("2 taken, 0 known, 0 refused")


def test_an_entry_that_changed_changes_its_record_and_the_undo_brings_the_earlier_one_back(home, run, records):
    memories_of(home, MEMORY="Use pnpm\n")
    run("import", "--from", "claude-memory")
    memories_of(home, MEMORY="Use bun\n", other="Deploy on Tuesdays\n")
    code, said = run("import", "--from", "claude-memory")
    assert code == 0
    assert said[-1].endswith("2 entries (2 memories): 1 taken, 1 changed since they were taken, 0 known, 0 refused")
    assert sorted(record["content"] for record in records()) == ["Deploy on Tuesdays", "Use bun"]
    run("undo")
    assert [record["content"] for record in records()] == ["Use pnpm"]


def test_what_was_changed_here_stays_as_long_as_its_entry_does(home, run, records):
    memories_of(home, MEMORY="Use pnpm\n")
    run("import", "--from", "claude-memory")
    (record,) = records()
    assert main(["call", "update_memory", "--id", record["id"], "--content", "Use pnpm 10"]) == 0
    assert run("import", "--from", "claude-memory")[1][-1].endswith("0 taken, 1 known, 0 refused")
    assert [each["content"] for each in records()] == ["Use pnpm 10"]


def test_instructions_are_taken_by_their_sections(home, run, records):
    project = home / "work" / "shop"
    (project / "CLAUDE.md").write_text("# Shop\nBuild with make.\n## Style\n- two spaces\n```sh\n# no heading\n```\n")
    rules = project / ".cursor" / "rules"
    rules.mkdir(parents=True)
    (rules / "api.mdc").write_text("---\ndescription: API\nglobs: src/**\nalwaysApply: false\n---\n- Validate input\n")
    code, said = run("import", "--from", "instructions")
    assert (code, said[-1]) == (0, "instructions: 3 entries (3 memories): 3 taken, 0 known, 0 refused")
    assert sorted(record["content"] for record in records()) == [
        "API\n- Validate input",
        "Shop\nBuild with make.",
        "Shop / Style\n- two spaces\n```sh\n# no heading\n```",
    ]
    assert [record["metadata"].get("globs") for record in records() if "API" in record["content"]] == [["src/**"]]


def test_a_long_section_is_no_giant_memory(home, run, records):
    rule = "- Rule {} says that this and that is done in this and that way\n"
    (home / "work" / "shop" / "AGENTS.md").write_text("# Rules\n" + "".join(map(rule.format, range(500))))
    code, said = run("import", "--from", "instructions")
    assert code == 0
    found = records()
    assert all(len(record["content"]) < 1_300 for record in found)
    assert sum(record["content"].count("- Rule") for record in found) == 500
    assert said[-1].endswith(f"{len(found)} taken, 0 known, 0 refused")


def test_what_cannot_be_taken_is_named_and_has_an_exit_code_of_its_own(home, run, records, tmp_path):
    folder = memories_of(home, good="Good\n")
    (folder / "other.md").write_bytes(b"caf\xe9")
    (folder / "zero.md").write_bytes(b"a\0b")
    (tmp_path / "secret.md").write_text("outside")
    (folder / "link.md").symlink_to(tmp_path / "secret.md")
    code, said = run("import", "--from", "claude-memory")
    assert code == 3
    refused = f"claude-memory: refused {folder}"
    assert f"{refused}/other.md: it is not UTF-8 (byte 3); save it in UTF-8" in said
    assert f"{refused}/link.md: it is a link to another file; give that file" in said
    assert any(line.startswith(f"{refused}/zero.md: memories contains a NUL character") for line in said)
    assert said[-1] == "claude-memory: 4 entries (2 memories): 1 taken, 0 known, 3 refused"
    assert [record["content"] for record in records()] == ["Good"]


def test_utf_16_is_read_by_its_mark(home, run, records):
    (memories_of(home) / "wide.md").write_bytes("\ufeffNaïve 連接池".encode("utf-16-le"))
    assert run("import", "--from", "claude-memory")[0] == 0
    assert [record["content"] for record in records()] == ["Naïve 連接池"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--from", "auto"), "no data of another tool was found in"),
        (("--from", "claude-memory"), "no data of claude-memory was found in"),
        (("--from", "claude-memory", "nowhere"), "nowhere does not exist; give the file or folder of claude-memory"),
        (("--from", "auto", "x"), "--from auto looks for the data itself; leave out the path"),
        (("--from", "instructions", "-"), "--from instructions reads files, not standard input"),
    ],
)
def test_what_is_not_there_is_refused_by_its_name(run, arguments, words):
    code, said = run("import", *arguments)
    assert code == 1
    assert words in said[-1]


def test_the_answer_in_json_accounts_for_every_entry(home, capfd):
    (memories_of(home, good="Good\n") / "bad.md").write_bytes(b"\xff")
    capfd.readouterr()
    assert main(["import", "--from", "claude-memory", "--json"]) == 3
    result = json.loads(capfd.readouterr().out)["result"]
    (one,) = result["sources"]
    told = one["taken"] + one["changed"] + one["known"] + one["repeated"] + len(one["refused"])
    assert (one["entries"], told, one["kinds"], result["dry_run"]) == (2, 2, {"memory": 1}, False)
    assert result["problems"] == one["refused"]


@pytest.mark.parametrize("name", ["memory-jsonl", "vecfs", "matrix", "claude-code"])
def test_a_tool_of_round_one_whose_data_is_not_where_it_usually_is_is_told_where_it_was_looked_for(run, name):
    code, (said,) = run("import", "--from", name)
    assert code == 1
    assert re.fullmatch(rf"indelible: no data of {name} was found at /\S+; give its path", said)


def test_the_file_of_the_reference_server_is_found_in_its_package_unless_there_are_two(home, run, records):
    package = "node_modules/@modelcontextprotocol/server-memory/dist"
    folders = [home / ".npm" / "_npx" / name / package for name in ("a1", "b2")]
    for folder in folders:
        folder.mkdir(parents=True)
    file = write_graph(folders[0] / "memory.json")
    assert run("import", "--from", "memory-jsonl")[1][0] == f"memory-jsonl: {file}"
    assert sorted(record["id"] for record in records()) == ["Ada", "Bo"]
    other = write_graph(folders[1] / "memory.jsonl")
    code, (said,) = run("import", "--from", "memory-jsonl")
    assert (code, f"in several places: {file}, {other}; give the path of one" in said) == (1, True)


def test_transcripts_matrix_and_vecfs_are_found_where_they_usually_are(home, run):
    file = write_lines(home / "work" / "shop" / "vecfs-data.jsonl")
    assert run("import", "--from", "vecfs")[1][0] == f"vecfs: {file}"
    (home / ".claude" / "matrix").mkdir(parents=True)
    write_matrix(home / ".claude" / "matrix.db").rename(home / ".claude" / "matrix" / "matrix.db")
    code, said = run("import", "--from", "matrix")
    assert (code, said[0]) == (0, f"matrix: {home / '.claude' / 'matrix' / 'matrix.db'}")
    assert said[1].startswith("imported 3,")
    (home / ".claude" / "projects").mkdir()
    assert run("import", "--from", "claude-code")[1][0] == f"claude-code: {home / '.claude' / 'projects'}"


def test_a_folder_that_claude_code_names_by_dashes_is_found(tmp_path):
    from indelible.transfer.sources import projects

    place = tmp_path / "my-shop.v2" / "src"
    place.mkdir(parents=True)
    slug = "".join(c if c.isalnum() and c.isascii() else "-" for c in str(place))
    assert projects.of_slug(slug) == place
    assert projects.of_slug(slug + "-gone") is None
    assert projects.of_slug("work") is None
    assert os.path.isdir(place)


ADA = {"name": "Ada", "entityType": "keeper", "observations": ["feeds"]}
KNOWN = {"from": "Ada", "to": "Ada", "relationType": "is"}
GRAPH = [
    {"type": "entity", "name": "Ada", "entityType": "keeper", "observations": ["feeds", "cleans"]},
    {"type": "entity", "name": "Bo", "entityType": "otter", "observations": ["swims"]},
    {"type": "relation", "from": "Ada", "to": "Bo", "relationType": "knows"},
    {"type": "relation", "from": "Bo", "to": "Bo", "relationType": "is"},
    {"type": "entity", "name": "Bo", "entityType": "otter", "observations": ["dives"]},
]


def write_graph(path: Path) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in GRAPH))
    return path


def write_items(path: Path) -> Path:
    items = [{"id": f"m{number}", "content": f"Otter {number} swims"} for number in range(40)]
    items[7]["edges"] = [{"source": "m7", "target": "m8", "relationship": "KNOWS"}]
    path.write_text("".join(json.dumps(each) + "\n" for each in items))
    return path


def write_failures(path: Path) -> Path:
    """A database of Matrix, two of whose failures are one here."""
    write_matrix(path)
    add_failure(path, "fail_0000000b", "timeout after 30 ms", 3, "B's", "2025-02-01")
    add_failure(path, "fail_0000000c", "timeout after 45 ms", 4, "C's", "2025-03-01")
    return path


def kept_in(data: Path) -> object:
    """The bytes of a store, or its rows in PostgreSQL, and what waits in its spool."""
    file = data / FILE
    return file.exists() and file.read_bytes(), store_file.tables(data), spool.waiting(str(data))


@pytest.mark.parametrize(
    ("name", "write"),
    [(None, write_items), ("memory-jsonl", write_graph), ("vecfs", write_lines), ("matrix", write_failures)],
)
def test_imports_of_round_one_have_a_dry_run_and_an_undo_too(name, write, tmp_path, run, records):
    """A store that has something of it already is as before then."""
    assert main(["call", "create_entities", "--entities", json.dumps([ADA])]) == 0
    assert main(["call", "create_relations", "--relations", json.dumps([KNOWN])]) == 0
    before, kept = records(), kept_in(tmp_path / "data")
    words = ["import", *(["--from", name] if name else []), str(write(tmp_path / "given"))]
    code, said = run(*words, "--dry-run")
    assert (code, said[-1].startswith("would have imported")) == (0, True)
    assert kept_in(tmp_path / "data") == kept
    assert run(*words)[1][-1] == said[-1].removeprefix("would have ")
    assert len(records()) > len(before)
    assert run("undo")[0] == 0
    left = [{**each, "updated_at": before[0]["updated_at"]} for each in records()]
    assert left == [{**each, "updated_at": before[0]["updated_at"]} for each in before]


def test_a_dry_run_writes_nothing_of_what_others_would(home, run, tmp_path, monkeypatch):
    """No block is sealed that is due, no lease is taken, and what hooks left stays where it is."""
    data, items = tmp_path / "data", str(write_items(tmp_path / "given"))
    assert run("import", items)[0] == 0
    event = {"v": 1, "id": "p", "client": "codex", "session": "s", "time": 1_770_000_000_000_000, "cwd": str(home)}
    spool.put(str(data), {**event, "what": "prompt", "text": "hello"})
    monkeypatch.setattr(sealing, "SEAL_AFTER", 1)
    kept = kept_in(data)
    assert run("import", "--dry-run", items)[0] == 0
    assert kept_in(data) == kept
    assert run("import", items)[0] == 0
    assert kept_in(data) != kept
