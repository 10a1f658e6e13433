"""matrix_recall: which solutions come back, in which order, by meaning and by words alone."""

import pytest

from angles import call, with_angles
from indelible.core.records import embedding_queue
from indelible.errors import InvalidInput


@pytest.fixture
def ctx(memory):
    """A store whose texts tell their own cosine."""
    return with_angles(memory.context)


def store(ctx, problem, solution="do this", scope="global", **more):
    return call(ctx, "matrix_store", problem=problem, solution=solution, scope=scope, **more)["id"]


def problems(found):
    return [solution["problem"] for solution in found["solutions"]]


def test_an_empty_store_answers_with_nothing(memory):
    assert memory.matrix_recall(query="anything") == {"query": "anything", "solutions": [], "totalFound": 0}


@pytest.mark.parametrize(
    ("least", "found"),
    [
        (None, ["e (0.95)", "d (0.70)", "c (0.50)", "b (0.31)"]),
        (0.5, ["e (0.95)", "d (0.70)"]),
        (0.9, ["e (0.95)"]),
        (1, []),
        (0, ["e (0.95)", "d (0.70)", "c (0.50)", "b (0.31)", "a (0.29)", "nought (0.0)"]),
    ],
)
def test_what_is_less_similar_than_min_score_is_no_result(ctx, least, found):
    for problem in ("a (0.29)", "b (0.31)", "c (0.50)", "d (0.70)", "e (0.95)", "nought (0.0)", "against (-0.5)"):
        store(ctx, problem)
    given = {} if least is None else {"minScore": least}
    answer = call(ctx, "matrix_recall", query="q", limit=10, **given)
    kept = [solution for solution in answer["solutions"] if solution["problem"] != "c (0.50)" or least != 0.5]
    assert [solution["problem"] for solution in kept] == found  # 0.50 stands on the edge in 16 bits
    assert answer["totalFound"] == len(answer["solutions"])


def test_similarity_is_that_of_the_problem_not_of_the_solution(ctx):
    store(ctx, "far (0.10)", "near (0.99)")
    store(ctx, "near (0.60)", "far (0.0)")
    found = call(ctx, "matrix_recall", query="q")
    assert [(s["problem"], s["similarity"]) for s in found["solutions"]] == [("near (0.60)", 0.6)]


def test_the_order_is_by_similarity_times_score(ctx):
    weak, strong = store(ctx, "weak (0.90)"), store(ctx, "strong (0.60)")
    for _ in range(3):
        call(ctx, "matrix_reward", solutionId=weak, outcome="failure")  # 0.9 x 0.1
        call(ctx, "matrix_reward", solutionId=strong, outcome="success")  # 0.6 x 0.6355
    store(ctx, "new (0.50)")  # 0.5 x 0.5
    found = call(ctx, "matrix_recall", query="q")
    assert problems(found) == ["strong (0.60)", "new (0.50)", "weak (0.90)"]
    assert [s["score"] for s in found["solutions"]] == [0.636, 0.5, 0.1]


def test_ties_are_newest_first(ctx):
    for way in ("oldest", "older", "newest"):
        store(ctx, "same (0.80)", way)
    found = call(ctx, "matrix_recall", query="q", limit=2)
    assert [solution["solution"] for solution in found["solutions"]] == ["newest", "older"]


def test_the_total_counts_before_the_limit(ctx):
    for n in range(12):
        store(ctx, "same (0.80)", f"way {n}")
    for limit, returned in ((None, 5), (0, 0), (3, 3), (12, 12), (100, 12)):
        found = call(ctx, "matrix_recall", query="q", **({} if limit is None else {"limit": limit}))
        assert (len(found["solutions"]), found["totalFound"]) == (returned, 12)


@pytest.mark.parametrize(
    ("scope", "expected"),
    [("all", {"global", "stack", "repo"}), ("global", {"global"}), ("stack", {"stack"}), ("repo", {"repo"})],
)
def test_a_scope_is_a_filter(ctx, scope, expected):
    for each in ("global", "stack", "repo"):
        store(ctx, "same (0.80)", f"in {each}", each)
    found = call(ctx, "matrix_recall", query="q", scopeFilter=scope)
    assert {solution["scope"] for solution in found["solutions"]} == expected
    assert found["totalFound"] == len(expected)


def test_uses_are_those_before_the_call_and_grow_for_what_is_returned(ctx):
    store(ctx, "first (0.90)")
    store(ctx, "second (0.80)")
    for uses in (0, 1, 2):
        found = call(ctx, "matrix_recall", query="q", limit=1)
        assert [(s["problem"], s["uses"]) for s in found["solutions"]] == [("first (0.90)", uses)]
    assert [s["uses"] for s in call(ctx, "matrix_recall", query="q")["solutions"]] == [3, 0]


def test_the_nearest_two_failures_are_related(ctx):
    for message in ("a (0.40)", "b (0.60)", "c (0.90)", "d (0.70)"):
        call(ctx, "matrix_failure", errorType="build", errorMessage=message, rootCause="r", fixApplied="f (0.99)")
    found = call(ctx, "matrix_recall", query="q")
    assert found["solutions"] == []
    assert [(f["errorMessage"], f["similarity"]) for f in found["relatedFailures"]] == [
        ("c (0.90)", 0.9),
        ("d (0.70)", 0.7),
    ]
    assert set(found["relatedFailures"][0]) == {
        *("id", "errorType", "errorMessage", "rootCause", "fixApplied", "similarity"),
    }


