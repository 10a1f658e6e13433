"""Find: one field over all kinds and projects, filters in the address, each hit with its score and why it is here."""

import csv
import io
import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple, TypeVar

from starlette.responses import Response

from indelible.clock import age_value, time_value
from indelible.core.context import ids
from indelible.core.recall import trace
from indelible.core.recall.candidates import Query
from indelible.core.records.trust import is_confirmed, stated_by
from indelible.errors import InvalidInput
from indelible.model import COMMIT, MEMORY_TYPES, RECALLED_KINDS, Record
from indelible.sanitize.validate import admit
from indelible.server.web import rows
from indelible.server.web.page import Page, address
from indelible.store.tables import records
from indelible.toolsets.memory import inspection
from indelible.toolsets.memory.inspection import Listed

SHOWN, MOST = 10, 200
LOOKED_AT, MORE = 5, 8  # times as many as are shown, where filters leave some out; and how many times as many next
MOST_HITS, MOST_NEWEST = 1_000, 20_000  # that are looked at for those that fit
DOCUMENT = "document"
KINDS = (*RECALLED_KINDS, DOCUMENT, COMMIT)
NEAREST = 3  # records below the threshold that are shown where nothing is above it
SOURCES = ("user", "agent", "session")
TRUST = ("trusted", "untrusted")
T = TypeVar("T")
FORMATS = {"json": "application/json", "csv": "text/csv", "md": "text/markdown"}


def show(page: Page) -> Response:
    """Show the hits of a question, or the newest records where none is asked."""
    given = {name: page.query.get(name, "").strip() for name in (*FILTERS, "q", "project", "k")}
    if ids.is_exact(given["q"]) and not page.is_part:
        return page.done(address("/record", id=given["q"]))
    found, weak, is_all = _found(page, given)
    if page.query.get("as"):
        return _exported(found, page.query["as"])
    foreign = page.project is None
    return page.shown(
        "find.html",
        given=given,
        filters=FILTERS,
        choices={"kind": KINDS, "type": MEMORY_TYPES, "source": SOURCES, "trust": TRUST},
        found=found,
        weak=weak,
        with_project=foreign,
        more=min(MOST, 2 * _count(given)) if len(found) >= _count(given) < MOST else 0,
        why_not=_why_not(page, given),
        stages=trace.STAGES,
        nearest=_nearest(page, given) if given["q"] and not found else [],
        narrowed=any(given[name] for name in FILTERS),
        looked_at=0 if is_all else MOST_HITS if given["q"] else MOST_NEWEST,
    )


def _why_not(page: Page, given: dict[str, str]) -> trace.Trace | None:
    """Return how far the record that somebody misses came in the recall of the question; None where none is named."""
    missed = page.query.get("missed", "").strip()
    if not (missed and given["q"]):
        return None
    return trace.explain(page.doing("page"), _query(page, given, _count(given)), missed)


def _nearest(page: Page, given: dict[str, str]) -> list[tuple[rows.Row, str]]:
    """Return what came nearest to being an answer where nothing is one, each with why it is none."""
    since = _since(page, given["since"]) if given["since"] else 0
    found = trace.nearest(page.doing("page"), _query(page, given, _count(given)), NEAREST)
    return [
        (rows.of_record(page.ctx, each.record), each.sentence)
        for each in found
        if each.record is not None and _fits(each.record, given, since)
    ]


def _query(page: Page, given: dict[str, str], count: int) -> Query:
    text, _ = admit(given["q"], "q")
    return Query(text, count, given["type"] or None, page.project, _kinds(given))


def _kinds(given: dict[str, str]) -> tuple[str, ...] | None:
    """Return the kinds that a question is asked of, None for all; of documents their chunks are searched."""
    if not given["kind"]:
        return None
    return ("chunk",) if given["kind"] == DOCUMENT else (given["kind"],)


FILTERS = ("kind", "type", "tag", "since", "source", "trust")
LATER = ("tag", "since", "source", "trust")  # that leave out some of what a look finds


class Found(NamedTuple):
    """Rows, whether none of them is clearly about the question, and whether all was looked at that there is."""

    rows: list[rows.Row]
    weak: bool
    is_all: bool


