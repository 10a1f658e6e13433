"""Promotion of captured memories that the user has reviewed: the memory becomes trusted, its failure is recorded."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal, cast, get_args

from indelible import batching
from indelible.capture import known_fixes
from indelible.core.context import ids
from indelible.core.context.context import Context
from indelible.core.records import dependents, trash, trust, undo
from indelible.core.records.insert import content_hash
from indelible.core.records.solution_fields import RECORDED, ErrorType, captured_cause
from indelible.core.records.trust import is_confirmed
from indelible.core.records.undo import Added
from indelible.dataclass import dataclass
from indelible.errors import Conflict
from indelible.model import Record
from indelible.project import Location
from indelible.sanitize.validate import admit, refuse_blank
from indelible.search.failures import names_the_same, normalised
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views import captured
from indelible.store.views.solutions import FAILURE
from indelible.toolsets.solutions import failures
from indelible.toolsets.solutions.failures import NewFailure, Recorded

TOOL = "promote"
LOOKED_AT = 5_000  # newest captured memories among which failures are looked for
TOGETHER = 50  # memories that are promoted in one transaction

Status = Literal["promoted", "trusted already", "not captured"]
_Recording = Callable[[Transaction], "Recorded"]


@dataclass(frozen=True, slots=True)
class Promoted:
    """The result for one id: the memory after promotion, and the failure that was recorded with it, "" if none."""

    record: Record
    status: Status
    failure: str = ""


def waiting(ctx: Context, limit: int, *, of_project: bool = False) -> tuple[list[Record], int]:
    """Return the newest unconfirmed captured memories, newest first, and the number of all of them.

    With `of_project` those of the project that the caller works in only.
    """
    if of_project:
        found = all_waiting(ctx, of_project=True)
        return found[:limit], len(found)
    with ctx.store.read() as tx:
        return captured.waiting(tx, limit), sum(captured.count(tx).values())


def quotable_parts(record: Record, longest: int) -> list[str]:
    """Return the parts of a captured memory that a brief may quote once it is trusted: text, error and fix.

    Error and fix are left out if the first `longest` characters of the text contain them.
    """
    beside = ("error_message", "fix") if record.metadata.get("captured") == "failure" else ()
    parts = (_text(record.metadata, name) for name in beside)
    return [record.text, *(part for part in parts if part.strip() and part not in record.text[: longest - 1])]


def waiting_failures(ctx: Context) -> list[Record]:
    """Return the captured failures of the store that wait, newest first, among the newest of what was captured."""
    with ctx.store.read() as tx:
        found = captured.waiting(tx, LOOKED_AT)
    return [record for record in found if record.metadata.get("captured") == "failure"]


def waiting_fixes(ctx: Context, error: str, most: int) -> list[Record]:
    """Return waiting failures with a fix, newest first, whose message is or contains `error`, or stands in it.

    Of the project, if there is one: those that a hook tells an agent whose command fails so, whoever reviewed them.
    """
    found = [each for each in waiting_failures(ctx) if _text(each.metadata, "fix").strip() and _is_of(each, error)]
    with ctx.store.read() as tx:
        scope = ctx.scope(tx)
        own = scope.own_among({each.namespace for each in found})
    return [each for each in found if not scope.own or each.namespace in own][:most]


def _is_of(record: Record, error: str) -> bool:
    message = _text(record.metadata, "error_message")
    if names_the_same(error, message):
        return True
    return known_fixes.is_telling(error) and normalised(error).casefold() in normalised(message).casefold()


def promote(ctx: Context, given: Sequence[str]) -> list[Promoted]:
    """Trust the captured memories of these ids, all in one transaction; each once, in their order.

    A captured failure with its fix is also recorded as a failure, in the project of the memory. Memories that are
    trusted already, or were not captured, stay unchanged, as the result shows. Raises NotFound for an unknown id, and
    Conflict for a memory that changes meanwhile; nothing is promoted then.
    """
    ctx = ctx.for_call(replace(ctx.call, tool=TOOL))
    with ctx.store.read() as tx:
        read = {record.id: record for record in _named(ctx, tx, given)}
    recordings = {record.id: _recording(ctx, record) for record in read.values()}

    def work(tx: Transaction) -> list[Promoted]:
        named = _named(ctx, tx, given)
        return [_promote(ctx, tx, record, read.get(record.id), recordings.get(record.id)) for record in named]

    answer = ctx.write(work)
    ctx.call.touched.extend(each.record.key for each in answer)
    return answer


def all_waiting(ctx: Context, said_by: str | None = None, *, of_project: bool = False) -> list[Record]:
    """Return all memories that wait, newest first, or those that one of `SPEAKERS` said, or of the caller's project."""
    with ctx.store.read() as tx:
        counts = captured.count(tx)
        found = captured.waiting(tx, sum(counts.values()))
        names = ctx.scope(tx).own_among(set(counts)) if of_project else set(counts)
    return [each for each in found if each.namespace in names and said_by in (None, trust.stated_by(each))]


