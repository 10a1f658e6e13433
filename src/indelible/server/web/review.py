"""Review of what was captured: one card at a time, or a list with selection; and the switch where recording is off.

The page keeps nothing between requests: the card is the newest that waits behind the one named `after`.
"""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from starlette.responses import Response

from indelible.capture import pausing, promotion
from indelible.capture.review import surroundings
from indelible.core.context import ids
from indelible.core.records.trust import is_confirmed
from indelible.errors import Conflict, IndelibleError, InvalidInput, NotFound
from indelible.model import Record
from indelible.server.web import recording, rows
from indelible.server.web.page import Page, address, parameter, project_name
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views import captured

LISTED = 50  # of the list at once
READ = 200  # that wait are read at once where those of one project are looked for
KEEP, DROP = "keep", "drop"


class Off(NamedTuple):
    """A pause of recording: the project or `pausing.EVERY`, its short name, and whether it is left out for good."""

    project: str
    name: str
    for_good: bool


def show(
    page: Page, failed: str = "", text: str | None = None, status: int = 200, of: Record | None = None
) -> Response:
    """Show the next card, or the list; with a decision `of` a memory that `failed`, why, and the text typed for it."""
    given = {name: page.query.get(name, page.form.get(name, "")) for name in ("view", "after")}
    if page.project is not None:
        given["project"] = str(parameter(page.project))
    is_list = given["view"] == "list"
    with page.ctx.store.read() as tx:
        names = _names(page, tx)
        counts = captured.count(tx)
        count = sum(number for name, number in counts.items() if names is None or name in names)
        found = _waiting(tx, names, _behind(page, tx, given["after"]), LISTED + 1 if is_list else 1)
        if of is not None and not is_confirmed(of):
            found = [of]
        shorts = ids.shorts(tx, found)
    record = found[0] if found and not is_list else None
    return page.shown(
        "review.html",
        status,
        given=given,
        here=address("/review", given),
        count=count,
        record=record,
        is_list=is_list,
        found=[rows.of_record(page.ctx, each, shorts[each.id]) for each in found[:LISTED]],
        last=ids.shown(found[LISTED - 1]) if len(found) > LISTED else "",
        around=surroundings(page.ctx, record) if record else "",
        parts=promotion.quotable_parts(record, len(record.text) + 2) if record else [],
        seen=_seen(record) if record else "",
        editing=record is not None and (page.query.get("edit") == "1" if text is None else record == of),
        typed=text if text is not None else record and record.text,
        not_kept=text if text is not None and record != of else "",
        failed=failed,
        off=_off(page),
        switches=recording.may_switch(page),
    )


def decide(page: Page) -> Response:
    """Keep or drop the card, as it was shown; where it was changed meanwhile, that is said and nothing is lost."""
    page.require("write")
    decision, given = _decision(page), page.form.get("id", "")
    where = page.back("/review")
    text = page.form.get("text")
    try:
        record = _found(page, given)
        if record is None or (is_confirmed(record) and decision == KEEP and text is None):
            return _already(page, decision, record, where)
        if _seen(record) != page.form.get("seen", ""):
            raise Conflict("it was changed meanwhile, so nothing was decided; look at it as it is now")
        ctx = page.doing("page: review")
        if decision == KEEP:
            promotion.keep(ctx, record, text)
        else:
            promotion.reject(ctx, record)
    except (Conflict, InvalidInput) as error:
        return show(page, str(error), text, 409 if isinstance(error, Conflict) else 400, _found(page, given))
    return page.done(where, ctx.call.operation)


def decide_selected(page: Page) -> Response:
    """Keep or drop all that were selected and still wait, as one operation."""
    page.require("write")
    decision, chosen = _decision(page), page.lists.get("id", [])
    found = [record for record in (_found(page, each) for each in chosen[:LISTED]) if record is not None]
    waiting = [record for record in found if not is_confirmed(record)]
    if not waiting:
        return show(page, "Nothing was selected that waits for review; select with the boxes or x.", None, 400)
    ctx = page.doing("page: review")
    if decision == KEEP:
        promotion.promote_all(ctx, waiting)
    else:
        for record in waiting:
            promotion.reject(ctx, record)
    return page.done(address("/review", {"view": "list"}, project=page.form.get("project")), ctx.call.operation)


def _already(page: Page, decision: str, record: Record | None, where: str) -> Response:
    """Answer a decision that was made before, as by a key that was pressed twice. Raises Conflict for another one."""
    if (record is None) == (decision == DROP):
        return page.done(where)
    raise Conflict("it was dropped meanwhile, so it cannot be kept; undo that in the trash first")


def _decision(page: Page) -> str:
    decision = page.form.get("decision", "")
    if decision not in (KEEP, DROP):
        raise InvalidInput(f"decision must be {KEEP} or {DROP}, got {decision!r:.40}")
    return decision


def _found(page: Page, given: str) -> Record | None:
    """Return the memory of an id, None where there is none any more."""
    with page.ctx.store.read() as tx:
        try:
            return ids.find_own(page.ctx, tx, "id", given, "memory")
        except NotFound:
            return None


def _names(page: Page, tx: Transaction) -> set[str] | None:
    """Return the namespaces of the project of the switcher, None for all."""
    if page.project is None:
        return None
    return page.ctx.scope(tx).named(page.project, set(records.namespaces(tx)))


def _behind(page: Page, tx: Transaction, after: str) -> tuple[int, int]:
    """Return the place behind a card that was put off; the beginning where it is gone."""
    if not after:
        return captured.NEWEST
    try:
        record = ids.find_own(page.ctx, tx, "after", after, "memory")
    except IndelibleError:
        return captured.NEWEST
    return record.created, record.id


def _waiting(tx: Transaction, names: set[str] | None, behind: tuple[int, int], limit: int) -> list[Record]:
    """Return the newest that wait behind a place, of some namespaces or of all (None), newest first."""
    found: list[Record] = []
    for record in _walk(tx, behind, limit if names is None else READ):
        if names is None or record.namespace in names:
            found.append(record)
        if len(found) == limit:
            break
    return found


def _walk(tx: Transaction, behind: tuple[int, int], at_once: int) -> Iterator[Record]:
    while batch := captured.waiting(tx, at_once, behind):
        yield from batch
        if len(batch) < at_once:
            return
        behind = batch[-1].created, batch[-1].id


def _seen(record: Record) -> str:
    """Return what a decision names its memory by, as it was read: see `promotion.keep`."""
    said: Mapping[str, Any] = {"text": record.text, "metadata": record.metadata}
    return sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:32]


def _off(page: Page) -> list[Off]:
    """Return what is not recorded, for a visitor of this machine: all, or that of the switcher's project."""
    found = recording.pauses(page)
    concerned = [name for name in sorted(found) if page.project in (None, name) or name == pausing.EVERY]
    return [
        Off(name, "every project" if name == pausing.EVERY else project_name(name), bool(found[name].get("left_out")))
        for name in concerned
    ]


ROUTES = (
    ("GET", "/review", show),
    ("POST", "/review/decide", decide),
    ("POST", "/review/selected", decide_selected),
)
