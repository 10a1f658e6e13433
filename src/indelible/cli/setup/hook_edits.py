"""Our hooks in a client's file, edited by text offsets: those of others, in the same event too, stay byte for byte."""

import json
from collections.abc import Container, Iterator, Mapping
from typing import Any

from indelible.cli.setup import toml_hooks
from indelible.cli.setup.formats import Unsure, edited, line_at
from indelible.cli.setup.hook_forms import (
    Hooked,
    HookForm,
    is_ours,
    runs_already,
    runs_hook_among_others,
    words_in,
)
from indelible.cli.setup.json_edits import inserted, member_of, root_of, table_of, with_value, without
from indelible.cli.setup.json_nodes import Member, Node, meaning, value_of
from indelible.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class _Site:
    """A handler: its event, the lists that it stands in (the outermost first) and its place in each."""

    event: Member
    steps: tuple[tuple[Node, Member], ...]

    @property
    def handler(self) -> Member:
        return self.steps[-1][1]


# --- Finding ---


def look(text: str, form: HookForm) -> Hooked:
    """Our hooks. Raises Unsure where the text cannot be read, or its hooks are no object."""
    if form.toml:
        return toml_hooks.look(text, form)
    root = root_of(text)
    table = table_of(text, root, form.section) if root else None
    commands: dict[str, tuple[str, ...]] = {}
    mixed: list[str] = []
    for site in _handlers(text, form):
        handler = value_of(text, site.handler.value)
        if is_ours(handler):
            commands[site.event.key] = (*commands.get(site.event.key, ()), handler["command"])
        elif any(map(runs_hook_among_others, words_in(handler))):
            mixed.append(handler["command"])
    return Hooked(table is not None, commands, tuple(mixed))


def _sites(text: str, form: HookForm) -> Iterator[_Site]:
    """The handlers of ours."""
    return (site for site in _handlers(text, form) if is_ours(value_of(text, site.handler.value)))


def _handlers(text: str, form: HookForm) -> Iterator[_Site]:
    root = root_of(text)
    table = table_of(text, root, form.section) if root else None
    for event in table.members or () if table else ():
        member_of(text, table, event.key) if table else None  # twice is a doubt
        for item in event.value.items or ():
            outer = (event.value, item)
            grouped = form.has_groups(event.key)
            group = member_of(text, item.value, "hooks") if grouped else None
            inner = group.value if group else None
            found = [(outer, (inner, one)) for one in inner.items or ()] if inner else [(outer,)]
            for steps in found if inner or not grouped else ():
                yield _Site(event, steps)


# --- Putting in ---


def put(text: str, form: HookForm, wanted: Mapping[str, Mapping[str, Any]]) -> str:
    """Have each event run the handler that is wanted, once; of one of ours that is there only the command changes.

    Ours in other events go. Raises Unsure.
    """
    if form.toml:
        return toml_hooks.put(text, form, wanted)
    new = text
    if form.version is not None and _lacks_version(text):
        new = with_value(new, ("version",), form.version)
    for event, handler in wanted.items():
        new = _put_one(new, form, event, handler)
    new = _without_sites(new, form, wanted)
    _confirm(text, new, form)
    if {event: len(lines) for event, lines in look(new, form).commands.items()} != dict.fromkeys(wanted, 1):
        raise Unsure(1, "the edited file does not have the expected hooks")
    return new


def _lacks_version(text: str) -> bool:
    root = root_of(text)
    return root is None or member_of(text, root, "version") is None


def _put_one(text: str, form: HookForm, event: str, handler: Mapping[str, Any]) -> str:
    for site in _sites(text, form):
        if site.event.key == event:
            return _changed(text, site, handler)
    item = form.entry(event, handler)
    root = root_of(text)
    table = table_of(text, root, form.section) if root else None
    found = member_of(text, table, event) if table else None
    if root is None or found is None:
        return with_value(text, (form.section, event), [item])
    if found.value.items is None:
        raise Unsure(line_at(text, found.start), f'"{event}" is not a list ([ ... ])')
    return inserted(text, root, found.value, "", item)


def _changed(text: str, site: _Site, handler: Mapping[str, Any]) -> str:
    """The text with the command of a handler set, unless it runs that already, perhaps among other words."""
    there = value_of(text, site.handler.value)
    if runs_already(there, handler["command"]):
        return text
    node = site.handler.value
    if "args" in there:
        return edited(text, [(node.start, node.end, _written({**handler}))])
    command = member_of(text, node, "command")
    assert command is not None
    return edited(text, [(command.value.start, command.value.end, _written(handler["command"]))])


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


# --- Taking out ---


def drop(text: str, form: HookForm, prune: bool) -> str:
    """Take our hooks out, with groups and events that are empty then; with `prune` the section too. Raises Unsure."""
    if form.toml:
        return toml_hooks.drop(text, form)
    new = _without_sites(text, form, ())
    root = root_of(new)
    whole = member_of(new, root, form.section) if root else None
    if prune and root is not None and whole is not None and not whole.value.parts:
        new = without(new, root, whole)
    _confirm(text, new, form)
    if look(new, form).commands:
        raise Unsure(1, "a hook of ours is still there")
    return new


