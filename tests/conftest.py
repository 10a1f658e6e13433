"""What all tests share."""

import gc
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

import pytest
from hypothesis import settings

import on_postgres

# Where PYTHONDONTWRITEBYTECODE is set, as in many images, every worker of every run would parse all tests and rewrite
# their assertions anew: half of the time of `make fast`.
sys.dont_write_bytecode = False

pytest_plugins = ("open_stores", "process_marker")

if hasattr(os, "nice"):
    # What works in bulk lowers its priority for good: all tests behind one of it would starve beside those of others.
    os.nice = lambda by: 0

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as our program has it, and what is forked must: a thread would not survive
os.environ["INDELIBLE_ENCODER"] = "off"  # a test about meaning says `shared`, and has an encoder of its own
if on_postgres.is_chosen():
    on_postgres.prepare()

# Each run of CI draws the same examples, so that what it says of a change is about that change;
# `.ci/run --full` draws new ones, and more (`--hypothesis-profile full`).
# `make fast` draws the first few.
settings.register_profile("fast", max_examples=5, derandomize=True, database=None, deadline=None)
settings.register_profile("plain", max_examples=25, derandomize=True, database=None, deadline=None)
settings.register_profile("full", max_examples=150, derandomize=False, database=None, deadline=None, print_blob=True)
settings.load_profile("plain")


@pytest.fixture(scope="module")
def real_processes() -> Iterator[None]:
    """Let every process of a module be a start of Python, none a fork (forked.py): for tests of the start itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INDELIBLE_TESTS_REAL", "1")
        yield


@pytest.fixture(autouse=True)
def _real_in_full(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if request.node.get_closest_marker("full"):
            patch.setenv("INDELIBLE_TESTS_REAL", "1")
        yield


# --- Programs of system packages ---

# Which has a program that tests need.
DEBIAN_PACKAGES = {
    name: name for name in ("bash", "chromium", "curl", "debootstrap", "fish", "make", "pgbouncer", "podman", "zsh")
}


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose program is not on the PATH, by name and with the command that installs it.

    `.ci/run` installs the packages and sets INDELIBLE_TESTS_PACKAGES=required, with which such a test fails.
    """
    for mark in item.iter_markers("needs"):
        (program,) = mark.args
        if shutil.which(program) is None:
            said = (
                f"{program} is not on the PATH, so this test did NOT run; "
                f"on Debian: apt-get install {DEBIAN_PACKAGES[program]}, and add /usr/sbin to the PATH"
            )
            (pytest.fail if os.environ.get("INDELIBLE_TESTS_PACKAGES") == "required" else pytest.skip)(said)


# --- The database under test: see on_postgres.py ---

ON_SQLITE = "indelible_on_sqlite"  # how many tests were left out for which reason, as a worker tells it
OTHER_CASES = "another case of a test of which the first ones run (INDELIBLE_TESTS_CASES)"
_LEFT_OUT: Counter[str] = Counter()
_SERVER = pytest.StashKey[str]()
_OPEN = ExitStack()


def pytest_sessionstart(session: pytest.Session) -> None:
    starts_workers = getattr(session.config.option, "numprocesses", None) and not hasattr(session.config, "workerinput")
    if on_postgres.is_chosen() and not starts_workers and not session.config.option.collectonly:
        if on_postgres.VARIABLE not in os.environ:
            url = session.config.stash[_SERVER] = _OPEN.enter_context(on_postgres.server())
            os.environ[on_postgres.VARIABLE] = on_postgres.database(url)
            _OPEN.callback(os.environ.pop, on_postgres.VARIABLE)
        on_postgres.install()


@pytest.fixture(scope="session")
def administrator(pytestconfig: pytest.Config) -> Iterator[str]:
    """The URL of the administrator of a PostgreSQL server, whom no row-level security holds; one for all tests."""
    if _SERVER in pytestconfig.stash:
        yield pytestconfig.stash[_SERVER]
        return
    with on_postgres.server() as url:
        yield url


@pytest.fixture(scope="session")
def database(administrator: str) -> str:
    """The URL of a plain user's database there. Tests keep apart by the numbers of their tenants."""
    return on_postgres.database(administrator)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[ON_SQLITE] = dict(_LEFT_OUT)
    _OPEN.close()


def pytest_collection_finish() -> None:
    """Thousands of collected tests stay to the end: let no search for garbage go through them again and again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)  # before the marks are asked for
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in _between(items):
        item.add_marker("full")
    if not on_postgres.is_chosen():
        return
    marks = ("sqlite", "one_server") if on_postgres.is_cluster() else ("sqlite",)
    left = {item: str(mark.args[0]) for name in marks for item in items if (mark := item.get_closest_marker(name))}
    left |= dict.fromkeys(_other_cases([item for item in items if item not in left]), OTHER_CASES)
    _LEFT_OUT.update(left.values())
    items[:] = [item for item in items if item not in left]
    config.hook.pytest_deselected(items=list(left))


def _cases(items: Sequence[pytest.Item]) -> dict[tuple[object, str], list[pytest.Item]]:
    """Each test with its cases."""
    cases: dict[tuple[object, str], list[pytest.Item]] = {}
    for item in items:
        cases.setdefault((item.parent, getattr(item, "originalname", item.name)), []).append(item)
    return cases


def _between(items: Sequence[pytest.Item]) -> Iterator[pytest.Item]:
    """Of each test that is marked `sweep` the cases that only `--full` runs: those between the ones that are kept."""
    for cases in _cases([item for item in items if item.get_closest_marker("sweep")]).values():
        (kept,) = cases[0].get_closest_marker("sweep").args
        last = len(cases) - 1
        chosen = {round(last * number / max(1, kept - 1)) for number in range(kept)}
        yield from (case for number, case in enumerate(cases) if number not in chosen)


def _other_cases(items: Sequence[pytest.Item]) -> Iterator[pytest.Item]:
    """What a plain run of CI has no time for: of each parametrised test all but the first cases that are not `full`."""
    most = int(os.environ.get("INDELIBLE_TESTS_CASES") or 1 << 30)
    for cases in _cases(items).values():
        yield from sorted(cases, key=lambda case: case.get_closest_marker("full") is not None)[most:]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Every worker collects all tests, so that the last says the same as the others."""
    told = getattr(node, "workeroutput", {}).get(ON_SQLITE)
    if told:
        _LEFT_OUT.clear()
        _LEFT_OUT.update(told)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    database = "PostgreSQL" if on_postgres.is_chosen() else "SQLite"
    passed = len(terminalreporter.stats.get("passed", ()))
    terminalreporter.write_line(f"stores in {database}: {passed} passed")
    if _LEFT_OUT:
        terminalreporter.write_line(
            f"left out here: {_LEFT_OUT.total()}, as about the file that SQLite has, or as said"
        )
    for reason, count in sorted(_LEFT_OUT.items(), key=lambda each: (-each[1], each[0])):
        terminalreporter.write_line(f"  {count:4d} {reason}")
