"""A token that is limited to a namespace learns nothing of others: generated from what the server offers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

import pytest

import apart
import isolation
import on_postgres
from apart import call
from drawn_calls import Drawn, pool
from eras import ERAS
from every_tool import ID
from http_server import HttpServer
from indelible.admin import tokens
from indelible.core.recall import expansion
from indelible.server.mcp import prompts
from indelible.store.named_queries import load
from indelible.store.namespace_filter import FORM
from indelible.toolsets import registry
from isolated_server import GRAPH, Request, Stream, answers, of_completions, of_prompts, of_resources, told
from isolation import HIDDEN, OWN, PROBED, Chance, Store, differing
from tool_arguments import SYMBOLS

pytestmark = pytest.mark.process

Stores = tuple[Store, Store]
EACH = 18  # calls of each tool, beside its example and what is aimed at others
ROUNDS = 5 if on_postgres.is_chosen() else EACH  # where a call takes several times as long


class Planted(NamedTuple):
    """A tool that is answered by a query that loses its limit; calls that make ready for it, and that must tell of it.

    `counting`: only a number is told, or the absence of something of the caller's own. `hidden`: PostgreSQL hides it
    from the role of limited callers.
    """

    tool: str
    before: tuple[apart.Call, ...] = ()
    aimed: tuple[apart.Call, ...] = ()
    counting: bool = False
    hidden: bool = True


MANUAL = {"content": "# Unread", "file_name": "unread.md", "resource_type": isolation.OF_BOTH}
PLANTED = {
    "chats.of_tool": Planted("get_chats_by_tool"),
    "entities.page": Planted("read_graph"),
    "records.count_by_namespace": Planted("list_namespaces"),
    "records.count_by_kind": Planted("codemem_stats", counting=True),
    "attempts.of_prompts": Planted("get_code_patterns", counting=True),
    # The newest of a type is the others', and takes the only place.
    "documents.newest": Planted(
        "retrieve_by_type",
        (("store_memory", MANUAL),),
        (("retrieve_by_type", {"query": "nothing of the kind", "doc_type": isolation.OF_BOTH, "top_k": 1}),),
        counting=True,
    ),
    # What others relate to the caller's own is more than may be followed.
    "edges.degrees": Planted(
        "recall_with_expansion",
        (("associate_memories", {"source_id": ID["axum"], "target_id": ID["outdated"], "relationship": "DEPENDS_ON"}),),
        (("recall_with_expansion", {"query": "tower timeout layer in front of every route", "k": 20}),),
        counting=True,
        hidden=False,  # relations have no namespace of their own
    ),
}
FEW = 3  # relations that a hop of recall reads then, of 100,000
# Queries that tell nothing without their limit: why, and the tools that are answered by them.
UNTELLING = {
    "documents.heads": (
        "of numbers that visible chunks have: a number is given once in a store",
        ("retrieve_memory", "retrieve_by_type", "auto_link_documents"),
    ),
    "records.containing": ("of ids that came from queries with their limit", ("get_decision_chain",)),
    "records.glimpses": ("of ids without those that the caller may not see", ("get_pagerank", "get_clusters")),
    "source_files.by_path": ("of codebases that came from a query with its limit", ("get_impact", "get_dependencies")),
    "symbols.names_like": ("of the whole store: visible symbols are asked for by these names", ("search_symbols",)),
    "vectors.ids": ("of ids whose vectors are read by a query with its limit", ("search",)),
}
LAST = "delete_namespace"  # after which there is nothing left to ask about
REFUSED = {"set_scoring_weights"}  # it is about the whole store: no limited token may


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Stores:
    """A store in which nobody but the caller wrote, and one in which others did too. They are copied, not used."""
    place = tmp_path_factory.mktemp("isolation")
    isolation.codebases(place)
    with pytest.MonkeyPatch.context() as patch:
        chance = Chance(patch)
        alone = isolation.make(place, "alone", chance, with_others=False)
        among = isolation.make(place, "among", chance, with_others=True)
        for store in (alone, among):
            store.ctx.close()
    return alone, among


@pytest.fixture(params=["none", "role"] if on_postgres.is_chosen() else ["none"])
def role(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Whether PostgreSQL itself hides other namespaces from limited callers (docs/decisions/024)."""
    given = request.param == "role"
    with on_postgres.limited_role() if given else nullcontext():
        yield given


