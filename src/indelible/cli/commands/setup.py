"""Registering Indelible with the programs that use it: `setup`, `unsetup`, and what doctor says of them."""

import argparse
import dataclasses
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indelible.cli import answers, parsing
from indelible.cli.commands import setup_report as report
from indelible.cli.opening import Adding
from indelible.cli.paths import absolute
from indelible.cli.terminal import agrees, can_ask, out, verbatim
from indelible.errors import Conflict, InvalidInput
from indelible.lines import harmless
from indelible.stderr import say

if TYPE_CHECKING:
    from indelible.cli.setup.changes import Change
    from indelible.cli.setup.clients import Client
    from indelible.cli.setup.surroundings import Surroundings
    from indelible.settings import Settings

    Work = Callable[[Client, bool], Iterator[Change]]


def add(command: Adding) -> None:
    """Declare the commands."""
    setup = command("setup", _setup, "register Indelible with an agent, for example Claude Code")
    unsetup = command("unsetup", _unsetup, "remove Indelible from an agent's configuration")
    for parser in (setup, unsetup):
        client = parser.add_argument(
            "client",
            nargs="?",
            metavar="CLIENT",
            help="claude-code, claude-desktop, cursor, vscode, codex, gemini-cli, opencode, windsurf, zed, "
            "copilot-cli, antigravity, goose, cline, roo, kiro, amp, continue or kimi; junie with --print only",
        )
        parsing.offer(client, _names_of_clients)
        parser.add_argument("--all", action="store_true", help="every client found on this machine")
        parser.add_argument(
            "--scope", choices=("user", "project"), default="user", help="which configuration; default: %(default)s"
        )
        parser.add_argument("--dry-run", action="store_true", help="show what would be changed, change nothing")
    setup.add_argument(
        "--hooks",
        action="store_true",
        help="also let the agent report what happens, and start with a brief: claude-code, codex, gemini-cli, cursor, "
        "copilot-cli, vscode, opencode, antigravity, goose, cline, kiro, kimi, windsurf",
    )
    setup.add_argument("--no-hooks", action="store_true", help="at a terminal, do not offer the hooks")
    setup.add_argument(
        "--allow-store",
        action="store_true",
        default=None,
        help="with --hooks, let the agent store memories without asking you each time: claude-code",
    )
    setup.add_argument(
        "--ask-agent",
        action="store_true",
        help="with --hooks, ask the agent at the end of a turn what it found out: codex; Claude Code does so anyway",
    )
    setup.add_argument(
        "--skill",
        action="store_true",
        help="also install the skill that says when to use it: claude-code, codex, copilot-cli, antigravity, cline, "
        "roo, kiro, continue, kimi",
    )
    setup.add_argument(
        "--toolsets", metavar="A,B", help="toolsets to serve (`indelible tools` lists them); default: all"
    )
    setup.add_argument(
        "--profile",
        metavar="NAME",
        help="what the agent is shown: daily (the default), full (all tools, answers as JSON), or a toolset",
    )
    setup.add_argument("--print", action="store_true", help="print what belongs into the file, and write nothing")
    unsetup.add_argument("--hooks", action="store_true", help="remove only the hooks, and keep the server")


def _names_of_clients() -> Iterable[str]:
    from indelible.cli.setup.clients import CLIENTS

    return CLIENTS


# --- The two commands ---


def _setup(arguments: argparse.Namespace) -> int:
    from indelible.cli.setup.process import launch_command

    settings, around = _surroundings(arguments)
    program = launch_command()
    launch = (*program, *_serve_arguments(arguments, settings))
    if arguments.print:
        return _print(arguments, settings, around, program, launch)

    def work(client: "Client", dry: bool) -> "Iterator[Change]":
        yield from _set_up(arguments, settings, around, client, dry, (program, launch))

    if arguments.hooks and arguments.no_hooks:
        raise InvalidInput("both --hooks and --no-hooks are given; give one of them")
    from indelible.cli.setup import offer

    if offer.is_possible(arguments):
        return _offer(arguments, settings, around, work)
    clients = _chosen(arguments, lambda: _found(arguments, around), work)
    code = _each(arguments, clients, work)
    if not arguments.hooks:
        offer.mention_hooks(arguments.scope, around, clients)
    return code


