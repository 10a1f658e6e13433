"""What repositories are made of, and which of them share a stack."""

import itertools
import json
from dataclasses import fields

import pytest

from indelible.source.manifests.fingerprint import Fingerprint, fingerprint, similarity
from indelible.source.manifests.manifests import MAX_BYTES


def npm(*dependencies, **others):
    return json.dumps({"dependencies": dict.fromkeys(dependencies, "*"), **others})


PNPM_MONOREPO = {
    "package.json": npm("typescript", name="acme", private=True, devDependencies={"turbo": "2", "vitest": "3"}),
    "pnpm-workspace.yaml": "packages:\n  - 'apps/*'\n  - 'packages/*'\n",
    "tsconfig.json": "{}",
    "apps/web/package.json": npm("next", "react", "@acme/ui", name="@acme/web", private=True),
    "apps/api/package.json": npm("hono", "@prisma/client", name="@acme/api", private=True),
    "packages/ui/package.json": npm(name="@acme/ui", exports={".": "./src/index.ts"}, peerDependencies={"react": "19"}),
    "packages/ui/src/index.ts": "",
    "apps/web/next.config.mjs": "",
    "node_modules/express/package.json": '{"name": "express", "dependencies": {"koa": "1"}}',
}
CARGO_WORKSPACE = {
    "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n[workspace.dependencies]\ntokio = "1"\nserde = "1"\n',
    "crates/server/Cargo.toml": '[package]\nname = "server"\n[dependencies]\naxum = "0.8"\ncore.path = "../core"\n',
    "crates/server/src/main.rs": "",
    "crates/core/Cargo.toml": '[package]\nname = "core"\n[dependencies]\nserde = { workspace = true }\n',
    "crates/core/src/lib.rs": "",
    "target/debug/build.py": "",
}
FASTAPI_API = {
    "pyproject.toml": '[project]\nname = "orders"\ndependencies = ["fastapi>=0.115", "sqlalchemy", "uvicorn"]\n'
    '[dependency-groups]\ndev = ["pytest"]\n[build-system]\nrequires = ["hatchling"]\n',
    "src/orders/main.py": "",
}
CLICK_CLI = {
    "pyproject.toml": '[project]\nname = "tidy"\ndependencies = ["click", "rich"]\n'
    'scripts = { tidy = "tidy.cli:main" }\n[build-system]\nrequires = ["setuptools"]\n',
    "tidy/cli.py": "",
}
DJANGO = {
    "manage.py": "",
    "requirements.txt": "Django==5.1\ndjangorestframework\npsycopg[binary]\ncelery\n",
    "requirements-dev.txt": "-r requirements.txt\npytest-django\npytest\n",
    "shop/settings.py": "",
}
GO_MODULE = {
    "go.mod": "module github.com/acme/gauge/v2\n\ngo 1.23\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.10.0\n"
    "\tgithub.com/spf13/cobra v1.9.1\n\tgolang.org/x/sys v0.1.0 // indirect\n)\n",
    "main.go": "",
    "cmd/root.go": "",
}
GO_LIBRARY = {"go.mod": "module example.com/ring\n", "ring.go": "", "ring_test.go": "", "domain.go": ""}
MAVEN = {
    "pom.xml": "<project xmlns='http://maven.apache.org/POM/4.0.0'><parent><groupId>org.springframework.boot</groupId>"
    "<artifactId>spring-boot-starter-parent</artifactId></parent><artifactId>billing</artifactId>"
    "<dependencies><dependency><groupId>org.hibernate.orm</groupId><artifactId>hibernate-core</artifactId></dependency>"
    "</dependencies></project>",
    "src/main/java/App.java": "",
}
RAILS = {
    "Gemfile": "gem 'rails', '~> 8.0'\ngem 'pg'\ngroup :test do\n  gem 'rspec-rails'\nend\n",
    "config/routes.rb": "",
    "app/javascript/app.js": "",
    "Rakefile": "",
    "app/models/a.rb": "",
    "app/models/b.rb": "",
    "app/models/c.rb": "",
    "app/models/d.rb": "",
}
LARAVEL = {"composer.json": '{"name": "acme/blog", "type": "project", "require": {"laravel/framework": "^11"}}'}
DOTNET = {"Shop.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>', "Program.cs": ""}
CLAUDE_MATRIX = {
    "package.json": npm("@types/bun", name="claude-matrix", peerDependencies={"typescript": "5"}),
    "src/index.ts": "",
}
NPM_LIBRARY = {"package.json": '{"name": "left-pad", "main": "index.js", "license": "MIT"}', "index.js": ""}
TWO_SIDES = {
    "backend/pyproject.toml": '[project]\nname = "backend"\ndependencies = ["flask"]\n',
    "frontend/package.json": '{"name": "frontend", "private": true, "dependencies": {"vue": "3"}}',
    "frontend/tsconfig.json": "{}",
}
PLAIN = {"a.py": "", "b.py": "", "c.py": "", "d.py": "", "e.py": "", "tool.sh": "", "notes.md": "", "photo.JPG": ""}
CMAKE = {
    "CMakeLists.txt": "project(engine CXX)\nfind_package(Qt6)\nadd_subdirectory(gui)",
    "gui/CMakeLists.txt": "add_executable(gui a.cpp)",
    "core/CMakeLists.txt": "add_library(core b.cpp)",
    "gui/a.cpp": "",
}
OPENAPI = {"openapi.yaml": "openapi: 3.1.0", "handlers.lua": ""}


def repository(tmp_path, files, name="work"):
    top = tmp_path / name
    top.mkdir()
    for path, text in files.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(text, encoding="utf-8")
    return top


@pytest.mark.parametrize(
    ("files", "name", "languages", "frameworks", "patterns"),
    [
        pytest.param(
            PNPM_MONOREPO, "acme", "typescript", "hono next prisma react vitest", "api library monorepo", id="pnpm"
        ),
        pytest.param(CARGO_WORKSPACE, "work", "rust", "axum serde tokio", "api library monorepo", id="cargo workspace"),
        pytest.param(FASTAPI_API, "orders", "python", "fastapi pytest sqlalchemy", "api", id="fastapi"),
        pytest.param(CLICK_CLI, "tidy", "python", "click", "cli", id="click"),
        pytest.param(DJANGO, "work", "python", "celery django django-rest-framework pytest", "api", id="django"),
        pytest.param(GO_MODULE, "gauge", "go", "cobra gin", "api cli", id="go"),
        pytest.param(GO_LIBRARY, "ring", "go", "", "library", id="go library"),
        pytest.param(MAVEN, "work", "java", "hibernate spring", "api", id="maven"),
        pytest.param(RAILS, "work", "ruby", "rails rspec", "api", id="rails"),
        pytest.param(LARAVEL, "work", "php", "laravel", "api", id="laravel"),
        pytest.param(DOTNET, "work", "csharp", "aspnet", "api", id="asp.net"),
        pytest.param(CLAUDE_MATRIX, "claude-matrix", "typescript", "", "", id="typescript"),
        pytest.param(NPM_LIBRARY, "left-pad", "javascript", "", "library", id="npm library"),
        pytest.param(TWO_SIDES, "work", "python typescript", "flask vue", "api monorepo", id="two sides"),
        pytest.param(CMAKE, "work", "cpp", "qt", "", id="cmake"),
        pytest.param(OPENAPI, "work", "lua", "", "api", id="openapi"),
        pytest.param(PLAIN, "work", "python", "", "", id="plain folder"),
        pytest.param({}, "work", "", "", "", id="empty"),
        pytest.param({"package.json": "{", "a.rs": ""}, "work", "rust", "", "", id="broken"),
        pytest.param({"package.json": " " * (MAX_BYTES + 1), "x.js": ""}, "work", "javascript", "", "", id="huge"),
    ],
)
def test_a_repository_is_known_by_its_manifests(files, name, languages, frameworks, patterns, tmp_path):
    seen = fingerprint(repository(tmp_path, files), None)
    assert seen.name == name
    assert seen.languages == tuple(languages.split())
    assert seen.frameworks == tuple(frameworks.split())
    assert seen.patterns == tuple(patterns.split())


def test_dependencies_carry_their_ecosystem_and_leave_out_the_repository_s_own_packages(tmp_path):
    seen = fingerprint(repository(tmp_path, CARGO_WORKSPACE), None)
    assert seen.dependencies == ("cargo:axum", "cargo:serde", "cargo:tokio")
    both = {"package.json": '{"dependencies": {"redis": "1"}}', "requirements.txt": "redis"}
    assert fingerprint(repository(tmp_path, both, "both"), None).dependencies == ("npm:redis", "pypi:redis")


@pytest.mark.parametrize(
    ("missing", "origin", "name"),
    [
        ([], "https://github.com/acme/origin.git", "from-npm"),
        (["package.json"], None, "from-cargo"),
        (["package.json", "Cargo.toml"], None, "from-pypi"),
        (["package.json", "Cargo.toml", "pyproject.toml"], "github.com/acme/origin", "from-go"),
        (["package.json", "Cargo.toml", "pyproject.toml", "go.mod"], "github.com/acme/origin", "origin"),
        (["package.json", "Cargo.toml", "pyproject.toml", "go.mod"], "git@host.org:group/origin.git", "origin"),
        (["package.json", "Cargo.toml", "pyproject.toml", "go.mod"], "https://host.org/日本/リポ.git/", "リポ"),
        (["package.json", "Cargo.toml", "pyproject.toml", "go.mod"], "origin", "origin"),
        (["package.json", "Cargo.toml", "pyproject.toml", "go.mod"], "", "folder"),
        (["package.json", "Cargo.toml", "pyproject.toml", "go.mod"], None, "folder"),
    ],
)
def test_a_repository_has_the_first_name_that_is_given_to_it(missing, origin, name, tmp_path):
    files = {
        "package.json": '{"name": "from-npm"}',
        "Cargo.toml": '[package]\nname = "from-cargo"',
        "pyproject.toml": '[project]\nname = "from-pypi"',
        "go.mod": "module example.com/from-go",
        "sub/package.json": '{"name": "not-at-the-top"}',
        "pom.xml": "<project><artifactId>not-named-by-this</artifactId></project>",
    }
    for path in missing:
        del files[path]
    assert fingerprint(repository(tmp_path, files, "folder"), origin).name == name


@pytest.mark.parametrize("name", ["", "  ", "\\u0000\\n", 7, None, ["x"]])
def test_a_name_that_is_none_gives_way_to_the_next(name, tmp_path):
    text = json.dumps({"name": name}).replace("\\\\", "\\")
    assert (
        fingerprint(repository(tmp_path, {"package.json": text}, "日本語 プロジェクト"), None).name
        == "日本語 プロジェクト"
    )


def test_a_name_in_any_language_is_kept_and_one_without_end_is_cut(tmp_path):
    top = repository(tmp_path, {"package.json": json.dumps({"name": "@фирма/größe"})})
    assert fingerprint(top, None).name == "@фирма/größe"
    (top / "package.json").write_text(json.dumps({"name": "x" * 10_000}))
    assert len(fingerprint(top, None).name) == 214


def test_a_directory_that_is_not_there_has_only_its_name(tmp_path):
    assert fingerprint(tmp_path / "gone", None) == Fingerprint("gone")


def test_a_language_of_a_few_files_is_not_the_repository_s(tmp_path):
    assert fingerprint(repository(tmp_path, PLAIN | {"one.rb": ""}), None).languages == ("python",)
    assert fingerprint(repository(tmp_path, {"a.py": "", "b.rb": ""}, "half"), None).languages == ("python", "ruby")


def test_files_that_configure_do_not_make_a_typescript_repository_a_javascript_one(tmp_path):
    files = dict.fromkeys(["src/a.ts", "jest.config.js", "vite.config.mjs", ".eslintrc.cjs"], "")
    seen = fingerprint(repository(tmp_path, files | {"package.json": "{}", "tsconfig.json": ""}), None)
    assert seen.languages == ("typescript",)


def test_every_tuple_is_sorted_and_the_same_tree_gives_the_same_fingerprint(tmp_path):
    one = fingerprint(repository(tmp_path, PNPM_MONOREPO), None)
    other = fingerprint(repository(tmp_path, dict(reversed(PNPM_MONOREPO.items())), "copy"), None)
    assert one == other
    for field in fields(one)[1:]:
        value = getattr(one, field.name)
        assert list(value) == sorted(set(value))


# --- Similarity ---


def stack(tmp_path, name, files):
    return fingerprint(repository(tmp_path, files, name), None)


def test_repositories_of_one_stack_are_alike_and_others_are_not(tmp_path):
    other_api = {"pyproject.toml": '[project]\nname="users"\ndependencies=["fastapi","sqlalchemy","alembic"]'}
    fastapi = stack(tmp_path, "orders", FASTAPI_API)
    near = similarity(fastapi, stack(tmp_path, "users", other_api))
    assert near > 0.7
    for name, files in {"django": DJANGO, "click": CLICK_CLI, "go": GO_MODULE, "pnpm": PNPM_MONOREPO}.items():
        assert similarity(fastapi, stack(tmp_path, name, files)) < 0.7, name
    assert similarity(fastapi, stack(tmp_path, "library", NPM_LIBRARY)) == 0.0
    next_shop = stack(tmp_path, "shop", {"package.json": npm("next", "react", "zod"), "tsconfig.json": ""})
    next_blog = stack(tmp_path, "blog", {"package.json": npm("next", "react", "mdx"), "tsconfig.json": ""})
    vue_shop = stack(tmp_path, "vue", {"package.json": npm("vue", "pinia"), "tsconfig.json": ""})
    assert similarity(next_shop, next_blog) > 0.7 > similarity(next_shop, vue_shop)


def test_an_empty_fingerprint_is_like_nothing_whatever_its_name():
    full = Fingerprint("a", ("go",), ("gin",), ("api",), ("golang:x",))
    assert similarity(Fingerprint("a"), full) == 0.0
    assert similarity(full, Fingerprint("a")) == 0.0
    assert similarity(Fingerprint("a"), Fingerprint("a")) == 0.0


def test_a_repository_is_wholly_like_itself_and_likeness_has_no_direction(tmp_path):
    trees = {"pnpm": PNPM_MONOREPO, "cargo": CARGO_WORKSPACE, "api": FASTAPI_API, "plain": PLAIN, "go": GO_MODULE}
    stacks = [stack(tmp_path, name, files) for name, files in trees.items()]
    for one in stacks:
        assert similarity(one, one) == pytest.approx(1.0)
    for one, other in itertools.combinations(stacks, 2):
        assert similarity(one, other) == similarity(other, one)
        assert 0.0 <= similarity(one, other) < 1.0


def test_the_weights_of_the_groups_make_the_cosine():
    one = Fingerprint("a", ("python",), ("flask", "pytest"), (), ())
    other = Fingerprint("b", ("python",), ("flask",), ("api",), ("pypi:flask",))
    shared = 0.3 + 0.4 / 2**0.5
    assert similarity(one, other) == pytest.approx(shared / (0.7 * 1.0) ** 0.5)


def test_a_hundred_dependencies_count_no_more_than_the_framework():
    many = tuple(f"npm:d{number}" for number in range(100))
    one = Fingerprint("a", ("typescript",), ("react",), (), many)
    assert similarity(one, Fingerprint("b", ("typescript",), ("react",))) > 0.85
    assert similarity(one, Fingerprint("b", ("go",), ("gin",), (), many)) < 0.25
