"""The same engine on PostgreSQL and on SQLite in one run: answers, waiting, and a server that goes away under load.

    python bench/postgres.py                                 all figures; exit code 1 where one is missed
    python bench/postgres.py --steps equal,speed --records 10000 --no-gate
    python bench/postgres.py --write docs/benchmarks.md      also into the document, between its markers

Both stores hold the same complete records (see complete.py) and are asked in turn, in this process, without encoder:
questions come with their embeddings. PostgreSQL is on the same disk, acknowledges what is synced, knows Indelible by
a role that row-level security holds for. Run it on a machine with nothing else to do.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import filling
import generate
import postgres_hnsw
import postgres_load
import prepared
import report
from asking import say
from complete import HALF, TOPICS
from postgres_server import Postgres, postgres, version
from prepared import EVERYWHERE, Prepared, Questions
from report import Figure, ms, percentile

if TYPE_CHECKING:
    from indelible.core.context.context import Context

RECORDS = 100_000
QUESTIONS = 500  # about everything, and as many within a namespace
STORED = 300
K = 10
WARM_UP = 20
SAME = 1e-6  # scores that differ by less are the same
MOST_TIMES = 3.0
SECTION = "postgres"
SEED = 29


@dataclass(slots=True)
class Bench:
    """One run: its folder, the server, and how many records both stores have."""

    folder: Path
    server: Postgres
    records: int
    questions: Questions

    @property
    def data(self) -> Path:
        """The data directory of the store in SQLite."""
        return self.folder / "sqlite" / "data"


def main() -> int:
    arguments = _parser().parse_args()
    steps = [name for name in STEPS if name in arguments.steps.split(",")]
    if arguments.write:
        if steps != list(STEPS) and arguments.section == SECTION:
            sys.exit(f"--write replaces the whole section; run all of --steps {','.join(STEPS)}, or name a --section")
        report.check_sections(arguments.write, [arguments.section])
    run = report.Run("bench/postgres.py", sys.argv[1:])
    folder = Path(tempfile.mkdtemp(prefix="indelible-bench-", dir=arguments.work))
    try:
        disk = report.disk(folder)
        with postgres(folder) as server:
            shown = version(server)
            figures = []
            bench = _filled(folder, server, arguments.records)
            for name in steps:
                say(f"{name} (load average {report.load()}) ...")
                figures += STEPS[name](bench)
    finally:
        shutil.rmtree(folder)
    body = f"{run.header([shown, disk])}\n\n{report.table(report.HEADS, [f.row() for f in figures])}"
    print(body)
    if arguments.write:
        report.write_section(arguments.write, arguments.section, body)
    missed = [figure for figure in figures if figure.missed]
    for figure in missed:
        print(f"missed: {figure.what}", file=sys.stderr)
    return 1 if missed and not arguments.no_gate else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", default=",".join(STEPS), help="separated by commas; default: %(default)s")
    parser.add_argument("--records", type=int, default=RECORDS, help="in both stores; default: %(default)s")
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write between <!-- SECTION --> and its end")
    parser.add_argument("--section", default=SECTION, help="what --write replaces; default: %(default)s")
    parser.add_argument("--work", type=Path, metavar="DIR", help="where the stores are made; default: temporary")
    parser.add_argument("--no-gate", action="store_true", help="exit code 0 even where a target is missed")
    return parser


def _filled(folder: Path, server: Postgres, records: int) -> Bench:
    """Both stores with the same records, and questions about them."""
    topics = filling.topics(folder, min(TOPICS, max(50, records // 50)))
    until = time.time_ns() // 1000
    data = folder / "sqlite" / "data"
    filling.fill(data, records, topics, until)
    say(f"{records:,} records in SQLite")
    filling.fill_postgres(server.url, records, topics, until)
    server.ask("ANALYZE")  # which autovacuum does in a minute
    say(f"{records:,} records in PostgreSQL, {server.size() / 1e6:,.0f} MB")
    path = folder / "questions.pickle"
    prepared.write(data, topics, QUESTIONS + WARM_UP, path)
    return Bench(folder, server, records, Questions.load(path))


@contextmanager
def _contexts(bench: Bench, *, read_only: bool = False) -> "Iterator[tuple[Context, Context]]":
    """A context of each store, with one clock: SQLite's first."""
    from indelible.core.context.context import open_context
    from indelible.core.indexes.embedder import Embedder
    from indelible.settings import Settings

    moment = datetime.now(UTC)
    given = {"INDELIBLE_ENCODER": "off", **({"INDELIBLE_READ_ONLY": "1"} if read_only else {})}
    embedder = Embedder(Prepared(bench.questions))
    beside = bench.folder / "postgres-data"
    settings = (
        Settings.load(str(bench.data), environ=given),
        Settings.load(str(beside), environ={**given, "INDELIBLE_DATABASE": bench.server.url}),
    )
    clock: Callable[[], datetime] = (lambda: moment) if read_only else lambda: datetime.now(UTC)
    with closing(open_context(settings[0], clock)) as one, closing(open_context(settings[1], clock)) as other:
        yield replace(one, embedder=embedder), replace(other, embedder=embedder)


