"""The stable names of canonical entities: how they are derived, recognised and reduced to a stem.

The same facts give the same key in every process and language, so that an agent finds what it or another stored before
(under `error_key(message)`) and a second write meets the first. A key that a client supplies is never derived
again, only its form is checked. Texts go into a key as given, of any language, where nothing else is said.
All functions raise InvalidInput for an argument that is empty, of a wrong type, or no valid Unicode.
"""

import json
import re
import unicodedata
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from indelible.errors import InvalidInput
from indelible.graph.taxonomy import STATUSES, TYPE_OF_PREFIX

LONGEST_COMMAND = 120  # characters of a command that its key shows


# --- The parts of keys ---


def normalized_key(message: str) -> str:
    """Return a message without what differs from one occurrence to the next; "" if nothing else is in it.

    In this order: NFC, lower case; runs of 7 or more hexadecimal digits with a decimal one among them removed, wherever
    they stand (`0x7ffee4b2c8a0` leaves `0x`); versions `v?N.N(.N)*` with any `-` or `+` suffix to `x.y.z`, in words and
    addresses too (`python3.11` to `pythonx.y.z`); white space squeezed and trimmed. Applying it again changes nothing.
    """
    text = unicodedata.normalize("NFC", _text(message, "message")).lower()
    text = _HEX_RUN.sub(lambda run: "" if _DIGIT.search(run[0]) else run[0], text)
    text = _VERSION.sub(_ANY_VERSION, text)
    return unicodedata.normalize("NFC", " ".join(text.split()))  # a removed run can bring a letter and a mark together


_ANY_VERSION = "x.y.z"
_DIGIT = re.compile(r"[0-9]")
# The digit is looked for in the match: a lookahead would take quadratic time on a long run without one.
_HEX_RUN = re.compile(r"[0-9a-f]{7,}")
_VERSION = re.compile(
    r"(?:(?<![0-9a-z_])v|(?<![0-9]))[0-9]++(?:\.[0-9]+)+"
    r"(?:[-+]+[0-9a-z_]+(?:\.[0-9a-z_]+)*)*"
)


def slug(name: str) -> str:
    """Return a name in NFC and lower case, each run of other characters than letters and digits one `-`.

    Letters and digits of every script stay, with the marks on them, and no `-` at either end. InvalidInput for a name
    without any.
    """
    made: list[str] = []
    for character in unicodedata.normalize("NFC", _text(name, "name")).lower():
        on_letter = bool(made) and made[-1] != "-" and unicodedata.category(character).startswith("M")
        if character.isalnum() or on_letter:
            made.append(character)
        elif made and made[-1] != "-":
            made.append("-")
    text = unicodedata.normalize("NFC", "".join(made)).rstrip("-")
    if not text:
        raise InvalidInput(f"name must hold a letter or a digit, got {name!r:.80}")
    return text


def fp8(
    cmd: str,
    cwd: str | None = None,
    exit_code: int | None = None,
    stdout_head: str | None = None,
    stderr_head: str | None = None,
) -> str:
    """Return the fingerprint of an execution: the first 8 hex of SHA-256 over the five joined by `|`, None being ""."""
    if exit_code is not None and (isinstance(exit_code, bool) or not isinstance(exit_code, int)):
        raise InvalidInput(f"exit_code must be an integer or None, got {exit_code!r:.80}")
    values = (
        _text(cmd, "cmd"),
        _text_or_none(cwd, "cwd"),
        "" if exit_code is None else str(exit_code),
        _text_or_none(stdout_head, "stdout_head"),
        _text_or_none(stderr_head, "stderr_head"),
    )
    return _digest("|".join(values), "cmd, cwd or a head")[:8]


def sha8(*values: Any) -> str:
    """Return the first 8 hex of SHA-256 over the values as one JSON array: compact, UTF-8, object keys sorted.

    Numbers stand as they are given: 5 and 5.0 are two values.
    """
    try:
        text = json.dumps(values, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"the values of a key must be JSON without NaN and infinity: {error}") from None
    return _digest(text, "a value")[:8]


# --- Keys ---


def run_key(
    started: datetime | str,
    cmd: str,
    cwd: str | None = None,
    exit_code: int | None = None,
    stdout_head: str | None = None,
    stderr_head: str | None = None,
) -> str:
    """Return `run#<ISO8601>#<fp8>`.

    A datetime needs a zone and is written in UTC, `2025-08-08T10:30:00Z`, with a fraction if it has one; a text must be
    an ISO 8601 time and stands as given.
    """
    return f"run#{_time(started)}#{fp8(_filled(cmd, 'cmd'), cwd, exit_code, stdout_head, stderr_head)}"


