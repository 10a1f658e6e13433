"""The project of a server over stdio whose client names its open folders, in sessions of the older eras."""

import json
from pathlib import Path

import pytest

from eras import MODERN
from mcp_client import McpClient
from rooted_client import RootedClient

pytestmark = pytest.mark.process

NOTE = "Stored without a project"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name in ("home", "shop", "site"):
        (tmp_path / name).mkdir()
    return tmp_path


def rooted(place: Path, roots, *options: str, start: str = "home", **env: str) -> RootedClient:
    home = {"HOME": str(place / "home"), "USERPROFILE": str(place / "home")}
    return RootedClient(place / "data", *options, roots=roots, cwd=place / start, env={**home, **env})


def uris(place: Path, *names: str) -> list[str]:
    return [(place / name).as_uri() for name in names]


def stored(client: McpClient, content: str = "The build needs Go 1.22.", **more: str) -> tuple[str | None, list[str]]:
    """Return the project in which a memory was stored, and what the answer says beside the result."""
    result = client.result("store_memory", {"content": content, **more})
    first, *others = [item["text"] for item in result["content"]]
    own = [each["namespace"] for each in client.call("export_memories") if each["id"] == json.loads(first)["id"]]
    return own[0], others


def stored_in(client: McpClient, project: str) -> list[str]:
    """Store until the client's folders are known, which may take a moment; what the last answer says."""
    for number in range(300):
        found, others = stored(client, f"Rule {number} of the build.")
        if found == project:
            return others
    raise AssertionError(f"{project} was never the project; the last was {found}")


def test_a_server_started_at_home_works_in_the_folder_that_its_client_has_open(place):
    with rooted(place, uris(place, "shop")) as client:
        assert stored_in(client, str(place / "shop")) == []
        client.change(uris(place, "site"))
        assert stored_in(client, str(place / "site")) == []


def test_of_several_folders_it_is_the_first_or_the_one_it_was_started_in_and_the_answer_says_so(place):
    both = uris(place, "shop", "site")
    with rooted(place, both) as client:
        (said,) = stored_in(client, str(place / "shop"))
        assert said == f"Stored in the project {place / 'shop'}; also open: {place / 'site'}."
        assert stored(client, "elsewhere", namespace=str(place / "site")) == (str(place / "site"), [])
    with rooted(place, both, start="site") as client:
        assert str(place / "shop") in stored_in(client, str(place / "site"))[0]


def test_two_folders_of_one_repository_are_one_project(place):
    (place / "shop" / ".git").mkdir()
    (place / "shop" / ".git" / "HEAD").touch()
    for name in ("api", "web"):
        (place / "shop" / name).mkdir()
    with rooted(place, uris(place, "shop/api", "shop/web")) as client:
        assert stored_in(client, str(place / "shop")) == []


@pytest.mark.parametrize(
    "roots", [None, [], RuntimeError("no"), ["file:///none/such"], ["vscode-remote://box/shop"], ["home"]], ids=str
)
def test_without_a_folder_nothing_has_a_project_and_the_answer_says_so(place, roots):
    given = uris(place, *roots) if roots == ["home"] else roots
    with rooted(place, given) as client:
        namespace, (said,) = stored(client)
        assert namespace is None
        assert said.startswith(NOTE)
        assert "namespace (the project's absolute path)" in said
        assert stored(client, "Named.", namespace=str(place / "shop")) == (str(place / "shop"), [])


@pytest.mark.parametrize("roots", [[], RuntimeError("no"), ["file:///none/such"]], ids=str)
def test_a_client_without_a_usable_folder_leaves_the_directory_of_the_start(place, roots):
    with rooted(place, roots, start="shop") as client:
        assert stored_in(client, str(place / "shop")) == []


def test_a_read_waits_for_no_folders(place):
    with rooted(place, None, start="shop") as client:
        assert client.call("recall_memory", {"query": "build"}) == []


@pytest.mark.parametrize(
    ("options", "env"),
    [
        (["--project", "{}/site"], {}),
        (["--workspace", "{}/site"], {}),
        ([], {"CLAUDE_PROJECT_DIR": "{}/site"}),
        ([], {"INDELIBLE_WORKSPACE": "{}/site"}),
        (["--project", "${{workspaceFolder}}", "--workspace", "{}/site"], {"CLAUDE_PROJECT_DIR": "{}/shop"}),
    ],
)
def test_who_was_given_a_project_asks_for_no_folders(place, options, env):
    options = [each.format(place) for each in options]
    env = {name: value.format(place) for name, value in env.items()}
    with rooted(place, uris(place, "shop"), *options, **env) as client:
        assert stored(client) == (str(place / "site"), [])
        assert client.asked == 0


@pytest.mark.parametrize("given", ["${workspaceFolder}", "{}/home", ""])
def test_a_variable_that_came_unexpanded_or_as_the_home_directory_counts_as_absent(place, given):
    with rooted(place, uris(place, "shop"), "--workspace", given.replace("{}", str(place))) as client:
        assert stored_in(client, str(place / "shop")) == []


def test_in_the_newer_era_no_client_is_asked(place):
    capabilities = {"io.modelcontextprotocol/clientCapabilities": {"roots": {}}}
    client = rooted(place, uris(place, "shop"))
    try:
        call = {"name": "store_memory", "arguments": {"content": "A fact."}, "_meta": {**MODERN, **capabilities}}
        assert NOTE in client.request("tools/call", call)["content"][1]["text"]
        assert client.asked == 0
    finally:
        client.close()


def test_the_instructions_say_that_no_project_is_known(place):
    client = rooted(place, None)
    try:
        assert "No project is known here" in client.initialize()["instructions"]
    finally:
        client.close()
    client = rooted(place, None, start="shop")
    try:
        assert "Writes go to your project" in client.initialize()["instructions"]
    finally:
        client.close()
