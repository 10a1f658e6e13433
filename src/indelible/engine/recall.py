"""The one recall of all toolsets: candidates inside the filters, evidence, score, order. It writes nothing."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from indelible.engine.context import Context, moment_of, namespaces_to_read, own_namespace
from indelible.engine.replaced import below_replacements
from indelible.model import RECALLED_KINDS, Access, Edge, Hit, Record
from indelible.store import edges, records
from indelible.store.database import Transaction

if TYPE_CHECKING:
    from indelible.search.postings import Mask, Postings
    from indelible.search.time_expressions import TimeSpan

MOST = 10_000  # results of one recall
SEEDS = 20  # best candidates whose relations are followed


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for, and inside which filters; None lets everything pass."""

    text: str
    k: int
    type: str | None = None
    namespace: str | None = None
    kinds: tuple[str, ...] = RECALLED_KINDS

    def searched(self) -> tuple[str, ...]:
        """The kinds to search: a memory type asks for memories only."""
        return ("memory",) if self.type is not None else self.kinds


@dataclass(frozen=True, slots=True)
class Candidates:
    """Records with evidence: their token overlap (0..1), and whether these are all."""

    overlaps: dict[int, float]
    complete: bool


def recall(ctx: Context, query: Query) -> list[Hit]:
    """The best `k` hits by score, ties by newest, then id; fewer where fewer have evidence of relevance."""
    if query.k == 0:
        return []
    from indelible.search.time_expressions import split_time

    time, subject = split_time(query.text, ctx.clock())
    with ctx.store.read() as tx:
        wanted = 2 * query.k + 40
        while True:
            found = _candidates(ctx, tx, query, subject, wanted)
            hits = _ranked(ctx, tx, query, time, found)
            if len(hits) >= query.k or found.complete:
                break
            wanted *= 4
    hits = hits[: query.k]
    ctx.behind.returned((hit.record.id for hit in hits), ctx.now())
    ctx.call.touched.extend(hit.record.key for hit in hits)
    return hits


def _candidates(ctx: Context, tx: Transaction, query: Query, subject: str, wanted: int) -> Candidates:
    from indelible.search import evidence, scoring
    from indelible.search.postings import best_of

    with ctx.index.current(tx) as postings:
        mask = _mask(ctx, tx, query, postings)
        asked = evidence.question(query.text, subject, postings)
        scores = postings.bm25(asked.terms, mask, wanted)
        slots = best_of(scores, wanted)
        complete = len(slots) < wanted
        slots = slots[evidence.having(asked, slots)]
        overlaps = {
            int(record): scoring.overlap(float(score), asked.total)
            for record, score in zip(postings.records.values[slots], scores[slots], strict=True)
        }
        best = sorted(overlaps, key=lambda record: (-overlaps[record], -record))[:SEEDS]
        relations = edges.of_records(tx, ctx.tenant, best)
        lent = _lent(relations, {record: overlaps[record] for record in best})
        allowed = _allowed(postings, mask, sorted(lent))
    for record, share in lent.items():
        if record in allowed:
            overlaps[record] = max(share, overlaps.get(record, 0.0))
    return Candidates(overlaps, complete)


def _mask(ctx: Context, tx: Transaction, query: Query, postings: "Postings") -> "Mask":
    namespaces = namespaces_to_read(ctx, tx, query.namespace, postings.namespaces)
    return postings.mask(query.searched(), query.type, namespaces)


def _lent(relations: Sequence[Edge], best: dict[int, float]) -> dict[int, float]:
    """What the best candidates lend to the other ends of their relations; a record between two gets of both.

    Of several relations between the same two the heaviest counts. Two lend at most: a record that many weak hits
    relate to would else come before an exact one.
    """
    from indelible.search.scoring import LENT

    weights: dict[tuple[int, int], float] = {}
    for edge in relations:
        for pair in ((edge.source, edge.target), (edge.target, edge.source)):
            weights[pair] = max(weights.get(pair, 0.0), min(1.0, edge.weight))
    lenders: dict[int, list[float]] = {}
    for (near, far), weight in weights.items():
        if near in best and weight > 0:
            lenders.setdefault(far, []).append(LENT * weight * best[near])
    return {far: 1 - math.prod(1 - share for share in sorted(shares)[-2:]) for far, shares in lenders.items()}


def _allowed(postings: "Postings", mask: "Mask", ids: list[int]) -> set[int]:
    slots = postings.slots_of(ids)
    return {record for record, slot in zip(ids, slots.tolist(), strict=True) if slot >= 0 and mask[slot]}


def _ranked(ctx: Context, tx: Transaction, query: Query, time: "TimeSpan | None", found: Candidates) -> list[Hit]:
    """The candidates as hits in their final order."""
    from indelible.search import tokens

    known = records.by_ids(tx, ctx.tenant, list(found.overlaps))
    judge = _Judge(
        now=ctx.clock(),
        own=_own(ctx, tx, known.values()) if query.namespace is None else set(),
        asked_time=time,
        words=frozenset(tokens.words(query.text)),
        accesses=ctx.behind.access_of(tx, ctx.tenant, list(found.overlaps)),
        strengths=ctx.graph_scores.of(tx, found.overlaps),
    )
    hits = [judge.hit(record, found.overlaps[record.id]) for record in known.values()]
    hits.sort(key=lambda hit: (-hit.score, -hit.record.created, hit.record.key))
    replaced = [record.id for record in known.values() if record.replaced]
    return _collapsed(below_replacements(hits, edges.of_records(tx, ctx.tenant, replaced)))


def _own(ctx: Context, tx: Transaction, known: Iterable[Record]) -> set[str]:
    """The namespaces among the records' that are the server's project, by whatever alias."""
    own = own_namespace(ctx, tx)
    return (namespaces_to_read(ctx, tx, own, {record.namespace for record in known}) or set()) if own else set()


@dataclass(frozen=True, slots=True)
class _Judge:
    """Scores one query's candidates."""

    now: datetime
    own: set[str]
    asked_time: "TimeSpan | None"
    words: frozenset[str]
    accesses: dict[int, Access]
    strengths: dict[int, float]

    def hit(self, record: Record, overlap: float) -> Hit:
        from indelible.search import scoring

        now, created = self.now, moment_of(record.created)
        access = self.accesses.get(record.id)
        last = max(created, moment_of(access.last)) if access else created
        if record.namespace in self.own:
            overlap = min(1.0, overlap * scoring.OWN_PROJECT)
        relevance = scoring.relevance(overlap, 0.0)
        temporal = scoring.temporal(now, created, self.asked_time)
        components = {
            "vector_similarity": 0.0,
            "graph_strength": relevance * self.strengths.get(record.id, 0.0),
            "token_overlap": overlap,
            "temporal": temporal if self.asked_time is not None else relevance * temporal,
            "tag_matching": scoring.tag_share(record.tags, self.words),
            "importance": relevance * record.importance,
            "confidence": relevance * record.confidence,
            "recency": relevance * scoring.recency(now, last),
        }
        score = scoring.combine(components, scoring.DEFAULT_WEIGHTS)
        return Hit(record, score, components, access.count if access else 0)


def _collapsed(hits: list[Hit]) -> list[Hit]:
    """One text is one hit within a kind and namespace: the best."""
    seen: dict[tuple[str, str, str], Hit] = {}
    for hit in hits:
        seen.setdefault((hit.record.kind, hit.record.namespace, hit.record.text), hit)
    return list(seen.values())
