"""The lines that `indelible setup --hooks` writes, and the choices that it leaves."""

import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace

import pytest

from hook_handlers import HOOKED, PROGRAM, handlers, part, value
from indelible.capture.clients import what_of
from indelible.cli.setup import hooks
from indelible.cli.setup.clients import CLIENTS
from indelible.errors import InvalidInput
from mcp_client import environment

# --- What is written ---


def test_an_old_module_of_ours_that_the_project_could_replace_is_updated(machine):
    one = part(machine, "claude-code")
    hooks.set_up(one, (sys.executable, "-m", "indelible"))
    assert hooks.set_up(one, (sys.executable, "-P", "-m", "indelible")).action == "changed"
    ours, _ = handlers(machine, "claude-code")
    assert all("-P -m indelible hook" in handler["command"] for handler in ours.values())
    args = [sys.executable, "-m", "indelible", "serve", "--read-only", "--profile", "code", "--workspace", "/shop"]
    entry = {"mcpServers": {"indelible": {"command": args[0], "args": args[1:]}}}
    machine.write("cursor", "user", json.dumps(entry).encode())
    assert machine.report("setup", "cursor")["action"] == "changed"
    assert machine.entry("cursor", "user")["args"] == ["-P", *args[1:], "--data", str(machine.data)]
    assert machine.report("setup", "cursor")["action"] == "unchanged"


@pytest.mark.process
@pytest.mark.parametrize("name", ["json.py", "indelible/__main__.py"])
def test_what_is_written_runs_no_module_of_the_project(name, machine):
    machine.done("setup", "claude-code", "--hooks")
    hostile = machine.work / name
    hostile.parent.mkdir(exist_ok=True)
    hostile.write_text("raise SystemExit('a module of the project was run')")
    line = handlers(machine, "claude-code")[0]["Stop"]["command"]
    env = environment(machine.environ())
    ran = subprocess.run(shlex.split(line), input=b"{}", capture_output=True, cwd=machine.work, env=env, check=True)
    assert b"of the project was run" not in ran.stderr


@pytest.mark.parametrize("client", HOOKED)
def test_a_hook_runs_the_absolute_command_for_an_event_that_capture_knows(client, machine):
    machine.done("setup", client, "--hooks")
    ours, _ = handlers(machine, client)
    for event, handler in ours.items():
        words = shlex.split(handler["command"])
        assert words[:5] == [sys.executable, "-P", "-m", "indelible", "hook"]
        assert words[6:] == ["--client", CLIENTS[client].hooks.named or client, "--data", str(machine.data)]
        assert what_of(client, words[5]) == what_of(client, event) is not None


def test_the_start_of_a_session_is_waited_for_and_capture_only_where_it_must_be(machine):
    machine.done("setup", "--all", "--hooks")  # finds none
    for client in HOOKED:
        machine.done("setup", client, "--hooks")
    claude, _ = handlers(machine, "claude-code")
    waited = {event for event, handler in claude.items() if not handler.get("async")}
    assert waited == {"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUseFailure", "Stop", "SessionEnd"}
    groups = {event: group for event, (group,) in value(machine.hook_file("claude-code", "user"))["hooks"].items()}
    assert {event: group["matcher"] for event, group in groups.items() if "matcher" in group} == {
        "PreToolUse": "Bash|PowerShell"
    }
    for client in HOOKED[1:]:
        assert not any("async" in handler for handler in handlers(machine, client)[0].values())
    seconds = {client: handlers(machine, client)[0] for client in HOOKED}
    assert seconds["gemini-cli"]["SessionStart"]["timeout"] == 10_000
    assert seconds["codex"]["SessionEnd"]["timeout"] == 3
    assert value(machine.hook_file("cursor", "user"))["version"] == 1
    assert "type" not in seconds["cursor"]["sessionStart"]


