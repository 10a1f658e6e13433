"""How the program starts and ends, in a Python of its own: what it loads first, and what it leaves to the system."""

import subprocess
import sys

import pytest

from command_line import done
from mcp_client import environment

pytestmark = pytest.mark.process


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


@pytest.mark.parametrize(
    ("arguments", "said", "ended_by_python"),
    [
        (["recall", "axum"], (0, "x" * 100_000 + "\n", ""), False),  # more than a pipe holds
        (["recall", "rust"], (0, "", "nothing relevant is known\n"), False),
        (["recall", "axum", "-k", "-1"], (1, "", "indelible: --limit (-k) must be from 1 to 10000, got -1\n"), False),
        (["recall"], (2, "", "error: the following arguments are required: query\n"), False),
        (["stats"], (0, "\nend\n", ""), True),
    ],
    ids=["hits", "none", "refused", "usage", "not waited for"],
)
def test_a_command_that_is_waited_for_says_all_and_does_not_take_python_down(data, arguments, said, ended_by_python):
    """What Python does at its end takes a seventh of the time of a recall."""
    done("remember", f"axum {'x' * 100_000}", data=data)
    program = (
        "import atexit; atexit.register(print, 'end'); from indelible.cli.main import main; raise SystemExit(main())"
    )
    env = environment({"INDELIBLE_DATA": str(data)})
    command = [sys.executable, "-c", program, *arguments]
    ran = subprocess.run(command, env=env, cwd=data.parent, check=False, capture_output=True, timeout=50, text=True)
    code, output, errors = said
    assert ran.returncode == code
    assert ran.stdout.endswith(output)
    assert ran.stderr.endswith(errors)
    assert ran.stdout.endswith("end\n") is ended_by_python


@pytest.mark.parametrize(("given", "threads"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "2"}, "2")])
def test_numpy_is_loaded_without_threads_of_its_own_unless_the_user_has_some(data, given, threads):
    done("remember", "axum", data=data)
    program = (
        "import os, sys; from indelible.cli.main import main; before = 'numpy' in sys.modules; main(sys.argv[1:])\n"
        "print(before, 'numpy' in sys.modules, os.environ['OPENBLAS_NUM_THREADS'])\n"
    )
    env = {name: value for name, value in environment().items() if name != "OPENBLAS_NUM_THREADS"} | given
    command = [sys.executable, "-c", program, "recall", "axum", "--data", data]
    ran = subprocess.run(command, env=env, cwd=data.parent, check=True, capture_output=True, timeout=50, text=True)
    assert ran.stdout.splitlines()[-1] == f"False True {threads}"


def test_a_server_that_was_asked_nothing_has_not_loaded_what_takes_long(data):
    """numpy takes 13 MB, and 30 ms of each start; the shapes of errors take 30 ms to compile."""
    seldom = ["numpy", "indelible.search.failures", "indelible.extraction.outcomes"]
    program = (
        "import sys; from indelible.cli.main import main; main(sys.argv[1:])\n"
        f"found = [each for each in {seldom} if each in sys.modules]\n"
        "print(found, 'indelible.admin.maintenance' in sys.modules, file=sys.stderr)\n"
    )
    command = [sys.executable, "-c", program, "serve", "--data", data]
    ran = subprocess.run(
        command, env=environment(), cwd=data.parent, check=True, input="", capture_output=True, timeout=50, text=True
    )
    assert ran.stderr.splitlines()[-1] == "[] True"
