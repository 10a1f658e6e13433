"""Indexing a codebase: its symbols and how they refer to each other, kept up with the files."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import Any

from indelible import git
from indelible.batching import no_pause
from indelible.core.context.context import Context
from indelible.dataclass import dataclass
from indelible.errors import Conflict
from indelible.project import Location
from indelible.source import source
from indelible.source.indexing import VERSION
from indelible.store.namespace_filter import whole
from indelible.store.tables import leases, repositories, symbol_names, symbols
from indelible.toolsets.code import links, roots
from indelible.toolsets.code.history import branches, commits, link_commits
from indelible.toolsets.code.roots import Codebase
from indelible.toolsets.code.run import Report, Run
from indelible.toolsets.code.workers import IN_PLACE, Ready

LEASE = 60_000_000  # microseconds: others see by it that a run is under way
RENEWED = 10.0  # seconds
MERGES = 100  # steps at most, of 1 MiB; what is left then waits for the next large run
WAIT = 0.1  # seconds between looks whether the other run has ended
WAIT_APART = 1.0  # the same where it is one of another machine: each look is a write


@dataclass(frozen=True, slots=True)
class Indexed:
    """The figures of a run and of the codebase after it.

    `files_scanned` counts the source files, skipped ones included; `files_parsed` those parsed by this run because they
    were new or changed, `files_removed` those deleted from the index. `symbols`, `references` and `edges_resolved` are
    of the whole codebase, `symbols_embedded` counts those with an embedding by now. `languages` counts files, `skipped`
    files (or whole directories) by the reason why they are not indexed. `commits` were stored by this run, and
    `commits_left` are left to the next; `commits_unread` says why none could be read.
    """

    root: str
    namespace: str
    repository: int
    files_scanned: int = 0
    files_parsed: int = 0
    files_skipped: int = 0
    files_removed: int = 0
    symbols: int = 0
    references: int = 0
    edges_resolved: int = 0
    symbols_embedded: int = 0
    duration_ms: int = 0
    languages: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    commits: int = 0
    commits_left: int = 0
    commits_unread: str = ""


def _no_report(done: int, total: int | None, what: str) -> None:
    """Do not report progress."""


def index(
    ctx: Context,
    path: Path,
    *,
    report: Report = _no_report,
    pause: Callable[[], None] = no_pause,
    meanwhile: Callable[[], object] = lambda: None,
    everything: bool = False,
    location: Location | None = None,
) -> Indexed:
    """Index the codebase that a directory is, or stands in: only what changed since the last run is read again.

    A run that is interrupted at any moment leaves a sound store, and the next one continues. Of two concurrent runs the
    second waits, and then finds nothing to do. `report` is called with the numbers of finished and of all steps;
    `pause` is called between transactions, `meanwhile` once the symbols of many files are stored, while other processes
    resolve their relations. `everything`: parse all files again. `location`: the project, if it is not that of the
    directory. Raises InvalidInput, Forbidden and Conflict (see `roots`), Cancelled, and StoreError.
    """
    began = time.perf_counter()
    codebase = roots.find_or_add(ctx, path, location)
    reporting = _reporting(ctx, report)
    with _alone(ctx, codebase, reporting) as renew:

        def between() -> None:
            renew()
            pause()
            ctx.call.stop_if_cancelled()

        if codebase.repository.indexed:
            # What was stored since the last run speaks of the code as that read it. Where no server runs nothing
            # linked it.
            links.before_index(ctx, between)
        with closing(Ready()) as ready:
            checked_out = git.head(str(codebase.root))
            commit = "" if checked_out is None else checked_out.commit
            early = _early(ready, everything or not codebase.repository.indexed)
            scan = source.scan(codebase.root, early, roots.anothers(ctx, codebase.root))
            run = Run(ctx, codebase, scan, ready, reporting, between, meanwhile, everything=everything)
            run.run()
        if run.parsed > IN_PLACE:
            _merge_names(ctx, between)
        found = _figures(ctx, codebase, run, began, commit)
        if checked_out is not None:
            done = commits.note(ctx, codebase, between, everything=everything)
            took = round((time.perf_counter() - began) * 1000)
            found = replace(
                found, duration_ms=took, commits=done.stored, commits_left=done.left, commits_unread=done.why
            )
    _link(ctx, run, between)
    branches.note(ctx, codebase.repository.namespace, codebase.root, checked_out)
    link_commits.note(ctx, codebase.repository.id, codebase.root, codebase.repository.summary.get("commit", ""), commit)
    return found


def state(directory: Path) -> object:
    """Return a value that changes with the source files of a directory (paths, sizes, times) and its manifests."""
    found = source.scan(Path(directory).resolve())
    return dict(found.files), found.manifests, found.layout_digest


def _early(ready: Ready, all_of_it: bool) -> Callable[[int], None]:
    """Return a callback that starts the parsing processes while files are still listed, if many are to be parsed."""

    def met(files: int) -> None:
        if all_of_it and files == IN_PLACE + 1:
            ready.start()

    return met


def _reporting(ctx: Context, report: Report) -> Report:
    def reporting(done: int, total: int | None, what: str) -> None:
        report(done, total, what)
        ctx.call.progress(done, total, what)

    return reporting


@contextmanager
def _alone(ctx: Context, codebase: Codebase, report: Report) -> Iterator[Callable[[], None]]:
    """Wait for other runs on the codebase and hold the lock on it; yields a function that renews the lease.

    The lock is released with its process, however that ends; the lease shows other processes that a run is under way,
    and excludes other machines if the store is on a database server. Raises Conflict if the run lost its lease.
    """
    name = f"index:{codebase.repository.id}"
    lock = roots.lock_of(ctx, codebase.repository.id)
    _wait_for(ctx, report, lock.try_acquire)
    excludes = ctx.store.dialect == "postgres"
    owner = lock.identity()  # a run that was killed on this machine held the same lock: its lease is ours now
    renewed = 0.0
    ended = False

    def take() -> bool:
        nonlocal renewed
        renewed = time.monotonic()
        now = ctx.now()
        return ctx.store.write(lambda tx: leases.take(whole(tx), name, owner, now, now + LEASE))

    def renew() -> None:
        if not ended and time.monotonic() - renewed > RENEWED and not take() and excludes:
            raise Conflict("another run took over this codebase while this one was paused; call it again")

    try:
        if excludes:
            _wait_for(ctx, report, take, WAIT_APART)
        yield renew
    finally:
        ended = True  # a later call of `renew` must not take the lease again
        try:
            if renewed:
                ctx.store.write(lambda tx: leases.release(whole(tx), name, owner))
        finally:
            lock.release()


def _wait_for(ctx: Context, report: Report, have: Callable[[], bool], pause: float = WAIT) -> None:
    while not have():
        report(0, None, "waiting for another run")
        ctx.call.stop_if_cancelled()
        time.sleep(pause)


def _figures(ctx: Context, codebase: Codebase, run: Run, began: float, commit: str) -> Indexed:
    """Return the figures of a finished run, which are stored with the codebase, as is the commit that was read."""
    repository, before = codebase.repository, codebase.repository.summary
    scan = run.scan
    skipped = dict(sorted(run.skipped.items()))
    with ctx.store.read() as tx:
        counted = symbols.count_of(tx, repository.id) if run.wrote else int(before["symbols"])
        embedded = symbols.count_embedded(tx, repository.id)
        recount = run.resumed or (repository.indexed > 0 and "edges_resolved" not in before)
        edges = symbols.count_edges(tx, repository.id) if recount else 0
    found = Indexed(
        root=str(codebase.root),
        namespace=repository.namespace,
        repository=repository.id,
        files_scanned=len(scan.files) + sum(scan.skipped.values()),
        files_parsed=run.parsed,
        files_skipped=sum(skipped.values()),
        files_removed=run.removed,
        symbols=counted,
        references=run.references if run.wrote else int(before["references"]),
        edges_resolved=edges if recount else int(before.get("edges_resolved", 0)) + run.edges,
        symbols_embedded=embedded,
        duration_ms=round((time.perf_counter() - began) * 1000),
        languages=run.languages,
        skipped=skipped,
    )
    kept: dict[str, Any] = {name: value for name, value in asdict(found).items() if name not in ("root", "namespace")}
    kept |= {"manifests": scan.manifests, "layout": scan.layout_digest, "crashing": run.crashing, "commit": commit}
    kept |= {commits.STATE: before[commits.STATE]} if commits.STATE in before else {}
    now = ctx.now()
    ctx.store.write(lambda tx: repositories.finished(tx, repository.id, now, VERSION, kept))
    return found


def _merge_names(ctx: Context, pause: Callable[[], None]) -> None:
    """Merge the segments that many transactions added to the index of names, which makes searches faster."""
    for _ in range(MERGES):
        pause()
        with ctx.store.read() as tx:
            if symbol_names.pieces(tx) <= 1:
                return
        ctx.store.write(symbol_names.merge)


def _link(ctx: Context, run: Run, pause: Callable[[], None]) -> None:
    """Link stored texts to the new symbols and files, and mark their links to removed ones."""
    done = run.done
    links.after_index(ctx, sorted(done.changed.union(run.files)), sorted(done.kept), sorted(done.forgotten), pause)
