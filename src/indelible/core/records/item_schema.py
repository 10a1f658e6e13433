"""Records in the form of exports and imports: written as JSON, and parsed from it item by item with checks."""

import hashlib
import json
import re
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from indelible.clock import time_text, time_value
from indelible.core.context.context import Context
from indelible.core.context.ids import name_of
from indelible.core.records import attempt_fields, insert, lifetimes, solution_fields
from indelible.core.records.bounds import LONGEST_NAME, LONGEST_TAG, MOST_TAGS, refuse_heavy, refuse_over
from indelible.core.records.trust import TYPED_BY
from indelible.dataclass import dataclass
from indelible.errors import InvalidInput
from indelible.model import KINDS, MEMORY_TYPES, Access, Edge, Record
from indelible.sanitize.validate import refuse_blank
from indelible.search import tokens
from indelible.store.views import code_links

SHARED_KINDS = ("entity", "vector")  # kinds that belong to no project: their ids are unique among all projects
PER_PROJECT = ("file", "symbol", "commit")  # whose ids are unique in a namespace only: each has its own src/app.py
HASHED = ("memory", "document", "solution")  # kinds that are compared by their content
WITH_CALLERS_METADATA = ("memory", "message", "document", "chunk")  # of other kinds the store writes the metadata
MOST_EDGES = 100_000  # of one item
WITHOUT_TEXT = ("vector", "message")  # kinds that need none: a message may be known by its links alone

_FIELDS = frozenset(
    "id kind content label memory_type importance confidence tags namespace metadata replaced created_at updated_at "
    "session position access_count last_accessed_at edges content_hash replaced_by uid".split()
)
_NAME = {"maxLength": LONGEST_NAME}
_BOUNDS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("id", "namespace", "session"), _NAME),
    "tags": {"maxItems": MOST_TAGS, "items": {"maxLength": LONGEST_TAG}},
    "edges": {
        "maxItems": MOST_EDGES,
        "items": {"properties": dict.fromkeys(("source", "target", "relationship"), _NAME)},
    },
}
_UID = re.compile("[0-9a-f]{32}")
# Fields by which the files of other tools are recognised, and the commands that read them.
_OTHERS = {"entityType": "memory-jsonl", "relationType": "memory-jsonl", "vector": "vecfs"}


@dataclass(frozen=True, slots=True)
class Item:
    """One item to import: its position in the input (from 0), the record, the terms of its text, its relations."""

    index: int
    record: Record
    text_terms: dict[int, int]
    names_namespace: bool
    used: Access | None
    relations: list[dict[str, Any]]


def parse(ctx: Context, index: int, thing: Any) -> Item:
    """Return one exported item as a record. Raises InvalidInput that names the field, the value and what is allowed."""
    if not isinstance(thing, dict):
        raise InvalidInput(f"each item must be an object with at least `content`, got {type(thing).__name__}")
    unknown = sorted(set(thing) - _FIELDS)
    if unknown:
        reader = next((_OTHERS[name] for name in unknown if name in _OTHERS), None)
        other = f"; `indelible import --from {reader}` reads it" if reader else ""
        raise InvalidInput(f"unknown field {unknown[0]!r}{other}; allowed are {', '.join(sorted(_FIELDS))}")
    for name, schema in _BOUNDS.items():
        refuse_over(thing.get(name), schema, name)
    kind = _text(thing, "kind", "memory", allowed=KINDS)
    if kind in WITH_CALLERS_METADATA:
        refuse_heavy(thing.get("metadata"), "metadata")
    content = _text(thing, "content", None, empty=kind in WITHOUT_TEXT)
    if kind != "vector" and (content or kind != "message"):
        refuse_blank(content, "content")
    now = ctx.now()
    created = _time(thing, "created_at", now)
    updated = _time(thing, "updated_at", created)
    namespace = thing.get("namespace")
    if namespace is not None:
        namespace = _text(thing, "namespace", None)
    record = insert.new(
        ctx,
        kind,
        content,
        key=_text(thing, "id", None) if thing.get("id") is not None else str(uuid.uuid4()),
        type=_text(thing, "memory_type", "context", allowed=MEMORY_TYPES)
        if kind == "memory"
        else _text(thing, "memory_type", "", empty=True),
        label=_text(thing, "label", "", empty=True),
        created=created,
        updated=updated,
        namespace=namespace or "",
        tags=tuple(_texts(thing, "tags")),
        metadata=_metadata(thing, kind),
        importance=_fraction(thing, "importance", 0.5),
        confidence=_fraction(thing, "confidence", 1.0),
        content_hash=_content_hash(thing, kind, content),
        session=_text(thing, "session", ctx.session.id, empty=True),
        position=_whole(thing, "position", max(0, created)),
        replaced=_flag(thing, "replaced"),
        uid=_uid(thing),
    )
    count = _whole(thing, "access_count", 0)
    used = Access(count, _time(thing, "last_accessed_at", updated)) if count else None
    names_namespace = "namespace" in thing or kind in SHARED_KINDS
    beside = record.namespace if names_namespace else None
    return Item(
        index,
        record,
        {} if kind == "document" else tokens.terms(content),  # a document is found by its chunks
        names_namespace,
        used,
        [_relation(edge, created, beside) for edge in _list(thing, "edges")],
    )


