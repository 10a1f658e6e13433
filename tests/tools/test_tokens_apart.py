"""A caller that is limited to a namespace cannot tell whether anything else is in the store, whatever it calls."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest

import apart
from apart import ALPHA, NEEDLE, World, call, differing, others, reads, writes
from indelible import registry
from indelible.engine import transfer
from indelible.engine.context import NOBODY, Context
from indelible.errors import IndelibleError
from indelible.serve import completion, prompts, resources

Worlds = tuple[World, World]


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worlds]:
    """A store of its own, and one among others."""
    place = tmp_path_factory.mktemp("apart")
    clocks = apart.Clock(), apart.Clock()
    among = apart.among_others(apart.opened(place / "among", clocks[0]), clocks[0])
    alone = apart.only_beta(apart.opened(place / "alone", clocks[1]), clocks[1])
    yield alone, among
    for world in (alone, among):
        world.ctx.close()


def test_every_tool_that_reads_answers_as_if_nothing_else_were_stored(worlds: Worlds) -> None:
    _, among = worlds
    calls = reads(among.ids, among.foreign)
    assert {tool for tool, _ in calls} == {n for n, t in registry.all_tools().items() if not t.writes}
    assert differing(worlds, calls) == []


def shown(ctx: Context, asked: dict[str, Any], ids: dict[str, str]) -> dict[str, str]:
    """What prompts, resources and completions give a caller."""
    tools = registry.all_tools()
    said: dict[str, Any] = {}
    for name, values in asked["prompts"]:
        said[f"{name} {values}"] = prompts.PROMPTS[name].text(ctx, prompts.PROMPTS[name].checked(values), tools)
    for uri in asked["uris"]:
        try:
            said[uri] = resources.text_of(ctx, uri, NOBODY)
        except IndelibleError as error:
            said[uri] = f"{error.code}: {error}"
    said["list"] = resources.listing(ctx, None, with_graph=True).model_dump(mode="json")
    said["graph"] = resources._text_of_graph(ctx, tools["read_graph"], NOBODY)
    for ref, argument in (
        (types.PromptReference(name="review-decisions"), "topic"),
        (types.PromptReference(name="onboard"), "namespace"),
        (types.ResourceTemplateReference(uri=resources.BY_ID), "id"),
        (types.ResourceTemplateReference(uri=resources.RECENT), "namespace"),
    ):
        source = completion._source(ref, argument)
        assert source is not None
        for typed in ("", NEEDLE):
            proposed = completion.matching(source(ctx), typed).values
            said[f"{argument} {typed}"] = sorted(apart.plain(value, ids) for value in proposed)
    return {key: apart.plain(value, ids) for key, value in said.items()}


def test_prompts_resources_and_completions_are_as_if_nothing_else_were_stored(worlds: Worlds) -> None:
    alone, among = worlds
    asked = {
        "prompts": [
            *(("recall-context", {"task": task}) for task in (f"{NEEDLE} cache", "wombat cache")),
            *(("review-decisions", {"topic": topic}) for topic in (NEEDLE, "cache")),
            *(("onboard", given) for given in ({}, {"namespace": "beta"})),
            *(("prior-fixes", {"error": f"{word}Error: burrow is locked"}) for word in (NEEDLE, "Wombat")),
            *(("what-breaks", {"command": f"{word} build"}) for word in (NEEDLE, "wombat")),
            ("fixes-by-dependency", {"dependency": NEEDLE}),
            ("fix-evidence", {"fix": f"fix#{NEEDLE}error: burrow is locked#0a1b2c3d"}),
            ("save-session", {}),
        ],
        "uris": [
            *(resources.uri_of(id_) for ids in (among.ids, among.foreign) for id_ in ids.values()),
            *(resources.uri_of_recent(namespace) for namespace in (ALPHA, "beta", "none", "")),
            *(resources.uri_of_brief(namespace) for namespace in (ALPHA, "beta", "none", "")),
        ],
    }
    assert {name for name, _ in asked["prompts"]} == prompts.PROMPTS.keys()
    there = shown(among.beta, asked, among.ids)
    here = shown(alone.beta, apart.elsewhere(worlds, asked), alone.ids)
    assert list(there.values()) == list(here.values())


def test_every_tool_that_writes_does_as_if_nothing_else_were_stored(worlds: Worlds) -> None:
    _, among = worlds
    before, calls = others(among), writes(among.ids, among.foreign)
    assert {tool for tool, _ in calls} == {n for n, t in registry.all_tools().items() if t.writes}
    assert differing(worlds, calls) == []
    assert others(among) == before
    assert differing(worlds, reads(among.ids, among.foreign)) == []


def test_the_others_are_there_for_who_may_see_them(worlds: Worlds) -> None:
    _, among = worlds
    owner = call(among.ctx, "recall_memory", query=f"{NEEDLE} cache", k=50)
    assert among.foreign["decision"] in {hit["id"] for hit in owner}
    for ctx in (among.ctx, among.alpha):
        assert NEEDLE in json.dumps(call(ctx, "read_graph"))
        assert ALPHA in json.dumps(call(ctx, "list_namespaces"))


def test_an_export_of_all_spaces_is_imported_as_it_was(worlds: Worlds, tmp_path: Path) -> None:
    """Entities, entries and failures of one name in several of them, and relations between them."""
    _, among = worlds
    before = list(transfer.export_all(among.ctx))
    named = [record["id"] for record in before if record["kind"] == "entity"]
    assert named.count("Ground") > 1
    assert sum(record["content"].startswith("test: Timeout") for record in before) > 1
    new = apart.opened(tmp_path / "new", among.clock)
    assert transfer.import_items(new, before).errors == []
    assert sorted(map(json.dumps, transfer.export_all(new))) == sorted(map(json.dumps, before))
    new.close()
