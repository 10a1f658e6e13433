"""Shapes of results that the command line needs too, without the models of the tools.

Texts are shown as `prompt_frame.visible` leaves them; only exports keep every character.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from indelible.clock import moment_of, sortable_text, time_text
from indelible.code_states import CodeState, mark, worst
from indelible.core.context import ids
from indelible.core.context.context import Context
from indelible.core.records import lifetimes, past
from indelible.core.records.trust import is_confirmed
from indelible.model import COMMIT, Hit, Record
from indelible.sanitize.prompt_frame import Item, visible
from indelible.store.database import Transaction
from indelible.toolsets.rounding import rounded

LONGEST_ORIGIN = 40
COMMIT_FILES = 10  # that a hit names


def hit(found: Hit) -> dict[str, Any]:
    """Return a hit of recall_memory; records of other kinds have the memory type `context`."""
    record = found.record
    return {
        "id": ids.shown(record),
        "content": visible(record.text),
        "memory_type": record.type if record.kind == "memory" else "context",
        "importance": rounded(record.importance),
        "score": rounded(found.score),
        "score_breakdown": {name: rounded(value) for name, value in found.components.items()},
        "tags": [visible(tag) for tag in record.tags],
        **({"namespace": visible(record.namespace)} if record.namespace else {}),
        "kind": record.kind,
        "access_count": found.access_count,
        "created_at": time_text(record.created),
        **({"rule": True} if found.rule else {}),
        **provenance(record),
        **({"weak": True} if found.weak else {}),
        **({"commit": commit(record)} if record.kind == COMMIT else {}),
        **standing(found),
        **({"via": {"id": found.via.id, "relationship": visible(found.via.relationship)}} if found.via else {}),
    }


def standing(found: Hit) -> dict[str, Any]:
    """Return how a hit stands today: what replaces or contradicts it, its code, branch and lifetime; mostly nothing."""
    return {
        **({"replaced_by": found.replaced_by} if found.replaced_by else {}),
        **({"newer": found.newer} if found.newer else {}),
        **({"contradicted_by": found.contradicted_by} if found.contradicted_by else {}),
        **freshness(found.code),
        **({"unmerged_branch": visible(found.branch)} if found.branch else {}),
        **found.lifetime,
    }


def standings(ctx: Context, tx: Transaction, among: Sequence[Record]) -> dict[int, dict[str, Any]]:
    """Return by row id how records that no recall found stand: what replaces them, and how long they hold."""
    newer, now = past.replacing(ctx, tx, among), sortable_text(ctx.now())
    return {
        record.id: {
            **({"replaced_by": newer[record.id]} if record.id in newer else {}),
            **lifetimes.shown(record, now),
        }
        for record in among
    }


class Mark(NamedTuple):
    """One remark on a record: its kind, its words, and the id of the record that it speaks of, "" for none."""

    kind: str
    words: str
    id: str = ""


def marks(stands: Mapping[str, Any], short: Callable[[str], str] = str) -> list[Mark]:
    """Return what a reader must know of a record that stands so, see `standing`; nothing of most.

    `short` shortens an id. What is left as JSON has it must be escaped by the caller.
    """
    words = {"replaced_by": "replaced by", "contradicted_by": "contradicted by", "newer": "newer"}
    others = {name: stands[name] for name in words if stands.get(name)}
    said = [Mark(name.removesuffix("_by"), f"{words[name]} {short(id_)}", id_) for name, id_ in others.items()]
    said += [Mark(kind, word) for kind, word in lifetimes.marks(stands).items()]
    if stale := mark([CodeState(**each) for each in stands.get("freshness", {}).get("code", ())]):
        said.append(Mark("stale", f"stale: {stale}"))
    if branch := stands.get("unmerged_branch"):
        said.append(Mark("branch", f"branch {branch}, not merged"))
    return said


def remarks(stands: Mapping[str, Any], short: Callable[[str], str] = str) -> list[str]:
    """Return the words of `marks`."""
    return [each.words for each in marks(stands, short)]


def commit(record: Record) -> dict[str, Any]:
    """Return what a commit's record has beside its message; that of an import may lack some of it."""
    facts = record.metadata
    files = facts.get("files")
    count, author = facts.get("file_count"), facts.get("author")
    return {
        "hash": visible(record.key),
        "file_count": count if isinstance(count, int) else 0,
        "files": [visible(each) for each in files[:COMMIT_FILES]] if isinstance(files, list) else [],
        **({"author": visible(author)} if isinstance(author, str) else {}),
        **({"merge": True} if facts.get("merge") else {}),
        **({"gone": True} if facts.get("gone") else {}),
    }


def freshness(code: Sequence[CodeState]) -> dict[str, Any]:
    """Return `freshness` of the code that a text names, the state of the text first; nothing where it names none."""
    return {"freshness": {"state": worst(code), "code": [code_state(each) for each in code]}} if code else {}


def code_state(each: CodeState) -> dict[str, Any]:
    """Return one symbol or file that a text names, as it is now."""
    return {
        "name": visible(each.name),
        "state": each.state,
        **({"to": visible(each.to)} if each.to else {}),
        **({"changed": True} if each.changed else {}),
        **({"commit": each.commit} if each.commit else {}),
        **({"part": rounded(each.part)} if each.part else {}),
    }


def provenance(record: Record) -> dict[str, str]:
    """Return `origin` of a record not stored by a tool, and `trust` of an unconfirmed one; mostly neither."""
    origin = origin_of(record)
    return {**({"origin": origin} if origin else {}), **({} if is_confirmed(record) else {"trust": "untrusted"})}


def origin_of(record: Record) -> str:
    """Return the origin in a record's metadata (capture, import, ...) in one line, "" if it has none."""
    origin = record.metadata.get("origin")
    return " ".join(visible(origin).split())[:LONGEST_ORIGIN] if isinstance(origin, str) else ""


def items(ctx: Context, found: Sequence[Record], longest: int | None = None) -> list[Item]:
    """Return records that no recall found as items of a prompt frame, in their order."""
    with ctx.store.read() as tx:
        stand = standings(ctx, tx, found)
    return [item(record, stand[record.id], longest) for record in found]


def item(record: Record, stands: Mapping[str, Any], longest: int | None = None) -> Item:
    """Return a record that stands so as an item of a prompt frame, its text cut to `longest` characters."""
    cut = longest is not None and len(record.text) > longest
    return Item(
        id=record.key if record.kind == "memory" else ids.name_of(record),
        kind=record.kind,
        type=record.type if record.kind == "memory" else "",
        namespace=record.namespace,
        origin=origin_of(record),
        trusted=is_confirmed(record),
        created=moment_of(record.created),
        content=record.text[:longest].rstrip() + "…" if cut else record.text,
        shortened=cut,
        state="; ".join(remarks(stands)),
    )
