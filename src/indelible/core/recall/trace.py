"""Why a recall answers with a record, and why not: the stage at which it fell out of the very recall that is traced.

Nothing is recalled in a second way: `recall.ranked` shows what it saw, in its transaction. No access is counted.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Literal

from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.core.recall import recall, versions
from indelible.core.recall.candidates import Candidates, Query
from indelible.core.recall.recall import Seen
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput, NotFound
from indelible.model import Hit, Record
from indelible.search import summaries, trace
from indelible.search.relevance import Relevances
from indelible.search.situations import Fitting
from indelible.search.trace import By, Place, Way
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.tables import trash as trash_rows

Stage = Literal["exists", "filter", "candidates", "floor", "rank", "collapse", "returned"]

STAGES: tuple[Stage, ...] = ("exists", "filter", "candidates", "floor", "rank", "collapse", "returned")

# The filter's name in a query of those of the search; `hidden` and `among` no caller of a trace can give.
_FILTERS = {"kinds": "kind", "type": "type", "namespaces": "project", "excluded": "expired"}


@dataclass(frozen=True, slots=True)
class Reason:
    """One way by which a record was found: `by`, and the id of the record that it came by, "" for none.

    `relationship` names the relation between them, where that was the way.
    """

    by: By
    id: str = ""
    relationship: str = ""


@dataclass(frozen=True, slots=True)
class Explained:
    """A hit, its rank from 1, why it was found, the first reason first, and its passage with words of the question.

    The passage is the start and end of a sentence or line in the record's text, None where no word is in it.
    """

    hit: Hit
    rank: int
    reasons: tuple[Reason, ...]
    passage: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Trace:
    """How far one record came in a recall: it fell out at `stage`, or was returned.

    `reason` says in a word why: of `exists` unknown or deleted; of `filter` the first of `filters` that refused it; of
    `candidates` unmatched; of `floor` below or, where the question names a time and nothing else, time; of `rank` limit
    or relevance (so many are more relevant that it was not scored); of `collapse` text or failure; else "".

    `rank` is among all that was ranked, from 1, of `relevance` among all candidates; `last_score` is that of the last
    hit returned. `score` and `components` are what it has, or would have by its own text; None and {} where it has no
    place in the index. `place` has what it was measured to be, beside what was asked for. `into` is the id of the
    record that stands for it, `into_rank` the rank of that. `sentence` says all this in plain words.
    """

    stage: Stage
    reason: str
    id: str
    limit: int
    sentence: str = ""
    record: Record | None = None
    filters: tuple[str, ...] = ()
    rank: int | None = None
    score: float | None = None
    components: Mapping[str, float] = field(default_factory=dict)
    last_score: float | None = None
    place: Place | None = None
    into: str = ""
    into_rank: int | None = None
    reasons: tuple[Reason, ...] = ()
    passage: tuple[int, int] | None = None


def explained(ctx: Context, query: Query) -> list[Explained]:
    """Return the hits of `recall.ranked`, in its order, each with why it was found. Raises InvalidInput for `as_of`."""
    _refuse_as_of(query)
    found: dict[int, tuple[Reason, ...]] = {}

    def watch(seen: Seen) -> None:
        best = {hit.record.id: hit for hit in seen.ranking.best}
        found.update(_reasons(ctx, seen, best))

    hits = recall.ranked(ctx, query, watch=watch)
    return [
        Explained(hit, rank, found[hit.record.id], summaries.matching(hit.record.text, query.text))
        for rank, hit in enumerate(hits, 1)
    ]


def explain(ctx: Context, query: Query, given: str) -> Trace:
    """Return how far the record of an id, or of its beginning, came in the recall of a query.

    An id that several records have is refused, as `ids.find` refuses it. Raises Conflict, and InvalidInput for `as_of`
    and for no results.
    """
    _refuse_as_of(query)
    if query.k < 1:
        raise InvalidInput(f"k must be at least 1 to trace a recall, got {query.k}")
    with ctx.store.read() as tx:
        record = _found(ctx, tx, given, query)
        if record is None:
            reason = "deleted" if _is_deleted(ctx, tx, given) else "unknown"
            return _said(Trace("exists", reason, given, query.k), query)
    traces: list[tuple[Trace, Hit | None]] = []
    others: list[Hit] = []

    def watch(seen: Seen) -> None:
        if record.kind in seen.query.searched():
            traces.append(_traced(ctx, seen, record))
        else:
            others.extend(replace(hit, weak=seen.weak) for hit in recall.once_each(seen.ranking.in_order()))

    hits = recall.ranked(ctx, query, watch=watch)
    if not traces:
        fallen = Trace("filter", "kind", ids.shown(record), query.k, record=record, filters=("kind",))
        return _said(fallen, query)
    (found, own) = traces[-1]
    return _said(_placed(found, own, hits, others), query)


def nearest(ctx: Context, query: Query, count: int) -> list[Trace]:
    """Return how those fell out that came nearest to being an answer: at most `count`, the most relevant first.

    All were measured and fell at the floor. Raises InvalidInput for `as_of`.
    """
    _refuse_as_of(query)
    found: list[Trace] = []

    def watch(seen: Seen) -> None:
        assert seen.found.steps is not None
        measured = seen.found.steps.measured.relevance
        others = measured.take((seen.found.near.places_of(measured.ids) < 0) & (measured.values > 0))
        best = others.ids[others.best(count)].tolist()
        for record in records.by_ids(seen.tx, sorted(set(best) - visibility.hidden(ctx, seen.tx, best))).values():
            found.append(_traced(ctx, seen, record)[0])

    recall.ranked(ctx, query, watch=watch)
    fallen = [(-each.place.relevance, each.id, each) for each in found if each.stage == "floor" and each.place]
    return [_said(each, query) for _, _, each in sorted(fallen, key=lambda each: each[:2])[:count]]


def _refuse_as_of(query: Query) -> None:
    if query.as_of is not None:
        raise InvalidInput("a recall as of an earlier time is not traced; leave as_of out")


# --- Which record is meant ---


def _found(ctx: Context, tx: Transaction, given: str, query: Query) -> Record | None:
    try:
        return ids.find(ctx, tx, "id", given, query.searched())
    except NotFound:
        return None


def _is_deleted(ctx: Context, tx: Transaction, given: str) -> bool:
    """Whether the newest thing that happened to a record that this caller saw is its deletion."""
    for thing in trash_rows.of_key(tx, ids.key_of(given)):
        if thing.action == "delete" and not thing.undone and thing.reverses != trash_rows.REVERSES:
            return visibility.is_visible(ctx, tx, thing.state)
    return False


# --- One index's recall ---


def _traced(ctx: Context, seen: Seen, record: Record) -> tuple[Trace, Hit | None]:
    """Return how far a record came within one index, before the limit, and its hit if it was ranked."""
    base = Trace("filter", "", ids.shown(record), seen.query.k, record=record)
    names = _refusing(seen, record)
    if names:
        return replace(base, reason=names[0], filters=names), None
    steps = seen.found.steps
    assert steps is not None
    base = replace(base, place=seen.search.place(steps.measured, record.id, steps.wanted))
    in_order = seen.ranking.in_order()
    own = next((hit for hit in in_order if hit.record.id == record.id), None)
    if own is not None or record.id in seen.ranking.instead or record.id in seen.found.near.ids:
        passage = summaries.matching(record.text, seen.query.text)
        base = replace(base, reasons=_reasons(ctx, seen, {record.id: own})[record.id], passage=passage)
    if own is not None:
        return _among(base, own, in_order), replace(own, weak=seen.weak)
    alone = _alone(ctx, seen, record)
    if alone is not None:
        base = replace(base, score=alone.score, components=alone.components)
    return _fallen(base, seen, record, in_order), None


def _refusing(seen: Seen, record: Record) -> tuple[str, ...]:
    """Return the names of the filters that a record does not pass."""
    refused = seen.search.refusing(record.id)
    if refused is None:
        return ("index",)
    return tuple(_FILTERS.get(name, name) for name in refused) or (() if record.text else ("text",))


def _fallen(base: Trace, seen: Seen, record: Record, in_order: Sequence[Hit]) -> Trace:
    """Return the trace of a record that passes the filters and was not ranked."""
    near, steps = seen.found.near, seen.found.steps
    assert steps is not None
    into = seen.ranking.instead.get(record.id)
    if into is not None:
        rank = next((rank for rank, hit in enumerate(recall.once_each(in_order), 1) if hit.record.id == into), None)
        by = records.keys_of(seen.tx, [into])[into]
        return replace(base, stage="collapse", reason="failure", into=ids.shown_key(*by), into_rank=rank)
    if record.id in near.ids:
        (at,) = near.places_of(near.ids[near.ids == record.id]).tolist()
        return replace(base, stage="rank", reason="relevance", rank=near.best(len(near)).tolist().index(at) + 1)
    if record.id in steps.measured.ids:
        only_time = seen.search.only_time and bool(steps.timely)
        return replace(base, stage="floor", reason="time" if only_time else "below")
    return replace(base, stage="candidates", reason="unmatched")


def _among(base: Trace, own: Hit, in_order: Sequence[Hit]) -> Trace:
    """Return the trace of a record that was ranked: equal texts are one."""
    base = replace(base, score=own.score, components=own.components)
    shown = recall.once_each(in_order)
    for rank, hit in enumerate(shown, 1):
        if hit.record.id == own.record.id:
            return replace(base, stage="rank", reason="limit", rank=rank)
        if recall.text_key(hit.record) == recall.text_key(own.record):
            return replace(base, stage="collapse", reason="text", into=ids.shown(hit.record), into_rank=rank)
    raise AssertionError("a ranked record is shown, or one of its text is")


def _alone(ctx: Context, seen: Seen, record: Record) -> Hit | None:
    """Return the hit that a record would be by its own text, scored as all are; None where another stands for it."""
    near = seen.search.measured(seen.search.ids([record.id])).relevance
    none = Relevances.of({})
    only = Candidates(near, none, complete=True, judged=False, rules=Fitting.none(), by_time=seen.found.by_time)
    found = recall.ranking_of(ctx, seen.tx, seen.query, seen.search, seen.time, only, 1, 1).best
    return next((hit for hit in found if hit.record.id == record.id), None)


def _placed(found: Trace, own: Hit | None, hits: Sequence[Hit], others: Sequence[Hit]) -> Trace:
    """Return the trace with its place among the hits of all indexes: what is among them was returned."""
    found = replace(found, last_score=hits[-1].score if hits else None)
    places = {ids.shown(hit.record): place for place, hit in enumerate(hits)}
    if found.stage == "collapse":
        return replace(found, into_rank=places[found.into] + 1 if found.into in places else found.into_rank)
    if own is None or found.stage != "rank":
        return found
    for rank, hit in enumerate(hits, 1):
        if hit.record.id == own.record.id:
            return replace(found, stage="returned", reason="", rank=rank, score=hit.score, components=hit.components)
    before = sum(recall.across_indexes(hit) < recall.across_indexes(own) for hit in others)
    assert found.rank is not None
    return replace(found, rank=max(found.rank + before, len(hits) + 1))


# --- Why ---


def _reasons(ctx: Context, seen: Seen, wanted: Mapping[int, Hit | None]) -> dict[int, tuple[Reason, ...]]:
    """Return by row id why each record was found; a failure is found by what it stands for, too."""
    steps = seen.found.steps
    assert steps is not None
    for_others: dict[int, list[int]] = {}
    for left_out, shown in seen.ranking.instead.items():
        for_others.setdefault(shown, []).append(left_out)
    ways: dict[int, list[Way]] = {}
    for record, hit in wanted.items():
        found = trace.ways(steps, record)
        found += [Way("failure", other) for other in for_others.get(record, ())]
        if hit is not None and hit.rule:
            found.append(Way("rule"))
        ways[record] = found
    named = _names(ctx, seen.tx, (way.record for found in ways.values() for way in found))
    related = {record: way.record for record, found in ways.items() for way in found if way.by == "relation"}
    via = versions.ways_from(ctx, seen.tx, related)
    return {
        record: tuple(
            Reason(
                way.by,
                named.get(way.record, ""),
                via[record].relationship if way.by == "relation" and record in via else "",
            )
            for way in found
        )
        for record, found in ways.items()
    }


def _names(ctx: Context, tx: Transaction, wanted: Iterable[int]) -> dict[int, str]:
    """Return the shown ids of records by row id, of those that the caller may see."""
    there = {record for record in wanted if record}
    if not there:
        return {}
    keys = records.keys_of(tx, there - visibility.hidden(ctx, tx, there))
    return {record: ids.shown_key(*key) for record, key in keys.items()}


# --- In words ---


def _said(found: Trace, query: Query) -> Trace:
    return replace(found, sentence=_sentence(found, query))


def _sentence(of: Trace, query: Query) -> str:
    name = f"{of.record.kind} {of.id}" if of.record is not None else f"id {of.id!r:.200}"
    return f"{name} {_WORDS[of.stage](of, query)}."


def _exists(of: Trace, _: Query) -> str:
    if of.reason == "deleted":
        return "is deleted; `indelible undo` brings back what was deleted within 30 days"
    return "is unknown: it was never stored, was purged, or is not yours to see"


def _filter(of: Trace, query: Query) -> str:
    return f"is outside of the filters: {'; '.join(_refusal(each, of, query) for each in of.filters)}"


def _collapse(of: Trace, _: Query) -> str:
    where = "was ranked" if of.into_rank is None else f"is number {of.into_rank}"
    beyond = "" if of.into_rank is None or of.into_rank <= of.limit else f", beyond the limit of {of.limit}"
    why = "has the same text" if of.reason == "text" else "says the same of one failure"
    return f"is shown by {of.into}, which {why} and {where}{beyond}"


def _rank(of: Trace, _: Query) -> str:
    if of.reason == "relevance":
        return f"is number {of.rank} by relevance, so far beyond the limit of {of.limit} that it was not ranked"
    last = "" if of.last_score is None else f"; the last one returned has {of.last_score:.3f}"
    return f"is number {of.rank} with a score of {of.score or 0:.3f}, beyond the limit of {of.limit}{last}"


def _returned(of: Trace, _: Query) -> str:
    return f"is returned as number {of.rank} with a score of {of.score or 0:.3f}"


def _refusal(name: str, of: Trace, query: Query) -> str:
    assert of.record is not None
    if name == "kind":
        return f"its kind is {of.record.kind}, searched are {', '.join(query.searched())}"
    if name == "type":
        return f"its type is {of.record.type or 'none'}, asked for is {query.type}"
    if name == "project":
        asked = "what this caller may read" if query.namespace is None else (query.namespace or "no project")
        return f"its project is {of.record.namespace or 'none'}, searched is {asked}"
    return {
        "expired": "it has expired",
        "text": "it has no text",
        "index": "it is not in the index that was searched",
    }.get(name, f"the filter {name} leaves it out")


def _unmatched(of: Trace, _: Query) -> str:
    assert of.place is not None
    place = of.place
    if place.word_rank:
        words = f"by words it is number {place.word_rank} with {place.overlap:.3f}, below the last found"
        words += f" ({place.last_overlap:.3f})"
    else:
        words = "none of the words of the question that can tell anything is in it"
    if place.cosine is None:
        return f"was not found: {words}, and it was not compared by meaning"
    cut = "" if place.last_cosine is None else f", the last found {place.last_cosine:.3f}"
    return f"was not found: {words}, and its similarity is {place.cosine:.3f}{cut}"


def _below(of: Trace, _: Query) -> str:
    assert of.place is not None
    place = of.place
    if of.reason == "time":
        return "was found and is no answer: the question names a time and nothing else, and it is not of that time"
    share = f"{place.word_share:.0%} of the question's words by weight"
    if not place.embedded:
        return f"was found and is no answer: it was not compared by meaning, and has {share}, none rare enough"
    return (
        f"was found and is no answer: its relevance {place.relevance:.3f} is below {place.least_relevance:.3f}, its "
        f"similarity {place.cosine or 0:.3f} below {place.least_cosine:.3f}, and it has {share}, less than "
        f"{place.least_word_share:.0%}"
    )


_WORDS: Mapping[Stage, Callable[[Trace, Query], str]] = {
    "exists": _exists,
    "filter": _filter,
    "candidates": _unmatched,
    "floor": _below,
    "rank": _rank,
    "collapse": _collapse,
    "returned": _returned,
}
