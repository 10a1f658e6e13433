"""What the manifests of a repository say: workspaces, packages, and which needs which."""

from __future__ import annotations

import pytest

from command_line import opened
from indelible.admin import doctor
from indelible.core.context.permissions import Grant
from indelible.core.records import exporting
from indelible.errors import Forbidden, InvalidInput, NotFound
from indexed_code import call, write

CARGO = {
    "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/old"]\n',
    "crates/core/Cargo.toml": '[package]\nname = "shop-core"\nversion = "0.4.0"\n[dependencies]\nserde = "1"\n',
    "crates/core/src/lib.rs": "pub fn price() {}\n",
    "crates/api/Cargo.toml": '[package]\nname = "shop-api"\nversion = "0.4.0"\n[dependencies]\n'
    'shop-core = { path = "../core" }\n[dev-dependencies]\ntempfile = "3"\n',
    "crates/old/Cargo.toml": '[package]\nname = "old"\nversion = "0.1.0"\n',
}


@pytest.fixture
def ctx(tmp_path):
    with opened(tmp_path / "data") as ctx:
        yield ctx


def test_packages_and_what_they_require_are_read(ctx, tmp_path):
    root = write(tmp_path / "shop", CARGO)
    assert call(ctx, "get_cross_repo", path=str(root)) == {
        "root": str(root),
        "workspaces": [
            {
                "kind": "cargo",
                "manifest": "Cargo.toml",
                "globs": ["crates/*"],
                "members": ["crates/api", "crates/core"],
            }
        ],
        "packages": [
            {
                "name": f"shop-{name}",
                "version": "0.4.0",
                "ecosystem": "cargo",
                "path": f"crates/{name}",
                "manifest": f"crates/{name}/Cargo.toml",
            }
            for name in ("api", "core")
        ]
        + [
            {
                "name": "old",
                "version": "0.1.0",
                "ecosystem": "cargo",
                "path": "crates/old",
                "manifest": "crates/old/Cargo.toml",
            }
        ],
        "dependencies_count": 3,
        "dependencies": [
            {"package": "shop-api", "name": "shop-core", "version": "", "kind": "runtime"},
            {"package": "shop-api", "name": "tempfile", "version": "3", "kind": "development"},
            {"package": "shop-core", "name": "serde", "version": "1", "kind": "runtime"},
        ],
        "cross_package_edges": [
            {
                "source": "shop-api",
                "target": "shop-core",
                "relationship": "DEPENDS_ON",
                "kind": "runtime",
                "version": "",
                "source_path": "crates/api",
                "target_path": "crates/core",
            }
        ],
    }


def test_without_a_path_it_is_the_codebase_indexed_last(ctx, tmp_path):
    with pytest.raises(NotFound, match="no codebase is indexed yet; give path"):
        call(ctx, "get_cross_repo")
    for name in ("first", "second"):
        root = write(tmp_path / name, {"package.json": f'{{"name": "{name}"}}', "a.js": "export function f() {}\n"})
        call(ctx, "index_codebase", path=str(root))
    found = call(ctx, "get_cross_repo")
    assert (found["root"], [each["name"] for each in found["packages"]]) == (str(tmp_path / "second"), ["second"])
    (tmp_path / "second").rename(tmp_path / "moved")
    with pytest.raises(NotFound, match=r"indexed last, '.*second', is no longer there; give path"):
        call(ctx, "get_cross_repo")


def test_a_tree_without_manifests_has_no_packages(ctx, tmp_path):
    root = write(tmp_path / "bare", {"a.py": "x = 1\n"})
    assert call(ctx, "get_cross_repo", path=str(root)) == {
        "root": str(root),
        "workspaces": [],
        "packages": [],
        "dependencies_count": 0,
        "dependencies": [],
        "cross_package_edges": [],
    }


def test_a_manifest_that_cannot_be_read_is_passed_over_and_logged(ctx, tmp_path, caplog):
    root = write(tmp_path / "shop", {"package.json": "{", "api/package.json": '{"name": "api"}'})
    with caplog.at_level("WARNING", "indelible"):
        found = call(ctx, "get_cross_repo", path=str(root))
    assert [each["name"] for each in found["packages"]] == ["api"]
    assert "package.json" in caplog.records[0].message_text


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("shop", "path must be absolute, got 'shop'"),
        ("", "path must"),
        ("/no/such/directory", "path must be an existing directory, and nothing is at '/no/such/directory'"),
        ("FILE", "path must be an existing directory, and a file is at"),
        ("/a\0b", "path"),
        (7, "path must be a text, got 7"),
    ],
)
def test_a_path_that_is_no_directory_is_refused(ctx, tmp_path, path, words):
    (tmp_path / "file").write_text("x")
    given = str(tmp_path / "file") if path == "FILE" else path
    with pytest.raises(InvalidInput, match=words):
        call(ctx, "get_cross_repo", path=given)


