"""The taxonomy through the tools: canonical entities keep it, in the mode that a server was started with."""

import json

import pytest

from indelible.errors import InvalidInput
from indelible.graph import keys
from indelible.settings import Settings

CAPTURE = {"normalizedKey": "boom", "kind": "runtime", "message": "boom", "detector": "tests"}
APPLY = {"strategy": "retry", "changes": ["a.py"], "result": "applied"}
OUTCOME = {"status": "failed", "verificationMethod": "pytest", "durationToVerify": 5}
NOTE = {"url": "https://example.org", "accessed_at": "2025-08-08T10:30:00Z"}
RUN = keys.run_key("2025-08-08T10:30:00Z", "npm test")
COMMAND = keys.command_key("npm test", None, 1)
FIX = keys.fix_key("boom", "retry", ["a.py"])
OUTCOME_KEY = keys.outcome_key("failed", FIX, "pytest", 5)
DOC = keys.doc_key("https://example.org")

# Every type of the taxonomy with the envelopes that it may carry.
TAXONOMY = {
    RUN: ("Run", [("command.exec", {"cmd": "npm test", "exitCode": 1}), ("run.summary", {"summary": "it failed"})]),
    COMMAND: ("Command", [("command.exec", {"cmd": "npm test", "exitCode": 1, "durationMs": 5})]),
    "err#boom": ("Error", [("error.capture", CAPTURE)]),
    "warn#boom": ("Warning", [("warning.capture", CAPTURE)]),
    "dep#left-pad@1.3.0": ("Dependency", []),
    FIX: ("Fix", [("fix.apply", APPLY), ("fix.outcome", OUTCOME)]),
    OUTCOME_KEY: ("Outcome", [("fix.outcome", OUTCOME)]),
    DOC: ("Doc", [("doc.note", NOTE)]),
    "mode#code@2": ("Mode", []),
    "tool#ruff": ("Tool", []),
    "file#src/a b.py": ("File", []),
    "concept#ts-node-loader": ("Concept", []),
}
VOCABULARY = [
    (RUN, "EXECUTES", COMMAND),
    (COMMAND, "EMITS", "err#boom"),
    (COMMAND, "EMITS", "warn#boom"),
    ("err#boom", "CAUSED_BY", "dep#left-pad@1.3.0"),
    (FIX, "RESOLVES", "err#boom"),
    (FIX, "MITIGATES", "warn#boom"),
    (FIX, "HAS_OUTCOME", OUTCOME_KEY),
    (FIX, "DERIVED_FROM", DOC),
    (DOC, "REFERENCES", "concept#ts-node-loader"),
    ("err#boom", "ABOUT", "concept#ts-node-loader"),
    (RUN, "PERFORMED_BY", "mode#code@2"),
    (RUN, "USES", "tool#ruff"),
    (RUN, "TOUCHES", "file#src/a b.py"),
]


def envelope(kind, fields, *, under_data=True):
    return {"type": kind, "ts": "2025-08-08T10:30:00Z", **({"data": fields} if under_data else fields)}


def canonical():
    return [
        {"name": name, "entityType": type_, "observations": [envelope(kind, fields) for kind, fields in observations]}
        for name, (type_, observations) in TAXONOMY.items()
    ]


def relation(source, name, target):
    return {"from": source, "to": target, "relationType": name}


@pytest.fixture(params=["auto", "strict", "off"])
def any_mode(request, open_store):
    return open_store(graph_validation=request.param)


@pytest.fixture
def graph(memory):
    memory.create_entities(entities=[*canonical(), {"name": "Ann", "entityType": "person"}])
    return memory


def test_the_whole_taxonomy_is_taken_in_every_mode(any_mode):
    assert len(any_mode.create_entities(entities=canonical())["entities"]) == len(TAXONOMY)
    given = [relation(*each) for each in VOCABULARY]
    assert any_mode.create_relations(relations=given) == {"relations": given}
    more = [
        {"entityName": name, "contents": [envelope(kind, fields, under_data=False), "plain text"]}
        for name, (_, observations) in TAXONOMY.items()
        for kind, fields in observations[:1]
    ]
    added = any_mode.add_observations(observations=more)["results"]
    assert [len(each["addedObservations"]) for each in added] == [2] * len(more)
    assert any_mode.read_graph()["relations"] == given


