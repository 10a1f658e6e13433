"""Which clients and files `indelible setup` means, and what it only shows."""

import json
import os
import shlex
import tomllib

import pytest

import forked
from indelible.cli.setup.clients import CLIENTS
from indelible.cli.setup.surroundings import Surroundings
from mcp_client import environment
from user_machine import FILES, at_terminal, configuration

EVERY = list(FILES)

# --- Which clients ---


def test_those_that_are_installed_are_found_by_directory_or_command(machine):
    ran = machine.run("setup", "--all")
    assert ran.returncode == 0
    said = ran.stderr.decode()
    assert f"none of {', '.join(CLIENTS)} is found" in said
    assert f"Cursor: {machine.home / '.cursor'}, command `cursor`, command `cursor-agent`" in said
    assert "`indelible setup cursor`" in said
    (machine.home / ".codex").mkdir()
    machine.program("cursor", "")
    told = json.loads(machine.done("setup", "--all", "--json"))["result"]["clients"]
    assert [(one["client"], one["action"]) for one in told] == [("cursor", "added"), ("codex", "added")]
    told = json.loads(machine.done("unsetup", "--all", "--json"))["result"]["clients"]
    assert [(one["client"], one["action"]) for one in told] == [("cursor", "removed"), ("codex", "removed")]
    assert machine.done("unsetup", "--all") == ""


def test_without_a_client_and_a_terminal_it_says_what_to_give(machine):
    (machine.home / ".cursor").mkdir()
    said = machine.refused("setup")
    assert "name a CLIENT (cursor) or give --all" in said
    assert "both CLIENT and --all" in machine.refused("setup", "cursor", "--all")
    assert list((machine.home / ".cursor").iterdir()) == []


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of Unix")
@pytest.mark.parametrize("answer", [b"y\n", b"\n", b"no\n"])
def test_on_a_terminal_it_says_what_it_would_change_and_asks(answer, machine):
    (machine.home / ".cursor").mkdir()
    machine.write("codex", "user", b'[mcp_servers.indelible]\ncommand = "/old/indelible"\nargs = ["serve"]\n')
    machine.write("vscode", "user", b"{")
    before = machine.tree()
    agrees = answer != b"no\n"
    said, asked = at_terminal(machine, answer, "setup", "--no-hooks", code=int(agrees))  # one is refused
    plan, question, rest = asked.partition("Set this up for all your projects? [Y/n] ")
    assert question
    starts = {
        name: f"  starts: {shlex.join(CLIENTS[name].with_defaults(machine.launch, 'user'))}"
        for name in ("cursor", "codex")
    }
    assert plan.splitlines()[:2] == [f"Cursor: would be set up ({machine.file('cursor', 'user')})", starts["cursor"]]
    assert plan.splitlines()[2].startswith(f"VS Code: would be refused: {machine.file('vscode', 'user')}, line 1: ")
    assert plan.splitlines()[3:6] == [
        f"Codex: would be changed ({machine.file('codex', 'user')})",
        starts["codex"],
        "  was: /old/indelible serve",
    ]
    assert [line.partition(" (")[0] for line in plan.splitlines()[6:]] == ["Codex: skill would be set up"]
    if agrees:
        assert "Cursor: set up (" in said
        assert "Codex: changed (" in said
    else:
        assert (said, rest) == ("", "nothing was changed\n")
        assert machine.tree() == before
        assert not machine.data.exists()


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of Unix")
def test_on_a_terminal_unsetup_says_what_it_would_take_out_and_asks_only_if_there_is_something(machine):
    machine.done("setup", "cursor")
    there = machine.tree()
    said, asked = at_terminal(machine, b"n\n", "unsetup")
    assert f"Cursor: would be removed ({machine.file('cursor', 'user')})\n" in asked
    assert (said, machine.tree()) == ("", there)
    said, asked = at_terminal(machine, b"", "setup", "--no-hooks")
    assert "Cursor: already set up" in said
    assert "[y/N]" not in asked
    assert "[Y/n]" not in asked


# --- Where ---


@pytest.mark.process
def test_the_project_is_the_git_repository_around(machine):
    inner = machine.work / "src" / "deep"
    inner.mkdir(parents=True)
    command = ["setup", "cursor", "--scope", "project"]
    env = environment(machine.environ(INDELIBLE_DATA=str(machine.data)))
    assert forked.run(command, env=env, cwd=inner).returncode == 0
    assert (machine.work / ".cursor" / "mcp.json").is_file()
    assert forked.run([*command, "--project", str(inner)], env=env, cwd=machine.root).returncode == 0
    ran = forked.run(command, env=env, cwd=machine.home)
    assert ran.returncode == 1
    assert b"--scope project: the working directory is not a project" in ran.stderr
    assert not (machine.home / ".cursor").exists()


def test_clients_that_keep_their_files_elsewhere_are_followed(machine):
    for variable, client, place in (
        ("CLAUDE_CONFIG_DIR", "claude-code", "elsewhere/.claude.json"),
        ("CODEX_HOME", "codex", "elsewhere/config.toml"),
        ("XDG_CONFIG_HOME", "vscode", "elsewhere/Code/User/mcp.json"),
        ("XDG_CONFIG_HOME", "opencode", "elsewhere/opencode/opencode.json"),
        ("GEMINI_CLI_HOME", "gemini-cli", "elsewhere/.gemini/settings.json"),
    ):
        machine.done("setup", client, **{variable: str(machine.home / "elsewhere")})
        assert b"indelible" in (machine.home / place).read_bytes()


