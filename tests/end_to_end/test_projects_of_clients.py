"""Which project the server of each client gets, by clients that behave as the page says: its table is the test."""

import re
from pathlib import Path

import pytest

from indelible.cli.setup.clients import CLIENTS
from rooted_client import RootedClient

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "keep-projects-apart.md"
OPEN = ((), ("shop",), ("shop", "site"))  # the folders in the columns of the table
# How each client starts a user's server: in the open folder or at home, in "/"; the variable of the registration filled
# in, left as it is, or not there; CLAUDE_PROJECT_DIR; whether it names its folders. Sources: keep-projects-apart.md.
SIMULATED = {
    "Claude Code": {"directory": "folder", "claude": True, "roots": True},
    "Claude Desktop": {"directory": "root"},
    "Cursor": {"directory": "home", "folder": "expanded", "roots": True},
    "Cursor, where it leaves `${workspaceFolder}` as it is": {"directory": "home", "folder": "literal", "roots": True},
    "VS Code": {"directory": "home", "roots": True},
    "Codex": {"directory": "folder"},
    "Gemini CLI": {"directory": "folder", "roots": True},
    "OpenCode": {"directory": "folder", "roots": "one"},
    "Zed": {"directory": "folder"},
    "Roo Code": {"directory": "folder"},
}


def table() -> dict[str, tuple[str, ...]]:
    rows = re.search(r"<!-- clients -->\n(.*)<!-- /clients -->", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows.strip().split("\n")[2:]]
    return {client: tuple(found) for client, *found in cells}


def test_the_table_has_every_client_whose_directory_is_known():
    assert list(table()) == list(SIMULATED)
    known = {client.title for client in CLIENTS.values() if "not known" not in client.project_by}
    assert {name.partition(",")[0] for name in SIMULATED} == known


@pytest.mark.process
@pytest.mark.parametrize("client", SIMULATED)
@pytest.mark.parametrize("column", range(3), ids=["at home", "one folder", "two folders"])
@pytest.mark.sweep(8)
def test_a_server_gets_the_project_of_the_table(tmp_path, client, column):
    how, folders = SIMULATED[client], [tmp_path / name for name in OPEN[column]]
    home = tmp_path / "home"
    for place in (home, *folders):
        place.mkdir()
    first = folders[0] if folders else home
    directory = {"home": home, "folder": first, "root": Path("/")}[how["directory"]]
    known = {"expanded": str(first), "literal": "${workspaceFolder}"}
    options = ("--profile", "daily", *(("--workspace", known[how["folder"]]) if "folder" in how else ()))
    env = {
        "HOME": str(home),
        "USERPROFILE": str(home),
        **({"CLAUDE_PROJECT_DIR": str(first)} if "claude" in how else {}),
    }
    roots = [place.as_uri() for place in (folders or [home])][: 1 if how.get("roots") == "one" else None]
    offered = roots if how.get("roots") else RuntimeError("Method not found")
    expected = table()[client][column]
    with RootedClient(tmp_path / "data", *options, roots=offered, cwd=directory, env=env) as server:
        for number in range(300):  # the folders may take a moment to be known
            server.result("store_memory", {"content": f"Fact {number}"})
            found = server.result("recall_memory", {"query": f"Fact {number}", "k": 1, "namespace": str(first)})
            is_here = f"Fact {number}\n" in found["content"][0]["text"]
            if is_here or expected == "none":
                break
    assert ("none" if not is_here else first.name) == expected
