"""Lines for people on standard error, beside the output."""

import sys


def say(text: str) -> None:
    """A line beside the output: on standard error."""
    sys.stderr.write(text + "\n")
