"""Putting our hooks into a client's file and taking them out again."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from indelible.cli.setup import changes, entries, files, hook_edits, ledger
from indelible.cli.setup.changes import HOOKS, Change, Part, trying
from indelible.cli.setup.clients import CLIENTS, Client
from indelible.cli.setup.entries import NAME, is_ours
from indelible.cli.setup.files import Snapshot, unified
from indelible.cli.setup.formats import Unsure
from indelible.cli.setup.hook_forms import Hooked, HookForm, lines_of
from indelible.cli.setup.registration import is_registered
from indelible.cli.setup.shells import words_of
from indelible.cli.setup.surroundings import Surroundings
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput

ASK_AGENT = "--ask-agent"  # a flag of `indelible hook`


@dataclass(frozen=True, slots=True)
class Hooks(Part):
    """The hooks of one client in one scope."""

    kind = HOOKS

    @property
    def form(self) -> HookForm:
        """Return the client's form of hooks."""
        assert self.client.hooks is not None
        return self.client.hooks

    def look(self, seen: Snapshot) -> Hooked:
        """Our hooks in the file. InvalidInput, with file, line and remedy, where that cannot be told."""
        with self.refusing():
            return hook_edits.look(seen.text, self.form)

    def is_in(self, seen: Snapshot) -> bool:
        """See Part."""
        return bool(self.look(seen).commands)

    def has_company(self, seen: Snapshot) -> bool:
        """See Part."""
        if self.client.file(self.scope, self.around) != self.path:
            return False
        with self.refusing():
            return is_ours(self.client.form.look(seen.text, self.client.section, NAME).entry)

    def says_the_same(self, one: Snapshot, other: Snapshot) -> bool:
        """See Part."""
        with self.refusing():
            return hook_edits.same_but_for_ours(one.text, other.text, self.form)


def hooks_of(client: Client, scope: str, around: Surroundings, data: Path, dry: bool = False) -> Hooks:
    """The hooks of a client in a scope. InvalidInput for a client that has none, or for no project."""
    if client.hooks is None:
        raise InvalidInput(f"--hooks: {client.title} has no hooks that set-up writes; leave the flag out")
    return Hooks(client, scope, client.hooks.file(scope, around), around, data, dry)


def are_set_up(client: Client, scope: str, around: Surroundings) -> bool:
    """Has the file hooks of ours; also where that cannot be told, so that somebody looks at it.

    A broken file that does not name this program has none: whoever broke it can still take back the rest.
    """
    if client.hooks is None or not client.hooks.has_scope(scope):
        return False
    path = client.hooks.file(scope, around)
    try:
        seen = files.read(path)
        return bool(hook_edits.look(seen.text, client.hooks).commands)
    except (Unsure, InvalidInput):
        return _may_name_us(path)


def _may_name_us(path: Path) -> bool:
    """Whether a file names this program, as each line of ours does, in whatever encoding; True where it is not read."""
    try:
        return NAME.encode() in path.read_bytes().replace(b"\0", b"")
    except OSError:
        return True


def may_store(client: Client, scope: str, around: Surroundings) -> bool:
    """Has the client's file the rule by which an agent stores without a dialog, or has the client no such rule.

    A file that cannot be read counts as one that has it: set-up will refuse it.
    """
    if client.hooks is None or not client.hooks.storing:
        return True
    try:
        return hook_edits.is_allowed(files.read(client.hooks.file(scope, around)).text, client.hooks)
    except (Unsure, InvalidInput):
        return True


def named_data(one: Hooks) -> Path | None:
    """The data directory that our hooks name, None where they name none."""
    for lines in one.look(files.read(one.path)).commands.values():
        for words in words_of(lines[0]):
            place = Path(entries.value_of(words, "--data") or "")
            if place.is_absolute():
                return place
    return None


def set_up(
    one: Hooks,
    program: tuple[str, ...],
    given: tuple[str, ...] = (),
    *,
    allow_store: bool | None = None,
    ask_agent: bool = False,
) -> Change:
    """Have the client run `program hook NAME --client CLIENT` with the flags that are given.

    Of a hook of ours that is there only the command changes, and only where it is another. With `allow_store` the agent
    may store a memory without a dialog, where the client has such a rule; None is for who was not asked, and is told.
    With `ask_agent`, or where it was so before, the agent is asked what it found out, where the client does that only
    on request. Raises as a registration.
    """
    return trying(one, lambda: _set_up(one, program, given, allow_store=allow_store, ask_agent=ask_agent))


