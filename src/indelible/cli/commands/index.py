"""Source code: indexing a codebase, once or whenever its files change."""

import argparse
import gc
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from indelible.batching import never
from indelible.cli import answers
from indelible.cli.opening import Adding, as_bulk, open_context_of, tell_redacted
from indelible.cli.paths import absolute
from indelible.cli.terminal import counted, printable
from indelible.errors import Cancelled, IndelibleError, InvalidInput
from indelible.stderr import say

if TYPE_CHECKING:
    from types import FrameType

    from indelible.core.context.context import Context
    from indelible.toolsets.code.index import Indexed

Tell = Callable[[int, int | None, str], None]

SHARE = 200  # a look at the files may take one part in so many of a core
SOONEST, LATEST = 0.5, 60.0  # seconds between two looks
SETTLED = 0.2  # seconds: who saves many files is not indexed in the middle of it


def add(command: Adding) -> None:
    """Declare the command."""
    indexing = command("index", _index, "index source code: symbols and how they refer to each other")
    indexing.add_argument(
        "path", metavar="PATH", nargs="?", type=Path, default=Path(), help="a directory; default: this one"
    )
    indexing.add_argument("--full", action="store_true", help="parse every file again, not only what changed")
    indexing.add_argument("--watch", action="store_true", help="keep running, and index again when files change")


def _index(arguments: argparse.Namespace) -> int:
    from indelible.store.sqlite.connection import count_no_memory

    if arguments.watch and answers.are_wanted():
        raise InvalidInput("--watch runs until it is ended, and --json is one answer at the end; give one of them")
    directory = absolute(arguments.path, "PATH")
    count_no_memory()
    ctx = open_context_of(arguments)
    try:
        as_bulk(ctx, "index")
        if arguments.watch:
            return _watch(ctx, arguments, directory)
        gc.disable()  # what a run makes it needs to its end, with which the process ends: a twelfth of the time
        _tell(_once(ctx, arguments, directory, full=arguments.full))
    finally:
        ctx.close()
    return 0


def _once(
    ctx: "Context",
    arguments: argparse.Namespace,
    directory: Path,
    *,
    full: bool,
    cancelled: Callable[[], bool] = never,
) -> "Indexed":
    from indelible.admin import maintenance
    from indelible.core.context.call import Call, Caller
    from indelible.sanitize.validate import merged
    from indelible.toolsets.code import index

    call = Call(tool="index", caller=Caller(cancelled=cancelled))
    with _progress() as tell:
        found = index.index(
            ctx.for_call(call),
            directory,
            report=tell,
            pause=maintenance.bulk_pause(ctx),
            meanwhile=partial(maintenance.seal_due, ctx),
            everything=full,
            location=ctx.session.location if arguments.project is not None else None,
        )
    maintenance.seal_due(ctx)
    tell_redacted(merged(call.redacted))
    return found


def _tell(found: "Indexed") -> None:
    answers.give(asdict(found))
    languages = ", ".join(f"{printable(name)} {count:,}" for name, count in found.languages.items())
    why = ", ".join(f"{count:,} {printable(reason)}" for reason, count in found.skipped.items())
    say(
        f"indexed {printable(found.root)} in {found.duration_ms / 1000:,.1f} s: "
        f"{counted(found.files_scanned - found.files_skipped, 'file')} ({languages or 'no source code'}), "
        f"parsed {found.files_parsed:,}, removed {found.files_removed:,}; "
        f"{counted(found.symbols, 'symbol')}, {counted(found.edges_resolved, 'relation')}"
        + (f"; {counted(found.commits, 'commit')}" if found.commits else "")
        + (f", {found.commits_left:,} older ones are left to the next runs" if found.commits_left else "")
        + (f"; of commits: {printable(found.commits_unread)}" if found.commits_unread else "")
        + (f"; skipped {found.files_skipped:,} ({why})" if why else "")
    )


# --- Whenever files change ---


def _watch(ctx: "Context", arguments: argparse.Namespace, directory: Path) -> int:
    """Index, and again at each change, until somebody ends it."""
    from indelible.toolsets.code import index

    ended = threading.Event()
    with _ended_by_signals(ended):
        seen: object = None
        full = arguments.full
        while not ended.is_set():
            began = time.thread_time()
            now = index.state(directory)
            took = time.thread_time() - began
            if now != seen and (seen is None or _settled(directory, now, ended)):
                seen = now if _indexed(ctx, arguments, directory, ended, full=full) else None
                full = False
            ended.wait(min(max(took * SHARE, SOONEST), LATEST))
    say("stopped watching")
    return 0


def _indexed(
    ctx: "Context", arguments: argparse.Namespace, directory: Path, ended: threading.Event, *, full: bool
) -> bool:
    """Index once and say what came of it; False where the store could not be used: then it is tried again."""
    try:
        _tell(_once(ctx, arguments, directory, full=full, cancelled=ended.is_set))
    except Cancelled:
        return False
    except IndelibleError as error:
        if not directory.is_dir():
            raise
        say(f"indelible: {printable(str(error))}; still watching")
        return False
    return True


def _settled(directory: Path, now: object, ended: threading.Event) -> bool:
    """Return whether the files are still as they were a moment ago."""
    from indelible.toolsets.code import index

    return not ended.wait(SETTLED) and index.state(directory) == now


@contextmanager
def _ended_by_signals(ended: threading.Event) -> Iterator[None]:
    """Note that the process is asked to end: a run that is under way stops after its transaction."""

    def note(number: int, frame: "FrameType | None") -> None:
        ended.set()

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# --- How far it is ---


@contextmanager
def _progress() -> Iterator[Tell]:
    """A bar on the terminal, nothing where there is none."""
    if sys.stderr is None or not sys.stderr.isatty():  # rich is not loaded for nobody
        yield lambda done, total, what: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def tell(done: int, total: int | None, what: str) -> None:
            bar.update(task, completed=done, total=total, description=what)

        yield tell
