"""The commands for a store in PostgreSQL: its tables, its tenants, and a move there or back."""

import argparse
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indelible.cli import answers
from indelible.cli.opening import Adding, open_existing, refuse_read_only, settings_of, tell_redacted
from indelible.cli.parsing import action, without_action
from indelible.cli.paths import absolute
from indelible.cli.terminal import agrees, can_ask, counted, out, table
from indelible.clock import moment_of, time_value
from indelible.errors import IndelibleError, InvalidInput
from indelible.stderr import say, say_progress

if TYPE_CHECKING:
    from indelible.admin.tenant_usage import Usage
    from indelible.core.context.context import Context
    from indelible.core.context.quota import Quota
    from indelible.settings import Settings

EVERY = 20_000  # rows between words of progress
NO_LIMIT = "none"
LIMITS = ("records", "bytes", "calls_per_minute")


def add(command: Adding) -> None:
    """Declare the commands."""
    database = command(
        "database", without_action, "create or upgrade the tables in PostgreSQL, or spread them over a cluster"
    )
    database.set_defaults(help_of=database)
    actions: Any = database.add_subparsers(metavar="upgrade|distribute")
    text = "create the tables of a store, or upgrade them to this version; --role lets a role serve it"
    upgrade = action(actions, "upgrade", _upgrade, text)
    upgrade.add_argument(
        "--role", metavar="NAME", help="a role for servers: it may read and write rows, and nothing else"
    )
    text = "a role that servers take on for tokens limited to namespaces: the database hides all others from it"
    upgrade.add_argument("--limited-role", metavar="NAME", help=text)
    text = "spread the tables over the nodes of a Citus cluster by tenant; --database is its coordinator, as the owner"
    action(actions, "distribute", _distribute, text)
    _add_tenant(command)
    migrate = command("migrate", _migrate, "copy a whole store from a file to PostgreSQL, or back; can be interrupted")
    migrate.add_argument(
        "--from", dest="source", required=True, metavar="STORE", help="data directory, or postgresql://"
    )
    migrate.add_argument("--to", dest="target", required=True, metavar="STORE", help="the same; it must be empty")
    migrate.add_argument("--from-tenant", type=int, default=1, metavar="N", help="in a database; default: 1")
    migrate.add_argument("--to-tenant", type=int, default=1, metavar="N", help="in a database; default: 1")


def _add_tenant(command: Adding) -> None:
    tenant = command(
        "tenant", without_action, "quotas and usage of a PostgreSQL database's tenants; recover or delete one"
    )
    tenant.set_defaults(help_of=tenant)
    actions = tenant.add_subparsers(metavar="quota|usage|delete")
    quota = action(actions, "quota", _quota, "show or set how much a tenant may store, and how often it may call")
    quota.add_argument("number", metavar="NUMBER", help="the tenant")
    quota.add_argument("--records", metavar="N", help=f"records of all kinds; `{NO_LIMIT}` for no limit")
    quota.add_argument("--bytes", metavar="N", help="bytes of their texts, names, tags and fields; the same")
    quota.add_argument("--calls-per-minute", metavar="N", help="requests over HTTP to each server; the same")
    usage = action(actions, "usage", _usage, "records, bytes and calls by month, of one tenant or of all")
    usage.add_argument("number", nargs="?", metavar="NUMBER", help="the tenant (default: all, as the tables' owner)")
    _add_recovery(actions)
    delete = action(actions, "delete", _delete, "delete a tenant for good: every row, and its files on this machine")
    delete.add_argument("number", metavar="NUMBER", help="the tenant; the number is not used again")
    delete.add_argument("--dry-run", action="store_true", help="only show what would be deleted")
    delete.add_argument("--yes", action="store_true", help="do not ask")


