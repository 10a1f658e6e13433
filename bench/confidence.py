"""Fits when an answer is weak: on questions of our own and other sets, reported on what was not fitted on.

    python bench/confidence.py --keep DIR          prints the weights, and what is marked of each set

The weights are fitted on the questions of confidence_questions.json about tests/golden/memories.jsonl, which are near
what is known whether it answers them or not. The threshold is where 5% of the questions that have an answer are marked
in the mean of THRESHOLD's sets. So devmem, errorfix and commit are reported only. Beside them stand questions of one
LoCoMo conversation, or repository, asked of another. There is nothing random in it but which of these are asked (SEED).
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import report
from kept import Kept, kept, of_set, opened

HERE = Path(__file__).parent
QUESTIONS = HERE / "confidence_questions.json"
MEMORIES = HERE.parent / "tests" / "golden" / "memories.jsonl"
OWN = "own questions"
REPORTED = ("devmem", "errorfix", "commit", "locomo", "fastapi", "changelog")
THRESHOLD = (OWN, "locomo", "fastapi", "changelog")
MARKED = 0.05  # of the questions that have an answer
RIDGE = 1.0
SEED = 7
Floats = np.ndarray[Any, np.dtype[np.floating[Any]]]


class Case(NamedTuple):
    """A question that was asked: of which set, whether it has an answer, and the measures; None where all is silent."""

    set: str
    kind: str  # answered, unanswered, or of another corpus
    measures: Any


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the stores stay")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="indelible-confidence-") as temporary:
        folder = arguments.keep or Path(temporary)
        cases = _own(folder) + [case for name in REPORTED for case in _of_set(folder, name)]
    run = report.Run("bench/confidence.py", sys.argv[1:])
    print(run.header([]))
    for title, columns in (("by words and meaning", _by_meaning), ("by words only", _by_words)):
        print(f"\n{title}\n\n{_fitted(cases, columns)}")
    return 0


def _own(folder: Path) -> list[Case]:
    memories = [json.loads(line)["content"] for line in MEMORIES.read_text(encoding="utf-8").splitlines()]
    questions = json.loads(QUESTIONS.read_text(encoding="utf-8"))
    answered = [text for text, _ in questions["answered"]]
    store = kept(folder, [(str(n), text) for n, text in enumerate(memories)], [*answered, *questions["unanswered"]])
    kinds = {**dict.fromkeys(answered, "answered"), **dict.fromkeys(questions["unanswered"], "unanswered")}
    return _asked(OWN, store, kinds)


def _of_set(folder: Path, name: str) -> list[Case]:
    corpora = [each for each in of_set(folder, name) if name != "fastapi" or each[0] == "en"]
    cases = []
    for corpus, store, questions in corpora:
        kinds = {query.text: "answered" if query.relevant else "unanswered" for query in questions}
        cases += _asked(name, store, kinds)
        others = [(query.text, other) for place, other, asked in corpora if place != corpus for query in asked]
        chosen = Random(f"{SEED}/{corpus}").sample(others, min(len(others), len(questions) // 2))
        embeddings = {text: embedding for _, other in chosen for text, embedding in other.embeddings.items()}
        foreign = {text: "of another corpus" for text, _ in chosen if text not in kinds}
        cases += _asked(name, store, foreign, embeddings)
    return cases


def _asked(name: str, store: Kept, kinds: dict[str, str], embeddings: dict[str, Any] | None = None) -> list[Case]:
    from indelible.core.recall.candidates import Query, candidates, searching
    from indelible.core.recall.unembedded import settled
    from indelible.search.times.timed import timed

    cases = []
    with opened(store, embeddings) as ctx:
        for text, kind in kinds.items():
            query, question = Query(text, 10), timed(text, ctx.clock())
            with (
                settled(ctx, question.words, query.searched()) as (tx, asked),
                searching(ctx, tx, query, question.subject, 60, asked, question) as search,
            ):
                near = candidates(ctx, tx, query, search, question.time, 60).near
                cases.append(Case(name, kind, search.measures(near) if len(near) else None))
    return cases


# --- The fit ---


def _by_meaning(of: Any) -> list[float]:
    from indelible.search.confidence import nearness

    return [of.relevance, nearness(of), of.unknown]


def _by_words(of: Any) -> list[float]:
    return [of.overlap, of.share, of.unknown]


def _fitted(cases: Sequence[Case], columns: Any) -> str:
    """The weights, divided so that an answer is weak below 1, and the share of each set that is silent or weak."""
    there = [case for case in cases if case.measures is not None]
    rows = {id(case): columns(case.measures) for case in there}
    own = [case for case in there if case.set == OWN]
    weights, constant = _logistic(
        np.array([rows[id(case)] for case in own]), np.array([case.kind == "answered" for case in own])
    )
    values = {id(case): float(np.dot(weights, rows[id(case)])) for case in there}
    of_set = {
        name: np.array([values[id(case)] for case in there if case.set == name and case.kind == "answered"])
        for name in THRESHOLD
    }
    candidates = np.sort(np.concatenate(list(of_set.values())))
    threshold = max(t for t in candidates if np.mean([np.mean(found < t) for found in of_set.values()]) <= MARKED)
    listed = []
    for name in (OWN, *REPORTED):
        for kind in ("answered", "unanswered", "of another corpus"):
            some = [case for case in cases if (case.set, case.kind) == (name, kind)]
            if some:
                quiet = [case.measures is None or values[id(case)] < threshold for case in some]
                silent = [case.measures is None for case in some]
                listed.append([name, kind, str(len(some)), f"{np.mean(silent):.3f}", f"{np.mean(quiet):.3f}"])
    said = ", ".join(f"{value / threshold:.3f}" for value in weights)
    table = report.table(("set", "questions", "number", "silent", "silent or weak"), listed)
    return f"weights {said}; a logistic constant of {constant:.2f}, a threshold of {threshold:.2f}\n\n{table}"


def _logistic(rows: Floats, answered: np.ndarray[Any, np.dtype[np.bool_]]) -> tuple[Floats, float]:
    """Logistic regression by Newton's method over scaled columns, both classes of one weight."""
    mean, spread = rows.mean(0), rows.std(0) + 1e-9
    scaled = np.c_[(rows - mean) / spread, np.ones(len(rows))]
    share = np.where(answered, 0.5 / answered.mean(), 0.5 / (1 - answered.mean()))
    found = np.zeros(scaled.shape[1])
    ridge = RIDGE * np.append(np.ones(rows.shape[1]), 1e-6)
    for _ in range(50):
        likely = 1 / (1 + np.exp(-scaled @ found))
        gradient = scaled.T @ (share * (likely - answered)) + ridge * found
        curvature = (scaled.T * (share * likely * (1 - likely))) @ scaled + np.diag(ridge)
        found -= np.linalg.solve(curvature, gradient)
    weights = found[:-1] / spread
    return weights, float(found[-1] - weights @ mean)


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
