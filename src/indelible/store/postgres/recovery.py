"""A server as it was at a moment: from a base backup and the archived write-ahead log, on this machine, for a while.

It is a copy in a directory of its own and listens to a socket there only. Neither the backup nor the archive is
written to, and the server that they are of need not be there any more.
"""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from psycopg import conninfo

from indelible.dataclass import dataclass
from indelible.errors import InvalidInput, StoreError
from indelible.settings import child_environment

LONGEST_SOCKET = 90  # characters of its directory; a system allows about 107 with the name
# Where packages put the programs of a version, if they are not on the PATH.
PLACES = (
    "/usr/lib/postgresql/{version}/bin",
    "/usr/pgsql-{version}/bin",
    "/opt/homebrew/opt/postgresql@{version}/bin",
    "/usr/local/opt/postgresql@{version}/bin",
)
# What a base backup has of the old server's way to run, and what the copy is not to have.
NOT_KEPT = (
    *("postgresql.conf", "postgresql.auto.conf", "pg_hba.conf", "pg_ident.conf"),
    *("standby.signal", "recovery.signal", "postmaster.pid", "postmaster.opts"),
)
# Prepared transactions and locks may be those of any server. Nothing needs to be synced: after a crash it is made anew.
CONFIGURATION = """listen_addresses = ''
unix_socket_permissions = 0700
hot_standby = off
archive_mode = off
fsync = off
max_connections = 20
max_prepared_transactions = 1000
max_locks_per_transaction = 1000
recovery_target_action = 'promote'
"""
_MAJOR = re.compile(r"\(PostgreSQL\) (\d+)")
_REACHED = re.compile(r"last completed transaction was at log time (\S+ \S+)")
_CHECKPOINT = re.compile(r"^Time of latest checkpoint: +(.*)$", re.MULTILINE)  # of a backup that with which it began
_FAILED = re.compile(r"(?:FATAL|PANIC):\s+(.*)")


@dataclass(frozen=True, slots=True)
class Base:
    """The past of a server: a base backup (a directory), and the command that fetches a file of the archive.

    The command is PostgreSQL's `restore_command`. `programs` is where those of PostgreSQL are, None for where packages
    put them; `work` is where the copy is made, None for the system's temporary directory.
    """

    backup: Path
    restore_command: str
    programs: Path | None = None
    work: Path | None = None


@dataclass(frozen=True, slots=True)
class Recovered:
    """A server of a moment: how to connect to it, the last transaction that it has, and how long it took, in seconds.

    `last` is in PostgreSQL's own words, "" where the log has no transaction after the backup.
    """

    url: str
    last: str
    copying: float
    replaying: float


def from_folder(archive: Path) -> str:
    """Return the command that fetches files from a directory. Raises InvalidInput where there is none."""
    try:
        is_there = archive.is_dir()
    except PermissionError as error:
        raise InvalidInput(
            f"{archive} cannot be read: {error.strerror}; run this as a user who may read the archive and the backup"
        ) from error
    if not is_there:
        raise InvalidInput(f"{archive} is not a directory; give the one to which archive_command copies the log")
    return f'cp {shlex.quote(str(archive.absolute()).replace("%", "%%"))}/%f "%p"'


