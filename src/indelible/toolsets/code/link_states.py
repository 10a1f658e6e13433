"""How the code that a text names has changed since the text was written.

A link keeps in its metadata what its target was then (`was`), and what has become of it (`now`, absent while
it is as it was). Both are plain data:

- `was`: `at` (when the text was written, microseconds), `digest` of the symbol or file, its `path` and qualified
  `name` ("" for a file), when the file was `modified` (nanoseconds), `rules` (version of the rules by which symbols are
  extracted), `lines` (a sketch, absent where the file could not be read), `only` (whether no other symbol had its name,
  which is of several words; absent for a file).
- `now`: `is` (changed, moved, gone), `changed` where it was moved too, `to` (the new path or name), `digest`, `part`
  (how much of its lines, 0..1, absent where that is not known), `commit` (its beginning, absent likewise).

The texts are judged when the index has run. A text that was written after its file was last modified speaks of the
file as it is now, though the index had not seen it yet.
"""

import base64
import hashlib
import os
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from indelible.core.recall.code_mentions import MOST_CALLED
from indelible.source import source
from indelible.source.indexing import VERSION, hash_of
from indelible.source.parse.definitions import has_words
from indelible.store.database import Transaction
from indelible.store.tables.symbols import segments, tail_of
from indelible.store.views import code_links
from indelible.store.views.code_links import Code

CHANGED, MOVED, GONE = "changed", "moved", "gone"
LEAST_KEPT = 0.5  # of the lines of a deleted symbol that one of another name has which is taken for the same, and
MOST_CHANGED = 0.67  # of the lines of both that are not in both; and the same
LEAST_NAMED, MOST_CHANGED_NAMED = 0.2, 0.9  # of one of its name
TELLING = 9  # letters and digits of a line that says something
SKETCHED = 48  # hashes of lines that a sketch has at most, the lowest, of two bytes each

_LETTERS = re.compile(rb"[^\W_]")

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
        self._sketches: dict[int, tuple[frozenset[int], frozenset[int]] | None] = {}

    def lines(self, code: Code) -> list[bytes] | None:
        """Return the lines of a symbol or file; None where the file is not here, or another than that of the index."""
        found = self._found(code)
        if found is None:
            return None
        return found[0][code.start_line - 1 : code.end_line] if code.name else found[0]

    def sketches(self, code: Code) -> tuple[frozenset[int], frozenset[int]] | None:
        """Return the sketch of a symbol and that of its lines of few letters; None as `lines`."""
        if code.record not in self._sketches:
            lines = self.lines(code)
            few = [] if lines is None else [line for line in lines if not _tells(line)]
            self._sketches[code.record] = None if lines is None else (_sketch(lines), _sketch(few))
        return self._sketches[code.record]

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


def moved_to(was: State, now: State | None, code: Code, mention: Mentioned, files: Files) -> State:
    """Return what has become of a deleted symbol that another one, of that code, is now."""
    _, what = judged(was, now, code, mention._replace(written=was["at"]), files)
    if what is not None and what["is"] == MOVED:
        return what
    return _with_commit({**(what or {}), "is": MOVED, "to": code.name, **({"changed": True} if what else {})}, now)


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


# --- What a deleted symbol is now ---


