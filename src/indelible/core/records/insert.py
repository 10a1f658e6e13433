"""Storing new records with their words and relations."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from indelible.core.context.context import Context
from indelible.errors import Conflict
from indelible.model import Record
from indelible.search import tokens
from indelible.store.database import Transaction
from indelible.store.tables import records, terms


def words_of(record: Record, text_terms: dict[int, int] | None = None) -> dict[int, int]:
    """Return how often a record has each of the terms that it is found by: of its text, its tags, its name.

    The text of a document is found by its chunks. `text_terms` are the terms of the text if already counted.
    """
    if record.kind == "document":
        text_terms = {}
    counts = dict(tokens.terms(record.text) if text_terms is None else text_terms)
    for term, count in tokens.terms(" ".join([record.label, *record.tags])).items():
        counts[term] = counts.get(term, 0) + count
    return counts


def index_words(ctx: Context, tx: Transaction, record: Record, text_terms: dict[int, int] | None = None) -> None:
    """Store the terms of a record; `text_terms` are counted before the transaction, since a long text takes a while."""
    terms.put(tx, ctx.tenant, record.id, words_of(record, text_terms), terms.words_of(record.kind))


def content_hash(content: str) -> str:
    """Return the SHA-256 of a content, in hex."""
    return hashlib.sha256(content.encode()).hexdigest()


def new_tags(record: Record, given: Sequence[str]) -> tuple[str, ...]:
    """Return those of the given tags that a record does not have, each once, in their order."""
    return tuple(tag for tag in dict.fromkeys(given) if tag not in record.tags)


def add(ctx: Context, tx: Transaction, record: Record, text_terms: dict[int, int]) -> Record:
    """Insert a record and its terms; returns it with its row id. Raises Conflict where its id is taken."""
    row = records.insert(tx, record)
    if row is None:
        raise Conflict(f"{record.kind} {record.key} already exists in namespace {record.namespace!r}")
    record = replace(record, id=row)
    index_words(ctx, tx, record, text_terms)
    return record
