import json
import subprocess
import sys

import pytest

import on_postgres
from foreign import take_in
from indelible.errors import InvalidInput
from indelible.search.scoring import DEFAULT_WEIGHTS

COMPONENTS = {
    "vector_similarity": 0.25,
    "graph_strength": 0.25,
    "token_overlap": 0.15,
    "temporal": 0.10,
    "tag_matching": 0.10,
    "importance": 0.05,
    "confidence": 0.05,
    "recency": 0.05,
}


def store(memory, *contents, **arguments):
    return [memory.store_memory(content=content, **arguments)["id"] for content in contents]


def ids(memory, query, **arguments):
    return [hit["id"] for hit in memory.recall_memory(query=query, **arguments)]


def test_a_hit_shows_the_memory_and_how_its_score_came_about(memory):
    (stored,) = store(
        memory,
        "Team decided to use Axum over Actix",
        memory_type="decision",
        importance=0.8,
        tags=["api", "axum"],
        namespace="/dev/app",
    )
    (hit,) = memory.recall_memory(query="axum or actix")
    assert list(hit["score_breakdown"]) == list(COMPONENTS)
    assert {name: value for name, value in hit.items() if name not in ("score", "score_breakdown")} == {
        "id": stored,
        "content": "Team decided to use Axum over Actix",
        "memory_type": "decision",
        "importance": 0.8,
        "tags": ["api", "axum"],
        "namespace": "/dev/app",
        "kind": "memory",
        "access_count": 0,
        "created_at": "2026-03-01T12:00:00Z",
    }


def test_a_memory_of_no_project_has_no_namespace_in_its_hit(memory):
    store(memory, "nobody's axum")
    assert "namespace" not in memory.recall_memory(query="axum")[0]


@pytest.mark.parametrize(
    "query", ["anything at all", "xyzzy plugh", "!!! ... ???", "🚀", "the of and", "NOT", '"', "*", "a OR"]
)
def test_an_empty_store_knows_nothing(memory, query):
    assert memory.recall_memory(query=query) == []


@pytest.mark.parametrize("query", ["xyzzy plugh frobnicate", "!!! ... ???", "🚀 🎉", "qqqqqqqqqq"])
def test_a_nonsense_query_finds_nothing(memory, query):
    store(memory, "Axum was chosen", "Deploys run on Fridays 🚀", "The cache is reset at midnight")
    assert memory.recall_memory(query=query) == []


BLANK = ["   ", " \t\r\n", "\u3000\u00a0", "\u200b\ufeff\u2060", " \u202e\x1b[31m\x07 "]


@pytest.mark.parametrize("query", BLANK)
@pytest.mark.parametrize("name", ["recall_memory", "recall_with_expansion", "recall_with_impact"])
def test_a_query_that_shows_nothing_is_refused(memory, name, query):
    store(memory, "Axum was chosen")
    with pytest.raises(InvalidInput, match=r"^query must have at least one visible character, got '"):
        memory.call(name, query=query)


def test_one_common_word_is_no_evidence(memory):
    names = [f"{a}{b}" for a in ("quo", "zan", "mil", "ter", "vol") for b in ("bar", "dex", "fin", "gol", "hum", "jot")]
    store(memory, *(f"the service {name} is here" for name in names))
    assert memory.recall_memory(query="which service sells bananas cheaply in tropical countries") == []
    assert [hit["content"] for hit in memory.recall_memory(query="the zandex service", k=40)] == [
        "the service zandex is here"
    ]
    assert len(memory.recall_memory(query="which services?", k=40)) == 30


def test_no_result_is_asked_for_and_none_comes(memory):
    store(memory, "Axum was chosen")
    assert memory.recall_memory(query="axum", k=0) == []


def test_at_most_k_come_best_first_and_ten_unless_said(memory):
    store(memory, *("axum " * (i + 1) + "filler " * (20 - i) for i in range(20)))
    assert len(memory.recall_memory(query="axum")) == 10
    for k in (1, 3, 20, 1000):
        hits = memory.recall_memory(query="axum", k=k)
        scores = [hit["score"] for hit in hits]
        assert len(hits) == min(k, 20)
        assert scores == sorted(scores, reverse=True)
    assert memory.recall_memory(query="axum", k=1)[0]["content"].startswith("axum axum axum")


def test_the_record_with_more_of_the_query_comes_first(memory):
    low, high, middle = store(
        memory,
        "the retry policy of the mailer is documented in the handbook",
        "gateway timeout after ten seconds of retry",
        "a gateway timeout was seen once in the old cluster",
    )
    assert ids(memory, "gateway timeout retry") == [high, middle, low]


