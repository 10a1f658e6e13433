"""The files in which a machine leaves its states for the others: in a directory of its own, split by uid.

    DIR/indelible-sync/MACHINE/PART.bundle

A file is a line of JSON that says what it is, then its entries: a line of JSON each, compressed, and encrypted with
AES-256-GCM unless it is plain. Every file stands for itself, so it does not matter in which order a service that copies
files brings them; each replaces the one before it in one step.
"""

import base64
import hashlib
import json
import os
import re
import secrets
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from indelible.admin.sync.merging import Entry
from indelible.admin.sync.projects import PROJECT
from indelible.admin.sync.stamps import FORM
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.filesystem import replace_file
from indelible.store.tables.sync_states import DELETED, EDGE, HERE, PURGED, RECORD, SAME

# Imported late (cli): cryptography.exceptions, cryptography.hazmat.primitives.ciphers.aead

FOLDER, SUFFIX = "indelible-sync", ".bundle"
PARTS = 64  # files of a machine: a change leads to one file that is written anew
OF_PROJECTS = PARTS  # the file beside them, of the names that projects have
FORMAT = 1
LARGEST = 1 << 30  # bytes of a file's entries
_NONCE = 12
_MACHINE = re.compile(r"[0-9a-f]{16}")
_UID = re.compile(r"[0-9a-f]{32}")
_FILE = re.compile(r"\d\d" + re.escape(SUFFIX))
_COPY = "; a copy that a service made in a conflict can be deleted"
_EVICTED = ".icloud"  # ends the name of what iCloud keeps in the place of a file that is not on this machine
_DIGITS = re.compile(r"[0-9a-f]{24}")
_GROUP = 4


@dataclass(frozen=True, slots=True)
class Bundle:
    """A file of a machine: which part of its states, and a token that no other content of it has."""

    path: Path
    machine: str
    part: int
    token: str
    plain: bool
    head: bytes

    @property
    def name(self) -> str:
        """Return by which it is remembered as taken in."""
        return name_of(self.machine, self.part)


def name_of(machine: str, part: int) -> str:
    """Return by which the file of a part of a machine's states is remembered."""
    return f"{machine}/{part}"


class Unreadable(Exception):
    """Why a file cannot be taken in."""


def bounds(part: int) -> tuple[str, str]:
    """Return with what the uids of a part begin: from, and up to and without."""
    step = 256 // PARTS
    end = (part + 1) * step
    return f"{part * step:02x}", "g" if end == 256 else f"{end:02x}"


def path_of(directory: Path, machine: str, part: int) -> Path:
    """Return the file of a part of a machine's states."""
    return directory / FOLDER / machine / f"{part:02d}{SUFFIX}"


# --- The key ---


def new_key() -> bytes:
    """Return a new key, drawn at random."""
    return secrets.token_bytes(32)


def key_text(key: bytes) -> str:
    """Return a key as people copy it, with four letters at its end by which a slip is noticed."""
    letters = base64.b32encode(key + hashlib.sha256(key).digest()[:3]).decode().rstrip("=").lower()
    return "-".join(letters[at : at + _GROUP] for at in range(0, len(letters), _GROUP))


def key_of(text: str) -> bytes:
    """Return the key that a text stands for. Raises InvalidInput."""
    letters = "".join(text.split()).replace("-", "").upper()
    try:
        both = base64.b32decode(letters)
    except ValueError:
        both = b""
    key, check = both[:32], both[32:]
    if len(key) != 32 or check != hashlib.sha256(key).digest()[:3]:
        raise InvalidInput("that is no key of `indelible sync`: copy all of what `indelible sync --show-key` prints")
    return key


# --- Reading ---


def others(directory: Path) -> tuple[list[Bundle], list[str]]:
    """Return the files of all machines, by machine and part; and why some are none."""
    found, problems = [], []
    folder = directory / FOLDER
    for machine in sorted(folder.iterdir() if folder.is_dir() else ()):
        if machine.name.startswith("."):
            continue  # of a file manager or of the service that copies the files
        if not _MACHINE.fullmatch(machine.name) or machine.is_symlink() or not machine.is_dir():
            problems.append(f"{machine}: no directory of a machine{_COPY}")
            continue
        for path in sorted(machine.iterdir()):
            if path.name.startswith("."):  # being written, or of the service that copies the files
                if path.suffix == _EVICTED:
                    problems.append(f"{path}: iCloud has not brought the file yet; open it there, then sync again")
                continue
            try:
                found.append(_head_of(path, machine.name))
            except (Unreadable, OSError) as error:
                problems.append(f"{path}: {error}")
    return found, problems


