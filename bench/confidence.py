"""Fits when an answer is weak: on questions of our own and other sets, reported on what was not fitted on.

    python bench/confidence.py --keep DIR          prints the weights, and what is marked of each set

The weights are fitted on the questions of confidence_questions.json about tests/golden/memories.jsonl, which are near
what is known whether it answers them or not. The threshold is where 5% of the questions that have an answer are marked
in the mean of THRESHOLD's sets. So devmem, errorfix and commit are reported only. Beside them stand questions of one
LoCoMo conversation, or repository, asked of another. There is nothing random in it but which of these are asked (SEED).

Questions in languages that the model does not know are compared by words; their weights and threshold are fitted on
confidence_foreign.json alone, and reported on tests/golden/unanswered.json and on fastapi, where "unanswered" are all
questions of that file asked of the documentation.
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
FOREIGN = HERE / "confidence_foreign.json"
UNANSWERED = HERE.parent / "tests" / "golden" / "unanswered.json"
OWN = "own questions"
OWN_FOREIGN = ("own, all languages", "own, one language")  # in one store with those in English, in one of 12 memories
SIX, OTHERS = "six languages", "fastapi, 7 languages"
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
        foreign = [case for case in _foreign(folder) if case.measures is None or case.measures.foreign]
    run = report.Run("bench/confidence.py", sys.argv[1:])
    print(run.header([]))
    for title, columns in (("by words and meaning", _by_meaning), ("by words only", _by_words)):
        print(f"\n{title}\n\n{_fitted(cases, columns, (OWN,), THRESHOLD, REPORTED)}")
    found = _fitted(foreign, _by_foreign_words, OWN_FOREIGN, OWN_FOREIGN, (SIX, OTHERS))
    print(f"\nby words only, in other languages\n\n{found}")
    return 0


def _own(folder: Path) -> list[Case]:
    memories = [json.loads(line)["content"] for line in MEMORIES.read_text(encoding="utf-8").splitlines()]
    questions = json.loads(QUESTIONS.read_text(encoding="utf-8"))
    answered = [text for text, _ in questions["answered"]]
    store = kept(folder, [(str(n), text) for n, text in enumerate(memories)], [*answered, *questions["unanswered"]])
    kinds = {**dict.fromkeys(answered, "answered"), **dict.fromkeys(questions["unanswered"], "unanswered")}
    return _asked(OWN, store, kinds)


def _foreign(folder: Path) -> list[Case]:
    known = json.loads(FOREIGN.read_text(encoding="utf-8"))
    del known["about"]
    golden = [json.loads(line)["content"] for line in MEMORIES.read_text(encoding="utf-8").splitlines()]
    kinds = {kind: [text for of in known.values() for text in of[kind]] for kind in ("answered", "unanswered")}
    both = {text: kind for kind, texts in kinds.items() for text in texts}
    memories = [text for of in known.values() for text in of["memories"]]
    cases = _asked(OWN_FOREIGN[0], _stored(folder, [*memories, *golden], list(both)), both)
    for of in known.values():
        own = {text: kind for kind in kinds for text in of[kind]}
        cases += _asked(OWN_FOREIGN[1], _stored(folder, of["memories"], list(own)), own)
    nowhere = [text for texts in json.loads(UNANSWERED.read_text(encoding="utf-8")).values() for text in texts]
    cases += _asked(SIX, _stored(folder, golden, nowhere), dict.fromkeys(nowhere, "unanswered"))
    for language, store, questions in of_set(folder, "fastapi"):
        if language == "en":
            continue
        cases += _asked(OTHERS, store, {q.text: "answered" for q in questions if q.category == f"{language} same"})
        of = known.get(language, {})
        others = dict.fromkeys([*of.get("answered", ()), *of.get("unanswered", ())], "unanswered")
        cases += _asked(OTHERS, store, others, _stored(folder, [*memories, *golden], list(both)).embeddings)
    return cases


def _stored(folder: Path, texts: Sequence[str], questions: Sequence[str]) -> Kept:
    return kept(folder, [(str(number), text) for number, text in enumerate(texts)], questions)


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


def _by_foreign_words(of: Any) -> list[float]:
    from indelible.search.confidence import surprise

    return [of.overlap, surprise(of), of.unknown]


def _fitted(
    cases: Sequence[Case], columns: Any, fitted: Sequence[str], threshold_of: Sequence[str], reported: Sequence[str]
) -> str:
    """The weights, divided so that an answer is weak below 1, and the share of each set that is silent or weak."""
    there = [case for case in cases if case.measures is not None]
    rows = {id(case): columns(case.measures) for case in there}
    own = [case for case in there if case.set in fitted]
    weights, constant = _logistic(
        np.array([rows[id(case)] for case in own]), np.array([case.kind == "answered" for case in own])
    )
    values = {id(case): float(np.dot(weights, rows[id(case)])) for case in there}
    of_set = {
        name: np.array([values[id(case)] for case in there if case.set == name and case.kind == "answered"])
        for name in threshold_of
    }
    candidates = np.sort(np.concatenate(list(of_set.values())))
    threshold = max(t for t in candidates if np.mean([np.mean(found < t) for found in of_set.values()]) <= MARKED)
    listed = []
    for name in (*fitted, *reported):
        for kind in ("answered", "unanswered", "of another corpus"):
            some = [case for case in cases if (case.set, case.kind) == (name, kind)]
            if some:
                quiet = [case.measures is None or values[id(case)] < threshold for case in some]
                silent = [case.measures is None for case in some]
                clear = [values.get(id(case), -np.inf) for case in cases if (case.set, case.kind) == (name, "answered")]
                row = [name, kind, str(len(some)), f"{np.mean(silent):.3f}", f"{np.mean(quiet):.3f}"]
                unclear = [values.get(id(case), -np.inf) for case in some]
                listed.append([*row, f"{_area(clear, unclear):.3f}" if clear and kind != "answered" else ""])
    said = ", ".join(f"{value / threshold:.3f}" for value in weights)
    table = report.table(("set", "questions", "number", "silent", "silent or weak", "area under the curve"), listed)
    return f"weights {said}; a logistic constant of {constant:.2f}, a threshold of {threshold:.2f}\n\n{table}"


def _area(clear: Sequence[float], unclear: Sequence[float]) -> float:
    """The area under the curve: how often one that has an answer is above one that has none, ties half."""
    above = np.array(clear)[:, None] - np.where(np.isinf(unclear), -1e9, unclear)[None, :]
    return float(np.mean((above > 0) + 0.5 * (above == 0)))


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
