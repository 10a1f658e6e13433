"""A tenant as it was at a moment, from a base backup and an archive that PostgreSQL itself wrote."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import apart
import on_postgres
from command_line import indelible
from indelible.core.context.context import open_context
from indelible.errors import InvalidInput
from indelible.settings import Settings
from indelible.store.postgres import recovery
from postgres_pair import Node, Pair, pair

pytestmark = [pytest.mark.process, pytest.mark.one_server("has servers or schemas of its own, which are not spread")]

TENANT, OTHER = 7, 8
QUOLL, NUMBAT, BILBY = "the animal is a quoll", "the animal is a numbat", "the animal is a bilby"


@dataclass
class Past:
    """A server with an archive, a base backup of it, and a moment; `home` is of whoever runs the commands."""

    two: Pair
    base: Path
    archive: Path
    moment: datetime
    home: Path

    def call(self, tool: str, tenant: int = TENANT, **arguments: Any) -> Any:
        settings = Settings(
            data=self.home / "data", database=self.url, tenant=tenant, start=self.home, home=self.home, encoder="off"
        )
        with closing(open_context(settings)) as ctx:
            return apart.call(ctx, tool, **arguments)

    def contents(self, tenant: int = TENANT) -> set[str]:
        return {each["content"] for each in self.call("recall_memory", tenant, query="the animal", k=100)}

    @property
    def url(self) -> str:
        return self.two.url(self.two.primary)

    def indelible(self, *words: str) -> Any:
        """What a command answers with --json: its result, or its error."""
        done = indelible(*words, "--json", "--database", self.url, data=self.home / "data")
        answer = json.loads(done.stdout)
        return answer["result"] if done.returncode == 0 else answer["error"]

    def recover(self, *words: str, base: Path | None = None, tenant: int = TENANT) -> Any:
        where = ("--base-backup", str(base or self.base), "--wal-archive", str(self.archive))
        programs = ("--programs", str(self.two.primary.programs), "--work", str(self.home))
        return self.indelible("tenant", "recover", str(tenant), *where, *programs, *words)


def moment_on(node: Node) -> datetime:
    ((moment,),) = node.execute("SELECT clock_timestamp()")
    assert isinstance(moment, datetime)
    return moment.astimezone(UTC)


def archived(node: Node) -> None:
    """Everything that was written is in the archive."""
    ((last,),) = node.execute("SELECT pg_walfile_name(pg_switch_wal())")
    while node.execute(f"SELECT 1 FROM pg_stat_archiver WHERE last_archived_wal >= '{last}'") == []:
        pass


@pytest.fixture(scope="module")
def past() -> Iterator[Past]:
    """The quoll is known at the base backup, the numbat at the moment; then the quoll is deleted, the bilby stored."""
    folder = Path(tempfile.mkdtemp(prefix="indelible-past-", dir=on_postgres.disk()))
    archive, base, home = (folder / name for name in ("it's 100% archived", "base", "home"))
    for path in (archive, base, home):
        path.mkdir(mode=0o755)
    (folder / "archive").write_text(f'#!/bin/sh\nexec cp "$1" "{archive}/$2"\n')
    (folder / "archive").chmod(0o755)
    with pair(folder, "archive_mode = on", f"archive_command = '{folder}/archive %p %f'") as two:
        primary = two.primary
        for path in (archive, base):
            if primary.user:
                shutil.chown(path, primary.user)
        made = Past(two, base, archive, datetime.now(UTC), home)
        quoll = made.call("store_memory", content=QUOLL)["id"]
        where = f"host={primary.place} user=postgres"
        primary.program("pg_basebackup", "-D", str(base), "-d", where, "-X", "none", "-c", "fast")
        made.call("store_memory", content=NUMBAT)
        made.moment = moment_on(primary)
        made.call("store_memory", content=BILBY)
        made.call("delete_memory", id=quoll)
        made.call("store_memory", OTHER, content=BILBY)
        archived(primary)
        yield made


@pytest.mark.full
def test_a_rehearsal_shows_what_could_be_recovered_and_leaves_nothing(past: Past) -> None:
    before = set(past.home.iterdir())
    files = {path: path.stat().st_mtime_ns for place in (past.base, past.archive) for path in place.rglob("*")}
    found = past.recover("--rehearse", "--at", past.moment.isoformat())
    assert (found["tenant"], found["rows"]["record"], found["file"]) == (TENANT, 2, None)
    assert found["rows"].get("trash") is None
    assert found["last"][:10] == past.moment.isoformat()[:10]
    assert set(found["seconds"]) == {"copying", "replaying", "writing"}
    whole = past.recover("--rehearse")
    assert (whole["rows"]["record"], whole["rows"]["trash"]) == (2, 1)
    assert set(past.home.iterdir()) == before
    assert {path: path.stat().st_mtime_ns for place in (past.base, past.archive) for path in place.rglob("*")} == files
    assert past.contents() == {NUMBAT, BILBY}


@pytest.mark.full
def test_a_tenant_is_put_back_to_a_moment_and_no_other_one(past: Past) -> None:
    file = past.home / "was.db"
    assert past.recover("--to", str(file), "--at", past.moment.isoformat())["file"] == str(file)
    assert past.recover("--to", str(file))["kind"] == "invalid_input"
    restored = past.indelible("restore", str(file), "--tenant", str(TENANT))
    assert past.contents() == {QUOLL, NUMBAT}
    assert past.contents(OTHER) == {BILBY}
    past.indelible("restore", restored["previous"], "--tenant", str(TENANT))
    assert past.contents() == {NUMBAT, BILBY}


@pytest.mark.full
def test_it_needs_no_server_that_is_there(past: Past) -> None:
    past.two.primary.kill()
    try:
        assert past.recover("--rehearse", "--at", past.moment.isoformat())["rows"]["record"] == 2
    finally:
        past.two.primary.start()


@pytest.mark.full
def test_what_cannot_be_recovered_is_said(past: Past) -> None:
    later = past.recover("--rehearse", "--at", (past.moment + timedelta(days=900)).isoformat())
    assert "the archive does not reach" in later["message"]
    assert "the last transaction in it is of 2" in later["message"]
    earlier = past.recover("--rehearse", "--at", (past.moment - timedelta(hours=1)).isoformat())
    assert f"{past.base} is of {past.moment.isoformat()[:10]}" in earlier["message"]
    assert "give an earlier base backup" in earlier["message"]
    assert past.recover("--rehearse", tenant=99)["kind"] == "not_found"
    damaged = past.home / "damaged"
    shutil.copytree(past.base, damaged)
    if past.two.primary.user:
        shutil.chown(damaged, past.two.primary.user)
        for path in damaged.rglob("*"):
            shutil.chown(path, past.two.primary.user)
    with (damaged / "global" / "pg_filenode.map").open("r+b") as file:
        file.write(b"no")
    assert "is damaged" in past.recover("--rehearse", base=damaged)["message"]
    shutil.rmtree(damaged)


def base_at(place: Path, *files: str) -> Path:
    place.mkdir()
    for name in files:
        (place / name).write_text("18\n")
    return place


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ((), "has no PG_VERSION"),
        (("PG_VERSION",), "has no backup_label"),
        (("PG_VERSION", "backup_label", "tablespace_map"), "has tablespaces"),
        (("PG_VERSION", "backup_label"), "its programs .postgres, pg_ctl. are not in"),
    ],
)
def test_what_is_no_base_backup_is_refused(tmp_path: Path, files: tuple[str, ...], said: str) -> None:
    base = recovery.Base(base_at(tmp_path / "base", *files), "true", programs=tmp_path)
    with pytest.raises(InvalidInput, match=said), recovery.recovered(base, "postgresql:///memory", None):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == ["base"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can act as another user")
def test_an_archive_that_this_user_may_not_look_at_is_refused() -> None:
    with tempfile.TemporaryDirectory() as place:
        archive = Path(place) / "archive"
        archive.mkdir()
        os.seteuid(65534)
        try:
            with pytest.raises(InvalidInput, match="cannot be read: Permission denied; run this as a user who may"):
                recovery.from_folder(archive)
        finally:
            os.seteuid(0)


def test_an_archive_must_be_a_directory_and_may_have_any_name(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="is not a directory"):
        recovery.from_folder(tmp_path / "missing")
    odd = tmp_path / "it's 100%"
    odd.mkdir()
    assert recovery.from_folder(odd).endswith("""100%%'/%f "%p\"""")
