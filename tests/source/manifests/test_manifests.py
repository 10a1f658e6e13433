"""What the manifests of a source tree say, and that no tree can break their reader."""

import json
import os

import pytest

from indelible.source.manifests.formats import parse
from indelible.source.manifests.manifests import MAX_BYTES, MAX_ENTRIES, MAX_MANIFESTS, survey
from indelible.source.manifests.requirements import declared
from indelible.source.manifests.values import MAX_DEPENDENCIES


def write(top, files):
    for path, text in files.items():
        file = top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, bytes):
            file.write_bytes(text)
        else:
            file.write_text(text, encoding="utf-8")
    return top


def paths(seen):
    return [manifest.path for manifest in seen.manifests]


PACKAGE = """{"name": "@acme/web", "private": true, "main": "dist/index.js", "bin": {"acme": "cli.js"},
 "workspaces": {"packages": ["packages/*", 7]},
 "dependencies": {"react": "^19"}, "devDependencies": {"typescript": "5"},
 "peerDependencies": {"next": "*"}, "optionalDependencies": {"fsevents": "2"}}"""
PYPROJECT = """[project]
name = "Señor-api"
dependencies = ["FastAPI[standard]>=0.110", "typing_extensions; python_version < '3.11'", "Zope.Interface ~= 6"]
scripts = { senor = "senor:main" }
[project.optional-dependencies]
db = ["SQLAlchemy (>=2)", "asyncpg"]
[dependency-groups]
test = ["pytest>=8", { include-group = "x" }]
[build-system]
requires = ["hatchling"]
[tool.uv.workspace]
members = ["packages/*"]
"""
POETRY = """[tool.poetry]
name = "old"
[tool.poetry.dependencies]
python = "^3.11"
flask = "^3"
[tool.poetry.group.dev.dependencies]
pytest-cov = "*"
[tool.poetry.scripts]
old = "old:run"
"""
CARGO = """[package]
name = "ferris"
[dependencies]
axum = "0.8"
rt = { package = "tokio", version = "1" }
[dev-dependencies]
insta = "1"
[target.'cfg(unix)'.dependencies]
nix = "0.29"
[workspace]
members = ["crates/*", "cli"]
[workspace.dependencies]
serde = "1"
[lib]
[[bin]]
name = "f"
"""
GO_MOD = """// a comment
module github.com/acme/tool/v3 // said here

go 1.23
require github.com/spf13/cobra v1.9.1
require (
\tgithub.com/gofiber/fiber/v2 v2.52.0
\tgolang.org/x/sys v0.30.0 // indirect
\t// github.com/not/this v1.0.0
)
replace github.com/a/b => ../b
"""
POM = """<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId></parent>
  <!-- dependency -->
  <artifactId>shop</artifactId>
  <modules><module>core</module><module>web</module></modules>
  <dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId></dependency>
  </dependencies>
</project>"""
GRADLE = """plugins {
    id("org.springframework.boot") version "3.4.0"
    kotlin("jvm") version "2.1.0"
    application
}
dependencies {
    implementation("io.ktor:ktor-server-core:3.0.1")
    testImplementation 'org.junit.jupiter:junit-jupiter'
    implementation(platform("io.micronaut:micronaut-bom:4.0"))
    api project(":core")
}
"""
SETTINGS = """rootProject.name = 'shop'
include ':app', ':libs:core',
    ':web'
println 'not this'
"""
GEMFILE = "source 'https://rubygems.org'\ngem \"rails\", '~> 8'\n  gem('pg')\n# gem 'no'\n"
GEMSPEC = """Gem::Specification.new do |spec|
  spec.name = "gemma"
  spec.executables = ["gemma"]
  spec.add_dependency "thor", "~> 1"
  spec.add_development_dependency("rspec")
end"""
COMPOSER = """{"name": "acme/shop", "type": "library", "require": {"php": ">=8", "ext-json": "*",
 "Laravel/Framework": "^11"},
 "require-dev": {"phpunit/phpunit": "^11"}}"""
