"""Fits the head that chooses sentences of prompts worth keeping (indelible.extraction.statements), and measures it.

    python bench/fit_statements.py                          figures, leaving out one session at a time
    python bench/fit_statements.py --write                  also writes the weights that the product has

Fitted on the labelled sessions of ../shared/bench/capture and on the sentences of statements.jsonl beside this script:
prompts of four public projects (github.com/AmbidextrousCoatie/league_analyzer, MIT;
github.com/daviswhitehead/chef-chopsky, CC0-1.0; github.com/Firedogs2x/Houdoku-2, MIT; github.com/ChrisGVE/MunsellSpace,
Apache-2.0). Their sentences were labelled by the standard of those sessions before the head was written, each prompt by
one labeller in one pass. A session is measured with a head that was fitted without it. There is nothing random in it.
"""

import argparse
import io
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import report

from indelible.capture.clients import claude_transcripts
from indelible.extraction import statements
from indelible.extraction.measures import measures
from indelible.extraction.statements import Head, Prompt, Statement

HERE = Path(__file__).parent
SESSIONS = HERE.parents[1] / "shared" / "bench" / "capture"
SENTENCES = HERE / "statements.jsonl"
WEIGHTS = Path(statements.__file__).with_name("data") / "statements.json"
RIDGE = 100.0
WEIGHT = 0.7  # of a sentence of another project beside one of the labelled sessions
THRESHOLD = -1.4  # log odds; see docs/design/extraction.md
MOST = 6  # memories of a session
Floats = np.ndarray[Any, np.dtype[np.floating[Any]]]


class Row(NamedTuple):
    """A sentence: of which session ("" for other projects), its measures, whether it is worth keeping."""

    session: str
    measures: dict[str, float]
    worth: bool


class Session(NamedTuple):
    """A labelled session: its prompts, and its labels."""

    name: str
    prompts: list[Prompt]
    labels: list[dict[str, Any]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=Path, default=SESSIONS, help="the folder of capture.py")
    parser.add_argument("--write", action="store_true", help="write the weights of the product")
    parser.add_argument("--list", action="store_true", help="print what is kept, and how it was judged")
    arguments = parser.parse_args()
    sys.path.insert(0, str(arguments.sessions))
    sessions = list(labelled())
    rows = [*of_sessions(sessions), *of_other_projects()]
    heads = {each.name: fitted([row for row in rows if row.session != each.name]) for each in sessions}
    print(report.Run("bench/fit_statements.py", sys.argv[1:]).header([]))
    print(f"\n{len(rows)} sentences, {sum(row.worth for row in rows)} worth keeping\n")
    print("| log odds | memories | right | hard negatives | recall | importance 3 |\n|---|---|---|---|---|---|")
    for threshold in sorted({-1.8, -1.6, -1.2, -1.0, -0.6, -0.2, THRESHOLD}):
        print(measured(sessions, heads, threshold, arguments.list and threshold == THRESHOLD))
    if arguments.write:
        head = fitted(rows)
        made = {
            "made by": "bench/fit_statements.py",
            "sentences": len(rows),
            "threshold": THRESHOLD,
            "constant": round(head.constant, 4),
            "weights": {name: round(weight, 4) for name, weight in head.weights.items()},
        }
        WEIGHTS.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    return 0


def labelled() -> Iterator[Session]:
    """Yield the labelled sessions, with the prompts that the product finds in their transcripts."""
    import capture
    import capture_parse

    for name, turns, labels in capture.sessions("dev"):
        lines = capture_parse.transcript(name, turns, capture.CWD)
        raw = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        events = claude_transcripts.events(io.BytesIO(raw), claude_transcripts.Tally())
        yield Session(name, [each for said in statements.prompts(events) for each in said], labels)


def of_sessions(sessions: Sequence[Session]) -> Iterator[Row]:
    """Yield the sentences of labelled sessions; worth keeping is what covers a label, or is a part of one."""
    for session in sessions:
        for prompt in session.prompts:
            listed = statements.sentences(prompt.text)
            for index, (_, text) in enumerate(listed):
                if statements.is_candidate(text):
                    place = statements.place(prompt, index, len(listed))
                    yield Row(session.name, measures(text, place), verdict(text, session.labels) == "right")


