"""Storing, rewarding and listing solutions; `matching` recalls them."""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from indelible.clock import sortable_text
from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.core.context.write_scope import namespace_to_write
from indelible.core.indexes import repo_fingerprint
from indelible.core.records import insert, lifetimes, solution_fields, trash
from indelible.core.records.lifetimes import UNCHANGED, Lifetime
from indelible.core.records.solution_fields import Rewards, Scope
from indelible.dataclass import dataclass
from indelible.model import FILE, Edge, Record
from indelible.project import Location
from indelible.search import rewards, tokens
from indelible.search.rewards import Outcome
from indelible.store.database import Transaction
from indelible.store.tables import edges, records
from indelible.store.views import lifetimes as stored_lifetimes
from indelible.store.views import solutions
from indelible.store.views.solutions import FAILURE, SOLUTION

if TYPE_CHECKING:
    from indelible.source.manifests.fingerprint import Fingerprint

MOST_NOTES = 100  # that a solution keeps, the newest
MOST_NOTED = 256 << 10  # bytes of them together; the newest is kept whole
TOP_TAGS = 10
RECENT = 5


@dataclass(frozen=True, slots=True)
class NewSolution:
    """A solution to be stored, for the server's project."""

    problem: str
    solution: str
    scope: Scope
    tags: Sequence[str] = ()
    files: Sequence[str] = ()
    lifetime: Lifetime = UNCHANGED


class Stored(TypedDict):
    """The answer to a store: the id, and the tags that the solution has; `warning` says that too many are pinned."""

    id: str
    tags: list[str]
    warning: NotRequired[str]


class Rewarded(TypedDict):
    """The answer to a reward, scores unrounded."""

    id: str
    previous: float
    new: float


@dataclass(frozen=True, slots=True)
class Status:
    """Totals of the store, and tags and newest solutions that this server sees."""

    fingerprint: "Fingerprint | None"  # None without a project
    solutions: int
    failures: int
    repositories: int
    tags: list[str]
    recent: list[Record]


# --- Storing ---


def store(ctx: Context, new: NewSolution) -> Stored:
    """Store a solution with its repository's fingerprint, and relate it to records of its files.

    If the same problem and solution is stored for the same repository and scope, only new tags and files are added to
    it. Raises InvalidInput if the texts together are too long.
    """
    text = solution_fields.solution_text(new.problem, new.solution)
    text_terms = tokens.terms(text)
    fingerprint = _fingerprint(ctx)

    def work(tx: Transaction) -> Stored:
        namespace = namespace_to_write(ctx, tx, None)
        there = _there_already(ctx, tx, new, text, namespace)
        if there is not None:
            return _answer(ctx, tx, _completed(ctx, tx, there, new, text_terms), new)
        record = replace(_draft(ctx, new, text, fingerprint), key=new_key(ctx, tx, "sol_"), namespace=namespace)
        record = insert.add(ctx, tx, record, text_terms)
        relate_files(ctx, tx, record.id, new.files)
        return _answer(ctx, tx, record, new)

    answer = ctx.write(work)
    ctx.call.touched.append(answer["id"])
    return answer


def _fingerprint(ctx: Context) -> "Fingerprint | None":
    """Return the fingerprint of the server's repository, None if the caller may not see it."""
    with ctx.store.read() as tx:
        location = ctx.scope(tx).location
    return ctx.indexes.repository.fingerprint(location)


def _draft(ctx: Context, new: NewSolution, text: str, fingerprint: "Fingerprint | None") -> Record:
    """Return the record of a new solution, without id and namespace."""
    return insert.new(
        ctx,
        SOLUTION,
        text,
        key="",
        type=new.scope,
        tags=tuple(_once(new.tags)),
        metadata={
            "problem": new.problem,
            "score": rewards.FIRST_SCORE,
            **dict.fromkeys(solution_fields.COUNTS.values(), 0),
            "files": _once(new.files),
            **({} if fingerprint is None else {"fingerprint": repo_fingerprint.as_json(fingerprint)}),
            **lifetimes.with_lifetime(ctx, {}, new.lifetime),
        },
        content_hash=insert.content_hash(text),
    )


def new_key(ctx: Context, tx: Transaction, prefix: str) -> str:
    """An id that no record has: the prefix and 8 hex digits."""
    while True:
        key = prefix + uuid.uuid4().hex[:8]
        if not records.by_key(tx, key):
            return key


def relate_files(ctx: Context, tx: Transaction, record: int, files: Sequence[str]) -> None:
    """Relate a record to the records of its files, which are files of the server's project.

    A file that has no record gets one.
    """
    if not files:
        return
    now, namespace, location = ctx.now(), namespace_to_write(ctx, tx, None), ctx.scope(tx).location
    for path in dict.fromkeys(path_in_project(location, given) for given in files):
        known = records.by_key(tx, FILE + path)
        file = next((r for r in known if r.kind == "file" and r.namespace == namespace), None)
        if file is None:
            file = insert.add(ctx, tx, insert.new(ctx, "file", path, key=FILE + path, label=path, namespace=namespace))
        edges.add(tx, Edge(record, file.id, "RELATES_TO", "RELATES_TO", 1.0, now))


def path_in_project(location: Location | None, given: str) -> str:
    """A file's path relative to the project with `/`, as code is indexed; one that lies elsewhere as it was given."""
    path = given.replace("\\", "/") if location is not None and "\\" in location.path else given
    if location is not None:
        path = path.removeprefix(location.path.replace("\\", "/").rstrip("/") + "/")
    while path.startswith("./") and len(path) > 2:
        path = path[2:]
    return path


