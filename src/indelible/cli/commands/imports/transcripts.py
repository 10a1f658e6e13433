"""Past transcripts of agents, taken in as if hooks had captured their sessions."""

import argparse
import os
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from indelible.cli import answers
from indelible.cli.commands.imports.frame import REFUSED, store
from indelible.cli.opening import settings_of, tell_redacted
from indelible.cli.paths import absolute
from indelible.cli.terminal import counted, printable
from indelible.errors import InvalidInput
from indelible.stderr import say

if TYPE_CHECKING:
    from indelible.capture.clients.claude_transcripts import Tally
    from indelible.capture.ingest import Drained
    from indelible.core.context.context import Context

NAMED = 10  # files that could not be read
OVER = 3_600  # seconds without a new line after which a session is over


def import_transcripts(arguments: argparse.Namespace) -> int:
    """Run `import --from claude-code`; the exit code.

    What is stored already is passed over, and so are transcripts of projects whose recording is paused. An undo takes
    back the memories; the events of the sessions stay, as those that hooks leave.
    """
    from indelible.capture.clients import claude_transcripts

    if arguments.file == "-":
        raise InvalidInput(
            "--from claude-code reads transcripts, not standard input; give a file or a folder, as ~/.claude/projects"
        )
    files = claude_transcripts.files(absolute(Path(arguments.file), "FILE"))
    tally = claude_transcripts.Tally()
    inbox = settings_of(arguments).inbox  # whose pauses count for a copy too
    with store(arguments) as (ctx, pause):
        done, unread, left_out = _import(ctx, files, tally, inbox, pause)
    answers.give(
        {
            "transcripts": len(files) - left_out - len(unread),
            "events": done.events,
            "memories": done.memories,
            "left_out": left_out,
            "problems": [*unread, *tally.places],
            "unreadable_lines": tally.bad,
        }
    )
    tell_redacted(done.redacted)
    _tell(len(files) - left_out, done, unread, tally, dry=arguments.dry_run)
    if left_out:
        were = f"{counted(left_out, 'transcript')} of paused projects {'was' if left_out == 1 else 'were'}"
        say(f"{were} left out; `indelible pause --status` lists these")
    return REFUSED if unread or tally.bad else 0


def _import(
    ctx: "Context", files: Sequence[Path], tally: "Tally", inbox: str, pause: Callable[[], None]
) -> "tuple[Drained, list[str], int]":
    """Take in the files; what came of it, which could not be read, and how many are of paused projects."""
    from rich.console import Console
    from rich.progress import Progress

    from indelible.capture.ingest import Drained

    done, unread, left_out = Drained(), list[str](), 0
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        for file in bar.track(files, description="transcripts"):
            try:
                taken = _import_file(ctx, file, tally, inbox, pause)
                left_out += taken is None
                done += taken or Drained()
            except OSError as error:
                unread.append(f"{file} cannot be read: {error.strerror or error}")
    return done, unread, left_out


def _import_file(ctx: "Context", file: Path, tally: "Tally", inbox: str, pause: Callable[[], None]) -> "Drained | None":
    """Take in a file; what came of it, None for that of a paused project."""
    from indelible.capture import ingest
    from indelible.capture.clients import claude_transcripts

    done = ingest.Drained()
    with file.open("rb") as lines:
        over = time.time() - os.fstat(lines.fileno()).st_mtime > OVER
        events = claude_transcripts.events(lines, tally, over=over)
        first = next(events, None)
        if first is not None and _is_paused(ctx, inbox, first):
            return None
        events = chain([] if first is None else [first], events)
        while batch := list(islice(events, ingest.BATCH)):
            ctx.call.stop_if_cancelled()
            done += ingest.take_in(ctx, batch)
            pause()
    return done


def _is_paused(ctx: "Context", inbox: str, event: Mapping[str, object]) -> bool:
    """Return whether the project of a session is paused: that of its first event, as for what hooks left."""
    from indelible.capture import pausing

    directory = str(event.get("cwd", ""))
    return pausing.is_paused(inbox, directory if os.path.isabs(directory) else str(ctx.settings.home))


def _tell(files: int, done: "Drained", unread: Sequence[str], tally: "Tally", *, dry: bool) -> None:
    for problem in unread[:NAMED]:
        say(printable(problem))
    if len(unread) > NAMED:
        say(f"and {len(unread) - NAMED:,} more")
    for place in tally.places:
        say(printable(place))
    bad = f"; {counted(tally.bad, 'line')} could not be read" if tally.bad else ""
    of = f"{counted(files - len(unread), 'transcript')}: {counted(done.events, 'new event')}"
    would = "would be " if dry else ""
    listed = "" if dry else "; `indelible captured` lists what waits for review"
    say(f"read {of}, {counted(done.memories, 'memory')} {would}captured, updated or taken back{listed}{bad}")
