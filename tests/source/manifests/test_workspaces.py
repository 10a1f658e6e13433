"""The workspaces, packages and edges between packages that the manifests of a tree declare."""

import json

import pytest

from indelible.source.manifests.requirements import Requirement, declared
from indelible.source.manifests.workspaces import workspaces


def tree(top, files):
    for path, text in files.items():
        file = top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    return workspaces(top)


def edges(found):
    return [
        (edge.source.name, edge.target.name, edge.requirement.kind, edge.requirement.version) for edge in found.edges
    ]


MODULES = "<modules><module>js</module><module>java</module><module>gradle</module></modules>"


def members(found):
    return {each.manifest: each.members for each in found.workspaces}


def test_cargo(tmp_path):
    found = tree(
        tmp_path,
        {
            "Cargo.toml": '[workspace]\nmembers = ["crates/*", "tools/one"]\nexclude = ["crates/old"]\n',
            "crates/core/Cargo.toml": '[package]\nname = "core"\nversion = "1.2.0"\n[dependencies]\nserde = "1"\n',
            "crates/cli/Cargo.toml": '[package]\nname = "cli"\nversion = "0.1.0"\n[dependencies]\n'
            'kern = { package = "core", path = "../core", version = "1" }\n[dev-dependencies]\none = '
            '{ path = "../../tools/one" }',
            "crates/old/Cargo.toml": '[package]\nname = "old"\n[dependencies]\nabsent = "1"',
            "crates/empty/README.md": "no manifest",
            "tools/one/Cargo.toml": '[package]\nname = "one"\nversion = "0.0.1"',
        },
    )
    assert members(found) == {"Cargo.toml": ("crates/cli", "crates/core", "tools/one")}
    assert edges(found) == [("cli", "core", "runtime", "1"), ("cli", "one", "development", "")]
    core = next(package for package in found.packages if package.name == "core")
    assert (core.version, core.ecosystem, core.path, core.manifest) == (
        "1.2.0",
        "cargo",
        "crates/core",
        "crates/core/Cargo.toml",
    )
    assert core.requirements == (Requirement("serde", "1"),)


@pytest.mark.parametrize("pnpm", [False, True])
def test_npm_yarn_and_pnpm(tmp_path, pnpm):
    globs = ["packages/**", "!packages/old"]
    files = {
        "package.json": {"name": "root", "private": True} | ({} if pnpm else {"workspaces": globs}),
        "packages/a/package.json": {
            "name": "@acme/a",
            "version": "2.0.0",
            "dependencies": {"@acme/b": "workspace:*", "react": "^19"},
        },
        "packages/deep/er/b/package.json": {
            "name": "@acme/b",
            "version": "1.0.0",
            "peerDependencies": {"@acme/a": "*"},
        },
        "packages/a/node_modules/x/package.json": {"name": "x"},
        "packages/old/package.json": {"name": "old"},
    }
    if pnpm:
        files["pnpm-workspace.yaml"] = "packages:\n" + "".join(f"  - '{glob}'\n" for glob in globs)
    found = tree(tmp_path, files)
    assert list(members(found).values()) == [("packages/a", "packages/deep/er/b")]
    assert edges(found) == [("@acme/a", "@acme/b", "runtime", "workspace:*"), ("@acme/b", "@acme/a", "peer", "*")]
    assert "x" not in {package.name for package in found.packages}


@pytest.mark.parametrize(
    ("files", "member"),
    [
        ({"package.json": {"name": "root", "workspaces": ["*"]}}, "js"),
        ({"package.json": {"name": "root"}, "pnpm-workspace.yaml": "packages:\n  - '*'\n"}, "js"),
        ({"Cargo.toml": '[workspace]\nmembers = ["*"]\n'}, "rust"),
        ({"pyproject.toml": '[tool.uv.workspace]\nmembers = ["*"]\n'}, "python"),
        ({"go.work": "go 1.23\nuse (\n\t./js\n\t./go\n\t./rust\n)\n"}, "go"),
        ({"pom.xml": f"<project>{MODULES}</project>"}, "java"),
        ({"settings.gradle": "include 'js', 'gradle', 'java'\n"}, "gradle"),
    ],
)
def test_members_are_the_folders_with_a_manifest_of_the_workspace_s_own_kind(tmp_path, files, member):
    others = {
        "js/package.json": {"name": "js"},
        "rust/Cargo.toml": '[package]\nname = "rust"\n',
        "python/pyproject.toml": '[project]\nname = "python"\n',
        "go/go.mod": "module example.com/go\n",
        "java/pom.xml": "<project><artifactId>java</artifactId></project>",
        "gradle/build.gradle": "",
    }
    found = tree(tmp_path, files | others)
    assert list(members(found).values()) == [(member,)]
    # each is a package still, of its own ecosystem
    assert {"js", "rust", "python", "example.com/go", "java"} <= {package.name for package in found.packages}


