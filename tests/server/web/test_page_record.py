"""One record on the page: looked at, corrected, deleted, brought back; and the search and first screen around it."""

import json
import re
from random import Random

import pytest

from git_repository import GitRepository
from indelible.capture import ingest
from indelible.server.web.home import BREAK, Look
from indelible.settings import DAY
from indelible.toolsets.code import links
from indexed_code import write
from mcp_client import McpClient
from page_client import FORM, Visitor
from secret_formats import drawn
from told import FAILED, Told, repository

pytestmark = pytest.mark.process


@pytest.fixture
def stored(call, request):
    """The id of a memory of this test's own."""
    content = f"The queue of {request.node.name[:60]} keeps messages for nine days."
    return call("store_memory", content=content, memory_type="decision", namespace="shop")["id"]


def exported(call, key):
    """The memory as every other door sees it."""
    found = call("recall_memory", query=key, k=1)
    return next((hit for hit in found if hit["id"] == key), None)


def updated_in(visitor, key):
    """The time of the last change that an open form of a memory has."""
    return re.search(r'name="updated" value="(\d+)"', visitor.get("/record", id=key, edit="1").html)[1]


# --- The first screen ---


def test_a_look_ends_with_a_break_and_a_reload_is_none():
    first = Look.of("", 10 * BREAK)
    assert first == (10 * BREAK, 0)
    reload = Look.of(first.text, 10 * BREAK + 5)
    assert reload.before == 0
    second = Look.of(reload.text, 12 * BREAK)
    assert second.before == 10 * BREAK + 5
    assert Look.of(second.text, 12 * BREAK + 5).before == 10 * BREAK + 5
    assert Look.of("soon", 7) == (7, 0)
    assert Look.of(f"{99 * BREAK}.{98 * BREAK}", 7).before == 7


def test_the_first_screen_says_what_was_learned_since_the_last_look(call, visitor, ctx, place):
    old = call("store_memory", content="Old: the press is blue.", namespace=place)["id"]
    assert "Learned lately" in visitor.get("/", project=place).text
    visitor.keep("indelible_looked", f"{ctx.now() - 2 * BREAK}.0")
    page = visitor.get("/", project=place)
    assert "Learned since you last looked 1 since you looked 1 hour ago" in page.text
    assert old in page.html


