"""The parts of golden.py that run with the code of one commit: filling a store, and answering questions about it.

python bench/golden_child.py fill FOLDER                the items of FOLDER/items.json
python bench/golden_child.py make FOLDER RECORDS ASKED  made-up records, and questions about them
python bench/golden_child.py ask FOLDER ANSWERS         answers as JSON
"""

import json
import os
import pickle
import shutil
import sys
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

TOPICS = 200  # passages that the made-up records are about
EXPANDED, FEW, MANY, TIMED, TYPED = 7, 11, 5, 13, 17  # each n-th question is asked in such a way too
TYPES = ("decision", "pattern", "preference", "insight")


def fill(place: Path) -> None:
    """Store the items one after the other, as an agent does, then embed them; embed the questions."""
    from indelible.core.context.context import open_context
    from indelible.settings import Settings
    from indelible.toolsets import registry

    data = place / "data"
    (place / "project").write_text(os.getcwd())
    ctx = open_context(Settings.load(str(data), environ=_environ(place)))
    store, link = registry.find_tool("store_memory"), registry.find_tool("associate_memories")
    ids: list[str] = []
    for number, text in enumerate(json.loads((place / "items.json").read_text())):
        more: dict[str, Any] = {}
        if number % 3 == 1:
            more["tags"] = [text.split()[0].strip(".,:")[:20] or "x", "topic:golden"]
        if number % 4 == 2:
            more["memory_type"] = TYPES[number // 4 % len(TYPES)]
        if number % 5 == 3:
            more["importance"] = 0.9
        if number % 9 == 4:
            more["namespace"] = "elsewhere"
        ids.append(registry.call(ctx, store, {"content": text, **more}).value["id"])
        if number % 6 == 5 and ids[number] != ids[number - 4]:
            relation = "SUPERSEDES" if number % 24 == 5 else "RELATES_TO"
            ends = {"source_id": ids[number], "target_id": ids[number - 4], "relationship": relation}
            registry.call(ctx, link, ends)
    embed(ctx)
    ctx.close()
    questions = json.loads((place / "questions.json").read_text())
    write_embeddings(place, [asked["query"] for asked in variants(questions).values()])
    (place / "done").touch()


def _environ(place: Path) -> dict[str, str]:
    """The settings of a store, with the project that its items were stored in, wherever the questions are asked."""
    project = place / "project"
    own = {"INDELIBLE_PROJECT": project.read_text()} if project.exists() else {}
    return {"INDELIBLE_ENCODER": "off", **own}


def embed(ctx: Any) -> None:
    """Embed all that waits, in this process."""
    from indelible.admin import embedding_worker
    from indelible.core.indexes.embedder import Embedder
    from indelible.embed.local import LocalEncoder

    encoder = LocalEncoder()
    encoder.load()
    embedding_worker.renew(replace(ctx, embedder=Embedder(encoder)), lambda done, total: None)


def write_embeddings(place: Path, texts: list[str], beside: dict[str, Any] | None = None) -> None:
    """Put the embeddings of questions into a file, with some that are made."""
    (place / "embeddings.pickle").write_bytes(pickle.dumps({**(beside or {}), **encoded(texts)}))


def encoded(texts: list[str]) -> dict[str, Any]:
    """The embedding of each question, made in this process."""
    return {text: _encoder().query(text, 60.0) for text in dict.fromkeys(texts)}


@cache
def _encoder() -> Any:
    from indelible.embed.local import LocalEncoder

    encoder = LocalEncoder()
    encoder.load()
    return encoder


def make(place: Path, records: int, asked: int) -> None:
    """Make records and questions as scale.py does."""
    import filling
    import prepared

    data, topics = place / "data", filling.topics(place, TOPICS)
    shutil.rmtree(data, ignore_errors=True)
    filling.fill(data, records, topics)
    prepared.write(data, topics, asked, place / "questions.pickle")
    questions = prepared.Questions.load(place / "questions.pickle")
    everywhere = questions.about[prepared.EVERYWHERE]
    more = {text: replace(questions.embeddings[text.rsplit(" ", 2)[0]]) for text in map(_timed, everywhere)}
    (place / "embeddings.pickle").write_bytes(pickle.dumps({**questions.embeddings, **more}))
    (place / "questions.json").write_text(json.dumps(everywhere))
    (place / "done").touch()


def _timed(question: str) -> str:
    return f"{question} last week"


def variants(questions: list[str]) -> dict[str, dict[str, Any]]:
    """The calls by name: each question as it is, and some with other arguments."""
    calls: dict[str, dict[str, Any]] = {}
    for number, text in enumerate(questions):
        calls[f"{number}"] = {"query": text, "k": 10}
        if number % MANY == 0:
            calls[f"{number} many"] = {"query": text, "k": 60}
        if number % FEW == 0:
            calls[f"{number} few"] = {"query": text, "k": 1}
        if number % TIMED == 0:
            calls[f"{number} timed"] = {"query": _timed(text), "k": 10}
        if number % TYPED == 0:
            calls[f"{number} typed"] = {"query": text, "k": 10, "memory_type": TYPES[0]}
            calls[f"{number} placed"] = {"query": text, "k": 10, "namespace": "elsewhere"}
        if number % EXPANDED == 0:
            calls[f"{number} expanded"] = {"query": text, "k": 10, "expansion_depth": 2}
    return calls


class Known:
    """An encoder that knows some questions and nothing else; see `indelible.embed.base.Encoder`."""

    def __init__(self, embeddings: dict[str, Any]):
        from indelible.embed.local import MODEL

        self._known = embeddings
        self.model, self.state, self.languages = MODEL, "ready", frozenset({"en"})

    def probe(self) -> str:
        """As it is."""
        return self.state

    def wake(self) -> None:
        """Nothing to do."""

    def query(self, text: str, timeout: float) -> Any:
        """The embedding, made where it is not known: a commit may ask for a question without the words of its time."""
        if text not in self._known:
            self._known.update(encoded([text]))
        return self._known[text]

    def begin(self, text: str, timeout: float) -> Any:
        """The embedding, when it is waited for; commits before `Encoder.begin` do not ask."""
        from indelible.embed.base import Deferred

        return Deferred(lambda: self.query(text, timeout))

    def texts(self, texts: Any, timeout: float) -> None:
        """None are made."""

    def close(self) -> None:
        """Nothing to do."""


def ask(place: Path, answers: Path) -> None:
    """Answer every call on a copy of the store, at the moment after its last record."""
    from indelible.core.context.context import open_context
    from indelible.core.indexes.embedder import Embedder
    from indelible.settings import Settings
    from indelible.store.sqlite.connection import FILE, connect
    from indelible.toolsets import registry

    embeddings = pickle.loads((place / "embeddings.pickle").read_bytes())
    recall, expanded = registry.find_tool("recall_memory"), registry.find_tool("recall_with_expansion")
    found = {}
    with tempfile.TemporaryDirectory(prefix="indelible-golden-") as folder:
        data = Path(folder) / "data"
        shutil.copytree(place / "data", data)
        connection = connect(data / FILE)
        ((last,),) = connection.execute("SELECT max(created) FROM record").fetchall()
        connection.close()
        now = datetime.fromtimestamp(last / 1e6 + 3600, UTC)
        open_context(Settings.load(str(data), environ=_environ(place)), lambda: now).close()  # an upgrade
        settings = Settings.load(str(data), read_only=True, environ=_environ(place))
        ctx = replace(open_context(settings, lambda: now), embedder=Embedder(Known(embeddings)))
        for name, arguments in variants(json.loads((place / "questions.json").read_text())).items():
            tool = expanded if "expansion_depth" in arguments else recall
            hits = registry.call(ctx, tool, arguments).value
            found[f"{name}: {arguments['query']}"] = [(hit["id"], hit["score"]) for hit in hits]
        ctx.close()
    answers.write_text(json.dumps(found))


if __name__ == "__main__":
    work, folder, *more = sys.argv[1:]
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if work == "fill":
        fill(Path(folder))
    elif work == "make":
        make(Path(folder), *map(int, more))
    else:
        ask(Path(folder), Path(more[0]))
