"""The one recall of all toolsets: candidates inside the filters, evidence, score, order. It writes nothing."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from indelible.clock import moment_of
from indelible.core.context.context import Context
from indelible.core.recall import failure_entities, scoring_weights
from indelible.core.recall.candidates import Candidates, Query, candidates
from indelible.core.recall.relevance import Relevance
from indelible.core.recall.superseded import below_replacements
from indelible.core.recall.unembedded import settled
from indelible.model import Access, Hit, Record
from indelible.search import tokens
from indelible.search.time_spans import TimeSpan
from indelible.store.database import Transaction
from indelible.store.tables import access, edges, records
from indelible.store.views import opening

# Imported late (start, cli): indelible.search.scoring, indelible.search.time_expressions

MOST = 10_000  # results of one recall

# Adds candidates, given the query without its time expression and the candidates so far: all that is to be ranked.
Expand = Callable[[Transaction, str, Candidates], dict[int, Relevance]]


def recall(ctx: Context, query: Query, expand: Expand | None = None) -> list[Hit]:
    """Return the best `k` hits by score, ties by newest, then id; fewer where fewer have evidence of relevance.

    With `expand` the candidates that it returns are ranked instead.
    """
    hits = ranked(ctx, query, expand)
    returned(ctx, [hit.record for hit in hits])
    return hits


def returned(ctx: Context, shown: Sequence[Record]) -> None:
    """Count an access of the records that are answered."""
    ctx.write_behind.returned((record.id for record in shown), ctx.now())
    ctx.call.touched.extend(record.key for record in shown)


def ranked(ctx: Context, query: Query, expand: Expand | None = None) -> list[Hit]:
    """Return the hits of `recall` without counting an access, for callers that answer with only some of them."""
    if query.k == 0:
        return []
    from indelible.search.time_expressions import split_time

    time, subject = split_time(query.text, ctx.clock())
    with settled(ctx, query.text, query.searched(), query.namespace) as tx:
        opening.read(tx)
        wanted, before = 2 * query.k + 40, 0
        while True:
            found = candidates(ctx, tx, query, subject, time, wanted)
            hits = _ranked(ctx, tx, query, time, _best(found.near, wanted))
            if len(hits) >= query.k or found.complete or (found.judged and len(found.near) <= before):
                break
            wanted, before = wanted * 4, len(found.near)
        if expand is not None:
            hits = _ranked(ctx, tx, query, time, _best(expand(tx, subject, found), wanted))
    return hits[: query.k]


def _best(near: dict[int, Relevance], count: int) -> dict[int, Relevance]:
    """Return the most relevant: far more than are asked for, since the other components may reorder them."""
    best = sorted(near, key=lambda record: (-near[record].value, -record))[:count]
    return {record: near[record] for record in best}


def _ranked(
    ctx: Context, tx: Transaction, query: Query, time: TimeSpan | None, near: dict[int, Relevance]
) -> list[Hit]:
    """Return the candidates as hits in their final order."""
    # records without a text are no answers: a message known by a link only, a vector without a text
    there, used = records.with_access(tx, list(near))
    known = {record.id: record for record in there.values() if record.text}
    if "failure" in query.searched():
        known, near = failure_entities.replaced(ctx, tx, known, near, by_others=query.namespace is None)
    judge = _Judge(
        now=ctx.clock(),
        own=_own(ctx, tx, known.values()) if query.namespace is None else set(),
        asked_time=time,
        words=frozenset(tokens.words(query.text)),
        accesses=_accesses(ctx, tx, list(near), there, used),
        strengths=ctx.graph_scores.of(tx, near),
        weights=None if query.relevance_only else scoring_weights.current(ctx, tx),
    )
    hits = [judge.hit(record, near[record.id]) for record in known.values()]
    hits.sort(key=lambda hit: (-hit.score, -hit.record.created, hit.record.key))
    replaced = [record.id for record in known.values() if record.replaced]
    return _collapsed(below_replacements(hits, edges.of_records(tx, replaced)))


def _accesses(
    ctx: Context, tx: Transaction, ids: list[int], read: Container[int], used: dict[int, Access]
) -> dict[int, Access]:
    """Return the access data of the records, of which those of `read` were read with theirs, what waits included."""
    others = [record for record in ids if record not in read]
    return ctx.write_behind.with_waiting(tx, ids, used | access.of_records(tx, others))


def _own(ctx: Context, tx: Transaction, known: Iterable[Record]) -> set[str]:
    """Return the namespaces among the records' that are the server's project, by whatever alias."""
    scope = ctx.scope(tx)
    return scope.own_among({record.namespace for record in known}) if scope.own else set()


@dataclass(frozen=True, slots=True)
class _Judge:
    """Scores one query's candidates."""

    now: datetime
    own: set[str]
    asked_time: TimeSpan | None
    words: frozenset[str]
    accesses: dict[int, Access]
    strengths: dict[int, float]
    weights: Mapping[str, float] | None  # None: only what looks at the query counts

    def hit(self, record: Record, near: Relevance) -> Hit:
        from indelible.search import scoring

        now, created = self.now, moment_of(record.created)
        access = self.accesses.get(record.id)
        last = max(created, moment_of(access.last)) if access else created
        if record.namespace in self.own:
            near = near.with_more(near.part(scoring.OWN_PROJECT - 1))
        relevance = scoring.relevance(near.value)
        temporal = scoring.temporal(now, created, self.asked_time)
        components = {
            "vector_similarity": near.similarity,
            "graph_strength": relevance * self.strengths.get(record.id, 0.0),
            "token_overlap": near.overlap,
            "temporal": temporal if self.asked_time is not None else relevance * temporal,
            "tag_matching": scoring.tag_share(record.tags, self.words),
            "importance": relevance * record.importance,
            "confidence": relevance * record.confidence,
            "recency": relevance * scoring.recency(now, last),
        }
        if self.weights is None:
            score = scoring.relevance_score(near.value, None if self.asked_time is None else temporal)
        else:
            score = scoring.combine(components, self.weights)
        return Hit(record, score, components, access.count if access else 0)


def _collapsed(hits: list[Hit]) -> list[Hit]:
    """Return the hits with each text once, the best, within a kind and namespace."""
    seen: dict[tuple[str, str, str], Hit] = {}
    for hit in hits:
        seen.setdefault((hit.record.kind, hit.record.namespace, hit.record.text), hit)
    return list(seen.values())
