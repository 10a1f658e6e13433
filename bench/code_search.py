"""Does search_code find a function by what its docstring said? The docstring set as source, indexed, embedded, asked.

Each function of the set is a file of its own, at its own path below a number: what the baselines are told as text,
path and code without the docstring, is what the index reads. A hit counts for the function of its file.
"""

import math
import os
import tempfile
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from asking import Lab, Stored, say
from client import Server, ServerError
from report import Figure, percentile, table
from sets import Answer, Corpus, K, Question, half, mean, stick

SET = "docstring"
BETTER = 1.1  # times the best plain baseline's MRR@10
FUSED = 60  # constant of reciprocal rank fusion, and
DEEP = 50  # results of each that are fused: as in the stick
FOREIGN = 100  # questions of another field, which nothing in the source answers
SILENT = 0.9  # share of them that must bring nothing
HEADS = "by,MRR@10,half A,half B,hit@10,p50,p95".split(",")


def code(lab: Lab) -> tuple[str, list[Figure]]:
    """The set through index_codebase and search_code, the plain baselines beside it."""
    (corpus,) = lab.of(SET)
    plain = {"SQLite FTS5": _ranked("fts5", corpus), "FTS5, identifiers split": _ranked("fts5split", corpus)}
    plain["MiniLM alone"] = _dense(corpus)
    plain["both, rank fusion"] = _fused(plain["FTS5, identifiers split"], plain["MiniLM alone"])
    plain = {name: [replace(each, ranked=each.ranked[:K]) for each in answers] for name, answers in plain.items()}
    tree = _tree(lab.folder / "code", corpus.items)
    data = lab.fresh()
    with lab.serving(Stored(data, str(tree), {})) as server:
        done = server.call("index_codebase", path=str(tree))
        say(f"{done['files_parsed']} files, {done['symbols']} symbols")
        lab.settle(server)
        places = {name: id_ for name, (id_, _) in zip(_names(corpus.items), corpus.items, strict=True)}
        found = [_asked(lab, server, question, places) for question in corpus.questions]
        quiet = [not _search(server, text) for text in _foreign(lab)]
    best = max(mean(answers, "mrr") for answers in plain.values())
    own = mean(found, "mrr")
    figures = [
        Figure(
            "docstring to function, MRR@10 / that of the best plain baseline",
            own / best,
            f"{own:.3f} / {best:.3f}",
            least=BETTER,
        )
    ]
    if quiet:
        share = sum(quiet) / len(quiet)
        said = f"{share:.3f} of {len(quiet)}"
        figures.append(Figure("questions of another field that bring nothing", None, said, least=SILENT, value=share))
    rows = [_row(name, answers) for name, answers in [*plain.items(), ("search_code", found)]]
    said = (
        "600 first sentences of docstrings, the function without its docstring is the answer. Weights were chosen on "
        "half A, half B is what nobody looked at."
    )
    return f"{said}\n\n{table(HEADS, rows)}", figures


def _row(name: str, answers: Sequence[Answer]) -> list[str]:
    times = [answer.seconds * 1e3 for answer in answers]
    halves = [f"{mean(half(answers, part), 'mrr'):.3f}" for part in "AB"]
    hits = f"{mean(answers, 'hit@10'):.3f}"
    return [name, f"{mean(answers, 'mrr'):.3f}", *halves, hits, *(f"{percentile(times, p):.1f} ms" for p in (50, 95))]


# --- The source ---


def _names(items: Iterable[tuple[str, str]]) -> list[str]:
    """The path of each item's file: its own, below its number."""
    return [f"{number:04d}/{text.partition(chr(10))[0]}" for number, (_, text) in enumerate(items)]


def _tree(root: Path, items: Sequence[tuple[str, str]]) -> Path:
    """The items as files."""
    for name, (_, text) in zip(_names(items), items, strict=True):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text.partition("\n")[2]) + "\n", encoding="utf-8")
    return root


def _search(server: Server, text: str) -> list[str]:
    return [hit["file_path"] for hit in server.call("search_code", query=text, k=K)["result"]]


def _asked(lab: Lab, server: Server, question: Question, places: dict[str, str]) -> Answer:
    try:
        paths = _search(server, question.text)
    except ServerError as error:
        lab.note_failure(question, error)
        paths = []
    return Answer(question, tuple(dict.fromkeys(places[path] for path in paths)), server.seconds)


def _foreign(lab: Lab) -> list[str]:
    """Questions about people's lives, of the talks."""
    questions = [question.text for corpus in lab.of("locomo") for question in corpus.questions]
    return questions[:: max(1, len(questions) // FOREIGN)][:FOREIGN]


# --- The plain baselines ---


def _ranked(name: str, corpus: Corpus) -> list[Answer]:
    with tempfile.TemporaryDirectory(prefix="indelible-fts5-") as folder:
        told = stick("inproc").make(name, folder)
        for id_, text in corpus.items:
            told.store(id_, text)
        return [Answer(question, tuple(told.recall(question.text, DEEP)), 0.0) for question in corpus.questions]


def _dense(corpus: Corpus) -> list[Answer]:
    """The nearest by the model alone, of each text what fits into its window."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # or its threads wait for each other
    import numpy as np

    from indelible.embed.local import LocalEncoder

    encoder = LocalEncoder()
    encoder.load()
    say(f"{len(corpus.items)} items embedded for the baseline")
    texts = [text for _, text in corpus.items]
    made = [each for at in range(0, len(texts), 64) for each in encoder.texts(texts[at : at + 64], math.inf) or ()]
    items = np.stack([each.dense[0] for each in made])
    answers = []
    for question in corpus.questions:
        asked = encoder.query(question.text, math.inf)
        assert asked is not None
        nearest = np.argsort(-(items @ asked.dense[0]))[:DEEP]
        answers.append(Answer(question, tuple(corpus.items[place][0] for place in nearest.tolist()), 0.0))
    return answers


def _fused(*rankings: Sequence[Answer]) -> list[Answer]:
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009)."""
    fused: list[Answer] = []
    for answers in zip(*rankings, strict=True):
        scores: dict[str, float] = {}
        for answer in answers:
            for rank, item in enumerate(answer.ranked, 1):
                scores[item] = scores.get(item, 0.0) + 1 / (FUSED + rank)
        best = sorted(scores, key=lambda item: -scores[item])
        fused.append(replace(answers[0], ranked=tuple(best[:DEEP])))
    return fused
