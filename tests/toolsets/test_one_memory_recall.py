"""Every recall finds every kind: what a hit of each looks like, what it hides, whose comes first, what it counts."""

import pytest

from everything import ENTITY, ERROR, FAILURE, MEMORY, SOLUTION, VECTOR, fill, of_all
from foreign import take_in
from indelible.api import Memory
from made_up_meaning import embed_all, with_meaning
from park import of_kind
from repositories import repository

RECALLS = ("recall_memory", "recall_with_expansion", "recall_with_impact")
CONTENT = {
    "memory": MEMORY,
    "solution": f"{SOLUTION['problem']}\n\n{SOLUTION['solution']}",
    "failure": (
        f"build: {FAILURE['errorMessage']}\nCause: {FAILURE['rootCause']}\nFix: {FAILURE['fixApplied']}\n"
        f"Prevention: {FAILURE['prevention']}"
    ),
    "entity": "\n".join([ENTITY["name"], *ENTITY["observations"]]),
    "vector": VECTOR["text"],
}


@pytest.fixture
def ids(memory):
    return fill(memory)


@pytest.mark.parametrize("tool", RECALLS)
def test_every_recall_finds_every_kind_and_says_which(memory, ids, tool):
    hits = [hit for hit in memory.call(tool, query="wombat", k=20) if hit["id"] != "Ground"]  # related to one
    assert {hit["kind"]: hit["id"] for hit in hits} == ids
    assert len(hits) == len(ids)
    assert {hit["kind"]: hit["content"] for hit in hits} == CONTENT
    assert {hit["memory_type"] for hit in hits} == {"context"}
    assert {hit["kind"] for hit in hits if hit["tags"] == ["zoo:wombat"]} == {"memory", "solution"}


@pytest.mark.parametrize("tool", RECALLS)
def test_the_score_of_every_kind_is_the_sum_that_it_shows(memory, ids, tool):
    weights = memory.set_scoring_weights()["weights"]
    for hit in memory.call(tool, query="wombat", k=20):
        total = sum(weights[name] * value for name, value in hit["score_breakdown"].items())
        assert hit["score"] == pytest.approx(total, abs=1e-5)


@pytest.mark.parametrize("kind", CONTENT)
def test_each_kind_is_found_by_the_words_that_only_it_has(memory, ids, kind):
    words = {
        "memory": "builds at night",
        "solution": "restart the daemon",
        "failure": "take a lock",
        "entity": "works for",
        "vector": "note",
    }
    found = memory.recall_memory(query=f"wombat {words[kind]}", k=1)
    if kind != "vector":  # its id is not text
        assert [(hit["kind"], hit["id"]) for hit in found] == [(kind, ids[kind])]


@pytest.mark.parametrize("kind", ["failure", "solution", "entity", "vector"])
def test_with_a_memory_type_only_memories_are_found(memory, ids, kind):
    take_in(memory, {"kind": kind, "id": "typed", "content": "wombat typed", "memory_type": "context"})
    assert [hit["kind"] for hit in memory.recall_memory(query="wombat", memory_type="context", k=20)] == ["memory"]
    assert memory.recall_memory(query="wombat", memory_type="decision", k=20) == []


def test_a_vector_without_text_is_no_hit(memory, ids):
    assert "bare" not in {hit["id"] for hit in memory.recall_memory(query="bare wombat", k=50)}


def test_a_search_that_is_embedded_finds_every_kind_too(memory, ids):
    ctx = with_meaning(memory.context)
    embed_all(ctx)
    meant = Memory(ctx)
    hits = meant.recall_memory(query="wombat", k=20)
    assert {hit["kind"] for hit in hits} == set(CONTENT)
    with ctx.store.read() as tx:
        from indelible.store.tables import pending

        assert pending.count(tx) == 0


# --- A failure and its twins ---


@pytest.mark.parametrize("tool", RECALLS)
@pytest.mark.parametrize(
    "query",
    [FAILURE["errorMessage"], FAILURE["fixApplied"], "burrow locked", "wombaterror", "take a lock per burrow build"],
)
def test_a_failure_hides_the_entities_that_say_the_same(memory, tool, query):
    memory.matrix_failure(**FAILURE)
    assert [hit["kind"] for hit in memory.call(tool, query=query)] == ["failure"]


@pytest.mark.parametrize("tool", RECALLS)
@pytest.mark.parametrize("query", ["src/burrow.ts", "burrow.ts", "error capture by matrix_failure", "applied"])
def test_where_only_a_twin_has_the_words_its_failure_stands_for_it(memory, tool, query):
    key = memory.matrix_failure(**FAILURE)["id"]
    assert [hit["id"] for hit in memory.call(tool, query=query)] == [key]


def test_a_twin_that_two_failures_share_is_hidden_by_both(memory):
    keys = {memory.matrix_failure(**{**FAILURE, "errorType": type_})["id"] for type_ in ("build", "test")}
    assert len(of_kind(memory, "entity")) == 2
    assert {hit["id"] for hit in memory.recall_memory(query="src/burrow.ts")} == keys


