"""Tokens that are not written in one piece: broken over lines, or encoded in base64 or hexadecimal."""

import binascii
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

from indelible.sanitize.secret_rules import compiled, unrest, wordiness

Span = tuple[int, int, str]
Seam = tuple[int, int]  # where a line ends inside a token, and where it goes on

# A line end and what begins the next line: plain, or as an escape. The group is what goes on. What stands before is
# looked at here already, as far as one character tells (see `_line_end`): most lines of source end in brackets.
_SEAMS = tuple(
    end + rf"(?<=[A-Za-z0-9_+/=.~%:|\-\"' \t\r\\]{end})" + r"(?:[ \t]{1,24}+|(?:[>#*|+.-]|//[/!]?)[ \t]){0,4}+[\"']?+"
    r"(?=[a-z_./-]{0,12}+[A-Z0-9])([A-Za-z0-9_.~%+/=:|!@-]{3,4096}+)"
    for end in (r"\n", r"\\n")
)
_LINE_ENDS = " \t\r\\"
_NEAR = 300  # characters before a broken token, by which it may be known
_SHORT = 4
_LINES = 24
_BREAK = r"(?:[ \t]{0,4}\\)?[ \t]{0,4}(?:\r?\n|(?:\\{1,3}r)?\\{1,3}n)(?:[ \t]{1,24}|(?:[>#*|+.-]|//[/!]?)[ \t]){0,4}"
_QUOTED_BREAK = r"[\"'][ \t]{0,4}[.+\\]?[ \t]{0,4}\r?\n[ \t]{0,24}[.+]?[ \t]{0,4}[\"']"
_REST = r"[A-Za-z0-9_.~%+/=:-]{2,4096}+"

_ENCODED = r"[A-Za-z0-9+/_-]{20,}+"
_LONGEST = 8_192  # characters of an encoded text that are decoded
_HEAD = 16


def broken(text: str, find: Callable[[str], Iterable[Span]]) -> Iterator[Span]:
    """Spans of secrets that are broken over lines and not known by their first line alone.

    `find` finds the spans of a text in one piece.
    """
    for seams in _together(_seams(text)):
        start = max(0, seams[0][0] - _NEAR)
        pieces, places, at, size = [], [], start, 0  # where each piece begins: in one piece, and in the text
        for end, goes_on in seams:
            pieces.append(text[at:end])
            places.append((size, at))
            size, at = size + end - at, goes_on
        stop = _run_end(text, at)
        pieces.append(text[at : min(len(text), stop + 1)])
        places.append((size, at))
        whole = "".join(pieces)
        joints = [place for place, _ in places[1:]]
        for first, last, rule in find(whole):
            if any(first < joint < last for joint in joints):
                yield _place(places, first), _place(places, last - 1) + 1, rule


def _place(places: list[tuple[int, int]], at: int) -> int:
    """Return where in the text a place of the whole is."""
    size, start = places[bisect_right(places, (at, 1 << 62)) - 1]
    return start + at - size


def _together(seams: list[Seam]) -> Iterator[list[Seam]]:
    """Seams between which there is nothing but one run, together."""
    group: list[Seam] = []
    for end, goes_on in seams:
        if group and end - group[-1][1] > _NEAR * 4:
            yield group
            group = []
        group.append((end, goes_on))
    if group:
        yield group


def _run_end(text: str, at: int) -> int:
    run = compiled(r"\S{0,4096}+").match(text, at)
    return run.end() if run else at


def _seams(text: str) -> list[Seam]:
    """Every line end with a part of a token on both sides, as far as can be told by their looks."""
    seams = []
    for source in _SEAMS:
        for match in compiled(source).finditer(text):
            rest = match[1]
            if (rest.isalpha() and (rest.islower() or rest.istitle())) or not _is_part(rest, compiled(_FIRST)):
                continue
            end = _line_end(text, match.start())
            if end and _is_part(text[max(0, end - 48) : end], compiled(_LAST)):
                seams.append((end, match.start(1)))
    return sorted(seams)


_FIRST, _LAST = r"[A-Za-z0-9]++", r"[A-Za-z0-9]++(?=[^A-Za-z0-9\s]{0,2}\Z)"


def _line_end(text: str, at: int) -> int:
    """Return where what stands before a line end ends; 0 if it does not end in a token."""
    end = at - len(text[max(0, at - 12) : at]) + len(text[max(0, at - 12) : at].rstrip(_LINE_ENDS))
    if text[max(0, end - 1) : end] in ("+", ".") and text[max(0, end - 2) : end - 1] in (" ", '"', "'"):
        end = end - 12 + len(text[max(0, end - 12) : end].rstrip(" +.")) if end >= 12 else end
    if text[max(0, end - 1) : end] in ('"', "'"):
        end -= 1
    before = text[max(0, end - 1) : end]
    return end if before.isascii() and (before.isalnum() or before in tuple("_-+/=.~%:|")) else 0