def _offer(arguments: argparse.Namespace, settings: "Settings", around: "Surroundings", work: "Work") -> int:
    """Set up at a terminal: server, hooks and skill together, after one question; then past sessions."""
    from indelible.cli.commands.imports.transcripts import import_transcripts
    from indelible.cli.setup import offer
    from indelible.cli.setup.clients import find_client

    offer.choose_parts(arguments)
    clients = [find_client(arguments.client)] if arguments.client else _found(arguments, around)
    if not clients or not _plan(clients, work):
        return _each(arguments, clients, work)
    if arguments.hooks:
        offer.say_what_is_recorded(settings)
    if not agrees(f"Set this up {offer.whose(arguments.scope)}?", enter=True):
        say("nothing was changed")
        return 0
    offer.offer_to_store(arguments, clients, around)
    code = _each(arguments, clients, work)
    offer.offer_past_sessions(arguments, clients, around, import_transcripts)
    offer.say_what_is_next(arguments)
    return code


def _set_up(
    arguments: argparse.Namespace,
    settings: "Settings",
    around: "Surroundings",
    client: "Client",
    dry: bool,
    command: tuple[tuple[str, ...], tuple[str, ...]],
) -> "Iterator[Change]":
    from indelible.cli.setup import hooks, plugin_file, registration, skill

    if not client.confirmed:
        raise InvalidInput(
            f"{client.title} does not document which file it reads servers from, so none is written; "
            f"`indelible setup {client.name} --print` shows what probably belongs where, for you to try"
        )
    program, launch = command
    place = (client, arguments.scope, around, settings.data, dry)
    wanted = [
        arguments.hooks and _has(arguments, client, "hooks"),
        arguments.skill and _has(arguments, client, "skill"),
        arguments.ask_agent and _has(arguments, client, "ask-agent"),
    ]
    one = registration.registration(*place)
    yield registration.set_up(one, launch, client.defaults(arguments.scope))
    named = settings.data if arguments.data else registration.named_data(one)
    if wanted[0]:
        given: tuple[str, ...] = ("--data", str(named)) if named else ()
        given += _database_flags(arguments, settings) or registration.named_database(one)
        if client.plugin:
            parts = plugin_file.parts_of(client, arguments.scope, around, named or settings.data, dry)
            yield plugin_file.set_up(parts, program, given)
        else:
            hooked = dataclasses.replace(hooks.hooks_of(*place), data=named or settings.data)
            yield hooks.set_up(hooked, program, given, allow_store=arguments.allow_store, ask_agent=wanted[2])
    if wanted[1]:
        one_skill = dataclasses.replace(skill.skill_of(*place), data=named or settings.data)
        yield from map(skill.take_back, skill.old_skills_of(one_skill))
        yield skill.set_up(one_skill)


def _has(arguments: argparse.Namespace, client: "Client", what: str) -> bool:
    """Has a client what a flag asks for. InvalidInput if not and the client was named."""
    from indelible.cli.setup.clients import CLIENTS

    having = {
        "hooks": [one for one in CLIENTS.values() if one.hooks or one.plugin],
        "ask-agent": [one for one in CLIENTS.values() if one.hooks and one.hooks.may_ask],
        "skill": [one for one in CLIENTS.values() if one.skills],
    }[what]
    if client not in having and arguments.client:
        names = ", ".join(one.name for one in having)
        raise InvalidInput(f"--{what}: not available for {client.title}, but for {names} (nothing was written)")
    if what == "hooks" and client.hooks and not client.hooks.has_scope(arguments.scope):
        if arguments.client:
            raise InvalidInput(
                f"--hooks: {client.title} has them for a user only; use --scope user (nothing was written)"
            )
        return False
    return client in having


def _unsetup(arguments: argparse.Namespace) -> int:
    settings, around = _surroundings(arguments)

    def work(client: "Client", dry: bool) -> "Iterator[Change]":
        yield from _take_back(arguments, settings, around, client, dry)

    clients = _chosen(arguments, lambda: _registered(arguments, around), work)
    code = _each(arguments, clients, work)
    if clients and not arguments.dry_run:
        say(f"memories stay in {settings.place}; {_how_to_delete_all(settings)}")
    return code


