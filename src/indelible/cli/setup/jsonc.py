"""JSON with comments and trailing commas, edited by text offsets: all but our own key stays byte for byte."""

import json
from collections.abc import Mapping
from typing import Any

from indelible.cli.setup.formats import Found, Unsure, line_at
from indelible.cli.setup.json_edits import member_of, root_of, table_of, with_value, without
from indelible.cli.setup.json_nodes import meaning, value_of


def look(text: str, section: str, key: str) -> Found:
    """See formats.Format."""
    root = root_of(text)
    table = table_of(text, root, section) if root else None
    if table is None:
        return Found(False)
    names = tuple(member.key for member in table.members or ())
    ours = member_of(text, table, key)
    if ours is None:
        return Found(True, names)
    return Found(True, names, value_of(text, ours.value), line_at(text, ours.start))


# --- Putting in ---


def put(text: str, section: str, key: str, entry: Mapping[str, Any]) -> str:
    """See formats.Format. A new entry stands last, indented like its neighbours."""
    there = look(text, section, key)
    if there.entry is None:
        new = with_value(text, (section, key), dict(entry))
    elif isinstance(there.entry, dict):
        new = text
        for name, value in entry.items():
            if there.entry.get(name) != value:
                new = with_value(new, (section, key, name), value)
    else:
        raise Unsure(there.line, f'"{key}" is not an object ({{ ... }})')
    _confirm(text, new, section, key)
    now = look(new, section, key).entry
    if any(now.get(name) != value for name, value in entry.items()):
        raise Unsure(1, "the edited file does not have the expected entry")
    return new


# --- Taking out ---


def drop(text: str, section: str, key: str, prune: bool) -> str:
    """See formats.Format. With its comma and its line; comments beside it stay."""
    root = root_of(text)
    table = table_of(text, root, section) if root else None
    ours = member_of(text, table, key) if table else None
    if root is None or table is None or ours is None:
        return text
    if prune and len(table.members or ()) == 1:
        whole = member_of(text, root, section)
        new = without(text, root, whole) if whole else text
    else:
        new = without(text, table, ours)
    _confirm(text, new, section, key)
    if look(new, section, key).entry is not None:
        raise Unsure(1, "the entry is still there")
    return new


# --- What an edit may do ---


def _confirm(text: str, new: str, section: str, key: str) -> None:
    """Raise Unsure unless two texts say the same but for our entry."""
    if not same_but_for(text, new, section, key):
        raise Unsure(1, "the edit would change more than the entry")


def same_but_for(one: str, other: str, section: str, key: str) -> bool:
    """See formats.Format."""
    return _others(one, section, key) == _others(other, section, key)


def _others(text: str, section: str, key: str) -> list[Any]:
    root = root_of(text)
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
