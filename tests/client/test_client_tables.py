"""What a client knows without asking agrees with what servers are."""

from __future__ import annotations

import subprocess
import sys

import pytest

from indelible import errors
from indelible.client import failures, http, tools, transport
from indelible.client.client import Client
from indelible.server.http import jsonrpc, middleware
from indelible.server.mcp import server
from indelible.toolsets import registry
from mcp_client import environment


def test_every_tool_is_on_the_list_of_its_kind():
    known = registry.all_tools()
    assert {name for name, tool in known.items() if not tool.writes} <= tools.READS
    assert {name for name, tool in known.items() if tool.writes} <= tools.WRITES
    assert len(tools.READS) + len(tools.REPEATABLE) + len(tools.ONCE) == len(tools.READS | tools.WRITES)


def test_what_is_sent_again_after_the_key_is_forgotten_is_idempotent_and_destroys_nothing():
    known = registry.all_tools()
    for name in tools.REPEATABLE & known.keys():
        assert known[name].idempotent
        assert not known[name].destructive


def test_the_arguments_whose_items_are_taken_one_by_one_are_those_of_the_registry():
    assert {name: tool.itemwise for name, tool in registry.all_tools().items() if tool.itemwise} == tools.ITEMWISE


def test_the_names_on_the_wire_are_those_of_the_servers():
    assert (transport.KEY, transport.ERROR, transport.ERROR_HEADER) == (server.KEY, server.ERROR, jsonrpc.ERROR)
    assert http.LARGEST == middleware.LARGEST


def test_every_error_of_a_server_is_raised_as_itself_but_for_those_that_pass():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and kind.__module__ == errors.__name__]
    assert len(kinds) > 8
    for kind in kinds:
        found = failures.answered(kind.code, "words")
        broken = dict.fromkeys((errors.StoreError, errors.Interrupted), failures.Failure)
        other = {**broken, errors.Unavailable: errors.IndelibleError}
        assert type(found) is other.get(kind, kind)
        assert str(found) == "words"


def test_a_tool_is_a_method_and_anything_else_is_none():
    assert callable(Client.in_process("/nowhere").recall_memory)
    with pytest.raises(AttributeError, match="no attribute or tool 'recall'"):
        Client.in_process("/nowhere").recall  # noqa: B018


@pytest.mark.process
def test_a_client_over_http_or_stdio_loads_no_engine_and_no_framework(tmp_path):
    program = f"""
import sys
from indelible.client.client import Client
Client.http("https://memory.example", data={str(tmp_path)!r}).close()
Client.stdio({str(tmp_path)!r}).close()
print(*sorted(sys.modules))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment())
    loaded = set(ran.stdout.split())
    assert "indelible.client.http" in loaded
    heavy = {"mcp", "anyio", "pydantic", "numpy", "apsw", "starlette", "indelible.toolsets.registry", "indelible.api"}
    assert not loaded & heavy
