"""TOML, edited by text offsets: a scan finds where each statement stands, tomllib says what the text means."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from indelible.cli.setup.formats import Found, Unsure, edited, line_at, newline_of
from indelible.dataclass import dataclass
from indelible.sanitize import bounded

_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)+")
_INLINE_BLANK = re.compile(r"[ \t]*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRINGS = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}(?!")' r"|'''.*?'{3,5}(?!')" r'|"(?:[^"\\\n]|\\.)*"' r"|'[^'\n]*'",
    re.DOTALL,
)
_REST_OF_LINE = re.compile(r"[ \t\r]*(?:#[^\n]*)?(?:\n|\Z)")
_BLANK_LINE_BEFORE = re.compile(r"(?<=\n)[ \t]*\r?\n\Z")


@dataclass(frozen=True, slots=True)
class Statement:
    """A header or a pair: the names that lead to it, where it begins, its value, and the end of its lines."""

    path: tuple[str, ...]
    header: bool
    start: int
    value_start: int
    value_end: int
    end: int


# --- Reading ---


def values_of(text: str) -> dict[str, Any]:
    """Return what a document says. Raises Unsure where it is no TOML."""
    try:
        return bounded.toml(text)
    except tomllib.TOMLDecodeError as error:
        what, *where = str(error).rsplit(" (at ", 1)  # the last one: a key that the message quotes may have another
        found = re.match(r"line (\d+),", where[0]) if where else None
        raise Unsure(int(found[1]) if found else text.count("\n") + 1, what) from error
    except ValueError as error:
        raise Unsure(1, str(error)) from error


class _Scan:
    """Where the statements of a valid document stand."""

    def __init__(self, text: str):
        self.text = text
        self.at = 0

    def statements(self) -> Iterator[Statement]:
        table: tuple[str, ...] = ()
        while True:
            if found := _BLANK.match(self.text, self.at):
                self.at = found.end()
            if self.at >= len(self.text):
                return
            start = self.at
            if self.text[start] == "[":
                self.at += 2 if self.text.startswith("[[", start) else 1
                table = self.key()
                self.at = self.text.index("]", self.at) + (2 if self.text.startswith("[[", start) else 1)
                end = self.rest()
                yield Statement(table, True, start, end, end, end)
            else:
                path = table + self.key()
                self.at = self.text.index("=", self.at) + 1
                self.inline_blank()
                value = self.at
                self.value()
                value_end = self.at
                yield Statement(path, False, start, value, value_end, self.rest())

    def key(self) -> tuple[str, ...]:
        """A dotted key."""
        names: list[str] = []
        while True:
            self.inline_blank()
            found = _BARE.match(self.text, self.at)
            if found:
                names.append(found.group())
            else:
                found = _STRINGS.match(self.text, self.at)
                if found is None:
                    raise Unsure(line_at(self.text, self.at), "a key was expected")
                names.append(next(iter(tomllib.loads(found.group() + "=0"))))
            self.at = found.end()
            self.inline_blank()
            if not self.text.startswith(".", self.at):
                return tuple(names)
            self.at += 1

    def value(self) -> None:
        """Go past a value: to the end of its line, but for brackets and strings."""
        depth, end = 0, self.at
        while self.at < len(self.text):
            sign = self.text[self.at]
            if depth == 0 and sign in "#\n":
                break
            if sign in "\"'":
                found = _STRINGS.match(self.text, self.at)
                if found is None:
                    raise Unsure(line_at(self.text, self.at), "a string does not end")
                end = self.at = found.end()
                continue
            if sign == "#":
                self.at = (self.text + "\n").index("\n", self.at)
                continue
            depth += (sign in "[{") - (sign in "]}")
            self.at += 1
            end = end if sign in " \t\r\n" else self.at
        self.at = end

    def rest(self) -> int:
        found = _REST_OF_LINE.match(self.text, self.at)
        if found is None:
            raise Unsure(line_at(self.text, self.at), "something follows the statement on its line")
        self.at = found.end()
        return self.at

    def inline_blank(self) -> None:
        found = _INLINE_BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at


def statements(text: str) -> Iterator[Statement]:
    """Yield the headers and pairs of a valid document, in order."""
    return _Scan(text).statements()


def _of_entry(text: str, section: str, key: str) -> list[Statement]:
    return [s for s in statements(text) if s.path[:2] == (section, key)]


def look(text: str, section: str, key: str) -> Found:
    """See formats.Format."""
    values = values_of(text)
    if section not in values:
        return Found(False)
    table = values[section]
    if not isinstance(table, dict):
        raise Unsure(1, f"{section} is not a table")
    if key not in table:
        return Found(True, tuple(table))
    ours = _of_entry(text, section, key)
    return Found(True, tuple(table), table[key], line_at(text, ours[0].start) if ours else 1)


# --- Putting in ---


def put(text: str, section: str, key: str, entry: Mapping[str, Any]) -> str:
    """See formats.Format. A new entry is a table of its own at the end."""
    found = look(text, section, key)
    if found.entry is None:
        _refuse_one_inline_table(text, section)
        new = _appended(text, section, key, entry)
    elif isinstance(found.entry, dict):
        new = text
        for name, value in entry.items():
            if found.entry.get(name) != value:
                new = _set(new, section, key, name, value)
    else:
        raise Unsure(found.line, f"{section}.{key} is not a table")
    _confirm(text, new, section, key)
    now = look(new, section, key).entry
    if any(now.get(name) != value for name, value in entry.items()):
        raise Unsure(1, "the edited file does not have the expected entry")
    return new


def _refuse_one_inline_table(text: str, section: str) -> None:
    for statement in statements(text):
        if statement.path == (section,) and not statement.header:
            raise Unsure(
                line_at(text, statement.start),
                f"{section} is one inline table, which nothing can be added to; write its servers as [{section}.NAME]",
            )


def _appended(text: str, section: str, key: str, entry: Mapping[str, Any]) -> str:
    newline = newline_of(text)
    lines = [f"[{section}.{key}]", *(f"{name} = {dump(value)}" for name, value in entry.items()), ""]
    before = newline if text and not text.endswith("\n") else ""
    return text + before + (newline if text else "") + newline.join(lines)


def _set(text: str, section: str, key: str, name: str, value: Any) -> str:
    """One value of an entry that is there, in whichever of TOML's ways it is written."""
    ours = _of_entry(text, section, key)
    for statement in ours:
        if statement.path == (section, key, name) and not statement.header:
            return edited(text, [(statement.value_start, statement.value_end, dump(value))])
    for statement in ours:
        if statement.path == (section, key) and not statement.header:
            whole = {**values_of(text)[section][key], name: value}
            return edited(text, [(statement.value_start, statement.value_end, dump(whole))])
        if statement.path == (section, key):
            newline = newline_of(text)
            gap = "" if text[: statement.end].endswith("\n") else newline
            return edited(text, [(statement.end, statement.end, f"{gap}{name} = {dump(value)}{newline}")])
    line = line_at(text, ours[0].start) if ours else 1
    raise Unsure(line, f"{section}.{key} is written in pieces; write it as one table, [{section}.{key}]")


