"""Our hooks in a file of TOML that has them as a list of tables: `[[hooks]]` with an event and a command each.

Edited by text offsets, as a server's entry is: the tables of others stay byte for byte.
"""

import re
from collections.abc import Mapping
from typing import Any

from indelible.cli.setup.formats import Unsure, edited, line_at, newline_of
from indelible.cli.setup.hook_forms import (
    Hooked,
    HookForm,
    is_ours,
    runs_already,
    runs_hook_among_others,
    words_in,
)
from indelible.cli.setup.toml import Statement, dump, statements, values_of
from indelible.dataclass import dataclass

_BLANK_LINE_BEFORE = re.compile(r"(?:(?<=\n)|\A)[ \t]*\r?\n\Z")


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of the list: what it says, where it begins and ends, and where its command stands."""

    value: Any
    start: int
    end: int
    command: Statement | None

    @property
    def event(self) -> str:
        return str(self.value.get("event", ""))


def look(text: str, form: HookForm) -> Hooked:
    """See hook_edits."""
    commands: dict[str, tuple[str, ...]] = {}
    mixed: list[str] = []
    for value in _listed(text, form):
        if is_ours(value):
            event = str(value.get("event", ""))
            commands[event] = (*commands.get(event, ()), value["command"])
        elif any(map(runs_hook_among_others, words_in(value))):
            mixed.append(value["command"])
    return Hooked(form.section in values_of(text), commands, tuple(mixed))


def _listed(text: str, form: HookForm) -> list[Any]:
    listed = values_of(text).get(form.section, [])
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise Unsure(1, f"{form.section} is not a list of tables")
    return listed


def _tables(text: str, form: HookForm) -> list[_Table]:
    """The tables of the list. Raises Unsure where it is written as one value."""
    found: list[list[Statement]] = []
    inside = False
    for statement in statements(text):
        if statement.header:
            inside = statement.path == (form.section,)
            if inside:
                found.append([])
        elif statement.path == (form.section,):
            raise Unsure(
                line_at(text, statement.start),
                f"{form.section} is one inline list, which cannot be edited; write each as [[{form.section}]]",
            )
        if inside:
            found[-1].append(statement)
    return [_table(value, parts) for value, parts in zip(_listed(text, form), found, strict=True)]


def _table(value: Any, parts: list[Statement]) -> _Table:
    command = next((part for part in parts if part.path[1:] == ("command",)), None)
    return _Table(value, parts[0].start, parts[-1].end, command)


def put(text: str, form: HookForm, wanted: Mapping[str, Mapping[str, Any]]) -> str:
    """See hook_edits. A new one is a table of its own at the end."""
    new = _without(text, form, tuple(wanted))
    for event, handler in wanted.items():
        there = [table for table in _tables(new, form) if is_ours(table.value) and table.event == event]
        if not there:
            new = _appended(new, form, {"event": event, **handler})
        elif not runs_already(there[0].value, handler["command"]):
            command = there[0].command
            assert command is not None
            new = edited(new, [(command.value_start, command.value_end, dump(handler["command"]))])
    _confirm(text, new, form)
    if {event: len(lines) for event, lines in look(new, form).commands.items()} != dict.fromkeys(wanted, 1):
        raise Unsure(1, "the edited file does not have the expected hooks")
    return new


def _appended(text: str, form: HookForm, fields: Mapping[str, Any]) -> str:
    newline = newline_of(text)
    lines = [f"[[{form.section}]]", *(f"{name} = {dump(value)}" for name, value in fields.items()), ""]
    before = newline if text and not text.endswith("\n") else ""
    return text + before + (newline if text else "") + newline.join(lines)


def drop(text: str, form: HookForm) -> str:
    """See hook_edits. Each with the blank line before it."""
    new = _without(text, form, ())
    _confirm(text, new, form)
    return new


def _without(text: str, form: HookForm, kept: tuple[str, ...]) -> str:
    """The text without our tables, but for the first one of each event that is kept."""
    if not look(text, form).commands:
        return text
    edits: list[tuple[int, int, str]] = []
    seen: set[str] = set()
    for table in _tables(text, form):
        if not is_ours(table.value):
            continue
        if table.event in kept and table.event not in seen:
            seen.add(table.event)
            continue
        blank = _BLANK_LINE_BEFORE.search(text[: table.start])
        edits.append((blank.start() if blank else table.start, table.end, ""))
    return edited(text, edits)


def _confirm(text: str, new: str, form: HookForm) -> None:
    if not same_but_for_ours(text, new, form):
        raise Unsure(1, "the edit would change more than our hooks")


def same_but_for_ours(one: str, other: str, form: HookForm) -> bool:
    """See hook_edits."""
    return _others(one, form) == _others(other, form)


def _others(text: str, form: HookForm) -> dict[str, Any]:
    values = values_of(text)
    left = [each for each in values.pop(form.section, []) if not is_ours(each)]
    return {**values, form.section: left} if left else values
