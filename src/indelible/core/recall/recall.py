"""The one recall of all toolsets: candidates inside the filters, evidence, score, order. It writes nothing."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from indelible.clock import micros, sortable_text
from indelible.core.context import ids
from indelible.core.context.context import Context
from indelible.core.recall import (
    branches,
    failure_entities,
    freshness,
    reranking,
    scoring_weights,
    standing_rules,
    versions,
)
from indelible.core.recall.candidates import Candidates, Query, candidates, searching
from indelible.core.recall.returned import returned
from indelible.core.recall.superseded import at_most, scores_below
from indelible.core.recall.unembedded import settled
from indelible.core.records import lifetimes, past
from indelible.dataclass import dataclass
from indelible.model import COMMIT, COMPONENTS, Access, Hit, Record
from indelible.search import confidence, tokens
from indelible.search.time_spans import TimeSpan
from indelible.store.database import Transaction
from indelible.store.tables import access, edges, records

if TYPE_CHECKING:
    from indelible.search.relevance import Relevances
    from indelible.search.retrieval import Retrieval

# Imported late (start, cli): indelible.core.recall.as_of
# Imported late (start, cli): indelible.search.ranking, indelible.search.situations, indelible.search.times.timed

MOST = 10_000  # results of one recall

# Adds candidates, given the search and the candidates so far: all that is to be ranked.
Expand = Callable[[Transaction, "Retrieval", Candidates], Candidates]


def recall(ctx: Context, query: Query, expand: Expand | None = None) -> list[Hit]:
    """Return the best `k` hits by score, ties by newest, then id; fewer where fewer have evidence of relevance.

    With `expand` the candidates that it returns are ranked instead. Where the store has chosen a cross-encoder the best
    hits are in its order, see `reranking`.
    """
    hits = ranked(ctx, query, expand)
    returned(ctx, [hit.record for hit in hits])
    return hits


def with_id(ctx: Context, query: Query) -> list[Hit]:
    """Return the one hit of a query that is the id of a record, none of any other query; every component is 1."""
    given = query.text.strip()
    if not (query.k and ids.is_exact(given)):
        return []
    with ctx.store.read() as tx:
        if query.as_of is None:
            known = [record for record in ids.candidates(ctx, tx, given) if record.text]
        else:
            known = [record for record in past.at(ctx, tx, query.as_of).candidates(given) if record.text]
        if query.namespace is not None:
            wanted = ctx.scope(tx).of_project(query.namespace, {record.namespace for record in known})
            known = [record for record in known if record.namespace in wanted]
        fitting = [each for each in known if each.kind in query.searched() and query.type in (None, each.type)]
        found = fitting[:1]
        counts = _accesses(ctx, tx, [record.id for record in found], (), {})
        code = freshness.more(tx, {}, (), [record.id for record in found])
        asked_at = sortable_text(ctx.now() if query.as_of is None else query.as_of)
        if query.as_of is None:
            newer = past.replacing(ctx, tx, found)
        else:
            newer = past.at(ctx, tx, query.as_of).replacing(found)
    returned(ctx, found)
    every = dict.fromkeys(COMPONENTS, 1.0)
    return [
        Hit(
            *(record, 1.0, every, counts[record.id].count if record.id in counts else 0),
            code=code.get(record.id, ()),
            lifetime=lifetimes.shown(record, asked_at),
            replaced_by=newer.get(record.id, ""),
        )
        for record in found
    ]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Candidates in their order: the `best` as hits, and `in_order`, which makes a hit of each of them.

    There equal texts stand still apart. `newer` are the pairs of an older and a newer one that the order keeps, by row
    ids, and `instead` has what stands for a candidate that is left out.
    """

    best: list[Hit]
    newer: versions.Pairs
    in_order: Callable[[], list[Hit]]
    instead: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Seen:
    """All that a recall saw of one index, in its transaction, for a trace of it."""

    tx: Transaction
    query: Query
    search: "Retrieval"
    time: TimeSpan | None
    found: Candidates
    ranking: Ranking
    weak: bool


Watch = Callable[[Seen], None]


def ranked(ctx: Context, query: Query, expand: Expand | None = None, watch: Watch | None = None) -> list[Hit]:
    """Return the hits of `recall` without counting an access, for callers that answer with only some of them.

    `watch` is shown what each index was seen to have, before its transaction ends; not with `as_of`.
    """
    if query.k == 0:
        return []
    if COMMIT in query.searched():
        return _with_commits(ctx, query, expand, watch)
    return _ranked_alike(ctx, query, expand, watch)


