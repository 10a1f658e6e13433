"""The best hits in the order of a cross-encoder, which reads the query and each text together, where one is chosen.

Only the order is its: scores keep their meaning (decision 012), an older version stays below a newer one and what is
replaced below its replacement, and standing rules, which answer no question, keep their places.
"""

from collections.abc import Iterable, Sequence

from indelible import tracing
from indelible.core.context.context import Context
from indelible.core.indexes.model_choice import Named
from indelible.core.recall.candidates import Query
from indelible.core.recall.superseded import below_newer
from indelible.core.recall.versions import Pairs
from indelible.embed.base import Scorer
from indelible.model import Hit
from indelible.search import tokens

MOST = 30  # best hits that are ordered anew
LONGEST = 1_500  # characters of a text that are read; a longer one is judged by its beginning

Chosen = tuple[Named, Scorer]


def chosen(ctx: Context, query: Query) -> Chosen | None:
    """Return the cross-encoder that the store has chosen for recall; None where there is none.

    What is ranked by relevance alone is compared by its figures and keeps their order.
    """
    return None if query.relevance_only else ctx.embedder.reranker


def reordered(ctx: Context, query: Query, by: Chosen, hits: Sequence[Hit], newer: Pairs) -> list[Hit]:
    """Return the hits with the best MOST in the order of the cross-encoder's scores, ties as they were.

    As many of them as it reads within the time of the settings are ordered among themselves, and stay before the
    others; where these are not all, the call says why. `newer` are pairs of (older, newer) by row ids: both are
    about the same, so the newer counts as much as the older one, and stands above it.
    """
    places = [place for place, hit in enumerate(hits[:MOST]) if not hit.rule]
    if len(places) < 2:
        return list(hits)
    scores = _scores(ctx, query, by, [hits[place].record.text for place in places])
    values = _lent({hits[place].record.id: score for place, score in zip(places, scores, strict=False)}, newer)
    places = places[: len(scores)]
    best = sorted(places, key=lambda place: -values[hits[place].record.id])
    ordered = list(hits)
    for place, taken in zip(places, best, strict=True):
        ordered[place] = hits[taken]
    return below_newer(ordered, newer)


def _scores(ctx: Context, query: Query, by: Chosen, texts: Sequence[str]) -> list[float]:
    """Return the scores of the first texts that came in time, and note in the call why there are fewer."""
    named, scorer = by
    note = ctx.call.searched
    if scorer.languages and tokens.language_of(query.text) not in scorer.languages:
        note.not_reranked = f"{named.name} does not know the language of the question"
        return []
    seconds = ctx.settings.rerank_seconds
    with tracing.part("rerank", {"gen_ai.request.model": named.name, "indelible.encoder.texts": len(texts)}) as span:
        found = scorer.scores(query.text, [text[:LONGEST] for text in texts], seconds)
        span.note("indelible.encoder.scored", len(found or ()))
    if found is None:
        is_loading = scorer.state == "loading"
        scorer.wake()
        if is_loading:
            note.not_reranked = f"{named.name} is being loaded"
        elif scorer.state in ("ready", "loading"):
            note.not_reranked = f"{named.name} read none of {len(texts)} hits in {seconds:g} s"
        else:
            note.not_reranked = f"{named.name} is not ready: the health of the store says why"
        return []
    if len(found) < len(texts):
        note.not_reranked = f"{named.name} read {len(found)} of {len(texts)} hits in {seconds:g} s"
    return found


def _lent(values: dict[int, float], newer: Iterable[tuple[int, int]]) -> dict[int, float]:
    """Return values by row id, each newer version's at least as high as those of its older ones."""
    pairs = [(old, new) for old, new in newer if old in values and new in values]
    raised = dict(values)
    for _ in pairs:
        before = dict(raised)
        for old, new in pairs:
            raised[new] = max(raised[new], raised[old])
        if raised == before:
            break
    return raised