def command_key(
    cmd: str,
    cwd: str | None = None,
    exit_code: int | None = None,
    stdout_head: str | None = None,
    stderr_head: str | None = None,
) -> str:
    """Return `cmd#<canonical command>#<fp8>`: white space squeezed and trimmed, then the first 120 characters.

    The fingerprint is that of the command as given and of its execution.
    """
    shown = " ".join(_filled(cmd, "cmd").split())[:LONGEST_COMMAND]
    return f"cmd#{shown}#{fp8(cmd, cwd, exit_code, stdout_head, stderr_head)}"


def error_key(message: str) -> str:
    """Return `err#<normalizedKey>`; InvalidInput if nothing of the message is left (it is a hash alone)."""
    return "err#" + _issue(message, "message")


def warning_key(message: str) -> str:
    """Return `warn#<normalizedKey>`; InvalidInput if nothing of the message is left (it is a hash alone)."""
    return "warn#" + _issue(message, "message")


def dependency_key(name: str, version: str | None = None) -> str:
    """Return `dep#<name>@<version>`, or `dep#<name>` without a version (None or blank)."""
    return _formed("dep#" + _versioned(_filled(name, "name").strip(), version))


def fix_key(issue: str, strategy: Any, changes: Any) -> str:
    """Return `fix#<issueName>#<sha8 of [strategy, changes]>`.

    `issue` is the message of the error or warning, whose normalizedKey becomes the name, or its key (`err#...`,
    `warn#...`), whose own text after the prefix does. Strategy and changes are any JSON.
    """
    if key_form(_filled(issue, "issue")) in ("err#", "warn#"):
        check_key(issue, "issue")
        name = issue.partition("#")[2]
    else:
        name = _issue(issue, "issue")
    return f"fix#{name}#{sha8(strategy, changes)}"


def outcome_key(status: str, fix_id: str, verification_method: Any, duration_to_verify: Any) -> str:
    """Return `outcome#<status>#<sha8 of [fixId, verificationMethod, durationToVerify]>`; fixId is the fix's key."""
    if status not in STATUSES:
        raise InvalidInput(f"status must be one of {', '.join(STATUSES)}, got {status!r:.80}")
    return f"outcome#{status}#{sha8(_filled(fix_id, 'fix_id'), verification_method, duration_to_verify)}"


def doc_key(url: str) -> str:
    """Return `doc#<the 64 hex of SHA-256 of the URL as given>`."""
    return "doc#" + _digest(_filled(url, "url"), "url")


def mode_key(name: str, version: str | None = None) -> str:
    """Return `mode#<slug>@<version>`, or `mode#<slug>` without a version."""
    return _formed("mode#" + _versioned(slug(name), version))


def tool_key(name: str, version: str | None = None) -> str:
    """Return `tool#<name>@<version>`, or `tool#<name>` without a version."""
    return _formed("tool#" + _versioned(_filled(name, "name").strip(), version))


def file_key(path: str) -> str:
    """Return `file#<path>`, the path as given."""
    return "file#" + _filled(path, "path")


def concept_key(name: str) -> str:
    """Return `concept#<slug>`."""
    return "concept#" + slug(name)


def _issue(message: str, argument: str) -> str:
    name = normalized_key(_filled(message, argument))
    if not name:
        raise InvalidInput(f"{argument} must hold more than hashes, got {message!r:.80}")
    return name


def _versioned(name: str, version: str | None) -> str:
    version = _text_or_none(version, "version").strip()
    return f"{name}@{version}" if version else name


def _formed(key: str) -> str:
    """The key, if its name and version keep the form (`@18`, `left-pad@` and names of two lines do not)."""
    check_key(key, "name")
    return key


def _time(started: datetime | str) -> str:
    if isinstance(started, datetime):
        if started.tzinfo is None:
            raise InvalidInput(f"started is {started!r}, without a time zone; give an aware time")
        return started.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if not _is_time(_text(started, "started")):
        raise InvalidInput(f"started must be an ISO 8601 time such as 2025-08-08T10:30:00Z, got {started!r:.80}")
    return started


