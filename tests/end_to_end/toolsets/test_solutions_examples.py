"""The reference (`matrix.md`) as tables: every example call as it is written there, every parameter, every field.

They are copied, because the reference lies beside the repository. Where it is there, its text is read and compared
with the tables; where it is not, those tests are skipped and say so.
"""

import re
from pathlib import Path

import pytest

from mcp_client import McpClient
from repositories import repository

SPECIFICATION = Path(__file__).parents[4] / "shared" / "spec" / "matrix.md"
PROBLEM = "Implementing OAuth with Google in TypeScript with refresh token handling"

EXAMPLES = {
    "matrix_recall": {
        "query": "OAuth Google TypeScript refresh tokens",
        "limit": 3,
        "minScore": 0.5,
        "scopeFilter": "stack",
    },
    "matrix_store": {
        "problem": PROBLEM,
        "solution": """
    1. Install googleapis: bun add googleapis
    2. Create OAuth2 client with credentials
    3. Store refresh token securely
    4. Use token.on('tokens') to capture new refresh tokens
    ...
  """,
        "scope": "stack",
        "tags": ["oauth", "google", "typescript", "auth"],
        "filesAffected": ["src/auth/google.ts", "src/config/oauth.ts"],
    },
    "matrix_reward": {
        "solutionId": "sol_abc12345",
        "outcome": "success",
        "notes": "Worked perfectly, just had to update the API version",
    },
    "matrix_failure": {
        "errorType": "runtime",
        "errorMessage": "TypeError: Cannot read property 'map' of undefined at UserList.tsx:42",
        "rootCause": "API returned null instead of empty array when no users",
        "fixApplied": "Added nullish coalescing: users ?? []",
        "prevention": "Always provide default empty array for list data",
        "filesInvolved": ["src/components/UserList.tsx", "src/api/users.ts"],
    },
    "matrix_status": {},
}
RECALL, STORE, FAILURE = (EXAMPLES[name] for name in ("matrix_recall", "matrix_store", "matrix_failure"))

ADDED = {"matrix_store": {"expires_at", "pinned"}}  # optional ones of ours

# Name: type, whether it is required, default ("" where none is documented).
PARAMETERS = {
    "matrix_recall": {
        "query": ("string", True, ""),
        "limit": ("number", False, "5"),
        "minScore": ("number", False, "0.3"),
        "scopeFilter": ("string", False, '"all"'),
    },
    "matrix_store": {
        "problem": ("string", True, ""),
        "solution": ("string", True, ""),
        "scope": ("string", True, ""),
        "tags": ("string[]", False, ""),
        "filesAffected": ("string[]", False, ""),
    },
    "matrix_reward": {
        "solutionId": ("string", True, ""),
        "outcome": ("string", True, ""),
        "notes": ("string", False, ""),
    },
    "matrix_failure": {
        "errorType": ("string", True, ""),
        "errorMessage": ("string", True, ""),
        "rootCause": ("string", True, ""),
        "fixApplied": ("string", True, ""),
        "stackTrace": ("string", False, ""),
        "prevention": ("string", False, ""),
        "filesInvolved": ("string[]", False, ""),
    },
    "matrix_status": {},
}

# Field to type; `?` may be absent, a list holds the shape of its items.
RESPONSES = {
    "matrix_recall": {
        "query": "string",
        "solutions": [
            {
                "id": "string",
                "problem": "string",
                "solution": "string",
                "scope": "string",
                "tags": "string[]",
                "similarity": "number",
                "score": "number",
                "uses": "number",
                "successRate": "number",
                "contextBoost?": "string",
            }
        ],
        "totalFound": "number",
        "relatedFailures?": [
            {
                "id": "string",
                "errorType": "string",
                "errorMessage": "string",
                "rootCause": "string",
                "fixApplied": "string",
                "similarity": "number",
            }
        ],
    },
    "matrix_store": {
        "id": "string",
        "status": '"stored"',
        "problem": "string",
        "scope": "string",
        "tags": "string[]",
    },
    "matrix_reward": {
        "solutionId": "string",
        "outcome": "string",
        "previousScore": "number",
        "newScore": "number",
        "message": "string",
    },
    "matrix_failure": {
        "id": "string",
        "status": "string",
        "errorType": "string",
        "occurrences": "number",
        "message": "string",
    },
    "matrix_status": {
        "status": '"operational"',
        "database": '"connected"',
        "currentRepo": {"name": "string", "languages": "string[]", "frameworks": "string[]", "patterns": "string[]"},
        "stats": {"solutions": "number", "failures": "number", "repos": "number"},
        "topTags": "string[]",
        "recentSolutions": [
            {"id": "string", "problem": "string", "scope": "string", "score": "number", "created_at": "string"}
        ],
    },
}


