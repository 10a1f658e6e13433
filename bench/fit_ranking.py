"""Fits constants of the ranking, leaving out each set that a figure is reported for.

    python bench/fit_ranking.py terms --keep DIR    how the sparse model's terms count in the similarity
    python bench/fit_ranking.py turns --keep DIR    the nearest by its vector, and turns of a talk that say little

It prints the grid, and what the other sets choose for each set. All questions are asked of the product, in stores that
are made once (bench/kept.py), with a floor of 0, so that only the order counts. What is chosen for a set is the point
of the grid that gains most on the other sets, each of these by the mean of its two figures. Nothing in it is random.
"""

import argparse
import importlib
import itertools
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import report
from all_sets import scored
from kept import MOST, asked, of_set

FIGURES = {
    "locomo": ("recall@10", "session recall@5"),
    "commit": ("recall@10", "MRR"),
    "errorfix": ("recall@10", "MRR"),
    "changelog": ("recall@10", "MRR"),
    "docstring": ("recall@10", "MRR"),
    "devmem": ("recall@5", "MRR"),
}
Point = tuple[float, ...]
Figures = dict[str, list[float]]  # by set


@dataclass(frozen=True, slots=True)
class Fit:
    """Constants of `indelible.search`, as module.NAME, the points of the grid, and the one that gains count from."""

    constants: tuple[str, ...]
    points: tuple[Point, ...]
    before: Point


FITS = {
    "terms": Fit(
        ("scoring.EVERYWHERE", "scoring.SPARSE_SHARE"),
        tuple(itertools.product((1000.0, 1.0, 0.0), (0.4, 0.45))),
        (1000.0, 0.45),  # every term as the model weighs it, rare or not
    ),
    "turns": Fit(
        ("scoring.NEAREST_WORTH", "window.ASKING", "window.SHORT"),
        (
            (1.0, 0.0, 0.0),
            *((worth, *of) for worth in (0.3, 0.4, 0.5) for of in ((0.0, 0.0), (0.05, 0.0), (0.05, 0.15), (0.1, 0.15))),
            (0.4, 0.05, 0.3),
        ),
        (1.0, 0.0, 0.0),  # the nearest is third whatever else is found, and each turn counts as any text
    ),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fit", choices=sorted(FITS))
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the stores stay")
    arguments = parser.parse_args()
    fit = FITS[arguments.fit]
    with tempfile.TemporaryDirectory(prefix="indelible-ranking-") as temporary:
        folder = arguments.keep or Path(temporary)
        found = {point: _figures(folder, fit.constants, point) for point in fit.points}
    before = found[fit.before]
    gains = {point: {name: fmean(of[name]) - fmean(before[name]) for name in FIGURES} for point, of in found.items()}
    print(report.Run("bench/fit_ranking.py", sys.argv[1:]).header([]))
    names = [name.partition(".")[2] for name in fit.constants]
    heads = (*names, *(f"{name} {figure}" for name, both in FIGURES.items() for figure in both))
    print("\n" + report.table(heads, [_row(point, of, before) for point, of in found.items()]))
    chosen = [(name, *_best(gains, name)) for name in FIGURES]
    rows = [[name, *map(str, point), f"{gain:+.4f}"] for name, point, gain in chosen]
    print("\n" + report.table(("left out", *names, "gain on it"), rows))
    return 0


def _figures(folder: Path, constants: tuple[str, ...], point: Point) -> Figures:
    """The two figures of each set at a point of the grid."""
    from indelible.search import evidence

    evidence.FLOOR = 0.0
    for constant, value in zip(constants, point, strict=True):
        module, _, name = constant.partition(".")
        setattr(importlib.import_module(f"indelible.search.{module}"), name, value)
    figures = {}
    for name, both in FIGURES.items():
        scores: dict[str, list[float]] = {}
        for _, store, questions in of_set(folder, name):
            answers = asked(store, [query.text for query in questions], MOST.get(name, 10))
            for query, answer in zip(questions, answers, strict=True):
                scored(scores, name, query, answer)
        figures[name] = [fmean(scores[figure]) for figure in both]
    return figures


def _row(point: Point, of: Figures, before: Figures) -> list[str]:
    moved = [now - then for name in FIGURES for now, then in zip(of[name], before[name], strict=True)]
    return [*map(str, point), *(f"{each:+.3f}" for each in moved)]


def _best(gains: dict[Point, dict[str, float]], left_out: str) -> tuple[Point, float]:
    """The point that gains most on the other sets, and what it gains on the one that is left out."""
    point = max(gains, key=lambda each: sum(gain for name, gain in gains[each].items() if name != left_out))
    return point, gains[point][left_out]


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
