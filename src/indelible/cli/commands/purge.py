"""Forgetting for good: records, a project, what is old, secrets that older rules let in; of the backups too."""

import argparse
from typing import TYPE_CHECKING

from indelible.cli import answers
from indelible.cli.opening import Adding, open_existing
from indelible.cli.paths import namespace_of
from indelible.cli.terminal import agrees, can_ask, counted, out, printable, shown, table, wrong_usage
from indelible.errors import InvalidInput
from indelible.stderr import say

if TYPE_CHECKING:
    from indelible.admin.erasure import Selection
    from indelible.admin.purge import Done, Plan
    from indelible.admin.stored_secrets import Counts
    from indelible.core.context.context import Context

LONGEST_SHOWN = 4_096  # characters: a path must be seen whole before everything in it is deleted


def add(command: Adding) -> None:
    """Declare the command."""
    purge = command("purge", _purge, "delete for good, also from the trash, the queues and every automatic backup")
    purge.add_argument("ids", metavar="ID", nargs="*", help="records of any kind, also deleted ones")
    purge.add_argument("--namespace", metavar="NS", help="everything in it: a project's directory, or its name")
    purge.add_argument("--older-than", metavar="TIME", help="everything not changed since: 90d, 12w, 1y, or a date")
    purge.add_argument("--expired", action="store_true", help="every memory and solution that has expired")
    purge.add_argument("--dry-run", action="store_true", help="only show what would be deleted")
    purge.add_argument("--yes", action="store_true", help="do not ask")
    redact = command(
        "redact", _redact, "remove secrets that older rules missed from everything stored, also from backups"
    )
    redact.add_argument("--stored", action="store_true", help="everything stored: rows, trash, queues, every backup")
    redact.add_argument("--dry-run", action="store_true", help="only count them, by rule")


def _purge(arguments: argparse.Namespace) -> int:
    from indelible.admin import purge
    from indelible.core.context.call import Call

    given = [bool(arguments.ids), arguments.namespace is not None, arguments.older_than is not None]
    given.append(arguments.expired)
    if sum(given) > 1:
        return wrong_usage("purge", "give only one of IDs, --namespace NS, --older-than TIME and --expired")
    _refuse_project(arguments)
    ctx = open_existing(arguments)
    try:
        ctx = ctx.for_call(Call(tool="purge"))
        left = purge.unfinished(ctx)
        for each in left:
            say(f"an earlier purge of {_named(each)} was interrupted; it is finished first")
        rest = _report_rest(purge.run(ctx, None, say)) if left and not arguments.dry_run else 0
        if any(given):
            return max(rest, _purge_selected(ctx, arguments))
        if left:
            answers.give({"dry_run": arguments.dry_run, "purged": {}, "namespaces": {}, "backups": []})
            return rest
        return wrong_usage("purge", "choose what to delete: an ID, --namespace NS, --older-than TIME, or --expired")
    finally:
        ctx.close()


def _refuse_project(arguments: argparse.Namespace) -> None:
    """Raise InvalidInput for a project beside what is of every project: who named one means that one."""
    flag = "--older-than" if arguments.older_than is not None else "--expired" if arguments.expired else ""
    if flag and arguments.project is not None:
        raise InvalidInput(
            f"--project does not limit purge {flag}, which is of every project; leave it out, or give --namespace NS "
            "alone for all of one project. Nothing was deleted"
        )


def _purge_selected(ctx: "Context", arguments: argparse.Namespace) -> int:
    from indelible.admin import purge

    whole = arguments.dry_run or purge.take_in(ctx, say)
    plan = purge.plan(ctx, _selection(ctx, arguments))
    answers.give(
        {
            "dry_run": arguments.dry_run,
            "purged": dict(plan.parts),
            "namespaces": plan.namespaces,
            "backups": [str(path) for path in plan.holding],
        }
    )
    if plan.is_empty:
        out(_nothing(plan))
        return 0 if whole else 1
    if arguments.dry_run:
        _show(plan)
        _say_what_stays(ctx, plan)
        return 0
    if arguments.yes and len(plan.namespaces) > 1:
        for line in _taken(plan):
            say(line)
    if not arguments.yes and not _confirmed(plan):
        say("nothing was deleted")
        return 1
    done = purge.run(ctx, plan.selection, lambda _: None)
    out(f"purged {_contents(plan)} of {_named(plan.selection)}, for good")
    _say_what_stays(ctx, plan)
    return max(_report_rest(done), 0 if whole else 1)


def _selection(ctx: "Context", arguments: argparse.Namespace) -> "Selection":
    from indelible.admin import purge

    if arguments.ids:
        return purge.of_records(ctx, arguments.ids)
    if arguments.namespace is not None:
        return purge.of_namespace(ctx, namespace_of(arguments.namespace))
    if arguments.expired:
        return purge.of_expired(ctx)
    return purge.of_time(ctx, _moment(ctx, arguments.older_than))


def _moment(ctx: "Context", given: str) -> int:
    """The time that is meant by an age or a date, in microseconds. Raises InvalidInput."""
    from indelible.clock import age_value, time_value

    age = age_value(given.strip())
    if age is not None:
        return ctx.now() - age
    try:
        return time_value(given.strip(), "--older-than")
    except InvalidInput:
        raise InvalidInput(
            f"--older-than must be an age such as 90d, 12w or 1y, or a date such as 2025-08-08, got {given!r:.80}"
        ) from None


