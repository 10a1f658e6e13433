"""Toolset `graph` behaves as agents know it from the reference memory server."""

import json

import pytest

from indelible.errors import InvalidInput, NotFound
from indelible.toolsets.registry import all_tools
from indelible.transfer import memory_jsonl


def entity(name, entity_type="thing", *observations):
    return {"name": name, "entityType": entity_type, "observations": list(observations)}


def relation(source, name, target):
    return {"from": source, "to": target, "relationType": name}


def names(graph):
    return [each["name"] for each in graph["entities"]]


@pytest.fixture
def graph(memory):
    """Ann knows Bob, who works at Acme; a plant stands alone."""
    people = [entity("Ann", "person", "drinks tea", "speaks Español"), entity("Bob", "person", "drinks COFFEE")]
    memory.create_entities(entities=[*people, entity("Acme", "company"), entity("fern", "plant")])
    memory.create_relations(relations=[relation("Ann", "knows", "Bob"), relation("Bob", "works at", "Acme")])
    return memory


# --- Creating ---


def test_what_is_created_comes_back_and_is_read_in_the_order_of_creation(memory):
    made = [entity("b", "letter", "second"), entity("a", "letter"), entity("ß", "буква", "日本語", "日本語 2")]
    assert memory.create_entities(entities=made) == {"entities": made}
    assert memory.read_graph() == {"entities": made, "relations": []}


def test_an_empty_store_has_an_empty_graph(memory):
    empty = {"entities": [], "relations": []}
    assert memory.read_graph() == memory.search_nodes(query="") == memory.search_nodes(query="x") == empty
    assert memory.open_nodes(names=["x"]) == memory.open_nodes(names=[]) == empty
    assert memory.create_entities(entities=[]) == {"entities": []}
    assert memory.create_relations(relations=[]) == {"relations": []}
    assert memory.add_observations(observations=[]) == {"results": []}


def test_creating_again_returns_only_what_is_new_and_changes_nothing(graph):
    before = graph.read_graph()
    created = graph.create_entities(entities=[entity("Ann", "robot", "is made of tin"), entity("Cid", "person")])
    assert created == {"entities": [entity("Cid", "person")]}
    after = graph.read_graph()
    assert after == {"entities": [*before["entities"], entity("Cid", "person")], "relations": before["relations"]}


def test_duplicates_inside_a_batch_are_taken_once_the_first(memory):
    batch = [entity("x", "first", "one"), entity("y"), entity("x", "second", "two")]
    assert memory.create_entities(entities=batch) == {"entities": batch[:2]}
    twice = [relation("x", "likes", "y"), relation("x", "likes", "y"), relation("x", "Likes", "y")]
    assert memory.create_relations(relations=twice) == {"relations": [twice[0], twice[2]]}
    assert memory.create_relations(relations=twice) == {"relations": []}
    assert memory.read_graph() == {"entities": batch[:2], "relations": [twice[0], twice[2]]}


def test_names_keep_their_case_and_their_form(memory):
    spelled = ["caf\u00e9", "cafe\u0301", "Caf\u00e9", " caf\u00e9", "CAF\u00c9"]
    memory.create_entities(entities=[entity(name) for name in spelled])
    assert names(memory.read_graph()) == spelled
    assert names(memory.open_nodes(names=["cafe\u0301"])) == ["cafe\u0301"]


def test_an_identical_observation_is_kept_once(memory):
    created = memory.create_entities(entities=[entity("x", "thing", "a", "b", "a")])
    assert created == {"entities": [entity("x", "thing", "a", "b")]}
    assert memory.add_observations(observations=[{"entityName": "x", "contents": ["c", "b", "c", "A"]}]) == {
        "results": [{"entityName": "x", "addedObservations": ["c", "A"]}]
    }
    assert memory.open_nodes(names=["x"])["entities"] == [entity("x", "thing", "a", "b", "c", "A")]


