"""Stores of the shared sets that are made once and asked often: embedded, with the embeddings of their questions.

A store holds the items of one corpus in their order, stored through the product's own tool. It is asked in this
process, as a copy, with the embeddings that were kept, so that a change in ranking is measured in seconds.
"""

import hashlib
import json
import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import golden_child
from sets import stick

ALL_SETS = ("locomo", "commit", "errorfix", "changelog", "docstring", "devmem", "memorycode", "fastapi")
MOST = {"devmem": 20, "memorycode": 20, "fastapi": 20}  # results of a recall, ten elsewhere
OFF = {"INDELIBLE_ENCODER": "off"}


@dataclass(frozen=True, slots=True)
class Found:
    """The items that a question brought, the best first, and whether the answer was marked as weak."""

    ranked: tuple[str, ...]
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Kept:
    """A store that is made: its folder, and whose item each memory is."""

    folder: Path
    items: Mapping[str, str]

    @property
    def embeddings(self) -> dict[str, Any]:
        """Of each question."""
        found: dict[str, Any] = pickle.loads((self.folder / "embeddings.pickle").read_bytes())  # of our own folder
        return found


def kept(folder: Path, items: Sequence[tuple[str, str]], questions: Sequence[str]) -> Kept:
    """The store of these items (id, text), made where it is not there yet."""
    from indelible.embed.local import MODEL

    digest = hashlib.sha256(json.dumps([MODEL, items, list(questions)]).encode()).hexdigest()[:16]
    place = folder / digest
    ids = place / "ids.json"
    if not ids.exists():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        known = _filled(place, items)
        golden_child.write_embeddings(place, _encoded(questions))
        ids.write_text(json.dumps(known))
    store = Kept(place, json.loads(ids.read_text()))
    before = store.embeddings
    if missing := [text for text in _encoded(questions) if text not in before]:
        golden_child.write_embeddings(place, missing, before)
    return store


def _encoded(questions: Sequence[str]) -> list[str]:
    """What a recall has encoded: the words of a question without those of its time."""
    from indelible.search.times.timed import timed

    now = datetime.now(UTC)
    return list(dict.fromkeys(text for each in questions for text in (each, timed(each, now).words) if text))


def _filled(place: Path, items: Sequence[tuple[str, str]]) -> dict[str, str]:
    from indelible.core.context.context import open_context
    from indelible.settings import Settings
    from indelible.toolsets import registry

    ctx = open_context(Settings.load(str(place / "data"), environ=OFF))
    store, known = registry.find_tool("store_memory"), dict[str, str]()
    for item, text in items:
        known.setdefault(registry.call(ctx, store, {"content": text}).value["id"], item)
    golden_child.embed(ctx)
    ctx.close()
    return known


@contextmanager
def opened(
    of: Kept, more: Mapping[str, Any] | None = None, prepare: Callable[[Any], None] | None = None
) -> Iterator[Any]:
    """The context of a copy, an hour after its last record; `more` are embeddings of further questions.

    `prepare` may write to the copy before.
    """
    from indelible.admin.maintenance import read_words_again
    from indelible.core.context.context import open_context
    from indelible.core.indexes.embedder import Embedder
    from indelible.settings import Settings
    from indelible.store.sqlite.connection import FILE, connect

    with tempfile.TemporaryDirectory(prefix="indelible-kept-") as temporary:
        data = Path(temporary) / "data"
        shutil.copytree(of.folder / "data", data)
        connection = connect(data / FILE)
        ((last,),) = connection.execute("SELECT max(created) FROM record").fetchall()
        connection.close()
        now = datetime.fromtimestamp(last / 1e6 + 3600, UTC)
        ctx = open_context(Settings.load(str(data), environ=OFF), lambda: now)
        while not read_words_again(ctx, 60.0):  # by this version's tokenizer, as a server does
            pass
        if prepare is not None:
            prepare(ctx)
        ctx.close()
        embedder = Embedder(golden_child.Known({**of.embeddings, **(more or {})}))
        ctx = replace(
            open_context(Settings.load(str(data), read_only=True, environ=OFF), lambda: now), embedder=embedder
        )
        yield ctx
        ctx.close()


def asked(of: Kept, questions: Sequence[str], most: int, prepare: Callable[[Any], None] | None = None) -> list[Found]:
    """What recall_memory brings for each question, of a copy of a store that `prepare` may write to."""
    from indelible.toolsets import registry

    recall, answers = registry.find_tool("recall_memory"), []
    with opened(of, prepare=prepare) as ctx:
        for text in questions:
            answer = registry.call(ctx, recall, {"query": text, "k": most})
            ranked = tuple(of.items[hit["id"]] for hit in answer.value if hit["id"] in of.items)
            answers.append(Found(ranked, any(hit.get("weak") for hit in answer.value)))
    return answers


def of_set(folder: Path, name: str) -> Iterator[tuple[str, Kept, list[Any]]]:
    """Each corpus of a set: its name, its store, its questions."""
    data = stick("datasets").load(name)
    for corpus, items in data.corpora.items():
        questions = [query for query in data.queries if query.corpus == corpus]
        texts = list(dict.fromkeys(query.text for query in questions))
        yield corpus, kept(folder, [(item, text) for item, text, _ in items], texts), questions
