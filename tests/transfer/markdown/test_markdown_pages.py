"""One record as a file of Markdown: what is written is read back, whatever that is; what people write is understood."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indelible.errors import InvalidInput
from indelible.transfer.markdown import front_matter, layout, pages

CHARS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.text(CHARS, max_size=40)
HARD = st.sampled_from(
    [
        *(
            "",
            "---",
            "\n---\n",
            "a\n\n## Relations\n",
            "## Relations",
            "## Relations\n\n- X [[y]]",
            "true",
            "null",
            "1e5",
        ),
        *(
            "{'a': \"b\"}",
            "a: b # c",
            "%% {} %%",
            "`",
            "]]",
            "\r\n",
            "\ttab",
            "ends\n",
            "\u2028",
            "\x7f",
            "\ufeff",
            "é",
        ),
    ]
)
ANY = st.one_of(TEXTS, HARD, st.tuples(HARD, TEXTS, HARD).map("".join))
VALUES = st.recursive(st.one_of(st.none(), st.booleans(), st.integers(), ANY), lambda each: st.lists(each, max_size=2))
METADATA = st.dictionaries(ANY, VALUES, max_size=3)
TIME = "2026-03-01T12:00:00.000001Z"
EDGES = st.fixed_dictionaries(
    {
        "relationship": ANY.filter(bool),
        "target": ANY.filter(bool),
        "weight": st.sampled_from([1.0, 0.25]),
        "metadata": METADATA,
        "created_at": st.just(TIME),
    },
    optional={"target_namespace": ANY.filter(bool)},
)
ITEMS = st.fixed_dictionaries(
    {
        "uid": st.text("0123456789abcdef", min_size=32, max_size=32),
        "id": ANY.filter(bool),
        "kind": st.sampled_from(sorted(pages.FOLDERS)),
        "content": ANY,
        "memory_type": ANY,
        "importance": st.floats(0, 1),
        "confidence": st.floats(0, 1),
        "tags": st.lists(ANY.filter(bool), max_size=3),
        "namespace": st.one_of(st.none(), ANY.filter(bool)),
        "metadata": METADATA,
        "created_at": st.just(TIME),
        "updated_at": st.just(TIME),
        "session": ANY,
        "position": st.integers(0, 1 << 61),
        "edges": st.lists(EDGES, max_size=2),
    },
    optional={"label": ANY.filter(bool), "replaced": st.just(True)},
)


@given(fields=st.dictionaries(st.text(string.ascii_lowercase, min_size=1), st.one_of(ANY, st.lists(ANY, max_size=3))))
def test_a_front_matter_is_read_as_it_was_written(fields):
    head, rest = front_matter.split(front_matter.written(fields) + "rest\n---\n")
    assert (front_matter.parse(head), rest) == (fields, "rest\n---\n")


@given(item=ITEMS, lists=st.one_of(st.none(), st.lists(ANY, max_size=3)))
def test_an_item_is_read_as_it_was_written(item, lists):
    if item["kind"] == "entity" and lists is not None:
        item = {**item, "content": "\n".join([item["id"], *lists])}
        item = {**item, "metadata": {**item["metadata"], "observations": lists}}
    page = pages.read(pages.written(item, lambda edge: "" if edge["weight"] == 1.0 else "a-file"))
    expected = {name: value for name, value in item.items() if name != "edges"}
    assert {"label": "", **page.item} == {"label": "", **expected}
    for edge, read in zip(item["edges"], page.relations, strict=True):
        linked = edge["weight"] != 1.0
        assert (read.name, read.link) == (edge["relationship"], "a-file" if linked else "")
        assert linked or read.target == edge["target"]
        left = {"metadata": {}, "weight": 1.0, **read.more}
        assert left == {name: value for name, value in edge.items() if name not in ("relationship", "target")}


OBSIDIAN = """\
---
uid: 0123456789abcdef0123456789abcdef
id: one
kind: memory
type: decision
tags:
  - ops
  - "a b"
importance: 0.75
pinned: true
aliases:
  - Axum
metadata: '{"n": 1}'
---

A text.

## Relations
- depends_on [[folder/other-01234567|the other]]
- [[third-01234567#Heading]]
- explains `symbol:run`
"""


@pytest.mark.parametrize("content", [OBSIDIAN, OBSIDIAN.replace("\n", "\r\n")])
def test_what_an_editor_rewrote_is_understood(content):
    page = pages.read(content)
    assert (page.item["tags"], page.item["importance"], page.item["content"]) == (["ops", "a b"], 0.75, "A text.")
    assert page.item["metadata"] == {"n": 1, "pinned": True, "aliases": ["Axum"]}
    assert [(each.name, layout.name_of(each.link), each.target) for each in page.relations] == [
        ("depends_on", "other-01234567", ""),
        ("RELATES_TO", "third-01234567", ""),
        ("explains", "", "symbol:run"),
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("---\nuid: x\n", "the front matter has no end"),
        ("---\na: [\n---\n", "the front matter cannot be read"),
        ("---\njust text\n---\n", "the front matter must have lines such as"),
        ("---\nimportance: high\n---\n", "importance must be a number, got 'high'"),
        ("---\npinned: maybe\n---\n", "pinned must be true or false, got 'maybe'"),
        ("---\ntags: {a: b}\n---\n", "tags must be a list of texts"),
        ("---\nmetadata: nothing\n---\n", "metadata must be JSON in quotes"),
        ("---\nmetadata: '[]'\n---\n", "metadata must be a JSON object"),
        ("---\nmetadata:\n  a: b\n---\n", "metadata must be text"),
        ("a\n\n## Relations\n\n- A [[b]]\nmore\n", "'more' stands below the relations"),
        ("a\n\n## Relations\n\n- A b\n", "'- A b' is no relation"),
        ("a\n\n## Relations\n\n- A [[b]] %% {x} %%\n", "has a comment that is not JSON"),
        ('a\n\n## Relations\n\n- A [[b]] %% {"x": 1} %%\n', "has the unknown field 'x'"),
        ("---\nkind: entity\n---\n\nAda\n", "'Ada' is no observation"),
    ],
)
def test_what_cannot_be_read_is_named(content, said):
    with pytest.raises(InvalidInput) as raised:
        pages.read(content)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We use Axum, not Actix!", "we-use-axum-not-actix"),
        ("データベースの接続", "データベースの接続"),
        ("हिन्दी में", "हिन्दी-में"),
        ("../../etc/passwd", "etc-passwd"),
        ("CON", "con"),
        ("… !", ""),
        ("word " * 40, "-".join(["word"] * 12)),
        ("x" * 500, "x" * 60),
    ],
)
def test_a_name_is_one_that_every_file_system_takes(text, name):
    assert layout.slug(text) == name