def _how_to_delete_all(settings: "Settings") -> str:
    if settings.database:
        return "`indelible purge --namespace NAME` deletes those of a project for good"
    return "delete that directory to delete all of them; `pip uninstall indelible` removes the program"


def _take_back(
    arguments: argparse.Namespace, settings: "Settings", around: "Surroundings", client: "Client", dry: bool
) -> "Iterator[Change]":
    """First what stands beside the server, since the server's entry says where set-up kept its ledger."""
    from indelible.cli.setup import hooks, plugin_file, registration, skill

    place = (client, arguments.scope, around, settings.data, dry)
    one = registration.registration(*place)
    named = registration.named_data(one)
    if plugin_file.is_set_up(client, arguments.scope, around):
        parts = plugin_file.parts_of(client, arguments.scope, around, named or settings.data, dry)
        yield plugin_file.take_back(parts)
    if arguments.hooks and not (client.hooks or client.plugin):
        _has(arguments, client, "hooks")
        return
    if client.hooks and (arguments.hooks or hooks.are_set_up(client, arguments.scope, around)):
        hooked = hooks.hooks_of(*place)
        yield hooks.take_back(dataclasses.replace(hooked, data=named or hooks.named_data(hooked) or settings.data))
    if arguments.hooks:
        return
    if skill.is_set_up(client, arguments.scope, around):
        one_skill = dataclasses.replace(skill.skill_of(*place), data=named or settings.data)
        yield from map(skill.take_back, skill.old_skills_of(one_skill))
        yield skill.take_back(one_skill)
    yield registration.take_back(one)


def _each(arguments: argparse.Namespace, clients: "list[Client]", work: "Work") -> int:
    """Do every client, whatever becomes of the others; 1 if one was refused."""
    reported: list[dict[str, Any]] = []
    code = 0
    for client in clients:
        done, error = _done(client, arguments.dry_run, work)
        for change in done:
            for line in report.lines(change):
                out(line)
            if diff := report.diff_of(change):
                verbatim(harmless(diff))
        if error is None:
            reported.append(report.as_json(done, arguments.scope, client))
            continue
        words = report.safe(str(error))
        reported.append({**report.as_json(done, arguments.scope, client), "action": "refused", "error": words})
        if len(clients) == 1:
            answers.give({"clients": reported})
            raise error
        code = 1
        say(f"{client.title}: refused: {words}")
    answers.give({"clients": reported})
    return code


def _done(client: "Client", dry: bool, work: "Work") -> "tuple[list[Change], InvalidInput | Conflict | None]":
    """Return the changes made to a client, up to the one that was refused."""
    done: list[Change] = []
    try:
        done += work(client, dry)
    except (InvalidInput, Conflict) as error:
        return done, error
    return done, None


# --- Which clients ---


def _found(arguments: argparse.Namespace, around: "Surroundings") -> "list[Client]":
    from indelible.cli.setup.clients import CLIENTS, installed

    found = installed(around)
    if not found:
        say(f"none of {', '.join(CLIENTS)} is found on this machine; there is no")
        for client in CLIENTS.values():
            say(f"  {client.title}: {', '.join(client.traces(around))}")
        say("name one to set it up anyway, for example `indelible setup cursor`")
    for client in found:
        if not client.has_scope(arguments.scope):
            say(f"{client.title}: left out: it has no project file for servers")
    return [client for client in found if client.has_scope(arguments.scope)]


def _registered(arguments: argparse.Namespace, around: "Surroundings") -> "list[Client]":
    """The clients whose files of this scope name Indelible; one that cannot be read counts, and is refused later."""
    from indelible.cli.setup import plugin_file
    from indelible.cli.setup.clients import CLIENTS
    from indelible.cli.setup.hooks import are_set_up
    from indelible.cli.setup.registration import is_registered
    from indelible.cli.setup.skill import is_set_up

    scope = arguments.scope
    hooked = (are_set_up, plugin_file.is_set_up)
    looks = hooked if arguments.hooks else (is_registered, *hooked, is_set_up)
    here = [client for client in CLIENTS.values() if client.has_scope(scope)]
    found = [client for client in here if any(look(client, scope, around) for look in looks)]
    if not found:
        say(f"no client {'has hooks' if arguments.hooks else 'is set up'} (scope {scope})")
    return found


