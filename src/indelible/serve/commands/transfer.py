"""Everything out of the store and back: export and import, backup and restore."""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from indelible.errors import InvalidInput
from indelible.serve.opening import Adding, open_context_of
from indelible.serve.paths import absolute
from indelible.serve.terminal import counted, out, say

NAMED = 10  # problems that an import names


def add(command: Adding) -> None:
    """Declare the commands."""
    command("export", _export, "write all records of all kinds to standard output, one JSON a line")
    import_ = command("import", _import, "take in what `export` wrote")
    import_.add_argument(
        "file", nargs="?", default="-", help="JSON lines, or what export_memories answered; default: standard input"
    )
    command("backup", _backup, "write a verified copy of the store").add_argument("file", type=Path)
    command("restore", _restore, "put a backup in place of the store").add_argument("file", type=Path)


def _export(arguments: argparse.Namespace) -> int:
    from indelible.engine import transfer

    ctx = open_context_of(arguments)
    try:
        for record in transfer.export_all(ctx):
            out(json.dumps(record, ensure_ascii=False))
    finally:
        ctx.close()
    return 0


def _import(arguments: argparse.Namespace) -> int:
    from indelible.engine import housekeeping, transfer
    from indelible.serve.lines import json_lines

    ctx = open_context_of(arguments)
    try:
        if ctx.settings.read_only:
            raise InvalidInput("import writes, and INDELIBLE_READ_ONLY is set; unset it")
        if hasattr(os, "nice"):
            os.nice(19)  # somebody waits for each call of a server, nobody for a single record of an import
        bad: list[str] = []
        with _source(arguments.file) as file:
            done = transfer.import_items(ctx, json_lines(file, bad), housekeeping.bulk_pause(ctx))
        housekeeping.seal_due(ctx)
    finally:
        ctx.close()
    problems = bad + [f"item {error['index'] + 1}: {error['error']}" for error in done.errors]
    for problem in problems[:NAMED]:
        say(problem)
    if len(problems) > NAMED:
        say(f"and {len(problems) - NAMED:,} more")
    known = f"{done.skipped} that {'was' if done.skipped == 1 else 'were'} known"
    say(f"imported {len(done.ids)}, skipped {known}, {counted(len(problems), 'problem')}")
    return 1 if problems else 0


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
