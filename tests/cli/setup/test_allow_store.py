"""`indelible setup claude-code --hooks --allow-store`: the permission without which the agent is not asked."""

import json

import pytest

from hook_handlers import handlers, value
from indelible.capture import clients

RULE = "mcp__indelible__store_memory"
SETTINGS = {
    "none": None,
    "empty": b"{}\n",
    "hooks only": b'{"hooks": {}}\n',
    "others": b'{\n  // mine\n  "permissions": {"allow": ["Bash(ls:*)"], "deny": []},\n  "model": "opus"\n}\n',
    "deny only": b'{\n    "permissions": {\n        "deny": []\n    }\n}\n',
    "windows": b'{\r\n\t"permissions": {\r\n\t\t"allow": [\r\n\t\t\t"WebFetch"\r\n\t\t]\r\n\t}\r\n}\r\n',
}


def written(machine, content: bytes | None):
    path = machine.hook_file("claude-code", "user")
    if content is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return path


def allowed(path) -> list[str]:
    return value(path).get("permissions", {}).get("allow", [])


@pytest.mark.parametrize("name", SETTINGS)
def test_the_rule_comes_with_the_flag_and_goes_with_the_hooks_to_the_byte(machine, name, monkeypatch, tmp_path):
    path = written(machine, SETTINGS[name])
    before = allowed(path) if SETTINGS[name] else []
    machine.done("setup", "claude-code", "--hooks", "--allow-store")
    assert allowed(path) == [*before, RULE]
    # That of "others" has comments: Claude Code reads plain JSON.
    monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", "cli")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(path.parent))
    monkeypatch.delenv("CI", raising=False)
    assert clients.may_be_asked("claude-code", {}, str(tmp_path)) is (name != "others")
    assert machine.report("setup", "claude-code", "--hooks", "--allow-store")["hooks"]["action"] == "unchanged"
    machine.done("unsetup", "claude-code", "--hooks")
    assert (path.read_bytes() if path.exists() else None) == SETTINGS[name]


def test_without_the_flag_nothing_is_allowed_and_set_up_says_what_that_means(machine):
    path = written(machine, b"{}")
    ran = machine.run("setup", "claude-code", "--hooks")
    assert b"--allow-store allows mcp__indelible__store_memory" in ran.stdout
    assert allowed(path) == []
    machine.done("setup", "claude-code", "--hooks", "--allow-store")
    again = machine.run("setup", "claude-code", "--hooks")
    assert b"--allow-store" not in again.stdout
    assert allowed(path) == [RULE]


def test_a_rule_of_the_users_own_stays_when_the_hooks_go(machine):
    path = written(machine, json.dumps({"permissions": {"allow": [RULE, "WebFetch"]}}).encode())
    machine.done("setup", "claude-code", "--hooks", "--allow-store")
    machine.done("unsetup", "claude-code", "--hooks")
    assert allowed(path) == [RULE, "WebFetch"]


def test_a_file_that_was_changed_since_loses_the_rule_only(machine):
    path = written(machine, b'{"model": "opus"}')
    machine.done("setup", "claude-code", "--hooks", "--allow-store")
    changed = value(path) | {"theme": "dark"}
    changed["permissions"]["allow"].insert(0, "WebFetch")
    path.write_text(json.dumps(changed))
    machine.done("unsetup", "claude-code", "--hooks")
    assert value(path) == {"model": "opus", "permissions": {"allow": ["WebFetch"]}, "theme": "dark"}
    assert handlers(machine, "claude-code")[0] == {}


@pytest.mark.parametrize("content", [b'{"permissions": []}', b'{"permissions": {"allow": "all"}}'])
def test_permissions_of_another_shape_are_refused_and_left(machine, content):
    path = written(machine, content)
    ran = machine.run("setup", "claude-code", "--hooks", "--allow-store")
    assert ran.returncode == 1
    assert path.read_bytes() == content


@pytest.mark.parametrize("client", ["codex", "gemini-cli", "cursor"])
def test_a_client_without_such_a_rule_is_set_up_as_without_the_flag(machine, client):
    machine.done("setup", client, "--hooks", "--allow-store")
    assert RULE not in machine.hook_file(client, "user").read_text()
