"""The version by which the words of a store were read and its rules marked, and how far they are read again since."""

import json
from typing import NamedTuple

from indelible.core.context.context import Context
from indelible.search import rules, tokens
from indelible.store.database import Transaction
from indelible.store.tables import records, settings

VERSION = f"{tokens.VERSION}.{rules.VERSION}"
SETTING = "tokenizer"  # a version, and the last record that was read by it; null where all were


class Place(NamedTuple):
    """The version that a store's words are of, and the last record read by it: None where there are no others."""

    version: str
    last: int | None


def place(tx: Transaction) -> Place:
    """Return how far the store is; one that no version has read begins with its first record."""
    stored = settings.find(tx, SETTING)
    found = Place(*json.loads(stored)) if stored is not None else Place("", 0)
    return found if found.version == VERSION else Place(VERSION, 0)


def put(tx: Transaction, last: int | None) -> None:
    """Note how far this version is."""
    settings.put(tx, SETTING, json.dumps(Place(VERSION, last)))


def is_current(ctx: Context) -> bool:
    """Whether all words are read by this version: what is stored by it is."""
    with ctx.store.read() as tx:
        return place(tx).last is None


def begin(ctx: Context) -> None:
    """Note that a store without records is read by this version: what fills it by the thousand is not read twice."""
    if is_current(ctx):
        return

    def note(tx: Transaction) -> None:
        if not records.after(tx, 0, 1):
            put(tx, None)

    ctx.store.write(note)
