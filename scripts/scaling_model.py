"""What 10^9 records of 10^5 tenants take: the tables of docs/scaling.md, from measured figures and named assumptions.

    python scripts/scaling_model.py            prints the tables
    python scripts/scaling_model.py --write    puts them into docs/scaling.md; --check says whether they are there
    python scripts/scaling_model.py --set active=0.1 --set database_price=300

A figure that was measured names the section of docs/benchmarks.md that has it. What is an assumption says so: put your
own in its place, and read what comes out as an estimate, as it is.
"""

import argparse
import math
import sys
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "scaling.md"
BEGIN, END = "<!-- scaling model -->", "<!-- /scaling model -->"


def _guess(value: float, what: str) -> float:
    """An assumption of the model, and what is assumed."""
    made: float = field(default=value, metadata={"what": what})
    return made


@dataclass(frozen=True, slots=True)
class Assumed:
    """Nobody measured these: replace them by yours."""

    active: float = _guess(0.05, "part of the tenants that are at work in the same ten minutes")
    calls: float = _guess(0.1, "calls a second of a tenant at work: an agent that recalls or stores every ten seconds")
    writes: float = _guess(0.2, "part of the calls that store")
    large: float = _guess(0.1, "part of the tenants with more than 20,000 vectors")
    bloat: float = _guess(1.2, "size of tables in use / freshly filled: dead rows, versions, trash, the log of calls")
    disk_used: float = _guess(0.7, "part of a disk that is used at most")
    memory_used: float = _guess(0.8, "part of a machine's memory, likewise")
    cores_used: float = _guess(0.5, "part of its processors, in the mean of a busy hour")
    standbys: float = _guess(1, "standbys of each database server")
    database_cores: float = _guess(16, "of a database server")
    database_memory: float = _guess(128, "GB of it")
    database_disk: float = _guess(3500, "GB of its disk (NVMe)")
    database_price: float = _guess(700, "a month for it: the order of a rented machine, no offer of anybody's")
    serving_cores: float = _guess(8, "of a machine for serving processes")
    serving_memory: float = _guess(32, "GB of it")
    serving_price: float = _guess(200, "a month for it, likewise")
    connections: float = _guess(500, "that a database server is given (`max_connections`)")
    backups: float = _guess(2, "whole copies that are kept")
    log_days: float = _guess(7, "days of the write-ahead log that are kept beside them")
    object_price: float = _guess(0.025, "a GB and month of object storage, likewise")


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure and the heading of docs/benchmarks.md under which it stands."""

    value: float
    section: str


LARGEST, INDEXED = "The largest store", "Many vector indexes"
DISK = Measured(3_724, LARGEST)  # bytes a record, all tables and indexes
CACHE = Measured(533, LARGEST)  # bytes of a process a record of an open tenant: (1,181 - 136) MB / 1,959,799
READER, WRITER = Measured(12, LARGEST), Measured(3, LARGEST)  # MB of its own that a connection's process holds
RECALL_SERVING, RECALL_DATABASE = Measured(0.00971, LARGEST), Measured(0.00561, LARGEST)  # processor seconds a call,
STORE_SERVING, STORE_DATABASE = Measured(0.00116, LARGEST), Measured(0.00102, LARGEST)  # of a tenant of 40,201
STORE_LOG = Measured(79_000, LARGEST)  # bytes of the write-ahead log a store, with recalls beside it: 24 MB / 305
FIRST_COLD, FIRST_WARM = Measured(0.533, LARGEST), Measured(0.167, LARGEST)  # seconds of such a tenant's first recall
OF_LARGE = 2_000_000  # records of the large tenant
RECALL_LARGE, WORK_LARGE = (
    Measured(0.242, LARGEST),
    Measured(0.086, LARGEST),
)  # seconds of a recall in it; of a processor
FIRST_CHANGED, FIRST_SEALED = (
    Measured(30, LARGEST),
    Measured(6.3, LARGEST),
)  # seconds of its first recall, after a change
COUNTED = Measured(10e6 / 11, LARGEST)  # records a second
VACUUMED = Measured(10e6 / 63, LARGEST)  # records a second, one in twenty changed
CHANGE_LOG = Measured(20_300, LARGEST)  # bytes of the write-ahead log a record of those: 10.17 GB / 500,000
QUESTION = Measured(0.0033, "The encoder")  # processor seconds of a question
TEXT = Measured(0.0186, "The encoder")  # the same of a text of 128 word pieces: 6.05 ms + 12.5 ms
ENCODER = Measured(122, "Memory")  # MB of the encoder, one a machine
PROCESS = Measured(123, "Many tenants")  # MB of a serving process in use: 131 with ten open tenants
CONTEXT = Measured(0.89, "Many tenants")  # MB of an open tenant without its records: (179 - 131) MB / 54 of them
PLANNED = Measured(0.0002, "A Citus cluster")  # seconds that a coordinator plans a statement
STATEMENTS = 8  # of a store, with those of its triggers (docs/scaling.md, Citus)
INDEXES = 5000  # of other tenants, beside which the second of each of these was measured
FIND_ALONE, FIND_AMONG = Measured(0.00258, INDEXED), Measured(0.0461, INDEXED)  # seconds to find 200 of 2,000 vectors
PUT_ALONE, PUT_AMONG = Measured(0.00807, INDEXED), Measured(0.0403, INDEXED)  # seconds to store one
HELD_AMONG = Measured(63, INDEXED)  # MB of its own that a connection's process holds
CONTEXTS, READERS = 64, 4  # of a process: server/http/tenants.py, store/postgres/pool.py

SMALLER, LARGER = "10⁸ records, 10⁴ tenants", "10⁹ records, 10⁵ tenants"
SIZES = {SMALLER: (1e8, 1e4), LARGER: (1e9, 1e5)}


@dataclass(frozen=True, slots=True)
class Model:
    """What a number of records and tenants takes, with these assumptions."""

    records: float
    tenants: float
    given: Assumed

    @property
    def active(self) -> float:
        """Tenants that are at work in the same ten minutes: so long a context stays open."""
        return self.tenants * self.given.active

    @property
    def mean(self) -> float:
        """Records of a tenant."""
        return self.records / self.tenants

    @property
    def rate(self) -> float:
        """Calls a second."""
        return self.active * self.given.calls

    @property
    def stores(self) -> float:
        """Stores a second."""
        return self.rate * self.given.writes

    @property
    def disk(self) -> float:
        """GB of all tables and indexes, once."""
        return self.records * DISK.value * self.given.bloat / 1e9

    @property
    def database_cores(self) -> float:
        """Processors that PostgreSQL keeps busy."""
        return (self.rate - self.stores) * RECALL_DATABASE.value + self.stores * STORE_DATABASE.value

    @property
    def serving_cores(self) -> float:
        """Processors that the serving processes keep busy."""
        return (self.rate - self.stores) * RECALL_SERVING.value + self.stores * STORE_SERVING.value

    @property
    def encoder_cores(self) -> float:
        """Processors that the encoders keep busy."""
        return (self.rate - self.stores) * QUESTION.value + self.stores * TEXT.value

    @property
    def hot(self) -> float:
        """GB of the tenants that are at work: their rows are best in memory."""
        return self.active * self.mean * DISK.value / 1e9

    @property
    def databases(self) -> int:
        """Database servers that write."""
        each = self.given
        return math.ceil(
            max(
                self.disk / (each.database_disk * each.disk_used),
                self.hot / (each.database_memory * each.memory_used),
                self.database_cores / (each.database_cores * each.cores_used),
            )
        )

    @property
    def processes(self) -> int:
        """Serving processes, each tenant with one of them (or more, where they are too busy)."""
        return math.ceil(max(self.active / CONTEXTS, self.serving_cores / self.given.cores_used))

    @property
    def serving_memory(self) -> float:
        """GB of the serving processes."""
        contexts = self.active * (CONTEXT.value / 1e3 + self.mean * CACHE.value / 1e9)
        return self.processes * PROCESS.value / 1e3 + contexts

    @property
    def serving_nodes(self) -> int:
        """Machines of the serving processes, with an encoder each, and one to spare."""
        each = self.given
        by_cores = (self.serving_cores + self.encoder_cores) / (each.serving_cores * each.cores_used)
        by_memory = self.serving_memory / (each.serving_memory * each.memory_used - ENCODER.value / 1e3)
        return math.ceil(max(by_cores, by_memory)) + 1

    @property
    def connections(self) -> int:
        """Connections to all databases without a pooler: readers and a writer for each open tenant of a process."""
        return self.processes * READERS + round(self.active)

    @property
    def connection_memory(self) -> float:
        """GB of the database servers' processes for them."""
        return (self.processes * READERS * READER.value + self.active * WRITER.value) / 1e3

    @property
    def log(self) -> float:
        """GB of the write-ahead log a day."""
        return self.stores * STORE_LOG.value * 86_400 / 1e9

    @property
    def kept(self) -> float:
        """GB of backups."""
        return self.given.backups * self.disk + self.given.log_days * self.log

    @property
    def money(self) -> float:
        """A month of all machines and backups."""
        each = self.given
        machines = self.databases * (1 + each.standbys) * each.database_price + self.serving_nodes * each.serving_price
        return machines + self.kept * each.object_price


