"""The candidates of a query: the best by words, sparse terms and vectors inside the filters, with evidence."""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from indelible.clock import micros
from indelible.core.context import visibility
from indelible.core.context.context import Context
from indelible.core.indexes.record_index import Caches, Meaning
from indelible.core.recall import working_files
from indelible.core.recall.relevance import Measured, Relevance
from indelible.core.recall.session_neighbors import LENDERS, borrowed, neighbours
from indelible.embed.base import Embedding
from indelible.model import CODE_KINDS, RECALLED_KINDS
from indelible.search.time_spans import TimeSpan, is_open
from indelible.store.database import Transaction
from indelible.store.tables import edges, embeddings, records
from indelible.store.tables.embeddings import Model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from indelible.search.index.postings import Postings
    from indelible.search.index.slots import Mask, Slots

    Floats = NDArray[np.floating[Any]]
    Vectors = NDArray[np.float32]

# Imported late (start, cli): indelible.search.evidence, indelible.search.index.postings,
#   indelible.search.index.vectors, indelible.search.scoring, numpy

HELD = 0.02  # seconds that the embedding is waited for while other recalls wait for the caches
SEEDS = 20  # best candidates whose relations are followed
RESCORED = 200  # nearest by their codes whose vectors are read
MOST_TIMELY = 200  # records of a time that are looked at, the newest
LONGEST_TIME = timedelta(days=100)  # a longer span that a query names says little about when


@dataclass(frozen=True, slots=True)
class Query:
    """A query: its text and filters; None lets everything pass.

    Where no kinds are named, a type is one of memories. `relevance_only` scores by words, meaning and the time that the
    query names, by nothing else. With `shared` records of no project pass a namespace filter.
    """

    text: str
    k: int
    type: str | None = None
    namespace: str | None = None
    kinds: tuple[str, ...] | None = None
    among: frozenset[int] | None = None  # row ids
    relevance_only: bool = False
    shared: bool = False

    def searched(self) -> tuple[str, ...]:
        """Return the kinds to search."""
        if self.kinds is not None:
            return self.kinds
        return ("memory",) if self.type is not None else RECALLED_KINDS


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidates by row id, and whether there are no others; `direct` are those found without relations.

    Where they are `judged` by meaning, records further down the rankings have less evidence: if four times as many
    bring no more answers, the search stops. To read on to the end takes 40 s at 1,000,000 records.
    """

    near: dict[int, Relevance]
    direct: frozenset[int]
    complete: bool
    judged: bool


@contextmanager
def searching(ctx: Context, tx: Transaction, query: Query, subject: str, wanted: int) -> "Iterator[Search]":
    """Yield the search over the caches as of the transaction, under their lock."""
    code = set(query.searched()) <= set(CODE_KINDS)
    with ctx.embedder.asking(query.text) as asked:
        model = ctx.embedder.model if asked.possible else None
        while True:
            with ctx.index.current(tx, model, code=code) as caches:
                search = Search(ctx, tx, query, subject, caches, wanted)
                if asked.ready(HELD):
                    search.ask(asked.embedding())
                    yield search
                    return
            asked.embedding()  # a slow one is waited for without the lock, and the caches may change meanwhile


def candidates(
    ctx: Context, tx: Transaction, query: Query, subject: str, time: TimeSpan | None, wanted: int
) -> Candidates:
    """Return the records with evidence of being about the query, raised by relations and session neighbours.

    `subject` is the query without its time expression, `time` the time span of that expression.
    """
    with searching(ctx, tx, query, subject, wanted) as search:
        best, complete = search.best(wanted)
        timely = search.created_in(time) if time is not None else []
        ids = sorted({*best, *timely})
        measured = search.measured(ids)
        near = dict(zip(ids, measured.relevances(), strict=True))
        kept = search.with_evidence(measured, set(timely)) if ctx.settings.floor else set(ids)
        answers = {record: near[record] for record in ids if record in kept}
        if ctx.settings.window and search.model is not None:  # only vectors tell whether an order has a meaning
            answers |= _from_neighbours(ctx, tx, search, measured, answers)
        direct = frozenset(answers)
        answers |= _from_relations(ctx, tx, search, answers)
        answers |= working_files.raised(ctx, tx, query.text, query.namespace, answers)
        answers |= _nearest_raised(search, measured, answers)
        judged = ctx.settings.floor and search.model is not None
    return Candidates(answers, direct, complete, judged)


def _nearest_raised(search: "Search", measured: Measured, answers: dict[int, Relevance]) -> dict[int, Relevance]:
    """Return the nearest by its dense vector, if it is near, at least third: it may mean the same in other words."""
    from indelible.search import scoring

    nearest = search.nearest(measured)
    if nearest is None or nearest not in answers:
        return {}
    own = answers[nearest]
    third = sorted((near.value for near in answers.values()), reverse=True)[: scoring.NEAREST_PLACE][-1]
    if own.value >= third:
        return {}
    similarity = scoring.similarity_for(scoring.JUST_ABOVE * third, own.overlap)
    return {nearest: replace(own, similarity=max(own.similarity, similarity))}


def _from_neighbours(
    ctx: Context, tx: Transaction, search: "Search", measured: Measured, answers: dict[int, Relevance]
) -> dict[int, Relevance]:
    """Return the records raised by an answer stored beside them in the same session, with their new relevance."""
    lenders = sorted(answers, key=lambda record: (-answers[record].value, -record))[:LENDERS]
    pairs = neighbours(tx, lenders)
    others = search.allowed({pair.borrower for pair in pairs} - set(measured.ids))
    everyone = [measured, search.measured(others)] if others else [measured]
    return borrowed(everyone, answers, pairs)


def _from_relations(
    ctx: Context, tx: Transaction, search: "Search", answers: dict[int, Relevance]
) -> dict[int, Relevance]:
    """Return the other ends of the best answers' relations, with the relevance lent to them where that is greater."""
    best = sorted(answers, key=lambda record: (-answers[record].value, -record))[:SEEDS]
    shares = lent(edges.around(tx, best), answers)
    found = {}
    for record in search.allowed(set(shares)):
        got, own = shares[record], answers.get(record)
        if own is None or got.value > own.value:
            found[record] = got
    return found


