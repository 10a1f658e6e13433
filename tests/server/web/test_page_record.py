"""One record on the page: looked at, corrected, deleted, brought back; and the search and first screen around it."""

import json
import re

import pytest

from command_line import done
from http_server import HttpServer
from mcp_client import McpClient
from page_requests import Visitor, text_of

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("page") / "data"


@pytest.fixture(scope="module")
def server(data):
    with HttpServer(data) as server:
        yield server


@pytest.fixture
def page(server, data):
    return Visitor.by_link(server, data)


@pytest.fixture
def stored(server, request):
    """The id of a memory of this test's own."""
    content = f"The queue of {request.node.name[:60]} keeps messages for nine days."
    return server.call("store_memory", {"content": content, "memory_type": "decision", "namespace": "shop"})["id"]


def exported(server, key):
    """The memory as every other door sees it."""
    found = server.call("recall_memory", {"query": key, "k": 1})
    return next((hit for hit in found if hit["id"] == key), None)


def updated_in(page, key):
    """The time of the last change that an open form of a memory has."""
    body = page.get("/record", id=key, edit="1").body.decode()
    return re.search(r'name="updated" value="(\d+)"', body)[1]


# --- Reading ---


def test_a_record_says_what_is_remembered_who_said_it_and_whether_it_holds(page, stored):
    words = text_of(page.get("/record", id=stored))
    assert "keeps messages for nine days" in words
    assert "Holds." in words
    assert "Stored" in words
    assert "decision" in words
    assert stored in words


def test_a_record_that_was_replaced_says_by_what(server, page, stored):
    newer = server.call("refine_memory", {"id": stored, "content": "The queue keeps messages for two days."})["new_id"]
    old = page.get("/record", id=stored)
    assert "No longer current" in text_of(old)
    assert newer in old.body.decode()
    assert stored[:8] in text_of(page.get("/record", id=newer, tab="relations"))


def test_a_question_finds_by_words_and_says_why(page, stored):
    answer = page.get("/find", q="how long does the queue keep messages")
    assert stored in answer.body.decode()
    words = text_of(answer)
    assert "meaning" in words
    assert "words" in words
    assert "Found by" in words


def test_a_record_that_a_question_does_not_find_says_at_which_stage_it_fell_out(server, page, stored):
    far = server.call("store_memory", {"content": "Basil wants sun and little water.", "namespace": "garden"})["id"]
    words = text_of(page.get("/find", q="how long does the queue keep messages", missed=far))
    assert f"Why not {far[:8]}" in words
    assert "Basil wants sun" in words
    elsewhere = text_of(page.get("/find", q="basil in the sun", project="shop", missed=far))
    assert "filter" in elsewhere
    there = text_of(page.get("/find", q="basil in the sun", missed=far))
    assert "returned" in there
    assert "unknown" in text_of(page.get("/find", q="basil", missed="ffffffff-0000-4000-8000-000000000000")).lower()


def test_filters_are_in_the_address_and_one_that_cannot_be_is_refused(page, stored):
    assert stored in page.get("/find", type="decision", project="shop").body.decode()
    assert stored not in page.get("/find", type="preference").body.decode()
    assert stored not in page.get("/find", project="elsewhere").body.decode()
    assert stored not in page.get("/find", trust="untrusted").body.decode()
    assert stored in page.get("/find", since="1d", trust="trusted").body.decode()
    refused = page.get("/find", kind="nonsense")
    assert refused.status == 400
    assert "kind must be one of" in text_of(refused)
    assert "since" in text_of(page.get("/find", since="whenever"))


def test_a_question_that_nothing_fits_names_the_next_step(page):
    assert "Nothing relevant" in text_of(page.get("/find", q="zeppelin moorings", project="nowhere-at-all"))