def test_a_failure_that_a_relation_of_its_twin_leads_to_shows_the_way(memory):
    key = memory.matrix_failure(**FAILURE)["id"]
    note = memory.store_memory(content="The marmot pipeline is slow", links=[ERROR])["id"]
    found = memory.recall_with_expansion(query="marmot pipeline", expansion_depth=2)
    assert [hit["id"] for hit in found] == [note, key]
    assert [hit["expansion_path"] for hit in found] == [[note], [note, ERROR, key]]


@pytest.mark.process
def test_a_namespace_hides_and_shows_what_is_in_it_only(open_store, tmp_path):
    memory = open_store(start=repository(tmp_path / "zoo"))
    key = memory.matrix_failure(**FAILURE)["id"]
    found = memory.recall_memory(query="burrow is locked", namespace=str(tmp_path / "zoo"))
    assert [hit["id"] for hit in found] == [key]
    assert memory.recall_memory(query="burrow is locked", namespace="elsewhere") == []


def test_a_failure_comes_no_lower_than_the_twin_that_it_hides(memory):
    memory.matrix_failure(**{**FAILURE, "rootCause": "long story " * 60, "prevention": "other words " * 60})
    for n in range(6):
        memory.store_memory(content=f"A burrow near the lock, seen from window {n}")
    assert memory.recall_memory(query=FAILURE["errorMessage"], k=1)[0]["kind"] == "failure"


def test_without_its_failure_an_error_is_an_entity_like_others(memory):
    memory.create_entities(entities=[{"name": ERROR, "entityType": "Error", "observations": ["seen in CI"]}])
    assert [hit["kind"] for hit in memory.recall_memory(query="WombatError burrow is locked")] == ["entity"]
    memory.matrix_failure(**FAILURE)
    assert [hit["kind"] for hit in memory.recall_memory(query="WombatError burrow is locked")] == ["failure"]
    assert memory.search_nodes(query="burrow 7")["entities"][0]["name"] == ERROR


def test_deleting_the_twins_leaves_the_failure_and_what_it_knows(memory):
    memory.matrix_failure(**FAILURE)
    before = of_kind(memory, "failure")
    memory.delete_entities(entityNames=[item["id"] for item in of_kind(memory, "entity")])
    assert of_kind(memory, "entity") == []
    assert of_kind(memory, "failure") == before
    assert memory.recall_memory(query="burrow is locked")[0]["kind"] == "failure"
    assert memory.matrix_recall(query="WombatError burrow is locked")["relatedFailures"]
    assert memory.matrix_failure(**FAILURE)["occurrences"] == 2
    assert len(of_kind(memory, "entity")) == 2


# --- Whose comes first, and what a look changes ---


@pytest.mark.process
def test_the_own_projects_solution_and_failure_come_first_among_equals(open_store, tmp_path):
    homes = [repository(tmp_path / name) for name in ("one", "two")]
    for home in homes:
        open_store(start=home).matrix_store(problem="wombat hangs", solution="kick it", scope="global")
    for home in homes:
        hits = open_store(start=home).recall_memory(query="wombat hangs")
        assert [hit["namespace"] for hit in hits] == [str(home), *(str(other) for other in homes if other != home)]
        assert hits[0]["score"] > hits[1]["score"]
    assert len(open_store(start=tmp_path).recall_memory(query="wombat hangs", namespace=str(homes[0]))) == 1


def test_what_recall_returns_is_used_whatever_its_kind(memory, ids):
    for expected in range(3):
        hits = memory.recall_memory(query="wombat", k=20)
        assert {hit["kind"]: hit["access_count"] for hit in hits} == dict.fromkeys(ids, expected)
    assert memory.matrix_recall(query="wombat queue hangs")["solutions"][0]["uses"] == 3
    before = of_all(memory)
    for tool in RECALLS:
        memory.call(tool, query="wombat", k=20)
    assert of_all(memory) == before


def test_the_scores_of_the_toolsets_stay_apart(memory, ids):
    def shown():
        return {
            hit["kind"]: (hit["importance"], hit["score_breakdown"]["confidence"], hit["score_breakdown"]["importance"])
            for hit in memory.recall_memory(query="wombat", k=20)
        }

    before = shown()
    memory.matrix_reward(solutionId=ids["solution"], outcome="failure")
    memory.feedback(id=ids["vector"], scoreAdjustment=5)
    assert shown() == before
    memory.update_memory(id=ids["memory"], content=MEMORY, importance=0.9)
    assert memory.matrix_recall(query="wombat queue hangs")["solutions"][0]["score"] == 0.35
    assert memory.search(vector=VECTOR["vector"], limit=1)[0]["score"] == 5
    assert {kind: value[0] for kind, value in shown().items()} == {**dict.fromkeys(ids, 0.5), "memory": 0.9}
