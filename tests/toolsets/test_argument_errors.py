"""What is said of wrong arguments: plain words that do not contradict themselves, for every tool."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from indelible.errors import InvalidInput
from indelible.toolsets import registry

TOOLS = registry.all_tools()
# Of every kind that JSON has, small and large.
VALUES: list[Any] = [None, True, -1, 0, 1.5, 10**30, float("nan"), "", " ", "x", "x" * 100_000, [], [[]], ["", 1], {}]
VALUES += [{"a": 1}, [{"type": "x", "entityType": "y"}], [{}], [{"name": 1}], {"0": "x"}, {"x": 1.0}, [1.0, "x"]]


def said_of(tool: registry.Tool, arguments: dict[str, Any]) -> str:
    try:
        tool.validate(arguments)
    except InvalidInput as error:
        return str(error)
    return ""


def all_said() -> Iterator[tuple[str, str, Any, str]]:
    for name, tool in TOOLS.items():
        for argument in tool.input_schema.get("properties", {}):
            for value in VALUES:
                for line in said_of(tool, {argument: value}).splitlines():
                    yield name, argument, value, line


JARGON = re.compile(
    r"validation|valid dictionary|valid string|valid integer|instance of|Input should|function-|list\[|dict\[|nullable"
    r"|value_error|Value error|String|Dictionary|List should"
)


def test_every_mistake_is_said_in_plain_words_and_begins_with_the_argument():
    for name, argument, value, line in all_said():
        assert not JARGON.search(line.partition(", got ")[0]), (name, argument, value, line)
        assert re.match(r"unknown argument '|[a-zA-Z_]+(\.[^ ]+)?:? |the arguments ", line), (
            name,
            argument,
            value,
            line,
        )
        assert len(line) < 1_000, (name, argument, line)


def test_a_place_in_the_arguments_is_named_as_callers_know_it():
    for name, argument, value, line in all_said():
        place = re.match(r"[^ ]+", line.removeprefix("unknown argument '"))
        assert place is not None
        assert not re.search(r"\.(str|int|float|bool|dict|list)\b|\[", place[0]), (name, argument, value, line)


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("recall_memory", {"query": "x", "k": "3"}, "k must be a whole number, got '3'"),
        ("recall_memory", {"query": ["x"]}, "query must be a text, got ['x']"),
        ("recall_memory", {"query": "x", "k": 1.5}, "k must be a whole number, got 1.5"),
        ("create_entities", {"entities": "x"}, "entities must be a list, got 'x'"),
        ("create_entities", {"entities": [3]}, "entities.0 must be an object, got 3"),
        (
            "create_entities",
            {"entities": [{"name": "a", "entityType": "b", "type": "c"}]},
            "unknown argument 'entities.0.type' (for 'entityType', give 'entityType' alone); allowed are: name,",
        ),
        ("split_memory", {"memory_id": "m", "parts": []}, "parts must have at least 1 item, got []"),
    ],
)
def test_what_is_wrong_is_said_plainly(tool: str, arguments: dict[str, Any], words: str):
    assert words in said_of(TOOLS[tool], arguments)
