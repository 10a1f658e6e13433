"""The page of the system: health, settings, trash with undo, weights that are tried before they are set, tokens."""

import re
from contextlib import closing

import pytest

import store_file
from http_server import HttpServer
from indelible.admin import doctor, tokens
from indelible.model import COMPONENTS
from indelible.store.sqlite.connection import FILE
from page_client import Visitor

pytestmark = pytest.mark.process

OLD = "The cache of prices is emptied at night"
NEW = "Prices live in a cache that nobody empties by hand"


@pytest.fixture
def shop(call, place):
    call("store_memory", content=OLD, namespace=place, importance=0.1)
    call("store_memory", content=NEW, namespace=place, importance=0.9)
    return place


@pytest.fixture
def weights(call):
    return lambda: call("set_scoring_weights")["weights"]


# --- Health ---


def test_health_says_what_is_stored_what_waits_and_which_backups_there_are(visitor):
    said = visitor.get("/system").text
    assert "Healthy" in said
    assert re.search(r"\bRecords \d", said)
    assert re.search(r"\bThe store [\d.]+ [KM]iB", said)
    for each in ("Memories to review", "Records to embed", "Events that hooks left"):
        assert re.search(rf"{each} \d", said)
    assert "Backups" in said


def test_what_doctor_finds_is_shown_when_it_is_asked_for(visitor, ctx, with_token):
    page = visitor.get("/system/doctor")
    assert "minutes" in page.text
    assert "records:" not in page.text
    found = page.submit("Examine")
    assert "Sound" in found.text
    for line in doctor.examined(ctx).lines:
        assert line.partition(":")[0] in found.text
    assert with_token("admin", "/src/shop").get("/system/doctor").status == 403
    assert with_token("write").post("/system/doctor").status == 403


