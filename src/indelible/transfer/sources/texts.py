"""Files of Markdown that anybody may have written: found, decoded, and taken apart by their headings."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from indelible.clock import moment_of
from indelible.core.records.bounds import LONGEST_TAG
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.sanitize.bounded import yaml_value

LARGEST = 16 << 20  # bytes of a file of notes
DEEPEST = 12  # folders below a place
MOST_FILES = 50_000
LONGEST_PART = 1_200  # characters of an entry that is a part of a section

_FRONT = re.compile(r"\A---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"(#{1,6})[ \t]++(.*)$")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_BULLET = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")


def files(place: Path, *endings: str) -> list[Path]:
    """Return the files below a folder with one of these endings, in order; a file is itself.

    Links to folders are not followed. A link with such an ending is among the files, and `read` refuses it by its name.
    """
    if place.is_file():
        return [place]
    found: list[Path] = []
    folders = [(place, 0)]
    while folders and len(found) < MOST_FILES:
        folder, depth = folders.pop()
        for path in sorted(folder.iterdir(), reverse=True):
            is_link = path.is_symlink()
            if path.is_dir() and not is_link:
                if depth < DEEPEST:
                    folders.append((path, depth + 1))
            elif path.name.lower().endswith(endings) and (is_link or path.is_file()):
                found.append(path)
    return sorted(found)


def read(path: Path) -> str:
    """Return the text of a file, in UTF-8 or by its byte order mark in UTF-16.

    Raises InvalidInput for one that is a link, too large or in another encoding, OSError for one that cannot be read.
    """
    if path.is_symlink():
        raise InvalidInput("it is a link to another file; give that file")
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise InvalidInput(f"it is larger than {LARGEST >> 20} MiB; split it")
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return content.decode(encoding).replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"it is not UTF-8 (byte {error.start}); save it in UTF-8") from None


def changed(path: Path) -> str:
    """Return when a file was last changed, as an ISO 8601 time."""
    return moment_of(path.stat().st_mtime_ns // 1000).isoformat()


def front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Return the YAML before a text, and the text; where it is no YAML, nothing and the text after it."""
    found = _FRONT.match(text)
    if found is None:
        return {}, text
    try:
        values = yaml_value(found[1])
    except ValueError:
        values = None
    return (values if isinstance(values, dict) else {}), text[found.end() :]


def listed(value: Any) -> list[str]:
    """Return the texts of a list, or of one text with commas."""
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    return [part.strip().lstrip("#") for part in parts if isinstance(part, str) and part.strip().lstrip("#")]


def tags(*names: str) -> list[str]:
    """Return names of what a text is in, of its file or group, as its tags: each once, cut to the length of one.

    A name outside of the text is no part of it: in front of each text of a group it makes all of them alike, so that
    they are found less well by their meaning. As a tag it is found by its words and shown.
    """
    return list(dict.fromkeys(cut for name in names if (cut := name.strip()[:LONGEST_TAG].rstrip())))


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text: the headings above it, its number among those of these headings (from 0), and its text."""

    headings: tuple[str, ...]
    number: int
    text: str

    @property
    def own(self) -> str:
        """The name of the part in its file."""
        return "#".join(("", *self.headings)) + (f"#{self.number}" if self.number else "")

    @property
    def content(self) -> str:
        """The text under its headings, which say what it is about."""
        return self.below(0)

    def below(self, level: int) -> str:
        """Return the text under its headings without the first `level` of them."""
        return "\n".join(filter(None, (" / ".join(self.headings[level:]), self.text)))


def parts(text: str) -> Iterator[Part]:
    """Take a text apart by its headings; a long section by its bullets and paragraphs, a few together.

    Headings without a text of their own give no part. What is fenced stays whole.
    """
    seen: dict[tuple[str, ...], int] = {}
    for headings, blocks in _sections(text):
        for joined in _joined(blocks):
            number = seen.get(headings, 0)
            seen[headings] = number + 1
            yield Part(headings, number, joined)


def _sections(text: str) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """The headings above each section, and its blocks: bullets with what is indented below them, paragraphs."""
    levels: list[tuple[int, str]] = []
    blocks: list[list[str]] = [[]]
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark is not None:
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence):
                fence = ""
            blocks[-1].append(line)
            continue
        heading = None if fence else _HEADING.match(line)
        if heading is not None:
            yield tuple(title for _, title in levels), _texts(blocks)
            level = len(heading[1])
            levels = [*(each for each in levels if each[0] < level), (level, heading[2].rstrip(" \t#"))]
            blocks = [[]]
        elif fence:
            blocks[-1].append(line)
        elif not line.strip():
            blocks.append([])
        elif _BULLET.match(line) and blocks[-1]:
            blocks.append([line])
        else:
            blocks[-1].append(line)
    yield tuple(title for _, title in levels), _texts(blocks)


def _texts(blocks: list[list[str]]) -> list[str]:
    return [text for block in blocks if (text := "\n".join(block).rstrip())]


def _joined(blocks: list[str]) -> Iterator[str]:
    """The blocks of a section, together as long as they are short."""
    so_far = ""
    for block in blocks:
        if so_far and len(so_far) + len(block) > LONGEST_PART:
            yield so_far
            so_far = ""
        so_far = f"{so_far}\n{block}" if so_far else block
    if so_far.strip():
        yield so_far.strip()
