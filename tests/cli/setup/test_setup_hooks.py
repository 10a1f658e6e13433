"""`indelible setup --hooks`: our hooks beside those of others, and the way back."""

import json
import shlex

import pytest

from hook_handlers import EVERY, HOOKED, PROGRAM, handlers, part, value
from indelible.cli.setup import hooks
from indelible.cli.setup.clients import CLIENTS
from indelible.cli.setup.hook_forms import SECTION
from user_machine import configuration, hook_configuration

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


TOML_STARTS = {
    "no file": None,
    "empty": b"",
    "only comments": b"# nothing\n",
    "no final newline": b'a = 1\n[b]\nc = "x" # [[hooks]]',
    "others": b'[[hooks]]\nevent = "Stop"\ncommand = "x" # mine\n\n\n[[hooks]]\ncommand = "y"\nevent = "Stop"\n\n[z]\n',
    "an empty inline list in a table": b"[a]\nhooks = []\n",
    "carriage returns and tabs": b'[[hooks]]\r\n\tevent = "Stop"\r\n\tcommand = "x"\r\n',
    "byte order mark": b"\xef\xbb\xbfa = 1\n",
}


@pytest.mark.parametrize(
    ("client", "name"),
    [(client, name) for client in HOOKED for name in (TOML_STARTS if CLIENTS[client].hooks.toml else STARTS)],
)
@pytest.mark.slow
def test_whatever_a_file_of_hooks_was_it_is_again(client, name, machine):
    start = (TOML_STARTS if CLIENTS[client].hooks.toml else STARTS)[name]
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
    for done in (hooks.set_up(one, PROGRAM, allow_store=True), hooks.take_back(one)):
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


def test_hooks_that_two_clients_run_stay_until_the_second_one_goes(machine):
    path = machine.hook_file("copilot-cli", "user")
    for client in ("copilot-cli", "vscode"):
        machine.done("setup", client, "--hooks")
    assert "since GitHub Copilot CLI runs these hooks too" in machine.done("unsetup", "vscode")
    assert path.exists()
    machine.done("unsetup", "copilot-cli")
    assert not path.exists()
    assert not machine.data.exists()


INLINE = b'hooks = [{ event = "Stop", command = "x" }]\n'


def test_hooks_of_others_in_one_inline_list_of_toml_are_refused_and_are_no_trouble_elsewhere(machine):
    path = machine.write("kimi", "user", INLINE, hooks=True)
    assert "line 1: hooks is one inline list, which cannot be edited" in machine.refused("setup", "kimi", "--hooks")
    machine.done("unsetup", "kimi")
    assert path.read_bytes() == INLINE


def test_of_our_hooks_in_toml_a_second_one_goes_and_another_program_is_put_in_place(machine):
    start = b"".join(
        b'[[hooks]]\nevent = "%s"\ncommand = "/old/indelible hook x" # mine\ntimeout = 9\n\n' % event
        for event in (b"Stop", b"Stop", b"PreToolUse")
    )
    path = machine.write("kimi", "user", start, hooks=True)
    one = part(machine, "kimi")
    assert hooks.set_up(one, PROGRAM).action == "changed"
    [stop] = [each for each in value(path)["hooks"] if each["event"] == "Stop"]
    assert stop == {"event": "Stop", "timeout": 9, "command": handlers(machine, "kimi")[0]["Stop"]["command"]}
    assert stop["command"].endswith("indelible' hook stop --client kimi")
    assert b"# mine" in path.read_bytes()
    assert "PreToolUse" not in {each["event"] for each in value(path)["hooks"]}
    assert {"event", "command", "timeout"} == {key for each in value(path)["hooks"] for key in each}


def test_a_client_whose_hooks_are_a_users_only_says_so(machine):
    said = machine.refused("setup", "kimi", "--hooks", "--scope", "project")
    assert "Kimi Code has them for a user only; use --scope user (nothing was written)" in said
    assert not machine.file("kimi", "project").exists()
    machine.done("setup", "kimi", "--scope", "project")
    machine.done("unsetup", "kimi", "--scope", "project")


def test_setup_says_of_goose_that_its_agent_is_told_nothing(machine):
    said = machine.done("setup", "goose", "--hooks")
    assert "tells the agent: nothing; they only record what happens" in said
    machine.done("unsetup", "goose")
