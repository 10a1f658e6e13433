"""Lines and tables for a person at a terminal."""

import sys
from collections.abc import Sequence


def say(text: str) -> None:
    """A line beside the output: on standard error."""
    sys.stderr.write(text + "\n")


def out(text: str) -> None:
    """A line of the output."""
    sys.stdout.write(text + "\n")


def table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """A table for a person; on a terminal by rich, which is loaded only then."""
    if not rows:
        return
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(*heads)
        for row in rows:
            table.add_row(*(Text(printable(cell)) for cell in row))
        Console().print(table)
        return
    shown = [heads, *(tuple(printable(cell) for cell in row) for row in rows)]
    widths = [max(len(row[i]) for row in shown) for i in range(len(heads) - 1)]
    for row in shown:
        out("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip())


def printable(text: str) -> str:
    """One line without escape sequences and control characters: stored text must not steer a terminal."""
    from indelible.framing import visible

    return "".join(c if c.isprintable() else " " for c in " ".join(visible(text).split()))


def shown(text: str, longest: int = 80) -> str:
    """What was typed, as a message may repeat it: no secret, no more than its head."""
    from indelible.redact import redact_text

    return redact_text(text)[0][:longest]
