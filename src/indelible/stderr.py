"""Lines for people on standard error, beside the output."""

import sys

listeners: list[list[str]] = []  # each takes down the lines of `say` until it is removed


def say(text: str) -> None:
    """Write a line beside the output: on standard error."""
    for lines in listeners:
        lines.append(text)
    sys.stderr.write(text + "\n")


def say_progress(text: str) -> None:
    """Write a line on how far something is, which nothing but standard error is given."""
    sys.stderr.write(text + "\n")
