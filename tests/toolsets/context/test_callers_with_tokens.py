"""Callers who are limited to namespaces beside those who are not: neither learns of the other, or has its way."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_context_links_by_meaning import GUIDE, PARAPHRASE, Meanings

import apart
from apart import call
from empty_store import begin
from indelible.admin import tokens
from indelible.core.context.context import Context, open_context
from indelible.core.context.permissions import Grant
from indelible.core.indexes.embedder import Embedder
from indelible.core.records import embedding_queue, exporting, history
from indelible.errors import InvalidInput, NotFound
from indelible.project import Location
from indelible.settings import Settings
from indelible.store.tables import pending, projects
from indelible.store.views import documents
from indelible.toolsets.context.chats import chats, chunk_links

FAILURE = {
    "errorType": "runtime",
    "errorMessage": "TypeError: Cannot read properties of undefined (reading 'map')",
    "rootCause": "the answer was empty",
    "fixApplied": "give a default",
}
Open = Callable[..., Context]


@pytest.fixture
def open_ctx(tmp_path: Path) -> Iterator[Open]:
    """Open a store, as another process would each time."""
    opened: list[Context] = []

    def open_it(name: str = "data", **given: Any) -> Context:
        chosen = Settings(data=tmp_path / name, **{"start": tmp_path, "home": tmp_path, **given})
        begin(chosen.data)
        opened.append(open_context(chosen, apart.Clock()))
        return opened[-1]

    yield open_it
    for ctx in opened:
        ctx.close()


@pytest.fixture
def ctx(open_ctx: Open) -> Context:
    """A process without a project."""
    return open_ctx()


def limited(ctx: Context, *namespaces: str) -> Context:
    """The context of a caller who is limited to namespaces."""
    return ctx.granted(Grant("tok_a", "write", frozenset(namespaces)))


def exported(ctx: Context, kind: str) -> list[dict[str, Any]]:
    return [record for record in exporting.export_all(ctx) if record["kind"] == kind]


# --- What one plants for the other ---


@pytest.mark.parametrize("why", ["token", "issuer"])
@pytest.mark.parametrize("project", ["shop", None])
def test_a_failure_that_a_limited_caller_laid_out_collects_nothing_of_others(
    open_ctx: Open, why: str, project: str | None
) -> None:
    ctx = open_ctx(project=project, jwt_issuer="https://issuer.example" if why == "issuer" else "")
    if why == "token":
        tokens.create(ctx, "", "write", ["a"])
    planted = call(limited(ctx, "a"), "matrix_failure", **FAILURE)
    mine = call(ctx, "matrix_failure", **{**FAILURE, "rootCause": "the quokka ledger was locked"})
    assert (mine["status"], mine["occurrences"]) == ("recorded", 1)
    assert mine["id"] != planted["id"]
    assert "quokka" not in json.dumps(list(exporting.export_all(limited(ctx, "a"))))
    assert call(ctx, "matrix_failure", **FAILURE)["id"] == mine["id"]
    assert call(limited(ctx, "a"), "matrix_failure", **FAILURE) == {**planted, **_again(2)}


def _again(times: int) -> dict[str, Any]:
    message = f"Updated existing failure record (seen {times} times)"
    return {"status": "updated", "occurrences": times, "message": message}


def test_without_such_callers_a_failure_is_one_in_all_projects(open_ctx: Open) -> None:
    counts = [call(open_ctx(project=name), "matrix_failure", **FAILURE)["occurrences"] for name in ("a", "b")]
    assert counts == [1, 2]


def test_observations_go_to_entities_of_the_own_space_only(ctx: Context) -> None:
    entity = {"name": "Ledger", "entityType": "thing", "observations": ["planted"]}
    call(limited(ctx, "a"), "create_entities", entities=[entity])
    given = {"observations": [{"entityName": "Ledger", "contents": ["the quokka key is under the mat"]}]}
    with pytest.raises(NotFound, match="Entity with name Ledger not found here, only in namespace 'a'"):
        call(ctx, "add_observations", **given)
    call(ctx, "create_entities", entities=[{**entity, "observations": []}])
    call(ctx, "add_observations", **given)
    assert "quokka" not in json.dumps(call(limited(ctx, "a"), "read_graph"))
    own = {"observations": [{"entityName": "Ledger", "contents": ["of a"]}]}
    assert call(limited(ctx, "a"), "add_observations", **own)["results"][0]["addedObservations"] == ["of a"]


def test_numbers_cannot_be_used_up(ctx: Context) -> None:
    call(limited(ctx, "a"), "store_memory", content="A guide", file_name="guide.md")
    with ctx.store.read() as tx:
        last = documents.last_number(tx)
    link = {"source_id": "guide.md", "relationship_type": "uses"}
    for number in (last + 1, last + 10_000, 999_999_999_999_999):
        for given in (str(number), f"resource_{number}", f"doc_{number}"):
            with pytest.raises(NotFound, match="is unknown"):
                call(limited(ctx, "a"), "link_resources", target_id=given, **link)
    with pytest.raises(InvalidInput, match="too far above the last number"):
        call(ctx, "link_resources", target_id="resource_999999999999999", **link)
    with ctx.store.read() as tx:
        assert documents.last_number(tx) == last
    call(ctx, "link_resources", target_id=f"resource_{last + 1_000_000}", **link)
    call(limited(ctx, "a"), "link_resources", target_id="later.md", **link)


def test_a_project_that_a_client_names_takes_in_no_other(ctx: Context) -> None:
    at = {path: ctx.at(Location(path, None, here=False)) for path in ("/home/me", "/home/me/shop")}
    call(at["/home/me/shop"], "store_memory", content="of the shop")
    call(at["/home/me"], "store_memory", content="of all that is mine")
    with ctx.store.read() as tx:
        assert projects.aliases(tx) == {}
    for path, client in at.items():
        assert call(client, "namespace_stats", namespace=path)["count"] == 1
    assert [each["name"] for each in call(ctx, "list_namespaces")["namespaces"]] == ["/home/me", "/home/me/shop"]
    assert tokens.create(at["/home/me"], "", "read", ["/home/me"]).token.namespaces == ("/home/me",)


def test_a_path_that_a_client_names_is_the_project_that_the_store_knows_around_it(ctx: Context) -> None:
    ctx.store.write(lambda tx: projects.add(tx, "/home/me/shop", "github.com/me/shop", 1))
    inside = ctx.at(Location("/home/me/shop/src", None, here=False))
    call(inside, "store_memory", content="of the shop")
    assert [each["name"] for each in call(ctx, "list_namespaces")["namespaces"]] == ["github.com/me/shop"]


# --- What one learns of the other ---


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    place = tmp_path / "secret"
    place.mkdir()
    (place / "package.json").write_text('{"name": "quokka", "dependencies": {"react": "19", "quokka-kit": "1"}}')
    return place


def test_a_server_s_own_project_is_told_to_those_who_may_see_it_only(open_ctx: Open, secret: Path) -> None:
    ctx = open_ctx(start=secret)
    new = {"problem": "It hangs", "solution": "drain it", "scope": "global", "filesAffected": [f"{secret}/src/a.ts"]}
    stored = call(limited(ctx, "a"), "matrix_store", **new)
    assert call(limited(ctx, "a"), "matrix_status")["currentRepo"]["name"] == ""
    (kept,) = exported(ctx, "solution")
    assert (kept["id"], "fingerprint" in kept["metadata"]) == (stored["id"], False)
    assert [file["label"] for file in exported(ctx, "file")] == [f"{secret}/src/a.ts"]
    assert "quokka" not in json.dumps(list(exporting.export_all(ctx)))
    call(limited(ctx, str(secret)), "matrix_store", **new)
    assert call(limited(ctx, str(secret)), "matrix_status")["currentRepo"]["name"] == "quokka"
    assert "quokka-kit" in json.dumps(exported(limited(ctx, str(secret)), "solution"))


def test_what_a_limited_caller_reads_is_counted_once(ctx: Context) -> None:
    ids = {}
    for name in ("a", "b"):
        key = call(limited(ctx, name), "store_memory", content="The shared text")["id"]
        with ctx.store.read() as tx:
            ((ids[name],),) = [row[:1] for row in tx.rows("records.by_key", key=key)]
    ctx.write_behind.returned(ids.values(), 1)
    ctx.write_behind.flush()
    for name, record in ids.items():  # only one of them is what the flush is known by
        with limited(ctx, name).store.read() as tx:
            assert ctx.write_behind.access_of(tx, [record])[record].count == 1


def test_a_message_of_before_is_linked_and_filled_by_a_limited_caller(ctx: Context) -> None:
    caller = limited(ctx, "a")
    call(caller, "log_chat", content=PARAPHRASE, conversation_id="talk", message_id="first")  # there are no chunks yet
    chunk = call(caller, "store_memory", content=GUIDE, file_name="a.md")["chunk_ids"][0]
    call(caller, "store_context_links", message_id="empty", chunk_ids=[chunk])
    for tool, arguments in (
        ("store_context_links", {"message_id": "first", "chunk_ids": [chunk]}),
        ("log_chat", {"content": PARAPHRASE, "conversation_id": "talk", "message_id": "empty"}),
    ):
        assert call(caller, tool, **arguments)["success"] is True
    with ctx.store.read() as tx:
        waiting = {each.kind: len(each.records) for each in pending.groups(tx, 100)}
        assert waiting["message"] == 2  # to be embedded, and then to be linked again


def linked_later(ctx: Context, others: list[str]) -> list[tuple[str, float]]:
    """The links of a message of the namespace a that was logged before the model was there, beside these documents."""
    encoder = Meanings()
    ctx = replace(ctx, embedder=Embedder(encoder))
    tokens.create(ctx, "", "write", ["a"])
    call(limited(ctx, "a"), "store_memory", content=GUIDE, file_name="a.md")
    for number, text in enumerate(others):
        call(ctx, "store_memory", content=text, file_name=f"{number}.md")
    encoder.state = "loading"
    message = call(limited(ctx, "a"), "log_chat", content=PARAPHRASE, conversation_id="talk")["message_id"]
    encoder.state = "ready"
    while embedding_queue.work_off(ctx):
        pass
    assert chunk_links.catch_up(ctx) == 1
    own = chats.links_of(limited(ctx, "a"), message)
    assert len(chats.links_of(ctx, message)) >= min(len(others), 1) + len(own)  # what is nearer is linked beside
    return [(link.text, link.strength) for link in own]


def test_links_that_are_made_later_tell_nothing_of_what_is_near_elsewhere(open_ctx: Open) -> None:
    alone = linked_later(open_ctx("alone"), [])
    assert [text for text, _ in alone] == [GUIDE]
    near = [f"{PARAPHRASE} {word}" for word in ("today", "tomorrow", "later", "soon", "never", "again")]
    assert linked_later(open_ctx("among"), near) == alone


# --- Whose it was ---


def test_history_says_whose_call_it_was(ctx: Context) -> None:
    key = call(limited(ctx, "a"), "store_memory", content="Deploys go out on Tuesdays")["id"]
    call(limited(ctx, "a"), "update_memory", id=key, content="Deploys go out on Thursdays")
    call(ctx, "delete_memory", id=key)
    assert [past["who"] for past in history.history(ctx, key)] == ["", "tok_a"]
    assert [operation["who"] for operation in history.operations(ctx, 9)] == ["", "tok_a"]
