"""Examining and repairing the store: caches are rebuilt, and a damaged file is salvaged into a new one."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from datetime import UTC, datetime
from pathlib import Path

from indelible.admin import purge_journal, stored_secrets
from indelible.admin.checks import CHECKS, FIRST
from indelible.admin.checks.check import REPAIR, Check, Finding, counted
from indelible.capture import ingest, spool
from indelible.clock import sortable_text
from indelible.core.context.call import Call
from indelible.core.context.context import Context, context_on, open_context
from indelible.core.indexes import model_choice
from indelible.core.indexes.embedder import open_embedder
from indelible.core.records import lifetimes
from indelible.dataclass import dataclass
from indelible.errors import IndelibleError
from indelible.settings import Settings
from indelible.source.parse.languages import LANGUAGES, is_readable, missing
from indelible.store.database import Transaction
from indelible.store.sqlite.connection import FILE, has_no_room
from indelible.store.sqlite.database import SqliteDatabase
from indelible.store.sqlite.integrity import check_file, names_are_sound, rebuild_names
from indelible.store.sqlite.read_only import is_empty
from indelible.store.sqlite.salvage import salvage
from indelible.store.tables import activity, embeddings, pending, records, repositories, symbols
from indelible.store.views import captured
from indelible.store.views.lifetimes import pinned_by_namespace
from indelible.toolsets.memory import diagnostics, merged_projects


@dataclass(slots=True)
class Report:
    """The findings, as sentences; `sound` is False if there is a fault that was not repaired."""

    lines: list[str] = field(default_factory=list)
    sound: bool = True

    def fault(self, line: str) -> None:
        """Add a fault."""
        self.lines.append(f"fault: {line}")
        self.sound = False

    def add(self, finding: Finding) -> None:
        """Add a finding of a check."""
        if finding.fault:
            self.fault(finding.text)
        else:
            self.lines.append(finding.text)


def examine(settings: Settings) -> Report:
    """Check the file or the database, the references in it, and that every record can be found. Changes nothing."""
    report = Report()
    try:
        ctx = open_context(settings)
    except IndelibleError as error:
        report.fault(str(error))
        return report
    try:
        return examined(ctx)
    finally:
        ctx.store.close()


def examined(ctx: Context) -> Report:
    """Return the same of a store that is open."""
    report = Report()
    try:
        _examine(ctx, report)
    except IndelibleError as error:
        report.fault(str(error))
    if report.sound:
        report.lines.append("the store is sound")
    return report


def _examine(ctx: Context, report: Report) -> None:
    is_file = ctx.store.dialect == "sqlite"
    report.lines.append(f"store: {ctx.settings.place}")
    if not is_file:
        report.lines.append(f"files of this machine: {ctx.settings.data}")
        report.lines += _lag(ctx)
    for fault in ctx.store.check():
        report.fault(fault)
    if not report.sound and is_file:
        report.lines.append("`indelible doctor --repair` salvages what can be read into a new file")
        return
    with ctx.store.read() as tx:
        total = sum(records.count_by_kind(tx).values())
    report.lines.append(f"records: {total:,}")
    if not _checked(ctx, report, FIRST):
        report.lines.append("the rest can be checked only when these rows can be read")
        return
    with ctx.store.read() as tx:
        _examine_embeddings(ctx, tx, report, total)
        _examine_activity(ctx, tx, report)
    _examine_code(ctx, report)
    _examine_projects(ctx, report)
    _examine_pinned(ctx, report)
    _examine_purge(ctx.settings, report)
    _examine_secrets(ctx, report)
    _checked(ctx, report, CHECKS)
    _examine_index(ctx, report, total)
    if is_file:
        _examine_room(ctx.settings, report)


def _examine_room(settings: Settings, report: Report) -> None:
    """Report a disk without room: where a server has the store open, everything but a write works there."""
    if not settings.on_read_only_disk and has_no_room(settings.data / FILE):
        report.fault(f"the disk of {settings.data} is full: what is to be stored is refused until there is room")


def _lag(ctx: Context) -> Iterator[str]:
    """Yield how far the server of the database is behind, where it is a standby."""
    found = diagnostics.standby(ctx)
    if found is None:
        return
    age = "it has replayed nothing yet"
    if found.behind_seconds is not None:
        age = f"what it replayed last is {found.behind_seconds:,.1f} s old"
    if not found.connected:
        yield f"standby: not connected to its primary, so that it may miss what is newer; {age}"
    elif found.behind_bytes:
        yield f"standby: {found.behind_bytes:,} bytes behind what it has received; {age}"
    else:
        yield "standby: up to date with what its primary sent"


def _checked(ctx: Context, report: Report, checks: Iterable[Check]) -> bool:
    """Add the findings of checks; return whether none of them is a fault."""
    found = [finding for check in checks for finding in check.find(ctx)]
    for finding in found:
        report.add(finding)
    return not any(finding.fault for finding in found)


def _examine_index(ctx: Context, report: Report, total: int) -> None:
    """Whether a process that loads the index finds every record in it."""
    indexed = 0
    with ctx.store.read() as tx:
        for code, commits in ((False, False), (True, False), (False, True)):
            with ctx.indexes.records.current(tx, code=code, commits=commits) as caches:
                indexed += caches.words.count
    if indexed != total and report.sound:
        report.fault(f"{indexed} of {total} records are indexed; {REPAIR} builds the index again")


def _examine_embeddings(ctx: Context, tx: Transaction, report: Report, total: int) -> None:
    """Report how many of all records are embedded; waiting for that is no fault, however long, and some never are."""
    searched, waiting = model_choice.embedded(tx), pending.count(tx)
    by_model = ", ".join(f"{count:,} by {model}" for model, count in searched.items()) if len(searched) > 1 else ""
    by_words = total - sum(searched.values()) - waiting
    report.lines.append(
        f"embedded: {sum(searched.values()):,}{f' ({by_model})' if by_model else ''}, pending: {waiting:,}"
        + (f", found by words only: {by_words:,}" if by_words > 0 else "")
    )
    for model, count in embeddings.count_by_model(tx).items():
        indexed, by_the_database = 0, False
        for code in (False, True):
            with ctx.indexes.records.current(tx, model, code=code) as caches:
                if caches.meaning is not None and caches.meaning.vectors is not None:
                    indexed += caches.meaning.vectors.slots.count
                by_the_database |= caches.meaning is not None and caches.meaning.database_index is not None
        if by_the_database:
            report.lines.append(f"vectors of {model}: found by an index of the database (pgvector)")
        elif indexed != count:
            report.fault(
                f"{indexed} of {count} records of {model} are indexed; `indelible doctor --repair` builds the index "
                "again"
            )


def _examine_code(ctx: Context, report: Report) -> None:
    with ctx.store.read() as tx:
        known = repositories.everything(tx)
        if known:
            found = symbols.count_in(tx, {each.namespace for each in known})
            report.lines.append(f"codebases: {len(known):,}, symbols: {found:,}")
            report.lines += _left_out(known)
    if ctx.store.dialect != "sqlite":
        return
    if ctx.settings.on_read_only_disk:
        report.lines.append("the index of the names of symbols is not checked: that needs a writable disk")
        return
    if not names_are_sound(ctx.settings.data / FILE):
        report.fault("the index of the names of symbols is damaged; `indelible doctor --repair` builds it again")


def _left_out(known: Sequence[repositories.Repository]) -> Iterator[str]:
    """Yield how many files the last runs left out for want of a grammar that is still not installed."""
    for language in LANGUAGES:
        if not is_readable(language):
            counts = (each.summary.get("skipped", {}).get(missing(language), 0) for each in known)
            if count := sum(counts):
                yield f"code that is not indexed: {counted(count, 'file')} {missing(language)}"


def _examine_projects(ctx: Context, report: Report) -> None:
    """Report projects that an earlier version merged into one: no fault, but only the owner can separate them."""
    with ctx.store.read() as tx:
        mixed = merged_projects.unanswered(ctx, tx)
    for namespace, parts in mixed.items():
        report.lines.append(merged_projects.finding(namespace, parts))


def _examine_pinned(ctx: Context, report: Report) -> None:
    """Report projects in which more is pinned than their briefs show."""
    with ctx.store.read() as tx:
        aliases = ctx.scope(tx).aliases
        found = Counter[str]()
        for namespace, count in pinned_by_namespace(tx, sortable_text(ctx.now())).items():
            found[aliases.canonical(namespace)] += count
    for project, count in sorted(found.items()):
        if too_many := lifetimes.too_many(count):
            report.lines.append(f"{project or 'no project'}: {too_many}")


def _examine_purge(settings: Settings, report: Report) -> None:
    """Report a purge that was interrupted, or blocked by a reader."""
    if purge_journal.read(purge_journal.path_of(settings)).selections:
        report.lines.append("a purge was interrupted: some of what it deletes is left; run `indelible purge`")


def _examine_secrets(ctx: Context, report: Report) -> None:
    """Report secrets that older rules let in, by rule, without their values."""
    with ctx.store.read() as tx:
        found = stored_secrets.count(ctx, tx)
    if found:
        counts = ", ".join(f"{rule} ({count:,})" for rule, count in sorted(found.items()))
        report.lines.append(f"secrets that older rules missed: {counts}; `indelible redact --stored` removes them")


def _examine_activity(ctx: Context, tx: Transaction, report: Report) -> None:
    """Report waiting and unreadable events of hooks, which are no fault of the store."""
    data = ctx.settings.inbox
    events, waiting, aside = activity.count(tx), len(spool.waiting(data)), spool.set_aside_names(data)
    if events or waiting:
        review = sum(captured.count(tx).values())
        report.lines.append(f"captured events: {events:,}, in the spool: {waiting:,}, memories to review: {review:,}")
    if aside:
        why = ingest.unreadable(ctx, aside[-1]) or "it can be read now; run `indelible drain`"
        report.lines.append(
            f"events that could not be read: {len(aside):,}, kept in {spool.directory(data)}/bad; the newest: {why}"
        )


def repair(settings: Settings) -> Report:
    """Rebuild every cache. A damaged file is left as it is, and what can be read goes to a new file beside it.

    A damaged database is for its own tools; its caches are rebuilt all the same.
    """
    report = Report()
    path = settings.data / FILE
    faults = [] if settings.database else _faults(settings, path)
    if faults:
        for fault in faults:
            report.fault(fault)
        _salvage(settings, path, report)
        return report
    ctx = open_context(settings)
    try:
        report.lines += mend(ctx)
        if ctx.store.dialect == "sqlite":
            rebuild_names(path)
    finally:
        ctx.store.close()
    after = examine(settings)
    report.lines += after.lines
    report.sound = after.sound
    return report


def _faults(settings: Settings, path: Path) -> list[str]:
    if path.exists() and not is_empty(path):  # which opening refuses, where it is no new one
        return check_file(path)
    open_context(settings).store.close()
    return []


def mend(ctx: Context) -> list[str]:
    """Put right what the checks find; what was done, a line each."""
    ctx = ctx.for_call(Call(tool="doctor"))
    return [line for check in (*FIRST, *CHECKS) if check.mend is not None for line in check.mend(ctx)]


def _mend_salvaged(settings: Settings, file: Path) -> list[str]:
    """Put right what hangs on lost rows, so that all that was saved is found as soon as the file is restored."""
    ctx = context_on(SqliteDatabase(file), settings, open_embedder(settings))
    try:
        return mend(ctx)
    finally:
        ctx.close()


def _salvage(settings: Settings, path: Path, report: Report) -> None:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    target = path.parent / "backups" / f"salvaged-{stamp}.db"
    target.parent.mkdir(mode=0o700, exist_ok=True)
    for table, (saved, lost) in salvage(path, target).items():
        if saved or lost:
            report.lines.append(f"{table}: {saved:,} rows saved" + (f", {lost:,} unreadable" if lost else ""))
    report.lines += _mend_salvaged(settings, target)
    report.lines.append(
        f"salvaged to {target}; the damaged file is untouched. To use it, stop every server, move {path} "
        f"away, and run `indelible restore {target}`"
    )
