"""The commands that maintain a store (undo, history, doctor, reembed), and how it is set up here in some lines."""

import argparse
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from indelible.cli import answers
from indelible.cli.opening import (
    Adding,
    embed_stored,
    in_project,
    open_existing,
    refuse_read_only,
    settings_of,
    short_ids,
    tell_of_disk,
)
from indelible.cli.terminal import counted, out, printable, say_step, shortened, table
from indelible.clock import time_text
from indelible.errors import IndelibleError, InvalidInput, NotFound
from indelible.stderr import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from indelible.core.context.context import Context
    from indelible.core.records.history import Operation, Past
    from indelible.settings import Settings

NAMED = 10  # records and relations that an undo names


def add(command: Adding) -> None:
    """Declare the commands."""
    undo = command("undo", _undo, "undo the last delete or overwrite; with --project DIR the last one there")
    undo.add_argument(
        "--operation",
        metavar="ID",
        help="as `indelible history` lists it; default: the newest of the store, or with --project of that project, "
        "that is not undone yet",
    )
    history = command("history", _history, "list what was deleted or overwritten, or the earlier states of a memory")
    history.add_argument(
        "id",
        nargs="?",
        help="of a memory, also a deleted one; default: list the calls that changed any, with --project those that did "
        "in that project",
    )
    history.add_argument("-k", "--limit", type=int, default=20, help="calls to list; default: %(default)s")
    doctor = command("doctor", _doctor, "check the store, and that every agent it is set up for can start it")
    doctor.add_argument(
        "--repair", action="store_true", help="rebuild every cache; salvage a damaged store to a new file"
    )
    reembed = command("reembed", _reembed, "embed what is not embedded yet, or by another model; can be interrupted")
    reembed.add_argument(
        "--wait",
        action="store_true",
        help="only wait until what was stored is embedded, which every server does in the background, and help with it",
    )


def _undo(arguments: argparse.Namespace) -> int:
    from indelible.core.context.call import Call
    from indelible.core.records import history, undo

    with closing(open_existing(arguments)) as ctx:
        done = undo.undo(ctx.for_call(Call(tool="undo")), arguments.operation or _newest_of_project(ctx, arguments))
        foreign = _foreign(ctx)
        named = history.present(ctx, done["restored"][:NAMED])
        shorts = short_ids(ctx, ((each["kind"], each["id"]) for each in named))
        answers.give({**done, "records": named})
        out(f"undone {done['tool']} ({done['operation']})")
        for each, short in zip(named, shorts, strict=True):
            what = "back" if each["there"] else "removed"
            where = foreign(each["namespace"])
            place = f"({printable(where)}) " if where else ""
            out(f"{what}: {each['kind']} {printable(short)}: {place}{shortened(printable(each['content']))}")
        relations = done["relations"][: NAMED - len(named)]
        ends = short_ids(ctx, (("memory", name) for each in relations for name in (each["source"], each["target"])))
        for relation, source, target in zip(relations, ends[::2], ends[1::2], strict=True):
            what = "back" if relation["there"] else "removed"
            between = f"{source} {relation['relationship']} {target}"
            out(f"{what}: relation {printable(between)} (weight {relation['weight']:.3g})")
        more = len(done["restored"]) + len(done["relations"]) - NAMED
        if more > 0:
            out(f"and {more:,} more")
        embed_stored(ctx)
    return 0


def _newest_of_project(ctx: "Context", arguments: argparse.Namespace) -> str | None:
    """Return what to undo where a project is named: its newest change. Without one it is the newest of the store."""
    from indelible.core.records import history

    if arguments.project is None:
        return None
    newest = history.newest_of_project(ctx)
    if newest is None:
        raise NotFound(
            f"there is nothing to undo{in_project(ctx, arguments)}; without --project the newest change of all "
            f"projects is undone, and `indelible history` lists what can be undone for {ctx.settings.trash_days} days"
        )
    return newest


