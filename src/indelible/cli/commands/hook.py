"""`indelible hook` as the help shows it; the work is done in `cli/hook.py`."""

import argparse

from indelible.cli.opening import Adding


def add(command: Adding) -> None:
    """Add the command."""
    hook = command("hook", _run, "take an event from an agent's hook: JSON on standard input; always exit code 0")
    hook.add_argument("event", nargs="?", default="", metavar="EVENT", help="the client's name for it, in any spelling")
    hook.add_argument(
        "--client", metavar="NAME", help="claude-code, codex, gemini-cli, cursor (default: by the payload)"
    )


def _run(arguments: argparse.Namespace) -> int:
    from indelible.cli import hook

    place = (("--database", arguments.database), ("--tenant", arguments.tenant))
    given = (("--client", arguments.client), ("--data", arguments.data), *place)
    return hook.main([arguments.event, *(part for name, value in given if value for part in (name, value))])