def test_who_is_limited_to_namespaces_learns_nothing_of_other_directories(ctx, tmp_path):
    roots = {name: write(tmp_path / name, CARGO) for name in ("mine", "theirs", "unknown")}
    call(ctx, "index_codebase", path=str(roots["mine"]))
    call(ctx, "index_codebase", path=str(roots["theirs"]))
    (roots["mine"] / "way").symlink_to(roots["theirs"])
    me = ctx.granted(Grant("tok_me", "read", frozenset({str(roots["mine"])})))
    for path in (roots["theirs"], roots["unknown"], roots["mine"] / "way", roots["mine"] / ".." / "theirs", tmp_path):
        with pytest.raises(Forbidden, match="in no codebase that this token reaches"):
            call(me, "get_cross_repo", path=str(path))
    with pytest.raises(Forbidden, match="in no codebase"):  # as if it were there
        call(me, "get_cross_repo", path="/no/such/directory")
    assert call(me, "get_cross_repo")["root"] == str(roots["mine"])
    assert call(me, "get_cross_repo", path=str(roots["mine"] / "crates"))["packages"] != []


# --- In the graph ---

API, CORE = "file:crates/api/Cargo.toml", "file:crates/core/Cargo.toml"


def relations(ctx):
    return call(ctx, "codemem_stats")["graph"]["relationship_types"].get("DEPENDS_ON", 0)


def test_packages_that_need_each_other_stand_in_the_graph(ctx, tmp_path):
    root = write(tmp_path / "shop", CARGO)
    first = call(ctx, "index_codebase", path=str(root))
    assert relations(ctx) == 1
    start, other = call(ctx, "graph_traverse", start_id=API, max_depth=1)
    assert (start["id"], start["kind"]) == (API, "file")
    assert (other["id"], other["relationship"], other["direction"]) == (CORE, "DEPENDS_ON", "outgoing")
    impact = call(ctx, "get_impact", qualified_name=CORE)
    assert impact["direct_dependents"] == [
        {"id": API, "relationship": "DEPENDS_ON", "file_path": "crates/api/Cargo.toml"}
    ]
    assert impact["affected_files"] == ["crates/api/Cargo.toml", "crates/core/Cargo.toml"]
    (needs,) = call(ctx, "get_dependencies", qualified_name=API)
    assert (needs["source"], needs["target"], needs["relationship"]) == (API, CORE, "DEPENDS_ON")
    assert {API, CORE} <= {each["id"] for each in call(ctx, "get_pagerank", top_k=100)["results"]}
    assert (first["languages"], first["files_scanned"], first["edges_resolved"]) == ({"rust": 1}, 1, 1)
    assert call(ctx, "search_symbols", query="Cargo") == []


def test_another_run_states_what_is_true_by_then(ctx, tmp_path):
    root = write(tmp_path / "shop", CARGO)
    call(ctx, "index_codebase", path=str(root))
    again = call(ctx, "index_codebase", path=str(root))
    assert (again["files_removed"], again["edges_resolved"], relations(ctx)) == (0, 1, 1)
    note = call(ctx, "store_memory", content="Why the API needs the core")["id"]
    call(ctx, "associate_memories", source_id=note, target_id=API, relationship="EXPLAINS")
    (root / "crates/api/Cargo.toml").write_text('[package]\nname = "shop-api"\nversion = "0.4.0"\n')
    less = call(ctx, "index_codebase", path=str(root))
    assert (less["edges_resolved"], less["files_removed"], relations(ctx)) == (0, 0, 0)
    with pytest.raises(NotFound):
        call(ctx, "graph_traverse", start_id=CORE)
    assert [node["id"] for node in call(ctx, "graph_traverse", start_id=note)] == [note, API], "what is held stays"
    write(root, CARGO)
    back = call(ctx, "index_codebase", path=str(root))
    assert (back["edges_resolved"], relations(ctx)) == (1, 1)
    assert [node["id"] for node in call(ctx, "graph_traverse", start_id=note)] == [note, API, CORE]


def test_what_manifests_say_is_nothing_that_an_export_or_a_copy_needs(ctx, tmp_path):
    root = write(tmp_path / "shop", CARGO)
    call(ctx, "index_codebase", path=str(root))
    assert list(exporting.export_all(ctx)) == []
    assert doctor.examine(ctx.settings).sound
    write(root, {"crates/core/src/lib.rs": "pub fn cost() {}\n"})
    assert call(ctx, "index_codebase", path=str(root))["files_parsed"] == 1
    assert relations(ctx) == 1
