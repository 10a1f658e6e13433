"""log_code_attempt, get_code_patterns, analyze_code_patterns."""

import json

import pytest

from foreign import take_in
from indelible.errors import InvalidInput
from park import exported, of_kind
from repositories import repository

SECRET = "ghp_" + "A1b2C3d4E5" * 3 + "f6G7h8"
ADD = "Write a function that adds two numbers"
PARSE = "Parse a date out of a log line"


def attempt(memory, prompt=ADD, result="pass", code="def add(a, b): return a + b", **more):
    return memory.log_code_attempt(input_prompt=prompt, generated_code=code, result=result, **more)


def patterns(memory, query, **more):
    answer = memory.get_code_patterns(query=query, **more)
    assert answer["success"] is True
    assert answer["total_patterns"] == len(answer["patterns"])
    return answer["patterns"]


def analysis(memory, **more):
    answer = memory.analyze_code_patterns(**more)
    assert answer["success"] is True
    return answer["analysis"]


# --- Logging ---


def test_an_attempt_gets_a_number_and_is_told_back(memory):
    assert attempt(memory, tags=["python", "maths", "python"]) == {
        "success": True,
        "pattern_id": 1,
        "input_prompt": ADD,
        "result": "pass",
        "tags": ["python", "maths"],
        "logged_at": "2026-03-01T12:00:00Z",
    }


def test_all_that_was_given_is_kept_and_comes_back(memory):
    given = {"execution_time_ms": 12, "error_message": "TypeError: 数 is no number", "tags": ["python"]}
    attempt(memory, "数を足す関数を書く", "fail", "def 足す(): ...", **given)
    (pattern,) = patterns(memory, "数を足す関数")
    assert 0 < pattern.pop("similarity_score") <= 1
    assert pattern == {
        "pattern_id": 1,
        "input_prompt": "数を足す関数を書く",
        "generated_code": "def 足す(): ...",
        "result": "fail",
        "tags": ["python"],
        "logged_at": "2026-03-01T12:00:00Z",
        "attempts": 1,
        "success_rate": 0.0,
        "error_message": "TypeError: 数 is no number",
        "execution_time_ms": 12,
    }


def test_what_was_not_given_is_absent(memory):
    assert attempt(memory)["tags"] == []
    (pattern,) = patterns(memory, ADD)
    assert "error_message" not in pattern
    assert "execution_time_ms" not in pattern
    assert attempt(memory, error_message="")["success"]


@pytest.mark.parametrize(
    ("prompt", "error"), [("a\n\nb", "c\n\nd"), ("a", "a"), ("x\n\ny", "y"), ("x\n\ny", None), ("\n\nx", "\n\n")]
)
def test_prompt_and_error_come_back_as_they_were(memory, prompt, error):
    attempt(memory, prompt, "error", **({"error_message": error} if error else {}))
    pattern = memory.get_code_patterns(query=prompt)["patterns"][0]
    assert (pattern["input_prompt"], pattern.get("error_message")) == (prompt, error)


def test_recall_shows_prompt_and_error_and_not_the_code(memory):
    attempt(memory, PARSE, "error", "import dateutil", error_message="ValueError: month 13")
    (hit,) = memory.recall_memory(query="parse date log line")
    assert (hit["kind"], hit["content"]) == ("attempt", f"{PARSE}\n\nValueError: month 13")
    assert memory.recall_memory(query="dateutil") == []


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"input_prompt": ""}, "input_prompt must have at least 1 character"),
        ({"input_prompt": "\u200b"}, "input_prompt must have at least one visible character"),
        ({"generated_code": ""}, "generated_code must have at least 1 character"),
        ({"generated_code": 1}, "generated_code must be a text, got 1"),
        ({"result": "passed"}, "result must be one of 'pass', 'fail' or 'error', got 'passed'"),
        ({"execution_time_ms": -1}, "execution_time_ms must be at least 0, got -1"),
        ({"execution_time_ms": 0.5}, "execution_time_ms must be a whole number"),
        ({"execution_time_ms": True}, "execution_time_ms must be a whole number"),
        ({"error_message": 3}, "error_message must be a text, got 3"),
        ({"tags": "python"}, "tags must be a list"),
        ({"tags": [""]}, "tags.0 must have at least 1 character"),
        ({"language": "python"}, "unknown argument 'language'"),
        (
            {"input_prompt": "p" * (1 << 19), "error_message": "e" * (1 << 19)},
            "input_prompt and error_message have 1,048,578 bytes together",
        ),
    ],
)
def test_a_wrong_argument_of_log_code_attempt_is_named_and_nothing_is_written(memory, wrong, words):
    with pytest.raises(InvalidInput, match=words):
        memory.log_code_attempt(**{"input_prompt": "p", "generated_code": "c", "result": "pass", **wrong})
    assert exported(memory) == []


