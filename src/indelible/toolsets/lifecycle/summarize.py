"""The cycle `summarize`: stores an insight for each community of related memories, made of their own sentences."""

import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from math import fsum
from typing import TypedDict

from indelible.core.context.context import Context
from indelible.core.records import insert, undo
from indelible.core.records.trust import is_confirmed
from indelible.core.records.undo import Added
from indelible.dataclass import dataclass
from indelible.model import Edge, Record
from indelible.search.summaries import summary
from indelible.store.database import Transaction
from indelible.store.tables import edges, records
from indelible.store.views import consolidation as rows
from indelible.toolsets.lifecycle import cycle as lifecycle_cycle
from indelible.toolsets.lifecycle import evidence
from indelible.toolsets.lifecycle.associate import ORIGIN
from indelible.toolsets.lifecycle.cycle import Cycle, Tally

# Imported late (start, cli): indelible.graph.communities

RELATION = "SUMMARIZES"
TYPE = "insight"
READ = 200  # memories of a community whose texts are read, the most important
TOGETHER = 200  # memories that are related to their summary in one step


class Summarized(TypedDict):
    """The number of communities large enough, the number of new summaries, and their ids."""

    clusters_found: int
    summarized: int
    created_ids: list[str]


@dataclass(frozen=True, slots=True)
class _Step:
    """Some members of a community, by row id, to be related to its summary, which is not stored yet."""

    summary: Record
    members: tuple[int, ...]
    is_first: bool


def summarize(ctx: Context, least: int) -> Summarized:
    """Store one memory for each community of at least `least` related memories, which SUMMARIZES them all.

    Communities are computed from the relations within a namespace between current, confirmed memories that summarise no
    others, have not expired, are true now and do not speak of code that is gone. A community of which one memory
    summarises at least half already gets no further summary.
    """
    found: list[int] = []
    cycle = Cycle("summarize", {"cluster_size": least}, partial(_plan, least, found), _act, 1)

    def answer(tally: Tally) -> Summarized:
        return {
            "clusters_found": found[0],
            "summarized": tally.counts["summarized"],
            "created_ids": list(tally.made),
        }

    return lifecycle_cycle.run(ctx, cycle, "summarized", answer)


# --- Which communities ---


def _plan(least: int, found: list[int], ctx: Context) -> list[_Step]:
    """Return the steps for all communities without a summary; sets `found` to the number that are large enough."""
    from indelible.graph import communities

    steps: list[_Step] = []
    count = 0
    with ctx.store.read() as tx:
        names = records.namespaces(tx)
    for namespace in names:
        with ctx.store.read() as tx:
            known = rows.summaries(tx, namespace)
            without = {*known, *evidence.none_in(ctx, tx, namespace)}  # relations of summaries form no communities
            relations = communities.ends(rows.related(tx, namespace), without)
        for community in communities.members(relations):
            if len(community) >= least:
                count += 1
                if not _share_one(community, known.values()):
                    with ctx.store.read() as tx:
                        steps += _steps(ctx, tx, community)
    found.append(count)
    return steps


def _share_one(community: Sequence[int], summaries: Iterable[set[int]]) -> bool:
    members = set(community)
    return any(2 * len(members & summarized) >= len(members) for summarized in summaries)


def _steps(ctx: Context, tx: Transaction, community: tuple[int, ...]) -> list[_Step]:
    summary = _summary(ctx, _read(ctx, tx, community), len(community))
    return [_Step(summary, community[at : at + TOGETHER], at == 0) for at in range(0, len(community), TOGETHER)]


# --- What is stored ---


def _act(ctx: Context, tx: Transaction, steps: Sequence[_Step]) -> Tally:
    return sum((_step(ctx, tx, step) for step in steps), Tally())


def _step(ctx: Context, tx: Transaction, step: _Step) -> Tally:
    """Store the summary of a community with its first members, and relate it to further ones with the next.

    A summary left incomplete by an interrupted run is found by its content, which is the same for the same community.
    """
    new = step.summary
    there = records.by_content(tx, new.namespace, new.content_hash)
    known = records.by_ids(tx, step.members)
    without = evidence.none_among(ctx, tx, known)
    members = [record.id for record in known.values() if _is_member(record) and record.id not in without]
    if not members or (there is not None and there.id in members):
        return Tally()
    made = there
    if made is None:
        made = insert.add(ctx, tx, new)
        undo.note(ctx, tx, Added(made.key, made.namespace, record=made.id, records=[made.id]))
    added = _relate(ctx, tx, made, members)
    if there is not None and added:
        undo.note(ctx, tx, Added(made.key, made.namespace, edges=added))
    counts = Counter(summarized=int(step.is_first and bool(added)))
    return Tally(counts, (made.key,) if there is None else (), (made.key,))


def _relate(ctx: Context, tx: Transaction, summary: Record, members: Sequence[int]) -> list[Edge]:
    made = [
        Edge(summary.id, member, RELATION, RELATION, 1.0, ctx.now(), {"origin": ORIGIN, "cycle": "summarize"})
        for member in members
    ]
    return [edge for edge in made if edges.add(tx, edge)]


def _is_member(record: Record) -> bool:
    """Return whether a memory may be summarised: it is current and confirmed."""
    return not record.replaced and is_confirmed(record)


# --- What it says ---


def _read(ctx: Context, tx: Transaction, community: Sequence[int]) -> list[Record]:
    """Return the most important members in chronological order."""
    found: list[Record] = []
    for at in range(0, len(community), READ):
        found += records.by_ids(tx, community[at : at + READ]).values()
        found = sorted(found, key=lambda r: (-r.importance, -r.created, r.key))[:READ]
    return sorted(found, key=lambda r: (r.created, r.key))


def _summary(ctx: Context, members: Sequence[Record], count: int) -> Record:
    """Return the summarising memory; equal members always give equal content."""
    sentences = summary([record.text for record in members]) or [members[0].text[:READ]]
    content = "\n".join([f"Summary of {count} related memories:", *(f"- {sentence}" for sentence in sentences)])
    shared_tags = _shared_tags(members)
    return insert.new(
        ctx,
        "memory",
        content,
        key=str(uuid.uuid4()),
        type=TYPE,
        namespace=members[0].namespace,
        tags=shared_tags,
        metadata={"origin": ORIGIN},
        importance=max(record.importance for record in members),
        confidence=min(1.0, fsum(record.confidence for record in members) / len(members)),
        content_hash=insert.content_hash(content),
    )


def _shared_tags(members: Sequence[Record]) -> tuple[str, ...]:
    """Return the tags that at least half of the records have, in the order of their first appearance."""
    counts: dict[str, int] = {}
    for record in members:
        for tag in dict.fromkeys(record.tags):
            counts[tag] = counts.get(tag, 0) + 1
    return tuple(tag for tag, count in counts.items() if 2 * count >= len(members))
