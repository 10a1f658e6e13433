"""What is captured of a session's events: failures with their fixes, the session; and what is not."""

import json
from itertools import groupby
from pathlib import Path

import pytest

from captured_of import CWD, WRONG_TOTAL, fixed, of_kind
from indelible.extraction import outcomes, shell, topics
from indelible.extraction.extraction import captures
from indelible.search.failures import signature
from told import Told

# --- Failures ---


def test_a_failure_tells_what_failed_where_and_which_change_mended_it():
    told = Told(CWD)
    told.command("cd /home/dev/shop && python -m pytest tests/test_cart.py -q", WRONG_TOTAL, failed=True)
    told.edit("src/cart.py", "def total(self):\n    return sum(prices)", "def total(self):\n    return sum(prices) * n")
    told.command("pytest tests -q", "3 passed in 0.02s")
    (found,) = of_kind("failure", told)
    assert found.content == (
        "`python -m pytest tests/test_cart.py -q` failed: AssertionError: assert 40 == 42 "
        "at tests/test_cart.py::test_total, tests/test_cart.py:12.\n"
        "Fix: in src/cart.py: `return sum(prices)` -> `return sum(prices) * n`. After that it passed."
    )
    assert found.metadata["error_type"] == "test"
    assert found.metadata["signature"] == signature("test", "AssertionError: assert 40 == 42")
    assert found.metadata["files"] == ["src/cart.py"]


@pytest.mark.parametrize(
    ("line", "output", "error_type", "message"),
    [
        (
            "python run.py",
            "Traceback (most recent call last):\n  File \"run.py\", line 3\nKeyError: 'x'",
            "runtime",
            "KeyError: 'x'",
        ),
        (
            "cargo build",
            "error[E0502]: cannot borrow `a`\n --> src/a.rs:4:9",
            "build",
            "error[E0502]: cannot borrow `a`",
        ),
        (
            "npx tsc --noEmit",
            "src/a.ts(3,5): error TS2322: Type 'x' is not assignable to type 'y'.",
            "type",
            "error TS2322: Type 'x' is not assignable to type 'y'.",
        ),
        ("go test ./...", "--- FAIL: TestA (0.00s)\n    a_test.go:4: got 1, want 2\nFAIL", "test", "got 1, want 2"),
        (
            "go run .",
            "panic: runtime error: index out of range [3]",
            "test",
            "panic: runtime error: index out of range [3]",
        ),
        (
            "npx vitest run",
            " FAIL  a.test.ts > a\nAssertionError: expected 3 to be 4",
            "test",
            "AssertionError: expected 3 to be 4",
        ),
        ("npm ci", "npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE could not resolve", "build", "code ERESOLVE"),
        ("make blink", "Makefile:4: *** missing separator.  Stop.", "build", "missing separator. Stop."),
        (
            "git merge main",
            "CONFLICT (content): Merge conflict in a.py",
            "other",
            "CONFLICT (content): Merge conflict in a.py",
        ),
        ("mypy src", "src/a.py:3: error: Missing return  [return]", "type", "error: Missing return [return]"),
        ("gcc a.c", "a.c:3:5: error: 'x' undeclared", "build", "error: 'x' undeclared"),
        (
            "alembic upgrade head",
            'ERROR:  relation "cart" does not exist',
            "runtime",
            'ERROR: relation "cart" does not exist',
        ),
    ],
)
def test_the_error_of_a_tool_is_found_in_its_output(line, output, error_type, message):
    (found,) = fixed(line, f"Exit code 1\n{output}")
    assert (found.metadata["error_type"], found.metadata["error_message"]) == (error_type, message)


@pytest.mark.parametrize(
    ("failed", "passed"),
    [
        ("pytest tests/test_cart.py::test_total", "pytest tests/test_cart.py"),
        ("pytest tests/test_cart.py", "cd /home/dev/shop && PYTHONPATH=src python -m pytest -q --maxfail 1"),
        ("pytest", "pytest tests/test_cart.py"),  # the file whose test failed
        ("npm test", "npm run test"),
        ("uv run pytest tests", ".venv/bin/python3.12 -m pytest tests"),
        ("bash -lc 'pytest tests'", "pytest tests/"),
        ("timeout 60 pytest tests", "FOO=1 pytest tests 2>&1 | tail -5"),
    ],
)
def test_the_same_command_may_be_written_in_several_ways(failed, passed):
    assert len(fixed(failed, WRONG_TOTAL, again=passed)) == 1


@pytest.mark.parametrize(
    ("failed", "passed"),
    [
        ("pytest tests/test_cart.py", "pytest tests/test_other.py"),
        ("pytest tests/test_cart.py", "pytest -k other"),
        ("pytest tests/test_cart.py", "pytest --collect-only"),
        ("npm test", "npm run build"),
        ("cargo test", "cargo build"),
    ],
)
def test_another_command_that_passes_is_no_fix(failed, passed):
    assert fixed(failed, WRONG_TOTAL, again=passed, passed="ok") == []


