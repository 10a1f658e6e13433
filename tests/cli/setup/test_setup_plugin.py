"""`indelible setup opencode --hooks`, and `kiro`: a plugin or list of ours, a file that is ours as a whole."""

import json
import re

import pytest

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
