"""A client's hooks in files that are ours as a whole: a plugin, a list of commands, or a script for each event.

A plugin reports to `indelible hook` what hooks of other clients report.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

from indelible.cli.setup import skill
from indelible.cli.setup.changes import HOOKS, Change
from indelible.cli.setup.clients import Client
from indelible.cli.setup.entries import NAME
from indelible.cli.setup.files import Snapshot
from indelible.cli.setup.hook_forms import PluginForm, lines_of
from indelible.cli.setup.shells import words_of
from indelible.cli.setup.skill import Skill
from indelible.cli.setup.surroundings import Surroundings
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput

_COMMAND = re.compile(r"^const COMMAND = \[.*\]$", re.MULTILINE)
_MARK = f"# A hook of Indelible's; `{NAME} unsetup` removes it."  # of a script, behind the line that names a shell


@dataclass(frozen=True, slots=True)
class Plugin(Skill):
    """One of the files; `command` is what it starts, `event` that of a script."""

    command: tuple[str, ...] = ()
    event: str = ""

    kind = HOOKS

    @property
    def form(self) -> PluginForm:
        """Return the client's form of the files."""
        assert self.client.plugin is not None
        return self.client.plugin

    @property
    def mode(self) -> int:
        """See Part; a script is executable."""
        return 0o777 if self.event else 0o666

    @property
    def remedy(self) -> str:
        """See Skill; a script has to have its name."""
        return "run `indelible hook` from it, with its standard input" if self.event else "give it another name"

    def is_in(self, seen: Snapshot) -> bool:
        """See Part; of whatever version."""
        if self.event:
            return _MARK in seen.text.splitlines()[:2]
        if self.form.moments:
            return _names(seen.text) != []
        return seen.text.startswith(_template().partition("\n")[0])

    def content(self) -> bytes:
        """See Skill."""
        if self.event:
            return self._script().encode()
        if self.form.moments:
            return _list(self.form, self.command, self.around.platform).encode()
        return _COMMAND.sub(lambda _: f"const COMMAND = {json.dumps(self.command)}", _template()).encode()

    def _script(self) -> str:
        _, line = lines_of(self.form, self.command or (NAME,), self.around.platform)[self.event]
        return f"{_MARK}\n{line}\n" if self.around.platform == "win32" else f"#!/bin/sh\n{_MARK}\nexec {line}\n"

    def is_as_made(self, content: bytes) -> bool:
        """See Skill; whatever it starts."""
        text = content.decode("utf-8", "replace")
        if self.event:
            return text.splitlines()[:-1] == self._script().splitlines()[:-1]
        if self.form.moments:
            made = _list(self.form, self.command or (NAME, "hook", "{name}"), self.around.platform)
            return _without_commands(text) == _without_commands(made)
        return _COMMAND.sub("", text) == _COMMAND.sub("", _template())


def _template() -> str:
    return (resources.files("indelible.cli.setup") / "opencode" / "indelible.js").read_text(encoding="utf-8")


def _list(form: PluginForm, command: tuple[str, ...], platform: str) -> str:
    """The file as a list: kiro.dev/docs/hooks, version v1."""
    lines = lines_of(form, command, platform).values()
    hooks = [
        {
            "name": f"{NAME}-{moment.name}",
            "trigger": moment.event,
            "action": {"type": "command", "command": line},
            "timeout": moment.seconds,
        }
        for moment, line in lines
    ]
    return json.dumps({"version": "v1", "hooks": hooks}, ensure_ascii=False, indent=2) + "\n"


def _hooks(text: str) -> list[Any]:
    """The hooks of such a list, [] where a text is none or has others than ours."""
    try:
        listed = json.loads(text)["hooks"]
        ours = all(each["name"].startswith(f"{NAME}-") for each in listed)
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return []
    return list(listed) if ours else []


def _names(text: str) -> list[str]:
    return [each["name"] for each in _hooks(text)]


