"""A client's own command is preferred where it cannot lose what is the user's."""

import json

import pytest

from user_machine import configuration

# What the real commands do to their files: `claude` parses and writes them anew with two blanks a level.
CLAUDE = """
import json, os, pathlib, sys
log = pathlib.Path(os.environ["HOME"], "called.log")
log.open("a").write(json.dumps([os.getcwd(), *sys.argv[1:]]) + "\\n")
verb, scope, name = sys.argv[2], sys.argv[4], sys.argv[5]
path = pathlib.Path(".mcp.json") if scope == "project" else pathlib.Path(os.environ["HOME"], ".claude.json")
config = json.loads(path.read_text()) if path.exists() and path.read_text() else {}
servers = config.setdefault("mcpServers", {})
if verb == "add":
    if name in servers:
        sys.exit(f"MCP server {name} already exists in {scope} config")
    command, *args = sys.argv[sys.argv.index("--") + 1 :]
    servers[name] = {"type": "stdio", "command": command, "args": args, "env": {}}
else:
    del servers[name]
path.write_text(json.dumps(config, indent=2, ensure_ascii=False))
"""
CODEX = """
import json, os, pathlib, sys
home = pathlib.Path(os.environ["HOME"])
home.joinpath("called.log").open("a").write(json.dumps([os.getcwd(), *sys.argv[1:]]) + "\\n")
path = home / ".codex" / "config.toml"
path.parent.mkdir(exist_ok=True)
text = path.read_text() if path.exists() else ""
if sys.argv[2] == "add":
    command, *args = sys.argv[sys.argv.index("--") + 1 :]
    text += f"\\n[mcp_servers.{sys.argv[3]}]\\ncommand = {json.dumps(command)}\\nargs = {json.dumps(args)}\\n"
else:
    text = text.partition("\\n[mcp_servers.indelible]")[0]
path.write_text(text)
"""


def calls(machine):
    log = machine.home / "called.log"
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


@pytest.mark.process
def test_claude_code_is_told_by_its_own_command(machine):
    machine.program("claude", CLAUDE)
    path = machine.write("claude-code", "user", configuration("claude-code", "user").rstrip(b"\n"))
    start = path.read_bytes()
    said = machine.done("setup", "claude-code")
    assert "ran: " in said
    [[cwd, *words]] = calls(machine)
    assert cwd == str(machine.home)
    assert words[:6] == ["mcp", "add", "--scope", "user", "indelible", "--"]
    assert words[-5:] == ["serve", "--data", str(machine.data), "--profile", "daily"]
    assert list(json.loads(path.read_bytes())["mcpServers"]) == ["github", "playwright", "indelible"]
    [backup] = machine.backups()
    assert backup.read_bytes() == start

    assert "already set up" in machine.done("setup", "claude-code")
    assert len(calls(machine)) == 1

    assert "ran: " in machine.done("unsetup", "claude-code")
    assert calls(machine)[1][1:] == ["mcp", "remove", "--scope", "user", "indelible"]
    assert path.read_bytes() == start
    assert machine.backups() == []


@pytest.mark.process
@pytest.mark.parametrize("start", [None, b"{}", b'{\n  "numStartups": 3\n}\n'])
def test_what_the_own_command_left_behind_is_tidied(start, machine):
    machine.program("claude", CLAUDE)
    if start is not None:
        machine.write("claude-code", "project", start)
    before = machine.tree()
    machine.done("setup", "claude-code", "--scope", "project")
    machine.done("unsetup", "claude-code", "--scope", "project")
    assert [words[2] for words in calls(machine)] == ["add", "remove"]
    assert {words[0] for words in calls(machine)} == {str(machine.work)}
    (machine.home / "called.log").unlink()
    assert machine.tree() == before


@pytest.mark.process
def test_what_the_client_itself_wrote_meanwhile_stays(machine):
    machine.program("claude", CLAUDE)
    path = machine.write("claude-code", "user", b'{\n  "numStartups": 3\n}')
    machine.done("setup", "claude-code")
    path.write_bytes(path.read_bytes().replace(b'"numStartups": 3', b'"numStartups": 4'))
    machine.done("unsetup", "claude-code")
    assert json.loads(path.read_bytes()) == {"numStartups": 4, "mcpServers": {}}


@pytest.mark.process
def test_codex_is_told_by_its_own_command_where_it_has_no_other_server(machine):
    machine.program("codex", CODEX)
    before = machine.tree()
    assert "ran: " in machine.done("setup", "codex")
    assert "ran: " in machine.done("unsetup", "codex")
    assert [words[1:3] for words in calls(machine)] == [["mcp", "add"], ["mcp", "remove"]]
    (machine.home / "called.log").unlink()
    assert not machine.file("codex", "user").exists()
    assert {name: content for name, content in machine.tree().items() if name != "home/.codex"} == before


@pytest.mark.parametrize(
    ("client", "scope", "program"),
    [("codex", "user", CODEX), ("claude-code", "project", CLAUDE)],
    ids=["codex", "claude"],
)
def test_a_command_that_would_lose_what_is_the_users_is_not_run(client, scope, program, machine):
    machine.program(client.partition("-")[0], program)
    path = machine.write(client, scope, configuration(client, scope))
    said = machine.done("setup", client, "--scope", scope)
    assert "would rewrite it and lose what is yours in it" in said
    machine.done("unsetup", client, "--scope", scope)
    assert calls(machine) == []
    assert path.read_bytes() == configuration(client, scope)


FAILING = {
    "exit code": ("import sys\nsys.exit('claude: \\x1b[31mnot logged in')",
                  "failed with exit code 1: claude: [31mnot logged in"),
    "does nothing": ("", "did not do it"),
}  # fmt: skip


@pytest.mark.process
@pytest.mark.parametrize("case", FAILING)
def test_where_the_own_command_fails_the_file_is_edited_and_it_is_said(case, machine):
    program, words = FAILING[case]
    machine.program("claude", program)
    path = machine.write("claude-code", "user", b"{}")
    said = machine.done("setup", "claude-code")
    assert f"{words}; edited the file instead" in said
    assert "ran: " not in said
    assert "indelible" in json.loads(path.read_bytes())["mcpServers"]
    said = machine.done("unsetup", "claude-code")
    assert f"{words}; edited the file instead" in said
    assert path.read_bytes() == b"{}"


def test_a_dry_run_runs_no_command(machine):
    machine.program("claude", CLAUDE)
    said = machine.done("setup", "claude-code", "--dry-run")
    assert f"would run: {machine.bin}/claude mcp add --scope user indelible -- " in said
    assert '+    "indelible": {' in said
    assert calls(machine) == []
    assert not machine.file("claude-code", "user").exists()


@pytest.mark.process
def test_an_entry_that_differs_is_changed_in_the_file(machine):
    """`claude mcp add` refuses a name that is there, and removing it first would lose the user's own settings of it."""
    machine.program("claude", CLAUDE)
    machine.done("setup", "claude-code")
    told = machine.report("setup", "claude-code", "--toolsets", "memory")
    assert (told["action"], told["command"]) == ("changed", None)
    assert len(calls(machine)) == 1


def test_a_command_in_the_working_directory_is_not_run(machine):
    machine.program("claude", CLAUDE).rename(machine.work / "claude")
    machine.done("setup", "claude-code", PATH=f".:{machine.bin}")
    assert calls(machine) == []
