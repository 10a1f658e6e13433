"""Lines for people on standard error, beside the output."""

import sys

from indelible.lines import for_people

listeners: list[list[str]] = []  # each takes down the lines of `say` until it is removed


def say(text: str) -> None:
    """Write a line beside the output: on standard error."""
    for lines in listeners:
        lines.append(text)
    say_progress(text)


def say_progress(text: str) -> None:
    """Write a line on how far something is, which nothing but standard error is given."""
    sys.stderr.write(for_people(text, sys.stderr) + "\n")


def ask(question: str) -> None:
    """Write a question beside the output, behind which the answer is typed."""
    sys.stderr.write(for_people(question, sys.stderr) + " ")
    sys.stderr.flush()
