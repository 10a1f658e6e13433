"""get_decision_chain: the decisions about a file or a topic, with those that they came from and led to."""

import itertools

import pytest

from foreign import take_in
from in_turn import FULL_ON_BOTH
from indelible.errors import InvalidInput
from indelible.model import RELATIONSHIPS

CHAIN = ("EVOLVED_INTO", "LEADS_TO", "DERIVED_FROM")


def decide(memory, *contents, **fields):
    """Decisions of these contents, one a day, named a, b, c ..."""
    named = zip("abcdefghijklmnopqrstuvwxyz", contents, strict=False)
    items = [
        {"id": name, "content": text, "memory_type": "decision", "created_at": f"2026-01-{day:02}T08:00:00Z", **fields}
        for day, (name, text) in enumerate(named, start=1)
    ]
    assert memory.import_memories(memories=items)["errors"] == []


def relate(memory, *pairs, relationship="LEADS_TO"):
    for source, target in pairs:
        memory.associate_memories(source_id=source, target_id=target, relationship=relationship)


def chain(memory, **asked):
    """The ids of a chain, joined."""
    answer = memory.get_decision_chain(**asked)
    assert answer["filter"] == asked
    assert answer["chain_length"] == len(answer["decisions"])
    return "".join(decision["id"] for decision in answer["decisions"])


# --- What is asked for ---


def test_a_decision_is_shown_with_what_is_known_of_it(memory):
    memory.import_memories(
        memories=[
            {
                "id": "a",
                "content": "sessions live in redis",
                "memory_type": "decision",
                "importance": 0.8,
                "tags": ["auth", "store:redis"],
                "created_at": "2026-01-02T03:04:05.678Z",
            }
        ]
    )
    assert memory.get_decision_chain(topic="redis") == {
        "chain_length": 1,
        "filter": {"topic": "redis"},
        "decisions": [
            {
                "id": "a",
                "content": "sessions live in redis",
                "importance": 0.8,
                "tags": ["auth", "store:redis"],
                "created_at": "2026-01-02T03:04:05Z",
                "connections": [],
            }
        ],
    }


@pytest.mark.parametrize("asked", [{"topic": "redis"}, {"file_path": "src/x.rs"}, {"file_path": "/", "topic": "redis"}])
def test_what_no_decision_is_about_is_an_empty_chain(memory, asked):
    assert memory.get_decision_chain(**asked) == {"chain_length": 0, "filter": asked, "decisions": []}
    decide(memory, "we use axum in src/main.rs")
    assert memory.get_decision_chain(**asked) == {"chain_length": 0, "filter": asked, "decisions": []}


@pytest.mark.parametrize("arguments", [{}, {"file_path": None}, {"topic": None, "file_path": None}])
def test_one_of_file_path_and_topic_is_required(memory, arguments):
    with pytest.raises(InvalidInput, match="file_path or topic is required"):
        memory.get_decision_chain(**arguments)


@pytest.mark.parametrize("name", ["file_path", "topic"])
@pytest.mark.parametrize("value", ["", 7, True, ["x"], {}])
def test_what_is_no_text_is_refused(memory, name, value):
    with pytest.raises(InvalidInput, match=f"{name} must"):
        memory.get_decision_chain(**{name: value})


# --- Topics ---