BAD = [
    ("err#boom", "Warning", [], "entityType of 'err#boom' must be 'Error'"),
    ("err#", "Error", [], "name must have the form err#<normalizedKey>"),
    ("cmd#npm test", "Command", [], "name must have the form cmd#"),
    ("doc#https://example.org", "Doc", [], "name must have the form doc#"),
    ("boom", "Error", [envelope("error.capture", CAPTURE)], "name must begin with err#"),
    ("err#boom", "Error", [envelope("fix.apply", APPLY)], "Error takes error.capture and plain text, got fix.apply"),
    ("tool#ruff", "Tool", [envelope("doc.note", NOTE)], "Tool takes no envelope and plain text"),
    (
        "err#boom",
        "Error",
        [envelope("error.capture", {})],
        "error.capture lacks normalizedKey, kind, message, detector",
    ),
    ("err#boom", "Error", [{"type": "error.captured"}], "type must be one of command.exec"),
    ("err#boom", "Error", ['{"type":"error.capture",'], "begins like an envelope and is not JSON"),
    (FIX, "Fix", [envelope("fix.apply", {**APPLY, "result": "done"})], "result of fix.apply must be one of proposed"),
    (FIX, "Fix", [envelope("fix.apply", {**APPLY, "changes": []})], "changes of fix.apply must be a non-empty list"),
    (FIX, "Fix", [envelope("fix.outcome", {**OUTCOME, "status": "ok"})], "status of fix.outcome must be one of"),
    (COMMAND, "Command", [envelope("command.exec", {"cmd": "x", "exitCode": "1"})], "exitCode of command.exec"),
    (COMMAND, "Command", [envelope("command.exec", {"cmd": "x", "exitCode": 1, "stdout": "a"})], "a whole `stdout`"),
]


@pytest.mark.parametrize(("name", "type_", "observations", "words"), BAD)
def test_what_breaks_the_taxonomy_is_refused_with_its_place_and_nothing_of_the_batch_is_stored(
    memory, name, type_, observations, words
):
    good = {"name": "Ann", "entityType": "person"}
    with pytest.raises(InvalidInput) as refused:
        memory.create_entities(entities=[good, {"name": name, "entityType": type_, "observations": observations}])
    assert words in str(refused.value)
    assert str(refused.value).startswith("entities.1: ")
    assert memory.read_graph()["entities"] == []


@pytest.mark.parametrize(("name", "type_", "observations", "words"), BAD)
def test_without_validation_everything_is_taken_as_it_is(open_store, name, type_, observations, words):
    memory = open_store(graph_validation="off")
    created = memory.create_entities(entities=[{"name": name, "entityType": type_, "observations": observations}])
    assert created["entities"][0]["name"] == name, words


@pytest.mark.parametrize(("name", "type_", "observations", "words"), [each for each in BAD if each[2]])
def test_observations_are_held_against_the_entity_that_they_are_added_to(open_store, name, type_, observations, words):
    open_store(graph_validation="off").create_entities(entities=[{"name": name, "entityType": type_}])
    memory = open_store()
    given = [{"entityName": name, "contents": ["plain is fine", *observations]}]
    with pytest.raises(InvalidInput) as refused:
        memory.add_observations(observations=given)
    assert words in str(refused.value)
    assert str(refused.value).startswith("observations.0: ")
    assert memory.open_nodes(names=[name])["entities"][0]["observations"] == []


@pytest.mark.parametrize(
    ("source", "name", "target"),
    [
        ("err#boom", "RESOLVES", FIX),
        (FIX, "resolves", "warn#boom"),
        (FIX, "MITIGATES", "err#boom"),
        (RUN, "EMITS", "err#boom"),
        ("err#boom", "CAUSED_BY", "tool#ruff"),
    ],
)
def test_relations_of_the_vocabulary_join_their_types_only(graph, source, name, target):
    fine = relation(FIX, "RESOLVES", "err#boom")
    with pytest.raises(InvalidInput, match=rf"^relations\.1: relationType {name.upper()} joins"):
        graph.create_relations(relations=[fine, relation(source, name, target)])
    assert graph.read_graph()["relations"] == []


@pytest.mark.parametrize(
    ("source", "name", "target"),
    [("err#boom", "noticed by", "Ann"), ("Ann", "RESOLVES", "err#boom"), ("tool#ruff", "found", "err#boom")],
)
def test_all_other_relations_are_free_but_in_strict_mode(graph, open_store, source, name, target):
    given = {"relations": [relation(source, name, target)]}
    assert graph.create_relations(**given) == given
    graph.delete_relations(**given)
    strict = open_store(graph_validation="strict")
    with pytest.raises(InvalidInput, match=r"^relations\.0: "):
        strict.create_relations(**given)


def test_strict_mode_refuses_what_is_outside_the_taxonomy(open_store):
    memory = open_store(graph_validation="strict")
    with pytest.raises(InvalidInput, match=r"entities\.0: name must begin with run#, cmd#.*'Ann'"):
        memory.create_entities(entities=[{"name": "Ann", "entityType": "person"}])


@pytest.mark.parametrize(("mode", "refused"), [("auto", True), ("strict", True), ("off", False)])
def test_the_gate_holds_for_associate_memories_too(open_store, mode, refused):
    memory = open_store(graph_validation=mode)
    memory.create_entities(entities=canonical())
    plain = memory.store_memory(content="a memory")["id"]
    assert memory.associate_memories(source_id=FIX, target_id=DOC, relationship="DERIVED_FROM")
    assert memory.associate_memories(source_id=plain, target_id="err#boom", relationship="DERIVED_FROM")
    wrong = {"source_id": DOC, "target_id": FIX, "relationship": "DERIVED_FROM"}
    if not refused:
        assert memory.associate_memories(**wrong)
        return
    with pytest.raises(InvalidInput, match="relationType DERIVED_FROM joins Fix to Doc"):
        memory.associate_memories(**wrong)


