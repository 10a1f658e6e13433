"""Everything that the reference (`memory-graph.md`) lists, as it is written there, through a real server.

It has tables instead of example calls: observation types with their fields, entity types with the form of their keys,
relations. Each row is copied, because the reference lies beside the repository; where it is there, tests see that none
is missing. The calls that the README of the reference memory server shows stand before them.
"""

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from mcp_client import McpClient, ToolError

SPECIFICATION = Path(__file__).parents[4] / "shared" / "spec" / "memory-graph.md"


def fp8(*values):
    return sha256("|".join(values).encode()).hexdigest()[:8]


def sha8(*values):
    return sha256(json.dumps(values, separators=(",", ":")).encode()).hexdigest()[:8]


URL = "https://nodejs.org/api/esm.html"
NORMALIZED = "cannot find module 'left-pad' in x.y.z"
CHANGES = ["package.json: left-pad ^x"]
EXECUTED = fp8("npm test", "/srv/app", "1", "", "Error: Cannot find module 'left-pad' in v1.2.3")
FIX = f"fix#{NORMALIZED}#{sha8('add the dependency', CHANGES)}"

# Observation type -> its fields, `?` behind the optional ones, each with a value.
OBSERVATIONS = {
    "command.exec": {
        "cmd": "npm test",
        "cwd?": "/srv/app",
        "exitCode": 1,
        "durationMs?": 1234.5,
        "stdoutHead?": "",
        "stderrHead?": "Error: Cannot find module 'left-pad' in v1.2.3",
    },
    "error.capture": {
        "normalizedKey": NORMALIZED,
        "kind": "runtime",
        "message": "Cannot find module 'left-pad' in v1.2.3",
        "detector": "node",
        "context?": {"file": "src/index.js", "line": 3},
    },
    "warning.capture": {
        "normalizedKey": "deprecated api fs.exists",
        "kind": "deprecation",
        "message": "Deprecated API  fs.exists",
        "detector": "node",
        "context?": "at start",
    },
    "fix.apply": {"strategy": "add the dependency", "changes": CHANGES, "result": "applied"},
    "fix.outcome": {
        "status": "verified_successful",
        "verificationMethod": "npm test",
        "durationToVerify": 42,
        "sideEffects?": [],
        "testCoverage?": 0.8,
    },
    "doc.note": {
        "url": URL,
        "title?": "Modules: ECMAScript modules",
        "site?": "nodejs.org",
        "author?": "OpenJS Foundation",
        "published_at?": "2025-01-02",
        "accessed_at": "2025-08-08T10:30:00Z",
        "archive_url?": "https://web.archive.org/web/2025/" + URL,
        "excerpt?": "How an import is resolved",
    },
    "run.summary": {"summary": "The tests failed at a missing dependency"},
}
# Entity type -> the form of its keys as the reference writes it, a key made by it, one not of it, its observations.
ENTITIES = {
    "Run": (
        "run#<ISO8601>#<fp8>",
        f"run#2025-08-08T10:30:00Z#{EXECUTED}",
        "run#yesterday#00000000",
        ["command.exec", "run.summary"],
    ),
    "Command": ("cmd#<canonical-cmd>#<fp8>", f"cmd#npm test#{EXECUTED}", "cmd#npm test", ["command.exec"]),
    "Error": ("err#<normalizedKey>", f"err#{NORMALIZED}", "err#", ["error.capture"]),
    "Warning": ("warn#<normalizedKey>", "warn#deprecated api fs.exists", "warn# ", ["warning.capture"]),
    "Dependency": ("dep#<name>@<version?>", "dep#left-pad@1.2.3", "dep#left-pad@", []),
    "Fix": ("fix#<issueName>#<sha8(JSON(strategy,changes))>", FIX, f"fix#{NORMALIZED}", ["fix.apply", "fix.outcome"]),
    "Outcome": (
        "outcome#<status>#<sha8(JSON(fixId,verificationMethod,durationToVerify))>",
        f"outcome#verified_successful#{sha8(FIX, 'npm test', 42)}",
        "outcome#fine#00000000",
        ["fix.outcome"],
    ),
    "Doc": ("doc#<sha256(url)>", "doc#" + sha256(URL.encode()).hexdigest(), f"doc#{URL}", ["doc.note"]),
    "Mode": ("mode#<slug@ver?>", "mode#code@2", "mode#Code Mode", []),
    "Tool": ("tool#<name@ver?>", "tool#ruff@0.5", "tool#@5", []),
    "File": ("file#<path>", "file#src/index.js", "file#", []),
    "Concept": ("concept#<slug>", "concept#ts-node-loader", "concept#ts node", []),
}
RELATIONS = [
    ("Run", "EXECUTES", "Command"),
    ("Command", "EMITS", "Error"),
    ("Command", "EMITS", "Warning"),
    ("Error", "CAUSED_BY", "Dependency"),
    ("Fix", "RESOLVES", "Error"),
    ("Fix", "MITIGATES", "Warning"),
    ("Fix", "HAS_OUTCOME", "Outcome"),
    ("Fix", "DERIVED_FROM", "Doc"),
    ("Doc", "REFERENCES", "Concept"),
    ("Error", "ABOUT", "Concept"),
    ("Run", "PERFORMED_BY", "Mode"),
    ("Run", "USES", "Tool"),
    ("Run", "TOUCHES", "File"),
]


