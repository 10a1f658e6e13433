"""An answer in which nothing is clearly about the question says so, over every door; what was found stays."""

import pytest

from http_server import HttpServer
from indelible.cli import main
from indelible.core.context.call import WEAK
from indelible.server.mcp import server as mcp_server
from indelible.toolsets import registry

KNOWN = [
    "Deploys run on Tuesdays from the main branch",
    "The gateway compresses only text types",
    "Passwords are hashed with Argon2id",
    "Invoices are sent as PDF to the accountant",
]
CLEAR = "on which day do deploys run?"
NEAR = "which GraphQL vendor audits the payments gateway before quarterly certification?"
NAMES = ["recall_memory", "recall_with_expansion", "recall_with_impact"]


@pytest.fixture
def known(memory):
    for content in KNOWN:
        memory.store_memory(content=content)
    return memory


def answered(memory, name, query):
    return registry.call(memory.context, registry.find_tool(name), {"query": query})


@pytest.mark.parametrize("name", NAMES)
def test_a_weak_answer_keeps_its_hits_and_marks_each(known, name):
    answer = answered(known, name, NEAR)
    assert [hit["content"] for hit in answer.value] == [KNOWN[1]]
    assert all(hit["weak"] is True for hit in answer.value)
    assert answer.searched.weak


@pytest.mark.parametrize("name", NAMES)
def test_a_clear_answer_says_nothing_of_it(known, name):
    answer = answered(known, name, CLEAR)
    assert answer.value[0]["content"] == KNOWN[0]
    assert not any("weak" in hit for hit in answer.value)
    assert not answer.searched.weak


def test_an_empty_answer_is_not_weak(known):
    answer = answered(known, "recall_memory", "zucchini casserole")
    assert answer.value == []
    assert not answer.searched.weak


def test_mcp_says_it_beside_the_answer(known):
    tool = registry.find_tool("recall_memory")
    assert mcp_server.answer(known.context, tool, {"query": NEAR}, None).meta == {mcp_server.WEAK: WEAK}
    assert mcp_server.answer(known.context, tool, {"query": CLEAR}, None).meta is None


@pytest.mark.process
def test_a_header_says_it_over_jsonrpc(tmp_path):
    def asked(query):
        return {"jsonrpc": "2.0", "id": 1, "method": "recall_memory", "params": {"query": query}}

    with HttpServer(tmp_path / "data") as server:
        for content in KNOWN:
            server.call("store_memory", {"content": content})
        assert server.post("/jsonrpc", asked(NEAR)).headers["x-indelible-weak"] == "true"
        assert server.post("/jsonrpc", [asked(CLEAR), asked(NEAR)]).headers["x-indelible-weak"] == "true"
        assert "x-indelible-weak" not in server.post("/jsonrpc", asked(CLEAR)).headers


def test_the_command_line_prints_it(known, capsys):
    data = str(known.context.settings.data)
    known.context.write_behind.flush()
    assert main.main(["recall", NEAR, "--data", data]) == 0
    assert f"weak: {WEAK}" in capsys.readouterr().err
    assert main.main(["recall", CLEAR, "--data", data]) == 0
    assert "weak" not in capsys.readouterr().err
