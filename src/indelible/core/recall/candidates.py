"""The candidates of a query: found and measured by `search/retrieval`, raised by what the store knows of them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import field
from datetime import timedelta
from typing import TYPE_CHECKING

from indelible.clock import micros, sortable_text
from indelible.core.context import visibility
from indelible.core.context.context import Context
from indelible.core.indexes.embedder import Question
from indelible.core.indexes.record_index import Caches
from indelible.core.recall import freshness, versions, working_files
from indelible.core.recall.unembedded import embedding_of
from indelible.dataclass import dataclass
from indelible.embed.base import Embedding
from indelible.model import CODE_KINDS, COMMIT, RECALLED_KINDS
from indelible.search.time_spans import TimeSpan, is_open
from indelible.store.database import Transaction
from indelible.store.tables import edges, records
from indelible.store.views import lifetimes

if TYPE_CHECKING:
    from indelible.search.relevance import Relevances
    from indelible.search.retrieval import Filters, Retrieval
    from indelible.search.situations import Fitting
    from indelible.search.times.timed import TimedQuestion
    from indelible.search.trace import Steps
    from indelible.search.window import Pairs

# Imported late (start, cli): indelible.search.relevance, indelible.search.retrieval, indelible.search.trace
# Imported late (start, cli): indelible.search.window

LENDERS = 64  # best answers whose neighbours in their session are looked at
WINDOW = 30 * 60 * 1_000_000  # microseconds between these
SEEDS = 20  # best candidates whose relations are followed
MOST_TIMELY = 200  # records of a time that are looked at, the newest
LONGEST_TIME = timedelta(days=100)  # a longer span that a query names says little about when


@dataclass(frozen=True, slots=True)
class Query:
    """A query: its text and filters; None lets everything pass.

    Where no kinds are named, a type is one of memories. `relevance_only` scores by words, meaning and the time that the
    query names, by nothing else. With `shared` records of no project pass a namespace filter. `as_of` asks for what was
    there at a time, in microseconds since 1970, see `as_of`. Commits are asked for alone, see `recall.ranked`.
    """

    text: str
    k: int
    type: str | None = None
    namespace: str | None = None
    kinds: tuple[str, ...] | None = None
    among: frozenset[int] | None = None  # row ids
    relevance_only: bool = False
    shared: bool = False
    as_of: int | None = None
    without: frozenset[int] = frozenset()  # row ids
    weights: Mapping[str, float] | None = None  # of the score's components, None for those of the store

    def searched(self) -> tuple[str, ...]:
        """Return the kinds to search."""
        if self.kinds is not None:
            return self.kinds
        return ("memory",) if self.type is not None else RECALLED_KINDS


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidates, and whether there are no others; `direct` are those found without relations but to newer versions.

    `lenders` are the records by which relations brought others, `newer` pairs of a record and what may be its newer
    version, `reordered` those of them whose newer one comes before the older one, `contradicting` pairs of a record and
    one that contradicts it, all by row ids.

    `rules` fit the situation of the query, whether they are among the candidates or not.
    Where they are `judged` by meaning, records further down the rankings have less evidence: if four times as many
    bring no more answers, the search stops. To read on to the end takes 40 s at 1,000,000 records.
    """

    near: "Relevances"
    direct: "Relevances"
    complete: bool
    judged: bool
    rules: "Fitting"
    lenders: Mapping[int, int] = field(default_factory=dict)
    newer: versions.Pairs = ()
    reordered: versions.Pairs = ()
    contradicting: versions.Pairs = ()
    by_time: bool = False  # they are of the time that the query names, and it names nothing else
    code: freshness.States = field(default_factory=dict)  # what the records `looked_at` name
    looked_at: frozenset[int] = frozenset()
    steps: "Steps | None" = None  # how they were found, for a trace


