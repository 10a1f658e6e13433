"""Many tenants on one server: does one's import slow another's recalls, and what does the serving process hold?

    python bench/tenants.py                        10, 1,000 and 10,000 tenants; exit code 1 where a bound is missed
    python bench/tenants.py --tenants 8 --active 4 --seconds 3     a smoke run
    python bench/tenants.py --write docs/benchmarks.md   also into the document, between its markers

One PostgreSQL server, one `indelible serve --http` of its own for each number of tenants. Every tenant is asked once,
then the active ones in turn, so that contexts are opened and closed as on a real day; what is to be embedded is waited
for. Then one tenant recalls at a pace, by turns alone and while another imports as fast as answers come. Memory is
that of the serving process; the encoder is another one.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import generate
import report
from asking import say
from client import memory_mb
from many_clients import Caller
from postgres_load import served
from postgres_server import Postgres, postgres, version
from report import Figure, ms, percentile

TENANTS, ACTIVE = "10,1000,10000", 64
OF_ACTIVE, OF_OTHERS = 200, 2  # records
PACE, SECONDS = 0.05, 60.0  # from one recall to the next; how long is measured alone, and how long beside an import
ROUNDS = 5  # in which these alternate; of each its p99 counts, of these the median: a vacuum falls into one of them
BATCH = 100  # records that an import sends at once
FASTEST = 2_000  # records a second that it is given at most
WAITS = 2.0  # how many times its idle p99 a recall may take at p99 beside an import
LARGEST = 1_500  # MB of the serving process
SECTION = "tenants"
FIRST = 2  # the number of the first tenant; the server's own is 1


@dataclass(slots=True)
class Made:
    """The tenants that are there, each with a secret of a token."""

    secrets: list[str]
    texts: Iterator[str]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tenants", default=TENANTS, help="numbers of them, ascending; default: %(default)s")
    parser.add_argument("--active", type=int, default=ACTIVE, help="of them, with more records; default: %(default)s")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each phase; default: %(default)s")
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write between <!-- tenants --> and its end")
    parser.add_argument("--work", type=Path, metavar="DIR", help="where the server is; default: temporary")
    arguments = parser.parse_args()
    if arguments.write:
        report.check_sections(arguments.write, [SECTION])
    run = report.Run("bench/tenants.py", sys.argv[1:])
    folder = Path(tempfile.mkdtemp(prefix="indelible-tenants-", dir=arguments.work))
    figures: list[Figure] = []
    try:
        where = report.disk(folder)
        with postgres(folder) as server:
            made = Made([], generate.records(10**9))
            for number in map(int, arguments.tenants.split(",")):
                make(server.url, folder, made, number, arguments.active)
                figures += measured(server, folder, made, arguments.active, arguments.seconds)
            what = version(server)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return run.finish(figures, SECTION, arguments.write, [what, where])


def make(url: str, folder: Path, made: Made, number: int, active: int) -> None:
    """Make tenants until there are so many: the first ones active."""
    from indelible.admin import tokens
    from indelible.core.context.context import context_for_tenant, open_context
    from indelible.settings import Settings
    from indelible.toolsets import registry

    own = open_context(Settings(data=folder / "maker", database=url, encoder="off", start=folder, home=folder))
    try:
        for at in range(len(made.secrets), number):
            with closing(context_for_tenant(own, FIRST + at)) as ctx:
                made.secrets.append(tokens.create(ctx, "", "write").secret)
                texts = islice(made.texts, OF_ACTIVE if at < active else OF_OTHERS)
                given = {"memories": [{"content": text} for text in texts]}
                registry.call(ctx, registry.find_tool("import_memories"), given)
    finally:
        own.close()
    say(f"{number:,} tenants are there")


def measured(server: Postgres, folder: Path, made: Made, active: int, seconds: float) -> list[Figure]:
    """The figures with all tenants that are there."""
    number = len(made.secrets)
    questions = list(generate.questions(200, among=OF_ACTIVE))
    with served(server.url, folder / f"server-{number}") as place:
        for turn, secret in enumerate([*made.secrets, *made.secrets[:active]]):
            with closing(Caller(place.port, secret)) as caller:
                caller.call("recall_memory", query=questions[turn % len(questions)], k=10)
        while server.ask("SELECT count(*) FROM pending")[0][0]:  # of those whose contexts are open
            if not _falls(server):
                break
        held = memory_mb(place.pid)
        length = seconds / ROUNDS
        recalls = partial(paced, place.port, made.secrets[0], questions, length)
        idle, beside, imported = [], [], 0
        # A process of its own, as another tenant's client is: with ours it would share an interpreter lock.
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            for _ in range(ROUNDS):
                idle.append(recalls())
                texts = list(islice(made.texts, round(FASTEST * length)))
                importing = pool.submit(imports, place.port, made.secrets[1 % number], texts, length)
                beside.append(recalls())
                imported += importing.result()
        after = memory_mb(place.pid)
        connections = server.ask("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")[0][0]
    name = f"{number:,} tenants"
    (busy, calm), (middle, usual) = (
        [statistics.median(percentile(times, percent) for times in rounds) for rounds in (beside, idle)]
        for percent in (99, 50)
    )
    rate = imported / seconds
    ratio = f"{ms(busy)} / {ms(calm)} (p50 {ms(middle)} / {ms(usual)})"
    return [
        Figure(f"{name}: recall_memory p99 of one beside another's import / idle", busy / calm, ratio, most=WAITS),
        Figure(f"{name}: what the other imported meanwhile", None, f"{rate:,.0f} records a second"),
        Figure(f"{name}: memory of the process, all asked once", None, f"{held:,.0f} MB", most=LARGEST, value=held),
        Figure(f"{name}: the same after the import", None, f"{after:,.0f} MB", most=LARGEST, value=after),
        Figure(f"{name}: connections to the database", None, f"{connections - 1}"),
    ]


def _falls(server: Postgres) -> bool:
    """Whether fewer records wait to be embedded than five seconds ago: of contexts that were closed they wait on."""
    before = server.ask("SELECT count(*) FROM pending")[0][0]
    time.sleep(5)
    return bool(server.ask("SELECT count(*) FROM pending")[0][0] < before)


def paced(port: int, secret: str, questions: list[str], seconds: float) -> list[float]:
    """Recall at the pace for a time; the seconds of each call."""
    took: list[float] = []
    with closing(Caller(port, secret)) as caller:
        due = time.perf_counter()
        until = due + seconds
        while due < until:
            time.sleep(max(0.0, due - time.perf_counter()))
            began = time.perf_counter()
            caller.call("recall_memory", query=questions[len(took) % len(questions)], k=10)
            took.append(time.perf_counter() - began)
            due = max(due + PACE, time.perf_counter())
    return took


def imports(port: int, secret: str, texts: list[str], seconds: float) -> int:
    """Import texts for a time, as fast as answers come; how many were taken."""
    taken = 0
    with closing(Caller(port, secret)) as caller:
        until = time.perf_counter() + seconds
        while time.perf_counter() < until and taken < len(texts):
            memories = [{"content": text} for text in texts[taken : taken + BATCH]]
            caller.call("import_memories", memories=memories)
            taken += len(memories)
    return taken


if __name__ == "__main__":
    sys.exit(main())
