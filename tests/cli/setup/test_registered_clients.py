"""Doctor starts what is registered and asks it for its tools."""

import json
import os
import re
import select
import sys

import pytest

from indelible.cli.setup import plugin_file, probe
from indelible.cli.setup.clients import CLIENTS
from indelible.cli.setup.hooks import hooks_of, set_up
from indelible.cli.setup.surroundings import Surroundings
from indelible.version import __version__

ANSWER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        server = {"name": "indelible", "version": "9.9"}
        result = {"protocolVersion": "2025-11-25", "serverInfo": server, "capabilities": {}}
    elif message.get("method") == "tools/list":
        print(json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {}}), flush=True)
        page = message.get("params", {}).get("cursor")
        result = {"tools": [{}, {}]} if page else {"tools": [{}], "nextCursor": "2"}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


def around(machine, project=True):
    env = {**machine.environ(), "PATH": "/usr/bin:/bin", "INDELIBLE_ENCODER": "off"}
    return Surroundings(machine.home, env, sys.platform, machine.work if project else None)


def register(machine, client, scope, text, name="indelible", **more):
    """A program of our name in a client's file."""
    path = machine.program(name, text)
    entry = {"command": str(path), "args": ["serve"], **more}
    machine.write(client, scope, json.dumps({"mcpServers": {"indelible": entry}}).encode())
    return path


def test_nothing_registered_is_sound(machine):
    assert probe.registered_lines(around(machine)) == ([], True)
    assert probe.registered_lines(around(machine, project=False)) == ([], True)


@pytest.mark.process
def test_a_client_that_is_found_and_not_set_up_is_named_and_is_no_fault(machine):
    machine.done("setup", "codex", "--scope", "project")
    for trace in (".cursor", ".claude", ".codex"):
        (machine.home / trace).mkdir()
    machine.write("claude-code", "user", b'{"mcpServers": {"other": {"command": "x"}}}')
    lines, sound = probe.registered_lines(around(machine), 50)
    assert sound
    assert lines[0].startswith("Codex (project, ")
    assert lines[1:] == [
        "Claude Code: not set up; `indelible setup claude-code`",
        "Cursor: not set up; `indelible setup cursor`",
    ]
    assert "Cursor: not set up; `indelible setup cursor`\n" in machine.done("doctor")


@pytest.mark.process
def test_the_words_behind_serve_are_not_said_to_be_mended(machine):
    path = register(machine, "cursor", "user", "import sys\nsys.exit('unknown toolset')")
    entry = {"command": str(path), "args": ["serve", "--toolsets", "gone"]}
    machine.write("cursor", "user", json.dumps({"mcpServers": {"indelible": entry}}).encode())
    [line], sound = probe.registered_lines(around(machine), 50)
    assert not sound
    assert line.endswith("`indelible setup cursor` repairs the command and keeps the words behind `serve`")


@pytest.mark.process
def test_what_set_up_registered_answers(machine):
    for client in ("cursor", "codex"):
        machine.done("setup", client)
    machine.done("setup", "vscode", "--scope", "project")
    checked = list(probe.check_registered(around(machine), 50))
    assert [(one.client.name, one.scope, one.sound) for one in checked] == [
        ("cursor", "user", True),
        ("vscode", "project", True),
        ("codex", "user", True),
    ], [one.line for one in checked]
    for one in checked:
        assert one.answer is not None
        assert one.answer.version == __version__
        assert one.answer.tools >= 7
        assert str(machine.file(one.client.name, one.scope)) in one.line
        assert f"{one.answer.tools} tools" in one.line


@pytest.mark.process
def test_equal_commands_are_started_once(machine):
    counter = machine.home / "started"
    text = f"open({str(counter)!r}, 'a').write('x')\n" + ANSWER
    register(machine, "cursor", "user", text)
    register(machine, "cursor", "project", text)
    lines, sound = probe.registered_lines(around(machine), 50)
    assert (len(lines), sound) == (2, True)
    assert counter.read_text() == "x"