def test_observations_may_be_objects_and_are_stored_as_json(memory):
    made = {"name": "x", "type": "thing", "observations": [{"b": [1, None], "ü": "é"}, "plain"]}
    stored = entity("x", "thing", '{"b":[1,null],"ü":"é"}', "plain")
    assert memory.create_entities(entities=[made]) == {"entities": [stored]}
    added = memory.add_observations(observations=[{"entityName": "x", "contents": [{"b": [1, None], "ü": "é"}, {}]}])
    assert added == {"results": [{"entityName": "x", "addedObservations": ["{}"]}]}
    memory.delete_observations(deletions=[{"entityName": "x", "observations": [{"b": [1, None], "ü": "é"}]}])
    assert memory.open_nodes(names=["x"])["entities"] == [entity("x", "thing", "plain", "{}")]


def test_one_entity_may_be_given_twice_in_a_batch_of_observations(graph):
    contents = [{"entityName": "fern", "contents": ["green"]}, {"entityName": "fern", "contents": ["green", "tall"]}]
    assert graph.add_observations(observations=contents)["results"] == [
        {"entityName": "fern", "addedObservations": ["green"]},
        {"entityName": "fern", "addedObservations": ["tall"]},
    ]
    assert graph.open_nodes(names=["fern"])["entities"][0]["observations"] == ["green", "tall"]


def test_an_entity_may_be_related_to_itself(graph):
    made = {"relations": [relation("fern", "grows beside", "fern")]}
    assert graph.create_relations(**made) == made
    assert graph.open_nodes(names=["fern"])["relations"] == made["relations"]


# --- What is unknown ---


@pytest.mark.parametrize(
    ("tool", "arguments", "unknown"),
    [
        (
            "add_observations",
            {"observations": [{"entityName": "Ann", "contents": ["new"]}, {"entityName": "Zed", "contents": ["x"]}]},
            "Zed",
        ),
        ("create_relations", {"relations": [relation("Ann", "likes", "fern"), relation("Ann", "likes", "Zoë")]}, "Zoë"),
        ("create_relations", {"relations": [relation("Zed", "likes", "Ann")]}, "Zed"),
        ("create_relations", {"relations": [relation("ann", "likes", "Bob")]}, "ann"),
    ],
)
def test_an_unknown_entity_is_refused_in_the_references_words_and_nothing_of_the_batch_is_saved(
    graph, tool, arguments, unknown
):
    before = graph.read_graph()
    with pytest.raises(NotFound) as refused:
        graph.call(tool, **arguments)
    assert str(refused.value) == f"Entity with name {unknown} not found"
    assert graph.read_graph() == before


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("delete_entities", {"entityNames": ["Zed", "ann", "Zed"]}, "Entities deleted successfully"),
        (
            "delete_observations",
            {
                "deletions": [
                    {"entityName": "Zed", "observations": ["x"]},
                    {"entityName": "Ann", "observations": ["drinks", "DRINKS TEA"]},
                ]
            },
            "Observations deleted successfully",
        ),
        (
            "delete_relations",
            {
                "relations": [
                    relation("Ann", "Knows", "Bob"),
                    relation("Bob", "knows", "Ann"),
                    relation("Zed", "a", "b"),
                ]
            },
            "Relations deleted successfully",
        ),
    ],
)
def test_deleting_what_is_unknown_is_silent(graph, tool, arguments, message):
    before = graph.read_graph()
    assert graph.call(tool, **arguments) == {"success": True, "message": message}
    assert graph.read_graph() == before


# --- Deleting ---


def test_deleting_an_entity_takes_its_relations_along(graph):
    graph.delete_entities(entityNames=["Bob", "Zed"])
    after = graph.read_graph()
    assert names(after) == ["Ann", "Acme", "fern"]
    assert after["relations"] == []
    assert graph.create_entities(entities=[entity("Bob", "person")]) == {"entities": [entity("Bob", "person")]}
    assert graph.read_graph()["relations"] == []


