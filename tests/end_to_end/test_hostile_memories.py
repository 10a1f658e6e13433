"""A hundred and more hostile memories: none gets out of a frame, and nothing of them acts on the way."""

import json
import re
import unicodedata

import pytest

from frame_reader import read
from hostile_corpus import HOSTILE
from indelible.sanitize.prompt_frame import visible
from mcp_client import McpClient, text_of

UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]|[\ufe00-\ufe0f]{2}|[\u200c\u200d]{2}"
)
A_PAGE = 15  # memories of one namespace: fewer than the newest that a resource shows
SHOWN = 2_000


def namespace_of(number: int) -> str:
    return f"corpus/{number // A_PAGE}"


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A server that holds the corpus, its client, and each memory as it is stored, in the order of the corpus."""
    data = tmp_path_factory.mktemp("hostile") / "data"
    memories = [
        {"content": text, "namespace": namespace_of(number), "tags": [text[:300]], "memory_type": "decision"}
        for number, (_, text) in enumerate(HOSTILE)
    ]
    with McpClient(data) as client:
        ids = client.call("import_memories", {"memories": memories})["ids"]
        assert len(ids) == len(HOSTILE)
        kept = {each["id"]: each for each in client.call("export_memories", {"limit": 1000})}
        yield client, [kept[key] for key in ids]


def as_a_model_reads(text: str) -> str:
    """A text as a careless reader takes it: look-alikes as what they look like, without spaces, in lower case."""
    folded = unicodedata.normalize("NFKC", text)
    for look_alikes, meant in (("‹〈⟨ᐸ˂❮❬≺⧼", "<"), ("∕⁄\\", "/")):
        folded = re.sub(f"[{re.escape(look_alikes)}]", lambda _, meant=meant: meant, folded)
    shown = "".join(char for char in folded if unicodedata.category(char) not in ("Cf", "Mn", "Cc", "Zs", "Zl", "Zp"))
    return shown.lower()


def assert_framed(text: str, expected: list[dict], longest: int | None = None) -> None:
    """A text is one frame of exactly these memories, each whole as it is shown."""
    items, _ = read(text)
    assert [known["id"] for known, _ in items] == [memory["id"] for memory in expected]
    for (known, content), memory in zip(items, expected, strict=True):
        whole = visible(memory["content"])
        if known.get("shortened") == "yes":
            assert longest is not None
            assert whole.startswith(content.removesuffix("…").rstrip()) or len(memory["content"]) > longest
        else:
            assert content == whole
    frame = text[: text.rindex("</memory>") + len("</memory>")]
    assert not UNSEEN.search(frame), ascii(UNSEEN.search(frame))
    careless = as_a_model_reads(frame)
    assert careless.count("</memory") == len(expected)
    assert careless.count("<memory") == len(expected)
    assert "<|" not in careless


def test_the_corpus_is_large_and_holds_each_way_out():
    assert len(HOSTILE) >= 150
    whole = "\n".join(text for _, text in HOSTILE)
    for piece in (
        "</memory>",
        "</tool_result>",
        "<|im_end|>",
        "]]>",
        "```",
        "Ignore all previous",
        "\x1b]52;",
        "\u202e",
    ):
        assert piece in whole
    assert sum(visible(text) != text for _, text in HOSTILE) >= 50


@pytest.mark.process
@pytest.mark.parametrize("number", range(len(HOSTILE)), ids=[name for name, _ in HOSTILE])
def test_a_memory_read_by_its_id_stays_in_its_frame(stored, number):
    client, memories = stored
    memory = memories[number]
    (contents,) = client.request("resources/read", {"uri": f"memory://{memory['id']}"})["contents"]
    assert_framed(contents["text"], [memory])
    assert read(contents["text"])[1] == ""


@pytest.mark.process
@pytest.mark.parametrize("number", range(len(HOSTILE)), ids=[name for name, _ in HOSTILE])
def test_a_recalled_memory_is_shown_clean_and_its_json_holds_nothing_that_acts(stored, number):
    client, memories = stored
    memory = memories[number]
    word = f"hostile{number + 1:03d}"
    result = client.result("recall_memory", {"query": word, "k": 3, "namespace": namespace_of(number)})
    hits = result["structuredContent"]["result"]
    (hit,) = [hit for hit in hits if hit["id"] == memory["id"]]
    assert hit["content"] == visible(memory["content"])
    assert hit["tags"] == [visible(tag) for tag in memory["tags"]]
    assert not UNSEEN.search(hit["content"])
    text = text_of(result)
    assert json.loads(text) == hits
    assert_harmless(text)


def assert_harmless(text: str) -> None:
    """Raw text of a tool's result: no end of a tag, no special token, no control or bidi character."""
    assert "</" not in text
    assert "<|" not in text
    assert not re.search(r"<[^\W\d]", text)
    assert not UNSEEN.search(text), ascii(UNSEEN.search(text))