def test_a_long_examination_keeps_nobody_waiting_and_its_findings_come_to_the_page(visitor, ctx, data):
    """It waits for who writes to the file, as it would take its time with a large one."""
    if ctx.store.dialect != "sqlite":
        pytest.skip("of a database no lock is taken")
    page = visitor.get("/system/doctor")
    with closing(store_file.opened(data / FILE, write=True)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        running = page.submit("Examin")
        assert "Examining the store" in running.text
        assert running.headers["refresh"] == "2"
        assert visitor.get("/find").status == 200
        writer.execute("ROLLBACK")
    while "Examining the store" in (found := visitor.get("/system/doctor")).text:
        pass
    assert "Sound" in found.text
    assert "Examined just now" in found.text


# --- Namespaces and tenants ---


def test_namespaces_are_shown_as_they_are_stored_each_with_its_project(visitor, call, place, with_token):
    call("store_memory", content="Of the top.", namespace=f"{place}/a b")
    call("store_memory", content="Of the top too.", namespace=f"{place}/a b")
    words = visitor.get("/system/namespaces").text
    assert f"{place}/a b 2 memories" in words
    ours = with_token("admin", f"{place}/a b").get("/system/namespaces").text
    assert f"{place}/a b 2 memories" in ours
    assert "1 namespace of 1 project" in ours
    assert with_token("write").get("/system/namespaces").status == 403


@pytest.mark.sqlite("that a file has one tenant")
def test_a_file_says_that_it_holds_one_tenant(visitor, with_token):
    words = visitor.get("/system/tenants").text
    assert "tenant 1" in words
    assert "A file holds one tenant" in words
    assert with_token("admin", "/src/shop").get("/system/tenants").status == 403


# --- Trash ---


def test_each_operation_of_the_trash_is_undone_from_there(visitor, call, shop):
    call("delete_namespace", namespace=shop, confirm=True)
    assert not call("recall_memory", query="cache", namespace=shop)
    page = visitor.get("/system/trash")
    assert "2 records by delete_namespace" in page.text
    undone = page.submit("Undo")
    assert len(call("recall_memory", query="cache", namespace=shop)) == 2
    assert "undone" in undone.text


def test_a_visitor_who_may_only_read_sees_the_trash_and_undoes_nothing(with_token, call, shop):
    call("delete_namespace", namespace=shop, confirm=True)
    page = with_token("read").get("/system/trash")
    assert "2 records" in page.text
    assert not [form for form in page.forms if form.action == "/undo"]


# --- Scoring ---


def places(page):
    """The texts of the preview, best first."""
    return re.findall(r"data-open>([^<]*)</a>", page.html)


def test_weights_are_tried_on_a_question_before_they_are_set(visitor, call, shop, weights):
    before = weights()
    ranked = visitor.get(f"/system/weights?project={shop}&q=prices+emptied+at+night")
    assert places(ranked) == [OLD, NEW]
    others = "&".join(f"{name}={float(name == 'importance')}" for name in COMPONENTS)
    tried = visitor.get(f"/system/weights?project={shop}&q=prices+emptied+at+night&{others}")
    assert places(tried) == [NEW, OLD]
    assert "up, was 2." in tried.text
    assert "down, was 1." in tried.text
    assert weights() == before
    tried.submit("Save these weights")
    assert weights() == {name: float(name == "importance") for name in COMPONENTS}
    recalled = call("recall_memory", query="prices emptied at night", namespace=shop)
    assert [hit["content"] for hit in recalled] == [NEW, OLD]
    visitor.get("/system/weights").submit("Back to the defaults")
    assert weights() == before


@pytest.mark.parametrize("given", ["recency=-1", "recency=much", "recency=nan", "&".join(f"{n}=0" for n in COMPONENTS)])
def test_weights_that_cannot_be_are_refused(visitor, given, weights):
    assert visitor.get(f"/system/weights?{given}").status == 400


# --- Tokens ---


def test_a_token_is_shown_once_and_revoked(visitor, server, ctx):
    visitor.get("/system")
    made = visitor.post("/system/tokens/create", name="ci", scope="read", namespaces="/src/ci", expires="90d")
    secret = re.search(r"ind_(?:\d+_)?[\w-]{43}", made.html)[0]
    other = Visitor(server, secret)
    assert other.get("/projects").status == 200
    listed = visitor.get("/system/tokens")
    assert secret not in listed.html
    assert "ci read ci active" in listed.text
    (key,) = [token.key for token in tokens.listed(ctx) if token.name == "ci"]
    assert "revoked" in visitor.post("/system/tokens/revoke", id=key).text
    assert "Log in" in other.get("/projects").text


@pytest.mark.parametrize("values", [{"scope": "all"}, {"scope": "read", "expires": "soon"}])
def test_a_token_that_cannot_be_is_refused(visitor, ctx, values):
    before = {token.key for token in tokens.listed(ctx)}
    visitor.get("/system")
    assert visitor.post("/system/tokens/create", **values).status == 400
    assert {token.key for token in tokens.listed(ctx)} == before


def test_the_form_of_a_token_that_cannot_be_stays_as_it_was_filled_in(visitor):
    visitor.get("/system")
    given = {"name": "till", "namespaces": "/src/till\n/src/shop", "expires": "soon"}
    answer = visitor.post("/system/tokens/create", scope="write", **given)
    assert answer.status == 400
    assert "'soon'" in answer.text
    form = next(each for each in answer.forms if each.action == "/system/tokens/create")
    assert {name: value for name, value in form.values if name in given} == given
    assert "<option selected>write" in answer.html


# --- Settings ---


def test_settings_say_where_each_comes_from(tmp_path, server, data):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "indelible.toml").write_text("trash_days = 12\n")
    env = {"INDELIBLE_COMMITS": "77", "INDELIBLE_ENCODER_KEY": "top-secret-key"}
    with HttpServer(tmp_path / "data", "--toolsets", "memory", env=env) as other:
        page = Visitor(other).get("/system/settings")
        assert "trash_days 12 indelible.toml" in page.text
        assert "commits 77 INDELIBLE_COMMITS" in page.text
        assert "toolsets memory --toolsets" in page.text
        assert "event_days 90 default" in page.text
        assert "encoder_key set INDELIBLE_ENCODER_KEY" in page.text
        assert "top-secret-key" not in page.html


# --- Other visitors ---


@pytest.mark.parametrize("given", [("write",), ("admin", "/src/shop")])
def test_what_is_of_the_machine_is_only_for_who_administers_all_of_it(with_token, data, given):
    other = with_token(*given)
    health = other.get("/system").text
    assert str(data) not in health
    assert "Backups" not in health
    assert other.get("/system/settings").status == 403
    assert other.get("/system/tokens").status == 403
    assert other.post("/system/tokens/create", scope="admin").status == 403
    assert other.post("/system/tokens/revoke", id="tok_00000000").status == 403


def test_weights_are_for_the_whole_store(with_token, weights):
    writer = with_token("write")
    writer.get("/system")
    assert writer.post("/system/weights", recency="1").status == 403