def misfits(value, shape, place="the answer"):
    """What of a value is not as documented: places, none where all is."""
    if isinstance(shape, dict):
        names = {name.removesuffix("?"): name for name in shape}
        wrong = [f"{place}.{name} is not documented" for name in value if name not in names]
        for plain, name in names.items():
            if plain in value:
                wrong += misfits(value[plain], shape[name], f"{place}.{plain}")
            elif plain == name:
                wrong.append(f"{place}.{plain} is missing")
        return wrong
    if isinstance(shape, list):
        return [wrong for at, item in enumerate(value) for wrong in misfits(item, shape[0], f"{place}[{at}]")]
    if shape.startswith('"'):
        return [] if f'"{value}"' == shape else [f"{place} is {value!r}"]
    if shape.endswith("[]"):
        return [] if isinstance(value, list) else [f"{place} is {value!r}"]
    fits = isinstance(value, str) if shape == "string" else type(value) in (int, float)
    return [] if fits else [f"{place} is {value!r}, no {shape}"]


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """The answers to each example in a repository like that of the reference, as lists of two, and the schemas.

    The solution that the example rewards is there before. The second answer of recall is that to the failure's words.
    """
    top = tmp_path_factory.mktemp("examples")
    home = repository(top / "claude-matrix", name="claude-matrix", devDependencies={"typescript": "5"})
    rewarded = {"kind": "solution", "id": "sol_abc12345", "content": "Docker image is big\n\nUse stages"}
    given = {"memories": [{**rewarded, "memory_type": "global", "namespace": None, "created_at": "2025-01-01"}]}
    with McpClient(top / "data", cwd=home, env={"HOME": str(top)}) as client:
        assert client.call("import_memories", given)["imported"] == 1
        calls = {name: [client.call(name, EXAMPLES[name])] for name in EXAMPLES if name != "matrix_recall"}
        calls["matrix_recall"] = [client.call("matrix_recall", RECALL)]
        for name in ("matrix_store", "matrix_reward", "matrix_failure", "matrix_status"):
            calls[name].append(client.call(name, EXAMPLES[name]))
        calls["matrix_recall"].append(client.call("matrix_recall", {"query": FAILURE["errorMessage"]}))
        return calls, {tool["name"]: tool["inputSchema"] for tool in client.tools()}


@pytest.mark.process
@pytest.mark.parametrize("tool", EXAMPLES)
def test_an_example_has_its_documented_fields_and_no_others(answers, tool):
    for answer in answers[0][tool]:
        assert misfits(answer, RESPONSES[tool]) == []


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"id": 5}, ["the answer.id is 5, no string"]),
        ({"status": "kept"}, ["the answer.status is 'kept'"]),
        ({"tags": "a"}, ["the answer.tags is 'a'"]),
        ({"extra": 1}, ["the answer.extra is not documented"]),
        ({}, []),
    ],
)
def test_the_comparison_sees_what_is_not_as_documented(change, wrong):
    stored = {"id": "sol_00000000", "status": "stored", "problem": "p", "scope": "global", "tags": [], **change}
    assert misfits(stored, RESPONSES["matrix_store"]) == wrong
    assert misfits({"query": "q", "solutions": [{}]}, RESPONSES["matrix_recall"])[0] == (
        "the answer.solutions[0].id is missing"
    )
    assert "the answer.totalFound is True, no number" in misfits({"totalFound": True}, RESPONSES["matrix_recall"])


@pytest.mark.process
@pytest.mark.parametrize("tool", EXAMPLES)
def test_a_tool_takes_its_documented_parameters_and_no_others(answers, tool):
    schema = answers[1][tool]
    assert set(schema["properties"]) == set(PARAMETERS[tool]) | ADDED.get(tool, set())
    required = {name for name, (_, is_required, _) in PARAMETERS[tool].items() if is_required}
    assert set(schema.get("required", ())) == required
    for name, (kind, _, default) in PARAMETERS[tool].items():
        given = schema["properties"][name]
        allowed = {"string": ("string",), "number": ("number", "integer"), "string[]": ("array",)}[kind]
        assert given["type"] in allowed, name
        assert not default or str(given["default"]) == default.strip('"'), name


@pytest.mark.process
def test_the_stored_solution(answers):
    stored, again = answers[0]["matrix_store"]
    assert re.fullmatch("sol_[0-9a-f]{8}", stored["id"])
    assert (stored["problem"], stored["scope"], stored["tags"]) == (PROBLEM, "stack", STORE["tags"])
    assert again == stored