# --- Answers ---


def equal(bench: Bench) -> list[Figure]:
    """The same questions to both: the same ids in the same order, scores alike."""
    from indelible.core.recall.candidates import Query
    from indelible.core.recall.recall import recall

    about = bench.questions.about
    queries = [Query(text, K) for text in about[EVERYWHERE][:QUESTIONS]]
    queries += [Query(text, K, namespace=HALF) for text in about[HALF][:QUESTIONS]]
    same, farthest = 0, 0.0
    with _contexts(bench, read_only=True) as (one, other):
        for query in queries:
            ours, theirs = recall(one, query), recall(other, query)
            same += [hit.record.key for hit in ours] == [hit.record.key for hit in theirs]
            gaps = [abs(mine.score - its.score) for mine, its in zip(ours, theirs, strict=False)]
            farthest = max([farthest, *gaps])
    return [
        Figure(
            f"questions with the same ids in the same order, of {len(queries):,}",
            same / len(queries),
            f"{same:,}; scores differ by at most {farthest:.1e}",
            least=1.0,
        ),
        Figure("scores, farthest apart", None, f"{farthest:.1e}", most=SAME, value=farthest),
    ]


# --- Speed ---


def speed(bench: Bench) -> list[Figure]:
    """Tools called in turn on both."""
    with _contexts(bench) as both:
        recalled = _recalled(bench, both)
        stored = _stored(both)
    name = f"{bench.records:,} records, PostgreSQL / SQLite"
    ours = sum(path.stat().st_size for path in bench.data.glob("indelible.db*"))
    theirs = bench.server.size()
    return [
        *_compared(f"recall_memory, {name}", recalled),
        *_compared(f"store_memory, {name}", stored),
        Figure(
            f"size, {name}",
            theirs / ours,
            f"{theirs / bench.records:,.0f} / {ours / bench.records:,.0f} bytes a record",
        ),
    ]


def _recalled(bench: Bench, both: "tuple[Context, Context]") -> list[list[float]]:
    times: list[list[float]] = [[], []]
    for number, text in enumerate(bench.questions.about[EVERYWHERE]):
        for ctx, own in zip(both, times, strict=True):
            took = _called(ctx, "recall_memory", {"query": text, "k": K})
            if number >= WARM_UP:
                own.append(took)
    return times


def _stored(both: "tuple[Context, Context]") -> list[list[float]]:
    times: list[list[float]] = [[], []]
    for number in range(STORED + WARM_UP):
        text = generate.record(number, seed=SEED)
        for ctx, own in zip(both, times, strict=True):
            took = _called(ctx, "store_memory", {"content": text})
            if number >= WARM_UP:
                own.append(took)
    return times


def _called(ctx: "Context", tool: str, values: dict[str, Any]) -> float:
    """Seconds of a call."""
    from indelible.toolsets import registry

    found = registry.find_tool(tool)
    began = time.perf_counter()
    registry.call(ctx, found, values)
    return time.perf_counter() - began


def _compared(what: str, times: list[list[float]]) -> list[Figure]:
    ours, theirs = times
    return [
        Figure(f"{what}, p{percent}", middle / own, f"{ms(middle)} / {ms(own)} ({len(ours)} calls)", most=MOST_TIMES)
        for percent, own, middle in (
            (50, statistics.median(ours), statistics.median(theirs)),
            (95, percentile(ours, 95), percentile(theirs, 95)),
        )
    ]


def restarted(bench: Bench) -> list[Figure]:
    """Several servers, many clients, and a database that goes away twice."""
    return postgres_load.load(bench.server, bench.folder)


def hnsw(bench: Bench) -> list[Figure]:
    """Nearest vectors by pgvector's index."""
    return postgres_hnsw.compared(bench.server, bench.folder, bench.records, bench.questions)


STEPS: dict[str, Callable[[Bench], list[Figure]]] = {
    "equal": equal,
    "speed": speed,
    "hnsw": hnsw,  # after those that compare the exact form
    "restarts": restarted,
}

if __name__ == "__main__":
    os.environ["INDELIBLE_ENCODER"] = "off"
    sys.exit(main())
