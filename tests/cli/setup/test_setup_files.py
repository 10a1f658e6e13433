"""What set-up does to files beside their text: modes, links, backups, its ledger."""

import json
import os
import re

from user_machine import mode


def test_mode_and_link_of_a_file_stay(machine):
    real = machine.root / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_bytes(b"{}")
    real.chmod(0o640)
    link = machine.file("claude-code", "user")
    link.symlink_to(os.path.relpath(real, link.parent))
    machine.done("setup", "claude-code")
    assert link.is_symlink()
    assert b"indelible" in real.read_bytes()
    assert mode(real) == 0o640
    [backup] = machine.backups()
    assert backup.parent == link.parent
    assert mode(backup) == 0o640
    machine.done("unsetup", "claude-code")
    assert link.is_symlink()
    assert real.read_bytes() == b"{}"


def test_a_backup_says_when_it_was_made_and_none_is_overwritten(machine):
    path = machine.write("cursor", "user", b"{}")
    for number in range(3):
        machine.done("setup", "cursor")
        path.write_bytes(path.read_bytes().replace(b"{", b"{ // %d\n" % number, 1))
        machine.done("unsetup", "cursor")
    backups = machine.backups()
    assert len(backups) == 6
    for backup in backups:
        assert re.fullmatch(r"mcp\.json\.indelible-\d{8}T\d{6}Z(-\d+)?\.bak", backup.name)


def test_backups_do_not_pile_up(machine):
    path = machine.write("cursor", "user", b"{}")
    for _ in range(3):
        machine.done("setup", "cursor")
        machine.done("setup", "cursor", "--toolsets", "memory")
        assert [backup.read_bytes() for backup in machine.backups()] == [b"{}"]
        assert "before: " not in machine.done("unsetup", "cursor")
        assert machine.backups() == []
    assert path.read_bytes() == b"{}"


def test_where_the_file_was_changed_meanwhile_the_backups_stay_and_unsetup_says_where(machine):
    path = machine.write("cursor", "user", b"{}\n")
    machine.done("setup", "cursor")
    [first] = machine.backups()
    changed = b"// mine\n" + path.read_bytes()
    path.write_bytes(changed)
    said = machine.done("unsetup", "cursor")
    assert f"as it was before set-up: {first}" in said
    assert first.read_bytes() == b"{}\n"
    [second] = [backup for backup in machine.backups() if backup != first]
    assert f"before: {second}" in said
    assert second.read_bytes() == changed


def test_a_backup_that_somebody_changed_is_not_removed(machine):
    path = machine.write("cursor", "user", b'{\n  "a": 1\n}\n')
    machine.done("setup", "cursor")
    [backup] = machine.backups()
    backup.write_bytes(b"mine now")
    machine.done("unsetup", "cursor")
    assert json.loads(path.read_bytes()) == {"a": 1}
    assert backup.read_bytes() == b"mine now"


def test_after_the_last_client_the_ledger_is_gone_and_so_is_the_directory_that_was_made_for_it(machine):
    for client in ("cursor", "codex"):
        machine.done("setup", client)
    machine.done("unsetup", "codex")
    assert sorted(path.name for path in machine.data.iterdir()) == ["registrations.json", "registrations.lock"]
    machine.done("unsetup", "cursor")
    assert not machine.data.exists()


def test_a_data_directory_that_was_there_or_holds_memories_stays(machine):
    machine.data.mkdir()
    machine.done("setup", "cursor")
    machine.done("unsetup", "cursor")
    assert list(machine.data.iterdir()) == []
    machine.data.rmdir()
    machine.done("setup", "cursor")
    (machine.data / "indelible.db").write_bytes(b"memories")
    machine.done("unsetup", "cursor")
    assert [path.name for path in machine.data.iterdir()] == ["indelible.db"]


def test_nothing_is_left_beside_the_files(machine):
    machine.done("setup", "cursor", "--scope", "project")
    assert sorted(path.name for path in (machine.work / ".cursor").iterdir()) == ["mcp.json"]
