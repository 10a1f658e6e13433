"""What calls cost a tenant of a large store, inside one process that has nothing else in it: JSON.

python bench/largest_inside.py URL DATA TENANT QUESTIONS STORES
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import generate
from client import pss_mb
from complete import HALF
from prepared import EVERYWHERE, WARM_UP, Prepared, Questions

from indelible.core.context.context import Context, context_for_tenant, open_context
from indelible.core.indexes.embedder import Embedder
from indelible.settings import Settings
from indelible.toolsets import registry

K = 10
SEED = 30  # of what is stored


def main() -> None:
    url, data, tenant, questions, stores = sys.argv[1:]
    known = Questions.load(Path(questions))
    with _opened(url, Path(data), int(tenant), known) as (ctx, by_words):
        print(json.dumps(measured(ctx, by_words, known, int(stores))))


@contextmanager
def _opened(url: str, data: Path, tenant: int, known: Questions) -> Iterator[tuple[Context, Context]]:
    """A tenant's context that knows the questions' embeddings, and the same without any."""
    settings = Settings.load(str(data), environ={"INDELIBLE_ENCODER": "off", "INDELIBLE_DATABASE": url})
    with closing(open_context(settings)) as own, closing(context_for_tenant(own, tenant)) as by_words:
        yield replace(by_words, embedder=Embedder(Prepared(known))), by_words


def measured(ctx: Context, by_words: Context, known: Questions, stores: int) -> dict[str, Any]:
    """Return seconds and megabytes; without `stores` those of the first recall only."""
    about, before = known.about, pss_mb(os.getpid())
    first = _recalled(ctx, about[EVERYWHERE][:1])[0]
    found: dict[str, Any] = {"first": first, "before": before, "loaded": pss_mb(os.getpid())}
    if not stores:
        return found
    work: dict[str, tuple[float, float]] = {}
    texts = [generate.record(number, SEED) for number in range(stores + WARM_UP)]
    with _worked(ctx, work, "recall_memory", len(about[EVERYWHERE])):
        recalled = _recalled(ctx, about[EVERYWHERE])
    within = _recalled(ctx, about[HALF], namespace=HALF)
    words = _recalled(by_words, about[EVERYWHERE])
    with _worked(ctx, work, "store_memory", len(texts)):
        stored = [_called(ctx, "store_memory", content=text) for text in texts]
    again = _recalled(ctx, about[EVERYWHERE])
    times = {"recall": recalled, "within": within, "words": words, "store": stored, "again": again}
    return {
        **found,
        **{name: each[WARM_UP:] for name, each in times.items()},
        "work": work,
        "calls": sum(map(len, (recalled, within, words, again))),
        "connections": [own_mb(pid) for pid in _server_processes(ctx)],
        "used": pss_mb(os.getpid()),
    }


def _recalled(ctx: Context, texts: list[str], **more: str) -> list[float]:
    return [_called(ctx, "recall_memory", query=text, k=K, **more) for text in texts]


@contextmanager
def _worked(ctx: Context, work: dict[str, tuple[float, float]], name: str, calls: int) -> Iterator[None]:
    """Note the processor time of a call: seconds in this process, and in the server's processes for it."""
    server, own = _server_seconds(ctx), time.process_time()
    yield
    own = time.process_time() - own
    work[name] = own / calls, (_server_seconds(ctx) - server) / calls


def _server_processes(ctx: Context) -> list[int]:
    """The server's processes for this role: nobody else asks it. They run on this machine."""
    query = "SELECT pid FROM pg_stat_activity WHERE usename = current_user"
    with ctx.store.read() as tx:
        return [pid for (pid,) in tx.connection.execute(query).fetchall()]  # type: ignore[attr-defined]


def _server_seconds(ctx: Context) -> float:
    found = 0.0
    for pid in _server_processes(ctx):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        found += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def own_mb(pid: int) -> float:
    """Memory of a process that no other shares, in MB of 1,000,000 bytes: without what the server keeps for all."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss_Anon:")) * 1024 / 1e6


def _called(ctx: Context, tool: str, **values: Any) -> float:
    """Seconds of a call of the tool, as a server makes it."""
    found = registry.find_tool(tool)
    began = time.perf_counter()
    registry.call(ctx, found, values)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
