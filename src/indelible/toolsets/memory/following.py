"""Records that an import took from another tool's data follow their entries there, by what is noted of them."""

import hashlib
import json
from dataclasses import replace

from indelible.core.context.context import Context
from indelible.core.records import entity_fields, trash
from indelible.core.records.item_schema import Item
from indelible.core.records.solution_fields import COUNTS
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.tables import trash as discarded
from indelible.store.views import entities as entities_view

FOLLOWED = ("memory", "message", "todo", "solution")  # kinds whose records follow their entries, see `follow`
FROM = "imported_from"  # metadata of what another tool's data gave: the source, the id there, what stood there
TOOL = "import"  # by which the command's deletions and undos are known
OBSERVED = "observations"  # in that, of an entity: short hashes of its observations there


def digested(item: Item) -> Item:
    """Return an entry of another tool's data with a digest of it, redacted as it is by now."""
    source = item.record.metadata.get(FROM)
    if not isinstance(source, dict):
        return item
    record = item.record
    parts = [record.text, record.type, record.label, sorted(record.tags)]
    digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
    now = {**source, "digest": digest}
    if record.kind == entities_view.KIND:
        now[OBSERVED] = [_short(text) for text in entities_view.observations_of(record)]
    return replace(item, record=replace(record, metadata={**record.metadata, FROM: now}))


def _short(text: str) -> str:
    """Return a short hash by which an observation of one entity is known."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:12]


def follow(ctx: Context, tx: Transaction, item: Item, record: Record, there: Record) -> bool:
    """Change a record whose entry in another tool's data is another one by now; return whether it was."""
    if record.kind == entities_view.KIND:
        new, terms = _with_observations(ctx, there, record), None
    else:
        new, terms = (_followed(ctx, there, record) if _is_changed(tx, record, there) else there), item.text_terms
    if new is there:
        return False
    trash.overwrite(ctx, tx, there, new, terms, revision=True)
    return True


def is_deleted_here(tx: Transaction, record: Record) -> bool:
    """Return whether what an import took of the same entry was deleted here since: not by an import or its undo."""
    found = (each for each in discarded.of_key(tx, record.key) if each.action == "delete")
    last = next((each for each in found if each.state.kind == record.kind), None)
    if last is None or last.undone or last.tool == TOOL or last.reverses == discarded.REVERSES:
        return False
    return _is_of_entry(last.state, record)


def _is_of_entry(there: Record, record: Record) -> bool:
    now, was = record.metadata.get(FROM), there.metadata.get(FROM)
    if not (isinstance(now, dict) and isinstance(was, dict)):
        return False
    return (now.get("source"), now.get("id")) == (was.get("source"), was.get("id"))


def _with_observations(ctx: Context, there: Record, record: Record) -> Record:
    """Return an entity with what became of its observations in another tool's data since they were taken.

    Those that are gone there are gone here, those that are new there are added; what was added or deleted here stays
    so. Of an entity that was here before, or of one taken by an earlier version, what it lacks is added.
    """
    now, was = record.metadata.get(FROM), there.metadata.get(FROM)
    if not isinstance(now, dict):
        return there
    of_source = was if isinstance(was, dict) and was.get("source") == now.get("source") else {}
    is_its_own = of_source.get("id") == now.get("id")
    before = set(of_source.get(OBSERVED, ())) if is_its_own else set[str]()
    gone = before - set(now[OBSERVED])
    kept = [text for text in entities_view.observations_of(there) if _short(text) not in gone]
    new = [t for t in entities_view.observations_of(record) if t not in kept and _short(t) not in before]
    observations = [*kept, *new]
    if observations == entities_view.observations_of(there):
        return there
    changed = entity_fields.replaced(there, observations, ctx.now())
    is_followed = is_its_own or (of_source and not of_source.get(OBSERVED))  # so far it was only named there
    return replace(changed, metadata={**changed.metadata, FROM: now}) if is_followed else changed


def _is_changed(tx: Transaction, record: Record, there: Record) -> bool:
    """Whether an entry of another tool's data is another one there by now than when it was taken.

    Where it now says what another memory of the namespace says, that one stands for it.
    """
    is_another = (
        there.kind == record.kind
        and record.kind in FOLLOWED
        and _is_of_entry(there, record)
        and "digest" in record.metadata[FROM]
        and record.metadata[FROM]["digest"] != there.metadata[FROM].get("digest")
    )
    is_unique = is_another and record.kind == "memory"
    same = records.by_content(tx, there.namespace, record.content_hash) if is_unique else None
    return is_another and (same is None or same.id == there.id)


def _followed(ctx: Context, there: Record, record: Record) -> Record:
    """Return a record as its source has it now; what was said of it here, as a lifetime, and what was counted stays."""
    counted = {name: there.metadata[name] for name in COUNTS.values() if name in there.metadata}
    return replace(
        there,
        text=record.text,
        type=record.type,
        tags=record.tags,
        metadata={**there.metadata, **record.metadata, **(counted if there.kind == "solution" else {})},
        content_hash=record.content_hash,
        updated=ctx.now(),
    )