def _text(value: object, argument: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{argument} must be text, got {value!r:.80}")
    return value


def _text_or_none(value: object, argument: str) -> str:
    return "" if value is None else _text(value, argument)


def _filled(value: object, argument: str) -> str:
    text = _text(value, argument)
    if not text.strip():
        raise InvalidInput(f"{argument} must not be empty, got {text!r:.80}")
    return text


def _digest(text: str, argument: str) -> str:
    try:
        return sha256(text.encode()).hexdigest()
    except UnicodeEncodeError as error:
        raise InvalidInput(f"{argument} contains half of a surrogate pair; give valid Unicode") from error


# --- Supplied keys ---


def key_form(name: str) -> str | None:
    """Return the prefix that makes a name a key (`err#`), or None; case counts."""
    prefix = name[: name.find("#") + 1]
    return prefix if prefix in TYPE_OF_PREFIX else None


def check_key(name: str, argument: str = "name") -> None:
    """Raise InvalidInput where a name with a key prefix has not the form of its keys; other names pass.

    Hashes, times and statuses are checked, a slug for white space, `@` and A-Z, and of texts, names and paths that they
    are there: what they say is the client's.
    """
    prefix = key_form(name)
    if prefix is None:
        return
    pattern, form = _FORMS[prefix]
    found = pattern.fullmatch(name, len(prefix))
    time = found.groupdict().get("time") if found else None
    if not found or (time is not None and not _is_time(time)):
        raise InvalidInput(f"{argument} must have the form {form}, got {name!r:.160}")


_HASH = r"#[0-9a-f]{8}"
_TEXT = r"\S(?:.*\S)?"
_PACKAGE = r"(?:@[^\s@/]+/)?[^\s@](?:.*[^\s@])?"  # with or without `@version`
_SLUG = r"(?:(?![A-Z])[^\s@])+"
_FORMS = {
    prefix: (re.compile(pattern), f"{prefix}{rest}")
    for prefix, pattern, rest in (
        ("run#", rf"(?P<time>[^#]+){_HASH}", "<ISO 8601 time>#<8 hex>"),
        ("cmd#", rf"\S.{{0,{LONGEST_COMMAND - 1}}}{_HASH}", f"<command, at most {LONGEST_COMMAND} characters>#<8 hex>"),
        ("err#", _TEXT, "<normalizedKey>"),
        ("warn#", _TEXT, "<normalizedKey>"),
        ("dep#", _PACKAGE, "<name> or dep#<name>@<version>"),
        ("fix#", rf"{_TEXT}{_HASH}", "<normalizedKey of the issue>#<8 hex>"),
        ("outcome#", rf"(?:{'|'.join(STATUSES)}){_HASH}", f"<{'|'.join(STATUSES)}>#<8 hex>"),
        ("doc#", r"[0-9a-f]{64}", "<64 hex of SHA-256 of the URL>"),
        ("mode#", rf"{_SLUG}(?:@\S+)?", "<slug> or mode#<slug>@<version>"),
        ("tool#", _PACKAGE, "<name> or tool#<name>@<version>"),
        ("file#", r"(?s:.*\S.*)", "<path>"),
        ("concept#", _SLUG, "<slug>"),
    )
}
_TIME = re.compile(r"[0-9]{4}-?[0-9]{2}-?[0-9]{2}T[0-9:.,]+(?:Z|[+-][0-9:]+)?")


def _is_time(text: str) -> bool:
    if not _TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def stem(key: str) -> str:
    """Return the part of a key or message that stays the same across versions and places, for a soft match; or "".

    The prefix and the hash of a key go, then what `normalized_key` takes, versions, and paths: any that begin with `/`,
    `./`, `../`, `~/` or a drive, has two separators, or one and a file extension (`and/or` and `@scope/name` stay). Of
    a `file#` key the file name stays. What goes leaves a hole, so compare stems with stems.
    """
    prefix = key_form(_text(key, "key"))
    text = key[len(prefix or "") :]
    if prefix in ("run#", "doc#"):  # a time and hashes
        text = ""
    elif prefix == "file#":
        text = _SEPARATOR.split(text.rstrip("/\\"))[-1]
    elif prefix in ("dep#", "mode#", "tool#"):
        text = _VERSION_AT_END.sub("", text)
    elif prefix in ("cmd#", "fix#", "outcome#"):
        text = _HASH_AT_END.sub("", text)
    pieces = _BESIDE_PATHS.split(_VERSION_MARK.sub("", normalized_key(text)))
    return " ".join("".join(piece for piece in pieces if not _is_path(piece)).split())


_SEPARATOR = re.compile(r"[/\\]")
_VERSION_AT_END = re.compile(r"(?<=.)@[^@/]*$")
_HASH_AT_END = re.compile(rf"{_HASH}$")
_VERSION_MARK = re.compile(rf"@?{re.escape(_ANY_VERSION)}")
_BESIDE_PATHS = re.compile(r"([\s'\"`()<>\[\]{},;=|]+)")
_PATH_START = re.compile(r"(?:\.{0,2}|~|[a-z]:)/[^/]|\.{1,2}\\|[a-z]:\\")
_FILE_END = re.compile(r"\.[a-z0-9]{1,8}(?::[0-9]+)*:?$")


def _is_path(piece: str) -> bool:
    if piece.startswith("@"):  # a scoped package
        return False
    if _PATH_START.match(piece):
        return True
    separators = len(_SEPARATOR.findall(piece))
    return separators > 1 or (separators == 1 and _FILE_END.search(piece) is not None)
