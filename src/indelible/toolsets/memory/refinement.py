"""Refining, splitting and merging memories; the source memories are kept."""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from math import fsum
from typing import Any, NotRequired, TypedDict

from indelible.clock import ENDED, sortable_text
from indelible.core.context import checkout
from indelible.core.context import ids as context_ids
from indelible.core.context.context import Context
from indelible.core.records import insert, lifetimes, past, trust
from indelible.core.records.bounds import refuse_many_tags
from indelible.core.records.lifetimes import UNCHANGED, Lifetime
from indelible.dataclass import dataclass
from indelible.errors import Conflict, InvalidInput
from indelible.model import Edge, Record
from indelible.search import tokens
from indelible.store.database import Transaction
from indelible.store.tables import edges, records


@dataclass(frozen=True, slots=True)
class Refinement:
    """The fields that a refinement changes; None is inherited."""

    content: str | None = None
    importance: float | None = None
    tags: Sequence[str] | None = None
    lifetime: Lifetime = UNCHANGED


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a memory that is split; None is inherited."""

    content: str
    tags: Sequence[str] | None = None
    importance: float | None = None
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Merging:
    """Several memories as one; without tags it has those of all of them."""

    source_ids: Sequence[str]
    content: str
    type: str = "insight"
    importance: float = 0.7
    tags: Sequence[str] | None = None


class Refined(TypedDict):
    """The replaced memory and the one that replaces it.

    `warning` says that too many are pinned, or that another version had replaced it before.
    """

    old_id: str
    new_id: str
    warning: NotRequired[str]


class Split(TypedDict):
    """A memory and its parts: one id for each part given, in that order; equal parts are one memory."""

    source_id: str
    parts: list[str]


class Merged(TypedDict):
    """The new memory and those that it summarises, each once, in the order given."""

    merged_id: str
    source_ids: list[str]


@dataclass(frozen=True, slots=True)
class _Text:
    """A content with its hash and terms, computed before the transaction to keep that short."""

    content: str
    digest: str
    terms: dict[int, int]


def _prepared(content: str) -> _Text:
    return _Text(content, insert.content_hash(content), tokens.terms(content))


def refine(ctx: Context, key: str, change: Refinement) -> Refined:
    """Store a memory that replaces another; the old one is kept and EVOLVED_INTO the new.

    Fields that are not given are inherited, except an untrusted mark. A memory can be refined several times: all its
    refinements are current. Raises InvalidInput if nothing changes, NotFound for an unknown id, and Conflict if another
    current memory of the namespace has the content.
    """
    if change == Refinement():
        raise InvalidInput(
            "give at least one of content, importance, tags, expires_at, pinned, valid_from and valid_to: without them "
            "there is nothing to refine"
        )
    prepared = _prepared(_content_of(ctx, key) if change.content is None else change.content)

    def work(tx: Transaction) -> Refined:
        old = context_ids.find_own(ctx, tx, "id", key, "memory")
        text, other = prepared, past.replacing(ctx, tx, [old]).get(old.id)
        if change.content is None and old.content_hash != text.digest:  # updated by another call meanwhile
            text = _prepared(old.text)
        # Replaced first: the new one may have the same content, which only one current memory can have.
        records.set_replaced(tx, old.id, True)
        _refuse_known(ctx, tx, old.namespace, text)
        new = replace(
            _after(ctx, trust.trusted(ctx, old), text),
            importance=old.importance if change.importance is None else change.importance,
            tags=old.tags if change.tags is None else tuple(change.tags),
        )
        new = replace(new, metadata=_inherited(ctx, old, new, change.lifetime))
        new = insert.add(ctx, tx, new, text.terms)
        _relate(ctx, tx, old, "EVOLVED_INTO", new)
        warnings = [lifetimes.warning(ctx, tx, new.namespace)] if change.lifetime.pinned else []
        if other is not None:
            warnings.append(
                f"memory {old.key} was replaced by {other} before, so that both versions are current now: "
                "delete_memory the one that does not hold"
            )
        answer: Refined = {"old_id": old.key, "new_id": new.key}
        warning = "; ".join(filter(None, warnings))
        return {**answer, "warning": warning} if warning else answer

    answer = ctx.write(work)
    ctx.call.touched.extend((answer["old_id"], answer["new_id"]))
    return answer


def _inherited(ctx: Context, old: Record, new: Record, given: Lifetime) -> dict[str, Any]:
    """Return the metadata of a refinement: of what has expired or ended the new one does not take that over."""
    now = sortable_text(ctx.now())
    dropped = set()
    if lifetimes.has_expired(old, now):
        dropped.add(lifetimes.EXPIRES_AT)
    if lifetimes.validity(old.metadata, now) == ENDED:
        dropped |= {lifetimes.VALID_FROM, lifetimes.VALID_TO}
    kept = {name: value for name, value in new.metadata.items() if name not in dropped}
    return lifetimes.with_lifetime(ctx, kept, given)


def split(ctx: Context, key: str, parts: Sequence[Part]) -> Split:
    """Store the parts of a memory, each PART_OF it; all of them or none. The memory itself stays current.

    A part has the namespace of the memory, and its type, tags and importance where it gives none of its own. A part
    whose content a current memory of the namespace has already is that memory, as it is: it is related only. Raises
    NotFound for an unknown id, InvalidInput without parts and for a part that is the whole.
    """
    if not parts:
        raise InvalidInput("parts must name at least one part, got []")
    texts = [_prepared(part.content) for part in parts]

    def work(tx: Transaction) -> Split:
        source = context_ids.find_own(ctx, tx, "id", key, "memory")
        for at, text in enumerate(texts):
            if text.digest == source.content_hash:
                raise InvalidInput(
                    f"parts.{at}.content is the whole content of memory {source.key}; give a part of it, "
                    "or use refine_memory to change its tags or importance"
                )
        made = [_part(ctx, tx, source, part, text) for part, text in zip(parts, texts, strict=True)]
        return {"source_id": source.key, "parts": [part.key for part in made]}

    answer = ctx.write(work)
    ctx.call.touched.extend((answer["source_id"], *dict.fromkeys(answer["parts"])))
    return answer


def _part(ctx: Context, tx: Transaction, source: Record, part: Part, text: _Text) -> Record:
    made = records.by_content(tx, source.namespace, text.digest)
    if made is not None:
        trust.trust(ctx, tx, made)
    else:
        new = replace(
            _after(ctx, source, text),
            type=part.type or source.type,
            label="",
            tags=source.tags if part.tags is None else tuple(part.tags),
            importance=source.importance if part.importance is None else part.importance,
            confidence=1.0,
            metadata={**checkout.noted(checkout.head_of(ctx)), **lifetimes.times_in(source.metadata)},
        )
        made = insert.add(ctx, tx, new, text.terms)
    _relate(ctx, tx, made, "PART_OF", source)
    return made


def merge(ctx: Context, merging: Merging) -> Merged:
    """Store one memory that SUMMARIZES several of one namespace, which are kept; its confidence is their mean.

    Tags that are not given are those of all sources, each once, in the order of their first appearance. Raises NotFound
    for an unknown id, InvalidInput for fewer than two different memories and for memories of several namespaces, and
    Conflict where a current memory of the namespace has the content.
    """
    text = _prepared(merging.content)

    def work(tx: Transaction) -> Merged:
        sources = _sources(ctx, tx, merging.source_ids)
        _refuse_known(ctx, tx, sources[0].namespace, text)
        union = list(dict.fromkeys(tag for source in sources for tag in source.tags))
        if merging.tags is None:
            refuse_many_tags(union, "the memories")
        new = replace(
            _after(ctx, sources[0], text),
            type=merging.type,
            label="",
            importance=merging.importance,
            tags=tuple(union if merging.tags is None else merging.tags),
            confidence=min(1.0, fsum(source.confidence for source in sources) / len(sources)),
            metadata=checkout.noted(checkout.head_of(ctx)),
        )
        new = insert.add(ctx, tx, new, text.terms)
        for source in sources:
            _relate(ctx, tx, new, "SUMMARIZES", source)
        return {"merged_id": new.key, "source_ids": [source.key for source in sources]}

    answer = ctx.write(work)
    ctx.call.touched.extend((answer["merged_id"], *answer["source_ids"]))
    return answer


def _sources(ctx: Context, tx: Transaction, ids: Sequence[str]) -> list[Record]:
    """The memories of those ids, each once, of one project."""
    found: dict[int, Record] = {}
    for given in ids:
        record = context_ids.find_own(ctx, tx, "source_ids", given, "memory")
        found.setdefault(record.id, record)
    if len(found) < 2:
        raise InvalidInput(f"source_ids must name at least two different memories, got {len(found)}")
    projects = ctx.scope(tx).aliases
    if len({projects.canonical(record.namespace) for record in found.values()}) > 1:
        names = ", ".join(repr(name) if name else "none" for name in sorted({r.namespace for r in found.values()}))
        raise InvalidInput(f"source_ids must be of one namespace, these are of {names}; merge those of each separately")
    return list(found.values())


def _content_of(ctx: Context, key: str) -> str:
    with ctx.store.read() as tx:
        return context_ids.find_own(ctx, tx, "id", key, "memory").text


def _after(ctx: Context, source: Record, text: _Text) -> Record:
    """Return a new memory with a text; everything else except the history is copied from a source."""
    now = ctx.now()
    return replace(
        source,
        id=0,
        key=str(uuid.uuid4()),
        text=text.content,
        content_hash=text.digest,
        metadata={
            **{name: value for name, value in source.metadata.items() if name != checkout.KEY},
            **checkout.noted(checkout.head_of(ctx)),
        },
        session=ctx.session.id,
        position=now,
        replaced=False,
        created=now,
        updated=now,
        uid="",
        origin="",
    )


def _relate(ctx: Context, tx: Transaction, source: Record, relation: str, target: Record) -> None:
    edges.add(tx, Edge(source.id, target.id, relation, relation, 1.0, ctx.now()))


def _refuse_known(ctx: Context, tx: Transaction, namespace: str, text: _Text) -> None:
    known = records.by_content(tx, namespace, text.digest)
    if known is not None:
        raise Conflict(
            f"content equals memory {known.key} of the same namespace; use that one, or give different content"
        )
