"""What an agent waits for at each of its events: `indelible hook`, against starting Python."""

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import complete
import filling
import generate
from client import INDELIBLE, environment
from encoding import encoder_place, serve_with, wait_for_embeddings
from report import Figure, ms, percentile
from starting import interleaved
from stores import Bench

ROUNDS = 30
SESSION = {"session_id": "bench", "transcript_path": "/home/ann/.claude/projects/x.jsonl", "cwd": "/home/ann/src"}
OUTPUT = """collected 42 items

tests/test_invoice.py ..........F....                                    [ 35%]
E       AssertionError: assert Decimal('17.982') == Decimal('17.98')
tests/test_invoice.py:61: AssertionError
FAILED tests/test_invoice.py::test_total_with_discount - AssertionError: assert ...
========================= 1 failed, 41 passed in 0.83s =========================
"""


def events(bench: Bench) -> list[Figure]:
    """The hook at a prompt, at a command, and at a command that printed a source file."""
    source = next(path for path in sorted(generate.LIBRARY.glob("*.py")) if path.stat().st_size > 1 << 14)
    call = {**SESSION, "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "toolu_1"}
    payloads = {
        "a prompt": {**SESSION, "hook_event_name": "UserPromptSubmit", "prompt": "round each line", "prompt_id": "p1"},
        "a command and its output": _answered(call, "pytest -q tests", OUTPUT),
        "a command that printed 16 KB of source": _answered(call, f"cat {source.name}", source.read_text()[: 1 << 14]),
    }
    data = bench.fresh("hooks")
    data.mkdir(parents=True, mode=0o700, exist_ok=True)
    command = [str(INDELIBLE), "hook", "--client", "claude-code", "--data", str(data)]
    runs = [_timed(command, _file(bench, payload)) for payload in payloads.values()]
    *took, python = interleaved(ROUNDS, *runs, _timed([sys.executable, "-c", "pass"], Path("/dev/null")))
    kept = len(list((data / "spool" / "new").iterdir()))
    if kept != (ROUNDS + 1) * len(payloads):
        raise RuntimeError(f"the hooks kept {kept} events of {(ROUNDS + 1) * len(payloads)}")
    return [
        Figure(
            f"`indelible hook` at {what} / `python -c pass`",
            seconds / python,
            f"{ms(seconds)} / {ms(python)} (median of {ROUNDS})",
            most=3.0,
        )
        for what, seconds in zip(payloads, took, strict=True)
    ]


def _answered(call: dict[str, object], command: str, output: str) -> dict[str, object]:
    return {**call, "tool_input": {"command": command}, "tool_response": {"stdout": output, "stderr": ""}}


def _file(bench: Bench, payload: dict[str, object]) -> Path:
    path = bench.folder / f"payload-{len(list(bench.folder.glob('payload-*')))}.json"
    path.write_text(json.dumps(payload))
    return path


def _timed(command: list[str], given: Path) -> Callable[[], float]:
    def run() -> float:
        with given.open("rb") as file:
            began = time.perf_counter()
            subprocess.run(command, check=True, env=environment(), stdin=file, stdout=subprocess.DEVNULL)
            return time.perf_counter() - began

    return run


ANSWERS = 60  # of each event, in turn
SIZES = (2_000, 100_000)  # records, half of them of the project
SLOWEST = 0.120  # seconds of an agent's time, at the 95th percentile
FAILED = {
    "hook_event_name": "PostToolUseFailure",
    "tool_name": "Bash",
    "tool_input": {"command": "pytest -q tests"},
    "error": f"Exit code 1\n{OUTPUT}",
}


def answers(bench: Bench) -> list[Figure]:
    """The hooks that an agent waits for: a brief, a prompt with and without a server, a failure, the end of a turn."""
    passages = filling.topics(bench.folder, bench.size(complete.TOPICS, 20))
    return [
        figure
        for size in SIZES
        for figure in _answers(bench, filling.fill(bench.fresh(f"hooks-{size}"), bench.size(size, 500), passages))
    ]


def _answers(bench: Bench, full: filling.Full) -> list[Figure]:
    rounds, sessions = bench.size(ANSWERS, 3), count()
    texts = _texts(full.data, rounds)
    prompts = [f"{' '.join(text.split()[:40])} - why is that, and what is to be done?" for text in texts]

    def start(_: int) -> dict[str, object]:
        return {"hook_event_name": "SessionStart", "source": "startup"}

    def prompt(number: int) -> dict[str, object]:
        return {"hook_event_name": "UserPromptSubmit", "prompt": prompts[number % rounds]}

    def failed(number: int) -> dict[str, object]:
        return {**FAILED, "tool_use_id": f"toolu_{number}"}

    def stop(_: int) -> dict[str, object]:
        return {"hook_event_name": "Stop", "last_assistant_message": "Done."}

    def run(event: Callable[[int], dict[str, object]]) -> tuple[float, bool]:
        number = next(sessions)
        payload = {**SESSION, "session_id": f"bench-{number}", **event(number)}
        command = [str(INDELIBLE), "hook", "--client", "claude-code", "--data", str(full.data)]
        env = {**environment(), "INDELIBLE_PROJECT": complete.HALF}
        began = time.perf_counter()
        done = subprocess.run(command, check=True, env=env, input=json.dumps(payload).encode(), stdout=subprocess.PIPE)
        return time.perf_counter() - began, bool(done.stdout)

    def two(_: int) -> tuple[float, bool]:
        with ThreadPoolExecutor(2) as pool:
            both = list(pool.map(run, (prompt, prompt)))
        return max(took for took, _ in both), all(said for _, said in both)

    def python(_: int) -> tuple[float, bool]:
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True, env=environment())
        return time.perf_counter() - began, False

    alone = {"a prompt, no server": lambda: run(prompt)}
    beside = {
        "the start of a session": lambda: run(start),
        "a prompt": lambda: run(prompt),
        "two prompts at once, the later": lambda: two(0),
        "a failed command": lambda: run(failed),
        "the end of a turn": lambda: run(stop),
        "(`python -c pass`)": lambda: python(0),
    }
    found = _in_turn(alone, rounds)
    with encoder_place() as place, serve_with(full.data, place) as server:
        server.initialize()
        wait_for_embeddings(server)
        server.call("recall_memory", query=prompts[0])
        found |= _in_turn(beside, rounds)
    return [_figure(f"{name}, {full.records:,} records", each) for name, each in found.items()]


