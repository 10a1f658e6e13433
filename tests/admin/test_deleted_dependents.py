"""A purge takes what was stored only for what goes, also where that was deleted before: no undo brings it back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from command_line import export, undo
from indelible.admin import backups, purge
from indelible.api import Memory, open_memory
from indelible.core.records import exporting
from indelible.errors import InvalidInput, NotFound
from indelible.store.tables import purge as purge_rows
from indelible.store.tables import records, trash
from indelible.toolsets.memory import deletion
from store_file import holding

WORD = "quokkafinch"  # what is purged


def told(data: Path) -> list[str]:
    return holding(data, WORD)


_DOCUMENT = {"file_name": "plan.md"}
_FAILURE = {"errorType": "runtime", "errorMessage": f"{WORD} broke", "rootCause": f"{WORD} is old"}


def document_stored_again(memory: Memory) -> list[str]:
    memory.call("store_memory", content=f"# Plan\n\nThe {WORD} digs.", **_DOCUMENT)
    memory.call("store_memory", content="# Plan\n\nA wombat digs.", **_DOCUMENT)
    return ["plan.md"]


def deleted_document(memory: Memory) -> list[str]:
    memory.call("store_memory", content=f"# Plan\n\nThe {WORD} digs.", **_DOCUMENT)
    (number,) = exported_ids(memory, "document")
    deletion.delete(memory.context, ["plan.md"])
    return [f"document:{number}"]


def deleted_failure(memory: Memory) -> list[str]:
    failure = memory.call("matrix_failure", **_FAILURE, fixApplied=f"new {WORD}")["id"]
    deletion.delete(memory.context, [failure])
    return [failure]


def failure_with_a_deleted_fix(memory: Memory) -> list[str]:
    failure = memory.call("matrix_failure", **_FAILURE, fixApplied=f"new {WORD}")["id"]
    memory.call(
        "delete_entities", entityNames=[key for key in exported_ids(memory, "entity") if key.startswith("fix#")]
    )
    return [failure]


def memories_of_a_deleted_summary(memory: Memory) -> list[str]:
    texts = [f"Wombat {number} digs beside the {WORD}" for number in range(3)]
    own = [memory.call("store_memory", content=text)["id"] for text in texts]
    for one in own[1:]:
        memory.call("associate_memories", source_id=one, target_id=own[0], relationship="RELATES_TO")
    (summary,) = memory.call("consolidate_summarize", cluster_size=3)["created_ids"]
    memory.call("delete_memory", id=summary)
    return own


def exported_ids(memory: Memory, kind: str) -> list[str]:
    return [item["id"] for item in exporting.export_all(memory.context) if item["kind"] == kind]


BEFORE = [
    document_stored_again,
    deleted_document,
    deleted_failure,
    failure_with_a_deleted_fix,
    memories_of_a_deleted_summary,
]


@pytest.mark.parametrize("made", BEFORE, ids=lambda made: made.__name__)
@pytest.mark.parametrize("is_trimmed", [False, True], ids=["in the trash", "in the history"])
def test_what_depended_on_it_and_was_deleted_before_goes_with_what_is_purged(
    tmp_path: Path, made: Callable[[Memory], list[str]], is_trimmed: bool
):
    data = tmp_path / "data"
    with open_memory(data, project="shop") as memory:
        memory.call("store_memory", content="A wombat")
        before = export(data)
        own, ctx = made(memory), memory.context
        backups.daily(ctx)
        if is_trimmed:
            ctx.store.write(lambda tx: trash.trim(tx, ctx.now() + 1))
        purge.run(ctx, purge.plan(ctx, purge.of_records(ctx, own)).selection, lambda _: None)
        assert told(data) == []
        assert export(data) == before
        with pytest.raises(NotFound, match="nothing to undo"):
            undo(ctx)


def test_the_deleted_entity_of_two_failures_stays_with_the_other(tmp_path: Path):
    data = tmp_path / "data"
    with open_memory(data, project="shop") as memory:
        own = [
            memory.call("matrix_failure", **{**_FAILURE, "errorType": kind}, fixApplied="a new one")["id"]
            for kind in ("runtime", "build")
        ]
        before = exported_ids(memory, "entity")
        deletion.delete(memory.context, own)
        ctx = memory.context
        purge.run(ctx, purge.plan(ctx, purge.of_records(ctx, own[:1])).selection, lambda _: None)
        undo(ctx)
        assert exported_ids(memory, "entity") == before
        assert exported_ids(memory, "failure") == own[1:]


def test_a_deleted_part_is_purged_with_its_document_only(tmp_path: Path):
    with open_memory(tmp_path / "data", project="shop") as memory:
        ctx = memory.context
        (document,) = document_stored_again(memory)
        before = export(tmp_path / "data")
        with pytest.raises(InvalidInput, match="ID 'chunk:2' is a part of the document doc_1; purge that"):
            purge.of_records(ctx, ["chunk:2"])
        deletion.delete(ctx, [document])
        with pytest.raises(InvalidInput, match="is a part of the document doc_1"):
            purge.of_records(ctx, ["chunk:2"])
        undo(ctx)
        assert export(tmp_path / "data") == before
        ctx.store.write(lambda tx: purge_rows.drop_trash(tx, [thing.id for thing in trash.of_key(tx, "1")]))
        with ctx.store.read() as tx:
            (gone,) = records.by_key(tx, "1")
        ctx.store.write(lambda tx: records.delete_many(tx, [gone.id]))  # as an earlier version purged it
        assert purge.of_records(ctx, ["chunk:2"]).records == {("chunk", "2")}
