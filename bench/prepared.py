"""Questions about complete stores with their embeddings, made before: what is measured then has no encoder in it."""

import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import complete
import generate
import numpy as np
from complete import FIFTIETH, HALF, SMALLEST, Floats

if TYPE_CHECKING:
    from indelible.embed.base import Deferred, Embedding, Encoder

SEED = 11
EVERYWHERE, ELSEWHERE = "everywhere", "elsewhere"  # of records of the whole store; of another field: no answer
WARM_UP = 5  # questions of each kind that no figure contains
ASKED = (0.35, 0.65)  # cosines of a question and its record; those of the shared sets lie between 0.30 and 0.64
HOME = (
    "which cake did grandmother bake for the wedding",
    "how long must the lamb roast in the oven",
    "what colour was the sofa in the old flat",
    "did the neighbours water our tomatoes in August",
    "who won the swimming race at the village fair",
    "where did we park the caravan by the lake",
    "how tall is the apple tree behind the church",
    "what did the dentist say about her tooth",
    "which train goes to the seaside on Sunday morning",
    "how much did the kitten weigh after the winter",
    "when does the bakery sell fresh rolls",
    "what should a guest wear to a funeral",
    "how often do roses need water in summer",
    "who painted the portrait in the dining room",
    "which cheese tastes good with pears",
    "how did the choir sing at the harvest festival",
    "what is a good present for a ten year old girl",
    "did the doctor prescribe pills against hay fever",
    "how cold was the sea in the holidays",
    "which horse jumped highest at the show",
)


@dataclass(frozen=True, slots=True)
class Questions:
    """Texts by what they are about (a namespace, `everywhere`, `elsewhere`), and the embedding of each text."""

    about: dict[str, list[str]]
    embeddings: "dict[str, Embedding]"

    def save(self, path: Path) -> None:
        path.write_bytes(pickle.dumps((self.about, self.embeddings)))

    @classmethod
    def load(cls, path: Path) -> "Questions":
        return cls(*pickle.loads(path.read_bytes()))  # of this run's own folder


class Prepared:
    """An encoder that knows the embeddings of these questions and nothing else; see `indelible.embed.base.Encoder`."""

    def __init__(self, questions: Questions):
        from indelible.embed.local import MODEL

        self._known = questions.embeddings
        self.model, self.state, self.languages = MODEL, "ready", frozenset({"en"})

    def wake(self) -> None:
        """Nothing to do."""

    def query(self, text: str, timeout: float) -> "Embedding | None":
        """The embedding of a question, or of one without its words of time, as recall asks for it."""
        return self._known[text]

    def begin(self, text: str, timeout: float) -> "Deferred":
        """The embedding, when it is waited for."""
        from indelible.embed.base import Deferred

        return Deferred(lambda: self.query(text, timeout))

    def texts(self, texts: Sequence[str], timeout: float) -> "list[Embedding] | None":
        """None are made."""

    def close(self) -> None:
        """Nothing to do."""


def write(data: Path, topics: Path, count: int, path: Path) -> None:
    """Make `count` questions about the whole store and about each of three namespaces, and put them into a file.

    A question is 4 to 8 telling words of a record, as in generate.py. Its sparse terms are what the model gives its
    text; its vector is that of the record, turned away at random. Those of another field are as the models see them.
    """
    names = (EVERYWHERE, HALF, FIFTIETH, SMALLEST)
    write_about({name: _records(data, name, count) for name in names}, topics, path)


def write_about(chosen: Mapping[str, Iterable[tuple[str, Floats]]], topics: Path, path: Path) -> None:
    """Put a question about each of these records into a file, as `write`: texts and vectors (1, dimensions) by name."""
    from indelible.embed.local import LocalEncoder

    encoder = LocalEncoder()
    encoder.load()
    draw = np.random.default_rng(SEED)
    about: dict[str, list[str]] = {ELSEWHERE: list(HOME)}
    embeddings = {text: _embedded(encoder, text) for text in HOME}
    for name, records in chosen.items():
        about[name] = []
        for number, (text, vector) in enumerate(records):
            question = question_about(text, number)
            embeddings[question] = replace(_embedded(encoder, question), dense=_turned(draw, vector, topics))
            about[name].append(question)
    Questions(about, embeddings | {_encoded(text): made for text, made in embeddings.items()}).save(path)


def texts(data: Path, count: int) -> list[str]:
    """Questions about the whole of a store, without embeddings."""
    return [question_about(text, number) for number, (text, _) in enumerate(_records(data, EVERYWHERE, count))]


def _encoded(question: str) -> str:
    """The part of a question that recall encodes: a telling word may be one of time, as "today"."""
    from indelible.clock import utc_now
    from indelible.search.times.timed import timed

    asked = timed(question, utc_now())
    return question if asked.bare else asked.words


def _embedded(encoder: "Encoder", text: str) -> "Embedding":
    made = encoder.query(text, 60.0)
    if made is None:
        raise SystemExit(f"the local models are not ready: {encoder.state}")
    return made


def _records(data: Path, about: str, count: int) -> Iterator[tuple[str, Floats]]:
    """Texts and vectors of `count` records spread over the store or over a namespace; few of these come often."""
    from indelible.search.index.vectors import unpack
    from indelible.store.sqlite.connection import FILE, connect

    where, given = ("TRUE", ()) if about == EVERYWHERE else ("record.namespace = ?", (about,))
    connection = connect(data / FILE)
    ids = [record for (record,) in connection.execute(f"SELECT id FROM record WHERE {where} ORDER BY id", given)]
    chosen = [ids[number * len(ids) // count] for number in range(count)]
    query = "SELECT text, vector FROM record JOIN embedding ON record = id WHERE id = ?"
    for record in chosen:
        rows: list[tuple[Any, ...]] = connection.execute(query, (record,)).fetchall()
        yield rows[0][0], unpack([rows[0][1]])[0]
    connection.close()


def question_about(text: str, number: int) -> str:
    """Some telling words of a record, others for each number."""
    telling, draw = generate.telling_words(text), Random(f"{SEED}/{number}/{text}")
    wanted = draw.randint(generate.FEWEST_ASKED, generate.MOST_ASKED)
    kept = set(draw.sample(telling, min(wanted, len(telling))))
    return " ".join(word for word in telling if word in kept)


def _turned(draw: np.random.Generator, vector: Floats, topics: Path) -> Floats:
    """A vector (1, dimensions) of some cosine with this one, turned towards where others are."""
    away = complete.noise(draw, topics, 1)[0]
    away -= (away @ vector) * vector
    cosine = draw.uniform(*ASKED)
    turned = cosine * vector + np.sqrt(1 - cosine**2) * away / np.linalg.norm(away)
    unit: Floats = (turned / np.linalg.norm(turned)).astype(np.float32)[np.newaxis]
    return unit