CSPROJ = """\ufeff<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup>
<ItemGroup><PackageReference Include="Serilog" Version="4" /></ItemGroup></Project>"""
CMAKE = """cmake_minimum_required(VERSION 3.20)
project(engine VERSION 1.0 LANGUAGES C CXX)
find_package(Boost REQUIRED)
FetchContent_Declare(googletest URL x)
add_library(engine a.cpp)
install(TARGETS engine)
"""
MIX = 'def project do [app: :chat] end\ndefp deps do [{:phoenix, "~> 1.7"}, {:ecto_sql, ">= 0"}] end'
PUBSPEC = "name: pocket\ndependencies:\n  flutter:\n    sdk: flutter\n  http: ^1.0\ndev_dependencies:\n  lints: any\n"
PNPM = "packages:\n  - 'packages/*'\n  - \"apps/*\"\n  - tools # all\ncatalog:\n  - no\n"
SETUP_CFG = """[metadata]
name = elder
[options]
install_requires =
    click >= 8
    requests
[options.extras_require]
dev = pytest
[options.entry_points]
console_scripts =
    elder = elder:main
"""


@pytest.mark.parametrize(
    ("path", "text", "language", "name", "dependencies", "members", "commands", "importable"),
    [
        (
            "package.json",
            PACKAGE,
            "typescript",
            "@acme/web",
            "fsevents next react typescript",
            "packages/*",
            True,
            False,
        ),
        ("a/package.json", '{"main": "a.js"}', "javascript", None, "", "", False, True),
        ("pnpm-workspace.yaml", PNPM, "javascript", None, "", "apps/* packages/* tools", False, False),
        (
            "pyproject.toml",
            PYPROJECT,
            "python",
            "Señor-api",
            "asyncpg fastapi pytest sqlalchemy typing-extensions zope-interface",
            "packages/*",
            True,
            True,
        ),
        ("pyproject.toml", POETRY, "python", "old", "flask pytest-cov", "", True, False),
        ("pyproject.toml", "[tool.ruff]\nline-length = 100", "python", None, "", "", False, False),
        (
            "requirements-dev.txt",
            "# tools\n-r base.txt\n-e .\nDjango==5.1 # web\npsycopg[binary]>=3\n\nhttps://x/y.whl\nruff",
            "python",
            None,
            "django psycopg ruff",
            "",
            False,
            False,
        ),
        ("setup.cfg", SETUP_CFG, "python", "elder", "click pytest requests", "", True, True),
        ("setup.py", "raise SystemExit('never run')", "python", None, "", "", False, False),
        (
            "Pipfile",
            '[packages]\nflask = "*"\n[dev-packages]\npytest = "*"',
            "python",
            None,
            "flask pytest",
            "",
            False,
            False,
        ),
        ("Cargo.toml", CARGO, "rust", "ferris", "axum insta nix serde tokio", "cli crates/*", True, True),
        (
            "go.mod",
            GO_MOD,
            "go",
            "github.com/acme/tool/v3",
            "github.com/gofiber/fiber github.com/spf13/cobra",
            "",
            False,
            False,
        ),
        (
            "go.work",
            "go 1.23\nuse (\n\t./api\n\t./web\n)\nuse ./cli",
            "go",
            None,
            "",
            "./api ./cli ./web",
            False,
            False,
        ),
        (
            "pom.xml",
            POM,
            "java",
            "shop",
            "org.junit.jupiter:junit-jupiter org.springframework.boot:spring-boot-starter-parent",
            "core web",
            False,
            False,
        ),
        (
            "build.gradle.kts",
            GRADLE,
            "kotlin",
            None,
            "io.ktor:ktor-server-core io.micronaut:micronaut-bom org.jetbrains.kotlin.jvm "
            "org.junit.jupiter:junit-jupiter org.springframework.boot",
            "",
            True,
            False,
        ),
        ("settings.gradle", SETTINGS, "java", "shop", "", "app libs/core web", False, False),
        ("Gemfile", GEMFILE, "ruby", None, "pg rails", "", False, False),
        ("gemma.gemspec", GEMSPEC, "ruby", "gemma", "rspec thor", "", True, True),
        ("composer.json", COMPOSER, "php", "acme/shop", "laravel/framework phpunit/phpunit", "", False, True),
        ("src/Shop.csproj", CSPROJ, "csharp", "Shop", "microsoft.net.sdk.web serilog", "", False, False),
        ("CMakeLists.txt", CMAKE, "cpp", "engine", "boost googletest", "", False, True),
        ("CMakeLists.txt", "project(tiny C)", "c", "tiny", "", "", False, False),
        ("mix.exs", MIX, "elixir", "chat", "ecto_sql phoenix", "", False, False),
        ("pubspec.yaml", PUBSPEC, "dart", "pocket", "flutter http lints", "", False, False),
    ],
)
def test_a_manifest_says_what_a_package_is_and_needs(
    path, text, language, name, dependencies, members, commands, importable
):
    manifest = parse(path, text.encode())
    assert manifest is not None
    assert (manifest.path, manifest.language, manifest.name) == (path, language, name)
    assert manifest.dependencies == tuple(dependencies.split())
    assert manifest.members == tuple(members.split())
    assert (manifest.commands, manifest.importable) == (commands, importable)


