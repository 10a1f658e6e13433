"""matrix_failure: one record for an error however often it comes, and its place in the knowledge graph."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from indelible.core.context.call import Call
from indelible.core.records import entities, exporting, history, trash, undo
from indelible.errors import InvalidInput
from indelible.graph.keys import error_key, fix_key
from indelible.search.failures import signature
from indelible.toolsets import registry
from indelible.toolsets.graph import recipes
from indelible.toolsets.memory import importing
from mcp_client import McpClient

MAP = {
    "errorType": "runtime",
    "errorMessage": "TypeError: Cannot read property 'map' of undefined at UserList.tsx:42",
    "rootCause": "API returned null instead of an empty array",
    "fixApplied": "users ?? []",
    "prevention": "Always give a default",
    "stackTrace": "at render (UserList.tsx:42)",
    "filesInvolved": ["src/components/UserList.tsx", "src/api/users.ts"],
}
LEAST = ("errorType", "errorMessage", "rootCause", "fixApplied")


def everything(memory):
    return list(exporting.export_all(memory.context))


def of_kind(memory, kind):
    return [item for item in everything(memory) if item["kind"] == kind]


def entity(memory, name):
    with memory.context.store.read() as tx:
        return entities.find(memory.context, tx, name)


def test_a_new_failure_is_recorded(memory):
    done = memory.matrix_failure(**MAP)
    assert re.fullmatch("fail_[0-9a-f]{8}", done.pop("id"))
    assert done == {
        "status": "recorded",
        "errorType": "runtime",
        "occurrences": 1,
        "message": "New failure pattern recorded for future prevention",
    }
    (kept,) = of_kind(memory, "failure")
    assert kept["content"] == (
        "runtime: TypeError: Cannot read property 'map' of undefined at UserList.tsx:42\n"
        "Cause: API returned null instead of an empty array\nFix: users ?? []\nPrevention: Always give a default"
    )
    metadata = kept["metadata"]
    assert [metadata[name] for name in ("errorMessage", "stackTrace", "files", "occurrences")] == [
        *(MAP["errorMessage"], MAP["stackTrace"], MAP["filesInvolved"], 1),
    ]


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("failed after 31 of 50 tries", "failed after 7 of 9 tries"),
        ("cannot open 'a.txt'", "cannot open 'other name'"),
        ("no such file /usr/lib/x.so", "no such file C:\\Windows\\y.dll"),
        ("segfault at 0x7ffee4b2", "segfault at 0xDEADBEEF"),
        ("a   b\n\tc", "a b c"),
        ("x" * 600, "x" * 500),
        ("ファイル 3 が見つかりません", "ファイル 12 が見つかりません"),
    ],
)
def test_messages_that_differ_in_what_varies_are_one_failure(memory, first, again):
    one = memory.matrix_failure(**{**MAP, "errorMessage": first})
    other = memory.matrix_failure(**{**MAP, "errorMessage": again})
    assert other == {
        "id": one["id"],
        "status": "updated",
        "errorType": "runtime",
        "occurrences": 2,
        "message": "Updated existing failure record (seen 2 times)",
    }


@pytest.mark.parametrize(
    "change",
    [{"errorType": "build"}, {"errorMessage": MAP["errorMessage"].lower()}, {"errorMessage": "another"}],
    ids=["type", "case", "message"],
)
def test_another_type_case_or_message_is_another_failure(memory, change):
    assert memory.matrix_failure(**MAP)["id"] != memory.matrix_failure(**{**MAP, **change})["id"]
    assert memory.matrix_status()["stats"]["failures"] == 2


def test_an_occurrence_brings_the_newest_cause_and_fix_and_keeps_what_it_does_not_give(memory):
    memory.matrix_failure(**MAP)
    memory.matrix_failure(
        errorType="runtime", errorMessage=MAP["errorMessage"], rootCause="the cache was cold", fixApplied="warm it"
    )
    told = of_kind(memory, "failure")[0]["metadata"]
    assert (told["rootCause"], told["fixApplied"]) == ("the cache was cold", "warm it")
    assert (told["prevention"], told["stackTrace"]) == (MAP["prevention"], MAP["stackTrace"])
    assert told["files"] == MAP["filesInvolved"]
    memory.matrix_failure(**{**MAP, "prevention": "p", "stackTrace": "t", "filesInvolved": []})
    told = of_kind(memory, "failure")[0]["metadata"]
    assert [told[name] for name in ("prevention", "stackTrace", "files", "occurrences")] == ["p", "t", [], 3]
    assert memory.recall_memory(query="cannot read property map")[0]["content"].endswith("Prevention: p")


def test_an_occurrence_can_be_undone(memory):
    memory.matrix_failure(**MAP)
    before = of_kind(memory, "failure")[0]
    memory.matrix_failure(**{**MAP, "rootCause": "wrong guess"})
    undo.undo(memory.context.for_call(Call(tool="undo")))
    after = of_kind(memory, "failure")[0]
    assert (after["content"], after["metadata"]) == (before["content"], before["metadata"])
    assert memory.matrix_failure(**MAP)["occurrences"] == 2


def test_an_occurrence_that_is_undone_takes_its_fix_and_its_files_along(memory):
    def exported():
        return [{**each, "access_count": 0, "last_accessed_at": None} for each in exporting.export_all(memory.context)]

    memory.matrix_failure(**MAP)
    memory.matrix_store(problem="p", solution="s", scope="global", filesAffected=["src/other.ts"])
    before = exported()
    again = {**MAP, "fixApplied": "wrong fix", "filesInvolved": [*MAP["filesInvolved"], "src/other.ts"]}
    memory.matrix_failure(**again)
    after = exported()
    assert len(after) == len(before) + 1
    for state in (before, after, before):
        operation = next(each["operation"] for each in history.operations(memory.context, 2) if not each["undone"])
        undone = undo.undo(memory.context.for_call(Call(tool="undo")), operation)
        assert exported() == state
        assert any(name.startswith("fail_") for name in undone["restored"])


def test_a_failure_of_any_repository_is_one_record(open_store, tmp_path):
    folders = [tmp_path / "a", tmp_path / "b"]
    counts = []
    for folder in folders:
        folder.mkdir()
        counts.append(open_store(start=folder).matrix_failure(**MAP)["occurrences"])
    assert counts == [1, 2]
    related = open_store(start=tmp_path).matrix_recall(query="cannot read property map of undefined")
    assert len(related["relatedFailures"]) == 1


def test_files_are_related(memory):
    key = memory.matrix_failure(**MAP)["id"]
    memory.matrix_failure(**{**MAP, "filesInvolved": ["src/new.ts", "src/api/users.ts"]})
    assert {node["id"] for node in memory.graph_traverse(start_id=key, max_depth=1)[1:]} == {
        *("file:src/components/UserList.tsx", "file:src/api/users.ts", "file:src/new.ts"),
    }


def test_files_of_an_occurrence_in_another_repository_are_files_of_that_one(open_store, tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
    open_store(start=one).matrix_failure(**{**MAP, "filesInvolved": [f"{one}/src/a.ts"]})
    memory = open_store(start=other)
    key = memory.matrix_failure(**{**MAP, "filesInvolved": [f"{other}/src/b.ts"]})["id"]
    files = {item["id"]: item["namespace"] for item in of_kind(memory, "file")}
    assert files == {"file:src/a.ts": str(one), "file:src/b.ts": str(other)}
    assert {node["id"] for node in memory.graph_traverse(start_id=key, max_depth=1)} == {key, *files}


def test_a_secret_is_kept_out_of_every_text_of_a_failure_and_of_its_signature(memory):
    token = "ghp_" + "A1b2C3d4E5" * 3 + "f6G7"
    texts = ("errorMessage", "rootCause", "fixApplied", "prevention", "stackTrace")
    tool, keys = registry.find_tool("matrix_failure"), set()
    for first, letter in enumerate("ab"):
        given = {name: f"denied: {token}{letter}{n}" for n, name in enumerate(texts)}
        files = [f"src/{token}{letter}9.ts"]
        answer = registry.call(memory.context, tool, {"errorType": "build", **given, "filesInvolved": files})
        assert [finding["argument"] for finding in answer.redacted] == sorted([*texts, "filesInvolved"])
        assert answer.value["occurrences"] == first + 1
        keys.add(answer.value["id"])
    assert len(keys) == 1
    assert token not in json.dumps(everything(memory))


@pytest.mark.process
def test_two_servers_that_record_one_error_at_once_count_together(tmp_path):
    data = tmp_path / "data"
    with McpClient(data) as one, McpClient(data) as other:
        calls = [("matrix_failure", {**MAP, "errorMessage": f"timeout after {n} ms"}) for n in range(20)]
        with ThreadPoolExecutor() as pool:
            answers = [a for part in pool.map(lambda client: client.pipeline(calls), (one, other)) for a in part]
        told = [answer["structuredContent"] for answer in answers]
        assert len({each["id"] for each in told}) == 1
        assert sorted(each["occurrences"] for each in told) == list(range(1, 41))
        assert [each["status"] for each in told].count("recorded") == 1
        assert one.call("matrix_status")["stats"]["failures"] == 1


# --- The same in the graph ---


def test_a_failure_is_also_its_error_and_the_fix_that_resolves_it(memory):
    memory.matrix_failure(**MAP)
    error, fix = error_key(MAP["errorMessage"]), fix_key(MAP["errorMessage"], MAP["fixApplied"], MAP["filesInvolved"])
    assert entity(memory, error).type == "Error"
    assert entity(memory, fix).type == "Fix"
    edges = [edge for item in everything(memory) for edge in item["edges"] if edge["relationship"] == "RESOLVES"]
    assert [(edge["source"], edge["target"]) for edge in edges] == [(f"entity:{fix}", f"entity:{error}")]
    assert entity(memory, error).metadata["observations"] == [
        '{"type":"error.capture","normalizedKey":"' + error.removeprefix("err#") + '","kind":"runtime","message":"'
        f'{MAP["errorMessage"]}","detector":"matrix_failure"}}'
    ]
    assert entity(memory, fix).metadata["observations"] == [
        '{"type":"fix.apply","strategy":"users ?? []","changes":["src/components/UserList.tsx","src/api/users.ts"],'
        '"result":"applied"}'
    ]


def test_without_files_the_change_is_the_fix_itself(memory):
    memory.matrix_failure(**{name: MAP[name] for name in LEAST})
    fix = fix_key(MAP["errorMessage"], "users ?? []", ["users ?? []"])
    assert '"changes":["users ?? []"]' in entity(memory, fix).metadata["observations"][0]


def test_occurrences_add_fixes_to_the_one_error(memory):
    for n in range(3):
        memory.matrix_failure(**{**MAP, "errorMessage": f"timeout after {n} ms", "fixApplied": f"way {n % 2}"})
    of_type = {}
    for item in of_kind(memory, "entity"):
        of_type.setdefault(item["memory_type"], []).append(item["id"])
    assert of_type["Error"] == ["err#timeout after 0 ms"]
    assert len(of_type["Fix"]) == 2
    named = of_kind(memory, "failure")[0]["metadata"]["entities"]
    assert (named[0], set(named[1:])) == (of_type["Error"][0], set(of_type["Fix"]))


def test_an_occurrence_that_names_no_files_is_the_same_fix(memory):
    memory.matrix_failure(**MAP)
    memory.matrix_failure(**{name: MAP[name] for name in LEAST})
    (fix,) = (item["id"] for item in of_kind(memory, "entity") if item["memory_type"] == "Fix")
    assert fix == fix_key(MAP["errorMessage"], "users ?? []", MAP["filesInvolved"])


@pytest.mark.parametrize(
    "message",
    [
        "d41d8cd98f00b204e9800998ecf8427e",  # a hash: nothing is left of it
        "0x7ffee4b2",
        "'x'",
        "wombat " * 20_000,
        "# ## err#",
        '{"type": "error.capture"}',
        "日本語のエラー",
        "'; DROP TABLE record; --",
    ],
    ids=range(8),
)
def test_any_message_can_be_recorded_again_and_again(memory, message):
    first = memory.matrix_failure(**{**MAP, "errorMessage": message, "fixApplied": message})
    again = memory.matrix_failure(**{**MAP, "errorMessage": message, "fixApplied": message})
    assert (again["id"], again["occurrences"]) == (first["id"], 2)
    assert len(of_kind(memory, "entity")) == 2


@pytest.mark.parametrize("mode", ["auto", "strict", "off"])
def test_a_failure_is_recorded_where_its_names_are_those_of_something_else(open_store, mode):
    memory = open_store(graph_validation=mode)
    taken = {
        "kind": "entity",
        "content": "err#boom\nmine",
        "memory_type": "note",
        "metadata": {"observations": ["mine"]},
    }
    assert memory.import_memories(memories=[{**taken, "id": "err#boom"}])["errors"] == []
    for occurrences in (1, 2):
        done = memory.matrix_failure(errorType="build", errorMessage="boom", rootCause="r", fixApplied="f")
        assert done["occurrences"] == occurrences
    (there,) = of_kind(memory, "entity")
    assert (there["memory_type"], there["metadata"]["observations"]) == ("note", ["mine"])


def test_recall_shows_the_failure_and_not_its_twins(memory):
    memory.matrix_failure(**MAP)
    assert [hit["kind"] for hit in memory.recall_memory(query="TypeError cannot read property map of undefined")] == [
        "failure"
    ]


def test_deleting_the_entity_leaves_the_failure(memory):
    memory.matrix_failure(**MAP)
    ctx = memory.context

    def delete(tx):
        trash.delete(ctx, tx, entities.find(ctx, tx, error_key(MAP["errorMessage"])))

    ctx.write(delete)
    assert len(of_kind(memory, "failure")) == 1
    assert memory.recall_memory(query="cannot read property map")[0]["kind"] == "failure"
    memory.matrix_failure(**MAP)
    assert entity(memory, error_key(MAP["errorMessage"])) is not None


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"errorType": "syntax"},
            "errorType must be one of 'runtime', 'build', 'test', 'type' or 'other', got 'syntax'",
        ),
        ({"errorMessage": ""}, "errorMessage must have at least 1 character"),
        ({"errorMessage": "\n\t"}, "errorMessage must have at least one visible character"),
        ({"rootCause": " "}, "rootCause must have at least one visible character"),
        ({"fixApplied": "\u200b"}, "fixApplied must have at least one visible character"),
        ({"stackTrace": "\n"}, "stackTrace must have at least one visible character"),
        ({"prevention": " "}, "prevention must have at least one visible character"),
        ({"filesInvolved": ["a.ts", " "]}, "filesInvolved.1 must have at least one visible character"),
        ({"rootCause": None}, "rootCause must be a text, got None"),
        ({"fixApplied": 0}, "fixApplied must be a text, got 0"),
        ({"stackTrace": ""}, "stackTrace must have at least 1 character"),
        ({"prevention": ["x"]}, "prevention must be a text"),
        ({"filesInvolved": "a.ts"}, "filesInvolved must be a list"),
        ({"errorMessage": "x\0y"}, "errorMessage contains a NUL character at position 1"),
        ({"rootCause": "r" * (1 << 20)}, "errorMessage, rootCause, fixApplied and prevention have 1,048,"),
        ({"severity": 1}, "unknown argument 'severity'"),
    ],
)
def test_bad_input_is_refused_by_its_name_and_nothing_is_written(memory, wrong, message):
    with pytest.raises(InvalidInput, match=message):
        memory.matrix_failure(**{**MAP, **wrong})
    assert everything(memory) == []


def test_export_and_import_keep_a_failure_one(memory, open_store):
    memory.matrix_failure(**MAP)
    memory.matrix_failure(**MAP)
    other = open_store("other")
    done = importing.import_items(other.context, everything(memory))
    assert (done.errors, done.skipped) == ([], 0)
    assert everything(other) == everything(memory)
    assert other.matrix_failure(**MAP)["occurrences"] == 3


def test_an_imported_failure_that_is_known_under_another_id_is_skipped(memory, open_store):
    memory.matrix_failure(**MAP)
    other = open_store("other")
    here = other.matrix_failure(**MAP)["id"]
    done = importing.import_items(other.context, everything(memory))
    assert done.errors == []
    assert [item["id"] for item in of_kind(other, "failure")] == [here]


def test_an_imported_failure_is_added_to_the_recorded_one_once_and_can_be_undone(memory, open_store, clock):
    memory.matrix_failure(**MAP)
    memory.matrix_failure(**MAP)
    other = open_store("other")
    clock.pass_(days=1)
    other.matrix_failure(**{**MAP, "rootCause": "the cache was cold", "fixApplied": "warm it"})
    (before,) = of_kind(other, "failure")
    brought = everything(memory)
    for merged in (1, 0):
        done = importing.import_items(other.context, brought)
        assert (done.merged, done.errors) == (merged, [])
        told = of_kind(other, "failure")[0]["metadata"]
        assert (told["occurrences"], told["rootCause"], told["fixApplied"]) == (3, "the cache was cold", "warm it")
        assert told["earlier"] == [
            {"rootCause": MAP["rootCause"], "fixApplied": MAP["fixApplied"], "prevention": MAP["prevention"]}
        ]
    assert [fix.strategy for fix in recipes.prior_fixes(other.context, MAP["errorMessage"])] == [
        "warm it",
        MAP["fixApplied"],
    ]
    assert other.matrix_failure(**MAP)["occurrences"] == 4
    undo.undo(other.context.for_call(Call(tool="undo")))
    undo.undo(other.context.for_call(Call(tool="undo")))
    (after,) = of_kind(other, "failure")
    assert (after["content"], after["metadata"]) == (before["content"], before["metadata"])


def test_a_fix_that_an_imported_failure_brought_goes_with_the_undo_of_the_import(memory, open_store):
    other = open_store("other")
    memory.matrix_failure(**{**MAP, "fixApplied": "wrong fix"})
    brought = of_kind(memory, "failure")  # as other tools have it, without entities
    other.matrix_failure(**MAP)
    before = everything(other)
    assert importing.import_items(other.context.for_call(Call(tool="import", bulk=True)), brought).merged == 1
    assert len(everything(other)) == len(before) + 1
    undo.undo(other.context.for_call(Call(tool="undo")))
    assert everything(other) == before


def test_two_stores_that_take_in_each_other_count_every_occurrence_once(memory, open_store):
    other = open_store("other")
    for store, times in ((memory, 2), (other, 3)):
        for _ in range(times):
            store.matrix_failure(**MAP)
    for _ in range(2):
        for source, target in ((memory, other), (other, memory)):
            assert importing.import_items(target.context, everything(source)).errors == []
    assert [store.matrix_failure(**MAP)["occurrences"] for store in (memory, other)] == [6, 6]


def test_a_merged_failure_that_would_be_too_long_is_reported_and_nothing_of_it_is_stored(memory):
    long = {"rootCause": "r" * 600_000}
    memory.matrix_failure(**{**MAP, **long})
    failure = {"kind": "failure", "id": "fail_0000000f", "content": "brought", "memory_type": MAP["errorType"]}
    told = {"errorMessage": MAP["errorMessage"], "fixApplied": "f" * 600_000}
    before = everything(memory)
    done = importing.import_items(memory.context, [{**failure, "namespace": None, "metadata": told}])
    assert ["at most 1,048,576 are allowed" in each["error"] for each in done.errors] == [True]
    assert everything(memory) == before


def test_failures_that_an_import_brought_without_their_fields_do_not_collide(memory):
    things = [{"kind": "failure", "id": f"fail_{n:08}", "content": "wombat crash", "namespace": None} for n in range(2)]
    assert importing.import_items(memory.context, things).errors == []
    related = memory.matrix_recall(query="wombat crash")["relatedFailures"]
    assert [each["errorMessage"] for each in related] == ["wombat crash"] * 2


def test_the_signature_is_that_of_the_type_and_message(memory):
    key = memory.matrix_failure(**MAP)["id"]
    with memory.context.store.read() as tx:
        from indelible.store.tables import records

        (record,) = records.by_key(tx, key)
    assert record.content_hash == signature("runtime", MAP["errorMessage"])