def _with_commits(ctx: Context, query: Query, expand: Expand | None, watch: Watch | None) -> list[Hit]:
    """Return the hits of commits, which have an index of their own, and those of the other kinds, by score.

    A commit is what it always was, so at an earlier time those of then are what they are now.
    """
    others = tuple(kind for kind in query.searched() if kind != COMMIT)
    asked = replace(query, kinds=(COMMIT,), as_of=None)
    if query.as_of is not None:
        asked = replace(asked, k=min(MOST, 4 * query.k + 40))
    commits = _ranked_alike(ctx, asked, watch=watch)
    found = [hit for hit in commits if query.as_of is None or hit.record.created <= query.as_of]
    if others:
        found += _ranked_alike(ctx, replace(query, kinds=others), expand, watch)
    best = sorted(found, key=across_indexes)[: query.k]
    ctx.call.searched.weak = bool(best) and best[0].weak
    return best


def across_indexes(hit: Hit) -> tuple[bool, float, int, str]:
    """Return the place of a hit among those of several indexes, as a key to sort by."""
    return hit.weak, -hit.score, -hit.record.created, hit.record.key


def _ranked_alike(ctx: Context, query: Query, expand: Expand | None = None, watch: Watch | None = None) -> list[Hit]:
    """Return the hits of kinds that are in one index."""
    if query.as_of is not None:
        from indelible.core.recall import as_of  # seldom asked for

        return as_of.ranked(ctx, query)
    from indelible.search.times.timed import timed

    question = timed(query.text, ctx.clock())
    meant = query.text if question.bare else question.words
    with settled(ctx, meant, query.searched(), query.namespace) as (tx, asked):
        wanted, before = 2 * query.k + 40, 0
        with searching(ctx, tx, query, question.subject, wanted, asked, question) as search:
            reranker = reranking.chosen(ctx, query)
            count = query.k if reranker is None else max(query.k, reranking.MOST)
            while True:
                found = candidates(ctx, tx, query, search, question.time, wanted)
                ranking = ranking_of(ctx, tx, query, search, question.time, found, wanted, count)
                if len(ranking.best) >= query.k or found.complete or (found.judged and len(found.near) <= before):
                    break
                wanted, before = wanted * 4, len(found.near)
            if expand is not None:
                found = expand(tx, search, found)
                ranking = ranking_of(ctx, tx, query, search, question.time, found, wanted, count)
            # standing rules alone are no answer
            sure = found.by_time or (len(found.near) and not confidence.is_weak(search.measures(found.near)))
            if watch is not None:
                watch(Seen(tx, query, search, question.time, found, ranking, not sure))
    hits = ranking.best
    if reranker is not None:
        hits = (hits if found.by_time else reranking.reordered(ctx, query, reranker, hits, ranking.newer))[: query.k]
    if sure or not hits:
        return hits
    ctx.call.searched.weak = True
    return [replace(hit, weak=True) for hit in hits]


def _best(near: "Relevances", count: int) -> "Relevances":
    """Return the most relevant: far more than are asked for, since the other components may reorder them."""
    best = near.best(count)
    best.sort()
    return near.take(best)


