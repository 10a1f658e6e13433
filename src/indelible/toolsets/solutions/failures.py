"""Recording failures: one record for each error signature with its occurrences, and its entities in the graph."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, TypedDict

from indelible.core.context.context import Context
from indelible.core.context.visibility import may_limit
from indelible.core.context.write_scope import namespace_to_write, shared_namespace_to_write
from indelible.core.records import dependents, entities, insert, solution_fields, trash, undo
from indelible.core.records.solution_fields import COMMAND, DETECTOR, ERROR, FAILED, FIX, ErrorType
from indelible.core.records.undo import Added
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.graph import keys
from indelible.graph.envelopes import observation_text
from indelible.model import Record
from indelible.search import tokens
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views import solutions
from indelible.store.views.solutions import FAILURE
from indelible.toolsets.solutions.solutions import new_key, relate_files

# Imported late (start, cli): indelible.search.failures

MOST_FIXES = 20  # entities of fixes that a failure names, the newest; so many of commands, too
LONGEST_ENVELOPED = 4_000  # characters of a text in an envelope: the failure itself has all of it
MOST_CHANGES = 100  # files in an envelope


@dataclass(frozen=True, slots=True)
class NewFailure:
    """A failure to record; None means not given."""

    error_type: ErrorType
    message: str
    cause: str
    fix: str
    stack_trace: str | None = None
    prevention: str | None = None
    files: Sequence[str] | None = None
    captured: bool = False  # not reported by a caller: counts for its own project only and keeps a known cause
    command: str | None = None  # that failed with it


class Recorded(TypedDict):
    """The answer to a record: the number of occurrences of this error, this one included."""

    id: str
    occurrences: int


def record(ctx: Context, new: NewFailure) -> Recorded:
    """Record a failure, or one more occurrence of the one with its signature, and its entities, in one transaction.

    A new occurrence replaces cause and fix, and prevention, stack trace and files if it gives them; the message never
    changes, because the error's entity is named by it. The old state goes to the trash. Raises InvalidInput if the
    combined text is too long.
    """
    answer = ctx.write(recording(ctx, new))
    ctx.call.touched.append(answer["id"])
    return answer


def recording(ctx: Context, new: NewFailure) -> Callable[[Transaction], Recorded]:
    """Return the work of `record` as a function of a transaction, for calls that do more in the same transaction.

    A captured failure counts only as an occurrence of a failure of its own project, whose cause it leaves as it is.
    """
    from indelible.search import failures  # its expressions, which a server does not need to start

    signature = failures.signature(new.error_type, new.message)
    given = _merged_fields(new, {})
    text = text_of(new.error_type, given)
    text_terms = tokens.terms(text)

    def work(tx: Transaction) -> Recorded:
        began = ctx.now()
        there = _known(ctx, tx, signature, elsewhere=not new.captured)
        fields = _merged_fields(new, there.metadata if there is not None else {})
        stored_entities = [] if there is None else solution_fields.entity_names_of(there)
        fields["entities"] = put_entities(ctx, tx, new, fields, stored_entities)
        if new.command is not None:
            _put_command(ctx, tx, new.command, fields)
        fields["occurrences"] = 1 if there is None else solution_fields.occurrences_of(there) + 1
        now_text = text_of(new.error_type, fields)
        if there is None:
            draft = replace(_draft(ctx, new, fields, text), content_hash=signature)
            stored = _insert(ctx, tx, draft, text_terms)
        else:
            stored = replace(there, text=now_text, metadata=fields, updated=ctx.now())
        relate_files(ctx, tx, stored.id, new.files or ())
        if there is not None:
            _update(ctx, tx, there, stored, text_terms if now_text == text else None, began)
        return {"id": stored.key, "occurrences": solution_fields.occurrences_of(stored)}

    return work


def _known(ctx: Context, tx: Transaction, signature: str, *, elsewhere: bool) -> Record | None:
    """Return the failure of a signature, preferably the own project's: imports and limited callers can create several.

    One of another project is returned only with `elsewhere`: signatures are coarse, and many projects share some.
    Where callers may be limited to namespaces, only the own project's counts: such a caller could otherwise plant
    records of common errors and read in them what others write about theirs.
    """
    found = solutions.by_signatures(tx, [signature])
    if not found:
        return None
    scope = ctx.scope(tx)
    if not elsewhere or (not ctx.session.grant.limited and may_limit(ctx, tx)):
        same = scope.own_among({record.namespace for record in found})
        found = [record for record in found if record.namespace in same]
    return min(found, key=lambda record: (record.namespace != scope.own, record.id), default=None)


def newest(ctx: Context, limit: int) -> list[tuple[Record, int]]:
    """Return the newest failures, of all repositories, each with how often it was recalled."""
    with ctx.store.read() as tx:
        found = list(islice(records.newest(tx, FAILURE, None, page=max(1, min(500, limit))), limit))
        used = ctx.write_behind.access_of(tx, [record.id for record in found])
    return [(record, used[record.id].count if record.id in used else 0) for record in found]


def _merged_fields(new: NewFailure, before: dict[str, Any]) -> dict[str, Any]:
    """Return the metadata of a failure after one more occurrence."""
    known = before.get("rootCause") if new.captured else None
    given = {
        "rootCause": known or new.cause,
        "fixApplied": new.fix,
        "prevention": new.prevention,
        "stackTrace": new.stack_trace,
        "files": None if new.files is None else list(dict.fromkeys(new.files)),
    }
    return {
        "errorMessage": new.message,
        **before,
        **{name: value for name, value in given.items() if value is not None},
    }


def text_of(error_type: str, fields: dict[str, Any]) -> str:
    """Return the text of a failure with those fields. Raises InvalidInput if it is too long."""
    names = ("errorMessage", "rootCause", "fixApplied", "prevention")
    message, cause, fix, prevention = (str(fields.get(name, "")) for name in names)
    return solution_fields.failure_text(error_type, message, cause, fix, prevention)


def _draft(ctx: Context, new: NewFailure, fields: dict[str, Any], text: str) -> Record:
    return insert.new(
        ctx,
        FAILURE,
        text,
        key="",
        type=new.error_type,
        metadata=fields,
    )


def _insert(ctx: Context, tx: Transaction, draft: Record, text_terms: dict[int, int]) -> Record:
    key, namespace = new_key(ctx, tx, "fail_"), namespace_to_write(ctx, tx, None)
    return insert.add(ctx, tx, replace(draft, key=key, namespace=namespace), text_terms)


def _update(
    ctx: Context, tx: Transaction, there: Record, stored: Record, text_terms: dict[int, int] | None, began: int
) -> None:
    """Change a failure; the undo takes away its entities and relations that were written since a time."""
    unchanged = {entity.id: entity.updated for entity in dependents.written_since(tx, stored, began)}
    related = dependents.related_since(tx, stored, began)
    new = Added(there.key, there.namespace, edges=related, unchanged=unchanged)
    added = undo.written(new) if related or unchanged else None
    if there.text == stored.text:  # its words are what they were
        trash.keep(ctx, tx, there, "update", added=added)
        records.update(tx, stored)
    else:
        trash.overwrite(ctx, tx, there, stored, text_terms, added=added)


# --- The same in the graph ---


def put_entities(
    ctx: Context,
    tx: Transaction,
    new: NewFailure,
    fields: dict[str, Any],
    before: list[str],
    *,
    at: int | None = None,
    made: dict[int, int] | None = None,
) -> list[str]:
    """Write the error and its fix as entities, the fix resolving the error.

    Returns the names of all entities of the failure; `before` are those that it had. If one of the names belongs to an
    entity of another type, which an import can bring, the graph is not changed. A new fix gets the time `at`, in
    microseconds since 1970; default: now. Those that were not there are added to `made`: by row id, the time of the
    last update.
    """
    message = str(fields["errorMessage"])
    issue = _error_key(new.error_type, message)
    changes = fields.get("files") or [new.fix]
    fix_name = keys.fix_key(issue, new.fix, changes)
    if _is_another(ctx, tx, issue, ERROR) or _is_another(ctx, tx, fix_name, FIX):
        return before
    capture = {
        "type": "error.capture",
        "normalizedKey": entities.key_name(issue).partition("#")[2],
        "kind": new.error_type,
        "message": _enveloped(message),
        "detector": DETECTOR,
    }
    apply = {
        "type": "fix.apply",
        "strategy": _enveloped(new.fix),
        "changes": [_enveloped(change) for change in changes[:MOST_CHANGES]],
        "result": "applied",
    }
    names = [entities.key_name(name) for name in (issue, fix_name)]
    there = entities.named_in(ctx, tx, names, shared_namespace_to_write(ctx, tx))
    error = entities.put(ctx, tx, issue, ERROR, [observation_text(capture)])
    fix = entities.put(ctx, tx, fix_name, FIX, [observation_text(apply)], at=at)
    if made is not None:
        made.update({entity.id: entity.updated for entity in (error, fix) if entity.key not in there})
    entities.relate(ctx, tx, fix, "RESOLVES", error)
    fixes = [name for name in before[1:] if name != fix.key]
    return [error.key, *fixes[1 - MOST_FIXES :], fix.key]


def _put_command(ctx: Context, tx: Transaction, command: str, fields: dict[str, Any]) -> None:
    """Write the command that failed as an entity that emits the error, and its name into the fields of the failure.

    One that is there already stays as it is. If the name belongs to an entity of another type, or the failure has no
    error in the graph, the graph is not changed.
    """
    name, namespace = entities.key_name(keys.command_key(command)), shared_namespace_to_write(ctx, tx)
    errors = fields["entities"][:1]
    there = entities.named_in(ctx, tx, [name, *errors], namespace)
    if not errors or errors[0] not in there or _is_another(ctx, tx, name, COMMAND):
        return
    emitting = there[name] if name in there else entities.put(ctx, tx, name, COMMAND, [FAILED])
    entities.relate(ctx, tx, emitting, "EMITS", there[errors[0]])
    fields["commands"] = [*(each for each in fields.get("commands", ()) if each != name), name][-MOST_FIXES:]


def _is_another(ctx: Context, tx: Transaction, name: str, entity_type: str) -> bool:
    """Whether a name is that of an entity of another type."""
    there = entities.named_in(ctx, tx, [entities.key_name(name)], shared_namespace_to_write(ctx, tx)).get(
        entities.key_name(name)
    )
    return there is not None and there.type != entity_type


def _error_key(error_type: str, message: str) -> str:
    """The key of a message, or of the error's type where the message is nothing but a hash."""
    try:
        return keys.error_key(message)
    except InvalidInput:
        return keys.error_key(error_type)


def _enveloped(text: str) -> str:
    return text if len(text) <= LONGEST_ENVELOPED else text[:LONGEST_ENVELOPED] + "…"
