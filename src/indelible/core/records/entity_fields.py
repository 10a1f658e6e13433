"""The fields of an entity in its record: pure functions on records."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from indelible.model import Record
from indelible.store.views.entities import observations_of


def text_of(name: str, observations: Iterable[str]) -> str:
    """Return the text of an entity: its name and its observations, each on a line of its own."""
    return "\n".join((name, *observations))


def replaced(record: Record, observations: Sequence[str], updated: int) -> Record:
    """Return an entity with these observations instead of its own."""
    kept = list(observations)
    metadata = {**record.metadata, "observations": kept}
    return replace(record, text=text_of(record.key, kept), metadata=metadata, updated=updated)


def joined(earlier: Record, current: Record) -> Record:
    """Return an earlier state of an entity with the observations added since appended."""
    before = observations_of(earlier)
    known = set(before)
    added = [text for text in observations_of(current) if text not in known]
    return replaced(earlier, [*before, *added], current.updated) if added else earlier