@contextmanager
def searching(
    ctx: Context,
    tx: Transaction,
    query: Query,
    subject: str,
    wanted: int,
    asked: Question | None = None,
    timed: "TimedQuestion | None" = None,
) -> "Iterator[Retrieval]":
    """Yield the search over the caches as of the transaction.

    `subject` is the query without its time expression, `wanted` how many are asked for first, `asked` is the query
    where it is being encoded already, `timed` what is known of its time. One that names nothing but a time is not
    searched by meaning. The lock of the caches is held while words and the embedding are looked up, not
    while the embedding is waited for, nor for what follows: the search stays at its moment, and others recall and
    follow changes meanwhile.
    """
    code = set(query.searched()) <= set(CODE_KINDS)
    commits = query.searched() == (COMMIT,)
    with ctx.embedder.asking(query.text) if asked is None else nullcontext(asked) as question:
        bare = (timed is not None and timed.bare) or commits  # commits are not embedded
        model = question.model if question.possible and not bare else None
        search, state = None, 0
        while True:
            with ctx.indexes.records.current(tx, model, code=code, commits=commits) as caches:
                if search is None or caches.state != state:  # they have changed while the embedding was waited for
                    search, state = retrieval(ctx, tx, query, subject, caches.frozen(), wanted, timed), caches.state
                if bare:
                    break
                if question.ready(0):
                    ask(search, embedding_of(ctx, question))
                    break
            question.embedding()
        yield search


def ask(search: "Retrieval", embedding: Embedding | None) -> None:
    """Search by meaning too, by the first window of the query's embedding; None for none."""
    if embedding is not None:
        search.ask(embedding.dense[0], embedding.sparse.terms, embedding.sparse.weights)


def retrieval(
    ctx: Context,
    tx: Transaction,
    query: Query,
    subject: str,
    caches: Caches,
    wanted: int,
    timed: "TimedQuestion | None" = None,
) -> "Retrieval":
    """Return the search over caches, by words until it is asked by meaning."""
    from indelible.search.retrieval import Asked, Meant, Nearest, Retrieval, Snapshot

    stored = caches.words.namespaces
    filters = filters_of(ctx, tx, query, stored)
    own = own_filters_of(ctx, tx, query, stored)
    meaning = caches.meaning
    words = caches.words
    snapshot = Snapshot(words)
    if meaning is not None:
        nearest: Nearest = lambda vector, passing: meaning.nearest(vector, words, passing)  # noqa: E731
        snapshot = Snapshot(
            words, Meant(meaning.model.dimensions, meaning.sparse, nearest, meaning.read, meaning.scale)
        )
    asked = Asked(query.text, subject)
    if timed is not None and timed.time is not None:
        asked = Asked(timed.words, subject, timed.only_time, timed.bare)
    return Retrieval(asked, snapshot, filters, own, wanted)


def filters_of(ctx: Context, tx: Transaction, query: Query, stored: set[str]) -> "Filters":
    """Return the filters of a query over records of these namespaces: what has expired by now never passes."""
    from indelible.search.retrieval import Filters

    among = None if query.among is None else list(query.among)
    names, hidden = _namespaces(ctx, tx, query, stored), visibility.hidden_groups(ctx, tx)
    expired = lifetimes.expired(tx, sortable_text(ctx.now())) if query.as_of is None else frozenset()
    return Filters(query.searched(), query.type, names, hidden, among, [*query.without, *expired])


def own_filters_of(ctx: Context, tx: Transaction, query: Query, stored: set[str]) -> "Filters | None":
    """Return what passes the server's project inside the filters; None without one, or with a namespace filter."""
    from indelible.search.retrieval import Filters

    own = ctx.scope(tx).own if query.namespace is None else ""
    return Filters(query.searched(), query.type, ctx.scope(tx).of_project(own, stored)) if own else None


def _namespaces(ctx: Context, tx: Transaction, query: Query, stored: set[str]) -> set[str] | None:
    """Return the namespaces inside the filters; None for all."""
    found = ctx.scope(tx).to_read(query.namespace, stored)
    if found is None or not query.shared:
        return found
    return found | ctx.scope(tx).of_project("", stored)


