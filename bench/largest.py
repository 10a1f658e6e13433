"""The largest store that this machine can hold: many tenants in one PostgreSQL, one of them large.

    python bench/largest.py --folder DIR                            10,000,000 records: some 45 GB of disk, hours
    python bench/largest.py --folder DIR --steps fill --keep        what may run beside other work; goes on where it was
    python bench/largest.py --folder DIR --steps ask,upkeep,reseal  what needs a quiet machine; then the store goes
    python bench/largest.py --records 20000 --tenants 5 --large 8000              a smoke run
    python bench/largest.py --folder DIR --write docs/benchmarks.md --keep        also into the document

The steps: `fill` copies complete records (complete.py) tenant by tenant, the large one's spread among the others',
has blocks sealed, and measures every table and index when a tenth, a half and all are there; `ask` starts the server
with nothing of the store in memory, and calls tools as the large tenant and as one of the others, each in a process of
its own; `upkeep` changes one record in twenty and vacuums; `reseal` asks again after that. What a step found is kept in
the folder and need not be measured again; all that is there is written.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

import filling
import largest_fill
import prepared
import report
from asking import say
from client import environment
from complete import HALF, TOPICS, Floats
from largest_fill import LARGE
from largest_report import ONE_IN, figures, growth
from postgres_server import Postgres, postgres, version
from prepared import EVERYWHERE, WARM_UP
from report import ms

RECORDS, TENANTS, OF_LARGE = 10_000_000, 200, 2_000_000
POINTS = (0.1, 0.5, 1.0)  # parts of all records after which tables are measured
A_RECORD = 3_800  # bytes on the disk, a little more than at 1,000,000 (docs/benchmarks.md, PostgreSQL)
LOG_GB = 3  # of the write-ahead log, before a checkpoint
WORKERS = 3  # on two cores: one of them waits for the server
RESERVE = 5e9  # bytes of the disk that stay free
SERVER = {"shared_buffers": "4GB", "max_wal_size": f"{LOG_GB}GB", "autovacuum": "off", "maintenance_work_mem": "512MB"}
QUESTIONS, STORES = 200, 300
SECTION = "largest"
STATE = "state.json"
INSIDE = Path(__file__).with_name("largest_inside.py")
OBJECTS = """WITH own AS (
    SELECT oid, relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace)
  SELECT relname, pg_table_size(oid) FROM own
  UNION ALL SELECT own.relname || ' / ' || index.relname, pg_relation_size(index.oid)
  FROM own JOIN pg_index ON indrelid = own.oid JOIN pg_class AS index ON index.oid = indexrelid"""
WRITTEN = "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn, (SELECT num_timed + num_requested FROM pg_stat_checkpointer)"


@dataclass(slots=True)
class Bench:
    """One store: its folder, how many records of how many tenants, and what was found so far."""

    folder: Path
    records: int
    tenants: int
    large: int
    found: dict[str, Any]

    @property
    def data(self) -> Path:
        """The directory of the server."""
        return self.folder / "postgres" / "data"

    @property
    def asked(self) -> dict[str, int]:
        """The tenants that are asked, by what they are called."""
        own = largest_fill.sizes(self.records, self.tenants, self.large)
        middle = 1 + (self.tenants + 1) // 2
        return {f"the tenant of {own[LARGE]:,}": LARGE, f"a tenant of {own[middle]:,}": middle}

    def keep(self, **found: Any) -> None:
        """Note what was found, so that the next run need not measure it."""
        self.found |= found
        path = self.folder / STATE
        path.with_suffix(".new").write_text(json.dumps(self.found))
        path.with_suffix(".new").replace(path)


def main() -> int:
    arguments = _parser().parse_args()
    steps = [name for name in STEPS if name in arguments.steps.split(",")]
    if arguments.write:
        report.check_sections(arguments.write, [SECTION])
    run = report.Run("bench/largest.py", sys.argv[1:])
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="indelible-largest-"))
    folder.mkdir(parents=True, exist_ok=True)
    bench = _bench(folder, arguments.records, arguments.tenants, arguments.large)
    done = False
    try:
        where = report.disk(folder)
        for name in steps:
            say(f"{name} (load average {report.load()}) ...")
            STEPS[name](bench)
        done = True
    finally:
        if not arguments.keep and (done or not arguments.folder):
            shutil.rmtree(folder)
    notes = [bench.found["server"], where, *(f"`{name}`: {text}" for name, text in bench.found["notes"].items())]
    return run.finish(figures(bench.found), SECTION, arguments.write, notes, parts=growth(bench.found["points"]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=RECORDS, help="of all tenants; default: %(default)s")
    parser.add_argument("--tenants", type=int, default=TENANTS, help="default: %(default)s")
    parser.add_argument("--large", type=int, default=OF_LARGE, help="records of the largest; default: %(default)s")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where the store is, and what is left of one")
    parser.add_argument("--keep", action="store_true", help="leave the store there")
    parser.add_argument("--steps", default=",".join(STEPS), help="separated by commas; default: %(default)s")
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write between <!-- largest --> and its end")
    return parser


def _bench(folder: Path, records: int, tenants: int, large: int) -> Bench:
    """What a former run left in the folder, if any."""
    path, size = folder / STATE, [records, tenants, large]
    if tenants < 2 or not 0 < large < records:
        sys.exit("--tenants: at least 2; --large: fewer than --records")
    found = json.loads(path.read_text()) if path.exists() else {"size": size, "points": [], "notes": {}}
    if found["size"] != size:
        sys.exit(f"{folder} holds a store of {found['size']} records, tenants, records of the largest: give these")
    return Bench(folder, records, tenants, large, found)


# --- Filling ---


def fill(bench: Bench) -> None:
    """All records that are missing, then questions about them."""
    _refuse_full_disk(bench)
    topics = filling.topics(bench.folder, min(TOPICS, max(50, bench.records // 50)))
    with _server(bench) as server:
        if "until" not in bench.found:
            largest_fill.prepare(server.url, largest_fill.sizes(bench.records, bench.tenants, bench.large))
            bench.keep(until=time.time_ns() // 1000, server=f"{version(server)}; {_settings()}", seconds=0.0)
        for point, part in _parts(bench):
            if len(bench.found["points"]) <= point:
                _fill_part(bench, server, topics, part)
        if "first vacuum" not in bench.found:
            bench.keep(**{"first vacuum": _vacuum(server)})
            bench.keep(questions=_write_questions(bench, server, topics))
    _note(bench, "fill")


def _refuse_full_disk(bench: Bench) -> None:
    """Leave where the store would not fit."""
    free = shutil.disk_usage(bench.folder).free
    there = sum(path.stat().st_size for path in bench.data.rglob("*") if path.is_file())
    needed = bench.records * A_RECORD + 1.5 * LOG_GB * 1e9 - there + RESERVE
    if bench.records > 1e6 and free < needed:  # a small one has no log of that size
        fits = (free + there - 1.5 * LOG_GB * 1e9 - RESERVE) / A_RECORD
        sys.exit(f"needs {needed / 1e9:.0f} GB of disk, {free / 1e9:.0f} are free: --records {fits:.0f} would fit")


def _server(bench: Bench) -> Any:
    return postgres(bench.folder, **SERVER)


def _settings() -> str:
    return ", ".join(f"{name} {value}" for name, value in SERVER.items())


def _parts(bench: Bench) -> Iterator[tuple[int, list[largest_fill.Piece]]]:
    """The pieces up to each point, with its number."""
    pieces = largest_fill.pieces(bench.records, bench.tenants, bench.large)
    ends = list(accumulate(piece.count for piece in pieces))
    low = 0
    for number, point in enumerate(POINTS):
        high = next(n for n, end in enumerate(ends) if end >= point * bench.records) + 1
        yield number, pieces[low:high]
        low = high


def _fill_part(bench: Bench, server: Postgres, topics: Path, part: list[largest_fill.Piece]) -> None:
    """Copy, count rows for the planner, seal, measure."""
    began = time.perf_counter()
    before, copied = bench.found["seconds"], 0
    one = partial(_copied, bench.folder, server.administrator, topics, bench.found["until"])
    with filling.workers(WORKERS) as pool:
        for turn, count in enumerate(pool.map(one, part)):
            copied += count
            if turn % 10 == 9:
                bench.keep(seconds=before + time.perf_counter() - began)
                say(f"{copied:,} records copied in {time.perf_counter() - began:.0f} s")
        filled = time.perf_counter()
        server.ask("ANALYZE")
        analyzed = time.perf_counter()
        tenants = range(LARGE, LARGE + bench.tenants)
        blocks = sum(pool.map(partial(largest_fill.seal, server.url), tenants))
    ended = time.perf_counter()
    server.ask("CHECKPOINT")
    ((log, checkpoints),) = server.ask(WRITTEN)
    point = {
        "records": server.ask("SELECT sum(last)::bigint FROM record_number")[0][0],
        "objects": dict(server.ask(OBJECTS)),
        "copying": before + filled - began,
        "analyze": analyzed - filled,
        "sealing": ended - analyzed,
        "blocks": blocks,
        "checkpoint": time.perf_counter() - ended,
        "checkpoints": int(checkpoints),
        "log": int(log),
    }
    bench.keep(points=[*bench.found["points"], point], seconds=0.0)
    say(f"{point['records']:,} records, {blocks} blocks sealed")


def _copied(folder: Path, admin: str, topics: Path, until: int, piece: largest_fill.Piece) -> int:
    if shutil.disk_usage(folder).free < RESERVE:
        raise SystemExit("the disk is nearly full; run again with fewer records, or when there is room")
    return largest_fill.copy(admin, topics, until, piece)


def _write_questions(bench: Bench, server: Postgres, topics: Path) -> list[str]:
    """Questions of each tenant that is asked, in files."""
    for tenant in bench.asked.values():
        chosen = {name: _records(server, tenant, name, QUESTIONS + WARM_UP) for name in (EVERYWHERE, HALF)}
        prepared.write_about(chosen, topics, _questions(bench, tenant))
    return list(bench.asked)


def _questions(bench: Bench, tenant: int) -> Path:
    return bench.folder / f"questions-{tenant}.pickle"


def _records(server: Postgres, tenant: int, namespace: str, count: int) -> Iterator[tuple[str, Floats]]:
    """Texts and vectors of records that are spread over a tenant's, or over a namespace of it."""
    from indelible.search.index.vectors import unpack

    within = "" if namespace == EVERYWHERE else f" AND namespace = '{namespace}'"
    ids = [row[0] for row in server.ask(f"SELECT id FROM record WHERE tenant = {tenant}{within} ORDER BY id")]
    for number in range(count):
        ((text, vector),) = server.ask(
            "SELECT text, vector FROM record JOIN embedding ON embedding.tenant = record.tenant AND record = id "
            f"WHERE record.tenant = {tenant} AND id = {ids[number * len(ids) // count]}"
        )
        yield text, unpack([vector])[0]


