"""The models that a store has chosen: the dense one that recall searches, that to follow it, those left; a reranker.

The choice is a setting of the tenant, so that every process of the store follows it.
"""

import json
from dataclasses import field, replace
from functools import lru_cache

from indelible.dataclass import dataclass
from indelible.embed.base import BUILT_IN, MODEL
from indelible.store.database import Transaction, once
from indelible.store.tables import embeddings, settings


@dataclass(frozen=True, slots=True)
class Named:
    """A model by the name that people call it, and by that under which the store keeps what it makes."""

    name: str
    model: str


DEFAULT = Named(BUILT_IN, MODEL)


@dataclass(frozen=True, slots=True)
class Null:
    """Mean and deviation of the cosines of random pairs of a store's texts, and its highest row id at that time."""

    size: int
    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Choice:
    """`searched` is what recall searches and what embeds new texts; `wanted` takes its place once it has embedded all.

    `left` has the models, by their names in the store, whose vectors are kept for a return, with the microsecond in
    which each was left. `reranker` is a cross-encoder that orders the best hits anew, by its identity; None for none.
    `nulls` are by the models' names in the store; the built-in one needs none.
    """

    searched: Named = DEFAULT
    wanted: Named | None = None
    left: dict[str, int] = field(default_factory=dict)
    reranker: Named | None = None
    nulls: dict[str, Null] = field(default_factory=dict)

    def to(self, named: Named) -> "Choice":
        """Return the choice after a person has chosen: the same model again ends a change that is under way."""
        return replace(self, wanted=None if named.model == self.searched.model else named)

    def switched(self, now: int) -> "Choice":
        """Return the choice when the wanted model has embedded all."""
        if self.wanted is None:
            return self
        left = {name: since for name, since in self.left.items() if name != self.wanted.model}
        return replace(self, searched=self.wanted, wanted=None, left={**left, self.searched.model: now})

    @property
    def unsearched(self) -> list[str]:
        """The models, by their names in the store, whose vectors no recall searches."""
        return [*self.left, *([] if self.wanted is None else [self.wanted.model])]


def stored(tx: Transaction) -> str | None:
    """Return the setting as the transaction sees it, None where no model was ever chosen."""
    what = settings.STORED, settings.DENSE_MODEL
    return once(tx, what, lambda: settings.find(tx, settings.DENSE_MODEL))


def read(tx: Transaction) -> Choice:
    """Return the choice as of the transaction."""
    return parsed(stored(tx))


def put(tx: Transaction, choice: Choice) -> None:
    """Store a choice, in a transaction that writes."""
    value = {
        "searched": _written(choice.searched),
        "wanted": _written(choice.wanted),
        "left": choice.left,
        "reranker": _written(choice.reranker),
        "nulls": {name: [null.size, null.mean, null.deviation] for name, null in choice.nulls.items()},
    }
    settings.put(tx, settings.DENSE_MODEL, json.dumps(value))


@lru_cache(maxsize=8)
def parsed(setting: str | None) -> Choice:
    """Return the choice that a setting says, the built-in model for none; not to be changed."""
    if setting is None:
        return Choice()
    value = json.loads(setting)
    wanted, reranker = (None if named is None else Named(*named) for named in (value["wanted"], value.get("reranker")))
    nulls = {name: Null(*null) for name, null in value.get("nulls", {}).items()}
    return Choice(Named(*value["searched"]), wanted, value["left"], reranker, nulls)


def _written(named: Named | None) -> list[str] | None:
    return None if named is None else [named.name, named.model]


def embedded(tx: Transaction) -> dict[str, int]:
    """Return how many records each model has embedded, without those models whose vectors no recall searches."""
    unsearched = read(tx).unsearched
    return {name: count for name, count in embeddings.count_by_model(tx).items() if name not in unsearched}


def unsearched_numbers(tx: Transaction) -> set[int]:
    """Return the numbers of the models whose vectors no recall searches."""
    found = (embeddings.model(tx, name) for name in read(tx).unsearched)
    return {model.number for model in found if model is not None}