def fields(observation, *, optional=True):
    given = OBSERVATIONS[observation].items()
    return {name.rstrip("?"): value for name, value in given if optional or not name.endswith("?")}


def envelopes(entity_type):
    """Of each observation of a type: all fields beside `type`, and the required ones under `data`, as text."""
    made = []
    for name in ENTITIES[entity_type][3]:
        beside = {"type": name, "ts": "2025-08-08T10:30:00Z", "mode": "code", **fields(name)}
        made += [beside, json.dumps({"type": name, "data": fields(name, optional=False)})]
    return made


def key_of(entity_type):
    return ENTITIES[entity_type][1]


CANONICAL = [{"name": key_of(each), "entityType": each, "observations": envelopes(each)} for each in ENTITIES]
RELATED = [{"from": key_of(a), "to": key_of(b), "relationType": name} for a, name, b in RELATIONS]


@pytest.fixture(scope="module", params=["auto", "strict"])
def client(request, tmp_path_factory):
    """A server with everything of the tables."""
    data = tmp_path_factory.mktemp("examples") / "data"
    with McpClient(data, env={"INDELIBLE_GRAPH_VALIDATION": request.param}) as client:
        yield client


@pytest.fixture(scope="module")
def created(client):
    entities = client.call("create_entities", {"entities": CANONICAL})["entities"]
    return entities, client.call("create_relations", {"relations": RELATED})["relations"]


# --- The README of the reference memory server ---


@pytest.mark.process
def test_the_readme_of_the_reference_memory_server(tmp_path):
    john = {"name": "John_Smith", "entityType": "person", "observations": ["Speaks fluent Spanish"]}
    company = {"name": "Anthropic", "entityType": "organization", "observations": []}
    works_at = {"from": "John_Smith", "to": "Anthropic", "relationType": "works_at"}
    facts = ["Speaks fluent Spanish", "Graduated in 2019", "Prefers morning meetings"]
    with McpClient(tmp_path / "data") as client:
        assert client.call("create_entities", {"entities": [john, company]}) == {"entities": [john, company]}
        assert client.call("create_relations", {"relations": [works_at]}) == {"relations": [works_at]}
        added = client.call("add_observations", {"observations": [{"entityName": "John_Smith", "contents": facts}]})
        assert added == {"results": [{"entityName": "John_Smith", "addedObservations": facts[1:]}]}
        john["observations"] = facts
        graph = {"entities": [john, company], "relations": [works_at]}
        assert client.call("read_graph") == graph
        assert client.call("search_nodes", {"query": "spanish"}) == {"entities": [john], "relations": [works_at]}
        assert client.call("open_nodes", {"names": ["Anthropic"]}) == {"entities": [company], "relations": [works_at]}
        (contents,) = client.request("resources/read", {"uri": "memory://knowledge-graph"})["contents"]
        assert json.loads(contents["text"]) == graph
        for tool, arguments, noun in (
            (
                "delete_observations",
                {"deletions": [{"entityName": "John_Smith", "observations": facts}]},
                "Observations",
            ),
            ("delete_relations", {"relations": [works_at]}, "Relations"),
            ("delete_entities", {"entityNames": ["John_Smith", "Anthropic"]}, "Entities"),
        ):
            assert client.call(tool, arguments) == {"success": True, "message": f"{noun} deleted successfully"}
        assert client.call("read_graph") == {"entities": [], "relations": []}


# --- The tables ---


@pytest.mark.process
@pytest.mark.parametrize("entity_type", ENTITIES)
def test_an_entity_of_each_type_is_kept_with_every_documented_field(created, client, entity_type):
    entities, _ = created
    stored = next(each for each in entities if each["name"] == key_of(entity_type))
    assert set(stored) == {"name", "entityType", "observations"}
    assert stored["entityType"] == entity_type
    assert [json.loads(text) for text in stored["observations"]] == [
        each if isinstance(each, dict) else json.loads(each) for each in envelopes(entity_type)
    ]
    assert client.call("open_nodes", {"names": [key_of(entity_type)]})["entities"] == [stored]
    assert stored in client.call("search_nodes", {"query": key_of(entity_type).upper()})["entities"]


