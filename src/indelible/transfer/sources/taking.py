"""Taking in a source: every entry is taken, changed, known, refused or passed over, and the report says which."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from pathlib import Path
from typing import Any

from indelible.core.context.context import Context
from indelible.core.records import trash
from indelible.dataclass import dataclass
from indelible.errors import IndelibleError
from indelible.model import Record
from indelible.sanitize.validate import merged
from indelible.store.tables import records
from indelible.toolsets.memory import importing
from indelible.transfer.sources.source import Entry, PassedOver, Refused, Source, Surroundings, item_of


@dataclass(slots=True)
class Report:
    """The result of an import: entries by kind, and how many of them were new, changed, known, came twice, or
    were deleted here since.

    `gone` are the records that an earlier import took at these places and whose entries are there no more, which are
    `deleted` where that was asked for. `refused` has a line for each entry that was not taken, `left_out` one for each
    relation without both its ends; `passed_over` counts entries that are meant to be left there, by what they are;
    `redacted` says what was redacted and how often. `entries` is the sum of `taken`, `changed`, `known`, `repeated`,
    `deleted_here`, `refused` and `passed_over`.
    """

    entries: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    taken: int = 0
    changed: int = 0
    known: int = 0
    repeated: int = 0
    deleted_here: int = 0
    refused: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    passed_over: Counter[str] = field(default_factory=Counter)
    gone: list[Record] = field(default_factory=list)
    deleted: bool = False
    redacted: list[dict[str, Any]] = field(default_factory=list)


def take(
    ctx: Context,
    source: Source,
    places: Iterable[Path],
    around: Surroundings,
    step: Callable[[], None],
    pause: Callable[[], None] | None = None,
    *,
    deletes: bool = False,
) -> Report:
    """Take in what is at these places; `step` is called for each entry, `pause` between batches.

    With `deletes`, records whose entries are there no more go into the trash. Where something was refused none counts
    as gone: it may stand in what could not be read.

    What an earlier import took is known by the id of its entry; where the entry is another one now, the record follows
    it and its earlier state stays in the history. Raises Cancelled between batches.
    """
    before = len(ctx.call.redacted)
    report = Report()
    names: list[str] = []
    places = list(places)
    items = _items(source, places, around, report, names, step)
    done = importing.import_items(ctx, items, pause, sourced=True)
    report.taken, report.changed = len(done.ids), done.changed
    report.deleted_here = done.deleted
    report.known, report.repeated = done.skipped, done.repeated + done.merged
    told = [f"{names[error['index']]}: {error['error']}" for error in done.errors]
    report.refused += told[: done.of_records]
    report.left_out = told[done.of_records :]
    report.redacted = merged(ctx.call.redacted[before:])
    if not report.refused:
        _settle_gone(ctx, source, places, done.rows, report, pause, deletes=deletes)
    return report


def _settle_gone(
    ctx: Context,
    source: Source,
    places: Iterable[Path],
    there: set[int],
    report: Report,
    pause: Callable[[], None] | None,
    *,
    deletes: bool,
) -> None:
    """Name the records whose entries are gone from these places; with `deletes`, delete them."""
    with ctx.store.read() as tx:
        gone = [row for place in places for row in records.taken_from(tx, source.name, str(place)) if row not in there]
    if gone and deletes:
        ctx.write_behind.before_deletion()
    for at in range(0, len(gone), importing.BATCH):
        ctx.call.stop_if_cancelled()
        some = gone[at : at + importing.BATCH]
        with ctx.store.read() as tx:
            report.gone += records.by_ids(tx, some).values()
        if deletes:
            ctx.store.write(lambda tx, some=some: trash.delete_all(ctx, tx, some))  # type: ignore[misc]
        if pause is not None:
            pause()
    report.deleted = deletes


def _items(
    source: Source,
    places: Iterable[Path],
    around: Surroundings,
    report: Report,
    names: list[str],
    step: Callable[[], None],
) -> Iterator[dict[str, Any]]:
    for place, found in _entries(source, places, around):
        report.entries += 1
        step()
        if isinstance(found, Refused):
            report.refused.append(f"{found.place}: {found.reason}")
            continue
        if isinstance(found, PassedOver):
            report.passed_over[found.what] += 1
            continue
        report.kinds[str(found.item.get("kind", "memory"))] += 1
        names.append(found.place)
        yield item_of(source.name, found, place)


def _entries(
    source: Source, places: Iterable[Path], around: Surroundings
) -> Iterator[tuple[Path, Entry | Refused | PassedOver]]:
    for place in places:
        try:
            for found in source.read(place, around):
                yield place, found
        except (IndelibleError, OSError) as error:
            yield place, Refused(str(place), str(error))
