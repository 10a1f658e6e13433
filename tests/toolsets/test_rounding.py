"""Computed numbers have six digits that count, in the answer of every tool; what a caller gave comes back as it was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from every_tool import EXAMPLES, ID, PREPARED
from indelible.toolsets.rounding import rounded
from made_up_meaning import embed_all, with_meaning

AWKWARD = 0.1 + 0.2  # 0.30000000000000004
THIRD = 1 / 3
CALLERS_OWN = ("export_memories", "set_scoring_weights")  # what goes back in must be what came out


def numbers(value: Any, place: str) -> Iterator[tuple[str, float]]:
    """Every number with a fraction in an answer, and where it stands."""
    if isinstance(value, float):
        yield place, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from numbers(inner, f"{place}.{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from numbers(inner, f"{place}[]")


def too_long(answer: Any, place: str) -> dict[str, float]:
    return {where: number for where, number in numbers(answer, place) if number != rounded(number)}


@pytest.fixture
def stored(memory):
    """A store of numbers that binary fractions do not hold."""
    weighed = [
        {
            **each,
            "importance": THIRD,
            "confidence": AWKWARD,
            **({"edges": [{**edge, "weight": AWKWARD} for edge in each["edges"]]} if "edges" in each else {}),
        }
        for each in PREPARED
    ]
    memory.import_memories(memories=weighed)
    memory.context = with_meaning(memory.context)
    embed_all(memory.context)
    return memory


def test_no_tool_answers_a_number_of_many_digits(stored):
    wrong: dict[str, float] = {}
    for name, arguments in EXAMPLES.items():
        if name not in CALLERS_OWN:
            wrong |= too_long(stored.call(name, **arguments), name)
    assert wrong == {}


def test_what_decayed_is_shown_as_people_read_it(memory, clock):
    memory.store_memory(content="Retries back off from 100 ms to 5 s", importance=0.8)
    clock.pass_(days=40)
    memory.consolidate_decay(threshold_days=30)
    (hit,) = memory.recall_memory(query="retries back off")
    assert str(hit["importance"]) == "0.72"


def test_what_a_caller_gave_comes_back_as_it_was(stored):
    exported = stored.export_memories(namespace=None)
    found = {each["id"]: each for each in exported if each["kind"] == "memory"}
    assert (found[ID["axum"]]["importance"], found[ID["axum"]]["confidence"]) == (THIRD, AWKWARD)
    assert AWKWARD in {edge["weight"] for each in exported for edge in each["edges"]}
    stored.memorize(id="v", vector={"3": AWKWARD, "5": THIRD}, metadata={"share": THIRD, "all": [AWKWARD]})
    (entry,) = stored.search(vector={"5": 1.0}, limit=1)
    assert entry["vector"] == {"3": AWKWARD, "5": THIRD}
    assert entry["metadata"] == {"share": THIRD, "all": [AWKWARD]}
    assert entry["similarity"] == rounded(entry["similarity"])
    related = stored.associate_memories(
        source_id=ID["queue"], target_id=ID["tower"], relationship="DEPENDS_ON", weight=AWKWARD
    )
    assert related["weight"] == AWKWARD
    assert stored.consolidate_forget(importance_threshold=THIRD / 10)["threshold"] == THIRD / 10


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0.7200000000000001, "0.72"),
        (1 / 3, "0.333333"),
        (0.000012345678, "1.23457e-05"),
        (1234567.0, "1234567.0"),
        (-2 / 3, "-0.666667"),
        (0.0, "0.0"),
        (float("inf"), "inf"),
    ],
)
def test_a_number_has_six_digits_that_count_and_all_before_the_point(number: float, shown: str):
    assert str(rounded(number)) == shown
