"""`indelible setup --hooks`: our hooks beside those of others, and the way back."""

import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace

import pytest

from indelible.capture.clients import what_of
from indelible.cli.setup import hooks
from indelible.cli.setup.clients import CLIENTS
from indelible.cli.setup.hook_forms import SECTION
from indelible.cli.setup.json_nodes import read, value_of
from indelible.errors import InvalidInput
from mcp_client import environment
from user_machine import HOOK_FILES, configuration, hook_configuration

EVERY = list(HOOK_FILES)
HOOKED = list(dict(EVERY))
PROGRAM = ("/opt/in delible/bin/indelible",)


def value(path):
    text = path.read_text(encoding="utf-8-sig")
    return value_of(text, read(text))


def handlers(machine, client, scope="user"):
    """Our handlers by event, and those of others."""
    ours, others = {}, []
    for event, items in value(machine.hook_file(client, scope)).get(SECTION, {}).items():
        for item in [item for item in items if isinstance(item, dict)] if isinstance(items, list) else ():
            for handler in item.get("hooks", [item]):
                if "indelible" in handler["command"]:
                    assert event not in ours
                    ours[event] = handler
                else:
                    others.append((event, handler))
    return ours, others


def part(machine, client, scope="user", platform="linux"):
    around = replace(machine.around(), platform=platform)
    return hooks.hooks_of(CLIENTS[client], scope, around, machine.data)


# --- There and back ---


@pytest.mark.parametrize(("client", "scope"), EVERY, ids=str)
def test_hooks_of_others_stay_and_the_file_comes_back_to_the_byte(client, scope, machine):
    if machine.hook_file(client, scope) != machine.file(client, scope):
        machine.write(client, scope, configuration(client, scope))
    start = hook_configuration(client, scope)
    path = machine.write(client, scope, start, hooks=True)
    before = machine.tree()
    _, there_before = handlers(machine, client, scope)

    said = machine.done("setup", client, "--scope", scope, "--hooks")
    assert f"hooks set up ({path})" in said
    assert f"at: {', '.join(moment.event for moment in CLIENTS[client].hooks.moments)}" in said
    ours, others = handlers(machine, client, scope)
    assert set(ours) == {moment.event for moment in CLIENTS[client].hooks.moments}
    assert others == there_before
    for line in start.splitlines():
        if b"//" in line and start.count(b"\n") > 1:  # a line of the user's, ours may stand in it
            assert all(piece in path.read_bytes() for piece in line.split(b"]"))

    there = machine.tree()
    again = machine.done("setup", client, "--scope", scope, "--hooks")
    assert again.count("already set up") == 2
    assert machine.tree() == there

    said = machine.done("unsetup", client, "--scope", scope)
    assert "hooks removed" in said
    assert machine.tree() == before
    assert machine.backups() == []
    assert not machine.data.exists()


STARTS = {
    "no file": None,
    "empty": b"",
    "empty object": b"{}\n",
    "only comments": b"// nothing\n",
    "no hooks": b'{\n\t"a": [1, 2]\n}',
    "empty hooks": b'{\n  "hooks": {}\n}\n',
    "an empty event": b'{\n  "hooks": {\n    "SessionStart": [],\n    "sessionStart": [ ]\n  }\n}\n',
    "a comment in the list": b'{"hooks": {"SessionStart": [ /* none */ ], "Stop": [\n // yet\n ]}}',
    "carriage returns": b'{\r\n "hooks": {\r\n  "Stop": [\r\n  ]\r\n }\r\n}\r\n',
    "minified": b'{"a":1,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}',
    "byte order mark": b'\xef\xbb\xbf{"hooks": {"enabled": true, "disabled": ["x"]}}',
}


@pytest.mark.parametrize("client", HOOKED)
@pytest.mark.parametrize("name", STARTS)
@pytest.mark.slow
def test_whatever_a_file_of_hooks_was_it_is_again(name, client, machine):
    start = STARTS[name]
    if start is not None:
        machine.write(client, "user", start, hooks=True)
    before = machine.tree()
    one = part(machine, client)
    done = hooks.set_up(one, PROGRAM)
    assert (done.action, hooks.set_up(one, PROGRAM).action) == ("added", "unchanged")
    assert len(handlers(machine, client)[0]) == len(CLIENTS[client].hooks.moments)
    assert hooks.take_back(one).action == "removed"
    assert machine.tree() == before
    assert hooks.take_back(one).action == "absent"
    assert machine.tree() == before


