"""Imports of other tools' data that are found by themselves: the plan, the bar, the report."""

import argparse
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from indelible.cli import answers
from indelible.cli.commands.imports.frame import AUTO, REFUSED, store
from indelible.cli.opening import tell_redacted
from indelible.cli.paths import absolute
from indelible.cli.terminal import counted, printable, shortened
from indelible.errors import InvalidInput, NotFound
from indelible.stderr import say

if TYPE_CHECKING:
    from indelible.core.context.context import Context
    from indelible.transfer.sources.source import Source, Surroundings
    from indelible.transfer.sources.taking import Report

NAMED = 10  # entries that were not taken and that are named


def import_sources(arguments: argparse.Namespace) -> int:
    """Run `import --from NAME [PATH]` for a source of the catalog, or for all that are found; the exit code."""
    with store(arguments) as (ctx, pause):
        around = _around(ctx)
        plan = _plan(arguments, around)
        for source, places in plan:
            for place in places:
                say(printable(f"{source.name}: {place}"))
        done = _take(ctx, plan, around, pause, deletes=arguments.deletions)
    return _say(done, dry=arguments.dry_run)


def _around(ctx: "Context") -> "Surroundings":
    from indelible.settings import child_environment
    from indelible.transfer.sources.source import Surroundings

    location = ctx.session.location
    here = Path(location.path) if location is not None and os.path.isdir(location.path) else Path.cwd()
    return Surroundings(ctx.settings.home, here, child_environment())


def _plan(arguments: argparse.Namespace, around: "Surroundings") -> "list[tuple[Source, list[Path]]]":
    """The sources that are asked for, with the places of each. Raises InvalidInput and NotFound."""
    from indelible.transfer.sources.catalog import SOURCES

    if arguments.file not in (None, "-"):
        if arguments.from_ == AUTO:
            raise InvalidInput("--from auto looks for the data itself; leave out the path, or name whose data it is")
        path = absolute(Path(arguments.file), "FILE")
        if not path.exists():
            raise NotFound(f"{path} does not exist; give the file or folder of {arguments.from_}, or leave it out")
        return [(SOURCES[arguments.from_], [path])]
    if arguments.file == "-" and arguments.from_ != AUTO:
        raise InvalidInput(f"--from {arguments.from_} reads files, not standard input; give a path, or leave it out")
    asked = list(SOURCES.values()) if arguments.from_ == AUTO else [SOURCES[arguments.from_]]
    plan = [(source, places) for source in asked if (places := _places(source, around))]
    if not plan:
        what = "no data of another tool" if arguments.from_ == AUTO else f"no data of {arguments.from_}"
        looked = " and ".join(dict.fromkeys((str(around.home), str(around.directory))))
        raise NotFound(f"{what} was found in {looked}; give its path")
    return plan


def _places(source: "Source", around: "Surroundings") -> list[Path]:
    """The places of a source that are there; one that cannot be looked into is said, and is no place."""
    try:
        return source.places(around)
    except OSError as error:
        say(printable(f"{source.name}: {error.filename} cannot be read: {error.strerror}"))
        return []


def _take(
    ctx: "Context",
    plan: "Sequence[tuple[Source, list[Path]]]",
    around: "Surroundings",
    pause: Callable[[], None],
    *,
    deletes: bool,
) -> "list[tuple[str, Report]]":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from indelible.transfer.sources import taking

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,} entries"))
    done = []
    with Progress(
        *columns, TimeElapsedColumn(), console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        for source, places in plan:
            task = bar.add_task(source.name, total=None)
            report = taking.take(ctx, source, places, around, partial(bar.advance, task), pause, deletes=deletes)
            done.append((source.name, report))
    return done


def _say(done: "Sequence[tuple[str, Report]]", *, dry: bool) -> int:
    from indelible.core.context.ids import name_of

    problems = [line for _, report in done for line in (*report.refused, *report.left_out)]
    answers.give({"dry_run": dry, "sources": [_answer(name, report) for name, report in done], "problems": problems})
    for name, report in done:
        told = [*(f"refused {line}" for line in report.refused), *report.left_out]
        for line in told[:NAMED]:
            say(printable(f"{name}: {line}"))
        if len(told) > NAMED:
            say(f"{name}: and {len(told) - NAMED:,} more")
        for record in report.gone[:NAMED]:
            say(printable(f"{name}: gone there: {name_of(record)} {shortened(' '.join(record.text.split()))}"))
        if len(report.gone) > NAMED:
            say(f"{name}: and {len(report.gone) - NAMED:,} more")
        tell_redacted(report.redacted)
        say(f"{name}: {_summary(report, dry=dry)}")
        if report.gone and not report.deleted:
            say(f"{name}: `indelible import --from {name} --deletions` deletes what is gone there")
    return REFUSED if any(report.refused for _, report in done) else 0


def _answer(name: str, report: "Report") -> dict[str, object]:
    from indelible.core.context.ids import name_of

    return {
        "source": name,
        "entries": report.entries,
        "kinds": dict(report.kinds),
        "taken": report.taken,
        "changed": report.changed,
        "known": report.known,
        "repeated": report.repeated,
        "deleted_here": report.deleted_here,
        "refused": report.refused,
        "relations_left_out": report.left_out,
        "passed_over": dict(report.passed_over),
        "gone": [name_of(record) for record in report.gone],
        "deleted": len(report.gone) if report.deleted else 0,
        "redacted": report.redacted,
    }


def _summary(report: "Report", *, dry: bool) -> str:
    """One sentence on an import, such as `3 entries (3 memories): 2 taken, 1 known, 0 refused`."""
    kinds = ", ".join(counted(count, kind) for kind, count in sorted(report.kinds.items()))
    of = f"{counted(report.entries, 'entry')}{f' ({kinds})' if kinds else ''}"
    taken = "would be taken" if dry else "taken"
    figures = {
        taken: report.taken,
        "changed since they were taken": report.changed,
        "known": report.known,
        "there twice": report.repeated,
        "deleted here": report.deleted_here,
        "refused": len(report.refused),
    }
    always = (taken, "known", "refused")
    parts = ", ".join(f"{count:,} {what}" for what, count in figures.items() if count or what in always)
    passed = "; ".join(f"{count:,} x {what}" for what, count in sorted(report.passed_over.items()))
    here = "still here" if not report.deleted else "would be deleted" if dry else "deleted"
    gone = f"; gone there and {here}: {len(report.gone):,}" if report.gone else ""
    return f"{of}: {parts}" + (f"; left there: {passed}" if passed else "") + gone
