"""Every example call of the reference (`matrix.md`), as it is written there, through a real server.

Each is copied, because the reference lies beside the repository; where it is there, a test sees that none is missing.
"""

import re
from pathlib import Path

import pytest

from mcp_client import McpClient

SPECIFICATION = Path(__file__).parents[3] / "shared" / "spec" / "matrix.md"
PROBLEM = "Implementing OAuth with Google in TypeScript with refresh token handling"

STORE = {
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
}
RECALL = {"query": "OAuth Google TypeScript refresh tokens", "limit": 3, "minScore": 0.5, "scopeFilter": "stack"}
REWARD = {
    "solutionId": "sol_abc12345",
    "outcome": "success",
    "notes": "Worked perfectly, just had to update the API version",
}
FAILURE = {
    "errorType": "runtime",
    "errorMessage": "TypeError: Cannot read property 'map' of undefined at UserList.tsx:42",
    "rootCause": "API returned null instead of empty array when no users",
    "fixApplied": "Added nullish coalescing: users ?? []",
    "prevention": "Always provide default empty array for list data",
    "filesInvolved": ["src/components/UserList.tsx", "src/api/users.ts"],
}
EXAMPLES = {
    "matrix_recall": RECALL,
    "matrix_store": STORE,
    "matrix_reward": REWARD,
    "matrix_failure": FAILURE,
    "matrix_status": {},
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """The answer of each example, the solution being there before it is asked for under the id of the example."""
    data = tmp_path_factory.mktemp("examples") / "data"
    with McpClient(data) as client:
        stored = client.call("matrix_store", STORE)
        found = client.call("matrix_recall", RECALL)
        rewarded = client.call("matrix_reward", {**REWARD, "solutionId": stored["id"]})
        failed = client.call("matrix_failure", FAILURE)
        again = client.call("matrix_failure", FAILURE)
        related = client.call("matrix_recall", {"query": FAILURE["errorMessage"]})
        status = client.call("matrix_status")
    return {
        "stored": stored,
        "found": found,
        "rewarded": rewarded,
        "failed": failed,
        "again": again,
        "related": related,
        "status": status,
    }


def test_the_stored_solution(answers):
    stored = answers["stored"]
    assert re.fullmatch("sol_[0-9a-f]{8}", stored["id"])
    assert stored == {
        "id": stored["id"],
        "status": "stored",
        "problem": PROBLEM,
        "scope": "stack",
        "tags": ["oauth", "google", "typescript", "auth"],
    }


def test_the_recalled_solution(answers):
    found = answers["found"]
    assert (found["query"], found["totalFound"]) == (RECALL["query"], 1)
    (solution,) = found["solutions"]
    assert set(solution) - {"contextBoost"} == {
        *("id", "problem", "solution", "scope", "tags", "similarity", "score", "uses", "successRate"),
    }
    assert solution["solution"] == STORE["solution"]
    assert (solution["score"], solution["uses"], solution["successRate"]) == (0.5, 0, 0.5)
    assert 0.5 <= solution["similarity"] <= 1


def test_the_rewarded_solution(answers):
    assert answers["rewarded"] == {
        "solutionId": answers["stored"]["id"],
        "outcome": "success",
        "previousScore": 0.5,
        "newScore": 0.55,
        "message": "Score updated: 0.50 → 0.55",
    }


def test_the_recorded_failure(answers):
    failed, again = answers["failed"], answers["again"]
    assert re.fullmatch("fail_[0-9a-f]{8}", failed["id"])
    assert (failed["status"], failed["errorType"], failed["occurrences"]) == ("recorded", "runtime", 1)
    assert (again["id"], again["status"], again["occurrences"]) == (failed["id"], "updated", 2)
    (related,) = answers["related"]["relatedFailures"]
    assert {name: related[name] for name in ("errorType", "errorMessage", "rootCause", "fixApplied")} == {
        name: FAILURE[name] for name in ("errorType", "errorMessage", "rootCause", "fixApplied")
    }


def test_the_status(answers):
    status = answers["status"]
    assert (status["status"], status["database"]) == ("operational", "connected")
    assert set(status["currentRepo"]) == {"name", "languages", "frameworks", "patterns"}
    assert (status["stats"]["solutions"], status["stats"]["failures"]) == (1, 1)
    assert status["topTags"] == ["auth", "google", "oauth", "typescript"]
    (recent,) = status["recentSolutions"]
    assert set(recent) == {"id", "problem", "scope", "score", "created_at"}


@pytest.mark.skipif(not SPECIFICATION.is_file(), reason="the reference is not beside the repository")
def test_these_are_all_examples_of_the_reference():
    text = SPECIFICATION.read_text(encoding="utf-8")
    written = re.findall(r"^(matrix_\w+)\((.*?)\)$", text, re.MULTILINE | re.DOTALL)
    assert {name: _arguments(body) for name, body in written} == EXAMPLES


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
