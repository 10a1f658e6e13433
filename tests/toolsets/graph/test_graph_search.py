"""What search_nodes finds where no text holds the query: keys, fields, stems, neighbours, documents, then meaning."""

import pytest

from indelible.graph import keys

ERROR = keys.error_key("Cannot find module 'left-pad' in /srv/app/node_modules v1.2.3")
OTHER = keys.error_key("Heap out of memory at 0xdeadbeef12")
WARNING = keys.warning_key("Deprecated API: fs.exists v10.1.0")
COMMAND = keys.command_key("npm run build --prod", None, 1)
QUIET = keys.command_key("npm install", None, 0)
FIX = keys.fix_key(ERROR, "install", ["package.json"])
DOC = keys.doc_key("https://docs.npmjs.com")
MEMO = keys.doc_key("https://example.org/memo")


def entity(name, entity_type, *observations):
    return {"name": name, "entityType": entity_type, "observations": list(observations)}


def names(graph):
    return [each["name"] for each in graph["entities"]]


@pytest.fixture
def graph(memory):
    capture = {"type": "error.capture", "kind": "memory", "message": "Heap", "detector": "node"}
    memory.create_entities(
        entities=[
            entity(COMMAND, "Command"),
            entity(QUIET, "Command"),
            entity(ERROR, "Error", "seen in the morning"),
            entity(OTHER, "Error", {**capture, "normalizedKey": "heap out of memory at 0x"}),
            entity(WARNING, "Warning"),
            entity("dep#lodash@4.17.21", "Dependency"),
            entity(FIX, "Fix", "installs what is missing"),
            entity(DOC, "Doc", "npm install, explained"),
            entity(MEMO, "Doc"),
            entity("concept#module-resolution", "Concept"),
            entity("Ann", "person", "maintains the billing gateway", "drinks tea"),
        ]
    )
    memory.create_relations(
        relations=[
            {"from": source, "to": target, "relationType": name}
            for source, name, target in (
                (COMMAND, "EMITS", OTHER),
                (COMMAND, "EMITS", WARNING),
                (ERROR, "CAUSED_BY", "dep#lodash@4.17.21"),
                (FIX, "RESOLVES", ERROR),
                (DOC, "REFERENCES", "concept#module-resolution"),
                (FIX, "DERIVED_FROM", MEMO),
            )
        ]
    )
    return memory


@pytest.mark.parametrize(
    ("query", "found"),
    [
        # The substring comes first, whatever else would be found.
        ("heap OUT", [OTHER]),
        # Exact keys: of the message of an error or a warning, with other hashes and versions.
        ("Heap out of memory at 0xfeedface99", [OTHER]),
        ("cannot  find module 'left-pad' in /srv/app/node_modules v9.9.9", [ERROR]),
        ("err#Heap out of  memory at 0xfeedface99", [OTHER]),
        ("deprecated API: fs.exists v12.0.0-rc.1", [WARNING]),
        # Fields.
        ("type:Warning|Fix", [WARNING, FIX]),
        ("type:warning", [WARNING]),
        ("entityType:Person", ["Ann"]),
        ("type:Error|Warning heap", [OTHER]),
        ("type:Error nowhere", []),
        ("type:Person who maintains billing gateways", ["Ann"]),
        ("type:Error who maintains billing gateways", []),
        ("type:Nothing", []),
        ("normalizedKey:heap out of memory at 0x", [OTHER]),
        ("normalizedKey:Heap out of memory at 0xfeedface99 type:Error", [OTHER]),
        ("type:Warning normalizedKey:heap out of memory at 0x", []),
        ("name:Ann", ["Ann"]),
        ("name:ann", []),
        # Stems: other versions and paths.
        ("err#cannot find module 'left-pad' in /home/me/other/place x.y.z", [ERROR]),
        ("Cannot find module 'left-pad' in C:\\\\work\\\\app v3.2.1", [ERROR, FIX]),
        ("dep#lodash@5.0.0", ["dep#lodash@4.17.21"]),
        # Neighbours of the command or dependency that shares most words.
        ("npm run build broken again", [OTHER, WARNING]),
        ("everything lodash breaks", [ERROR]),
        # Documents of a concept.
        ("docs about module resolution rules", [DOC, "concept#module-resolution"]),
        # Ranked.
        ("who maintains billing gateways", ["Ann"]),
        # One unknown word finds nothing, and neither does nonsense.
        ("maintainer", []),
        ("gatewaysbilling", []),
        ("foo:bar", []),
        ("qwxz vfpj", []),
    ],
)
def test_search_goes_on_in_the_order_of_the_reference(graph, query, found):
    assert names(graph.search_nodes(query=query)) == found


