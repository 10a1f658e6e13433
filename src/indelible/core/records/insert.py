"""The one way in which a record of any kind is stored: with its words; a worker embeds it after the commit.

`new` makes it, for the call's session and moment; `add` stores it in the caller's transaction, which
`Context.write` makes durable together with its request key. Triggers put it into the log of changes and on the list of
what is to be embedded.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack

from indelible.core.context.context import Context
from indelible.core.context.quota import size_of
from indelible.errors import Conflict
from indelible.model import COMMIT, Record
from indelible.search import rules, tokens
from indelible.store.database import Transaction
from indelible.store.tables import pending, records, terms


class Fields(TypedDict, total=False):
    """The fields of a `Record` that a caller may give."""

    key: str
    namespace: str
    type: str
    label: str
    tags: tuple[str, ...]
    metadata: dict[str, Any]
    importance: float
    confidence: float
    content_hash: str
    session: str
    position: int
    created: int
    updated: int
    replaced: bool
    uid: str


def new(ctx: Context, kind: str, text: str, **fields: Unpack[Fields]) -> Record:
    """Return a record that is not stored yet: of the call's session, stored now, unless fields say else."""
    now = ctx.now()
    record = Record("", kind, text, now, now, session=ctx.session.id, position=now)
    return replace(record, **fields)


def add(ctx: Context, tx: Transaction, record: Record, text_terms: dict[int, int] | None = None) -> Record:
    """Store a new record with its terms; returns it with its row id. Raises Conflict where its id is taken, and
    QuotaExceeded.

    `text_terms` are the terms of its text, where they were counted before the transaction: a long text takes a while.
    """
    ctx.take_room(tx, 1, lambda: size_of([record]))
    row = records.insert(tx, record)
    if row is None:
        raise Conflict(f"{record.kind} {record.key} already exists in namespace {record.namespace!r}")
    record = replace(record, id=row)
    index_words(ctx, tx, record, text_terms)
    return record


def index_words(ctx: Context, tx: Transaction, record: Record, text_terms: dict[int, int] | None = None) -> None:
    """Store the terms of a record that is stored; `text_terms` as of `add`."""
    terms.put(tx, record.id, words_of(record, text_terms), terms.words_of(record.kind))
    if record.kind == COMMIT:
        pending.never(tx, [record.id])


def words_of(record: Record, text_terms: dict[int, int] | None = None) -> dict[int, int]:
    """Return how often a record has each of the terms that it is found by: of its text, its tags, its name.

    The marks of a standing rule are among them, each with 0.

    The text of a document is found by its chunks. `text_terms` are the terms of the text if already counted.
    """
    if record.kind == "document":
        text_terms = {}
    counts = dict(tokens.terms(record.text) if text_terms is None else text_terms)
    for term, count in tokens.terms(" ".join([record.label, *record.tags])).items():
        counts[term] = counts.get(term, 0) + count
    return counts | rules.marks(record.kind, record.type, record.tags, record.text)


def content_hash(content: str) -> str:
    """Return the SHA-256 of a content, in hex."""
    return hashlib.sha256(content.encode()).hexdigest()


def new_tags(record: Record, given: Sequence[str]) -> tuple[str, ...]:
    """Return those of the given tags that a record does not have, each once, in their order."""
    return tuple(tag for tag in dict.fromkeys(given) if tag not in record.tags)