def test_single_observations_and_relations_are_deleted(graph):
    given = [
        {"entityName": "Ann", "observations": ["speaks Español"]},
        {"entityName": "Bob", "observations": ["drinks COFFEE", "x"]},
    ]
    graph.delete_observations(deletions=given)
    graph.delete_relations(relations=[relation("Ann", "knows", "Bob")])
    assert graph.read_graph() == {
        "entities": [
            entity("Ann", "person", "drinks tea"),
            entity("Bob", "person"),
            entity("Acme", "company"),
            entity("fern", "plant"),
        ],
        "relations": [relation("Bob", "works at", "Acme")],
    }
    assert graph.search_nodes(query="español") == {"entities": [], "relations": []}


def test_what_has_hidden_characters_is_deleted_by_what_was_shown(memory):
    memory.create_entities(entities=[entity("x", "thing", "safe\u202e text\r\n", "other")])
    shown = memory.open_nodes(names=["x"])["entities"][0]["observations"]
    assert shown == ["safe text\n", "other"]
    memory.delete_observations(deletions=[{"entityName": "x", "observations": shown[:1]}])
    assert memory.open_nodes(names=["x"])["entities"] == [entity("x", "thing", "other")]


def test_tools_of_the_graph_change_and_list_entities_only(graph):
    key = graph.store_memory(content="Ann likes ferns")["id"]
    graph.associate_memories(source_id=key, target_id="Ann", relationship="EXPLAINS")
    assert key not in names(graph.read_graph())
    assert graph.read_graph()["relations"] == [relation("Ann", "knows", "Bob"), relation("Bob", "works at", "Acme")]
    graph.delete_entities(entityNames=[key])
    assert graph.open_nodes(names=[key])["entities"] == []
    assert [hit["id"] for hit in graph.recall_memory(query="ferns")][:1] == [key]
    with pytest.raises(NotFound, match="is a entity, not a memory"):
        graph.delete_memory(id="Ann")


# --- Reading ---


def test_open_nodes_takes_exact_names_once_and_in_the_order_of_creation(graph):
    opened = graph.open_nodes(names=["Acme", "Ann", "acme", "Acme", "nobody"])
    assert names(opened) == ["Ann", "Acme"]
    assert opened["relations"] == [relation("Ann", "knows", "Bob"), relation("Bob", "works at", "Acme")]
    assert graph.open_nodes(names=["fern"]) == {"entities": [entity("fern", "plant")], "relations": []}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("ann", ["Ann"]),
        ("ANN", ["Ann"]),
        ("PERSON", ["Ann", "Bob"]),
        ("drinks", ["Ann", "Bob"]),
        ("coffee", ["Bob"]),
        ("ESPAÑOL", ["Ann"]),
        ("espan\u0303ol", ["Ann"]),
        ("a", ["Ann", "Acme", "fern"]),
        ("rinks t", ["Ann"]),
        (" tea", ["Ann"]),
        ("", ["Ann", "Bob", "Acme", "fern"]),
        ("nothing", []),
        ("knows", []),
        ("Bobperson", []),
        ("person\x00", None),
    ],
)
def test_search_finds_a_part_of_a_name_type_or_observation_in_any_case(graph, query, found):
    if found is None:
        with pytest.raises(InvalidInput, match="query contains a NUL"):
            graph.search_nodes(query=query)
        return
    assert names(graph.search_nodes(query=query)) == found


@pytest.mark.parametrize(
    "query",
    [
        "%",
        "_",
        "tea%",
        "dr_nks",
        "*",
        "te.",
        "^Ann$",
        "[abc]",
        "'; DROP TABLE record; --",
        '"',
        "NEAR(",
        "\\",
        "(",
        "$.a",
    ],
)
def test_metacharacters_are_plain_text(graph, query):
    assert graph.search_nodes(query=query)["entities"] == []
    graph.create_entities(entities=[entity(f"x{query}y", f"t{query}", f"o{query}")])
    assert names(graph.search_nodes(query=query)) == [f"x{query}y"]
    assert names(graph.open_nodes(names=[f"x{query}y"])) == [f"x{query}y"]


def test_relations_with_one_end_among_the_hits_are_shown(graph):
    found = graph.search_nodes(query="acme")
    assert (names(found), found["relations"]) == (["Acme"], [relation("Bob", "works at", "Acme")])