def test_what_is_shown_is_exported_in_three_forms(page, stored):
    as_json = page.sent("GET", "/find?project=shop&k=200&as=json")
    assert stored in {each["id"] for each in json.loads(as_json.body)}
    assert as_json.headers["content-disposition"].startswith("attachment")
    as_csv = page.sent("GET", "/find?project=shop&k=200&as=csv").body.decode()
    assert as_csv.splitlines()[0].startswith("id,kind,content")
    assert stored in as_csv
    assert stored in page.sent("GET", "/find?project=shop&k=200&as=md").body.decode()
    assert page.sent("GET", "/find?as=exe").status == 400


def test_no_cell_of_an_exported_table_is_a_formula(server, page):
    server.call("store_memory", {"content": "=HYPERLINK(1) is what a formula looks like", "namespace": "formulas"})
    assert "'=HYPERLINK" in page.sent("GET", "/find?project=formulas&as=csv").body.decode()


# --- Correcting ---


def test_an_edit_is_what_every_door_sees_and_undo_takes_it_back(server, page, stored):
    before = exported(server, stored)["content"]
    seen = updated_in(page, stored)
    answer = page.post("/record/edit", id=stored, text="The queue keeps messages for four days.", updated=seen)
    assert answer.status == 200
    assert "four days" in text_of(answer)
    assert exported(server, stored)["content"] == "The queue keeps messages for four days."
    operation = re.search(r'name="operation" value="(\w+)"', answer.body.decode())[1]
    assert before in text_of(page.get("/record", id=stored, tab="history"))
    undone = page.post("/undo", operation=operation, back=f"/record?id={stored}")
    assert before in text_of(undone)
    assert exported(server, stored)["content"] == before
    assert 'name="operation"' not in undone.body.decode()


def test_of_two_tabs_that_edit_one_record_the_second_is_told_and_nothing_is_lost(server, page, stored, data):
    second = Visitor.by_link(server, data)
    seen, seen_too = updated_in(page, stored), updated_in(second, stored)
    assert page.post("/record/edit", id=stored, text="First: six days.", updated=seen).status == 200
    told = second.post("/record/edit", id=stored, text="Second: seven days.", updated=seen_too)
    assert told.status == 409
    words = told.body.decode()
    assert "changed meanwhile" in words
    assert "First: six days." in words
    assert "Second: seven days." in words
    assert exported(server, stored)["content"] == "First: six days."
    again = updated_in(second, stored)
    assert second.post("/record/edit", id=stored, text="Second: seven days.", updated=again).status == 200
    assert exported(server, stored)["content"] == "Second: seven days."


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"text": "  "}, "text is empty"),
        ({"text": "x", "importance": "much"}, "importance must be a number"),
        ({"text": "x", "importance": "7"}, "importance must be a number from 0 to 1"),
        ({"text": "x", "importance": "nan"}, "importance must be a number from 0 to 1"),
        ({"text": "x", "updated": "soon"}, "updated must be the time"),
        ({"text": "x", "id": "nothing"}, "unknown"),
    ],
)
def test_a_wrong_edit_is_refused_by_name_and_changes_nothing(server, page, stored, form, words):
    before = exported(server, stored)["content"]
    given = {"id": stored, "updated": updated_in(page, stored), **form}
    answer = page.post("/record/edit", **given)
    assert answer.status in (400, 404, 409)
    assert words in text_of(answer)
    assert exported(server, stored)["content"] == before


def test_what_was_deleted_is_named_by_the_bar_and_comes_back(server, page, stored):
    page.get("/record", id=stored)
    answer = page.post("/record/delete", id=stored, back="/find")
    assert "deleted" in text_of(answer).lower()
    assert exported(server, stored) is None
    assert page.get("/record", id=stored).status == 404
    operation = re.search(r'name="operation" value="(\w+)"', answer.body.decode())[1]
    assert page.post("/undo", operation=operation, back="/find").status == 200
    assert exported(server, stored) is not None