def test_python_workspaces(tmp_path):
    found = tree(
        tmp_path,
        {
            "pyproject.toml": '[project]\nname = "all"\nversion = "1"\ndependencies = ["my_lib>=2"]\n'
            '[tool.uv.workspace]\nmembers = ["libs/*"]\nexclude = ["libs/skip"]',
            "libs/lib/pyproject.toml": (
                '[project]\nname = "My.Lib"\nversion = "2.1"\ndependencies = ["httpx[http2] >= 1 ; '
                "python_version > '3'\"]"
            ),
            "libs/skip/pyproject.toml": '[project]\nname = "skip"',
            "libs/old/pyproject.toml": '[tool.poetry]\nname = "old"\nversion = "3"\n[tool.poetry.dependencies]\n'
            'python = "^3"\nanything = { path = "../lib", develop = true }',
        },
    )
    assert members(found) == {"pyproject.toml": ("libs/lib", "libs/old")}
    assert edges(found) == [("all", "My.Lib", "runtime", ">=2"), ("old", "My.Lib", "runtime", "")]
    lib = next(package for package in found.packages if package.name == "My.Lib")
    assert lib.requirements == (Requirement("httpx", ">= 1"),)


def test_go_work(tmp_path):
    found = tree(
        tmp_path,
        {
            "go.work": "go 1.23\nuse (\n\t./api\n\t./lib // here\n)\n",
            "api/go.mod": (
                "module example.com/api\nrequire (\n\texample.com/lib/v2 v2.1.0\n\tgolang.org/x/y v1.0.0 // indirect\n)"
            ),
            "lib/go.mod": "module example.com/lib/v2\n",
        },
    )
    assert members(found) == {"go.work": ("api", "lib")}
    assert edges(found) == [("example.com/api", "example.com/lib/v2", "runtime", "v2.1.0")]


def test_maven_and_gradle(tmp_path):
    pom = "<project><groupId>g</groupId><artifactId>{}</artifactId><version>1</version>{}</project>"
    core = "<groupId>g</groupId><artifactId>core</artifactId><version>1</version><scope>test</scope>"
    need = f"<dependencies><dependency>{core}</dependency></dependencies>"
    found = tree(
        tmp_path,
        {
            "m/pom.xml": pom.format("all", "<modules><module>core</module><module>web</module></modules>"),
            "m/core/pom.xml": pom.format("core", ""),
            "m/web/pom.xml": pom.format("web", need),
            "settings.gradle.kts": 'rootProject.name = "g"\ninclude(":app", ":libs:util")',
            "app/build.gradle.kts": 'dependencies { implementation(project(":libs:util"))\n'
            'testImplementation("org.x:y:3") }',
            "libs/util/build.gradle.kts": "",
        },
    )
    assert members(found) == {"m/pom.xml": ("m/core", "m/web"), "settings.gradle.kts": ("app", "libs/util")}
    assert edges(found) == [("app", "util", "runtime", ""), ("web", "core", "development", "1")]


@pytest.mark.parametrize("glob", ["../*", "/etc", "..", "link/*", "*\0", "[", "**/**/**"])
def test_no_glob_leads_out_of_the_tree_or_into_a_fault(tmp_path, glob):
    outside = tmp_path / "outside" / "p"
    outside.mkdir(parents=True)
    (outside / "package.json").write_text('{"name": "secret"}')
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link").symlink_to(tmp_path / "outside")
    found = tree(inside, {"package.json": {"name": "root", "workspaces": [glob]}})
    assert {package.name for package in found.packages} <= {"root"}


@pytest.mark.parametrize("text", ["{", "[]", '{"workspaces": 3, "dependencies": [1], "version": {}}', "\ufeff{}"])
def test_a_broken_or_strange_manifest_breaks_nothing(tmp_path, text):
    found = tree(tmp_path, {"package.json": text, "sub/go.mod": "module example.com/x"})
    assert [package.name for package in found.packages] == ["example.com/x"]


@pytest.mark.parametrize(
    ("path", "text", "version", "requirements"),
    [
        (
            "Cargo.toml",
            "[package]\nversion.workspace = true\n[dependencies]\na = { workspace = true, optional = true }",
            "",
            [("a", "", "optional")],
        ),
        (
            "package.json",
            '{"version": "1", "devDependencies": {"b": "2"}, "dependencies": {"b": "1"}}',
            "1",
            [("b", "2", "development"), ("b", "1", "runtime")],
        ),
        (
            "pyproject.toml",
            '[dependency-groups]\nt = ["x==1", {include-group = "y"}]',
            "",
            [("x", "==1", "development")],
        ),
        ("pom.xml", "<project><parent><version>7</version></parent></project>", "7", []),
        ("README.md", "x", "", []),
    ],
)
def test_versions_and_kinds_are_read_as_they_are_written(path, text, version, requirements):
    found = declared(path, text.encode())
    assert found.version == version
    assert [(each.name, each.version, each.kind) for each in found.requirements] == requirements


def test_a_name_of_pypi_is_one_however_it_is_spelled(tmp_path):
    files = {
        "pyproject.toml": '[tool.uv.workspace]\nmembers = ["*"]\n',
        "app/pyproject.toml": '[project]\nname = "app"\ndependencies = ["my-lib", "OTHER_.lib"]\n',
        "lib/pyproject.toml": '[project]\nname = "My__Lib"\n',
        "other/pyproject.toml": '[project]\nname = "other-lib"\n',
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    found = workspaces(tmp_path)
    assert [(edge.source.name, edge.target.name) for edge in found.edges] == [("app", "My__Lib"), ("app", "other-lib")]