class Others:
    """The symbols that deleted ones may be now, each looked up once."""

    def __init__(self, tx: Transaction, codebases: Sequence[int]) -> None:
        self._tx, self._codebases = tx, codebases
        self._in_file: dict[int, list[Code]] = {}
        self._called: dict[str, list[Code]] = {}
        self._to: dict[int, int | None] = {}

    def of(self, code: Code) -> list[Code]:
        """Return the symbols of the file of a deleted one and of where that moved, and those of its name elsewhere.

        Tests, and names that many symbols have, are left out of the latter.
        """
        found = {each.record: each for each in self._beside(code.file)}
        if (to := self._moved(code.file)) is not None:
            found |= {each.record: each for each in self._beside(to)}
        return [*(found | {each.record: each for each in self._named(code)}).values()]

    def is_only(self, code: Code) -> bool:
        """Return whether a symbol is the only one of its name, without tests, and the name is of several words."""
        return has_words(segments(code.name)[-1]) and [each.record for each in self._named(code)] == [code.record]

    def _moved(self, file: int) -> int | None:
        """Return the file that has the symbols of a deleted one now."""
        if file not in self._to:
            paths = [each.moved for each in code_links.targets(self._tx, [file]).values() if each.moved]
            to = code_links.files_at(self._tx, self._codebases, paths) if paths else []
            self._to[file] = to[0].record if len(to) == 1 else None
        return self._to[file]

    def _beside(self, file: int) -> list[Code]:
        if file not in self._in_file:
            found = code_links.targets(self._tx, code_links.in_files(self._tx, [file]))
            self._in_file[file] = list(found.values())
        return self._in_file[file]

    def _named(self, code: Code) -> list[Code]:
        name = segments(code.name)[-1]
        if name not in self._called:
            found = code_links.symbols_called(self._tx, self._codebases, [f"{name}."], MOST_CALLED)
            every = [each for some in found.values() for each in some]
            few = every if len(every) < MOST_CALLED else []
            records = [each.record for each in few if not each.gone and not each.is_test]
            self._called[name] = list(code_links.targets(self._tx, records).values())
        return [each for each in self._called[name] if each.root == code.root]


def successor(was: State, code: Code, others: Collection[Code], linked: int, files: Files) -> Code | None:
    """Return the one of some symbols that a deleted one is now, None if it is gone.

    `others` are those of its file, of where that went, and of its name elsewhere; what was there already when its text
    was `linked` (microseconds) tells which of its lines its like have too. It is the one with most of its lines: under
    its own name a newer one with a fifth of them, else one with half of them that also has a third of the lines of
    both, and more than its like: a newer one, or of its name and file. Lines of few letters do not count. Without such
    lines it is a newer one if that is the only one of its name in a file called as its own, which is deleted, or if it
    is the only one of its name, as the deleted one was, and the name is of several words.
    """
    name = segments(code.name)[-1]
    named = [each for each in others if segments(each.name)[-1] == name]
    newer = {each.record for each in others if each.created >= linked}
    if "lines" in was:
        before = _unpacked(was["lines"])
        found = [(*_kept(before, each, name, files), each) for each in others]
        like = [(share, each) for share, _, each in found if each.record not in newer]
        best, most = None, 0.0
        for share, changed, each in found:
            if each.record in newer and each in named:
                enough = share >= LEAST_NAMED and changed <= MOST_CHANGED_NAMED
            else:
                may_be = each.record in newer or (each in named and each.path == was["path"])
                enough = may_be and share >= LEAST_KEPT and changed <= MOST_CHANGED and share > _most_of(like, each)
            if enough and share > most:
                best, most = each, share
        if best is not None:
            return best
    called_alike = [] if code.hash else [each for each in named if _filename(each.path) == _filename(was["path"])]
    for some in (called_alike, named if was.get("only", False) else ()):
        if len(some) == 1 and some[0].record in newer:
            return some[0]
    return None


def _filename(path: str) -> str:
    return path.rpartition("/")[2]


def _most_of(like: Collection[tuple[float, Code]], found: Code) -> float:
    """Return the most that one of some symbols has, without a found one itself and those that it stands in."""

    def is_around(other: Code) -> bool:
        return other.file == found.file and other.start_line <= found.start_line and found.end_line <= other.end_line

    return max((share for share, other in like if not is_around(other)), default=0.0)


def _kept(before: frozenset[int], other: Code, name: str, files: Files) -> tuple[float, float]:
    """Return which part of some lines a symbol has, and which part of its lines and those is not in both.

    Lines of few letters do not count, nor does the one that defines a name of one word: `def __repr__(self)`.
    """
    sketches = files.sketches(other)
    if sketches is None:
        return 0.0, 1.0
    after, common = sketches
    if not has_words(name) and any(each in before for each in after):
        lines = files.lines(other) or []
        common |= _sketch([line for line in lines if name.encode() in line][:1])
    before, after = before - common, after - common
    return len(before & after) / len(before) if before else 0.0, part_changed(before, after)


def _tells(line: bytes) -> bool:
    return len(_LETTERS.findall(line)) >= TELLING


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