def _chosen(arguments: argparse.Namespace, look: "Callable[[], list[Client]]", work: "Work") -> "list[Client]":
    """The client that was named, or those that were found: all with --all, else after a question on a terminal."""
    from indelible.cli.setup.clients import find_client

    if arguments.client and arguments.all:
        raise InvalidInput("both CLIENT and --all are given; give one of them")
    if arguments.client:
        return [find_client(arguments.client)]
    found = look()
    if arguments.all or arguments.dry_run or not found:
        return found
    if not can_ask():
        names = ", ".join(client.name for client in found)
        raise InvalidInput(f"name a CLIENT ({names}) or give --all; there is no terminal to ask on")
    if not _plan(found, work):
        return found  # nothing to ask about: each says why
    from indelible.cli.setup import offer

    if agrees(f"Do this {offer.whose(arguments.scope)}?"):
        return found
    say("nothing was changed")
    return []


def _plan(clients: "list[Client]", work: "Work") -> bool:
    """Say of each client what would be done to which file; whether anything would be."""
    plans: list[str] = []
    changing = False
    for client in clients:
        done, error = _done(client, True, work)
        for change in done:
            changing |= change.action in ("added", "changed", "removed")
            plans += report.lines(change)
        if error is not None:
            plans.append(f"{client.title}: would be refused: {report.safe(str(error))}")
    for line in plans if changing else ():
        say(line)
    return changing


# --- Where, and with which words ---


def _surroundings(arguments: argparse.Namespace) -> "tuple[Settings, Surroundings]":
    """The settings, and where clients are looked for; the project is the git repository around, or the directory."""
    from indelible.settings import Settings

    _refuse_missing_directory(arguments)
    named = Path(arguments.project) if arguments.project and _is_place(arguments) else None
    place = {"database": arguments.database, "tenant": arguments.tenant}
    toolsets, profile = (getattr(arguments, name, None) for name in ("toolsets", "profile"))
    settings = Settings.load(arguments.data, toolsets=toolsets, profile=profile, **place)
    return settings, surroundings_of(settings, named)


def surroundings_of(settings: "Settings", project: Path | None = None) -> "Surroundings":
    """Return the surroundings of this user's clients; `project` is a directory, None for that of `settings`."""
    from indelible.cli.setup.surroundings import Surroundings, project_around
    from indelible.settings import child_environment

    place = project_around(settings.start / (project or ""), settings.home)
    return Surroundings(settings.home, child_environment(), sys.platform, place)


def _refuse_missing_directory(arguments: argparse.Namespace) -> None:
    """Raise InvalidInput where --project must be a directory, or is written as one, and is none."""
    given = arguments.project
    if not given or Path(given).is_dir():
        return
    if arguments.scope == "project":
        raise InvalidInput(
            f"--project is {given!r}, which is not a directory; with --scope project give the directory whose files "
            "are meant, or run it there without --project"
        )
    if given.startswith((".", "~")) or any(sign in given for sign in ("/", "\\")):
        raise InvalidInput(
            f"--project is {given!r}, which looks like a path and is not a directory; give one that exists, or the "
            "name of a project"
        )


def _is_place(arguments: argparse.Namespace) -> bool:
    """Does --project say whose files are meant; else it is a name, or what the server is to be started with."""
    return arguments.scope == "project" and Path(arguments.project).is_dir()