@pytest.mark.parametrize("name", ["README.md", "package-lock.json", "Cargo.lock", "my-package.json", "notes.txt", ""])
def test_other_files_are_no_manifests(name):
    assert parse(name, b"{}") is None


BROKEN = {
    "package.json": ["{", "", "\x00", "[" * 100_000, b"\xff\xfe{", '{"a": ' + "9" * 5000 + "}"],
    "pyproject.toml": ["= 1", "[project", 'name = "a"\nname = "b"', "a = " + "[" * 100_000],
    "Cargo.toml": ["[[", b"\xff"],
    "setup.cfg": ["no section", "[a\nb"],
    "pom.xml": ["<project>", "", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"],
    "composer.json": ["nope"],
}


@pytest.mark.parametrize(("path", "body"), [(path, body) for path, bodies in BROKEN.items() for body in bodies])
def test_a_broken_manifest_is_ignored_and_noted_and_the_others_are_read(path, body, tmp_path):
    seen = survey(write(tmp_path, {path: body, "sub/go.mod": "module x"}))
    assert paths(seen) == ["sub/go.mod"]
    (note,) = seen.notes
    assert note.startswith(f"{path} is ignored: ")
    assert len(note) < 300
    assert str(tmp_path) not in note


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("package.json", "[]"),
        ("package.json", "null"),
        ("package.json", '"text"'),
        (
            "package.json",
            '{"name": 7, "dependencies": ["react"], "workspaces": 1, "devDependencies": {"": 1, "a\\u0000": 2}}',
        ),
        ("package.json", '{"name": " \\ud800 \\n", "peerDependencies": null}'),
        ("pyproject.toml", "project = 1\ntool = []\ndependency-groups = 'x'"),
        ("pyproject.toml", "[project]\nname = ['x']\ndependencies = 'react'\noptional-dependencies = [1]"),
        ("pyproject.toml", "[tool]\npoetry = 3\nuv = { workspace = [], dev-dependencies = 1 }"),
        ("Cargo.toml", "package = 'x'\ndependencies = ['a']\nworkspace = 1\ntarget = [{}]"),
        ("composer.json", '{"require": []}'),
        ("go.mod", "module\nrequire\nrequire ("),
        ("go.work", "use ("),
        ("pom.xml", "<a><dependency/><parent>x</parent></a>"),
        ("X.csproj", "<Project><PackageReference/></Project>"),
        ("CMakeLists.txt", "project("),
        ("pnpm-workspace.yaml", "packages: {a: b}\nother:\n- x"),
        ("pnpm-workspace.yaml", "- packages"),
        ("pnpm-workspace.yaml", ""),
        ("pubspec.yaml", "name: [a]\ndependencies: [b]\ndev_dependencies: c"),
        ("Gemfile", "gem"),
    ],
)
def test_what_has_another_shape_counts_as_absent(path, text):
    manifest = parse(path, text.encode())
    assert manifest is not None
    assert manifest.dependencies == ()
    assert manifest.members == ()
    assert manifest.name is None or path == "X.csproj"