def _found(page: Page, given: dict[str, str]) -> Found:
    """Return what was found."""
    for name, allowed in (("kind", KINDS), ("type", MEMORY_TYPES), ("source", SOURCES), ("trust", TRUST)):
        if given[name] and given[name] not in allowed:
            raise InvalidInput(f"{name} must be one of {', '.join(allowed)}, got {given[name]!r:.80}")
    since = _since(page, given["since"]) if given["since"] else 0
    if given["q"]:
        hits, is_all = _first_fitting(
            lambda wanted: trace.explained(page.doing("page"), _query(page, given, wanted)),
            lambda each: _fits(each.hit.record, given, since),
            given,
            MOST_HITS,
        )
        return Found([rows.of_hit(page.ctx, each) for each in hits], bool(hits) and hits[0].hit.weak, is_all)
    listed, is_all = _first_fitting(
        partial(_newest, page, given, since), lambda each: _fits(each.record, given, since), given, MOST_NEWEST
    )
    if page.query.get("as"):
        listed = _whole(page, listed)
    return Found([rows.of_record(page.ctx, each.record, each.short) for each in listed], False, is_all)


def _newest(page: Page, given: dict[str, str], since: int, limit: int) -> list[Listed]:
    """Return the newest records of the kinds that are asked for, from a time on."""
    found = inspection.newest(
        page.ctx,
        limit,
        type_=given["type"],
        every_project=page.project is None,
        namespace=page.project,
        kinds=("memory",) if given["type"] else (given["kind"],) if given["kind"] else RECALLED_KINDS,
        length=rows.FIRST + 1,
    )
    return [each for each in found if each.record.created >= since]


def _whole(page: Page, listed: list[Listed]) -> list[Listed]:
    """Return what is listed with whole texts."""
    with page.ctx.store.read() as tx:
        found = records.by_ids(tx, [each.record.id for each in listed])
    return [Listed(found[each.record.id], each.short) for each in listed if each.record.id in found]


def _first_fitting(
    look: Callable[[int], list[T]], fits: Callable[[T], bool], given: dict[str, str], most: int
) -> tuple[list[T], bool]:
    """Return the first that fit of what a look finds, and whether more could not fit: up to `most` are looked at."""
    count = _count(given)
    wanted = count * (LOOKED_AT if any(given[name] for name in LATER) else 1)
    while True:
        seen = look(wanted)
        fitting = [each for each in seen if fits(each)]
        if len(fitting) >= count or len(seen) < wanted or wanted >= most:
            return fitting[:count], len(seen) < wanted
        wanted = min(most, wanted * MORE)


def _fits(record: Record, given: dict[str, str], since: int) -> bool:
    return (
        (not given["tag"] or any(tag == given["tag"] or tag.startswith(given["tag"] + ":") for tag in record.tags))
        and record.created >= since
        and given["source"] in ("", stated_by(record))
        and given["trust"] in ("", "trusted" if is_confirmed(record) else "untrusted")
    )


def _since(page: Page, text: str) -> int:
    """Return the time of an age such as 7d, or of a date. Raises InvalidInput."""
    age = age_value(text)
    return time_value(text, "since") if age is None else page.ctx.now() - age


def _count(given: dict[str, str]) -> int:
    text = given["k"]
    return min(MOST, max(1, int(text))) if text.isdecimal() and len(text) < 6 else SHOWN


def _exported(found: list[rows.Row], form: str) -> Response:
    if form not in FORMATS:
        raise InvalidInput(f"as must be one of {', '.join(FORMATS)}, got {form!r:.80}")
    items = rows.as_dicts(found)
    text = {"json": _json, "csv": _csv, "md": _markdown}[form](items)
    name = {"Content-Disposition": f'attachment; filename="memories.{form}"', "Cache-Control": "no-store"}
    return Response(text, 200, name, FORMATS[form])


def _json(items: list[dict[str, object]]) -> str:
    return json.dumps(items, ensure_ascii=False, indent=2) + "\n"


def _csv(items: list[dict[str, object]]) -> str:
    out = io.StringIO()
    names = ["id", "kind", "content", "namespace", "created_at", "said_by", "tags", "marks", "score"]
    writer = csv.DictWriter(out, names, restval="")
    writer.writeheader()
    for item in items:
        joined = {name: _cell("; ".join(value) if isinstance(value, list) else value) for name, value in item.items()}
        writer.writerow(joined)
    return out.getvalue()


def _cell(value: object) -> object:
    """Return a value that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _markdown(items: Iterable[dict[str, object]]) -> str:
    lines = []
    for each in items:
        text = " ".join(str(each["content"]).split())
        lines.append(f"- {text} ({each['kind']}, {each['created_at']}, {each['id']})\n")
    return "".join(lines)


ROUTES = (("GET", "/find", show),)
