"""Nearest vectors by pgvector's index beside the codes in a process's memory: what is found, waiting, and memory.

python bench/postgres_hnsw.py QUESTIONS URL DATA     one new process: its first recall, what it holds then (JSON)
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from asking import say
from complete import FIFTIETH, HALF, SMALLEST, Floats
from postgres_server import Postgres
from prepared import EVERYWHERE, Prepared, Questions
from report import Figure, ms, percentile

if TYPE_CHECKING:
    from indelible.core.context.context import Context

K = 10
ASKED = 200  # questions about everything, and about each namespace
COMPARED = 50  # of these, by their whole answers
FILTERS = {EVERYWHERE: "no filter", HALF: "50% pass", FIFTIETH: "2% pass", SMALLEST: "0.01% pass"}
LEAST_FOUND = 0.98
NEARLY_ALL = 0.95  # of the questions have the same ten answers
Vectors = tuple[list[int], list[str], Floats]
Answers = Sequence[list[str]]


def compared(server: Postgres, folder: Path, records: int, questions: Questions) -> list[Figure]:
    """The same questions before an index is made and with it; it stays."""
    from indelible.admin import upgrade

    path, data = folder / "hnsw-questions.pickle", folder / "hnsw-data"
    questions.save(path)
    if server.ask("SELECT 1 FROM pg_indexes WHERE indexname LIKE 'neighbors\\_%'"):
        raise SystemExit("an index of neighbors is there already: run this step with a new server")
    first_exact = _first(path, server.url, data)
    with closing(opened(server.url, data, questions)) as ctx:
        by_codes = [_answers(ctx, name, questions) for name in FILTERS]
        exact_times = _times(ctx, questions)
    began = time.perf_counter()
    done = upgrade.upgrade(_settings(server.url, data))
    built = time.perf_counter() - began
    say(f"{done} in {built:.0f} s")
    first = _first(path, server.url, data)
    with closing(opened(server.url, data, questions)) as ctx:
        with_index = [_answers(ctx, name, questions) for name in FILTERS]
        times = _times(ctx, questions)
        with _exact():
            exact = [_answers(ctx, name, questions) for name in FILTERS]
        vectors = _vectors(ctx)
        shares = [_found(ctx, name, questions, vectors) for name in FILTERS]
    size = sum(row[0] for row in server.ask("SELECT pg_relation_size(indexrelid) FROM pg_stat_user_indexes "
                                            "WHERE indexrelname LIKE 'neighbors\\_%'"))  # fmt: skip
    name = f"{records:,} records, HNSW"
    return [
        Figure(f"{name}: index", None, f"made in {built:.0f} s, {size / 1e6:,.0f} MB"),
        *(
            Figure(f"{name}: nearest ten vectors found, {said}", None, f"{share:.4f}", least=LEAST_FOUND, value=share)
            for said, share in zip(FILTERS.values(), shares, strict=True)
        ),
        *(
            _alike(f"{name}: recalls with the ten answers of exact vectors, {said}", *given)
            for said, *given in zip(FILTERS.values(), exact, with_index, by_codes, strict=True)
        ),
        *(
            Figure(f"{name} / codes: recall_memory, p{percent}", new / old, f"{ms(new)} / {ms(old)}")
            for percent, new, old in (
                (50, statistics.median(times), statistics.median(exact_times)),
                (95, percentile(times, 95), percentile(exact_times, 95)),
            )
        ),
        *(
            Figure(
                f"{name} / codes: {what}",
                first[key] / first_exact[key],
                f"{show(first[key])} / {show(first_exact[key])}",
            )
            for what, key, show in (
                ("first recall of a process", "seconds", ms),
                ("memory of a process after it", "bytes", lambda size: f"{size / 1e6:,.0f} MB"),
            )
        ),
    ]


def _settings(url: str, data: Path) -> Any:
    from indelible.settings import Settings

    return Settings.load(str(data), environ={"INDELIBLE_ENCODER": "off", "INDELIBLE_DATABASE": url})


def opened(url: str, data: Path, questions: Questions) -> "Context":
    """A context of the store that knows these questions."""
    from indelible.core.context.context import open_context
    from indelible.core.indexes.embedder import Embedder

    ctx = open_context(_settings(url, data))
    return replace(ctx, embedder=Embedder(Prepared(questions)))


def _answers(ctx: "Context", name: str, questions: Questions) -> list[list[str]]:
    from indelible.core.recall.candidates import Query
    from indelible.core.recall.recall import recall

    namespace = None if name == EVERYWHERE else name
    return [
        [hit.record.key for hit in recall(ctx, Query(text, K, namespace=namespace, relevance_only=True))]
        for text in questions.about[name][:COMPARED]
    ]


def _alike(what: str, exact: Answers, found: Answers, by_codes: Answers) -> Figure:
    share, said = _same(exact, found)
    return Figure(what, None, f"{said}; by codes {_same(exact, by_codes)[1]}", least=NEARLY_ALL, value=share)


def _same(exact: Answers, found: Answers) -> tuple[float, str]:
    """The share of questions with the same answers, and that in words with the share of the answers."""
    pairs = [(set(one), set(other)) for one, other in zip(exact, found, strict=True)]
    same = sum(one == other for one, other in pairs)
    kept = statistics.mean(len(one & other) / len(one) if one else 1.0 for one, other in pairs)
    return same / len(pairs), f"{same} of {len(pairs)}, {kept:.3f} of the answers"


@contextmanager
def _exact() -> Iterator[None]:
    """Let the server compare every vector that passes."""
    from indelible.search.index import overfetch

    usual, overfetch.DEARER = overfetch.DEARER, sys.maxsize
    try:
        yield
    finally:
        overfetch.DEARER = usual


def _times(ctx: "Context", questions: Questions) -> list[float]:
    """Seconds of calls of the tool, without the first ones."""
    from indelible.toolsets import registry

    tool, times = registry.find_tool("recall_memory"), []
    for text in questions.about[EVERYWHERE][: ASKED + 20]:
        began = time.perf_counter()
        registry.call(ctx, tool, {"query": text, "k": K})
        times.append(time.perf_counter() - began)
    return times[20:]


def _vectors(ctx: "Context") -> Vectors:
    """All of them, with ids and namespaces."""
    from indelible.search.index.vectors import unpack
    from indelible.store.postgres.database import PostgresDatabase

    assert isinstance(ctx.store, PostgresDatabase)
    with ctx.store._reading() as connection:
        rows = connection.execute(
            "SELECT id, namespace, vector FROM record JOIN embedding ON record.tenant = embedding.tenant "
            "AND record = id WHERE record.tenant = 1 ORDER BY id",
            binary=True,
        ).fetchall()
    ids, namespaces, bodies = zip(*rows, strict=True)
    return list(ids), list(namespaces), unpack(list(bodies))


def _found(ctx: "Context", name: str, questions: Questions, vectors: Vectors) -> float:
    """What share of the ten nearest vectors that pass is among those that the index gives."""
    from indelible.model import RECALLED_KINDS
    from indelible.search.retrieval import RESCORED, Filters

    ids, namespaces, rows = vectors
    passing = np.flatnonzero([name in (EVERYWHERE, namespace) for namespace in namespaces])
    shares = []
    for text in questions.about[name][:ASKED]:
        filters = Filters(RECALLED_KINDS, None, None if name == EVERYWHERE else {name})
        embedding = ctx.embedder.question(text)
        with ctx.store.read() as tx, ctx.indexes.records.current(tx, ctx.embedder.model) as caches:
            meaning = caches.meaning
            if meaning is None or meaning.database_index is None or embedding is None:
                raise SystemExit("the index is not used")
            asked = embedding.dense[0]
            found, _ = meaning.nearest(asked, caches.words, filters.mask)(RESCORED)
        best = passing[np.argsort(-(rows[passing] @ asked), kind="stable")[:K]]
        shares.append(len({ids[place] for place in best} & set(found.tolist())) / len(best))
    return statistics.mean(shares)


def _first(questions: Path, url: str, data: Path) -> dict[str, float]:
    """What a new process says of itself."""
    command = [sys.executable, __file__, str(questions), url, str(data)]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    told: dict[str, float] = json.loads(ran.stdout)
    return told


def _tell(questions: Path, url: str, data: Path) -> None:
    from indelible.core.recall.candidates import Query
    from indelible.core.recall.recall import recall

    known = Questions.load(questions)
    with closing(opened(url, data, known)) as ctx:
        began = time.perf_counter()
        recall(ctx, Query(known.about[EVERYWHERE][0], K))
        seconds = time.perf_counter() - began
        resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    print(json.dumps({"seconds": seconds, "bytes": resident}))


if __name__ == "__main__":
    _tell(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
