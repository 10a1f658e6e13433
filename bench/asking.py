"""Servers that were told the corpora and are asked about them: stores built once, served as copies, two at a time."""

import os
import re
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from client import INDELIBLE, Server, ServerError
from sets import Answer, Corpus, K, Question

AT_ONCE = 2  # servers: one for each core of a small machine
PATIENCE = 1200.0  # seconds for all texts to be embedded
LOOK = 0.2  # seconds between looks at what is pending
SEED = 20261122

PLAIN, NO_WINDOW, NO_FLOOR, SHUFFLED = "plain", "window off", "floor off", "random order"
SWITCHES: dict[str, dict[str, str]] = {
    PLAIN: {},
    NO_WINDOW: {"INDELIBLE_WINDOW": "off"},
    NO_FLOOR: {"INDELIBLE_FLOOR": "off"},
    SHUFFLED: {},
}

Thing = TypeVar("Thing")
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Stored:
    """A data directory that no server has open, the project of its servers, and whose item each memory is."""

    data: Path
    project: str
    items: Mapping[str, str]  # by the id that the server gave


class Lab:
    """One run: its folder, the stores of its corpora, and every answer that more than one step needs."""

    def __init__(self, folder: Path, corpora: Sequence[Corpus]):
        self.folder, self.corpora = folder, list(corpora)
        self.failed: list[str] = []  # recalls that were answered with an error
        self.by_meaning = self.by_words = 0  # recalls with hits: any with a vector_similarity, none
        self.encoders: set[str] = set()  # what codemem_health said of the embeddings when nothing was pending
        self._stores: dict[tuple[Corpus, bool], Stored] = {}
        self._answers: dict[tuple[Corpus, str], list[Answer]] = {}
        self._lock = threading.Lock()
        self._made = 0
        self._runtime = folder / "run"
        self._runtime.mkdir(mode=0o700)

    def of(self, set_: str) -> list[Corpus]:
        """The corpora of one set."""
        return [corpus for corpus in self.corpora if corpus.set == set_]

    def each(self, work: Callable[[Thing], Made], things: Sequence[Thing]) -> list[Made]:
        """Do the work of all, two at a time, in the order given; the first error ends it."""
        pool = ThreadPoolExecutor(AT_ONCE)
        try:
            return list(pool.map(work, things))
        finally:
            pool.shutdown(cancel_futures=True)

    def answers(self, variant: str, corpora: Sequence[Corpus] | None = None) -> dict[Corpus, list[Answer]]:
        """All questions of the corpora (default: all) asked of their own stores; asked once a run."""
        wanted = self.corpora if corpora is None else corpora
        missing = [corpus for corpus in wanted if (corpus, variant) not in self._answers]
        missing.sort(key=lambda corpus: -len(corpus.items))  # the longest first, so that both cores end together
        for corpus, answered in zip(missing, self.each(lambda c: self._asked(c, variant), missing), strict=True):
            self._answers[corpus, variant] = answered
        return {corpus: self._answers[corpus, variant] for corpus in wanted}

    def _asked(self, corpus: Corpus, variant: str) -> list[Answer]:
        stored = self.store(corpus, shuffled=variant == SHUFFLED)
        with self.copy(stored) as copied, self.serving(copied, SWITCHES[variant]) as server:
            say(f"{corpus.set}/{corpus.name}, {variant}: {len(corpus.questions)} questions")
            return self.ask(server, copied, corpus.questions)

    def store(self, corpus: Corpus, *, shuffled: bool = False) -> Stored:
        """The corpus stored through store_memory, in its order or a random one; made once a run, not to be changed."""
        with self._lock:
            made = self._stores.get((corpus, shuffled))
        if made is None:
            made = Stored(self.fresh(), corpus.name, {})
            made = self.told(made, corpus, shuffled=shuffled)
            with self._lock:
                self._stores[corpus, shuffled] = made
        return made

    def told(self, stored: Stored, corpus: Corpus, *, shuffled: bool = False) -> Stored:
        """Store a corpus's items into a store as they come; served for the project of `stored`."""
        items = list(corpus.items)
        if shuffled:
            Random(f"{SEED}/{corpus.set}/{corpus.name}").shuffle(items)
        say(f"{corpus.set}/{corpus.name}: storing {len(items)} items{', in random order' if shuffled else ''}")
        ids = dict(stored.items)
        with self.serving(stored) as server:
            for item, text in items:
                ids[server.call("store_memory", content=text)["id"]] = item
            self.settle(server)
        return Stored(stored.data, stored.project, ids)

    def fresh(self) -> Path:
        """A data directory that does not exist yet, in a working directory of its own."""
        with self._lock:
            self._made += 1
            place = self.folder / f"{self._made:03d}"
        place.mkdir()
        return place / "data"

    @contextmanager
    def copy(self, stored: Stored) -> Iterator[Stored]:
        """A copy to ask and to change: what one step leaves in the store, access counts too, no other step sees."""
        data = self.fresh()
        shutil.copytree(stored.data, data)
        try:
            yield Stored(data, stored.project, stored.items)
        finally:
            shutil.rmtree(data.parent)

    @contextmanager
    def serving(self, stored: Stored, switches: Mapping[str, str] | None = None) -> Iterator[Server]:
        """A server on the store, ready: its encoder loaded, nothing pending."""
        given = {"XDG_RUNTIME_DIR": str(self._runtime), "INDELIBLE_ENCODER": "shared", **(switches or {})}
        variables = [f"{name}={value}" for name, value in given.items()]
        place = ["--data", str(stored.data), "--project", stored.project]
        with Server(["env", *variables, str(INDELIBLE), "serve", *place], stored.data.parent) as server:
            server.initialize()
            server.call("recall_memory", query="warm up", k=1)  # what loads at the first recall
            self.settle(server)
            yield server

    def settle(self, server: Server) -> None:
        """Wait until every text is embedded."""
        until = time.monotonic() + PATIENCE
        while unsettled(said := server.call("codemem_health")["embeddings"]):
            if time.monotonic() > until:
                raise SystemExit(f"after {PATIENCE:.0f} s codemem_health still says of the embeddings: {said}")
            time.sleep(LOOK)
        self.encoders.add(re.sub(r"\d[\d,]*", "n", said))

    def ask(self, server: Server, stored: Stored, questions: Iterable[Question], **filters: Any) -> list[Answer]:
        """Ask each question; a recall that fails is noted and counts as one that found nothing."""
        return [self.ask_one(server, stored, question, **filters) for question in questions]

    def ask_one(self, server: Server, stored: Stored, question: Question, **filters: Any) -> Answer:
        """Ask one question."""
        try:
            hits = server.call("recall_memory", query=question.text, k=K, **filters)["result"]
        except ServerError as error:
            self.note_failure(question, error)
            hits = []
        if hits:
            meant = any(hit["score_breakdown"]["vector_similarity"] > 0 for hit in hits)
            with self._lock:
                self.by_meaning += meant
                self.by_words += not meant
        return Answer(question, tuple(stored.items[hit["id"]] for hit in hits), server.seconds)

    def note_failure(self, question: Question, error: ServerError) -> None:
        """Note a question that was answered with an error."""
        with self._lock:
            self.failed.append(f"{question.id}: {error}"[:200])

    def close(self) -> None:
        """End the encoder that this run's servers started, since nobody else will ask it; the folder goes with it."""
        for pid in processes_with(f"XDG_RUNTIME_DIR={self._runtime}"):
            os.kill(pid, signal.SIGTERM)
        shutil.rmtree(self.folder)


def unsettled(said: str) -> bool:
    """Whether what codemem_health says of the embeddings means that some are still to come."""
    if "loading" in said:
        return True
    counts = re.findall(r"(\d[\d,]*)\s+(?:\w+\s+)?pending|pending\W{0,2}\s*(\d[\d,]*)", said)
    if counts:
        return any((before or after).strip("0,") for before, after in counts)
    return "pending" in said


def processes_with(variable: str) -> list[int]:
    """Processes that were started with this variable in their environment; none where there is no /proc."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            variables = path.read_bytes().split(b"\0")
        except OSError:  # gone, or another user's
            continue
        if variable.encode() in variables:
            found.append(int(path.parent.name))
    return found


def say(words: str) -> None:
    """A word of progress."""
    print(f"  {words}", file=sys.stderr, flush=True)