PLACES = {
    ("vscode", "linux"): ".config/Code/User/mcp.json",
    ("vscode", "darwin"): "Library/Application Support/Code/User/mcp.json",
    ("vscode", "win32"): "AppData/Roaming/Code/User/mcp.json",
    ("claude-desktop", "linux"): ".config/Claude/claude_desktop_config.json",
    ("claude-desktop", "darwin"): "Library/Application Support/Claude/claude_desktop_config.json",
    ("claude-desktop", "win32"): "AppData/Roaming/Claude/claude_desktop_config.json",
    ("zed", "linux"): ".config/zed/settings.json",
    ("zed", "darwin"): ".config/zed/settings.json",
    ("zed", "win32"): "AppData/Roaming/Zed/settings.json",
    ("opencode", "darwin"): ".config/opencode/opencode.json",
    ("opencode", "win32"): ".config/opencode/opencode.json",
}


@pytest.mark.parametrize(("client", "platform"), PLACES, ids=str)
def test_a_client_has_its_file_where_the_platform_has_it(client, platform, tmp_path):
    place = PLACES[client, platform]
    assert CLIENTS[client].file("user", Surroundings(tmp_path, {}, platform)) == tmp_path / place


@pytest.mark.parametrize("command", ["setup", "unsetup"])
@pytest.mark.parametrize(
    ("scope", "project"),
    [
        ("project", "../missing"),
        ("project", "missing"),
        ("user", "../missing"),
        ("user", "missing/"),
        ("user", ".missing"),
        ("user", "~/missing"),
        ("user", "C:\\missing"),
    ],
)
def test_a_project_that_must_be_a_directory_and_is_none_is_refused(scope, project, command, machine):
    before = machine.tree()
    said = machine.refused(command, "cursor", "--scope", scope, "--project", project)
    assert f"--project is {project!r}" in said
    assert "is not a directory" in said
    assert machine.tree() == before


# --- What is written, and what is only shown ---


def test_the_flags_that_were_given_are_what_the_client_starts(machine):
    machine.done("setup", "codex", "--toolsets", " memory , ", "--project", "shop")
    args = machine.entry("codex", "user")["args"]
    assert args[3:] == ["serve", "--toolsets", "memory", "--data", str(machine.data), "--project", "shop"]


def test_a_dry_run_shows_the_difference_and_changes_nothing(machine):
    machine.write("codex", "user", configuration("codex", "user"))
    before = machine.tree()
    said = machine.done("setup", "codex", "--dry-run")
    assert "would be set up" in said
    assert f"--- {machine.file('codex', 'user')}" in said
    assert "+[mcp_servers.indelible]" in said
    added = [line for line in said.splitlines() if line.startswith("+") and not line.startswith("+++")]
    assert len(added) == 4
    assert machine.tree() == before
    assert machine.backups() == []
    assert not machine.data.exists()

    machine.done("setup", "codex")
    there = machine.tree()
    said = machine.done("unsetup", "codex", "--dry-run")
    assert "-[mcp_servers.indelible]" in said
    assert machine.tree() == there
    assert "Cursor" not in said


def test_a_dry_run_shows_no_secret_of_the_neighbours(machine):
    token = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gHx"
    start = b'{"mcpServers": {\n  "github": {"env": {"TOKEN": "%s"}}\n}}' % token.encode()
    path = machine.write("cursor", "user", start)
    assert token not in machine.done("setup", "cursor", "--dry-run")
    assert token not in json.dumps(machine.report("setup", "cursor"))
    assert token.encode() in path.read_bytes()
    machine.done("unsetup", "cursor")
    assert path.read_bytes() == start


def test_print_gives_what_belongs_into_the_file_and_touches_none(machine):
    machine.write("cursor", "user", b"broken")
    before = machine.tree()
    snippet = json.loads(machine.done("setup", "cursor", "--print"))
    command, *args = CLIENTS["cursor"].with_defaults(machine.launch, "user")
    assert snippet == {"mcpServers": {"indelible": {"type": "stdio", "command": command, "args": args}}}
    assert tomllib.loads(machine.done("setup", "codex", "--print"))["mcp_servers"]["indelible"]["args"] == args[:-2]
    assert list(json.loads(machine.done("setup", "vscode", "--print", "--scope", "project"))) == ["servers"]
    assert len(json.loads(machine.done("setup", "--all", "--print", "--json"))["result"]["clients"]) == len(CLIENTS)
    assert "--print needs a CLIENT" in machine.refused("setup", "--print")
    assert machine.tree() == before


def test_no_secret_of_the_environment_is_written(machine):
    for client, scope in EVERY:
        machine.done("setup", client, "--scope", scope, INDELIBLE_ENCODER_KEY="sk-very-secret")
    written = b"".join(content or b"" for content in machine.tree().values())
    assert b"sk-very-secret" not in written
    assert b"sk-very-secret" not in (machine.data / "registrations.json").read_bytes()


def test_where_the_ledger_cannot_be_kept_set_up_works_and_says_so(machine):
    machine.data.write_bytes(b"a file where the data directory should be")
    path = machine.write("cursor", "user", b'{\n  "x": 1\n}\n')
    assert "the previous state of the file cannot be recorded" in machine.done("setup", "cursor")
    machine.done("unsetup", "cursor")
    assert path.read_bytes() == b'{\n  "x": 1,\n  "mcpServers": {}\n}\n'
