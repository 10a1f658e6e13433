"""Recall finds what is meant, not only what is said, with a real encoder: in this process, and between servers."""

import random
import re
import sys
import time

import pytest

import encoders
from command_line import result
from embedding_rows import leave_room
from encoders import PATIENCE, SHARED
from foreign import take_in
from indelible.api import open_memory
from indelible.core.recall import trace
from indelible.core.recall.candidates import Query
from indelible.core.records import embedding_queue
from indelible.search import tokens
from mcp_client import McpClient

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform == "win32", reason="signals and modes are POSIX")]

KNOWN = {
    "database": "We picked PostgreSQL to hold all customer records",
    "backup": "The nightly job that copies data to the second site fails",
    "freeze": "Releases are frozen on Fridays",
    "hashes": "Passwords are hashed with argon2id",
    "lights": "Lamps in the office switch themselves off at nine",
    "parking": "Parking spots are numbered",
}
PARAPHRASES = [
    ("which database do we use?", "database"),
    ("why is the backup broken?", "backup"),
    ("can I deploy before the weekend?", "freeze"),
    ("how do we protect user credentials?", "hashes"),
]
ABOUT_NONE = [
    "how do I bake sourdough bread?",
    "photosynthesis in desert plants",
    "Wann blühen die Kirschbäume in Bonn?",
    "who won the football match yesterday?",
]


@pytest.fixture(scope="module", autouse=True)
def encoder():
    with encoders.running() as running:
        yield running


@pytest.fixture
def open_meaning(open_store):
    """Open a store whose texts are found by meaning."""
    return lambda *name, **given: open_store(*name, encoder="shared", **given)


@pytest.fixture
def memory(open_meaning):
    return open_meaning()


@pytest.fixture
def known(memory):
    remember(memory, *KNOWN.values())
    return memory


def remember(memory, *contents, **arguments):
    """Store texts and wait until they are found by meaning; their ids."""
    stored = [memory.store_memory(content=content, **arguments)["id"] for content in contents]
    settle(memory)
    return stored


def settle(memory):
    until = time.monotonic() + PATIENCE
    while left := embedding_queue.waiting(memory.context):
        embedding_queue.work_off(memory.context)
        assert time.monotonic() < until, f"{left} texts are not embedded: {memory.codemem_health()}"


def contents(memory, query, **arguments):
    return [hit["content"] for hit in memory.recall_memory(query=query, **arguments)]


def similarity(hit):
    return hit["score_breakdown"]["vector_similarity"]


# --- By meaning ---


@pytest.mark.parametrize(("query", "name"), PARAPHRASES)
def test_a_question_finds_its_answer_without_a_word_in_common(known, query, name):
    assert not {word for word in tokens.words(query) if tokens.is_telling(word)} & set(tokens.words(KNOWN[name]))
    hits = known.recall_memory(query=query)
    assert hits[0]["content"] == KNOWN[name]
    assert similarity(hits[0]) > 0.1
    assert hits[0]["score_breakdown"]["token_overlap"] == 0


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("Die Datenbank wird jede Nacht gesichert", "Wann werden die Datenbanken gesichert?"),
        ("Der Chef ist im Urlaub bis Montag", "Wie lange dauert der Urlaub unseres Chefs noch?"),
        ("数据库每天晚上备份到异地机房", "什么时候做备份？"),
        ("認証サーバーは毎晩再起動する", "認証のサーバはいつ再起動しますか"),
        ("Le serveur de paie est arrêté le dimanche", "quand les serveurs de paie sont-ils arrêtés ?"),
    ],
)
def test_other_languages_are_found_among_english_by_their_words(known, content, query):
    remember(known, content)
    (first, *_) = known.recall_memory(query=query)
    assert first["content"] == content
    assert similarity(first) == 0
    assert first["score_breakdown"]["token_overlap"] > 0.2


@pytest.mark.parametrize("query", ["レシピを教えて", "Wie heißt die Katze des Nachbarn?", "как зовут кошку соседа"])
def test_a_question_in_a_language_that_the_model_does_not_know_is_not_compared_by_it(known, query):
    assert known.recall_memory(query=query) == []