def test_limit_and_offset_hold_for_what_comes_near_too(graph):
    assert names(graph.search_nodes(query="npm run build broken again", limit=1)) == [OTHER]
    assert names(graph.search_nodes(query="npm run build broken again", limit=1, offset=1)) == [WARNING]
    assert names(graph.search_nodes(query="npm run build broken again", offset=2)) == []
    assert names(graph.search_nodes(query="who maintains billing gateways", limit=0)) == []
    assert names(graph.search_nodes(query="who maintains billing gateways", offset=1)) == []


def test_a_word_with_a_colon_is_no_field_unless_a_value_follows(graph):
    assert names(graph.search_nodes(query="who maintains any type: billing gateways"))[0] == "Ann"


def test_what_comes_near_has_its_relations(graph):
    found = graph.search_nodes(query="Heap out of memory at 0xfeedface99")
    assert found["relations"] == [{"from": COMMAND, "to": OTHER, "relationType": "EMITS"}]


def test_a_message_is_known_by_a_capture_or_an_observation_of_an_entity_of_another_name(memory):
    capture = {"type": "error.capture", "kind": "build", "message": "x", "detector": "tsc"}
    quoted = 'cannot find module "left-pad" in x.y.z'
    memory.create_entities(
        entities=[
            entity("err#import fails", "Error", {**capture, "normalizedKey": quoted}),
            entity("err#heap", "Error", {**capture, "normalizedKey": "Heap out of memory at v1.2"}),
            entity("dev journal", "note", "today 'socket hang up in server' kept us busy"),
            entity("other", "note", "left-pad module, find it"),
        ]
    )
    for query in ('Cannot find module "left-pad" in v1.2.3', 'normalizedKey:Cannot find  module "left-pad" in 9.9.9'):
        assert names(memory.search_nodes(query=query)) == ["err#import fails"], query
    assert names(memory.search_nodes(query="heap OUT of memory at v3.4.5")) == ["err#heap"]
    assert names(memory.search_nodes(query="socket hang up in server /srv/app/index.js v1.2.3")) == ["dev journal"]


def test_only_what_a_ranked_search_returns_counts_as_accessed(graph):
    from indelible.store.views import entities as entities_view

    ctx = graph.context
    notes = [entity(f"note {n}", "note", f"billing gateways number {n}") for n in range(30)]
    graph.create_entities(entities=notes)
    assert names(graph.search_nodes(query="type:person who maintains billing gateways")) == ["Ann"]
    with ctx.store.read() as tx:
        known = {record.id: record.key for record in entities_view.page(tx)}
        assert {known[id_] for id_ in ctx.write_behind.access_of(tx, list(known))} == {"Ann"}


def test_a_type_is_a_filter_however_many_others_would_come_first(memory):
    memory.create_entities(entities=[entity("Ann", "person", "maintains one billing gateway of many, with others")])
    memory.create_entities(
        entities=[entity(f"{n}", "note", f"who maintains billing gateways {n}") for n in range(1100)]
    )
    assert names(memory.search_nodes(query="type:person who maintains gateways, billing")) == ["Ann"]


def test_only_entities_are_found(graph):
    graph.store_memory(content="The invoice printer jams on Fridays")
    assert names(graph.search_nodes(query="invoice printer jams")) == []