def promote_all(ctx: Context, chosen: Sequence[Record]) -> list[Promoted]:
    """Trust those of the memories that still wait, as `promote` does; return these, in their order.

    It takes several short transactions of one operation, so that other processes get their turn; one undo reverts all.
    A memory that changes while it is promoted is left waiting.
    """
    ctx = ctx.for_call(replace(ctx.call, tool=TOOL, bulk=True))
    done: list[Promoted] = []
    for at in range(0, len(chosen), TOGETHER):
        if at:
            batching.breathe()
        done += _promote_batch(ctx, [record.id for record in chosen[at : at + TOGETHER]])
    ctx.call.touched.extend(each.record.key for each in done)
    return done


def _promote_batch(ctx: Context, batch: Sequence[int]) -> list[Promoted]:
    with ctx.store.read() as tx:
        read = records.by_ids(tx, batch)
    recordings = {id_: _recording(ctx, record) for id_, record in read.items()}

    def work(tx: Transaction) -> list[Promoted]:
        now = records.by_ids(tx, batch)
        same = [id_ for id_ in batch if id_ in now and id_ in read and not _differ(now[id_], read[id_])]
        return [_trust(ctx, tx, now[id_], recordings[id_]) for id_ in same if not is_confirmed(now[id_])]

    return ctx.write(work)


def keep(ctx: Context, seen: Record, text: str | None = None) -> Promoted:
    """Trust a waiting memory as it was read, with another text if one is given; the result is as of `promote`.

    Raises Conflict where it was changed, trusted or deleted since it was read, or where another memory of its project
    has the text, and InvalidInput for a text that cannot be stored. The findings of redaction go to the call.
    """
    ctx = ctx.for_call(replace(ctx.call, tool=TOOL))
    recording = _recording(ctx, seen)
    edited = None if text is None else _admitted(ctx, text)

    def work(tx: Transaction) -> Promoted:
        return _trust(ctx, tx, _unchanged(tx, seen), recording, edited)

    answer = ctx.write(work)
    ctx.call.touched.append(answer.record.key)
    return answer


def reject(ctx: Context, seen: Record) -> None:
    """Delete a waiting memory as it was read; it is not captured again. Raises Conflict as `keep` does."""
    ctx = ctx.for_call(replace(ctx.call, tool="delete"))

    def work(tx: Transaction) -> None:
        trash.delete(ctx, tx, _unchanged(tx, seen))

    ctx.write_behind.before_deletion()
    ctx.write(work)
    ctx.call.touched.append(seen.key)


def _unchanged(tx: Transaction, seen: Record) -> Record:
    """Return a waiting memory if it is as it was read. Raises Conflict."""
    record = records.by_ids(tx, [seen.id]).get(seen.id)
    if record is None or is_confirmed(record) or _differ(record, seen):
        raise Conflict(f"memory {seen.key} was changed just now; look at it again")
    return record


def _admitted(ctx: Context, text: str) -> str:
    """Return a text as it may be stored. Raises InvalidInput."""
    clean, findings = admit(text, "content")
    refuse_blank(clean, "content")
    ctx.call.redacted.extend(findings)
    return str(clean)


