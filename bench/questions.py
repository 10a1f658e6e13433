"""When the question at the end of a turn would have come in real sessions, and what agents had found by then.

    python bench/questions.py [--sessions ../shared/bench/capture]

The labelled sessions are replayed: each end of a turn asks `indelible.capture.questions.is_due` with the edits so far.
A label of the agent's counts where its quote stands before a question. What a client would refuse (headless, no
permission) is not simulated.
"""

import argparse
import sys
from pathlib import Path

import report

from indelible.capture import questions

SESSIONS = Path(__file__).parents[2] / "shared" / "bench" / "capture"
EDITS = ("Edit", "Write", "MultiEdit", "NotebookEdit")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=Path, default=SESSIONS, help="the folder of capture.py")
    arguments = parser.parse_args()
    sys.path.insert(0, str(arguments.sessions))
    import capture

    before, labels, asked, without = 0, 0, [], 0
    for _, turns, found in capture.sessions("dev"):
        at = moments(turns)
        asked.append(len(at))
        without += not at
        own = [label for label in found if label["label"] == "positive" and label["who"] == "assistant"]
        labels += len(own)
        before += sum(min(quote["turn"] for quote in label["quotes"]) <= max(at, default=-1) for label in own)
    print(report.Run("bench/questions.py", sys.argv[1:]).header([]))
    print(f"{before} of {labels} labels of agents stand before a question ({before / labels:.2f})")
    print(f"{sum(asked)} questions in {len(asked)} sessions, at most {max(asked)} a session; none in {without}")


def moments(turns: list[dict]) -> list[int]:
    """Return the turns at whose ends the question comes."""
    edits, asked, found = 0, [], []
    for at, turn in enumerate(turns):
        tool = turn.get("tool")
        edits += bool(tool and tool["name"] in EDITS and not tool["error"])
        ends = turn["role"] == "assistant" and not tool and (at + 1 == len(turns) or turns[at + 1]["role"] == "user")
        if ends and questions.is_due(edits, asked):
            asked.append(edits)
            found.append(turn["n"])
    return found


if __name__ == "__main__":
    main()