def test_the_similarity_is_1_for_the_text_itself_and_less_for_every_other(known):
    for content in KNOWN.values():
        first, *others = known.recall_memory(query=content)
        assert first["content"] == content
        assert similarity(first) == pytest.approx(1, abs=0.001)
        assert all(0 <= similarity(hit) < 0.9 for hit in others)


def test_every_component_of_every_hit_lies_between_0_and_1(known):
    found = [hit for query, _ in PARAPHRASES for hit in known.recall_memory(query=query)]
    assert len(found) >= len(PARAPHRASES)
    assert all(0 <= value <= 1 for hit in found for value in hit["score_breakdown"].values())


def test_a_long_text_is_found_by_what_stands_at_its_end(memory):
    minutes = " ".join(f"Item {i} of the minutes: nothing was decided." for i in range(100))
    end = "The ferry to the island leaves from the northern pier. " * 20
    remember(memory, minutes, f"{minutes} {end}", "Lunch is at noon")
    (hit,) = memory.recall_memory(query="boats to the isle")
    assert hit["content"].endswith(end)


def test_one_text_of_several_windows_is_one_hit(memory):
    (long,) = remember(memory, "The ferry to the island leaves from the northern pier. " * 100)
    assert [hit["id"] for hit in memory.recall_memory(query="boats to the isle")] == [long]


# --- The floor ---


@pytest.mark.parametrize("query", ABOUT_NONE)
def test_a_question_from_another_field_finds_nothing(known, query):
    assert known.recall_memory(query=query) == []


def test_without_the_floor_the_nearest_are_given_however_far(open_meaning):
    memory = open_meaning(floor=False)
    remember(memory, *KNOWN.values())
    assert len(memory.recall_memory(query=ABOUT_NONE[0])) == len(KNOWN)


def test_a_rare_name_in_a_very_long_text_is_found(memory):
    places = ["depot", "harbour", "airport", "station", "warehouse"]
    sentences = [f"At {i} o'clock the {places[i % 5]} reported a delay of {i} minutes." for i in range(200)]
    sentences.insert(120, "The scanner stopped with ERR_QX7731 and was restarted.")
    report = " ".join(sentences)
    assert len(report) > 10_000
    remember(memory, report, *KNOWN.values())
    for query in ("ERR_QX7731", "what does ERR_QX7731 mean?", "when did we see error ERR_QX7731"):
        assert contents(memory, query)[0] == report


# --- Words while the meaning is still to come ---


def test_a_record_that_waits_for_its_embedding_is_found_by_its_words_and_then_by_its_meaning(known):
    text = "Invoices are sent by the bookkeeping department. " * 40  # too long to be embedded at once
    known.store_memory(content=text)
    found = known.recall_memory(query="bookkeeping invoices", k=1)
    settle(known)
    again = known.recall_memory(query="bookkeeping invoices", k=1)
    assert [hit["content"] for hit in found + again] == [text, text]
    assert similarity(again[0]) > 0.3
    assert contents(known, "who writes bills?", k=1) == [text]


def test_foreign_kinds_are_found_by_meaning_too_and_documents_by_words_only(memory):
    take_in(
        memory,
        {"kind": "solution", "id": "s", "content": "Clearing the browser's stored cookies made signing in work again"},
        {"kind": "document", "id": "d", "content": "Clearing all cookies made signing in work again for everyone"},
    )
    settle(memory)
    hits = {hit["kind"]: similarity(hit) for hit in memory.recall_memory(query="cannot log on to the web site")}
    assert hits == {"solution": pytest.approx(0.3, abs=0.2)}
    assert memory.codemem_stats()["storage"]["embeddings"] == 1


# --- Filters ---


def crowd(count):
    """Texts that are all about the weather, and no two alike."""
    pick = random.Random(5)
    skies = "sunny cloudy rainy foggy windy stormy icy warm".split()
    towns = "Bergen Turin Lyon Porto Graz Gdansk Malmo Cork".split()
    return [
        f"It was {pick.choice(skies)} in {pick.choice(towns)} on day {i}, {pick.choice(skies)} later"
        for i in range(count)
    ]


