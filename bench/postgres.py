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
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
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
BOUNDS = (3.0, 3.0)  # at most so many times as long, at p50 and p95
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

    @property
    def places(self) -> list[tuple[Path, str]]:
        """A data directory and the URL of a database for each store, SQLite's first."""
        return [(self.data, ""), (self.folder / "postgres-data", self.server.url)]


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
def contexts(
    places: Sequence[tuple[Path, str]], questions: Questions, *, read_only: bool = False
) -> "Iterator[list[Context]]":
    """Contexts of stores, with one clock: each has a data directory and the URL of its database, "" for a file."""
    from indelible.core.context.context import open_context
    from indelible.core.indexes.embedder import Embedder
    from indelible.settings import Settings

    moment = datetime.now(UTC)
    clock: Callable[[], datetime] = (lambda: moment) if read_only else lambda: datetime.now(UTC)
    given = {"INDELIBLE_ENCODER": "off", **({"INDELIBLE_READ_ONLY": "1"} if read_only else {})}
    embedder = Embedder(Prepared(questions))
    with ExitStack() as stack:
        opened = []
        for data, url in places:
            settings = Settings.load(str(data), environ={**given, **({"INDELIBLE_DATABASE": url} if url else {})})
            opened.append(stack.enter_context(closing(open_context(settings, clock))))
        yield [replace(each, embedder=embedder) for each in opened]


# --- Answers ---


def equal(bench: Bench) -> list[Figure]:
    """The same questions to both."""
    return same_answers(bench.places, bench.questions)


def same_answers(places: Sequence[tuple[Path, str]], questions: Questions) -> list[Figure]:
    """The same questions to two stores: the same ids in the same order, scores alike."""
    from indelible.core.recall.candidates import Query
    from indelible.core.recall.recall import recall

    about = questions.about
    queries = [Query(text, K) for text in about[EVERYWHERE][:QUESTIONS]]
    queries += [Query(text, K, namespace=HALF) for text in about[HALF][:QUESTIONS]]
    same, farthest = 0, 0.0
    with contexts(places, questions, read_only=True) as (one, other):
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
    with contexts(bench.places, bench.questions) as both:
        recall_times = recalled(bench.questions, both)
        store_times = stored(both)
    name = f"{bench.records:,} records, PostgreSQL / SQLite"
    ours = sum(path.stat().st_size for path in bench.data.glob("indelible.db*"))
    theirs = bench.server.size()
    return [
        *compared(f"recall_memory, {name}", recall_times),
        *compared(f"store_memory, {name}", store_times),
        Figure(
            f"size, {name}",
            theirs / ours,
            f"{theirs / bench.records:,.0f} / {ours / bench.records:,.0f} bytes a record",
        ),
    ]


def recalled(questions: Questions, both: "Sequence[Context]") -> list[list[float]]:
    """Seconds of recalls, asked of both in turn."""
    times: list[list[float]] = [[], []]
    for number, text in enumerate(questions.about[EVERYWHERE]):
        for ctx, own in zip(both, times, strict=True):
            took = _called(ctx, "recall_memory", {"query": text, "k": K})
            if number >= WARM_UP:
                own.append(took)
    return times


def stored(both: "Sequence[Context]") -> list[list[float]]:
    """Seconds of stores, in both in turn."""
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


def compared(what: str, times: list[list[float]], most: tuple[float | None, float | None] = BOUNDS) -> list[Figure]:
    """Return how many times as long the second took as the first, at p50 and p95, with the bounds of both."""
    ours, theirs = times
    return [
        Figure(f"{what}, p{percent}", middle / own, f"{ms(middle)} / {ms(own)} ({len(ours)} calls)", most=bound)
        for percent, own, middle, bound in (
            (50, statistics.median(ours), statistics.median(theirs), most[0]),
            (95, percentile(ours, 95), percentile(theirs, 95), most[1]),
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
