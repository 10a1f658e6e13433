"""Fits the head that chooses sentences of prompts worth keeping (indelible.extraction.statements), and measures it.

    python bench/fit_statements.py                          figures, leaving out one session or project at a time
    python bench/fit_statements.py --write                  also writes the weights that the product has

Fitted on the labelled sessions of ../shared/bench/capture and on the sentences of statements.jsonl beside this script:
of prompts of 32 other public projects and at least 36 people, each line with its repository on GitHub and its licence
(NOTICE has them together; names, addresses and secrets are replaced). Labelled by the standard of those sessions, each
prompt by one labeller in one pass who saw no score: the first four projects before the head was written, the others
before its words were. A session, or a project, is measured with a head that was fitted without it. There is nothing
random in it.
"""

import argparse
import io
import json
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import report

from indelible.capture.clients import claude_transcripts
from indelible.extraction import statements
from indelible.extraction.measures import Place, measures, words_of
from indelible.extraction.statements import Head, Prompt, Statement

HERE = Path(__file__).parent
SESSIONS = HERE.parents[1] / "shared" / "bench" / "capture"
SENTENCES = HERE / "statements.jsonl"
WEIGHTS = Path(statements.__file__).with_name("data") / "statements.json"
RIDGE, RIDGE_OF_WORDS = 100.0, 30.0
KNOWN_IN = 8  # of the sessions and projects, at least, is a word that has a weight
WEIGHT = 0.35  # of a sentence of another project beside one of the labelled sessions
THRESHOLD = -1.6  # log odds; see docs/design/extraction.md
MOST = 6  # memories of a session
STEPS = 20  # of Newton's method, far more than it takes
Floats = np.ndarray[Any, np.dtype[np.floating[Any]]]


class Row(NamedTuple):
    """A sentence of a prompt, and whether it is worth keeping. `project` is "" for the labelled sessions."""

    project: str
    session: str
    text: str
    place: Place
    worth: bool

    @property
    def left_out_with(self) -> str:
        """What is left out where it is measured: its session, or its project."""
        return self.project or self.session


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
    heads = {
        name: fitted([row for row in rows if row.left_out_with != name])
        for name in dict.fromkeys(["", *(row.left_out_with for row in rows)])  # "" for all
    }
    print(report.Run("bench/fit_statements.py", sys.argv[1:]).header([]))
    print(f"\n{len(rows)} sentences, {sum(row.worth for row in rows)} worth keeping\n")
    print("| log odds | memories | right | hard negatives | recall | importance 3 |\n|---|---|---|---|---|---|")
    for threshold in sorted({-2.2, -1.4, -1.0, -0.6, -0.4, -0.2, THRESHOLD}):
        print(measured(sessions, heads, threshold, arguments.list and threshold == THRESHOLD))
    print("\nSentences of other projects; half A is what was looked at, half B what was not:\n")
    print("| log odds | half | sentences | worth keeping | kept | right | recall |\n|---|---|---|---|---|---|---|")
    for threshold in sorted({-2.2, -1.4, -1.0, -0.6, -0.4, -0.2, THRESHOLD}):
        for half in "AB":
            print(of_others([row for row in rows if row.project and half_of(row) == half], heads, threshold, half))
    if arguments.write:
        head = heads[""]
        made = {
            "made by": "bench/fit_statements.py",
            "sentences": len(rows),
            "threshold": THRESHOLD,
            "constant": round(head.constant, 4),
            "weights": {name: round(weight, 4) for name, weight in head.weights.items()},
            "words": {word: round(weight, 3) for word, weight in head.words.items()},
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
                    yield Row("", session.name, text, place, verdict(text, session.labels) == "right")


def of_other_projects() -> Iterator[Row]:
    """Yield the labelled sentences of other projects. One of several people is as many projects."""
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        of = json.loads(line)
        prompt = Prompt("x" * of["length"], first=of["first"], answers=of["answers"])
        for index, text, worth in of["sentences"]:
            place = statements.place(prompt, index, of["count"])
            yield Row(f"{of['source']} {of.get('person', '')}".strip(), of["session"], text, place, bool(worth))


def fitted(rows: Sequence[Row]) -> Head:
    """Return the head of a ridge regression on standardised measures, and on words, by Newton's method."""
    measured_ = [measures(row.text, row.place) for row in rows]
    names = list(measured_[0])
    given = np.array([[each[name] for name in names] for each in measured_])
    middle, spread = given.mean(0), given.std(0) + 1e-6
    said = [words_of(row.text) for row in rows]
    words = _known(rows, said)
    has = np.array([[float(word in each) for word in words] for each in said]).reshape(len(rows), len(words))
    usual = has.mean(0)
    inputs = np.c_[(given - middle) / spread, has - usual, np.ones(len(rows))]
    worth = np.array([float(row.worth) for row in rows])
    counted = np.array([WEIGHT if row.project else 1.0 for row in rows])
    ridge = np.diag([*[RIDGE] * len(names), *[RIDGE_OF_WORDS] * len(words), 0.0])
    weights = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-inputs @ weights))
        gradient = inputs.T @ (counted * (chance - worth)) + ridge @ weights
        step = np.linalg.solve((inputs * (counted * chance * (1 - chance))[:, None]).T @ inputs + ridge, gradient)
        weights -= step
        if np.abs(step).max() < 1e-7:
            break
    plain, of_words = weights[: len(names)] / spread, weights[len(names) : -1]
    return Head(
        dict(zip(names, plain.tolist(), strict=True)),
        float(weights[-1] - plain @ middle - of_words @ usual),
        THRESHOLD,
        dict(zip(words, of_words.tolist(), strict=True)),
    )


def _known(rows: Sequence[Row], said: Sequence[frozenset[str]]) -> list[str]:
    """Return the words, sorted, that are said twice in each of so many sessions and projects, on the average."""
    where: dict[str, Counter[str]] = defaultdict(Counter)
    for row, words in zip(rows, said, strict=True):
        for word in words:
            where[word][row.left_out_with] += 1
    return sorted(word for word, by in where.items() if len(by) >= KNOWN_IN and by.total() >= 2 * KNOWN_IN)


def half_of(row: Row) -> str:
    """Return the half of the projects that a sentence of one is of, by the CRC-32 of its repository."""
    return "AB"[zlib.crc32(row.project.split()[0].encode()) % 2]


def of_others(rows: Sequence[Row], heads: dict[str, Head], threshold: float, half: str) -> str:
    """Return a row of the table of sentences: what is kept of each session, each by a head that never saw its project.

    The prompts around the sentences are not there, so each stands for itself; of a session the MOST surest are kept.
    """
    by_session: dict[tuple[str, str], dict[str, tuple[float, bool]]] = defaultdict(dict)
    for row in rows:
        head = heads[row.project]
        alone = Head(head.weights, head.constant, threshold, head.words)
        score = statements.score_of(row.text, row.place, alone)
        if statements.is_candidate(row.text) and not statements.is_of_the_moment(row.text) and score >= threshold:
            by_session[row.project, row.session][row.text] = (score, row.worth)
    kept = [worth for found in by_session.values() for _, worth in sorted(found.values(), reverse=True)[:MOST]]
    worth = sum(row.worth for row in rows)
    right = sum(kept)
    figures = (threshold, half, len(rows), worth, len(kept), f"{right / len(kept):.3f}", f"{right / worth:.3f}")
    return f"| {' | '.join(map(str, figures))} |"


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
        head = heads.get(session.name) or heads[""]
        kept = best(session.prompts, Head(head.weights, head.constant, threshold, head.words))
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
