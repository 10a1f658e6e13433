"""Everything out of the store: export, backup and restore."""

import argparse
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from indelible.cli import answers
from indelible.cli.opening import (
    Adding,
    in_project,
    open_context_of,
    open_existing,
    refuse_read_only,
    say_problems,
    settings_of,
)
from indelible.cli.paths import absolute
from indelible.cli.terminal import counted, out, printable, verbatim
from indelible.clock import time_value
from indelible.errors import InvalidInput
from indelible.lines import harmless_json
from indelible.stderr import say

if TYPE_CHECKING:
    from indelible.core.context.context import Context
    from indelible.transfer.markdown.tree import Written

MEMORY_JSONL = "memory-jsonl"
MARKDOWN = "markdown"


def add(command: Adding) -> None:
    """Declare the commands."""
    export = command(
        "export", _export, "write all records, or those of --project DIR, to standard output, one JSON object per line"
    )
    export.add_argument(
        "--to",
        choices=[MEMORY_JSONL, MARKDOWN],
        help="the knowledge graph only, as the memory.jsonl of other servers; or a tree of Markdown files in PLACE",
    )
    place = "the directory of --to markdown, the file of --to memory-jsonl"
    export.add_argument("place", nargs="?", type=Path, metavar="PLACE", help=place)
    export.add_argument(
        "--watch", action="store_true", help="go on until Ctrl-C, and write PLACE again after each change of the store"
    )
    export.add_argument("--as-of", metavar="TIME", help="what the store held at an ISO 8601 time, such as 2026-11-28")
    command("backup", _backup, "write a verified copy of the store").add_argument("file", type=Path)
    command("restore", _restore, "replace the store with a backup").add_argument("file", type=Path)


def _export(arguments: argparse.Namespace) -> int:
    from indelible.core.records import exporting
    from indelible.transfer import memory_jsonl

    as_of = None if arguments.as_of is None else time_value(arguments.as_of, "--as-of")
    _check_watch(arguments)
    of_project = arguments.project is not None
    if of_project and arguments.to:
        raise InvalidInput(
            f"--project does not go with --to {arguments.to}, which writes those of every project; leave one of "
            "them out"
        )
    if arguments.to == MARKDOWN:
        return _export_markdown(arguments, as_of)
    if as_of is not None and arguments.to:
        raise InvalidInput(f"--as-of does not go with --to {arguments.to}; leave one of them out")
    if arguments.place is not None and arguments.to == MEMORY_JSONL:
        return _export_file(arguments)
    if arguments.place is not None:
        raise InvalidInput(f"PLACE {str(arguments.place)!r} goes with --to; other exports go to standard output")
    ctx = open_existing(arguments)
    try:
        to_jsonl = arguments.to == MEMORY_JSONL
        records = (
            memory_jsonl.export_lines(ctx) if to_jsonl else exporting.export_all(ctx, as_of, of_project=of_project)
        )
        if answers.are_wanted():
            answers.give({"records": list(records)})
            return 0
        record = None
        for record in records:
            verbatim(harmless_json(json.dumps(record, ensure_ascii=False)))
        if record is None and of_project:
            known = "`indelible call list_namespaces` lists the projects that have memories"
            say(f"nothing is stored{in_project(ctx, arguments)}; {known}")
    finally:
        ctx.close()
    return 0


def _check_watch(arguments: argparse.Namespace) -> None:
    if not arguments.watch:
        return
    if arguments.to is None:
        raise InvalidInput(f"--watch goes with --to {MARKDOWN} or --to {MEMORY_JSONL}; say which of them to write")
    if arguments.place is None and arguments.to == MEMORY_JSONL:
        raise InvalidInput("--watch needs a file to write; give its path as PLACE")
    if arguments.as_of is not None:
        raise InvalidInput("--as-of is one moment, which --watch goes on from; leave one of them out")
    if answers.are_wanted():
        raise InvalidInput("--watch ends by Ctrl-C only, so that there is no answer for --json; leave one of them out")


def _follow(ctx: "Context", write: Callable[[], None]) -> None:
    """Write again and again, until Ctrl-C."""
    from indelible.transfer import watching

    watching.follow(ctx, write, lambda problem: say(printable(f"not written, and tried again: {problem}")))


def _export_file(arguments: argparse.Namespace) -> int:
    """Write the knowledge graph to a file."""
    from indelible.transfer import memory_jsonl

    path = absolute(arguments.place, "PLACE")
    ctx = open_existing(arguments)
    before: list[bytes | None] = [None]

    def write() -> None:
        content, kept = memory_jsonl.export_file(ctx, path, before[0])
        if kept is not None:
            say(printable(f"{path} held what is not in the store: that is kept in {kept}"))
        lines = content.count(b"\n")
        answers.give({"written": lines})
        if content != before[0]:
            say(printable(f"wrote {counted(lines, 'line')} to {path}"))
        before[0] = content

    try:
        _follow(ctx, write) if arguments.watch else write()
    finally:
        ctx.close()
    return 0


def _export_markdown(arguments: argparse.Namespace, as_of: int | None) -> int:
    from indelible.transfer.markdown import tree

    if arguments.place is None:
        raise InvalidInput(f"--to {MARKDOWN} needs a directory; give its path after it")
    root = absolute(arguments.place, "PLACE")
    ctx = open_existing(arguments)
    said = set[str]()

    def write() -> None:
        done = tree.export(ctx, root, restores=False)
        new = {path: reason for path, reason in done.kept.items() if path not in said}
        if new or done.written or done.removed or not said:
            _say_written(replace(done, kept=new))
        said.clear()
        said.update(done.kept, {""})

    try:
        if arguments.watch:
            _follow(ctx, write)
        done = tree.export(ctx, root, as_of)
    finally:
        ctx.close()
    return _say_written(done)


def _say_written(done: "Written") -> int:
    """Say what an export to a tree did; the exit code is 1 where a file was left as it is."""
    kept = [f"{path} {reason}" for path, reason in done.kept.items()]
    counts = {"written": len(done.written) + len(done.restored), "unchanged": len(done.unchanged)}
    answers.give({**counts, "removed": len(done.removed), "restored": done.restored, "problems": kept})
    say_problems([*kept, *(f"{path} was missing and is written again" for path in done.restored)])
    removed = f", removed {len(done.removed):,}" if done.removed else ""
    left = f", left {len(kept):,} as they are" if kept else ""
    say(f"wrote {counted(counts['written'], 'file')}{removed}, {counts['unchanged']:,} unchanged{left}")
    return 1 if kept else 0


def _backup(arguments: argparse.Namespace) -> int:
    from indelible.admin import backups

    ctx = open_existing(arguments)
    try:
        made = backups.backup(ctx, absolute(arguments.file, "FILE"))
        answers.give({"file": str(made)})
        out(f"verified backup: {made}")
    finally:
        ctx.close()
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    from indelible.admin import backups

    settings, file = settings_of(arguments).for_disk(), absolute(arguments.file, "FILE")
    refuse_read_only(settings, "restore")
    if backups.is_lost(settings):
        backups.restore_lost(settings, file)
        answers.give({"file": str(arguments.file), "previous": ""})
        out(f"restored {arguments.file}; there was nothing in the store before")
        return 0
    ctx = open_context_of(arguments)
    try:
        before = backups.restore(ctx, file)
    finally:
        ctx.close()
    answers.give({"file": str(arguments.file), "previous": str(before)})
    out(f"restored {arguments.file}; the previous store: {before}")
    return 0
