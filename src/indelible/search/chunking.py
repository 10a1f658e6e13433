"""Documents cut into chunks at sections, paragraphs and sentences: no word is lost, and an edit moves few cuts.

Every section is cut by itself. Where a section is too long, the cut is one of the best borders within reach, and which
of them a hash of the words around it says (after content-defined chunking: Muthitacharoen, Chen and Mazieres, 2001).
After an edit the cuts therefore soon fall where they fell before, also in a text without sections.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from typing import Literal
from zlib import crc32

from indelible.dataclass import dataclass

Syntax = Literal["markdown", "rst", "code"]

# Changing any of these gives the chunks of a document that is stored again new ids.
MOST = 1_000  # characters of a chunk before its overlap, about a window of the dense model; see `_weight`
EARLIEST = 0.5  # of it: no cut before that, but at the end of a section
TAIL = 50  # characters that are left for the last chunk of a section at least
SMALL = 200  # characters of a section below which the next one is joined to it
OVERLAP = 120  # characters that a chunk repeats of the one before, at most; a third of it in dense scripts
LONGEST_HEADING = 120

_SUFFIXES: dict[str, Syntax] = {"rst": "rst", "rest": "rst"}
_PROSE = frozenset(("", "md", "markdown", "mdown", "mkd", "mdx", "qmd", "rmd", "txt", "text", "adoc", "org", "tex"))

_FENCE = re.compile(r"^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})(.*)$", re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}(#{1,6})(?=[ \t\r]|$)(.*)$", re.MULTILINE)
_UNDERLINES = {
    "markdown": re.compile(r"^(=|-)\1{2,}[ \t\r]*$", re.MULTILINE),
    "rst": re.compile(r"^([=\-~^\"'`#*+:._])\1{2,}[ \t\r]*$", re.MULTILINE),
}

# A cut stands where a match ends. A letter or digit alone before a full stop ("e.g.", "J.", "3.") ends no sentence.
_SENTENCE = re.compile(r"(?<![.!?…])(?:(?<!\b\w)\.|[!?…])[.!?…]*[\"'”’)\]*_`]*\s+(?![a-z\s])|[。！？｡][”’」』）]*\s*")
_PARAGRAPH = re.compile(r"\n[ \t\r]*\n\s*")
_LINE = re.compile(r"\n")
_CLAUSE = re.compile(r"[、，；：､]")
_SPACE = re.compile(r"\s+")
_TOP = re.compile(r"\n[ \t\r]*\n(?=\S)")  # text after a blank line that is not indented
_BLANK = re.compile(r"\n[ \t\r]*\n")
_IN_PROSE = (_PARAGRAPH, _SENTENCE, _LINE)
_IN_CODE = (_TOP, _BLANK, _LINE)
_ANYWHERE = (_CLAUSE, _SPACE)

_Borders = tuple[re.Pattern[str], ...]
_SENTENCES: _Borders = (_SENTENCE, *_ANYWHERE)
_LINES: _Borders = (_LINE,)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a text: `text` is text[start:end]; `headings` are those that it stands under, the outermost first."""

    start: int
    end: int
    text: str
    headings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Section:
    """A heading (level 1 is the highest, 0 is none) with the text under it; blocks of code as (start, end)."""

    start: int
    end: int
    level: int
    headings: tuple[str, ...]
    bare: bool  # headings and nothing else
    fences: tuple[tuple[int, int], ...] = ()


@dataclass(slots=True)
class _Outline:
    """The headings above a place in the text."""

    path: list[tuple[int, str]] = field(default_factory=list)

    def enter(self, level: int, title: str) -> tuple[str, ...]:
        self.path = [(above, name) for above, name in self.path if above < level]
        if title:
            self.path.append((level, title[:LONGEST_HEADING]))
        return tuple(name for _, name in self.path)


def syntax_of(file_name: str) -> Syntax:
    """Return how a file of that name is read: as code, where `#` begins a comment, unless it is known to be prose."""
    name = file_name.replace("\\", "/").rpartition("/")[2].lower()
    suffix = name.rpartition(".")[2] if "." in name[1:] else ""
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    return "markdown" if suffix in _PROSE or not suffix.isalnum() or len(suffix) > 10 else "code"


def chunks(text: str, syntax: Syntax = "markdown") -> list[Chunk]:
    """Return the chunks of a text in order: every character that is no white space is in one, some are in two.

    A chunk never crosses a section's end, unless the sections are small. No chunks for a text of white space only.
    """
    found = []
    for section in _joined(text, _sections(text, syntax)):
        found += [chunk for chunk in _cut(text, section, syntax == "code") if chunk.text]
    return found


