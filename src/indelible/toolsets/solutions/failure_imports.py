"""Failures that an import brings: their place in the knowledge graph, and one record for those that are one here.

Other stores and tools keep failures apart that have one signature here. They are counted together: the record says in
its metadata how many occurrences came with which other id (`merged`), so that the same import again adds nothing, and
which causes and fixes newer ones replaced (`earlier`).
"""

from dataclasses import replace
from typing import Any, cast

from indelible.core.context.context import Context
from indelible.core.records import insert, solution_fields, trash
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
    """A failure that is about to be stored, its entities written, unless it names some, which then come with it."""
    named = solution_fields.twins_of(brought)
    names = named or _put_entities(ctx, tx, brought, brought, [])
    return brought if names == named else replace(brought, metadata={**brought.metadata, "entities": names})


def signature_of(record: Record) -> tuple[str, str] | None:
    """By what failures are one: their namespace and signature; None for what has none."""
    return (record.namespace, record.content_hash) if record.kind == FAILURE and record.content_hash else None


class Merge:
    """A stored failure and what a batch of an import adds to it, which is written once.

    Occurrences add up, the newest cause and fix stand. The fix of each stays in the graph, where both resolve the one
    error. The old state goes to the trash, unless the stored failure `is_new`: it came with the same import.
    """

    def __init__(self, there: Record, *, is_new: bool):
        self.there = there
        self.is_new = is_new
        self._now = there
        self._counts = _counts(there)
        self._added: list[Record] = []

    def includes(self, brought: Record) -> bool:
        """Whether every occurrence that a failure brings is counted already."""
        return _counts(brought).keys() <= self._counts.keys()

    def add(self, brought: Record) -> None:
        """Add a failure of the same signature. Raises InvalidInput where the texts are too long together."""
        merged = _merged(self._now, brought)
        self._now = replace(merged, text=failures.text_of(merged.type, merged.metadata))
        for key, count in _counts(brought).items():
            self._counts[key] = max(count, self._counts.get(key, 0))
        self._added.append(brought)

    def write(self, ctx: Context, tx: Transaction) -> None:
        """Store what was added, with its entities."""
        if not self._added:
            return
        names = solution_fields.twins_of(self.there) or _put_entities(ctx, tx, self.there, self.there, [])
        for brought in self._added:
            names = _put_entities(ctx, tx, self.there, brought, names)
        brought_names = [name for brought in self._added for name in solution_fields.twins_of(brought)]
        fixes = [name for name in dict.fromkeys([*brought_names, *names]) if name not in names[:1]]
        metadata = {
            **self._now.metadata,
            "occurrences": sum(self._counts.values()),
            MERGED: {key: count for key, count in self._counts.items() if key != self.there.key},
            "entities": [*names[:1], *fixes[1 - MOST_FIXES :]],
        }
        stored = replace(self._now, metadata=metadata)
        if self.is_new:
            records.update(tx, stored)
            insert.index_words(ctx, tx, stored)
        else:
            trash.overwrite(ctx, tx, self.there, stored)


def _merged(there: Record, brought: Record) -> Record:
    """The stored failure with what another says; its text, occurrences and entities are still its own."""
    older, newer = sorted((there, brought), key=lambda each: each.updated)
    told = {**older.metadata, **{name: value for name, value in newer.metadata.items() if value not in (None, "", [])}}
    told["errorMessage"] = there.metadata["errorMessage"]  # the error's entity is named by it
    told["files"] = list(dict.fromkeys([*solution_fields.files_of(older), *solution_fields.files_of(newer)]))
    earlier = [*solution_fields.earlier_of(older), *solution_fields.earlier_of(newer), _replaced(older, told)]
    told[solution_fields.EARLIER] = [each for at, each in enumerate(earlier) if each and each not in earlier[:at]][
        -MOST_FIXES:
    ]
    tags = tuple(dict.fromkeys([*there.tags, *brought.tags]))
    return replace(there, metadata=told, tags=tags, updated=newer.updated)


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
    """What an older failure said and the record says no more; empty if it says all of it."""
    said = {name: text for name in REPLACED if (text := solution_fields.text_of(older, name))}
    return said if any(now.get(name) != text for name, text in said.items()) else {}


def _put_entities(ctx: Context, tx: Transaction, error: Record, fixed: Record, before: list[str]) -> list[str]:
    """Write the entity of an error, and that of the fix of a failure, which resolves it; the names of all.

    A failure without a message or a fix (other tools require none) has no entities.
    """
    message, fix = solution_fields.text_of(error, "errorMessage"), solution_fields.text_of(fixed, "fixApplied")
    if not message.strip() or not fix.strip():
        return before
    error_type = cast("ErrorType", error.type or "other")
    new = NewFailure(error_type, message, solution_fields.text_of(fixed, "rootCause"), fix)
    told = {"errorMessage": message, "files": solution_fields.files_of(fixed)}
    return failures.put_entities(ctx, tx, new, told, before, at=fixed.updated)
