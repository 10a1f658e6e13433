"""version_pairs.py [fit]: how well newer versions of a text are told from texts that are merely alike.

The pairs are our own, of several kinds (`+`: a version, `-`: none). Half A, those at even places, is for fitting the
weights of `search/statements/versions.py`, half B for the figures. It prints precision and recall of both halves;
`fit` prints the weights that half A gives, with `--wrong HALF` the misjudged pairs of a half. Run it with the
package's environment.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from indelible.embed.local import LocalEncoder
from indelible.search.statements import versions

PAIRS = Path(__file__).with_name("version_pairs.json")
TOGETHER = 32  # texts that are embedded at a time
ROUNDS, STEPS, STEP, DECAY = 6, 666, 0.5, 0.005  # of the descent; it begins at zero and uses no chance

Pair = tuple[str, str, str]  # kind, older, newer


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("what", nargs="?", choices=["report", "fit"], default="report")
    arguments.add_argument("--wrong", choices=["A", "B"])
    asked = arguments.parse_args()
    pairs: list[Pair] = [tuple(each) for each in json.loads(PAIRS.read_text(encoding="utf-8"))]
    vectors = embedded(list(dict.fromkeys(text for _, old, new in pairs for text in (old, new))))
    halves = {"A": pairs[::2], "B": pairs[1::2]}
    if asked.what == "fit":
        print("weights of half A:", np.round(fitted(halves["A"], vectors), 2).tolist())
    for name, half in halves.items():
        report(name, half, vectors, wrong=asked.wrong == name)


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
        f"half {name}, {len(pairs)} pairs: precision {hits / max(1, hits + others):.3f}, "
        f"recall {hits / max(1, sum(found[True])):.3f}, {others} of {sum(found[False])} others"
    )


if __name__ == "__main__":
    main()
