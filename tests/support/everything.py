"""One thing of each kind that a tool makes, all about the same wombat, related to each other."""

from __future__ import annotations

from typing import Any

from park import exported

MEMORY = "Wombat builds run at night"
SOLUTION = {"problem": "wombat queue hangs", "solution": "restart the wombat daemon", "scope": "global"}
FAILURE = {
    "errorType": "build",
    "errorMessage": "WombatError: burrow 7 is locked",
    "rootCause": "two wombat builds dig at once",
    "fixApplied": "take a lock per burrow",
    "prevention": "never dig twice",
    "stackTrace": "at dig (burrow.ts:42)",
    "filesInvolved": ["src/burrow.ts"],
}
ENTITY = {"name": "Wombat Works", "entityType": "company", "observations": ["digs for the wombat", '{"a": 1}']}
OTHER_ENTITY = {"name": "Ground", "entityType": "place", "observations": []}
VECTOR = {
    "id": "wombat-note",
    "vector": {"3": 0.5, "1099511627776": -1.25},
    "text": "A wombat digs",
    "metadata": {"x": [1]},
}
BARE_VECTOR = {"id": "bare", "vector": [1.0, 2.0]}

ERROR = "err#wombaterror: burrow 7 is locked"


def fill(memory: Any) -> dict[str, str]:
    """Store them, with relations between the kinds; their ids by kind."""
    ids = {
        "memory": memory.store_memory(content=MEMORY, tags=["zoo:wombat"])["id"],
        "solution": memory.matrix_store(**SOLUTION, tags=["zoo:wombat"], filesAffected=["src/queue.ts"])["id"],
        "failure": memory.matrix_failure(**FAILURE)["id"],
        "entity": ENTITY["name"],
        "vector": VECTOR["id"],
    }
    memory.create_entities(entities=[ENTITY, OTHER_ENTITY])
    memory.create_relations(
        relations=[
            {"from": "Wombat Works", "to": "Ground", "relationType": "digs in"},
            {"from": "Ground", "to": "Ground", "relationType": "is"},
        ]
    )
    memory.memorize(**VECTOR)
    memory.memorize(**BARE_VECTOR)
    kinds = list(ids)
    for weight, (source, target) in enumerate(zip(kinds, [*kinds[1:], kinds[0]], strict=True), 1):
        memory.associate_memories(
            source_id=f"{source}:{ids[source]}",
            target_id=f"{target}:{ids[target]}",
            relationship="LEADS_TO",
            weight=weight / 8,
        )
    return ids


def of_all(memory: Any) -> list[dict[str, Any]]:
    """Everything in the store without what a look changes, in a fixed order."""
    accesses = dict.fromkeys(("access_count", "last_accessed_at"))
    return sorted(({**item, **accesses} for item in exported(memory)), key=lambda item: (item["kind"], item["id"]))
