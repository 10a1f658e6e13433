"""Registering Indelible with the programs that use it: `setup`, `unsetup`, and what doctor says of them."""

import argparse
import dataclasses
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indelible.errors import Conflict, InvalidInput
from indelible.serve.opening import Adding
from indelible.serve.paths import absolute
from indelible.serve.terminal import out, printable, say

if TYPE_CHECKING:
    from indelible.settings import Settings
    from indelible.setup.clients import Client, Surroundings
    from indelible.setup.registration import Change

_WORDS = {  # action: done, would be done
    "added": ("set up", "would be set up"),
    "changed": ("changed", "would be changed"),
    "removed": ("removed", "would be removed"),
    "unchanged": ("set up already", "set up already"),
    "absent": ("not set up, nothing to remove", "not set up, nothing to remove"),
}


def add(command: Adding) -> None:
    """Declare the commands."""
    setup = command("setup", _setup, "register Indelible with an agent: Claude Code, Cursor, VS Code, Codex")
    unsetup = command("unsetup", _unsetup, "take Indelible out of an agent's configuration again")
    for parser in (setup, unsetup):
        parser.add_argument("client", nargs="?", metavar="CLIENT", help="claude-code, cursor, vscode or codex")
        parser.add_argument("--all", action="store_true", help="every client that is found")
        parser.add_argument(
            "--scope", choices=("user", "project"), default="user", help="whose configuration; default: %(default)s"
        )
        parser.add_argument("--dry-run", action="store_true", help="show what would be changed, change nothing")
        parser.add_argument("--json", action="store_true", help="say what was done as JSON")
    setup.add_argument(
        "--toolsets", metavar="A,B", help="toolsets to serve, of those in `indelible tools`; default: all"
    )
    setup.add_argument("--print", action="store_true", help="print what belongs into the file; read and write none")


# --- The two commands ---


def _setup(arguments: argparse.Namespace) -> int:
    from indelible.setup import registration
    from indelible.setup.launch import launch_command

    settings, around = _surroundings(arguments)
    launch = (*launch_command(), *_serve_arguments(arguments, settings))
    if arguments.print:
        return _print(arguments, around, launch)

    def work(client: "Client", dry: bool) -> "Change":
        one = registration.registration(client, arguments.scope, around, settings.data, dry)
        return registration.set_up(one, launch)

    return _each(arguments, _chosen(arguments, lambda: _found(around), work), work)


def _unsetup(arguments: argparse.Namespace) -> int:
    from indelible.setup import registration

    settings, around = _surroundings(arguments)

    def work(client: "Client", dry: bool) -> "Change":
        one = registration.registration(client, arguments.scope, around, settings.data, dry)
        return registration.take_back(one)

    return _each(arguments, _chosen(arguments, lambda: _registered(arguments, around), work), work)


def _each(arguments: argparse.Namespace, clients: "list[Client]", work: "Callable[[Client, bool], Change]") -> int:
    """Do every client, whatever becomes of the others; 1 if one was refused."""
    told: list[dict[str, Any]] = []
    code = 0
    for client in clients:
        try:
            change = work(client, arguments.dry_run)
        except (InvalidInput, Conflict) as error:
            if len(clients) == 1 and not arguments.json:
                raise
            code = 1
            words = _safe(str(error))
            told.append({"client": client.name, "scope": arguments.scope, "action": "refused", "error": words})
            if not arguments.json:
                say(f"{client.title}: refused: {words}")
            continue
        told.append(_as_json(change))
        if not arguments.json:
            for line in _lines(change):
                out(line)
    if arguments.json:
        out(json.dumps({"clients": told}, ensure_ascii=False, indent=2))
    return code


# --- Which clients ---


def _found(around: "Surroundings") -> "list[Client]":
    from indelible.setup.clients import CLIENTS, installed

    found = installed(around)
    if not found:
        say(f"none of {', '.join(CLIENTS)} is found on this machine; there is no")
        for client in CLIENTS.values():
            say(f"  {client.title}: {', '.join(client.traces(around))}")
        say("name one to set it up all the same, for example `indelible setup cursor`")
    return found


