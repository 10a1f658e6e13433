"""Which tools a server offers: --toolsets, --tools, --exclude-tools, --read-only and their variables."""

import json

import pytest

from command_line import done, refused, result
from indelible.api import open_memory
from indelible.errors import InvalidInput
from indelible.settings import Settings
from indelible.toolsets.registry import all_tools, offered
from mcp_client import McpClient, ProtocolError, ToolError

READ = ["recall_memory", "graph_traverse"]


def names(tmp_path, **given):
    """What a server of these flags offers."""
    environ = given.pop("environ", {})
    return list(offered(Settings.load(str(tmp_path / "data"), environ=environ, **given)))


def of(toolset):
    return [name for name, tool in all_tools().items() if toolset in (tool.toolset, *tool.also_in)]


ALL = list(all_tools())


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({}, ALL),
        ({"toolsets": "all"}, ALL),
        ({"toolsets": "memory"}, of("memory")),
        ({"toolsets": " memory , ,memory"}, of("memory")),
        ({"toolsets": ""}, ALL),
        ({"tools": "recall_memory"}, ["recall_memory"]),
        ({"tools": "graph_traverse,recall_memory"}, READ),
        ({"toolsets": "memory", "tools": "recall_memory"}, of("memory")),
        ({"toolsets": "all", "tools": "recall_memory"}, ALL),
        ({"exclude_tools": "recall_memory"}, [name for name in ALL if name != "recall_memory"]),
        ({"tools": "recall_memory,graph_traverse", "exclude_tools": "graph_traverse"}, ["recall_memory"]),
        ({"toolsets": "memory", "exclude_tools": "store_memory"}, [n for n in of("memory") if n != "store_memory"]),
        ({"read_only": True}, [name for name, tool in all_tools().items() if not tool.writes]),
        ({"tools": "recall_memory,store_memory", "read_only": True}, ["recall_memory"]),
    ],
    ids=str,
)
def test_flags_choose_the_tools_in_the_order_of_the_registry(tmp_path, flags, expected):
    assert names(tmp_path, **flags) == expected
    environ = {f"INDELIBLE_{name.upper()}": "1" if value is True else value for name, value in flags.items()}
    assert names(tmp_path, environ=environ) == expected


@pytest.mark.process
def test_a_server_of_the_context_tools_alone_can_store_a_document(tmp_path):
    with McpClient(tmp_path / "data", "--toolsets", "context") as client:
        assert [tool["name"] for tool in client.tools()] == of("context")
        stored = client.call("store_memory", {"content": "Lizards are fed at noon", "file_name": "lizards.md"})
        (found,) = client.call("retrieve_memory", {"query": "when are lizards fed"})["results"]
        assert (found["resource_id"], found["chunk_id"]) == (stored["resource_id"], *stored["chunk_ids"])
        listed = {each["name"]: each["category"] for each in client.call("list_tool_identifiers")["tools"]}
        assert listed["store_memory"] == "memory"
    assert "store_memory" not in names(tmp_path, toolsets="context", exclude_tools="store_memory")
    assert "store_memory" not in names(tmp_path, toolsets="context", read_only=True)


def test_a_flag_wins_over_its_variable_and_an_empty_one_takes_it_back(tmp_path):
    environ = {"INDELIBLE_TOOLS": "graph_traverse", "INDELIBLE_EXCLUDE_TOOLS": "recall_memory"}
    assert names(tmp_path, environ=environ) == ["graph_traverse"]
    assert names(tmp_path, environ=environ, tools="store_memory") == ["store_memory"]
    assert names(tmp_path, environ=environ, tools="recall_memory", exclude_tools="") == ["recall_memory"]
    assert names(tmp_path, environ=environ, tools="", toolsets="memory") == [n for n in of("memory") if n != READ[0]]


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ({"toolsets": "memroy"}, "unknown toolset 'memroy' (--toolsets, INDELIBLE_TOOLSETS); did you mean 'memory'? "),
        ({"toolsets": "memory,zzz"}, "unknown toolset 'zzz' (--toolsets, INDELIBLE_TOOLSETS); there are memory, "),
        ({"tools": "recal_memory"}, "unknown tool 'recal_memory' (--tools, INDELIBLE_TOOLS); did you mean 'recall_me"),
        ({"tools": "all"}, "unknown tool 'all' (--tools, INDELIBLE_TOOLS); "),
        ({"exclude_tools": "Store_Memory"}, "unknown tool 'Store_Memory' (--exclude-tools, INDELIBLE_EXCLUDE_TOOLS); "),
        ({"exclude_tools": ",".join(ALL)}, "no tool is left to serve"),
        ({"tools": "store_memory", "read_only": True}, "no tool is left to serve"),
    ],
    ids=str,
)
def test_what_does_not_exist_is_refused_with_what_does(tmp_path, flags, words):
    with pytest.raises(InvalidInput) as refusal:
        names(tmp_path, **flags)
    assert str(refusal.value).startswith(words)
    if words.startswith("unknown tool "):
        assert str(refusal.value).endswith("there are " + ", ".join(ALL))


