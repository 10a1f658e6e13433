"""Does anybody wait for the analytics of a large graph? Calls are timed alone, then while a graph is measured.

    python bench/graph.py                                    200,000 relations; exit code 1 where a target is missed
    python bench/graph.py --relations 20000 --no-gate        a smoke run
    python bench/graph.py --write docs/benchmarks.md         also into the document, between <!-- graph --> and its end

Half of the relations are told ones between memories, half those of an index between symbols. While one thread has all
of it measured again and again (the scores of recall, PageRank with several dampings, communities with several
resolutions), another makes the same calls as before: recalls, searches of code, a store. Without embeddings, so that
nothing else is computed.
"""

import argparse
import itertools
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random

import report
from report import Figure, ms, percentile, table

from indelible.admin.maintenance import Housekeeper
from indelible.core.context.context import Context, open_context
from indelible.core.indexes.full_graph import WholeGraph
from indelible.core.indexes.graph_scores import GraphScores
from indelible.core.recall.candidates import Query
from indelible.core.recall.recall import recall
from indelible.model import Edge, Record
from indelible.search import tokens
from indelible.server.background import SLICE
from indelible.settings import Settings
from indelible.store.database import Transaction
from indelible.store.tables import edges, records, terms
from indelible.toolsets.code import clusters, pagerank, search
from indelible.toolsets.memory import memories

MOST = 0.050  # seconds that a call may take longer than the same one alone
RELATIONS = 200_000
CALLS = 200  # different ones, each made twice alone and once beside
VOCABULARY, WORDS = 5_000, 12
A_RECORD = 4  # relations
AT_ONCE = 2_000  # rows a transaction
SEED = 20261122
MARKER = "graph"


@dataclass(slots=True)
class Analytics:
    """Measures everything until it is stopped; what took how long."""

    ctx: Context
    stop: threading.Event = field(default_factory=threading.Event)
    done: dict[str, list[float]] = field(default_factory=dict)

    def run(self) -> None:
        """All kinds of measures in turn, none of them kept from the turn before."""
        for turn in itertools.count():
            measured = partial(WholeGraph().measures, self.ctx.store)
            self._timed("scores of recall", self._scores)
            self._timed("PageRank, graph read", partial(measured, 0.85))
            self._timed("get_pagerank, another damping", partial(pagerank.pagerank, self.ctx, 20, 0.5 + turn / 1000))
            self._timed("get_clusters", partial(clusters.get_clusters, self.ctx, 1.0 + turn / 1000))
            if self.stop.is_set():
                return

    def _scores(self) -> None:
        with self.ctx.store.read() as tx:
            thread = GraphScores().refresh(tx)
        assert thread is not None
        thread.join()

    def _timed(self, what: str, work: Callable[[], object]) -> None:
        began = time.perf_counter()
        work()
        self.done.setdefault(what, []).append(time.perf_counter() - began)


def main() -> int:
    arguments = _parser().parse_args()
    run = report.Run("bench/graph.py", sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="ib-") as folder:
        ctx = open_context(replace(Settings.load(str(Path(folder) / "data"), None, False), encoder="off"))
        try:
            said, figures = _measured(ctx, arguments.relations)
        finally:
            ctx.close()
    body = "\n\n".join((run.header(), said, table(report.HEADS, [figure.row() for figure in figures])))
    print(body, flush=True)
    if arguments.write:
        report.write_section(arguments.write, MARKER, body)
    missed = [figure for figure in figures if figure.missed]
    return 1 if missed and not arguments.no_gate else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--relations", type=int, default=RELATIONS, help="default: %(default)s")
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write between the markers of a document")
    parser.add_argument("--no-gate", action="store_true", help="exit code 0 even where a target is missed")
    return parser