def _registered(arguments: argparse.Namespace, around: "Surroundings") -> "list[Client]":
    """The clients whose file of this scope names Indelible; a file that cannot be read counts, and is refused later."""
    from indelible.setup.clients import CLIENTS
    from indelible.setup.registration import is_registered

    found = [client for client in CLIENTS.values() if is_registered(client, arguments.scope, around)]
    if not found:
        say(f"no client is set up (scope {arguments.scope})")
    return found


def _chosen(
    arguments: argparse.Namespace, look: "Callable[[], list[Client]]", work: "Callable[[Client, bool], Change]"
) -> "list[Client]":
    """The client that was named, or those that were found: all with --all, else after a question on a terminal."""
    from indelible.setup.clients import find_client

    if arguments.client and arguments.all:
        raise InvalidInput("both CLIENT and --all are given; give one of them")
    if arguments.client:
        return [find_client(arguments.client)]
    found = look()
    if arguments.all or arguments.dry_run or not found:
        return found
    if not sys.stdin.isatty():
        names = ", ".join(client.name for client in found)
        raise InvalidInput(f"name a CLIENT ({names}) or give --all; there is no terminal to ask at")
    if not _plan(found, work):
        return found  # nothing to ask about: each says why
    sys.stderr.write(f"Do this (scope {arguments.scope})? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return found
    say("nothing was changed")
    return []


def _plan(clients: "list[Client]", work: "Callable[[Client, bool], Change]") -> bool:
    """Say of each client what would be done to which file; whether anything would be."""
    plans: list[str] = []
    changing = False
    for client in clients:
        try:
            change = work(client, True)
        except (InvalidInput, Conflict) as error:
            plans.append(f"{client.title}: would be refused: {_safe(str(error))}")
            continue
        changing |= change.action in ("added", "changed", "removed")
        plans += _lines(dataclasses.replace(change, diff=""))
    for line in plans if changing else ():
        say(line)
    return changing


# --- What they are told ---


def _surroundings(arguments: argparse.Namespace) -> "tuple[Settings, Surroundings]":
    """The settings, and where clients are looked for; the project is the git repository around, or the directory."""
    from indelible.settings import Settings

    _refuse_missing_directory(arguments)
    named = Path(arguments.project) if arguments.project and _is_place(arguments) else None
    settings = Settings.load(arguments.data, toolsets=getattr(arguments, "toolsets", None))
    return settings, surroundings_of(settings, named)


def surroundings_of(settings: "Settings", project: Path | None = None) -> "Surroundings":
    """Where the clients of this user are looked for; `project` is a directory, that of `settings` where it is None."""
    from indelible.settings import child_environment
    from indelible.setup.clients import Surroundings, project_around

    place = project_around(settings.start / (project or ""), settings.home)
    return Surroundings(settings.home, child_environment(), sys.platform, place)


def _refuse_missing_directory(arguments: argparse.Namespace) -> None:
    """Raise InvalidInput where --project must be a directory, or is written as one, and is none."""
    given = arguments.project
    if not given or Path(given).is_dir():
        return
    if arguments.scope == "project":
        raise InvalidInput(
            f"--project is {given!r}, which is no directory; with --scope project give the directory whose files are "
            "meant, or run it there without --project"
        )
    if given.startswith((".", "~")) or any(sign in given for sign in ("/", "\\")):
        raise InvalidInput(
            f"--project is {given!r}, which looks like a path and is no directory; give one that exists, or the name "
            "of a project"
        )


def _is_place(arguments: argparse.Namespace) -> bool:
    """Does --project say whose files are meant; else it is a name, or what the server is to be started with."""
    return arguments.scope == "project" and Path(arguments.project).is_dir()


def _serve_arguments(arguments: argparse.Namespace, settings: "Settings") -> list[str]:
    """What follows the command: `serve` and the flags that were given. InvalidInput for unknown toolsets."""
    from indelible.settings import EXISTING, child_environment

    given = ["serve"]
    if arguments.toolsets is not None:
        from indelible import registry

        registry.offered(dataclasses.replace(settings, tools=(), exclude_tools=(), read_only=False))
        given += ["--toolsets", ",".join(settings.toolsets)]
    if arguments.data:
        given += ["--data", str(settings.data)]
    elif child_environment().get("INDELIBLE_DATA"):
        say("INDELIBLE_DATA is set here, but a client may not have it; --data DIR writes the directory down")
    for variable in filter(child_environment().get, EXISTING):
        say(f"{variable} is set here, but a client may not have it; write it into the `env` of the entry")
    if arguments.project and not _is_place(arguments):
        path = Path(arguments.project)
        given += ["--project", str(absolute(path, "--project")) if path.is_dir() else arguments.project]
    return given


def _print(arguments: argparse.Namespace, around: "Surroundings", launch: tuple[str, ...]) -> int:
    from indelible.setup.clients import CLIENTS, NAME, find_client

    if not arguments.client and not arguments.all:
        raise InvalidInput(f"--print needs a CLIENT ({', '.join(CLIENTS)}) or --all")
    clients = list(CLIENTS.values()) if arguments.all else [find_client(arguments.client)]
    snippets = {
        c.name: (c.file(arguments.scope, around), c.form.snippet(c.section, NAME, c.entry(launch))) for c in clients
    }
    if arguments.json:
        out(
            json.dumps(
                {name: {"file": str(path), "snippet": text} for name, (path, text) in snippets.items()}, indent=2
            )
        )
        return 0
    for path, text in snippets.values():
        say(f"{path}:")
        out(text.rstrip("\n"))
    return 0


def _lines(change: "Change") -> Iterator[str]:
    """What was done to a client's file, or would be, and what is to be done next."""
    client = change.client
    yield f"{client.title}: {_WORDS[change.action][change.dry]} ({change.path})"
    for note in change.notes:
        yield f"  {_safe(note)}"
    if change.starts:
        yield f"  starts: {_safe(change.starts)}"
    if change.by:
        yield f"  {'would run' if change.dry else 'ran'}: {_safe(change.by)}"
    if change.was and change.action == "changed":
        yield f"  was: {_safe(change.was)}"
    if change.backup:
        yield f"  before: {change.backup}"
    if change.dry and change.diff:
        yield _redacted(change.diff).rstrip("\n")
    if not change.dry:
        yield from _next(change)


def _next(change: "Change") -> Iterator[str]:
    client = change.client
    if change.action == "removed":
        yield f"  next: end the open sessions of {client.title}; they still have the server"
    if change.action in ("added", "changed"):
        yield f"  next: {client.then[change.scope]}"
        if change.scope == "project":
            yield "  the file names a path of this machine: others who share it run `indelible setup` themselves"


def _as_json(change: "Change") -> dict[str, Any]:
    made = not change.dry and change.action in ("added", "changed")
    return {
        "client": change.client.name,
        "scope": change.scope,
        "action": change.action,
        "dry_run": change.dry,
        "file": str(change.path),
        "command": change.by,
        "starts": _redacted(change.starts) if change.starts else None,
        "was": _redacted(change.was) if change.was else None,
        "backup": str(change.backup) if change.backup else None,
        "diff": _redacted(change.diff),
        "notes": [_safe(note) for note in change.notes],
        "next": change.client.then[change.scope] if made else None,
    }


def _redacted(text: str) -> str:
    """What is shown of other people's entries holds no key of theirs."""
    from indelible.redact import redact_text

    return redact_text(text)[0]


def _safe(text: str) -> str:
    return printable(_redacted(text))


# --- For doctor ---


def registered_lines(settings: "Settings") -> tuple[list[str], bool]:
    """A line for each client that is found here, and whether those set up all answer; see setup/probe.py."""
    from indelible.setup import probe

    lines, sound = probe.registered_lines(surroundings_of(settings))
    return [_safe(line) for line in lines], sound