def test_a_filter_of_one_percent_gives_as_many_hits_as_qualify(memory):
    weather = crowd(300)
    outside = [{"content": text, "namespace": "/weather"} for text in weather[:-3]]
    inside = [{"content": text, "namespace": "/mine", "memory_type": "insight"} for text in weather[-3:]]
    memory.import_memories(memories=[*outside, *inside])
    settle(memory)
    query = "meteorological conditions in European cities"
    wanted = {item["content"] for item in inside}
    assert set(contents(memory, query, namespace="/mine", k=3)) == wanted
    assert set(contents(memory, query, memory_type="insight", k=10)) == wanted
    assert len(contents(memory, query, k=5)) == 5
    assert len(contents(memory, query, k=100)) == 100


def test_filters_hold_for_hits_by_meaning(memory):
    (note,) = remember(memory, KNOWN["freeze"], namespace="/a", memory_type="insight")
    (rule,) = remember(memory, "Nothing goes live between Friday and Monday", namespace="/b", memory_type="decision")
    query = "can I deploy before the weekend?"

    def found(**filters):
        return {hit["id"] for hit in memory.recall_memory(query=query, **filters)}

    assert found() == {note, rule}
    assert found(namespace="/a") == found(memory_type="insight") == {note}
    assert found(namespace="/b") == found(memory_type="decision", namespace="/b") == {rule}
    assert found(namespace="/c") == found(memory_type="decision", namespace="/a") == set()


# --- Changes ---


def test_an_updated_text_is_found_by_its_new_meaning_and_no_longer_by_the_old(known):
    (changed,) = remember(known, "The cat sleeps on the warm radiator")
    assert changed in [hit["id"] for hit in known.recall_memory(query="feline pets napping")]
    known.update_memory(id=changed, content="Tax returns are due at the end of May")
    settle(known)
    assert changed not in [hit["id"] for hit in known.recall_memory(query="feline pets napping")]
    assert known.recall_memory(query="deadline for the fiscal authority")[0]["id"] == changed


def test_a_deleted_text_is_not_found_by_meaning_until_the_deletion_is_undone(known):
    from indelible.core.context.call import Call
    from indelible.core.records import undo

    (gone,) = remember(known, "The cat sleeps on the warm radiator")
    known.delete_memory(id=gone)
    assert known.recall_memory(query="feline pets napping") == []
    undo.undo(known.context.for_call(Call(tool="undo")))
    settle(known)
    assert [hit["id"] for hit in known.recall_memory(query="feline pets napping")] == [gone]


# --- What stands beside an answer ---

# Four matters of one trip, each with a question at its end whose answer says nothing by itself.
TALK = [
    "The trip to Norway: which ferry across the fjord did you book?",
    "The ferry from Bergen, it crosses the fjord at night and has cabins.",
    "Is the ferry cabin paid already?",
    "Yes, last Thursday.",
    "On the trip we want to ski, are the ski boots and poles packed?",
    "The ski boots are in the cellar, the poles need new straps.",
    "Who repairs the straps of the ski poles?",
    "My uncle does.",
    "For the trip the dog needs a vaccination, says the vet.",
    "The vet can see the dog on Monday, rabies vaccination costs forty.",
    "Does the dog stay calm at the vet?",
    "Mostly, with a treat.",
    "What food do we take on the trip, bread and cheese for sandwiches?",
    "Cheese sandwiches, and soup in the thermos bottle.",
    "How big is the thermos bottle for the soup?",
    "Two litres.",
]
ASKED, ANSWER = "who will mend the ski poles for the trip?", "My uncle does."


def test_a_short_answer_comes_up_beside_the_question_that_it_was_given_to(memory):
    remember(memory, *TALK)
    hits = memory.recall_memory(query=ASKED, k=16)
    found = [hit["content"] for hit in hits]
    assert ANSWER in found[:8]
    question = "Who repairs the straps of the ski poles?"
    assert question in found[:3]
    why = {each.hit.record.text: each.reasons for each in trace.explained(memory.context, Query(ASKED, 16))}
    assert ("neighbour", hits[found.index(question)]["id"]) in {(each.by, each.id) for each in why[ANSWER]}
    assert all(0 <= similarity(hit) <= 1 for hit in hits)