def _head_of(path: Path, machine: str) -> Bundle:
    if not _FILE.fullmatch(path.name) or path.is_symlink():
        raise Unreadable(f"not a file of `indelible sync`{_COPY}")
    with path.open("rb") as file:
        head = file.readline(1_000)
    try:
        said = json.loads(head)
        version, of, part = said["indelible_sync"], said["machine"], int(said["part"])
        bundle = Bundle(path, machine, part, str(said["token"]), said["cipher"] == "none", head)
    except (ValueError, KeyError, TypeError) as error:
        raise Unreadable("not a file of `indelible sync`, or not copied whole yet") from error
    if version != FORMAT:
        raise Unreadable(f"it has format {version!r}, and this version reads {FORMAT}; update Indelible")
    if of != machine or path.name != f"{part:02d}{SUFFIX}":
        raise Unreadable("it belongs to another machine or place than its name says")
    return bundle


def read(bundle: Bundle, key: bytes | None) -> list[Entry]:
    """Return the entries of a file. Raises Unreadable, with the reason and what to do, and OSError.

    With a key a plain file is not read: who can write to the directory could have made it.
    """
    if bundle.plain and key is not None:
        raise Unreadable(
            "it is not encrypted, so anybody can have written it: run `indelible sync` there without --plain, "
            "or here with it"
        )
    return [_entry(line) for line in _lines(_body(bundle, key))]


def is_whole(bundle: Bundle, key: bytes | None) -> bool:
    """Return whether a file is as it was written, with this key. Raises OSError."""
    try:
        for _ in _lines(_body(bundle, key)):
            pass
    except Unreadable:
        return False
    return True


def _body(bundle: Bundle, key: bytes | None) -> bytes:
    """Return what is behind the head of a file, compressed. Raises Unreadable and OSError."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    with bundle.path.open("rb") as file:
        if file.readline(1_000) != bundle.head:
            raise Unreadable("it was replaced meanwhile; it is taken in the next time")
        body = file.read(LARGEST + 1)
    if not bundle.plain:
        if key is None:
            raise Unreadable("it is encrypted; leave out --plain to read it")
        try:
            body = AESGCM(key).decrypt(body[:_NONCE], body[_NONCE:], bundle.head)
        except (InvalidTag, ValueError) as error:
            raise Unreadable("it has another key, or is damaged or not copied whole yet") from error
    return body


def _lines(body: bytes) -> Iterator[bytes]:
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(body, LARGEST)
    except zlib.error as error:
        raise Unreadable("it is damaged or not copied whole yet") from error
    if not unpacking.eof:
        raise Unreadable("it is not copied whole yet" if len(text) < LARGEST else "it is too large to be one of ours")
    return (line for line in text.split(b"\n") if line)


def _entry(line: bytes) -> Entry:
    try:
        said = json.loads(line)
        entry = Entry(**said)
    except (ValueError, TypeError) as error:
        raise Unreadable("it is damaged: an entry of it is none") from error
    stamped = entry.state in (HERE, DELETED)
    fits = (
        isinstance(entry.uid, str)
        and _UID.fullmatch(entry.uid)
        and entry.part in (RECORD, EDGE, PROJECT)
        and (stamped or entry.state in (SAME, PURGED))
        and (entry.state != SAME or (isinstance(entry.same, str) and _UID.fullmatch(entry.same)))
        and (not stamped or (isinstance(entry.stamp, str) and FORM.fullmatch(entry.stamp)))
        and isinstance(entry.seen, dict)
        and all(isinstance(last, str) and _DIGITS.fullmatch(last) for last in entry.seen.values())
        and isinstance(entry.content, dict)
    )
    if not fits:
        raise Unreadable("it is damaged: an entry of it is none")
    return entry


# --- Writing ---


def write(directory: Path, machine: str, part: int, token: str, entries: Iterable[Entry], key: bytes | None) -> None:
    """Write the file of a part in the place of the one before. `key` None: plain. Raises OSError."""
    head = _head(machine, part, token, "none" if key is None else "aes-256-gcm")
    packing = zlib.compressobj(6)
    body = b"".join([*(packing.compress(_line(entry)) for entry in entries), packing.flush()])
    if key is not None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = os.urandom(_NONCE)
        body = nonce + AESGCM(key).encrypt(nonce, body, head)
    path = path_of(directory, machine, part)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, head + body)


def _head(machine: str, part: int, token: str, cipher: str) -> bytes:
    said: dict[str, Any] = {
        "indelible_sync": FORMAT,
        "machine": machine,
        "part": part,
        "token": token,
        "cipher": cipher,
    }
    return json.dumps(said).encode() + b"\n"


def _line(entry: Entry) -> bytes:
    said = {name: getattr(entry, name) for name in ("uid", "part", "state", "same", "stamp", "seen", "content")}
    return json.dumps({name: value for name, value in said.items() if value}, ensure_ascii=False).encode() + b"\n"


def token_of(entries: Sequence[tuple[str, ...]]) -> str:
    """Return the token of states: the same states have the same."""
    made = hashlib.blake2b(digest_size=16)
    for entry in entries:
        made.update("\0".join(entry).encode() + b"\n")
    return made.hexdigest()