def _sections(text: str, syntax: Syntax) -> Iterator[_Section]:
    fences = () if syntax == "code" else tuple(_fences(text))
    outline, path = _Outline(), tuple[str, ...]()
    start = level = body = 0
    for at, after, next_level, title in _headings(text, syntax, fences):
        yield from _section(text, start, at, level, path, body, fences)
        start, level, path, body = at, next_level, outline.enter(next_level, title), after
    yield from _section(text, start, len(text), level, path, body, fences)


def _section(
    text: str,
    start: int,
    end: int,
    level: int,
    path: tuple[str, ...],
    body: int,
    fences: tuple[tuple[int, int], ...],
) -> Iterator[_Section]:
    if end > start:
        bare = level > 0 and not text[body:end].strip()
        yield _Section(start, end, level, path, bare, fences)


def _fences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of fenced blocks of code; an unclosed one goes to the end, as in CommonMark."""
    opened, start = "", 0
    for match in _FENCE.finditer(text):
        marks, rest = match[1], match[2]
        if not opened:
            opened, start = marks, match.start()
        elif marks[0] == opened[0] and len(marks) >= len(opened) and not rest.strip():
            yield start, match.end()
            opened = ""
    if opened:
        yield start, len(text)


def _headings(text: str, syntax: Syntax, fences: tuple[tuple[int, int], ...]) -> Iterator[tuple[int, int, int, str]]:
    """Yield (start, start of the text below, level, title) of each heading outside code, in order."""
    if syntax == "code":
        return
    found = list(_underlined(text, syntax))
    if syntax == "markdown":
        found += [(m.start(), m.end(), len(m[1]), m[2].strip().rstrip("#").rstrip()) for m in _HEADING.finditer(text)]
    inner = iter(fences)
    fence = next(inner, None)
    for heading in sorted(found):
        while fence is not None and fence[1] <= heading[0]:
            fence = next(inner, None)
        if fence is None or heading[0] < fence[0]:
            yield heading


def _underlined(text: str, syntax: Literal["markdown", "rst"]) -> Iterator[tuple[int, int, int, str]]:
    """Yield titles with a line of marks below (in reStructuredText also above); the marks determine the level."""
    levels = {"=": 1, "-": 2} if syntax == "markdown" else {}
    for match in _UNDERLINES[syntax].finditer(text):
        line = text.rfind("\n", 0, max(0, match.start() - 1)) + 1
        title = text[line : match.start()].strip()
        marks = len(match[0].rstrip())
        if not 0 < len(title) <= 2 * marks or set(title) == {match[1]} or title[0] in "#>|":
            continue
        above = text.rfind("\n", 0, max(0, line - 1)) + 1
        start = above if text[above:line].strip() == match[0].rstrip() else line
        yield start, match.end(), levels.setdefault(match[1], len(levels) + 1), title


def _joined(text: str, sections: Iterable[_Section]) -> Iterator[_Section]:
    """Join small sections, and headings without a text, with the next section."""
    waiting: _Section | None = None
    for section in sections:
        if waiting is None:
            waiting = section
        elif waiting.bare or _is_small(text, waiting, section):
            path = section.headings if waiting.bare else waiting.headings or section.headings
            waiting = replace(waiting, end=section.end, headings=path, bare=waiting.bare and section.bare)
        else:
            yield waiting
            waiting = section
    if waiting is not None:
        yield waiting


def _is_small(text: str, section: _Section, following: _Section) -> bool:
    """Whether the next section belongs to this one, which is small, and both are one chunk."""
    size = section.end - section.start
    if size >= SMALL or (following.level < section.level and size > TAIL):
        return False
    return _reach(text, section.start, following.end) >= following.end


def _cut(text: str, section: _Section, is_code: bool) -> Iterator[Chunk]:
    begin = start = section.start
    while (reach := _reach(text, start, section.end)) < section.end:
        cut, repeated = _border(text, start, reach, section, is_code)
        yield _chunk(text, begin, cut, section.headings)
        begin, start = _overlap(text, start, cut, repeated), cut
    yield _chunk(text, begin, section.end, section.headings)


def _chunk(text: str, start: int, end: int, headings: tuple[str, ...]) -> Chunk:
    """Return a chunk without white space around it, except the indentation of its first line."""
    part = text[start:end]
    first = start + len(part) - len(part.lstrip())
    end = start + len(part.rstrip())
    start = max(start, text.rfind("\n", start, first) + 1)
    return Chunk(start, max(start, end), text[start:end], headings)


def _reach(text: str, start: int, end: int) -> int:
    """Return how far a chunk from `start` may go."""
    part = text[start : min(start + MOST, end)]
    if part.isascii():
        return start + len(part)
    room = MOST
    for at, char in enumerate(part):
        room -= _weight(char)
        if room < 0:
            return start + at
    return start + len(part)


def _weight(char: str) -> int:
    """Return how many English characters take as many word pieces as one of this script."""
    return 1 if char < "\u0370" else 2 if char < "\u2e80" else 4


def _border(text: str, start: int, reach: int, section: _Section, is_code: bool) -> tuple[int, _Borders]:
    """Return where to cut, and the borders before it where the next chunk may begin: none where it stands alone."""
    low = start + int((reach - start) * EARLIEST)
    high = max(low, min(reach, section.end - TAIL))
    fences = _between(section.fences, low, reach)
    for fence in fences:
        if fence[1] > reach and fence[0] > start and _reach(text, *fence) >= fence[1]:
            return fence[0], _SENTENCES  # it is whole in the next chunk
    for pattern in _IN_CODE if is_code else _IN_PROSE:
        places = [p for p in _ends(pattern, text, low, high) if not any(a < p < b for a, b in fences)]
        if places:
            return _chosen(text, places), _repeated_in_code(pattern) if is_code else _SENTENCES
    for pattern in (*(_IN_CODE if fences else ()), *_ANYWHERE):
        places = _ends(pattern, text, low, high)
        if places:
            return _chosen(text, places), _LINES if is_code or fences else _SENTENCES
    inside = [p for p in range(max(low, high - 64), high + 1) if not _is_joined(text, p)]
    return (_chosen(text, inside) if inside else high), _SENTENCES


def ends_in(text: str) -> Iterator[list[int]]:
    """Yield lists of places where a text may end early, ascending: ends of sentences and paragraphs; if none of these
    will do, ends of lines; then of clauses and words; at last between any two characters not shown as one.
    """
    length = len(text)
    for patterns in ((_SENTENCE, _PARAGRAPH), (_LINE,), _ANYWHERE):
        yield sorted({end for pattern in patterns for end in _ends(pattern, text, 1, length - 1)})
    yield [place for place in range(1, length) if not _is_joined(text, place)]


def _between(spans: tuple[tuple[int, int], ...], low: int, high: int) -> list[tuple[int, int]]:
    """Return those of the ordered spans that overlap the range between two places."""
    first = bisect_left(spans, (low, 0))
    first -= first > 0 and spans[first - 1][1] > low
    return list(spans[first : bisect_left(spans, (high, 0))])


def _repeated_in_code(cut_at: re.Pattern[str]) -> _Borders:
    return () if cut_at is _TOP else _LINES


def _ends(pattern: re.Pattern[str], text: str, low: int, high: int) -> list[int]:
    """Return the ends of matches between low and high. (One more character is read: the next one matters.)"""
    return [p for match in pattern.finditer(text, max(0, low - 1), high + 1) if low <= (p := match.end()) <= high]


def _chosen(text: str, places: list[int]) -> int:
    """Return one of the places by a hash of the words around it: the same one wherever the search began."""
    if len(places) == 1:
        return places[0]
    return max(places, key=lambda p: (crc32(text[p : p + 24].encode(errors="surrogatepass")), p))


def _is_joined(text: str, place: int) -> bool:
    """Whether the characters before and after a place are shown as one."""
    return text[place - 1] == "\u200d" or text[place] in "\u200d\ufe0f" or unicodedata.combining(text[place]) > 0


def _overlap(text: str, start: int, cut: int, borders: _Borders) -> int:
    """Return where the next chunk begins: with the last sentence before the cut, or its last words if it is long."""
    length = OVERLAP if max(text[max(start, cut - OVERLAP) : cut]) < "\u2e80" else OVERLAP // 3
    low = max(start + 1, cut - length)
    for pattern in borders:
        places = [p for p in _ends(pattern, text, low, cut) if p < cut]
        if places:
            return places[0]
    is_inside_a_word = not (text[cut - 1].isspace() or text[cut].isspace())
    return low if is_inside_a_word else cut