def _add_recovery(actions: Any) -> None:
    text = "what a tenant had at a moment, from a base backup and the archived log: into a file, or as a rehearsal"
    recover = action(actions, "recover", _recover, text)
    recover.add_argument("number", metavar="NUMBER", help="the tenant")
    recover.add_argument("--base-backup", type=Path, required=True, metavar="DIR", help="as pg_basebackup wrote it")
    archive = recover.add_mutually_exclusive_group(required=True)
    archive.add_argument("--wal-archive", type=Path, metavar="DIR", help="to which archive_command copies the log")
    archive.add_argument("--restore-command", metavar="COMMAND", help="PostgreSQL's setting, for an archive elsewhere")
    recover.add_argument(
        "--at", metavar="TIME", help="ISO 8601, such as 2026-11-28T10:00:00Z (default: the archive's end)"
    )
    what = recover.add_mutually_exclusive_group(required=True)
    what.add_argument("--to", type=Path, metavar="FILE", help="a new file, which `indelible restore` puts in place")
    what.add_argument("--rehearse", action="store_true", help="do all of it, and leave nothing")
    recover.add_argument("--programs", type=Path, metavar="DIR", help="of postgres and pg_ctl, if they are not found")
    recover.add_argument("--work", type=Path, metavar="DIR", help="room for a copy of the backup (default: temporary)")


def _upgrade(arguments: argparse.Namespace) -> int:
    from indelible.admin import upgrade

    settings = settings_of(arguments)
    done = upgrade.upgrade(settings, arguments.role, arguments.limited_role)
    answers.give({"store": settings.place, "done": list(done)})
    served = f"; role {arguments.role} may serve it" if arguments.role else ""
    served += f"; role {arguments.limited_role} is that of limited tokens" if arguments.limited_role else ""
    out(f"{settings.place} has the tables of this version{served}")
    for each in done:
        out(each)
    return 0


def _distribute(arguments: argparse.Namespace) -> int:
    from indelible.admin import upgrade

    settings = settings_of(arguments)
    placed = upgrade.distribute(settings)
    answers.give({"store": settings.place, **placed})
    by_tenant, whole = placed["by_tenant"], placed["on_every_node"]
    if not (by_tenant or whole):
        out(f"{settings.place} is spread over the cluster already")
        return 0
    out(f"{settings.place} is spread over the cluster: {counted(len(by_tenant), 'table')} by tenant")
    for each in whole:
        out(f"{each} is on every node")
    return 0


def _migrate(arguments: argparse.Namespace) -> int:
    from indelible.transfer import migration

    source = migration.place_of("--from", arguments.source, arguments.from_tenant, make=False)
    ours = migration.settings_of(arguments.source, arguments.from_tenant, arguments.data)
    try:
        _take_in(ours)
        target = migration.place_of("--to", arguments.target, arguments.to_tenant, make=True)
        try:
            moved = migration.migrate(source, target, _show_progress)
        finally:
            target.close()
    finally:
        source.close()
    answers.give({"rows": moved.rows, "resumed": moved.resumed, "identical": not moved.changed})
    if moved.resumed:
        say("continued a migration that was interrupted")
    for name, rows in moved.rows.items():
        if rows:
            out(f"{name}: {counted(rows, 'row')}")
    if moved.changed:
        say(
            "the source was written to meanwhile, and the target lacks that: it stays closed. Stop the servers of the "
            "source, and run the same command again: it starts over"
        )
        return 1
    out("the two stores are identical: rows and checksums were compared")
    _pause_there(arguments, ours)
    if moved.rows["token"] and target.tenant != source.tenant:
        say(f"tokens belong to the tenant they were made in: create new ones for tenant {target.tenant}")
    return 0


def _take_in(ours: "Settings") -> None:
    """Take in what hooks left for the source: nobody would look for it once another store is used."""
    from indelible.capture import ingest, spool
    from indelible.core.context.context import open_context

    if spool.is_empty(ours.inbox):
        return
    try:
        with closing(open_context(ours, make=False)) as ctx:
            tell_redacted(ingest.drain(ctx, wait=True).redacted)
    except IndelibleError as error:
        say(f"events of hooks were not processed, and do not go along: {error}")


