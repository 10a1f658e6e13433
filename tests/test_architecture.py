"""What may import what, what stands where, and what a process loads: the rules of docs/design/README.md as tests."""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import indelible
import released
from indelible.registry import Tool, all_tools
from mcp_client import environment

PACKAGE = Path(indelible.__file__).parent
SNAPSHOT = PACKAGE / "serve" / "tools.json"  # from which a server lists its tools
SOURCES = sorted(PACKAGE.rglob("*.py"))

# Downwards only: serve -> registry, tools -> engine -> store | search | embed | graph -> model, errors.
MAY_IMPORT = {
    "__init__": {"client", "errors", "graph", "memory", "settings"},
    "__main__": {"serve"},
    "serve": {
        *("__init__", "registry", "tools", "engine", "embed", "capture", "setup", "redact", "redact_spans", "framing"),
        *("model", "errors", "settings", "environment"),
    },
    "client": {"__init__", "memory", "engine", "graph", "redact", "framing", "environment", "errors"},
    "memory": {"registry", "engine", "settings"},
    "registry": {"argument_errors", "rounding", "tools", "engine", "settings", "errors"},
    "argument_errors": set(),
    "rounding": set(),
    "tools": {"registry", "engine", "framing", "rounding", "model", "errors"},
    "engine": {
        *("store", "search", "embed", "graph", "code", "capture", "redact", "framing", "model", "errors", "settings"),
        "redact_shapes",
    },
    "store": {"model", "errors"},
    "search": {"model"},
    "embed": {"errors", "settings"},
    "graph": {"errors"},
    "code": {"redact", "bounded", "errors", "model"},
    "capture": {"search", "redact_entropy", "redact_spans", "redact_rules", "unseen", "errors"},
    "setup": {"__init__", "bounded", "errors"},
    "framing": {"unseen"},
    "unseen": set(),
    "bounded": set(),
    "settings": {"errors", "environment"},
    "environment": {"errors"},
    "redact": {"redact_spans", "redact_rules"},
    "redact_entropy": {"redact_spans", "redact_rules"},
    "redact_spans": {
        "redact_broken",
        "redact_private",
        "redact_rules",
        "redact_shapes",
        "redact_told",
        "redact_tokens",
    },
    "redact_tokens": {"redact_broken", "redact_rules", "redact_shapes"},
    "redact_shapes": set(),
    "redact_broken": {"redact_rules"},
    "redact_told": {"redact_rules"},
    "redact_private": {"redact_rules"},
    "redact_rules": set(),
    "model": set(),
    "errors": set(),
}
# Some modules look sideways: words are counted where they are stored or parsed, the platform's directory is a default,
# a command counts what the tools take of a model's context.
BESIDES = {
    ("serve/commands/tools.py", "indelible.search.o200k"),
    ("store/terms.py", "indelible.search.tokens"),
    ("store/terms.py", "indelible.search.postings"),
    ("store/terms.py", "indelible.embed.base"),
    ("store/embeddings.py", "indelible.search.vector_index"),
    ("store/embeddings.py", "indelible.search.vectors"),
    ("store/solutions.py", "indelible.search.experience"),
    ("code/texts.py", "indelible.search.tokens"),
    ("code/symbol_rows.py", "indelible.search.tokens"),
    ("client/spool.py", "indelible.store.places"),
    ("embed/server.py", "indelible.store.places"),
    ("settings.py", "indelible.store.places"),
    ("settings.py", "indelible.store.read_only"),
    ("environment.py", "indelible.store.places"),
    ("setup/files.py", "indelible.store.places"),
    ("setup/ledger.py", "indelible.store.places"),
}
# What has no business with any tool: all that tools stand on, but for the engine, where their work is done.
BELOW_TOOLS = {
    *("store", "search", "embed", "graph", "code", "capture", "framing", "unseen", "bounded", "model", "errors"),
    *("settings", "environment", *(layer for layer in MAY_IMPORT if layer.startswith("redact"))),
}
# Where a package from outside may be imported.
THIRD_PARTY = {
    "anyio": {"serve"},
    "apsw": {"store"},
    "cluster_libreville": {"graph"},
    "cryptography": {"serve"},
    "h11": {"serve"},
    "jwt": {"serve"},
    "mcp": {"serve"},
    "mcp_types": {"serve"},
    "numpy": {"search", "graph", "engine", "embed"},
    "onnxruntime": {"embed"},
    "platformdirs": {"store", "embed"},
    "packaging": {"code"},
    "psycopg": {"store"},
    "pydantic": {"registry", "tools", "serve"},
    "pydantic_core": {"serve"},
    "rich": {"serve"},
    "starlette": {"serve"},
    "Stemmer": {"search"},
    "toktok": {"search"},
    "tree_sitter": {"capture", "code"},
    "tree_sitter_bash": {"capture"},
    "typing_extensions": {"tools"},
    "uvicorn": {"serve"},
    "yaml": {"bounded"},
}


