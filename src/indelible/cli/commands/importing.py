"""Everything into the store: what `export` wrote, and the data of other tools."""

import argparse
import json
import os
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from indelible.cli import answers
from indelible.cli.commands.imports import places
from indelible.cli.commands.imports.frame import AUTO, MARKDOWN, REFUSED, store
from indelible.cli.opening import Adding, say_problems, tell_redacted
from indelible.cli.terminal import can_ask, counted, printable
from indelible.errors import InvalidInput
from indelible.stderr import say
from indelible.transfer.sources import NAMES

if TYPE_CHECKING:
    from indelible.core.context.context import Context
    from indelible.toolsets.memory.import_report import Counts

FORMATS = {
    places.MEMORY_JSONL: "MEMORY_FILE_PATH",
    places.VECFS: "VECFS_FILE",
    places.MATRIX: "MATRIX_DB",
}  # and the variable of the other tool's file


def add(command: Adding) -> None:
    """Declare the command."""
    import_ = command("import", _import, "import what `export` wrote, or data of another tool")
    import_.add_argument(
        "--from",
        dest="from_",
        choices=[AUTO, *FORMATS, places.CLAUDE_CODE, MARKDOWN, *NAMES],
        metavar="NAME",
        help=f"data of another tool, which is looked for where it usually is: {', '.join(NAMES)}, or {AUTO} (whatever "
        f"is there of these); the reference memory server's {places.MEMORY_JSONL}, the lines of {places.VECFS}, the "
        f"database of {places.MATRIX}, the transcripts of {places.CLAUDE_CODE}; or your edits in the directory of "
        f"`export --to {MARKDOWN}`, which is FILE",
    )
    import_.add_argument(
        "--deletions",
        action="store_true",
        help=f"with --from {MARKDOWN}: delete the records whose files were deleted; with that of a tool that is looked "
        "for: those whose entries are gone there",
    )
    import_.add_argument("--dry-run", action="store_true", help="say what would be taken, and change nothing")
    import_.add_argument(
        "file",
        nargs="?",
        help="JSON lines, or what export_memories answered; default: standard input, with --from where NAME usually is",
    )


def _import(arguments: argparse.Namespace) -> int:
    if arguments.from_ == MARKDOWN:
        from indelible.cli.commands.imports.edits import import_edits

        return import_edits(arguments)
    if arguments.from_ in (AUTO, *NAMES):
        from indelible.cli.commands.imports.sources import import_sources

        return import_sources(arguments)
    if arguments.deletions:
        raise InvalidInput(f"--deletions goes with --from {MARKDOWN}, {AUTO} and {', '.join(NAMES)} only; leave it out")
    if arguments.file is None:
        arguments.file = _found(arguments.from_)
    if arguments.from_ == places.CLAUDE_CODE:
        from indelible.cli.commands.imports.transcripts import import_transcripts

        return import_transcripts(arguments)
    if arguments.from_ == places.MEMORY_JSONL:
        return _import_memory_jsonl(arguments)
    if arguments.from_:
        return _import_existing(arguments, FORMATS[arguments.from_])
    from indelible.toolsets.memory import importing

    with store(arguments) as (ctx, pause), _source(arguments.file) as file, _progress(file) as lines:
        items = _Items(lines)
        done = importing.import_items(ctx, items, pause)
    return _say_imported(arguments, ctx, {"records": len(done.ids)}, done, items.problems(done.errors))


def _found(name: str | None) -> str:
    """Return where the data of a tool is, and say it; `-` for standard input. Raises NotFound and InvalidInput."""
    if name is None or (name == places.MEMORY_JSONL and places.is_piped()):
        if can_ask():
            say("reading JSON lines, as `indelible export` writes them, from this terminal; Ctrl-D ends them")
            say(f"for a file give its path, for what other tools have here --from {AUTO}")
        return "-"
    place = places.of(name)
    say(printable(f"{name}: {place}"))
    return str(place)


