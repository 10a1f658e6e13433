"""Versions of a text in a ranking: the newer stands before the older, and each older one names what follows it.

A record is replaced by another where a caller said so (SUPERSEDES and its like); it may have a newer version where two
texts say different values of one thing (MAY_SUPERSEDE). Neither is hidden.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from indelible.code_states import CodeState
from indelible.core.context import ids, visibility
from indelible.core.context.context import Context
from indelible.model import Edge, Hit, Via
from indelible.store.database import Transaction
from indelible.store.tables import edges, records
from indelible.store.views import code_links, freshness

if TYPE_CHECKING:
    from indelible.search.relevance import Relevance, Relevances
    from indelible.search.retrieval import Retrieval

# Imported late (start, cli): indelible.search.relevance

LONGEST = 8  # versions that are followed from one to the next
SURE = 0.8  # weight of a relation to a newer version from which on it is sure
ABOUT_AS = 0.8  # of an older one's relevance that a newer version has at least to take its place,
SURELY_ABOUT = 0.75  # and that a sure one has

Pairs = Sequence[tuple[int, int]]  # (older, newer), by row ids
Versions = Sequence[tuple[int, int, float]]  # the same, and how sure it is that the newer is a version of the older


def newer_versions(
    tx: Transaction, search: "Retrieval", of: Iterable[int]
) -> tuple[Versions, Pairs, dict[int, tuple[CodeState, ...]]]:
    """Return the surest newer version of each record, the version of this and so on, of what passes the filters.

    Only the surest: each that is wrong costs the older one a place. Beside them come the pairs of a record and one that
    contradicts it, whether that passes or not, and the code that the records name, by row id.
    """
    found: list[tuple[int, int, float]] = []
    contradicting: list[tuple[int, int]] = []
    code: dict[int, tuple[CodeState, ...]] = {}
    seen = set(of)
    layer = seen
    for _ in range(LONGEST):
        if layer is seen and layer and code_links.any_repository(tx):
            every, against, code = freshness.with_newer(tx, layer)
        else:
            every, against = edges.newer(tx, layer) if layer else ([], [])
        contradicting += against
        if not every:
            break
        allowed = set(search.allowed({new for _, new, _ in every}).tolist())
        surest = {old: (old, new, sure) for old, new, sure in every if new in allowed}
        found += surest.values()
        layer = {new for _, new, _ in surest.values()} - seen
        seen = seen | layer
    return found, contradicting, code


def as_near(search: "Retrieval", answers: "Relevances", versions: Versions) -> Pairs:
    """Return the pairs whose newer one is about as near to the query as the older one, whether it is an answer or not.

    A question is about what has changed, or about something else that the older one says. In the second case its newer
    version says nothing of it; and where they are no versions of each other, little is lost. So the surer that is, the
    less near it may be.
    """
    if not versions:
        return []
    known = answers.by_id()
    others = search.measured(search.ids({record for old, new, _ in versions for record in (old, new)} - known.keys()))
    known |= others.relevance.by_id()
    return [
        (old, new)
        for old, new, sure in versions
        if known[new].value >= (SURELY_ABOUT if sure >= SURE else ABOUT_AS) * known[old].value
    ]


def as_relevant(answers: "Relevances", pairs: Pairs) -> "Relevances":
    """Return the newer versions that are less relevant than an older one, each as relevant as that one.

    Both are about the same, and words that only the older one shares with the query do not make it the better answer.
    """
    from indelible.search.relevance import Relevances

    known = answers.by_id() if pairs else {}
    raised: dict[int, Relevance] = {}
    for _ in range(LONGEST):
        before = len(raised), sum(each.value for each in raised.values())
        for old, new in pairs:
            lent, own = raised.get(old) or known.get(old), raised.get(new) or known.get(new)
            if lent is not None and (own is None or own.value < lent.value):
                raised[new] = lent
        if before == (len(raised), sum(each.value for each in raised.values())):
            break
    return Relevances.of(raised)


def replacements(relations: Iterable[Edge]) -> Pairs:
    """Return the pairs of what the relations replace."""
    return [pair for edge in relations if (pair := edges.replaces(edge))]


def named(
    ctx: Context,
    tx: Transaction,
    hits: Sequence[Hit],
    replaced: Pairs,
    newer: Pairs,
    contradicting: Pairs,
    lenders: Mapping[int, int],
) -> list[Hit]:
    """Return the hits, each with the newest of what replaces it, of its possible versions and of what contradicts it.

    And with its way from a lender.

    `lenders` are by row id the records whose relations brought those that their own text did not.
    """
    by = (
        _following(replaced, follow=False),
        _following(newer, follow=True),
        _following(contradicting, follow=False),
    )
    shown = [hit.record.id for hit in hits]
    others = {record for found in by for old in shown for record in found.get(old, ())}
    ways = ways_from(ctx, tx, {record: lenders[record] for record in shown if record in lenders})
    if not others and not ways:
        return list(hits)
    known = {each.id: each for each in records.by_ids(tx, sorted(others)).values()}
    hidden = visibility.hidden(ctx, tx, others)

    def newest(found: Mapping[int, set[int]], old: int) -> str:
        there = [known[record] for record in found.get(old, ()) if record in known and record not in hidden]
        return ids.shown(max(there, key=lambda record: (record.created, record.id))) if there else ""

    return [
        replace(
            hit,
            replaced_by=newest(by[0], hit.record.id) if hit.record.replaced else "",
            newer=newest(by[1], hit.record.id),
            contradicted_by=newest(by[2], hit.record.id),
            via=ways.get(hit.record.id),
        )
        for hit in hits
    ]


def _following(pairs: Pairs, *, follow: bool) -> dict[int, set[int]]:
    """Return the records that follow each; with `follow` what follows these too."""
    found: dict[int, set[int]] = {}
    for old, new in pairs:
        found.setdefault(old, set()).add(new)
    if not follow:
        return found
    reached: dict[int, set[int]] = {}
    for start, direct in found.items():
        waiting, seen = list(direct), set(direct)
        while waiting:
            fresh = found.get(waiting.pop(), set()) - seen
            seen |= fresh
            waiting += fresh
        reached[start] = seen - {start}
    return reached


def ways_from(ctx: Context, tx: Transaction, lenders: Mapping[int, int]) -> dict[int, Via]:
    """Return for each record the heaviest relation between it and its lender."""
    if not lenders:
        return {}
    keys = records.keys_of(tx, set(lenders.values()) - visibility.hidden(ctx, tx, lenders.values()))
    heaviest: dict[frozenset[int], Edge] = {}
    for edge in edges.between(tx, {*lenders, *lenders.values()}):
        ends = frozenset((edge.source, edge.target))
        if ends not in heaviest or heaviest[ends].weight < edge.weight:
            heaviest[ends] = edge
    return {
        record: Via(ids.shown_key(*keys[lender]), heaviest[ends].canonical)
        for record, lender in lenders.items()
        if lender in keys and (ends := frozenset((record, lender))) in heaviest
    }
