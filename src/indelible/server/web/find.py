"""Find: one field over all kinds and projects, filters in the address, each hit with its score and why it is here."""

import csv
import io
import json
from collections.abc import Iterable

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
from indelible.toolsets.memory import inspection

SHOWN, MOST = 10, 200
LOOKED_AT = 5  # times as many as are shown, where filters leave some out
DOCUMENT = "document"
KINDS = (*RECALLED_KINDS, DOCUMENT, COMMIT)
NEAREST = 3  # records below the threshold that are shown where nothing is above it
SOURCES = ("user", "agent", "session")
TRUST = ("trusted", "untrusted")
FORMATS = {"json": "application/json", "csv": "text/csv", "md": "text/markdown"}


def show(page: Page) -> Response:
    """Show the hits of a question, or the newest records where none is asked."""
    given = {name: page.query.get(name, "").strip() for name in (*FILTERS, "q", "project", "k")}
    if ids.is_exact(given["q"]) and not page.is_part:
        return page.done(address("/record", id=given["q"]))
    found, weak = _found(page, given)
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
    )


def _why_not(page: Page, given: dict[str, str]) -> trace.Trace | None:
    """Return how far the record that somebody misses came in the recall of the question; None where none is named."""
    missed = page.query.get("missed", "").strip()
    if not (missed and given["q"]):
        return None
    return trace.explain(page.doing("page"), _query(page, given, _count(given)), missed)


def _nearest(page: Page, given: dict[str, str]) -> list[tuple[rows.Row, str]]:
    """Return what came nearest to being an answer where nothing is one, each with why it is none."""
    found = trace.nearest(page.doing("page"), _query(page, given, _count(given)), NEAREST)
    return [(rows.of_record(page.ctx, each.record), each.sentence) for each in found if each.record is not None]


def _query(page: Page, given: dict[str, str], count: int) -> Query:
    text, _ = admit(given["q"], "q")
    return Query(text, count, given["type"] or None, page.project, _kinds(given))


def _kinds(given: dict[str, str]) -> tuple[str, ...] | None:
    """Return the kinds that a question is asked of, None for all; of documents their chunks are searched."""
    if not given["kind"]:
        return None
    return ("chunk",) if given["kind"] == DOCUMENT else (given["kind"],)


FILTERS = ("kind", "type", "tag", "since", "source", "trust")


def _found(page: Page, given: dict[str, str]) -> tuple[list[rows.Row], bool]:
    """Return the rows of what was found, and whether nothing of it is clearly about the question."""
    for name, allowed in (("kind", KINDS), ("type", MEMORY_TYPES), ("source", SOURCES), ("trust", TRUST)):
        if given[name] and given[name] not in allowed:
            raise InvalidInput(f"{name} must be one of {', '.join(allowed)}, got {given[name]!r:.80}")
    count = _count(given)
    wanted = count * (LOOKED_AT if any(given[name] for name in ("tag", "since", "source", "trust")) else 1)
    since = _since(page, given["since"]) if given["since"] else 0
    if given["q"]:
        every = trace.explained(page.doing("page"), _query(page, given, wanted))
        hits = [each for each in every if _fits(each.hit.record, given, since)]
        return [rows.of_hit(page.ctx, each) for each in hits[:count]], bool(hits) and hits[0].hit.weak
    of_kinds = ("memory",) if given["type"] else (given["kind"],) if given["kind"] else RECALLED_KINDS
    found = inspection.newest(
        page.ctx,
        wanted,
        type_=given["type"],
        every_project=page.project is None,
        namespace=page.project,
        kinds=of_kinds,
        length=inspection.WHOLE if page.query.get("as") else rows.FIRST + 1,
    )
    fitting = [each for each in found if _fits(each.record, given, since)][:count]
    return [rows.of_record(page.ctx, each.record, each.short) for each in fitting], False


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