def dump(value: Any) -> str:
    """Return a value as it is written. Raises Unsure for one of a kind that TOML writes otherwise."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case int() | float():
            return repr(value)
        case list():
            return "[" + ", ".join(map(dump, value)) + "]"
        case dict():
            return "{ " + ", ".join(f"{dump(name)} = {dump(inner)}" for name, inner in value.items()) + " }"
    raise Unsure(1, f"a value of the entry ({value!r}) cannot be written again")


# --- Taking out ---


def drop(text: str, section: str, key: str, prune: bool) -> str:
    """See formats.Format. With the blank line before it; comments around it stay. There is no section to prune."""
    ours = _of_entry(text, section, key) if look(text, section, key).entry is not None else []
    edits = [(statement.start, statement.end, "") for statement in ours]
    if ours:
        first, last = ours[0], ours[-1]
        start = text.rfind("\n", 0, first.start) + 1
        blank = _BLANK_LINE_BEFORE.search(text[:start]) or (re.match(r"[ \t]*\r?\n\Z", text[:start]))
        follows = text[last.end :]
        if first.header and blank and (not follows or follows[0] in "\r\n"):
            start = blank.start()
        edits[0] = (start, first.end, "")
    new = edited(text, edits)
    _confirm(text, new, section, key)
    if look(new, section, key).entry is not None:
        raise Unsure(1, f"{section} is one inline table; remove {key} by hand")
    return new


# --- What an edit may do ---


def _confirm(text: str, new: str, section: str, key: str) -> None:
    if not same_but_for(text, new, section, key):
        raise Unsure(1, "the edit would change more than the entry")


def same_but_for(one: str, other: str, section: str, key: str) -> bool:
    """See formats.Format."""
    return _others(one, section, key) == _others(other, section, key)


def _others(text: str, section: str, key: str) -> dict[str, Any]:
    values = values_of(text)
    table = values.get(section)
    if isinstance(table, dict):
        table.pop(key, None)
        if not table:
            del values[section]
    return values


def is_plain(text: str, section: str, key: str) -> bool:
    """See formats.Format: Codex writes all its servers again, so there must be no other (openai/codex#45432)."""
    return all(s.path[:2] == (section, key) for s in statements(text) if s.path[0] == section)


def snippet(section: str, key: str, entry: Mapping[str, Any]) -> str:
    """See formats.Format."""
    return put("", section, key, entry)
