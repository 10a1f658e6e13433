"""Set-up with a store in PostgreSQL: the flags are written down, a password never is."""

import json
import tomllib

import pytest

URL = "postgresql://ann@db.example.org/memory"


def test_the_database_and_the_tenant_stand_in_the_entry_and_in_the_hooks(machine):
    machine.done("setup", "claude-code", "--hooks", "--database", URL, "--tenant", "7")
    entry = json.loads((machine.home / ".claude.json").read_text())["mcpServers"]["indelible"]
    assert entry["args"][entry["args"].index("--database") :][:4] == ["--database", URL, "--tenant", "7"]
    hooks = (machine.home / ".claude" / "settings.json").read_text()
    assert f"--database {URL} --tenant 7" in hooks


def test_hooks_that_come_later_have_the_database_of_the_entry(machine):
    machine.done("setup", "claude-code", "--database", URL)
    machine.done("setup", "claude-code", "--hooks")
    assert f"--database {URL}" in (machine.home / ".claude" / "settings.json").read_text()
    entry = json.loads((machine.home / ".claude.json").read_text())["mcpServers"]["indelible"]
    assert URL in entry["args"]


@pytest.mark.parametrize(
    "url",
    ["postgresql://ann:s3cret-pw@h/x", "postgresql://h/x?password=s3cret-pw", "postgresql:///x?sslpassword=s3cret-pw"],
)
@pytest.mark.parametrize("more", [(), ("--print",), ("--dry-run",)])
def test_a_password_is_written_into_no_file_of_a_client(machine, url, more):
    said = machine.refused("setup", "codex", "--database", url, *more)
    assert ".pgpass" in said
    assert "s3cret-pw" not in said
    assert not (machine.home / ".codex").exists()


def test_a_database_of_the_environment_is_told_of(machine):
    ran = machine.run("setup", "codex", INDELIBLE_DATABASE="postgresql://ann:s3cret-pw@h/x")
    assert ran.returncode == 0
    assert "INDELIBLE_DATABASE is set here" in ran.stderr.decode()
    written = (machine.home / ".codex" / "config.toml").read_text()
    assert "s3cret-pw" not in ran.stderr.decode() + ran.stdout.decode() + written
    assert "--database" not in tomllib.loads(written)["mcp_servers"]["indelible"]["args"]
