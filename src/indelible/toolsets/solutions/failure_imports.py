"""Import of failures: their entities in the knowledge graph, and merging of failures with the same signature.

Other stores and tools may keep several failures that have one signature here. These become one record, whose metadata
holds the number of occurrences by imported id (`merged`), so that repeating an import adds nothing, and the causes and
fixes that newer ones replaced (`earlier`).
"""

from dataclasses import replace
from typing import Any, cast

from indelible.core.context.context import Context
from indelible.core.records import insert, solution_fields, trash, undo
from indelible.core.records.solution_fields import ErrorType
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views.solutions import FAILURE
from indelible.toolsets.solutions import failures
from indelible.toolsets.solutions.failures import MOST_FIXES, NewFailure

MERGED = "merged"
REPLACED = ("rootCause", "fixApplied", "prevention")  # what a newer occurrence replaces


def with_entities(ctx: Context, tx: Transaction, brought: Record) -> Record:
    """Write the entities of an imported failure and return it with their names, unless it has names already."""
    named = solution_fields.entity_names_of(brought)
    names = named or _put_entities(ctx, tx, brought, brought, [])
    return brought if names == named else replace(brought, metadata={**brought.metadata, "entities": names})


def signature_of(record: Record) -> tuple[str, str] | None:
    """Return the namespace and signature that identify a failure, None for a record without a signature."""
    return (record.namespace, record.content_hash) if record.kind == FAILURE and record.content_hash else None


class Merge:
    """A stored failure and the imported failures of a batch that are merged into it in one write.

    Occurrences add up, and the newest cause and fix win. All fixes stay in the graph, where each resolves the error.
    The old state goes to the trash, unless the stored failure `is_new` (imported in the same run).
    """

    def __init__(self, there: Record, *, is_new: bool):
        self.there = there
        self.is_new = is_new
        self._now = there
        self._counts = _counts(there)
        self._added: list[Record] = []

    def includes(self, brought: Record) -> bool:
        """Return whether every occurrence of an imported failure is counted already."""
        return _counts(brought).keys() <= self._counts.keys()

    def add(self, brought: Record) -> None:
        """Add an imported failure of the same signature. Raises InvalidInput if the combined text is too long."""
        merged = _merged(self._now, brought)
        self._now = replace(merged, text=failures.text_of(merged.type, merged.metadata))
        for key, count in _counts(brought).items():
            self._counts[key] = max(count, self._counts.get(key, 0))
        self._added.append(brought)

    def write(self, ctx: Context, tx: Transaction) -> None:
        """Store the merged failure and its entities."""
        if not self._added:
            return
        made: dict[int, int] = {}
        names = solution_fields.entity_names_of(self.there) or _put_entities(ctx, tx, self.there, self.there, [])
        for brought in self._added:
            names = _put_entities(ctx, tx, self.there, brought, names, made)
        brought_names = [name for brought in self._added for name in solution_fields.entity_names_of(brought)]
        fixes = [name for name in dict.fromkeys([*brought_names, *names]) if name not in names[:1]]
        metadata = {
            **self._now.metadata,
            "occurrences": sum(self._counts.values()),
            MERGED: {key: count for key, count in self._counts.items() if key != self.there.key},
            "entities": [*names[:1], *fixes[1 - MOST_FIXES :]],
        }
        commands = [name for each in (self.there, *self._added) for name in solution_fields.command_names_of(each)]
        if commands:
            metadata["commands"] = list(dict.fromkeys(commands))[-MOST_FIXES:]
        stored = replace(self._now, metadata=metadata)
        if self.is_new:
            records.update(tx, stored)
            insert.index_words(ctx, tx, stored)
        else:
            new = undo.Added(stored.key, stored.namespace, unchanged=made)
            trash.overwrite(ctx, tx, self.there, stored, added=undo.written(new) if made else None)


def _merged(there: Record, brought: Record) -> Record:
    """Return the stored failure with another's fields merged in; text, occurrences and entities stay."""
    older, newer = sorted((there, brought), key=lambda each: each.updated)
    fields = {
        **older.metadata,
        **{name: value for name, value in newer.metadata.items() if value not in (None, "", [])},
    }
    fields["errorMessage"] = there.metadata["errorMessage"]  # the error's entity is named by it
    fields["files"] = list(dict.fromkeys([*solution_fields.files_of(older), *solution_fields.files_of(newer)]))
    earlier = [*solution_fields.earlier_of(older), *solution_fields.earlier_of(newer), _replaced(older, fields)]
    fields[solution_fields.EARLIER] = [each for at, each in enumerate(earlier) if each and each not in earlier[:at]][
        -MOST_FIXES:
    ]
    tags = tuple(dict.fromkeys([*there.tags, *brought.tags]))
    return replace(there, metadata=fields, tags=tags, updated=newer.updated)


def _counts(failure: Record) -> dict[str, int]:
    """The occurrences of a failure by the id of the record that counted them, its own first."""
    given = failure.metadata.get(MERGED)
    others = {
        key: count
        for key, count in (given.items() if isinstance(given, dict) else ())
        if isinstance(count, int) and count > 0 and key != failure.key
    }
    return {failure.key: max(1, solution_fields.occurrences_of(failure) - sum(others.values())), **others}


def _replaced(older: Record, now: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an older failure that the current ones replaced; empty if none was replaced."""
    older_fields = {name: text for name in REPLACED if (text := solution_fields.text_of(older, name))}
    return older_fields if any(now.get(name) != text for name, text in older_fields.items()) else {}


def _put_entities(
    ctx: Context,
    tx: Transaction,
    error: Record,
    fixed: Record,
    before: list[str],
    made: dict[int, int] | None = None,
) -> list[str]:
    """Write the entities of an error and of the fix that resolves it; return the names of all its entities.

    A failure without a message or a fix (other tools require none) has no entities.
    """
    message, fix = solution_fields.text_of(error, "errorMessage"), solution_fields.text_of(fixed, "fixApplied")
    if not message.strip() or not fix.strip():
        return before
    error_type = cast("ErrorType", error.type or "other")
    new = NewFailure(error_type, message, solution_fields.text_of(fixed, "rootCause"), fix)
    fields = {"errorMessage": message, "files": solution_fields.files_of(fixed)}
    return failures.put_entities(ctx, tx, new, fields, before, at=fixed.updated, made=made)
