"""How much of what is captured is right, by hand: `python bench/capture_precision.py`.

The material is the made-up day (tests/capture/day), sessions with the real outputs of real tools and messages
(tests/capture/precision). Up to 100 captured records of it are drawn; `judged.jsonl` beside the material says of each
whether it is right by the rule of docs/design/extraction.md, and why not. A record that nobody has judged is printed,
and counts as wrong. With `--conversations FILE` the private chats of a LoCoMo file are read as prompts of a working
session: whatever is captured of them is wrong.
"""

import argparse
import json
import random
from collections.abc import Iterator
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

from indelible.capture import clients
from indelible.extraction import statements
from indelible.extraction.extraction import Capture, captures

CAPTURE = Path(__file__).parents[1] / "tests" / "capture"
SAMPLE = 100
SEED = 7


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--conversations", type=Path, help="a LoCoMo file")
    arguments.add_argument("--all", action="store_true", help="all records, not 100 of them")
    given = arguments.parse_args()
    found = {name(capture): capture for capture in material()}
    drawn = sorted(found) if given.all else sorted(random.Random(SEED).sample(sorted(found), min(SAMPLE, len(found))))
    judged = {line["record"]: line for line in read(CAPTURE / "precision" / "judged.jsonl")}
    for each in drawn:
        if each not in judged:
            print(
                json.dumps(
                    {"record": each, "kind": found[each].kind, "content": found[each].content}, ensure_ascii=False
                )
            )
    print(f"{len(found)} records captured, {len(drawn)} of them judged")
    table([(found[each].kind, judged.get(each, {}).get("right", False)) for each in drawn])
    if given.conversations:
        chats(given.conversations)


def name(capture: Capture) -> str:
    return sha256(f"{capture.kind}\n{capture.content}".encode()).hexdigest()[:12]


def material() -> Iterator[Capture]:
    for session in sessions():
        yield from captures(session)
    for at, message in enumerate(read(CAPTURE / "precision" / "messages.jsonl")):
        yield from captures(around(message, at))


def sessions() -> Iterator[list[dict[str, Any]]]:
    for file in sorted((CAPTURE / "day").glob("*.jsonl")):
        if "transcript" not in file.name:
            yield [event(payload, at) for at, payload in enumerate(read(file))]
    recorded = read(CAPTURE / "precision" / "sessions.jsonl")
    for _, events in groupby(recorded, key=lambda event: event["session"]):
        yield list(events)


def event(payload: dict[str, Any], at: int) -> dict[str, Any]:
    client = clients.client_of(payload)
    what = clients.what_of(client, payload["hook_event_name"])
    made = clients.event_of(payload, client, str(what), 1_795_000_000_000_000 + at * 30_000_000)
    assert made is not None
    return made


def around(message: dict[str, str], at: int) -> list[dict[str, Any]]:
    """A message in a session in which a file is read and a command is looked at: no more than its decisions."""
    what = "prompt" if message["by"] == "user" else "turn_ended"
    common = {"id": "1", "session": str(at), "time": 1_795_000_000_000_000, "cwd": "/home/dev/app"}
    look = {"what": "tool", "tool": "Bash", "action": "command", "subject": "ls", "outcome": "ok", "output": ""}
    return [{**common, "what": what, "text": message["text"]}, {**common, **look, "id": "2", "edits": []}]


def read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def table(judged: list[tuple[str, bool]]) -> None:
    print("| kind | right | wrong | precision |\n|---|---|---|---|")
    for kind in ("decision", "statement", "failure", "session"):
        verdicts = [right for each, right in judged if each == kind]
        right = sum(verdicts)
        print(f"| {kind} | {right} | {len(verdicts) - right} | {right / max(1, len(verdicts)):.2f} |")


def chats(file: Path) -> None:
    turns = [
        turn["text"]
        for chat in json.loads(file.read_text(encoding="utf-8"))
        for turns in chat["conversation"].values()
        if isinstance(turns, list)
        for turn in turns
    ]
    found = [each.text for turn in turns for each in statements.statements(statements.Prompt(turn), working=True)]
    print(f"private chats: {len(found)} statements captured of {len(turns):,} messages", *found, sep="\n- ")


if __name__ == "__main__":
    main()
