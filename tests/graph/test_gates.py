"""One row a rule: what the gates of the graph let in, and what they refuse by name."""

import itertools
import json

import pytest

from indelible.errors import InvalidInput
from indelible.graph.gates import MODES, check_entity, check_observations, check_relation

EIGHT, LONG = "0a1b2c3d", "0a1b2c3d" * 8

NAMES = {
    "Run": f"run#2025-08-08T10:30:00Z#{EIGHT}",
    "Command": f"cmd#npm test#{EIGHT}",
    "Error": "err#module not found",
    "Warning": "warn#deprecated",
    "Dependency": "dep#lodash@4.17.21",
    "Fix": f"fix#module not found#{EIGHT}",
    "Outcome": f"outcome#failed#{EIGHT}",
    "Doc": f"doc#{LONG}",
    "Mode": "mode#code",
    "Tool": "tool#ripgrep@14.1",
    "File": "file#src/main.py",
    "Concept": "concept#esm",
}
CAPTURE = {"normalizedKey": "module not found", "kind": "ModuleError", "message": "找不到模块", "detector": "jest"}
FIELDS = {
    "command.exec": {"cmd": "npm test", "exitCode": 1},
    "error.capture": CAPTURE,
    "warning.capture": CAPTURE,
    "fix.apply": {"strategy": "install it", "changes": [{"file": "package.json"}], "result": "applied"},
    "fix.outcome": {"status": "failed", "verificationMethod": "unit tests", "durationToVerify": 5},
    "doc.note": {"url": "https://docs.rs", "accessed_at": "2025-08-08T10:30:00Z"},
    "run.summary": {"summary": "3 tests failed"},
}
TAKES = {
    "Run": ["command.exec", "run.summary"],
    "Command": ["command.exec"],
    "Error": ["error.capture"],
    "Warning": ["warning.capture"],
    "Fix": ["fix.apply", "fix.outcome"],
    "Outcome": ["fix.outcome"],
    "Doc": ["doc.note"],
}
HOME = {"command.exec": "Run", "run.summary": "Run", "error.capture": "Error", "warning.capture": "Warning"}
HOME |= {"fix.apply": "Fix", "fix.outcome": "Fix", "doc.note": "Doc"}
CHECKING = ("auto", "strict")


def envelope(kind: str, /, **changes: object) -> str:
    fields = {**FIELDS[kind], **changes}
    return json.dumps({"type": kind, **{name: value for name, value in fields.items() if value is not ...}})


def under_data(kind: str, /, **changes: object) -> str:
    fields = json.loads(envelope(kind, **changes))
    return json.dumps({"type": fields.pop("type"), "ts": "now", "repo": "r", "data": fields})


def enter(kind: str, text: str, mode: str = "auto") -> list[str]:
    """Put an envelope through both doors of the entity that it is at home in."""
    name, entity_type = NAMES[HOME[kind]], HOME[kind]
    admitted = check_entity(name, entity_type, [text], mode)
    assert check_observations(name, entity_type, [text], mode) == admitted
    return admitted


def assert_refused(kind: str, text: str, mode: str, *said: str) -> None:
    name, entity_type = NAMES[HOME[kind]], HOME[kind]
    for gate in (check_entity, check_observations):
        with pytest.raises(InvalidInput) as refused:
            gate(name, entity_type, ["plain", text], mode)
        for words in ("observations[1]", repr(name), *said):
            assert words in str(refused.value)


# --- Entities and their observations ---


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("entity_type", NAMES)
def test_a_canonical_entity_is_let_in_with_its_envelopes_and_plain_text(entity_type, mode):
    envelopes = [shape(kind) for kind in TAKES.get(entity_type, []) for shape in (envelope, under_data)]
    texts = ["plain text", "", *envelopes]
    assert check_entity(NAMES[entity_type], entity_type, texts, mode) == texts
    assert check_observations(NAMES[entity_type], entity_type, texts, mode) == texts


@pytest.mark.parametrize("mode", CHECKING)
@pytest.mark.parametrize("entity_type", NAMES)
def test_an_envelope_is_let_in_at_the_entities_that_list_it_only(entity_type, mode):
    name, allowed = NAMES[entity_type], TAKES.get(entity_type, [])
    for kind in allowed:
        assert check_entity(name, entity_type, [envelope(kind)], mode) == [envelope(kind)]
    for kind, gate in itertools.product(FIELDS.keys() - allowed, (check_entity, check_observations)):
        with pytest.raises(InvalidInput, match=rf"observations\[0\].*{entity_type} takes") as refused:
            gate(name, entity_type, [envelope(kind)], mode)
        assert ", ".join(allowed) in str(refused.value)
        assert str(refused.value).endswith(f"got {kind}")