@contextmanager
def recovered(base: Base, url: str, at: datetime | None) -> Iterator[Recovered]:
    """A server with all that was committed by a moment, None meaning by the end of the archive; gone afterwards.

    The role and the database are those of the URL. Raises InvalidInput for what is no base backup, for a copy that
    this user may not make or run, and where PostgreSQL's programs or the room are missing; StoreError where the backup
    is damaged, or the archive does not reach so far.
    """
    version = _version_of(base.backup)
    programs = _programs(base.programs, version)
    user = _user(base.backup)
    _refuse_earlier(at, base.backup, programs, user)
    _verify(base.backup, programs, user)
    place = _place(base)
    try:
        began = time.monotonic()
        data = _copy(base.backup, place)
        _configure(data, place, base.restore_command, at)
        _give(place, user)
        copied = time.monotonic()
        try:
            last = _start(programs, data, place, user, at)
            where = {
                "host": str(place),
                "port": "5432",
                "hostaddr": None,
                "sslmode": None,
                "target_session_attrs": None,
            }
            own = conninfo.conninfo_to_dict(url) | where
            yield Recovered(conninfo.make_conninfo("", **own), last, copied - began, time.monotonic() - copied)
        finally:
            _run([programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"], user, place)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _version_of(backup: Path) -> str:
    """Return the major version of a base backup. Raises InvalidInput."""
    try:
        version = (backup / "PG_VERSION").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        raise InvalidInput(
            f"{backup} is no base backup that this user can read: it has no PG_VERSION; give the directory that "
            "`pg_basebackup --pgdata=DIRECTORY --format=plain` wrote"
        ) from None
    if not (backup / "backup_label").is_file():
        raise InvalidInput(
            f"{backup} has no backup_label: it is a server's own directory, or one that was copied without "
            "pg_basebackup, from which nothing can be recovered; give a base backup"
        )
    if (backup / "tablespace_map").is_file():
        raise InvalidInput(
            f"{backup} has tablespaces, whose places would be those of the running server; recover it by hand "
            "(https://www.postgresql.org/docs/current/continuous-archiving.html), then give the recovered server's "
            "URL to `indelible backup`"
        )
    return version


def _programs(given: Path | None, version: str) -> Path:
    """Return the directory of PostgreSQL's programs of a version. Raises InvalidInput."""
    found = shutil.which("pg_ctl")
    places = (
        [given]
        if given
        else [*([Path(found).parent] if found else []), *(Path(p.format(version=version)) for p in PLACES)]
    )
    for place in places:
        server = place / "postgres"
        if server.is_file() and (place / "pg_ctl").is_file():
            said = subprocess.run([server, "--version"], capture_output=True, text=True, check=False).stdout
            if _MAJOR.findall(said) == [version]:
                return place
    looked = ", ".join(map(str, places))
    raise InvalidInput(
        f"the backup is of PostgreSQL {version}, and its programs (postgres, pg_ctl) are not in {looked}; install "
        "that version's server, or name their directory with --programs"
    )


def _user(backup: Path) -> int | None:
    """Return the user whom the server must run as, None for this one: it refuses to run as root."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    owner = backup.stat().st_uid
    if owner == 0:
        raise InvalidInput(
            f"PostgreSQL does not run as root, and {backup} belongs to root; run this as another user, or give the "
            "backup to one (chown -R postgres)"
        )
    return owner


def _refuse_earlier(at: datetime | None, backup: Path, programs: Path, user: int | None) -> None:
    """Raise InvalidInput for a moment before a backup was begun: that state is not in it, and no log leads back."""
    program = programs / "pg_controldata"
    if at is None or not program.is_file():
        return
    found = _CHECKPOINT.search(_run([program, backup], user, Path(os.sep), TZ="UTC", LC_ALL="C").stdout)
    if found is None:
        return
    began = datetime.strptime(found[1], "%a %b %d %H:%M:%S %Y").replace(tzinfo=UTC)
    if at < began:
        raise InvalidInput(
            f"{backup} is of {began.isoformat()}, and cannot lead back to {at.isoformat()}; give an earlier base "
            "backup, or a later moment"
        )


def _verify(backup: Path, programs: Path, user: int | None) -> None:
    """Compare the files of a backup with its manifest. Raises StoreError."""
    program = programs / "pg_verifybackup"
    if not (program.is_file() and (backup / "backup_manifest").is_file()):
        return
    done = _run([program, "--no-parse-wal", "--quiet", backup], user, Path(os.sep))
    if done.returncode:
        raise StoreError(f"{backup} is damaged: {_last_line(done.stdout)}; take another base backup")


def _place(base: Base) -> Path:
    """Return a new directory for the copy. Raises InvalidInput."""
    size = sum(path.stat().st_size for path in base.backup.rglob("*") if path.is_file())
    parent = base.work or Path(tempfile.gettempdir())
    try:
        free = shutil.disk_usage(parent).free
        if free < size:
            raise InvalidInput(
                f"{parent} has {free >> 20:,} MiB free, and the backup takes {size >> 20:,}; name another directory "
                "with --work"
            )
        place = Path(tempfile.mkdtemp(prefix="recovery-", dir=parent))
    except OSError as error:
        raise InvalidInput(f"{parent} cannot be used: {error.strerror}; name another directory with --work") from error
    if len(str(place)) > LONGEST_SOCKET:
        place.rmdir()
        raise InvalidInput(f"{parent} is too long for the name of a socket; name a shorter directory with --work")
    return place


def _copy(backup: Path, place: Path) -> Path:
    data = place / "data"
    try:
        shutil.copytree(backup, data, symlinks=True)
        data.chmod(0o700)
        for name in NOT_KEPT:
            (data / name).unlink(missing_ok=True)
    except (OSError, shutil.Error) as error:
        raise StoreError(f"{backup} cannot be copied: {error}; let this user read it, and make room") from error
    return data


def _configure(data: Path, place: Path, restore_command: str, at: datetime | None) -> None:
    lines = [f"unix_socket_directories = {_quoted(str(place))}", f"restore_command = {_quoted(restore_command)}"]
    if at is not None:
        lines.append(f"recovery_target_time = {_quoted(at.isoformat())}")
    (data / "postgresql.conf").write_text(CONFIGURATION + "\n".join(lines) + "\n", encoding="utf-8")
    (data / "pg_hba.conf").write_text("local all all trust\n", encoding="ascii")  # who reaches the socket at all
    (data / "pg_ident.conf").write_text("", encoding="ascii")
    (data / "recovery.signal").write_text("", encoding="ascii")


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


def _give(place: Path, user: int | None) -> None:
    if user is not None:
        for path in (place, *place.rglob("*")):
            os.chown(path, user, -1, follow_symlinks=False)


def _start(programs: Path, data: Path, place: Path, user: int | None, at: datetime | None) -> str:
    """Start the server; back when it has replayed the log. Returns the moment of the last transaction in its words."""
    log = place / "log"
    done = _run([programs / "pg_ctl", "-D", data, "-l", log, "-w", "start"], user, place)
    is_ready = not done.returncode and _is_ready(data)
    said = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else done.stdout
    reached = _REACHED.findall(said)
    if is_ready:
        return reached[-1] if reached else ""
    failed = _FAILED.findall(said)
    if at is not None and any("recovery ended before configured recovery target" in each for each in failed):
        raise StoreError(
            f"the archive does not reach {at.isoformat()}: the last transaction in it is of "
            f"{reached[-1] if reached else 'before the backup'}; give an earlier moment, none for all there is, or "
            "archive the rest first (pg_switch_wal)"
        )
    raise StoreError(f"the server did not recover: {failed[0] if failed else _last_line(said)}")


def _is_ready(data: Path) -> bool:
    """Wait for a server that was started; whether it can be used. (To pg_ctl one that still replays is one.)"""
    while True:
        try:
            status = (data / "postmaster.pid").read_text(encoding="utf-8").splitlines()[7:]
        except FileNotFoundError:  # it has ended
            return False
        if [line.strip() for line in status] == ["ready"]:
            return True
        time.sleep(0.1)


def _run(
    command: list[str | Path], user: int | None, place: Path, **variables: str
) -> "subprocess.CompletedProcess[str]":
    """Run a program; what it says goes to a file, as a server that it starts keeps what it was given."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        done = subprocess.run(
            command,
            user=user,
            stdout=said,
            stderr=subprocess.STDOUT,
            cwd=place,
            env=child_environment(**variables),
            check=False,
        )
        said.seek(0)
        return subprocess.CompletedProcess(command, done.returncode, said.read(), "")


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["it said nothing"])[-1]
