from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace

import pytest

from command_line import assert_sound, undo
from foreign import take_in
from indelible.core.records import embedding_queue, exporting, history
from indelible.errors import Conflict, InvalidInput, NotFound
from indelible.toolsets.memory import deletion, memories, refinement
from made_up_meaning import embed_all, with_meaning
from mcp_client import McpClient, ToolError

FULL = {
    "id": "old",
    "content": "the port is 5050",
    "memory_type": "decision",
    "importance": 0.3,
    "confidence": 0.4,
    "tags": ["ops", "net:port"],
    "namespace": "/a",
    "metadata": {"from": {"deep": [1, None]}, "origin": "capture", "trust": "untrusted"},
}
INHERITED = ("memory_type", "confidence", "namespace")


@pytest.fixture
def old(memory):
    take_in(memory, FULL)
    return "old"


def exported(memory):
    return {item["id"]: item for item in memory.export_memories(limit=1000)}


def relations(memory):
    return {
        (edge["source"], edge["relationship"], edge["target"])
        for item in memory.export_memories(limit=1000)
        for edge in item["edges"]
    }


@pytest.mark.parametrize(
    "given",
    [
        {"content": "the port is 8080"},
        {"importance": 0.9},
        {"importance": 0.0},
        {"tags": ["new"]},
        {"tags": []},
        {"content": "the port is 8080", "importance": 1, "tags": ["日本語", "x"]},
        {"content": "the port is 5050"},
    ],
    ids=str,
)
def test_what_is_not_given_is_inherited(memory, clock, old, given):
    clock.pass_(days=3)
    answer = memory.refine_memory(id=old, **given)
    assert answer == {"old_id": old, "new_id": answer["new_id"], "relationship": "EVOLVED_INTO"}
    before, after = exported(memory)[old], exported(memory)[answer["new_id"]]
    wanted = {name: given.get(name, FULL[name]) for name in ("content", "importance", "tags")}
    assert {name: after[name] for name in wanted} == wanted
    assert {name: after[name] for name in INHERITED} == {name: before[name] for name in INHERITED}
    assert after["created_at"] == after["updated_at"] > before["created_at"]
    assert after["access_count"] == 0
    assert "replaced" not in after


def test_a_refined_captured_memory_is_trusted_and_keeps_its_other_metadata(memory, old):
    new = memory.refine_memory(id=old, importance=0.5)["new_id"]
    known = {"from": {"deep": [1, None]}, "origin": "capture"}
    assert exported(memory)[new]["metadata"] == {**known, "trust": "trusted", "promoted_by": "refine_memory"}


def test_a_refined_memory_keeps_the_old_one_as_it_was_but_for_being_replaced(memory, old):
    before = exported(memory)[old]
    new = memory.refine_memory(id=old, content="the port is 8080")["new_id"]
    after = exported(memory)[old]
    assert after == {**before, "replaced": True, "replaced_by": new, "edges": after["edges"]}
    assert relations(memory) == {(old, "EVOLVED_INTO", new)}


def test_a_recall_shows_the_refinement_before_what_it_refines(memory):
    old = memory.store_memory(content="the scheduler queue has 20 slots, scheduler queue slots")["id"]
    new = memory.refine_memory(id=old, content="the scheduler queue has 40 slots by now, as a scheduler needs")[
        "new_id"
    ]
    assert [hit["id"] for hit in memory.recall_memory(query="scheduler queue slots")] == [new, old]


def test_the_relations_of_the_old_memory_stay_with_it(memory, old):
    other = memory.store_memory(content="other", links=[old])["id"]
    new = memory.refine_memory(id=old, tags=[])["new_id"]
    assert relations(memory) == {(other, "RELATES_TO", old), (old, "EVOLVED_INTO", new)}


