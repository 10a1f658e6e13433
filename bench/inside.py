"""What recall costs inside one process that has nothing else in it: the child of scale.py, its answer is JSON.

python bench/inside.py DATA QUESTIONS
"""

import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from client import memory_mb, pss_mb
from complete import FIFTIETH, HALF, SMALLEST
from prepared import ELSEWHERE, EVERYWHERE, WARM_UP, Prepared, Questions

from indelible.core.context.context import Context, open_context
from indelible.core.indexes.embedder import Embedder
from indelible.core.recall.candidates import Query
from indelible.core.recall.recall import recall
from indelible.model import RECALLED_KINDS
from indelible.search import retrieval
from indelible.settings import Settings

K = 10
EXACT = 50_000  # vectors that are compared at a time


def main() -> None:
    data, questions = sys.argv[1:]
    print(json.dumps(measured(Path(data), Questions.load(Path(questions)))))


def measured(data: Path, questions: Questions) -> dict[str, Any]:
    """Seconds, megabytes and shares."""
    by_words = open_context(Settings.load(str(data), environ={"INDELIBLE_ENCODER": "off"}))
    ctx = replace(by_words, embedder=Embedder(Prepared(questions)))
    about = questions.about
    before = pss_mb(os.getpid())
    first, *_ = _times(ctx, about[EVERYWHERE][:1])
    loaded, resident = pss_mb(os.getpid()), memory_mb(os.getpid())
    found: dict[str, Any] = {
        "first": first,
        "before": before,
        "loaded": loaded,
        "resident": resident,
        "recall": {
            EVERYWHERE: _times(ctx, about[EVERYWHERE])[WARM_UP:],
            **{name: _times(ctx, about[name], name)[WARM_UP:] for name in (HALF, FIFTIETH, SMALLEST)},
            ELSEWHERE: _times(ctx, about[ELSEWHERE])[WARM_UP:],
        },
        "hits": {name: _hits(ctx, about[name]) for name in (EVERYWHERE, ELSEWHERE)},
        "by words": _times(by_words, about[EVERYWHERE])[WARM_UP:],
        "used": pss_mb(os.getpid()),
    }
    found["exact"] = nearest_kept(ctx, questions)
    by_words.close()
    return found


def _times(ctx: Context, texts: Sequence[str], namespace: str | None = None) -> list[float]:
    """Seconds of each recall."""
    times = []
    for text in texts:
        began = time.perf_counter()
        recall(ctx, Query(text, K, namespace=namespace))
        times.append(time.perf_counter() - began)
    return times


def _hits(ctx: Context, texts: Sequence[str]) -> float:
    return sum(len(recall(ctx, Query(text, K))) for text in texts) / len(texts)


def nearest_kept(ctx: Context, questions: Questions) -> float:
    """recall@10 of the dense part: of the records with the highest cosines, how many it rescores."""
    import numpy as np

    asked = np.concatenate([questions.embeddings[text].dense for text in questions.about[EVERYWHERE]])
    exact = _exact(ctx, asked)
    model = ctx.embedder.model
    shares = []
    with ctx.store.read() as tx, ctx.indexes.records.current(tx, model) as caches:
        assert caches.meaning is not None
        index = caches.meaning.vectors
        mask = index.slots.mask(RECALLED_KINDS, None, None)
        near = retrieval.RESCORED
        for vector, best in zip(asked, exact, strict=True):
            rescored = index.slots.records.values[index.nearest(vector, mask, near)]
            shares.append(len(set(best) & set(rescored.tolist())) / len(best))
    return float(np.mean(shares))


def _exact(ctx: Context, asked: Any) -> list[list[int]]:
    """Of each question: the ten records with the highest cosine of their float16 vectors, all of them compared."""
    import numpy as np

    from indelible.search.index.vectors import unpack
    from indelible.store.tables import records

    best = np.full((len(asked), K), -2.0, np.float32)
    ids = np.zeros((len(asked), K), np.int64)
    with ctx.store.read() as tx:
        last = records.last_id(tx)
        for low in range(1, last + 1, EXACT):
            rows = tx.connection.execute(  # type: ignore[attr-defined]
                "SELECT record, vector FROM embedding WHERE record >= ? AND record < ?", (low, low + EXACT)
            ).fetchall()
            cosines = asked @ unpack([vector for _, vector in rows]).T
            own = np.broadcast_to(np.array([record for record, _ in rows]), cosines.shape)
            cosines, own = np.concatenate([best, cosines], axis=1), np.concatenate([ids, own], axis=1)
            top = np.argpartition(-cosines, K - 1, axis=1)[:, :K]
            best, ids = np.take_along_axis(cosines, top, 1), np.take_along_axis(own, top, 1)
    return [[record for record in row if record] for row in ids.tolist()]


if __name__ == "__main__":
    main()