@pytest.mark.parametrize(
    ("text", "members"),
    [
        ('packages: ["apps/*"]\n', ("apps/*",)),
        ("packages: [apps/*,\n  'libs/*'] # all\n", ("apps/*", "libs/*")),
        ("packages:\n- apps/*\n- 'it''s'\n- \"tab\\u0041\"\n", ("apps/*", "it's", "tabA")),
        ('"packages":\n  - apps/*\n', ("apps/*",)),
        ("packages:\n  -\n    apps/*\n", ("apps/*",)),
        ("# first\n---\npackages: &all [a]\ncatalog: *all\n", ("a",)),
        ("shared: &all [a, b]\npackages: *all\n", ("a", "b")),
        ("packages: [1, 2.0, true]\n", ("1", "2.0", "true")),
        ("packages: !!python/object/apply:os.system [a]\n", ("a",)),
        ("packages: [a]\n---\npackages: [b]\n", ("a",)),
        ("other:\n  packages: [a]\n", ()),
    ],
)
def test_pnpm_workspaces_are_yaml(text, members):
    manifest = parse("pnpm-workspace.yaml", text.encode())
    assert manifest is not None
    assert manifest.members == tuple(sorted(members))
    assert declared("pnpm-workspace.yaml", text.encode()).members == members


def test_a_pub_manifest_is_yaml():
    text = """{name: "pocket", dependencies: {flutter: {sdk: flutter}, 'http': ^1.0}, dev_dependencies: {lints: any}}"""
    manifest = parse("pubspec.yaml", text.encode())
    assert manifest is not None
    assert (manifest.name, manifest.dependencies) == ("pocket", ("flutter", "http", "lints"))
    indented = "name: 'pocket'\ndependencies:\n    http: ^1.0\n    flutter:\n        sdk: flutter\n"
    manifest = parse("pubspec.yaml", indented.encode())
    assert manifest is not None
    assert (manifest.name, manifest.dependencies) == ("pocket", ("flutter", "http"))


@pytest.mark.parametrize("text", ["packages: [a", "packages: 'a", "a: b: c", "packages:\n\t- a", "a: *b", "a: \x00"])
def test_what_is_no_yaml_is_refused(text):
    with pytest.raises(ValueError, match="YAML"):
        parse("pnpm-workspace.yaml", text.encode())


