"""Reading JSON with comments and trailing commas into nodes that know where they stand in the text."""

import json
import re
from collections.abc import Sequence
from typing import Any

from indelible.cli.setup.formats import Unsure, line_at
from indelible.dataclass import dataclass

DEEPEST = 200  # levels of nesting

_BLANK = re.compile(r"[ \t\r\n]+")
COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"')
_SCALAR = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-])|(?:true|false|null)(?!\w)")


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands: an object has members, an array items, anything else neither."""

    start: int
    end: int
    members: "tuple[Member, ...] | None" = None
    items: "tuple[Member, ...] | None" = None

    @property
    def parts(self) -> "tuple[Member, ...]":
        """The members or the items, () of anything else."""
        return self.members or self.items or ()


@dataclass(frozen=True, slots=True)
class Member:
    """A key, where it begins, its value, and where the comma after it stands (None: there is none).

    An item of an array is one too: its key is "", and it begins where its value does.
    """

    key: str
    start: int
    value: Node
    comma: int | None


class _Reader:
    """Reads one text into nodes. Raises Unsure at the first thing that is neither JSON nor a comment."""

    def __init__(self, text: str):
        self.text = text
        self.at = 0

    def document(self) -> Node | None:
        self.trivia()
        if self.at == len(self.text):
            return None
        root = self.value(0)
        self.trivia()
        if self.at < len(self.text):
            raise self.unsure("something follows the end of the document")
        return root

    def unsure(self, what: str) -> Unsure:
        return Unsure(line_at(self.text, self.at), what)

    def trivia(self) -> None:
        """Go past blanks and comments."""
        while found := _BLANK.match(self.text, self.at) or COMMENT.match(self.text, self.at):
            self.at = found.end()

    def here(self) -> str:
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> Node:
        if depth > DEEPEST:
            raise self.unsure(f"nested deeper than {DEEPEST} levels")
        match self.here():
            case "{":
                return self.object(depth)
            case "[":
                return self.array(depth)
        start = self.at
        found = _STRING.match(self.text, start) if self.here() == '"' else _SCALAR.match(self.text, start)
        if found is None:
            raise self.unsure(f"a value was expected, not {self.text[start : start + 20].split(chr(10))[0]!r}")
        self.at = found.end()
        return Node(start, self.at)

    def object(self, depth: int) -> Node:
        start = self.at
        self.at += 1
        members: list[Member] = []
        while self.more("}", bool(members) and members[-1].comma is None):
            begin = self.at
            found = _STRING.match(self.text, begin)
            if found is None:
                raise self.unsure('a key in double quotes, or "}", was expected')
            self.at = found.end()
            self.expect(":")
            value = self.value(depth + 1)
            members.append(Member(json.loads(found.group()), begin, value, self.comma()))
        return Node(start, self.at, members=tuple(members))

    def array(self, depth: int) -> Node:
        start = self.at
        self.at += 1
        items: list[Member] = []
        while self.more("]", bool(items) and items[-1].comma is None):
            begin = self.at
            value = self.value(depth + 1)
            items.append(Member("", begin, value, self.comma()))
        return Node(start, self.at, items=tuple(items))

    def more(self, closing: str, ended: bool) -> bool:
        """Is there another element; if not, go past the end."""
        self.trivia()
        if self.here() == closing:
            self.at += 1
            return False
        if ended or not self.here():
            raise self.unsure(f'"," or "{closing}" was expected' if self.here() else f'"{closing}" is missing')
        return True

    def comma(self) -> int | None:
        self.trivia()
        if self.here() != ",":
            return None
        self.at += 1
        return self.at - 1

    def expect(self, sign: str) -> None:
        self.trivia()
        if self.here() != sign:
            raise self.unsure(f'"{sign}" was expected')
        self.at += 1
        self.trivia()


def read(text: str) -> Node | None:
    """The document, None where there is nothing but blanks and comments."""
    return _Reader(text).document()


def value_of(text: str, node: Node) -> Any:
    """The Python value of a node; of a repeated key the last counts."""
    if node.members is not None:
        return {member.key: value_of(text, member.value) for member in node.members}
    if node.items is not None:
        return [value_of(text, item.value) for item in node.items]
    return json.loads(text[node.start : node.end])


# What a document says without how it is written: pairs for objects, lists for arrays, the text of anything else.
Meaning = Sequence[Any] | str


def meaning(text: str, node: Node) -> Meaning:
    """Return the value of a node, to compare it with another."""
    if node.members is not None:
        return tuple((member.key, meaning(text, member.value)) for member in node.members)
    if node.items is not None:
        return [meaning(text, item.value) for item in node.items]
    return text[node.start : node.end]
