"""`indelible setup --hooks` of `opencode`, `kiro` and `cline`: a plugin, a list, scripts, ours as whole files."""

import json
import re
import subprocess

import pytest

from user_machine import mode

PLACES = {
    "user": "home/.config/opencode/plugins/indelible.js",
    "project": "work/.opencode/plugins/indelible.js",
}


@pytest.mark.parametrize("scope", PLACES)
def test_the_plugin_is_put_where_the_client_loads_it_and_goes_again(scope, machine):
    before = machine.tree()
    path = machine.root / PLACES[scope]
    said = machine.done("setup", "opencode", "--scope", scope, "--hooks")
    assert f"hooks set up ({path})" in said
    assert "tells the agent: at its start what is known, at a prompt what it is about, after a failure" in said
    command = json.loads(re.search(r"^const COMMAND = (.*)$", path.read_text(), re.MULTILINE)[1])
    assert command == [*machine.launch[:4], "hook", "--client", "opencode", "--data", str(machine.data)]
    there = machine.tree()
    assert "hooks already set up" in machine.done("setup", "opencode", "--scope", scope, "--hooks")
    assert machine.tree() == there
    assert "hooks removed" in machine.done("unsetup", "opencode", "--scope", scope)
    assert machine.tree() == before
    assert not machine.data.exists()


def test_only_the_plugin_can_be_taken_out(machine):
    machine.done("setup", "opencode")
    before = machine.tree()
    machine.done("setup", "opencode", "--hooks")
    machine.done("unsetup", "opencode", "--hooks")
    assert machine.tree() == before


def test_a_plugin_that_the_user_changed_stays_and_one_of_anothers_is_refused(machine):
    path = machine.root / PLACES["user"]
    machine.done("setup", "opencode", "--hooks")
    path.write_text(path.read_text() + "// mine\n")
    assert "was changed since; it is kept" in machine.done("unsetup", "opencode")
    path.write_text("export const Other = async () => ({})\n")
    assert "is the file of another program" in machine.refused("setup", "opencode", "--hooks")
    assert path.read_text().startswith("export const Other")


def test_without_the_ledger_the_plugin_goes_all_the_same(machine):
    path = machine.root / PLACES["user"]
    machine.done("setup", "opencode", "--hooks")
    (machine.data / "registrations.json").unlink()
    machine.done("unsetup", "opencode")
    assert not path.exists()


def test_the_plugin_is_printed_as_it_would_be_written(machine):
    told = json.loads(machine.done("setup", "--all", "--hooks", "--print", "--json"))["result"]["clients"]
    [printed] = [one["hooks"] for one in told if one["client"] == "opencode"]
    machine.done("setup", "opencode", "--hooks")
    path = machine.root / PLACES["user"]
    assert printed == {"file": str(path), "snippet": path.read_text()}


KIRO = {"user": "home/.kiro/hooks/indelible.json", "project": "work/.kiro/hooks/indelible.json"}


@pytest.mark.process
@pytest.mark.parametrize("scope", KIRO)
def test_a_list_of_hooks_of_ours_is_put_beside_those_of_others_and_goes_again(scope, machine):
    path = machine.root / KIRO[scope]
    path.parent.mkdir(parents=True)
    (path.parent / "mine.json").write_text('{"version": "v1", "hooks": []}')
    before = machine.tree()
    said = machine.done("setup", "kiro", "--scope", scope, "--hooks", "--skill")
    assert f"hooks set up ({path})" in said
    assert "at: SessionStart, UserPromptSubmit, PostToolUse, Stop" in said
    assert "tells the agent: at its start what is known, at a prompt what it is about\n" in said
    assert (path.parents[1] / "skills" / "indelible" / "SKILL.md").exists()
    hooks = json.loads(path.read_text())
    assert hooks["version"] == "v1"
    assert [one["trigger"] for one in hooks["hooks"]] == ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"]
    assert all(one["action"]["type"] == "command" and one["timeout"] > 0 for one in hooks["hooks"])
    assert " hook user-prompt-submit --client kiro --data " in hooks["hooks"][1]["action"]["command"]
    there = machine.tree()
    assert "hooks already set up" in machine.done("setup", "kiro", "--scope", scope, "--hooks")
    assert machine.tree() == there
    assert f"a file of hooks for {', '.join(one['trigger'] for one in hooks['hooks'])}" in machine.done("doctor")
    assert "hooks removed" in machine.done("unsetup", "kiro", "--scope", scope)
    assert machine.tree() == before


def test_a_list_of_hooks_that_is_not_ours_is_refused_and_one_that_the_user_changed_stays(machine):
    path = machine.root / KIRO["user"]
    machine.done("setup", "kiro", "--hooks")
    path.write_text(path.read_text().replace('"timeout": 10', '"timeout": 60'))
    assert "was changed since; it is kept" in machine.done("unsetup", "kiro")
    path.write_text('{"version": "v1", "hooks": [{"name": "lint", "trigger": "Stop"}]}')
    assert "is the file of another program" in machine.refused("setup", "kiro", "--hooks")
    path.unlink()
    machine.done("setup", "kiro", "--hooks")
    (machine.data / "registrations.json").unlink()
    machine.done("unsetup", "kiro")
    assert not path.exists()


