"""A source of an import: another tool's data, where it lies, and the plain entries that it gives."""

import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from indelible.dataclass import dataclass
from indelible.toolsets.memory.following import FROM

DELETED = "deleted there"
_KEYS = uuid.UUID("6f1c2b0e-7a55-4c8e-9d1b-2f6f3f2d9a41")  # in which the ids of imported records are made


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The places where sources are looked for: the home, the project's directory, the variables."""

    home: Path
    directory: Path
    environ: Mapping[str, str]

    def named(self, variable: str) -> Path | None:
        """Return the path that a variable holds, None where it is not set."""
        value = self.environ.get(variable, "")
        return Path(value).expanduser() if value.strip() else None


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a source.

    `own` is what the source knows it by for good: its id, or its path and heading. `item` has the fields of an exported
    record (see `core.records.item_schema`); without an `id` it gets one that is made of the source and `own`. `place`
    says where it stands, for a person.
    """

    own: str
    place: str
    item: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Refused:
    """An entry that cannot be taken, or a file of which no entry can be read, and why."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class PassedOver:
    """An entry that is there and that is meant to be left there: what it is, such as "deleted there", is counted."""

    what: str


@dataclass(frozen=True, slots=True)
class Source:
    """Another tool: its name, what is taken of it, where that usually is, and what reads it.

    `places` returns the places that are there. `read` gives each entry of a place, says why it cannot be taken or
    that it is passed over; it raises InvalidInput, StoreError or OSError where the place as a whole is not what it
    should be.
    """

    name: str
    what: str
    places: Callable[[Surroundings], list[Path]]
    read: Callable[[Path, Surroundings], Iterator[Entry | Refused | PassedOver]]


def key_of(source: str, own: str) -> str:
    """Return the id of the record of an entry: the same at each import, so that a changed entry is known again."""
    return str(uuid.uuid5(_KEYS, f"{source}\n{own}"))


def item_of(source: str, entry: Entry, at: Path) -> dict[str, Any]:
    """Return an entry of a place as an item to import, with its id and what says where it came from."""
    item = entry.item
    marks = {"origin": "import", FROM: {"source": source, "id": entry.own, "at": str(at)}}
    return {
        **item,
        "id": item.get("id") or key_of(source, entry.own),
        "metadata": {**item.get("metadata", {}), **marks},
    }
