"""Files are replaced whole or not at all, and never over what another program wrote meanwhile."""

import json
import os
import subprocess

import pytest

import forked
from indelible.cli.setup import files
from indelible.errors import Conflict, InvalidInput
from mcp_client import environment
from user_machine import mode


def test_what_another_program_wrote_meanwhile_is_not_overwritten(tmp_path):
    path = tmp_path / "mcp.json"
    path.write_bytes(b"{}")
    seen = files.read(path)
    path.write_bytes(b'{"theirs": 1}')
    with pytest.raises(Conflict, match="changed by another program meanwhile"):
        files.replace(seen, b"ours")
    with pytest.raises(Conflict):
        files.remove(seen, ())
    assert path.read_bytes() == b'{"theirs": 1}'
    assert [one.name for one in tmp_path.iterdir()] == ["mcp.json"]


def test_a_file_that_appeared_meanwhile_is_not_overwritten(tmp_path):
    path = tmp_path / "mcp.json"
    seen = files.read(path)
    path.write_bytes(b"{}")
    with pytest.raises(Conflict):
        files.replace(seen, b"ours")
    assert path.read_bytes() == b"{}"


def test_a_broken_link_leads_to_a_new_file(tmp_path):
    (tmp_path / "dots").mkdir()
    link = tmp_path / "mcp.json"
    link.symlink_to("dots/mcp.json")
    files.replace(files.read(link), b"{}")
    assert link.is_symlink()
    assert (tmp_path / "dots" / "mcp.json").read_bytes() == b"{}"


@pytest.mark.parametrize("held", [0o600, 0o644, 0o664])
def test_a_backup_is_as_private_as_the_file(held, tmp_path):
    path = tmp_path / "mcp.json"
    path.write_bytes(b"secret")
    path.chmod(held)
    backup = files.back_up(files.read(path))
    assert backup is not None
    assert (backup.read_bytes(), mode(backup)) == (b"secret", held)


def test_a_pipe_is_no_configuration(tmp_path):
    os.mkfifo(tmp_path / "mcp.json")
    with pytest.raises(InvalidInput, match="not a regular file"):
        files.read(tmp_path / "mcp.json")


def at_once(machine, *commands):
    """Run several commands at the same time; all must succeed."""
    env = environment(machine.environ(INDELIBLE_DATA=str(machine.data)))
    started = [forked.start(words, env=env, cwd=machine.work, stdout=subprocess.DEVNULL) for words in commands]
    for process in started:
        assert process.wait(50) == 0


@pytest.mark.process
def test_set_ups_at_the_same_time_lose_nothing(machine):
    clients = ("claude-code", "cursor", "vscode", "codex")
    before = machine.tree()
    at_once(machine, *(["setup", client] for client in clients))
    kept = json.loads((machine.data / "registrations.json").read_text())
    assert len(kept.keys() - {"made"}) == len(clients)
    at_once(machine, *(["unsetup", client] for client in clients))
    assert machine.tree() == before
    assert not machine.data.exists()


@pytest.mark.process
def test_set_ups_of_one_client_at_the_same_time_agree(machine):
    path = machine.write("cursor", "user", b'{\n  "mcpServers": {"x": {"command": "y"}}\n}\n')
    at_once(machine, *[["setup", "cursor"]] * 4)
    assert list(json.loads(path.read_bytes())["mcpServers"]) == ["x", "indelible"]
    at_once(machine, *[["unsetup", "cursor"]] * 4)
    assert path.read_bytes() == b'{\n  "mcpServers": {"x": {"command": "y"}}\n}\n'
