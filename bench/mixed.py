"""Two languages in one store of the set fastapi: recall of each beside that of a store of its own.

    python bench/mixed.py --keep DIR [--pairs en+de,de+es]

Questions are those in the language of their corpus. The set is one documentation in several languages, so each text has
its translation in the store: a harder mixture than texts about different things.
"""

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import report
from kept import Kept, asked, kept
from sets import stick

PAIRS = "en+de,en+es,en+pt,en+ru,en+ja,en+zh,en+ko,de+es"
MOST, BEST = 20, 5


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the stores stay")
    parser.add_argument("--pairs", default=PAIRS, help="separated by commas; default: %(default)s")
    arguments = parser.parse_args()
    run = report.Run("bench/mixed.py", sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="indelible-mixed-") as temporary:
        folder = arguments.keep or Path(temporary)
        data = stick("datasets").load("fastapi")
        rows = [row for pair in arguments.pairs.split(",") for row in _rows(folder, data, pair.split("+"))]
    heads = ("store", "questions", "number", "recall@5, own store", "mixed", "silent or weak, own store", "mixed")
    print(f"{run.header([])}\n\n{report.table(heads, rows)}")
    return 0


def _rows(folder: Path, data: Any, pair: Sequence[str]) -> list[list[str]]:
    questions = {each: [q for q in data.queries if q.category == f"{each} same"] for each in pair}
    together = _store(folder, data, pair, [q for each in pair for q in questions[each]])
    rows = []
    for each in pair:
        alone = _measured(_store(folder, data, [each], questions[each]), questions[each])
        mixed = _measured(together, questions[each])
        figures = (alone[0], mixed[0], alone[1], mixed[1])
        rows.append(["+".join(pair), each, str(len(questions[each])), *(f"{figure:.3f}" for figure in figures)])
    return rows


def _store(folder: Path, data: Any, corpora: Sequence[str], questions: Sequence[Any]) -> Kept:
    items = [(item, text) for corpus in corpora for item, text, _ in data.corpora[corpus]]
    return kept(folder, items, list(dict.fromkeys(query.text for query in questions)))


def _measured(store: Kept, questions: Sequence[Any]) -> tuple[float, float]:
    answers = asked(store, [query.text for query in questions], MOST)
    scored = [
        len(set(answer.ranked[:BEST]) & query.relevant) / len(query.relevant)
        for answer, query in zip(answers, questions, strict=True)
    ]
    return statistics.fmean(scored), statistics.fmean(not answer.ranked or answer.weak for answer in answers)


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
