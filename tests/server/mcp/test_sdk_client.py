"""The official SDK's client lists and calls every tool, in both eras of the protocol."""

import json

import pytest

from every_tool import EXAMPLES, PREPARED
from indelible.toolsets.registry import all_tools
from official_client import in_session
from tool_arguments import assert_fits

VERSIONS = {"legacy": "2025-11-25", "2026-07-28": "2026-07-28"}


def test_there_is_an_example_of_every_tool_and_of_no_other():
    assert set(EXAMPLES) == set(all_tools())


@pytest.fixture(scope="module", params=VERSIONS)
def session(request, tmp_path_factory):
    """What a client of each era got: the version that was agreed on, the list, and the answer of each tool."""

    async def talk(client):
        listed = (await client.list_tools()).tools
        prepared = await client.call_tool("import_memories", {"memories": PREPARED})
        assert prepared.structured_content["imported"] == len(PREPARED), prepared
        answers = {tool.name: await client.call_tool(tool.name, EXAMPLES.get(tool.name, {})) for tool in listed}
        return client.protocol_version, listed, answers

    version, listed, answers = in_session(tmp_path_factory.mktemp("sdk") / "data", request.param, talk)
    assert version == VERSIONS[request.param]
    return listed, answers


@pytest.mark.process
@pytest.mark.sweep(1)
def test_the_client_lists_every_tool_with_its_schemas_and_hints(session):
    listed, _ = session
    assert [tool.name for tool in listed] == list(all_tools())
    for tool in listed:
        declared = all_tools()[tool.name]
        assert tool.input_schema == declared.input_schema
        assert tool.output_schema == declared.output_schema
        assert tool.annotations.read_only_hint is not declared.writes


@pytest.mark.process
@pytest.mark.parametrize("name", all_tools())
def test_a_call_of_each_tool_gives_what_its_schema_promises(session, name):
    """The client itself has held the structured result against the output schema."""
    answer = session[1][name]
    assert answer.is_error is False, answer.content[0].text
    (item,) = answer.content
    structured = answer.structured_content
    value = structured["result"] if list(all_tools()[name].output_schema["properties"]) == ["result"] else structured
    assert_fits(all_tools()[name], value)
    write = all_tools()[name].text
    if write is not None:
        assert item.text == write(value)
    else:
        assert (item.text if isinstance(value, str) else json.loads(item.text)) == value