def test_keys_that_are_deleted_or_new_are_known_to_the_fallbacks_at_once(graph):
    assert names(graph.search_nodes(query="dep#lodash@5.0.0")) == ["dep#lodash@4.17.21"]
    graph.delete_entities(entityNames=["dep#lodash@4.17.21"])
    assert names(graph.search_nodes(query="dep#lodash@5.0.0")) == []
    graph.create_entities(entities=[entity("dep#lodash@6.0.0", "Dependency")])
    assert names(graph.search_nodes(query="dep#lodash@5.0.0")) == ["dep#lodash@6.0.0"]


def test_a_deleted_entity_that_is_undone_is_found_again_in_its_old_place(graph):
    from indelible.core.records import undo

    before = graph.search_nodes(query="a")
    graph.delete_entities(entityNames=[ERROR])
    assert ERROR not in names(graph.search_nodes(query="a"))
    undo.undo(graph.context)
    assert graph.search_nodes(query="a") == before


def test_what_was_added_after_a_deletion_stays_when_that_is_undone(graph):
    from indelible.core.records import undo

    graph.delete_observations(deletions=[{"entityName": "Ann", "observations": ["drinks tea"]}])
    graph.add_observations(observations=[{"entityName": "Ann", "contents": ["plays chess"]}])
    undo.undo(graph.context)
    (ann,) = graph.open_nodes(names=["Ann"])["entities"]
    assert ann["observations"] == ["maintains the billing gateway", "drinks tea", "plays chess"]


def test_a_key_that_is_too_long_for_an_index_is_found_by_its_whole_length(memory):
    from indelible.core.records import entities

    ctx = memory.context
    long = keys.error_key("the query " + "é" * 3000 + " failed")
    ctx.store.write(lambda tx: entities.put(ctx, tx, long, "Error", ["seen"]).key)
    ctx.store.write(lambda tx: entities.put(ctx, tx, long, "Error", ["seen again"]).key)
    (only,) = memory.open_nodes(names=[long])["entities"]
    assert only["observations"] == ["seen", "seen again"]
    assert len(only["name"].encode()) <= 2000
    assert only["name"].startswith("err#the query éé")
    memory.add_observations(observations=[{"entityName": long, "contents": ["thrice"]}])
    assert names(memory.open_nodes(names=[only["name"]])) == [only["name"]]
    assert entities.key_name(long) != entities.key_name(long + "!")
    fix = entities.key_name(f"fix#{'x' * 3000}#0a1b2c3d")
    keys.check_key(fix)
    assert fix.endswith("#0a1b2c3d")
    assert entities.key_name("n" * 3000) == "n" * 3000


@pytest.mark.parametrize(
    "said", ["", "how the ts-node loader is set up"], ids=["by its name", "beside a part of a text"]
)
def test_a_concept_is_found_by_its_name_with_the_documents_that_refer_to_it(memory, said):
    """The reference: from an error that is tagged with a concept ("ts-node loader") to the documents of it."""
    concept, dependency, error = "concept#ts-node-loader", "dep#ts-node@10.9.2", "err#unknown file extension .ts"
    memory.create_entities(
        entities=[
            entity(concept, "Concept"),
            entity(error, "Error"),
            entity(dependency, "Dependency"),
            entity(DOC, "Doc", *filter(None, [said])),
            entity(MEMO, "Doc"),
        ]
    )
    memory.create_relations(
        relations=[
            {"from": error, "to": concept, "relationType": "ABOUT"},
            {"from": error, "to": dependency, "relationType": "CAUSED_BY"},
            {"from": DOC, "to": concept, "relationType": "REFERENCES"},
        ]
    )
    for query in ("ts-node loader", "TS-node  Loader"):
        assert names(memory.search_nodes(query=query)) == [concept, DOC]
    assert names(memory.search_nodes(query="ts-node loader", limit=1, offset=1)) == [DOC]
