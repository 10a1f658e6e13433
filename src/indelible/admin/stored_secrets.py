"""Counting secrets that older rules let into a store, and redacting them in every row.

Each step is a transaction that finds again what is left, so that it can be repeated after a crash. Indexed files with a
secret are not redacted but deleted from the index, and read again by the next run.
"""

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from indelible.admin import cut_secrets
from indelible.batching import breathe
from indelible.core.context.context import Context
from indelible.core.records import insert, item_schema, trash
from indelible.core.records.insert import content_hash
from indelible.model import CODE_KINDS, Record
from indelible.sanitize.redact import JSON, redact
from indelible.sanitize.secret_rules import VERSION
from indelible.search.index.postings import BLOCK
from indelible.store.database import Transaction
from indelible.store.tables import purge, records
from indelible.store.views import redaction, solutions

Counts = Counter[str]


# --- How many there are ---


def count(ctx: Context, tx: Transaction) -> Counts:
    """Return the number of secrets in a store by rule; data that these rules have checked before is skipped."""
    if redaction.looked_through_with(tx) >= VERSION:
        return Counter()
    return _count(ctx, tx)


def _count(ctx: Context, tx: Transaction) -> Counts:
    found: Counts = Counter()
    for record in _records(ctx, tx):
        _clean_record(record, found)
    for table in redaction.TABLES:
        for page in _pages(ctx, tx, table):
            for _, row in page:
                _clean(row, found)
    for table in redaction.NAMES:
        for _, named in redaction.names(tx, table):
            _clean(_plain(named), found)
    for _, texts in redaction.code(tx):
        _clean(_plain(texts), found)
    return found


def is_there(ctx: Context, tx: Transaction) -> bool:
    """Return whether the store has any secret."""
    return bool(_count(ctx, tx))


def _records(ctx: Context, tx: Transaction) -> Iterator[Record]:
    last = 0
    while page := records.after(tx, last, redaction.PAGE):
        yield from page
        last = page[-1].id


def _pages(ctx: Context, tx: Transaction, table: redaction.Table) -> Iterator[list[tuple[int | str, dict[str, Any]]]]:
    after: int | str = "" if table.key == "key" else 0
    while page := redaction.rows(tx, table, after):
        yield page
        after = page[-1][0]


def _clean(value: JSON, found: Counts) -> Any:
    clean, findings = redact(value, "")
    for finding in findings:
        found[finding.rule] += finding.count
    return clean


def _clean_record(record: Record, found: Counts) -> Record:
    clean = {name: _clean(getattr(record, name), found) for name in redaction.RECORD}
    tags = tuple(_clean(list(record.tags), found))
    metadata = _clean(record.metadata, found)
    new = replace(record, **clean, tags=tags, metadata=metadata)
    if record.kind == "document" and new.label != record.label:  # one of a name in a namespace
        new = replace(new, label=f"{new.label} ({new.key})")
    if record.kind != "failure" and record.content_hash and record.content_hash == _hash_of(record):
        new = replace(new, content_hash=_hash_of(new))
    return new


def _hash_of(record: Record) -> str:
    return item_schema.content_hash(record.kind, record.type, record.text, record.metadata)


def _plain(texts: Sequence[str | bytes]) -> list[JSON]:
    """Return the texts, packed ones unpacked."""
    return [unpacked(text) if isinstance(text, bytes) else text for text in texts]


def unpacked(body: bytes) -> str:
    """Return the text of packed bytes, or of bytes that are not packed."""
    try:
        return zlib.decompress(body).decode(errors="replace")
    except zlib.error:
        return body.decode(errors="replace")


# --- Taking them out ---


def mend(ctx: Context) -> Counts:
    """Redact every secret in a store (rows, trash, answers, events, activity, names, code index); return the counts.

    The terms of redacted memories are rebuilt; their embeddings are queued for the worker. Raises StoreError.
    """
    found: Counts = Counter()
    _mend_code(ctx, found)
    cut_secrets.mend(ctx)
    blocks = _mend_records(ctx, found)
    for table in redaction.TABLES:
        with ctx.store.read() as tx:
            rows = [
                (key, row) for page in _pages(ctx, tx, table) for key, row in page if _clean(row, Counter()) is not row
            ]
        for at in range(0, len(rows), redaction.PAGE):
            ctx.store.write(partial(_put_rows, ctx, table, rows[at : at + redaction.PAGE], found))
            breathe()
    for table in redaction.NAMES:
        _drop_names(ctx, table, found)
    ctx.store.write(lambda tx: purge.drop_blocks(tx, blocks))
    ctx.store.write(lambda tx: redaction.note(tx, VERSION))
    return found