@pytest.mark.parametrize(("client", "scope"), EVERY, ids=str)
def test_without_the_ledger_ours_go_and_those_of_others_stay(client, scope, machine):
    path = machine.write(client, scope, hook_configuration(client, scope), hooks=True)
    before = value(path)
    machine.done("setup", client, "--scope", scope, "--hooks")
    for lost in (*machine.backups(), machine.data / "registrations.json"):
        lost.unlink()
    machine.done("unsetup", client, "--scope", scope)
    left_empty = {name: {} for name in ("mcpServers", SECTION) if name not in before and client == "gemini-cli"}
    assert value(path) == {**before, **left_empty}


def test_what_the_user_wrote_meanwhile_stays(machine):
    path = machine.write("claude-code", "user", hook_configuration("claude-code", "user"), hooks=True)
    machine.done("setup", "claude-code", "--hooks")
    path.write_bytes(path.read_bytes().replace(b"~/bin/status", b"~/bin/status2"))
    machine.done("unsetup", "claude-code")
    expected = hook_configuration("claude-code", "user").replace(b"~/bin/status", b"~/bin/status2")
    assert path.read_bytes() == expected


def test_only_the_hooks_can_be_taken_out(machine):
    machine.done("setup", "gemini-cli")
    before = machine.tree()
    machine.done("setup", "gemini-cli", "--hooks")
    assert machine.tree() != before
    assert "hooks removed" in machine.done("unsetup", "gemini-cli", "--hooks")
    assert machine.tree() == before
    assert "hooks not set up" in machine.done("unsetup", "gemini-cli", "--hooks")
    assert machine.backups() == []
    machine.done("unsetup", "gemini-cli")
    assert not machine.file("gemini-cli", "user").exists()
    assert not machine.data.exists()


def test_a_server_and_hooks_in_one_file_go_together_and_the_file_comes_back(machine):
    start = configuration("gemini-cli", "user")
    path = machine.write("gemini-cli", "user", start)
    machine.done("setup", "gemini-cli", "--hooks")
    machine.done("setup", "gemini-cli", "--toolsets", "memory")
    [backup] = machine.backups()
    assert backup.read_bytes() == start
    machine.done("unsetup", "gemini-cli", "--hooks")
    assert machine.entry("gemini-cli", "user") if b"//" not in path.read_bytes() else True
    assert b"indelible" in path.read_bytes()
    machine.done("unsetup", "gemini-cli")
    assert path.read_bytes() == start
    assert machine.backups() == []


# --- An older one of ours ---


@pytest.mark.parametrize("client", HOOKED)
def test_an_old_path_of_ours_is_updated_and_not_doubled(client, machine):
    one = part(machine, client)
    hooks.set_up(one, ("/old place/indelible",))
    done = hooks.set_up(one, ("/new/indelible",), ("--data", "/d"))
    assert done.action == "changed"
    assert done.was.startswith("'/old place/indelible' hook ")
    ours, _ = handlers(machine, client)
    assert {shlex.split(handler["command"])[0] for handler in ours.values()} == {"/new/indelible"}
    hooks.take_back(one)
    assert not one.path.exists()


def test_what_the_user_changed_in_a_hook_of_ours_stays_and_what_is_twice_goes(machine):
    line = "/old/indelible hook stop --client claude-code"
    start = {
        "hooks": {
            "Stop": [
                {"matcher": "x", "hooks": [{"type": "command", "command": line, "timeout": 99}]},
                {"hooks": [{"type": "command", "command": "mine"}, {"type": "command", "command": line}]},
            ],
            "Notification": [{"hooks": [{"type": "command", "command": "indelible hook notification"}]}],
        }
    }
    path = machine.write("claude-code", "user", json.dumps(start, indent=1).encode(), hooks=True)
    one = part(machine, "claude-code")
    hooks.set_up(one, ("/new/indelible",))
    found = value(path)["hooks"]
    command = "/new/indelible hook stop --client claude-code"
    assert found["Stop"] == [
        {"matcher": "x", "hooks": [{"type": "command", "command": command, "timeout": 99}]},
        {"hooks": [{"type": "command", "command": "mine"}]},
    ]
    assert "Notification" not in found


