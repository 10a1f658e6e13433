"""Patterns in a recorded day: three conversations of three sessions, replayed through the hooks; counted by hand."""

import json
import subprocess
from contextlib import closing
from itertools import pairwise
from math import log
from types import SimpleNamespace

import pytest
from test_a_day import Machine

from indelible.api import Memory

# What the day has, in `day/conversations.py`: ran 18 (15 by Claude Code, 3 by Codex), edited 6 by Edit and 1 by
# apply_patch, searched 2 and a subagent 1, read 2.
TOOLS = {"Bash": 18, "Edit": 6, "Grep": 3, "Read": 2, "apply_patch": 1}
FILES = {
    "web/src/webhooks.ts": (3, 2),  # read once, edited twice
    "src/ledger/invoice.py": (2, 1),
    "README.md": (1, 1),
    "poster/poster.go": (1, 1),
    "src/ledger/store.py": (1, 1),
    "web/Dockerfile": (1, 1),
}
SEARCHES = {"Decimal": 1, "def vat": 1, "go func": 1, "stripe.webhooks.constructEvent": 1}  # the third by `rg`


@pytest.fixture
def machine(tmp_path, capsys, monkeypatch) -> Machine:
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: SimpleNamespace())
    machine = Machine(tmp_path, capsys)
    machine.replay()
    return machine


def detected(machine, least, type_=None):
    found = json.loads(machine.run("patterns", "--json", "--min-frequency", str(least)))["result"]
    assert found["count"] == len(found["patterns"])
    # calls of our own tools are another matter: the commands of this test are among them
    agents = [each for each in found["patterns"] if "Indelible" not in each["description"]]
    return [each for each in agents if type_ in (None, each["pattern_type"])]


def named(patterns):
    """What stands between the backticks, and how often."""
    return {each["description"].split("`")[1]: each["frequency"] for each in patterns}


def test_searches_files_and_tools_of_a_day_are_counted(machine):
    assert named(detected(machine, 1, "repeated_search")) == SEARCHES
    files = detected(machine, 1, "file_hotspot")
    assert named(files) == {path: count for path, (count, _) in FILES.items()}
    times = {1: "once", 2: "2 times"}
    for each in files:
        path = each["description"].split("`")[1]
        assert f", edited {times[FILES[path][1]]}" in each["description"]
    tools = detected(machine, 1, "tool_preference")
    assert named(tools) == TOOLS
    assert tools[0]["description"] == "`Bash`: 18 of 30 tool calls (60%)"
    assert detected(machine, 1, "decision_chain") == []  # nobody linked any
    _is_named(machine)
    _is_written(machine)


def _is_named(machine):
    """What is frequent on that day."""
    assert [(each["pattern_type"], each["frequency"]) for each in detected(machine, 3)] == [
        ("file_hotspot", 3),
        ("tool_preference", 18),
        ("tool_preference", 6),
        ("tool_preference", 3),
    ]
    hotspot = detected(machine, 3)[0]
    assert hotspot["confidence"] == pytest.approx(log(4) / log(7), abs=1e-4)  # as often as there are sessions
    files = {each["id"]: each["metadata"].get("files", []) for each in machine.captured()}
    assert {id_ for id_, named_ in files.items() if "web/src/webhooks.ts" in named_} == set(hotspot["related_memories"])
    two = next(each for each in detected(machine, 2, "file_hotspot") if each["frequency"] == 2)
    assert two["confidence"] == pytest.approx(log(3) / log(6), abs=1e-4)


def _is_written(machine):
    """As Markdown with a section for each."""
    text = machine.run("patterns", "--min-frequency", "2")
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        "# Patterns",
        "## File hotspots",
        "## Tool preferences",
    ]
    assert "- `web/src/webhooks.ts` opened or edited 3 times, edited 2 times (confidence 0.71)" in text
    with closing(Memory(machine.open())) as memory:
        assert memory.pattern_insights(namespace=str(machine.project)).startswith("# Patterns")
        assert memory.pattern_insights(namespace="/elsewhere") == "No patterns detected yet."
        assert memory.pattern_insights(min_frequency=1000) == "No patterns detected yet."


@pytest.mark.slow
def test_a_replay_and_what_was_captured_of_the_day_count_nothing_twice(machine):
    before = detected(machine, 1)
    machine.replay()
    machine.run("promote", *(each["id"] for each in machine.captured()))
    assert [{**each, "related_memories": []} for each in detected(machine, 1)] == [
        {**each, "related_memories": []} for each in before
    ]


def test_decisions_of_the_day_that_are_linked_are_a_chain(machine):
    decisions = [each for each in machine.captured() if each["kind"] == "decision"]
    machine.run("promote", *(each["id"] for each in decisions))
    with closing(Memory(machine.open())) as memory:
        linked = memory.export_memories(memory_type="decision")
        ids = [each["id"] for each in linked]
        for first, second in pairwise(ids[:4]):
            memory.associate_memories(source_id=first, target_id=second, relationship="LEADS_TO")
        for each in linked[:4]:  # what they are about, as an agent says it
            memory.refine_memory(id=each["id"], tags=["billing"])
    (chain,) = [each for each in detected(machine, 3, "decision_chain") if "`billing`" in each["description"]]
    assert chain["description"] == "4 linked decisions about `billing`"
    assert (chain["frequency"], chain["confidence"]) == (4, pytest.approx(log(5) / log(9), abs=1e-4))
    assert len(chain["related_memories"]) == 4


@pytest.mark.slow
def test_the_same_day_again_in_other_sessions_makes_its_searches_repeated_ones(machine):
    given = machine.payloads
    machine.payloads = lambda name: (_of_another_session(payload) for payload in given(name))
    machine.replay()
    assert named(detected(machine, 2, "repeated_search")) == dict.fromkeys(SEARCHES, 2)
    assert named(detected(machine, 6, "file_hotspot")) == {"web/src/webhooks.ts": 6}
    once_more = next(each for each in detected(machine, 2, "repeated_search"))
    assert once_more["confidence"] == pytest.approx(log(3) / log(9), abs=1e-4)


def _of_another_session(payload):
    told = json.loads(payload)
    told["session_id"] = f"again-{told['session_id'][:8]}"
    return json.dumps(told)
