"""Fit the weights of `indelible.source.history.missing` on the repositories of `review_cases`.

    python bench/fit_review.py --mirror DIR --evidence DIR

Conditional logit (McFadden, 1974): of the candidates of a case the left-out file is chosen with a probability
proportional to exp(weights · features). A quadratic penalty; plain gradient ascent. How well it does on repositories
that it has not seen is measured by bench/review_diff.py.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import review_cases
from review_evidence import Judged, judged

from indelible.source.history import missing

PENALTY = 5.0
STEPS, RATE = 600, 0.05


class Case(NamedTuple):
    """A case as arrays, a row a candidate by its path: its features, and whether it was left out."""

    repository: str
    features: "np.ndarray"
    hit: "np.ndarray"
    left_out: int

    def order(self, weights: "np.ndarray") -> "np.ndarray":
        """Return the candidates, the best first."""
        return np.argsort(-(self.features @ weights), kind="stable")


def prepared(case: Judged) -> Case:
    """Return a case as arrays."""
    found = missing.candidates(case.evidence)
    paths = sorted(found)
    features = np.array([found[path] for path in paths]).reshape(len(paths), len(missing.NAMES))
    hit = np.array([path in case.left_out for path in paths], bool)
    return Case(case.repository, features, hit, len(case.left_out))


def fitted(cases: Sequence[Case]) -> "np.ndarray":
    """Return the weights that make the choices of these cases likeliest."""
    with_choice = [case for case in cases if case.hit.any()]
    x = np.concatenate([case.features for case in with_choice])
    scale = x.std(axis=0) + 1e-9
    x /= scale
    counts = [len(case.hit) for case in with_choice]
    starts, of = np.cumsum([0, *counts[:-1]]), np.repeat(np.arange(len(counts)), counts)
    share = np.concatenate([case.hit / case.hit.sum() for case in with_choice])
    weights = np.zeros(len(missing.NAMES))
    momentum = np.zeros_like(weights)
    for _ in range(STEPS):
        logits = x @ weights
        chances = np.exp(logits - np.maximum.reduceat(logits, starts)[of])
        chances /= np.add.reduceat(chances, starts)[of]
        momentum = 0.9 * momentum + ((share - chances) @ x - PENALTY * weights) / len(cases)
        weights = weights + RATE * momentum
    return weights / scale


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirror", type=Path, required=True)
    parser.add_argument("--evidence", type=Path, required=True)
    given = parser.parse_args()
    cases = [*map(prepared, judged(given.mirror, given.evidence, (*review_cases.REPORT, *review_cases.FIT)))]
    print("cases", len(cases), "with a candidate that was left out", sum(case.hit.any() for case in cases))
    weights = fitted(cases)
    for name, weight in zip(missing.NAMES, weights, strict=True):
        print(f"{name:15} {weight:8.3f}")
    print("WEIGHTS =", tuple(round(float(each), 2) for each in weights))


if __name__ == "__main__":
    main()