def _is_part(run: str, side: re.Pattern[str]) -> bool:
    """Return whether what touches a seam may be a part of a token."""
    found = side.search(run)
    if found is None:
        return False
    piece, word = found[0], run.rsplit(None, 1)[-1]
    digits = _digits_in(word)
    if piece.isdigit():
        return len(piece) >= 6 or (not word.isdigit() and any(map(str.isalpha, word)))
    if len(piece) < _SHORT or digits >= 2:
        return digits > 0
    if digits and word not in (word.lower(), word.upper()):
        return True
    return is_fragment(piece) or (piece.isupper() and len(piece) >= 6 and wordiness(piece.lower()) < 0.5)


def continued(text: str, end: int, secret: str) -> int:
    """Return where a secret ends that goes up to the end of its line: on the next ones, if they go on as it does."""
    is_hex = compiled(r"[0-9a-f-]{8,}").search(secret[-24:].lower()) is not None
    for _ in range(_LINES):
        gap = compiled(_BREAK).match(text, end) or compiled(_QUOTED_BREAK).match(text, end)
        rest = compiled(_REST).match(text, gap.end()) if gap else None
        if rest is None or not _goes_on(text, rest, is_hex=is_hex):
            break
        end = rest.start() + len(rest[0].rstrip("."))
    return end


def _goes_on(text: str, rest: re.Match[str], *, is_hex: bool) -> bool:
    after = text[rest.end() : rest.end() + 1]
    if after not in ("", "\n", "\r", "\\", '"', "'", "`", " ", ",", ";", ")", "|", "&"):
        return False
    value = rest[0].rstrip(".")
    if compiled(r"(?:0x)?[0-9a-f-]+|[0-9.,-]+").fullmatch(value):
        return is_hex and len(value) >= 6 and not value.isdigit() and after != " "
    return len(value) >= 6 and value[:1] != "/" and _is_mixed(value)


def _digits_in(value: str) -> int:
    return sum(map(str.isdigit, value))


def is_fragment(value: str) -> bool:
    """Return whether a piece may be a part of a token: no word, no name made of words, no number."""
    if value.isdigit() and len(value) < 6:
        return False
    digits = _digits_in(value)
    if digits:
        both = value not in (value.lower(), value.upper())
        return digits >= 2 or both or wordiness(value.lower()) < 0.6
    if value in (value.lower(), value.upper(), value.title()):
        return False
    return wordiness(value.lower()) < 0.5 or unrest(value) >= 0.35


def _is_mixed(value: str) -> bool:
    digits, share = _digits_in(value), wordiness(value.lower())
    both = value not in (value.lower(), value.upper())
    if digits >= 3:
        return share < 0.75
    if digits:
        return (both or len(value) >= 12) and share < 0.6
    return both and value != value.title() and (share < 0.3 or (share < 0.5 and unrest(value) >= 0.35))


def encoded(text: str, words: str, finds: Callable[[str], str]) -> Iterator[tuple[int, int, str]]:
    """Spans of base64 and hexadecimal that are of a text with a token; `finds` says by which rule, '' for none.

    `words` are the words of the text that may hold one, with spaces between them.
    """
    for run_text in dict.fromkeys(compiled(_ENCODED).findall(words)):
        plain = decoded(run_text)
        rule = finds(plain) if plain else ""
        at = text.find(run_text) if rule else -1
        while at != -1:
            end = at + len(run_text)
            yield at, end + (len(text[end : end + 2]) - len(text[end : end + 2].lstrip("="))), rule
            at = text.find(run_text, end)


def decoded(run: str) -> str:
    """The text that a run of base64 or hexadecimal is of; '' if it is of none."""
    run = run[:_LONGEST]
    if compiled(r"[0-9a-fA-F]{32,}").fullmatch(run):
        plain = bytes.fromhex(run[: len(run) & ~1])
        if _is_text(plain):
            return plain.decode()
    standard = run.translate(_STANDARD)
    for skipped in range(4) if len(run) < 256 else (0,):  # letters that stand before it
        body = standard[skipped:]
        if _is_text(binascii.a2b_base64(body[:_HEAD])):
            plain = binascii.a2b_base64(body[: len(body) // 4 * 4 if len(body) % 4 == 1 else len(body)] + "==")
            if _is_text(plain):
                return plain.decode()
    return ""


_STANDARD = str.maketrans("-_", "+/")


def _is_text(plain: bytes) -> bool:
    return plain.isascii() and not plain.translate(None, _TEXT)


_TEXT = bytes(range(32, 127)) + b"\t\n\r\x1b"