def test_a_secret_is_kept_out_of_an_attempt(memory):
    attempt(memory, f"push with {SECRET}", "error", f"TOKEN={SECRET}", error_message=f"bad {SECRET}", tags=[SECRET])
    assert SECRET not in json.dumps([exported(memory), patterns(memory, "push with"), analysis(memory)])


# --- Patterns ---


def test_attempts_at_one_prompt_are_one_pattern_with_their_success_rate(memory):
    for result in ("fail", "pass", "error"):
        attempt(memory, result=result)
    attempt(memory, ADD.upper().replace(" ", "  "), "pass")
    (pattern,) = patterns(memory, "function adds numbers")
    assert (pattern["attempts"], pattern["success_rate"]) == (4, 0.5)


def test_a_pattern_shows_the_newest_code_that_passed(memory, clock):
    for code, result in (("one", "pass"), ("two", "pass"), ("three", "fail")):
        attempt(memory, code=code, result=result)
        clock.pass_(seconds=1)
    (pattern,) = patterns(memory, ADD)
    assert (pattern["generated_code"], pattern["result"]) == ("two", "pass")


def test_a_pattern_of_which_nothing_passed_shows_the_newest_failure(memory, clock):
    for code, result in (("one", "fail"), ("two", "error")):
        attempt(memory, code=code, result=result, error_message=f"error of {code}")
        clock.pass_(seconds=1)
    (pattern,) = patterns(memory, ADD)
    assert (pattern["generated_code"], pattern["error_message"]) == ("two", "error of two")


def test_the_nearest_pattern_comes_first_and_the_average_is_of_those_shown(memory):
    attempt(memory, ADD, "pass")
    attempt(memory, "Write a function that subtracts", "fail")
    attempt(memory, "Bake bread", "pass")
    answer = memory.get_code_patterns(query="write a function that adds numbers")
    assert [pattern["input_prompt"] for pattern in answer["patterns"]] == [ADD, "Write a function that subtracts"]
    scores = [pattern["similarity_score"] for pattern in answer["patterns"]]
    assert 1 >= scores[0] > scores[1] > 0
    assert answer["average_success_rate"] == 0.5
    assert memory.get_code_patterns(query="adds numbers", limit=1)["average_success_rate"] == 1.0


def test_many_failures_of_one_prompt_leave_room_for_other_patterns(memory):
    for number in range(60):
        attempt(memory, ADD, "error", error_message=f"adds numbers function trouble kind{number}")
    attempt(memory, "Write a function that adds matrices", "pass")
    found = patterns(memory, "write function that adds", limit=2)
    assert {pattern["attempts"] for pattern in found} == {60, 1}


@pytest.mark.parametrize("limit", [None, 1, 5, 20])
def test_the_limit_is_of_patterns(memory, limit):
    for number in range(25):
        attempt(memory, f"{ADD} number{number}")
    assert len(patterns(memory, ADD, **({} if limit is None else {"limit": limit}))) == (limit or 5)


@pytest.mark.parametrize("query", ["weather in Lisbon", "zebra", "猫"])
def test_a_query_that_nothing_is_about_has_no_patterns(memory, query):
    attempt(memory)
    assert memory.get_code_patterns(query=query) == {
        "success": True,
        "patterns": [],
        "total_patterns": 0,
        "average_success_rate": None,
    }


def test_an_empty_store_has_no_patterns(memory):
    assert memory.get_code_patterns(query="anything")["average_success_rate"] is None


def test_only_attempts_are_patterns(memory):
    memory.store_memory(content=ADD)
    memory.add_todo(title=ADD)
    assert patterns(memory, ADD) == []


@pytest.mark.process
def test_attempts_of_all_projects_are_patterns(open_store, tmp_path):
    one, two = (open_store("shared", start=repository(tmp_path / name)) for name in ("one", "two"))
    attempt(one, result="fail")
    attempt(two, result="pass")
    assert patterns(one, ADD)[0]["success_rate"] == 0.5


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"query": ""}, "query must have at least 1 character"),
        ({"limit": 0}, "limit must be between 1 and 20, got 0"),
        ({"limit": 21}, "limit must be between 1 and 20, got 21"),
        ({"limit": True}, "limit must be a whole number"),
        ({"tag": "x"}, "unknown argument 'tag'"),
    ],
)
def test_a_wrong_argument_of_get_code_patterns_is_named(memory, wrong, words):
    with pytest.raises(InvalidInput, match=words):
        memory.get_code_patterns(**{"query": "x", **wrong})


