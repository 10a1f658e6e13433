"""The flags behind `serve` in an entry: what a user wrote there stays, what this command line gives replaces it."""

from collections.abc import Iterable, Sequence
from itertools import pairwise


def merged(there: Sequence[object], given: Sequence[str]) -> list[object]:
    """The words behind `serve` that are there, with the flags that are given (name, value, name, value ...) set.

    A flag that is there takes its value in its place, as `--flag value` or `--flag=value`; any other stands last.
    """
    words = list(there)
    for name, value in zip(given[::2], given[1::2], strict=True):
        if _values(words, name) != [value]:
            words = _set(words, name, value)
    return words


def value_of(words: Iterable[object], name: str) -> str | None:
    """What a flag is given in a command line; the last one counts, None where it is not there."""
    values = _values(list(words), name)
    return values[-1] if values else None


def _values(words: Sequence[object], name: str) -> list[str]:
    """The values of a flag, in order."""
    return [
        str(value) if word == name else str(word).partition("=")[2]
        for word, value in pairwise([*words, ""])
        if word == name or _is_joined(word, name)
    ]


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