def test_limit_and_offset_cut_the_entities_and_none_is_all(graph):
    assert names(graph.read_graph(limit=2)) == ["Ann", "Bob"]
    assert graph.read_graph(limit=1)["relations"] == [relation("Ann", "knows", "Bob")]
    assert names(graph.read_graph(limit=2, offset=3)) == ["fern"]
    assert names(graph.read_graph(offset=2)) == ["Acme", "fern"]
    assert graph.read_graph(limit=0) == {"entities": [], "relations": []}
    assert names(graph.search_nodes(query="a", limit=1, offset=1)) == ["Acme"]
    assert graph.search_nodes(query="a", limit=0) == {"entities": [], "relations": []}
    assert names(graph.search_nodes(query="", limit=1)) == ["Ann"]
    assert len(graph.read_graph(limit=None)["entities"]) == 4


def test_a_search_counts_what_it_returns_and_a_dump_does_not(graph):
    graph.read_graph()
    graph.search_nodes(query="")
    assert accesses(graph) == {}
    graph.search_nodes(query="tea")
    graph.open_nodes(names=["Ann", "fern"])
    assert accesses(graph) == {"Ann": 2, "fern": 1}


def accesses(memory):
    from indelible.store.views import entities

    ctx = memory.context
    with ctx.store.read() as tx:
        known = {record.id: record.key for record in entities.page(tx)}
        return {known[id_]: used.count for id_, used in ctx.write_behind.access_of(tx, list(known)).items()}


# --- Bad input ---


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("create_entities", {}, "entities is required"),
        ("create_entities", {"entities": "x"}, "entities must be a list"),
        ("create_entities", {"entities": [{"name": "x"}]}, "entities.0.entityType is required"),
        ("create_entities", {"entities": [entity("")]}, "entities.0.name must have at least 1 character"),
        ("create_entities", {"entities": [entity(" ")]}, "entities.0.name must have at least one visible character"),
        (
            "create_entities",
            {"entities": [entity("x", "\u200b")]},
            "entities.0.entityType must have at least one",
        ),
        ("create_entities", {"entities": [entity("x"), entity("y", "")]}, "entities.1.entityType must have at least 1"),
        ("create_entities", {"entities": [entity("x", "t", "")]}, "entities.0.observations.0 must have at least one"),
        (
            "create_entities",
            {"entities": [entity("x", "t", "a", "\n")]},
            "entities.0.observations.1 must have at",
        ),
        ("create_entities", {"entities": [entity("x", "t", 5)]}, "entities.0.observations.0 must be text or an object"),
        ("create_entities", {"entities": [entity("x" * 2001)]}, "entities.0: name has 2,001 bytes, at most 2,000"),
        ("create_entities", {"entities": [entity("x", "ü" * 1001)]}, "entities.0: entityType has 2,002 bytes"),
        ("create_entities", {"entities": [{**entity("x"), "colour": 1}]}, "unknown argument 'entities.0.colour'"),
        ("create_entities", {"entities": [entity("x\0")]}, "entities contains a NUL"),
        ("create_relations", {"relations": [{"from": "Ann", "to": "Bob"}]}, "relations.0.relationType is required"),
        ("create_relations", {"relations": [relation("Ann", "", "Bob")]}, "relations.0.relationType must have"),
        (
            "create_relations",
            {"relations": [relation("Ann", " \u200b", "Bob")]},
            "relations.0.relationType must",
        ),
        (
            "create_relations",
            {"relations": [relation("Ann", "x" * 2001, "Bob")]},
            "relations.0: relationType has 2,001",
        ),
        ("create_relations", {"relations": [{**relation("Ann", "x", "Bob"), "weight": 1}]}, "relations.0.weight"),
        ("add_observations", {"observations": [{"entityName": "Ann"}]}, "observations.0.contents is required"),
        (
            "add_observations",
            {"observations": [{"entityName": "Ann", "contents": "x"}]},
            "observations.0.contents must",
        ),
        (
            "add_observations",
            {"observations": [{"entityName": "Ann", "contents": ["new", [1]]}]},
            "observations.0.contents.1 must be text or an object, got [1]",
        ),
        (
            "delete_observations",
            {"deletions": [{"entityName": "Ann", "observations": [None]}]},
            "deletions.0.observations.0 must be text or an object, got None",
        ),
        ("delete_entities", {"entityNames": [1]}, "entityNames.0 must be a text"),
        ("delete_observations", {"deletions": [{"entityName": "Ann"}]}, "deletions.0.observations is required"),
        ("delete_relations", {"relations": {}}, "relations must be a list"),
        ("open_nodes", {"names": "Ann"}, "names must be a list"),
        ("open_nodes", {"names": [""]}, "names.0 must have at least 1 character"),
        ("search_nodes", {}, "query is required"),
        ("search_nodes", {"query": "x" * 2049}, "query must have at most 2,048 characters"),
        ("search_nodes", {"query": "x", "limit": -1}, "limit must be at least 0"),
        ("search_nodes", {"query": "x", "limit": True}, "limit must be a whole number"),
        ("read_graph", {"offset": 1.5}, "offset must be a whole number"),
        ("read_graph", {"limit": float("nan")}, "limit must be a finite number"),
    ],
)
def test_bad_input_is_refused_with_the_argument_named_and_nothing_is_written(graph, tool, arguments, words):
    before = graph.read_graph()
    with pytest.raises(InvalidInput) as refused:
        graph.call(tool, **arguments)
    (line,) = str(refused.value).splitlines()
    assert words in line
    assert graph.read_graph() == before