def candidates(
    ctx: Context, tx: Transaction, query: Query, search: "Retrieval", time: TimeSpan | None, wanted: int
) -> Candidates:
    """Return the records with evidence of being about the query, raised by relations and session neighbours.

    `time` is the time span that the query names; `wanted` how many are asked for: more than before, and the search goes
    on from where it stands.
    """
    from indelible.search.trace import Steps

    timely = created_in(ctx, tx, query, search, time)
    by_time = search.only_time and bool(timely)
    ids, complete = search.best(wanted, timely)
    measured = search.measured(ids)
    answers = measured.relevance
    if ctx.settings.floor:
        answers = answers.take(search.with_evidence(measured, timely))
    judged, beside = answers, None
    if ctx.settings.window and search.by_meaning:  # only vectors tell whether an order has a meaning
        pairs = _neighbours(ctx, tx, answers.ids[answers.best(LENDERS)].tolist())
        beside = search.from_neighbours(measured, answers, pairs)
        answers = answers.replaced_by(beside.relevance)
    direct = answers
    related, lenders = _from_relations(ctx, tx, search, answers)
    answers = answers.replaced_by(related)
    in_use, mentioned = working_files.raised(ctx, tx, query.text, query.namespace, answers)
    answers = answers.replaced_by(in_use)
    nearest = search.nearest_raised(measured, answers)
    answers = answers.replaced_by(nearest)
    rules = search.rules(measured, answers)
    looked_at = frozenset([*answers.ids[answers.best(wanted)].tolist(), *rules.ids])
    found, contradicting, code = versions.newer_versions(tx, search, looked_at)
    newer = [(old, new) for old, new, _ in found]
    reordered = versions.as_near(search, answers, found)
    older = {new: old for old, new in reordered}
    steps = Steps(wanted, timely, measured, judged, beside, lenders, mentioned, nearest, older)
    raised = versions.as_relevant(answers, reordered)
    lenders = {record: lender for record, lender in {**lenders, **older}.items() if record not in direct.ids}
    answers, direct = answers.replaced_by(raised), direct.replaced_by(raised)
    return Candidates(
        *(answers, direct, complete, ctx.settings.floor and search.by_meaning, rules, lenders, newer, reordered),
        *(contradicting, by_time, code, looked_at, steps),
    )


def created_in(
    ctx: Context, tx: Transaction, query: Query, search: "Retrieval", time: TimeSpan | None
) -> Sequence[int]:
    """Return the newest records in the time span that a query names, if that is a limited one or all that it names."""
    if time is None:
        return []
    if not search.only_time and (is_open(time) or time.end - time.start > LONGEST_TIME):
        return []
    span = (micros(time.start), micros(time.end))
    found = records.created_in(tx, query.searched(), *span, MOST_TIMELY)
    allowed: list[int] = search.allowed(found).tolist()
    return allowed


def _neighbours(ctx: Context, tx: Transaction, lenders: Sequence[int]) -> "Pairs":
    """Return the two records before and the two after each in its session, as far as there are any, by row ids."""
    from indelible.search.window import Pairs

    return Pairs.of(records.beside(tx, lenders, WINDOW))


def _from_relations(
    ctx: Context, tx: Transaction, search: "Retrieval", answers: "Relevances"
) -> "tuple[Relevances, dict[int, int]]":
    """Return the other ends of the best answers' relations, with the relevance lent to them where that is greater.

    The second value is the answer that lends most to each, by row ids.
    """
    from indelible.search.relevance import Relevances, lent

    places = answers.best(SEEDS)
    relations = edges.around(tx, answers.ids[places].tolist())
    if not relations:
        return Relevances.of({}), {}
    known = answers.by_id()
    shares = lent(relations, known)
    raised = {
        record: shares[record]
        for record in search.allowed(shares.keys()).tolist()
        if record not in known or shares[record].value > known[record].value
    }
    most: dict[int, tuple[float, int]] = {}
    for near, far, weight in relations:
        if far in raised:
            most[far] = max(most.get(far, (0.0, 0)), (known[near].value * min(1.0, weight), near))
    return Relevances.of(raised), {far: lender for far, (_, lender) in most.items()}