def test_a_command_that_passes_again_without_a_change_was_flaky():
    told = Told(CWD)
    told.command("pytest", WRONG_TOTAL, failed=True)
    told.command("pytest", "3 passed in 0.02s")
    told.edit("src/cart.py", "a", "b")
    told.command("pytest", "3 passed in 0.02s")
    told.end()
    assert of_kind("failure", told) == []


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("grep -rn total src", "Exit code 1"),
        ("ls srcs", "Exit code 2\nls: cannot access 'srcs': No such file or directory"),
        ("git diff --exit-code", "Exit code 1\nerror: something"),
        ("python -c 'import nothing'", "Exit code 1\nModuleNotFoundError: No module named 'nothing'"),
        ("pytest tests/test_crat.py", "Exit code 4\nERROR: file or directory not found: tests/test_crat.py"),
        ("npm run tset", 'npm ERR! Missing script: "tset"'),
        ("pytest", "The user doesn't want to proceed with this tool use."),
        ("pytest", "Exit code 1"),
    ],
)
def test_looking_about_typing_wrong_and_being_stopped_are_no_failures(line, output):
    assert fixed(line, output) == []


def test_code_that_was_not_written_yet_is_no_failure():
    told = Told(CWD)
    told.command("pytest", "E   ModuleNotFoundError: No module named 'shop.cart'\n1 error in 0.1s", failed=True)
    told.edit("shop/cart.py", "", "def total(): ...")
    told.command("pytest", "1 passed in 0.1s")
    assert of_kind("failure", told) == []


def test_what_a_pipe_hides_is_read_from_the_output():
    told = Told(CWD)
    told.command("pytest -q 2>&1 | tail -20", WRONG_TOTAL)
    told.edit("src/cart.py", "a", "b")
    told.command("pytest -q 2>&1 | head -3", "tests/test_cart.py ...")  # which does not show how it ended
    assert of_kind("failure", told) == []
    told.command("pytest -q 2>&1 | tail -20", "3 passed in 0.02s")
    assert len(of_kind("failure", told)) == 1


def test_each_of_several_errors_has_the_change_that_removed_it():
    told = Told(CWD)
    told.command("mypy src", "src/a.py:1: error: First  [a]", failed=True)
    told.edit("src/a.py", "one", "two")
    told.command("mypy src", "src/b.py:1: error: Second  [b]", failed=True)
    told.edit("src/b.py", "three", "four")
    told.command("mypy src", "Success: no issues found")
    first, second = of_kind("failure", told)
    assert first.metadata["files"] == ["src/a.py"]
    assert second.metadata["files"] == ["src/b.py"]
    assert "After that this error was gone." in first.content


def test_what_an_attempt_broke_belongs_to_the_failure_before_it():
    told = Told(CWD)
    told.command("pytest", WRONG_TOTAL, failed=True)
    told.edit("src/cart.py", "a", "b(")
    told.command("pytest", "E   SyntaxError: '(' was never closed\n1 error in 0.1s", failed=True)
    told.edit("src/cart.py", "b(", "b()")
    told.command("pytest", "3 passed in 0.02s")
    (found,) = of_kind("failure", told)
    assert "assert 40 == 42" in found.content
    assert "`b(` -> `b()`" in found.content


def test_what_was_installed_is_a_fix_too():
    told = Told(CWD)
    told.command("python run.py", "ModuleNotFoundError: No module named 'redis'", failed=True)
    told.command("uv add redis", "+ redis==5.2.0")
    told.command("python run.py", "ok")
    (found,) = of_kind("failure", told)
    assert found.metadata["fix"] == "ran `uv add redis`."


def test_a_failure_that_somebody_tried_to_mend_is_left_when_the_session_ends():
    told = Told(CWD)
    told.command("pytest", WRONG_TOTAL, failed=True)
    told.edit("src/cart.py", "a", "b")
    told.command("pytest", WRONG_TOTAL, failed=True)
    assert of_kind("failure", told) == []
    told.end()
    (found,) = of_kind("failure", told)
    assert found.metadata["fix"] == ""
    assert "failed 2 times" in found.content
    told.start()  # it is resumed, or an event comes late
    told.prompt("And now the docs")
    assert of_kind("failure", told) == [found]


# --- The session ---


def test_a_session_that_answers_one_question_has_no_record():
    told = Told(CWD)
    told.prompt("What does cart.py do?")
    told.read("cart.py")
    told.turn("It adds prices.")
    told.end()
    assert captures(told.events) == []


def test_a_session_of_reading_and_talking_has_a_record():
    told = Told(CWD)
    told.prompt("How does the cart compute its total?")
    told.read("cart.py")
    told.turn("It adds prices.")
    told.prompt("And the taxes?")
    told.read("tax.py")
    told.turn("In tax.py.")
    (found,) = captures(told.events)
    assert found.kind == "session"
    assert "Asked: How does the cart compute its total?" in found.content
    assert "Read 2 files." in found.content
    for count in ("once", "2 times"):
        told.tell("tool", tool="Grep", action="search", subject="def total", outcome="ok", output="", edits=[])
        (found,) = captures(told.events)
        assert f"Searched {count}: def total." in found.content


