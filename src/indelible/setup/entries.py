"""An entry of a server in a client's file, read: is it ours, what does it start, what is behind `serve`."""

import ntpath
from typing import Any

NAME = "indelible"  # the name of our entry, everywhere


def is_ours(entry: object) -> bool:
    """Does an entry start Indelible: as a command of that name, as a module, or by a runner such as uvx?"""
    words = [word for word in _words(entry) if isinstance(word, str)]
    return any(program_of(word) == NAME for word in words[:4])


def behind_serve(entry: object) -> list[object] | None:
    """The words behind `serve` in an entry of ours, None where it does not say `serve`."""
    words = _words(entry)
    program = next((at for at, word in enumerate(words) if isinstance(word, str) and program_of(word) == NAME), 0)
    return words[words.index("serve", program) + 1 :] if "serve" in words[program:] else None


def program_of(word: str) -> str:
    """The name of a program without directory, version or ending."""
    return ntpath.basename(word).lower().removesuffix(".exe").partition("@")[0].partition("==")[0]


def argv_of(entry: object) -> tuple[str, ...]:
    """The command line of an entry that starts a program, () for any other."""
    return tuple(map(str, _words(entry)))


def environment_of(entry: dict[str, Any]) -> dict[str, str]:
    """The variables that an entry sets."""
    extra = entry.get("env", entry.get("environment"))
    return {str(name): str(value) for name, value in extra.items()} if isinstance(extra, dict) else {}


def _words(entry: object) -> list[object]:
    """What an entry starts, in whichever shape: a command and its arguments, one list, or a command that has a path."""
    command = entry.get("command") if isinstance(entry, dict) else None
    match command:
        case str():
            return [command, *_args(entry)]
        case [str(), *_]:
            return list(command)
        case {"path": str() as path}:
            return [path, *_args(command)]
    return []


def _args(entry: Any) -> list[object]:
    args = entry.get("args", [])
    return args if isinstance(args, list) else []
