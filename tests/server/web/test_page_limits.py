"""A token that is limited to one project, on every route that the page has: it neither shows nor changes another's."""

import itertools

import pytest

from command_line import export
from indelible.admin import tokens
from indelible.capture import ingest, promotion
from indelible.core.records import history
from indelible.server.web.site import VIEWS
from page_client import Visitor
from told import repository, spooled, whole_session

pytestmark = pytest.mark.process

OURS, THEIRS = "/src/ours", "/src/theirs"
ROUTES = sorted({(method, path) for module in VIEWS for method, path, _ in module.ROUTES})
GETS = [path for method, path in ROUTES if method == "GET"]
POSTS = [path for method, path in ROUTES if method == "POST"]
OF_NO_RECORD = {"/undo/dismiss"}  # only takes a cookie away
SHOWING = {"/", "/find", "/record", "/review", "/timeline", "/graph", "/graph/data", "/system/trash", "/system/weights"}


@pytest.fixture(scope="module")
def theirs(call, ctx, data, tmp_path_factory):
    """Records of the other project, of what the page shows, all with a zebra: the ids that a test asks for."""
    call("store_memory", content="Ours: tabs.", namespace=OURS)
    given = {"namespace": THEIRS, "tags": ["zebra"]}
    key = call("store_memory", content="Striped: the zebra is a decision.", memory_type="decision", **given)["id"]
    other = call("store_memory", content="The zebra runs.", **given)["id"]
    call("associate_memories", source_id=key, target_id=other, relationship="EXPLAINS")
    call("update_memory", id=other, content="The zebra stands.")
    gone = call("store_memory", content="The zebra is gone.", **given)["id"]
    call("delete_memory", id=gone)
    # What hooks capture belongs to the project of the directory in which the session ran.
    session = whole_session(repository(tmp_path_factory.mktemp("theirs") / "zebra"), "zebra")
    spooled(data, session.events)
    ingest.drain(ctx)
    waiting = promotion.all_waiting(ctx)
    assert waiting
    return [key, waiting[0].key, other]


def asked(theirs):
    """What routes are asked for: nothing, the other project, each of its records in each way, and exports."""
    yield {}
    yield {"project": THEIRS, "name": THEIRS}
    for key in theirs:
        named = {"id": key, "q": "striped", "missed": key, "after": key}
        yield named
        yield {**named, "project": THEIRS, "tab": "history", "view": "list"}
        yield {"id": key, "tab": "relations", "edit": "1"}
    for form in ("json", "csv", "md"):
        yield {"as": form, "k": "200", "project": THEIRS}
        yield {"as": form, "q": "striped"}


@pytest.fixture(scope="module")
def entered(server, ctx):
    """A visitor with a token of our project alone, by scope."""
    scopes = ("read", "write", "admin")
    return {scope: Visitor(server, tokens.create(ctx, scope, scope, [OURS]).secret) for scope in scopes}


@pytest.mark.parametrize("scope", ["read", "admin"])
@pytest.mark.parametrize("path", GETS)
def test_no_page_shows_another_project(entered, theirs, path, scope):
    for query in asked(theirs):
        answer = entered[scope].get(path, **query)
        assert answer.status in (200, 400, 403, 404), query
        assert "zebra" not in answer.html.lower(), query
        assert "project" in query or THEIRS not in answer.html, query


def test_the_pages_that_are_held_to_that_do_show_it_to_who_may_see_it(visitor, theirs):
    answers = {path: "".join(visitor.get(path, **query).html for query in asked(theirs)) for path in SHOWING}
    assert {path for path, found in answers.items() if "zebra" in found.lower()} == SHOWING


@pytest.mark.parametrize("scope", ["read", "write", "admin"])
@pytest.mark.parametrize("path", POSTS)
def test_no_form_changes_another_project(entered, ctx, data, theirs, path, scope):
    visitor, before = entered[scope], export(data)
    visitor.get("/find")
    for key, operation in zip(theirs, itertools.cycle(history.operations(ctx, 2)), strict=False):
        form = {"id": key, "target": key, "text": "Taken over.", "updated": "1", "seen": "x", "decision": "keep"}
        more = {"name": THEIRS, "to": OURS, "typed": THEIRS, "recorded": "0", "pinned": "1", "scope": "admin"}
        last = {"operation": operation["operation"], "relationship": "EXPLAINS", "recency": "1"}
        answer = visitor.post(path, **form, **more, **last)
        refusals = (403,) if scope == "read" else (400, 403, 404, 409)
        assert answer.status in refusals or path in OF_NO_RECORD
        assert "zebra" not in answer.html.lower()
    assert export(data) == before


def test_no_stream_tells_of_another_project(entered, call, theirs):
    for where in ("/live", "/live?kinds=memory,failure"):
        with entered["read"].stream(where) as events:
            assert next(events).startswith("event: ready")
            call("store_memory", content=f"A zebra for {where}.", namespace=THEIRS)
            call("store_memory", content=f"Ours for {where}.", namespace=OURS)
            told = next(events)
        assert "zebra" not in told
        assert THEIRS not in told
