"""Everything that the reference (`vecfs.md`) shows or tabulates, through a real server.

Examples and tables are copied, because the reference lies beside the repository; where it is there, tests see that none
is missing, and that each is as it stands there.
"""

import json
import re
from pathlib import Path

import pytest

from mcp_client import McpClient, ToolError, text_of

SPECIFICATION = Path(__file__).parents[4] / "shared" / "spec" / "vecfs.md"
BESIDE = pytest.mark.skipif(not SPECIFICATION.is_file(), reason="the reference is not beside the repository")

SPARSE = '{"3": 0.42, "17": -0.31, "128": 0.15}'
DENSE = "[0.0, 0.0, 0.42, 0.0, ...]"  # `...` stands for more numbers
EXAMPLES = [SPARSE, DENSE]

VECTOR = json.loads(SPARSE)
ARRAY = [*json.loads(DENSE.replace(", ...", "")), *[0.0] * 12, -0.31]

# tool: {parameter: (type, required)}
PARAMETERS = {
    "search": {"vector": ("object or array", "Yes"), "limit": ("number", "No")},
    "memorize": {
        "id": ("string", "Yes"),
        "vector": ("object or array", "Yes"),
        "text": ("string", "No"),
        "metadata": ("object", "No"),
    },
    "feedback": {"id": ("string", "Yes"), "scoreAdjustment": ("number", "Yes")},
    "delete": {"id": ("string", "Yes")},
}
RESPONSES = {
    "search": "Each entry includes `id`, `vector`, `metadata`, `score`, and `similarity`.",
    "memorize": "A confirmation message: `Stored entry: <id>`.",
    "feedback": "A confirmation message, or `Entry not found: <id>` if the ID does not exist.",
    "delete": "A confirmation message, or `Entry not found: <id>` if the ID does not exist.",
}
GUIDANCE = {
    "Explicit praise": "+1",
    "Implicit success": "+0.5",
    "Correction needed": "-1",
    "Completely wrong": "-2",
}
DEFAULT_LIMIT = 5


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with McpClient(tmp_path_factory.mktemp("examples") / "data", "--toolsets", "vectors") as client:
        yield client


# --- What the reference shows, done ---


@pytest.mark.process
@pytest.mark.parametrize("form", [VECTOR, ARRAY, json.dumps(VECTOR), json.dumps(ARRAY)], ids=repr)
def test_each_example_of_a_vector_is_stored_and_found(client, form):
    given = json.loads(form) if isinstance(form, str) else form
    sparse = given if isinstance(given, dict) else {str(at): weight for at, weight in enumerate(given) if weight}
    stored = client.result("memorize", {"id": "example", "vector": form, "text": "said", "metadata": {"tag": "a"}})
    assert text_of(stored) == "Stored entry: example"
    found = client.result("search", {"vector": form, "limit": 1})
    assert json.loads(text_of(found)) == [
        {"id": "example", "vector": sparse, "metadata": {"tag": "a", "text": "said"}, "score": 0, "similarity": 1}
    ]
    assert text_of(client.result("delete", {"id": "example"})) == "Deleted entry: example"


@pytest.mark.process
def test_matches_are_sorted_by_similarity_and_five_where_no_limit_is_given(client):
    for n in range(DEFAULT_LIMIT + 2):
        client.call("memorize", {"id": f"e{n}", "vector": {"3": 0.42, "500": n / 10}})
    matches = client.call("search", {"vector": VECTOR})
    assert [match["id"] for match in matches] == [f"e{n}" for n in range(DEFAULT_LIMIT)]
    assert all(set(match) == {"id", "vector", "metadata", "score", "similarity"} for match in matches)
    similarities = [match["similarity"] for match in matches]
    assert similarities == sorted(similarities, reverse=True)
    assert len(client.call("search", {"vector": VECTOR, "limit": 2})) == 2
    for n in range(DEFAULT_LIMIT + 2):
        client.call("delete", {"id": f"e{n}"})


@pytest.mark.process
def test_an_entry_of_the_same_id_is_replaced(client):
    client.call("memorize", {"id": "same", "vector": VECTOR, "text": "first", "metadata": {"a": 1}})
    client.call("memorize", {"id": "same", "vector": [1], "metadata": {"b": 2}})
    assert client.call("search", {"vector": VECTOR}) == [
        {"id": "same", "vector": {"0": 1}, "metadata": {"b": 2}, "score": 0, "similarity": 0}
    ]
    client.call("delete", {"id": "same"})


