"""The settings that a hook reads: as `settings.py` does, without the time that reading all of them takes."""

import os
import sys

from indelible.errors import InvalidInput

# Imported late (hooks): getpass, hashlib, indelible.filesystem, platform, re, tomllib, urllib.parse, zlib

# The variables by which other memory servers are told where their file is, as in the settings.
_EXISTING = ("MEMORY_FILE_PATH", "VECFS_FILE", "MATRIX_DB")
PAUSES = "paused.json"  # beside the spool: what is paused, see capture/pausing.py
_NO = ("", "0", "false", "no", "off")
_INTERACTIVE = ("cli", "claude-vscode", "claude-desktop")  # how Claude Code was started; "sdk-cli" is `-p`
_LONGEST = 150  # characters of a directory's name; a file system takes 255 bytes, Windows 260 characters of a path


def _is_off(variable: str) -> bool:
    given = os.environ.get(variable)
    return given is not None and given.strip().lower() in _NO[1:]


def hooks_are_off() -> bool:
    """Return whether INDELIBLE_HOOKS turns hooks off."""
    return _is_off("INDELIBLE_HOOKS")


def notices_are_off() -> bool:
    """Return whether INDELIBLE_NOTICES turns off what a hook says to the user."""
    return _is_off("INDELIBLE_NOTICES")


def known_fixes_are_off() -> bool:
    """Return whether INDELIBLE_KNOWN_FIXES turns off that a failed command's known fix is told to the agent."""
    return _is_off("INDELIBLE_KNOWN_FIXES")


def reminders_are_off() -> bool:
    """Return whether INDELIBLE_REMINDERS turns off that a prompt brings what is known about its matter."""
    return _is_off("INDELIBLE_REMINDERS")


def warnings_are_off() -> bool:
    """Return whether INDELIBLE_WARNINGS turns off the warning before a command that failed in an earlier session."""
    return _is_off("INDELIBLE_WARNINGS")


def questions_are_off() -> bool:
    """Return whether INDELIBLE_ASK_AGENT turns off the question at the end of a turn."""
    return _is_off("INDELIBLE_ASK_AGENT")


def is_interactive() -> bool:
    """Return whether a person sits at Claude Code: no run by `-p` or an SDK, and none of continuous integration."""
    return os.environ.get("CLAUDE_CODE_ENTRYPOINT") in _INTERACTIVE and not is_in_ci()


def completed_line() -> str | None:
    """Return the line that a shell asks to complete, None where none does: see cli/completing.py."""
    return os.environ.get("COMP_LINE") if "_ARGCOMPLETE" in os.environ else None


def is_in_ci() -> bool:
    """Return whether this is a run of continuous integration."""
    return bool(os.environ.get("CI"))


def copilot_directory() -> str:
    """Return where Copilot CLI keeps its files."""
    return os.environ.get("COPILOT_HOME") or os.path.expanduser("~/.copilot")


def codex_directory() -> str:
    """Return the directory of Codex's own settings."""
    return os.environ.get("CODEX_HOME") or os.path.join(os.path.expanduser("~"), ".codex")


def claude_directory() -> str:
    """Return the directory of Claude Code's own settings."""
    return os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")


def kiro_prompt() -> str:
    """Return the prompt that Kiro's editor hands to a hook in the environment, "" where there is none."""
    return os.environ.get("USER_PROMPT", "")


def may_be_paused(inbox: str) -> bool:
    """Return whether recording is paused for any project of a store."""
    return os.path.lexists(os.path.join(inbox, PAUSES))


def is_read_only() -> bool:
    """Return whether INDELIBLE_READ_ONLY is set; to anything but a "no", since a hook that doubts writes nothing."""
    return os.environ.get("INDELIBLE_READ_ONLY", "").strip().lower() not in _NO


def data_directory(given: str | None) -> str:
    """The absolute data directory, as `Settings.load` finds it; symlinks stay.

    Raises InvalidInput for a text that can be no path, OSError where the working directory is gone.
    """
    existing = next((os.environ[name] for name in _EXISTING if os.environ.get(name)), None)
    named = given or os.environ.get("INDELIBLE_DATA") or (f"{existing}.db" if existing else None)
    if named is None:
        return _of_the_platform()
    if not named.strip() or "\0" in named:
        raise InvalidInput("the data directory (--data or INDELIBLE_DATA) is not a path; give one or leave it out")
    return os.path.join(os.getcwd(), os.path.expanduser(named))


def database(given: str | None, data: str) -> str:
    """The URL of the store's database, "" where it is a file, as `Settings.load` finds it; not checked."""
    return str(given or os.environ.get("INDELIBLE_DATABASE") or _kept(data, "database", "")).strip()


def tenant(given: str | None, data: str) -> int:
    """The number of the memory in the database, as `Settings.load` finds it. Raises InvalidInput."""
    text = str(given or os.environ.get("INDELIBLE_TENANT") or _kept(data, "tenant", 1)).strip()
    if not (text.isascii() and text.isdecimal() and 0 < len(text) <= 16):
        raise InvalidInput(f"--tenant or INDELIBLE_TENANT must be a whole number of at least 1, got {text!r:.80}")
    return int(text)


