"""Lines and tables for a person at a terminal."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from indelible.cli import answers
from indelible.lines import cells, for_people, width_of, wrapped
from indelible.sanitize.invisible import JOINERS
from indelible.stderr import ask, say, say_progress

if TYPE_CHECKING:
    from rich.console import Console

# Imported late (start, cli): rich.cells, rich.console, rich.table, rich.text
# Imported late (cli): indelible.sanitize.prompt_frame, indelible.sanitize.secret_spans

_READABLE = 40  # cells: a last column that is narrower than this and than its text makes way for blocks
WIDTH = 80  # cells of a line where there is no terminal
SHORT = 100  # characters of a cell that is there to be recognised
_INDENT = 4  # cells before the last column in a block


class StoppedAtFirstQuestion(KeyboardInterrupt):
    """Ctrl-C at a question before which the command has changed nothing."""


class OutputError(Exception):
    """Standard output takes no more: its disk is full, or it is closed."""


def out(text: str, *, hanging: str | None = None) -> None:
    """Write a line for people; nothing where a script reads the output, which `answers.give` gives the same.

    Nothing in it steers a terminal, and on one it is broken between words; what follows in a broken line is indented by
    `hanging`, else by two more than it. Raises OutputError, and BrokenPipeError where its reader went away.
    """
    if not answers.are_wanted():
        _put((text if sys.stdout is None else for_people(text, sys.stdout, hanging)) + "\n")


def verbatim(text: str) -> None:
    """Write a line to the letter, for programs and files: of a text that steers no terminal. Raises as `out` does."""
    if not answers.are_wanted():
        _put(text + "\n")


def say_step(text: str) -> None:
    """Say on standard error what is being done, to a person who waits at a terminal; to nobody else."""
    if sys.stderr is not None and sys.stderr.isatty() and not answers.are_wanted():
        say_progress(text)


def put_answer(code: int) -> None:
    """Write the answer of a command that ended with an exit code, where a script asked for it. Raises as `out` does."""
    answer = answers.finished(code)
    if answer is not None:
        from indelible.sanitize.prompt_frame import json_text

        _put(json_text(answer) + "\n")


def can_ask() -> bool:
    """Return whether somebody can be asked: at a terminal, and not where a script reads the answer."""
    return sys.stdin is not None and sys.stdin.isatty() and not answers.are_wanted()


def wrong_usage(command: str, sentence: str) -> int:
    """Say what is wrong with the words of a command; return the exit code."""
    answers.fail("usage", sentence)
    say(f"indelible {command}: {sentence}")
    return 2


def agrees(question: str, *, enter: bool = False, is_first: bool = True) -> bool:
    """Ask beside the output; return whether the answer is yes. `enter` is what Enter alone means; no answer is no.

    Until the first question a command changes nothing: Ctrl-C raises StoppedAtFirstQuestion at it.
    """
    try:
        flush()
        ask(f"{question} [{'Y/n' if enter else 'y/N'}]")
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        if is_first:
            raise StoppedAtFirstQuestion from None
        raise
    if not line.endswith("\n"):
        say("")  # the next line is one of its own
    answer = line.strip().lower()
    return enter and bool(line) if not answer else answer in ("y", "yes")


def flush() -> None:
    """Let all of the output go out. Raises as `out` does."""
    _put("")


def _put(text: str) -> None:
    if sys.stdout is None:  # closed before we were started
        if text:
            raise OutputError("it is closed")
        return
    try:
        sys.stdout.write(text)
        if not text:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.strerror or str(error)) from error


def shortened(text: str, longest: int = SHORT) -> str:
    """A text as the cell of a table where others follow it."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def screen_width() -> int:
    """Return the width of the terminal in cells; 80 where the output is none."""
    return width_of(sys.stdout) if sys.stdout is not None and sys.stdout.isatty() else WIDTH