def needs(given: Assumed) -> str:
    """Return the table of what both sizes take."""
    models = [Model(records, tenants, given) for records, tenants in SIZES.values()]
    rows = [
        ("tenants at work, calls a second", lambda m: f"{m.active:,.0f}, {m.rate:,.0f}", "assumed"),
        ("disk, once", lambda m: f"{m.disk:,.0f} GB", _of(DISK)),
        ("rows of tenants at work", lambda m: f"{m.hot:,.0f} GB", _of(DISK)),
        ("processors busy: PostgreSQL", lambda m: f"{m.database_cores:,.1f}", _of(RECALL_DATABASE)),
        ("processors busy: serving", lambda m: f"{m.serving_cores:,.1f}", _of(RECALL_SERVING)),
        ("processors busy: encoders", lambda m: f"{m.encoder_cores:,.1f}", _of(QUESTION)),
        ("**database servers**, without standbys", lambda m: f"{m.databases}", "the most of disk, memory, processors"),
        ("serving processes", lambda m: f"{m.processes}", f"{CONTEXTS} open tenants each, each tenant in one"),
        ("their memory", lambda m: f"{m.serving_memory:,.0f} GB", _of(CACHE, CONTEXT, PROCESS)),
        ("**serving machines**, one to spare", lambda m: f"{m.serving_nodes}", "the more of memory, processors"),
        ("**connections**, without a pooler", lambda m: f"{m.connections:,}", _of(CONTEXT)),
        ("their memory on the servers", lambda m: f"{m.connection_memory:,.0f} GB", _of(READER)),
        ("write-ahead log a day", lambda m: f"{m.log:,.0f} GB", _of(STORE_LOG)),
        ("backups", lambda m: f"{m.kept:,.0f} GB", "assumed: how many, how long"),
        ("**money** a month", lambda m: f"{m.money:,.0f}", "assumed: prices, in any currency"),
    ]
    lines = [f"| | {' | '.join(SIZES)} | from |", "|---|" + "---|" * (len(SIZES) + 1)]
    lines += [f"| {what} | {' | '.join(map(said, models))} | {source} |" for what, said, source in rows]
    return "\n".join(lines)