def _foreign(ctx: "Context") -> "Callable[[str], str]":
    """Return how a project is called in a line if it is not the caller's own; "" for that, and where it has none."""
    from indelible.cli.record_lines import project_name

    def name(namespace: str) -> str:
        with ctx.store.read() as tx:
            scope = ctx.scope(tx)
            is_foreign = bool(scope.own) and not scope.own_among({namespace})
        return f"{'project ' if namespace else ''}{project_name(namespace)}" if is_foreign else ""

    return name


def _history(arguments: argparse.Namespace) -> int:
    if arguments.limit < 1:
        raise InvalidInput(f"--limit must be at least 1, got {arguments.limit}")
    ctx = open_existing(arguments)
    try:
        if arguments.id is None:
            return _operations(ctx, arguments)
        return _states(ctx, arguments)
    finally:
        ctx.close()


def _operations(ctx: "Context", arguments: argparse.Namespace) -> int:
    from indelible.cli.record_lines import project_name
    from indelible.core.records import history

    of_project = arguments.project is not None
    done = history.operations(ctx, arguments.limit, of_project=of_project)
    answers.give({"operations": [{**each, "time": time_text(each["time"])} for each in done]})
    by, places = any(o["who"] for o in done), len({place for o in done for place in o["projects"]}) > 1
    rows = [
        (
            *(o["operation"], time_text(o["time"]), o["tool"]),
            *([o["who"]] if by else []),
            *(_undone(o), f"{o['count']:,}"),
            *([", ".join(map(project_name, o["projects"]))] if places else []),
            o["content"],
        )
        for o in done
    ]
    heads = ("operation", "time", "tool", *(["by"] if by else []), "undone", "count")
    table((*heads, *(["project"] if places else []), "content before"), rows)
    if not rows:
        say(f"nothing was changed or deleted{in_project(ctx, arguments)} in the last {ctx.settings.trash_days} days")
    return 0


def _states(ctx: "Context", arguments: argparse.Namespace) -> int:
    from indelible.core.records import history

    past = history.past_of(ctx, arguments.id)
    shorts = short_ids(ctx, ((each["kind"], each["id"]) for each in past))
    answers.give({"states": [{**each, "time": time_text(each["time"])} for each in past]})
    rows = [
        (p["operation"], time_text(p["time"]), p["tool"], p["action"], _undone(p), short, p["content"])
        for p, short in zip(past, shorts, strict=True)
    ]
    table(("operation", "time", "tool", "action", "undone", "id", "content before"), rows)
    if not rows:
        say(f"it was not changed or deleted in the last {ctx.settings.trash_days} days")
    return 0


def _undone(done: "Operation | Past") -> str:
    return "yes" if done["undone"] else ""


def _doctor(arguments: argparse.Namespace) -> int:
    from indelible.admin import doctor

    settings = settings_of(arguments).for_disk()
    if arguments.repair:
        refuse_read_only(settings, "doctor --repair")
    tell_of_disk(settings)
    say_step("repairing the store" if arguments.repair else "examining the store")
    report = doctor.repair(settings) if arguments.repair else doctor.examine(settings)
    for line in report.lines:
        out(line)
    answers.give({"sound": report.sound, "findings": report.lines})
    if arguments.repair:
        return 0 if report.sound else 1
    from indelible.cli.commands.setup import registered_lines
    from indelible.cli.pauses import pause_lines
    from indelible.server import traces

    lines, answered = registered_lines(settings, say_step)
    pauses = pause_lines(settings)
    untraced = [line] if (line := traces.problem()) else []
    answers.give(
        {
            "sound": report.sound,
            "findings": [*report.lines, *untraced],
            "pauses": pauses,
            "clients": lines,
            "clients_answer": answered,
        }
    )
    for line in (*untraced, *pauses, *lines):
        out(line)
    return 0 if report.sound and answered else 1


