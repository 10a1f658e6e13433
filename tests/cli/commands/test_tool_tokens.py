"""What the tools take of a model's context, and that it stays little."""

import pytest

from command_line import done, result
from indelible.cli.commands.tools import tokens
from indelible.toolsets.registry import all_tools
from mcp_client import McpClient

MOST = 3_750  # o200k tokens of toolset `memory`, without output schemas
MOST_WHOLE = 4_400  # with titles and annotations, which not every client gives to its model


@pytest.fixture(scope="module")
def listed(tmp_path_factory):
    """What a server of toolset `memory` lists."""
    with McpClient(tmp_path_factory.mktemp("tokens") / "data", "--toolsets", "memory") as client:
        return client.tools()


@pytest.mark.process
def test_the_memory_tools_take_few_tokens(listed):
    shown = [{name: tool[name] for name in ("name", "description", "inputSchema")} for tool in listed]
    assert len(shown) == 21, "the budget is for the whole toolset"
    assert tokens(shown) < MOST
    whole = [{name: part for name, part in tool.items() if name != "outputSchema"} for tool in listed]
    assert tokens(whole) < MOST_WHOLE


def test_a_description_is_short():
    assert {tool.name: length for tool in all_tools().values() if (length := len(tool.description)) >= 400} == {}


@pytest.mark.process
def test_the_command_counts_each_tool_and_all(listed, tmp_path):
    counted = result("tools", "--toolsets", "memory", "--tokens", data=tmp_path / "data")["tools"]
    assert [tool["name"] for tool in counted] == [tool["name"] for tool in listed]
    for tool in counted:
        own = all_tools()[tool["name"]]
        shown = {"name": own.name, "description": own.description, "inputSchema": own.input_schema}
        assert tool["tokens"] == tokens(shown)
        assert tool["tokens_with_output"] == tokens({**shown, "outputSchema": own.output_schema}) > tool["tokens"]
        assert own.description.startswith(tool["summary"])
    text = done("tools", "--toolsets", "memory", "--tokens", data=tmp_path / "data").splitlines()
    assert text[0].split()[:4] == ["tool", "toolset", "access", "tokens"]
    sums = [sum(tool[name] for tool in counted) for name in ("tokens", "tokens_with_output")]
    assert text[-1].split() == [str(len(counted)), "tools", *map(str, sums)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("hello world", 4), ("<|endoftext|>", 7), ("記憶", 5)],
)
def test_tokens_are_those_of_o200k_and_nothing_in_a_text_is_special(text, expected):
    assert tokens(text) == expected