def test_nothing_given_is_an_error_and_changes_nothing(memory, old):
    before = exported(memory)
    for arguments in ({}, {"content": None, "importance": None, "tags": None}):
        with pytest.raises(InvalidInput, match="give at least one of content, importance, tags,"):
            memory.refine_memory(id=old, **arguments)
    assert exported(memory) == before


def test_the_refinement_is_the_one_that_has_the_content_from_now_on(memory, old):
    new = memory.refine_memory(id=old, tags=["x"])["new_id"]
    assert memory.store_memory(content=FULL["content"], namespace="/a")["id"] == new
    third = memory.refine_memory(id=new, content="the port is 8080")["new_id"]
    stored = memory.store_memory(content=FULL["content"], namespace="/a")
    assert stored["status"] == "stored"
    assert {id_ for id_, item in exported(memory).items() if "replaced" not in item} == {third, stored["id"]}


def test_a_content_that_another_current_memory_has_is_a_conflict_that_names_it(memory, old):
    taken = memory.store_memory(content="taken", namespace="/a")["id"]
    before = exported(memory)
    with pytest.raises(Conflict, match=f"content equals memory {taken} of the same namespace"):
        memory.refine_memory(id=old, content="taken", tags=["x"])
    assert exported(memory) == before
    assert memory.store_memory(content=FULL["content"], namespace="/a")["status"] == "duplicate"  # old is current


def test_the_content_of_another_namespace_or_of_a_replaced_memory_is_no_conflict(memory, old):
    memory.store_memory(content="elsewhere", namespace="/b")
    gone = memory.store_memory(content="replaced", namespace="/a")["id"]
    memory.refine_memory(id=gone, content="its successor")
    for content in ("elsewhere", "replaced"):
        new = memory.refine_memory(id=old, content=content)["new_id"]
        assert exported(memory)[new]["content"] == content


def test_a_memory_that_was_refined_already_can_be_refined_again_into_a_second_branch(memory, old):
    first = memory.refine_memory(id=old, content="branch one")["new_id"]
    second = memory.refine_memory(id=old, content="branch two")["new_id"]
    assert relations(memory) == {(old, "EVOLVED_INTO", first), (old, "EVOLVED_INTO", second)}
    assert {id_ for id_, item in exported(memory).items() if "replaced" not in item} == {first, second}
    memory.delete_memory(id=second)
    assert exported(memory)[old]["replaced"] is True
    memory.delete_memory(id=first)
    assert "replaced" not in exported(memory)[old]


def test_a_second_branch_of_the_same_content_is_a_conflict_that_names_the_first(memory, old):
    first = memory.refine_memory(id=old, importance=0.9)["new_id"]
    before = exported(memory)
    with pytest.raises(Conflict, match=f"content equals memory {first} of the same namespace"):
        memory.refine_memory(id=old, importance=0.1)
    assert exported(memory) == before


def test_a_deleted_refinement_of_the_same_content_comes_back(memory, old):
    new = memory.refine_memory(id=old, tags=["x"])["new_id"]
    before = exported(memory)
    memory.delete_memory(id=new)
    assert "replaced" not in exported(memory)[old]
    undo(memory.context)
    assert exported(memory) == before


def test_a_refinement_discards_nothing(memory, old):
    memory.refine_memory(id=old, content="new")
    assert history.history(memory.context) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"content": "x"}, "id is required"),
        ({"id": "", "content": "x"}, "id must .*got ''"),
        ({"id": "old", "content": ""}, "content must have at least 1 character, got ''"),
        ({"id": "old", "content": " \u200b"}, "content must have at least one visible character, got ' "),
        ({"id": "old", "content": 3}, "content must be a text, got 3"),
        ({"id": "old", "importance": 1.1}, "importance must be .*, got 1.1"),
        ({"id": "old", "importance": True}, "importance must be .*, got True"),
        ({"id": "old", "importance": float("nan")}, "importance must be a finite number, got nan"),
        ({"id": "old", "tags": "x"}, "tags must be a list, got 'x'"),
        ({"id": "old", "tags": [""]}, "tags.0 must have at least 1 character, got ''"),
        ({"id": "old", "memory_type": "habit"}, "unknown argument 'memory_type'; allowed are: id, content, importance"),
    ],
    ids=str,
)
def test_bad_input_is_refused_and_changes_nothing(memory, old, arguments, words):
    before = exported(memory)
    with pytest.raises(InvalidInput, match=words):
        memory.refine_memory(**arguments)
    assert exported(memory) == before


