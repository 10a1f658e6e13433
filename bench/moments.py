"""What a prompt brings in real sessions that come one after the other, and what it brings at another project's.

    python bench/moments.py [--sessions ../shared/bench/capture] [--all]

The labelled sessions are replayed in order. Before each, what a hook's brief tells is noted; at each prompt
`indelible.capture.moments` is asked as a hook asks it. Known is what the capture made of the sessions before, and what
their agents found out by the labels, as if the question at the end of a turn had had them store it. Then the prompts of
statements.jsonl, of other projects, are asked of what all sessions left. Whether what is told is relevant, a
reader judges: every line is printed; --all prints what was nearest where nothing was told, too.
"""

import argparse
import io
import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import golden_child
import report
from questions import SESSIONS

from indelible.capture import hook_brief, hook_reminders, ingest, moments
from indelible.capture.clients import claude_transcripts
from indelible.capture.hook_brief import place_of
from indelible.core.context.context import Context, open_context
from indelible.core.indexes.embedder import Embedder
from indelible.embed.local import LocalEncoder
from indelible.project import locate
from indelible.settings import Settings
from indelible.toolsets import registry

STATEMENTS = Path(__file__).with_name("statements.jsonl")
TYPES = {"decision": "decision", "preference": "preference", "rule": "preference"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=Path, default=SESSIONS, help="the folder of capture.py")
    parser.add_argument("--all", action="store_true", help="print the nearest of each prompt, told or not")
    arguments = parser.parse_args()
    sys.path.insert(0, str(arguments.sessions))
    import capture
    import capture_parse

    encoder = LocalEncoder()
    encoder.load()
    print(report.Run("bench/moments.py", sys.argv[1:]).header([]))
    with tempfile.TemporaryDirectory(prefix="indelible-moments-") as temporary:
        ctx = _opened(Path(temporary), capture.CWD)
        asking = replace(ctx, embedder=Embedder(encoder))
        sessions = sorted(capture.sessions("dev"), key=lambda session: session[1][0]["time"])
        counts: dict[str, int] = defaultdict(int)
        for number, (name, turns, labels) in enumerate(sessions, 1):
            lines = (json.dumps(line).encode() + b"\n" for line in capture_parse.transcript(name, turns, capture.CWD))
            events = list(claude_transcripts.events(io.BytesIO(b"".join(lines)), claude_transcripts.Tally()))
            for prompt, told in _asked(asking, events, counts):
                _print(asking, number, prompt, told, everything=arguments.all)
            ingest.take_in(ctx, events)
            _store(ctx, labels)
            golden_child.embed(ctx)
        print(
            f"{counts['told']} of {counts['prompts']} prompts got something: {counts['memories']} memories, "
            f"{counts['tokens']} tokens in all, {counts['most']} in the session with the most"
        )
        others = list(_of_others())
        loud = [(prompt, told) for prompt in others if (told := _shown(asking, prompt)).text]
        print(f"other projects: {len(loud)} of {len(others)} prompts got something")
        for prompt, told in loud:
            _print(asking, 0, prompt, told, everything=False)
        ctx.close()


def _opened(folder: Path, cwd: str) -> Context:
    os.environ["INDELIBLE_ENCODER"] = "off"
    ctx = open_context(Settings(data=folder / "data", start=folder, home=folder))
    place = locate(None, {}, Path(cwd), folder)
    assert place is not None
    return ctx.at(place._replace(here=False))


def _asked(ctx: Context, events: list[dict[str, Any]], counts: dict[str, int]) -> Iterator[tuple[str, moments.Shown]]:
    """Yield the prompts of a session and what each brings, as its hooks would."""
    known = set(hook_brief.brief(place_of(ctx.settings), ctx.session.location).names)
    spent = 0
    for event in events:
        if event["what"] != "prompt":
            continue
        counts["prompts"] += 1
        room = min(hook_reminders.MOST, hook_reminders.MOST_OF_SESSION - spent)
        told = _shown(ctx, event["text"], known, room)
        known.update(told.names)
        spent += told.tokens
        counts["told"] += bool(told.text)
        counts["memories"] += len(told.names)
        yield event["text"], told
    counts["tokens"] += spent
    counts["most"] = max(counts["most"], spent)


def _shown(ctx: Context, prompt: str, known: set[str] | None = None, room: int = hook_reminders.MOST) -> moments.Shown:
    if not hook_reminders.names_a_matter(prompt):
        return moments.Shown()
    return moments.at_prompt(ctx, prompt[: hook_reminders.LONGEST], known or (), room)


def _store(ctx: Context, labels: list[dict[str, Any]]) -> None:
    store = registry.find_tool("store_memory")
    for label in labels:
        if label["label"] == "positive" and label["who"] == "assistant":
            type_ = TYPES.get(label["type"], "insight")
            registry.call(ctx, store, {"content": label["memory"], "memory_type": type_})


def _of_others() -> Iterator[str]:
    for line in STATEMENTS.read_text(encoding="utf-8").splitlines():
        yield " ".join(text for _, text, _ in json.loads(line)["sentences"])


def _print(ctx: Context, number: int, prompt: str, told: moments.Shown, *, everything: bool) -> None:
    found = moments.considered(ctx, prompt[: hook_reminders.LONGEST])[:1] if everything else []
    if told.text or found:
        print(f"session {number}: {' '.join(prompt.split())[:200]}")
    for line in told.text.splitlines():
        if line.startswith("- "):
            print(f"    told: {line}")
    if not told.text:
        for each in found:
            print(f"    nearest ({each.certainty:.2f}, {each.why_not}): {each.record.text[:160]}")


if __name__ == "__main__":
    main()