@pytest.mark.parametrize("mode", CHECKING)
@pytest.mark.parametrize("named_as", NAMES)
def test_prefix_and_type_must_agree(named_as, mode):
    for entity_type in {*NAMES, "note", "error"} - {named_as}:
        with pytest.raises(InvalidInput, match=f"entityType of .* must be '{named_as}', .* got '{entity_type}'"):
            check_entity(NAMES[named_as], entity_type, [], mode)


@pytest.mark.parametrize("mode", CHECKING)
@pytest.mark.parametrize("name", ["err#", "doc#https://docs.rs", "cmd#npm test", "concept#Big Idea"])
def test_a_supplied_key_must_have_its_form(name, mode):
    kind = {"err": "Error", "doc": "Doc", "cmd": "Command", "concept": "Concept"}[name.split("#")[0]]
    with pytest.raises(InvalidInput, match="name must have the form"):
        check_entity(name, kind, [], mode)


@pytest.mark.parametrize("mode", CHECKING)
@pytest.mark.parametrize(("name", "kind", "said"), [(" ", "note", "name must not"), ("Ada", "", "entityType of 'Ada'")])
def test_name_and_type_must_be_there(name, kind, said, mode):
    with pytest.raises(InvalidInput, match=said):
        check_entity(name, kind, [], mode)


FREE = [
    ("Ada", "person", ["likes {braces}", '{"type": "note"}', '{"a": 1}', '{"type": "run.summary", broken']),
    ("module not found", "Error", ["plain"]),  # the type alone makes nothing canonical
    ("ERR#x", "thing", []),
    ("日本", "都市", ["首都は東京"]),
]


@pytest.mark.parametrize(("name", "entity_type", "texts"), FREE)
def test_what_is_not_canonical_is_free_in_auto_and_refused_in_strict(name, entity_type, texts):
    assert check_entity(name, entity_type, texts) == texts
    assert check_observations(name, entity_type, texts) == texts
    for gate in (check_entity, check_observations):
        with pytest.raises(InvalidInput, match=r"name must begin with .*#.* \(strict validation\)"):
            gate(name, entity_type, texts, "strict")


@pytest.mark.parametrize("mode", CHECKING)
@pytest.mark.parametrize("kind", FIELDS)
@pytest.mark.parametrize(("name", "entity_type"), [("Ada", "person"), ("my run", "Run"), ("x", "Fix")])
def test_an_envelope_belongs_under_a_key(name, entity_type, kind, mode):
    for gate in (check_entity, check_observations):
        with pytest.raises(InvalidInput, match="name must begin with"):
            gate(name, entity_type, [envelope(kind)], mode)


@pytest.mark.parametrize("mode", CHECKING)
def test_an_object_of_another_type_is_refused_under_a_key(mode):
    for text in ('{"type": "error.captured"}', '{"type": ""}'):
        for gate in (check_entity, check_observations):
            with pytest.raises(InvalidInput, match=r"observations\[1\].*type must be one of command.exec, "):
                gate("err#x", "Error", ["plain", text], mode)


@pytest.mark.parametrize("mode", CHECKING)
def test_a_broken_envelope_is_refused_under_a_key(mode):
    text = '{"type": "error.capture", "kind": "x"'
    for gate in (check_entity, check_observations):
        with pytest.raises(InvalidInput, match=r"observations\[0\].*not JSON"):
            gate("err#x", "Error", [text], mode)


@pytest.mark.parametrize("text", ['{"a": 1}', "{}", '{"type": 7}'])
def test_an_object_without_a_type_is_free_in_auto_and_refused_in_strict(text):
    assert check_entity("err#x", "Error", [text]) == [text]
    with pytest.raises(InvalidInput, match="got an object without one"):
        check_entity("err#x", "Error", [text], "strict")


def test_plain_text_is_taken_by_an_entity_whose_prefix_and_type_disagree():
    assert check_observations("err#x", "thing", ["plain"]) == ["plain"]
    with pytest.raises(InvalidInput, match="entityType of 'err#x' must be 'Error'"):
        check_observations("err#x", "thing", [envelope("error.capture")])


# --- Fields ---

REQUIRED = [(kind, name) for kind, fields in FIELDS.items() for name in fields]


@pytest.mark.parametrize("mode", CHECKING)
@pytest.mark.parametrize("shape", [envelope, under_data])
@pytest.mark.parametrize("given", [..., None], ids=["absent", "null"])
def test_a_required_field_must_be_there(given, shape, mode):
    for kind, name in REQUIRED:
        assert_refused(kind, shape(kind, **{name: given}), mode, f"{kind} lacks {name};", *FIELDS[kind])


