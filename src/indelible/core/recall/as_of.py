"""A recall as of a time: of the records that were there, with the texts that they had.

What is still as it was is found as ever, by words and by meaning. What was changed or deleted since is in no index any
more: its words of then are indexed for the one call.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from indelible.clock import moment_of, sortable_text
from indelible.core.context.context import Context
from indelible.core.recall import freshness, scoring_weights, versions
from indelible.core.recall.candidates import SEEDS, Query, created_in, filters_of, own_filters_of, searching
from indelible.core.recall.superseded import below_replacements
from indelible.core.recall.unembedded import settled
from indelible.core.records import insert, lifetimes, past
from indelible.dataclass import dataclass
from indelible.model import Edge, Hit, Record
from indelible.search import tokens
from indelible.store.tables import edges, records, terms
from indelible.store.tables import versions as earlier

if TYPE_CHECKING:
    from indelible.search.relevance import Relevances
    from indelible.search.retrieval import Filters, Retrieval
    from indelible.search.times.timed import TimedQuestion

# Imported late (start, cli): indelible.search.index.postings, indelible.search.ranking, indelible.search.relevance,
#   indelible.search.retrieval, indelible.search.times.timed

MORE = 40  # candidates beside twice as many as are asked for, since the other components may reorder them


@dataclass(frozen=True, slots=True)
class _Changes:
    """The records of the searched kinds that were another thing at the time, or nothing.

    `differing` are the row ids that the indexes of now are wrong about; `then` has those of them that were there.
    """

    differing: frozenset[int]
    then: Mapping[int, Record]


def ranked(ctx: Context, query: Query) -> list[Hit]:
    """Return the best `k` hits among what was there at `query.as_of`, by score, ties by newest, then id.

    A score is what it would be if nobody had asked or related anything: accesses, places in the graph and standing
    rules of then are not known. Raises InvalidInput for a time before the store's history.
    """
    from indelible.search.times.timed import timed

    if query.k == 0:
        return []
    assert query.as_of is not None
    question = timed(query.text, moment_of(query.as_of))
    with settled(ctx, question.words, query.searched(), query.namespace) as (tx, asked):
        then = past.at(ctx, tx, query.as_of)
        changes = _changes(then, query)
        inside = replace(query, without=changes.differing)
        wanted = 2 * query.k + MORE
        with searching(ctx, tx, inside, question.subject, wanted, asked, question) as search:
            near = _answers(search, wanted, created_in(ctx, tx, inside, search, question.time))
            stored = search.namespaces
        stored = stored | {record.namespace for record in changes.then.values()}
        filters = filters_of(ctx, tx, query, stored)
        if changes.then:
            own = own_filters_of(ctx, tx, query, stored)
            near = near.replaced_by(_by_old_words(query, changes.then, filters, own, question, wanted))
        hits = _scored(then, query, near.replaced_by(_related(then, near, filters)), question)
    return hits[: query.k]


def _changes(then: past.Past, query: Query) -> _Changes:
    """Return what the indexes of now cannot tell of then."""
    kinds = query.searched()
    changed = earlier.changed_since(then.tx, kinds, then.time)
    was, now = then.by_ids(changed), records.by_ids(then.tx, changed)
    other = {id_ for id_ in changed if id_ not in was or id_ not in now or _found_by(was[id_]) != _found_by(now[id_])}
    unknown = set(earlier.known_since(then.tx, kinds, then.time)) - was.keys()  # what came back is known anew
    among = query.among
    return _Changes(
        frozenset({*other, *unknown}),
        {id_: record for id_, record in was.items() if id_ in other and (among is None or id_ in among)},
    )


def _found_by(record: Record) -> tuple[str, str, str, str, tuple[str, ...]]:
    return record.namespace, record.type, record.label, record.text, record.tags


def _answers(search: "Retrieval", wanted: int, timely: Sequence[int]) -> "Relevances":
    found, _ = search.best(wanted, timely)
    measured = search.measured(found)
    answers = measured.relevance.take(search.with_evidence(measured, timely))
    return answers.replaced_by(search.nearest_raised(measured, answers))


def _by_old_words(
    query: Query,
    changed: Mapping[int, Record],
    filters: "Filters",
    own: "Filters | None",
    question: "TimedQuestion",
    wanted: int,
) -> "Relevances":
    """Return those of the changed records that answer the query by the words that they had."""
    from indelible.search.index.postings import Postings
    from indelible.search.retrieval import Asked, Retrieval, Snapshot

    words = Postings()
    words.put_many([terms.entry_of(record, insert.words_of(record)) for record in changed.values()])
    asked = Asked(query.text, question.subject)
    return _answers(Retrieval(asked, Snapshot(words), filters, own, wanted), wanted, [])


def _related(then: past.Past, answers: "Relevances", filters: "Filters") -> "Relevances":
    """Return the other ends of the best answers' relations of then, with what these lend them where that is more."""
    from indelible.search.relevance import Relevances, lent

    seeds = set(answers.ids[answers.best(SEEDS)].tolist())
    known = answers.by_id()
    relations = [
        (near, far, edge.weight)
        for edge in then.relations_of(seeds)
        for near, far in ((edge.source, edge.target), (edge.target, edge.source))
        if near in seeds and edge.weight > 0
    ]
    shares = lent(relations, known)
    passing = (record for record in then.by_ids(shares).values() if _passes(record, filters))
    raised = {record.id: shares[record.id] for record in passing}
    return Relevances.of(
        {id_: share for id_, share in raised.items() if id_ not in known or share.value > known[id_].value}
    )