def _in_turn(events: dict[str, Callable[[], tuple[float, bool]]], rounds: int) -> dict[str, list[tuple[float, bool]]]:
    """Take each once a round, so that what disturbs one disturbs all; the first round is discarded."""
    turns = [{name: run() for name, run in events.items()} for _ in range(rounds + 1)][1:]
    return {name: [turn[name] for turn in turns] for name in events}


def _figure(name: str, took: Sequence[tuple[float, bool]]) -> Figure:
    times = [seconds for seconds, _ in took]
    said = sum(spoke for _, spoke in took)
    p95 = percentile(times, 95)
    absolute = (
        f"p50 {ms(percentile(times, 50))}, p95 {ms(p95)}, p99 {ms(percentile(times, 99))}; told {said} of {len(took)}"
    )
    if name.startswith("("):
        return Figure(name, None, absolute)
    return Figure(f"hook at {name}, p95", None, absolute, most=SLOWEST * 1e3, value=p95 * 1e3, unit=" ms")


def _texts(data: Path, number: int) -> list[str]:
    """Return texts of the project, which are told where a prompt is about them."""
    connection = sqlite3.connect(data / "indelible.db")
    try:
        query = "SELECT text FROM record WHERE namespace = ? AND kind = 'memory' ORDER BY id LIMIT ?"
        return [text for (text,) in connection.execute(query, (complete.HALF, number))]
    finally:
        connection.close()