def _there_already(ctx: Context, tx: Transaction, new: NewSolution, text: str, namespace: str) -> Record | None:
    same = [
        record
        for record in solutions.by_content(tx, insert.content_hash(text))
        if record.type == new.scope and solution_fields.problem_of(record) == new.problem
    ]
    own = ctx.scope(tx).of_project(namespace, {record.namespace for record in same})
    return next((record for record in same if record.namespace in own), None)


def _completed(ctx: Context, tx: Transaction, there: Record, new: NewSolution, text_terms: dict[int, int]) -> Record:
    """Add what a repeated store gives beside the texts to a solution and return it; the old state goes to the trash."""
    lasting = lifetimes.stored_again(ctx, there, new.lifetime)
    tags, files = _once([*there.tags, *new.tags]), _once([*solution_fields.files_of(there), *new.files])
    if lasting is there and tags == list(there.tags) and files == solution_fields.files_of(there):
        return there
    changed = replace(there, tags=tuple(tags), metadata={**lasting.metadata, "files": files}, updated=ctx.now())
    trash.overwrite(ctx, tx, there, changed, text_terms)
    relate_files(ctx, tx, changed.id, new.files)
    return changed


def _answer(ctx: Context, tx: Transaction, record: Record, new: NewSolution) -> Stored:
    warning = lifetimes.warning(ctx, tx, record.namespace) if new.lifetime.pinned else ""
    answer: Stored = {"id": record.key, "tags": list(record.tags)}
    return {**answer, "warning": warning} if warning else answer


def _once(texts: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(texts))


# --- Feedback ---


def reward(ctx: Context, key: str, outcome: Outcome, notes: str | None) -> Rewarded:
    """Change a solution's score by one outcome; the old state goes to the trash, so that a mistake can be undone.

    The score is read and written in one transaction, so that no concurrent outcome is lost. Notes are kept in the
    metadata, because events hold no content: the newest 100, or as many as fit 256 KiB. Raises NotFound.
    """

    def work(tx: Transaction) -> Rewarded:
        old = ids.find_own(ctx, tx, "solutionId", key, SOLUTION)
        had, now = solution_fields.rewards_of(old), ctx.now()
        metadata = solution_fields.rewarded(old.metadata, had, outcome)
        if notes is not None:
            note = {"time": now, "outcome": outcome, "notes": notes}
            metadata["notes"] = _bounded([*notes_of(old), note])
        trash.keep(ctx, tx, old, "update")  # its words are what they were
        records.update(tx, replace(old, metadata=metadata, updated=now))
        return {"id": old.key, "previous": had.score, "new": float(metadata["score"])}

    answer = ctx.write(work)
    ctx.call.touched.append(answer["id"])
    return answer


def notes_of(record: Record) -> list[dict[str, Any]]:
    """Return the notes on outcomes, oldest first: objects with time (microseconds since 1970), outcome, notes."""
    noted = record.metadata.get("notes")
    return [note for note in noted if isinstance(note, dict)] if isinstance(noted, list) else []


def _bounded(notes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = []
    size = 0
    for note in reversed(notes[-MOST_NOTES:]):
        size += len(str(note.get("notes", "")).encode())
        if kept and size > MOST_NOTED:
            break
        kept.append(note)
    return kept[::-1]


# --- Looking ---


def newest(ctx: Context, limit: int) -> list[tuple[Record, Rewards, int]]:
    """Return the newest solutions that this server sees, with their rewards and how often each was recalled.

    None that has expired.
    """
    with ctx.store.read() as tx:
        found = _newest(ctx, tx, limit)
        used = ctx.write_behind.access_of(tx, [record.id for record in found])
    return [
        (record, solution_fields.rewards_of(record), used[record.id].count if record.id in used else 0)
        for record in found
    ]


def _newest(ctx: Context, tx: Transaction, limit: int) -> list[Record]:
    expired = stored_lifetimes.expired(tx, sortable_text(ctx.now()))
    return solutions.newest(tx, visibility.hidden_namespaces(ctx, tx), limit, expired)


def one(ctx: Context, key: str, kind: str) -> tuple[Record, int]:
    """A solution or failure by its id, and how often it was recalled. Raises NotFound."""
    with ctx.store.read() as tx:
        record = ids.find_own(ctx, tx, "id", key, kind)
        used = ctx.write_behind.access_of(tx, [record.id])
    return record, used[record.id].count if record.id in used else 0


def status(ctx: Context) -> Status:
    """Figures of all solutions and failures; '' is no repository."""
    fingerprint = _fingerprint(ctx)
    with ctx.store.read() as tx:
        found = {kind: records.count_by_namespace(tx, kind) for kind in (SOLUTION, FAILURE)}
        known = ctx.scope(tx).aliases
        names = {known.canonical(name) for each in found.values() for name in each if name}
        hidden = visibility.hidden_namespaces(ctx, tx)
        return Status(
            fingerprint=fingerprint,
            solutions=sum(each.number for each in found[SOLUTION].values()),
            failures=sum(each.number for each in found[FAILURE].values()),
            repositories=len(names),
            tags=solutions.top_tags(tx, hidden, TOP_TAGS),
            recent=_newest(ctx, tx, RECENT),
        )