def test_all_missing_fields_are_named_at_once():
    text = '{"type": "error.capture", "kind": "x"}'
    assert_refused("error.capture", text, "auto", "lacks normalizedKey, message, detector;")


TEXT, INTEGER, NUMBER = "must be non-empty text", "must be an integer", "must be a number of at least 0"
NOT_TEXT = [7, True, ["x"], {"x": 1}, "", " \n"]
WRONG = [
    *(
        (kind, name, value, TEXT)
        for kind, name in REQUIRED
        if name not in ("exitCode", "changes", "durationToVerify")
        for value in NOT_TEXT
    ),
    *(("command.exec", "exitCode", value, INTEGER) for value in (True, False, "0", 0.0, 1.5, [0])),
    *(("fix.apply", "changes", value, "must be a non-empty list") for value in ([], {}, "x", 1, {"a": 1})),
    *(("fix.apply", "result", value, "must be one of proposed, applied") for value in ("done", "Applied", "applied ")),
    *(
        ("fix.outcome", "status", value, "must be one of verified_successful, failed, partially_effective")
        for value in ("success", "FAILED")
    ),
    *(("fix.outcome", "durationToVerify", value, NUMBER) for value in (True, -1, "", [5], {"ms": 5})),
    *(("command.exec", "durationMs", value, NUMBER) for value in (True, -0.5, "5", [5])),
    *(
        ("command.exec", name, value, "must be text")
        for name in ("cwd", "stdoutHead", "stderrHead")
        for value in (7, ["x"])
    ),
    *(("doc.note", name, 7, "must be text") for name in ("title", "site", "published_at", "archive_url", "excerpt")),
]


@pytest.mark.parametrize("shape", [envelope, under_data])
def test_a_field_of_a_wrong_type_or_value_is_refused(shape):
    for kind, name, value, said in WRONG:
        assert_refused(kind, shape(kind, **{name: value}), "auto", f"{name} of {kind} {said}", "got ")


RIGHT = [
    *(("command.exec", "exitCode", value) for value in (0, -9, 255)),
    *(("fix.apply", "changes", value) for value in (["x"], [{"file": "a"}], [None])),
    *(("fix.apply", "result", value) for value in ("proposed", "applied")),
    *(("fix.outcome", "status", value) for value in ("verified_successful", "failed", "partially_effective")),
    *(("fix.outcome", "durationToVerify", value) for value in (0, 1.5, "5 minutes")),
    *(("fix.outcome", "sideEffects", value) for value in (None, [], "none", {"a": 1})),
    *(("command.exec", name, value) for name in ("cwd", "stdoutHead", "stderrHead") for value in (None, "", "x")),
    *(("command.exec", "durationMs", value) for value in (None, 0, 12.5)),
    *(("doc.note", "author", value) for value in (None, "Ada", ["Ada", "Grace"])),
    *(("error.capture", "context", value) for value in (None, "x", {"line": 3})),
    *(("run.summary", free, {"any": [1]}) for free in ("ts", "mode", "repo", "branch", "fingerprint", "else")),
]


@pytest.mark.parametrize("mode", CHECKING)
@pytest.mark.parametrize("shape", [envelope, under_data])
def test_a_field_of_a_right_value_and_any_other_key_is_taken(shape, mode):
    for kind, name, value in RIGHT:
        text = shape(kind, **{name: value})
        assert enter(kind, text, mode) == [text]


# --- Anti-patterns ---


@pytest.mark.parametrize("mode", CHECKING)
@pytest.mark.parametrize("shape", [envelope, under_data])
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@pytest.mark.parametrize("value", ["all of it", "", ["line"]])
def test_a_whole_stream_is_refused(value, stream, shape, mode):
    said = (f"a whole `{stream}`", f"{stream}Head")
    assert_refused("command.exec", shape("command.exec", **{stream: value}), mode, *said)
    assert_refused("error.capture", shape("error.capture", context={stream: value}), mode, *said)


def test_a_stream_that_is_null_or_in_somebody_elses_object_is_none():
    for text in (envelope("command.exec", stdout=None), envelope("fix.apply", changes=[{"stdout": "pipe"}])):
        kind = json.loads(text)["type"]
        assert enter(kind, text) == [text]
    assert check_entity("Ada", "person", ['{"stdout": "x"}']) == ['{"stdout": "x"}']


@pytest.mark.parametrize("mode", CHECKING)
@pytest.mark.parametrize("shape", [envelope, under_data])
def test_a_head_over_8_kib_is_let_in_cut(shape, mode):
    [admitted] = enter("command.exec", shape("command.exec", stdoutHead="x" * 8193, stderrHead="y" * 8192), mode)
    whole = json.loads(admitted)
    fields = whole.get("data", whole)
    assert len(fields["stdoutHead"].encode()) == 8192
    assert fields["stdoutHead"].endswith("… [cut: 8,193 bytes in all]")
    assert fields["stderrHead"] == "y" * 8192


