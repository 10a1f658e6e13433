"""Context for a model: documents within a number of tokens, and stored texts about a question."""

from collections.abc import Mapping, Sequence
from typing import Any

from indelible.core.context import ids
from indelible.core.context.context import Context
from indelible.core.recall import recall
from indelible.core.recall.candidates import Query
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.model import Hit
from indelible.sanitize.prompt_frame import visible
from indelible.sanitize.validate import is_blank
from indelible.search.model_tokens.context_window import Titled, Window, fitted
from indelible.search.model_tokens.o200k import count
from indelible.store.database import Transaction
from indelible.toolsets import shapes
from indelible.toolsets.context.documents.documents import is_placeholder

OWN_KINDS = ("document", "chunk", "message", "todo", "attempt")  # of the toolset: its ids are looked up here first

# By what a text is called, best first, and by what a stored one is found: as agents have it from other tools.
_TITLES = ("title", "file_name")
_IDS = ("id", "document_id", "message_id", "resource_id", "chunk_id")


@dataclass(frozen=True, slots=True)
class Known:
    """The stored texts about a question: the hits, nearest first, and the total number of their tokens."""

    hits: list[Hit]
    tokens: int


def build(ctx: Context, documents: Sequence[Mapping[str, Any]], most: int) -> Window:
    """Return the documents in their order as one text of at most `most` tokens.

    Each is an object with `content`, or with the `id` of a stored text; its heading is its `title` or `file_name` (own
    or in its `metadata`), else the id, and says what of a stored text no longer holds. Texts without visible characters
    are skipped. Raises InvalidInput for an object with neither, NotFound and Conflict for an id.
    """
    with ctx.store.read() as tx:
        parts = [_part(ctx, tx, number, each) for number, each in enumerate(documents)]
    return fitted([part for part in parts if not is_blank(part.text)], most)


def _part(ctx: Context, tx: Transaction, number: int, given: Mapping[str, Any]) -> Titled:
    place = f"documents.{number}"
    content, id_ = _text(given, "content", place), _id(given, place)
    if content is None and id_ is None:
        has = ", ".join(given) or "nothing"
        raise InvalidInput(f"{place} needs content, or the id of what is stored; it has {has}")
    title = _title(given, place)
    if content is None:
        record = ids.find(ctx, tx, f"{place}.id", id_ or "", OWN_KINDS)
        ctx.call.touched.append(record.key)
        text = "" if is_placeholder(record) else visible(record.text).strip("\n")
        marks = "; ".join(shapes.remarks(shapes.standings(ctx, tx, [record])[record.id]))
        return Titled(_line(f"{title or record.label or id_ or ''}{f' [{marks}]' if marks else ''}"), text)
    return Titled(_line(title or id_ or f"Document {number + 1}"), visible(content).strip("\n"))


def _title(given: Mapping[str, Any], place: str) -> str | None:
    metadata = given.get("metadata")
    for where in (given, metadata if isinstance(metadata, Mapping) else {}):
        for name in _TITLES:
            found = _text(where, name, place)
            if found is not None and not is_blank(found):
                return found
    return None


def _id(given: Mapping[str, Any], place: str) -> str | None:
    for name in _IDS:
        found = given.get(name)
        if found is None:
            continue
        if isinstance(found, bool) or not isinstance(found, (str, int)) or found == "":
            raise InvalidInput(f"{place}.{name} must be an id, as text or as a number, got {found!r:.80}")
        return str(found)
    return None


def _text(given: Mapping[str, Any], name: str, place: str) -> str | None:
    found = given.get(name)
    if found is not None and not isinstance(found, str):
        raise InvalidInput(f"{place}.{name} must be text, got {found!r:.80}")
    return found


def _line(title: str) -> str:
    return " ".join(visible(title).split())


def known_of(ctx: Context, question: str, limit: int) -> Known:
    """Return stored texts of any kind with evidence of being about the question, nearest first."""
    hits = recall.recall(ctx, Query(question, limit, relevance_only=True))
    return Known(hits, sum(count(visible(hit.record.text)) for hit in hits))
