"""Code attempts among the records: an attempt's type is its result, its content hash that of its prompt."""

import json
from collections.abc import Iterable

from indelible.dataclass import dataclass
from indelible.store.database import Transaction

ATTEMPT = "attempt"
PASS = "pass"


@dataclass(frozen=True, slots=True)
class Tried:
    """One attempt at a prompt, by row id."""

    id: int
    prompt: str  # the digest
    result: str
    created: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an attempt: its result, its tags, and the error where it did not pass."""

    result: str
    tags: tuple[str, ...]
    error: str


def of_prompts(tx: Transaction, prompts: Iterable[str]) -> list[Tried]:
    """Every attempt at those prompts (digests), the newest first."""
    rows = tx.rows("attempts.of_prompts", prompts=json.dumps(sorted(prompts)))
    return [Tried(*row) for row in rows]


def outcomes(tx: Transaction, prompts: Iterable[str] = ()) -> list[Outcome]:
    """Return the outcome of every attempt, the newest first; of all prompts where none is named."""
    rows = tx.rows("attempts.outcomes", prompts=json.dumps(sorted(prompts)))
    return [Outcome(result, tuple(json.loads(tags)), str(error)) for result, tags, error in rows]