@pytest.mark.process
def test_every_page_of_tools_is_counted_and_another_version_is_said(machine):
    register(machine, "cursor", "user", ANSWER)
    [line], sound = probe.registered_lines(around(machine), 50)
    assert sound
    assert f"indelible 9.9 (this is {__version__}), 3 tools, " in line


BROKEN = {
    "ends": ("import sys\nsys.exit('no \\x1b such module: indelible')",
             "ended with exit code 1: no  such module: indelible"),
    "ends at once without a word": ("", "it ended with exit code 0"),
    "chatters": ("import time\nprint('Welcome!', flush=True)\ntime.sleep(60)", "not an MCP message: 'Welcome!'"),
    "answers nothing": ("import time\ntime.sleep(60)", "no answer to initialize within 1 s"),
    "refuses": (
        "import json, sys\nm = json.loads(sys.stdin.readline())\n"
        "print(json.dumps({'id': m['id'], 'error': {'message': 'store is newer'}}), flush=True)",
        "it refused initialize: .*store is newer",
    ),
    "writes a list": ("print('[]', flush=True)\ninput()", "not an MCP message"),
}  # fmt: skip


@pytest.mark.process
@pytest.mark.parametrize("case", BROKEN)
def test_what_does_not_answer_is_a_fault_with_its_remedy(case, machine):
    text, words = BROKEN[case]
    register(machine, "cursor", "project", text)
    patience = 1 if "within" in words else 50
    [line], sound = probe.registered_lines(around(machine), patience)
    assert not sound
    assert line.startswith(f"fault: Cursor (project, {machine.file('cursor', 'project')}): ")
    assert re.search(words, line), line
    assert line.endswith("; `indelible setup cursor --scope project` repairs it")


@pytest.mark.process
def test_of_what_the_server_itself_says_to_mend_the_setup_is_not_said_to_mend_it(machine):
    said = "indelible: the store postgresql://db/memory cannot be reached; check the URL, and that the server runs"
    register(machine, "cursor", "user", f"import sys\nsys.exit({said!r})")
    [line], sound = probe.registered_lines(around(machine), 50)
    assert not sound
    assert line.endswith(f": it ended with exit code 1: {said}")


@pytest.mark.process
def test_a_command_that_is_gone_is_a_fault(machine):
    register(machine, "claude-code", "user", ANSWER).unlink()
    [line], sound = probe.registered_lines(around(machine))
    assert not sound
    assert "indelible cannot be started: No such file or directory; `indelible setup claude-code` repairs it" in line


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="a process is watched as Linux can")
def test_a_server_that_does_not_leave_is_killed_with_its_children(machine):
    pid = machine.home / "pid"
    stubborn = (
        "import os, signal, subprocess, sys\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(pid)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        + ANSWER
        + "\nimport time\ntime.sleep(600)\n"
    )
    register(machine, "cursor", "user", stubborn)
    assert probe.registered_lines(around(machine), 50)[1]
    for number in pid.read_text().split():
        assert is_gone(int(number))