def lent(relations: Iterable[tuple[int, int, float]], best: dict[int, Relevance]) -> dict[int, Relevance]:
    """Return the relevance that the best answers lend along their relations; one between two answers gets of both.

    Of several relations between the same two the heaviest counts.
    """
    from indelible.search.scoring import LENT

    weights: dict[int, dict[int, float]] = {}
    for near, far, weight in relations:
        of = weights.setdefault(far, {})
        of[near] = max(min(1.0, weight), of.get(near, 0.0))
    return {
        far: together([best[near].part(LENT * weight) for near, weight in of.items()]) for far, of in weights.items()
    }


def together(shares: Sequence[Relevance]) -> Relevance:
    """Combine the relevance that several lend to one record: the two that lend most count.

    Otherwise a record related to many weak hits would come before an exact one.
    """
    if len(shares) == 1:
        return shares[0]
    two = sorted(shares, key=lambda share: (share.value, share.overlap))[-2:]
    overlap = 1 - math.prod(1 - share.overlap for share in two)
    similarity = 1 - math.prod(1 - share.similarity for share in two)
    return Relevance(overlap, similarity, all(share.by_words for share in two))


def _own_slots(ctx: Context, tx: Transaction, query: Query, caches: Caches) -> "Mask | None":
    """Return the slots of the server's project inside the filters; None without one, or with a namespace filter."""
    own = ctx.scope(tx).own if query.namespace is None else ""
    if not own:
        return None
    names = ctx.scope(tx).of_project(own, caches.words.namespaces)
    return caches.words.mask(query.searched(), query.type, names)


def _namespaces(ctx: Context, tx: Transaction, query: Query, stored: set[str]) -> set[str] | None:
    """Return the namespaces inside the filters; None for all."""
    found = ctx.scope(tx).to_read(query.namespace, stored)
    if found is None or not query.shared:
        return found
    return found | ctx.scope(tx).of_project("", stored)