@contextmanager
def _progress(file: BinaryIO) -> Iterator[Iterable[bytes]]:
    """Yield the lines of a file, and show at a terminal how much of it is read."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    size = os.fstat(file.fileno()).st_size  # 0 of a pipe
    if not (console.is_terminal and size):
        yield file
        return
    columns = (TextColumn("import"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        yield bar.wrap_file(file, total=size)


class _Items:
    """The JSON values of a file, one a line; lines that are none are problems.

    A file that begins with `[` is one array, as export_memories gives it: its items.
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = lines
        self._passed: list[int] = []  # by each line without a value, how many values stand before it
        self._bad: list[tuple[int, str]] = []  # line, what is wrong
        self._array = False

    def __iter__(self) -> Iterator[Any]:
        from indelible.transfer.encodings import as_utf8

        lines = as_utf8(self._lines)
        for number, line in enumerate(lines, 1):
            if begun := line.strip():
                rest = chain([line], lines)
                self._array = begun.startswith(b"[")
                yield from self._of_array(b"".join(rest)) if self._array else self._of_lines(rest, number)
                return  # a terminal would be read on after its end

    def _of_lines(self, lines: Iterable[bytes], first: int) -> Iterator[Any]:
        self._passed = [0] * (first - 1)
        for number, line in enumerate(lines, first):
            try:
                if line.strip():
                    yield json.loads(line)
                    continue
            except (ValueError, RecursionError) as error:
                self._bad.append((number, f"line {number} is not JSON: {error}"))
            self._passed.append(number - 1 - len(self._passed))

    def _of_array(self, content: bytes) -> Iterator[Any]:
        try:
            yield from json.loads(content)
        except (ValueError, RecursionError) as error:
            self._bad.append((0, f"the file begins with [ and is not a JSON array: {error}"))

    def problems(self, errors: Iterable[Mapping[str, Any]]) -> list[str]:
        """Return what is wrong, in the order of the file: each names its line, or its place in the array."""
        found = list(self._bad)
        for error in errors:
            number = error["index"] + 1
            if not self._array:
                number += bisect_right(self._passed, error["index"])
            found.append((number, f"{'item' if self._array else 'line'} {number}: {error['error']}"))
        return [said for _, said in sorted(found, key=itemgetter(0))]


def _import_existing(arguments: argparse.Namespace, variable: str) -> int:
    from indelible.transfer import auto_import

    path = Path(arguments.file)
    if arguments.file == "-":
        raise InvalidInput(f"--from {arguments.from_} reads a file, not standard input; give its path")
    _source(arguments.file).close()  # refused by name where it cannot be read
    with store(arguments) as (ctx, pause):
        taken = auto_import.import_file(ctx, variable, path, pause)
    return _say_imported(arguments, ctx, {"records": taken.imported}, taken.counts, taken.problems)


def _import_memory_jsonl(arguments: argparse.Namespace) -> int:
    from indelible.transfer import memory_jsonl
    from indelible.transfer.encodings import as_utf8

    with store(arguments) as (ctx, pause), _source(arguments.file) as file:
        done = memory_jsonl.import_content(ctx, b"".join(as_utf8(file)), pause)
    new = {"entities": done.entities, "relations": done.relations}
    return _say_imported(arguments, ctx, new, done, done.problems)


def _say_imported(
    arguments: argparse.Namespace, ctx: "Context", new: dict[str, int], counts: "Counts", problems: Sequence[str]
) -> int:
    """Say what an import did, and redacted; the exit code. `new` counts what was imported, by what it is."""
    from indelible.sanitize.validate import merged

    tell_redacted(merged(ctx.call.redacted))
    from indelible.toolsets.memory.import_report import summary

    known = {"skipped": counts.skipped, "repeated": counts.repeated, "merged": counts.merged}
    answers.give({"imported": new, **known, "problems": list(problems)})
    say_problems(problems)
    names = {"entities": "entity", "relations": "relation"}
    imported = " and ".join(counted(count, names[what]) if what in names else str(count) for what, count in new.items())
    dry = "would have " if arguments.dry_run else ""
    say(f"{dry}{summary(imported, counts, len(problems))}")
    return REFUSED if problems else 0


def _source(name: str) -> Any:
    if name == "-":
        return open(sys.stdin.fileno(), "rb", closefd=False)
    try:
        return open(name, "rb")
    except OSError as error:
        raise InvalidInput(f"{name} cannot be read: {error.strerror}; give the path of a file to import") from error
