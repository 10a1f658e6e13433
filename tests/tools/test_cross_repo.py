"""What the manifests of a repository say: workspaces, packages, and which needs which."""

from __future__ import annotations

import pytest
from indexed_code import call, write

from indelible.engine.context import open_context
from indelible.engine.grants import Grant
from indelible.errors import Forbidden, InvalidInput, NotFound
from indelible.settings import Settings

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
    opened = open_context(Settings(data=tmp_path / "data", start=tmp_path, home=tmp_path))
    yield opened
    opened.close()


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
        (7, "path must be a valid string, got 7"),
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
