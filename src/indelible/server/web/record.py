"""One record: its text, who said it and whether it still holds, its history, relations and code; and its correction."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from starlette.responses import Response

from indelible.clock import age_text, sortable_text, time_text
from indelible.core.context import ids
from indelible.core.recall import freshness
from indelible.core.records import history, lifetimes, undo
from indelible.core.records.trust import is_confirmed
from indelible.errors import Conflict, InvalidInput, QuotaExceeded
from indelible.model import COMMIT, REPLACED_SOURCE, REPLACED_TARGET, Record
from indelible.sanitize.validate import admit
from indelible.server.web import differences, rows
from indelible.server.web.page import Page, address, project_name
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views import documents
from indelible.store.views.todos import TODO
from indelible.toolsets import shapes
from indelible.toolsets.code import excerpts
from indelible.toolsets.context import todos
from indelible.toolsets.memory import deletion, inspection, memories

STORED = "stored by you or an agent, with a tool or a command"
RELATIONS = 50  # that are listed
LISTED = 50  # parts of a document at once
PARTS = "parts"
PAST = 50  # changes that are listed
TABS = (("record", "Record"), ("history", "History"), ("relations", "Relations"))


class Change(NamedTuple):
    """A change of a record: how it was before, and what the change made of its text, none where the text stayed."""

    past: history.Past
    pieces: Sequence[differences.Piece]


def show(page: Page, failed: str = "", text: str | None = None, status: int = 200) -> Response:
    """Show a record; with a form that `failed`, what was typed there and why."""
    ctx, given = page.ctx, page.query.get("id", page.form.get("id", ""))
    found = inspection.inspect(ctx, given)
    record = found.record
    tab = page.query.get("tab", "record")
    reads_files = page.may_administer_machine
    with ctx.store.read() as tx:
        code = () if reads_files else freshness.more(tx, {}, (), [record.id]).get(record.id, ())
        parts, more_parts = _parts(page, tx, record) if tab == PARTS else ([], 0)
        whole = documents.heads(tx, [documents.key_of(record.session)]) if record.kind == "chunk" else {}
    key = ids.shown(record) if record.kind == "memory" else ids.name_of(record)
    held = lifetimes.shown(record, sortable_text(ctx.now()))
    return page.shown(
        "record.html",
        status,
        record=record,
        id=key,
        short=found.short,
        row=rows.of_record(ctx, record, found.short),
        text=record.text or record.label,
        tab=tab,
        tabs=(*TABS, *(((PARTS, "Parts"),) if record.kind == "document" else ())),
        parts=parts,
        more_parts=more_parts,
        whole=next(iter(whole.values()), None),
        replaced_by=found.replaced_by,
        marks=shapes.marks(held),
        confirmed=is_confirmed(record),
        own=rows.is_own(ctx, record),
        waits=record.kind == "memory",
        held=held,
        pinned=bool(held.get("pinned")),
        facts=_facts(record, ctx.now()),
        relations=found.relations[:RELATIONS],
        more_relations=max(0, len(found.relations) - RELATIONS),
        code=code,
        excerpts=excerpts.beside(ctx, record.id) if reads_files and tab == "record" else [],
        changes=_changes(history.history(ctx, record.key, PAST), record) if tab == "history" else [],
        replaces=[each for each in found.relations if _is_older(each)],
        editable=record.kind == "memory" and page.may("write"),
        now=ctx.now(),
        failed=failed,
        typed=record.text if text is None else text,
        editing=text is not None or page.query.get("edit") == "1",
    )


def _parts(page: Page, tx: Transaction, record: Record) -> tuple[list[rows.Row], int]:
    """Return chunks of a document in their order, and where the next ones begin, 0 for no next ones."""
    given = page.query.get("from", "")
    start = int(given) if given.isdecimal() and len(given) < 9 else 0
    numbers = [chunk for chunk, _, _ in documents.layout(tx, record.key)] if record.kind == "document" else []
    shown = numbers[start : start + LISTED]
    found = records.by_ids(tx, shown)
    shorts = ids.shorts(tx, found.values())
    more = start + LISTED if len(numbers) > start + LISTED else 0
    return [rows.of_record(page.ctx, found[each], shorts[each]) for each in shown], more


def _changes(past: Sequence[history.Past], record: Record) -> list[Change]:
    """Return the changes of a record, the newest first, each with what it made of the text that was there before."""
    after, found = record.text, []
    for each in past:
        same = each["content"] == after
        found.append(Change(each, [] if same else differences.between(each["content"], after)))
        after = each["content"]
    return found


def _is_older(relation: inspection.Relation) -> bool:
    """Return whether the other end of a record's relation is one that the record replaces."""
    name = relation.relationship.upper()
    return name in REPLACED_TARGET if relation.outgoing else name in REPLACED_SOURCE