def cut(text: str, width: int) -> str:
    """Return a line that takes at most so many cells of a terminal, "…" at its end where it was longer."""
    if cells(text) <= width:
        return text
    from rich.cells import set_cell_size

    return f"{set_cell_size(text, max(width - 1, 0)).rstrip()}…"


def table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """A table for a person; on a terminal by rich, which is loaded only then.

    Only the last column is wrapped there, so that what the others hold can be copied. Where they leave it no room, it
    stands indented beneath them, and where they have none themselves, each value on a line of its own.
    """
    if not rows or answers.are_wanted():
        return
    clean = [tuple(printable(cell) for cell in row) for row in rows]
    if sys.stdout is not None and sys.stdout.isatty():
        _draw(heads, clean)
        return
    shown = [heads, *clean]
    widths = [max(cells(row[i]) for row in shown) for i in range(len(heads) - 1)]
    for row in shown:
        padded = (cell + " " * (width - cells(cell)) for cell, width in zip(row, widths, strict=False))
        out("  ".join([*padded, row[-1]]).rstrip())


def _draw(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    from rich.console import Console

    console = Console()
    if console.no_color:  # of which rich leaves bold
        console = Console(color_system=None)
    widths = [max(cells(row[i]) for row in (heads, *rows)) for i in range(len(heads))]
    room = console.width - sum(width + 3 for width in widths[:-1]) - 4  # a column has a border and two spaces
    with console.capture() as drawn:
        if room >= min(_READABLE, widths[-1]):
            _draw_grid(console, heads, rows)
        else:
            _draw_blocks(console, heads, rows, widths[:-1])
    verbatim(drawn.get().rstrip("\n"))


def _draw_grid(console: "Console", heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    from rich.table import Table
    from rich.text import Text

    grid = Table()
    for place, head in enumerate(heads, 1):
        grid.add_column(head, no_wrap=place < len(heads), overflow="fold")
    for row in rows:
        grid.add_row(*map(Text, row))
    console.print(grid)


def _draw_blocks(
    console: "Console", heads: tuple[str, ...], rows: Sequence[tuple[str, ...]], widths: Sequence[int]
) -> None:
    """Draw each row as one line, beneath the heads, and its last value indented below; of two values beside the first,
    where that fits.

    Where the line is too long for heads to stand above their columns, each value has a line of its own, behind its
    head.
    """
    from rich.text import Text

    if sum(widths) + 2 * (len(widths) - 1) > console.width:
        _draw_fields(console, heads, rows)
        return
    for row in (heads, *rows):
        line = "  ".join(cell + " " * (width - cells(cell)) for cell, width in zip(row, widths, strict=False))
        below = wrapped(" " * _INDENT + row[-1], console.width, " " * _INDENT)
        beside = f"{line}  {row[-1]}"
        for part in [beside] if len(row) == 2 and cells(beside) <= console.width else [line, below]:
            if part.strip():
                console.print(Text(part.rstrip(), style="bold" if row is heads else ""), soft_wrap=True)


def _draw_fields(console: "Console", heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    from rich.text import Text

    width = max(map(cells, heads)) + 3
    for number, row in enumerate(rows):
        if number:
            console.print()
        for head, value in zip(heads, row, strict=True):
            if value:
                # A word that is wider than the terminal is left to it, which copies it as one.
                line = wrapped(f"{head + ':':<{width}}{value}", console.width, " " * width)
                console.print(Text(line), soft_wrap=True)


def printable(text: str) -> str:
    """One line without escape sequences and control characters: stored text must not steer a terminal."""
    from indelible.sanitize.prompt_frame import visible

    return "".join(c if c.isprintable() or c in JOINERS else " " for c in " ".join(visible(text).split()))


def shown(text: str, longest: int = 80) -> str:
    """Return a typed text as a message may repeat it: without secrets, and cut."""
    from indelible.sanitize.secret_spans import redact_text

    return redact_text(text)[0][:longest]


def counted(count: int, noun: str) -> str:
    """`1 memory`, `2,000 memories`."""
    if count != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun}"
