"""Complete stores: made-up records with both kinds of vectors, written by the product's own statements, then sealed.

Nothing of the product is left out but its patience: the transactions are large and do not wait for the disk. The
triggers fire, so the log has every change; the blocks are sealed by core/indexes/sealing.py.
"""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import complete
import numpy as np
from asking import say
from complete import BATCH, Batch, Topics

CORES = 2
SEED = 1
CACHE = 400_000  # KiB of the file that SQLite keeps while it is written
LOG = 50_000  # pages of the write-ahead log, before they are moved into the file
TOPICS = "topics.npz"
OURS = Path(__file__).resolve().parents[1] / "src"  # the package of the tree that these scripts are of


@dataclass(frozen=True, slots=True)
class Full:
    """A data directory with complete records, sealed, and how long it took to make."""

    data: Path
    records: int
    writing: float
    sealing: float
    bytes: int


def topics(folder: Path, count: int) -> Path:
    """A file with the topics, made once a run by both cores."""
    path = folder / TOPICS
    if not path.exists():
        texts = complete.passages(count)
        with workers() as pool:
            parts = list(pool.map(complete.embedded, [texts[: count // 2], texts[count // 2 :]]))
        seen = [part.own != complete.UNSEEN for part in parts]
        own = sum(part.own * has for part, has in zip(parts, seen, strict=True)) / np.maximum(sum(seen), 1)
        columns = zip(*((part.dense, part.terms, part.weights) for part in parts), strict=True)
        dense, terms, weights = (np.concatenate(column) for column in columns)
        Topics(dense, terms, weights, np.where(sum(seen) > 0, own, complete.UNSEEN).astype(np.float32)).save(path)
    return path


def workers(count: int = CORES) -> ProcessPoolExecutor:
    """Processes that import what they need themselves; one thread each."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    return ProcessPoolExecutor(count, mp_context=get_context("spawn"))


def fill(data: Path, records: int, passages: Path, until: int = 0) -> Full:
    """A new store with so many records, the last of a moment `until` (0: now; microseconds).

    Written by the package of this tree, in a process of its own, whichever commit is measured: it writes by functions
    that other commits have otherwise.
    """
    command = [sys.executable, __file__, str(data), str(records), str(passages), str(until)]
    done = subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(OURS)}, stdout=subprocess.PIPE)
    found = json.loads(done.stdout)
    return Full(**{**found, "data": Path(found["data"])})


def _filled(data: Path, records: int, passages: Path, until: int) -> Full:
    until, began = until or time.time_ns() // 1000, time.perf_counter()
    data.mkdir(mode=0o700, parents=True)
    with workers() as pool:
        _write(data, _made(pool, records, passages, until), records)
        written = time.perf_counter()
        list(pool.map(_seal, [data] * CORES, range(CORES)))
    sealed = time.perf_counter()
    size = sum(path.stat().st_size for path in data.glob("indelible.db*"))
    return Full(data, records, written - began, sealed - written, size)


def _made(pool: ProcessPoolExecutor, records: int, passages: Path, until: int) -> Iterator[Batch]:
    """The batches in their order, a few of them made ahead."""
    starts = [*range(0, records, BATCH), records]
    waiting: list[Future[Batch]] = []
    for first, end in pairwise(starts):
        waiting.append(pool.submit(complete.batch, passages, first, end - first, until, SEED))
        if len(waiting) > CORES + 1:
            yield waiting.pop(0).result()
    while waiting:
        yield waiting.pop(0).result()


def _write(data: Path, batches: Iterator[Batch], records: int) -> None:
    from indelible.store.sqlite import database
    from indelible.store.sqlite.opening import open_sqlite

    database.BULK_CACHE = CACHE
    store = open_sqlite(data, synchronous="OFF")
    try:
        store.write(_in_large_pieces)
        put_all(store, batches, records)
    finally:
        store.close()


def note_words(tx: Any) -> None:
    """Note that all words are those of this version, or its servers would read them again while they are measured."""
    from indelible.admin import tokenizer

    tokenizer.put(tx, None)


def note_compared(tx: Any) -> None:
    """Note that all memories were compared with their like, or its servers would do so while they are measured."""
    from indelible.core.records import successors
    from indelible.search.statements import versions
    from indelible.store.tables import settings

    settings.put(tx, successors.QUEUED, json.dumps([versions.VERSION, 0]))


def fill_postgres(url: str, records: int, passages: Path, until: int) -> None:
    """The same records, with the same ids, in a new store of PostgreSQL, sealed."""
    from indelible.core.indexes import sealing
    from indelible.store.postgres.database import open_postgres

    store = open_postgres(url)
    try:
        with workers() as pool:
            put_all(store, _made(pool, records, passages, until), records)
        store.write(lambda tx: _go_on_after(tx, records))
        for space, block in sealing.blocks_due(store):
            sealing.seal(store, space, block)
    finally:
        store.close()


def _go_on_after(tx: Any, last: int) -> None:
    """Let the next record have the next id."""
    tx.connection.execute("INSERT INTO record_number (tenant, last) VALUES (1, %s)", [last])


def put_all(store: Any, batches: Iterator[Batch], records: int) -> None:
    """Write batches to a store, `records` in all, by the product's statements."""
    from indelible.embed.local import MODEL
    from indelible.store.tables import embeddings

    store.write(lambda tx: add_model(tx, MODEL))
    with store.read() as tx:
        model = embeddings.model(tx, MODEL)
    assert model is not None
    for batch in batches:
        _put(store, batch, model.number)
        if (batch.first // BATCH) % 10 == 9:
            say(f"{batch.first + len(batch.texts):,} of {records:,} records written")
    store.write(note_words)
    store.write(note_compared)


def _in_large_pieces(tx: Any) -> None:
    tx.connection.pragma("wal_autocheckpoint", LOG)


def add_model(tx: Any, name: str) -> None:
    """Give a tenant a model of the built-in one's dimensions."""
    from indelible.embed.minilm import DIMENSIONS
    from indelible.store.tables import embeddings

    embeddings.add_model(tx, name, DIMENSIONS)


def _put(store: Any, batch: Batch, model: int) -> None:
    ids = range(batch.first + 1, batch.first + len(batch.texts) + 1)

    def work(tx: Any) -> None:
        tx.run_many("records.reinsert", record_rows(batch, ids))
        tx.run_many("terms.put", term_rows(batch, ids))
        tx.run_many("embeddings.add", vector_rows(batch, ids, model))
        tx.run_many("pending.done", ({"record": record, "owner": ""} for record in ids))

    store.write(work)


def record_rows(batch: Batch, ids: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Yield the columns of each record's row but its tenant."""
    from indelible.core.records.insert import content_hash
    from indelible.store.tables.records import new_uid

    columns = (ids, batch.texts, batch.keys, batch.namespaces, batch.sessions, batch.times)
    for record, text, key, namespace, session, moment in zip(*columns, strict=True):
        yield {
            "id": record,
            "namespace": namespace,
            "kind": "memory",
            "type": "context",
            "key": key,
            "label": "",
            "text": text,
            "tags": "[]",
            "metadata": "{}",
            "importance": 0.5,
            "confidence": 1.0,
            "content_hash": content_hash(text),
            "session": session,
            "position": moment,
            "replaced": 0,
            "created": moment,
            "updated": moment,
            "uid": new_uid(),
            "origin": "",
        }


def term_rows(batch: Batch, ids: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Yield the two rows of each record's words and sparse terms."""
    from indelible.store.tables.terms import SPARSE, WORDS

    for record, words, size, sparse in zip(ids, batch.words, batch.sizes, batch.sparse, strict=True):
        yield {"record": record, "space": WORDS, "size": size, "body": words}
        yield {"record": record, "space": SPARSE, "size": len(sparse) // 5, "body": sparse}


def vector_rows(batch: Batch, ids: Sequence[int], model: int) -> Iterator[dict[str, Any]]:
    """Yield the row of each record's vector, by a model's number."""
    for record, (vector, code) in zip(ids, batch.vectors, strict=True):
        yield {"record": record, "view": 0, "model": model, "vector": vector, "code": code}


def _seal(data: Path, turn: int) -> None:
    """Seal the blocks that are due, one of `CORES` processes its share; then the log goes into the file."""
    from indelible.core.indexes import sealing
    from indelible.store.sqlite.opening import open_sqlite

    store = open_sqlite(data, synchronous="OFF")
    try:
        for space, block in sealing.blocks_due(store):
            if block % CORES == turn:
                sealing.seal(store, space, block)
    finally:
        store.close()


def embed(data: Path, made: Batch) -> None:
    """Give every record that waits for an embedding a made-up one: the n-th of each kind that of the n-th text.

    A solution has two vectors, of its problem and of what solves it.
    """
    from indelible.embed.local import MODEL
    from indelible.store.sqlite.opening import open_sqlite
    from indelible.store.tables import embeddings
    from indelible.store.tables.terms import SPARSE

    def work(tx: Any) -> None:
        add_model(tx, MODEL)
        model = embeddings.model(tx, MODEL)
        assert model is not None
        turns = Counter[str]()
        waiting = "SELECT id, kind FROM record WHERE id IN (SELECT record FROM pending) ORDER BY id"
        for record, kind in tx.connection.execute(waiting).fetchall():
            turn = turns[kind] % len(made.texts)
            turns[kind] += 1
            views = [made.vectors[turn], made.vectors[-1 - turn]][: 1 + (kind == "solution")]
            embeddings.put(tx, record, model.number, views)
            sparse = made.sparse[turn]
            tx.run("terms.put", record=record, space=SPARSE, size=len(sparse) // 5, body=sparse)
            tx.run("pending.done", record=record, owner="")

    store = open_sqlite(data)
    try:
        store.write(work)
    finally:
        store.close()


if __name__ == "__main__":
    made = _filled(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
    print(json.dumps({**asdict(made), "data": str(made.data)}))
