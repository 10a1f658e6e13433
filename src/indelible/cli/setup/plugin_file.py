"""Putting a plugin of ours where a client loads plugins, and taking it out again: a file that is ours as a whole.

It reports to `indelible hook` what hooks of other clients report.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from indelible.cli.setup import skill
from indelible.cli.setup.changes import HOOKS, Change
from indelible.cli.setup.clients import Client
from indelible.cli.setup.files import Snapshot
from indelible.cli.setup.skill import Skill
from indelible.cli.setup.surroundings import Surroundings
from indelible.errors import InvalidInput

_COMMAND = re.compile(r"^const COMMAND = \[.*\]$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Plugin(Skill):
    """The plugin in one client's directory of plugins; `command` is what it starts."""

    command: tuple[str, ...] = ()

    kind = HOOKS

    def is_in(self, seen: Snapshot) -> bool:
        """See Part; of whatever version."""
        return seen.text.startswith(_template().partition("\n")[0])

    def content(self) -> bytes:
        """See Skill."""
        return _COMMAND.sub(lambda _: f"const COMMAND = {json.dumps(self.command)}", _template()).encode()

    def is_as_made(self, content: bytes) -> bool:
        """See Skill; whatever it starts."""
        return _COMMAND.sub("", content.decode("utf-8", "replace")) == _COMMAND.sub("", _template())


def _template() -> str:
    return (resources.files("indelible.cli.setup") / "opencode" / "indelible.js").read_text(encoding="utf-8")


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
    assert one.client.plugin is not None
    done = skill.set_up(_with_command(one, program, given))
    return replace(done, starts=" ".join((*program, "hook")), events=one.client.plugin.events)


def _with_command(one: Plugin, program: Sequence[str], given: Sequence[str]) -> Plugin:
    return replace(one, command=(*program, "hook", "--client", one.client.name, *given))
