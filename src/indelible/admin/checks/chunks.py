"""Documents against their chunks: by these alone a document is found and read in parts."""

from collections.abc import Iterator, Sequence

from indelible.admin.checks.check import REPAIR, Check, Finding, counted, named
from indelible.core.context.context import Context
from indelible.model import Record
from indelible.search import chunking
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.views import documents as stored
from indelible.store.views import soundness
from indelible.toolsets.context.documents import documents


def _without_all_chunks(ctx: Context) -> Iterator[tuple[Record, list[Record]]]:
    """The documents whose chunks have not all of their texts, or stand in another namespace; with these chunks."""
    with ctx.store.read() as tx:
        ids = soundness.ids(tx, "documents")
    for id_ in ids:
        with ctx.store.read() as tx:
            document = records.by_ids(tx, [id_]).get(id_)
            chunks = [] if document is None else stored.chunks(tx, document.key)
        if document is not None and not fits(document, chunks):
            yield document, chunks


def fits(document: Record, chunks: Sequence[Record]) -> bool:
    """Return whether chunks have all of a document's text and nothing else, in its order."""
    if documents.is_placeholder(document):
        return not chunks
    if any(chunk.namespace != document.namespace for chunk in chunks):
        return False
    made = chunking.chunks(document.text, chunking.syntax_of(document.label))
    return [chunk.text for chunk in chunks] == [chunk.text for chunk in made] or _cover(document.text, chunks)


def _cover(text: str, chunks: Sequence[Record]) -> bool:
    """Whether chunks have all of a text in its order; another version may have cut it at other places."""
    end = start = 0
    for chunk in chunks:
        start = text.find(chunk.text, start)
        if start < 0 or text[end:start].strip():
            return False
        end = max(end, start + len(chunk.text))
    return not text[end:].strip()


def _find(ctx: Context) -> Iterator[Finding]:
    wrong: list[str] = []
    uncut: list[str] = []
    for document, chunks in _without_all_chunks(ctx):
        (wrong if chunks else uncut).append(document.label or document.key)
    if uncut:
        yield Finding(
            f"{counted(len(uncut), 'document')} cannot be found by the text{named(uncut)}: an import brought no chunks "
            f"with it; {REPAIR} cuts it",
            fault=False,
        )
    if wrong:
        yield Finding(
            f"the chunks of {counted(len(wrong), 'document')} have not all of the text{named(wrong)}, which is found "
            f"by them; {REPAIR} cuts it again"
        )
    with ctx.store.read() as tx:
        lost = soundness.documents_of_lost_chunks(tx)
    if lost:
        numbers = named(map(stored.key_of, lost))
        yield Finding(
            f"{counted(len(lost), 'document')} of which chunks are left cannot be found{numbers}; {REPAIR} makes it of"
            " the chunks that are left"
        )


def _mend(ctx: Context) -> Iterator[str]:
    with ctx.store.read() as tx:
        lost = soundness.documents_of_lost_chunks(tx)
    for session in lost:
        ctx.store.write(lambda tx, session=session: _make_again(ctx, tx, session))  # type: ignore[misc]
    if lost:
        yield f"made {counted(len(lost), 'document')} again of what is left of the chunks"
    wrong = list(_without_all_chunks(ctx))
    for document, _ in wrong:
        ctx.store.write(lambda tx, id_=document.id: _cut_again(ctx, tx, id_))  # type: ignore[misc]
    if wrong:
        yield f"cut the text of {counted(len(wrong), 'document')} into chunks again"


def _cut_again(ctx: Context, tx: Transaction, id_: int) -> None:
    document = records.by_ids(tx, [id_]).get(id_)
    if document is not None:
        documents.cut_again(ctx, tx, document)


def _make_again(ctx: Context, tx: Transaction, session: str) -> None:
    chunks = stored.chunks(tx, stored.key_of(session))
    if chunks:
        documents.make_again(ctx, tx, stored.key_of(session), chunks)


DOCUMENTS = Check("documents against chunks", _find, _mend)