def _without_commands(text: str) -> list[Any]:
    return [{**each, "action": None} for each in _hooks(text)]


def name_of(form: PluginForm) -> str:
    """Return the words for such files."""
    if form.scripts:
        return "directory of hooks"
    return "file of hooks" if form.moments else "plugin"


def parts_of(client: Client, scope: str, around: Surroundings, data: Path, dry: bool = False) -> list[Plugin]:
    """Return the files of a client in a scope. InvalidInput for a client that has none, or for no project."""
    form = client.plugin
    if form is None:
        raise InvalidInput(f"--hooks: {client.title} has no plugin that set-up writes; leave the flag out")
    path = form.file(scope, around)
    if not form.scripts:
        return [Plugin(client, scope, path, around, data, dry)]
    ending = ".ps1" if around.platform == "win32" else ""
    return [Plugin(client, scope, path / f"{event}{ending}", around, data, dry, event=event) for event in form.events]


def there(client: Client, scope: str, around: Surroundings) -> list[Plugin]:
    """Return the files that are there and ours, of whatever version, or cannot be read."""
    if client.plugin is None or (scope == "project" and None in (around.project, client.plugin.project)):
        return []
    return [one for one in parts_of(client, scope, around, Path()) if skill.is_there(one)]


def is_set_up(client: Client, scope: str, around: Surroundings) -> bool:
    """Is one of the files there."""
    return bool(there(client, scope, around))


def program_in(text: str, one: Plugin) -> str:
    """Return the program that a file of ours starts, "" where that cannot be read."""
    if one.event:
        lines = [text.rstrip().rpartition("\n")[2].removeprefix("exec ")]
    elif one.form.moments:
        lines = [str((each.get("action") or {}).get("command", "")) for each in _hooks(text)]
    else:
        return next(iter(command_in(text)), "")
    return next((words[0] for line in lines for words in words_of(line) if words), "")


def command_in(text: str) -> tuple[str, ...]:
    """Return what a plugin of ours starts, () where that cannot be read."""
    found = _COMMAND.search(text)
    try:
        command = json.loads(found[0].partition(" = ")[2]) if found else []
    except ValueError:
        return ()
    return tuple(map(str, command))


def snippet(parts: Sequence[Plugin], program: Sequence[str], given: Sequence[str]) -> str:
    """Return the whole file; of several each behind its name."""
    made = [(one.path.name, one.content().decode()) for one in _with_command(parts, program, given)]
    return made[0][1] if len(made) == 1 else "\n".join(f"==> {name} <==\n{text}" for name, text in made)


def set_up(parts: Sequence[Plugin], program: Sequence[str], given: Sequence[str]) -> Change:
    """Write the files. InvalidInput, before any is written, where one of those names is none of ours."""
    made = _with_command(parts, program, given)
    for one in made:
        skill.set_up(replace(one, dry=True))
    done = _as_one([skill.set_up(one) for one in made], made[0])
    return replace(done, starts=" ".join((*program, "hook")), events=made[0].form.events)


def take_back(parts: Sequence[Plugin]) -> Change:
    """Remove the files; one that somebody changed since stays."""
    return _as_one([skill.take_back(one) for one in parts], parts[0])


def _as_one(done: Sequence[Change], one: Plugin) -> Change:
    """Return the changes of all files as one, of their directory where they are scripts."""
    actions = {change.action for change in done}
    return replace(
        done[0],
        path=one.form.file(one.scope, one.around),
        action=actions.pop() if len(actions) == 1 else "removed" if "removed" in actions else "changed",
        backup=next((change.backup for change in done if change.backup), None),
        diff="".join(change.diff for change in done),
        notes=tuple(note for change in done for note in change.notes),
    )


def _with_command(parts: Sequence[Plugin], program: Sequence[str], given: Sequence[str]) -> list[Plugin]:
    event = ("{name}",) if parts[0].form.moments else ()
    command = (*program, "hook", *event, "--client", parts[0].client.name, *given)
    return [replace(one, command=command) for one in parts]
