"""The numbers that a limited caller is given do not tell how many others were given."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import apart
from apart import call
from command_line import opened
from indelible.admin import tokens
from indelible.core.context import numbers
from indelible.core.context.context import Context, open_context
from indelible.core.context.permissions import Grant
from indelible.core.records import exporting
from indelible.errors import NotFound
from indelible.settings import Settings
from indelible.store.views import documents
from indelible.toolsets.memory import importing

NEAR = 100_000  # of numbers drawn from nine million million two are nearer once in forty million tests


@pytest.fixture
def ctx(tmp_path: Path) -> Iterator[Context]:
    with opened(tmp_path / "data", apart.Clock()) as ctx:
        yield ctx


def limited(ctx: Context, namespace: str = "mine") -> Context:
    return ctx.granted(Grant(f"tok_{namespace}", "write", frozenset({namespace})))


def numbered(ctx: Context, name: str, **more: Any) -> dict[str, int]:
    """One of each kind that has a number: the numbers by kind."""
    stored = call(ctx, "store_memory", content=f"# {name}\n\nA guide to the {name}.", file_name=f"{name}.md", **more)
    call(ctx, "store_memory", content=f"Another of the {name}", file_name=f"{name}-2.md", **more)
    link = call(ctx, "link_resources", source_id=f"{name}.md", target_id=f"{name}-2.md", relationship_type="uses")
    message = call(ctx, "log_chat", content=f"about the {name}", conversation_id="talk")["message_id"]
    attempt = {"input_prompt": f"a loop for {name}", "generated_code": "for", "result": "pass"}
    there = call(ctx, "link_resources", source_id=f"{name}.md", target_id=f"{name}-3.md", relationship_type="uses")
    call(ctx, "log_code_attempt", **attempt)
    found = {record["content"]: record["id"] for record in exporting.export_all(ctx) if record["kind"] == "attempt"}
    placeholder = [
        record["id"]
        for record in exporting.export_all(ctx)
        if record["kind"] == "document" and record["content"] == f"{name}-3.md"
    ]
    return {
        "document": stored["resource_id"],
        "chunk": stored["chunk_ids"][0],
        "todo": call(ctx, "add_todo", title=f"feed the {name}")["todo_id"],
        "message": int(message.removeprefix("msg_")),
        "attempt": int(found[attempt["input_prompt"]]),
        "placeholder": int(placeholder[0]),
        "relation": int(link["relationship_id"].removeprefix("rel_")),
        "other relation": int(there["relationship_id"].removeprefix("rel_")),
    }


def test_two_numbers_of_a_limited_caller_tell_nothing_of_what_came_between(ctx: Context) -> None:
    first = numbered(limited(ctx), "wombat")
    for number in range(3):
        numbered(limited(ctx, "theirs"), f"quokka{number}")
    second = numbered(limited(ctx), "numbat")
    assert first.keys() == second.keys()
    for kind, number in first.items():
        assert abs(number - second[kind]) > NEAR, kind
        assert min(number, second[kind]) > NEAR, kind


def test_what_others_store_in_a_limited_callers_namespace_tells_nothing_either(ctx: Context) -> None:
    tokens.create(ctx, "", "read", ["mine"])
    first = call(ctx, "store_memory", content="of the wombat", file_name="a.md", namespace="mine")
    numbered(ctx, "quokka")
    second = call(ctx, "store_memory", content="of the numbat", file_name="b.md", namespace="mine")
    assert abs(first["resource_id"] - second["resource_id"]) > NEAR


def test_where_nobody_is_limited_numbers_count_from_one(ctx: Context) -> None:
    tokens.create(ctx, "", "read")  # which holds everywhere
    assert [call(ctx, "add_todo", title=title)["todo_id"] for title in ("a", "b")] == [1, 2]


def test_numbers_of_before_and_of_after_are_ids_alike(ctx: Context) -> None:
    before = call(ctx, "store_memory", content="The wombat digs", file_name="before.md", namespace="mine")
    todo = call(ctx, "add_todo", title="feed it")["todo_id"]
    assert (before["resource_id"], todo) == (1, 3)
    tokens.create(ctx, "", "read", ["mine"])
    after = call(ctx, "store_memory", content="The numbat digs", file_name="after.md", namespace="mine")
    for stored in (before, after):
        number = stored["resource_id"]
        for given in (f"doc_{number}", f"resource_{number}", str(number), f"document:{number}"):
            answer = call(ctx, "get_document_relationships", document_id=given)
            assert answer["success"] is True, given
        for each in (ctx, limited(ctx)):
            built = call(each, "build_context", documents=[{"id": f"doc_{number}"}], max_tokens=200)
            assert "digs" in built["context"]
        link = call(
            limited(ctx), "link_resources", source_id=f"doc_{number}", target_id="later.md", relationship_type="uses"
        )
        assert link["success"] is True
    message = call(ctx, "log_chat", content="why", conversation_id="talk")["message_id"]
    number = int(message.removeprefix("msg_"))
    call(ctx, "store_context_links", message_id=message, chunk_ids=after["chunk_ids"])
    assert call(ctx, "get_messages_for_chunk", chunk_id=after["chunk_ids"][0])["total_messages"] == 1
    assert call(ctx, "graph_traverse", start_id=f"{number}")[0]["kind"] == "message"
    assert call(ctx, "complete_todo", todo_id=todo)["todo_id"] == todo
    with pytest.raises(NotFound, match="is unknown"):
        call(limited(ctx), "link_resources", source_id="after.md", target_id="doc_7777777777777", relationship_type="x")


def test_an_export_is_imported_with_its_numbers_and_uses_up_none(ctx: Context, tmp_path: Path) -> None:
    tokens.create(ctx, "", "read", ["mine"])
    given = numbered(ctx, "wombat")
    call(ctx, "log_chat", content="why", conversation_id="talk", message_id="own")
    everything = list(exporting.export_all(ctx))
    new = open_context(Settings(data=tmp_path / "new", start=tmp_path, home=tmp_path), apart.Clock())
    assert importing.import_items(new, everything).errors == []
    assert sorted(map(json.dumps, exporting.export_all(new))) == sorted(map(json.dumps, everything))
    assert call(new, "add_todo", title="the next")["todo_id"] == 1
    assert call(new, "build_context", documents=[{"id": f"doc_{given['document']}"}])["documents_included"] == 1
    again = open_context(Settings(data=tmp_path / "new", start=tmp_path, home=tmp_path), apart.Clock())
    assert importing.import_items(again, everything).ids == []
    again.close()
    new.close()


def test_a_number_that_is_drawn_is_one_that_nothing_has(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens.create(ctx, "", "read", ["mine"])
    drawn = iter([5, 5, 5, 6, 40, 40, 41])
    monkeypatch.setattr(numbers, "_drawn", lambda _: numbers.FIRST + next(drawn))
    todo = call(ctx, "add_todo", title="a")["todo_id"]
    assert todo == numbers.FIRST + 5
    assert call(ctx, "add_todo", title="b")["todo_id"] == numbers.FIRST + 6  # the third draw after two taken ones
    assert call(ctx, "log_chat", content="x", conversation_id="talk")["message_id"] == f"msg_{numbers.FIRST + 40}"
    assert call(ctx, "add_todo", title="c")["todo_id"] == numbers.FIRST + 41


def test_a_number_far_above_is_not_reserved(ctx: Context) -> None:
    with ctx.store.read() as tx:
        last = documents.last_number(tx)
    tokens.create(ctx, "", "read", ["mine"])
    assert numbered(ctx, "wombat")
    with ctx.store.read() as tx:
        assert documents.last_number(tx) == last
    assert re.fullmatch(r"\d{13}", str(call(ctx, "add_todo", title="a")["todo_id"]))
