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
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from indelible.source import source
from indelible.source.indexing import VERSION, hash_of
from indelible.store.tables.symbols import segments, tail_of
from indelible.store.views.code_links import Code

CHANGED, MOVED, GONE = "changed", "moved", "gone"
LEAST_KEPT = 0.5  # of the lines of a deleted symbol that one of another name has which is taken for the same, and
MOST_CHANGED = 0.67  # of the lines of both that are not in both
SKETCHED = 48  # hashes of lines that a sketch has at most, the lowest, of two bytes each

State = Mapping[str, Any]


class Mentioned(NamedTuple):
    """A mention of a target in a text: the name there, when the text was written (microseconds).

    Without `is_whole` a file is only where the text places something: its own changes are none of the text's.
    """

    name: str
    written: int
    is_whole: bool


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
    was: State | None, now: State | None, code: Code, mention: Mentioned, files: Files
) -> tuple[State, State | None]:
    """Return what a target was when its text was written, and what has become of it since, if anything.

    `was` and `now` are what the link has so far, None for nothing.
    """
    written, is_whole = mention.written, mention.is_whole
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
    place = _new_place(was, code, mention.name)
    if not place and not differs:
        return was, None
    what = {"is": MOVED, "to": place, **({"changed": True} if differs else {})} if place else {"is": CHANGED}
    if differs:
        what |= {"digest": digest, **_part(was, code, files)}
    return was, _with_commit(what, now)


def _new_place(was: State, code: Code, mention: str) -> str:
    """Return where a target is now, "" where it is as the text says: in the same file by the same name."""
    if was["path"] != code.path:
        return code.path
    is_called_so = not code.name or tail_of(code.name).startswith(tail_of(mention))
    if is_called_so or segments(was["name"])[-2:] == segments(code.name)[-2:]:  # a package may have another place
        return ""
    return code.name


def _was_seen(was: State, code: Code, written: int, files: Files) -> bool:
    """Return whether a file was modified again before a text was written, though the index had not seen that yet."""
    return int(was["modified"]) < files.modified(code) <= written * 1_000


def _with_commit(what: dict[str, Any], now: State | None) -> dict[str, Any]:
    """Return a state with what was found out of the same one before: the commit, and how much."""
    if now is None or any(now.get(name) != what.get(name) for name in ("is", "to", "digest")):
        return what
    return {**{name: now[name] for name in ("part", "commit") if name in now}, **what}


# --- How much ---


def successor(was: State, others: Iterable[Code], files: Files) -> Code | None:
    """Return the one of some symbols that has most of the lines of a deleted one, at least half of them.

    It was given another name, and perhaps changed. At least a third of the lines of both are in both.
    """
    if "lines" not in was:
        return None
    before = _unpacked(was["lines"])
    best, most = None, LEAST_KEPT
    for code in others:
        lines = files.lines(code)
        if lines is None or not before:
            continue
        after = _sketch(lines)
        share = len(before & after) / len(before)
        if share >= most and part_changed(before, after) <= MOST_CHANGED:
            best, most = code, share
    return best


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
