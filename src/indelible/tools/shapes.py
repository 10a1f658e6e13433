"""Results as callers know them, where the command line needs them without the models of the tools."""

from typing import Any

from indelible.engine import transfer
from indelible.model import Hit


def hit(found: Hit) -> dict[str, Any]:
    """One hit of recall_memory; a foreign kind's memory type is `context`."""
    record = found.record
    return {
        "id": record.key,
        "content": record.text,
        "memory_type": record.type if record.kind == "memory" else "context",
        "importance": record.importance,
        "score": round(found.score, 6),
        "score_breakdown": {name: round(value, 6) for name, value in found.components.items()},
        "tags": list(record.tags),
        **({"namespace": record.namespace} if record.namespace else {}),
        "kind": record.kind,
        "access_count": found.access_count,
        "created_at": transfer.time_text(record.created),
    }