def _drop_names(ctx: Context, table: redaction.Table, found: Counts) -> None:
    with ctx.store.read() as tx:
        keys = [key for key, texts in redaction.names(tx, table) if _has(_plain(texts))]
    for key in keys:
        ctx.store.write(partial(_drop, ctx, table, key))
        breathe()
    found.update({f"{table.name}-name": len(keys)} if keys else {})


def _drop(ctx: Context, table: redaction.Table, key: int | str, tx: Transaction) -> None:
    redaction.drop_name(tx, table, key)


def _mend_code(ctx: Context, found: Counts) -> None:
    with ctx.store.read() as tx:
        files = dict.fromkeys(file for file, texts in redaction.code(tx) if _has(_plain(texts)))
        of_code = (record for record in _records(ctx, tx) if record.kind in CODE_KINDS)
        lone = [record.id for record in of_code if _clean_record(record, Counter()) != record]
    found.update({"source-file": len(files)} if files else {})

    def forget(tx: Transaction, file: int) -> None:
        records.delete_many(tx, redaction.of_file(tx, file))

    for file in files:
        ctx.store.write(partial(_called, forget, file))
    ctx.store.write(lambda tx: records.delete_many(tx, lone))


def _called(work: Any, given: Any, tx: Transaction) -> None:
    work(tx, given)


def _has(value: JSON) -> bool:
    return bool(redact(value, "")[1])


def _mend_records(ctx: Context, found: Counts) -> set[int]:
    with ctx.store.read() as tx:
        ids = [record.id for record in _records(ctx, tx) if _clean_record(record, Counter()) != record]
    for at in range(0, len(ids), trash.TOGETHER):
        ctx.store.write(partial(_put_records, ctx, ids[at : at + trash.TOGETHER], found))
        breathe()
    return {record // BLOCK for record in ids}


def _put_records(ctx: Context, ids: Sequence[int], found: Counts, tx: Transaction) -> None:
    for old in records.by_ids(tx, ids).values():
        here: Counts = Counter()
        new = _apart(ctx, tx, old, _clean_record(old, here))
        if new == old:
            continue
        tx.run("secrets.put_record", **{**records.parameters(new), "id": old.id})
        if (new.text, new.label, new.tags) != (old.text, old.label, old.tags):
            insert.index_words(ctx, tx, new)
        found.update(here)


def _apart(ctx: Context, tx: Transaction, old: Record, new: Record) -> Record:
    """Return the record, with a number added if its redaction made it equal to another: none is lost.

    Of two failures that have one signature then the second stands without.
    """
    if new.kind == "failure" and new.content_hash == _hash_of(old):
        signature = _hash_of(new)
        same = solutions.by_signatures(tx, [signature])
        taken = any(each.namespace == new.namespace and each.id != new.id for each in same)
        new = replace(new, content_hash="" if taken else signature)
    key, text, number = new.key, new.text, 2
    while any(
        (each.namespace, each.kind) == (new.namespace, new.kind) and each.id != new.id
        for each in records.by_key(tx, new.key)
    ):
        new, number = replace(new, key=f"{key} ({number})"), number + 1
    number = 2
    while (
        new.kind == "memory"
        and not new.replaced
        and (twin := records.by_content(tx, new.namespace, new.content_hash)) is not None
        and twin.id != new.id
    ):
        numbered = f"{text} ({number})"
        new, number = replace(new, text=numbered, content_hash=content_hash(numbered)), number + 1
    return new


def _put_rows(
    ctx: Context,
    table: redaction.Table,
    rows: Sequence[tuple[int | str, dict[str, Any]]],
    found: Counts,
    tx: Transaction,
) -> None:
    for key, row in rows:
        clean = _clean(row, found)
        if table.name == "trash":
            if "record" in clean["body"]:
                _fit_hash(row["body"]["record"], clean["body"]["record"])
            for relation in clean["body"]["edges"]:
                relation["canonical"] = relation["relation"].upper()
        if table.name == "edge":
            clean["relation"] = _free_name(ctx, tx, key, clean["relation"])
        if table.name in ("edge", "edge_version"):
            clean["canonical"] = clean["relation"].upper()  # in which no rule knows the secret
        redaction.put(tx, table, key, clean)


def _free_name(ctx: Context, tx: Transaction, edge: int | str, relation: str) -> str:
    """The name of a relation, numbered where another one between the same two has become the same."""
    name, number = relation, 2
    while redaction.has_duplicate(tx, edge, name):
        name, number = f"{relation} ({number})", number + 1
    return name


def _fit_hash(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Correct the hash of a discarded record to its redacted text, so that an undone record is found again."""
    if old["content_hash"] == content_hash(old["text"]):
        new["content_hash"] = content_hash(new["text"])
