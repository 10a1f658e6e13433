"""The file of the reference memory server, in and out: `memory.jsonl`, one entity or relation a line.

In come both of its forms, the lines and the one object `{"entities": [...], "relations": [...]}` of read_graph. What is
imported passes no gate of the taxonomy: it was written before there were any, and nothing of it is to be left behind.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any

from indelible.batching import breathe
from indelible.core.context.context import Context
from indelible.core.records import entities, insert, trash, undo
from indelible.dataclass import dataclass
from indelible.errors import IndelibleError, InvalidInput
from indelible.filesystem import replace_file
from indelible.graph.envelopes import observation_text
from indelible.model import Edge, Record
from indelible.sanitize.validate import admit
from indelible.store.database import Transaction
from indelible.store.tables import edges
from indelible.store.views import entities as stored
from indelible.toolsets.memory.import_report import Counts

BATCH = 32  # lines a transaction, so that other processes are not kept waiting


@dataclass(slots=True)
class Imported(Counts):
    """The result of an import: the numbers of new and known items (known entities may get observations), and problems.

    `new` are the names of the new entities and the parts of the new relations, in order.
    """

    entities: int = 0
    relations: int = 0
    new: dict[str | tuple[str, str, str], None] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    @property
    def imported(self) -> int:
        """How many entities and relations were new."""
        return self.entities + self.relations

    def note_known(self, thing: str | tuple[str, str, str]) -> None:
        """Count what is there already: it came before in the same file, or was in the store."""
        if thing in self.new:
            self.repeated += 1
        else:
            self.skipped += 1


@dataclass(frozen=True, slots=True)
class _Entity:
    place: str
    name: str
    type: str
    observations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Relation:
    place: str
    source: str
    target: str
    relation: str


def import_file(ctx: Context, path: Path, pause: Callable[[], None] | None = breathe) -> Imported:
    """Take in a file as `import_content` does. Raises OSError where it cannot be read."""
    return import_content(ctx, path.read_bytes(), pause)


def import_content(ctx: Context, content: bytes, pause: Callable[[], None] | None = breathe) -> Imported:
    """Take in what a file holds; each bad line is reported with its number, the rest taken. Again it changes nothing.

    An entity that is here gets the observations that it lacks and keeps its type. Relations are made when all entities
    are there. `pause` is called between batches of 32 a transaction. Raises Cancelled between batches.
    """
    done = Imported()
    things = [thing for place, value in _values(content, done) if (thing := _thing(ctx, place, value, done))]
    found = [thing for thing in things if isinstance(thing, _Entity)]
    for at in range(0, len(found), BATCH):
        _write(ctx, partial(_store_entities, ctx, found[at : at + BATCH], done), done, pause)
    pairs = [thing for thing in things if isinstance(thing, _Relation)]
    for at in range(0, len(pairs), BATCH):
        _write(ctx, partial(_store_relations, ctx, pairs[at : at + BATCH], done), done, pause)
    return done


def _write(ctx: Context, work: Callable[[Transaction], None], done: Imported, pause: Callable[[], None] | None) -> None:
    ctx.call.stop_if_cancelled()
    counts = done.entities, done.relations, done.skipped, done.repeated
    bad, new = len(done.problems), len(done.new)

    def again(tx: Transaction) -> None:
        # where the database undid what was noted, and this is run again
        done.entities, done.relations, done.skipped, done.repeated = counts
        del done.problems[bad:]
        while len(done.new) > new:
            done.new.popitem()
        work(tx)

    ctx.store.write(again)
    if pause is not None:
        pause()


def export_lines(ctx: Context) -> Iterator[dict[str, Any]]:
    """Every entity, then every relation between two, as the lines of the file, as of one moment."""
    with ctx.store.read() as tx:
        for record in stored.page(tx):
            yield {
                "type": "entity",
                "name": record.key,
                "entityType": record.type,
                "observations": stored.observations_of(record),
            }
        for each in stored.relations(tx):
            yield {"type": "relation", "from": each.from_name, "to": each.to_name, "relationType": each.relation}


def export_file(ctx: Context, path: Path, before: bytes | None) -> tuple[bytes, Path | None]:
    """Bring a file to the entities and relations; return its content, and where that of another program was kept.

    `before` is what was written last, None for unknown: whatever else stands in the file, and has a line that is not
    written now, is kept beside it first. Raises InvalidInput where it cannot be written.
    """
    content = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in export_lines(ctx)).encode()
    try:
        there = path.read_bytes() if path.exists() else None
        kept = None
        if there not in (None, before, content) and not {*there.splitlines()} <= {*content.splitlines()}:
            kept = _beside(path)
            replace_file(kept, there)
        if there != content:
            replace_file(path, content)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror}; give a file that can be") from error
    return content, kept


def _beside(path: Path) -> Path:
    number = 1
    while (place := path.with_name(f"{path.name}.before{'' if number == 1 else number}")).exists():
        number += 1
    return place


# --- Reading a file ---


def _values(content: bytes, done: Imported) -> Iterator[tuple[str, Any]]:
    """(place, value) of everything in a file."""
    try:
        whole = json.loads(content)
    except (ValueError, RecursionError):
        yield from _lines(content, done)
        return
    if not isinstance(whole, dict) or not isinstance(whole.get("entities", whole.get("relations")), list):
        yield "line 1", whole
        return
    for name, kind in (("entities", "entity"), ("relations", "relation")):
        listed = whole.get(name, [])
        if not isinstance(listed, list):
            done.problems.append(f"{name} must be a list, got {type(listed).__name__}")
            continue
        for place, value in enumerate(listed):
            yield f"{name}[{place}]", {**value, "type": kind} if isinstance(value, dict) else value


def _lines(content: bytes, done: Imported) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            yield f"line {number}", json.loads(line)
        except (ValueError, RecursionError) as error:
            done.problems.append(f"line {number} is not JSON: {error}")


def _thing(ctx: Context, place: str, value: Any, done: Imported) -> _Entity | _Relation | None:
    try:
        clean, findings = admit(value, place)
        thing = _parsed(place, clean)
    except IndelibleError as error:
        done.problems.append(str(error) if str(error).startswith(place) else f"{place}: {error}")
        return None
    ctx.call.redacted.extend(findings)
    return thing


def _parsed(place: str, value: Any) -> _Entity | _Relation:
    if not isinstance(value, dict):
        raise InvalidInput(f"{place} must be an object, got {type(value).__name__}")
    if value.get("type") == "entity":
        name = _name(value, "name", key=True)
        return _Entity(place, name, _name(value, "entityType", empty=True), _observations(value))
    if value.get("type") == "relation":
        source, target = _name(value, "from", key=True), _name(value, "to", key=True)
        return _Relation(place, source, target, _name(value, "relationType"))
    raise InvalidInput(f"type must be entity or relation, got {json.dumps(value.get('type'))[:80]}")


def _name(value: dict[str, Any], field_: str, *, empty: bool = False, key: bool = False) -> str:
    text = value.get(field_)
    if not isinstance(text, str) or not (text or empty):
        raise InvalidInput(f"{field_} must be text, got {json.dumps(text)[:80]}")
    name = entities.key_name(text) if key else text
    entities.refuse_long(name, field_)
    return name


def _observations(value: dict[str, Any]) -> tuple[str, ...]:
    listed = value.get("observations", [])
    if not isinstance(listed, list) or not all(isinstance(each, (str, dict)) for each in listed):
        raise InvalidInput(f"observations must be a list of texts, got {json.dumps(listed)[:80]}")
    return tuple(map(observation_text, listed))


# --- Storing ---


def _store_entities(ctx: Context, some: Sequence[_Entity], done: Imported, tx: Transaction) -> None:
    there = stored.named(tx, (each.name for each in some))
    added: list[Record] = []
    for each in some:
        known = there.get(each.name)
        if known is not None:
            more = entities.missing(known, each.observations)
            if more and ctx.call.bulk and each.name not in done.new:
                trash.keep(ctx, tx, known, "update")
            there[each.name], _ = entities.extend(ctx, tx, known, more)
            done.note_known(each.name)
            continue
        record = entities.made(ctx, each.name, each.type, each.observations)
        there[each.name] = insert.add(ctx, tx, record)
        added.append(there[each.name])
        done.new[each.name] = None
        done.entities += 1
    if ctx.call.bulk and added:
        undo.note(ctx, tx, undo.Added(added[0].key, added[0].namespace, records=[record.id for record in added]))


def _store_relations(ctx: Context, some: Sequence[_Relation], done: Imported, tx: Transaction) -> None:
    there = stored.named(tx, (end for each in some for end in (each.source, each.target)))
    added: list[Edge] = []
    for each in some:
        source, target = there.get(each.source), there.get(each.target)
        if source is None or target is None:
            missing = each.source if source is None else each.target
            done.problems.append(f"{each.place}: Entity with name {missing:.200} not found")
            continue
        edge = Edge(source.id, target.id, each.relation, each.relation.upper(), 1.0, ctx.now())
        if edges.add(tx, edge):
            added.append(edge)
            done.new[each.source, each.relation, each.target] = None
            done.relations += 1
        else:
            done.note_known((each.source, each.relation, each.target))
    if ctx.call.bulk and added:
        undo.note(ctx, tx, undo.Added(some[0].source, "", edges=added))
