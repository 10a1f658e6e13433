"""The weights of a score's components: stored in the store, so that every server ranks alike."""

import json
import math
from collections.abc import Mapping
from functools import lru_cache
from typing import TypedDict

from indelible.core.context.context import Context
from indelible.errors import InvalidInput
from indelible.model import COMPONENTS
from indelible.store.database import Transaction, once
from indelible.store.tables import settings

# Imported late (start, cli): indelible.search.scoring

SETTING = settings.SCORING_WEIGHTS


class WeightsSet(TypedDict):
    """The answer to `put`: whether weights were given, and those that hold now."""

    updated: bool
    weights: dict[str, float]


def current(ctx: Context, tx: Transaction) -> Mapping[str, float]:
    """Return the weights as of the transaction, by component in their fixed order; they sum to 1."""
    from indelible.search.scoring import DEFAULT_WEIGHTS

    stored = once(tx, (settings.STORED, SETTING), lambda: settings.find(tx, SETTING))
    return DEFAULT_WEIGHTS if stored is None else _parsed(stored)


@lru_cache(maxsize=4)
def _parsed(stored: str) -> Mapping[str, float]:
    found = json.loads(stored)
    return {name: float(found[name]) for name in COMPONENTS}


def put(ctx: Context, given: Mapping[str, float], *, reset: bool = False) -> WeightsSet:
    """Replace the given weights, then divide all by their sum; nothing given changes nothing.

    With `reset` the defaults are restored first. The old weights are not kept. Raises InvalidInput for a weight that is
    no number of at least 0, and where all would be 0.
    """
    if not given and not reset:
        with ctx.store.read() as tx:
            return {"updated": False, "weights": dict(current(ctx, tx))}
    from indelible.search.scoring import DEFAULT_WEIGHTS

    def work(tx: Transaction) -> WeightsSet:
        weights = changed(DEFAULT_WEIGHTS if reset else current(ctx, tx), given)
        settings.put(tx, SETTING, json.dumps(weights))
        return {"updated": True, "weights": weights}

    return ctx.write(work)


def changed(weights: Mapping[str, float], given: Mapping[str, float]) -> dict[str, float]:
    """Return weights with the given ones replaced, as `put` would store them. Raises InvalidInput as `put` does."""
    for name, value in given.items():
        _check(name, value)
    return normalised({**weights, **given})


def normalised(weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weights divided by their sum, in the fixed order of the components. Raises InvalidInput."""
    total = sum(weights[name] for name in COMPONENTS)
    if total <= 0:
        raise InvalidInput(f"at least one of {', '.join(COMPONENTS)} must be above 0, all would be 0; give one weight")
    if not math.isfinite(total):
        raise InvalidInput("the weights are too large to be added up; give smaller ones, only their ratio counts")
    return {name: weights[name] / total for name in COMPONENTS}


def _check(name: str, value: float) -> None:
    if name not in COMPONENTS:
        raise InvalidInput(f"unknown weight {name!r}; allowed are {', '.join(COMPONENTS)}")
    if not (value >= 0 and math.isfinite(value)):
        raise InvalidInput(f"{name} must be a finite number of at least 0, got {value}")
