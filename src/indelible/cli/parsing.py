"""The parser of the command line: what every command has, and the modules of the commands that are asked for."""

import argparse
import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

from indelible.cli import answers
from indelible.cli.opening import Command
from indelible.cli.terminal import printable, shown
from indelible.stderr import say
from indelible.version import __version__

# Imported late (cli): difflib

COMMON = ("--data", "--database", "--tenant", "--project")  # with a value; and --json
INVALID_CHOICE = "invalid choice:"

# Commands that print something else than an answer, which --json would destroy, and what that is.
WITHOUT_JSON = {
    "hook": "standard output is for the agent's client",
    "serve": "standard output is for the protocol of the client",
    "ui": "it serves the page until it is closed, and has no answer but a link",
    "encoder": "it serves other processes until it is ended, and has no answer",
    "completion": "it prints a script for a shell to read",
}


class Parser(argparse.ArgumentParser):
    """A parser whose errors a script gets as it asked for, and whose help has the commands in groups, if it has any."""

    groups: Mapping[str, Iterable[str]] = {}
    meanings: Mapping[str, str] = {}  # of each command, a few words
    _is_intermixing = False

    def __init__(self, **options: Any) -> None:
        """Make a parser that takes no beginning of an option for it: `pause --al` would pause everything."""
        super().__init__(allow_abbrev=False, **options)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does, but refuse unknown words with the usage of the command that they were given to."""
        parsed, unknown = self.parse_known_args(args, namespace)
        if unknown:
            of_command = getattr(parsed, "parser", self)
            words = printable(shown(" ".join(unknown)))
            of_command.error(f"unrecognized arguments: {words}{of_command.meant(unknown)}")
        return parsed

    def meant(self, words: Sequence[str]) -> str:
        """Return which option was probably meant by the first unknown one of some words, "" where none is like it."""
        import difflib

        known = [name for name in self._option_string_actions if name.startswith("--")]
        given = next((word.partition("=")[0] for word in words if word.startswith("--")), "")
        near = difflib.get_close_matches(given, known, 1)
        return f"; did you mean {near[0]}?" if near else ""

    def format_help(self) -> str:
        """Return the help, with the commands by what they are for."""
        if not self.groups:
            return super().format_help()
        made = self._get_formatter()
        made.add_usage(self.usage, (), ())
        made.add_text(self.description)
        for title, names in self.groups.items():
            made.start_section(title)
            for name in names:
                made.add_argument(argparse.Action([], name, help=self.meanings[name].replace("%", "%%"), metavar=name))
            made.end_section()
        made.add_text("`indelible COMMAND --help` has the options of a command.")
        return made.format_help()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does, but let an option stand before an optional word that follows another one.

        Argparse takes such a word for left out as soon as an option follows the first.
        """
        words = [each.nargs for each in self._get_positional_actions()]
        if argparse.OPTIONAL in words[1:] and not self._is_intermixing:
            self._is_intermixing = True  # which parses twice with this method: the options, then the words
            try:
                return self.parse_known_intermixed_args(args, namespace)
            finally:
                self._is_intermixing = False
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Print the message, in lines that fit, behind the usage unless it says all that is allowed; exit with 2."""
        answers.fail("usage", message)
        if INVALID_CHOICE not in message:
            say(self.format_usage().rstrip())
        say(f"{self.prog}: error: {message}")
        self.exit(2)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise ArgumentError for a value that is none of an argument's choices."""
        if action.choices is not None and value not in action.choices:
            named = None if action.nargs == argparse.PARSER else action  # whose name would be the choices once more
            allowed = ", ".join(map(str, action.choices))
            raise argparse.ArgumentError(named, f"{INVALID_CHOICE} {shown(str(value))!r}; allowed: {allowed}")


def parser_of(
    asked: str,
    modules: Mapping[str, str],
    groups: Mapping[str, Iterable[str]] | None = None,
    *,
    names_only: bool = False,
) -> Parser:
    """Return the parser for a command by its name, with no other one; with all where there is none of that name.

    `modules` has the module in cli/commands/ of each, `groups` the names by what they are for. With `names_only` none
    is loaded for a name that there is not: the parser has the names of all then.
    """
    with_common = Parser(add_help=False)
    common = with_common.add_argument_group("options of every command")
    common.add_argument("--data", metavar="DIR", help="data directory (default: INDELIBLE_DATA, else the platform's)")
    common.add_argument("--database", metavar="URL", help="PostgreSQL: postgresql://... (default: INDELIBLE_DATABASE)")
    common.add_argument("--tenant", metavar="N", help="tenant in the database (default: INDELIBLE_TENANT, else 1)")
    common.add_argument("--project", metavar="DIR", help="project (default: the git repository of this directory)")
    common.add_argument("--json", action="store_true", help="answer with one JSON object, for scripts; never ask")
    parser = Parser(prog="indelible", description="The long-term memory of AI coding agents.")
    parser.add_argument("--version", action="version", version=f"indelible {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    meanings: dict[str, str] = {}

    def command(name: str, run: Command, text: str) -> argparse.ArgumentParser:
        meanings[name] = text
        made = commands.add_parser(name, help=text, description=text, parents=[with_common])
        made.set_defaults(run=run, command_name=name, parser=made)
        return made

    if names_only and asked not in modules:
        for name in modules:
            commands.add_parser(name)
        return parser
    for module in [modules[asked]] if asked in modules else dict.fromkeys(modules.values()):
        importlib.import_module(f"indelible.cli.commands.{module}").add(command)
    if asked not in modules and groups:
        parser.usage = "indelible [-h] [--version] COMMAND ..."
        parser.groups, parser.meanings = groups, meanings
    return parser


def action(actions: Any, name: str, run: Command, text: str, **more: Any) -> argparse.ArgumentParser:
    """Declare what a command can do, with the options that every command has."""
    made: argparse.ArgumentParser = actions.add_parser(name, help=text, **{"description": text, **more})
    for option in COMMON:  # on either side of the action
        made.add_argument(option, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    made.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    made.set_defaults(run=run, action_name=name, parser=made)
    return made


def offer(argument: argparse.Action, names: Callable[[], Iterable[str]]) -> None:
    """Let an argument be completed to one of these names, which are asked for only then."""

    def begun(prefix: str, **_: object) -> Iterable[str]:
        return [name for name in names() if name.startswith(prefix)]

    argument.completer = begun  # type: ignore[attr-defined]


def without_command(parser: Parser) -> int:
    """Print the help where no command is given, below how it is set up, else above where to begin; the exit code."""
    answers.fail("usage", "no command is given; `indelible --help` lists all")
    here = importlib.import_module("indelible.cli.commands.upkeep").status_lines()
    for line in here:
        say(line)
    say("\n" * bool(here) + parser.format_help().rstrip())
    if not here:
        say("\nbegin with `indelible setup`")
    return 2


def without_action(arguments: argparse.Namespace) -> int:
    """Print the help of a command that only its actions do something of; the exit code."""
    answers.fail("usage", f"`indelible {arguments.command_name}` needs an action; `--help` lists them")
    say(arguments.help_of.format_help().rstrip())
    return 2


def name_of(arguments: argparse.Namespace) -> str:
    """Return the name of the command that was parsed, with its action behind it."""
    return " ".join(filter(None, (arguments.command_name, getattr(arguments, "action_name", ""))))
