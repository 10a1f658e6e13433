"""With --json every command answers with one object on one line, of one shape, whatever becomes of it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import everything
import forked
import tiny_models
from command_line import done, opened
from git_repository import GitRepository
from indelible import errors
from indelible.api import open_memory
from indelible.capture import ingest, promotion
from indelible.cli import answers, main, parsing
from mcp_client import environment
from told import spooled, whole_session

pytestmark = pytest.mark.process

SCHEMA = json.loads(files("indelible.cli").joinpath("answer.schema.json").read_text(encoding="utf-8"))
RESULTS = SCHEMA["$defs"]["results"]
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
CODEBASE = Path(__file__).parents[1] / "support" / "small_codebase"

# The words of each command, with its action, that find or do something in a filled store.
CASES: dict[str, list[str]] = {
    "setup": ["cursor"],
    "unsetup": ["cursor"],
    "remember": ["the cart is blue", "--type", "decision"],
    "add": ["{code}"],
    "index": ["{code}"],
    "recall": ["wombat"],
    "why": ["wombat"],
    "list": ["--all-projects"],
    "show": ["memory:{memory}"],
    "brief": [],
    "map": ["{code}"],
    "stale": [],
    "stats": [],
    "fixes": ["WombatError: burrow 7 is locked"],
    "breaks": ["npm run build"],
    "review-diff": [],
    "what-changed": ["2020-01-01"],
    "key": ["error", "WombatError: burrow 7 is locked"],
    "solutions": [],
    "failures": [],
    "export": [],
    "import": ["{exported}"],
    "backup": ["{place}/new.db"],
    "restore": ["{backup}"],
    "sync": ["{place}"],
    "pin": ["memory:{memory}"],
    "unpin": ["memory:{memory}"],
    "delete": ["memory:{memory}"],
    "undo": [],
    "history": [],
    "captured": [],
    "promote": ["{captured}"],
    "review": [],
    "pause": [],
    "resume": [],
    "drain": [],
    "purge": ["memory:{memory}", "--yes"],
    "project move": ["/zoo", "--to", "elsewhere", "--dry-run"],
    "project split": ["{place}", "--dry-run"],
    "redact": ["--stored"],
    "consolidate": [],
    "patterns": [],
    "doctor": [],
    "reembed": [],
    "model list": [],
    "model install": ["{model}", "--name", "other"],
    "model use": ["--no-reranker"],
    "model remove": ["tiny"],
    "token create": ["--scope", "read"],
    "token list": [],
    "token rotate": ["{token}"],
    "token revoke": ["{token}"],
    "schema": [],
    "tools": ["--tokens"],
    "call": ["recall_memory", "--query", "wombat"],
}
# Others that a store like this answers, too.
MORE = [
    *("setup --all --print", "setup --all --dry-run", "unsetup --all", "unsetup cursor --hooks"),
    *("remember {secret}", "recall nothing-like-it", "recall -k 1 wombat", "list -k 1", "list --type decision"),
    *("why wombat {memory}", "why wombat no-such-id", "why -k 1 nothing-like-it {solution}"),
    *("show {solution}", "show {captured}", "brief --tokens 200", "map {code} --query receipt"),
    *(
        "breaks nothing-like-it",
        "fixes nothing-like-it",
        "key fp8 ls --cwd /",
        "key fix --json-values boom 1 2",
        "solutions {solution}",
    ),
    *(
        "failures {failure}",
        "failures -k 1",
        "export --to memory-jsonl",
        "export --to markdown {code}-tree",
        "history {deleted}",
        "captured -k 1",
    ),
    *("promote {memory}", "promote --all --yes", "pause --status", "pause --all", "resume --all", "drain --no-upgrade"),
    *("purge --namespace nothing-like-it", "purge {memory} --dry-run", "redact --stored --dry-run", "call list_todos"),
    *(
        "consolidate --dry-run",
        "consolidate decay",
        "doctor --repair",
        "call recall_memory --help",
        "tools --profile daily",
    ),
    *("index {code} --full", "import --from claude-code {transcripts}", "import --from memory-jsonl {memory_jsonl}"),
    *("import --from markdown {tree}",),
]
# Their lists are of what went wrong, or of what this store has none of.
NOTHING_TO_LIST = {"add", "breaks", "import", "project split", "purge", "redact", "resume", "stale", "sync"}
TRANSCRIPT = {
    **{"sessionId": "s9", "cwd": "/home/ann/shop", "timestamp": "2026-03-01T10:00:00Z", "isSidechain": False},
    **{"type": "user", "uuid": "u1", "userType": "external"},
    "message": {"role": "user", "content": "Never use npm here, always pnpm."},
}
SECRET = "ghp_" + "A1b2C3d4E5f6G7h8J9" * 2
NEEDS_A_DATABASE = (
    "database upgrade",
    "database distribute",
    "migrate",
    "tenant quota",
    "tenant usage",
    "tenant recover",
    "tenant delete",
)
NEEDS_MODELS = {"reembed"}  # which tests of this kind do without
MERGED_ONLY = ("project keep",)  # a project that an earlier version took for another one


@dataclass
class Machine:
    """A user's directories: `data` of the store, a project, a home; and the values of the placeholders."""

    root: Path
    values: dict[str, str]

    @property
    def data(self) -> Path:
        return self.root / "data"

    def run(self, *words: str, stdin: Any = b"") -> subprocess.CompletedProcess[bytes]:
        filled = [word.format(**self.values) for word in words]
        given = {"stdin": stdin} if isinstance(stdin, int) else {"input": stdin}
        env = environment({"HOME": str(self.root / "home"), "INDELIBLE_DATA": str(self.data)})
        return forked.run(filled, cwd=self.root / "app", env=env, **given)

    def answer(self, *words: str, stdin: Any = b"") -> dict[str, Any]:
        """The only line on standard output, as the schema has it; it says what the exit code says."""
        ran = self.run(*words, "--json", stdin=stdin)
        lines = ran.stdout.decode().split("\n")
        assert lines[1:] == [""], (words, ran.stdout, ran.stderr)
        answer: dict[str, Any] = json.loads(lines[0])
        assert [error.message for error in VALIDATOR.iter_errors(answer)] == [], answer
        assert answer["ok"] == (ran.returncode == 0), (answer, ran.returncode)
        assert b"Traceback" not in ran.stderr
        errors = ran.stderr.decode()
        assert [note for note in answer["notes"] if f"{note}\n" not in errors] == []
        return answer