def test_without_a_near_failure_none_are_named(ctx):
    call(ctx, "matrix_failure", errorType="build", errorMessage="m (0.49)", rootCause="r", fixApplied="f (0.99)")
    assert "relatedFailures" not in call(ctx, "matrix_recall", query="q")


def test_what_waits_to_be_embedded_is_found_by_its_words(ctx, memory):
    store(ctx, "embedded (0.80)")
    memory.matrix_store(problem="Wombat queue hangs (0.10)", solution="restart", scope="global")  # by no model
    found = call(ctx, "matrix_recall", query="wombat queue hangs")
    assert [(s["problem"], s["similarity"]) for s in found["solutions"]] == [
        ("Wombat queue hangs (0.10)", 1.0),
        ("embedded (0.80)", 0.8),
    ]
    while embedding_queue.work_off(ctx):
        pass
    assert problems(call(ctx, "matrix_recall", query="wombat queue hangs")) == ["embedded (0.80)"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("OAuth Google TypeScript refresh tokens", ["Implementing OAuth with Google in TypeScript, refresh tokens"]),
        ("getUserName fails", ["get_user_name raises KeyError"]),
        ("缓存清空", ["如何清空缓存"]),
        ("cle perimee", ["Clé périmée"]),
        ("quokka migration strategy", []),
        ("the", []),
    ],
)
def test_by_words_alone_the_right_ones_come_back_in_any_language(memory, query, expected):
    for problem in (
        "Implementing OAuth with Google in TypeScript, refresh tokens",
        "get_user_name raises KeyError",
        "如何清空缓存",
        "Clé périmée",
        "State of a React list is stale after an update",
    ):
        memory.matrix_store(problem=problem, solution="so", scope="global")
    assert problems(memory.matrix_recall(query=query)) == expected


def test_a_reward_is_seen_by_the_next_recall_of_another_server(open_store):
    one, other = open_store(), open_store()
    first = one.matrix_store(problem="queue hangs", solution="a", scope="global")["id"]
    one.matrix_store(problem="queue hangs", solution="b", scope="global")
    assert other.matrix_recall(query="queue hangs")["solutions"][0]["solution"] == "b"
    one.matrix_reward(solutionId=first, outcome="success")
    assert other.matrix_recall(query="queue hangs")["solutions"][0]["solution"] == "a"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"query": ""}, "query must have at least 1 character"),
        ({"query": 5}, "query must be a text, got 5"),
        ({"query": " \n"}, "query must have at least one visible character"),
        ({"query": "\u200b"}, "query must have at least one visible character"),
        ({"limit": -1}, "limit must be between 0 and 10000, got -1"),
        ({"limit": 2.5}, "limit must be a whole number, got 2.5"),
        ({"limit": True}, "limit must be a whole number, got True"),
        ({"limit": "3"}, "limit must be a whole number, got '3'"),
        ({"minScore": 1.01}, "minScore must be between 0 and 1, got 1.01"),
        ({"minScore": -0.1}, "minScore must be between 0 and 1"),
        ({"minScore": float("nan")}, "minScore must be a finite number, got nan"),
        ({"scopeFilter": "team"}, "scopeFilter must be one of 'all', 'global', 'stack' or 'repo', got 'team'"),
        ({"k": 3}, "unknown argument 'k'"),
    ],
)
def test_bad_input_is_refused_by_its_name(memory, wrong, message):
    with pytest.raises(InvalidInput, match=message):
        memory.matrix_recall(**{"query": "x", **wrong})


@pytest.mark.parametrize(
    "query", ["'; DROP TABLE record; --", '"a" NEAR(b, 2) *', "((((", "%_", "[[:alpha:]]\\", "\n?"]
)
def test_metacharacters_are_plain_text(memory, query):
    memory.matrix_store(problem="queue hangs", solution="a", scope="global")
    assert memory.matrix_recall(query=query)["totalFound"] == 0
    assert memory.matrix_recall(query="queue hangs")["totalFound"] == 1


def test_recall_memory_finds_solutions_and_failures_with_their_kind(memory):
    key = memory.matrix_store(problem="wombat queue hangs", solution="restart it", scope="global")["id"]
    memory.matrix_failure(errorType="test", errorMessage="wombat timeout", rootCause="slow disk", fixApplied="wait")
    hits = {hit["kind"]: hit for hit in memory.recall_memory(query="wombat")}
    assert (hits["solution"]["id"], hits["solution"]["content"]) == (key, "wombat queue hangs\n\nrestart it")
    assert hits["failure"]["content"] == "test: wombat timeout\nCause: slow disk\nFix: wait"
    assert {hit["memory_type"] for hit in hits.values()} == {"context"}
    assert memory.recall_memory(query="wombat", memory_type="decision") == []
    assert memory.export_memories() == []


def test_a_solution_may_be_related_to_any_record(memory):
    solution = memory.matrix_store(problem="queue hangs", solution="restart", scope="global")["id"]
    other = memory.store_memory(content="The queue is in Redis", links=[solution])["id"]
    failure = memory.matrix_failure(errorType="test", errorMessage="m", rootCause="r", fixApplied="f")["id"]
    memory.associate_memories(source_id=failure, target_id=solution, relationship="LEADS_TO")
    assert {node["id"] for node in memory.graph_traverse(start_id=f"solution:{solution}")} == {solution, other, failure}
