"""Checks of redundant data of each record: the hash of its text, its terms, its vectors; read by pages."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, TypeVar

from indelible.admin import backups, tokenizer
from indelible.admin.checks.check import REPAIR, Check, Finding, counted, named
from indelible.core.context.context import Context
from indelible.core.records import insert, item_schema, trash
from indelible.dataclass import dataclass
from indelible.model import CODE_KINDS, Record
from indelible.search import tokens
from indelible.search.index import vector_index, vectors
from indelible.search.index.entries import unpack_terms
from indelible.store.database import Transaction
from indelible.store.sqlite.old_files import text_of
from indelible.store.tables import embeddings, records, terms
from indelible.store.tables import trash as trashed
from indelible.store.views import solutions, soundness
from indelible.store.views.soundness import TermsRow, VectorRow

Row = TypeVar("Row", TermsRow, VectorRow)

PAGE = 500  # records a transaction
READ_AGAIN = 25  # the same where a server reads words again: it gives way to calls between two of them, not within one
WORDS = (terms.WORDS, terms.CODE_WORDS, terms.COMMIT_WORDS)
SPARSE = (terms.SPARSE, terms.CODE_SPARSE)
NEVER_EMBEDDED = ("document", "file", "commit")


@dataclass(frozen=True, slots=True)
class Page:
    """Some records with their hashes, terms and vectors; `dimensions` by the number of the model.

    `is_current` tells whether all words of the store were read by this version.
    """

    records: list[Record]
    terms: dict[int, list[TermsRow]] = field(default_factory=dict)
    vectors: dict[int, list[VectorRow]] = field(default_factory=dict)
    dimensions: dict[int, int] = field(default_factory=dict)
    is_current: bool = True


class RowCheck(NamedTuple):
    """A check of single records: `wrong` returns the faulty ones of a page, `mend` repairs them in one transaction.

    `said` and `done` are sentences with `{records}` and `{names}` in them, and `{repair}`. What is no `fault` is only a
    remark.
    """

    wrong: Callable[[Page], Iterable[Record]]
    said: str
    done: str
    mend: Callable[[Context, Transaction, Sequence[Record]], None]
    fault: bool = True


# --- Reading ---


def pages(ctx: Context) -> Iterator[Page]:
    """All records, a page at a time."""
    last = 0
    while True:
        with ctx.store.read() as tx:
            page = _page(ctx, tx, last)
        if not page.records:
            return
        yield page
        last = page.records[-1].id


def _page(ctx: Context, tx: Transaction, last: int, most: int = PAGE) -> Page:
    found = records.after(tx, last, most)
    if not found:
        return Page([])
    low, high = found[0].id, found[-1].id
    return Page(
        found,
        _by_record(soundness.terms_in(tx, low, high)),
        _by_record(soundness.vectors_in(tx, low, high)),
        {model.number: model.dimensions for model in embeddings.models(tx)},
        tokenizer.place(tx).last is None,
    )


def _by_record(rows: Iterable[Row]) -> dict[int, list[Row]]:
    ordered = sorted(rows, key=attrgetter("record"))
    return {record: list(same) for record, same in groupby(ordered, key=attrgetter("record"))}


# --- Hashes ---


def _wrong_hash(page: Page) -> Iterator[Record]:
    return (record for record in page.records if record.content_hash != _right_hash(record))


def _right_hash(record: Record) -> str:
    """Return the correct hash of a record. Older versions and placeholders left some kinds without one."""
    if not record.content_hash and record.kind != "memory":
        return ""
    return item_schema.content_hash(record.kind, record.type, record.text, record.metadata)


def _mend_hash(ctx: Context, tx: Transaction, wrong: Sequence[Record]) -> None:
    """Restore the text that has the hash from the trash or a backup; if there is none, hash the present text."""
    for record in wrong:
        text = _lost_text(ctx, tx, record)
        if text is not None:
            trash.overwrite(ctx, tx, record, replace(record, text=text))
            continue
        right = _right_hash(record)
        if record.kind == "memory" and not record.replaced:
            twin = records.by_content(tx, record.namespace, right)
            if twin is not None:  # one that says the same word for word: an undo brings this one back
                trash.delete(ctx, tx, record)
                continue
        if record.kind == "failure" and solutions.by_signatures(tx, [right]):
            right = ""
        soundness.set_hash(tx, record.id, right)


def _lost_text(ctx: Context, tx: Transaction, record: Record) -> str | None:
    """The text that a record had when its hash was written, None where neither the trash nor a backup has it.

    Only where the hash is that of the text: a failure is known by its message, an attempt by its prompt.
    """
    if record.kind not in item_schema.HASHED or not record.content_hash:
        return None
    earlier = (thing.state.text for thing in trashed.of_key(tx, record.key))
    found = next((text for text in earlier if _has_hash_of(record, text)), None)
    return found if found is not None else _in_backups(ctx, record)


def _has_hash_of(record: Record, text: str) -> bool:
    return item_schema.content_hash(record.kind, record.type, text, record.metadata) == record.content_hash


def _in_backups(ctx: Context, record: Record) -> str | None:
    """Return the text from the automatic backups beside the store, the newest first, None if none has it."""
    if not backups.is_file(ctx):
        return None
    for file in backups.automatic(ctx):
        text = text_of(file, record.kind, record.namespace, record.key)
        if text is not None and _has_hash_of(record, text):
            return text
    return None


# --- Words ---


def _wrong_words(page: Page) -> Iterator[Record]:
    for record in page.records:
        rows = {row.partition: row for row in page.terms.get(record.id, ()) if row.partition in WORDS}
        own = rows.pop(terms.words_of(record.kind), None)
        if own is None or rows or not (_says(own, record) or _is_older(page, own, record)):
            yield record


def _words_to_read_again(page: Page) -> Iterator[Record]:
    """Yield the records of `_wrong_words` and of `_older_words`; each text is read once."""
    for record in page.records:
        rows = {row.partition: row for row in page.terms.get(record.id, ()) if row.partition in WORDS}
        own = rows.pop(terms.words_of(record.kind), None)
        if own is None or rows or not _says(own, record):
            yield record


def _older_words(page: Page) -> Iterator[Record]:
    for record in page.records:
        own = [row for row in page.terms.get(record.id, ()) if row.partition == terms.words_of(record.kind)]
        if own and not _says(own[0], record) and _is_older(page, own[0], record):
            yield record


def _is_older(page: Page, row: TermsRow, record: Record) -> bool:
    """Whether a row may be of an older version, which read fewer words in the same text: it has none of another."""
    if page.is_current or record.kind in CODE_KINDS or not _is_packed(row.body):
        return False
    counts = insert.words_of(record)
    numbers, often = unpack_terms(row.body)
    known = dict(zip(numbers.tolist(), often.tolist(), strict=True))
    return row.size == sum(known.values()) > 0 and all(counts.get(term) == number for term, number in known.items())


def _says(row: TermsRow, record: Record) -> bool:
    """Whether a row has the words of a record; those of code were read in its file, and need only be some."""
    if record.kind in CODE_KINDS:
        return row.size == sum(row.body[len(row.body) // 5 * 4 :]) and _is_packed(row.body)
    counts = insert.words_of(record)
    if row.size == sum(counts.values()) and row.body == tokens.pack(counts):
        return True
    if record.kind != "document":
        return False
    counts = insert.words_of(replace(record, kind="chunk"))  # before schema 3 a document was indexed with its text
    return row.size == sum(counts.values()) and row.body == tokens.pack(counts)


def _is_packed(body: bytes) -> bool:
    """Whether a body can be terms: four bytes each, ascending, then one each."""
    numbers, _ = unpack_terms(body)
    return len(body) == 5 * len(numbers) and bool((numbers[1:] > numbers[:-1]).all())


def _mend_words(ctx: Context, tx: Transaction, wrong: Sequence[Record]) -> None:
    for record in wrong:
        own = terms.words_of(record.kind)
        soundness.drop_terms(tx, record.id, [space for space in WORDS if space != own])
        insert.index_words(ctx, tx, record)
    soundness.log_again(tx, [record.id for record in wrong])


def index_words_again(ctx: Context, last: int, then: Callable[[Transaction, int], None]) -> int | None:
    """Index the next page of records after a row id again, where their words are not those of their texts.

    Returns the page's last id, for the next call; None where there was no page. `then` gets it in the transaction.
    """
    with ctx.store.read() as tx:
        page = _page(ctx, tx, last, READ_AGAIN)
    if not page.records:
        return None
    upto = page.records[-1].id
    wrong = [record.id for record in _words_to_read_again(page)]

    def work(tx: Transaction) -> None:
        there = records.by_ids(tx, wrong)
        _mend_words(ctx, tx, [there[id_] for id_ in wrong if id_ in there])
        then(tx, upto)

    ctx.store.write(work)
    return upto


# --- Embeddings ---


def _wrong_embedding(page: Page) -> Iterator[Record]:
    wrong = _wrong_codes(page)
    for record in page.records:
        vectors = page.vectors.get(record.id, [])
        sparse = [row for row in page.terms.get(record.id, ()) if row.partition in SPARSE]
        if not vectors and not sparse:
            continue
        if (
            not _may_be_embedded(record)
            or not vectors
            or not _are_whole(vectors)
            or record.id in wrong
            or not all(_fits(row, record) for row in sparse)
        ):
            yield record


def _are_whole(rows: Sequence[VectorRow]) -> bool:
    """Whether the windows of each model that embedded a record are numbered from 0."""
    by_model = {model: [r.view for r in rows if r.model == model] for model in {row.model for row in rows}}
    return all(
        views[0] % embeddings.VIEWS == 0 and views == list(range(views[0], views[0] + len(views)))
        for views in by_model.values()
    )


def _may_be_embedded(record: Record) -> bool:
    """Whether a record may have vectors; what symbols need none an older version may have embedded."""
    return record.kind not in NEVER_EMBEDDED and record.text != ""


def _fits(row: TermsRow, record: Record) -> bool:
    right = terms.CODE_SPARSE if record.kind == "symbol" else terms.SPARSE
    return row.partition == right and row.size * 5 == len(row.body) and _is_packed(row.body)


def _wrong_codes(page: Page) -> set[int]:
    """The records of which a vector has not the length of its model's, or another code than its values give."""
    wrong = set()
    by_length: dict[tuple[int, int], list[VectorRow]] = {}
    for row in (row for rows in page.vectors.values() for row in rows):
        dimensions = page.dimensions.get(row.model, 0)
        if len(row.vector) != 2 * dimensions or len(row.code) != vector_index.width(dimensions):
            wrong.add(row.record)
        else:
            by_length.setdefault((row.model, dimensions), []).append(row)
    for rows in by_length.values():
        fit = vectors.codes_fit([row.vector for row in rows], [row.code for row in rows])
        wrong.update(row.record for row, fits in zip(rows, fit, strict=True) if not fits)
    return wrong