@pytest.mark.parametrize(
    "line",
    [
        "INDELIBLE_LOG=1 /new/indelible hook stop --client claude-code",
        "nice /new/indelible hook stop --client claude-code --data /mine",
    ],
)
def test_a_hook_that_runs_ours_among_other_words_stays(line, machine):
    start = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": line}]}]}}
    path = machine.write("claude-code", "user", json.dumps(start).encode(), hooks=True)
    hooks.set_up(part(machine, "claude-code"), ("/new/indelible",))
    assert value(path)["hooks"]["Stop"] == start["hooks"]["Stop"]


def test_a_hook_without_a_shell_is_ours_too(machine):
    exec_form = {"type": "command", "command": "/old/indelible", "args": ["hook", "stop"]}
    start = {"hooks": {"Stop": [{"hooks": [exec_form]}]}}
    machine.write("claude-code", "user", json.dumps(start).encode(), hooks=True)
    hooks.set_up(part(machine, "claude-code"), ("/new/indelible",))
    ours, _ = handlers(machine, "claude-code")
    assert ours["Stop"]["command"] == "/new/indelible hook stop --client claude-code"
    assert "args" not in ours["Stop"]


OTHERS = [
    "echo indelible hook done >> ~/log",
    "my-logger && indelible hook stop",
    "indelible hook stop || true",
    "indelible hook stop; say done",
    "cat | indelible hook stop",
    "indelible hook stop > /dev/null",
    "echo `indelible hook stop`",
    "(indelible hook stop)",
    "indelible hook stop & say done",
    "cd /x\nindelible hook stop",
    "echo indelible hook",
    "git -C indelible hook list",
    "grep indelible hook.log",
    "nice -n 5 echo indelible hook",
    "timeout 5 echo indelible hook",
    "env -i echo indelible hook",
    "python -m echo indelible hook",
    "uvx --from indelible echo hook",
    "indelible remember hook",
    "indelible --data hook serve",
    "/indelible/bin/log hook stop",
    r'& "C:\tools\log.exe" indelible hook',
    r"C:\tools\log.exe & C:\x\indelible.exe hook stop",
    r'"C:\x\indelible.exe" hook stop && echo done',
    "Write-Output x; & 'C:\\x\\indelible.exe' hook stop",
]


@pytest.mark.parametrize("line", OTHERS)
def test_a_hook_of_others_that_mentions_ours_stays(line, machine):
    start = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": line}]}]}}
    path = machine.write("claude-code", "user", json.dumps(start).encode(), hooks=True)
    one = part(machine, "claude-code")
    hooks.set_up(one, PROGRAM)
    assert value(path)["hooks"]["Stop"][0] == start["hooks"]["Stop"][0]
    for lost in (*machine.backups(), machine.data / "registrations.json"):
        lost.unlink()
    hooks.take_back(one)
    assert value(path) == start


def test_set_up_says_which_line_runs_ours_among_other_commands(machine):
    lines = ["my-logger && /o/indelible hook stop", "echo indelible hook done >> ~/log"]
    start = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": line} for line in lines]}]}}
    machine.write("claude-code", "user", json.dumps(start).encode(), hooks=True)
    one = part(machine, "claude-code")
    for done in (hooks.set_up(one, PROGRAM), hooks.take_back(one)):
        [note] = done.notes
        assert note == f"left as it is, since it runs more than `indelible hook`: {lines[0]}"


@pytest.mark.parametrize(
    "line",
    [
        "indelible hook stop",
        "A=1 B= /o/indelible hook stop",
        "env -i A=1 nice -n 5 timeout -k 1 5s indelible hook stop",
        "python -m indelible hook stop",
        "/usr/bin/python3.12 -X utf8 -P -m indelible hook stop",
        "python3 -P '/o p/bin/indelible' hook stop",
        "uvx --python 3.12 indelible@0.1.0 hook stop",
        "uvx --from 'indelible==0.1.0' indelible hook stop",
        "uv tool run indelible hook stop",
        "'/home/R&D (x)/indelible' hook stop --data '/a;b'",
        r"C:\x\indelible.exe hook stop --client cursor",
        r"& 'C:\R&D (x86)\indelible.exe' hook stop",
        r'"C:\Program Files\python.exe" -m indelible hook stop',
    ],
)
def test_a_hook_of_ours_is_told_by_what_it_runs(line, machine):
    start = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": line}]}]}}
    path = machine.write("claude-code", "user", json.dumps(start).encode(), hooks=True)
    assert hooks.take_back(part(machine, "claude-code")).was == line
    assert value(path) == {"hooks": {}}