def test_what_is_shown_counts_as_accessed_and_nothing_else(memory):
    attempt(memory, code="one", result="fail")
    attempt(memory, code="two")
    patterns(memory, ADD)
    analysis(memory, query=ADD)
    counts = {item["metadata"]["code"]: item["access_count"] for item in of_kind(memory, "attempt")}
    assert counts == {"one": 0, "two": 1}


# --- Analysis ---

TRIED = [
    (ADD, "pass", None, ["python", "maths"]),
    (ADD, "fail", "AssertionError: 3 != 4", ["python", "maths"]),
    (PARSE, "error", "ValueError: month 13 at line 7", ["python"]),
    (PARSE, "error", "ValueError: month 14 at line 99", ["python"]),
    (PARSE, "pass", "a warning of what passed", ["rust"]),
    ("Sort a list", "pass", None, []),
]


@pytest.fixture
def tried(memory, clock):
    for prompt, result, error, tags in TRIED:
        attempt(memory, prompt, result, tags=tags, **({"error_message": error} if error else {}))
        clock.pass_(seconds=1)
    return memory


def test_all_attempts_are_analysed_by_tag_and_error(tried):
    assert analysis(tried) == {
        "attempts": 6,
        "success_rate": 0.5,
        "by_tag": {
            "python": {"attempts": 4, "success_rate": 0.25},
            "maths": {"attempts": 2, "success_rate": 0.5},
            "rust": {"attempts": 1, "success_rate": 1.0},
        },
        "common_errors": [
            {"error_message": "ValueError: month 14 at line 99", "count": 2},
            {"error_message": "AssertionError: 3 != 4", "count": 1},
        ],
    }


def test_tags_come_by_their_attempts_then_by_name(tried):
    assert list(analysis(tried)["by_tag"]) == ["python", "maths", "rust"]


def test_a_query_analyses_the_attempts_at_the_prompts_that_it_finds(tried):
    found = analysis(tried, query="parse a date")
    assert (found["attempts"], found["success_rate"]) == (3, 0.333)
    assert list(found["by_tag"]) == ["python", "rust"]


def test_the_limit_is_of_tags_and_errors_and_changes_no_total(tried):
    found = analysis(tried, limit=1)
    assert (found["attempts"], len(found["by_tag"]), len(found["common_errors"])) == (6, 1, 1)


@pytest.mark.parametrize("query", [None, "zebra"])
def test_where_there_is_nothing_the_rate_is_null(memory, query):
    if query:
        attempt(memory)
    assert analysis(memory, **({"query": query} if query else {})) == {
        "attempts": 0,
        "success_rate": None,
        "by_tag": {},
        "common_errors": [],
    }


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"query": ""}, "query must have at least 1 character"),
        ({"limit": 0}, "limit must be between 1 and 100, got 0"),
        ({"limit": 101}, "limit must be between 1 and 100, got 101"),
        ({"limit": "ten"}, "limit must be a whole number"),
        ({"tags": []}, "unknown argument 'tags'"),
    ],
)
def test_a_wrong_argument_of_analyze_code_patterns_is_named(memory, wrong, words):
    with pytest.raises(InvalidInput, match=words):
        memory.analyze_code_patterns(**wrong)


# --- Export and import ---


def test_export_and_import_keep_patterns(tried, open_store):
    other = open_store("other")
    take_in(other, *exported(tried))
    assert exported(other) == exported(tried)
    assert analysis(other) == analysis(tried)
    assert patterns(other, ADD) == patterns(tried, ADD)
    attempt(other, ADD, "pass")
    assert patterns(other, ADD)[0]["attempts"] == 3


@pytest.mark.parametrize(
    "metadata",
    [{}, {"code": 3, "error": 7, "execution_time_ms": "long"}, {"error": "another error", "execution_time_ms": 1}],
)
def test_an_attempt_that_an_import_brought_without_its_fields_is_read_for_what_it_is(memory, metadata):
    take_in(memory, {"kind": "attempt", "id": "7", "content": f"{ADD}\n\nTypeError", "metadata": metadata})
    (pattern,) = patterns(memory, ADD)
    assert (pattern["input_prompt"], pattern["generated_code"]) == (f"{ADD}\n\nTypeError", "")
    assert analysis(memory)["attempts"] == 1
