"""Completion of the command line in a shell, by argcomplete.

The script that `indelible completion` prints runs the program with the line so far in the environment, and takes what
it answers. Only that loads argcomplete, and the module of no command but the one on the line.
"""

import argparse
import os
from collections.abc import Iterable, Iterator, Mapping

from indelible.cli import parsing

# Imported late (cli): argcomplete, argcomplete.completers, argcomplete.shell_integration, shlex

DIRECTORIES = ("DIR", "STORE")  # metavars of arguments that take a directory
FILES = ("FILE", "PATH", "FOLDER|NAME|OWNER/REPO")  # and of those that take a file or a directory


def answer(line: str, modules: Mapping[str, str]) -> None:
    """Answer a shell that asks to complete a line, and end the process."""
    import argcomplete
    from argcomplete.completers import ChoicesCompleter

    parser = parsing.parser_of(_command_of(line), modules, names_only=True)
    for action in _actions(parser):
        kinds = {action.metavar, *([FILES[0]] if action.dest in ("file", "files") else [])}
        if kinds.intersection(DIRECTORIES):
            action.completer = _directories  # type: ignore[attr-defined]
        elif kinds.intersection(FILES):
            action.completer = _paths  # type: ignore[attr-defined]
    argcomplete.autocomplete(parser, always_complete_options=False, default_completer=ChoicesCompleter({}))


def script(shell: str) -> str:
    """Return what a shell (bash, zsh or fish) has to read so that it completes the command `indelible`."""
    from argcomplete.shell_integration import shellcode

    return shellcode(["indelible"], shell=shell).strip("\n")


def _command_of(line: str) -> str:
    """Return the name of the command on a line, "" where that is still being typed."""
    import shlex

    try:
        words = shlex.split(line)
    except ValueError:  # a quotation mark is still open
        words = line.split()
    return words[1] if len(words) > 2 or (len(words) == 2 and line[-1:].isspace()) else ""


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of a parser and of all below it."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for one in action.choices.values():
                yield from _actions(one)


def _directories(prefix: str, **_: object) -> Iterable[str]:
    return [path for path in _paths(prefix) if path.endswith(os.sep)]


def _paths(prefix: str, **_: object) -> Iterable[str]:
    """Return the files and directories whose path begins so, directories with a separator at the end."""
    directory, name = os.path.split(prefix)
    try:
        with os.scandir(os.path.expanduser(directory) or os.curdir) as entries:
            found = sorted((entry.name, entry.is_dir()) for entry in entries if entry.name.startswith(name))
    except OSError:
        return []
    shown = [each for each in found if name or not each[0].startswith(".")]
    return [os.path.join(directory, each) + (os.sep if is_dir else "") for each, is_dir in shown]