def _metadata(thing: dict[str, Any], kind: str) -> dict[str, Any]:
    given = {name: value for name, value in _object(thing, "metadata").items() if name != TYPED_BY}
    return lifetimes.normalized(given) if kind in lifetimes.KINDS else given


def as_json(
    record: Record,
    used: Access | None,
    relations: Sequence[Edge],
    keys: dict[int, Record],
    replaced_by: str = "",
    *,
    is_shared_apart: bool = False,
) -> dict[str, Any]:
    """Return a record with its relations as exports show it; ends of relations are ids, `kind:id` for foreign kinds.

    An import does not read what a record is `replaced_by`: the relations say it.

    The namespace of an end is included where another record may have its id and it is not the record's own namespace:
    with `is_shared_apart` a namespace may have an entity or vector of its own beside one of that name in none.
    """
    return {
        "id": record.key,
        "kind": record.kind,
        "content": record.text,
        **({"label": record.label} if record.label else {}),
        "memory_type": record.type,
        "importance": record.importance,
        "confidence": record.confidence,
        "tags": list(record.tags),
        "namespace": record.namespace or None,
        "metadata": record.metadata,
        **({"replaced": True} if record.replaced else {}),
        **({"replaced_by": replaced_by} if record.replaced and replaced_by else {}),
        "created_at": time_text(record.created, fraction=True),
        "updated_at": time_text(record.updated, fraction=True),
        "access_count": used.count if used else 0,
        "last_accessed_at": time_text(used.last, fraction=True) if used else None,
        "session": record.session,
        "position": record.position,
        "edges": [edge_as_json(record, edge, keys, is_shared_apart=is_shared_apart) for edge in relations],
    }


def edge_as_json(
    record: Record, edge: Edge, keys: Mapping[int, Record], *, is_shared_apart: bool = False
) -> dict[str, Any]:
    """Return a relation of a record as exports show it; `keys` has both of its ends by row id."""
    return {
        "source": name_of(keys[edge.source]),
        "target": name_of(keys[edge.target]),
        **_namespaces(record, is_shared_apart, source=keys[edge.source], target=keys[edge.target]),
        "relationship": edge.relation,
        "weight": edge.weight,
        "metadata": code_links.stated(edge.canonical, edge.metadata),
        "created_at": time_text(edge.created, fraction=True),
    }