def ranking_of(
    ctx: Context,
    tx: Transaction,
    query: Query,
    search: "Retrieval",
    time: TimeSpan | None,
    found: Candidates,
    wanted: int,
    count: int,
) -> Ranking:
    """Return the candidates, of which `wanted` are looked at, in their order, and the best `count` of them as hits.

    Rules that fit are among them.
    """
    from indelible.search import ranking, situations

    near, added = standing_rules.beside(query, _best(found.near, wanted), found.rules)
    there, used = records.with_access(tx, near.ids.tolist())
    # records without a text are no answers: a message known by a link only, a vector without a text
    known = {record.id: record for record in there.values() if record.text}
    instead: Mapping[int, int] = {}
    if "failure" in query.searched():
        known, near, instead = failure_entities.replaced(
            ctx, tx, known, near, query.text, by_others=query.namespace is None
        )
    brought = standing_rules.holding(found.rules, known)
    near = near.among(known.keys() - added.difference(brought))
    ordered = [known[record] for record in near.ids.tolist()]
    accesses = _accesses(ctx, tx, [record.id for record in ordered], there, used)
    own = _own(ctx, tx, ordered) if query.namespace is None else set()
    strengths = ctx.indexes.graph.of(tx, known)
    facts = ranking.Facts.of(
        [
            (
                record.key,
                record.created,
                accesses[record.id].last if record.id in accesses else 0,
                record.importance,
                record.confidence,
                strengths.get(record.id, 0.0),
                record.tags,
                record.namespace in own,
            )
            for record in ordered
        ]
    )
    weights = None if query.relevance_only else query.weights or scoring_weights.current(ctx, tx)
    asked = ranking.Query(micros(ctx.clock()), time, frozenset(tokens.words(query.text)), weights, found.by_time)
    code = freshness.more(tx, found.code, found.looked_at, known)
    apart = branches.unmerged(ctx, tx, ordered)
    now = sortable_text(asked.now)
    lasting = {record.id: shown for record in ordered if (shown := lifetimes.shown(record, now))}
    outdated = {record for record, shown in lasting.items() if "validity" in shown}
    alone = ranking.ranked(near, facts, asked)
    scored = situations.placed(alone, near, brought, asked)
    raised = [after > before for after, before in zip(scored.scores, alone.scores, strict=True)]
    if not query.relevance_only:
        scored = freshness.lowered(scored, near.ids.tolist(), code, apart, outdated)

    def hit(place: int) -> Hit:
        record = ordered[place]
        used = accesses.get(record.id)
        return Hit(
            *(record, scored.scores[place], scored.components(place), used.count if used else 0),
            rule=record.id in added or raised[place],
            code=code.get(record.id, ()),
            branch=apart.get(record.id, ""),
            lifetime=lasting.get(record.id, {}),
        )

    older = [record.id for record in ordered if record.replaced]
    replaced = versions.replacements(edges.of_records(tx, older)) if older else []
    newer = [*replaced, *found.reordered, *(_stored_again(ordered) if older else ())]
    if not (query.relevance_only or found.by_time):
        newer += standing_rules.newer(known, search.newer_rules(near, facts.created, scored.order))
    order, below = scored.order, None
    if newer:
        below = scores_below({ordered[place].id: scored.scores[place] for place in order}, newer)
        places = {ordered[place].id: place for place in order}
        order = [places[record] for record in below]

    def hits(those: Iterable[int]) -> list[Hit]:
        return [hit(each) if below is None else at_most(hit(each), below[ordered[each].id]) for each in those]

    best = hits(_collapsed(order, ordered)[:count])
    best = versions.named(ctx, tx, best, replaced, found.newer, found.contradicting, found.lenders)
    return Ranking(best, newer, lambda: hits(order), instead)


def _accesses(
    ctx: Context, tx: Transaction, ids: list[int], read: Collection[int], used: dict[int, Access]
) -> dict[int, Access]:
    """Return the access data of the records, of which those of `read` were read with theirs, what waits included."""
    others = [record for record in ids if record not in read]
    return ctx.write_behind.with_waiting(tx, ids, used | access.of_records(tx, others))


def _own(ctx: Context, tx: Transaction, known: Iterable[Record]) -> set[str]:
    """Return the namespaces among the records' that are the server's project, by whatever alias."""
    scope = ctx.scope(tx)
    return scope.own_among({record.namespace for record in known}) if scope.own else set()


def once_each(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits in their order, each text once, the first, within a kind and namespace."""
    return [hits[place] for place in _collapsed(range(len(hits)), [each.record for each in hits])]


def _stored_again(among: Sequence[Record]) -> list[tuple[int, int]]:
    """Return the pairs of a replaced record and of a current one of its text, which stands for both."""
    current = {text_key(record): record.id for record in among if not record.replaced}
    pairs = ((record.id, current.get(text_key(record))) for record in among if record.replaced)
    return [(old, again) for old, again in pairs if again is not None]


def _collapsed(order: Iterable[int], among: Sequence[Record]) -> list[int]:
    """Return the places of records in an order, each text once, the first, within a kind and namespace."""
    seen: dict[tuple[str, str, str], int] = {}
    for place in order:
        seen.setdefault(text_key(among[place]), place)
    return list(seen.values())


def text_key(record: Record) -> tuple[str, str, str]:
    """Return the kind, namespace and text of a record: records that have the same are one hit."""
    return record.kind, record.namespace, record.text
