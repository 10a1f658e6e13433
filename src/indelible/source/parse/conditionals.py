"""C before its preprocessor: where an #if cuts through a statement, one of its branches is taken.

`#ifdef A` `if(a) {` `#else` `if(b) {` `#endif` opens two blocks and closes one. An #if whose branches are all whole
statements is left as it is: a function in the #else branch is a definition like any other.
"""

import re
from collections.abc import Iterator
from dataclasses import field

from indelible.dataclass import dataclass

DEEPEST = 32  # #ifs within one another that are looked at, so that the work is bounded
LONGEST = 4_000  # bytes of a branch that is part of a statement; a longer one has definitions of its own

_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(\w+)((?:[^\n\\]|\\\r?\n|\\)*)", re.MULTILINE)
_NO_CODE = re.compile(
    rb"//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|\"(?:[^\"\\\n]|\\.)*+(?:\"|\\?(?=\n|\Z))|'(?:[^'\\\n]|\\.){1,8}+'",
    re.DOTALL,
)
_ENDS = frozenset(b";}")
_CONTINUES = re.compile(rb"\s*(?:else\b|[&|?:+*/.,)\]=<>])")  # cannot begin a statement


@dataclass
class _Group:
    """An #if with its branches: where each directive stands, the #endif last."""

    depth: int
    directives: list[tuple[int, int, bytes]] = field(default_factory=list)

    def branches(self) -> Iterator[tuple[int, int]]:
        for (_, start, _), (end, _, _) in zip(self.directives, self.directives[1:], strict=False):
            yield start, end


def whole_statements(text: bytes) -> bytes:
    """Return the text at the same length, with one branch of every #if whose branches are no whole statements."""
    if b"#" not in text:
        return text
    code = _NO_CODE.sub(_blank, text)
    directives = list(_DIRECTIVE.finditer(code))
    bare = bytearray(_DIRECTIVE.sub(_blank, code))
    kept = bytearray(text)
    for group in _groups(directives):  # inner ones first: their rest is part of the outer
        if group.depth <= DEEPEST and not _is_whole(bare, group):
            for start, end in _left_out(group):
                kept[start:end] = bare[start:end] = re.sub(rb"[^\n]", b" ", text[start:end])
    return bytes(kept)


def _blank(found: "re.Match[bytes]") -> bytes:
    return re.sub(rb"[^\n]", b" ", found.group())


def _groups(directives: list["re.Match[bytes]"]) -> Iterator[_Group]:
    open_: list[_Group] = []
    for found in directives:
        word, place = found.group(1), (found.start(), found.end(), found.group(1) + found.group(2))
        if word.startswith(b"if"):
            open_.append(_Group(len(open_)))
        if not open_ or not word.startswith((b"if", b"el", b"end")):
            continue
        open_[-1].directives.append(place)
        if word == b"endif":
            yield open_.pop()


def _is_whole(code: bytearray, group: _Group) -> bool:
    """Whether a group stands between statements, and each branch consists of whole ones, or is too long for a part."""
    if any(end - begin > LONGEST for begin, end in group.branches()):
        return True
    start = group.directives[0][0]
    before = code[max(0, start - 2_000) : start].rstrip()
    if before and before[-1] not in b";{}:":
        return False
    return all(_is_balanced(bytes(code[begin:end])) for begin, end in group.branches())


def _is_balanced(branch: bytes) -> bool:
    branch = branch.strip()
    if not branch:
        return True
    if branch[-1] not in _ENDS or _CONTINUES.match(branch):
        return False
    for opening, closing in ((b"{", b"}"), (b"(", b")")):
        first = branch.find(closing)
        if branch.count(opening) != branch.count(closing) or -1 < first < branch.find(opening):
            return False
    return True


def _left_out(group: _Group) -> Iterator[tuple[int, int]]:
    """The directives of a group, and all of its branches but the first (the second of `#if 0`)."""
    branches = list(group.branches())
    never = re.match(rb"if\s+0\s*$", group.directives[0][2].strip()) is not None
    taken = 1 if never and len(branches) > 1 else 0
    yield from ((start, end) for start, end, _ in group.directives)
    yield from (span for index, span in enumerate(branches) if index != taken or (never and len(branches) == 1))