def _serve_arguments(arguments: argparse.Namespace, settings: "Settings") -> list[str]:
    """Return the arguments of the command: `serve` and the given flags. InvalidInput for unknown toolsets."""
    from indelible.settings import EXISTING, child_environment

    given = ["serve"]
    if arguments.toolsets is not None:
        from indelible.toolsets import registry

        registry.offered(dataclasses.replace(settings, tools=(), exclude_tools=(), read_only=False))
        given += ["--toolsets", ",".join(settings.toolsets)]
    if arguments.profile is not None:
        from indelible.toolsets import profiles

        profiles.offered(dataclasses.replace(settings, tools=(), exclude_tools=(), read_only=False))
        given += ["--profile", arguments.profile]
    if arguments.data:
        given += ["--data", str(settings.data)]
    elif child_environment().get("INDELIBLE_DATA"):
        say("INDELIBLE_DATA is set here, but a client may not have it; --data DIR writes the directory down")
    given += _database_flags(arguments, settings)
    if not arguments.database and child_environment().get("INDELIBLE_DATABASE"):
        say("INDELIBLE_DATABASE is set here, but a client may not have it; --database URL writes it down")
    for variable in filter(child_environment().get, EXISTING):
        say(f"{variable} is set here, but a client may not have it; write it into the `env` of the entry")
    if arguments.project and not _is_place(arguments):
        path = Path(arguments.project)
        given += ["--project", str(absolute(path, "--project")) if path.is_dir() else arguments.project]
    return given


def _database_flags(arguments: argparse.Namespace, settings: "Settings") -> tuple[str, ...]:
    """The flags that name a database, where one was given. InvalidInput for a password, which files must not hold."""
    from indelible.hook_settings import has_password

    if not arguments.database:
        return ()
    if has_password(settings.database):
        raise InvalidInput(
            "--database holds a password, and would be written into files of the client, which others may read; "
            "leave the password out of the URL and put it into ~/.pgpass (chmod 600), where PostgreSQL's library looks"
        )
    return ("--database", settings.database, *(("--tenant", str(settings.tenant)) if arguments.tenant else ()))


def _print(
    arguments: argparse.Namespace,
    settings: "Settings",
    around: "Surroundings",
    program: tuple[str, ...],
    launch: tuple[str, ...],
) -> int:
    from indelible.cli.setup import hooks, plugin_file
    from indelible.cli.setup.clients import CLIENTS, find_client
    from indelible.cli.setup.entries import NAME

    if not arguments.client and not arguments.all:
        raise InvalidInput(f"--print needs a CLIENT ({', '.join(CLIENTS)}) or --all")
    clients = list(CLIENTS.values()) if arguments.all else [find_client(arguments.client)]
    given = (*(("--data", str(settings.data)) if arguments.data else ()), *_database_flags(arguments, settings))
    snippets: list[dict[str, Any]] = []
    for client in (one for one in clients if one.has_scope(arguments.scope) or arguments.client):
        text = client.form.snippet(client.section, NAME, client.entry(client.with_defaults(launch, arguments.scope)))
        reported: dict[str, Any] = {
            "client": client.name,
            "file": str(client.file(arguments.scope, around)),
            "snippet": text,
            "confirmed": client.confirmed,
        }
        if arguments.hooks and client.plugin:
            parts = plugin_file.parts_of(client, arguments.scope, around, settings.data)
            place = client.plugin.file(arguments.scope, around)
            reported["hooks"] = {"file": str(place), "snippet": plugin_file.snippet(parts, program, given)}
        elif arguments.hooks and _has(arguments, client, "hooks"):
            one = hooks.hooks_of(client, arguments.scope, around, settings.data)
            asked = (*given, hooks.ASK_AGENT) if arguments.ask_agent and one.form.may_ask else given
            reported["hooks"] = {"file": str(one.path), "snippet": hooks.snippet(one, program, asked)}
        snippets.append(reported)
    answers.give({"clients": snippets})
    for reported in snippets if not answers.are_wanted() else ():
        for part in (reported, reported.get("hooks")):
            if part:
                doubt = "" if part.get("confirmed", True) else " (not confirmed by the client's documentation)"
                say(f"{part['file']}{doubt}:")
                verbatim(harmless(part["snippet"].rstrip("\n")))
    return 0


# --- For doctor ---


def registered_lines(settings: "Settings", tell: Callable[[str], None]) -> tuple[list[str], bool]:
    """A line for each client that is found here, and whether those set up all answer; see cli/setup/probe.py.

    `tell` is given what is being done.
    """
    from indelible.cli.setup import probe

    lines, sound = probe.registered_lines(surroundings_of(settings), tell=tell)
    return [report.safe(line) for line in lines], sound
