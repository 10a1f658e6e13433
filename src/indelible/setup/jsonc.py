"""JSON with comments and trailing commas, edited by text offsets: all but our own key stays byte for byte."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from indelible.setup.formats import Found, Unsure, edited, line_at, newline_of
from indelible.setup.json_nodes import COMMENT, Member, Node, meaning, read, value_of

_CLOSED = re.compile(r"\{[ \t\r\n]*\}")
_INDENT = re.compile(r"[ \t]*")
_MORE_ON_THE_LINE = re.compile(r"[ \t]*[^ \t\r\n]")
_SAME_LINE = re.compile(r"(?:[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/))*")

# --- Finding ---


def _root(text: str) -> Node | None:
    root = read(text)
    if root is not None and root.members is None:
        raise Unsure(line_at(text, root.start), "the document is no object ({ ... })")
    return root


def _member(text: str, node: Node, key: str) -> Member | None:
    found = [member for member in node.members or () if member.key == key]
    if len(found) > 1:
        raise Unsure(line_at(text, found[1].start), f'the key "{key}" stands there twice; keep one of them')
    return found[0] if found else None


def _table(text: str, node: Node, key: str) -> Node | None:
    """The object under a key, None where the key is missing."""
    found = _member(text, node, key)
    if found is None:
        return None
    if found.value.members is None:
        raise Unsure(line_at(text, found.start), f'"{key}" is no object ({{ ... }})')
    return found.value


def look(text: str, section: str, key: str) -> Found:
    """See formats.Format."""
    root = _root(text)
    table = _table(text, root, section) if root else None
    if table is None:
        return Found(False)
    names = tuple(member.key for member in table.members or ())
    ours = _member(text, table, key)
    if ours is None:
        return Found(True, names)
    return Found(True, names, value_of(text, ours.value), line_at(text, ours.start))


# --- Putting in ---


def put(text: str, section: str, key: str, entry: Mapping[str, Any]) -> str:
    """See formats.Format. A new entry stands last, indented like its neighbours."""
    there = look(text, section, key)
    if there.entry is None:
        new = _set(text, (section, key), dict(entry))
    elif isinstance(there.entry, dict):
        new = text
        for name, value in entry.items():
            if there.entry.get(name) != value:
                new = _set(new, (section, key, name), value)
    else:
        raise Unsure(there.line, f'"{key}" is no object ({{ ... }})')
    _confirm(text, new, section, key)
    now = look(new, section, key).entry
    if any(now.get(name) != value for name, value in entry.items()):
        raise Unsure(1, "the entry did not come out as it should")
    return new


def _set(text: str, path: tuple[str, ...], value: Any) -> str:
    root = _root(text)
    if root is None:
        return _appended(text, _nested(path, value))
    node = root
    for depth, key in enumerate(path):
        found = _member(text, node, key)
        if found is None:
            return _inserted(text, root, node, key, _nested(path[depth + 1 :], value))
        if depth == len(path) - 1:
            style = _style(text, root, _indent_of_line(text, found.start))
            if "\n" not in text[found.value.start : found.value.end]:
                style = replace(style, step=None)
            return edited(text, [(found.value.start, found.value.end, style.dump(value))])
        if found.value.members is None:
            raise Unsure(line_at(text, found.start), f'"{key}" is no object ({{ ... }})')
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
    """How the document is written: one step is the indentation of its first key."""
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


def _inserted(text: str, root: Node, node: Node, key: str, value: Any) -> str:
    """The text with one more member at the end of an object."""
    members = node.members or ()
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
    return json.dumps(key, ensure_ascii=False) + (":" if style.tight else ": ") + style.dump(value)


# --- Taking out ---


def drop(text: str, section: str, key: str, prune: bool) -> str:
    """See formats.Format. With its comma and its line; comments beside it stay."""
    root = _root(text)
    table = _table(text, root, section) if root else None
    ours = _member(text, table, key) if table else None
    if root is None or table is None or ours is None:
        return text
    if prune and len(table.members or ()) == 1:
        whole = _member(text, root, section)
        new = _without(text, root, whole) if whole else text
    else:
        new = _without(text, table, ours)
    _confirm(text, new, section, key)
    if look(new, section, key).entry is not None:
        raise Unsure(1, "the entry is still there")
    return new


def _without(text: str, node: Node, member: Member) -> str:
    members = node.members or ()
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
    """An object that is empty now has no blanks in it; comments stay as they are."""
    found = _CLOSED.match(text, start)
    return edited(text, [(start, found.end(), "{}")]) if found else text


def _end_of_what_precedes(text: str, node: Node, before: Member | None, member: Member) -> tuple[int, bool]:
    """Where the last comment, comma or brace before a member ends, and whether it is a comment to the line's end."""
    at = end = node.start + 1 if before is None else (before.comma or 0) + 1
    line_comment = False
    while at < member.start:
        found = COMMENT.match(text, at)
        if found:
            end, line_comment = found.end(), found.group().startswith("//")
        at = found.end() if found else at + 1
    return end, line_comment


# --- What an edit may do ---


def _confirm(text: str, new: str, section: str, key: str) -> None:
    """Raise Unsure unless two texts say the same but for our entry."""
    if not same_but_for(text, new, section, key):
        raise Unsure(1, "the edit would change more than the entry")


def same_but_for(one: str, other: str, section: str, key: str) -> bool:
    """See formats.Format."""
    return _others(one, section, key) == _others(other, section, key)


def _others(text: str, section: str, key: str) -> list[Any]:
    root = _root(text)
    if root is None:
        return []
    kept: list[Any] = []
    for member in root.members or ():
        if member.key != section or member.value.members is None:
            kept.append((member.key, meaning(text, member.value)))
            continue
        inner = [(m.key, meaning(text, m.value)) for m in member.value.members if m.key != key]
        if inner:
            kept.append((section, tuple(inner)))
    return kept


def is_plain(text: str, section: str, key: str) -> bool:
    """See formats.Format: as a program writes it, with two blanks a level and nothing else."""
    if not text.strip():
        return not text
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=2) == text.removesuffix("\n")
    except ValueError:
        return False


def snippet(section: str, key: str, entry: Mapping[str, Any]) -> str:
    """See formats.Format."""
    return put("", section, key, entry)
