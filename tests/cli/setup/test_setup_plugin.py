"""`indelible setup opencode --hooks`: a plugin of ours, a file that is ours as a whole."""

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
    assert "is the plugin of another program" in machine.refused("setup", "opencode", "--hooks")
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