@pytest.mark.process
def test_the_recalled_solution(answers):
    found, _ = answers[0]["matrix_recall"]
    assert (found["query"], found["totalFound"]) == (RECALL["query"], 1)
    (solution,) = found["solutions"]
    assert (solution["problem"], solution["solution"]) == (PROBLEM, STORE["solution"])
    assert (solution["score"], solution["uses"], solution["successRate"]) == (0.5, 0, 0.5)
    assert 0.5 <= solution["similarity"] <= 1
    assert solution["contextBoost"] == "same_repo"


@pytest.mark.process
def test_the_rewarded_solution(answers):
    rewarded, again = answers[0]["matrix_reward"]
    assert rewarded == {
        "solutionId": "sol_abc12345",
        "outcome": "success",
        "previousScore": 0.5,
        "newScore": 0.55,
        "message": "Score updated: 0.50 → 0.55",
    }
    assert (again["previousScore"], again["newScore"]) == (0.55, 0.595)


@pytest.mark.process
def test_the_recorded_failure(answers):
    recorded, again = answers[0]["matrix_failure"]
    assert re.fullmatch("fail_[0-9a-f]{8}", recorded["id"])
    assert (recorded["status"], recorded["errorType"], recorded["occurrences"]) == ("recorded", "runtime", 1)
    assert (again["id"], again["status"], again["occurrences"]) == (recorded["id"], "updated", 2)
    (related,) = answers[0]["matrix_recall"][1]["relatedFailures"]
    assert related["id"] == recorded["id"]
    shown = ("errorType", "errorMessage", "rootCause", "fixApplied")
    assert {name: related[name] for name in shown} == {name: FAILURE[name] for name in shown}


@pytest.mark.process
def test_the_status(answers):
    status = answers[0]["matrix_status"][1]
    assert status["currentRepo"] == {
        "name": "claude-matrix",
        "languages": ["typescript"],
        "frameworks": [],
        "patterns": [],
    }
    assert status["stats"] == {"solutions": 2, "failures": 1, "repos": 1}
    assert status["topTags"] == ["auth", "google", "oauth", "typescript"]
    assert [recent["problem"] for recent in status["recentSolutions"]] == [PROBLEM, "Docker image is big"]


# --- The tables against the text ---


@pytest.fixture(scope="module")
def sections():
    """The reference's section of each tool."""
    if not SPECIFICATION.is_file():
        pytest.skip("the reference is not beside the repository: the tables were NOT compared with its text")
    text = SPECIFICATION.read_text(encoding="utf-8")
    return dict(re.findall(r"^## (matrix_\w+)\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL))


def test_these_are_all_examples_of_the_reference(sections):
    written = {
        call
        for section in sections.values()
        for call in re.findall(r"^(matrix_\w+)\((.*?)\)$", section, re.MULTILINE | re.DOTALL)
    }
    assert len(written) == len(EXAMPLES)
    assert {name: _arguments(body) for name, body in written} == EXAMPLES


def test_these_are_all_parameters_of_the_reference(sections):
    assert {name: _parameters(section) for name, section in sections.items()} == PARAMETERS


def test_these_are_all_fields_of_the_reference(sections):
    assert {name: _response(section) for name, section in sections.items()} == RESPONSES


def _arguments(body):
    """A TypeScript object literal of texts, numbers and lists of texts."""
    found = {}
    for name, text, template, listed, number in re.findall(
        r"^  (\w+): (?:\"(.*?)\"|`(.*?)`|\[(.*?)\]|([0-9.]+)),?$", body, re.MULTILINE | re.DOTALL
    ):
        if listed:
            found[name] = re.findall('"(.*?)"', listed)
        else:
            found[name] = float(number) if number else text or template
    return found


def _parameters(section):
    """The rows of the table of parameters, which not always has a column of defaults."""
    table = section.partition("### Parameters")[2].partition("###")[0]
    found = {}
    for row in re.findall(r"^\| `(.*?) \|$", table, re.MULTILINE):
        name, kind, required, *rest = (cell.strip(" `") for cell in row.split("|"))
        default = rest[0] if len(rest) > 1 and rest[0] != "-" else ""
        found[name] = (kind, required == "Yes", default)
    return found


def _response(section):
    """The TypeScript type of a response as a shape."""
    block = section.partition("### Response")[2].partition("```typescript\n")[2].partition("```")[0]
    lines = iter(block.splitlines()[1:])
    return _fields(lines)


def _fields(lines):
    found = {}
    for line in lines:
        if line.strip().startswith("}"):
            return found
        name, kind = re.match(r"\s*(\w+\??): (.*?);?\s*(?://.*)?$", line).groups()
        if kind.endswith("{"):
            inner = _fields(lines)
            found[name] = [inner] if kind.startswith("Array") else inner
        else:
            found[name] = kind.rstrip(";")
    raise AssertionError("a type without an end")
