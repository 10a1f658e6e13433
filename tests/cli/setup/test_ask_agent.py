"""`indelible setup codex --hooks --ask-agent`: the question at the end of a turn, in a client that asks on request."""

import pytest

from hook_handlers import handlers


def lines(machine) -> list[str]:
    return [handler["command"] for handler in handlers(machine, "codex")[0].values()]


def test_the_lines_have_the_flag_keep_it_at_the_next_set_up_and_lose_it_with_the_hooks(machine):
    machine.done("setup", "codex", "--hooks")
    assert lines(machine)
    assert not any("--ask-agent" in line for line in lines(machine))
    machine.done("setup", "codex", "--hooks", "--ask-agent")
    assert all(line.endswith(" --ask-agent") for line in lines(machine))
    assert machine.report("setup", "codex", "--hooks")["hooks"]["action"] == "unchanged"
    machine.done("unsetup", "codex", "--hooks")
    machine.done("setup", "codex", "--hooks")
    assert not any("--ask-agent" in line for line in lines(machine))


def test_what_is_printed_has_it_too(machine):
    assert b"--ask-agent" in machine.run("setup", "codex", "--hooks", "--ask-agent", "--print").stdout


@pytest.mark.parametrize("client", ["claude-code", "gemini-cli", "cursor"])
def test_a_client_without_it_is_refused_and_nothing_written(machine, client):
    ran = machine.run("setup", client, "--hooks", "--ask-agent")
    assert ran.returncode == 1
    assert b"--ask-agent: not available for" in ran.stderr
    assert b"but for codex" in ran.stderr
    assert not machine.hook_file(client, "user").exists()