@pytest.fixture
def stores(made: Stores, role: bool, tmp_path: Path) -> Iterator[Stores]:
    """Copies of the two, as they were made: what a test writes, leaks or deletes meets no other test."""
    with pytest.MonkeyPatch.context() as patch:
        chance = Chance(patch)
        alone, among = (isolation.copied(store, tmp_path, chance) for store in made)
        yield alone, among
        for store in (alone, among):
            store.ctx.close()


def drawn(stores: Stores, seed: object) -> Drawn:
    alone, among = stores
    more = {"symbol": SYMBOLS, "memory": [*ID.values()], "node": [*ID.values()]}
    mine = pool(OWN, alone.ids, alone.own, more)
    others = pool(PROBED, among.foreign, alone.own.removesuffix("own") + PROBED)
    others["node"] += among.foreign.values()
    return Drawn(seed, mine, others, alone.own)


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [2, pytest.param(ROUNDS, marks=pytest.mark.full)])
def test_every_tool_answers_as_if_nothing_else_were_stored(stores: Stores, rounds: int) -> None:
    alone, among = stores
    assert alone.ids == among.ids
    tools, draw = registry.all_tools(), drawn(stores, 21)
    names = isolation.order(tools)
    calls = [(name, draw.example(tools[name])) for name in names if name != LAST]
    calls += [draw.call(tools[name]) for _ in range(rounds) for name in names]
    calls += [each for each in apart.writes(among.ids, among.foreign) if each[0] != LAST]  # at what others have
    before = {(each["kind"], each["id"], each["namespace"]): each["content"] for each in among.others()}
    elsewhere = alone.others()
    found, succeeded = differing(alone, among, calls)
    assert found == []
    assert alone.others() == elsewhere  # the caller wrote in no other namespace
    assert set(tools) - succeeded == REFUSED
    after = {(each["kind"], each["id"], each["namespace"]): each["content"] for each in among.others()}
    assert before.items() <= after.items()  # others went on meanwhile, and took nothing away


@pytest.mark.slow
def test_a_query_that_forgets_its_limit_is_noticed(stores: Stores, role: bool) -> None:
    """Of the test itself: a leak is planted in one query at a time, where a call that is drawn must tell of it.

    With a role of limited callers PostgreSQL hides most of them, which shows that their statements are asked by it.
    """
    draw = drawn(stores, 24)
    own = load(stores[0].ctx.store.dialect)
    for number, (query, planted) in enumerate(PLANTED.items(), 1):
        first = 10_000 * number
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(expansion, "READ", FEW)
            assert differing(*stores, [*planted.before], first)[0] == []
            isolation.disturb(stores[1], first)
            drawn_calls = [draw.call(registry.find_tool(planted.tool)) for _ in range(EACH)]
            assert differing(*stores, [*planted.aimed], first + 100)[0] == []
            patch.setitem(own, f"{FORM}{query}", own[query])
            found, _ = differing(*stores, [*drawn_calls, *planted.aimed], first + 200)
        assert bool(found) != (role and planted.hidden), query
        assert role or any(HIDDEN in among.casefold() for *_, among in found) != planted.counting, query


@pytest.mark.slow
def test_a_query_that_is_refused_no_longer_is_noticed(stores: Stores) -> None:
    """Of the test itself: that all of its tools but `REFUSED` succeed tells of it."""
    own, calls = load(stores[0].ctx.store.dialect), [("set_scoring_weights", {"recency": 0.4})]
    assert differing(*stores, calls) == ([], set())
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(own, f"{FORM}settings.put", own["settings.put"])
        assert differing(*stores, calls, 100) == ([], REFUSED)