def places(root: Path) -> Path:
    (root / "home").mkdir()
    GitRepository(root / "app").commit({}, "first")
    return root


@pytest.fixture
def empty(tmp_path: Path) -> Machine:
    values = dict.fromkeys(("memory", "solution", "failure", "captured", "deleted", "token", "secret"), "0a1b2c3d")
    files_ = dict.fromkeys(("code", "exported", "backup", "model", "transcripts", "memory_jsonl"), str(tmp_path / "no"))
    return Machine(places(tmp_path), {**values, **files_, "place": str(tmp_path / "app")})


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A machine with something of everything."""
    root = places(tmp_path_factory.mktemp("filled"))
    data, code = root / "data", root / "code"
    shutil.copytree(CODEBASE, code)
    model = root / "tiny"
    (model / "1_Pooling").mkdir(parents=True)
    (model / "1_Pooling" / "config.json").write_text(
        '{"word_embedding_dimension": 32, "pooling_mode_mean_tokens": true}'
    )
    tiny_models.write_files(model, tiny_models.dense_model(tiny_models.vectors()))
    (root / "exported").write_text(json.dumps({"content": "a koala sleeps"}) + "\n", encoding="utf-8")
    entity = {"type": "entity", "name": "Ada", "entityType": "person", "observations": []}
    (root / "memory.jsonl").write_text(json.dumps(entity) + "\n", encoding="utf-8")
    (root / "s1.jsonl").write_text(json.dumps(TRANSCRIPT) + "\n", encoding="utf-8")
    with open_memory(data, project="/zoo") as memory:
        ids = everything.fill(memory)
        deleted = memory.store_memory(content="an okapi")["id"]
        memory.delete_memory(id=deleted)
        memory.index_codebase(path=str(code))
    spooled(data, whole_session(root / "app").events)
    with opened(data) as ctx:
        ingest.drain(ctx)
        captured = promotion.waiting(ctx, 1)[0][0].key
    done("model", "install", model, data=data)
    done("backup", root / "backup.db", data=data)
    done("export", "--to", "markdown", root / "tree", data=data)
    token = json.loads(done("token", "create", "--scope", "read", "--json", data=data))["result"]["token"]["id"]
    paths = {
        **{"code": code, "model": model, "exported": root / "exported", "backup": root / "backup.db"},
        **{"transcripts": root / "s1.jsonl", "memory_jsonl": root / "memory.jsonl", "tree": root / "tree"},
    }
    return Machine(
        root,
        {**ids, **{name: str(path) for name, path in paths.items()}}
        | {"deleted": deleted, "captured": captured, "token": token, "secret": SECRET},
    )


@pytest.fixture
def filled(template: Machine, tmp_path: Path) -> Machine:
    places(tmp_path)
    shutil.copytree(template.data, tmp_path / "data")
    return Machine(tmp_path, {**template.values, "place": str(tmp_path)})


def words_of(command: str) -> list[str]:
    return [*command.split(), *CASES[command]]


# --- Every command ---


def test_every_command_has_a_case_and_its_result_a_schema():
    """A new command needs a line in CASES, and its result in answer.schema.json."""
    named = {*CASES, *NEEDS_A_DATABASE, *MERGED_ONLY}
    assert set(RESULTS) == named
    assert {name.split()[0] for name in named} | set(parsing.WITHOUT_JSON) == set(main.COMMANDS)
    assert {name.split()[0] for name in named}.isdisjoint(parsing.WITHOUT_JSON)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_every_error_is_one_of_the_kinds():
    kinds = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, Exception)]
    assert len(kinds) > 10
    assert {each.code for each in kinds} <= set(SCHEMA["properties"]["error"]["properties"]["kind"]["enum"])


@pytest.mark.sqlite("the filled store is copied as a file")
@pytest.mark.parametrize("command", CASES)
@pytest.mark.sweep(14)
def test_a_command_answers_of_a_filled_store(command, filled):
    answer = filled.answer(*words_of(command))
    if command in NEEDS_MODELS:
        assert answer["error"]["kind"] == "store_error"
        return
    assert (answer["command"], answer["ok"]) == (command, True), answer
    lists = [value for value in answer["result"].values() if isinstance(value, list)]
    assert not lists or any(lists) or command in NOTHING_TO_LIST, "the case shows nothing of what is listed"


@pytest.mark.sqlite("the filled store is copied as a file")
@pytest.mark.parametrize("words", MORE)
@pytest.mark.sweep(14)
def test_a_command_answers_with_other_options(words, filled):
    answer = filled.answer(*shlex.split(words))
    assert answer["ok"], answer


@pytest.mark.parametrize("command", [*CASES, *NEEDS_A_DATABASE, *MERGED_ONLY])
@pytest.mark.sweep(14)
def test_a_command_answers_of_an_empty_store(command, empty):
    words = (
        words_of(command) if command in CASES else [*command.split(), *(["{place}"] if command in MERGED_ONLY else [])]
    )
    assert empty.answer(*words)["command"] in (command, command.split()[0])


@pytest.mark.parametrize("command", [*CASES, *NEEDS_A_DATABASE, *MERGED_ONLY])
@pytest.mark.sweep(14)
def test_a_wrong_option_is_answered_too(command, empty):
    answer = empty.answer(*command.split(), *CASES.get(command, []), "--no-such-option", "1")
    assert answer["ok"] is False
    assert answer["command"] == command.split()[0]
    assert answer["error"]["kind"] == ("invalid_input" if command == "call" else "usage")
    assert answer["error"]["message"]


@pytest.mark.parametrize("command", sorted({name.split()[0] for name in CASES if " " in name} | {"database", "tenant"}))
def test_a_command_without_its_action_is_a_wrong_usage(command, empty):
    assert empty.answer(command)["error"] == {
        "kind": "usage",
        "message": f"`indelible {command}` needs an action; `--help` lists them",
    }


@pytest.mark.parametrize("command", sorted(set(parsing.WITHOUT_JSON) - {"hook"}))
def test_a_command_that_cannot_says_why(command, empty):
    words = [command, *(["bash"] if command == "completion" else [])]
    answer = empty.answer(*words)
    assert answer["error"]["kind"] == "usage"
    assert answer["error"]["message"].endswith(parsing.WITHOUT_JSON[command])


def test_a_hook_says_so_on_standard_error_only(empty):
    ran = empty.run("hook", "Stop", "--json")
    assert (ran.returncode, ran.stdout) == (0, b"")
    assert ran.stderr.decode().endswith(f"has no --json: {parsing.WITHOUT_JSON['hook']}\n")


@pytest.mark.parametrize("words", ["nosuch", "recal wombat", "--data x"])
def test_a_command_that_does_not_exist_is_answered(words, empty):
    answer = empty.answer(*words.split())
    assert (answer["command"], answer["error"]["kind"]) == ("", "usage")


def test_help_is_for_people(empty):
    ran = empty.run("recall", "--help", "--json")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.startswith(b"usage: indelible recall")


def test_a_word_that_is_content_asks_for_nothing(empty):
    assert empty.run("remember", "--", "--json").stdout.startswith(b"stored ")
    ran = empty.run("call", "store_memory", "--content", "--json")
    assert "content_hash" in json.loads(ran.stdout)


# --- What the answer says ---


@pytest.mark.sqlite("the filled store is copied as a file")
def test_a_person_and_a_script_are_given_the_same(filled):
    answer = filled.answer("list", "--all-projects")
    text = filled.run("list", "--all-projects").stdout.decode()
    assert all(each["id"][:8] in text for each in answer["result"]["memories"])
    answer = filled.answer("recall", "wombat")
    text = filled.run("recall", "wombat").stdout.decode()
    hits = answer["result"]["hits"]
    assert [hit["id"][:8] in line for hit, line in zip(hits, text.splitlines()[1:], strict=True)] == [True] * len(hits)


def test_notes_are_the_other_lines_on_standard_error(empty):
    assert empty.answer("recall", "wombat")["notes"] == ["nothing relevant is known"]
    (note,) = empty.answer("remember", SECRET)["notes"]
    assert "redacted" in note


def test_an_error_is_no_note_and_without_what_is_secret(empty):
    answer = empty.answer("show", SECRET)
    assert (answer["error"]["kind"], answer["notes"]) == ("not_found", [])
    assert SECRET not in json.dumps(answer)


def test_what_was_done_is_there_although_some_of_it_failed(empty):
    answer = empty.answer("import", stdin=b'{"content": "a koala"}\nno json\n')
    assert answer["result"]["imported"] == {"records": 1}
    assert answer["result"]["problems"] == ["line 2 is not JSON: Expecting value: line 1 column 1 (char 0)"]
    assert answer["error"] == {"kind": "incomplete", "message": answers.INCOMPLETE}


def test_text_that_would_steer_a_terminal_is_escaped(empty):
    empty.answer("remember", "red \x1b[31m \u202e text")
    ran = empty.run("recall", "red", "--json")
    assert b"\x1b" not in ran.stdout
    assert json.loads(ran.stdout)["result"]["hits"][0]["content"].startswith("red ")


def test_an_interrupted_command_is_answered():
    answers.begin("import")
    answers.fail("interrupted", "the command was ended by a signal from outside")
    answer = answers.finished(130)
    VALIDATOR.validate(answer)
    assert answer["ok"] is False
    assert answers.finished(0) is None


# --- Nobody is asked ---


@pytest.mark.sqlite("the filled store is copied as a file")
@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of Unix")
@pytest.mark.parametrize(
    "words",
    ["purge {memory}", "promote --all", "model install somebody/tiny", "setup", "unsetup", "index {code} --watch"],
)
def test_a_script_at_a_terminal_is_not_asked(words, filled):
    (filled.root / "home" / ".cursor").mkdir()
    filled.answer("setup", "cursor")
    ours, theirs = os.openpty()
    try:
        answer = filled.answer(*words.split(), stdin=theirs)
    finally:
        os.close(ours)
        os.close(theirs)
    assert answer["error"]["kind"] == "invalid_input"


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of Unix")
def test_set_up_of_a_client_at_a_terminal_asks_nothing(empty):
    ours, theirs = os.openpty()
    try:
        answer = empty.answer("setup", "cursor", stdin=theirs)
    finally:
        os.close(ours)
        os.close(theirs)
    assert [each["action"] for each in answer["result"]["clients"]] == ["added"]


# --- In a database ---


@pytest.mark.sqlite("a store is copied from the file")
def test_the_commands_for_a_database_answer(empty, database):
    assert empty.answer("database", "upgrade", "--database", database)["result"]["store"].startswith("postgresql://")
    done("remember", "a koala sleeps", data=empty.data)
    answer = empty.answer("migrate", "--from", str(empty.data), "--to", database, "--to-tenant", "4711")
    assert (answer["command"], answer["result"]["identical"]) == ("migrate", True)
    quota = empty.answer("tenant", "quota", "4711", "--records", "9", "--bytes", "none", "--database", database)[
        "result"
    ]
    assert quota["quota"] == {"records": 9, "bytes": None, "calls_per_minute": None}
    assert quota["used"]["records"] == 1
    (one,) = empty.answer("tenant", "usage", "4711", "--database", database)["result"]["tenants"]
    assert (one["tenant"], one["records"], one["quota"]) == (4711, 1, quota["quota"])
    all_ = empty.answer("tenant", "usage", "--database", database)["result"]["tenants"]
    assert one in all_
    for more, is_dry in ((["--dry-run"], True), (["--yes"], False)):
        deleted = empty.answer("tenant", "delete", "4711", *more, "--database", database)["result"]
        assert (deleted["tenant"], deleted["dry_run"], deleted["rows"]["record"]) == (4711, is_dry, 1)
    assert empty.answer("tenant", "delete", "4711", "--yes", "--database", database)["result"]["rows"] == {}
    empty.answer("tenant", "quota", "4713", "--records", "0", "--database", database)
    full = empty.answer("remember", "one too many", "--tenant", "4713", "--database", database)["error"]
    assert full["kind"] == "quota_exceeded"
    asked = empty.answer("tenant", "delete", "4712", "--database", database)["error"]
    assert asked["kind"] == "not_found"
    for words in (["quota", "x"], ["quota", "4711", "--records", "-1"], ["usage", "4711", "--tenant", "4712"]):
        refused = empty.answer("tenant", *words, "--database", database)["error"]
        assert refused["kind"] in ("invalid_input", "usage"), refused
