"""The content of a record or a relation, as it is carried from machine to machine: without numbers of this one.

A record is carried as an export has it, a relation with the uids of its ends. The digest of it tells whether anything
was changed since it was stamped. What decays by itself is carried and makes no difference: it would be a change of
every memory each day, on each machine.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from indelible.core.context.context import Context
from indelible.core.context.ids import number_of
from indelible.core.records.importance_changes import MARK
from indelible.core.records.item_schema import as_json, parse
from indelible.errors import InvalidInput
from indelible.model import INDEXED_KINDS, KINDS, NUMBERED_KINDS, Edge, Record
from indelible.sanitize.validate import admit
from indelible.store.database import Transaction
from indelible.store.tables import records
from indelible.store.tables.sync_states import EndedEdge
from indelible.store.views import chats, documents

KINDS_SYNCED = tuple(kind for kind in KINDS if kind not in INDEXED_KINDS)
_OF_THIS_MACHINE = ("id", "uid", "replaced_by", "access_count", "last_accessed_at", "edges")
_OF_ITS_STORING = ("id", "created_at", "updated_at", "session", "position", "document")
_DOCUMENT = documents.session_of("")  # begins the session of a chunk

Content = dict[str, Any]


def of_record(record: Record, documents_by_key: Mapping[str, str]) -> Content:
    """Return the content of a record; of a chunk, with the uid of its document, which is found by its number."""
    content = {name: value for name, value in as_json(record, None, [], {}).items() if name not in _OF_THIS_MACHINE}
    if not _is_numbered(record):
        content["id"] = record.key
    if record.kind == chats.MESSAGE:
        content["metadata"] = {name: value for name, value in record.metadata.items() if name != "number"}
    if record.kind == "chunk" and record.session.startswith(_DOCUMENT):
        uid = documents_by_key.get(documents.key_of(record.session), "")
        content.update(session="", document=uid)
    return content


def _is_numbered(record: Record) -> bool:
    if record.kind == chats.MESSAGE:
        return record.key == chats.key_of(chats.number_of(record))
    return record.kind in NUMBERED_KINDS and number_of(record.key) is not None


def of_records(tx: Transaction, some: Iterable[Record]) -> dict[int, Content]:
    """Return the contents of records, by row id."""
    some = list(some)
    keys = {documents.key_of(each.session) for each in some if each.kind == "chunk"}
    of_documents = {
        record.key: record.uid
        for key in sorted(keys)
        for record in records.by_key(tx, key)
        if record.kind == "document"
    }
    return {each.id: of_record(each, of_documents) for each in some}


def of_edge(ended: EndedEdge) -> Content:
    """Return the content of a relation."""
    edge = ended.edge
    return {
        "source": ended.source,
        "target": ended.target,
        "relation": edge.relation,
        "canonical": edge.canonical,
        "weight": edge.weight,
        "metadata": edge.metadata,
        "created": edge.created,
    }


def digest(content: Content) -> str:
    """Return a short hash of a content, without what decays."""
    steady = {name: value for name, value in content.items() if name != "importance"}
    if "kind" in content:
        steady["metadata"] = {name: value for name, value in content.get("metadata", {}).items() if name != MARK}
    text = json.dumps(steady, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def says_the_same(content: Content, record: Record) -> bool:
    """Return whether a content and a record differ in nothing that a person wrote: at most in when and where it was."""
    own = of_record(record, {})
    return digest(_said(content)) == digest(_said(own))


def _said(content: Content) -> Content:
    return {name: value for name, value in content.items() if name not in _OF_ITS_STORING}


def to_record(ctx: Context, content: Content, uid: str, *, trusted: bool) -> Record:
    """Return the record of a content; a chunk has no session yet, and what is numbered no key.

    Raises InvalidInput for one that no store can have written. `trusted`: it comes from who has the key, so that what
    it says of who typed it holds.
    """
    clean, findings = admit({name: value for name, value in content.items() if name != "document"}, "memories")
    ctx.call.redacted.extend(findings)
    record = parse(ctx, 0, {**clean, "id": content.get("id", uid)}).record
    if record.kind not in KINDS_SYNCED:
        raise InvalidInput(f"kind {record.kind} is made by each machine of its own source code, and not synced")
    if trusted:
        record = replace(record, metadata=clean.get("metadata", {}))
    return replace(record, uid=uid, key=record.key if "id" in content else "")


def to_edge(content: Content, uid: str, source: int, target: int) -> Edge:
    """Return the relation of a content between two rows. Raises InvalidInput for one that no store can have written."""
    relation, canonical, metadata = content.get("relation"), content.get("canonical"), content.get("metadata")
    weight, created = content.get("weight"), content.get("created")
    if not (
        isinstance(relation, str)
        and isinstance(canonical, str)
        and isinstance(metadata, dict)
        and isinstance(weight, int | float)
        and isinstance(created, int)
    ):
        raise InvalidInput(f"relation {uid} is not as `indelible sync` writes it")
    return Edge(source, target, relation, canonical, float(weight), created, metadata, uid=uid)