def test_only_a_memory_is_refined(memory):
    with pytest.raises(NotFound, match="id 'nobody' is unknown: there is no memory with that id"):
        memory.refine_memory(id="nobody", content="x")
    take_in(memory, {"kind": "solution", "id": "sol_1", "content": "restart it"})
    with pytest.raises(NotFound, match="id 'sol_1' is a solution, not a memory"):
        memory.refine_memory(id="sol_1", content="x")


def test_a_retry_with_the_same_request_key_gets_the_first_answer(memory, old):
    answers = [memory.call("refine_memory", request_key="k", id=old, content="new") for _ in range(2)]
    assert answers[0] == answers[1]
    assert len(exported(memory)) == 2


def test_a_secret_in_a_refinement_is_redacted(memory, old):
    secret = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gHx"
    new = memory.refine_memory(id=old, content=f"the token is {secret}", tags=[secret])["new_id"]
    assert secret not in str(exported(memory)[new])


@pytest.mark.parametrize("content", ["the port is 8080", None])
def test_a_refinement_is_embedded_after_its_write(memory, old, content):
    ctx = with_meaning(memory.context)
    embed_all(ctx)
    refinement.refine(ctx, old, refinement.Refinement(content, importance=0.5))
    assert embedding_queue.waiting(ctx) == 1
    embed_all(ctx)
    assert embedding_queue.waiting(ctx) == 0


def test_what_another_call_updates_meanwhile_is_refined_as_it_is_then(memory, old):
    class Store:
        """The same store, in which another call's write comes before this one's."""

        read = memory.context.store.read

        def write(self, work):
            memories.update(memory.context, old, "the port is 9090", None)
            return memory.context.store.write(work)

    ctx = replace(memory.context, store=Store())
    new = refinement.refine(ctx, old, refinement.Refinement(tags=("x",)))["new_id"]
    assert exported(memory)[new]["content"] == "the port is 9090"
    assert [hit["id"] for hit in memory.recall_memory(query="9090")][:1] == [new]


@pytest.mark.process
def test_two_servers_that_refine_one_memory_at_once_make_two_branches_or_name_the_other(tmp_path):
    data = tmp_path / "data"
    rounds = 12
    with ExitStack() as stack:
        clients = [stack.enter_context(McpClient(data)) for _ in range(2)]
        ids = [
            clients[0].call("store_memory", {"content": f"rule {n}", "namespace": "/a"})["id"] for n in range(rounds)
        ]

        def refine(client, number):
            answers = []
            for n, id_ in enumerate(ids):  # even rounds leave the content, which only one refinement can have
                change = {"tags": [f"by:{number}"]} if n % 2 == 0 else {"content": f"rule {n} by {number}"}
                try:
                    answers.append(client.call("refine_memory", {"id": id_, **change})["new_id"])
                except ToolError as refusal:
                    answers.append(str(refusal))
            return answers

        with ThreadPoolExecutor(2) as pool:
            first, second = pool.map(refine, clients, range(2))
        kept = {item["id"]: item for item in clients[1].call("export_memories", {"limit": 1000})}
    for n, id_ in enumerate(ids):
        evolved = {edge["target"] for edge in kept[id_]["edges"]}
        assert kept[id_]["replaced"] is True
        if n % 2:
            assert evolved == {first[n], second[n]}
        else:
            (won,) = evolved & {first[n], second[n]}
            lost = second[n] if won == first[n] else first[n]
            assert f"content equals memory {won}" in lost
    assert_sound(data)