@pytest.mark.slow
def test_a_query_that_tells_nothing_without_its_limit_needs_no_case(stores: Stores) -> None:
    """As `UNTELLING` says of each; if one tells by now, it belongs to `PLANTED`."""
    draw, own = drawn(stores, 25), load(stores[0].ctx.store.dialect)
    tools = sorted({tool for _, tools in UNTELLING.values() for tool in tools})
    with pytest.MonkeyPatch.context() as patch:
        for query in UNTELLING:
            patch.setitem(own, f"{FORM}{query}", own[query])
        calls = [(tool, draw.example(registry.find_tool(tool))) for tool in tools]
        calls += [draw.call(registry.find_tool(tool)) for tool in tools for _ in range(ROUNDS)]
        found, succeeded = differing(*stores, calls)
    assert found == []
    assert succeeded == set(tools)


@pytest.mark.skipif(not on_postgres.is_chosen(), reason="a role of limited callers is PostgreSQL's")
@pytest.mark.parametrize("role", ["role"], indirect=True)
def test_a_right_call_of_each_tool_is_answered_the_same_by_a_role_of_limited_callers(stores: Stores) -> None:
    """What a plain run of CI has time for; `--full postgres` has all of this file with the role."""
    tools, draw = registry.all_tools(), drawn(stores, 26)
    calls = [(name, draw.example(tools[name])) for name in isolation.order(tools) if name != LAST]
    found, succeeded = differing(*stores, calls)
    assert found == []
    assert set(tools) - succeeded == {*REFUSED, LAST, "link_resources"}  # which names a number that is not the caller's


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(10))
def test_every_tool_does_so_whatever_is_drawn(stores: Stores, seed: int) -> None:
    tools, draw = registry.all_tools(), drawn(stores, f"full {seed}")
    calls = [draw.call(tools[name]) for _ in range(30) for name in isolation.order(tools)]
    found, _ = differing(*stores, calls, 100_000 * (seed + 1))
    assert found == []


@pytest.fixture
def servers(stores: Stores) -> Iterator[tuple[HttpServer, HttpServer]]:
    """A server on each of the stores."""
    for store in stores:
        isolation.kept_house(store)
    alone, among = (store.ctx.settings.data for store in stores)
    with HttpServer(alone) as first, HttpServer(among) as second:
        yield first, second


def test_resources_prompts_and_completions_are_as_if_nothing_else_were_stored(
    stores: Stores, servers: tuple[HttpServer, HttpServer]
) -> None:
    draw = drawn(stores, 22)
    asked: list[Request] = [
        *((method, {}) for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list")),
        *of_resources(draw, 12),
        *of_prompts(draw, 6),
        *of_completions(["", PROBED[:2], OWN, "/"]),
        ("resources/subscribe", {"uri": GRAPH}),
    ]
    alone, among = (answers(server, store.secret, asked) for server, store in zip(servers, stores, strict=True))
    assert [pair for pair in zip(alone, among, strict=True) if pair[0] != pair[1]] == []
    assert [answer for answer in among if HIDDEN in answer[3].casefold()] == []
    right = {(era, each.get("name")) for era, _, each, said in among if '"result"' in said}
    with_git = {"review-diff"}  # of a checkout, which there is none of here
    assert right >= {(era, name) for era in ERAS for name in prompts.PROMPTS.keys() - with_git}


def test_streams_tell_of_the_own_changes_only(stores: Stores, servers: tuple[HttpServer, HttpServer]) -> None:
    among = stores[1]
    for server, store in zip(servers, stores, strict=True):
        assert [told(server, store.secret, era, 100) for era in ERAS] == [{(100, 100)}] * 2
    owner = tokens.create(among.ctx, "owner", "read").secret
    with Stream(servers[1], among.secret) as mine, Stream(servers[1], owner) as theirs:
        for number in (1, 2, 3):
            heard = theirs.news()
            isolation.disturb(among, 1_000_000 + number)
            theirs.hear(heard + 1)
        assert mine.news() == 0
        for store in stores:
            call(store.me, "create_entities", entities=[{"name": "heard", "entityType": "t", "observations": []}])
        mine.hear(1)


def test_a_namespace_is_deleted_as_if_there_were_no_other(stores: Stores) -> None:
    alone, among = stores
    before = among.others()
    arguments = drawn(stores, 23).example(registry.find_tool(LAST))
    assert differing(alone, among, [(LAST, arguments), ("list_namespaces", {})]) == ([], {LAST, "list_namespaces"})
    assert among.others() == before
