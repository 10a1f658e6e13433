"""Projects whose memories belong elsewhere: moved or renamed ones, and those that an earlier version took for one."""

import argparse
from contextlib import closing
from typing import TYPE_CHECKING

from indelible.cli import answers
from indelible.cli.opening import Adding, open_existing
from indelible.cli.parsing import action, without_action
from indelible.cli.paths import namespace_of
from indelible.cli.terminal import counted, out, printable, shortened, table, wrong_usage
from indelible.errors import InvalidInput, NotFound
from indelible.stderr import say

if TYPE_CHECKING:
    from indelible.core.context.context import Context
    from indelible.toolsets.memory.merged_projects import Moved


def add(command: Adding) -> None:
    """Declare the command."""
    project = command("project", without_action, "move a project's memories, or tell apart what is in one")
    project.set_defaults(help_of=project)
    actions = project.add_subparsers(metavar="move|split|keep")
    move = action(actions, "move", _move, "move everything of a project to another; `indelible undo` reverts it")
    move.add_argument("name", metavar="NAME", help="the project as it was called: its directory, or its name")
    move.add_argument("--to", metavar="NS", help="what it is called now; default: the project of this directory")
    move.add_argument("--dry-run", action="store_true", help="only show what would be moved")
    split = action(actions, "split", _split, "move memories of a project to another; `indelible undo` reverts it")
    split.add_argument("name", metavar="NAME", help="the project in which they are stored: its directory, or its name")
    split.add_argument("--to", metavar="NS", help="the project that they belong to: its directory, or its name")
    split.add_argument("--ids", metavar="ID", nargs="+", default=[], help="these records, of any kind")
    split.add_argument("--session", metavar="ID", help="everything stored in this session")
    split.add_argument("--before", metavar="TIME", help="everything stored before this date or time")
    split.add_argument(
        "--proposed", action="store_true", help="everything that captured directories and code links suggest"
    )
    split.add_argument("--dry-run", action="store_true", help="only show what would be moved")
    keep = action(actions, "keep", _keep, "confirm that everything stored in a project belongs to it")
    keep.add_argument("name", metavar="NAME", help="its directory, or its name")


def _move(arguments: argparse.Namespace) -> int:
    from indelible.core.context.call import Call
    from indelible.toolsets.memory import inspection, merged_projects

    name = namespace_of(arguments.name, "NAME")
    with closing(open_existing(arguments)) as opened:
        ctx = opened.for_call(Call(tool="project move"))
        to = _other(name, inspection.project(ctx) if arguments.to is None else arguments.to)
        chosen = merged_projects.chosen_of(ctx, name)
        if not chosen:
            raise NotFound(f"nothing is stored in {name!r:.200}; `indelible call list_namespaces` lists the projects")
        _move_chosen(ctx, name, to, chosen, dry_run=arguments.dry_run)
    return 0


def _split(arguments: argparse.Namespace) -> int:
    from indelible.core.context.call import Call
    from indelible.toolsets.memory import merged_projects

    chosen = [bool(arguments.ids), arguments.session is not None, arguments.before is not None, arguments.proposed]
    if sum(chosen) > 1:
        return wrong_usage("project split", "give exactly one of --ids, --session, --before and --proposed")
    name = namespace_of(arguments.name, "NAME")
    with closing(open_existing(arguments)) as opened:
        ctx = opened.for_call(Call(tool="project split"))
        if not any(chosen) or arguments.proposed:
            return _proposed(ctx, name, moves=arguments.proposed and not arguments.dry_run, to=arguments.to)
        to = _target(ctx, name, arguments.to)
        ids = merged_projects.chosen_of(ctx, name, arguments.ids, arguments.session, _moment(arguments.before))
        _move_chosen(ctx, name, to, ids, dry_run=arguments.dry_run)
    return 0