def _reembed(arguments: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.progress import Progress

    from indelible.admin import embedding_worker

    ctx = open_existing(arguments)
    try:
        refuse_read_only(ctx.settings, "reembed")
        embedding_worker.wait_for_model(ctx)
        with Progress(console=Console(stderr=True)) as bar:
            task = bar.add_task("embedding", total=None)
            done = embedding_worker.renew(
                ctx, lambda made, all_: bar.update(task, completed=made, total=all_), other_models=not arguments.wait
            )
    finally:
        ctx.close()
    answers.give({"embedded": done})
    say(f"embedded {counted(done, 'record')}")
    return 0


# --- How it is set up ---


def status_lines() -> list[str]:
    """Return the lines in which `indelible` alone says how it is set up here: clients, recording, what is kept.

    None where no client names Indelible and there is no store. What cannot be read says so in its place.
    """
    from indelible.capture import hook_brief
    from indelible.settings import Settings

    try:
        settings = Settings.load(None)
        clients = list(_clients(settings))
        if not clients and not hook_brief.is_there(hook_brief.place_of(settings)):
            return []
        names = ", ".join(f"{title}{' (with hooks)' if hooked else ''}" for title, hooked in clients)
        setup = f"set up for {names}" if clients else "set up for no agent: `indelible setup`"
        hooked = any(hooked for _, hooked in clients)
        recording = (
            _recording(settings) if hooked else "no hooks, so nothing is recorded: `indelible setup` offers them"
        )
        return [setup, recording, *_kept(settings)]
    except IndelibleError as error:  # a setting that cannot be
        return [printable(str(error))]


def _clients(settings: "Settings") -> Iterator[tuple[str, bool]]:
    """Yield the clients whose files of this user, or of this project, name Indelible, and whether these have hooks."""
    from indelible.cli.commands.setup import surroundings_of
    from indelible.cli.setup import hooks, plugin_file, registration
    from indelible.cli.setup.clients import CLIENTS, SCOPES

    around = surroundings_of(settings)
    for client in CLIENTS.values():
        scopes = [each for each in SCOPES if client.has_scope(each) and (each == "user" or around.project)]
        if any(
            hooks.are_set_up(client, each, around) or plugin_file.is_set_up(client, each, around) for each in scopes
        ):
            yield client.title, True
        elif any(registration.is_registered(client, each, around) for each in scopes):
            yield client.title, False


def _recording(settings: "Settings") -> str:
    """Return whether hooks record in this directory."""
    from indelible.capture import pausing

    location = settings.project_found.location
    where = "here" if location is None else f"in {printable(location.path)}"
    try:
        pauses = pausing.paused(settings.inbox)
    except (OSError, ValueError):
        return "hooks record nothing: what is paused cannot be read; `indelible resume --all` mends it, or says why not"
    if pausing.holding(pauses, location, str(settings.start)) is None:
        return f"hooks record {where}: `indelible pause` stops it"
    return f"hooks record nothing {where}: `indelible pause --status` says why"


def _kept(settings: "Settings") -> Iterator[str]:
    """Yield what the store holds, and what the next session here is told of it."""
    from indelible.capture import hook_brief, hook_notices
    from indelible.store.tables import records
    from indelible.store.views import captured

    place = hook_brief.place_of(settings)
    try:
        if not hook_brief.is_there(place):
            yield "nothing is stored yet"
            return
        with hook_brief.looked(place) as tx:
            memories = records.count_by_kind(tx).get("memory", 0)
            waiting = sum(captured.count(tx).values())
        wait = f", {waiting:,} of which {'waits' if waiting == 1 else 'wait'} for `indelible review`" if waiting else ""
        yield f"{counted(memories, 'memory')}{wait}"
        brief = hook_brief.brief(place, settings.project_found.location)
        told = hook_notices.counted(brief)
        yield f"the next session here is told {told or 'nothing'}{': `indelible brief`' if told else ' yet'}"
    except IndelibleError as error:
        yield printable(str(error))
