"""Whether a command failed, told by its output alone."""

import pytest

from indelible.extraction import verdicts

FAILED = [
    ("pytest -q", "F.\n1 failed, 1 passed\nFAILED tests/test_a.py::test_b - AssertionError"),
    ("pytest", "================== 1 failed, 41 passed in 0.83s =================="),
    ("python x.py", "Traceback (most recent call last):\n  File \"x.py\", line 1\nKeyError: 'a'"),
    ("cargo build", "error[E0382]: borrow of moved value: `x`\n --> src/main.rs:4:5"),
    ("cargo test", "test result: FAILED. 3 passed; 1 failed"),
    ("npm install", "npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree"),
    ("npm run build", 'npm error Missing script: "build"'),
    ("npx tsc", "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'."),
    ("npx jest", "Tests:       1 failed, 4 passed, 5 total"),
    ("go test ./...", "--- FAIL: TestTotal (0.00s)\nFAIL\nFAIL\tacme/billing\t0.01s"),
    ("make", "make: *** [Makefile:4: test] Error 2"),
    ("git push", "fatal: not a git repository (or any of the parent directories): .git"),
    ("foo", "bash: foo: command not found"),
    ("node a.js", "TypeError: Cannot read properties of undefined (reading 'x')"),
    ("mypy src", "src/a.py:3: error: Incompatible types\nFound 1 error in 1 file (checked 4 source files)"),
    ("./run.sh", "it went wrong\nProcess exited with code 3"),
    ("./run.sh", "Exit code: 1\nwhatever"),
    ("gradle test", "BUILD FAILED in 3s"),
    ("pnpm test", " ❯ src/x.test.ts (3 tests)\n\n Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)"),
    ("node --test", "✖ adds (0.5ms)\nℹ tests 3\nℹ pass 2\nℹ fail 1"),
    ("node --test", "# tests 3\n# pass 2\n# fail 1"),
    ("bun test", "✗ adds\n\n 2 pass\n 1 fail\nRan 3 tests across 1 files. [10ms]"),
    ("deno test", "FAILED | 2 passed | 1 failed (5ms)"),
    ("npx playwright test", "  1 failed\n    [chromium] › x.spec.ts:3:1 › adds\n  2 passed (2.1s)"),
    ("dotnet test", "Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3 - Shop.dll (net8.0)"),
    ("mix test", "Finished in 0.03 seconds\n2 doctests, 3 tests, 1 failure"),
    ("ctest", "67% tests passed, 1 tests failed out of 3"),
    ("swift test", "\t Executed 3 tests, with 1 failure (0 unexpected) in 0.01 seconds"),
    ("tox", "  py311: FAIL code 1 (1.2 seconds)\n  evaluation failed :( (1.3 seconds)"),
]
PASSED = [
    ("pytest -q", "..........\n41 passed in 0.83s"),
    ("pytest", "================== 41 passed, 2 skipped in 0.83s =================="),
    ("cargo test", "test result: ok. 4 passed; 0 failed; 0 ignored"),
    ("go test ./...", "ok  \tacme/billing\t0.012s"),
    ("npx jest", "Tests:       5 passed, 5 total"),
    ("python -m unittest", "Ran 4 tests in 0.001s\n\nOK"),
    ("mypy src", "Success: no issues found in 4 source files"),
    ("ruff check", "All checks passed!"),
    ("./run.sh", "Exit code: 0\nError: only printed"),
    ("mvn test", "[INFO] BUILD SUCCESS"),
    ("pnpm test", " ✓ src/x.test.ts (3 tests) 5ms\n\n Test Files  1 passed (1)\n      Tests  3 passed (3)"),
    ("node --test", "✔ adds (0.5ms)\nℹ tests 3\nℹ pass 3\nℹ fail 0\nℹ cancelled 0"),
    ("node --test", "# tests 3\n# pass 3\n# fail 0"),
    ("bun test", "✓ adds\n\n 3 pass\n 0 fail\nRan 3 tests across 1 files. [10ms]"),
    ("deno test", "ok | 3 passed | 0 failed (5ms)"),
    ("npx playwright test", "Running 3 tests using 1 worker\n  3 passed (2.1s)"),
    ("dotnet test", "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3 - Shop.dll (net8.0)"),
    ("mix test", "Finished in 0.03 seconds\n2 doctests, 3 tests, 0 failures"),
    ("ctest", "100% tests passed, 0 tests failed out of 3"),
    ("swift test", "\t Executed 3 tests, with 0 failures (0 unexpected) in 0.01 seconds"),
    ("tox", "  py311: OK (1.2 seconds)\n  congratulations :) (1.3 seconds)"),
]
UNKNOWN = [
    ("ls", ""),
    ("ls", "a.py\nb.py"),
    ("cat CHANGES.md", "Error: this stands in the file\nTraceback (most recent call last):"),
    ("rg error src", "src/a.py: error: here"),
    ("git log", "fatal: fixed in abc"),
    ("/usr/bin/grep -rn x", "x: No such file or directory"),
    ("make", "gcc -c a.c"),
    ("deploy", "100 tests, of which 0 failures"),
    ("deploy", "3 files changed, errors are rare"),
]


@pytest.mark.parametrize(
    ("command", "output", "outcome"),
    [
        (*case, outcome)
        for cases, outcome in ((FAILED, "failed"), (PASSED, "ok"), (UNKNOWN, "unknown"))
        for case in cases
    ],
)
def test_an_output_tells_how_its_command_ended(command, output, outcome):
    assert verdicts.of_output(command, output) == outcome


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(0, "ok"), (1, "failed"), (-9, "failed"), (None, "unknown"), (True, "unknown"), ("0", "unknown")],
)
def test_an_exit_status_is_taken_as_it_is(status, outcome):
    assert verdicts.of_status(status) == outcome


@pytest.mark.parametrize(
    "scrap", ["=", "= 1 ", "error", "Error: x", "\n", "a: ", "1 failed ", "thread '", "Aa.", "exit code "]
)
def test_an_output_made_to_stall_the_rules_is_read_in_linear_time(scrap):
    verdicts.of_output("make", scrap * (400_000 // len(scrap)))