def _of(*figures: Measured) -> str:
    return ", ".join(dict.fromkeys(f"[{each.section}](benchmarks.md#{anchor(each.section)})" for each in figures))


def anchor(section: str) -> str:
    """Return how a link names a heading."""
    return section.lower().replace(" ", "-")


def assumptions(given: Assumed) -> str:
    """Return the table of what is assumed."""
    rows = [
        f"| `{each.name}` | {getattr(given, each.name):,.10g} | {each.metadata['what']} |" for each in fields(given)
    ]
    return "\n".join(["| assumed | | what |", "|---|---|---|", *rows])


def text(given: Assumed) -> str:
    """Return what stands between the markers of the page."""
    return f"{needs(given)}\n\n{limits(given)}\n\n{assumptions(given)}"


def limits(given: Assumed) -> str:
    """Return the table of what breaks, the first first, for the larger size."""
    model = Model(*SIZES[LARGER], given)
    each = model.records / model.databases  # records of a server
    own = OF_LARGE * CACHE.value / 1e9
    room = given.serving_memory * given.memory_used
    indexes = given.large * model.tenants / model.databases
    alone = given.connections / (1 + READERS / CONTEXTS)  # open tenants whose connections a server can hold
    rows = [
        (
            "a balancer that sends a call to any process: each keeps the tenants open that it was asked by last",
            f"{CONTEXTS / given.active:,.0f} tenants, {CONTEXTS} of them at work",
            f"{CONTEXTS / model.active:.1%} of calls find their tenant open. The others pay a first recall, "
            f"{FIRST_WARM.value * 1e3:,.0f} ms, {FIRST_COLD.value * 1e3:,.0f} where nothing is in memory",
            "a balancer that goes by a hash of the `Authorization` header (a token, a process) or by host names",
            _of(FIRST_COLD),
        ),
        (
            "pgvector: the index of a tenant with 20,000 vectors is one more partial index of one table",
            f"{INDEXES:,} such tenants on a server: to find {FIND_AMONG.value * 1e3:.3g} ms instead of "
            f"{FIND_ALONE.value * 1e3:.3g}, to store {PUT_AMONG.value * 1e3:.3g} instead of "
            f"{PUT_ALONE.value * 1e3:.3g}, {HELD_AMONG.value:,.0f} MB a connection",
            f"{indexes:,.0f} on a server",
            "leave the extension out: each process finds by codes of its own, as in all other figures here",
            _of(FIND_AMONG),
        ),
        (
            f"connections: one for each open tenant of a process, and {READERS}",
            f"{alone / given.active:,.0f} tenants on a server",
            f"{model.connections / model.databases:,.0f} to a server, which is given {given.connections:,.0f}",
            "PgBouncer in transaction mode",
            _of(CONTEXT),
        ),
        (
            f"memory of a process that large tenants use: it keeps {CONTEXTS} open, however large they are",
            f"{room / own:,.0f} tenants of {OF_LARGE:,.0f} on a machine",
            f"{own:.1f} GB for each of them, in each process that it asks",
            "processes of their own for the largest",
            _of(CACHE),
        ),
        (
            "one tenant: it is on one server, one transaction at a time writes, a recall goes through all its codes",
            f"{OF_LARGE:,.0f} records: a recall takes {RECALL_LARGE.value * 1e3:,.0f} ms (median) where its rows are "
            f"not in memory, {WORK_LARGE.value * 1e3:,.0f} of a processor",
            "the same",
            "several tenants of what one holds",
            _of(RECALL_LARGE),
        ),
        (
            "a change of many records of a tenant at once: who opens it reads them all until its blocks are sealed",
            f"one in twenty of {OF_LARGE:,.0f}: a first recall takes {FIRST_CHANGED.value:.1f} s instead of "
            f"{FIRST_SEALED.value:.1f}",
            f"{model.records / 20 * CHANGE_LOG.value / 1e12:.1f} TB of log where all tenants do that",
            "wait for housekeeping, which seals them; spread such changes over days",
            _of(FIRST_CHANGED),
        ),
        (
            "a vacuum of all tables, one record in twenty changed",
            f"{VACUUMED.value * 3600 / 1e6:,.0f} million records on a server: an hour",
            f"{each / VACUUMED.value / 3600:.1f} hours",
            "more workers of autovacuum (each table has one at a time); more and smaller servers",
            _of(VACUUMED),
        ),
        (
            "an upgrade: it counts all rows twice, in one transaction, while nothing is served",
            f"{COUNTED.value * 1800 / 1e6:,.0f} million records on a server: an hour",
            f"{2 * each / COUNTED.value / 3600:.1f} hours, and the changes themselves",
            "an upgraded copy to switch to; more and smaller servers",
            _of(COUNTED),
        ),
        (
            "Citus: one coordinator plans all statements",
            f"{given.cores_used * given.database_cores / STATEMENTS / PLANNED.value:,.0f} calls a second, if a recall "
            "has as many statements as a store",
            f"{model.rate:,.0f} calls a second",
            "tenants on several servers without Citus",
            _of(PLANNED),
        ),
    ]
    lines = ["| what breaks | from | at 10⁹ records | what then | measured |", "|---|---|---|---|---|"]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


