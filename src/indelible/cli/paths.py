"""Paths as a person types them: from the working directory, which may be deleted by now."""

import os
from pathlib import Path

from indelible.errors import InvalidInput
from indelible.sanitize.secret_spans import redact_path


def absolute(path: Path, argument: str) -> Path:
    """The absolute path that is meant. Raises InvalidInput for a relative one where there is no working directory."""
    try:
        return path.absolute()
    except OSError as error:
        raise _nowhere(str(path), argument) from error


def namespace_of(text: str, argument: str = "--namespace") -> str:
    """The namespace that is meant: of a directory its path without symlinks, as projects have it, else the text.

    What begins with `.` or `..` as a component is a directory, and what has a separator in it where it is one.
    Raises InvalidInput for a relative path where there is no working directory. A path that holds a secret is named as
    its project is, without it.
    """
    meant = _meant(text, argument)
    return redact_path(meant) or meant


def _meant(text: str, argument: str) -> str:
    separators = tuple(filter(None, (os.sep, os.altsep)))
    first = text
    for separator in separators:
        first = first.partition(separator)[0]
    if first not in (".", "..") and not (any(each in text for each in separators) and os.path.isdir(text)):
        return text
    try:
        return os.path.realpath(text)
    except OSError as error:
        raise _nowhere(text, argument) from error


def _nowhere(text: str, argument: str) -> InvalidInput:
    return InvalidInput(
        f"{argument} is {text!r}, and the working directory no longer exists; "
        "give an absolute path, or change to another directory"
    )