def inbox(data: str, database: str, tenant: int) -> str:
    """Return where hooks leave what is for a store: none of several on this machine takes in what is another's.

    What names a database has the directory told by it, however the URL says user and password; spelt otherwise, it is
    another one. Not told by `place_of`: what that imports costs a hook at every event some milliseconds.
    """
    if not database:
        return data
    server, _, query = database.partition("://")[2].partition("?")
    more = [part for part in query.split("&") if part.partition("=")[0] in ("host", "port", "dbname", "options")]
    place = "&".join([server.rpartition("@")[2].replace(":5432/", "/"), *sorted(more)])
    name = "".join(c if c.isascii() and (c.isalnum() or c in ".-_=") else f"%{ord(c):x}" for c in place)
    if len(name) > _LONGEST:
        from zlib import crc32

        name = f"{name[:_LONGEST]}-{crc32(place.encode()):08x}"
    return os.path.join(data, "databases", name, f"tenant-{tenant}")


def person(database: str) -> str:
    """Return who works here, for a store: "local" for one in a file, whose owner that is; else a digest of the account.

    A database that others share tells persons apart by this; their names are not in it.
    """
    if not database:
        return "local"
    import getpass
    import platform
    from hashlib import blake2b

    return blake2b(f"{getpass.getuser()}@{platform.node()}".encode("utf-8", "replace"), digest_size=8).hexdigest()


def place_of(database: str, tenant: int) -> str:
    """A store in a database, as it is told to people and known by: without user, password and what else is in a URL."""
    from urllib.parse import parse_qs, urlsplit

    url = urlsplit(database)
    more = parse_qs(url.query)
    host = url.netloc.rpartition("@")[2] or ",".join(more.get("host", []))
    notes = [*more.get("options", []), *([f"tenant {tenant}"] if tenant != 1 else [])]
    return f"postgresql://{host}{url.path}" + (f" ({', '.join(notes)})" if notes else "")


def check_clear(database: str) -> None:
    """Raise InvalidInput for a URL of which a part of a password can be taken for a host, a port or a database.

    Those are told to people; the error does not repeat them.
    """
    import re

    server, _, query = database.partition("://")[2].partition("?")
    servers, _, path = server.partition("/")
    user, _, hosts = servers.rpartition("@")
    if (
        "#" in database
        or "@" in user + path + query.partition("=")[0]
        or any(re.fullmatch(r"(\[[^][@]*\]|[^][:]*)(:[0-9]*)?", host) is None for host in hosts.split(","))
    ):
        raise InvalidInput(
            "the URL of the database cannot be parsed; write it as "
            "postgresql://USER@HOST:PORT/DATABASE, with a number as the port; in a name or password write @ as %40, "
            ": as %3A, / as %2F, # as %23 and ? as %3F"
        )


def has_password(database: str) -> bool:
    """Return whether a password stands in the URL of a database."""
    from urllib.parse import parse_qs, urlsplit

    url = urlsplit(database)
    return bool(url.password) or any("password" in name for name in parse_qs(url.query))


def for_child(database: str | None, tenant: str | None) -> dict[str, str]:
    """The environment of this process, with a database and a tenant that flags named: a URL may hold a password, which
    does not belong on a command line.
    """
    named = (("INDELIBLE_DATABASE", database), ("INDELIBLE_TENANT", tenant))
    return {**os.environ, **{name: value for name, value in named if value}}


def _kept(data: str, name: str, default: "str | int") -> "str | int":
    """Return a setting of indelible.toml, the default where it cannot be read, which every other command reports."""
    path = os.path.join(data, "indelible.toml")
    if not os.path.isfile(path):
        return default
    import tomllib

    try:
        with open(path, "rb") as file:
            value = tomllib.load(file).get(name, default)
    except (OSError, ValueError):
        return default
    return value if isinstance(value, type(default)) else default


def project() -> tuple[str | None, str | None]:
    """The project that the environment names (INDELIBLE_PROJECT), and the directory that a client says it works in."""
    return os.environ.get("INDELIBLE_PROJECT") or None, os.environ.get("CLAUDE_PROJECT_DIR") or None


def _of_the_platform() -> str:
    """Return where platformdirs puts the data of a user; it is asked itself where the rule is not a line long."""
    home = os.path.expanduser("~")
    if sys.platform in ("linux", "darwin") and os.path.isabs(home) and "ANDROID_DATA" not in os.environ:
        given = os.environ.get("XDG_DATA_HOME", "")
        own = "Library/Application Support" if sys.platform == "darwin" else ".local/share"
        return os.path.join(given if os.path.isabs(given) else os.path.join(home, own), "indelible")
    from indelible.filesystem import data_directory as own_directory

    return str(own_directory(None))