# --- The score ---


def test_the_score_is_the_weighted_sum_of_eight_components_each_between_0_and_1(open_store, clock):
    memory = open_store(project="mine")
    old, new, child, third, _ = store(
        memory,
        "the gateway timeout is ten seconds",
        "the gateway timeout is now twenty seconds for every gateway and each of its neighbours",
        "measured under load, the pool needs it",
        "a gateway for the mailer",
        "gateway timeout of the cluster",
        tags=["gateway", "ops:timeout"],
        importance=1.0,
    )
    store(memory, "gateway timeout elsewhere", namespace="other")
    memory.associate_memories(source_id=old, target_id=new, relationship="EVOLVED_INTO")
    memory.associate_memories(source_id=new, target_id=child, relationship="LEADS_TO", weight=7.5)
    memory.associate_memories(source_id=third, target_id=child, relationship="PART_OF", weight=-3)
    clock.pass_(days=3)
    seen = set()
    for query in ("gateway timeout", "gateway timeout last week", "ops timeout gateway pool", "gateway in May 2024"):
        hits = memory.recall_memory(query=query)
        assert len(hits) >= 5
        for hit in hits:
            parts = hit["score_breakdown"]
            assert all(0 <= value <= 1 for value in parts.values()), parts
            assert hit["score"] == pytest.approx(sum(COMPONENTS[n] * v for n, v in parts.items()), abs=2e-6)
            seen |= {name for name, value in parts.items() if value > 0}
        scores = [hit["score"] for hit in hits]
        assert scores == sorted(scores, reverse=True)
    assert seen == set(COMPONENTS) - {"vector_similarity"}  # meaning comes with the next step
    assert dict(DEFAULT_WEIGHTS) == COMPONENTS


def test_importance_orders_what_is_equally_relevant_and_lifts_nothing_irrelevant(memory):
    low, high = (store(memory, f"axum note {name}", importance=value)[0] for name, value in (("a", 0.1), ("b", 0.9)))
    store(memory, "bananas are yellow", importance=1.0)
    assert ids(memory, "axum note") == [high, low]


def test_of_equal_scores_the_smaller_id_comes_first(memory):
    items = [{"id": name, "content": f"axum note {name}", "created_at": "2026-01-01T00:00:00Z"} for name in "dbeac"]
    assert memory.import_memories(memories=items)["imported"] == 5
    hits = memory.recall_memory(query="axum note")
    assert len({hit["score"] for hit in hits}) == 1
    assert [hit["id"] for hit in hits] == list("abcde")


def test_of_equal_scores_the_newest_comes_first(memory):
    """Inside the time that the query names all are equally timely, and all were accessed at the same moment."""
    items = [
        {
            "id": name,
            "content": f"axum note {name}",
            "created_at": f"2026-02-28T0{hour}:00:00Z",
            "access_count": 1,
            "last_accessed_at": "2026-03-01T00:00:00Z",
        }
        for name, hour in (("a", 3), ("b", 1), ("c", 5), ("d", 2))
    ]
    memory.import_memories(memories=items)
    hits = memory.recall_memory(query="axum note of yesterday")
    assert len({hit["score"] for hit in hits}) == 1
    assert [hit["id"] for hit in hits] == ["c", "a", "d", "b"]


RECALLS = """
import json, sys
from datetime import UTC, datetime
from pathlib import Path
from indelible.core.context.context import open_context
from indelible.api import Memory
from indelible.settings import Settings
here = Path(sys.argv[1])
settings = Settings(data=here / "data", start=here, home=here, read_only=True)
with Memory(open_context(settings, lambda: datetime(2026, 3, 1, 13, tzinfo=UTC))) as memory:
    for query in ("axum", "axum note seven", "alpha beta gamma", "pool of the gateway last week", "area one"):
        print(json.dumps(memory.recall_memory(query=query, k=50)))
    print(json.dumps(memory.graph_traverse(start_id=sys.argv[2], max_depth=4)))
    print(json.dumps([memory.export_memories(limit=100), memory.codemem_stats()]))
"""