def test_set_up_says_what_the_hooks_of_a_client_can_tell_its_agent(machine):
    out = machine.run("setup", "cursor", "--hooks").stdout.decode()
    assert "  tells the agent: at its start what is known\n  cannot tell it: at a prompt what it is about, after" in out
    out = machine.run("setup", "claude-code", "--hooks").stdout.decode()
    assert "  tells the agent: at its start what is known, at a prompt what it is about, after a failure" in out
    assert "cannot tell it" not in out
    done = machine.report("setup", "gemini-cli", "--hooks")
    assert done["hooks"]["tells"] == {"brief": True, "prompt": True, "failure": True, "warning": False}


LINES = {
    ("linux", "claude-code", "/opt/x/indelible"): "/opt/x/indelible hook session-start --client claude-code",
    ("linux", "claude-code", "/o p/it's/indelible"): (
        "'/o p/it'\"'\"'s/indelible' hook session-start --client claude-code"
    ),
    ("win32", "claude-code", r"C:\Program Files\x\indelible.exe"): (
        "'C:/Program Files/x/indelible.exe' hook session-start --client claude-code"
    ),
    ("win32", "codex", r"C:\Program Files\x\indelible.exe"): (
        r'"C:\Program Files\x\indelible.exe" hook session-start --client codex'
    ),
    ("win32", "codex", r"C:\x\indelible.exe"): r"C:\x\indelible.exe hook session-start --client codex",
    ("win32", "gemini-cli", r"C:\Program Files\x\indelible.exe"): (
        r"& 'C:\Program Files\x\indelible.exe' hook session-start --client gemini-cli"
    ),
    ("win32", "cursor", r"C:\x\indelible.exe"): r"C:\x\indelible.exe hook session-start --client cursor",
}


@pytest.mark.parametrize(("platform", "client", "program"), LINES, ids=str)
def test_a_path_is_quoted_for_the_shell_that_the_client_uses(platform, client, program, machine):
    one = part(machine, client, platform=platform)
    hooks.set_up(one, (program,))
    line = next(iter(handlers(machine, client)[0].values()))["command"]
    assert line == LINES[platform, client, program]
    assert hooks.set_up(one, (program,)).action == "unchanged"
    hooks.take_back(one)
    assert not one.path.exists()


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="a POSIX shell")
def test_a_shell_runs_what_is_written(machine):
    place = machine.root / "pla ce's $HOME"
    place.mkdir()
    program = place / "indelible"
    program.write_text('#!/bin/sh\nprintf "%s|" "$@"\n')
    program.chmod(0o755)
    one = part(machine, "claude-code")
    hooks.set_up(one, (str(program),), ("--data", str(place)))
    line = handlers(machine, "claude-code")[0]["Stop"]["command"]
    ran = subprocess.run(["/bin/sh", "-c", line], capture_output=True, check=True, text=True)
    assert ran.stdout == f"hook|stop|--client|claude-code|--data|{place}|"


def test_a_hook_that_starts_by_uvx_is_said_to_take_its_time(machine):
    done = hooks.set_up(part(machine, "codex"), ("/usr/bin/uvx", "indelible@0.1.0"))
    assert "each event starts uvx" in done.notes[0]
    assert handlers(machine, "codex")[0]["Stop"]["command"].startswith("/usr/bin/uvx indelible@0.1.0 hook stop ")
    assert hooks.take_back(part(machine, "codex")).action == "removed"


# --- Choices ---


def test_hooks_of_a_project_need_a_project(machine):
    around = replace(machine.around(), project=None)
    with pytest.raises(InvalidInput, match="the working directory is not a project"):
        hooks.hooks_of(CLIENTS["cursor"], "project", around, machine.data)


