"""The sets of the shared measuring stick: what is stored, what is asked, in which half a question lies, what counts.

The stick (../shared/bench) must be beside this repository. LoCoMo is CC BY-NC 4.0, for measuring only.
"""

import functools
import importlib
import re
import statistics
import sys
import tempfile
import time
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STICK = Path(__file__).resolve().parents[1].parent / "shared" / "bench"
SETS = ("locomo", "commit", "errorfix", "changelog", "docstring")
K = 10  # results of every recall


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the items that answer it."""

    id: str
    text: str
    relevant: frozenset[str]
    half: str  # A: what is tuned is tuned on these; B: what it is then reported on
    source: str  # the repository that it is from, in the sets about repositories


@dataclass(frozen=True, slots=True)
class Corpus:
    """What is stored in one store: items as (id, text) in their order, and the questions about them."""

    set: str
    name: str
    items: tuple[tuple[str, str], ...]
    questions: tuple[Question, ...]

    def is_about(self, source: str) -> bool:
        """Whether an item is from that repository: such an item's id starts with its name."""
        return any(re.split("[@#/]", id_, maxsplit=1)[0] == source for id_, _ in self.items)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a question brought: item ids in the order of the ranking, and how long that took."""

    question: Question
    ranked: tuple[str, ...]
    seconds: float

    @property
    def scores(self) -> dict[str, float]:
        """The stick's metrics."""
        scored: dict[str, float] = stick("metrics").score(list(self.ranked), self.question.relevant)
        return scored

    @property
    def session_recall(self) -> float:
        """LoCoMo's session recall@5: the first five sessions among the hits."""
        found = list(dict.fromkeys(map(session_of, self.ranked)))
        scored: dict[str, float] = stick("metrics").score(found, set(map(session_of, self.question.relevant)))
        return scored["recall@5"]


def mean(answers: Sequence[Answer], metric: str = "recall@10") -> float:
    """The mean of a metric; not a number where nothing was asked."""
    return statistics.fmean(answer.scores[metric] for answer in answers) if answers else float("nan")


def silent(answers: Sequence[Answer]) -> float:
    """The share of questions that brought nothing."""
    return statistics.fmean(not answer.ranked for answer in answers) if answers else float("nan")


def half(answers: Iterable[Answer], name: str) -> list[Answer]:
    """The answers to the questions of half A or B."""
    return [answer for answer in answers if answer.question.half == name]


def changed(some: Iterable[Answer], others: Iterable[Answer]) -> float:
    """The share of the same questions that brought another ranking; a few do by themselves, as time goes on."""
    return statistics.fmean(one.ranked != other.ranked for one, other in zip(some, others, strict=True))


def together(answers: Mapping[Corpus, Sequence[Answer]], corpora: Iterable[Corpus]) -> list[Answer]:
    """The answers of several corpora in one list."""
    return [answer for corpus in corpora for answer in answers[corpus]]


def load(names: Sequence[str], max_items: int | None) -> list[Corpus]:
    """The corpora of some sets.

    With `max_items` a corpus is its first items and the questions that these answer wholly; one without questions is
    left out.
    """
    corpora = []
    for name in names:
        data = stick("datasets").load(name)
        halves = _halves(name, data)
        for corpus, listed in data.corpora.items():
            items = tuple((id_, text) for id_, text, _ in listed[:max_items])
            known = {id_ for id_, _ in items}
            questions = tuple(
                Question(query.id, query.text, frozenset(query.relevant), halves[query.id], query.category)
                for query in data.queries
                if query.corpus == corpus and query.relevant <= known
            )
            if questions:
                corpora.append(Corpus(name, corpus, items, questions))
    return corpora


def _halves(name: str, data: Any) -> dict[str, str]:
    """The half of each question: even CRC-32 of its id is A, odd is B.

    A LoCoMo conversation is in one half as a whole, since its questions share their evidence; being few, they take
    turns in the order of their names' CRC-32.
    """
    if name != "locomo":
        return {query.id: "AB"[_crc(query.id) % 2] for query in data.queries}
    turns = {corpus: "AB"[place % 2] for place, corpus in enumerate(sorted(data.corpora, key=_crc))}
    return {query.id: turns[query.corpus] for query in data.queries}


def _crc(text: str) -> int:
    return zlib.crc32(text.encode())


def session_of(item: str) -> str:
    """The session of a LoCoMo turn, by their ids."""
    named: str = stick("datasets").session_of(item)
    return named


def words_baseline(corpus: Corpus) -> list[Answer]:
    """SQLite's FTS5 (porter stemming, all words OR-ed) asked the same, in this process."""
    with tempfile.TemporaryDirectory(prefix="indelible-fts5-") as folder:
        table = stick("inproc").make("fts5", folder)
        for id_, text in corpus.items:
            table.store(id_, text)
        answers = []
        for question in corpus.questions:
            began = time.perf_counter()
            ranked = table.recall(question.text, K)
            answers.append(Answer(question, tuple(ranked), time.perf_counter() - began))
    return answers


@functools.cache
def stick(module: str) -> Any:
    """A module of the shared measuring stick."""
    if str(STICK) not in sys.path:
        sys.path.insert(1, str(STICK))  # after this directory, before what is installed
    return importlib.import_module(module)