def of_other_projects() -> Iterator[Row]:
    """Yield the labelled sentences of other projects."""
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        of = json.loads(line)
        prompt = Prompt("x" * of["length"], first=of["first"], answers=of["answers"])
        for index, text, worth in of["sentences"]:
            yield Row("", measures(text, statements.place(prompt, index, of["count"])), bool(worth))


def fitted(rows: Sequence[Row]) -> Head:
    """Return the head of a ridge regression on standardised measures, by Newton's method."""
    names = list(rows[0].measures)
    given = np.array([[row.measures[name] for name in names] for row in rows])
    middle, spread = given.mean(0), given.std(0) + 1e-6
    inputs = np.c_[(given - middle) / spread, np.ones(len(rows))]
    worth = np.array([float(row.worth) for row in rows])
    counted = np.array([1.0 if row.session else WEIGHT for row in rows])
    ridge = np.eye(inputs.shape[1]) * RIDGE
    ridge[-1, -1] = 0
    weights = np.zeros(inputs.shape[1])
    for _ in range(20):
        chance = 1 / (1 + np.exp(-inputs @ weights))
        gradient = inputs.T @ (counted * (chance - worth)) + ridge @ weights
        weights -= np.linalg.solve((inputs * (counted * chance * (1 - chance))[:, None]).T @ inputs + ridge, gradient)
    plain = weights[:-1] / spread
    return Head(dict(zip(names, plain.tolist(), strict=True)), float(weights[-1] - plain @ middle), THRESHOLD)


def verdict(text: str, labels: Sequence[dict[str, Any]]) -> str:
    """Return "right", "hard negative" or "unlabelled", as capture.py judges a memory."""
    from capture import covers, within, words

    bag = words(text)
    if any(covers(bag, label) or within(bag, label) for label in labels if label["label"] == "positive"):
        return "right"
    negative = [label for label in labels if label["label"] == "negative"]
    if any(
        (covers(bag, each) and len(words(each["quotes"][0]["text"])) >= 3) or within(bag, each) for each in negative
    ):
        return "hard negative"
    return "unlabelled"


def measured(sessions: Sequence[Session], heads: dict[str, Head], threshold: float, listing: bool) -> str:
    """Return a row of the table: what is kept with this threshold, each session by a head that never saw it."""
    from capture import covers, words

    verdicts: Counter[str] = Counter()
    found: list[tuple[int, bool]] = []
    for session in sessions:
        head = heads[session.name]
        kept = best(session.prompts, Head(head.weights, head.constant, threshold))
        for each in kept:
            verdicts[verdict(each.text, session.labels)] += 1
            if listing:
                print(f"  {session.name[:8]} {each.score:5.2f} {verdict(each.text, session.labels)}: {each.text}")
        bags = [words(each.text) for each in kept]
        for label in session.labels:
            if label["label"] == "positive" and label["who"] == "user":
                hit = any(covers(bag, label) for bag in bags)
                found.append((label["importance"], hit))
                if listing and not hit:
                    print(f"  {session.name[:8]} missed {label['importance']}: {label['quotes'][0]['text'][:200]}")
    number = max(1, verdicts.total())
    recall = sum(hit for _, hit in found) / len(found)
    important = [hit for importance, hit in found if importance == 3]
    right, hard = verdicts["right"] / number, verdicts["hard negative"] / number
    figures = (right, hard, recall, sum(important) / len(important))
    return f"| {threshold} | {verdicts.total()} | {' | '.join(f'{figure:.3f}' for figure in figures)} |"


def best(prompts: Sequence[Prompt], head: Head) -> list[Statement]:
    """Return the statements of a session, at most so many as a session keeps."""
    found = [each for prompt in prompts for each in statements.statements(prompt, working=True, head=head)]
    once = {each.text: each for each in found}
    return sorted(once.values(), key=lambda each: -each.score)[:MOST]


if __name__ == "__main__":
    sys.exit(main())