@pytest.mark.process
def test_a_refinement_is_found_by_its_new_words_in_another_server(tmp_path):
    data = tmp_path / "data"
    with McpClient(data) as client, McpClient(data) as other:
        old = client.call("store_memory", {"content": "the cache is redis"})["id"]
        assert [hit["id"] for hit in other.call("recall_memory", {"query": "redis"})] == [old]
        new = client.call("refine_memory", {"id": old, "content": "the cache is memcached"})["new_id"]
        assert other.call("recall_memory", {"query": "memcached"})[0]["id"] == new


def test_a_refinement_survives_an_export_and_import(memory, old, open_store):
    memory.refine_memory(id=old, tags=["x"])
    things = memory.export_memories()
    other = open_store("other")
    assert other.import_memories(memories=things)["errors"] == []
    assert other.export_memories() == things


def test_no_two_memories_have_one_name_for_other_stores(memory, old):
    new = memory.refine_memory(id=old, content="the port is 8080")["new_id"]
    parts = memory.split_memory(id=new, parts=[{"content": "a port"}, {"content": "of 8080"}])["parts"]
    memory.merge_memories(source_ids=parts, content="a port of 8080")
    uids = [item["uid"] for item in exporting.export_all(memory.context)]
    assert len(uids) == len(set(uids)) == 5


# --- A version in the middle is deleted ---


@pytest.fixture
def chain(memory):
    """Four versions of a memory, the oldest first: their ids."""
    ids = [memory.store_memory(content="Sessions live for 24 hours", namespace="/a")["id"]]
    for hours in (8, 4, 2):
        ids.append(memory.refine_memory(id=ids[-1], content=f"Sessions live for {hours} hours")["new_id"])
    return ids


def current(memory):
    return {key for key, item in exported(memory).items() if not item.get("replaced")}


@pytest.mark.parametrize("gone", [[1], [2], [1, 2], [2, 1], [0, 1], [0, 2]], ids=str)
def test_what_a_deleted_version_replaced_is_replaced_by_the_next_one(memory, chain, gone):
    before = exported(memory)
    deletion.delete(memory.context, [chain[each] for each in gone])
    assert current(memory) == {chain[-1]}
    assert {key: item["replaced_by"] for key, item in exported(memory).items() if item.get("replaced")} == {
        key: next(later for place, later in enumerate(chain) if place > chain.index(key) and place not in gone)
        for place, key in enumerate(chain[:-1])
        if place not in gone
    }
    undo(memory.context)
    assert exported(memory) == before


def test_versions_deleted_one_after_the_other_come_back_one_after_the_other(memory, chain):
    before = exported(memory)
    for place in (2, 1):
        memory.delete_memory(id=chain[place])
    assert relations(memory) == {(chain[0], "EVOLVED_INTO", chain[3])}
    undo(memory.context)
    undo(memory.context)
    assert exported(memory) == before


def test_a_version_is_still_taken_back_by_deleting_it(memory, chain):
    memory.delete_memory(id=chain[-1])
    assert current(memory) == {chain[-2]}


def test_a_relation_of_another_name_stands_for_the_deleted_version_too(memory):
    first, second, third = (memory.store_memory(content=f"Version {each}")["id"] for each in (1, 2, 3))
    memory.associate_memories(source_id=second, target_id=first, relationship="SUPERSEDES")
    memory.associate_memories(source_id=second, target_id=third, relationship="INVALIDATED_BY", weight=0.5)
    memory.delete_memory(id=second)
    assert relations(memory) == {(first, "INVALIDATED_BY", third)}
    assert current(memory) == {third}


def test_a_relation_that_was_there_before_stays_after_the_undo(memory, chain):
    memory.associate_memories(source_id=chain[0], target_id=chain[2], relationship="EVOLVED_INTO")
    before = exported(memory)
    memory.delete_memory(id=chain[1])
    undo(memory.context)
    assert exported(memory) == before
