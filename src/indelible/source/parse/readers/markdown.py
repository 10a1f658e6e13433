"""The headings of Markdown, as CommonMark has them: `# ATX`, and a line that is underlined with `=` or `-`.

Not in fenced code, HTML comments or the front matter. A grammar would give the same for a wheel more.
"""

import re
from collections.abc import Iterator

from indelible.source.parse.readers.section import Section
from indelible.source.parse.symbols import MODULE

LONGEST_NAME = 200
MOST_DOC = 1_000  # characters of a section's first paragraph

_ATX = re.compile(rb" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_CLOSED = re.compile(rb"(?:^|(?<![ \t])[ \t]++)#++[ \t]*+$")
_UNDERLINE = re.compile(rb" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(rb" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_NO_PARAGRAPH = re.compile(rb"(?: {4}|\t| {0,3}(?:[-*+>|<]|\d{1,9}[.)] |#{1,6}(?: |$)))")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])?")
_TAG = re.compile(r"</?(?:a|b|br|code|div|em|font|h[1-6]|i|img|kbd|p|small|span|strong|su[bp])(?:\s[^<>]*)?/?>")


def sections(text: bytes) -> Iterator[Section]:
    """Yield the sections of a text, each up to the next heading of its level or above."""
    found = list(_headings(text))
    ends = [len(text)] * len(found)
    open_: list[int] = []
    for index, (level, _, start, _) in enumerate(found):
        while open_ and found[open_[-1]][0] >= level:
            ends[open_.pop()] = start
        open_.append(index)
    for (level, name, start, after), end in zip(found, ends, strict=True):
        yield Section(MODULE, name, start, end, start, "", f"{'#' * level} {name}", _paragraph(text, after, end))


def _headings(text: bytes) -> Iterator[tuple[int, str, int, int]]:
    """Yield (level, name, start, end) of the headings."""
    before, before_at = b"", 0  # the lines of a paragraph so far
    for at, line in _lines_of_text(text):
        if heading := _ATX.match(line):
            before = b""
            if name := _plain(_CLOSED.sub(b"", heading[2] or b"")):
                yield len(heading[1]), name, at, at + len(line)
        elif before and (underline := _UNDERLINE.match(line)):
            if name := _plain(before):
                yield 1 if underline[1][:1] == b"=" else 2, name, before_at, at + len(line)
            before = b""
        elif not line.strip() or (not before and _NO_PARAGRAPH.match(line)):
            before = b""
        elif before:
            before = (before + b" " + line)[:LONGEST_NAME]
        else:
            before, before_at = line[:LONGEST_NAME], at


def _lines_of_text(text: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (start, line) of each line, an empty one for those of code, comments and the front matter."""
    fence = b""
    comment = False
    at = _after_front_matter(text)
    while at < len(text):
        stop = text.find(b"\n", at)
        stop = len(text) if stop < 0 else stop
        line = text[at:stop].rstrip(b"\r")
        mark = _FENCE.match(line)
        if fence:
            yield at, b""
            fence = b"" if mark and mark[1].startswith(fence) and not line[mark.end() :].strip() else fence
        elif comment or line.lstrip().startswith(b"<!--"):
            yield at, b""
            comment = b"-->" not in line
        else:
            fence = mark[1] if mark else b""
            yield at, b"" if mark else line
        at = stop + 1


def _after_front_matter(text: bytes) -> int:
    if not re.match(rb"---[ \t]*\r?\n", text):
        return 0
    end = re.compile(rb"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE).search(text, 4)
    return end.end() if end else 0


def _plain(written: bytes) -> str:
    """Return a heading's text without its markup."""
    text = _TAG.sub("", _LINK.sub(r"\1", written.decode("utf-8", "replace")))
    return " ".join(text.replace("`", "").replace("**", "").replace("__", "").split())[:LONGEST_NAME].strip("*_ ")


def _paragraph(text: bytes, start: int, end: int) -> str:
    """Return the first paragraph of a section."""
    begin = text[start : min(end, start + 4 * MOST_DOC)].decode("utf-8", "replace").strip()
    first = re.split(r"\n\s*\n", begin, maxsplit=1)[0].strip()
    return "" if first.startswith(("#", "<", "```", "~~~", "|")) else first[:MOST_DOC]