@pytest.mark.parametrize(
    ("topic", "content", "found"),
    [
        ("redis", "sessions live in Redis", True),
        ("REDIS", "sessions live in redis", True),
        ("session redis", "redis keeps the sessions", True),
        ("sessions postgres", "sessions live in redis", False),
        ("red", "sessions live in redis", False),
        ("user name", "getUserName is cached", True),
        ("userName", "the user name is cached", True),
        ("userName", "username is cached", True),
        ("username", "userName is cached", True),
        ("user_name", "userName is cached", True),
        ("getUserName", "the user is cached", False),
        ("retry_count", "retryCount is three", True),
        ("HTTPServer", "an http server of our own", True),
        ("the storage of sessions", "session storage is redis", True),
        ("of the", "the end of the line", True),
        ("of the", "redis it is", False),
        ("café", "CAFE is the code name", True),
        ("認証", "認証にはJWTを使う", True),
        ("認証", "証認にはJWTを使う", False),
        ("認証JWT", "JWTで認証する", True),
        ("größe", "die GRÖSSE zählt", True),
        ("auth-flow: tokens", "tokens of the auth flow", True),
        ("C", "we write C here", True),
        ("!!!", "!!! important", False),
        ("%", "100 % sure", False),
    ],
)
def test_all_words_of_a_topic_must_be_there(memory, topic, content, found):
    decide(memory, content)
    assert chain(memory, topic=topic) == ("a" if found else "")


def test_words_of_a_topic_may_stand_in_the_tags(memory):
    decide(memory, "sessions live in redis", tags=["auth:login-flow"])
    for topic in ("auth", "login sessions", "login flow auth redis"):
        assert chain(memory, topic=topic) == "a"
    assert chain(memory, topic="auth postgres") == ""


def test_names_and_metadata_are_no_topic(memory):
    decide(memory, "sessions live in redis", label="auth", metadata={"about": "login"})
    assert chain(memory, topic="auth") == chain(memory, topic="login") == ""


def test_a_changed_decision_is_found_by_its_new_words(memory):
    decide(memory, "sessions live in redis")
    memory.update_memory(id="a", content="sessions live in postgres")
    assert (chain(memory, topic="redis"), chain(memory, topic="postgres")) == ("", "a")


@pytest.mark.parametrize("memory_type", ["pattern", "preference", "style", "habit", "insight", "context"])
def test_only_decisions_are_in_a_chain(memory, memory_type):
    decide(memory, "sessions live in redis")
    memory.store_memory(content="redis is fast", memory_type=memory_type)
    take_in(memory, {"kind": "vector", "id": "v", "content": "redis", "memory_type": "decision"})
    assert chain(memory, topic="redis") == "a"


def test_decisions_of_every_namespace_are_found(memory):
    for space in ("/a", "/b"):
        memory.store_memory(content=f"redis for {space}", memory_type="decision", namespace=space)
    memory.store_memory(content="redis for all", memory_type="decision")
    assert memory.get_decision_chain(topic="redis")["chain_length"] == 3


# --- Files (tests/search/test_file_paths.py has the table of paths) ---


@pytest.mark.parametrize(
    "place",
    [
        {"content": "axum lives in src/auth.rs."},
        {"content": "axum it is", "tags": ["file:src/auth.rs"]},
        {"content": "axum it is", "metadata": {"file_path": "src/auth.rs"}},
        {"content": "axum it is", "metadata": {"deep": [{"files": ["src/db.rs", "src\\auth.rs"]}]}},
        {"content": "axum it is", "metadata": {"lines": {"src/auth.rs": 7}}},
        {"content": 'axum it is, "quoted"', "metadata": {"said": 'first\n"src/auth.rs"\nlast'}},
    ],
)
@pytest.mark.parametrize("file_path", ["src/auth.rs", "/home/me/app/src/auth.rs", "src\\auth.rs", "auth.rs"])
def test_a_file_may_be_named_in_content_tags_or_metadata(memory, place, file_path):
    memory.import_memories(memories=[{"id": "a", "memory_type": "decision", **place}])
    decide(memory, "unused", "axum lives in lib/oauth.rs")
    assert chain(memory, file_path=file_path) == "a"


