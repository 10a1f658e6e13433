#!/usr/bin/env python3
"""The page over a large store: its pages beside what the engine takes for them, and a browser over live events.

    python bench/page.py --records 100000 --write docs/benchmarks.md

A store of made-up records in 20 projects, by words only, is served as `indelible ui` serves it. Each page and what the
engine is asked for it are measured by turns. The browser (Debian's chromium, the package playwright) is shown rows of
the live stream, in portions, and its heap is measured after garbage collection.
"""

import argparse
import http.client
import itertools
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import generate
from asking import say
from client import INDELIBLE, environment
from report import Figure, Run, ms, percentile
from stores import settle

from indelible.api import Memory
from indelible.capture.brief import AT_START, compose
from indelible.capture.project_brief import person_of
from indelible.core.context.context import Context, open_context
from indelible.core.recall import recall
from indelible.core.recall.candidates import Query
from indelible.server.web import find, home, record, rows, timeline
from indelible.server.web.page import part
from indelible.settings import Settings
from indelible.store.tables import records
from indelible.toolsets.memory import inspection

PROJECTS = 20
BATCH = 1_000  # records of one call that fills
ROUNDS = 40
WARM_UP = 5
TIMES, MORE = 1.5, 0.030  # the engine's own time, and seconds, that a page may take
PORTION = 500  # events at once
FLAT = 1.25  # times the heap after the first tenth that the browser may have in the end


def fill(data: Path, count: int) -> float:
    """Fill a store with records in their projects; return the seconds it took.

    In this process: `indelible import` steps back behind all that runs beside it.
    """
    began = time.perf_counter()
    numbered = enumerate(generate.records(count))
    with Memory(open_context(Settings.load(data=str(data), environ=environment()))) as memory:
        while batch := [_said(number, text) for number, text in itertools.islice(numbered, BATCH)]:
            found = memory.call("import_memories", memories=batch)
            assert not found["errors"], found["errors"][:1]
    return time.perf_counter() - began


def _said(number: int, text: str) -> dict[str, str]:
    return {"content": text, "namespace": f"/home/ann/project{number % PROJECTS}"}


class Visitor:
    """A kept connection to the page of a server, entered by its link."""

    def __init__(self, link: str):
        where = urlsplit(link)
        self.url = f"{where.scheme}://{where.netloc}"
        self._connection = http.client.HTTPConnection(where.netloc, timeout=300)
        self._cookie = ""
        answer = self._asked(f"{where.path}?{where.query}")
        self.cookie = answer.headers["Set-Cookie"].partition(";")[0]
        self._cookie = self.cookie

    def seconds(self, path: str) -> float:
        """How long a page takes, to its last byte."""
        began = time.perf_counter()
        answer = self._asked(path)
        taken = time.perf_counter() - began
        assert answer.status == 200, (path, answer.status)
        return taken

    def _asked(self, path: str) -> http.client.HTTPResponse:
        self._connection.request("GET", path, headers={"Cookie": self._cookie} if self._cookie else {})
        answer = self._connection.getresponse()
        answer.read()
        return answer


@contextmanager
def served(data: Path) -> Iterator[Visitor]:
    """A visitor of a server that `indelible ui` starts."""
    command = [str(INDELIBLE), "ui", "--data", str(data), "--http", "127.0.0.1:0", "--no-browser", "--idle", "0"]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    process = subprocess.Popen(command, cwd=data.parent, env=environment(), **pipes)
    try:
        assert process.stdout is not None
        yield Visitor(process.stdout.readline().strip())
    finally:
        process.terminate()
        process.communicate()


# --- What the engine is asked for each page ---


def _brief(ctx: Context, project: str) -> None:
    with ctx.store.read() as tx:
        names = ctx.scope(tx).named(project, set(records.namespaces(tx)))
        compose(tx, project, names, ctx.now(), AT_START, person_of(ctx))
    inspection.newest(ctx, home.LEARNED + 1, namespace=project, length=rows.FIRST + 1)
    inspection.newest(ctx, home.FAILURES, namespace=project, kinds=("failure",), length=rows.FIRST)


def _timeline(ctx: Context) -> None:
    kinds = timeline.CHOICES[""].kinds
    inspection.newest(ctx, timeline.SHOWN + 1, every_project=True, kinds=kinds, length=rows.FIRST + 1)
    inspection.by_day(ctx, kinds, 0, every_project=True)