# --- What is written ---


def test_an_old_module_of_ours_that_the_project_could_replace_is_updated(machine):
    one = part(machine, "claude-code")
    hooks.set_up(one, (sys.executable, "-m", "indelible"))
    assert hooks.set_up(one, (sys.executable, "-P", "-m", "indelible")).action == "changed"
    ours, _ = handlers(machine, "claude-code")
    assert all("-P -m indelible hook" in handler["command"] for handler in ours.values())
    args = [sys.executable, "-m", "indelible", "serve", "--read-only"]
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
        assert words[6:] == ["--client", client, "--data", str(machine.data)]
        assert what_of(client, words[5]) == what_of(client, event) is not None


def test_the_start_of_a_session_is_waited_for_and_capture_only_where_it_must_be(machine):
    machine.done("setup", "--all", "--hooks")  # finds none
    for client in HOOKED:
        machine.done("setup", client, "--hooks")
    claude, _ = handlers(machine, "claude-code")
    waited = {event for event, handler in claude.items() if not handler.get("async")}
    assert waited == {"SessionStart", "SessionEnd"}
    for client in HOOKED[1:]:
        assert not any("async" in handler for handler in handlers(machine, client)[0].values())
    seconds = {client: handlers(machine, client)[0] for client in HOOKED}
    assert seconds["gemini-cli"]["SessionStart"]["timeout"] == 10_000
    assert seconds["codex"]["SessionEnd"]["timeout"] == 3
    assert value(machine.hook_file("cursor", "user"))["version"] == 1
    assert "type" not in seconds["cursor"]["sessionStart"]


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
    assert b"--hooks" not in machine.run("setup", "vscode").stderr
    there = machine.tree()
    assert "Claude Code: already set up" in machine.done("setup", "claude-code", "--hooks")
    assert machine.file("claude-code", "user").read_bytes() == there["home/.claude.json"]
    assert b"--hooks" not in machine.run("setup", "claude-code").stderr


def test_a_client_without_hooks_is_refused_if_named_and_only_registered_with_all(machine):
    before = machine.tree()
    assert "but for claude-code, cursor, codex, gemini-cli" in machine.refused("setup", "vscode", "--hooks")
    assert machine.tree() == before
    (machine.home / ".codeium" / "windsurf").mkdir(parents=True)
    (machine.home / ".cursor").mkdir()
    told = json.loads(machine.done("setup", "--all", "--hooks", "--json"))["clients"]
    assert [(one["client"], "hooks" in one) for one in told] == [("cursor", True), ("windsurf", False)]
    assert [one["client"] for one in json.loads(machine.done("unsetup", "--all", "--json"))["clients"]] == [
        "cursor",
        "windsurf",
    ]


def test_hooks_follow_the_data_directory_of_the_entry(machine):
    machine.done("setup", "claude-code")
    one = machine.around()
    assert machine.entry("claude-code", "user")["args"][-2:] == ["--data", str(machine.data)]
    hooks.set_up(hooks.hooks_of(CLIENTS["claude-code"], "user", one, machine.data), PROGRAM)
    machine.done("setup", "claude-code", "--hooks")
    ours, _ = handlers(machine, "claude-code")
    assert all(shlex.split(handler["command"])[-1] == str(machine.data) for handler in ours.values())


def test_a_dry_run_and_print_show_the_hooks_and_write_none(machine):
    before = machine.tree()
    said = machine.done("setup", "codex", "--hooks", "--dry-run")
    assert "Codex: hooks would be set up" in said
    assert '+    "SessionStart": [' in said
    shown = json.loads(machine.done("setup", "codex", "--hooks", "--print", "--json"))["codex"]["hooks"]
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
