"""An entry of a server in a client's file, read: is it ours, what does it start, what is behind `serve`."""

import ntpath
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
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
    extra = next((entry[name] for name in ("env", "environment", "envs") if name in entry), None)
    return {str(name): str(value) for name, value in extra.items()} if isinstance(extra, dict) else {}


def _words(entry: object) -> list[object]:
    """Return the words of an entry's command in any shape: command and arguments, one list, or one with a path."""
    command = entry.get("command", entry.get("cmd")) if isinstance(entry, dict) else None
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


def merged(there: Sequence[object], given: Sequence[str]) -> list[object]:
    """The words behind `serve` that are there, with the flags that are given (name, value, name, value ...) set.

    A flag that is there takes its value in its place, as `--flag value` or `--flag=value`; any other stands last. Of a
    profile and toolsets the one that is given replaces the other.
    """
    words = list(there)
    for name, other in (("--toolsets", "--profile"), ("--profile", "--toolsets")):
        if name in given and other not in given:
            words = _without(words, other)
    for name, value in zip(given[::2], given[1::2], strict=True):
        if _values(words, name) != [value]:
            words = _set(words, name, value)
    return words


_INSTEAD = {"--profile": ("--toolsets", "--tools"), "--workspace": ("--project",)}  # flags that say the same


def with_defaults(words: Sequence[object], defaults: Mapping[str, str]) -> list[object]:
    """The words behind `serve` with the flags of set-up's choice that they do not say otherwise.

    Whoever named tools needs no profile, and whoever named a project no folder.
    """
    found = list(words)
    for name, value in defaults.items():
        if not any(_values(words, other) for other in (name, *_INSTEAD.get(name, ()))):
            found += [name, value]
    return found


def value_of(words: Iterable[object], name: str) -> str | None:
    """Return the value of a flag in a command line: the last one, None where it is missing."""
    values = _values(list(words), name)
    return values[-1] if values else None


def _values(words: Sequence[object], name: str) -> list[str]:
    """The values of a flag, in order."""
    return [
        str(value) if word == name else str(word).partition("=")[2]
        for word, value in pairwise([*words, ""])
        if word == name or _is_joined(word, name)
    ]


def _without(words: Sequence[object], name: str) -> list[object]:
    """The words without a flag and its value."""
    kept = [word for before, word in pairwise(["", *words]) if before != name or word == name]
    return [word for word in kept if word != name and not _is_joined(word, name)]


def _set(words: Sequence[object], name: str, value: str) -> list[object]:
    kept: list[object] = []
    place: int | None = None
    rest = iter(words)
    for word in rest:
        if word != name and not _is_joined(word, name):
            kept.append(word)
            continue
        if word == name:
            next(rest, None)
        place = len(kept) if place is None else place
    place = len(kept) if place is None else place
    return [*kept[:place], name, value, *kept[place:]]


def _is_joined(word: object, name: str) -> bool:
    return isinstance(word, str) and word.startswith(f"{name}=")
