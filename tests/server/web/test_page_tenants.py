"""The page of a server with several tenants: each sees its own alone, and who may see it which others are open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_page_limits import GETS, POSTS, SHOWING, THEIRS

from http_server import HttpServer
from indelible.admin import tokens
from indelible.core.context.context import Context
from indelible.core.records import exporting, history
from indelible.toolsets import registry
from open_stores import OpenTenant
from page_client import Visitor

pytestmark = pytest.mark.process

ONE, TWO, SILENT = 1, 2, 3


@pytest.fixture(scope="module")
def one(open_tenant: OpenTenant) -> Context:
    """The tenant of the server itself."""
    return open_tenant(ONE)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tenants") / "data"


@pytest.fixture(scope="module")
def server(one: Context, database: str, data: Path) -> Iterator[HttpServer]:
    tokens.create(one, "the first one", "read")
    with HttpServer(data, "--database", database) as running:
        yield running


@pytest.fixture(scope="module")
def first(server: HttpServer, one: Context) -> Visitor:
    return Visitor(server, tokens.create(one, "", "admin").secret)


@pytest.fixture(scope="module")
def second(server: HttpServer, open_tenant: OpenTenant) -> Visitor:
    """Somebody who may do everything in another tenant, and has called."""
    other = Visitor(server, tokens.create(open_tenant(TWO), "", "admin").secret)
    assert other.get("/find").status == 200
    return other


@pytest.fixture(scope="module")
def theirs(one: Context) -> list[str]:
    """The ids of records of the first tenant, of what the page shows, all with a zebra."""

    def call(tool: str, **given: Any) -> Any:
        return registry.call(one, registry.find_tool(tool), given).value

    key = call("store_memory", content="Striped: the zebra is a decision.", memory_type="decision", namespace=THEIRS)
    other = call("store_memory", content="The zebra runs.", namespace=THEIRS)
    call("associate_memories", source_id=key["id"], target_id=other["id"], relationship="EXPLAINS")
    gone = call("store_memory", content="The zebra is gone.", namespace=THEIRS)
    call("delete_memory", id=gone["id"])
    return [key["id"], other["id"]]


def asked(theirs: list[str]) -> list[dict[str, str]]:
    """What routes are asked for: nothing, the other tenant's project, one of its records, and an export."""
    return [
        {},
        {"project": THEIRS, "name": THEIRS},
        {"id": theirs[0], "q": "striped", "missed": theirs[0], "after": theirs[0]},
        {"as": "json", "q": "striped"},
    ]


def exported(ctx: Context) -> list[Any]:
    found = list(exporting.export_all(ctx))
    assert found
    return [{k: v for k, v in each.items() if k not in ("access_count", "last_accessed_at")} for each in found]


def test_the_list_shows_who_is_open_to_who_administers_the_server_alone(
    server: HttpServer, first: Visitor, second: Visitor, one: Context, open_tenant: OpenTenant
) -> None:
    tokens.create(open_tenant(SILENT), "", "admin")  # who never calls
    page = first.get("/system/tenants")
    assert f"This is the memory of tenant {ONE} ." in page.text
    assert f"Open now Tenant {TWO} Let" in page.text
    assert str(SILENT) not in page.text.partition("Open now")[2]
    limited = Visitor(server, tokens.create(one, "", "admin", [THEIRS]).secret)
    for other in (limited, second):
        refused = other.get("/system/tenants")
        assert refused.status == 403
        assert "Open now" not in refused.text
        assert "memory of tenant" not in refused.text


def test_no_page_of_another_tenant_shows_a_record_or_a_project(second: Visitor, theirs: list[str]) -> None:
    for path in GETS:
        for query in asked(theirs):
            answer = second.get(path, **query)
            assert answer.status in (200, 400, 403, 404), (path, query)
            assert "zebra" not in answer.html.lower(), (path, query)
            assert "project" in query or THEIRS not in answer.html, (path, query)


def test_the_pages_that_are_held_to_that_do_show_it_to_its_own_tenant(first: Visitor, theirs: list[str]) -> None:
    answers = {path: "".join(first.get(path, **query).html for query in asked(theirs)) for path in SHOWING}
    assert {path for path, found in answers.items() if "zebra" in found.lower()} == SHOWING - {"/review"}


def test_no_form_of_another_tenant_changes_a_record(second: Visitor, one: Context, theirs: list[str]) -> None:
    before = exported(one)
    ((operation),) = history.operations(one, 1)
    second.get("/find")
    for path in POSTS:
        for key in theirs:
            form = {"id": key, "target": key, "text": "Taken over.", "updated": "1", "seen": "x", "decision": "keep"}
            more = {"name": THEIRS, "to": "/src/ours", "typed": THEIRS, "recorded": "0", "pinned": "1"}
            last = {"operation": operation["operation"], "relationship": "EXPLAINS"}
            assert "zebra" not in second.post(path, **form, **more, **last).html.lower(), path
    assert exported(one) == before


def test_a_cookie_with_another_tenant_s_number_opens_nothing(server: HttpServer, one: Context) -> None:
    visitor = Visitor(server, tokens.create(one, "", "admin").secret)
    name, value = next((name, value) for name, value in visitor.cookies.items() if value.startswith(f"{ONE}."))
    visitor.keep(name, f"{TWO}.{value.partition('.')[2]}")
    page = visitor.get("/find")
    assert page.status == 401
    assert "Log in" in page.text
