"""Recall over complete records, by words and by meaning: 10,000, 100,000 and 1,000,000 of them, and parts of these."""

import json
import shutil
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

import filling
import prepared
from asking import say
from client import environment
from complete import FIFTIETH, HALF, SMALLEST, TOPICS
from filling import Full
from prepared import ELSEWHERE, EVERYWHERE, WARM_UP
from report import Figure, ms, percentile
from stores import Bench

SIZES = (10_000, 100_000, 1_000_000)
GATED = 1_000_000
QUESTIONS = 200
MOST_MS = 80.0
MOST_MEMORY = 2000.0  # MB
LEAST_KEPT = 0.99
FILTERS = {HALF: "a filter of 50%", FIFTIETH: "a filter of 2%", SMALLEST: "a filter of 0.01%"}
INSIDE = Path(__file__).with_name("inside.py")


def scale(bench: Bench) -> list[Figure]:
    """Each size in a store and a process of its own; a store goes when it has been asked."""
    topics = filling.topics(bench.folder, bench.size(TOPICS, 50))
    figures = []
    for full_size in SIZES:
        data = bench.fresh(f"complete-{full_size}")
        full = filling.fill(data, bench.size(full_size, 1000), topics)
        say(f"{full.records:,} records made in {full.writing:.0f} s, sealed in {full.sealing:.0f} s")
        figures += _figures(full, _asked(full, topics, bench.size(QUESTIONS, 20)), gated=full_size == GATED)
        shutil.rmtree(data.parent)
    return figures


def _asked(full: Full, topics: Path, questions: int) -> dict[str, Any]:
    """What a fresh process measures."""
    path = full.data.parent / "questions.pickle"
    prepared.write(full.data, topics, questions + WARM_UP, path)
    command = [sys.executable, str(INSIDE), str(full.data), str(path)]
    done = subprocess.run(command, check=True, env=environment(), stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _figures(full: Full, found: dict[str, Any], *, gated: bool) -> list[Figure]:
    size, times, words = f"{full.records:,} records", found["recall"], found["by words"]
    plain, nothing = times[EVERYWHERE], times[ELSEWHERE]
    return [
        _recall(f"{size}, no filter", plain, words, most=MOST_MS if gated else None),
        *(_recall(f"{size}, {what}", times[name], words) for name, what in FILTERS.items()),
        Figure(
            f"recall, {size}, questions of another field / by words only",
            statistics.median(nothing) / statistics.median(words),
            f"{_spread(nothing)}; {found['hits'][ELSEWHERE]:.1f} hits a question, where there is an answer "
            f"{found['hits'][EVERYWHERE]:.1f}",
            most=MOST_MS if gated else None,
            value=statistics.median(nothing) * 1e3,
            unit=" ms",
        ),
        Figure(
            f"dense recall@10 against exact, {size}",
            None,
            f"{found['exact']:.4f} ({len(words)} questions)",
            least=LEAST_KEPT if gated else None,
            value=found["exact"],
        ),
        Figure(
            f"first recall in a process (loads the caches), {size} / a later one",
            found["first"] / statistics.median(plain),
            f"{ms(found['first'])}; store made in {full.writing:.0f} s, sealed in {full.sealing:.0f} s, "
            f"{full.bytes / 1e9:.2f} GB",
        ),
        Figure(
            f"memory of that process (PSS), {size} / before the first recall",
            found["used"] / found["before"],
            f"{found['used']:.0f} MB after all, {found['loaded']:.0f} after the first "
            f"(resident {found['resident']:.0f}) / {found['before']:.0f} MB",
            most=MOST_MEMORY if gated else None,
            value=max(found["used"], found["loaded"]),
            unit=" MB",
        ),
    ]


def _recall(what: str, times: list[float], words: list[float], most: float | None = None) -> Figure:
    middle = statistics.median(times)
    return Figure(
        f"recall, {what} / by words only without filter, p50",
        middle / statistics.median(words),
        f"{_spread(times)} / {_spread(words)} ({len(times)} questions)",
        most=most,
        value=middle * 1e3,
        unit=" ms",
    )


def _spread(times: list[float]) -> str:
    return f"p50 {ms(statistics.median(times))}, p95 {ms(percentile(times, 95))}"