def test_long_heads_are_cut_with_a_mark_and_the_cut_is_what_is_compared(memory):
    given = envelope("command.exec", {"cmd": "npm test", "exitCode": 1, "stderrHead": "é" * 9000})
    created = memory.create_entities(entities=[{"name": COMMAND, "entityType": "Command", "observations": [given]}])
    (text,) = created["entities"][0]["observations"]
    head = json.loads(text)["data"]["stderrHead"]
    assert head.endswith("[cut: 18,000 bytes in all]")
    assert len(head.encode()) <= 8192
    again = memory.add_observations(observations=[{"entityName": COMMAND, "contents": [given]}])
    assert again["results"][0]["addedObservations"] == []


def test_an_error_that_repeats_is_one_entity_with_more_observations(memory):
    first = keys.error_key("Cannot find module /a/b at 0xdeadbeef12 in v1.2.3")
    again = keys.error_key("cannot find module  /a/b at 0xdeadbeef34 in v1.2.4-beta")
    assert first == again
    memory.create_entities(entities=[{"name": first, "entityType": "Error"}])
    for run in range(3):
        capture = envelope("error.capture", {**CAPTURE, "context": {"run": run}})
        assert memory.create_entities(entities=[{"name": again, "entityType": "Error"}]) == {"entities": []}
        memory.add_observations(observations=[{"entityName": again, "contents": [capture]}])
    (only,) = memory.read_graph()["entities"]
    assert len(only["observations"]) == 3


def test_the_mode_comes_from_the_environment(tmp_path):
    for mode in ("auto", "strict", "off"):
        environ = {"INDELIBLE_DATA": str(tmp_path), "INDELIBLE_GRAPH_VALIDATION": mode}
        assert Settings.load(environ=environ).graph_validation == mode
    assert Settings.load(environ={"INDELIBLE_DATA": str(tmp_path)}).graph_validation == "auto"
    with pytest.raises(InvalidInput, match="INDELIBLE_GRAPH_VALIDATION must be one of auto, strict, off, got 'lax'"):
        Settings.load(environ={"INDELIBLE_DATA": str(tmp_path), "INDELIBLE_GRAPH_VALIDATION": "lax"})


@pytest.mark.parametrize(
    ("begun", "entity_type", "envelope", "key"),
    [
        ("cmd#npm test", "Command", {"type": "command.exec", "cmd": "npm test", "exitCode": 1}, COMMAND),
        ("cmd#npm test#?", "Command", {"type": "command.exec", "cmd": "npm test", "exitCode": 1}, COMMAND),
        (
            "run#2025-08-08T10:30:00Z",
            "Run",
            {"type": "command.exec", "data": {"cmd": "npm test", "exitCode": 1}},
            keys.run_key("2025-08-08T10:30:00Z", "npm test", None, 1),
        ),
        ("fix#boom", "Fix", {"type": "fix.apply", **APPLY}, FIX),
        ("fix#boom#????????", "Fix", {"type": "fix.apply", **APPLY}, FIX),
        ("outcome#failed", "Outcome", {"type": "fix.outcome", "fixId": FIX, **OUTCOME}, OUTCOME_KEY),
        ("doc#", "Doc", {"type": "doc.note", **NOTE}, DOC),
        ("doc#https://example.org", "Doc", None, DOC),
        ("cmd#npm test", "Command", None, keys.command_key("npm test")),
    ],
    ids=range(9),
)
def test_a_key_without_its_hash_is_refused_with_the_whole_key_which_then_is_taken(
    memory, begun, entity_type, envelope, key
):
    """A model cannot compute SHA-256: it writes what it can, and is told the rest."""
    observations = [] if envelope is None else [envelope]
    entity = {"entityType": entity_type, "observations": observations}
    with pytest.raises(InvalidInput) as refused:
        memory.create_entities(entities=[{"name": begun, **entity}])
    assert str(refused.value).endswith(f"; the key of its content is {key!r}")
    taken = memory.create_entities(entities=[{"name": key, **entity}])["entities"]
    assert [each["name"] for each in taken] == [key]


@pytest.mark.parametrize(
    ("name", "entity_type"),
    [("run#today", "Run"), ("outcome#failed", "Outcome"), ("fix#boom", "Fix"), ("cmd#", "Command")],
)
def test_of_what_makes_no_key_none_is_told(memory, name, entity_type):
    with pytest.raises(InvalidInput) as refused:
        memory.create_entities(entities=[{"name": name, "entityType": entity_type}])
    assert "the key is" not in str(refused.value)