def _without_sites(text: str, form: HookForm, kept: Container[str]) -> str:
    """The text without our hooks, but for the first one of each event that is kept."""
    while True:
        seen: set[str] = set()
        for site in _sites(text, form):
            event = site.event.key
            if event not in kept or event in seen:
                text = _without_site(text, form, site)
                break
            seen.add(event)
        else:
            return text


def _without_site(text: str, form: HookForm, site: _Site) -> str:
    """The text without a handler, and without what holds nothing else: its group, the list of its event."""
    for node, part in reversed(site.steps):
        if len(node.parts) > 1:
            return without(text, node, part)
    root = root_of(text)
    table = table_of(text, root, form.section) if root else None
    assert table is not None
    return without(text, table, site.event)


# --- The permission to store ---

PERMISSIONS, ALLOW = "permissions", "allow"


def is_allowed(text: str, form: HookForm) -> bool:
    """Whether the file allows the agent to store without a dialog. Raises Unsure where its permissions are no lists."""
    return any(value_of(text, item.value) == form.storing for item in _allowed(text).parts) if form.storing else False


def allow(text: str, form: HookForm) -> str:
    """Return the text with the rule by which the agent may store without a dialog. Raises Unsure."""
    if is_allowed(text, form):
        return text
    root, listed = root_of(text), _allowed(text)
    if root is None or listed is _NOTHING:
        new = with_value(text, (PERMISSIONS, ALLOW), [form.storing])
    else:
        new = inserted(text, root, listed, "", form.storing)
    _confirm(text, new, form)
    return new


def disallow(text: str, form: HookForm) -> str:
    """Return the text without that rule. Raises Unsure."""
    new = text
    while is_allowed(new, form):
        listed = _allowed(new)
        item = next(each for each in listed.parts if value_of(new, each.value) == form.storing)
        new = without(new, listed, item)
    for path in ((PERMISSIONS, ALLOW), (PERMISSIONS,)):
        new = _without_empty(new, path)
    _confirm(text, new, form)
    return new


def _without_empty(text: str, path: tuple[str, ...]) -> str:
    """Return the text without the value at a path of keys, if it is there and empty."""
    node = root_of(text)
    for key in path[:-1]:
        node = table_of(text, node, key) if node else None
    found = member_of(text, node, path[-1]) if node else None
    return text if node is None or found is None or found.value.parts else without(text, node, found)


_NOTHING = Node(0, 0, items=())


def _allowed(text: str) -> Node:
    """Return the list of what is allowed, _NOTHING where there is none."""
    root = root_of(text)
    table = table_of(text, root, PERMISSIONS) if root else None
    found = member_of(text, table, ALLOW) if table else None
    if found is None:
        return _NOTHING
    if found.value.items is None:
        raise Unsure(line_at(text, found.start), f'"{ALLOW}" is not a list ([ ... ])')
    return found.value


# --- What an edit may do ---


def _confirm(text: str, new: str, form: HookForm) -> None:
    if not same_but_for_ours(text, new, form):
        raise Unsure(1, "the edit would change more than our hooks")


def same_but_for_ours(one: str, other: str, form: HookForm) -> bool:
    """Do two texts hold the same values, apart from our hooks, what is empty without them, and the version."""
    if form.toml:
        return toml_hooks.same_but_for_ours(one, other, form)
    return _others(one, form) == _others(other, form)


def _others(text: str, form: HookForm) -> list[Any]:
    root = root_of(text)
    kept: list[Any] = []
    for member in root.members or () if root else ():
        if member.key == "version" and form.version is not None:
            continue
        if member.key == PERMISSIONS and form.storing and member.value.members is not None:
            kept += _other_permissions(text, member, form)
            continue
        if member.key != form.section or member.value.members is None:
            kept.append((member.key, meaning(text, member.value)))
            continue
        ours = {site.handler.start for site in _sites(text, form)}
        events = [(event.key, _left(text, event.value, ours)) for event in member.value.members]
        if any(left is not None for _, left in events):
            kept.append((form.section, [(key, left) for key, left in events if left is not None]))
    return kept


def _other_permissions(text: str, permissions: Member, form: HookForm) -> list[Any]:
    """Return the permissions without our rule, and without what is empty then."""
    left: list[Any] = []
    for member in permissions.value.members or ():
        if member.key != ALLOW or member.value.items is None:
            left.append((member.key, meaning(text, member.value)))
            continue
        others = [item for item in member.value.items if value_of(text, item.value) != form.storing]
        if others:
            left.append((ALLOW, [meaning(text, item.value) for item in others]))
    return [(PERMISSIONS, left)] if left else []


def _left(text: str, event: Node, ours: Container[int]) -> Any:
    """Return an event's groups without our handlers, None where nothing else is in it."""
    if event.items is None:
        return meaning(text, event)
    items = [_left_of_item(text, item.value, ours) for item in event.items if item.start not in ours]
    return [item for item in items if item is not None] or None


def _left_of_item(text: str, item: Node, ours: Container[int]) -> Any:
    """Return a group without our handlers, None where it had no others; any other value unchanged."""
    left: list[Any] = []
    for member in item.members or ():
        handlers = [one for one in member.value.items or () if one.start not in ours]
        if member.key != "hooks" or len(handlers) == len(member.value.items or ()):
            left.append((member.key, meaning(text, member.value)))
        elif handlers:
            left.append((member.key, [meaning(text, one.value) for one in handlers]))
        else:
            return None
    return meaning(text, item) if item.members is None else tuple(left)
