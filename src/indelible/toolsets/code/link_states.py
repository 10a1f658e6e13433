"""How the code that a text names has changed since the text was written.

A link by mention keeps in its metadata what its target was then (`was`), and what has become of it (`now`, absent while
it is as it was). Both are plain data:

- `was`: `at` (when the text was written, microseconds), `digest` of the symbol or file, its `path` and qualified
  `name` ("" for a file), when the file was `modified` (nanoseconds), `rules` (version of the rules by which symbols are
  extracted), `lines` (a sketch, absent where the file could not be read).
- `now`: `is` (changed, moved, gone), `changed` where it was moved too, `to` (the new path or name), `digest`, `part`
  (how much of its lines, 0..1, absent where that is not known), `commit` (its beginning, absent likewise).

The texts are judged when the index has run. A text that was written after its file was last modified speaks of the
file as it is now, though the index had not seen it yet.
"""

import base64
import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from indelible.source import source
from indelible.source.indexing import VERSION, hash_of
from indelible.store.tables.symbols import segments
from indelible.store.views.code_links import Code

CHANGED, MOVED, GONE = "changed", "moved", "gone"
SKETCHED = 48  # hashes of lines that a sketch has at most, the lowest, of two bytes each

State = Mapping[str, Any]


class Files:
    """The files of some targets, each read once, as far as they are on this machine with the indexed bytes."""

    def __init__(self) -> None:
        self._read: dict[int, tuple[list[bytes], int] | None] = {}  # lines, and when it was modified

    def lines(self, code: Code) -> list[bytes] | None:
        """Return the lines of a symbol or file; None where the file is not here, or another than that of the index."""
        found = self._found(code)
        if found is None:
            return None
        return found[0][code.start_line - 1 : code.end_line] if code.name else found[0]

    def modified(self, code: Code) -> int:
        """Return when the file was modified (nanoseconds), 0 where that is not known.

        The index notes no time of a file that was modified just before it was read, as it may be modified once more.
        """
        if code.modified:
            return code.modified
        found = self._found(code)
        return 0 if found is None else found[1]

    def _found(self, code: Code) -> tuple[list[bytes], int] | None:
        if code.file not in self._read:
            self._read[code.file] = _read(code)
        return self._read[code.file]


def _read(code: Code) -> tuple[list[bytes], int] | None:
    try:
        modified = os.stat(Path(code.root, code.path)).st_mtime_ns
    except OSError:
        return None
    body = source.read(Path(code.root), code.path)
    return (body.splitlines(), modified) if isinstance(body, bytes) and hash_of(body) == code.hash else None


def before(code: Code, written: int, files: Files, *, is_whole: bool) -> dict[str, Any]:
    """Return what a target is when a text about it is written.

    Without `is_whole` a file is only where the text places something: its own changes are none of the text's.
    """
    lines = files.lines(code) if code.name or is_whole else None
    sketch = {} if lines is None else {"lines": _packed(lines)}
    digest = digest_of(code) if code.name or is_whole else ""
    place = {"path": code.path, "name": code.name, "modified": files.modified(code)}
    return {"at": written, "digest": digest, **place, "rules": VERSION, **sketch}


def digest_of(code: Code) -> str:
    """Return 16 hexadecimal digits of a symbol's signature and body, or of a file's bytes."""
    if not code.name:
        return code.hash[:16]
    signature = "".join(code.signature.split())
    return hashlib.blake2b(f"{signature}\0{code.body_hash}".encode(), digest_size=8).hexdigest()


def is_spoken_of_as_gone(was: State | None, code: Code, written: int, files: Files) -> bool:
    """Return whether a text was written when its target had left the source already."""
    if not code.gone or was is None:
        return False
    return (was["at"] < written and code.gone <= written) or _was_seen(was, code, written, files)


def judged(
    was: State | None, now: State | None, code: Code, written: int, files: Files, *, is_whole: bool
) -> tuple[State, State | None]:
    """Return what a target was when its text was written (microseconds), and what has become of it since, if anything.

    `was` and `now` are what the link has so far, None for nothing.
    """
    if was is None or (was["at"] < written and not code.gone):
        return before(code, written, files, is_whole=is_whole), None
    digest = digest_of(code) if was["digest"] else ""
    if code.gone:
        moved = {"to": code.moved} if code.moved else {}
        return was, _with_commit({"is": MOVED if moved else GONE, **moved}, now)
    if was["rules"] != VERSION and code.name:  # what differs may be the rules
        differs = now is not None and (now["is"] == CHANGED or now.get("changed", False))
        if not differs:
            was = {**was, "digest": digest, "rules": VERSION}
    elif digest != was["digest"] and _was_seen(was, code, written, files):
        return before(code, written, files, is_whole=is_whole), None
    else:
        differs = digest != was["digest"]
    place = _new_place(was, code)
    if not place and not differs:
        return was, None
    what = {"is": MOVED, "to": place, **({"changed": True} if differs else {})} if place else {"is": CHANGED}
    if differs:
        what |= {"digest": digest, **_part(was, code, files)}
    return was, _with_commit(what, now)


def _new_place(was: State, code: Code) -> str:
    if was["path"] != code.path:
        return code.path
    before, after = (segments(name)[-2:] for name in (was["name"], code.name))
    return code.name if before and before != after else ""  # what they begin with is the place of the package


def _was_seen(was: State, code: Code, written: int, files: Files) -> bool:
    """Return whether a file was modified again before a text was written, though the index had not seen that yet."""
    return int(was["modified"]) < files.modified(code) <= written * 1_000


def _with_commit(what: dict[str, Any], now: State | None) -> dict[str, Any]:
    """Return a state with what was found out of the same one before: the commit, and how much."""
    if now is None or any(now.get(name) != what.get(name) for name in ("is", "to", "digest")):
        return what
    return {**{name: now[name] for name in ("part", "commit") if name in now}, **what}


# --- How much ---


def _part(was: State, code: Code, files: Files) -> dict[str, float]:
    lines = files.lines(code) if "lines" in was else None
    return {} if lines is None else {"part": part_changed(_unpacked(was["lines"]), _sketch(lines))}


def part_changed(before: frozenset[int], after: frozenset[int]) -> float:
    """Return which part of the lines of both is not in both, 0..1 in hundredths, at least one hundredth.

    The Jaccard distance, estimated from the lowest hashes (bottom-k sketches; Broder, 1997).
    """
    lowest = sorted(before | after)[:SKETCHED]
    same = sum(each in before and each in after for each in lowest)
    return max(0.01, round(1 - same / len(lowest), 2)) if lowest else 0.01


def _sketch(lines: list[bytes]) -> frozenset[int]:
    """Return the lowest hashes of the lines, without those that are blank, whatever their layout."""
    texts = {b" ".join(line.split()) for line in lines} - {b""}
    hashes = {int.from_bytes(hashlib.blake2b(text, digest_size=2).digest(), "big") for text in texts}
    return frozenset(sorted(hashes)[:SKETCHED])


def _packed(lines: list[bytes]) -> str:
    return base64.b85encode(b"".join(each.to_bytes(2, "big") for each in sorted(_sketch(lines)))).decode()


def _unpacked(packed: str) -> frozenset[int]:
    body = base64.b85decode(packed)
    return frozenset(int.from_bytes(body[at : at + 2], "big") for at in range(0, len(body), 2))
