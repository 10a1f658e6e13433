"""Edits of JSON with comments by text offsets: a value is set, put in or taken out, all else stays byte for byte."""

import json
import re
from dataclasses import replace
from typing import Any

from indelible.cli.setup.formats import Unsure, edited, line_at, newline_of
from indelible.cli.setup.json_nodes import COMMENT, Member, Node, read
from indelible.dataclass import dataclass

_CLOSED = re.compile(r"([\[{])[ \t\r\n]*[\]}]")
_INDENT = re.compile(r"[ \t]*")
_MORE_ON_THE_LINE = re.compile(r"[ \t]*[^ \t\r\n]")
_SAME_LINE = re.compile(r"(?:[ \t]*+(?://[^\r\n]*+|/\*(?:[^*\r\n]|\*(?!/))*+\*/))*+")

# --- Finding ---


def root_of(text: str) -> Node | None:
    """The object that a document is, None where it says nothing. Unsure where it is anything else."""
    root = read(text)
    if root is not None and root.members is None:
        raise Unsure(line_at(text, root.start), "the document is not an object ({ ... })")
    return root


def member_of(text: str, node: Node, key: str) -> Member | None:
    """The member of a key, None where it is missing. Unsure where it stands there twice."""
    found = [member for member in node.members or () if member.key == key]
    if len(found) > 1:
        raise Unsure(line_at(text, found[1].start), f'the key "{key}" stands there twice; keep only one')
    return found[0] if found else None


def table_of(text: str, node: Node, key: str) -> Node | None:
    """The object under a key, None where the key is missing."""
    found = member_of(text, node, key)
    if found is None:
        return None
    if found.value.members is None:
        raise Unsure(line_at(text, found.start), f'"{key}" is not an object ({{ ... }})')
    return found.value


# --- Putting in ---


def with_value(text: str, path: tuple[str, ...], value: Any) -> str:
    """The text with the value of a path of keys set; what is missing of the path is made, last in its object."""
    root = root_of(text)
    if root is None:
        return _appended(text, _nested(path, value))
    node = root
    for depth, key in enumerate(path):
        found = member_of(text, node, key)
        if found is None:
            return inserted(text, root, node, key, _nested(path[depth + 1 :], value))
        if depth == len(path) - 1:
            style = _style(text, root, _indent_of_line(text, found.start))
            if "\n" not in text[found.value.start : found.value.end]:
                style = replace(style, step=None)
            return edited(text, [(found.value.start, found.value.end, style.dump(value))])
        if found.value.members is None:
            raise Unsure(line_at(text, found.start), f'"{key}" is not an object ({{ ... }})')
        node = found.value
    raise AssertionError("a path has at least one key")