def _pause_there(arguments: argparse.Namespace, ours: "Settings") -> None:
    """Have hooks record nothing for the target either where recording is paused for the source.

    Of a database it is kept in a data directory: in the one that is used here, and in that of the source.
    """
    from indelible.capture import pausing
    from indelible.transfer import migration

    try:
        pauses = pausing.paused(ours.inbox)
        if not pauses:
            return
        for data in dict.fromkeys((arguments.data, str(ours.data))):
            theirs = migration.settings_of(arguments.target, arguments.to_tenant, data)
            if theirs.data.is_dir():
                pausing.take_over(theirs.inbox, pauses)
    except (OSError, ValueError) as error:
        say(f"which projects are paused was not taken over: {error}; `indelible pause` pauses them there")
    else:
        say("recording is paused there where it is paused here; `indelible pause --status` lists it")


def _show_progress(table: str, done: int, total: int) -> None:
    if total >= EVERY and (done % EVERY == 0 or done == total):
        say_progress(f"{table}: {done:,} of {total:,}")


# --- Tenants ---


def _delete(arguments: argparse.Namespace) -> int:
    from indelible.admin import tenant_deletion

    settings = _named(arguments, "tenant delete")
    refuse_read_only(settings, "tenant delete")
    plan = tenant_deletion.plan(settings)
    files = [str(path) for path in plan.files]
    done = {"tenant": plan.tenant, "dry_run": arguments.dry_run, "rows": dict(plan.rows), "files": files}
    answers.give({**done, "elsewhere": list(tenant_deletion.ELSEWHERE)})
    if plan.is_empty:
        out(f"nothing is left of tenant {plan.tenant}, which was deleted before")
        return 0
    if arguments.dry_run or not arguments.yes:
        table(("table", "rows"), [(name, f"{count:,}") for name, count in plan.rows.items()])
        for path in plan.files:
            out(f"would be removed: {path}")
    if arguments.dry_run:
        return 0
    if not arguments.yes:
        if not can_ask():
            raise InvalidInput(
                f"all of tenant {plan.tenant} would be deleted for good; add --yes to do it without asking, or "
                "--dry-run to see more"
            )
        if not agrees(f"Delete all of tenant {plan.tenant} for good? Nothing brings it back."):
            say("nothing was deleted")
            return 1
    left = tenant_deletion.run(settings, plan, lambda name, count: say_progress(f"{name}: {counted(count, 'row')}"))
    answers.give({**done, "elsewhere": list(left)})
    rows = counted(sum(plan.rows.values()), "row")
    out(f"deleted tenant {plan.tenant} for good: {rows}, {counted(len(files), 'place') + ' on this machine'}")
    for each in left:
        say(each)
    return 0


def _recover(arguments: argparse.Namespace) -> int:
    from indelible.admin import tenant_recovery
    from indelible.store.postgres import recovery

    settings = _named(arguments, "tenant recover")
    at = None if arguments.at is None else moment_of(time_value(arguments.at, "--at"))
    archive, target = arguments.wal_archive, arguments.to and absolute(arguments.to, "--to")
    command = arguments.restore_command or recovery.from_folder(absolute(archive, "--wal-archive"))
    paths = {"programs": arguments.programs, "work": arguments.work}
    backup = absolute(arguments.base_backup, "--base-backup")
    found = tenant_recovery.recover(settings, backup, command, at=at, target=target, **paths)
    seconds = {name: round(took, 1) for name, took in found.seconds.items()}
    file = None if target is None else str(target)
    answers.give(
        {"tenant": settings.tenant, "rows": dict(found.rows), "last": found.last, "seconds": seconds, "file": file}
    )
    table(("table", "rows"), [(name, f"{count:,}") for name, count in found.rows.items()])
    out(f"the last transaction is of {found.last or 'before the end of the backup'}")
    out(", ".join(f"{name} took {took:,} s" for name, took in seconds.items()))
    if target is None:
        out(f"a rehearsal: tenant {settings.tenant} can be recovered, and nothing was changed")
    else:
        out(f"verified backup of tenant {settings.tenant}: {target}; `indelible restore` puts it in place")
    return 0


