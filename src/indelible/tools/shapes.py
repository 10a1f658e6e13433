"""Results as callers know them, where the command line needs them without the models of the tools.

Texts are shown as `framing.visible` leaves them; exports alone keep every character.
"""

from typing import TYPE_CHECKING, Any

from indelible.engine import lookup
from indelible.engine.context import moment_of
from indelible.engine.recent import is_confirmed
from indelible.engine.times import time_text
from indelible.framing import Item, visible
from indelible.model import Hit, Record
from indelible.rounding import rounded

if TYPE_CHECKING:
    from indelible.engine.recipes import Breakage, Fix

LONGEST_ORIGIN = 40
MOST_OF_FIX = 3  # outcomes and documents of a fix that are shown, the best


def hit(found: Hit) -> dict[str, Any]:
    """One hit of recall_memory; a foreign kind's memory type is `context`."""
    record = found.record
    return {
        "id": lookup.shown(record),
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
        **provenance(record),
    }


def provenance(record: Record) -> dict[str, str]:
    """`origin` of a record that did not come through a tool, and `trust` where nobody confirmed it; mostly neither."""
    origin = origin_of(record)
    return {**({"origin": origin} if origin else {}), **({} if is_confirmed(record) else {"trust": "untrusted"})}


def origin_of(record: Record) -> str:
    """Where a record says that it comes from (capture, import, ...), in one line; "" where it does not say."""
    origin = record.metadata.get("origin")
    return " ".join(visible(origin).split())[:LONGEST_ORIGIN] if isinstance(origin, str) else ""


def item(record: Record, longest: int | None = None) -> Item:
    """A record for a frame, its text cut to `longest` characters."""
    cut = longest is not None and len(record.text) > longest
    return Item(
        id=record.key if record.kind == "memory" else lookup.name_of(record),
        kind=record.kind,
        type=record.type if record.kind == "memory" else "",
        namespace=record.namespace,
        origin=origin_of(record),
        trusted=is_confirmed(record),
        created=moment_of(record.created),
        content=record.text[:longest].rstrip() + "…" if cut else record.text,
        shortened=cut,
    )


def fix(found: "Fix") -> dict[str, Any]:
    """A fix of the knowledge graph with its best outcomes and documents."""
    return {
        "fix": found.record.key,
        "strategy": visible(found.strategy),
        "changes": [visible(change) for change in found.changes],
        "resolves": list(found.mends),
        "success_ratio": round(found.success_ratio, 2),
        "evidence_backed": found.is_backed,
        "outcomes": [
            {
                "status": each.status,
                "verification_method": visible(each.verification),
                "duration_to_verify": visible(each.duration),
            }
            for each in found.outcomes[:MOST_OF_FIX]
        ],
        "documents": [document.key for document in found.documents[:MOST_OF_FIX]],
    }


def breakage(found: "Breakage") -> dict[str, Any]:
    """An error or warning that a command led to, with its best fix."""
    return {
        "name": found.record.key,
        "type": found.record.type,
        "message": visible(found.message),
        "captured": found.captured,
        "best_fix": fix(found.fix) if found.fix else None,
    }
