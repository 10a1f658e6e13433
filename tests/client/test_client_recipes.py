"""The recipes of the knowledge graph as methods of a client: what `indelible fixes` and `indelible breaks` say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import indelible
from command_line import done, result
from http_server import HttpServer
from indelible.client.client import Client
from indelible.errors import InvalidInput, NotFound
from indelible.settings import Settings
from indelible.toolsets import registry

MESSAGE = "Cannot find module 'left-pad' v1.2.3"
ERROR, COMMAND = indelible.error_key(MESSAGE), indelible.command_key("npm test", None, 1)
DEPENDENCY, FIX = "dep#left-pad@1.2.3", indelible.fix_key(MESSAGE, "reinstall", ["package.json"])
APPLY = {"type": "fix.apply", "strategy": "reinstall", "changes": ["package.json"], "result": "applied"}


@pytest.fixture(scope="module", params=["stdio", "http", "in process"])
def way(request, tmp_path_factory) -> Iterator[tuple[Client, Path]]:
    data = tmp_path_factory.mktemp("recipes") / "data"
    names = {ERROR: "Error", COMMAND: "Command", DEPENDENCY: "Dependency"}
    entities: list[dict[str, Any]] = [{"name": name, "entityType": kind} for name, kind in names.items()]
    entities.append({"name": FIX, "entityType": "Fix", "observations": [APPLY]})
    relations = [(COMMAND, "EMITS", ERROR), (ERROR, "CAUSED_BY", DEPENDENCY), (FIX, "RESOLVES", ERROR)]
    done("call", "create_entities", "--entities", json.dumps(entities), data=data)
    done(
        *("call", "create_relations", "--relations"),
        json.dumps([{"from": source, "relationType": name, "to": target} for source, name, target in relations]),
        data=data,
    )
    if request.param == "http":
        with HttpServer(data) as server, Client.http(f"http://127.0.0.1:{server.port}", data=data) as asked:
            yield asked, data
        return
    with (Client.stdio if request.param == "stdio" else Client.in_process)(data) as asked:
        yield asked, data


@pytest.mark.process
def test_each_recipe_is_a_method_and_says_what_the_command_line_says(way):
    asked, data = way
    (fix,) = asked.fixes("cannot find module 'left-pad' v3.0.0").value
    assert (fix["fix"], fix["strategy"], fix["resolves"]) == (FIX, "reinstall", [ERROR])
    (breakage,) = asked.breaks("npm test").value
    assert (breakage["name"], breakage["best_fix"]) == (ERROR, fix)
    assert asked.fixes_by_dependency("left-pad").value == asked.fixes(ERROR).value == [fix]
    assert asked.fix_evidence(FIX).value == fix
    assert asked.fixes(ERROR, k=0).value == asked.fixes("nothing like it").value == []
    for command, value in (
        (("fixes", MESSAGE), [fix]),
        (("fixes", FIX), [fix]),
        (("fixes", "dep#left-pad"), [fix]),
        (("breaks", "npm test"), [breakage]),
    ):
        assert result(*command, data=data)[{"fixes": "fixes", "breaks": "errors"}[command[0]]] == value


@pytest.mark.process
def test_what_a_recipe_cannot_answer_is_refused_by_its_name(way):
    asked, _ = way
    with pytest.raises(NotFound, match="there is no fix 'fix#none#0a1b2c3d'"):
        asked.fix_evidence("fix#none#0a1b2c3d")
    with pytest.raises(InvalidInput, match="error must have at least one visible character"):
        asked.fixes(" ")


def test_recipes_are_answered_and_listed_by_no_server(tmp_path):
    settings = Settings(tmp_path)
    assert not registry.unlisted().keys() & registry.all_tools().keys()
    graph = registry.find_tool("search_nodes")
    assert registry.unlisted().keys() < registry.answered({"under_another_name": graph}, settings).keys()
    search = {"search": registry.find_tool("search")}
    assert not registry.answered(search, settings).keys() & registry.unlisted().keys()
    assert all(not tool.writes for tool in registry.unlisted().values())