def test_only_what_is_too_long_is_changed():
    texts = ["plain", envelope("command.exec", stdoutHead="x" * 9000), envelope("run.summary")]
    admitted = check_entity(NAMES["Run"], "Run", texts)
    assert [given == stored for given, stored in zip(texts, admitted, strict=True)] == [True, False, True]


# --- Relations ---

VOCABULARY = {
    "EXECUTES": [("Run", "Command")],
    "EMITS": [("Command", "Error"), ("Command", "Warning")],
    "CAUSED_BY": [("Error", "Dependency")],
    "RESOLVES": [("Fix", "Error")],
    "MITIGATES": [("Fix", "Warning")],
    "HAS_OUTCOME": [("Fix", "Outcome")],
    "DERIVED_FROM": [("Fix", "Doc")],
    "REFERENCES": [("Doc", "Concept")],
    "ABOUT": [("Error", "Concept")],
    "PERFORMED_BY": [("Run", "Mode")],
    "USES": [("Run", "Tool")],
    "TOUCHES": [("Run", "File")],
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("relation", VOCABULARY)
def test_a_relation_of_the_vocabulary_joins_its_types_and_no_others(relation, mode):
    for source, source_name in NAMES.items():
        for target, target_name in NAMES.items():
            ends = (source_name, source, target_name, target)
            if (source, target) in VOCABULARY[relation] or mode == "off":
                check_relation(*ends, relation, mode)
                check_relation(*ends, relation.lower(), mode)
                continue
            for written in (relation, relation.lower()):
                with pytest.raises(InvalidInput, match=f"relationType {relation} joins") as refused:
                    check_relation(*ends, written, mode)
                for first, second in VOCABULARY[relation]:
                    assert f"{first} to {second}" in str(refused.value)
                assert f"({source})" in str(refused.value)


@pytest.mark.parametrize("relation", VOCABULARY)
def test_a_relation_with_an_end_that_is_not_canonical_is_free_in_auto_and_refused_in_strict(relation):
    source, target = VOCABULARY[relation][0]
    for ends in (
        ("Ada", "person", NAMES[target], target),
        (NAMES[source], source, "Ada", "person"),
        ("Ada", "person", "Grace", "person"),
        (source, source, target, target),
    ):
        check_relation(*ends, relation)
        with pytest.raises(InvalidInput, match=r"name must begin with .*strict validation of the (source|target)"):
            check_relation(*ends, relation, "strict")


@pytest.mark.parametrize("relation", ["RELATES_TO", "knows", "CAUSED BY", "日本"])
def test_a_relation_outside_the_vocabulary_is_free_in_auto_and_refused_in_strict(relation):
    ends = ("err#a", "Error", "err#b", "Error")
    check_relation(*ends, relation)
    check_relation("Ada", "person", "Grace", "person", relation)
    with pytest.raises(InvalidInput, match=f"relationType must be one of EXECUTES, EMITS, .*, got '{relation}'"):
        check_relation(*ends, relation, "strict")


@pytest.mark.parametrize("mode", CHECKING)
def test_an_end_whose_prefix_and_type_disagree_is_joined_to_nothing_by_the_vocabulary(mode):
    with pytest.raises(InvalidInput, match=r"\(thing\)|'err#x' must be 'Error'"):
        check_relation(NAMES["Fix"], "Fix", "err#x", "thing", "RESOLVES", mode)


# --- Modes ---


def test_off_checks_and_cuts_nothing():
    texts = [
        envelope("command.exec", exitCode=True, stdout="all", stdoutHead="x" * 20_000),
        envelope("fix.apply"),
        '{"type": "command.exec", ',
        '{"type": "bogus"}',
    ]
    for name, entity_type in (("err#", "thing"), ("Ada", "Run"), (NAMES["Mode"], "Error")):
        assert check_entity(name, entity_type, texts, "off") == texts
        assert check_observations(name, entity_type, texts, "off") == texts


def test_an_unknown_mode_is_refused():
    said = "graph_validation must be one of auto, strict, off, got 'loose'"
    with pytest.raises(InvalidInput, match=said):
        check_entity("Ada", "person", [], "loose")
    with pytest.raises(InvalidInput, match=said):
        check_observations("Ada", "person", [], "loose")
    with pytest.raises(InvalidInput, match=said):
        check_relation("Ada", "person", "Grace", "person", "knows", "loose")


def test_a_generator_of_observations_is_read_once():
    assert check_entity("Ada", "person", (text for text in ("a", "b"))) == ["a", "b"]
    assert check_entity("Ada", "person", iter(["a"]), "off") == ["a"]