def test_with_the_window_off_a_short_answer_must_stand_for_itself(open_meaning):
    memory = open_meaning(window=False)
    remember(memory, *TALK)
    assert ANSWER not in contents(memory, ASKED, k=16)


def test_turns_of_different_sessions_lend_each_other_nothing(memory):
    turns = [{"content": text, "session": f"session {i}", "position": i} for i, text in enumerate(TALK)]
    memory.import_memories(memories=turns)
    settle(memory)
    assert ANSWER not in contents(memory, ASKED, k=16)


def test_turns_that_are_more_than_half_an_hour_apart_lend_each_other_nothing(memory, clock):
    for text in TALK:
        remember(memory, text)
        clock.pass_(minutes=31)
    assert ANSWER not in contents(memory, ASKED, k=16)


def test_a_neighbour_outside_the_filter_gets_nothing(memory):
    minute = 60_000_000
    turns = [
        {
            "content": text,
            "session": "talk",
            "position": i * minute,
            "memory_type": "context" if text == ANSWER else "insight",
        }
        for i, text in enumerate(TALK)
    ]
    memory.import_memories(memories=turns)
    settle(memory)
    assert ANSWER in contents(memory, ASKED, k=16)
    assert ANSWER not in contents(memory, ASKED, k=16, memory_type="insight")


# --- Relations and popularity ---


def test_a_relation_lends_of_a_hit_by_meaning(known):
    (related,) = remember(known, "Ask Ilse about it")
    hit = known.recall_memory(query=PARAPHRASES[0][0])[0]
    assert related not in [h["id"] for h in known.recall_memory(query=PARAPHRASES[0][0])]
    known.associate_memories(source_id=hit["id"], target_id=related, relationship="RELATES_TO")
    lent = {h["id"]: similarity(h) for h in known.recall_memory(query=PARAPHRASES[0][0])}
    assert lent[related] == pytest.approx(0.4 * lent[hit["id"]], abs=0.01)


def test_popularity_does_not_lift_the_irrelevant(memory, clock):
    """One that is important, new, often used and a hub, against answers that are none of it."""
    answers = remember(memory, *KNOWN.values(), importance=0.0)
    clock.pass_(days=300)
    (popular,) = remember(memory, "Coffee is in the kitchen on the second floor", importance=1.0)
    for _ in range(20):
        assert memory.recall_memory(query="coffee in the kitchen", k=1)[0]["id"] == popular
    for query, name in PARAPHRASES:
        assert contents(memory, query)[0] == KNOWN[name]
        assert popular not in [hit["id"] for hit in memory.recall_memory(query=query)]
    for answer in answers:
        memory.associate_memories(source_id=popular, target_id=answer, relationship="PART_OF")
    for query, name in PARAPHRASES:
        first, *others = memory.recall_memory(query=query)
        assert first["content"] == KNOWN[name]
        assert [hit["score"] < first["score"] for hit in others if hit["id"] == popular] == [True]


# --- Questions that were asked before ---


def cache(memory):
    return memory.codemem_stats()["embeddings"]["cache"]


def test_the_embedding_of_a_question_is_remembered(known):
    before = cache(known)
    first = known.recall_memory(query="which database do we use?")
    assert cache(known) == {"size": before["size"] + 1, "hits": before["hits"], "misses": before["misses"] + 1}
    again = known.recall_memory(query="which database do we use?", k=20)
    assert cache(known) == {"size": before["size"] + 1, "hits": before["hits"] + 1, "misses": before["misses"] + 1}
    assert [similarity(hit) for hit in first] == [similarity(hit) for hit in again]


