"""A store on a Citus cluster beside one on SQLite and one on PostgreSQL: answers, waiting, nodes that go and come.

    python bench/citus.py                              all steps; exit code 1 where a bound is missed
    python bench/citus.py --steps equal,speed --records 2000
    python bench/citus.py --write docs/benchmarks.md   also into the document, between its markers

It needs the build that `scripts/citus_cluster.py --source PATH` makes once. The coordinator, its two workers and the
plain server are of that one PostgreSQL, on this machine and this disk, with the same settings and everything synced.
The stores hold the same complete records (see complete.py) and are asked in turn, in this process, without encoder.
Run it on a machine with nothing else to do.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import citus_load
import citus_nodes
import filling
import postgres
import prepared
import report
from asking import say
from citus_nodes import Plain, Spread
from complete import TOPICS
from prepared import Questions
from report import Figure

RECORDS = 10_000
MOST_TIMES = 1.5  # at p50
SECTION = "citus"


@dataclass(slots=True)
class Bench:
    """One run: its folder, the servers, how many records each store has, and questions about them."""

    folder: Path
    spread: Spread
    plain: Plain
    records: int
    questions: Questions


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", default=",".join(STEPS), help="separated by commas; default: %(default)s")
    parser.add_argument("--records", type=int, default=RECORDS, help="in each store; default: %(default)s")
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write between <!-- citus --> and its end")
    parser.add_argument("--work", type=Path, metavar="DIR", help="where the servers are; default: temporary")
    arguments = parser.parse_args()
    steps = [name for name in STEPS if name in arguments.steps.split(",")]
    if arguments.write:
        report.check_sections(arguments.write, [SECTION])
    run = report.Run("bench/citus.py", sys.argv[1:])
    folder = Path(tempfile.mkdtemp(prefix="indelible-citus-bench-", dir=arguments.work))
    folder.chmod(0o755)  # the servers run as a user of their own where this runs as root
    figures: list[Figure] = []
    try:
        where = report.disk(folder)
        with citus_nodes.spread(folder) as spread, citus_nodes.plain(folder) as plain:
            what = citus_nodes.version(spread)
            bench = filled(folder, spread, plain, arguments.records)
            for name in steps:
                say(f"{name} (load average {report.load()}) ...")
                found = STEPS[name](bench)
                for figure in found:
                    say(" | ".join(figure.row()))
                figures += found
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return run.finish(figures, SECTION, arguments.write, [what, where])


def filled(folder: Path, spread: Spread, plain: Plain, records: int) -> Bench:
    """The three stores with the same records, and questions about them."""
    topics = filling.topics(folder, min(TOPICS, max(50, records // 50)))
    until = time.time_ns() // 1000
    filling.fill(folder / "sqlite" / "data", records, topics, until)
    for name, store in {"plain PostgreSQL": plain, "the cluster": spread}.items():
        filling.fill_postgres(store.url, records, topics, until)
        store.ask("ANALYZE")  # which autovacuum does in a minute
        say(f"{records:,} records in {name}, {store.size() / 1e6:,.0f} MB")
    path = folder / "questions.pickle"
    prepared.write(folder / "sqlite" / "data", topics, postgres.QUESTIONS + postgres.WARM_UP, path)
    return Bench(folder, spread, plain, records, Questions.load(path))


def equal(bench: Bench) -> list[Figure]:
    """The same questions to SQLite and to the cluster."""
    both = [(bench.folder / "sqlite" / "data", ""), (bench.folder / "spread-data", bench.spread.url)]
    return postgres.same_answers(both, bench.questions)


def speed(bench: Bench) -> list[Figure]:
    """Tools called in turn on plain PostgreSQL and on the cluster, and what their statements reached there."""
    places = [(bench.folder / "plain-data", bench.plain.url), (bench.folder / "spread-data", bench.spread.url)]
    bench.spread.reset()
    with postgres.contexts(places, bench.questions) as both:
        recalls, stores = postgres.recalled(bench.questions, both), postgres.stored(both)
    single, several = bench.spread.reached()
    name = f"{bench.records:,} records, cluster / plain PostgreSQL"
    return [
        *postgres.compared(f"recall_memory, {name}", recalls, (MOST_TIMES, None)),
        *postgres.compared(f"store_memory, {name}", stores, (MOST_TIMES, None)),
        Figure(
            "of these calls: statements that reached more than one node",
            None,
            f"{several} of {single + several:,}",
            most=0,
            value=several,
        ),
    ]


def load(bench: Bench) -> list[Figure]:
    """Clients of several tenants, while workers die, shards move, a worker comes and a tenant is isolated."""
    return citus_load.load(bench.spread, bench.folder)


STEPS: dict[str, Callable[[Bench], list[Figure]]] = {"equal": equal, "speed": speed, "load": load}

if __name__ == "__main__":
    os.environ["INDELIBLE_ENCODER"] = "off"
    sys.exit(main())
