"""What is another's, over HTTP: by every family of tools it is answered as what is not there. And JWTs over HTTP."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from eras import MODERN
from every_tool import CHUNK, DOCUMENT, ERROR, FIX, ID, MESSAGE, PREPARED, SOLUTION, TODO
from http_server import MCP, HttpServer, RpcError
from indelible.admin import tokens
from indelible.core.context.context import Context, open_context
from indelible.core.context.permissions import Grant
from indelible.core.records import exporting
from indelible.server.mcp.subscriptions import MOST_LIMITED
from indelible.settings import Settings
from indelible.toolsets import registry
from official_client import over_http

pytestmark = pytest.mark.process

KEY = ec.generate_private_key(ec.SECP256R1())
ISSUER, AUDIENCE = "https://issuer.example", "https://memory.example/mcp"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture(scope="module")
def owner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    """The store in this process: what the owner does on the machine of the server."""
    place = tmp_path_factory.mktemp("foreign")
    ctx = open_context(Settings(data=place / "data", start=place, home=place))
    yield ctx
    ctx.close()


@pytest.fixture(scope="module")
def server(owner: Context) -> Iterator[HttpServer]:
    algorithm: Any = jwt.algorithms.ECAlgorithm
    data: Path = owner.settings.data
    jwks = data.parent / "jwks.json"
    jwks.write_text(json.dumps({"keys": [{**algorithm.to_jwk(KEY.public_key(), as_dict=True), "kid": "k"}]}))
    env = {"INDELIBLE_JWT_ISSUER": ISSUER, "INDELIBLE_JWT_AUDIENCE": AUDIENCE, "INDELIBLE_JWT_JWKS": str(jwks)}
    with HttpServer(data, env=env) as running:
        yield running


@pytest.fixture(scope="module")
def theirs(owner: Context) -> None:
    """One of everything in the namespace `theirs`, stored by who may write there only."""
    ctx = owner.granted(Grant("tok_theirs", "write", frozenset({"theirs"})))
    things = [{k: v for k, v in each.items() if k != "namespace"} for each in PREPARED]
    done = registry.call(ctx, registry.find_tool("import_memories"), {"memories": things}).value
    assert done["errors"] == []


def signed(**more: Any) -> str:
    said = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ann", "exp": int(time.time()) + 600, **more}
    return jwt.encode(said, KEY, "ES256", headers={"kid": "k"})


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def called(server: HttpServer, token: str, tool: str, arguments: dict[str, Any]) -> Any:
    """What a tool answers over /jsonrpc, errors by their code and words."""
    try:
        return server.call(tool, arguments, Authorization=f"Bearer {token}")
    except RpcError as error:
        return (error.code, error.message)


# --- What is another's ---

# By family: a call by an id of theirs, and the same by one that nobody has.
FAMILIES: dict[str, list[tuple[str, dict[str, Any], dict[str, Any]]]] = {
    "memory": [
        ("update_memory", {"id": ID["wrong"], "content": "x"}, {"id": "nobody", "content": "x"}),
        ("delete_memory", {"id": ID["axum"]}, {"id": "nobody"}),
        ("graph_traverse", {"start_id": ID["axum"]}, {"start_id": "nobody"}),
        ("recall_memory", {"query": "axum tower middleware"}, {"query": "nobody"}),
        ("get_decision_chain", {"topic": "axum"}, {"topic": "nobody"}),
        ("namespace_stats", {"namespace": "theirs"}, {"namespace": "nobody"}),
        ("delete_namespace", {"namespace": "theirs", "confirm": True}, {"namespace": "nobody", "confirm": True}),
    ],
    "solutions": [
        (
            "matrix_reward",
            {"solutionId": SOLUTION, "outcome": "failure"},
            {"solutionId": "nobody", "outcome": "failure"},
        ),
        ("matrix_recall", {"query": "axum hangs", "minScore": 0}, {"query": "nobody", "minScore": 0}),
    ],
    "graph": [
        ("open_nodes", {"names": [ERROR, FIX]}, {"names": ["nobody"]}),
        ("search_nodes", {"query": "TypeError"}, {"query": "nobody"}),
        ("delete_entities", {"entityNames": [FIX]}, {"entityNames": ["nobody"]}),
        (
            "add_observations",
            {"observations": [{"entityName": ERROR, "contents": ["x"]}]},
            {"observations": [{"entityName": "nobody", "contents": ["x"]}]},
        ),
    ],
    "vectors": [
        ("search", {"vector": {"3": 1.0}}, {"vector": {"9": 1.0}}),
        ("feedback", {"id": "lesson-0", "scoreAdjustment": 1}, {"id": "nobody", "scoreAdjustment": 1}),
        ("delete", {"id": "lesson-0"}, {"id": "nobody"}),
    ],
    "context": [
        ("get_context_links_for_message", {"message_id": MESSAGE}, {"message_id": "nobody"}),
        ("get_messages_for_chunk", {"chunk_id": CHUNK}, {"chunk_id": 999_999}),
        ("complete_todo", {"todo_id": TODO}, {"todo_id": 999_999}),
        ("build_context", {"documents": [{"id": f"doc_{DOCUMENT}"}]}, {"documents": [{"id": "nobody"}]}),
        ("get_document_relationships", {"document_id": "retries.md"}, {"document_id": "nobody"}),
        ("search_todos", {"query": "queue"}, {"query": "nobody"}),
        ("retrieve_memory", {"query": "retries", "conversation_id": "a"}, {"query": "x", "conversation_id": "a"}),
    ],
}


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_another_s_is_answered_as_what_is_not_there(
    server: HttpServer, owner: Context, theirs: None, family: str
) -> None:
    token = tokens.create(owner, "", "admin", ["mine"]).secret
    before = exported(owner)
    for tool, given, nobody in FAMILIES[family]:
        said = [without(called(server, token, tool, each), each) for each in (given, nobody)]
        assert said[0] == said[1], tool
    assert exported(owner) == before
    everything = tokens.create(owner, "", "read").secret
    tool, given, _ = FAMILIES["memory"][3]
    assert called(server, everything, tool, given)  # it is there for who may see it


def without(answer: Any, given: dict[str, Any]) -> str:
    """An answer without what the call itself names."""
    text = json.dumps(answer)
    for name in _texts(given):
        text = re.sub(rf"(?<!\w){re.escape(json.dumps(name)[1:-1])}(?!\w)", "_", text)
    return text


def _texts(given: Any) -> list[str]:
    if isinstance(given, dict):
        return [text for value in given.values() for text in _texts(value)]
    return [text for value in given for text in _texts(value)] if isinstance(given, list) else [str(given)]


def exported(owner: Context) -> list[Any]:
    found = [each for each in exporting.export_all(owner) if each["namespace"] == "theirs"]
    assert found
    return [{k: v for k, v in each.items() if k not in ("access_count", "last_accessed_at")} for each in found]


@pytest.mark.parametrize("door", ["/jsonrpc", "/mcp"])
@pytest.mark.parametrize("named", ["theirs", "/srv", "/srv/bank", "/srv/shopping", "nobody's"])
def test_a_project_that_a_token_does_not_hold_in_is_refused(
    server: HttpServer, owner: Context, theirs: None, door: str, named: str
) -> None:
    token = tokens.create(owner, "", "write", ["mine", "/srv/shop"]).secret
    before = exported(owner)
    write = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    write["params"] = {"name": "store_memory", "arguments": {"content": "where"}}
    for path, headers in (
        (door, {"X-Indelible-Project": named}),
        (f"/p/{quote(named, safe='')}{door}", {}),
    ):
        for body in (PING, write):
            answer = server.post(path, body, {**MCP, **headers, **bearer(token)})
            assert (answer.status, answer.json["error"]["code"]) == (403, -32003)
            assert f"project {named!r} is not within this token's namespaces" in answer.message
    assert exported(owner) == before


@pytest.mark.parametrize("named", ["mine", "/srv/shop", "/srv/shop/src", "/srv/shop/", "/"])
def test_a_project_that_a_token_holds_in_is_taken(server: HttpServer, owner: Context, named: str) -> None:
    token = tokens.create(owner, "", "write", ["mine", "/srv/shop"]).secret
    assert server.rpc("ping", Authorization=f"Bearer {token}", X_Indelible_Project=named) == {}
    everything = tokens.create(owner, "", "write").secret
    assert server.rpc("ping", Authorization=f"Bearer {everything}", X_Indelible_Project="elsewhere") == {}


def test_a_retry_of_another_is_no_retry(server: HttpServer, owner: Context) -> None:
    mine, other = (tokens.create(owner, "", "write", ["mine"]).secret for _ in range(2))
    asked = {"Idempotency_Key": "k"}
    first = server.call("store_memory", {"content": "once"}, Authorization=f"Bearer {mine}", **asked)
    again = server.call("store_memory", {"content": "once"}, Authorization=f"Bearer {mine}", **asked)
    third = server.call("store_memory", {"content": "another"}, Authorization=f"Bearer {other}", **asked)
    assert (again, third["status"], third["id"] != first["id"]) == (first, "stored", True)


# --- Who is let in ---


def test_an_expired_token_is_refused(server: HttpServer, owner: Context) -> None:
    past = replace(owner, clock=lambda: datetime.now(UTC) - timedelta(days=3))
    made = tokens.create(past, "", "admin", None, tokens.duration("2d"))
    answer = server.post("/jsonrpc", PING, bearer(made.secret))
    assert (answer.status, 'error="invalid_token"' in answer.headers["www-authenticate"]) == (401, True)
    assert made.secret not in answer.body.decode() + server.stderr


def test_a_jwt_is_let_in_as_far_as_it_says(server: HttpServer, theirs: None) -> None:
    token = signed(scope="indelible:write", indelible_namespaces=["jwt"])
    assert called(server, token, "store_memory", {"content": "by a JWT"})["status"] == "stored"
    assert called(server, token, "list_namespaces", {})["namespaces"] == [{"name": "jwt", "memory_count": 1}]
    assert "not within" in called(server, token, "store_memory", {"content": "x", "namespace": "theirs"})[1]
    answer = server.post("/jsonrpc", PING, bearer(signed(scope="openid", indelible_namespaces=["jwt"])))
    assert answer.status == 403
    assert 'error="insufficient_scope"' in answer.headers["www-authenticate"]
    for wrong in (signed(scope="indelible:read", exp=1), signed(aud="https://other.example"), "a.b.c"):
        assert server.post("/jsonrpc", PING, bearer(wrong)).status == 401


def test_who_gives_tokens_is_said_to_everybody(server: HttpServer) -> None:
    answer = server.post("/jsonrpc", PING)
    assert answer.status == 401
    assert 'resource_metadata="https://memory.example/.well-known/' in answer.headers["www-authenticate"]
    said = server.get("/.well-known/oauth-protected-resource/mcp").json
    assert (said["resource"], said["authorization_servers"]) == (AUDIENCE, [ISSUER])
    assert server.get("/.well-known/nothing").status == 404


def test_who_is_limited_and_listens_hears_of_its_own_changes(server: HttpServer, owner: Context) -> None:
    """That it hears of no others, `test_tokens_of_a_store.py` asks what it listens to."""
    token = tokens.create(owner, "", "write", ["listening"]).secret
    entity = {"name": "heard", "entityType": "t", "observations": []}

    async def talk(client: Any) -> str | None:
        async with client.listen(resource_subscriptions=["memory://knowledge-graph"]) as changes:
            await anyio.to_thread.run_sync(lambda: called(server, token, "create_entities", {"entities": [entity]}))
            async for event in changes:
                return str(event.uri)
        return None

    assert over_http(f"{server.url}/mcp", "2026-07-28", talk, bearer(token)) == "memory://knowledge-graph"


def test_those_who_listened_leave_their_places_to_others(server: HttpServer) -> None:
    notifications = {"resourceSubscriptions": ["memory://knowledge-graph"]}
    params = {"_meta": MODERN, "notifications": notifications}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params}).encode()
    era = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen"}
    for n in range(MOST_LIMITED * 2):
        token = signed(scope="indelible:read", indelible_namespaces=[f"listener-{n}"])
        connection = server.connect()
        connection.request("POST", "/mcp", body, {**MCP, **era, **bearer(token)})
        with connection.getresponse() as answer:
            assert b"acknowledged" in answer.readline() + answer.readline(), n
        connection.close()