@pytest.mark.parametrize("key", ["file:src/auth.rs", "src/auth.rs", "file:/home/me/app/src/auth.rs"])
@pytest.mark.parametrize("forward", [True, False])
def test_a_file_may_be_related(memory, key, forward):
    decide(memory, "axum it is", "rocket it was", "warp it may be")
    take_in(memory, *({"kind": "file", "id": name, "content": "x"} for name in (key, "file:src/oauth.rs")))
    name = key if key.startswith("file:") else f"file:{key}"
    relate(memory, ("a", name) if forward else (name, "a"), relationship="EXPLAINS")
    relate(memory, ("b", "file:src/oauth.rs"), relationship="EXPLAINS")
    assert chain(memory, file_path="src/auth.rs") == chain(memory, file_path="/home/me/app/src/auth.rs") == "a"


def test_names_in_other_scripts_and_forms_are_found(memory):
    decide(memory, "siehe docs/u\u0308bersicht.md", "見てdocs/设计.mdください", 'metadata says "x".md')
    assert chain(memory, file_path="docs/\u00fcbersicht.md") == "a"
    assert chain(memory, file_path="设计.md") == "b"
    assert chain(memory, file_path='"x".md') == "c"


def test_both_given_must_both_fit(memory):
    decide(memory, "redis in src/auth.rs", "redis in src/db.rs", "axum in src/auth.rs")
    assert chain(memory, file_path="src/auth.rs") == "ac"
    assert chain(memory, topic="redis") == "ab"
    assert chain(memory, file_path="src/auth.rs", topic="redis") == "a"
    assert chain(memory, file_path="src/db.rs", topic="axum") == ""


def test_an_absurdly_long_path_is_refused(memory):
    decide(memory, "a" * 5000)
    with pytest.raises(InvalidInput, match=r"file_path must have at most 4,096 characters, got 5,000"):
        chain(memory, file_path="a" * 5000)


# --- What is linked ---


@pytest.mark.parametrize("relationship", RELATIONSHIPS)
@pytest.mark.parametrize("forward", [True, False])
def test_the_three_relations_of_chains_are_followed_in_either_direction_and_no_others(memory, relationship, forward):
    decide(memory, "sessions live in redis", "the cluster was sold")
    relate(memory, ("a", "b") if forward else ("b", "a"), relationship=relationship)
    assert chain(memory, topic="redis") == ("ab" if relationship in CHAIN else "a")


def test_a_chain_reaches_as_far_as_its_relations(memory):
    decide(memory, "sessions live in redis", *(f"step {i}" for i in range(16)), "aside")
    letters = "abcdefghijklmnopq"
    for at, pair in enumerate(itertools.pairwise(letters)):
        relate(memory, pair if at % 2 else pair[::-1], relationship=CHAIN[at % 3])
    assert chain(memory, topic="redis") == letters


def test_relations_in_a_circle_end(memory):
    decide(memory, "sessions live in redis", "one", "two")
    relate(memory, "ab", "bc", "ca", "ac")
    assert chain(memory, topic="redis") == "abc"


def test_other_records_on_the_way_are_passed_but_are_not_in_the_chain(memory):
    decide(memory, "sessions live in redis", "the cluster was sold")
    insight = memory.store_memory(content="we learned something", memory_type="insight")["id"]
    take_in(memory, {"kind": "entity", "id": "E", "content": "an entity"})
    relate(memory, ("a", insight), (insight, "E"))
    relate(memory, ("b", "E"), relationship="DERIVED_FROM")
    answer = memory.get_decision_chain(topic="redis")
    assert [(d["id"], d["connections"]) for d in answer["decisions"]] == [("a", []), ("b", [])]


def test_a_refined_decision_and_its_refinements_are_one_chain(memory, clock):
    first = memory.store_memory(content="sessions live in redis", memory_type="decision")["id"]
    clock.pass_(days=1)
    second = memory.refine_memory(id=first, content="sessions live in postgres")["new_id"]
    answer = memory.get_decision_chain(topic="redis")
    step = {"relationship": "EVOLVED_INTO", "source": first, "target": second}
    assert [(d["id"], d["connections"]) for d in answer["decisions"]] == [(first, [step]), (second, [step])]


