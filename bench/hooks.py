"""What an agent waits for at each of its events: `indelible hook`, against starting Python."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import generate
from client import INDELIBLE, environment
from report import Figure, ms
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
