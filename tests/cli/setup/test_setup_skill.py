"""`indelible setup --skill`: a file that is ours as a whole."""

import json

import pytest

from indelible.cli.setup import skill

PLACES = {
    ("claude-code", "user"): "home/.claude/skills/indelible/SKILL.md",
    ("claude-code", "project"): "work/.claude/skills/indelible/SKILL.md",
    ("codex", "user"): "home/.agents/skills/indelible/SKILL.md",
    ("codex", "project"): "work/.agents/skills/indelible/SKILL.md",
    ("copilot-cli", "user"): "home/.copilot/skills/indelible/SKILL.md",
    ("copilot-cli", "project"): "work/.github/skills/indelible/SKILL.md",
    ("antigravity", "user"): "home/.gemini/antigravity-cli/skills/indelible/SKILL.md",
    ("antigravity", "project"): "work/.agents/skills/indelible/SKILL.md",
    ("cline", "user"): "home/.cline/skills/indelible/SKILL.md",
    ("roo", "user"): "home/.roo/skills/indelible/SKILL.md",
    ("roo", "project"): "work/.roo/skills/indelible/SKILL.md",
    ("kiro", "user"): "home/.kiro/skills/indelible/SKILL.md",
    ("kiro", "project"): "work/.kiro/skills/indelible/SKILL.md",
    ("continue", "user"): "home/.continue/skills/indelible/SKILL.md",
    ("continue", "project"): "work/.continue/skills/indelible/SKILL.md",
    ("kimi", "user"): "home/.kimi-code/skills/indelible/SKILL.md",
    ("kimi", "project"): "work/.kimi-code/skills/indelible/SKILL.md",
}
OLD = {"user": "home/.codex/skills/indelible/SKILL.md", "project": "work/.codex/skills/indelible/SKILL.md"}


@pytest.mark.parametrize(("client", "scope"), PLACES, ids=str)
def test_the_skill_is_put_where_the_client_looks_and_goes_again(client, scope, machine):
    before = machine.tree()
    path = machine.root / PLACES[client, scope]
    said = machine.done("setup", client, "--scope", scope, "--skill")
    assert f"skill set up ({path})" in said
    assert path.read_text(encoding="utf-8") == skill.text()
    there = machine.tree()
    assert "skill already set up" in machine.done("setup", client, "--scope", scope, "--skill")
    assert machine.tree() == there
    assert "skill removed" in machine.done("unsetup", client, "--scope", scope)
    assert machine.tree() == before
    assert not machine.data.exists()


def older(machine, scope, text=None):
    """The skill of Codex where earlier versions of set-up put it."""
    path = machine.root / OLD[scope]
    path.parent.mkdir(parents=True)
    path.write_text(text or skill.text(), encoding="utf-8")
    return path


@pytest.mark.parametrize("scope", OLD)
def test_the_skill_of_codex_moves_to_the_folder_that_codex_names_now(scope, machine):
    old, new = older(machine, scope), machine.root / PLACES["codex", scope]
    said = machine.done("setup", "codex", "--scope", scope, "--skill")
    assert f"skill removed ({old})" in said
    assert f"skill set up ({new})" in said
    assert (old.exists(), new.exists()) == (False, True)
    said = machine.done("unsetup", "codex", "--scope", scope)
    assert not new.exists()


def test_the_skill_in_the_old_folder_is_taken_back_from_there(machine):
    old = older(machine, "user")
    machine.done("unsetup", "codex")
    assert not old.exists()


def test_a_skill_in_the_old_folder_that_the_user_changed_stays(machine):
    old = older(machine, "user", skill.text() + "Mine.\n")
    said = machine.done("setup", "codex", "--skill")
    assert f"{old} was changed since; it is kept" in said
    assert old.exists()


def test_a_folder_that_two_clients_read_keeps_the_skill_until_the_second_one_goes(machine):
    path = machine.root / PLACES["codex", "project"]
    for client in ("codex", "antigravity"):
        machine.done("setup", client, "--scope", "project", "--skill")
    assert "since Antigravity reads it too" in machine.done("unsetup", "codex", "--scope", "project")
    assert path.exists()
    machine.done("unsetup", "antigravity", "--scope", "project")
    assert not path.exists()


def test_a_skill_of_an_older_version_is_replaced_and_kept_beside_it(machine):
    path = machine.root / PLACES["claude-code", "user"]
    path.parent.mkdir(parents=True)
    path.write_text("---\nname: indelible\ndescription: older\n---\n")
    told = machine.report("setup", "claude-code", "--skill")["skill"]
    assert told["action"] == "changed"
    assert path.read_text(encoding="utf-8") == skill.text()
    assert [backup.read_text() for backup in machine.backups()] == ["---\nname: indelible\ndescription: older\n---\n"]


def test_a_skill_that_the_user_changed_stays(machine):
    machine.done("setup", "claude-code", "--skill")
    path = machine.root / PLACES["claude-code", "user"]
    path.write_text(skill.text() + "\nMore of mine.\n", encoding="utf-8")
    assert "was changed since; it is kept" in machine.done("unsetup", "claude-code")
    assert path.read_text(encoding="utf-8").endswith("More of mine.\n")


def test_a_skill_of_anothers_in_that_place_is_refused_and_stays(machine):
    path = machine.root / PLACES["codex", "user"]
    path.parent.mkdir(parents=True)
    path.write_text("---\nname: permanent-ink\n---\n")
    ran = machine.run("setup", "codex", "--skill")
    assert ran.returncode == 1
    assert b"is the skill of another program" in ran.stderr
    machine.done("unsetup", "codex")
    assert path.read_text() == "---\nname: permanent-ink\n---\n"


def test_a_client_without_skills_is_refused_if_named_and_left_out_of_all(machine):
    before = machine.tree()
    assert "but for claude-code, codex" in machine.refused("setup", "cursor", "--skill")
    assert machine.tree() == before
    (machine.home / ".cursor").mkdir()
    (machine.home / ".codex").mkdir()
    told = json.loads(machine.done("setup", "--all", "--skill", "--json"))["result"]["clients"]
    assert [(one["client"], "skill" in one) for one in told] == [("cursor", False), ("codex", True)]
