"""Fit the weights of `indelible.source.history.missing` on the repositories of `review_cases.FIT`.

    python bench/fit_review.py --mirror DIR --evidence DIR

Conditional logit (McFadden, 1974): of the candidates of a case the left-out file is chosen with a probability
proportional to exp(weights · features). A quadratic penalty; plain gradient ascent. Cross-validated by repository.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import review_cases
from review_diff import FIRST, Judged, by_dependents, by_history, judged

from indelible.source.history import missing

PENALTY = 1.0
STEPS, RATE = 600, 0.05

Case = tuple[str, "np.ndarray", "np.ndarray", float]  # repository, features, whether left out, how many are


def prepared(case: Judged) -> Case | None:
    """Return a case as arrays; None where no candidate was left out."""
    found = missing.candidates(case.evidence)
    paths = sorted(found)
    features = np.array([found[path] for path in paths]).reshape(len(paths), len(missing.NAMES))
    hit = np.array([path in case.left_out for path in paths], bool)
    return case.repository, features, hit, len(case.left_out)


def fitted(cases: Sequence[Case]) -> "np.ndarray":
    """Return the weights that make the choices of these cases likeliest."""
    scale = np.concatenate([features for _, features, hit, _ in cases if hit.any()]).std(axis=0) + 1e-9
    weights = np.zeros(len(missing.NAMES))
    momentum = np.zeros_like(weights)
    for _ in range(STEPS):
        gradient = -PENALTY * weights / len(cases)
        for _, features, hit, _ in cases:
            if hit.any():
                x = features / scale
                logits = x @ weights
                chances = np.exp(logits - logits.max())
                chances /= chances.sum()
                gradient += (x[hit].mean(axis=0) - chances @ x) / len(cases)
        momentum = 0.9 * momentum + gradient
        weights = weights + RATE * momentum
    return weights / scale


def hit_rate(cases: Sequence[Case], weights: "np.ndarray") -> float:
    """Return in how many of the cases one of the first ten was left out."""
    hits = []
    for _, features, hit, _ in cases:
        order = np.argsort(-(features @ weights), kind="stable")[:FIRST]
        hits.append(bool(hit[order].any()))
    return float(np.mean(hits))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirror", type=Path, required=True)
    parser.add_argument("--evidence", type=Path, required=True)
    given = parser.parse_args()
    known = list(judged(given.mirror, given.evidence, review_cases.FIT))
    for name, order in (("together", by_history), ("dependents", by_dependents)):
        print(name, np.mean([bool(set(order(c.evidence)[:FIRST]) & c.left_out) for c in known]))
    cases = [case for each in known if (case := prepared(each)) is not None]
    print("candidates", np.mean([hit.any() for _, _, hit, _ in cases]), "cases", len(cases))
    print("as it is", hit_rate(cases, np.array(missing.WEIGHTS)))
    apart = []
    for name in review_cases.FIT:
        weights = fitted([case for case in cases if case[0] != name])
        own = [case for case in cases if case[0] == name]
        if own:
            apart += [hit_rate(own, weights)] * len(own)
    print("cross-validated", np.mean(apart))
    weights = fitted(cases)
    print("fitted", hit_rate(cases, weights))
    for name, weight in zip(missing.NAMES, weights, strict=True):
        print(f"{name:15} {weight:8.3f}")
    print("WEIGHTS =", tuple(round(float(each), 2) for each in weights))


if __name__ == "__main__":
    main()