def written(page: str, given: Assumed) -> str:
    """Return a page with the tables in it."""
    head, rest = page.split(BEGIN)
    return f"{head}{BEGIN}\n{text(given)}\n{END}{rest.split(END)[1]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=NUMBER", help="another assumption")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/scaling.md")
    parser.add_argument("--check", action="store_true", help="exit code 1 where docs/scaling.md has others")
    arguments = parser.parse_args()
    given = _assumed(arguments.set)
    page = PAGE.read_text(encoding="utf-8")
    if arguments.check and written(page, given) != page:
        print(f"stale: {PAGE.relative_to(ROOT)}; run `python scripts/scaling_model.py --write`")
        return 1
    if arguments.write:
        PAGE.write_text(written(page, given), encoding="utf-8")
    elif not arguments.check:
        print(text(given))
    return 0


def _assumed(changes: list[str]) -> Assumed:
    given = Assumed()
    known = {field.name for field in fields(given)}
    for change in changes:
        name, _, number = change.partition("=")
        if name not in known:
            sys.exit(f"--set: no assumption {name!r}; there are {', '.join(sorted(known))}")
        try:
            given = replace(given, **{name: float(number)})
        except ValueError:
            sys.exit(f"--set {name}: {number!r} is no number")
    return given


if __name__ == "__main__":
    sys.exit(main())