def _nested(path: tuple[str, ...], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _appended(text: str, value: Any) -> str:
    newline = newline_of(text)
    between = newline if text and not text.endswith("\n") else ""
    return text + between + _Style(newline, "", "  ").dump(value) + newline


@dataclass(frozen=True, slots=True)
class _Style:
    """How a file is written: its line break, the indentation of the line, and one step; no step: all on one line."""

    newline: str
    indent: str
    step: str | None
    tight: bool = False  # no blanks after commas and colons

    def dump(self, value: Any) -> str:
        if self.step is None:
            return json.dumps(value, ensure_ascii=False, separators=(",", ":") if self.tight else (", ", ": "))
        lines = json.dumps(value, ensure_ascii=False, indent=self.step).split("\n")
        return (self.newline + self.indent).join(lines)


def _indent_of_line(text: str, offset: int) -> str:
    line = text.rfind("\n", 0, offset) + 1
    found = _INDENT.match(text, line, offset)
    return found.group() if found else ""


def _style(text: str, root: Node, indent: str) -> _Style:
    """Return how the document is written: one step is the indentation of its first key."""
    newline = newline_of(text)
    if not root.members:
        return _Style(newline, indent, "  ")
    first = root.members[0]
    if "\n" not in text[root.start : first.start]:
        tight = text[first.start : first.value.start].endswith(":")
        return _Style(newline, indent, None, tight)
    outer = _indent_of_line(text, root.start)
    step = _indent_of_line(text, first.start).removeprefix(outer)
    return _Style(newline, indent, step or "  ")


def inserted(text: str, root: Node, node: Node, key: str, value: Any) -> str:
    """The text with one more member at the end of an object, or item at the end of an array, where the key is ""."""
    members = node.parts
    base = _style(text, root, "")
    if not members:
        return _first_inserted(text, base, node, key, value)
    last = members[-1]
    after = last.value.end if last.comma is None else last.comma + 1
    before, behind = (",", "") if last.comma is None else ("", ",")
    if "\n" not in text[node.start : last.start]:
        tight = text[last.start : last.value.start].endswith(":")
        new = ("" if tight else " ") + _pair(_Style(base.newline, "", None, tight), key, value)
        return edited(text, [(after, after, before + new + behind)])
    style = _Style(base.newline, _indent_of_line(text, last.start), base.step or "  ")
    new = style.newline + style.indent + _pair(style, key, value) + behind
    found = _SAME_LINE.match(text, after)
    place = found.end() if found else after
    if place == after:
        return edited(text, [(after, after, before + new)])
    return edited(text, [(after, after, before), (place, place, new)])


def _first_inserted(text: str, base: _Style, node: Node, key: str, value: Any) -> str:
    """The text with a first member, after the comments in an object that has none; where nothing is in it, on lines."""
    inner = text[node.start + 1 : node.end - 1]
    if base.step is None and not inner.strip():
        return edited(text, [(node.start + 1, node.end - 1, _pair(base, key, value))])
    outer = _indent_of_line(text, node.start)
    style = _Style(base.newline, outer + (base.step or "  "), base.step or "  ")
    place = node.start + 1 + len(inner.rstrip(" \t\r\n"))
    new = style.newline + style.indent + _pair(style, key, value)
    if "\n" not in text[place : node.end - 1]:
        new += style.newline + outer
    return edited(text, [(place, place, new)])


def _pair(style: _Style, key: str, value: Any) -> str:
    if not key:
        return style.dump(value)
    return json.dumps(key, ensure_ascii=False) + (":" if style.tight else ": ") + style.dump(value)


# --- Taking out ---


def without(text: str, node: Node, member: Member) -> str:
    """The text without a member of an object or an item of an array, its comma and its line; comments stay."""
    members = node.parts
    place = members.index(member)
    before = members[place - 1] if place else None
    start, is_line_comment = _end_of_what_precedes(text, node, before, member)
    end = member.value.end
    commas: list[tuple[int, int, str]] = []
    if member.comma is not None:
        if text[end : member.comma].strip():
            commas = [(member.comma, member.comma + 1, "")]
        else:
            end = member.comma + 1
    elif before is not None and before.comma is not None:
        commas = [(before.comma, before.comma + 1, "")]
    if is_line_comment and _MORE_ON_THE_LINE.match(text, end):
        start = member.start  # what follows must not become part of the comment
    new = edited(text, [*commas, (start, end, "")])
    return _closed(new, node.start) if len(members) == 1 else new


def _closed(text: str, start: int) -> str:
    """Return a text whose empty brackets have no blanks in them; comments stay as they are."""
    found = _CLOSED.match(text, start)
    return edited(text, [(start, found.end(), "{}" if found[1] == "{" else "[]")]) if found else text


def _end_of_what_precedes(text: str, node: Node, before: Member | None, member: Member) -> tuple[int, bool]:
    """Return the end of the last comment, comma or brace before a member, and whether it is a line comment."""
    at = end = node.start + 1 if before is None else (before.comma or 0) + 1
    line_comment = False
    while at < member.start:
        found = COMMENT.match(text, at)
        if found:
            end, line_comment = found.end(), found.group().startswith("//")
        at = found.end() if found else at + 1
    return end, line_comment