def _move_chosen(ctx: "Context", name: str, to: str, chosen: list[int], *, dry_run: bool) -> None:
    from indelible.toolsets.memory import merged_projects

    if dry_run:
        answers.give({"dry_run": True, "moved": [{"to": to, "records": len(chosen), "stay": []}], "proposed": []})
        out(f"would move {counted(len(chosen), 'record')} of {printable(name)} to {printable(to)}")
        return
    _tell([merged_projects.split(ctx, name, to, chosen)])


def _moment(given: str | None) -> int | None:
    from indelible.clock import time_value

    return None if given is None else time_value(given.strip(), "--before")


def _target(ctx: "Context", name: str, given: str | None) -> str:
    """The project to move to: the one that is named, else the only one that there is. Raises InvalidInput."""
    from indelible.toolsets.memory import merged_projects

    if given is not None:
        return _other(name, given)
    with ctx.store.read() as tx:
        parts = merged_projects.unanswered(ctx, tx).get(name, [])
    if len(parts) != 1:
        known = ", ".join(map(repr, parts)) or "none"
        raise InvalidInput(f"--to must say which project they belong to; parts of {name!r:.200} may be: {known}")
    return parts[0]


def _other(name: str, given: str) -> str:
    to = namespace_of(given, "--to")
    if not to.strip() or to == name:
        raise InvalidInput(f"--to must be another project than {name!r:.200}, got {given!r:.200}")
    return to


def _proposed(ctx: "Context", name: str, *, moves: bool, to: str | None) -> int:
    from indelible.toolsets.memory import merged_projects

    only = None if to is None else namespace_of(to, "--to")
    with ctx.store.read() as tx:
        parts = merged_projects.unanswered(ctx, tx).get(name, [])
        found = [each for each in merged_projects.proposal(ctx, tx, name) if only in (None, each.to)]
    proposed = [{"id": one.record.key, "to": one.to, "why": one.why, "content": one.record.text} for one in found]
    answers.give({"dry_run": not moves, "moved": [], "proposed": proposed})
    if not parts:
        out(f"{printable(name)} is one project as far as is known: choose what moves with --ids, --session or --before")
        return 0
    if moves:
        targets = sorted({each.to for each in found})
        _tell(
            [merged_projects.split(ctx, name, to, [one.record.id for one in found if one.to == to]) for to in targets]
        )
        return 0
    say(f"memories of these may be stored in {printable(name)}: {', '.join(map(printable, parts))}")
    rows = [(each.record.key, each.to, f"{each.why} it", shortened(printable(each.record.text), 60)) for each in found]
    table(("id", "belongs to", "because", "text"), [tuple(map(printable, row)) for row in rows])
    if found:
        say(f"`indelible project split {printable(name)} --proposed` moves these")
    say(
        f"`indelible project split {printable(name)} --to NS --ids ID...` (or --session, --before) moves others; "
        f"`indelible project keep {printable(name)}` confirms that the rest is one project"
    )
    return 0


def _tell(done: "list[Moved]") -> None:
    parts = [{"to": m.to, "records": len(m.moved), "stay": [each.key for each in m.stay]} for m in done]
    answers.give({"dry_run": False, "moved": parts, "proposed": []})
    for moved in done:
        out(f"moved {counted(len(moved.moved), 'record')} to {printable(moved.to)}; `indelible undo` reverts it")
        for each in moved.stay:
            say(f"{each.kind} {printable(each.key)} stays: {printable(moved.to)} has the same, or one of that name")


def _keep(arguments: argparse.Namespace) -> int:
    from indelible.core.context.call import Call
    from indelible.toolsets.memory import merged_projects

    name = namespace_of(arguments.name, "NAME")
    with closing(open_existing(arguments)) as ctx:
        parts = merged_projects.keep(ctx.for_call(Call(tool="project keep")), name)
    answers.give({"project": name, "parts": list(parts)})
    out(f"everything stored in {printable(name)} belongs to it, and nothing to {', '.join(map(printable, parts))}")
    return 0
