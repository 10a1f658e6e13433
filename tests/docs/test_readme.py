"""The README's commands do what it says, as they stand there."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mcp_client import environment

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands(heading):
    """The lines of the first sh block under a heading."""
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    block = re.search(r"```sh\n(.*?)```", section, re.DOTALL)
    assert block is not None
    return block[1].splitlines()


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a POSIX shell")
@pytest.mark.sqlite("copies of the file")
def test_the_quickstart_runs_as_it_stands(tmp_path):
    lines = commands("Quickstart")
    assert lines[0] == "pip install ."  # what this environment is
    env = environment({"INDELIBLE_DATA": str(tmp_path / "data"), "HOME": str(tmp_path)})
    env["PATH"] = f"{Path(sys.executable).parent}:{env.get('PATH', '')}"
    said = {}
    for line in lines[1:]:
        ran = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, f"{line}\n{ran.stdout}{ran.stderr}"
        said[line] = ran.stdout
    answer = json.loads(said['indelible recall "axum or actix" --json'])
    assert [(hit["content"], hit["memory_type"]) for hit in answer["result"]["hits"]] == [
        ("Team decided to use Axum over Actix", "decision")
    ]
    assert "Team decided to use Axum over Actix" in said['indelible recall "axum or actix"']
    assert (tmp_path / "copy.db").stat().st_size > 0
    assert json.loads((tmp_path / "all.jsonl").read_text())["content"] == "Team decided to use Axum over Actix"
    assert said["indelible doctor"].endswith("the store is sound\n")


@pytest.mark.process
def test_every_command_of_the_command_line_that_the_readme_names_is_there():
    named = set(re.findall(r"^indelible (\w+)", README, re.MULTILINE)) | set(re.findall(r"`indelible (\w+)", README))
    ran = subprocess.run([sys.executable, "-m", "indelible", "--help"], capture_output=True, text=True, check=True)
    known = set(re.findall(r"^  (\w+) ", ran.stdout, re.MULTILINE))
    assert named
    assert named <= known


def test_the_list_of_tools_has_each_once_and_leads_to_its_arguments():
    from indelible.toolsets.registry import all_tools

    tools = ROOT / "docs" / "tools"
    listed = re.findall(
        r"^\| \[`(\w+)`\]\((\w+)\.md#(\w+)\) \|", (tools / "README.md").read_text("utf-8"), re.MULTILINE
    )
    assert listed == [(tool.name, tool.toolset, tool.name) for tool in all_tools().values()]
    for name, toolset, _ in listed:
        assert f"\n## {name}\n" in (tools / f"{toolset}.md").read_text("utf-8")
    assert f"list of all {len(listed)} tools" in README


def test_what_a_client_can_do_is_what_set_up_does_for_it():
    from indelible.capture.clients import AFTER_FAILURE, AT_PROMPT, DEAF
    from indelible.cli.setup.clients import CLIENTS

    told = {}
    for row in re.findall(
        r"^\| (.+) \|$", README.split("## Which client can do what")[1].split("\n## ")[0], re.MULTILINE
    ):
        names, *cells = (cell.strip() for cell in row.split("|"))
        told |= {name: [cell.startswith("yes") for cell in cells] for name in names.split(", ")}
    for name, client in CLIENTS.items():
        hooks, skill = (client.hooks or client.plugin) is not None, client.skills is not None
        assert told[client.title] == [
            client.confirmed,
            hooks and name not in DEAF,
            name in AT_PROMPT,
            name in AFTER_FAILURE,
            hooks,
            skill,
        ], client.title


@pytest.mark.parametrize("fence", ["json", "toml"])
def test_every_snippet_for_a_client_is_valid(fence):
    import tomllib

    found = re.findall(rf"```{fence}\n(.*?)```", README, re.DOTALL)
    assert found
    for snippet in found:
        parsed = json.loads(snippet) if fence == "json" else tomllib.loads(snippet)
        (servers,) = parsed.values()
        assert servers["indelible"]["command"] == "indelible"
        assert servers["indelible"]["args"] == ["serve"]