# --- Asking ---


def ask(bench: Bench) -> None:
    """Each tenant by a process that nobody has asked before: of a server without anything in memory, and once more."""
    answers: dict[str, Any] = {}
    for name, tenant in bench.asked.items():
        forget(bench.data)
        with _server(bench) as server:
            cold = _asked(bench, server, tenant, 0)
            answers[name] = _asked(bench, server, tenant, STORES) | {"cold": cold["first"]}
            say(f"{name}: first recall {ms(cold['first'])}, {ms(statistics.median(answers[name]['recall']))} later")
    bench.keep(answers=answers)
    _note(bench, "ask")


def forget(directory: Path) -> None:
    """Have the system drop what it holds of files that nobody has open."""
    for path in directory.rglob("*"):
        if path.is_file():
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(descriptor)


def _asked(bench: Bench, server: Postgres, tenant: int, stores: int) -> dict[str, Any]:
    arguments = [server.url, str(bench.folder / "client"), str(tenant), str(_questions(bench, tenant)), str(stores)]
    command = [sys.executable, str(INSIDE), *arguments]
    ((before, _),) = server.ask(WRITTEN)
    done = subprocess.run(command, check=True, env=environment(), stdout=subprocess.PIPE, text=True)
    ((after, _),) = server.ask(WRITTEN)
    found: dict[str, Any] = json.loads(done.stdout)
    return found | {"log": int(after - before)}