def test_what_is_blank_and_came_with_an_import_can_be_deleted(memory):
    lines = [
        {"type": "entity", **entity("Ann", "person", "", " ", "tea")},
        {"type": "relation", **relation("Ann", " ", "Ann")},
    ]
    memory_jsonl.import_content(memory.context, "\n".join(map(json.dumps, lines)).encode())
    assert memory.read_graph()["relations"] == [relation("Ann", " ", "Ann")]
    memory.delete_observations(deletions=[{"entityName": "Ann", "observations": ["", " "]}])
    memory.delete_relations(relations=[relation("Ann", " ", "Ann")])
    assert memory.read_graph() == {"entities": [entity("Ann", "person", "tea")], "relations": []}


def test_secrets_are_redacted_before_names_are_compared(memory):
    secret = "ghp_" + "a1B2c3D4" * 4 + "Zz9Y"
    created = memory.create_entities(entities=[entity("repo", "thing", f"its token is {secret}")])
    assert "[REDACTED:" in created["entities"][0]["observations"][0]
    assert secret not in str(memory.read_graph())
    again = memory.add_observations(observations=[{"entityName": "repo", "contents": [f"its token is {secret}"]}])
    assert again["results"][0]["addedObservations"] == []


def test_a_read_only_server_reads_the_graph_and_writes_none(open_store):
    open_store().create_entities(entities=[entity("Ann")])
    reader = open_store(read_only=True)
    assert names(reader.search_nodes(query="an")) == ["Ann"]
    for name, tool in all_tools().items():
        if tool.toolset == "graph" and tool.writes:
            with pytest.raises(Exception, match="read-only"):
                reader.call(name)


def test_what_another_server_writes_is_found_at_once(open_store):
    first, second = open_store(), open_store()
    first.create_entities(entities=[entity("Ann", "person", "drinks tea")])
    assert names(second.search_nodes(query="tea")) == ["Ann"]
    second.add_observations(observations=[{"entityName": "Ann", "contents": ["plays chess"]}])
    assert names(first.search_nodes(query="CHESS")) == ["Ann"]
    first.delete_observations(deletions=[{"entityName": "Ann", "observations": ["drinks tea"]}])
    assert names(second.search_nodes(query="tea")) == []
    second.delete_entities(entityNames=["Ann"])
    assert names(first.search_nodes(query="chess")) == []


def test_recall_finds_entities_by_name_and_observations(graph):
    (hit,) = graph.recall_memory(query="who drinks tea and speaks Español")[:1]
    assert (hit["id"], hit["kind"], hit["memory_type"]) == ("Ann", "entity", "context")
    assert hit["content"] == "Ann\ndrinks tea\nspeaks Español"
