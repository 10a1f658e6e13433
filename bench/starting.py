"""What starting costs: the server's first answer, its memory, the command line, the redaction rules."""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import generate
from client import INDELIBLE, Server, environment, serve
from report import Figure, ms
from stores import Bench

BARE = '''
"""The SDK's low-level server and a list of tools, nothing else."""
import json
import sys

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

with open(sys.argv[1]) as file:
    LISTING = types.ListToolsResult.model_validate(json.load(file))


async def list_tools(context, params):
    return LISTING


async def main():
    server = Server("bare", on_list_tools=list_tools)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


anyio.run(main)
'''
ROUNDS = 5
CLI_ROUNDS = 9
IDLE = 2.0  # seconds after which idle memory is read again
LIBRARIES = "import numpy, pydantic, apsw"


def interleaved(rounds: int, *runs: Callable[[], float]) -> list[float]:
    """The median of each: all are run in turn, so that what disturbs one disturbs all; the first turn is discarded."""
    turns = [[run() for run in runs] for _ in range(rounds + 1)][1:]
    return [statistics.median(times) for times in zip(*turns, strict=True)]


def _first_list(start: Callable[[], Server]) -> float:
    """Seconds from starting a server to its answer to tools/list."""
    with start() as server:
        server.initialize()
        server.tools()
        return time.perf_counter() - server.started


def _bare(bench: Bench) -> Callable[[], Server]:
    """How to start the SDK's own server with our list of tools, as our server gave it."""
    data = bench.fresh("listing")
    with serve(data, data.parent) as server:
        server.initialize()
        listing = server.tools()
    script, tools = data.parent / "bare.py", data.parent / "tools.json"
    script.write_text(BARE)
    tools.write_text(json.dumps(listing))
    return lambda: Server([sys.executable, str(script), str(tools)], script.parent)


def first_answer(bench: Bench) -> list[Figure]:
    """initialize and tools/list against the bare SDK."""
    bare = _bare(bench)
    data = bench.fresh("start")
    ours, sdk = interleaved(ROUNDS, lambda: _first_list(lambda: serve(data, data.parent)), lambda: _first_list(bare))
    new = statistics.median(_on_new_store(bench) for _ in range(ROUNDS))
    return [
        Figure(
            "start, initialize, tools/list / bare SDK server with the same tools",
            ours / sdk,
            f"{ms(ours)} / {ms(sdk)} (median of {ROUNDS})",
            most=1.5,
        ),
        Figure("the same where the store has to be made / bare SDK server", new / sdk, f"{ms(new)} / {ms(sdk)}"),
    ]


def _on_new_store(bench: Bench) -> float:
    data = bench.fresh("new")
    return _first_list(lambda: serve(data, data.parent))


def idle_memory(bench: Bench) -> list[Figure]:
    """Resident memory of a server that was asked for its tools and nothing else."""
    bare = _bare(bench)
    data = bench.fresh("idle")
    with serve(data, data.parent) as ours, bare() as sdk:
        for server in (ours, sdk):
            server.initialize()
            server.tools()
        at_once, of_sdk = ours.rss_mb, sdk.rss_mb
        time.sleep(IDLE)
        later = ours.rss_mb
    return [
        Figure(
            f"idle memory {when} / bare SDK server",
            rss / of_sdk,
            f"{rss:.0f} / {of_sdk:.0f} MB",
            most=110,
            value=rss,
            unit=" MB",
        )
        for when, rss in (("after tools/list", at_once), (f"{IDLE:.0f} s later", later))
    ]


def command_line(bench: Bench) -> list[Figure]:
    """`indelible recall` against importing the libraries that it stands on."""
    small, large = bench.filled(bench.size(1000, 100)), bench.filled(bench.size(100_000, 1000))
    query = next(generate.questions(1, among=small.records))

    def recall_from(data: Path) -> Callable[[], float]:
        return lambda: _wall([str(INDELIBLE), "recall", query, "--data", str(data)], data.parent)

    plain = [sys.executable, "-c", LIBRARIES]
    times = interleaved(
        CLI_ROUNDS, recall_from(small.data), recall_from(large.data), lambda: _wall(plain, bench.folder)
    )
    bare = times.pop()
    return [
        Figure(
            f"`indelible recall`, {store.records:,} records / `python -c '{LIBRARIES}'`",
            took / bare,
            f"{ms(took)} / {ms(bare)} (median of {CLI_ROUNDS})",
            most=most,
        )
        for store, took, most in zip((small, large), times, (2.0, None), strict=True)
    ]


def _wall(command: list[str], cwd: Path) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, env=environment(), cwd=cwd, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


FIRST_REDACTION = """
import sys, time
for name in sys.argv[1:]:
    __import__(name)
text = sys.stdin.read()
began = time.perf_counter()
from indelible.sanitize import redact
loaded = time.perf_counter()
redact.redact_text(text)
print(loaded - began, time.perf_counter() - loaded)
"""
SHARED = ("re", "typing", "dataclasses")  # of the standard library, which every part of Indelible needs


def redaction(bench: Bench) -> list[Figure]:
    """Loading the rules, and redacting text that has nothing to redact.

    The target is for what the rules add: every process of ours has the shared modules loaded for other reasons.
    """
    record = next(generate.records(1))
    python = statistics.median(_wall([sys.executable, "-c", "pass"], bench.folder) for _ in range(CLI_ROUNDS))
    figures = []
    for what, preloaded, most in (("in a bare Python", (), None), (f"where {', '.join(SHARED)} are", SHARED, 10.0)):
        loads = [_first_redaction(record, preloaded, bench.folder) for _ in range(CLI_ROUNDS + 1)][1:]
        load, first = (statistics.median(part) for part in zip(*loads, strict=True))
        figures.append(
            Figure(
                f"redaction loaded {what}, and its first text / `python -c pass`",
                (load + first) / python,
                f"{ms(load)} + {ms(first)} / {ms(python)} (median of {CLI_ROUNDS})",
                most=most,
                value=(load + first) * 1e3,
                unit=" ms",
            )
        )
    return [
        *figures,
        _cost("redaction of records of 40 words", list(generate.records(bench.size(4000, 400)))),
        _cost("redaction of Python source", _sources(bench.size(100, 10))),
    ]


def _first_redaction(text: str, preloaded: tuple[str, ...], cwd: Path) -> tuple[float, float]:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_REDACTION, *preloaded],
        input=text,
        check=True,
        capture_output=True,
        text=True,
        env=environment(),
        cwd=cwd,
    )
    load, first = done.stdout.split()
    return float(load), float(first)


def _sources(count: int) -> list[str]:
    paths = [p for p in sorted(generate.LIBRARY.glob("*.py")) if p.stat().st_size < 1 << 16]
    return [path.read_text(encoding="utf-8") for path in paths[:count]]


def _cost(what: str, texts: list[str]) -> Figure:
    """Microseconds a KB against lowering the text, the least that any rule has to do."""
    from indelible.sanitize.secret_spans import redact_text

    kilobytes = sum(len(text.encode()) for text in texts) / 1e3
    redact_text(texts[0])
    began = time.perf_counter()
    for text in texts:
        redact_text(text)
    took = time.perf_counter() - began
    began = time.perf_counter()
    for text in texts:
        text.lower()
    lowering = time.perf_counter() - began
    cost = f"{took / kilobytes * 1e6:.0f} µs a KB ({kilobytes:.0f} KB)"
    return Figure(f"{what} / `str.lower`", took / lowering, cost)
