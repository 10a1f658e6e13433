"""Fits how the sparse model's terms count in the similarity, leaving out each set that a figure is reported for.

    python bench/fit_ranking.py --keep DIR      prints the grid, and what the other sets choose for each set

The two constants are SPARSE_SHARE and EVERYWHERE of `search/scoring.py`. All questions are asked of the product, in
stores that are made once (bench/kept.py), with a floor of 0, so that only the order counts. What is chosen for a set
is the point of the grid that gains most on the other sets, each of these by the mean of its two figures. Nothing in it
is random.
"""

import argparse
import os
import sys
import tempfile
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
ADDED, SHARES = (1000.0, 1.0, 0.0), (0.4, 0.45)
BEFORE = (1000.0, 0.45)  # what the gains are counted from: every term as the model weighs it, rare or not
Point = tuple[float, float]
Figures = dict[str, list[float]]  # by set


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the stores stay")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="indelible-ranking-") as temporary:
        folder = arguments.keep or Path(temporary)
        found = {(added, share): _figures(folder, added, share) for added in ADDED for share in SHARES}
    before = found[BEFORE]
    gains = {point: {name: fmean(of[name]) - fmean(before[name]) for name in FIGURES} for point, of in found.items()}
    print(report.Run("bench/fit_ranking.py", sys.argv[1:]).header([]))
    heads = ("everywhere", "share", *(f"{name} {figure}" for name, both in FIGURES.items() for figure in both))
    print("\n" + report.table(heads, [_row(point, of, before) for point, of in found.items()]))
    chosen = [(name, *_best(gains, name)) for name in FIGURES]
    rows = [[name, *map(str, point), f"{gain:+.4f}"] for name, point, gain in chosen]
    print("\n" + report.table(("left out", "everywhere", "share", "gain on it"), rows))
    return 0


def _figures(folder: Path, everywhere: float, share: float) -> Figures:
    """The two figures of each set at a point of the grid."""
    from indelible.search import evidence, scoring

    scoring.EVERYWHERE, scoring.SPARSE_SHARE, evidence.FLOOR = everywhere, share, 0.0
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