def _opened(arguments: argparse.Namespace, what: str) -> "Context":
    """Return the context of the tenant that is named by its number. Raises InvalidInput."""
    _named(arguments, what)
    return open_existing(arguments)


def _named(arguments: argparse.Namespace, what: str) -> "Settings":
    """Return the settings of the tenant that is named by its number. Raises InvalidInput."""
    from indelible.admin.tenant_usage import refuse_file

    if arguments.number is not None:
        if arguments.tenant not in (None, arguments.number):
            raise InvalidInput(
                f"two tenants are named: {arguments.number!r:.40}, and --tenant {arguments.tenant!r:.40}; name one"
            )
        arguments.tenant = arguments.number
    settings = settings_of(arguments)
    refuse_file(settings, what)
    return settings


def _quota(arguments: argparse.Namespace) -> int:
    from indelible.admin import tenant_usage
    from indelible.core.context.call import Call

    given = {name: _limit(name, getattr(arguments, name)) for name in LIMITS if getattr(arguments, name) is not None}
    ctx = _opened(arguments, "tenant quota")
    try:
        if given:
            tenant_usage.set_quota(ctx.for_call(Call(tool="tenant quota")), given)
        found = tenant_usage.of_one(ctx)
    finally:
        ctx.close()
    answers.give({"tenant": found.tenant, "quota": _as_json(found.quota), "used": found.stored._asdict()})
    out(
        f"tenant {found.tenant}: {_of(found.stored.records, found.quota.records, 'record')}, "
        f"{_of(found.stored.bytes, found.quota.bytes, 'byte')}, {_calls(found.quota.calls_per_minute)}"
    )
    return 0


def _usage(arguments: argparse.Namespace) -> int:
    from indelible.admin import tenant_usage

    ctx = _opened(arguments, "tenant usage")
    try:
        found = list(tenant_usage.of_all(ctx)) if arguments.number is None else [tenant_usage.of_one(ctx)]
    finally:
        ctx.close()
    answers.give({"tenants": [_usage_as_json(each) for each in found]})
    heads = ("tenant", "month", "calls", "failed", "records", "bytes")
    table(heads, [row for each in found for row in _rows(each)])
    if not found:
        say("no tenant has stored anything yet")
    return 0


def _limit(name: str, text: str) -> int | None:
    if text == NO_LIMIT:
        return None
    if not (text.isascii() and text.isdecimal()):
        raise InvalidInput(
            f"--{name.replace('_', '-')} must be a whole number from 0, or `{NO_LIMIT}` for no limit, got {text!r:.80}"
        )
    return int(text)


def _of(used: int, limit: int | None, name: str) -> str:
    """Return how much of a limit is used; `name` is of one."""
    return f"{counted(used, name)} (no limit)" if limit is None else f"{used:,} of {counted(limit, name)}"


def _calls(limit: int | None) -> str:
    return f"{'any number of' if limit is None else f'{limit:,}'} calls a minute"


def _rows(usage: "Usage") -> list[tuple[str, ...]]:
    """Return a row for each month with calls, and one of what is stored now."""
    by_month = [(str(usage.tenant), each.month, f"{each.calls:,}", f"{each.errors:,}", "", "") for each in usage.months]
    return [*by_month, (str(usage.tenant), "now", "", "", f"{usage.stored.records:,}", f"{usage.stored.bytes:,}")]


def _as_json(quota: "Quota") -> dict[str, int | None]:
    return {name: getattr(quota, name) for name in LIMITS}


def _usage_as_json(usage: "Usage") -> dict[str, Any]:
    months = [each._asdict() for each in usage.months]
    return {"tenant": usage.tenant, **usage.stored._asdict(), "quota": _as_json(usage.quota), "months": months}