@pytest.mark.parametrize(
    ("path", "piece"),
    [
        ("go.mod", "require (\n"),
        ("go.mod", "module "),
        ("build.gradle", "implementation (  "),
        ("build.gradle", "implementation 'a:a"),
        ("build.gradle", "test"),
        ("build.gradle", " "),
        ("build.gradle", "\n"),
        ("build.gradle", "id "),
        ("settings.gradle", "include 'a',\n"),
        ("settings.gradle", "rootProject.name = "),
        ("Gemfile", "gem 'a"),
        ("Gemfile", "\n \n"),
        ("a.gemspec", ".name = 'a"),
        ("CMakeLists.txt", "project(a\n"),
        ("CMakeLists.txt", "install(TARGETS\n"),
        ("mix.exs", "{:a"),
        ("mix.exs", "{ "),
        ("pnpm-workspace.yaml", "packages:\n -"),
        ("pnpm-workspace.yaml", "packages:\n" + " " * 1000),
        ("pubspec.yaml", "dependencies:\n  a"),
        ("requirements.txt", "a."),
        ("requirements.txt", "a "),
        ("setup.cfg", "[a]\nb=c\n d\n"),
        ("pom.xml", "<a>"),
    ],
)
def test_a_manifest_of_the_greatest_size_is_read_whatever_stands_in_it(path, piece, tmp_path):
    """Quadratic behaviour would take an hour here, and the time limit of every test ends it."""
    survey(write(tmp_path, {path: (piece * (MAX_BYTES // len(piece) + 1))[:MAX_BYTES]}))


def test_deep_xml_is_no_danger(tmp_path):
    depth = 60_000
    seen = survey(write(tmp_path, {"pom.xml": "<a>" * depth + "</a>" * depth}))
    assert len(seen.manifests) + len(seen.notes) == 1


def test_a_huge_manifest_is_noted_and_not_read(tmp_path):
    seen = survey(write(tmp_path, {"package.json": json.dumps({"name": "x" * MAX_BYTES}), "Gemfile": "gem 'rails'"}))
    assert paths(seen) == ["Gemfile"]
    assert seen.notes == (f"package.json is ignored: it has more than {MAX_BYTES:,} bytes",)


def test_the_number_of_dependencies_is_bounded_and_their_order_is_that_of_their_names():
    needs = {f"d{number:05}": "*" for number in reversed(range(MAX_DEPENDENCIES + 50))}
    manifest = parse("package.json", json.dumps({"dependencies": needs}).encode())
    assert manifest is not None
    assert manifest.dependencies == tuple(f"d{number:05}" for number in range(MAX_DEPENDENCIES))


def test_the_number_of_manifests_is_bounded_and_noted(tmp_path):
    seen = survey(write(tmp_path, {f"p{number:03}/Gemfile": "" for number in range(MAX_MANIFESTS + 3)}))
    assert paths(seen) == [f"p{number:03}/Gemfile" for number in range(MAX_MANIFESTS)]
    assert seen.notes == (f"{MAX_MANIFESTS + 3} manifests: only the first {MAX_MANIFESTS} were read",)


@pytest.mark.slow
def test_a_tree_without_end_is_looked_at_in_part_and_its_top_in_full(tmp_path):
    write(tmp_path, {"zzz/package.json": "{}", "go.mod": "module x"})
    (tmp_path / "many").mkdir()
    for number in range(MAX_ENTRIES + 5):
        (tmp_path / "many" / f"{number}.log").touch()
    seen = survey(tmp_path)
    assert paths(seen) == ["go.mod"]
    assert seen.notes == (f"more than {MAX_ENTRIES} files below the top: the rest was not read",)


def test_a_tree_is_read_three_folders_deep_without_what_others_wrote_or_what_is_tested(tmp_path):
    own = ["go.mod", "a/go.mod", "a/b/go.mod", "a/b/c/go.mod"]
    others = [
        "a/b/c/d",
        "node_modules/x",
        ".git",
        ".venv/lib",
        "vendor/y",
        "target",
        "tests/fixtures/z",
        "Examples/e",
        "docs",
    ]
    write(tmp_path, dict.fromkeys([*own, *(f"{folder}/go.mod" for folder in others)], "module x"))
    assert paths(survey(tmp_path)) == own


def test_no_link_leads_out_of_the_tree_or_round_in_it(tmp_path):
    outside = write(tmp_path / "outside", {"package.json": '{"name": "secret"}', "sub/go.mod": "module secret"})
    tree = write(tmp_path / "tree", {"real/Gemfile": "gem 'rails'", "x": ""})
    (tree / "package.json").symlink_to(outside / "package.json")
    (tree / "linked").symlink_to(outside / "sub")
    (tree / "again").symlink_to(tree)
    (tree / "Cargo.toml").symlink_to(tree / "nowhere")
    (tree / "pom.xml").symlink_to(tree / "pom.xml")
    (tree / "go.mod").symlink_to("/dev/zero")
    (tree / "Gemfile").symlink_to(tree / "real" / "Gemfile")
    seen = survey(tree)
    assert paths(seen) == ["Gemfile", "real/Gemfile"]
    assert seen.files == ("Gemfile", "x", "real/Gemfile")


def test_a_tree_may_itself_be_reached_by_a_link(tmp_path):
    write(tmp_path / "real", {"go.mod": "module x"})
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert paths(survey(tmp_path / "link")) == ["go.mod"]


def test_a_pipe_that_is_called_like_a_manifest_does_not_hold_up_its_reader(tmp_path):
    os.mkfifo(tmp_path / "package.json")
    assert survey(tmp_path).manifests == ()


def test_names_in_any_language_and_of_any_bytes_are_read(tmp_path):
    write(tmp_path, {"パッケージ/package.json": '{"name": "сервис", "dependencies": {"ünï": "1"}}'})
    os.makedirs(os.fsencode(tmp_path) + b"/caf\xe9")
    with open(os.fsencode(tmp_path) + b"/caf\xe9/package.json", "w") as file:
        file.write("{")
    seen = survey(tmp_path)
    (manifest,) = seen.manifests
    assert (manifest.path, manifest.name, manifest.dependencies) == ("パッケージ/package.json", "сервис", ("ünï",))
    assert len(seen.notes) == 1
    assert seen.notes[0].startswith("caf\N{REPLACEMENT CHARACTER}/package.json is ignored: ")
    seen.notes[0].encode()


def test_a_directory_that_is_not_there_has_nothing_in_it(tmp_path):
    seen = survey(tmp_path / "nothing")
    assert (seen.manifests, seen.files) == ((), ())
    assert seen.notes == ("the directory cannot be read: No such file or directory",)
