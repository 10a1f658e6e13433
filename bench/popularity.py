"""Does what is popular push aside what answers the question? LoCoMo with the same texts and made-up popularity."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from asking import NO_WINDOW, PLAIN, SEED, SWITCHES, Lab, Stored, say
from client import INDELIBLE, environment
from report import Figure, table
from sets import Answer, Corpus, mean, together
from stores import LOG, finish_import

COST = 0.03  # recall@10 that popularity may cost
YEAR = timedelta(days=365)
ACCESSES = 1000
HUBS, RELATIONS = 0.1, 40  # share of the records that are hubs, relations of a hub


def popularity(lab: Lab) -> tuple[str, list[Figure]]:
    """recall@10 with random importance, age, accesses and hubs against the same store without."""
    conversations = lab.of("locomo")
    if not conversations:
        return "", []
    plain = {variant: lab.answers(variant, conversations) for variant in (PLAIN, NO_WINDOW)}
    popular = dict(zip(conversations, lab.each(lambda c: _popular(lab, c), conversations), strict=True))
    rows, figures = [], []
    for variant, window in ((PLAIN, "on"), (NO_WINDOW, "off")):
        before = together(plain[variant], conversations)
        after = [answer for corpus in conversations for answer in popular[corpus][variant]]
        values = [*(mean(of) for of in (before, after)), *(mean(of, "mrr") for of in (before, after))]
        rows.append([window, str(len(before)), *(f"{value:.3f}" for value in values)])
        lost = values[0] - values[1]
        figures.append(
            Figure(
                f"LoCoMo, recall@10 that popularity costs, window {window}",
                None,
                f"{lost:.4f}: {values[0]:.3f} without, {values[1]:.3f} with",
                most=COST if variant == PLAIN else None,
                value=lost,
            )
        )
    heads = ["window", "questions", "recall@10", "recall@10, popular", "MRR", "MRR, popular"]
    said = (
        f"LoCoMo exported and imported with, at random for each record, importance 0 to 1, age up to a year, 0 to "
        f"{ACCESSES} accesses, the last at any time since; one record of {1 / HUBS:.0f} relates to {RELATIONS} others. "
        f"Session and place in it stay, so that the window sees the same neighbours."
    )
    return f"{said}\n\n{table(heads, rows)}", figures


def _popular(lab: Lab, corpus: Corpus) -> dict[str, list[Answer]]:
    stored = lab.store(corpus)
    with _imported(lab, stored, Random(f"{SEED}/{corpus.name}")) as popular:
        with lab.serving(popular):
            pass  # it is ready once every text is embedded
        answered = {}
        for variant in (PLAIN, NO_WINDOW):
            with lab.copy(popular) as copied, lab.serving(copied, SWITCHES[variant]) as server:
                say(f"{corpus.set}/{corpus.name}, popular records, {variant}: {len(corpus.questions)} questions")
                answered[variant] = lab.ask(server, copied, corpus.questions)
    return answered


@contextmanager
def _imported(lab: Lab, stored: Stored, draw: Random) -> Iterator[Stored]:
    """A store of the same records made popular; an import keeps their ids."""
    data = lab.fresh()
    lines = data.parent / "popular.jsonl"
    with lab.copy(stored) as copied:
        memories = [json.loads(line) for line in _exported(copied.data)]
    make_popular(memories, draw, datetime.now(UTC))
    lines.write_text("".join(json.dumps(memory) + "\n" for memory in memories), encoding="utf-8")
    _import(data, lines)
    yield Stored(data, stored.project, stored.items)


def _exported(data: Path) -> list[str]:
    command = [str(INDELIBLE), "export", "--data", str(data)]
    ran = subprocess.run(command, check=True, capture_output=True, text=True, env=environment(), cwd=data.parent)
    return ran.stdout.splitlines()


def _import(data: Path, lines: Path) -> None:
    command = [str(INDELIBLE), "import", "--data", str(data), str(lines)]
    with (data.parent / LOG).open("wb") as log:
        finish_import(data, subprocess.Popen(command, env=environment(), cwd=data.parent, stderr=log))


def make_popular(memories: list[dict[str, Any]], draw: Random, now: datetime) -> None:
    """Give exported memories random importance, age and accesses, and some of them many relations."""
    for memory in memories:
        created = now - draw.random() * YEAR
        memory["importance"] = round(draw.random(), 3)
        memory["created_at"] = memory["updated_at"] = _time(created)
        memory["access_count"] = draw.randint(0, ACCESSES)
        memory["last_accessed_at"] = _time(created + draw.random() * (now - created))
    ids = [memory["id"] for memory in memories]
    for hub in draw.sample(memories, round(HUBS * len(memories))):
        others = draw.sample([id_ for id_ in ids if id_ != hub["id"]], min(RELATIONS, len(ids) - 1))
        hub["edges"] = [{"source": hub["id"], "target": other, "relationship": "RELATES_TO"} for other in others]


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
