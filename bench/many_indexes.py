"""What other tenants' pgvector indexes cost a tenant: each is a partial index of one table.

    python bench/many_indexes.py --write docs/benchmarks.md

A tenant of 2,000 records has an index by the product; others' indexes, of no rows, are made beside it by the same
statement. With each number of them new connections find the nearest vectors of a record, and write some.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import complete
import filling
import psycopg
import report
from asking import say
from complete import Batch
from largest_inside import own_mb
from postgres_server import Postgres, postgres, version
from report import Figure, ms, percentile

OTHERS = "0,100,1000,5000"
RECORDS, CALLS = 2000, 60
NEAREST = 200
OWN = 1  # the tenant
SECTION = "many indexes"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--others", default=OTHERS, help="numbers of indexes, ascending; default: %(default)s")
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write into its section of a document")
    parser.add_argument("--work", type=Path, metavar="DIR", help="where the server is; default: temporary")
    arguments = parser.parse_args()
    if arguments.write:
        report.check_sections(arguments.write, [SECTION])
    run = report.Run("bench/many_indexes.py", sys.argv[1:])
    folder = Path(tempfile.mkdtemp(prefix="indelible-indexes-", dir=arguments.work))
    figures: list[Figure] = []
    try:
        where = report.disk(folder)
        with postgres(folder) as server:
            made, model = _filled(server, folder)
            there = 0
            for others in map(int, arguments.others.split(",")):
                _add(server, model, there, others)
                there = others
                figures += _measured(server, made, model, others)
            what = version(server)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return run.finish(figures, SECTION, arguments.write, [what, where])


def _filled(server: Postgres, folder: Path) -> tuple[Batch, Any]:
    """A tenant with records and its own index; its model."""
    from indelible.embed.local import MODEL
    from indelible.store.postgres.database import open_postgres
    from indelible.store.postgres.server import WAIT, Server
    from indelible.store.postgres.vector_indexes import NeighborIndexes
    from indelible.store.tables import embeddings

    topics = folder / filling.TOPICS
    complete.meaningless(100).save(topics)
    made = complete.batch(topics, 0, RECORDS, time.time_ns() // 1000)
    with closing(open_postgres(server.url)) as store:
        filling.put_all(store, iter([made]), RECORDS)
        with store.read() as tx:
            model = embeddings.model(tx, MODEL)
    found = Server.of(server.url, "public", WAIT)
    if not NeighborIndexes(found, fewest=RECORDS // 2).keep(OWN):
        raise SystemExit("no index was made: is there pgvector?")
    return made, model


def _add(server: Postgres, model: Any, there: int, wanted: int) -> None:
    """Make indexes of other tenants until there are so many."""
    ((statement,),) = server.ask("SELECT indexdef FROM pg_indexes WHERE indexname LIKE 'neighbors\\_1\\_%'")
    head, tail = statement.split(f"neighbors_{OWN}_{model.number}_0")
    with psycopg.connect(server.administrator, autocommit=True) as connection:
        for other in range(OWN + 1 + there, OWN + 1 + wanted):
            own = tail.replace(f"(tenant = {OWN})", f"(tenant = {other})")
            connection.execute(f"{head}neighbors_{other}_{model.number}_0{own}")
        connection.execute("ANALYZE embedding_neighbor")
    say(f"{wanted:,} indexes of others are there")


def _measured(server: Postgres, made: Batch, model: Any, others: int) -> list[Figure]:
    """Figures of connections that are new."""
    from indelible.search.index.vectors import unpack
    from indelible.store.postgres.database import open_postgres
    from indelible.store.tables import embeddings
    from indelible.store.views import nearest_vectors

    queries = unpack([vector for vector, _ in made.vectors[:CALLS]]).tolist()
    found, written = [], []
    with closing(open_postgres(server.url)) as store:
        for query in queries:
            began = time.perf_counter()
            with store.read() as tx:
                near = nearest_vectors.nearest(tx, model, query, NEAREST, code=False)
            found.append(time.perf_counter() - began)
            assert len(near) == NEAREST
        for record, vector in enumerate(made.vectors[:CALLS], 1):
            began = time.perf_counter()
            store.write(lambda tx, one=vector, at=record: embeddings.put(tx, at, model.number, [one]))  # type: ignore[misc]
            written.append(time.perf_counter() - began)
        pids = server.ask("SELECT pid FROM pg_stat_activity WHERE usename = 'bench'")
        held = [own_mb(pid) for (pid,) in pids]
    name = f"{others:,} indexes of other tenants"
    return [
        Figure(f"{name}: nearest {NEAREST} of {RECORDS:,} vectors", None, _spread(found)),
        Figure(f"{name}: a vector stored anew", None, _spread(written)),
        Figure(f"{name}: memory of its own that a connection's process holds", None, f"{max(held):.0f} MB"),
    ]


def _spread(times: Sequence[float]) -> str:
    first, *later = times
    return f"p50 {ms(statistics.median(later))}, p95 {ms(percentile(later, 95))}; the first of a connection {ms(first)}"


if __name__ == "__main__":
    sys.exit(main())