def test_the_first_screen_shows_what_failed_when_it_was_last_run(call, visitor, ctx, tmp_path):
    shop = repository(tmp_path / "shop")
    told = Told(shop, "s1", began=ctx.now() - 3 * DAY // 2)
    told.prompt("go on")
    told.command("pytest tests/test_cart.py", FAILED, failed=True)
    told.command("make build", "error: no rule to make target 'cents'", failed=True)
    told.command("make build", "done")
    told.turn("It failed.")
    ingest.take_in(ctx, told.events)
    call("store_memory", content="Prices are in cents.", namespace=str(shop))
    failed = visitor.get("/", project=str(shop)).text.partition("Open failures")[2]
    assert "assert 3 == 4" in failed
    assert "failed pytest tests/test_cart.py 1 day ago run by claude-code" in failed
    assert "cents'" not in failed
    told.command("pytest tests/test_cart.py", "1 passed in 0.1s")
    ingest.take_in(ctx, told.events[-1:])
    assert "None: no recorded command" in visitor.get("/", project=str(shop)).text


# --- Reading ---


def test_a_record_says_what_is_remembered_who_said_it_and_whether_it_holds(visitor, stored):
    words = visitor.get("/record", id=stored).text
    assert "keeps messages for nine days" in words
    assert "Holds." in words
    assert "Stored" in words
    assert "decision" in words
    assert stored in words


def test_a_record_that_was_replaced_says_by_what(call, visitor, stored):
    newer = call("refine_memory", id=stored, content="The queue keeps messages for two days.")["new_id"]
    old = visitor.get("/record", id=stored)
    assert "No longer current" in old.text
    assert newer in old.html
    assert stored[:8] in visitor.get("/record", id=newer, tab="relations").text
    assert "It replaces The queue of" in visitor.get("/record", id=newer, tab="history").text


def test_the_history_shows_what_each_change_made_of_the_text_and_who_stored_it(call, visitor, stored):
    assert "it was never changed" in visitor.get("/record", id=stored, tab="history").text
    call("update_memory", id=stored, content="The queue keeps messages for six days.")
    call("update_memory", id=stored, content="The queue keeps messages for five days.")
    visitor.get("/record", id=stored)
    visitor.post("/record/pin", id=stored, pinned="1")
    page = visitor.get("/record", id=stored, tab="history")
    assert "<del>six</del><ins>five</ins>" in page.html
    assert "update by page: pin; the text stayed as it was" in page.text
    assert page.text.partition("History")[2].count("stored by you or an agent") == 1


def test_a_commit_is_not_said_to_wait_for_review(call, visitor, tmp_path):
    repository = GitRepository(tmp_path / "code")
    commit = repository.commit({"pay.py": "def price(): ...\n"}, "Prices are in cents")
    call("index_codebase", path=str(repository.path))
    page = visitor.get("/record", id=f"commit:{commit}")
    assert "Not confirmed. From git" in page.text
    assert "Files pay.py" in page.text
    assert "waits for" not in page.text


def test_a_todo_says_whether_it_is_done(call, visitor, place):
    for title in ("Open the shop", "Close the shop"):
        number = call("add_todo", title=f"{title} {place}")["todo_id"]
    call("complete_todo", todo_id=number)
    page = visitor.get("/find", q=f"shop {place}", kind="todo")
    assert page.text.count(" done ") == 1
    assert "State completed" in visitor.get("/record", id=f"todo:{number}").text


def test_a_question_finds_by_words_and_says_why(visitor, stored):
    answer = visitor.get("/find", q="how long does the queue keep messages")
    assert stored in answer.html
    words = answer.text
    assert "meaning" in words
    assert "words" in words
    assert "Found by" in words


def test_a_record_that_a_question_does_not_find_says_at_which_stage_it_fell_out(call, visitor):
    far = call("store_memory", content="Basil wants sun and little water.", namespace="garden")["id"]
    words = visitor.get("/find", q="how long does the queue keep messages", missed=far).text
    assert f"Why not {far[:8]}" in words
    assert "Basil wants sun" in words
    elsewhere = visitor.get("/find", q="basil in the sun", project="shop", missed=far).text
    assert "filter" in elsewhere
    there = visitor.get("/find", q="basil in the sun", missed=far).text
    assert "returned" in there
    assert "unknown" in visitor.get("/find", q="basil", missed="ffffffff-0000-4000-8000-000000000000").text.lower()


def test_a_question_without_an_answer_shows_what_came_nearest_and_why_it_is_none(call, visitor, place):
    for number in range(10):
        call("store_memory", content=f"The server number {number} runs in rack {number}.", namespace=place)
    page = visitor.get("/find", project=place, q="server of the burrow in wombat county")
    assert "Nothing relevant. Nearest, below the threshold:" in page.text
    assert page.text.count("was found and is no answer") == 3
    nothing = visitor.get("/find", project=place, q="wombat county")
    assert "Nothing relevant." in nothing.text


def test_a_document_is_shown_with_its_parts_and_each_part_leads_back(call, visitor, place):
    text = "".join(f"# Chapter {n}\n\n{'Words of the chapter. ' * 60}\n\n" for n in range(60))
    key = call("store_memory", content=text, file_name="manual.md", namespace=place)["id"]
    page = visitor.get("/record", id=key, tab="parts")
    assert "Chapter 0" in page.text
    assert "Chapter 59" not in page.text
    last = page.follow("Next parts")
    while "Next parts" in last.links:
        last = last.follow("Next parts")
    assert "Chapter 59" in last.text
    chunk = visitor.get(re.search(r'href="(/record\?id=chunk[^"]*)"', last.html)[1])
    assert "Part of manual.md" in chunk.text
    assert "From manual.md > Chapter" in chunk.text
    assert "Chapter 0" in chunk.follow("manual.md").text
    assert visitor.get("/record", id=key, tab="parts", **{"from": "9999"}).status == 200
    assert "manual.md" in visitor.get("/find", project=place, kind="document").text
    assert "chunk" in visitor.get("/find", project=place, kind="document", q="chapter 7").text


CODE = """
def price(cents):
    return f"{cents / 100:.2f}"


def total(prices):
    return sum(prices)
"""


def test_the_code_that_a_record_names_stands_beside_it_as_it_is_now(call, visitor, tmp_path, ctx, with_token):
    root = write(tmp_path / "shop", {"pyproject.toml": '[project]\nname = "shop"\n', "pay.py": CODE})
    call("index_codebase", path=str(root))
    key = call("store_memory", content="`price` formats cents, `total` sums them.", namespace=str(root))["id"]
    links.catch_up(ctx)
    page = visitor.get("/record", id=key)
    assert "return f&#34;{cents / 100:.2f}&#34;" in page.html
    assert "pay.py:2" in page.text
    assert "price pay.py:2 fresh" in page.text
    (root / "pay.py").write_text("# A comment above.\n" * 5 + CODE)
    moved = visitor.get("/record", id=key)
    assert "pay.py:7" in moved.text
    assert "was changed since it was indexed" in moved.text
    (root / "pay.py").write_text(CODE.replace("price", "amount"))
    call("index_codebase", path=str(root))
    links.catch_up(ctx)
    later = visitor.get("/record", id=key).text
    assert re.search(r"price pay.py\S* (gone|moved to)", later)
    assert "return f" not in with_token("admin", str(root)).get("/record", id=key).html


def test_a_secret_in_the_code_beside_a_record_is_not_shown(call, visitor, tmp_path, ctx):
    key = f"-----BEGIN PRIVATE KEY-----\n{'QUJD' * 16}\n{'REVG' * 16}\n-----END PRIVATE KEY-----"
    token = drawn(Random(5), "ghp_{a 36}")
    code = f'KEY = """{key}"""\n\n\ndef price(cents):\n    token = "{token}"\n    return cents, token\n'
    root = write(tmp_path / "shop", {"pyproject.toml": '[project]\nname = "shop"\n', "pay.py": code})
    call("index_codebase", path=str(root))
    stored = call("store_memory", content="`price` asks for a token.", namespace=str(root))["id"]
    links.catch_up(ctx)
    page = visitor.get("/record", id=stored)
    assert "pay.py:7" in page.text
    assert "[REDACTED:github-token]" in page.html
    assert "return cents, token" in page.html
    assert "ghp_" not in page.html


def test_filters_are_in_the_address_and_one_that_cannot_be_is_refused(visitor, stored):
    assert stored in visitor.get("/find", type="decision", project="shop").html
    assert stored not in visitor.get("/find", type="preference").html
    assert stored not in visitor.get("/find", project="elsewhere").html
    assert stored not in visitor.get("/find", trust="untrusted").html
    assert stored in visitor.get("/find", since="1d", trust="trusted").html
    refused = visitor.get("/find", kind="nonsense")
    assert refused.status == 400
    assert "kind must be one of" in refused.text
    assert "since" in visitor.get("/find", since="whenever").text


def test_a_filter_finds_what_is_far_behind_the_newest(call, visitor, place):
    call("store_memory", content="The lathe hums at dawn", namespace=place, tags=["lathe"])
    for number in range(60):
        call("store_memory", content=f"The lathe of hall {number} hums", namespace=place)
    for query in ({}, {"q": "the lathe of a hall hums", "k": "5"}):
        assert "hums at dawn" in visitor.get("/find", project=place, tag="lathe", **query).text, query
    (found,) = json.loads(visitor.sent("GET", f"/find?project={place}&tag=lathe&as=json").body)
    assert found["content"] == "The lathe hums at dawn"
    none = visitor.get("/find", project=place, tag="nothing", q="the lathe of a hall hums")
    assert "Nothing relevant" in none.text
    assert "hums" not in none.text  # what is nearest has the tag too


def test_a_question_that_nothing_fits_names_the_next_step(visitor):
    assert "Nothing relevant" in visitor.get("/find", q="zeppelin moorings", project="nowhere-at-all").text


def test_what_is_shown_is_exported_in_three_forms_with_whole_texts(call, visitor, stored):
    as_json = visitor.sent("GET", "/find?project=shop&k=200&as=json")
    assert stored in {each["id"] for each in json.loads(as_json.body)}
    assert as_json.headers["content-disposition"].startswith("attachment")
    as_csv = visitor.sent("GET", "/find?project=shop&k=200&as=csv").body.decode()
    assert as_csv.splitlines()[0].startswith("id,kind,content")
    assert stored in as_csv
    assert stored in visitor.sent("GET", "/find?project=shop&k=200&as=md").body.decode()
    long = "A long text. " * 300
    call("store_memory", content=long, namespace="long")
    for query in ("", "&q=a+long+text"):
        (found,) = json.loads(visitor.sent("GET", f"/find?project=long&as=json{query}").body)
        assert found["content"] == long
    assert visitor.sent("GET", "/find?as=exe").status == 400


def test_no_cell_of_an_exported_table_is_a_formula(call, visitor):
    call("store_memory", content="=HYPERLINK(1) is what a formula looks like", namespace="formulas")
    assert "'=HYPERLINK" in visitor.sent("GET", "/find?project=formulas&as=csv").body.decode()


# --- Correcting ---


def test_an_edit_is_what_every_door_sees_and_undo_takes_it_back(call, visitor, stored):
    before = exported(call, stored)["content"]
    seen = updated_in(visitor, stored)
    answer = visitor.post("/record/edit", id=stored, text="The queue keeps messages for four days.", updated=seen)
    assert answer.status == 200
    assert "four days" in answer.text
    assert exported(call, stored)["content"] == "The queue keeps messages for four days."
    operation = answer.operation
    assert "<del>nine</del><ins>four</ins>" in visitor.get("/record", id=stored, tab="history").html
    undone = visitor.post("/undo", operation=operation, back=f"/record?id={stored}")
    assert before in undone.text
    assert exported(call, stored)["content"] == before
    assert 'name="operation"' not in undone.html


def test_of_two_tabs_that_edit_one_record_the_second_is_told_and_nothing_is_lost(call, server, visitor, stored):
    second = Visitor(server)
    seen, seen_too = updated_in(visitor, stored), updated_in(second, stored)
    assert visitor.post("/record/edit", id=stored, text="First: six days.", updated=seen).status == 200
    told = second.post("/record/edit", id=stored, text="Second: seven days.", updated=seen_too)
    assert told.status == 409
    words = told.html
    assert "changed meanwhile" in words
    assert "First: six days." in words
    assert "Second: seven days." in words
    assert exported(call, stored)["content"] == "First: six days."
    again = updated_in(second, stored)
    assert second.post("/record/edit", id=stored, text="Second: seven days.", updated=again).status == 200
    assert exported(call, stored)["content"] == "Second: seven days."


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
def test_a_wrong_edit_is_refused_by_name_and_changes_nothing(call, visitor, stored, form, words):
    before = exported(call, stored)["content"]
    given = {"id": stored, "updated": updated_in(visitor, stored), **form}
    answer = visitor.post("/record/edit", **given)
    assert answer.status in (400, 404, 409)
    assert words in answer.text
    assert exported(call, stored)["content"] == before


@pytest.mark.parametrize(
    ("way", "form"),
    [
        ("edit", {"importance": "7"}),
        ("edit", {"text": "Typed with care, and a NUL: \0."}),
        ("refine", {"text": "Typed with care, and a NUL: \0."}),
    ],
)
def test_a_text_that_is_not_taken_is_shown_again(call, visitor, stored, way, form):
    before = exported(call, stored)["content"]
    given = {"id": stored, "updated": updated_in(visitor, stored), "text": "Typed with care.", **form}
    answer = visitor.post(f"/record/{way}", **given)
    assert answer.status == 400
    form = next(each for each in answer.forms if each.action == "/record/edit")
    assert "Typed with care" in dict(form.values)["text"]
    assert exported(call, stored)["content"] == before


def test_an_edit_of_the_text_leaves_the_importance(call, visitor):
    key = call("store_memory", content="Nearly important", importance=0.123456)["id"]
    form = next(each for each in visitor.get("/record", id=key, edit="1").forms if each.action == "/record/edit")
    assert visitor.post("/record/edit", **{**dict(form.values), "text": "Nearly as important"}).status == 200
    assert exported(call, key)["importance"] == 0.123456


def test_what_was_deleted_is_named_by_the_bar_and_comes_back(call, visitor, stored):
    visitor.get("/record", id=stored)
    answer = visitor.post("/record/delete", id=stored, back="/find")
    assert "Deleted : The queue of" in answer.text
    assert "deleted" in answer.text.lower()
    assert exported(call, stored) is None
    assert visitor.get("/record", id=stored).status == 404
    operation = answer.operation
    assert visitor.post("/undo", operation=operation, back="/find").status == 200
    assert exported(call, stored) is not None


def test_several_are_deleted_and_brought_back_at_once(call, visitor):
    batch = [{"content": f"Of the batch: {number}", "namespace": "batch"} for number in range(3)]
    keys = [call("store_memory", **each)["id"] for each in batch]
    visitor.get("/find", project="batch")
    answer = visitor.post("/record/delete", id=keys, back="/find?project=batch")
    assert not [key for key in keys if key in answer.html]
    operation = answer.operation
    back = visitor.post("/undo", operation=operation, back="/find?project=batch").html
    assert all(key in back for key in keys)


def test_a_form_leads_back_to_this_page_alone(visitor, stored):
    page = visitor.get("/record", id=stored)
    body = f"form_key={page.form_key}&id={stored}&pinned=1&back=//evil.example/".encode()
    answer = visitor.sent("POST", "/record/pin", body, FORM)
    assert answer.headers["location"].startswith("/record?")


def test_a_pin_opens_the_brief_of_the_first_screen(visitor, stored):
    visitor.get("/record", id=stored)
    assert "Unpin" in visitor.post("/record/pin", id=stored, pinned="1").text
    assert stored[:8] in visitor.get("/", project="shop").text


def test_a_relation_is_added_and_named(call, visitor, stored):
    other = call("store_memory", content="Queues are of the broker.", namespace="shop")["id"]
    visitor.get("/record", id=stored)
    words = visitor.post("/record/relate", id=stored, target=other, relationship="EXPLAINS").text
    assert "EXPLAINS" in words
    assert "Queues are of the broker." in words


# --- The live stream ---


def test_a_memory_that_an_agent_stores_arrives_on_the_open_page(visitor, data):
    with visitor.stream("/live") as events, McpClient(data) as agent:
        assert next(events).startswith("event: ready")
        agent.call("store_memory", {"content": "Live: <b>the agent</b> found out."})
        row = next(event for event in events if event.startswith("event: record"))
    assert "&lt;b&gt;the agent" in row