def test_connections_are_the_relations_of_the_chain_at_both_their_ends_in_its_order(memory):
    decide(memory, "sessions live in redis", "one", "two", "other")
    relate(memory, "cb", "ab")
    relate(memory, "ba", relationship="EVOLVED_INTO")
    relate(memory, "ab", relationship="DERIVED_FROM")
    relate(memory, "ac", "ad", relationship="CONTRADICTS")
    shown = {
        d["id"]: ["{source}-{relationship}-{target}".format(**c) for c in d["connections"]]
        for d in memory.get_decision_chain(topic="redis")["decisions"]
    }
    between = ["a-DERIVED_FROM-b", "a-LEADS_TO-b", "b-EVOLVED_INTO-a"]
    assert shown == {"a": between, "b": [*between, "c-LEADS_TO-b"], "c": ["c-LEADS_TO-b"]}


def test_relations_of_any_spelling_count_by_their_upper_case_form(memory):
    edge = {"source": "a", "target": "b", "relationship": "leads_to"}
    decide(memory, "sessions live in redis", "one")
    memory.import_memories(memories=[{"content": "carries a relation", "edges": [edge]}])
    decisions = memory.get_decision_chain(topic="redis")["decisions"]
    step = {"relationship": "LEADS_TO", "source": "a", "target": "b"}
    assert [d["connections"] for d in decisions] == [[step], [step]]


# --- Order, accesses, size ---


def test_the_oldest_comes_first_and_ties_go_by_id(memory):
    times = {"c": 5, "a": 5, "b": 5, "z": 1, "d": 9}
    memory.import_memories(
        memories=[
            {"id": i, "content": f"redis {i}", "memory_type": "decision", "created_at": f"2026-01-0{day}T00:00:00Z"}
            for i, day in times.items()
        ]
    )
    assert chain(memory, topic="redis") == "zabcd"


def test_decisions_that_are_returned_count_as_accessed(memory):
    decide(memory, "sessions live in redis", "one", "redis was slow", "other")
    relate(memory, "ab")
    memory.get_decision_chain(topic="redis")
    counts = {item["id"]: item["access_count"] for item in memory.export_memories()}
    assert counts == {"a": 1, "b": 1, "c": 1, "d": 0}


@pytest.mark.slow
@pytest.mark.parametrize("length", [300, pytest.param(3000, marks=FULL_ON_BOTH)])
def test_a_long_chain_is_shown_by_the_page_and_whole_on_request(memory, length):
    ids = [f"d{i:04}" for i in range(length)]
    middle = ids[length // 2]
    links = itertools.zip_longest(ids, ids[1:])
    items = [
        {
            "id": name,
            "content": f"step {name}",
            "memory_type": "decision",
            "created_at": "2026-01-01T00:00:00Z",
            "edges": [{"source": name, "target": following, "relationship": "EVOLVED_INTO"}] if following else [],
        }
        for name, following in links
    ]
    assert memory.import_memories(memories=items)["errors"] == []
    first = memory.get_decision_chain(topic=middle)
    assert first["chain_length"] == length
    assert [decision["id"] for decision in first["decisions"]] == ids[: len(first["decisions"])]
    assert len(first["decisions"]) < 100
    answer = memory.get_decision_chain(topic=middle, limit=length)
    assert [decision["id"] for decision in answer["decisions"]] == ids
    assert sum(len(decision["connections"]) for decision in answer["decisions"]) == 2 * (length - 1)


def test_two_processes_see_the_same_chain(open_store):
    one, two = open_store(), open_store()
    decide(one, "sessions live in redis", "the cluster was sold")
    assert chain(two, topic="redis") == "a"
    relate(one, "ab")
    assert chain(two, topic="redis") == "ab"
    two.delete_memory(id="a")
    assert (chain(one, topic="redis"), chain(one, topic="cluster")) == ("", "b")