def _set_up(
    one: Hooks, program: tuple[str, ...], given: tuple[str, ...], *, allow_store: bool | None, ask_agent: bool
) -> Change:
    one.notes.clear()  # of an earlier try
    if Path(program[0]).stem == "uvx":
        one.notes.append("each event starts uvx, which is slow; run `uv tool install indelible`, then set up again")
    seen = files.read(one.path)
    before = one.look(seen)
    _say_what_stays(one, before)
    if one.form.may_ask and (ask_agent or any(ASK_AGENT in line.split() for line in _lines(before.commands))):
        given = (*given, ASK_AGENT)
    wanted = _wanted(one, program, given)
    with one.refusing():
        text = hook_edits.put(seen.text, one.form, wanted)
        if one.form.storing and allow_store:
            text = hook_edits.allow(text, one.form)
        elif one.form.storing and allow_store is None and not hook_edits.is_allowed(text, one.form):
            one.notes.append(
                "the agent is asked what it found out only where it may store the answer without a dialog: "
                f"--allow-store allows {one.form.storing}"
            )
    shown: dict[str, Any] = {"starts": shlex.join((*program, "hook")), "events": tuple(wanted)}
    if text == seen.text:
        return one.change("unchanged", **shown)
    new = seen.encoded(text)
    was = _shown(before.commands)
    action = "changed" if before.commands else "added"
    done = one.change(action, was=was, diff=unified(one.path, seen.content, new), **shown)
    if one.dry:
        return done
    backup = changes.put(one, seen, new, hooks=not before.section)
    return replace(done, backup=backup, notes=tuple(one.notes))


def snippet(one: Hooks, program: tuple[str, ...], given: tuple[str, ...] = ()) -> str:
    """The hooks as they stand in an otherwise empty file, with a final newline."""
    return hook_edits.put("", one.form, _wanted(one, program, given))


def _wanted(one: Hooks, program: tuple[str, ...], given: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """The handler of each event."""
    words = (*program, "hook", "{name}", "--client", one.form.named or one.client.name, *given)
    lines = lines_of(one.form, words, one.around.platform)
    return {event: one.form.handler(moment, line) for event, (moment, line) in lines.items()}


def take_back(one: Hooks) -> Change:
    """Take our hooks out; where nothing else changed since set-up, the file is what it was, to the byte."""
    return trying(one, lambda: _take_back(one))


def _take_back(one: Hooks) -> Change:
    one.notes.clear()  # of an earlier try
    seen = files.read(one.path)
    found = one.look(seen)
    _say_what_stays(one, found)
    trace = ledger.trace_of(one.data, one.path)
    if not found.commands:
        if not one.dry:
            changes.forget(one, seen, trace, seen.content)
        return one.change("absent")
    other = _other_client(one)
    if other is not None:
        one.notes.append(f"{one.path} is kept, since {other.title} runs these hooks too; they go with that client's")
        return one.change("absent")
    with one.refusing():
        prune = (trace is not None and trace.hooks) or one.form.section == NAME  # a section of that name is ours
        text = hook_edits.drop(seen.text, one.form, prune)
        if _allowed_by_us(one, seen, trace):
            text = hook_edits.disallow(text, one.form)
        dropped = seen.encoded(text)
    known, start = changes.start_of(one, seen, trace, dropped)
    new = start if known else dropped
    events = tuple(found.commands)
    done = one.change("removed", was=_shown(found.commands), events=events, diff=unified(one.path, seen.content, new))
    if one.dry:
        return done
    backup = changes.restore(one, seen, new, trace)
    changes.forget(one, seen, trace, new)
    return replace(done, backup=backup, notes=tuple(one.notes))


def _other_client(one: Hooks) -> Client | None:
    """Another client that is set up in this scope and runs the hooks of this very file."""
    for other in CLIENTS.values():
        if other is not one.client and other.hooks is one.form and is_registered(other, one.scope, one.around):
            return other
    return None


def _allowed_by_us(one: Hooks, seen: Snapshot, trace: ledger.Trace | None) -> bool:
    """Whether the permission to store came with set-up: the file before had none, or there was no file."""
    if trace is None or not one.form.storing:
        return False
    before = b"" if trace.start is None else ledger.start_of(trace)
    return before is not None and not hook_edits.is_allowed(replace(seen, content=before).text, one.form)


def _say_what_stays(one: Hooks, found: Hooked) -> None:
    one.notes.extend(f"left as it is, since it runs more than `indelible hook`: {line}" for line in found.mixed)


def _shown(commands: Mapping[str, tuple[str, ...]]) -> str | None:
    """The first command line of ours that is there."""
    return next(_lines(commands), None)


def _lines(commands: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the command lines of ours that are there."""
    return (line for lines in commands.values() for line in lines)
