"""The page of the system: health, settings, trash with undo, weights that are tried before they are set, tokens."""

import re

import pytest

from command_line import done
from http_server import HttpServer
from indelible.model import COMPONENTS
from page_client import Visitor

pytestmark = pytest.mark.process

SHOP = "/src/shop"
OLD = "The cache of prices is emptied at night"
NEW = "Prices live in a cache that nobody empties by hand"


@pytest.fixture
def server(tmp_path):
    with HttpServer(tmp_path / "data") as server:
        server.call("store_memory", {"content": OLD, "namespace": SHOP, "importance": 0.1})
        server.call("store_memory", {"content": NEW, "namespace": SHOP, "importance": 0.9})
        yield server


@pytest.fixture
def visitor(server):
    return Visitor(server)


def sent(visitor, where, **values):
    """The answer to a form of the last page with these values."""
    key = visitor.get("/system").form_key
    return visitor.post(where, [("form_key", key), *values.items()])


def memories(server):
    return sum(each["memory_count"] for each in server.call("list_namespaces")["namespaces"])


def weights(server):
    return server.call("set_scoring_weights")["weights"]


# --- Health ---


def test_health_says_what_is_stored_what_waits_and_which_backups_there_are(visitor):
    said = visitor.get("/system").text
    assert "Healthy" in said
    assert "records 2" in said
    assert "pending" in said
    assert "Backups" in said


# --- Trash ---


def test_each_operation_of_the_trash_is_undone_from_there(visitor, server):
    assert "Nothing was deleted" in visitor.get("/system/trash").text
    server.call("delete_namespace", {"namespace": SHOP, "confirm": True})
    assert memories(server) == 0
    page = visitor.get("/system/trash")
    assert "2 records" in page.text
    assert "delete_namespace" in page.text
    undone = page.submit("Undo")
    assert memories(server) == 2
    assert "undone" in undone.text


def test_a_visitor_who_may_only_read_sees_the_trash_and_undoes_nothing(server):
    server.call("delete_namespace", {"namespace": SHOP, "confirm": True})
    reader = Visitor(server, done("token", "create", "--scope", "read", data=server.data).strip())
    page = reader.get("/system/trash")
    assert "2 records" in page.text
    assert not [form for form in page.forms if form.action == "/undo"]


# --- Scoring ---


def places(page):
    """The texts of the preview, best first."""
    return re.findall(r"data-open><bdi>([^<]*)</bdi>", page.html)


def test_weights_are_tried_on_a_question_before_they_are_set(visitor, server):
    before = weights(server)
    ranked = visitor.get("/system/weights?q=prices+emptied+at+night")
    assert places(ranked) == [OLD, NEW]
    others = "&".join(f"{name}={float(name == 'importance')}" for name in COMPONENTS)
    tried = visitor.get(f"/system/weights?q=prices+emptied+at+night&{others}")
    assert places(tried) == [NEW, OLD]
    assert "up, was 2." in tried.text
    assert "down, was 1." in tried.text
    assert weights(server) == before
    tried.submit("Save these weights")
    assert weights(server) == {name: float(name == "importance") for name in COMPONENTS}
    recalled = server.call("recall_memory", {"query": "prices emptied at night", "namespace": SHOP})
    assert [hit["content"] for hit in recalled] == [NEW, OLD]
    visitor.get("/system/weights").submit("Back to the defaults")
    assert weights(server) == before


@pytest.mark.parametrize("given", ["recency=-1", "recency=much", "recency=nan", "&".join(f"{n}=0" for n in COMPONENTS)])
def test_weights_that_cannot_be_are_refused(visitor, given):
    assert visitor.get(f"/system/weights?{given}").status == 400


# --- Tokens ---


def test_a_token_is_shown_once_and_revoked(visitor, server):
    made = sent(visitor, "/system/tokens/create", name="ci", scope="read", namespaces=SHOP, expires="90d")
    secret = re.search(r"ind_[\w-]{43}", made.html)[0]
    assert Visitor(server, secret).get("/projects").status == 200
    listed = visitor.get("/system/tokens")
    assert secret not in listed.html
    assert "ci read shop valid" in listed.text
    assert "revoked" in listed.submit("Revoke").text
    assert "Log in" in Visitor(server, secret).get("/projects").text


@pytest.mark.parametrize("values", [{"scope": "all"}, {"scope": "read", "expires": "soon"}])
def test_a_token_that_cannot_be_is_refused(visitor, values):
    assert sent(visitor, "/system/tokens/create", **values).status == 400
    assert "There are none" in visitor.get("/system/tokens").text


# --- Settings ---


def test_settings_say_where_each_comes_from(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "indelible.toml").write_text("trash_days = 12\n")
    env = {"INDELIBLE_COMMITS": "77", "INDELIBLE_ENCODER_KEY": "top-secret-key"}
    with HttpServer(tmp_path / "data", "--toolsets", "memory", env=env) as server:
        page = Visitor(server).get("/system/settings")
        assert "trash_days 12 indelible.toml" in page.text
        assert "commits 77 INDELIBLE_COMMITS" in page.text
        assert "toolsets memory --toolsets" in page.text
        assert "event_days 90 default" in page.text
        assert "encoder_key set INDELIBLE_ENCODER_KEY" in page.text
        assert "top-secret-key" not in page.html


# --- Other visitors ---


@pytest.mark.parametrize("options", [["--scope", "write"], ["--scope", "admin", "--namespace", SHOP]])
def test_what_is_of_the_machine_is_only_for_who_administers_all_of_it(server, options):
    other = Visitor(server, done("token", "create", *options, data=server.data).strip())
    assert other.get("/system/settings").status == 403
    assert other.get("/system/tokens").status == 403
    assert sent(other, "/system/tokens/create", scope="admin").status == 403
    assert sent(other, "/system/tokens/revoke", id="tok_00000000").status == 403
    health = other.get("/system").text
    assert str(server.data) not in health
    assert "Backups" not in health


def test_weights_are_for_the_whole_store(server):
    writer = Visitor(server, done("token", "create", "--scope", "write", data=server.data).strip())
    assert sent(writer, "/system/weights", recency="1").status == 403