@pytest.mark.process
@pytest.mark.parametrize(("source", "name", "target"), RELATIONS)
def test_a_relation_of_each_name_joins_its_types_in_its_direction_only(created, client, source, name, target):
    _, relations = created
    asked = {"from": key_of(source), "to": key_of(target), "relationType": name}
    assert asked in relations
    assert asked in client.call("open_nodes", {"names": [key_of(target)]})["relations"]
    turned = {"from": key_of(target), "to": key_of(source), "relationType": name}
    with pytest.raises(ToolError, match=rf"^relations\.0: relationType {name} joins "):
        client.call("create_relations", {"relations": [turned]})


@pytest.mark.process
@pytest.mark.parametrize("entity_type", ENTITIES)
def test_a_key_of_another_form_is_refused(created, client, entity_type):
    wrong = ENTITIES[entity_type][2]
    with pytest.raises(ToolError, match=r"^entities\.0: name must have the form "):
        client.call("create_entities", {"entities": [{"name": wrong, "entityType": entity_type}]})
    assert client.call("open_nodes", {"names": [wrong]})["entities"] == []


@pytest.mark.process
@pytest.mark.parametrize(
    ("entity_type", "observation"), [(kind, each) for kind in ENTITIES for each in OBSERVATIONS], ids="-".join
)
def test_each_envelope_is_for_its_entities_only(created, client, entity_type, observation):
    given = {"entityName": key_of(entity_type), "contents": [{"type": observation, "n": 2, **fields(observation)}]}
    if observation in ENTITIES[entity_type][3]:
        (result,) = client.call("add_observations", {"observations": [given]})["results"]
        assert len(result["addedObservations"]) == 1
        client.call(
            "delete_observations",
            {"deletions": [{"entityName": given["entityName"], "observations": given["contents"]}]},
        )
        return
    with pytest.raises(ToolError, match=rf"^observations\.0: .*{entity_type} takes .*, got {observation}"):
        client.call("add_observations", {"observations": [given]})


@pytest.mark.process
@pytest.mark.parametrize(
    ("observation", "field"),
    [(each, name) for each in OBSERVATIONS for name in fields(each, optional=False)],
    ids=".".join,
)
def test_an_envelope_without_a_required_field_is_refused(created, client, observation, field):
    entity_type = next(kind for kind, (*_, allowed) in ENTITIES.items() if observation in allowed)
    kept = {name: value for name, value in fields(observation).items() if name != field}
    given = {"entityName": key_of(entity_type), "contents": [{"type": observation, **kept}]}
    with pytest.raises(ToolError, match=f"{observation} lacks {field};"):
        client.call("add_observations", {"observations": [given]})


# --- The reference itself ---

beside = pytest.mark.skipif(not SPECIFICATION.is_file(), reason="the reference is not beside the repository")


def section(title):
    text = SPECIFICATION.read_text(encoding="utf-8")
    return re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]


@beside
def test_these_are_all_observation_types_of_the_reference_and_their_fields():
    rows = re.findall(r"^- `([\w.]+)` — (.*)$", section("Complete Observation Type Taxonomy"), re.MULTILINE)
    assert [name for name, _ in rows] == list(OBSERVATIONS)
    for name, text in rows:
        listed = re.search(r" with (.*)$", re.sub(r'\(".*?\)', "", text).replace("metadata like ", ""))
        said = re.findall(r"(?:optional )?[\w\[\]]+\??", re.sub(r"\band\b", "", listed[1])) if listed else []
        documented = {re.sub(r"\[\]|\?|optional ", "", each) for each in said}
        assert documented <= set(fields(name)), name
        assert set(fields(name)) - documented == ({"summary"} if name == "run.summary" else set()), name


@beside
def test_these_are_all_entity_types_of_the_reference_with_their_keys_and_observations():
    found = {}
    for block in re.split(r"^### ", section("Entity Schema Reference"), flags=re.MULTILINE)[1:]:
        form = re.search(r"\*\*Key Format\*\*: `(.*?)`", block)[1]
        found[block.split("\n")[0]] = (form, re.findall(r"`([\w.]+)`", block.split("**Observations**")[1]))
    assert found == {name: (form, observations) for name, (form, _, _, observations) in ENTITIES.items()}


@beside
def test_these_are_all_relations_of_the_reference():
    found = []
    for sentence in re.findall(r"`(\w+ [A-Z_]+ [\w|]+)`", section("Complete Relation Vocabulary")):
        source, name, targets = sentence.split()
        found += [(source, name, target) for target in targets.split("|")]
    assert found == RELATIONS