@pytest.mark.process
def test_every_process_gives_the_same_answers_whatever_its_hash_seed(open_store, tmp_path):
    memory = open_store()
    words = ["axum", "alpha", "beta", "gamma", "gateway", "pool", "note", "seven"]
    stored = [
        *store(memory, *(f"{words[i % 8]} {words[i % 5]} {words[i % 3]} {i % 4}" for i in range(40))),
        *store(memory, *(f"axum note {i}" for i in range(20)), tags=["area:one", "area:two", "three"]),
    ]
    stored = list(dict.fromkeys(stored))
    for i, source in enumerate(stored):
        for step in (1, 7, 11):
            target = stored[(i + step) % len(stored)]
            memory.associate_memories(source_id=source, target_id=target, relationship="LEADS_TO", weight=i % 3)
    memory.close()
    answers = set()
    for seed in ("0", "1", "4242"):
        ran = subprocess.run(
            [sys.executable, "-c", RECALLS, str(tmp_path), stored[0]],
            env={"PYTHONHASHSEED": seed, "PATH": "", **on_postgres.inherited()},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        assert all(json.loads(line) for line in ran.stdout.splitlines())
        answers.add(ran.stdout)
    assert len(answers) == 1


# --- Filters ---


def crowd(memory, count, **arguments):
    """As many memories that fit the query better than any other."""
    items = [
        {"content": "axum axum axum router choice " * 3 + str(i), "importance": 1.0, **arguments} for i in range(count)
    ]
    assert memory.import_memories(memories=items)["imported"] == count


@pytest.mark.slow
@pytest.mark.parametrize(
    ("crowded", "asked"),
    [
        ({"namespace": "/crowd"}, {"namespace": "/mine"}),
        ({"namespace": "/mine", "memory_type": "habit"}, {"memory_type": "decision"}),
        ({"namespace": "/mine", "memory_type": "habit"}, {"namespace": "/mine", "memory_type": "decision"}),
        ({"namespace": "/crowd", "memory_type": "decision"}, {"namespace": "/mine", "memory_type": "decision"}),
    ],
    ids=["namespace", "type", "both-by-type", "both-by-namespace"],
)
def test_k_results_come_although_the_best_1100_records_are_outside_the_filter(memory, crowded, asked):
    crowd(memory, 1100, **crowded)
    wanted = {
        memory.store_memory(
            content=f"a long text about many other things that mentions the axum router somewhere {i}",
            namespace="/mine",
            memory_type="decision",
            importance=0.0,
        )["id"]
        for i in range(12)
    }
    hits = memory.recall_memory(query="axum router choice", k=10, **asked)
    assert len(hits) == 10
    assert {hit["id"] for hit in hits} <= wanted
    assert set(ids(memory, "axum router choice", k=12, **asked)) == wanted


def test_a_filter_that_nothing_passes_finds_nothing(memory):
    store(memory, "axum", namespace="/a", memory_type="decision")
    assert memory.recall_memory(query="axum", namespace="/b") == []
    assert memory.recall_memory(query="axum", memory_type="habit") == []
    assert memory.recall_memory(query="axum", namespace="/a", memory_type="decision") != []


def test_all_kinds_that_remember_are_recalled_and_a_memory_type_asks_for_memories_only(memory):
    recalled = ["solution", "failure", "vector", "entity", "chunk", "message", "todo", "attempt"]
    take_in(
        memory,
        *({"kind": kind, "id": f"{kind}_1", "content": f"axum {kind}", "memory_type": "x"} for kind in recalled),
        *({"kind": kind, "id": f"{kind}_1", "content": f"axum {kind}"} for kind in ("symbol", "file", "document")),
    )
    take_in(memory, {"kind": "entity", "id": "decided", "content": "axum decided", "memory_type": "decision"})
    (own,) = store(memory, "axum memory", memory_type="decision")
    hits = memory.recall_memory(query="axum", k=50)
    assert {hit["kind"] for hit in hits} == {"memory", *recalled}
    assert {hit["memory_type"] for hit in hits if hit["kind"] != "memory"} == {"context"}
    assert ids(memory, "axum", memory_type="decision") == [own]
    assert ids(memory, "axum", memory_type="context") == []


# --- One text, one hit ---


def test_one_text_is_one_hit_within_a_kind_and_namespace(memory):
    old, current = store(memory, "the axum port is 5050", "the axum port is 8080")
    memory.associate_memories(source_id=old, target_id=current, relationship="EVOLVED_INTO")
    (back,) = store(memory, "the axum port is 5050")
    (elsewhere,) = store(memory, "the axum port is 5050", namespace="/else")
    take_in(memory, {"kind": "entity", "id": "port", "content": "the axum port is 5050"})
    assert sorted(ids(memory, "axum port 5050")) == sorted([back, current, elsewhere, "port"])


# --- Tags ---


@pytest.mark.parametrize("query", ["observability", "area observability", "Tracing", "OBSERVABILITY tracing"])
def test_a_memory_is_found_by_its_tags(memory, query):
    (tagged,) = store(memory, "spans are sampled at one percent", tags=["area:observability:tracing", "ops"])
    store(memory, "bananas are yellow", tags=["fruit"])
    assert ids(memory, query) == [tagged]


@pytest.mark.parametrize(
    ("tags", "query", "share"),
    [
        (["api", "framework", "axum"], "axum api", 2 / 3),
        (["lang:rust:axum"], "axum", 1 / 3),
        (["axum"], "axum", 1),
        (["Axum"], "which axum?", 1),
        (["two words", "axum"], "axum words", 1 / 2),
        (["two words", "axum"], "two words axum", 1),
        (["databases"], "axum database", 1),
        (["::", ":axum:"], "axum", 1),
        ([], "axum", 0),
    ],
)
def test_tag_matching_is_the_share_of_the_tags_parts_whose_words_are_in_the_query(memory, tags, query, share):
    store(memory, "axum it is", tags=tags)
    (hit,) = memory.recall_memory(query=query)
    assert hit["score_breakdown"]["tag_matching"] == pytest.approx(share, abs=1e-6)


# --- Time ---


@pytest.fixture
def dated(memory):
    """Equal memories of different days; now is Sunday, 2026-03-01."""
    days = ["2026-02-28", "2026-02-25", "2026-02-18", "2026-01-15", "2025-08-08", "2024-05-05"]
    items = [
        {"id": day, "content": f"deploy of the pipeline {i}", "created_at": f"{day}T09:00:00Z"}
        for i, day in enumerate(days)
    ]
    assert memory.import_memories(memories=items)["imported"] == len(days)
    return memory


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("pipeline deploy", "2026-02-28"),
        ("pipeline deploy yesterday", "2026-02-28"),
        ("pipeline deploy last week", "2026-02-18"),
        ("pipeline deploy on Wednesday", "2026-02-25"),
        ("pipeline deploy in January", "2026-01-15"),
        ("the pipeline deploy in August 2025", "2025-08-08"),
        ("pipeline deploy 2025-08-08", "2025-08-08"),
        ("the deploy of the pipeline in 2024", "2024-05-05"),
        ("pipeline deploy before 2025", "2024-05-05"),
        ("pipeline deploy 11 days ago", "2026-02-18"),
    ],
)
def test_a_time_in_the_query_brings_that_time_first_and_keeps_the_rest(dated, query, first):
    hits = dated.recall_memory(query=query)
    assert hits[0]["id"] == first
    assert hits[0]["score_breakdown"]["temporal"] > hits[1]["score_breakdown"]["temporal"]
    assert len(hits) == 6


