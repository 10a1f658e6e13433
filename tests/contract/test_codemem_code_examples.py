"""Every example of the reference's code section runs as it is written there, in temporary directories."""

import json
from pathlib import Path

import pytest

import codemem_reference
from indelible.toolsets.registry import all_tools
from mcp_client import McpClient

TABLE = Path(__file__).with_name("codemem_code_examples.jsonl")
EXAMPLES = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]
OURS = {tool.name for tool in all_tools().values() if tool.toolset == "code"}

# A project in which there is what the examples ask for.
CRATES = {
    "core": """
/// One thing that is remembered.
pub struct MemoryNode {
    pub content: String,
}

impl MemoryNode {
    pub fn weight(&self) -> usize {
        self.content.len()
    }
}
""",
    "storage": """
use codemem_core::MemoryNode;

/// Keeps nodes on disk.
pub struct Storage {
    nodes: Vec<MemoryNode>,
}

impl Storage {
    pub fn open(path: &str) -> Storage {
        Storage { nodes: Vec::new() }
    }

    pub fn total(&self, node: &MemoryNode) -> usize {
        node.weight()
    }
}
""",
    "mcp": """
use codemem_storage::Storage;

/// Answers the requests of agents.
pub struct McpServer {
    storage: Storage,
}

impl McpServer {
    /// Answers one request.
    pub fn handle_request(&self, request: &str) -> String {
        request.to_string()
    }
}

pub fn start() -> McpServer {
    McpServer { storage: Storage::open("memory.db") }
}

/// Reads a configuration file and parses its JSON.
pub fn load_config(path: &str) -> String {
    path.to_string()
}
""",
}


def write_project(root):
    root.mkdir()
    (root / "Cargo.toml").write_text('[workspace]\nmembers = ["crates/*"]\n')
    needs = {"core": [], "storage": ["core"], "mcp": ["storage"]}
    for name, text in CRATES.items():
        source = root / "crates" / name / "src"
        source.mkdir(parents=True)
        (source / "lib.rs").write_text(text.lstrip())
        wanted = "".join(f'codemem-{each} = {{ path = "../{each}" }}\n' for each in needs[name])
        manifest = f'[package]\nname = "codemem-{name}"\nversion = "0.3.0"\n\n[dependencies]\n{wanted}'
        (source.parent / "Cargo.toml").write_text(manifest)
    return root


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What each example was answered, by its tool, in the order of the document."""
    place = tmp_path_factory.mktemp("examples")
    project = str(write_project(place / "myproject"))
    found = {}
    with McpClient(place / "data") as client:
        for each in EXAMPLES:
            arguments = {k: project if k == "path" else v for k, v in each["arguments"].items()}
            found[each["tool"]] = client.call(each["tool"], arguments)
    return found


def test_every_tool_of_the_section_has_its_example():
    assert [each["tool"] for each in EXAMPLES] == [tool.name for tool in all_tools().values() if tool.name in OURS]


def test_the_examples_are_those_of_the_reference():
    assert codemem_reference.examples(OURS) == EXAMPLES


@pytest.mark.process
def test_the_project_is_indexed(answers):
    done = answers["index_codebase"]
    assert (done["files_parsed"], done["files_removed"], done["languages"]) == (3, 0, {"rust": 3})
    assert done["symbols"] == 9
    assert done["edges_resolved"] > 0


@pytest.mark.process
def test_symbols_are_found_with_their_details(answers):
    (hit,) = answers["search_symbols"]
    info = answers["get_symbol_info"]
    assert hit["qualified_name"] == info["qualified_name"] == "codemem_mcp::McpServer::handle_request"
    assert info["file_path"] == "crates/mcp/src/lib.rs"
    assert info["doc_comment"] == "Answers one request."
    assert info["parent"] == "codemem_mcp::McpServer"
    assert info["signature"] == "pub fn handle_request(&self, request: &str) -> String"


@pytest.mark.process
def test_relations_of_a_symbol_are_found(answers):
    assert ("sym:codemem_mcp::start", "CALLS") in {
        (each["source"], each["relationship"]) for each in answers["get_dependencies"]
    }
    assert {each["direction"] for each in answers["get_dependencies"]} == {"incoming"}
    impact = answers["get_impact"]
    assert (impact["symbol"], impact["depth"]) == ("codemem_core::MemoryNode", 3)
    assert {each["id"] for each in impact["direct_dependents"]} >= {"sym:codemem_storage::Storage::total"}
    assert set(impact["affected_files"]) >= {"crates/core/src/lib.rs", "crates/storage/src/lib.rs"}


@pytest.mark.process
def test_the_graph_is_divided_and_ranked(answers):
    found = answers["get_clusters"]
    assert found["resolution"] == 1.5
    assert found["cluster_count"] == len(found["clusters"]) > 1
    sizes = [each["size"] for each in found["clusters"]]
    assert sizes == sorted(sizes, reverse=True)
    ranked = answers["get_pagerank"]
    assert (ranked["top_k"], ranked["damping"], len(ranked["results"])) == (10, 0.85, 10)
    assert {each["kind"] for each in ranked["results"]} <= {"file", "struct", "method", "function"}


@pytest.mark.process
def test_packages_that_need_each_other_are_found(answers):
    found = answers["get_cross_repo"]
    edges = {(each["source"], each["target"]) for each in found["cross_package_edges"]}
    assert edges == {("codemem-mcp", "codemem-storage"), ("codemem-storage", "codemem-core")}
    assert found["workspaces"][0]["members"] == ["crates/core", "crates/mcp", "crates/storage"]


@pytest.mark.process
def test_code_is_found_by_what_it_does(answers):
    best = answers["search_code"][0]
    assert best["qualified_name"] == "codemem_mcp::load_config"
    assert best["doc_comment"] == "Reads a configuration file and parses its JSON."
