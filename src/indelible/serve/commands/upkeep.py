"""What keeps a store well: undo and history, doctor, new vectors."""

import argparse
import json

from indelible.errors import InvalidInput
from indelible.serve.opening import Adding, open_context_of
from indelible.serve.terminal import out, say, table

NAMED = 10  # records that an undo names


def add(command: Adding) -> None:
    """Declare the commands."""
    undo = command("undo", _undo, "bring back what the last delete or overwrite took away")
    undo.add_argument("--operation", help="which one, as `indelible history` names it")
    history = command("history", _history, "show earlier states of a record, or what was discarded last")
    history.add_argument("id", nargs="?")
    history.add_argument("--json", action="store_true")
    doctor = command("doctor", _doctor, "check the store, and that every agent it is set up for can start it")
    doctor.add_argument(
        "--repair", action="store_true", help="rebuild every cache; salvage a damaged store to a new file"
    )
    command("reembed", _reembed, "embed what waits, and again what another model embedded; can be interrupted")


def _undo(arguments: argparse.Namespace) -> int:
    from indelible.engine import discard
    from indelible.engine.context import Call

    ctx = open_context_of(arguments)
    try:
        done = discard.undo(ctx.for_call(Call(tool="undo")), arguments.operation)
    finally:
        ctx.close()
    more = len(done["restored"]) - NAMED
    named = ", ".join(done["restored"][:NAMED]) + (f" and {more:,} more" if more > 0 else "")
    out(f"undone {done['tool']} ({done['operation']}): {named}")
    return 0


def _history(arguments: argparse.Namespace) -> int:
    from indelible.engine import discard
    from indelible.engine.times import time_text

    ctx = open_context_of(arguments)
    try:
        past = discard.history(ctx, arguments.id)
    finally:
        ctx.close()
    if arguments.json:
        out(json.dumps([{**p, "time": time_text(p["time"])} for p in past], ensure_ascii=False, indent=2))
        return 0
    rows = [
        (
            p["operation"],
            time_text(p["time"]),
            p["tool"],
            p["action"],
            "yes" if p["undone"] else "",
            p["id"],
            p["content"],
        )
        for p in past
    ]
    table(("operation", "time", "tool", "action", "undone", "id", "content before"), rows)
    if not past:
        say("nothing was changed or deleted in the last 30 days")
    return 0


def _doctor(arguments: argparse.Namespace) -> int:
    from indelible.engine import doctor
    from indelible.settings import Settings

    settings = Settings.load(arguments.data, arguments.project)
    report = doctor.repair(settings) if arguments.repair else doctor.examine(settings)
    for line in report.lines:
        out(line)
    if arguments.repair:
        return 0 if report.sound else 1
    from indelible.serve.commands.setup import registered_lines

    lines, answered = registered_lines(settings)
    for line in lines:
        out(line)
    return 0 if report.sound and answered else 1


def _reembed(arguments: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.progress import Progress

    from indelible.engine import pending

    ctx = open_context_of(arguments)
    try:
        if ctx.settings.read_only:
            raise InvalidInput("reembed writes, and INDELIBLE_READ_ONLY is set; unset it")
        pending.wait_for_model(ctx)
        with Progress(console=Console(stderr=True)) as bar:
            task = bar.add_task("embedding", total=None)
            done = pending.renew(ctx, lambda made, all_: bar.update(task, completed=made, total=all_))
    finally:
        ctx.close()
    say(f"embedded {done} records")
    return 0