# --- What is said ---


def _named(selection: "Selection") -> str:
    if selection.what == "secrets":
        return "every secret that older rules missed"
    if selection.what == "namespace":
        return f"namespace {printable(shown(selection.given, LONGEST_SHOWN))}"
    if selection.what == "time":
        from indelible.clock import time_text

        return f"everything not changed since {time_text(selection.before)}"
    return printable(shown(selection.given, LONGEST_SHOWN))


def _nothing(plan: "Plan") -> str:
    if plan.selection.what == "time":
        return "nothing is as old as that"
    where = " in" if plan.selection.what == "namespace" else " of"
    return f"nothing is stored{where} {_named(plan.selection)}"


def _contents(plan: "Plan") -> str:
    contents = [counted(count, name) if " " not in name else _counted(count, name) for name, count in plan.parts]
    return ", ".join(contents) or "what backups contained"


def _counted(count: int, name: str) -> str:
    """`2 events of a session`: the noun is the first word, but for `code entry`."""
    if name == "code entry":
        return counted(count, name)
    noun, rest = name.split(" ", 1)
    return f"{counted(count, noun)} {rest}"


def _taken(plan: "Plan") -> list[str]:
    """One line a namespace that goes, with how much of it."""
    return [
        f"takes namespace {printable(shown(name, LONGEST_SHOWN))}: "
        + (", ".join(counted(count, kind) for kind, count in sorted(kinds.items())) or "nothing that is current")
        for name, kinds in plan.namespaces.items()
    ]


def _show(plan: "Plan") -> None:
    for line in _taken(plan):
        out(line)
    rows = [(name, str(count)) for name, count in plan.parts]
    table(("what", "count"), rows)
    for path in plan.backups:
        has = "has some of it" if path in plan.holding else "has none of it"
        out(f"would be rewritten: {path} ({has})")
    for path in plan.copies:
        out(f"would be removed: {path}")


def _say_what_stays(ctx: "Context", plan: "Plan") -> None:
    """Say what a purge leaves although it may name what was purged: tokens, and files of other programs."""
    from indelible.admin import tokens

    named = [token.key for token in tokens.listed(ctx) if not plan.selection.names.isdisjoint(token.namespaces or ())]
    if named:
        say(f"tokens that are limited to what was purged still name it: {', '.join(named)}")
    for variable, path in ctx.settings.existing:
        say(f"{variable} names {printable(str(path))}: that file belongs to another program and is not changed")


def _confirmed(plan: "Plan") -> bool:
    """Return whether the person at the terminal wants it. Raises InvalidInput where there is none."""
    if not can_ask():
        raise InvalidInput(
            f"purge would delete {_contents(plan)} of {_named(plan.selection)!r} for good; add --yes to do it without "
            "asking, or --dry-run to see more"
        )
    table(("kind", "records"), [(name, str(count)) for name, count in plan.parts])
    for line in _taken(plan):
        out(line)
    backups = f", and of {counted(len(plan.backups), 'backup')}" if plan.backups else ""
    return agrees(f"Delete all of this for good{backups}? Nothing brings it back.")


def _report_rest(done: "Done") -> int:
    """Say what else there is to know; 1 where something of it is left."""
    for name in done.removed:
        say(f"removed the backup {name}: it is damaged, and its content cannot be checked")
    if done.elsewhere:
        say(done.elsewhere)
    if not done.is_blocked:
        return 0
    who = ", ".join(printable(each) for each in done.readers) or "another process"
    say(
        f"not done: the write-ahead log of the store still holds what was purged, because {who} is reading it. "
        "End that process, then run `indelible purge` again; the rest is done"
    )
    return 1


# --- Secrets ---


def _redact(arguments: argparse.Namespace) -> int:
    from indelible.admin import purge, stored_secrets
    from indelible.core.context.call import Call

    if not arguments.stored:
        return wrong_usage("redact", "add --stored to redact everything stored (new texts are always redacted)")
    ctx = open_existing(arguments)
    try:
        ctx = ctx.for_call(Call(tool="redact"))
        whole = arguments.dry_run or purge.take_in(ctx, say)
        with ctx.store.read() as tx:
            found = stored_secrets.count(ctx, tx)
        copies = purge.backups_with_secrets(ctx)
        answers.give({"dry_run": arguments.dry_run, "secrets": dict(found), "backups": [str(path) for path in copies]})
        if arguments.dry_run:
            _show_secrets(found)
            for path in copies:
                out(f"would be rewritten: {path} (has some)")
            return 0
        done = purge.run(ctx, purge.SECRETS, lambda _: None)
        _show_secrets(found)
        if found or copies:
            out(f"removed from everything stored, and from {counted(len(copies), 'backup')}, for good")
        return max(_report_rest(done), 0 if whole else 1)
    finally:
        ctx.close()


def _show_secrets(found: "Counts") -> None:
    if found:
        table(("rule", "count"), [(rule, f"{count:,}") for rule, count in sorted(found.items())])
    else:
        out("the rules of this version find no stored secret")