# --- Upkeep ---


def upkeep(bench: Bench) -> None:
    """Count all rows, then change one record in `ONE_IN` of every tenant and do what that leaves to do."""
    with _server(bench) as server:
        bench.keep(counted=_count(server))
        before = server.size()
        ((log, _),) = server.ask(WRITTEN)
        began = time.perf_counter()
        server.ask(f"UPDATE record SET importance = 0.6 WHERE id % {ONE_IN} = 0")
        changed = time.perf_counter()
        server.ask("CHECKPOINT")
        ended = time.perf_counter()
        ((later, _),) = server.ask(WRITTEN)
        found = {
            "update": changed - began,
            "checkpoint": ended - changed,
            "log": int(later - log),
            "before": before,
            "vacuum": _vacuum(server),
            "after": server.size(),
        }
    bench.keep(upkeep=found)
    _note(bench, "upkeep")


def reseal(bench: Bench) -> None:
    """What the change costs the first recall of a process as the large tenant, until its blocks are sealed again."""
    found: dict[str, Any] = {}
    with _server(bench) as server:
        _asked(bench, server, LARGE, 0)  # what it reads is in memory then
        found["changed"] = _asked(bench, server, LARGE, 0)
        began = time.perf_counter()
        found["blocks"] = largest_fill.seal(server.url, LARGE)
        found["sealing"] = time.perf_counter() - began
        found["sealed"] = _asked(bench, server, LARGE, 0)
    bench.keep(resealed=found)
    _note(bench, "reseal")


def _count(server: Postgres) -> float:
    """Seconds for the rows of every table, which an upgrade counts before and after."""
    began = time.perf_counter()
    for (table,) in server.ask("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"):
        server.ask(f"SELECT count(*) FROM {table}")
    return time.perf_counter() - began


def _vacuum(server: Postgres) -> dict[str, float]:
    """Seconds of VACUUM and ANALYZE of the whole store, bytes of the log."""
    server.ask("CHECKPOINT")
    ((log, _),) = server.ask(WRITTEN)
    began = time.perf_counter()
    server.ask("VACUUM")
    vacuumed = time.perf_counter()
    server.ask("ANALYZE")
    ((later, _),) = server.ask(WRITTEN)
    return {"seconds": vacuumed - began, "analyze": time.perf_counter() - vacuumed, "log": int(later - log)}


def _note(bench: Bench, step: str) -> None:
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], check=True, capture_output=True, text=True, cwd=INSIDE.parent
    ).stdout.strip()
    said = f"ended {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, niceness {os.nice(0)}, load average {report.load()}"
    bench.keep(notes=bench.found["notes"] | {step: f"{said}, commit {commit}"})


STEPS: dict[str, Callable[[Bench], None]] = {"fill": fill, "ask": ask, "upkeep": upkeep, "reseal": reseal}

if __name__ == "__main__":
    sys.exit(main())
