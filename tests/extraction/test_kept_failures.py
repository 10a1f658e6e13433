"""Failures that a later session can use are kept, and no others."""

import pytest

from captured_of import CWD, WRONG_TOTAL, fixed, of_kind
from indelible.extraction import outcomes
from indelible.extraction.extraction import Capture
from told import Told


@pytest.mark.parametrize(
    ("output", "error_type", "message"),
    [
        (
            "/home/dev/shop/a.js\n  3:5  error  'x' is not defined  no-undef",
            "build",
            "error 'x' is not defined no-undef",
        ),
        ("A.java:3: error: ';' expected", "build", "error: ';' expected"),
        ("/bin/sh: 1: tsup: command not found", "other", "/bin/sh: 1: tsup: command not found"),
        ("a.py:1:8: F401 `os` imported but unused", "build", "F401 `os` imported but unused"),
    ],
)
def test_errors_that_are_not_kept_are_found_too(output, error_type, message):
    found = outcomes.error_of(outcomes.lines_of(f"Exit code 1\n{output}"))
    assert found is not None
    assert (found.error_type, found.message) == (error_type, message)


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("ruff check .", "a.py:1:8: F401 `os` imported but unused"),
        ("npx eslint .", "/home/dev/shop/a.js\n  3:5  error  'x' is not defined  no-undef"),
        ("golangci-lint run", "main.go:92:1: File is not properly formatted (gofmt)\n\n^"),
        ("go build ./...", './main.go:6:2: "errors" imported and not used'),
        ("golangci-lint run", "watcher.go:34:21: Error return value of `watcher.Close` is not checked (errcheck)"),
        ("javac A.java", "A.java:3: error: ';' expected"),
        ("mypy --strict src", "src/a.py:4: error: Function is missing a type annotation  [no-untyped-def]"),
        ("pnpm build", "/bin/sh: 1: goreleaser: command not found"),
    ],
)
def test_what_a_tools_own_message_mends_and_a_missing_program_are_not_kept(line, output):
    assert fixed(line, f"Exit code 1\n{output}") == []


def test_a_missing_program_is_kept_with_the_command_that_brought_it():
    told = Told(CWD)
    told.command("pnpm build", "Exit code 127\n/bin/sh: 1: tsup: command not found", failed=True)
    told.command("pnpm add -D tsup", "done")
    told.command("pnpm build", "ok")
    (found,) = of_kind("failure", told)
    assert "ran `pnpm add -D tsup`" in found.content


def test_a_test_that_was_written_first_was_meant_to_fail():
    def session(test: str) -> list[Capture]:
        told = Told(CWD)
        told.edit(test, "", "def test_total(): assert total() == 42")
        told.command("pytest tests/test_cart.py -q", WRONG_TOTAL, failed=True)
        told.edit("src/cart.py", "return a", "return b")
        told.command("pytest tests/test_cart.py -q", "3 passed in 0.02s")
        return of_kind("failure", told)

    assert session("tests/test_cart.py") == []
    assert len(session("tests/test_other.py")) == 1


@pytest.mark.parametrize(
    ("line", "output", "message"),
    [
        ("psql -f seed.sql", 'psql:seed.sql:3: ERROR:  relation "cart" does not exist', "cart"),
        ("curl -fsS http://localhost:8080/health", "curl: (7) Failed to connect to localhost port 8080", "(7)"),
    ],
)
def test_any_program_that_fails_counts(line, output, message):
    (found,) = fixed(line, f"Exit code 1\n{output}", passed="")
    assert message in found.metadata["error_message"]


AT_LOCALHOST = 'connection to server at "localhost" (127.0.0.1), port 5432 failed'


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("psql -h localhost shop", f'psql: error: {AT_LOCALHOST}: FATAL:  password authentication failed for user "a"'),
        ("psql shop", f"psql: error: {AT_LOCALHOST}: Connection refused\n\tIs the server running on that host?"),
        (
            "psql shop",
            'psql: error: connection to server on socket "/run/.s.PGSQL.5432" failed: No such file or directory'
            "\n\tIs the server running locally and accepting connections on that socket?",
        ),
        ("pg_restore -d shop shop.dump", 'pg_restore: error: could not execute query: ERROR:  role "a" does not exist'),
        ("createdb shop", 'createdb: error: database creation failed: ERROR:  database "shop" already exists'),
        ("nginx -c conf/nginx.conf", "nginx: FATAL: bind() to 0.0.0.0:80 failed"),
        ("ssh deploy@shop", "ssh: connect to host shop port 22: Connection refused"),
        ("docker compose build", "docker: Error response from daemon: Conflict. The name is in use."),
        ("buf generate", "buf: fatal error: plugin go has no version"),
    ],
)
def test_a_tool_that_says_its_name_and_error_is_understood(line, output):
    (found,) = fixed(line, f"Exit code 2\n{output}", passed="")
    said = " ".join(output.splitlines()[0].removeprefix("docker: ").split())
    assert found.metadata["error_message"] == said
    assert found.metadata["command"] == line


def test_the_command_of_such_an_error_is_that_of_the_program():
    output = f"{AT_LOCALHOST}: FATAL:  role does not exist"
    (found,) = fixed("psql -h localhost shop && tar -xf a.tar", f"Exit code 2\npsql: error: {output}", passed="")
    assert found.metadata["command"] == "psql -h localhost shop"


@pytest.mark.parametrize(
    "output",
    [
        "shop: error: the following arguments are required: --to",
        "shop: error: argument --to: invalid choice: 'x' (choose from 'a', 'b')",
        "shop: error: argument --to: expected one argument",
        "shop: error: unrecognized arguments: --fast",
        'psql: error: too many command-line arguments (first is "b")',
        "psql: error: seed.sql: No such file or directory",
        "clang: error: linker command failed with exit code 1 (use -v to see invocation)",
        "collect2: error: ld returned 1 exit status",
        "shop: error: the worker exited with code 3",
        "state: ok, errors: 0",
    ],
)
def test_a_mistyped_command_and_a_sum_without_a_cause_are_not_kept(output):
    assert fixed("shop send", f"Exit code 2\n{output}", passed="") == []


def test_a_server_that_was_started_is_the_fix():
    told = Told(CWD)
    told.command("psql shop", f"Exit code 2\npsql: error: {AT_LOCALHOST}: Connection refused", failed=True)
    told.command("sudo systemctl start postgresql", "")
    told.command("psql shop", "ok")
    (found,) = of_kind("failure", told)
    assert "ran `systemctl start postgresql`" in found.content


# --- How many ---


def session_of(failures: int, rules: int) -> Told:
    told = Told(CWD)
    told.edit("money.py", "a", "b")
    for number in range(rules):
        told.prompt(f"Always use the module number{number}.py of the shop for money, never floats.")
    for number in range(failures):
        line = f"python load{number}.py"
        told.command(line, f"Exit code 1\nKeyError: column_{'abcdefgh'[number]}_of_the_order is missing", failed=True)
        told.edit(f"load{number}.py", "return a", "return b")
        told.command(line, "loaded")
    told.end()
    return told


@pytest.mark.parametrize(
    ("failures", "rules", "kept"), [(8, 0, (6, 0)), (8, 8, (2, 4)), (1, 8, (1, 5)), (0, 8, (0, 6)), (3, 2, (3, 2))]
)
def test_a_session_leaves_six_memories_at_most_and_failures_are_not_displaced(failures, rules, kept):
    told = session_of(failures, rules)
    assert (len(of_kind("failure", told)), len(of_kind("statement", told) + of_kind("decision", told))) == kept
    assert len(of_kind("session", told)) == 1