def test_without_an_encoder_recall_is_by_words_and_says_so(open_store, open_meaning):
    remember(open_meaning(), *KNOWN.values())
    memory = open_store()
    assert memory.recall_memory(query=PARAPHRASES[0][0]) == []
    (hit,) = memory.recall_memory(query="PostgreSQL")
    assert similarity(hit) == 0
    assert memory.codemem_health()["embeddings"] == "off: recall is by words"


# --- Servers ---


def server(data):
    return McpClient(data, env=SHARED)


def settled(client):
    """Wait until this server finds all by meaning."""
    until = time.monotonic() + PATIENCE
    client.call("recall_memory", {"query": "wake up"})
    while re.search("loading|pending|not running", said := client.call("codemem_health")["embeddings"]):
        assert time.monotonic() < until, said
        leave_room()
    return said


def test_two_servers_find_each_others_texts_by_meaning(tmp_path):
    with server(tmp_path / "data") as one, server(tmp_path / "data") as two:
        for client in (one, two):
            settled(client)
        for client, other, (query, name) in ((one, two, PARAPHRASES[0]), (two, one, PARAPHRASES[2])):
            stored = client.call("store_memory", {"content": KNOWN[name]})["id"]
            settled(client)
            (hit,) = other.call("recall_memory", {"query": query})
            assert (hit["id"], similarity(hit) > 0.1) == (stored, True)
        assert settled(one) == settled(two) == "ok: 2 records embedded"


def test_what_one_server_changes_or_deletes_the_other_no_longer_finds_by_meaning(tmp_path):
    with server(tmp_path / "data") as one, server(tmp_path / "data") as two:
        texts = ("The cat sleeps on the warm radiator", "Kittens play in the garden", KNOWN["parking"])
        cat, kittens, _ = (one.call("store_memory", {"content": text})["id"] for text in texts)
        settled(one)
        settled(two)

        def found():
            return {hit["id"] for hit in two.call("recall_memory", {"query": "feline pets"})}

        assert found() == {cat, kittens}
        one.call("update_memory", {"id": kittens, "content": "Tax returns are due at the end of May"})
        settled(one)
        assert found() == {cat}
        one.call("delete_memory", {"id": cat})
        assert found() == set()
        assert two.call("recall_memory", {"query": "deadline for the fiscal authority"})[0]["id"] == kittens


def test_the_window_and_the_floor_of_a_server_can_be_switched_off(tmp_path):
    with McpClient(tmp_path / "data", env={**SHARED, "INDELIBLE_FLOOR": "off"}) as client:
        for text in TALK:
            client.call("store_memory", {"content": text})
        settled(client)
        assert len(client.call("recall_memory", {"query": ABOUT_NONE[1], "k": 16})) == len(TALK)
    for setting, expected in (({}, True), ({"INDELIBLE_WINDOW": "off"}, False)):
        with McpClient(tmp_path / "data", env={**SHARED, **setting}) as client:
            settled(client)
            hits = client.call("recall_memory", {"query": ASKED, "k": 16})
            assert (ANSWER in [hit["content"] for hit in hits]) == expected
            assert client.call("recall_memory", {"query": ABOUT_NONE[1], "k": 16}) == []


# --- The other doors ---


def test_the_command_line_finds_by_meaning_what_a_python_program_stored(tmp_path, monkeypatch):
    monkeypatch.setenv("INDELIBLE_ENCODER", "shared")
    data = tmp_path / "data"
    with open_memory(data) as memory:
        for content in KNOWN.values():
            memory.store_memory(content=content)
        until = time.monotonic() + PATIENCE
        while memory.codemem_health()["embeddings"] != f"ok: {len(KNOWN)} records embedded":
            assert time.monotonic() < until, memory.codemem_health()
            leave_room()
    for query, name in PARAPHRASES:
        hits = result("recall", query, data=data, env=SHARED)["hits"]
        assert (hits[0]["content"], similarity(hits[0]) > 0.1) == (KNOWN[name], True)
    assert result("recall", PARAPHRASES[0][0], data=data)["hits"] == []  # by words only
    stats = result("stats", data=data, env=SHARED)["statistics"]
    assert (stats["vector"]["indexed"], stats["storage"]["embeddings"]) == (len(KNOWN), len(KNOWN))