def test_there_are_no_hooks_unless_asked_for_and_set_up_says_that_there_could_be(machine):
    ran = machine.run("setup", "claude-code")
    assert not machine.hook_file("claude-code", "user").exists()
    assert ran.stderr.decode().count("--hooks") == 1
    assert "with --hooks, Claude Code would also report what happens" in ran.stderr.decode()
    assert b"--hooks" not in machine.run("setup", "zed").stderr
    there = machine.tree()
    assert "Claude Code: already set up" in machine.done("setup", "claude-code", "--hooks")
    assert machine.file("claude-code", "user").read_bytes() == there["home/.claude.json"]
    assert b"--hooks" not in machine.run("setup", "claude-code").stderr


def test_a_client_without_hooks_is_refused_if_named_and_only_registered_with_all(machine):
    before = machine.tree()
    assert "but for claude-code, cursor, vscode, codex, gemini-cli, opencode, windsurf, copilot-cli" in machine.refused(
        "setup", "zed", "--hooks"
    )
    assert machine.tree() == before
    (machine.home / ".config" / "amp").mkdir(parents=True)
    (machine.home / ".cursor").mkdir()
    told = json.loads(machine.done("setup", "--all", "--hooks", "--json"))["result"]["clients"]
    assert [(one["client"], "hooks" in one) for one in told] == [("cursor", True), ("amp", False)]
    assert [one["client"] for one in json.loads(machine.done("unsetup", "--all", "--json"))["result"]["clients"]] == [
        "cursor",
        "amp",
    ]


def test_hooks_follow_the_data_directory_of_the_entry(machine):
    machine.done("setup", "claude-code")
    one = machine.around()
    assert machine.entry("claude-code", "user")["args"][-4:-2] == ["--data", str(machine.data)]
    hooks.set_up(hooks.hooks_of(CLIENTS["claude-code"], "user", one, machine.data), PROGRAM)
    machine.done("setup", "claude-code", "--hooks")
    ours, _ = handlers(machine, "claude-code")
    assert all(shlex.split(handler["command"])[-1] == str(machine.data) for handler in ours.values())


def test_a_dry_run_and_print_show_the_hooks_and_write_none(machine):
    before = machine.tree()
    said = machine.done("setup", "codex", "--hooks", "--dry-run")
    assert "Codex: hooks would be set up" in said
    assert '+    "SessionStart": [' in said
    shown = json.loads(machine.done("setup", "codex", "--hooks", "--print", "--json"))["result"]["clients"][0]["hooks"]
    assert shown["file"] == str(machine.hook_file("codex", "user"))
    assert set(json.loads(shown["snippet"])) == {"hooks"}
    assert machine.tree() == before
    machine.done("setup", "codex", "--hooks")
    there = machine.tree()
    assert "Codex: hooks would be removed" in machine.done("unsetup", "codex", "--dry-run")
    assert machine.tree() == there


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"hooks": {', "line 1: "),
        (b'{"hooks": []}', '"hooks" is not an object'),
        (b'{"hooks": {"Stop": {}}}', '"Stop" is not a list'),
        (b'{"hooks": {"Stop": [], "Stop": []}}', "twice"),
    ],
)
def test_a_file_of_hooks_that_cannot_be_edited_without_a_doubt_is_refused_and_stays(content, words, machine):
    path = machine.write("claude-code", "user", content, hooks=True)
    ran = machine.run("setup", "claude-code", "--hooks")
    assert ran.returncode == 1
    assert words in ran.stderr.decode()
    assert str(path) in ran.stderr.decode()
    assert "Claude Code: set up (" in ran.stdout.decode()  # the server's file is another
    assert path.read_bytes() == content


def test_mode_and_link_of_a_file_of_hooks_stay(machine):
    real = machine.root / "dotfiles.json"
    real.write_bytes(b"{}")
    real.chmod(0o600)
    link = machine.hook_file("claude-code", "user")
    link.parent.mkdir()
    link.symlink_to(real)
    machine.done("setup", "claude-code", "--hooks")
    assert link.is_symlink()
    assert b"indelible" in real.read_bytes()
    assert real.stat().st_mode & 0o777 == 0o600
    machine.done("unsetup", "claude-code")
    assert real.read_bytes() == b"{}"