def _passes(record: Record, filters: "Filters") -> bool:
    return (
        (filters.kinds is None or record.kind in filters.kinds)
        and filters.type in (None, record.type)
        and (filters.namespaces is None or record.namespace in filters.namespaces)
        and (filters.among is None or record.id in filters.among)
    )


def _scored(then: past.Past, query: Query, near: "Relevances", question: "TimedQuestion") -> list[Hit]:
    from indelible.search import ranking

    ctx, tx = then.ctx, then.tx
    moment = sortable_text(then.time)
    known = {
        id_: record
        for id_, record in then.by_ids(near.ids.tolist()).items()
        if record.text and not lifetimes.has_expired(record, moment)
    }
    near = near.among(known.keys())
    ordered = [known[id_] for id_ in near.ids.tolist()]
    scope = ctx.scope(tx)
    own = scope.own_among({record.namespace for record in ordered}) if scope.own and query.namespace is None else set()
    facts = ranking.Facts.of(
        [(r.key, r.created, 0, r.importance, r.confidence, 0.0, r.tags, r.namespace in own) for r in ordered]
    )
    weights = None if query.relevance_only else query.weights or scoring_weights.current(ctx, tx)
    asked = ranking.Query(then.time, question.time, frozenset(tokens.words(query.text)), weights)
    scored = ranking.ranked(near, facts, asked)
    lasting = [lifetimes.shown(record, moment) for record in ordered]
    if not query.relevance_only:
        outdated = {record.id for record, shown in zip(ordered, lasting, strict=True) if "validity" in shown}
        scored = freshness.lowered(scored, near.ids.tolist(), {}, outdated=outdated)
    hits = [
        Hit(ordered[place], scored.scores[place], scored.components(place), 0, lifetime=lasting[place])
        for place in scored.order
    ]
    found = then.relations_of(record.id for record in ordered if record.replaced)
    return _once(_naming(then, below_replacements(hits, versions.replacements(found)), found))


def _naming(then: past.Past, hits: Iterable[Hit], found: Sequence[Edge]) -> list[Hit]:
    """Return the hits, each with the newest of what replaced it then."""
    newest = past.replaced_by(found, then.by_ids({pair[1] for edge in found if (pair := edges.replaces(edge))}))
    return [replace(hit, replaced_by=newest.get(hit.record.id, "") if hit.record.replaced else "") for hit in hits]


def _once(hits: Iterable[Hit]) -> list[Hit]:
    """Return the hits in their order, each text once within a kind and namespace."""
    seen: dict[tuple[str, str, str], Hit] = {}
    for hit in hits:
        seen.setdefault((hit.record.kind, hit.record.namespace, hit.record.text), hit)
    return list(seen.values())