@pytest.mark.process
@pytest.mark.parametrize("page", range(-(-len(HOSTILE) // A_PAGE)))
def test_the_newest_of_a_project_are_as_many_as_there_are(stored, page):
    client, memories = stored
    expected = memories[page * A_PAGE : (page + 1) * A_PAGE]
    uri = f"memory://corpus%2F{page}/recent"
    (contents,) = client.request("resources/read", {"uri": uri})["contents"]
    newest_first = sorted(expected, key=lambda memory: (memory["created_at"], memory["id"]), reverse=True)
    by_time = sorted(newest_first, key=lambda memory: memory["id"])
    by_time.sort(key=lambda memory: memory["created_at"], reverse=True)
    assert_framed(contents["text"], by_time, SHOWN)
    assert read(contents["text"])[1] == ""


@pytest.mark.process
@pytest.mark.parametrize("page", range(0, -(-len(HOSTILE) // A_PAGE), 3))
@pytest.mark.parametrize("name", ["recall-context", "review-decisions"])
def test_a_prompt_holds_whole_frames_and_says_its_own_behind_them(stored, page, name):
    client, memories = stored
    known = {memory["id"]: memory for memory in memories}
    words = " ".join(f"hostile{number + 1:03d}" for number in range(page * A_PAGE, (page + 1) * A_PAGE))
    arguments = {
        "recall-context": {"task": words, "namespace": f"corpus/{page}"},
        "review-decisions": {"topic": words.split()[0]},
    }[name]
    given = client.request("prompts/get", {"name": name, "arguments": arguments})
    text = given["messages"][0]["content"]["text"]
    items, rest = read(text)
    assert items
    assert rest
    assert_framed(text, [known[item.attributes["id"]] for item in items], SHOWN)


@pytest.mark.process
def test_an_export_gives_every_memory_back_unchanged_in_harmless_json(stored):
    client, _ = stored
    result = client.result("export_memories", {"limit": 1000})
    text = text_of(result)
    assert json.loads(text) == result["structuredContent"]["result"]
    assert_harmless(text)
    kept = {each["content"] for each in json.loads(text)}
    assert sum(text in kept for _, text in HOSTILE) >= len(HOSTILE) - 3  # redaction may have found a secret in some


@pytest.mark.process
def test_hostile_names_stay_between_their_quotes(tmp_path):
    with McpClient(tmp_path / "data") as client:
        names = [text[:400] for _, text in HOSTILE[:40]]
        memories = [
            {"content": f"memory {number}", "id": name, "namespace": name, "metadata": {"origin": name}}
            for number, name in enumerate(names)
        ]
        assert client.call("import_memories", {"memories": memories})["imported"] == 40
        text = client.request("prompts/get", {"name": "recall-context", "arguments": {"task": "memory 1 2 3 4"}})
        items, _ = read(text["messages"][0]["content"]["text"])
        for known, content in items:
            number = int(content.removeprefix("memory "))
            assert known["id"] == " ".join(visible(names[number]).split())[:200]
            assert known["trust"] == "trusted"


@pytest.mark.process
def test_titles_of_the_list_are_one_line_without_tags(tmp_path):
    with McpClient(tmp_path / "data", "--project", "corpus") as client:
        texts = [text[11:] for _, text in HOSTILE if visible(text[11:]).strip()]  # what shows nothing is refused
        client.call("import_memories", {"memories": [{"content": text} for text in texts]})
        page = client.request("resources/list")
        listed = page["resources"]
        while "nextCursor" in page:
            page = client.request("resources/list", {"cursor": page["nextCursor"]})
            listed += page["resources"]
        assert len(listed) == len(texts) + 3 > 150
        for each in listed[3:]:
            assert re.fullmatch(r'context: ".*"', each["title"])
            assert len(each["title"]) <= 400
            assert not re.search(r"<\s*[/|!?\w]", each["title"])
            assert not UNSEEN.search(each["title"])
