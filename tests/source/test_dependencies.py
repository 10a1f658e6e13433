"""What a symbol needs, what needs it, and what a change of it reaches."""

import pytest

from indelible.source.dependencies import Related, dependencies, impact

CALLS = [
    Related("main", "run", "CALLS", 1.0),
    Related("run", "load", "CALLS", 0.9),
    Related("test_run", "run", "CALLS", 1.0),
    Related("Sub", "Base", "INHERITS", 1.0),
    Related("save", "load", "CALLS", 0.5),
    Related("load", "main", "CALLS", 1.0),  # a ring
    Related("load", "load", "CALLS", 1.0),
]


def incoming(relations):
    asked = []

    def ask(nodes):
        asked.append(sorted(nodes))
        return [each for each in relations if each.target in nodes]

    ask.asked = asked
    return ask


def shown(found):
    return [(each.node, each.depth, each.relation, each.through, round(each.confidence, 3)) for each in found.reached]


def test_a_change_reaches_what_depends_on_it_level_by_level():
    ask = incoming(CALLS)
    assert shown(impact("load", 1, ask, str)) == [
        ("run", 1, "CALLS", "load", 0.9),
        ("save", 1, "CALLS", "load", 0.5),
    ]
    assert shown(impact("load", 2, ask, str))[2:] == [
        ("main", 2, "CALLS", "run", 0.9),
        ("test_run", 2, "CALLS", "run", 0.9),
    ]


def test_a_level_is_asked_for_once_and_a_ring_ends():
    ask = incoming(CALLS)
    found = impact("load", 50, ask, str)
    assert {each.node for each in found.reached} == {"run", "save", "main", "test_run"}
    assert ask.asked == [["load"], ["run", "save"], ["main", "test_run"]]
    assert [each.node for each in found.direct] == ["run", "save"]
    assert not found.cut


@pytest.mark.parametrize("start", ["nothing", "test_run"])
def test_what_nobody_needs_reaches_nothing(start):
    assert impact(start, 3, incoming(CALLS), str).reached == ()


def test_depth_0_is_nothing():
    assert impact("load", 0, incoming(CALLS), str).reached == ()


def test_weak_relations_can_be_left_out():
    found = impact("load", 5, incoming(CALLS), str, least=0.8)
    assert "save" not in {each.node for each in found.reached}


def test_of_too_many_the_nearest_and_surest_are_kept():
    relations = [Related(f"n{number:03}", "a", "CALLS", 1 - number / 1000) for number in range(100)]
    found = impact("a", 3, incoming(relations), str, most=5)
    assert [each.node for each in found.reached] == ["n000", "n001", "n002", "n003", "n004"]
    assert found.cut


def test_of_two_ways_of_one_length_the_surer_counts():
    relations = [
        Related("b", "a", "CALLS", 0.5),
        Related("c", "a", "CALLS", 1.0),
        Related("d", "b", "CALLS", 1.0),
        Related("d", "c", "IMPORTS", 0.9),
    ]
    (found,) = [each for each in impact("a", 2, incoming(relations), str).reached if each.node == "d"]
    assert (found.through, found.relation, found.confidence) == ("c", "IMPORTS", 0.9)


@pytest.mark.parametrize(
    ("direction", "expected"),
    [
        ("incoming", ["run", "save"]),
        ("outgoing", ["load", "main"]),
        ("both", ["run", "save", "load", "main"]),
    ],
)
def test_dependencies_are_told_by_direction(direction, expected):
    found = dependencies("load", CALLS, str, direction)
    others = [each.related.target if each.direction == "outgoing" else each.related.source for each in found]
    assert sorted(others) == sorted(expected)
    assert [each.direction for each in found] == sorted(each.direction for each in found)
