"""The hooks in a client's file, as `indelible setup --hooks` leaves them."""

import tomllib
from dataclasses import replace

from indelible.cli.setup import hooks
from indelible.cli.setup.clients import CLIENTS
from indelible.cli.setup.json_nodes import read, value_of
from user_machine import HOOK_FILES

EVERY = list(HOOK_FILES)
HOOKED = list(dict(EVERY))
PROGRAM = ("/opt/in delible/bin/indelible",)


def value(path):
    text = path.read_text(encoding="utf-8-sig")
    return tomllib.loads(text) if path.suffix == ".toml" else value_of(text, read(text))


def handlers(machine, client, scope="user"):
    """Our handlers by event, and those of others."""
    ours = {}
    said, section = value(machine.hook_file(client, scope)), CLIENTS[client].hooks.section
    found = said.get(section, {})
    if isinstance(found, list):  # of tables
        found = {e["event"]: [each for each in found if each["event"] == e["event"]] for e in found}
    others = [("", part) for name, part in said.items() if section == "indelible" != name]
    for event, items in found.items():
        for item in [item for item in items if isinstance(item, dict)] if isinstance(items, list) else ():
            for handler in item.get("hooks", [item]):
                if "indelible" in handler["command"]:
                    assert event not in ours
                    ours[event] = handler
                else:
                    others.append((event, handler))
    return ours, others


def part(machine, client, scope="user", platform="linux"):
    around = replace(machine.around(), platform=platform)
    return hooks.hooks_of(CLIENTS[client], scope, around, machine.data)
