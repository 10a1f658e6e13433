"""Everything out of the store and back: export and import, backup and restore."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indelible.errors import InvalidInput
from indelible.serve.opening import Adding, open_context_of
from indelible.serve.paths import absolute
from indelible.serve.terminal import counted, out, say

NAMED = 10  # problems that an import names

if TYPE_CHECKING:
    from indelible.engine.context import Context


MEMORY_JSONL = "memory-jsonl"
FORMATS = (MEMORY_JSONL,)


def add(command: Adding) -> None:
    """Declare the commands."""
    export = command("export", _export, "write all records of all kinds to standard output, one JSON a line")
    export.add_argument("--to", choices=FORMATS, help="the knowledge graph only, as the memory.jsonl of other servers")
    import_ = command("import", _import, "take in what `export` wrote")
    import_.add_argument(
        "--from", dest="from_", choices=FORMATS, help="a memory.json or memory.jsonl of another server"
    )
    import_.add_argument(
        "file", nargs="?", default="-", help="JSON lines, or what export_memories answered; default: standard input"
    )
    command("backup", _backup, "write a verified copy of the store").add_argument("file", type=Path)
    command("restore", _restore, "put a backup in place of the store").add_argument("file", type=Path)


def _export(arguments: argparse.Namespace) -> int:
    from indelible.engine import memory_jsonl, transfer

    ctx = open_context_of(arguments)
    try:
        for record in memory_jsonl.export_lines(ctx) if arguments.to == MEMORY_JSONL else transfer.export_all(ctx):
            out(json.dumps(record, ensure_ascii=False))
    finally:
        ctx.close()
    return 0


def _import(arguments: argparse.Namespace) -> int:
    if arguments.from_ == MEMORY_JSONL:
        return _import_memory_jsonl(arguments)
    from indelible.engine import housekeeping, transfer
    from indelible.serve.lines import json_lines

    ctx = open_context_of(arguments)
    try:
        _prepare_import(ctx)
        bad: list[str] = []
        with _source(arguments.file) as file:
            done = transfer.import_items(ctx, json_lines(file, bad), housekeeping.bulk_pause(ctx))
        housekeeping.seal_due(ctx)
    finally:
        ctx.close()
    problems = bad + [f"item {error['index'] + 1}: {error['error']}" for error in done.errors]
    _say_problems(problems)
    known = f"{done.skipped} that {'was' if done.skipped == 1 else 'were'} known"
    say(f"imported {len(done.ids)}, skipped {known}, {counted(len(problems), 'problem')}")
    return 1 if problems else 0


def _import_memory_jsonl(arguments: argparse.Namespace) -> int:
    from indelible.engine import housekeeping, memory_jsonl

    ctx = open_context_of(arguments)
    try:
        _prepare_import(ctx)
        with _source(arguments.file) as file:
            done = memory_jsonl.import_content(ctx, file.read(), housekeeping.bulk_pause(ctx))
        housekeeping.seal_due(ctx)
    finally:
        ctx.close()
    _say_problems(done.problems)
    say(
        f"imported {done.entities} entities and {done.relations} relations, skipped {done.skipped} that were known, "
        f"{counted(len(done.problems), 'problem')}"
    )
    return 1 if done.problems else 0


def _say_problems(problems: Sequence[str]) -> None:
    for problem in problems[:NAMED]:
        say(problem)
    if len(problems) > NAMED:
        say(f"and {len(problems) - NAMED:,} more")


def _prepare_import(ctx: "Context") -> None:
    if ctx.settings.read_only:
        raise InvalidInput("import writes, and INDELIBLE_READ_ONLY is set; unset it")
    if hasattr(os, "nice"):
        os.nice(19)  # somebody waits for each call of a server, nobody for a single record of an import


def _source(name: str) -> Any:
    if name == "-":
        return open(sys.stdin.fileno(), "rb", closefd=False)
    try:
        return open(name, "rb")
    except OSError as error:
        raise InvalidInput(
            f"{name} cannot be read: {error.strerror}; give a file that `indelible export` wrote"
        ) from error


def _backup(arguments: argparse.Namespace) -> int:
    from indelible.engine import backups

    ctx = open_context_of(arguments)
    try:
        out(f"verified backup: {backups.backup(ctx, absolute(arguments.file, 'FILE'))}")
    finally:
        ctx.close()
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    from indelible.engine import backups

    ctx = open_context_of(arguments)
    try:
        before = backups.restore(ctx, absolute(arguments.file, "FILE"))
    finally:
        ctx.close()
    out(f"restored {arguments.file}; what was there before: {before}")
    return 0
