"""Manifests that were written to cost more than their size: refused, or read in memory that grows as they do."""

import tracemalloc
from pathlib import Path

import pytest

from indelible.cli.setup import toml
from indelible.cli.setup.formats import Unsure
from indelible.sanitize import bounded
from indelible.source.manifests.formats import parse
from indelible.source.manifests.manifests import MAX_BYTES, survey
from indelible.source.manifests.requirements import declared
from indelible.source.manifests.workspaces import workspaces
from indelible.source.resolve import path_aliases


def spread(uri: str, names: int) -> str:
    return f'<r xmlns="{uri}">' + "".join(f"<a{number}/>" for number in range(names)) + "</r>"


# By what grows: a file, and its text for a size.
GROWING = {
    "a dotted key": ("pyproject.toml", lambda n: "a." * n + "a = 1\n"),
    "a dotted key with quotes": ("Pipfile", lambda n: "\"a\".'a' . " * (n // 2) + "a = 1\n"),
    "a dotted header": ("Cargo.toml", lambda n: "[" + "a." * n + "a]\n" + "".join(f"k{i} = 1\n" for i in range(n))),
    "a dotted key behind a text of several lines": (
        "pyproject.toml",
        lambda n: 'x = { y = """\n""", z.' + "a." * n + "a = 1 }\n",
    ),
    "a dotted key behind what looks like a comment": ("pyproject.toml", lambda n: '"#".' + "a." * n + "a = 1\n"),
    "many keys": ("pyproject.toml", lambda n: "".join(f"[a{i}]\nb.c.d = 1\n" for i in range(n))),
    "lists in JSON": ("package.json", lambda n: '{"dependencies": [' + "[], " * n + "[]]}"),
    "lists in one another": ("package.json", lambda n: "[" * n + "]" * n),
    "objects in one another": ("composer.json", lambda n: '{"a":' * n + "1" + "}" * n),
    "lists of TOML in one another": ("pyproject.toml", lambda n: "a = " + "[" * n + "]" * n),
    "a long namespace for many names": ("pom.xml", lambda n: spread("u" * 10 * n, n)),
    "a long namespace for many attributes": (
        "a.csproj",
        lambda n: f'<r xmlns:q="{"u" * 10 * n}">' + "".join(f'<a q:b{i}=""/>' for i in range(n)) + "</r>",
    ),
    "XML in one another": ("pom.xml", lambda n: "<a>" * n + "</a>" * n),
    "modules of Go": ("go.mod", lambda n: "require (\n" + "".join(f"a.b/c{i}/v2 v2.0.0\n" for i in range(n)) + ")\n"),
    "options": ("setup.cfg", lambda n: "[options]\n" + "".join(f"a{i} = b\n" for i in range(n))),
    "lists of YAML in one another": ("pnpm-workspace.yaml", lambda n: "packages: " + "[" * n + "]" * n),
    "items of YAML in one another": ("pnpm-workspace.yaml", lambda n: "packages:\n " + "- " * n + "a\n"),
    "objects of YAML in one another": ("pubspec.yaml", lambda n: "dependencies: " + "{a: " * n + "1" + "}" * n),
    "aliases of aliases": (
        "pnpm-workspace.yaml",
        lambda n: (
            "a0: &a0 [x]\n"
            + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, n // 10))
            + f"packages: *a{n // 10 - 1}\n"
        ),
    ),
    "merged aliases": (
        "pubspec.yaml",
        lambda n: (
            "a0: &a0 {x: 1}\n"
            + "".join(f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 9)}]}}\n" for i in range(1, n // 10))
            + f"dependencies: *a{n // 10 - 1}\n"
        ),
    ),
    "items of YAML": ("pnpm-workspace.yaml", lambda n: "packages:\n" + "".join(f"  - a{i}\n" for i in range(n))),
}


def peak(path: str, text: str) -> int:
    """The most memory that reading a manifest takes, whether it is refused or not."""
    body = text.encode()
    tracemalloc.start()
    try:
        try:
            parse(path, body)
            declared(path, body)
        except ValueError:
            pass
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("what", GROWING)
@pytest.mark.slow
def test_memory_grows_as_a_manifest_does(what: str) -> None:
    path, text = GROWING[what]
    peak(path, text(10))  # what is loaded once
    small, large = peak(path, text(2_000)), peak(path, text(4_000))
    assert large < 2.6 * small + (64 << 10), (small, large)


# Each takes minutes where a text is looked through again from every place of it; every test has one.
LONG = {
    "an option without a value": ("setup.cfg", "[a]\nb" + " " * MAX_BYTES + "b\n"),
    "lines that are no options": ("setup.cfg", "[a]\n" + "b\n" * MAX_BYTES),
    "brackets of YAML": ("pnpm-workspace.yaml", "[" * MAX_BYTES),
    "closed brackets of YAML": ("pnpm-workspace.yaml", "packages: " + "[]," * (MAX_BYTES // 4)),
    "keys of YAML without a value": ("pnpm-workspace.yaml", "packages: [" + "a, ? " * (MAX_BYTES // 6)),
    "anchors of YAML": ("pnpm-workspace.yaml", "packages: [" + "&a a," * (MAX_BYTES // 6) + "a]"),
    "a text of YAML that does not end": ("pnpm-workspace.yaml", 'packages: "' + "a\n " * (MAX_BYTES // 4)),
    "empty lines in YAML": ("pnpm-workspace.yaml", "packages:\n" + "\n" * MAX_BYTES),
}


@pytest.mark.parametrize("what", LONG)
@pytest.mark.slow
@pytest.mark.sweep(2)
def test_a_long_manifest_is_read_once(what: str) -> None:
    path, text = LONG[what]
    peak(path, text[:MAX_BYTES])


@pytest.mark.parametrize("piece", ["/*", '"\\', "//", '"', ", "])
def test_aliases_are_looked_for_once(piece: str) -> None:
    assert path_aliases.declared("", piece * (MAX_BYTES // len(piece))) == {}


def test_what_is_refused_is_noted_by_every_reader(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("a." * 100 + "a = 1\n")
    (tmp_path / "package.json").write_text('{"workspaces": ' + "[" * 200 + "]" * 200 + "}")
    for notes in (survey(tmp_path).notes, workspaces(tmp_path).notes):
        assert "pyproject.toml is ignored: a key has more than 16 parts" in notes
        assert "package.json is ignored: it is nested deeper than 100 levels" in notes


def test_a_client_s_file_is_bounded_too() -> None:
    with pytest.raises(Unsure, match="more than 16 parts"):
        toml.look("a." * 100 + "a = 1\n", "mcp_servers", "indelible")


HONEST = """
# a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a
[tool.a.b."c.d".e.'f.g.h']
x = "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a" # "not closed
y = '''
it's a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a
'''
z = ["1.0.0", "2.0.0", 3.5, { a.b = 'C:\\', v = \"\"\"\\\\ "" a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a\"\"\" }]
w = ["1.2.3.4", "5.6.7.8", "1.2.3.4", "5.6.7.8", "1.2.3.4", "5.6.7.8", "1.2.3.4", "5.6.7.8", "1.2.3.4", "5.6.7.8"]
"""


def test_dots_that_are_in_no_key_count_for_nothing() -> None:
    values = bounded.toml(HONEST)
    assert values["tool"]["a"]["b"]["c.d"]["e"]["f.g.h"]["z"][3]["a"]["b"] == "C:\\"
    assert len(values["tool"]["a"]["b"]["c.d"]["e"]["f.g.h"]["w"]) == 10
    assert bounded.json_value('{"a": "[[[' + "[" * 200 + '\\"", "b": [1]}')["b"] == [1]
