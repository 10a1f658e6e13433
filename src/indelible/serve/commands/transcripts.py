"""Past transcripts of agents, taken in as if hooks had captured their sessions."""

import argparse
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from indelible.errors import InvalidInput
from indelible.serve.opening import as_bulk, open_context_of, tell_redacted
from indelible.serve.paths import absolute
from indelible.serve.terminal import counted, printable, say

if TYPE_CHECKING:
    from indelible.capture.transcripts import Tally
    from indelible.engine.capture import Drained
    from indelible.engine.context import Context

NAMED = 10  # files that could not be read


def import_transcripts(arguments: argparse.Namespace) -> int:
    """Run `import --from claude-code`; the exit code. What is stored already is passed over."""
    from indelible.capture import transcripts
    from indelible.engine import housekeeping

    if arguments.file == "-":
        raise InvalidInput(
            "--from claude-code reads transcripts, not standard input; give a file or a folder, as ~/.claude/projects"
        )
    files = transcripts.files(absolute(Path(arguments.file), "FILE"))
    tally = transcripts.Tally()
    ctx = open_context_of(arguments)
    try:
        as_bulk(ctx, "import")
        done, unread = _import(ctx, files, tally)
        housekeeping.seal_due(ctx)
    except KeyboardInterrupt:
        say("stopped; what was stored stays, and the same command goes on with the rest")
        raise
    finally:
        ctx.close()
    tell_redacted(done.redacted)
    _tell(len(files), done, unread, tally)
    return 1 if unread or tally.bad else 0


def _import(ctx: "Context", files: Sequence[Path], tally: "Tally") -> "tuple[Drained, list[str]]":
    """Take in the files; what came of it, and which could not be read."""
    from rich.console import Console
    from rich.progress import Progress

    from indelible.engine import housekeeping
    from indelible.engine.capture import Drained

    done, unread = Drained(), list[str]()
    pause = housekeeping.bulk_pause(ctx)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        for file in bar.track(files, description="transcripts"):
            try:
                done += _import_file(ctx, file, tally, pause)
            except OSError as error:
                unread.append(f"{file} cannot be read: {error.strerror or error}")
    return done, unread


def _import_file(ctx: "Context", file: Path, tally: "Tally", pause: Callable[[], None]) -> "Drained":
    from indelible.capture import transcripts
    from indelible.engine import capture

    done = capture.Drained()
    with file.open("rb") as lines:
        events = transcripts.events(lines, tally)
        while batch := list(islice(events, capture.BATCH)):
            ctx.call.stop_if_cancelled()
            done += capture.take_in(ctx, batch)
            pause()
    return done


def _tell(files: int, done: "Drained", unread: Sequence[str], tally: "Tally") -> None:
    for problem in unread[:NAMED]:
        say(printable(problem))
    if len(unread) > NAMED:
        say(f"and {len(unread) - NAMED:,} more")
    bad = f"; {counted(tally.bad, 'line')} could not be read" if tally.bad else ""
    say(
        f"read {counted(files - len(unread), 'transcript')}: {counted(done.events, 'new event')}, "
        f"{counted(done.memories, 'memory')} captured, renewed or withdrawn; `indelible captured` lists what waits "
        f"for review{bad}"
    )