def _mend_embedding(ctx: Context, tx: Transaction, wrong: Sequence[Record]) -> None:
    for record in wrong:
        soundness.drop_embedding(tx, record.id)
    soundness.log_again(tx, [record.id for record in wrong])


# --- All of them in one pass ---

CHECKS = (
    RowCheck(
        _wrong_hash,
        "the text of {records} does not fit the hash that was stored with it{names}; {repair} takes the text that does "
        "from the trash or a backup, and hashes what is there where neither has it",
        "mended {records} whose text did not fit its hash{names}",
        _mend_hash,
    ),
    RowCheck(
        _wrong_words,
        "the words by which recall finds {records} are lost, or not those of the text{names}; {repair} indexes them "
        "again",
        "indexed {records} again",
        _mend_words,
    ),
    RowCheck(
        _older_words,
        "the words of {records} are those that an older version read in the text{names}; a server reads them again "
        "within minutes, and so does {repair}",
        "read the words of {records} again, which an older version had read",
        _mend_words,
        fault=False,
    ),
    RowCheck(
        _wrong_embedding,
        "the vectors or sparse terms of {records} cannot be those of a text{names}; {repair} has them made again",
        "forgot what could not be the embedding of {records}: it is made again",
        _mend_embedding,
    ),
)


def _find(ctx: Context) -> Iterator[Finding]:
    wrong: list[list[str]] = [[] for _ in CHECKS]
    for page in pages(ctx):
        for keys, check in zip(wrong, CHECKS, strict=True):
            keys += [record.key for record in check.wrong(page)]
    return (Finding(_filled(check.said, keys), check.fault) for keys, check in zip(wrong, CHECKS, strict=True) if keys)


def _mend(ctx: Context) -> Iterator[str]:
    """Run the checks one after the other on each page, so that each sees the repairs of those before."""
    wrong: list[list[str]] = [[] for _ in CHECKS]
    for page in pages(ctx):
        again = page
        for keys, check in zip(wrong, CHECKS, strict=True):
            found = list(check.wrong(again))
            if not found:
                continue
            keys += [record.key for record in found]
            ctx.store.write(partial(_mend_page, ctx, check, [record.id for record in found]))
            with ctx.store.read() as tx:
                again = _page(ctx, tx, page.records[0].id - 1)
    return (_filled(check.done, keys) for keys, check in zip(wrong, CHECKS, strict=True) if keys)


def _mend_page(ctx: Context, check: RowCheck, ids: Sequence[int], tx: Transaction) -> None:
    """Mend records as they are now: they may have changed since they were looked at."""
    there = records.by_ids(tx, ids)
    check.mend(ctx, tx, [there[id_] for id_ in ids if id_ in there])


def _filled(sentence: str, keys: Sequence[str]) -> str:
    return sentence.format(records=counted(len(keys), "record"), names=named(keys), repair=REPAIR)


RECORDS = Check("texts, hashes, words and vectors", _find, _mend)
