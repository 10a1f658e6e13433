"""For shells and scripts: completion of the command line, and the schema of the answers with --json."""

import argparse
import json

from indelible.cli.opening import Adding


def add(command: Adding) -> None:
    """Declare the commands."""
    command("schema", _schema, "print the JSON schema of what every command answers with --json")
    completion = command("completion", _completion, "print the script with which a shell completes `indelible` at Tab")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))


def _completion(arguments: argparse.Namespace) -> int:
    from indelible.cli import completing
    from indelible.cli.terminal import out

    out(completing.script(arguments.shell))
    return 0


def _schema(arguments: argparse.Namespace) -> int:
    from importlib.resources import files

    from indelible.cli import answers
    from indelible.cli.terminal import out

    text = files("indelible.cli").joinpath("answer.schema.json").read_text(encoding="utf-8")
    answers.give({"schema": json.loads(text)})
    out(text.rstrip("\n"))
    return 0
