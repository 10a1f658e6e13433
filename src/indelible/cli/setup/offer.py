"""The dialogue of `indelible setup` at a terminal: what is recorded, one question for all, past sessions, what is next.

All goes to standard error but what set-up itself reports. Enter means yes, the end of the input no.
"""

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from indelible.cli.terminal import agrees, can_ask, counted
from indelible.stderr import say

if TYPE_CHECKING:
    from indelible.cli.setup.clients import Client
    from indelible.cli.setup.surroundings import Surroundings
    from indelible.settings import Settings

# Imported late (cli): indelible.capture.clients, indelible.capture.clients.claude_transcripts,
#   indelible.cli.setup.clients, indelible.cli.setup.hooks, indelible.cli.setup.plugin_file,
#   indelible.cli.setup.surroundings

A_SECOND = 1_000_000  # bytes of transcripts that are taken in, on a slow machine


def is_possible(arguments: argparse.Namespace) -> bool:
    """Return whether there is somebody to ask, and something to ask about."""
    asks_nothing = arguments.all or arguments.dry_run or arguments.print
    return can_ask() and not asks_nothing


def choose_parts(arguments: argparse.Namespace) -> None:
    """Offer the hooks and the skill beside the server, as far as a client that was named has them.

    Raises InvalidInput for an unknown client.
    """
    from indelible.cli.setup.clients import find_client

    client = find_client(arguments.client) if arguments.client else None
    has_hooks = client is None or client.hooks is not None or client.plugin is not None
    arguments.allow_store = bool(arguments.allow_store)  # that is asked apart
    arguments.hooks = arguments.hooks or (has_hooks and not arguments.no_hooks)
    arguments.skill = arguments.skill or client is None or client.skills is not None


def say_what_is_recorded(settings: "Settings") -> None:
    """Say what hooks record, where it is, for how long, what leaves the machine, and what it costs."""
    say("recorded: prompts, commands with the ends of their output, edits, names of files, last messages")
    say("never: what stands in files that were read, in <private>...</private>, or is recognised as a secret")
    deleted = "you delete them" if settings.database else "you delete them or that directory"
    say(
        f"kept in: {settings.place}, which only you can read; events {settings.event_days} days, memories until "
        f"{deleted}"
    )
    say("leaves this machine: nothing" if not settings.database else "leaves this machine: what goes to that database")
    say(
        "costs: in each session about 2,700 tokens for the tools, at most 600 for what it is told at its start, and at "
        "most 250 for a prompt, 1,500 for all prompts together"
    )


def offer_to_store(arguments: argparse.Namespace, clients: "Iterable[Client]", around: "Surroundings") -> None:
    """Ask for the permission without which the question at the end of a turn does not come, where it is missing."""
    from indelible.cli.setup.hooks import may_store

    if not arguments.hooks or arguments.allow_store:
        return
    if any(client.hooks and not may_store(client, arguments.scope, around) for client in clients):
        arguments.allow_store = agrees(
            "At most twice a session, Claude Code's agent is asked what it found out. May it store the answer without "
            "your permission each time?"
        )


def offer_past_sessions(
    arguments: argparse.Namespace,
    clients: "Iterable[Client]",
    around: "Surroundings",
    import_transcripts: Callable[[argparse.Namespace], int],
) -> None:
    """Ask whether past sessions of Claude Code are taken in, and do it."""
    from indelible.capture.clients import claude_transcripts
    from indelible.cli.setup.surroundings import BASES

    folder = BASES["claude directory"](around) / "projects"
    if not arguments.hooks or all(client.name != "claude-code" for client in clients) or not folder.is_dir():
        return
    files = claude_transcripts.files(folder)
    seconds = max(1, round(sum(file.stat().st_size for file in files) / A_SECOND))
    length = f"{seconds} s" if seconds < 90 else f"{round(seconds / 60)} minutes"
    question = f"Learn from {counted(len(files), 'past session')} of Claude Code, too (about {length})?"
    if not files:
        return
    is_wanted = False
    try:
        is_wanted = agrees(question, enter=True, is_first=False)
    finally:  # at Ctrl-C too: set up again, nothing is asked
        if not is_wanted:
            say("`indelible import --from claude-code` does so later")
    if is_wanted:
        import_transcripts(argparse.Namespace(**{**vars(arguments), "file": str(folder)}))


def whose(scope: str) -> str:
    """Return for which projects a scope is, as a question says it."""
    return "for this project" if scope == "project" else "for all your projects"


def say_what_is_next(arguments: argparse.Namespace) -> None:
    """Say how to see that it works, and how to stop it."""
    say("next: start a new session of the agent in a project and work; then, in the project:")
    if arguments.hooks:
        say("  indelible brief    what the next session is told: your own rules at once")
        say("  indelible review   keep or reject the rest of what was learned")
        say("  indelible pause    records nothing here until `resume` (--all, --for-good)")
    else:
        say("  indelible recall   what is known of a matter")
    say("  indelible unsetup  takes this out again, but not what was recorded")


def mention_hooks(scope: str, around: "Surroundings", clients: "Sequence[Client]") -> None:
    """Say in a line that there are hooks, where a client that was set up could have them and has none."""
    from indelible.capture.clients import DEAF
    from indelible.cli.setup import plugin_file
    from indelible.cli.setup.hooks import are_set_up

    without = [c for c in clients if c.hooks and c.hooks.has_scope(scope) and not are_set_up(c, scope, around)]
    without += [c for c in clients if c.plugin and not plugin_file.is_set_up(c, scope, around)]
    if without:
        brief = "" if all(c.name in DEAF for c in without) else ", and start with a brief of the project"
        say(f"with --hooks, {', '.join(c.title for c in without)} would also report what happens{brief}")
