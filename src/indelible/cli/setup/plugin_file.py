"""A client's hooks in a file that is ours as a whole: a plugin, or a list of commands. Putting it there, taking it out.

A plugin reports to `indelible hook` what hooks of other clients report.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
from indelible.errors import InvalidInput

_COMMAND = re.compile(r"^const COMMAND = \[.*\]$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Plugin(Skill):
    """The file in one client's directory of plugins or hooks; `command` is what it starts, without the event."""

    command: tuple[str, ...] = ()

    kind = HOOKS

    @property
    def form(self) -> PluginForm:
        """Return the client's form of the file."""
        assert self.client.plugin is not None
        return self.client.plugin

    def is_in(self, seen: Snapshot) -> bool:
        """See Part; of whatever version."""
        if self.form.moments:
            return _names(seen.text) != []
        return seen.text.startswith(_template().partition("\n")[0])

    def content(self) -> bytes:
        """See Skill."""
        if self.form.moments:
            return _list(self.form, self.command, self.around.platform).encode()
        return _COMMAND.sub(lambda _: f"const COMMAND = {json.dumps(self.command)}", _template()).encode()

    def is_as_made(self, content: bytes) -> bool:
        """See Skill; whatever it starts."""
        text = content.decode("utf-8", "replace")
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
    """Return the word for such a file."""
    return "file of hooks" if form.moments else "plugin"


def program_in(text: str, form: PluginForm) -> str:
    """Return the program that a file of ours starts, "" where that cannot be read."""
    if not form.moments:
        return next(iter(command_in(text)), "")
    lines = [str((each.get("action") or {}).get("command", "")) for each in _hooks(text)]
    return next((words[0] for line in lines for words in words_of(line) if words), "")


def plugin_of(client: Client, scope: str, around: Surroundings, data: Path, dry: bool = False) -> Plugin:
    """The plugin of a client in a scope. InvalidInput for a client that has none, or for no project."""
    if client.plugin is None:
        raise InvalidInput(f"--hooks: {client.title} has no plugin that set-up writes; leave the flag out")
    return Plugin(client, scope, client.plugin.file(scope, around), around, data, dry)


def is_set_up(client: Client, scope: str, around: Surroundings) -> bool:
    """Is the plugin there, of whatever version."""
    if client.plugin is None or (scope == "project" and around.project is None):
        return False
    return skill.is_there(plugin_of(client, scope, around, Path()))


def command_in(text: str) -> tuple[str, ...]:
    """Return what a plugin of ours starts, () where that cannot be read."""
    found = _COMMAND.search(text)
    try:
        command = json.loads(found[0].partition(" = ")[2]) if found else []
    except ValueError:
        return ()
    return tuple(map(str, command))


def snippet(one: Plugin, program: Sequence[str], given: Sequence[str]) -> str:
    """The whole file."""
    return _with_command(one, program, given).content().decode()


def set_up(one: Plugin, program: Sequence[str], given: Sequence[str]) -> Change:
    """Write the plugin. InvalidInput where a file of that name is none of ours."""
    done = skill.set_up(_with_command(one, program, given))
    return replace(done, starts=" ".join((*program, "hook")), events=one.form.events)


def _with_command(one: Plugin, program: Sequence[str], given: Sequence[str]) -> Plugin:
    event = ("{name}",) if one.form.moments else ()
    return replace(one, command=(*program, "hook", *event, "--client", one.client.name, *given))
