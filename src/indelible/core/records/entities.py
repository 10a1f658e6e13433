"""Reading and writing single entities and relations of the knowledge graph inside a transaction, for every toolset.

An entity is a record of kind `entity`: its name is key and label, its text name and observations, one a line.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256

from indelible.core.context.context import Context
from indelible.core.context.quota import size_of
from indelible.core.context.write_scope import shared_namespace_to_read, shared_namespace_to_write
from indelible.core.records import entity_fields as saying
from indelible.core.records import insert, lifetimes, trash
from indelible.core.records.lifetimes import UNCHANGED, Lifetime
from indelible.errors import InvalidInput
from indelible.graph import gates
from indelible.graph.keys import key_form
from indelible.model import Edge, Record
from indelible.store.database import Transaction
from indelible.store.tables import edges, records
from indelible.store.views import entities as stored

LONGEST_NAME = 2_000  # bytes: names and relations stand in indexes, and PostgreSQL's take some 2,700

_HASH_AT_END = re.compile(r"#[0-9a-f]{8}$")


def put(
    ctx: Context,
    tx: Transaction,
    name: str,
    entity_type: str,
    observations: Sequence[str],
    *,
    at: int | None = None,
) -> Record:
    """Create an entity, or add the observations that the one of that name lacks; returns the entity as it then is.

    `at` is when a new one was created, in microseconds since 1970; default: now. An over-long key is shortened by
    `key_name`, and a search for the long key finds it. Raises InvalidInput where the gates of the settings refuse it.
    """
    name, namespace = key_name(name), shared_namespace_to_write(ctx, tx)
    there = named_in(ctx, tx, [name], namespace).get(name)
    mode = ctx.settings.graph_validation
    if there is None:
        refuse_long(name, "name")
        record = made(ctx, name, entity_type, gates.check_entity(name, entity_type, observations, mode))
        when = record.created if at is None else at
        record = replace(record, namespace=namespace, created=when, updated=when)
        return insert.add(ctx, tx, record)
    return extend(ctx, tx, there, gates.check_observations(name, entity_type, observations, mode))[0]


def relate(
    ctx: Context, tx: Transaction, source: Record, relation: str, target: Record, times: Lifetime = UNCHANGED
) -> bool:
    """Relate two entities, and return whether that changed anything; a relation that is there takes given times.

    Its old state is kept. Raises InvalidInput where the gates refuse it, and for times that are none.
    """
    check_relation(ctx, source, relation, target)
    metadata = lifetimes.with_lifetime(ctx, {}, times)
    if edges.add(tx, Edge(source.id, target.id, relation, relation.upper(), 1.0, ctx.now(), metadata)):
        return True
    there = edges.find(tx, source.id, target.id, relation) if times.is_given else None
    if there is None or (metadata := lifetimes.with_lifetime(ctx, there.metadata, times)) == there.metadata:
        return False
    trash.keep_edge(ctx, tx, there, source)
    edges.set_metadata(tx, there.id, metadata)
    return True


def check_relation(ctx: Context, source: Record, relation: str, target: Record) -> None:
    """Raise InvalidInput where two entities may not be related so; every tool that relates records calls it."""
    if source.kind == target.kind == stored.KIND:
        mode = ctx.settings.graph_validation
        gates.check_relation(source.key, source.type, target.key, target.type, relation, mode)


def find(ctx: Context, tx: Transaction, name: str) -> Record | None:
    """Return the entity of exactly that name (an over-long key stands for its shortened form), or None."""
    name = key_name(name)
    return named(ctx, tx, [name]).get(name)


def named(ctx: Context, tx: Transaction, names: Iterable[str]) -> dict[str, Record]:
    """Return the existing entities of exactly those names by name, in order of creation; the own namespace's win.

    Several have one name only where they are of several namespaces (`shared_namespace_to_write`).
    """
    return stored.named(tx, names, shared_namespace_to_read(ctx, tx))


def named_in(ctx: Context, tx: Transaction, names: Iterable[str], namespace: str) -> dict[str, Record]:
    """Return the same of one namespace only."""
    found = stored.named(tx, names, namespace)
    return {name: record for name, record in found.items() if record.namespace == namespace}


def made(ctx: Context, name: str, entity_type: str, observations: Iterable[str]) -> Record:
    """Return the record of a new entity, each observation once, before it is stored."""
    kept = list(dict.fromkeys(observations))
    return insert.new(
        ctx,
        stored.KIND,
        saying.text_of(name, kept),
        key=name,
        type=entity_type,
        label=name,
        namespace=stored.NAMESPACE,
        metadata={"observations": kept},
    )


def extend(ctx: Context, tx: Transaction, there: Record, observations: Iterable[str]) -> tuple[Record, list[str]]:
    """Add missing observations to an entity; returns the entity as it then is, and those added.

    Existing ones stay, so nothing goes to the trash.
    """
    added = missing(there, observations)
    if not added:
        return there, []
    changed = saying.replaced(there, [*stored.observations_of(there), *added], ctx.now())
    ctx.take_room(tx, 0, lambda: size_of([changed]) - size_of([there]))
    records.update(tx, changed)
    insert.index_words(ctx, tx, changed)
    return changed, added


def missing(there: Record, observations: Iterable[str]) -> list[str]:
    """Return the observations that an entity does not have yet, each once."""
    known = set(stored.observations_of(there))
    return [text for text in dict.fromkeys(observations) if text not in known]


def refuse_long(text: str, argument: str) -> None:
    """Raise InvalidInput for a name or relation too long for an index."""
    size = len(text.encode())
    if size > LONGEST_NAME:
        raise InvalidInput(
            f"{argument} has {size:,} bytes, at most {LONGEST_NAME:,} are allowed; shorten it, and give the rest as an"
            f" observation"
        )


def key_name(name: str) -> str:
    """Return the stored name of an entity: an over-long key cut, with a hash of all of it; other names unchanged.

    The same key gives the same name, in the form of its keys. A name without a key prefix is never cut.
    """
    if len(name.encode()) <= LONGEST_NAME or key_form(name) is None:
        return name
    tail = _HASH_AT_END.search(name)
    end = f"…{sha256(name.encode()).hexdigest()[:16]}{tail[0] if tail else ''}"
    head = name.encode()[: LONGEST_NAME - len(end.encode())].decode(errors="ignore")
    return head.rstrip() + end