def _named(ctx: Context, tx: Transaction, given: Sequence[str]) -> list[Record]:
    found = (ids.find_own(ctx, tx, "ID", each, "memory") for each in given)
    return list({record.id: record for record in found}.values())


def _promote(
    ctx: Context, tx: Transaction, record: Record, read: Record | None, recording: _Recording | None
) -> Promoted:
    if is_confirmed(record):
        was = record.metadata.get("origin") == "capture" or "promoted_by" in record.metadata
        return Promoted(record, "trusted already" if was else "not captured")
    if read is None or _differ(record, read):
        raise Conflict(
            f"memory {record.key} was changed just now; look at it (`indelible captured`) and promote it again"
        )
    return _trust(ctx, tx, record, recording)


def _differ(record: Record, read: Record) -> bool:
    return (record.text, record.metadata) != (read.text, read.metadata)


def _trust(
    ctx: Context, tx: Transaction, record: Record, recording: _Recording | None, text: str | None = None
) -> Promoted:
    """Trust a memory, with another text if one is given, and record its failure."""
    new, failure, added = trust.trusted(ctx, record), "", None
    if text is not None and text != record.text:
        new = _with_text(ctx, tx, new, text)
    if recording is not None:
        failure, added = _recorded(ctx, tx, recording)
        new = replace(new, metadata={**new.metadata, RECORDED: failure})
    trash.overwrite(ctx, tx, record, new, revision=new.text != record.text, added=added)
    return Promoted(new, "promoted", failure)


def _with_text(ctx: Context, tx: Transaction, record: Record, text: str) -> Record:
    digest = content_hash(text)
    same = records.by_content(tx, record.namespace, digest)
    if same is not None and same.id != record.id:
        raise Conflict(f"memory {same.key} of the same project has that text; reject this one, or write another text")
    return replace(record, text=text, content_hash=digest, updated=ctx.now())


def _recorded(ctx: Context, tx: Transaction, recording: _Recording) -> tuple[str, dict[str, Any]]:
    """Record a failure; its id, and what was added, so that an undo takes that away where nothing else uses it by now.

    A new failure goes with its entities unless it occurred again. Of one that occurred before the entities go that it
    did not have: its own state is in the trash.
    """
    began = ctx.now()
    recorded = recording(tx)
    made = next(each for each in records.by_key(tx, recorded["id"]) if each.kind == FAILURE)
    new = [made] if recorded["occurrences"] == 1 else dependents.written_since(tx, made, began)
    related = dependents.emitted_since(tx, made, began)
    unchanged = {each.id: each.updated for each in new}
    return made.key, undo.written(Added(made.key, made.namespace, edges=related, unchanged=unchanged))


# --- Failures ---


def _recording(ctx: Context, record: Record) -> _Recording | None:
    """Return the work that records a memory's captured failure; None for other memories and failures without a fix."""
    metadata = record.metadata
    message, fix = _text(metadata, "error_message"), _text(metadata, "fix")
    if is_confirmed(record) or metadata.get("captured") != "failure" or not message.strip() or not fix.strip():
        return None
    command = _text(metadata, "command")
    files = metadata.get("files")
    new = NewFailure(
        error_type=_error_type(metadata.get("error_type")),
        message=message,
        cause=captured_cause(command),
        fix=fix,
        files=[file for file in files if isinstance(file, str)] if isinstance(files, list) else None,
        captured=True,
        command=command.strip() or None,
    )
    return failures.recording(_of_project(ctx, record.namespace), new)


def _of_project(ctx: Context, namespace: str) -> Context:
    """The context of a server of a project that is known by its namespace only."""
    return ctx.at(Location(namespace, None, here=False) if namespace else None)


def _error_type(given: Any) -> ErrorType:
    return cast("ErrorType", given) if given in get_args(ErrorType) else "other"


def _text(metadata: dict[str, Any], name: str) -> str:
    value = metadata.get(name)
    return value if isinstance(value, str) else ""
