"""version_pairs.py [fit | sets]: how well newer versions of a text are told from texts that are merely alike.

The pairs are our own, of several kinds (`+`: a version, `-`: none). Half A, those at even places, is for fitting the
weights of `search/statements/versions.py`, half B for the figures. What the patterns of the measures miss was looked
for in both, so those of version_pairs_fresh.json, written afterwards, are the ones that nothing was made for. It prints
precision and recall of each; `fit` prints the weights that half A gives, with `--wrong HALF` the misjudged pairs of
one. `sets --keep DIR` counts the relations in stores of the shared sets (bench/kept.py), compared anew: hardly any is
right but in memorycode. Run it with the package's environment.
"""

import argparse
import json
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import golden_child
import numpy as np
from kept import ALL_SETS, OFF, of_set

from indelible.embed.local import LocalEncoder
from indelible.search.statements import versions
from indelible.store.database import Transaction

PAIRS = Path(__file__).with_name("version_pairs.json")
FRESH = Path(__file__).with_name("version_pairs_fresh.json")
TOGETHER = 32  # texts that are embedded at a time
ROUNDS, STEPS, STEP, DECAY = 6, 666, 0.5, 0.005  # of the descent; it begins at zero and uses no chance

Pair = tuple[str, str, str]  # kind, older, newer


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("what", nargs="?", choices=["report", "fit", "sets"], default="report")
    arguments.add_argument("--wrong", choices=["A", "B", "fresh"])
    arguments.add_argument("--keep", type=Path, metavar="DIR", help="where the stores of the sets stay")
    asked = arguments.parse_args()
    if asked.what == "sets":
        with tempfile.TemporaryDirectory(prefix="indelible-version-pairs-") as temporary:
            for name in ALL_SETS:
                stores = [store for _, store, _ in of_set(asked.keep or Path(temporary), name)]
                print(f"{name}: {sum(related(store.folder / 'data') for store in stores)} relations")
        return
    pairs, fresh = ([tuple(each) for each in json.loads(file.read_text(encoding="utf-8"))] for file in (PAIRS, FRESH))
    vectors = embedded(list(dict.fromkeys(text for _, old, new in pairs + fresh for text in (old, new))))
    halves = {"A": pairs[::2], "B": pairs[1::2], "fresh": fresh}
    if asked.what == "fit":
        print("weights of half A:", np.round(fitted(halves["A"], vectors), 2).tolist())
    for name, half in halves.items():
        report(name, half, vectors, wrong=asked.wrong == name)


def related(data: Path) -> int:
    """Return how many relations to newer versions a copy of a store has when all its memories are compared anew."""
    from indelible.core.context.context import open_context
    from indelible.core.indexes.embedder import Embedder
    from indelible.core.records import successors
    from indelible.model import MAY_SUPERSEDE
    from indelible.settings import Settings
    from indelible.store.tables import edges, pending

    with tempfile.TemporaryDirectory(prefix="indelible-related-") as temporary:
        copy = shutil.copytree(data, Path(temporary) / "data")
        ctx = open_context(Settings.load(str(copy), environ=OFF))
        ctx = replace(ctx, embedder=Embedder(golden_child.Known({})))
        with ctx.store.read() as tx:
            memories = pending.memories_before(tx, 1 << 62, 1 << 30)
            before = [edge for edge in edges.of_records(tx, memories) if edge.canonical == MAY_SUPERSEDE]

        def forget(tx: Transaction) -> None:
            for edge in before:
                edges.delete(tx, edge)
            pending.add_compare(tx, memories)

        ctx.store.write(forget)
        successors.relate(ctx)
        with ctx.store.read() as tx:
            found = edges.count_by_relation(tx).get(MAY_SUPERSEDE, 0)
        ctx.close()
    return found


def embedded(texts: list[str]) -> dict[str, np.ndarray]:
    """Return the vector of each text by the built-in model."""
    encoder = LocalEncoder()
    encoder.load()
    found: dict[str, np.ndarray] = {}
    for at in range(0, len(texts), TOGETHER):
        some = texts[at : at + TOGETHER]
        found |= {text: each.dense[0] for text, each in zip(some, encoder.texts(some, 600.0) or [], strict=True)}
    return found


def fitted(pairs: list[Pair], vectors: dict[str, np.ndarray]) -> np.ndarray:
    """Return the weights of a logistic regression by gradient descent; of each pair its surest statements count."""
    rows, right = [], []
    for kind, old, new in pairs:
        cosine = float(vectors[old] @ vectors[new])
        measured = versions.measures(new, old, cosine) if cosine >= versions.LEAST_COSINE else []
        if measured:
            rows.append(np.array(measured))
            right.append(kind.startswith("+"))
    weights = np.zeros(len(rows[0][0]))
    for _ in range(ROUNDS):
        best = np.array([each[np.argmax(each @ weights)] for each in rows])
        for _ in range(STEPS):
            likely = 1 / (1 + np.exp(-best @ weights))
            weights -= STEP * (best.T @ (likely - np.array(right)) / len(right) + DECAY * np.r_[0, weights[1:]])
    return weights


def report(name: str, pairs: list[Pair], vectors: dict[str, np.ndarray], *, wrong: bool) -> None:
    """Print precision and recall over some pairs."""
    found = {True: [0, 0], False: [0, 0]}  # by what is right: how many are judged to be none, and to be versions
    for kind, old, new in pairs:
        cosine = float(vectors[old] @ vectors[new])
        right, judged = kind.startswith("+"), versions.may_supersede(new, old, cosine)
        found[right][judged] += 1
        if wrong and judged != right:
            print(f"{kind} {cosine:.2f} {old!r} -> {new!r}")
    hits, others = found[True][1], found[False][1]
    print(
        f"{name}, {len(pairs)} pairs: precision {hits / max(1, hits + others):.3f}, "
        f"recall {hits / max(1, sum(found[True])):.3f}, {others} of {sum(found[False])} others"
    )


if __name__ == "__main__":
    main()