@pytest.mark.process
def test_each_recommended_adjustment_is_added_to_the_score(client):
    client.call("memorize", {"id": "judged", "vector": VECTOR})
    score = 0.0
    for adjustment in map(float, GUIDANCE.values()):
        answer = client.result("feedback", {"id": "judged", "scoreAdjustment": adjustment})
        assert text_of(answer) == "Updated score for entry: judged"
        score += adjustment
        assert client.call("search", {"vector": VECTOR})[0]["score"] == score
    client.call("delete", {"id": "judged"})


@pytest.mark.process
@pytest.mark.parametrize(("tool", "more"), [("feedback", {"scoreAdjustment": 1}), ("delete", {})])
def test_an_id_that_does_not_exist_is_answered_and_no_error(client, tool, more):
    answer = client.result(tool, {"id": "nobody", **more})
    assert (text_of(answer), answer.get("isError", False)) == ("Entry not found: nobody", False)


ACCEPTED = {"object or array": [VECTOR, ARRAY], "string": ["text"], "number": [1, 1.0], "object": [{"any": [1]}]}
REFUSED = {
    "object or array": [1, None, True, "text"],
    "string": [1, True, None, [], {}],
    "number": ["1", None, True, [1]],
    "object": ["text", 1, [], True],
}
OF = [(tool, name) for tool, parameters in PARAMETERS.items() for name in parameters]


def arguments(tool, **changed):
    """A right call of a tool, with some arguments changed."""
    right = {name: ACCEPTED[type_][0] for name, (type_, required) in PARAMETERS[tool].items() if required == "Yes"}
    return {**right, **changed}


@pytest.mark.process
@pytest.mark.parametrize(("tool", "name"), OF)
def test_a_parameter_has_the_type_of_the_table_and_is_required_as_it_says(client, tool, name):
    type_, required = PARAMETERS[tool][name]
    schema = next(each for each in client.tools() if each["name"] == tool)["inputSchema"]
    assert (name in schema["required"]) == (required == "Yes")
    assert set(schema["properties"]) == set(PARAMETERS[tool])
    for value in ACCEPTED[type_]:
        assert not client.result(tool, arguments(tool, **{name: value})).get("isError")
    for value in REFUSED[type_]:
        if value is None and required == "No":
            continue  # which is as if it were not given
        with pytest.raises(ToolError, match=name):
            client.call(tool, arguments(tool, **{name: value}))
    if required == "Yes":
        without = {key: value for key, value in arguments(tool).items() if key != name}
        with pytest.raises(ToolError, match=f"{name} is required"):
            client.call(tool, without)
    client.call("delete", {"id": "text"})


# --- Nothing of it is missing here ---


def sections():
    """(tool, its part of the document) in order."""
    parts = re.split(r"^# (.+)$", SPECIFICATION.read_text(encoding="utf-8"), flags=re.M)
    return {title: text for title, text in zip(parts[1::2], parts[2::2], strict=True) if title != "Tool Reference"}


def rows(text, columns):
    """The rows of a part's tables that have so many columns, without their heads."""
    cells = [[cell.strip() for cell in line.strip("|\n ").split("|")] for line in text.splitlines() if "|" in line]
    return [row for row in cells if len(row) == columns and set(row[0]) != {"-"} and row[0] not in ("Name", "Signal")]


@BESIDE
def test_every_example_of_the_reference_is_here():
    text = SPECIFICATION.read_text(encoding="utf-8")
    assert [example.strip() for example in re.findall(r"^```json\n(.*?)^```$", text, re.M | re.S)] == EXAMPLES
    assert text.count("```") == 2 * len(EXAMPLES)


@BESIDE
def test_every_parameter_response_and_amount_of_the_reference_is_here():
    found = sections()
    tables = {
        tool: {name: (type_, required) for name, type_, required, _ in rows(text, 4)} for tool, text in found.items()
    }
    assert tables == PARAMETERS
    assert f"(default {DEFAULT_LIMIT})" in found["search"]
    assert dict(rows(found["feedback"], 2)) == GUIDANCE
    for tool, words in RESPONSES.items():
        assert words in found[tool]
