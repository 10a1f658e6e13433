"""What a search of callers' vectors costs, against the bare product of the same vectors in scipy.sparse."""

import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse
from client import serve
from report import Figure, ms
from stores import Bench, settle

WEIGHTS = 100  # of a vector that are not 0
INDICES = (30_000, 1_000)  # as many as a vocabulary has, and as many as a dense embedding
QUERIES = 100
LIMIT = 10
BATCH = 2_000  # entries a transaction
SEED = 1


def search(bench: Bench) -> list[Figure]:
    """search over stdio in 100,000 entries."""
    entries = bench.size(100_000, 2_000)
    return [figure for indices in INDICES for figure in _searched(bench, entries, indices)]


def _searched(bench: Bench, entries: int, indices: int) -> list[Figure]:
    pick = np.random.default_rng(SEED)
    stored, asked = _drawn(pick, entries, indices), _drawn(pick, QUERIES, indices)
    data = bench.fresh(f"vectors-{indices}")
    _fill(data, stored)
    settle(data)
    with serve(data, data.parent) as server:
        server.initialize()
        before = server.rss_mb
        server.call("search", vector={"0": 1.0})
        first, after = server.seconds, server.rss_mb
        ours, theirs = [], []
        norms = np.sqrt(stored.multiply(stored).sum(axis=1)).ravel()
        for number in range(QUERIES):
            query = asked[[number]]
            vector = dict(zip(map(str, query.indices.tolist()), query.data.tolist(), strict=True))
            found = server.call("search", vector=vector, limit=LIMIT)["result"]
            ours.append(server.seconds)
            dense = query.toarray().ravel()
            began = time.perf_counter()
            dots = stored @ dense
            theirs.append(time.perf_counter() - began)
            _check(found, dots / norms / np.linalg.norm(dense))
    name = f"{entries:,} entries with {WEIGHTS} of {indices:,} indices"
    return [
        Figure(f"search, {name} / scipy.sparse product, p50", *_halves(ours, theirs), most=3.0),
        Figure(
            f"first search (loads the index), {name}",
            None,
            f"{ms(first)}; memory {before:.0f} MB before, {after:.0f} MB after",
        ),
    ]


def _halves(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, str]:
    own, other = statistics.median(ours), statistics.median(theirs)
    return own / other, f"{ms(own)} / {ms(other)} ({QUERIES} queries)"


def _drawn(pick: np.random.Generator, rows: int, columns: int) -> Any:
    """Rows with `WEIGHTS` weights each, a few less where an index was drawn twice."""
    places = pick.integers(0, columns, (rows, WEIGHTS))
    starts = np.arange(0, rows * WEIGHTS + 1, WEIGHTS)
    matrix = scipy.sparse.csr_array((pick.normal(size=rows * WEIGHTS), places.ravel(), starts), (rows, columns))
    matrix.sum_duplicates()
    return matrix


def _fill(data: Path, stored: Any) -> None:
    """Store the rows as `memorize` does, many a transaction."""
    from indelible.core.context.context import open_context
    from indelible.model import Record
    from indelible.settings import Settings
    from indelible.store.tables import records
    from indelible.toolsets.vectors import vectors

    ctx = open_context(Settings(data=data, home=data.parent))
    for first in range(0, stored.shape[0], BATCH):
        part = stored[first : first + BATCH]
        made = []
        for row in range(part.shape[0]):
            own = slice(part.indptr[row], part.indptr[row + 1])
            vector = dict(zip(part.indices[own].tolist(), part.data[own].tolist(), strict=True))
            text, metadata = vectors.parts_of(vectors.NewEntry(f"entry-{first + row}", vector))
            now = ctx.now()
            made.append(
                Record(
                    key=f"entry-{first + row}", kind="vector", text=text, created=now, updated=now, metadata=metadata
                )
            )
        ctx.store.write(lambda tx, made=made: [records.insert(tx, record) for record in made])
    ctx.close()


def _check(found: Sequence[dict[str, Any]], cosines: Any) -> None:
    """End the run where a search did not find what is nearest."""
    best = np.sort(cosines)[::-1][:LIMIT]
    told = [match["similarity"] for match in found]
    if not np.allclose(told, best, atol=1e-9):
        raise SystemExit(f"search found {told}, the nearest are {best.tolist()}")
