"""The page of projects: what it lists, joining with undo, the rehearsed purge, and the switch of recording."""

import json

import pytest

from command_line import done
from http_server import HttpServer
from page_client import Visitor

pytestmark = pytest.mark.process

SHOP, TILL = "/src/shop", "/src/till"


@pytest.fixture
def server(tmp_path):
    with HttpServer(tmp_path / "data") as server:
        server.call("store_memory", {"content": "Prices are in cents", "namespace": SHOP})
        server.call("store_memory", {"content": "The till prints on 80 mm", "namespace": TILL})
        yield server


@pytest.fixture
def visitor(server):
    return Visitor(server)


def counts(server):
    return {each["name"]: each["memory_count"] for each in server.call("list_namespaces")["namespaces"]}


def sent(visitor, where, **values):
    """The answer to a form of the last page with these values."""
    key = visitor.get("/projects").form_key
    return visitor.post(where, [("form_key", key), *values.items()])


def test_projects_are_listed_with_their_counts(visitor):
    said = visitor.get("/projects").text
    assert SHOP in said
    assert TILL in said
    assert said.count("1 memory") == 2
    assert "Pause recording everywhere" in said


def test_a_new_store_says_what_to_do_next(tmp_path):
    with HttpServer(tmp_path / "data") as server:
        assert "indelible import --from claude-code" in Visitor(server).get("/projects").text


def test_an_unknown_project_is_not_found(visitor):
    assert visitor.get("/projects/one?name=/src/nothing").status == 404


def test_everything_of_a_project_moves_to_another_and_comes_back(visitor, server):
    visitor.get(f"/projects/one?name={TILL}")
    moved = sent(visitor, "/projects/move", name=TILL, to=SHOP)
    assert moved.status == 200
    assert counts(server) == {SHOP: 2}
    operation = moved.html.split('name="operation" value="')[1].split('"')[0]
    sent(visitor, "/undo", operation=operation, back="/projects")
    assert counts(server) == {SHOP: 1, TILL: 1}


@pytest.mark.parametrize("to", ["", "  ", TILL])
def test_a_move_needs_another_project(visitor, server, to):
    visitor.get("/projects")
    assert sent(visitor, "/projects/move", name=TILL, to=to).status == 400
    assert counts(server) == {SHOP: 1, TILL: 1}


def test_a_purge_shows_first_what_goes_and_deletes_nothing(visitor, server):
    said = visitor.get(f"/projects/purge?name={SHOP}").text
    assert "What a purge would delete" in said
    assert "memory 1" in said
    assert counts(server) == {SHOP: 1, TILL: 1}


def test_a_purge_needs_the_name_typed(visitor, server):
    visitor.get(f"/projects/purge?name={SHOP}")
    refused = sent(visitor, "/projects/purge", name=SHOP, typed="shop")
    assert refused.status == 400
    assert "Nothing was deleted" in refused.text
    assert counts(server) == {SHOP: 1, TILL: 1}
    done = sent(visitor, "/projects/purge", name=SHOP, typed=SHOP)
    assert done.status == 200
    assert "Purged, for good" in done.text
    assert counts(server) == {TILL: 1}
    assert "Nothing is stored of it" in visitor.get(f"/projects/purge?name={SHOP}").text


def test_recording_is_paused_and_resumed(visitor, server):
    visitor.get(f"/projects/one?name={SHOP}")
    assert "Recording is off for shop" in sent(visitor, "/projects/recording", name=SHOP, recorded="0").text
    assert set(json.loads((server.data / "paused.json").read_text())) == {SHOP}
    assert "recording is off" in visitor.get("/projects").text
    assert "Recording is on" in sent(visitor, "/projects/recording", name=SHOP, recorded="1").text
    assert not (server.data / "paused.json").exists()


def test_recording_is_paused_everywhere(visitor):
    visitor.get("/projects")
    assert "Recording is off everywhere" in sent(visitor, "/projects/recording", name="*", recorded="0").text
    assert "Recording is off everywhere" not in sent(visitor, "/projects/recording", name="*", recorded="1").text


def test_pauses_that_cannot_be_read_are_a_pause_of_everything(visitor, server):
    (server.data / "paused.json").write_text("[]")
    assert "Recording is off everywhere" in visitor.get("/projects").text


# --- Other visitors ---


@pytest.fixture
def limited(server):
    """A visitor with a token that is limited to one project."""
    made = done("token", "create", "--scope", "admin", "--namespace", SHOP, data=server.data)
    return Visitor(server, made.strip())


def test_a_limited_visitor_sees_its_projects_and_nothing_of_this_machine(limited):
    for said in (limited.get("/projects").text, limited.get(f"/projects/one?name={SHOP}").text):
        assert SHOP in said
        assert TILL not in said
        assert "ecording" not in said
        assert "urge" not in said
    assert limited.get(f"/projects/one?name={TILL}").status == 404


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/projects/purge", {"name": SHOP, "typed": SHOP}),
        ("/projects/recording", {"name": SHOP, "recorded": "0"}),
        ("/projects/recording", {"name": "*", "recorded": "0"}),
    ],
)
def test_a_limited_visitor_changes_nothing_of_this_machine(limited, server, path, form):
    limited.get("/projects")
    assert sent(limited, path, **form).status == 403
    assert not (server.data / "paused.json").exists()
    assert "1 memory" in limited.get("/projects").text


def test_a_visitor_who_may_only_write_neither_moves_nor_purges(server):
    made = done("token", "create", "--scope", "write", data=server.data)
    visitor = Visitor(server, made.strip())
    assert "Move everything" not in visitor.get(f"/projects/one?name={SHOP}").text
    assert sent(visitor, "/projects/move", name=SHOP, to=TILL).status == 403
    assert visitor.get(f"/projects/purge?name={SHOP}").status == 403
    assert sent(visitor, "/projects/purge", name=SHOP, typed=SHOP).status == 403
    assert SHOP in visitor.get("/projects").text
