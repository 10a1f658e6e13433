"""add_todo, list_todos, search_todos, complete_todo."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from foreign import take_in
from indelible.errors import InvalidInput, NotFound
from park import exported, of_kind, undo
from repositories import repository

SECRET = "ghp_" + "A1b2C3d4E5" * 3 + "f6G7h8"


def titles(answer):
    return [todo["title"] for todo in answer["todos"]]


def found(memory, query, **more):
    answer = memory.search_todos(query=query, **more)
    assert answer["success"] is True
    assert answer["total_results"] == len(answer["results"])
    return [todo["title"] for todo in answer["results"]]


# --- Adding ---


def test_a_todo_gets_a_number_and_is_pending(memory):
    assert memory.add_todo(title="Renew the certificate") == {
        "success": True,
        "todo_id": 1,
        "title": "Renew the certificate",
        "priority": 1,
        "status": "pending",
        "created_at": "2026-03-01T12:00:00Z",
    }


@pytest.mark.parametrize(
    ("title", "description"),
    [("a", ""), ("a", "b"), ("a\n\nb", "c\n\nd"), ("買い物", "牛乳\n\nパン"), (" padded ", "\n\n"), ("e\u0301", "é")],
)
def test_title_and_description_come_back_as_they_were(memory, title, description):
    memory.add_todo(title=title, description=description, priority=3)
    (todo,) = memory.list_todos()["todos"]
    assert (todo["title"], todo["description"], todo["priority"]) == (title, description, 3)


def test_the_same_todo_twice_is_two(memory):
    numbers = [memory.add_todo(title="again")["todo_id"] for _ in range(2)]
    assert len(set(numbers)) == 2


def test_recall_finds_a_todo_by_title_and_description(memory):
    memory.add_todo(title="Renew the certificate", description="of the staging cluster, before Friday")
    (hit,) = memory.recall_memory(query="staging cluster certificate")
    assert (hit["kind"], hit["content"]) == (
        "todo",
        "Renew the certificate\n\nof the staging cluster, before Friday",
    )


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"title": ""}, "title must have at least 1 character"),
        ({"title": " \t"}, "title must have at least one visible character"),
        ({"title": None}, "title must be a text"),
        ({"description": None}, "description must be a text"),
        ({"priority": 0}, "priority must be between 1 and 3, got 0"),
        ({"priority": 4}, "priority must be between 1 and 3, got 4"),
        ({"priority": True}, "priority must be a whole number"),
        ({"priority": "high"}, "priority must be a whole number"),
        ({"priority": 1.5}, "priority must be a whole number"),
        ({"due": "today"}, "unknown argument 'due'"),
        ({"title": "t" * (1 << 19), "description": "d" * (1 << 19)}, "title and description have 1,048,578 bytes"),
    ],
)
def test_a_wrong_argument_of_add_todo_is_named_and_nothing_is_written(memory, wrong, words):
    with pytest.raises(InvalidInput, match=words):
        memory.add_todo(**{"title": "t", **wrong})
    assert exported(memory) == []


def test_a_whole_number_may_be_written_with_a_point(memory):
    assert memory.add_todo(title="t", priority=2.0)["priority"] == 2


def test_a_secret_is_kept_out_of_a_todo(memory):
    answer = memory.add_todo(title=f"Rotate {SECRET}", description=f"export TOKEN={SECRET}")
    assert SECRET not in json.dumps([answer, exported(memory), memory.list_todos()])


# --- Listing ---


def test_an_empty_store_lists_no_todos(memory):
    assert memory.list_todos() == {"success": True, "todos": [], "total_count": 0, "filtered_count": 0}


def test_pending_come_first_then_the_most_urgent_then_the_newest(memory, clock):
    for title, priority in (("low old", 1), ("high old", 3), ("done high", 3), ("low new", 1), ("high new", 3)):
        number = memory.add_todo(title=title, priority=priority)["todo_id"]
        clock.pass_(seconds=1)
        if title.startswith("done"):
            memory.complete_todo(todo_id=number)
    assert titles(memory.list_todos()) == ["high new", "high old", "low new", "low old", "done high"]


@pytest.mark.parametrize(("status", "count"), [("all", 12), ("pending", 8), ("completed", 4)])
def test_the_limit_cuts_after_counting_those_of_the_status(memory, status, count):
    for number in range(12):
        todo = memory.add_todo(title=f"todo {number}")["todo_id"]
        if number % 3 == 0:
            memory.complete_todo(todo_id=todo)
    answer = memory.list_todos(status=status, limit=3)
    assert (answer["total_count"], answer["filtered_count"], len(answer["todos"])) == (count, 3, 3)
    assert {todo["status"] for todo in memory.list_todos(status=status, limit=100)["todos"]} <= (
        {status} if status != "all" else {"pending", "completed"}
    )
    assert memory.list_todos(status=status)["filtered_count"] == min(10, count)


@pytest.mark.process
def test_todos_of_all_projects_are_listed_the_own_ones_first(open_store, tmp_path):
    one, two = (open_store("shared", start=repository(tmp_path / name)) for name in ("one", "two"))
    one.add_todo(title="of one", priority=2)
    two.add_todo(title="of two", priority=2)
    two.add_todo(title="urgent of two", priority=3)
    assert titles(one.list_todos()) == ["urgent of two", "of one", "of two"]
    assert titles(two.list_todos()) == ["urgent of two", "of two", "of one"]
    assert {todo["namespace"] for todo in one.list_todos()["todos"]} == {str(tmp_path / "one"), str(tmp_path / "two")}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"status": "open"}, "status must be one of 'all', 'pending' or 'completed', got 'open'"),
        ({"limit": 0}, "limit must be between 1 and 100, got 0"),
        ({"limit": 101}, "limit must be between 1 and 100, got 101"),
        ({"limit": None}, "limit must be a whole number"),
        ({"priority": 1}, "unknown argument 'priority'"),
    ],
)
def test_a_wrong_argument_of_list_todos_is_named(memory, wrong, words):
    with pytest.raises(InvalidInput, match=words):
        memory.list_todos(**wrong)


# --- Searching ---

TODOS = [
    ("Renew the certificate of staging", "before Friday"),
    ("Implement authentication", "with refresh tokens"),
    ("Die Datenbank sichern", "jede Nacht, auf den zweiten Server"),
    ("夜間バッチを直す", "毎晩失敗する"),
]


@pytest.fixture
def known(memory):
    for title, description in TODOS:
        memory.add_todo(title=title, description=description)
    return memory


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("staging certificates", TODOS[0][0]),
        ("friday", TODOS[0][0]),
        ("auth", TODOS[1][0]),  # a part of a word
        ("REFRESH TOK", TODOS[1][0]),
        ("DATENBANK", TODOS[2][0]),
        ("zweiten Server", TODOS[2][0]),
        ("夜間バッチ", TODOS[3][0]),
        ("毎晩", TODOS[3][0]),
    ],
)
def test_a_todo_is_found_by_words_and_parts_of_words_in_any_language(known, query, title):
    assert found(known, query)[0] == title


@pytest.mark.parametrize("query", ["xylophone", "kubernetes ingress", "%", "'; DROP TABLE record; --", "犬"])
def test_what_no_todo_is_about_finds_none(known, query):
    assert found(known, query) == []


def test_an_empty_store_finds_no_todos(memory):
    assert memory.search_todos(query="anything") == {"success": True, "results": [], "total_results": 0}


def test_only_todos_are_found_completed_ones_too(known):
    known.store_memory(content="The certificate of staging")
    (todo,) = (t for t in known.list_todos()["todos"] if t["title"] == TODOS[0][0])
    known.complete_todo(todo_id=todo["todo_id"])
    (hit,) = known.search_todos(query="certificate staging")["results"]
    assert (hit["status"], hit["completed_at"]) == ("completed", "2026-03-01T12:00:00Z")


def test_the_limit_holds_for_ranked_and_for_literal_matches(memory, clock):
    for number in range(9):
        memory.add_todo(title=f"authenticate server number{number}")
        clock.pass_(seconds=1)
    assert len(found(memory, "authenticate", limit=4)) == 4
    assert found(memory, "authen", limit=3) == [f"authenticate server number{number}" for number in (8, 7, 6)]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"query": ""}, "query must have at least 1 character"),
        ({"query": "  "}, "query must have at least one visible character"),
        ({"limit": 0}, "limit must be between 1 and 100, got 0"),
        ({"limit": 101}, "limit must be between 1 and 100, got 101"),
        ({"k": 3}, "unknown argument 'k'"),
    ],
)
def test_a_wrong_argument_of_search_todos_is_named(memory, wrong, words):
    with pytest.raises(InvalidInput, match=words):
        memory.search_todos(**{"query": "x", **wrong})


# --- Completing ---


def test_a_todo_is_completed_once(memory, clock):
    number = memory.add_todo(title="t")["todo_id"]
    clock.pass_(hours=1)
    done = memory.complete_todo(todo_id=number)
    assert done == {
        "success": True,
        "todo_id": number,
        "status": "completed",
        "completed_at": "2026-03-01T13:00:00Z",
    }
    before = exported(memory)
    clock.pass_(hours=1)
    assert memory.complete_todo(todo_id=number) == done
    assert exported(memory) == before


def test_a_completed_todo_is_open_again_after_undo(memory):
    number = memory.add_todo(title="t", priority=2)["todo_id"]
    before = exported(memory)
    memory.complete_todo(todo_id=number)
    undo(memory)
    assert exported(memory) == before
    assert memory.list_todos(status="pending")["todos"][0]["todo_id"] == number


@pytest.mark.parametrize("number", [0, -1, 99, 1 << 62])
def test_an_unknown_todo_is_refused_by_its_number(memory, number):
    with pytest.raises(NotFound, match=f"todo_id {number} is unknown"):
        memory.complete_todo(todo_id=number)


def test_what_is_no_todo_is_refused_by_its_kind(memory):
    stored = memory.store_memory(content="One.", file_name="a.md")
    with pytest.raises(NotFound, match=r"todo_id 1 is a document, not a todo"):
        memory.complete_todo(todo_id=stored["resource_id"])


@pytest.mark.parametrize("given", ["1", "todo:1", True, 1.5, None, [1]])
def test_what_is_no_whole_number_is_no_todo(memory, given):
    memory.add_todo(title="t")
    with pytest.raises(InvalidInput, match="todo_id must be a whole number"):
        memory.complete_todo(todo_id=given)


@pytest.mark.process
def test_a_todo_of_another_project_can_be_completed(open_store, tmp_path):
    one, two = (open_store("shared", start=repository(tmp_path / name)) for name in ("one", "two"))
    number = one.add_todo(title="of one")["todo_id"]
    two.complete_todo(todo_id=number)
    assert one.list_todos()["todos"][0]["status"] == "completed"


def test_many_threads_complete_a_todo_at_one_time(memory, open_store):
    number = memory.add_todo(title="t")["todo_id"]
    other = open_store()
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda n: (memory, other)[n % 2].complete_todo(todo_id=number), range(16)))
    assert len({each["completed_at"] for each in done}) == 1
    assert of_kind(memory, "todo")[0]["metadata"]["completed"] > 0


# --- Export and import ---


def test_export_and_import_keep_todos(memory, open_store, clock):
    for title in ("a", "b"):
        memory.add_todo(title=title, description="more", priority=2)
        clock.pass_(seconds=1)
    memory.complete_todo(todo_id=1)
    other = open_store("other")
    take_in(other, *exported(memory))
    assert exported(other) == exported(memory)
    assert other.list_todos() == memory.list_todos()
    assert other.complete_todo(todo_id=1) == memory.complete_todo(todo_id=1)


@pytest.mark.parametrize(
    "metadata",
    [{}, {"title": 3, "priority": "high", "completed": "yes"}, {"title": "Another", "priority": 99, "completed": True}],
)
@pytest.mark.parametrize("status", ["", "pending", "completed", "blocked"])
def test_a_todo_that_an_import_brought_without_its_fields_is_read_for_what_it_is(memory, metadata, status):
    item = {"kind": "todo", "id": "7", "content": "Clean up\n\nthe cache", "memory_type": status, "metadata": metadata}
    take_in(memory, item)
    (todo,) = memory.list_todos()["todos"]
    assert (todo["title"], todo["description"]) == ("Clean up", "the cache")
    assert todo["priority"] in (1, 3)
    assert todo["status"] == ("completed" if status == "completed" else "pending")
    assert ("completed_at" in todo) == (status == "completed")
    assert memory.complete_todo(todo_id=7)["status"] == "completed"