def _measured(ctx: Context, relations: int) -> tuple[str, list[Figure]]:
    chance = Random(SEED)
    _fill(ctx, relations, chance)
    sys.setswitchinterval(SLICE)  # as a server does
    housekeeper = Housekeeper(ctx)
    housekeeper.start()
    try:
        asked = [" ".join(_words(chance, 3)) for _ in range(CALLS)]
        list(_calls(ctx, asked[:20]))  # what loads at the first call
        alone = [min(pair) for pair in zip(_calls(ctx, asked), _calls(ctx, asked), strict=True)]
        noise = [took - quiet for took, quiet in zip(_calls(ctx, asked), alone, strict=True)]
        analytics = Analytics(ctx)
        thread = threading.Thread(target=analytics.run)
        thread.start()
        beside: list[list[float]] = []
        while thread.is_alive():
            beside.append(list(_calls(ctx, asked)))
            if len(analytics.done) == 4 and len(beside) > 1:
                analytics.stop.set()
        thread.join()
    finally:
        housekeeper.stop()
    waits = [max(0.0, took - quiet) for calls in beside for took, quiet in zip(calls, alone, strict=True)]
    every = [took for calls in beside for took in calls]
    longest = max(waits)
    figures = [
        Figure(
            "longest that a call waits while a graph is measured",
            None,
            f"{ms(longest)} of {len(waits):,} calls; 99 of 100 at most {ms(percentile(waits, 99))}",
            most=MOST * 1e3,
            value=longest * 1e3,
            unit=" ms",
        )
    ]
    times = "; ".join(f"{what} {ms(min(took))}" for what, took in analytics.done.items())
    beside_it = f"median {ms(percentile(every, 50))}, longest {ms(max(every))}"
    said = (
        f"{relations:,} relations. A call alone: median {ms(percentile(alone, 50))}, longest {ms(max(alone))}, "
        f"once more alone up to {ms(max(0.0, *noise))} longer; beside the analytics: {beside_it}. "
        f"The analytics beside them: {times}."
    )
    return said, figures


def _calls(ctx: Context, asked: list[str]) -> Iterator[float]:
    """How long each of the calls takes: recalls, searches of code, now and then a store."""
    for number, text in enumerate(asked):
        began = time.perf_counter()
        if number % 10 == 9:
            memories.store(ctx, memories.NewMemory(content=f"{text} {time.time_ns()}"))
        elif number % 2:
            search.search_code(ctx, text, 10)
        else:
            recall(ctx, Query(text, 10))
        yield time.perf_counter() - began


# --- The store ---


def _words(chance: Random, count: int) -> list[str]:
    """Words as frequent as those of a language: the n-th has a share of 1/n."""
    return [f"word{int(VOCABULARY ** chance.random())}" for _ in range(count)]


def _fill(ctx: Context, relations: int, chance: Random) -> None:
    for kind, metadata in (("memory", {}), ("symbol", {"origin": "index"})):
        ids = _records(ctx, kind, relations // 2 // A_RECORD, chance)
        pairs = {(ids[int(len(ids) * chance.random() ** 2)], chance.choice(ids)) for _ in range(relations)}
        made = [
            Edge(source, target, "CALLS", "CALLS", 1.0, ctx.now(), dict(metadata))
            for source, target in itertools.islice(sorted(pairs, key=lambda pair: chance.random()), relations // 2)
        ]
        for at in range(0, len(made), AT_ONCE):
            ctx.store.write(partial(edges.add_many, relations=made[at : at + AT_ONCE]))


def _records(ctx: Context, kind: str, count: int, chance: Random) -> list[int]:
    ids: list[int] = []
    while len(ids) < count:
        now = ctx.now()
        texts = [" ".join(_words(chance, WORDS)) for _ in range(min(AT_ONCE, count - len(ids)))]
        made = [
            Record(f"{kind}{len(ids) + place}", kind, text, now, now, content_hash=f"{kind} {len(ids) + place}")
            for place, text in enumerate(texts)
        ]

        ids += ctx.store.write(partial(_written, kind=kind, made=made))
    return ids


def _written(tx: Transaction, kind: str, made: list[Record]) -> list[int]:
    ids = records.add_many(tx, made)
    counted = [tokens.terms(record.text) for record in made]
    rows = ((record, sum(each.values()), tokens.pack(each)) for record, each in zip(ids, counted, strict=True))
    terms.put_many(tx, terms.words_of(kind), rows)
    return ids


if __name__ == "__main__":
    sys.exit(main())
