"""What the embedding of a question costs, part by part: tokenising, each model, both together, the socket.

The parts are measured in turn in a process that has nothing else in it, which is this file run as a program: with all
cores and on one.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import generate
from encoding import READY, encoder_place
from report import Figure, ms
from stores import Bench

SEED = 11
ROUNDS = 400
MOST = 1.3
REST = 0.01  # seconds between two questions of an agent at the least
BATCH = 128  # word pieces, as LocalEncoder takes at a time


def encoder(bench: Bench) -> list[Figure]:
    """Questions of 4 to 8 words; on a machine whose second core is busy the first figure is the machine's, not ours."""
    rounds = bench.size(ROUNDS, 10)
    free, one = _child("all", rounds), _child("one", rounds)
    dense, sparse, both = (free["wall"][part] for part in ("MiniLM", "SPLADE", "both"))
    apart = one["wall"]["MiniLM"] + one["wall"]["SPLADE"]
    return [
        Figure(
            "a question by both models, all cores / MiniLM alone",
            both / dense,
            f"{ms(both)} / {ms(dense)}; processor time {ms(free['cpu']['both'])} / {ms(free['cpu']['MiniLM'])} "
            f"(medians of {rounds}; {free['pieces']:g} word pieces)",
            most=MOST,
        ),
        Figure(
            "a question by both models, one core / the sum of the two",
            one["wall"]["both"] / apart,
            f"{ms(one['wall']['both'])} / {ms(apart)}; processor time {ms(one['cpu']['both'])} / "
            f"{ms(one['cpu']['MiniLM'] + one['cpu']['SPLADE'])}",
            most=MOST,
        ),
        Figure(
            f"a question by both models, all cores, after {REST * 1000:g} ms of rest / MiniLM alone after it",
            free["rested"]["both"] / free["rested"]["MiniLM"],
            f"{ms(free['rested']['both'])} / {ms(free['rested']['MiniLM'])}",
            most=MOST,
        ),
        Figure("of it: SPLADE / MiniLM", sparse / dense, f"{ms(sparse)} / {ms(dense)}"),
        Figure(
            "of it: tokenising / MiniLM",
            free["wall"]["tokenising"] / dense,
            f"{ms(free['wall']['tokenising'])} / {ms(dense)}",
        ),
        _socket(rounds, dense),
        Figure(
            f"texts in batches of {BATCH} word pieces: SPLADE / MiniLM",
            free["texts"]["SPLADE"] / free["texts"]["MiniLM"],
            f"{ms(free['texts']['SPLADE'])} / {ms(free['texts']['MiniLM'])} of processor time a batch",
        ),
    ]


def _socket(rounds: int, dense: float) -> Figure:
    """A question that is answered without an embedding, as far as the process goes, beside one that is encoded."""
    with encoder_place() as place:
        times = _child("socket", rounds, XDG_RUNTIME_DIR=str(place))
    return Figure(
        "of it: the socket, there and back / MiniLM",
        times["status"] / dense,
        f"{ms(times['status'])} / {ms(dense)}; a question through it {ms(times['query'])}",
    )


def _child(what: str, rounds: int, **variables: str) -> dict[str, Any]:
    command = [sys.executable, __file__, what, str(rounds)]
    surroundings = os.environ | {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}  # as SharedEncoder starts it
    answer = subprocess.run(command, env=surroundings | variables, stdout=subprocess.PIPE, check=True, text=True)
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def main() -> None:
    what, rounds = sys.argv[1], int(sys.argv[2])
    if what == "one":
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(json.dumps(through_socket(rounds) if what == "socket" else measured(rounds)))


def through_socket(rounds: int) -> dict[str, float]:
    """Median seconds of each operation, asked of the encoder process of this run-time directory, which is started."""
    from indelible.embed import channel, frames
    from indelible.embed.shared import SharedEncoder

    encoder = SharedEncoder()
    encoder.wake()
    until = time.monotonic() + READY
    while encoder.state != "ready":
        if time.monotonic() > until:
            sys.exit(f"after {READY:.0f} s the encoder still says: {encoder.state}")
        time.sleep(0.05)
    peer = channel.connect(channel.find_place(encoder.model))
    times: dict[str, list[float]] = {"status": [], "query": []}
    for question in generate.questions(rounds, SEED, among=10_000):
        for op, each in times.items():
            began = time.perf_counter()
            peer.send(frames.pack_request(frames.Request(op, (question,), READY)), time.monotonic() + READY)
            header, body = frames.unpack(peer.receive(time.monotonic() + READY))
            if op == "query":
                frames.unpack_embeddings(header, body, 1)
            each.append(time.perf_counter() - began)
    peer.close()
    encoder.close()
    return {op: statistics.median(each) for op, each in times.items()}


def measured(rounds: int) -> dict[str, Any]:
    """Median seconds of each part by the clock and of processor time, and what else the figures name."""
    from indelible.embed.local import Models

    models = Models.load()
    questions = list(generate.questions(rounds, SEED, among=10_000))
    windows = [models.words.first_window(question) for question in questions]
    parts: dict[str, Callable[[int], object]] = {
        "tokenising": lambda at: models.words.first_window(questions[at]),
        "MiniLM": lambda at: models.dense.run([windows[at]]),
        "SPLADE": lambda at: models.sparse.vectors([windows[at]], 24),
        "both": lambda at: models.embedding(models.cut(questions[at], query=True), 24),
    }
    wall: dict[str, list[float]] = {part: [] for part in parts}
    cpu: dict[str, list[float]] = {part: [] for part in parts}
    for at in range(rounds):
        for part, run in parts.items():
            began, used = time.perf_counter(), time.process_time()
            run(at)
            wall[part].append(time.perf_counter() - began)
            cpu[part].append(time.process_time() - used)
    rested: dict[str, list[float]] = {"MiniLM": [], "both": []}
    for at in range(rounds):
        for part, times in rested.items():
            time.sleep(REST)  # the cores sleep too, and the weights leave their caches
            began = time.perf_counter()
            parts[part](at)
            times.append(time.perf_counter() - began)
    return {
        "wall": {part: statistics.median(times) for part, times in wall.items()},
        "cpu": {part: statistics.median(times) for part, times in cpu.items()},
        "pieces": statistics.median(map(len, windows)),
        "rested": {part: statistics.median(times) for part, times in rested.items()},
        "texts": _texts(models, rounds),
    }


def _texts(models: Any, rounds: int) -> dict[str, float]:
    """Median seconds of processor time of each model for a batch of windows of 32 pieces."""
    pieces = models.words.numbers(" ".join(generate.records(BATCH, SEED)))
    batch = [pieces[start : start + 32] for start in range(0, BATCH, 32)]
    used: dict[str, list[float]] = {"MiniLM": [], "SPLADE": []}
    for _ in range(max(rounds // 10, 3)):
        for part, run in (("MiniLM", models.dense.run), ("SPLADE", lambda of: models.sparse.vectors(of, 64))):
            began = time.process_time()
            run(batch)
            used[part].append(time.process_time() - began)
    return {part: statistics.median(times) for part, times in used.items()}


if __name__ == "__main__":
    main()