def test_several_are_deleted_and_brought_back_at_once(server, page):
    batch = [{"content": f"Of the batch: {number}", "namespace": "batch"} for number in range(3)]
    keys = [server.call("store_memory", each)["id"] for each in batch]
    page.get("/find", project="batch")
    answer = page.post("/record/delete", id=keys, back="/find?project=batch")
    assert not [key for key in keys if key in answer.body.decode()]
    operation = re.search(r'name="operation" value="(\w+)"', answer.body.decode())[1]
    back = page.post("/undo", operation=operation, back="/find?project=batch").body.decode()
    assert all(key in back for key in keys)


def test_a_form_leads_back_to_this_page_alone(page, stored):
    page.get("/record", id=stored)
    body = f"form_key={page.form_key}&id={stored}&pinned=1&back=//evil.example/".encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = page.sent("POST", "/record/pin", body, headers)
    assert answer.headers["location"].startswith("/record?")


def test_a_pin_opens_the_brief_of_the_first_screen(page, stored):
    page.get("/record", id=stored)
    assert "Unpin" in text_of(page.post("/record/pin", id=stored, pinned="1"))
    assert stored[:8] in text_of(page.get("/", project="shop"))


def test_a_relation_is_added_and_named(server, page, stored):
    other = server.call("store_memory", {"content": "Queues are of the broker.", "namespace": "shop"})["id"]
    page.get("/record", id=stored)
    words = text_of(page.post("/record/relate", id=stored, target=other, relationship="EXPLAINS"))
    assert "EXPLAINS" in words
    assert "Queues are of the broker." in words


# --- Tokens ---


def test_a_token_sees_and_does_what_it_may(tmp_path):
    data = tmp_path / "data"
    with HttpServer(data) as server:
        ours = server.call("store_memory", {"content": "Ours: tabs.", "namespace": "ours"})["id"]
        theirs = server.call("store_memory", {"content": "Theirs: spaces.", "namespace": "theirs"})["id"]
        reading = _token(data, "read", "ours")
        page = Visitor.by_token(server, reading)
        assert "Ours: tabs." in text_of(page.get("/find"))
        for path in ("/", "/find", "/find?q=spaces", f"/record?id={theirs}", f"/record?id={ours}"):
            assert "Theirs" not in text_of(page._asked("GET", path, None, {}))
        page.get("/record", id=ours)
        assert "Edit" not in text_of(page.get("/record", id=ours))
        for path in ("/record/delete", "/record/pin", "/record/edit", "/record/relate", "/record/refine", "/undo"):
            answer = page.post(path, id=ours, text="x", updated="1", operation="x", target=theirs)
            assert answer.status == 403, path
        assert Visitor(server).post("/login", token="ind_" + "x" * 43).status == 401
        _revoke(data)
        assert page.get("/").status == 401


def test_many_wrong_tokens_are_refused_for_a_while(tmp_path):
    with HttpServer(tmp_path / "data") as server:
        stranger = Visitor(server)
        for _ in range(12):
            answer = stranger.post("/login", token="ind_" + "y" * 43)
        assert "wait a minute" in text_of(answer)


def _token(data, scope, namespace):
    return done("token", "create", "x", "--scope", scope, "--namespace", namespace, data=data).strip()


def _revoke(data):
    key = re.search(r"tok_\w+", done("token", "list", data=data))[0]
    done("token", "revoke", key, data=data)


# --- The live stream ---


def test_a_memory_that_an_agent_stores_arrives_on_the_open_page(server, page, data):
    connection = server.connect()
    cookies = "; ".join(f"{name}={value}" for name, value in page.cookies.items())
    connection.request("GET", "/live", headers={"Cookie": cookies})
    stream = connection.getresponse()
    assert stream.headers["content-type"] == "text/event-stream"
    assert stream.readline() == b"event: ready\n"
    with McpClient(data) as agent:
        agent.call("store_memory", {"content": "Live: <b>the agent</b> found out."})
    found = b""
    while b"Live:" not in found:
        found = stream.readline()
    assert b"&lt;b&gt;the agent" in found
    connection.close()