@pytest.mark.process
def test_a_server_with_a_wrong_name_does_not_start_and_makes_no_store(tmp_path):
    data = tmp_path / "data"
    assert "did you mean 'recall_memory'?" in refused("serve", "--tools", "recall_memry", data=data)
    assert "unknown toolset 'none'" in refused("serve", data=data, env={"INDELIBLE_TOOLSETS": "none"})
    assert not data.exists()


@pytest.mark.process
def test_a_tool_that_is_left_out_is_not_listed_and_answers_like_one_that_never_was(tmp_path):
    with McpClient(tmp_path / "data", "--toolsets", "memory", "--exclude-tools", "delete_memory") as client:
        assert [tool["name"] for tool in client.tools()] == [name for name in of("memory") if name != "delete_memory"]
        refusals = []
        for name in ("delete_memory", "never_there"):
            with pytest.raises(ProtocolError) as refusal:
                client.result(name, {"id": "x"})
            refusals.append((refusal.value.code, refusal.value.message.replace(name, "NAME")))
        assert refusals[0] == refusals[1]
        assert refusals[0][0] == -32602
        assert client.call("store_memory", {"content": "still there"})["status"] == "stored"


@pytest.mark.process
def test_a_variable_filters_a_server_as_a_flag_does(tmp_path):
    env = {"INDELIBLE_TOOLS": "recall_memory,store_memory", "INDELIBLE_READ_ONLY": "1"}
    with McpClient(tmp_path / "data") as writer:
        writer.call("store_memory", {"content": "axum was chosen"})
    with McpClient(tmp_path / "data", env=env) as reader:
        assert [tool["name"] for tool in reader.tools()] == ["recall_memory"]
        with pytest.raises(ToolError, match=r"store_memory writes, and this server is read-only; start it without"):
            reader.call("store_memory", {"content": "x"})
        with pytest.raises(ProtocolError, match=r"Unknown tool: delete_memory\. There are recall_memory"):
            reader.result("delete_memory", {"id": "x"})


@pytest.mark.process
def test_neither_python_nor_the_command_line_is_filtered(tmp_path, monkeypatch):
    monkeypatch.setenv("INDELIBLE_TOOLS", "recall_memory")
    with open_memory(tmp_path / "data") as memory:
        assert memory.call("store_memory", content="by python")["status"] == "stored"
    env = {"INDELIBLE_TOOLS": "recall_memory"}
    stored = json.loads(done("call", "store_memory", "--content", "by hand", data=tmp_path / "data", env=env))
    assert stored["status"] == "stored"


@pytest.mark.process
def test_the_command_lists_what_a_server_of_the_same_flags_offers(tmp_path):
    data = tmp_path / "data"
    listed = result("tools", data=data)["tools"]
    assert [tool["name"] for tool in listed] == ALL
    assert {tool["toolset"] for tool in listed} >= {"memory"}
    text = done("tools", "--exclude-tools", "recall_memory", "--read-only", data=data)
    shown = [line.split()[0] for line in text.splitlines()[1:]]
    assert shown == [name for name, tool in all_tools().items() if not tool.writes and name != "recall_memory"]
    assert "did you mean 'memory'?" in refused("tools", "--toolsets", "memor", data=data)
    assert not data.exists()
