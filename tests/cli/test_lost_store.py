"""A store file that lost its content: every door says so and how to go on, and `indelible restore` does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import assert_sound, contents, done, indelible, killed_at, refused
from hook_payloads import STARTS, only_line
from indelible.store.sqlite.connection import FILE
from mcp_client import McpClient, ServerGoneError

pytestmark = [pytest.mark.process, pytest.mark.sqlite("an empty file")]

LOST = r"indelible\.db is empty, and there is a backup of it in "


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with a backup of one memory, whose store file is empty."""
    directory = tmp_path / "data"
    done("remember", "kept in the backup", data=directory)
    (directory / "backups").mkdir(mode=0o700, exist_ok=True)
    done("backup", directory / "backups" / "daily-2026-01-02.db", data=directory)
    (directory / FILE).write_bytes(b"")
    return directory


def test_commands_and_a_server_refuse_it_and_make_nothing(data: Path):
    for command in (["remember", "x"], ["recall", "kept"], ["export"], ["drain"], ["drain", "--no-upgrade"]):
        assert re.search(LOST, refused(*command, data=data)), command
    client = McpClient(data)
    with pytest.raises(ServerGoneError, match=LOST):
        client.initialize()
    assert client.close() == 1
    assert (data / FILE).read_bytes() == b""


@pytest.mark.parametrize("options", [[], ["--repair"]], ids=["examined", "repaired"])
def test_doctor_says_it(data: Path, options: list[str]):
    ran = indelible("doctor", *options, data=data)
    assert ran.returncode == 1
    assert re.search(LOST, (ran.stdout + ran.stderr).decode())
    assert (data / FILE).read_bytes() == b""


def test_a_hook_says_it_in_its_one_line(data: Path, told):
    only_line(told(data, STARTS["claude-code"]), "no brief for claude-code: ", "is empty, and there is a backup")
    assert (data / FILE).read_bytes() == b""


@pytest.mark.parametrize("gone", [False, True], ids=["empty", "gone"])
def test_it_is_restored_from_a_backup(gone: bool, data: Path, tmp_path: Path):
    if gone:
        (data / FILE).unlink()
    backup = data / "backups" / "daily-2026-01-02.db"
    (tmp_path / "text.db").write_text("no backup")
    refused("restore", tmp_path / "text.db", data=data)
    assert gone or (data / FILE).read_bytes() == b""
    assert done("restore", backup, data=data) == f"restored {backup}; there was nothing in the store before\n"
    assert contents(data) == {"kept in the backup"}
    assert [path.name for path in (data / "backups").iterdir()] == [backup.name]
    assert (data / FILE).stat().st_mode & 0o777 == 0o600
    done("remember", "after it", data=data)
    assert contents(data) == {"kept in the backup", "after it"}
    assert_sound(data)


def test_it_begins_anew_once_the_empty_file_is_moved_away_and_the_backups_of_the_earlier_one_stay(data: Path):
    (data / FILE).rename(data / "moved.db")
    ran = indelible("remember", "anew", data=data)
    kept = data / "backups" / "earlier-store-2026-01-02.db"
    assert f"to have that back, run `indelible restore {kept}`" in ran.stderr.decode()
    assert contents(data) == {"anew"}
    assert [path.name for path in (data / "backups").iterdir()] == [kept.name]
    done("restore", kept, data=data)
    assert contents(data) == {"kept in the backup"}


def test_a_file_that_is_gone_is_refused_while_its_log_is_left(data: Path):
    (data / FILE).unlink()
    log = data / f"{FILE}-wal"
    log.write_bytes(bytes(4152))
    said = refused("remember", "x", data=data)
    assert "indelible.db is gone, and indelible.db-wal beside it is not" in said
    assert "Stop its servers, move that log away, then run `indelible restore " in said
    assert log.stat().st_size == 4152
    assert not (data / FILE).exists()


@pytest.mark.parametrize("step", ["migrate_sqlite", "create_private"])
def test_a_restore_that_is_killed_leaves_it_lost_and_the_next_one_does_it(data: Path, step: str):
    backup = data / "backups" / "daily-2026-01-02.db"
    killed_at(f"admin.backups.{step}", "restore", str(backup), data=data)
    assert re.search(LOST, refused("remember", "x", data=data))  # the copy that it left is not counted
    done("restore", backup, data=data)
    assert contents(data) == {"kept in the backup"}