def is_gone(pid):
    """Dead, or dying: it is waited for, since a signal takes a moment to arrive."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watched], [], [], 20)[0])
    finally:
        os.close(watched)


def test_a_file_that_cannot_be_read_is_a_fault(machine):
    machine.write("vscode", "user", b'{\n"servers": }')
    [line], sound = probe.registered_lines(around(machine))
    assert not sound
    assert "line 2: a value was expected" in line


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"command": "other-memory", "args": []}, "is not Indelible's; not started"),
        ({"type": "http", "url": "http://127.0.0.1:1/mcp"}, "is not Indelible's; not started"),
        ({"command": "${workspaceFolder}/.venv/bin/indelible"}, "only the client fills in"),
        ({"command": "indelible", "env": {"INDELIBLE_ENCODER_KEY": "${input:key}"}}, "only the client fills in"),
    ],
)
def test_what_is_not_ours_or_has_variables_is_not_started(entry, words, machine):
    machine.write("cursor", "user", json.dumps({"mcpServers": {"indelible": entry}}).encode())
    [line], sound = probe.registered_lines(around(machine))
    assert sound
    assert words in line


@pytest.mark.process
def test_the_environment_of_the_entry_is_given(machine):
    text = "import os, sys\nif os.environ.get('INDELIBLE_X') != 'y': sys.exit('no x')\n" + ANSWER
    register(machine, "cursor", "user", text, env={"INDELIBLE_X": "y"})
    assert probe.registered_lines(around(machine), 50)[1]


@pytest.mark.process
def test_doctor_says_of_each_client_whether_it_can_start_the_server(machine):
    machine.done("setup", "cursor")
    said = machine.done("doctor")
    assert f"Cursor (user, {machine.file('cursor', 'user')}): indelible {__version__}, " in said
    path = machine.file("cursor", "user")
    path.write_bytes(path.read_bytes().replace(b'"serve"', b'"swerve"'))
    ran = machine.run("doctor")
    assert ran.returncode == 1
    assert "the store is sound" in ran.stdout.decode()
    assert "fault: Cursor (user, " in ran.stdout.decode()
    assert "`indelible setup cursor` repairs it" in ran.stdout.decode()
    machine.done("setup", "cursor")
    machine.done("doctor")


def test_doctor_says_which_hooks_are_there_and_finds_those_whose_program_is_gone(machine):
    program = machine.program("indelible", ANSWER)
    one = hooks_of(CLIENTS["codex"], "user", around(machine), machine.data)
    set_up(one, (str(program),))
    lines, sound = probe.registered_lines(around(machine))
    assert sound
    said = (
        "hooks for SessionStart, UserPromptSubmit, PostToolUse, PreCompact, Stop, SessionEnd; Codex runs them once you "
    )
    said += "trust them with /hooks, and again after each change"
    assert lines == [f"Codex (user, {one.path}): {said}", "Codex: not set up; `indelible setup codex`"]
    program.unlink()
    [line, _], sound = probe.registered_lines(around(machine))
    assert not sound
    assert line.startswith(
        f"fault: Codex (user, {one.path}): what a hook runs is not there: {program} hook session-start"
    )
    assert line.endswith("; `indelible setup codex --hooks` repairs it")
    one.path.write_bytes(b'{"hooks": {]}')
    [line, _], sound = probe.registered_lines(around(machine))
    assert not sound
    assert "line 1: " in line


def test_doctor_says_of_a_plugin_whether_what_it_starts_is_there(machine):
    program = machine.program("indelible", ANSWER)
    [one] = plugin_file.parts_of(CLIENTS["opencode"], "user", around(machine), machine.data)
    plugin_file.set_up([one], (str(program),), ())
    lines, sound = probe.registered_lines(around(machine))
    assert (lines[0].startswith(f"OpenCode (user, {one.path}): a plugin for chat.message"), sound) == (True, True)
    program.unlink()
    [line, _], sound = probe.registered_lines(around(machine))
    assert not sound
    assert f"what the plugin starts is not there: {program}; `indelible setup opencode --hooks` repairs it" in line


@pytest.mark.process
def test_doctor_says_by_what_each_client_gives_a_project_and_whose_answers_are_long(machine):
    lines = {}
    for client, more in (("claude-code", ()), ("cursor", ()), ("vscode", ()), ("codex", ("--project", "shop"))):
        machine.done("setup", client, *more)
    register(machine, "gemini-cli", "user", ANSWER)
    for line in probe.registered_lines(around(machine), 50)[0]:
        lines[line.partition(" (")[0]] = line
    assert lines["Claude Code"].endswith("; project: that of the session (CLAUDE_PROJECT_DIR)")
    assert "; project: the folder that is open in the window that started it" in lines["Cursor"]
    assert "19 tools" in lines["Cursor"]  # it is started, without a folder
    assert lines["VS Code"].endswith("; project: the folder that is open (roots)")
    assert lines["Codex"].endswith("; project: shop")
    assert lines["Gemini CLI"].endswith(
        "; project: the directory that it is started in; every tool is listed, with long answers: "
        "`indelible setup gemini-cli` registers a few, with lean ones"
    )
