"""Keeps `make fast` true, which leaves out what is marked: a test that starts a process without the mark fails.

It does so in `make test` and CI too, but not with stores in PostgreSQL, whose server is a process.

Threads and servers in this process are no processes.
A fixture of a module or of the session that starts one does so for all who use it: they fail too, whoever came first.
What ends is not looked at: the fixtures of others may be taken down with an unmarked test.
"""

import os
import sys
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from typing import Any

import pytest

import forked

# The audit events of Python that start a process; of what starts one without an event, the functions are wrapped.
_EVENTS = frozenset(("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"))
_WRAPPED = ((BaseProcess, "start"), (forked.Forked, "__init__"))


class _Watch:
    """Which test may start no process now, what it started, and which fixtures stand for processes."""

    def __init__(self) -> None:
        self.is_on = False
        self.test: str | None = None
        self.started: list[str] = []
        self.being_made: list[pytest.FixtureDef[Any]] = []
        self.fixtures: set[pytest.FixtureDef[Any]] = set()

    def starts(self, how: str) -> None:
        self.fixtures.update(each for each in self.being_made if each.scope != "function")
        if self.test is not None:
            self.started.append(how)
            pytest.fail(self.reason(how))

    def reason(self, how: str) -> str:
        return f"{self.test} starts a process ({how}) and is not marked `process`: add `@pytest.mark.process`"


_WATCH = _Watch()


def _audit(event: str, _: tuple[Any, ...]) -> None:
    if event in _EVENTS:
        _WATCH.starts(event)


def _wrap(owner: type, name: str) -> None:
    original = getattr(owner, name)

    def wrapped(self: Any, *arguments: Any, **options: Any) -> Any:
        _WATCH.starts(f"{owner.__name__}.{name}")
        return original(self, *arguments, **options)

    setattr(owner, name, wrapped)


def pytest_configure(config: pytest.Config) -> None:
    leaves_out = {"not process", "not full"} & set(config.option.markexpr.split(" and "))
    _WATCH.is_on = bool(leaves_out) and os.environ.get("INDELIBLE_TESTS_DATABASE", "") in ("", "sqlite")
    if not _WATCH.is_on:
        return
    sys.addaudithook(_audit)
    for owner, name in _WRAPPED:
        _wrap(owner, name)


def _watched(item: pytest.Item) -> Iterator[None]:
    if not _WATCH.is_on or item.get_closest_marker("process"):
        return (yield)
    _WATCH.test, _WATCH.started = item.nodeid, []
    try:
        result = yield
    finally:
        _WATCH.test = None
    if _WATCH.started:  # in a thread, or where somebody caught it
        pytest.fail(f"{item.nodeid} starts a process ({_WATCH.started[0]}) and is not marked `process`")
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    return (yield from _watched(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    shared = _WATCH.fixtures & _fixtures(item)
    if shared and not item.get_closest_marker("process"):
        names = ", ".join(sorted(each.argname for each in shared))
        pytest.fail(f"{item.nodeid} uses {names}, which start processes, and is not marked `process`")
    return (yield from _watched(item))


def _fixtures(item: pytest.Item) -> set[pytest.FixtureDef[Any]]:
    """The fixtures that a test names, and those that they name."""
    defined = item._fixtureinfo.name2fixturedefs
    return {defined[name][-1] for name in getattr(item, "fixturenames", ()) if defined.get(name)}


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Iterator[Any]:
    _WATCH.being_made.append(fixturedef)
    try:
        return (yield)
    finally:
        _WATCH.being_made.pop()
