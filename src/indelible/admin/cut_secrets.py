"""Removing secrets that older rules let into documents and that the border of a chunk cuts, so that no rule finds them.

They are searched in the whole texts of documents, stored and in the trash, before these are repaired.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from indelible.core.context.context import Context
from indelible.core.records import insert
from indelible.sanitize.secret_spans import Span, mark_of, spans_of
from indelible.store.database import Transaction
from indelible.store.tables import records, versions
from indelible.store.views import documents, redaction

_Wholes = dict[str, list[tuple[str, list[Span]]]]  # by the session of the chunks: texts with the secrets in them


def mend(ctx: Context) -> None:
    """Redact parts of secrets in every chunk, stored and in the trash. Raises StoreError."""
    wholes: _Wholes = {}
    with ctx.store.read() as tx:
        for key, text in _documents(ctx, tx):
            if spans := spans_of(text):
                wholes.setdefault(documents.session_of(key), []).append((text, spans))
    for session in wholes:
        ctx.store.write(partial(_put_chunks, ctx, session, wholes))
    if wholes:
        ctx.store.write(partial(_put_trash, ctx, wholes))
        ctx.store.write(partial(_put_versions, wholes))  # what they were, before this and by this


def _documents(ctx: Context, tx: Transaction) -> Iterator[tuple[str, str]]:
    last = 0
    while page := records.after(tx, last, redaction.PAGE):
        yield from ((each.key, each.text) for each in page if each.kind == "document")
        last = page[-1].id
    for _, row in _trash(ctx, tx):
        record = row["body"].get("record")
        if record and record["kind"] == "document":
            yield record["key"], record["text"]
    for state in versions.every(tx):
        if state.kind == "document" and state.text is not None:
            yield state.key, state.text


def _trash(ctx: Context, tx: Transaction) -> Iterator[tuple[int | str, dict[str, Any]]]:
    (table,) = (each for each in redaction.TABLES if each.name == "trash")
    after: int | str = 0
    while page := redaction.rows(tx, table, after):
        yield from page
        after = page[-1][0]


def _put_chunks(ctx: Context, session: str, wholes: _Wholes, tx: Transaction) -> None:
    for chunk in documents.chunks(tx, documents.key_of(session)):
        clean = _clean(chunk.text, wholes[session])
        if clean != chunk.text:
            new = replace(chunk, text=clean)
            tx.run("secrets.put_record", **{**records.parameters(new), "id": chunk.id})
            insert.index_words(ctx, tx, new)


def _put_trash(ctx: Context, wholes: _Wholes, tx: Transaction) -> None:
    (table,) = (each for each in redaction.TABLES if each.name == "trash")
    for key, row in list(_trash(ctx, tx)):
        record = row["body"].get("record")
        if record and record["kind"] == "chunk" and record["session"] in wholes:
            clean = _clean(record["text"], wholes[record["session"]])
            if clean != record["text"]:
                record["text"] = clean
                redaction.put(tx, table, key, row)


def _put_versions(wholes: _Wholes, tx: Transaction) -> None:
    for version, session, text in versions.chunks(tx, wholes):
        clean = _clean(text, wholes[session])
        if clean != text:
            versions.set_text(tx, version, clean)


def _clean(chunk: str, wholes: list[tuple[str, list[Span]]]) -> str:
    """A chunk's text without what it has of the secrets, at whatever place of the texts it stands."""
    for text, spans in wholes:
        at = text.find(chunk)
        while at >= 0:
            inside = [
                (start - at, end - at, rule) for start, end, rule in spans if start < at + len(chunk) and end > at
            ]
            if inside:
                return _without(chunk, inside)
            at = text.find(chunk, at + 1)
    return chunk


def _without(text: str, spans: list[Span]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end, rule in spans:
        pieces += (text[done : max(0, start)], mark_of(rule))
        done = end
    return "".join([*pieces, text[done:]])
