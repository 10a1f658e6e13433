"""The plugin, the skill, the bundle and the registry's entry say what the code says."""

import json
import re
import tomllib
from pathlib import Path

import pytest

import indelible
from indelible.cli.setup import skill
from indelible.cli.setup.hook_forms import CLAUDE_CODE
from indelible.toolsets.registry import all_tools

ROOT = Path(__file__).parents[3]
PLUGIN = Path(indelible.__file__).parent / "cli" / "setup" / "plugin"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BUNDLE = ROOT / "packaging" / "mcpb" / "manifest.json"
REGISTRY = ROOT / "packaging" / "server.json"


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_every_package_has_the_version_and_the_name_of_the_code():
    plugin, bundle, entry = read(PLUGIN / ".claude-plugin" / "plugin.json"), read(BUNDLE), read(REGISTRY)
    [package] = entry["packages"]
    assert {plugin["version"], bundle["version"], entry["version"], package["version"]} == {indelible.__version__}
    assert {plugin["name"], bundle["name"], package["identifier"]} == {PROJECT["name"]}
    assert {plugin["description"], bundle["description"], entry["description"]} == {PROJECT["description"]}
    assert {plugin["license"], bundle["license"]} == {PROJECT["license"]}
    assert bundle["compatibility"]["runtimes"]["python"] == PROJECT["requires-python"]


def test_the_readme_has_the_name_that_the_registry_looks_for():
    assert f"mcp-name: {read(REGISTRY)['name']}" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_marketplace_of_the_repository_offers_the_plugin():
    [offered] = read(ROOT / ".claude-plugin" / "marketplace.json")["plugins"]
    described = read(ROOT / offered["source"] / ".claude-plugin" / "plugin.json")
    assert (offered["name"], offered["description"]) == (described["name"], described["description"])


def test_the_plugin_runs_the_hooks_that_set_up_writes():
    wanted = {
        moment.event: [
            CLAUDE_CODE.entry(
                moment.event, CLAUDE_CODE.handler(moment, f"indelible hook {moment.name} --client claude-code")
            )
        ]
        for moment in CLAUDE_CODE.moments
    }
    assert read(PLUGIN / "hooks" / "hooks.json")["hooks"] == wanted


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (PLUGIN / ".mcp.json", lambda told: told["mcpServers"]["indelible"]),
        (BUNDLE, lambda told: told["server"]["mcp_config"]),
    ],
    ids=["plugin", "bundle"],
)
def test_what_a_package_starts_is_the_command_of_the_project(path, words):
    told = words(read(path))
    line = [told["command"], *told["args"]]
    start = line.index(*PROJECT["scripts"])
    assert line[start : start + 2] == [*PROJECT["scripts"], "serve"]
    assert line[start + 2 :] in ([], ["--profile", "daily"])
    assert PROJECT["scripts"] == {"indelible": "indelible.cli.main:main"}


def test_the_entry_point_of_the_bundle_is_there():
    assert (ROOT / read(BUNDLE)["server"]["entry_point"]).is_file()


# --- The skill ---


def front_matter():
    found = re.match(r"---\nname: (\S+)\ndescription: >-\n((?:  .*\n)+)---\n", skill.text())
    assert found
    return found[1], " ".join(found[2].split())


def test_the_skill_says_its_name_and_when_to_use_it():
    name, description = front_matter()
    assert name == "indelible"
    assert 50 < len(description) <= 1024
    assert "Use at" in description
    assert len(skill.text().splitlines()) < 100


def test_the_skill_names_tools_arguments_and_types_as_they_are():
    known = set(all_tools())
    for tool in all_tools().values():
        for name, field in tool.input_schema["properties"].items():
            known |= {name, *map(str, field.get("enum", []))}
    relations = {"LEADS_TO", "SUPERSEDES"}
    others = {'"trust": "untrusted"', "[]", "<private>", "</private>", 'memory_type: "decision"'}
    prose = re.sub(r"```.*?```", "", skill.text(), flags=re.DOTALL)
    named = set(re.findall(r"`([^`]+)`", prose))
    assert named - known - relations - others == set()
    assert set(re.findall(r"\b[a-z]+_[a-z_]+\b", skill.text())) <= known
    assert len(named & set(all_tools())) > 10


def test_the_example_of_the_skill_can_be_stored():
    [example] = re.findall(r"```json\n(.*?)```", skill.text(), re.DOTALL)
    arguments = json.loads(example)
    schema = all_tools()["store_memory"].input_schema["properties"]
    assert set(arguments) <= set(schema)
    assert arguments["memory_type"] in schema["memory_type"]["enum"]
