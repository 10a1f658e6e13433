"""One edited record: what of the edit may be taken, and the change of the store that it is."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from indelible.core.context.context import Context
from indelible.core.records import item_schema, lifetimes, trash
from indelible.core.records.trust import TYPED_BY, trusted
from indelible.dataclass import dataclass
from indelible.errors import Conflict, InvalidInput
from indelible.model import Edge, Record
from indelible.sanitize.redact import Finding
from indelible.sanitize.validate import admit
from indelible.store.database import Transaction
from indelible.store.tables import edges, records
from indelible.toolsets.memory import deletion

# What a record is from the start, and what the store sets: the field of an item, and the name in the front matter.
_FIXED = {
    **{"kind": "kind", "id": "id", "namespace": "project", "created_at": "created", "session": "session"},
    **{"position": "position", "replaced": "replaced"},
}
_FREE = ("memory", "entity")  # kinds whose text is changed as a whole; that of others has parts of its own
# Of the metadata of other kinds, what is no part of theirs.
_LIFETIME = (*lifetimes.TIMES, lifetimes.PINNED)
_Key = tuple[str, str, str, float, str]


@dataclass(frozen=True, slots=True)
class Change:
    """The record as it shall be, and the exported relations that it gets and loses."""

    record: Record
    added: list[dict[str, Any]]
    removed: set[_Key]
    findings: list[Finding]


def completed(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item of a file with what is left out there where it is as usual."""
    usual = {"importance": 0.5, "confidence": 1.0, "created_at": "", "position": 0, "kind": "memory", "id": ""}
    return {**usual, **item}


def change(ctx: Context, there: Mapping[str, Any], given: Mapping[str, Any]) -> Change:
    """Return what an edit changes. `there` is the record as exported now, `given` as its file has it.

    Raises InvalidInput that names what cannot be edited.
    """
    item = {**given}
    for name, shown in _FIXED.items():
        before, after = there.get(name) or None, item.get(name, there.get(name)) or None
        if before != after:
            raise InvalidInput(
                f"changes {shown} from {_quoted(before)} to {_quoted(after)}, which no edit can; undo that"
            )
        if name in there:
            item[name] = there[name]
    item.pop("updated_at", None)  # the store sets it
    clean, findings = admit(item, "memories")
    parsed = item_schema.parse(ctx, 0, clean).record
    _refuse_parts(there, clean, parsed)
    before = {_key(edge) for edge in there["edges"]}
    after = {_key(edge): edge for edge in clean["edges"]}
    added = [edge for key, edge in after.items() if key not in before]
    return Change(parsed, added, before - after.keys(), findings)


def _refuse_parts(there: Mapping[str, Any], given: Mapping[str, Any], parsed: Record) -> None:
    """Raise InvalidInput where an edit changes what only a tool of its kind can."""
    kind = there["kind"]
    if kind in _FREE:
        if kind == "entity" and parsed.label != there.get("label", ""):
            raise InvalidInput("changes title, which for an entity is its id; add another entity")
        return
    if given["content"] != there["content"]:
        raise InvalidInput(
            f"changes the text of a {kind}, which has parts beside it, so that no edit can; undo that, store another"
        )
    if given["memory_type"] != there["memory_type"] or parsed.label != there.get("label", ""):
        raise InvalidInput(f"changes type or title of a {kind}, which no edit can; undo that, and store another")
    parts = [
        {name: value for name, value in each["metadata"].items() if name != TYPED_BY and not _is_free(kind, name)}
        for each in (there, given)
    ]
    if parts[0] != parts[1]:
        raise InvalidInput(f"changes metadata of a {kind} that the store writes, which no edit can; undo that")


def _is_free(kind: str, name: str) -> bool:
    return kind in lifetimes.KINDS and name in _LIFETIME


def _quoted(value: Any) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)[:80]


def _key(edge: Mapping[str, Any]) -> _Key:
    metadata = json.dumps(lifetimes.normalized(edge.get("metadata") or {}), sort_keys=True)
    namespace = edge.get("target_namespace") or ""
    return edge["relationship"], edge["target"], namespace, float(edge.get("weight", 1.0)), metadata


def write(ctx: Context, there: Mapping[str, Any], change: Change, tx: Transaction) -> None:
    """Change a record and take away relations, the old states into the trash. Raises Conflict where that cannot be."""
    old, given = _stored(tx, there), change.record
    kept = {TYPED_BY: old.metadata[TYPED_BY]} if TYPED_BY in old.metadata else {}
    new = replace(
        old,
        **{name: getattr(given, name) for name in ("text", "type", "label", "tags", "importance", "confidence")},
        metadata={**given.metadata, **kept},
    )
    if new.text != old.text:
        digest = item_schema.content_hash(new.kind, new.type, new.text, new.metadata)
        same = records.by_content(tx, old.namespace, digest) if new.kind == "memory" and not old.replaced else None
        if same is not None and same.id != old.id:
            raise Conflict(f"has the text of memory {same.key} of the same project; edit or delete that one")
        new = trusted(ctx, replace(new, content_hash=digest))
    if new != old:
        trash.overwrite(ctx, tx, old, replace(new, updated=ctx.now()), revision=new.text != old.text)
    gone = _relations(tx, old, change.removed) if change.removed else []
    for edge in gone:
        trash.keep_edge(ctx, tx, edge, old)
        edges.delete(tx, edge)


def _stored(tx: Transaction, there: Mapping[str, Any]) -> Record:
    found = [each for each in records.by_key(tx, there["id"]) if each.uid == there["uid"]]
    if not found:
        raise Conflict("was edited, and its record was deleted meanwhile; import again")
    return found[0]


def _relations(tx: Transaction, source: Record, removed: set[_Key]) -> list[Edge]:
    own = [edge for edge in edges.of_records(tx, [source.id]) if edge.source == source.id]
    ends = records.by_ids(tx, [edge.target for edge in own])
    found = []
    for edge in own:
        exported = item_schema.edge_as_json(source, edge, {source.id: source, **ends})
        if not edges.is_of_code(edge) and _key(exported) in removed:
            found.append(edge)
    return found


def delete(ctx: Context, there: Mapping[str, Any], tx: Transaction) -> None:
    """Move a record to the trash with what exists only for it: the parts of a document, entities of a failure."""
    deletion.delete_records(ctx, tx, [_stored(tx, there)])