@pytest.mark.parametrize(
    ("prompts", "asked"),
    [
        (["Hi! Make the parser return a ParseError."], "Make the parser return a ParseError."),
        (["good morning claude.\n\nWhy is the lexer slow?"], "Why is the lexer slow?"),
        (["hello", "Why is the lexer slow?"], "Why is the lexer slow?"),
        (["Hi Claude, fix the lexer."], "fix the lexer."),
        (["hello", "thanks!"], "hello"),
    ],
)
def test_a_session_is_named_by_what_it_was_asked_for_and_by_no_greeting(prompts, asked):
    told = Told(CWD)
    for prompt in prompts:
        told.prompt(prompt)
    told.edit("lexer.rs", "a", "b")
    told.turn()
    (found,) = of_kind("session", told)
    assert found.metadata["request"] == asked
    assert asked in found.content.splitlines()[1]


def test_the_record_of_a_session_has_a_thousand_characters_at_most():
    told = Told(CWD)
    told.prompt("Fix it. " * 300)
    for at in range(40):
        told.edit(f"src/{'deep/' * 20}{at}.py", "a", "b")
        told.command(f"make target{at}", "ok")
    (found,) = of_kind("session", told)
    assert len(found.content) <= 1000
    assert found.metadata["edits"] == 40
    assert found.metadata["commands"] == 40


def test_of_a_long_path_the_record_of_a_session_has_whole_folders():
    told = Told(CWD)
    told.prompt("Fix the parser.")
    told.edit(f"src/{'repository/' * 12}parser.py", "a", "b")
    (found,) = of_kind("session", told)
    assert f"Edited …/{'repository/' * 6}parser.py." in found.content


# --- All of it ---


def test_more_events_give_the_same_keys_for_the_same_things():
    events = recorded()
    for _, session in groupby(events, key=lambda event: event["session"]):
        whole = list(session)
        keys = {capture.key for capture in captures(whole)}
        for end in range(len(whole)):
            assert {capture.key for capture in captures(whole[:end]) if capture.kind == "failure"} <= keys
        assert captures(whole) == captures([*whole, *whole])  # what comes twice is there once


@pytest.mark.parametrize(
    "event", [{}, {"what": "tool"}, {"what": "prompt", "text": None}, {"what": "tool", "edits": 3, "action": "edit"}]
)
def test_an_event_that_lacks_something_is_passed_over(event):
    assert captures([event]) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "we decided to " * 600,
        "wir haben " * 800,
        "`a" * 4000,
        "a/" * 4000,
        "<a>" * 2600,
        "E   " * 2000,
        "a.b." * 2000,
        "from now on, " * 600,
        "'" * 8000,
        "(" * 8000,
        "- " * 4000,
        "Error: " * 1100,
        ' File "' * 1100,
        "\n" * 8000,
        "é" * 8000,
        "a" * 8000,
    ],
    ids=range(16),
)
def test_no_text_takes_more_than_linear_time(text):
    """What took the square of its length would not end before the suite's own limit."""
    told = Told(CWD)
    for _ in range(25):
        told.prompt(text[:8000])
        told.command(text[:2000], text[:8000], failed=True)
    assert captures(told.events * 8) == captures(told.events)


@pytest.mark.parametrize("scrap", ["a", "a1", "aB", "a_", "a.b/", "a@", "1.", "`"])
def test_what_a_text_is_about_is_told_in_linear_time(scrap):
    text = scrap * (200_000 // len(scrap)) + " "
    assert topics.is_technical(text + "some_name")
    assert len(topics.topics(text)) <= topics.MOST_TOPICS


def test_an_endless_line_of_commands_is_cut():
    assert len(shell.line("make a && " * 1000).commands) == shell.MOST
    assert shell.line("cat <<EOF\nmake\nEOF\nmake b").commands[-1].text == "make b"
    assert outcomes.error_of(["x" * 100_000]) is None


def recorded() -> list[dict[str, object]]:
    file = Path(__file__).parents[1] / "capture" / "precision" / "sessions.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_a_session_keeps_six_statements_at_most_the_users_before_the_agents():
    told = Told(CWD)
    told.command("make", "ok")
    told.turn("I decided to keep the cache in Redis because it is there. I decided to use JSON instead of YAML.")
    for at in range(9):
        told.prompt(f"We use tool_{at} here, never tool_{at}_old.")
        told.turn("Done.")
    found = [each for each in captures(told.events) if each.kind in ("decision", "statement")]
    assert len(found) == 6
    assert {each.metadata["stated_by"] for each in found} == {"user"}


def test_of_what_the_user_said_that_comes_first_which_needs_no_review():
    told = Told(CWD)
    for at in range(6):
        told.prompt(f"We decided to use tool_{at} instead of the old cache because of this.")
    told.prompt("We use pnpm here, never npm.")
    told.turn("Done.")
    found = [each for each in captures(told.events) if each.kind in ("decision", "statement")]
    assert len(found) == 6
    assert "We use pnpm here, never npm." in [each.content for each in found]