def measured(ctx: Context, visitor: Visitor, count: int) -> list[Figure]:
    """The four pages beside the engine's own time, by turns."""
    questions = list(generate.questions(ROUNDS + WARM_UP, among=count))
    keys = [each.record.key for each in inspection.newest(ctx, ROUNDS + WARM_UP, every_project=True)]
    project = "/home/ann/project7"
    pages: dict[str, tuple[Callable[[int], str], Callable[[int], object]]] = {
        "first page": (lambda n: f"/?{urlencode({'project': project})}", lambda n: _brief(ctx, project)),
        "find": (
            lambda n: f"/find?{urlencode({'q': questions[n]})}",
            lambda n: recall.ranked(ctx, Query(questions[n], find.SHOWN)),
        ),
        "timeline": (lambda n: "/timeline", lambda n: _timeline(ctx)),
        "record": (lambda n: f"/record?id={keys[n]}", lambda n: inspection.inspect(ctx, keys[n])),
    }
    assert record.ROUTES[0][1] == "/record"
    figures = []
    for name, (path, engine) in pages.items():
        times: list[float] = []
        own: list[float] = []
        for number in range(ROUNDS + WARM_UP):
            seconds = visitor.seconds(path(number))
            began = time.perf_counter()
            engine(number)
            if number >= WARM_UP:
                times.append(seconds)
                own.append(time.perf_counter() - began)
        figures.append(_figure(f"{name}, {count:,} records / the engine's own", times, own))
        say(figures[-1].absolute)
    return figures


def _figure(what: str, times: list[float], own: list[float]) -> Figure:
    middle, engine = statistics.median(times), statistics.median(own)
    spread = f"p50 {ms(middle)}, p95 {ms(percentile(times, 95))} / p50 {ms(engine)}, p95 {ms(percentile(own, 95))}"
    allowed = TIMES * engine + MORE
    absolute = f"{spread}; {ms(middle)} of the {ms(allowed)} that 1.5 times the engine's and 30 ms are"
    return Figure(what, middle / engine, absolute, most=round(allowed * 1e3, 1), value=middle * 1e3, unit=" ms")


# --- The browser ---


def events(ctx: Context) -> Callable[[int], str]:
    """What the stream sends of one portion of rows, each of another record."""
    (found,) = inspection.newest(ctx, 1, every_project=True)
    row = rows.of_record(ctx, found.record, found.short)

    def portion(number: int) -> str:
        said = ["retry: 50\n\n"]
        for place in range(number * PORTION, (number + 1) * PORTION):
            text = part("row.html", row=row._replace(id=f"event-{place}"), with_project=True, selectable=False)
            data = "".join(f"data: {line}\n" for line in text.splitlines())
            said.append(f"event: record\n{data}\n")
        return "".join(said)

    return portion


def browsed(ctx: Context, visitor: Visitor, count: int) -> list[Figure]:
    """A browser's heap and nodes after the first tenth of the events, and after all."""
    from playwright.sync_api import Route, sync_playwright

    portion, portions = events(ctx), -(-count // PORTION)
    sent = 0

    def answer(route: Route) -> None:
        nonlocal sent
        if sent >= portions:
            route.abort()
            return
        route.fulfill(body=portion(sent), content_type="text/event-stream")
        sent += 1

    with sync_playwright() as playwright:
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = browser.new_context()
        name, _, value = visitor.cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "url": visitor.url}])
        tab = context.new_page()
        tab.route("**/live*", answer)
        tab.goto(f"{visitor.url}/timeline")
        session = context.new_cdp_session(tab)
        marks: list[tuple[int, int, int]] = []
        for number in (max(1, portions // 10), portions):
            last = f"event-{number * PORTION - 1}"
            tab.locator(f'[data-live] a[href$="{last}"]').wait_for(timeout=300_000)
            session.send("HeapProfiler.collectGarbage")
            found = session.send("Runtime.getHeapUsage")
            nodes = tab.evaluate("document.querySelectorAll('*').length")
            marks.append((number * PORTION, int(found["usedSize"]), int(nodes)))
        browser.close()
    (few, small, before), (many, large, after) = marks
    absolute = f"{large / 1e6:.2f} MB, {after:,} elements / {small / 1e6:.2f} MB, {before:,} elements"
    what = f"heap of the browser after {many:,} live events / after {few:,}"
    return [Figure(what, large / small, absolute, most=FLAT)]


def main() -> int:
    """Measure, say it, and write it where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--events", type=int, default=10_000, help="0 for no browser")
    parser.add_argument("--write", type=Path, help="the page to write the figures into")
    arguments = parser.parse_args()
    run = Run("bench/page.py", sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        seconds = fill(data, arguments.records)
        settle(data)
        say(f"{arguments.records:,} records made in {seconds:.0f} s")
        ctx = open_context(Settings.load(data=str(data), environ=environment()))
        try:
            with served(data) as visitor:
                figures = measured(ctx, visitor, arguments.records)
                if arguments.events:
                    figures += browsed(ctx, visitor, arguments.events)
        finally:
            ctx.close()
    return run.finish(figures, "page", arguments.write)


if __name__ == "__main__":
    raise SystemExit(main())