class Search:
    """One query over the caches of a transaction: by its words, and by its meaning once `ask` was called."""

    def __init__(
        self,
        ctx: Context,
        tx: Transaction,
        query: Query,
        subject: str,
        caches: Caches,
        wanted: int,
    ):
        from indelible.search import evidence

        self._tx, self._query = tx, query.text
        self._words = caches.words
        self._meaning = caches.meaning
        self._asked: Embedding | None = None
        self._filters = (
            query.searched(),
            query.type,
            _namespaces(ctx, tx, query, caches.words.namespaces),
            visibility.hidden_groups(ctx, tx),
        )
        self._among = None if query.among is None else list(query.among)
        self._mask = self._passing(caches.words)
        self._own = _own_slots(ctx, tx, query, caches)
        self._question = evidence.question(query.text, subject, caches.words)
        self._scores = caches.words.bm25(self._question.terms, self._mask, wanted)

    def ask(self, embedding: Embedding | None) -> None:
        """Search by meaning too, with the embedding of the query; None for none."""
        meaning = self._meaning
        if embedding is None or meaning is None or embedding.dense.shape[1] != meaning.model.dimensions:
            return  # an embedding of other dimensions is another model's
        self._asked = embedding
        self._norm = float((embedding.sparse.weights**2).sum()) ** 0.5
        terms, weights = meaning.sparse.read(embedding.sparse.terms.tolist()), embedding.sparse.weights.tolist()
        self._dots = meaning.sparse.dot(terms, weights, self._passing(meaning.sparse))

    def _passing(self, slots: "Slots | Postings") -> "Mask":
        import numpy as np

        mask = slots.mask(*self._filters)
        if self._among is not None:
            mask &= np.isin(slots.records.values, self._among)
        return mask

    @property
    def namespaces(self) -> set[str]:
        """Return the namespaces of the searched records, present or past."""
        return self._words.namespaces

    @property
    def model(self) -> Model | None:
        """Return the model whose embeddings are searched."""
        return self._meaning.model if self._meaning is not None and self._asked is not None else None

    def best(self, wanted: int) -> tuple[list[int], bool]:
        """Return the best `wanted` by words, by sparse terms and by vectors; whether no record is left out."""
        import numpy as np

        from indelible.search.index.postings import best_of

        slots = best_of(self._scores, wanted)
        found, complete = [self._words.records.values[slots]], len(slots) < wanted
        if self._meaning is not None and self._asked is not None:
            slots = best_of(self._dots, wanted)
            near, meaning = max(wanted, RESCORED), self._meaning
            nearest, all_of_them = meaning.nearest(self._asked.dense[0], self._words, self._passing, near)
            found += [self._meaning.sparse.records.values[slots], nearest]
            complete = complete and len(slots) < wanted and all_of_them
        return np.unique(np.concatenate(found)).tolist(), complete

    def measured(self, ids: list[int]) -> Measured:
        """Measure these records against the query."""
        import numpy as np

        from indelible.search import evidence, scoring

        slots = self._words.slots_of(ids)
        here = slots >= 0
        scores, shares, worded = np.zeros(len(ids)), np.zeros(len(ids)), np.zeros(len(ids), np.bool_)
        scores[here] = self._scores[slots[here]]
        found = evidence.worded(self._question, slots[here])
        worded[here], shares[here] = found.enough, found.shares
        overlaps = scoring.overlap(scores, self._question.total)
        if self._meaning is None or self._asked is None:
            none = np.zeros(len(ids))
            none_embedded, nowhere = np.zeros(len(ids), np.bool_), np.zeros((len(ids), 0), np.float32)
            return Measured(ids, overlaps, none, none - 1, shares, worded, none_embedded, nowhere)
        cosines, vectors = self._cosines(ids, self._asked.dense[0], self._meaning)
        slots = self._meaning.sparse.slots_of(ids)
        dots = np.where(slots >= 0, self._dots[np.maximum(slots, 0)] if len(self._dots) else 0.0, 0.0)
        similarities = scoring.similarity(cosines, dots, self._norm)
        embedded = np.asarray(vectors.any(axis=1))
        return Measured(ids, overlaps, similarities, cosines, shares, worded, embedded, vectors)

    def _cosines(self, ids: list[int], query: "Vectors", meaning: Meaning) -> "tuple[Floats, Vectors]":
        """Return the cosine of each text's nearest window, -1 for texts without, and the direction of each text."""
        import numpy as np

        from indelible.search.index import vectors

        rows = embeddings.vectors(self._tx, meaning.model.number, ids)
        windows = vectors.unpack([body for _, body in rows])
        cosines = np.full(len(ids), -1.0)
        directions = np.zeros((len(ids), len(query)), np.float32)
        if rows:
            places = np.searchsorted(ids, [record for record, _ in rows])
            # einsum: with `@` numpy's BLAS waits for threads on other cores, which may be busy
            np.maximum.at(cosines, places, np.einsum("ij,j->i", windows, query))
            if len(set(places.tolist())) == len(places):
                directions[places] = windows  # unit rows already; most texts have one window
            else:
                np.add.at(directions, places, windows)
                directions /= np.maximum(np.linalg.norm(directions, axis=1, keepdims=True), 1e-9)
        return cosines, directions

    def created_in(self, time: TimeSpan) -> list[int]:
        """Return the newest records in the time span that a query names, if that is a limited one."""
        if is_open(time) or time.end - time.start > LONGEST_TIME:
            return []
        span = (micros(time.start), micros(time.end))
        found = records.created_in(self._tx, self._filters[0], *span, MOST_TIMELY)
        return self.allowed(set(found))

    def with_evidence(self, measured: Measured, timely: set[int]) -> set[int]:
        """Return those that can be an answer: by meaning and words, or by words alone where there is no vector.

        Records of the own project are judged among themselves: records of other projects take no answer away. A record
        in the time span that the query names needs little more evidence, and none where the query names nothing else.
        """
        from indelible.search import scoring

        return self.answering(measured, scoring.fused(measured.overlaps, measured.similarities), timely)

    def answering(self, measured: Measured, relevances: "Floats", timely: set[int]) -> set[int]:
        """Return the same where the relevance of each record is known."""
        import numpy as np

        from indelible.search import evidence

        kept = measured.worded & ~measured.embedded
        own = self.are_own(measured.ids)
        for some, among in ((~own, self._records()), (own, self._own_records())):
            known = np.flatnonzero(measured.embedded & some)
            kept[known] = evidence.answering(relevances[known], measured.shares[known], measured.cosines[known], among)
        if timely:
            least = 0.0 if self._question.only_time else evidence.TIMELY * evidence.floor(self._records())
            kept |= np.isin(measured.ids, list(timely)) & (relevances >= least)
        return {record for record, keep in zip(measured.ids, kept.tolist(), strict=True) if keep}

    def about(self, measured: Measured) -> set[int]:
        """Return the records that the query, a message, is about."""
        from indelible.search import evidence, scoring

        relevances = scoring.fused(measured.overlaps, measured.similarities)
        shares = measured.shares if evidence.says_something(self._query) else measured.shares * 0
        kept = evidence.about(relevances, shares, measured.cosines, measured.embedded, self._records())
        return {record for record, keep in zip(measured.ids, kept.tolist(), strict=True) if keep}

    def nearest(self, measured: Measured) -> int | None:
        """Return the record of the nearest dense vector if it is near among the project's or all records, else None."""
        import numpy as np

        from indelible.search import evidence

        best = int(np.argmax(measured.cosines)) if measured.ids else -1
        if best < 0:
            return None
        among = self._own_records() if self.are_own([measured.ids[best]])[0] else self._records()
        return measured.ids[best] if evidence.near(measured.cosines[best : best + 1], among)[0] else None

    def are_own(self, ids: list[int]) -> "Mask":
        """Return a mask of the records of the server's project; none are where the query names a namespace."""
        import numpy as np

        if self._own is None:
            return np.zeros(len(ids), np.bool_)
        slots = self._words.slots_of(ids)
        return np.asarray((slots >= 0) & self._own[np.maximum(slots, 0)], np.bool_)

    def _own_records(self) -> int:
        """Return how many searched records are the own project's."""
        import numpy as np

        return 0 if self._own is None else int(np.count_nonzero(self._own))

    def _records(self) -> int:
        """Return how many records are searched."""
        import numpy as np

        return int(np.count_nonzero(self._mask))

    def allowed(self, ids: set[int]) -> list[int]:
        """Return those that pass the filters, ascending."""
        ordered = sorted(ids)
        slots = self._words.slots_of(ordered)
        return [record for record, slot in zip(ordered, slots.tolist(), strict=True) if slot >= 0 and self._mask[slot]]
