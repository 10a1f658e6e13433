"""No argument of any tool is without a bound, and what is over one is refused in a sentence, by every door."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from command_line import indelible, opened
from every_tool import EXAMPLES, ID
from indelible.core.context.context import Context
from indelible.core.records import bounds
from indelible.errors import InvalidInput
from indelible.toolsets import registry
from indelible.toolsets.memory import importing

TOOLS = list(registry.all_tools().values())


@pytest.fixture
def ctx(tmp_path: Path) -> Iterator[Context]:
    with opened(tmp_path / "data") as ctx:
        yield ctx


def call(ctx: Context, tool: str, /, **arguments: Any) -> Any:
    return registry.call(ctx, registry.find_tool(tool), arguments).value


def unbounded(schema: Any, path: str) -> list[str]:
    """The places of a schema that have no bound."""
    if "enum" in schema or "const" in schema:
        return []
    if "anyOf" in schema:
        return [each for option in schema["anyOf"] for each in unbounded(option, path)]
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    found = [] if types else [f"{path}: any"]
    for type_, bound in (("string", "maxLength"), ("array", "maxItems"), ("object", "maxProperties")):
        if type_ in types and bound not in schema and not (type_ == "object" and _is_closed(schema)):
            found.append(f"{path}: {type_}")
    if "array" in types:
        found += unbounded(schema["items"], f"{path}[]")
    for name, inner in schema.get("properties", {}).items():
        found += unbounded(inner, f"{path}.{name}")
    return found


def _is_closed(schema: dict[str, Any]) -> bool:
    return schema.get("additionalProperties") is False


def test_no_argument_is_without_a_bound() -> None:
    closed = ((tool.name, {**tool.input_schema, "additionalProperties": False}) for tool in TOOLS)
    assert [place for name, schema in closed for place in unbounded(schema, name)] == []


def test_a_new_argument_says_whether_it_is_a_name_or_a_text() -> None:
    """Else a name would be bounded as a text is, and nobody would see it."""
    new = {"type": "object", "properties": {"colour": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}
    with pytest.raises(ValueError, match="'colour'"):
        bounds.bounded(new)
    assert not bounds.NAMES & bounds.TEXTS
    own = {"type": "string", "maxLength": 7}
    assert bounds.bounded({"properties": {"colour": own}}) == {"properties": {"colour": own}}


def test_no_name_of_an_argument_is_left_over() -> None:
    tools = [*TOOLS, *registry.unlisted().values()]
    named = {name for tool in tools for name in argument_names(tool.input_schema)}
    assert (bounds.NAMES | bounds.TEXTS) - named == set()


def argument_names(schema: dict[str, Any]) -> Iterator[str]:
    """The names of arguments and of properties in them."""
    for inner in (*schema.get("anyOf", ()), *filter(None, [schema.get("items")])):
        yield from argument_names(inner)
    for name, inner in schema.get("properties", {}).items():
        yield name
        yield from argument_names(inner)


def over(schema: dict[str, Any], example: Any) -> Any:
    """A value of a schema that is over its bound; None for what has none (a number, a word of a list)."""
    if "enum" in schema or "const" in schema:
        return None
    for option in schema.get("anyOf", []):
        return over(option, example)
    if schema.get("type") == "string":
        return "x" * (schema["maxLength"] + 1)
    if schema.get("type") == "array":
        item = example[0] if isinstance(example, list) and example else over_free(schema["items"])
        return [item] * (schema["maxItems"] + 1)
    if schema.get("type") == "object":
        return {str(number): 1.0 for number in range(schema["maxProperties"] + 1)}
    return None


def over_free(schema: dict[str, Any]) -> Any:
    return {"integer": 1, "number": 1.0, "object": {}}.get(schema.get("type", ""), "x")


def test_what_is_over_a_bound_is_refused_by_name() -> None:
    for tool in TOOLS:
        example = EXAMPLES[tool.name]
        for name, schema in tool.input_schema.get("properties", {}).items():
            value = over(schema, example.get(name))
            if value is None:
                continue
            with pytest.raises(InvalidInput) as refused:
                tool.validate({**example, name: value})
            said = str(refused.value)
            assert said.startswith(f"{name} must have at most "), (tool.name, said[:200])
            assert f"got {len(value):,}" in said, tool.name
            assert len(said) < 400, tool.name


def test_the_documented_examples_are_within_the_bounds() -> None:
    for tool in TOOLS:
        tool.validate(EXAMPLES[tool.name])


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("store_memory", {"content": "x", "tags": ["t"] * 400}, "tags must have at most 256 items, got 400"),
        (
            "store_memory",
            {"content": "x", "tags": ["ok", "t" * 600]},
            "tags.1 must have at most 512 characters, got 600: 'ttt",
        ),
        ("store_memory", {"content": "x", "namespace": "n" * 5000}, "namespace must have at most 4,096 characters"),
        (
            "split_memory",
            {"id": "x", "parts": [{"content": "x", "tags": ["t"] * 257}]},
            "parts.0.tags must have at most 256 items, got 257",
        ),
        (
            "create_entities",
            {"entities": [{"name": "n" * 5000, "entityType": "t", "observations": []}]},
            "entities.0.name must have at most 4,096 characters, got 5,000",
        ),
        (
            "memorize",
            {"id": "a", "vector": [1.0], "metadata": {"x": "y" * 300_000}},
            "metadata must have at most 262,144 bytes as JSON, got 300,0",
        ),
        (
            "log_chat",
            {"content": "x", "conversation_id": "a", "metadata": json.loads("[" * 0 + '{"a":' * 40 + "1" + "}" * 40)},
            "metadata must be nested at most 32 levels deep",
        ),
    ],
)
def test_a_bound_is_told_in_words(ctx: Context, tool: str, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        call(ctx, tool, **arguments)
    assert str(refused.value).startswith(said)


@pytest.mark.process
def test_an_import_tells_which_item_is_over_a_bound_and_takes_the_others(ctx: Context, tmp_path: Path) -> None:
    things: list[dict[str, Any]] = [
        {"content": "taken"},
        {"content": "a", "tags": ["t"] * 300},
        {"content": "b", "tags": ["t" * 600]},
        {"content": "c", "id": "i" * 5000},
        {"content": "d", "namespace": "n" * 5000},
        {"content": "e", "metadata": {"x": "y" * 300_000}},
        {"content": "f", "metadata": json.loads('{"a":' * 40 + "1" + "}" * 40)},
    ]
    said = [
        "tags must have at most 256 items, got 300",
        "tags.0 must have at most 512 characters, got 600",
        "id must have at most 4,096 characters, got 5,000",
        "namespace must have at most 4,096 characters, got 5,000",
        "metadata must have at most 262,144 bytes as JSON",
        "metadata must be nested at most 32 levels deep",
    ]
    answer = call(ctx, "import_memories", memories=things)
    assert answer["imported"] == 1
    assert [each["index"] for each in answer["errors"]] == [1, 2, 3, 4, 5, 6]
    assert all(each["error"].startswith(words) for each, words in zip(answer["errors"], said, strict=True))
    assert [each["error"] for each in importing.import_items(ctx, things).errors] == [
        each["error"] for each in answer["errors"]
    ]
    file = tmp_path / "in.jsonl"
    file.write_text("\n".join(map(json.dumps, things)))
    ran = indelible("import", file, data=tmp_path / "other")
    assert all(words in (ran.stdout + ran.stderr).decode() for words in said)


def test_what_is_made_of_several_has_no_more_tags_than_one_may_have(ctx: Context) -> None:
    ids = [
        call(ctx, "store_memory", content=f"memory {at}", tags=[f"t{at}-{n}" for n in range(200)])["id"]
        for at in range(2)
    ]
    with pytest.raises(InvalidInput, match=r"the memories have 400 tags together, at most 256 .* name those"):
        call(ctx, "merge_memories", source_ids=ids, content="both")
    call(ctx, "merge_memories", source_ids=ids, content="both", tags=["one"])
    once = {"content": "Known already", "tags": [f"k{n}" for n in range(200)]}
    call(ctx, "store_memory", **once)
    with pytest.raises(InvalidInput, match=r"what is known and this have 400 tags together"):
        call(ctx, "store_memory", **{**once, "tags": [f"l{n}" for n in range(200)]})
    for end in ("", "."):
        call(ctx, "store_memory", content=f"The same{end}", tags=[f"s{end}{n}" for n in range(200)])
    call(ctx, "consolidate_cluster")
    assert max(len(each["tags"]) for each in call(ctx, "export_memories", limit=100)) == bounds.MOST_TAGS


@pytest.mark.process
def test_the_bounds_hold_over_the_command_line(tmp_path: Path) -> None:
    ran = indelible("call", "delete_memory", "--id", ID["axum"] * 200, data=tmp_path / "data")
    assert ran.returncode == 1
    assert b"id must have at most 4,096 characters, got 7,200" in ran.stderr