def _own_facts(record: Record) -> list[tuple[str, str]]:
    """Return what only records of a kind have: a todo's state, a commit's author and files."""
    if record.kind == TODO:
        todo = todos.as_todo(record)
        return [("State", todo.status), ("Priority", f"{todo.priority}, of {todos.MOST_PRIORITY}")]
    if record.kind == COMMIT:
        commit = shapes.commit(record)
        more = commit["file_count"] - len(commit["files"])
        named = ", ".join(commit["files"]) + (f" and {more} more" if more > 0 else "")
        return [("Author", commit.get("author", "")), ("Files", named)]
    return []


def _facts(record: Record, now: int) -> list[tuple[str, str]]:
    changed = time_text(record.updated) if record.updated != record.created else ""
    facts = (
        ("Kind", rows.kind_of(record)),
        *_own_facts(record),
        ("Project", project_name(record.namespace)),
        ("Said", STORED if (said := rows.speaker_of(record)) == rows.SPEAKERS[""] else said),
        ("Created", f"{time_text(record.created)} ({age_text(now - record.created)})"),
        ("Changed", changed),
        ("Importance", f"{record.importance:.2f}"),
        ("Tags", ", ".join(record.tags)),
        ("Session", "" if record.kind == "chunk" else record.session),
    )
    return [(name, value) for name, value in facts if value]


def edit(page: Page) -> Response:
    """Change the text of a memory; where that cannot be, or another changed it meanwhile, it is shown again."""
    page.require("write")
    text, seen = page.form.get("text", ""), page.form.get("updated", "")
    if not seen.isdecimal():
        raise InvalidInput("updated must be the time of the last change that the form was made with; reload the page")
    key = page.form.get("id", "")
    ctx = page.doing("page: edit")
    try:
        content, _ = admit(text, "text")
        if not content.strip():
            raise InvalidInput("The text is empty; delete the memory instead.")
        importance = _importance(page.form.get("importance", ""))
        memories.update(ctx, key, content, importance, unchanged_since=int(seen))
    except _SHOWN_AGAIN as error:
        return _again(page, error, text)
    return page.done(address("/record", id=key), ctx.call.operation)


_SHOWN_AGAIN = (Conflict, QuotaExceeded, InvalidInput)


def _again(page: Page, error: Exception, text: str) -> Response:
    """Show a form again with the text that was typed, and why it was not taken."""
    status = 409 if isinstance(error, Conflict) else 403 if isinstance(error, QuotaExceeded) else 400
    return show(page, str(error), text, status)


def _importance(given: str) -> float | None:
    """Return the importance of a form, None where none is given. Raises InvalidInput."""
    try:
        found = float(given) if given else None
    except ValueError:
        found = -1.0
    if found is not None and not 0 <= found <= 1:
        raise InvalidInput(f"importance must be a number from 0 to 1, got {given!r:.40}")
    return found


def refine(page: Page) -> Response:
    """Store a new version of a memory; the old one stays, marked as replaced."""
    page.require("write")
    text = page.form.get("text", "")
    try:
        answer: Any = page.call("refine_memory", id=page.form.get("id", ""), content=text)
    except _SHOWN_AGAIN as error:
        return _again(page, error, text)
    return page.done(address("/record", id=answer["new_id"]))


def relate(page: Page) -> Response:
    """Relate a memory to another."""
    page.require("write")
    source, target = page.form.get("id", ""), page.form.get("target", "").strip()
    name = page.form.get("relationship", "RELATES_TO")
    page.call("associate_memories", source_id=source, target_id=target, relationship=name)
    return page.done(address("/record", id=source, tab="relations"))


def pin(page: Page) -> Response:
    """Pin a memory or solution, or unpin it."""
    page.require("write")
    ctx = page.doing("page: pin")
    memories.pin(ctx, [page.form.get("id", "")], pinned=page.form.get("pinned") == "1")
    return page.done(_back(page), ctx.call.operation)


def delete(page: Page) -> Response:
    """Delete records of any kind."""
    page.require("write")
    ctx = page.doing("page: delete")
    deletion.delete(ctx, page.lists.get("id", []))
    return page.done(page.back("/find"), ctx.call.operation)


def take_back(page: Page) -> Response:
    """Undo the operation that the bar offers."""
    page.require("write")
    ctx = page.doing("undo")
    undo.undo(ctx, page.form.get("operation", ""))
    page.undoable = ""
    return page.done(_back(page))


def dismiss(page: Page) -> Response:
    """Close the bar that offers to undo."""
    page.undoable = ""
    return page.done(_back(page))


def _back(page: Page) -> str:
    return page.back(address("/record", id=page.form.get("id", "")))


ROUTES = (
    ("GET", "/record", show),
    ("POST", "/record/edit", edit),
    ("POST", "/record/refine", refine),
    ("POST", "/record/relate", relate),
    ("POST", "/record/pin", pin),
    ("POST", "/record/delete", delete),
    ("POST", "/undo", take_back),
    ("POST", "/undo/dismiss", dismiss),
)
