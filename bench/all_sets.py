"""All sets of the measuring stick: the product beside words, dense vectors and the fusion of both, in one run.

    python bench/all_sets.py                                       every set
    python bench/all_sets.py --sets devmem,fastapi --keep DIR      the stores stay for the next run
    python bench/all_sets.py --write docs/benchmarks.md            also into the document, between its markers

Words are SQLite's FTS5 (porter stemming, all words OR-ed); dense is MiniLM alone by exact cosine, of the first window
of each text; fusion is reciprocal rank fusion (60) of the first 50 of both. The product is asked in this process with
the embeddings that were kept (bench/kept.py). The sets are those of ../shared/bench, which must be beside this
repository.
"""

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import report
from kept import ALL_SETS, MOST, Found, Kept, asked, of_set
from sets import STICK, stick

FUSED, RANK = 50, 60
SECTION = "all sets"
BY_SESSION = ("devmem", "memorycode")  # whose questions are answered by sessions, of which the items are turns
BY = ("Indelible", "words", "MiniLM alone", "fusion")
Scores = dict[str, list[float]]  # by the name of a figure


def main() -> int:
    arguments = _parser().parse_args()
    names = arguments.sets.split(",")
    if unknown := sorted(set(names) - set(ALL_SETS)):
        sys.exit(f"--sets: unknown set {unknown[0]!r}; there are {', '.join(ALL_SETS)}")
    if not (STICK / "datasets.py").is_file():
        sys.exit("../shared/bench/datasets.py is not beside this repository: nothing was measured")
    if arguments.write:
        report.check_sections(arguments.write, [SECTION])
    run = report.Run("bench/all_sets.py", sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="indelible-all-sets-") as temporary:
        rows = [row for name in names for row in _rows(name, arguments.keep or Path(temporary))]
    heads = ("set", "questions", "figure", *BY)
    body = f"{run.header([])}\n\n{report.table(heads, rows)}"
    print(body)
    if arguments.write:
        report.write_section(arguments.write, SECTION, body)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(ALL_SETS), help="separated by commas; default: %(default)s")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the stores stay")
    parser.add_argument("--write", type=Path, metavar="FILE", help=f"also write between <!-- {SECTION} --> and its end")
    return parser


def _rows(name: str, folder: Path) -> list[list[str]]:
    scores: list[Scores] = [{} for _ in BY]
    for _, store, questions in of_set(folder, name):
        for found, into in zip(_answers(store, questions, MOST.get(name, 10)), scores, strict=True):
            for query, answer in zip(questions, found, strict=True):
                scored(into, name, query, answer)
    figures = list(dict.fromkeys(figure for each in scores for figure in each))
    return [
        [
            name,
            str(len(scores[0].get(figure, ()))),
            figure,
            *(f"{statistics.fmean(each[figure]):.3f}" if each.get(figure) else "" for each in scores),
        ]
        for figure in figures
    ]


def _answers(store: Kept, questions: Sequence[Any], most: int) -> list[list[Found]]:
    """What each of `BY` brings for each question."""
    texts = [query.text for query in questions]
    words, dense = _by_words(store, texts), _by_vectors(store, texts)
    fused = [_fused((some, others), most) for some, others in zip(words, dense, strict=True)]
    return [
        asked(store, texts, most),
        [Found(tuple(ranked[:most])) for ranked in words],
        [Found(tuple(ranked[:most])) for ranked in dense],
        [Found(tuple(ranked)) for ranked in fused],
    ]


def scored(into: Scores, name: str, query: Any, answer: Found) -> None:
    def add(figure: str, value: float) -> None:
        into.setdefault(figure, []).append(float(value))

    quiet = not answer.ranked or answer.weak
    if not query.relevant:
        add("without an answer: silent or weak", quiet)
        return
    add("with an answer: silent or weak", quiet)
    session_of: Callable[[str], str] = stick("datasets").session_of
    ranked, metrics = list(answer.ranked), stick("metrics")
    if name in BY_SESSION:
        ranked = list(map(session_of, ranked))
    if query.older:
        versions = metrics.newest_first(ranked, query.relevant - query.older, query.older)
        add("newest version in the first 5", versions["newest@5"])
        add("newest version above all older", versions["newest_first"])
    found = metrics.score(list(dict.fromkeys(ranked)), query.relevant, MOST.get(name, 10))
    kind = f", {query.category}" if name == "fastapi" else ""
    add(f"recall@5{kind}", found["recall@5"])
    if name != "fastapi":
        add("recall@10", found["recall@10"])
        add("MRR", found["mrr"])
    if name == "locomo":
        sessions = list(dict.fromkeys(map(session_of, ranked)))
        add("session recall@5", metrics.score(sessions, set(map(session_of, query.relevant)))["recall@5"])


# --- Baselines ---


def _items(store: Kept) -> Iterable[tuple[str, str, bytes]]:
    """(item, text, the vector of its first window) of each, in their order."""
    from indelible.store.sqlite.connection import FILE, connect

    connection = connect(store.folder / "data" / FILE)
    query = "SELECT key, text, vector FROM record JOIN embedding ON record = id WHERE view = 0 ORDER BY id"
    rows = connection.execute(query).fetchall()
    connection.close()
    return [(store.items[key], text, vector) for key, text, vector in rows]


def _by_words(store: Kept, questions: Sequence[str]) -> list[list[str]]:
    with tempfile.TemporaryDirectory(prefix="indelible-fts5-") as folder:
        table = stick("inproc").make("fts5", folder)
        for item, text, _ in _items(store):
            table.store(item, text)
        return [table.recall(question, FUSED) for question in questions]


def _by_vectors(store: Kept, questions: Sequence[str]) -> list[list[str]]:
    from indelible.search.index.vectors import unpack

    items = list(_items(store))
    vectors, embeddings = unpack([vector for _, _, vector in items]), store.embeddings
    ranked = []
    for question in questions:
        best = np.argsort(-(vectors @ embeddings[question].dense[0]), kind="stable")[:FUSED]
        ranked.append([items[place][0] for place in best.tolist()])
    return ranked


def _fused(each: Sequence[Sequence[str]], most: int) -> list[str]:
    scores: dict[str, float] = {}
    for ranked in each:
        for place, item in enumerate(ranked, 1):
            scores[item] = scores.get(item, 0.0) + 1 / (RANK + place)
    return sorted(scores, key=lambda item: -scores[item])[:most]


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
