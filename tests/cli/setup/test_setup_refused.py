"""What set-up refuses, and leaves as it is."""

import os
import re
import subprocess
import sys

import pytest

from indelible.cli.setup.clients import CLIENTS
from indelible.version import __version__
from mcp_client import environment

REFUSED = {
    "broken": ("cursor", b'{\n  "mcpServers": {\n    "a": 1,,\n  }\n}', ", line 3: "),
    "twice": ("cursor", b'{"mcpServers": {},\n "mcpServers": {}}', "line 2: .*twice"),
    "ours twice": ("cursor", b'{"mcpServers": {"indelible": {}, "indelible": {}}}', "twice"),
    "a list": ("cursor", b'{"mcpServers": []}', "not an object"),
    "a list as document": ("claude-code", b"[]", "not an object"),
    "no UTF-8": ("claude-code", b'{\n"a": "\xff"}', "line 2: not UTF-8"),
    "UTF-16": ("vscode", '{"servers": {}}'.encode("utf-16"), "not UTF-8"),
    "not ours": ("cursor", b'{"mcpServers": {"indelible": {"command": "other-memory"}}}', "runs other-memory"),
    "an address": ("cursor", b'{"mcpServers": {"indelible": {"url": "http://x"}}}', "no command of Indelible"),
    "Gemini not ours": (
        "gemini-cli",
        b'{"mcpServers": {"indelible": {"httpUrl": "http://x"}}}',
        "no command of Indelible",
    ),
    "Windsurf not ours": (
        "windsurf",
        b'{"mcpServers": {"indelible": {"serverUrl": "http://x"}}}',
        "no command of Indelible",
    ),
    "OpenCode not ours": ("opencode", b'{"mcp": {"indelible": {"type": "local", "command": ["other"]}}}', "runs other"),
    "Zed broken": ("zed", b'{\n  "context_servers": {]\n}', ", line 2: "),
    "TOML broken": ("codex", b"a = 1\nb = ]\n", "line 2: "),
    "TOML in one inline table": ("codex", b'mcp_servers = { a = { command = "b" } }\n', "one inline table"),
    "TOML not ours": ("codex", b'[mcp_servers.indelible]\ncommand = "other"\n', "line 1: .*runs other"),
}
NOT_OURS = [case for case in REFUSED if case.endswith("not ours") or case == "an address"]


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_edited_without_a_doubt_is_refused_and_stays(case, machine):
    client, content, words = REFUSED[case]
    path = machine.write(client, "user", content)
    before = machine.tree()
    said = machine.refused("setup", client)
    assert str(path) in said
    assert "nothing was written" in said
    assert re.search(words, said)
    assert machine.tree() == before
    assert machine.backups() == []
    if case in NOT_OURS:
        said = machine.done("unsetup", client)
        assert "not set up, nothing to remove" in said
        assert "not Indelible's; it is kept" in said
    elif "inline" not in case:
        machine.refused("unsetup", client)
    assert machine.tree() == before


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="modes of Unix")
def test_a_file_that_cannot_be_read_is_refused(machine):
    path = machine.write("cursor", "user", b"{}")
    path.chmod(0)
    assert "cannot be read" in machine.refused_by_modes("setup", "cursor")


def test_a_directory_in_place_of_the_file_is_refused(machine):
    machine.file("cursor", "user").mkdir(parents=True)
    assert "not a regular file" in machine.refused("setup", "cursor")


def test_one_that_is_refused_does_not_keep_the_others(machine):
    machine.write("cursor", "user", b"{")
    machine.write("codex", "user", b"")
    ran = machine.run("setup", "--all")
    assert ran.returncode == 1
    assert "Cursor: refused" in ran.stderr.decode()
    assert "Codex: set up" in ran.stdout.decode()
    assert machine.file("cursor", "user").read_bytes() == b"{"


def test_an_unknown_client_is_refused_with_the_known_ones(machine):
    assert f"known are {', '.join(CLIENTS)}" in machine.refused("setup", "emacs")
    assert "CLIENT is 'claude'; did you mean claude-code? known are " in machine.refused("setup", "claude")


def test_unknown_toolsets_are_refused(machine):
    assert "unknown toolset 'memroy'" in machine.refused("setup", "cursor", "--toolsets", "memroy")
    assert machine.tree() == {"work/.git": None, "work/.git/HEAD": b"ref: refs/heads/main\n"}


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="modes of Unix")
def test_a_command_that_everybody_can_replace_is_refused(machine):
    place = machine.root / "open"
    place.mkdir()
    script = place / "indelible"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nfrom indelible.cli.main import main\nsys.exit(main())\n", encoding="utf-8"
    )
    script.chmod(0o755)
    place.chmod(0o777)
    command = [str(script), "setup", "cursor"]
    env = environment(machine.environ(INDELIBLE_DATA=str(machine.data)))
    ran = subprocess.run(command, env=env, capture_output=True, check=False, timeout=50)
    assert ran.returncode == 1
    assert f"{place} can be written to by every user" in ran.stderr.decode()
    place.chmod(0o755)
    assert subprocess.run(command, env=env, capture_output=True, check=False, timeout=50).returncode == 0
    assert machine.entry("cursor", "user")["command"] == str(script)


@pytest.mark.process
def test_a_copy_of_uvx_is_registered_as_uvx_with_this_version(machine):
    script = machine.root / "uv" / "archive-v0" / "x7" / "bin" / "indelible"
    script.parent.mkdir(parents=True)
    script.write_text(f"#!{sys.executable}\nfrom indelible.cli.main import main\nmain()\n", encoding="utf-8")
    script.chmod(0o755)
    uvx = machine.program("uvx", "")
    env = environment(machine.environ())
    subprocess.run([script, "setup", "cursor"], env=env, cwd=machine.work, check=True, capture_output=True, timeout=50)
    entry = machine.entry("cursor", "user")
    assert (entry["command"], entry["args"][:2]) == (str(uvx), [f"indelible@{__version__}", "serve"])


@pytest.mark.parametrize("broken", [b'{"hooks": {', b"[]", b'{"hooks": null}', b'{"a": "\xfc"}'])
def test_broken_settings_without_hooks_of_ours_do_not_keep_the_server_registered(machine, broken):
    settings = machine.write("claude-code", "user", broken, hooks=True)
    before = machine.tree()
    machine.done("setup", "claude-code")
    assert "removed" in machine.done("unsetup", "claude-code")
    assert machine.tree() == before
    settings.write_bytes(broken + b' "indelible hook stop" ')
    machine.done("setup", "claude-code")
    assert str(settings) in machine.refused("unsetup", "claude-code")