def place(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def layer(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """The full name of every module that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{place(path)}:{node.lineno} imports by a relative path"
            assert node.module is not None
            yield from (_module(node.module, alias.name) for alias in node.names)


def _module(parent: str, name: str) -> str:
    """`from parent import name` imports a module of our package, or something out of one."""
    inner = PACKAGE.parent.joinpath(*parent.split("."), name)
    return f"{parent}.{name}" if inner.is_dir() or inner.with_suffix(".py").is_file() else parent


def own_layer(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


@pytest.mark.parametrize("path", SOURCES, ids=place)
def test_imports_go_down_only(path):
    allowed = MAY_IMPORT[layer(path)] | {layer(path)}
    for module in imports(path):
        if module.split(".")[0] == "indelible":
            assert own_layer(module) in allowed or (place(path), module) in BESIDES, f"{place(path)} imports {module}"


@pytest.mark.parametrize("path", SOURCES, ids=place)
def test_what_comes_from_outside_is_imported_where_it_belongs(path):
    for module in imports(path):
        top = module.split(".")[0]
        if top != "indelible" and top not in sys.stdlib_module_names:
            assert layer(path) in THIRD_PARTY.get(top, set()), f"{place(path)} imports {module}"


@pytest.mark.parametrize("path", SOURCES, ids=place)
def test_sql_is_written_in_the_store_only(path):
    statement = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|PRAGMA|BEGIN|COMMIT|ATTACH|VACUUM)\b")
    if layer(path) == "store":
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not statement.match(node.value), f"{place(path)}:{node.lineno}: {node.value[:60]}"


def named_tools(text: str) -> list[str]:
    """The tools that a module's texts name, docstrings too, each with its line.

    A name of one word is an ordinary word as well (`search`, `delete`): no text tells which is meant. A whole text that
    records of released versions hold is a value of theirs, which must be read as it was written.
    """
    names = {name for name in all_tools() if "_" in name}
    texts = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    free = [n for n in texts if n.value not in stored_values()]
    return [f"{n.lineno}: {word}" for n in free for word in re.findall(r"\w+", str(n.value)) if word in names]


@cache
def stored_values() -> set[str]:
    """Each value of the observations that stores of released versions hold."""
    observed = [
        text for old in released.ALL for record in old.exported for text in record["metadata"].get("observations", ())
    ]
    facts = [json.loads(text) for text in observed if text.startswith("{")]
    return {value for fact in facts for value in fact.values() if isinstance(value, str)}


@pytest.mark.parametrize("path", [path for path in SOURCES if layer(path) in BELOW_TOOLS], ids=place)
def test_nothing_below_the_tools_knows_one_by_its_name(path):
    assert named_tools(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ('if call.tool == "update_memory":\n    pass', ["1: update_memory"]),
        ('def f():\n    """As `recall_memory` does."""', ["2: recall_memory"]),
        ('x = f"{name} is unknown; see list_todos"', ["1: list_todos"]),
        ('x = "delete"', []),
        ('DETECTOR = "matrix_failure"', []),  # in what failures wrote into the graph
        ('x = "matrix_failure stores it"', ["1: matrix_failure"]),
        ("from indelible.engine.transfer import export_memories", []),
    ],
)
def test_a_planted_name_of_a_tool_is_found(planted, found):
    assert named_tools(planted) == found


@pytest.mark.parametrize("file", sorted((PACKAGE / "store" / "sql").glob("*.sql")), ids=lambda file: file.name)
def test_no_query_names_a_tool(file):
    assert named_tools(repr(file.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("path", SOURCES, ids=place)
def test_the_environment_is_read_in_the_settings_only(path):
    if place(path) in ("settings.py", "environment.py"):  # the second: what a hook reads of it
        return
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
            assert node.attr not in ("environ", "environb", "getenv", "putenv"), f"{place(path)}:{node.lineno}"
        if isinstance(node, ast.ImportFrom):
            assert node.module != "os", f"{place(path)}:{node.lineno}"


@pytest.mark.parametrize("path", SOURCES, ids=place)
def test_a_file_is_named_after_a_noun(path):
    assert path.stem not in ("utils", "util", "helpers", "helper", "manager", "handler", "service", "common", "misc")


def test_the_public_names_are_sorted_and_there():
    assert indelible.__all__ == sorted(indelible.__all__)
    for name in indelible.__all__:
        assert getattr(indelible, name) is not None
    with pytest.raises(AttributeError, match="module 'indelible' has no attribute 'nothing'"):
        indelible.nothing  # noqa: B018


# --- What a process loads ---

HEAVY = (
    *("mcp", "mcp_types", "anyio", "pydantic", "numpy", "rich", "apsw", "starlette", "httpx2", "Stemmer", "psycopg"),
    *("indelible.search.failures", "indelible.graph.keys"),  # modules of ours with large expressions
)
REPORT = """
import sys
from indelible.serve.cli import main
try:
    code = main(sys.argv[1:])
except SystemExit as leaving:
    code = leaving.code
print("loaded:", *sorted(sys.modules), file=sys.stderr)
sys.exit(code)
"""


def loaded(program: str, *arguments: str, data: Path) -> set[str]:
    """The heavy packages and modules that a process has loaded in the end."""
    ran = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=environment({"INDELIBLE_DATA": str(data)}),
        cwd=data.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    said = [line for line in (ran.stdout + ran.stderr).splitlines() if line.startswith("loaded: ")]
    assert len(said) == 1
    return set(said[0].split()) & set(HEAVY)


def test_importing_the_package_loads_nothing_heavy(tmp_path):
    program = "import sys, indelible; print('loaded:', *sorted(sys.modules))"
    assert loaded(program, data=tmp_path / "data") == set()


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["recall", "--help"]], ids=" ".join)
def test_a_command_that_only_talks_loads_nothing_heavy(arguments, tmp_path):
    assert loaded(REPORT, *arguments, data=tmp_path / "data") == set()


@pytest.mark.sqlite("what a process loads for a file")
def test_a_command_loads_no_more_than_it_needs(tmp_path):
    remember, recall = ["remember", "axum was chosen"], ["recall", "axum"]
    data = tmp_path / "data"
    assert loaded(REPORT, *remember, data=data) <= {"apsw", "Stemmer", "pydantic", "indelible.graph.keys"}  # all tools
    assert loaded(REPORT, *recall, data=data) <= {"apsw", "Stemmer", "numpy"}
    assert loaded(REPORT, *recall, "--json", data=data) <= {"apsw", "Stemmer", "numpy"}
    assert loaded(REPORT, "export", data=data) <= {"apsw", "Stemmer", "indelible.graph.keys"}


# --- What agents are told ---


def advertised(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "title": tool.title,
        "toolset": tool.toolset,
        "description": tool.description,
        "writes": tool.writes,
        "destructive": tool.destructive,
        "idempotent": tool.idempotent,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
    }


def test_every_advertised_schema_is_that_of_the_snapshot():
    """After a wanted change: UPDATE_SNAPSHOTS=1 pytest tests/test_architecture.py, and read the difference."""
    now = json.dumps([advertised(tool) for tool in all_tools().values()], indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        SNAPSHOT.write_text(now, encoding="utf-8")
    assert now == SNAPSHOT.read_text(encoding="utf-8")


@pytest.mark.parametrize("tool", all_tools().values(), ids=lambda tool: tool.name)
def test_a_tool_is_described_in_full_and_in_little(tool):
    assert 60 <= len(tool.description) <= 1024
    assert len(tool.name) <= 30
    assert re.fullmatch(r"[a-z0-9_]+", tool.name)
    for name, schema in tool.input_schema.get("properties", {}).items():
        assert schema.get("description"), name
    for schema in (tool.input_schema, tool.output_schema):
        text = json.dumps(schema)
        assert '"title": "' not in text  # which says nothing; a property may be called title
        assert "$ref" not in text
        assert schema["type"] == "object"
    assert tool.input_schema["additionalProperties"] is False