def item_state(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an exported item says of a record, in one form: without accesses and the time of its last change.

    Two of them are equal where an import of the one item over the other would change nothing.
    """
    metadata = {name: value for name, value in item["metadata"].items() if name != TYPED_BY}
    relations = [
        {
            "relationship": edge["relationship"],
            "target": edge["target"],
            "namespace": edge.get("target_namespace", ""),
            "weight": float(edge.get("weight", 1.0)),
            "metadata": edge.get("metadata") or {},
        }
        for edge in item["edges"]
    ]
    return {
        **{name: item[name] for name in ("kind", "id", "content", "memory_type", "created_at", "session", "position")},
        **{name: float(item[name]) for name in ("importance", "confidence")},
        "label": item.get("label", ""),
        "tags": list(item["tags"]),
        "namespace": item["namespace"] or "",
        "replaced": bool(item.get("replaced")),
        "metadata": metadata,
        "edges": sorted(relations, key=lambda each: json.dumps(each, sort_keys=True)),
    }


def _namespaces(record: Record, is_shared_apart: bool, **ends: Record) -> dict[str, str | None]:
    return {
        f"{side}_namespace": end.namespace or None
        for side, end in ends.items()
        if end.namespace != record.namespace
        and (end.kind in PER_PROJECT or (end.kind in SHARED_KINDS and (end.namespace or is_shared_apart)))
    }


def _content_hash(thing: dict[str, Any], kind: str, content: str) -> str:
    return content_hash(kind, _text(thing, "memory_type", "", empty=True), content, _object(thing, "metadata"))


def content_hash(kind: str, type_: str, text: str, metadata: dict[str, Any]) -> str:
    """Return the hash that finds an equal record: of the content, a failure's signature, an attempt's prompt."""
    if kind == "failure":
        return solution_fields.signature_of(type_, metadata)
    if kind == "attempt":
        return attempt_fields.digest(attempt_fields.prompt_in(text, metadata))
    return hashlib.sha256(text.encode()).hexdigest() if kind in HASHED else ""


# Fields of a relation as codemem writes them, and ours.
_EDGE_FIELDS = {"src": "source", "dst": "target", "properties": "metadata"}


def _own_form(edge: dict[str, Any]) -> dict[str, Any]:
    """Return a relation in our form, given in ours or in codemem's. Raises InvalidInput where two fields contradict."""
    renamed = dict(edge)
    for theirs, ours in _EDGE_FIELDS.items():
        if theirs not in edge:
            continue
        if ours in edge and edge[ours] != edge[theirs]:
            both = f"{ours} {json.dumps(edge[ours])[:80]} and {theirs} {json.dumps(edge[theirs])[:80]}"
            raise InvalidInput(f"edges: {both} are two things; give one of them")
        if ours == "metadata":
            _object(edge, theirs)
        renamed[ours] = renamed.pop(theirs)
    return renamed


def _relation(edge: Any, created: int, beside: str | None) -> dict[str, Any]:
    if not isinstance(edge, dict):
        raise InvalidInput(f"edges must hold objects with source, target and relationship, got {type(edge).__name__}")
    weight = edge.get("weight", 1.0)
    if isinstance(weight, bool) or not isinstance(weight, (int, float)):
        raise InvalidInput(f"edges: weight must be a number, got {json.dumps(weight)[:80]}")
    edge = _own_form(edge)
    return {
        "source": _text(edge, "source", None),
        "target": _text(edge, "target", None),
        "relationship": _text(edge, "relationship", None),
        "namespaces": {side: _end_namespace(edge, f"{side}_namespace", beside) for side in ("source", "target")},
        "weight": float(weight),
        "metadata": lifetimes.normalized(code_links.stated(str(edge.get("relationship")), _object(edge, "metadata"))),
        "created": _time(edge, "created_at", created),
    }


def _end_namespace(edge: dict[str, Any], name: str, beside: str | None) -> str | None:
    """Return the namespace of an end that several may have: as given, else `beside`, the item's own."""
    if name not in edge:
        return beside
    return "" if edge[name] is None else _text(edge, name, None)


def _time(thing: dict[str, Any], name: str, default: int) -> int:
    value = thing.get(name)
    return default if value is None else time_value(value, name)


def _uid(thing: dict[str, Any]) -> str:
    value = thing.get("uid")
    if value is None:
        return ""
    if not isinstance(value, str) or not _UID.fullmatch(value):
        raise InvalidInput(f"uid must be 32 hexadecimal digits in lower case, got {json.dumps(value)[:80]}")
    return value


def _flag(thing: dict[str, Any], name: str) -> bool:
    value = thing.get(name, False)
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} must be true or false, got {json.dumps(value)[:80]}")
    return value


def _text(
    thing: dict[str, Any], name: str, default: str | None, *, allowed: Sequence[str] | None = None, empty: bool = False
) -> str:
    value = thing.get(name, default)
    if not isinstance(value, str) or not (value or empty):
        raise InvalidInput(f"{name} must be a non-empty string, got {json.dumps(value)[:80]}")
    if allowed is not None and value not in allowed:
        raise InvalidInput(f"{name} must be one of {', '.join(allowed)}, got {value!r}")
    return value


def _list(thing: dict[str, Any], name: str) -> list[Any]:
    value = thing.get(name, [])
    if not isinstance(value, list):
        raise InvalidInput(f"{name} must be a list, got {type(value).__name__}")
    return value


def _texts(thing: dict[str, Any], name: str) -> list[str]:
    values = _list(thing, name)
    for value in values:
        if not isinstance(value, str) or not value:
            raise InvalidInput(f"{name} must be a list of non-empty strings, got {json.dumps(value)[:80]} in it")
    return values


def _object(thing: dict[str, Any], name: str) -> dict[str, Any]:
    value = thing.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidInput(f"{name} must be an object, got {type(value).__name__}")
    return value


def _fraction(thing: dict[str, Any], name: str, default: float) -> float:
    value = thing.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise InvalidInput(f"{name} must be a number from 0 to 1, got {json.dumps(value)[:80]}")
    return float(value)


def _whole(thing: dict[str, Any], name: str, default: int) -> int:
    value = thing.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 62:
        raise InvalidInput(f"{name} must be a whole number of at least 0, got {json.dumps(value)[:80]}")
    return value
