"""One process's cache of the texts of entities, case-folded for search: loaded once, then kept up by the change log.

A substring search reads every text. SQL would fold each one again for every search, and each database differently; in
memory 10,000 texts take some milliseconds.
"""

import threading
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from indelible.core.indexes.follower import ChangeFollower, last_operations
from indelible.search import tokens
from indelible.store.database import Transaction
from indelible.store.tables.changes import Change
from indelible.store.views import entities
from indelible.store.views.entities import Content

# Imported late (cli): indelible.graph.keys

BORDER = "\0"  # between texts: it occurs in none, so no match crosses two
MANY = 20_000  # changes after which the entities are read again instead of one by one


def folded(text: str) -> str:
    """Return a text for comparison without regard to case: NFC, every letter folded."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


class Keys:
    """Canonical entities by the parts of their keys. An entity's name never changes, so neither does its entry."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self.stems: dict[str, set[int]] = {}
        self._words: dict[tuple[str, str], set[int]] = {}  # by prefix and word
        self._sizes: dict[int, int] = {}
        for entity, name in names.items():
            self.add(entity, name)

    def add(self, entity: int, name: str) -> None:
        """Add an entity, if its name is a key with a stem."""
        from indelible.graph.keys import key_form, stem  # not for a process that asks for no entities

        form = key_form(name)
        text = stem(name) if form is not None else ""
        if not text or form is None:
            return
        self.stems.setdefault(text, set()).add(entity)
        if form in WORDED:
            words = telling_words(text)
            self._sizes[entity] = len(words)
            for word in words:
                self._words.setdefault((form, word), set()).add(entity)

    def drop(self, entity: int, name: str) -> None:
        """Remove an entity."""
        from indelible.graph.keys import key_form, stem

        form, text = key_form(name), stem(name)
        self.stems.get(text, set()).discard(entity)
        if self._sizes.pop(entity, None) is not None and form is not None:
            for word in telling_words(text):
                self._words.get((form, word), set()).discard(entity)

    def sharing(self, form: str, words: Iterable[str]) -> list[tuple[int, int, bool]]:
        """Return (entity, number of shared words, whether its key has no others) of a prefix's entities with any."""
        shared = Counter(entity for word in words for entity in self._words.get((form, word), ()))
        return [(entity, count, count == self._sizes[entity]) for entity, count in shared.items()]


WORDED = ("cmd#", "dep#", "concept#", "err#", "warn#")


class Known:
    """The texts of entities by row id: names and types as given, texts folded. Ids ascend by time of creation."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self.types: dict[int, str] = {}
        self._texts: dict[int, str] = {}
        self._keys: Keys | None = None

    def put(self, content: Content) -> None:
        """Add or replace an entity."""
        if self._keys is not None and content.id not in self.names:
            self._keys.add(content.id, content.name)
        self.names[content.id] = content.name
        self.types[content.id] = content.type
        self._texts[content.id] = BORDER.join(map(folded, (content.name, content.type, *content.observations)))

    def drop(self, entity: int) -> None:
        """Remove an entity, if it is known."""
        name = self.names.pop(entity, None)
        if name is not None:
            del self.types[entity], self._texts[entity]
            if self._keys is not None:
                self._keys.drop(entity, name)

    def containing(self, part: str) -> list[int]:
        """Return entities with a substring in name, type or an observation, ignoring case, in order of creation."""
        sought = folded(part)
        return sorted([entity for entity, text in self._texts.items() if sought in text])

    @property
    def keys(self) -> Keys:
        """Return the entities by their keys; made at first use."""
        if self._keys is None:
            self._keys = Keys(self.names)
        return self._keys


def telling_words(text: str) -> frozenset[str]:
    """Return the words of a text that can name a subject."""
    return frozenset(word for word in tokens.words(text) if tokens.is_telling(word))


class EntityTexts:
    """The texts of one tenant's entities. They load at first use; every use sees what its transaction sees."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known = Known()
        self._follower = ChangeFollower(self, MANY)
        self._revision = 0

    def revision(self, tx: Transaction) -> int:
        """Return a number that grows whenever an entity or a relation of one changed since the last call."""
        with self._lock:
            self._follower.catch_up(tx)
            return self._revision

    @contextmanager
    def current(self, tx: Transaction) -> Iterator[Known]:
        """Yield the texts as of the transaction, under a lock."""
        with self._lock:
            self._follower.catch_up(tx)
            yield self._known

    def start_over(self, tx: Transaction) -> None:
        """Read every entity."""
        self._known = Known()
        self._revision += 1
        for content in entities.contents(tx):
            self._known.put(content)

    def take_in(self, tx: Transaction, news: Sequence[Change]) -> None:
        """Read again the entities that changed."""
        changed = last_operations(news, ("put", "delete")).keys()
        there = {content.id: content for content in entities.contents(tx, changed)}
        related = {change.record for change in news if change.operation == "link"}
        if there or any(entity in self._known.names for entity in changed | related):
            self._revision += 1
        for entity in changed - there.keys():
            self._known.drop(entity)
        for content in there.values():
            self._known.put(content)