CLINE = ("TaskStart", "UserPromptSubmit", "PostToolUse", "TaskComplete", "TaskCancel")


@pytest.mark.process
def test_a_script_for_each_event_is_put_beside_those_of_others_and_goes_again(machine):
    hooks = machine.home / "Documents/Cline/Hooks"
    hooks.mkdir(parents=True)
    (hooks / "PreToolUse").write_text("#!/bin/sh\necho '{\"cancel\": true}'\n")
    before = machine.tree()
    assert f"Cline: hooks would be set up ({hooks})" in machine.done("setup", "cline", "--hooks", "--dry-run")
    assert machine.tree() == before
    said = machine.done("setup", "cline", "--hooks")
    assert f"Cline: hooks set up ({hooks})" in said
    assert f"at: {', '.join(CLINE)}" in said
    assert "tells the agent: at its start what is known, after a failure what fixed it\n" in said
    assert sorted(path.name for path in hooks.iterdir()) == sorted(["PreToolUse", *CLINE])
    script = hooks / "PostToolUse"
    assert all(mode(hooks / name) & 0o111 for name in CLINE)
    assert re.fullmatch(r"#!/bin/sh\n# .*\nexec .* hook post-tool-use --client cline --data \S+\n", script.read_text())
    there = machine.tree()
    assert "hooks already set up" in machine.done("setup", "cline", "--hooks")
    assert machine.tree() == there
    assert f"a directory of hooks for {', '.join(CLINE)}" in machine.done("doctor")
    script.unlink()
    assert "Cline: hooks changed" in machine.done("setup", "cline", "--hooks")
    assert machine.tree() == there
    assert "hooks removed" in machine.done("unsetup", "cline")
    assert machine.tree() == before


def test_no_script_is_written_where_one_has_the_name_of_another_programs(machine):
    theirs = machine.home / "Documents/Cline/Hooks/TaskComplete"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("#!/bin/sh\nmake lint\n")
    said = machine.refused("setup", "cline", "--hooks")
    assert f"{theirs} is the file of another program; run `indelible hook` from it" in said
    assert [path.name for path in theirs.parent.iterdir()] == ["TaskComplete"]
    assert "hooks" not in machine.done("unsetup", "cline")


def test_a_script_that_the_user_changed_stays_and_one_that_was_turned_off_stays_off(machine):
    hooks = machine.home / "Documents/Cline/Hooks"
    machine.done("setup", "cline", "--hooks")
    (hooks / "PostToolUse").chmod(0o644)
    (hooks / "TaskStart").write_text((hooks / "TaskStart").read_text().replace("--client", "--tenant 2 --client"))
    assert "hooks changed" in machine.done("setup", "cline", "--hooks")
    assert mode(hooks / "PostToolUse") == 0o644
    assert "--tenant" not in (hooks / "TaskStart").read_text()
    (hooks / "TaskStart").write_text((hooks / "TaskStart").read_text() + "make lint\n")
    said = machine.done("unsetup", "cline")
    assert "Cline: hooks removed" in said
    assert f"{hooks / 'TaskStart'} was changed since; it is kept" in said
    assert [path.name for path in hooks.iterdir() if path.suffix != ".bak"] == ["TaskStart"]


@pytest.mark.process
def test_a_script_hands_its_event_on_and_a_program_that_is_gone_says_so(machine):
    machine.done("setup", "cline", "--hooks")
    script = machine.home / "Documents/Cline/Hooks/TaskStart"
    machine.data.mkdir(exist_ok=True)
    payload = {"hookName": "agent_start", "taskId": "t1", "timestamp": "2026-11-29T19:31:47Z", "workspaceRoots": ["/a"]}
    words = {"input": json.dumps(payload).encode(), "env": machine.environ()}
    ran = subprocess.run([script], check=True, capture_output=True, **words)
    assert (ran.stdout, ran.stderr) == (b"", b"")
    [event] = [json.loads(path.read_text()) for path in (machine.data / "spool" / "new").iterdir()]
    assert (event["client"], event["what"], event["session"]) == ("cline", "session_started", "t1")
    script.write_text(re.sub(r"exec \S+", "exec /gone/indelible", script.read_text()))
    doctor = machine.run("doctor").stdout.decode()
    assert "what the directory of hooks starts is not there: /gone/indelible; `indelible setup cline --hooks`" in doctor


def test_scripts_are_printed_behind_their_names(machine):
    [told] = json.loads(machine.done("setup", "cline", "--hooks", "--print", "--json"))["result"]["clients"]
    machine.done("setup", "cline", "--hooks")
    hooks = machine.home / "Documents/Cline/Hooks"
    assert told["hooks"]["file"] == str(hooks)
    assert told["hooks"]["snippet"] == "\n".join(f"==> {name} <==\n{(hooks / name).read_text()}" for name in CLINE)