def test_inside_the_named_time_temporal_is_1_and_it_falls_off_outside(dated):
    hits = {hit["id"]: hit["score_breakdown"]["temporal"] for hit in dated.recall_memory(query="deploy in February")}
    assert [hits[day] for day in ("2026-02-28", "2026-02-25", "2026-02-18")] == [1, 1, 1]
    assert 1 > hits["2026-01-15"] > hits["2025-08-08"] > hits["2024-05-05"] >= 0


# --- Refusals ---


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, r"query is required"),
        ({"query": ""}, r"query must .*got ''"),
        ({"query": None}, r"query must be"),
        ({"query": "x", "k": -1}, r"k must be between 0 and 10000, got -1"),
        ({"query": "x", "k": 10_001}, r"k must be between 0 and 10000, got 10001"),
        ({"query": "x", "k": 1.5}, r"k must be a whole number, got 1.5"),
        ({"query": "x", "k": 1e300}, r"k must be a whole number, got 1e\+300"),
        ({"query": "x", "k": "3"}, r"k must be a whole number, got '3'"),
        ({"query": "x", "k": True}, r"k must be a whole number, got True"),
        ({"query": "x", "k": 1 << 80}, r"k must be a number below 2\^63"),
        ({"query": "x", "memory_type": "memo"}, r"memory_type must be one of .*got 'memo'"),
        ({"query": "x", "namespace": ""}, r"namespace must .*got ''"),
        ({"query": "x", "limit": 3}, r"unknown argument 'limit'; allowed are: query, k, memory_type, namespace"),
        ({"query": "x" * (1 << 20) + "y"}, r"query has 1,048,577 bytes"),
    ],
)
def test_bad_input_is_refused(memory, arguments, words):
    with pytest.raises(InvalidInput, match=words):
        memory.recall_memory(**arguments)


def test_a_whole_number_may_be_written_as_a_fraction(memory):
    store(memory, "axum one", "axum two", "axum three")
    assert len(memory.recall_memory(query="axum", k=2.0)) == 2
