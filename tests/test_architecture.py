"""The rooms of the package and what each may import, what stands where, and what a process loads."""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import indelible
import released
from indelible.toolsets.registry import Tool, all_tools
from mcp_client import environment

PACKAGE = Path(indelible.__file__).parent
SNAPSHOT = PACKAGE / "server" / "mcp" / "tools.json"  # from which a server lists its tools
SOURCES = sorted(PACKAGE.rglob("*.py"))

# A room imports rooms below it, never one above it. Files of the package itself are the ground, but for `api`, which is
# a room, and the package's face (`__init__`, `__main__`), which may load anything.
ROOMS = (
    *("face", "cli", "server", "client", "api", "admin", "transfer", "capture", "toolsets", "core", "store", "embed"),
    *("extraction", "source", "search", "graph", "sanitize", "ground"),
)
# The same inside a room, by its folders; "." stands for the files of the room itself.
INNER_ROOMS = {
    "cli": ("commands", "setup", "."),
    "server": ("web", "http", "mcp", "local", "."),
    "toolsets": ("review", "lifecycle", "memory", "context", "code", "solutions", "graph", "vectors", "."),
    "core": ("recall", "records", "context", "indexes"),
    "store": ("copy", "sqlite", "postgres", "views", "tables", "."),
    "source": (".", "history", "resolve", "manifests", "parse", "tree"),
    "search": ("model_tokens", "statements", "times", ".", "index"),
}
# Where a package from outside may be imported.
THIRD_PARTY = {
    "anyio": {"server"},
    "apsw": {"store"},
    "argcomplete": {"cli"},
    "cluster_libreville": {"graph"},
    "cryptography": {"admin", "server"},
    "h11": {"server"},
    "jinja2": {"server"},
    "jwt": {"server"},
    "markupsafe": {"server"},
    "mcp": {"server"},
    "mcp_types": {"server"},
    "numpy": {"search", "graph", "embed"},
    "onnxruntime": {"embed"},
    "opentelemetry": {"ground", "server"},
    "packaging": {"source"},
    "platformdirs": {"ground", "embed"},
    "psycopg": {"store"},
    "pydantic": {"toolsets", "server"},
    "pydantic_core": {"toolsets", "server"},
    "rich": {"cli"},
    "starlette": {"server"},
    "Stemmer": {"search"},
    "tokenizers": {"embed"},
    "toktok": {"search"},
    "tree_sitter": {"source", "extraction"},
    "tree_sitter_bash": {"extraction"},
    "typing_extensions": {"toolsets"},
    "uvicorn": {"server"},
    "yaml": {"sanitize", "cli"},
}


def place(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def module_of(path: Path, package: Path) -> str:
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def nodes(text: str) -> list[ast.AST]:
    """The imports, constants and attributes of names in a module's text: what most tests here look at."""
    return [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Constant)
        or (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name))
    ]


def imports(path: Path, package: Path = PACKAGE) -> Iterator[tuple[str, int]]:
    """The full name of every module that a file imports, wherever in it, for types only too, and the line."""
    for node in nodes(path.read_text(encoding="utf-8")):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports by a relative path"
            assert node.module is not None
            yield from ((_module(node.module, alias.name, package), node.lineno) for alias in node.names)


def _module(parent: str, name: str, package: Path) -> str:
    """`from parent import name` imports a module of our package, or something out of one."""
    inner = package.parent.joinpath(*parent.split("."), name)
    return f"{parent}.{name}" if inner.is_dir() or inner.with_suffix(".py").is_file() else parent


def room_of(module: str) -> str:
    _, *parts = module.split(".")
    if not parts or parts == ["__main__"]:
        return "face"
    return parts[0] if parts[0] in ROOMS else "ground"


def inner_room_of(module: str, package: Path) -> str:
    parts = module.split(".")
    return parts[2] if len(parts) > 2 and package.joinpath(*parts[1:3]).is_dir() else "."


def faults(package: Path) -> list[str]:
    """Every import that goes up, between rooms or inside one, and every circle of files; in a stable order."""
    found: list[str] = []
    graph: dict[str, set[str]] = {}
    for path in sorted(package.rglob("*.py")):
        module = module_of(path, package)
        own = graph.setdefault(module, set())
        for target, line in imports(path, package):
            if target.split(".")[0] != "indelible" or target == module:
                continue
            own.add(target)
            here, there = room_of(module), room_of(target)
            if ROOMS.index(there) < ROOMS.index(here):
                found.append(f"{path.relative_to(package)}:{line} {here} imports {there}, which is above it: {target}")
            elif here == there and (inner := INNER_ROOMS.get(here)):
                from_, to = inner_room_of(module, package), inner_room_of(target, package)
                if target != f"indelible.{here}" and inner.index(to) < inner.index(from_):
                    found.append(f"{path.relative_to(package)}:{line} {here}/{from_} imports {here}/{to}: {target}")
    return found + [f"a circle: {' -> '.join(circle)}" for circle in circles(graph)]


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """One circle of each group of modules that import each other; taking leaves away leaves nothing else."""
    left = {module: {each for each in targets if each in graph} for module, targets in graph.items()}
    while leaves := [module for module, targets in left.items() if not targets & left.keys()]:
        for module in leaves:
            del left[module]
    found: list[list[str]] = []
    while left:
        way = [min(left)]
        while (after := min(left[way[-1]] & left.keys(), default=None)) is not None and after not in way:
            way.append(after)
        if after is not None:
            found.append([*way[way.index(after) :], after])
        for module in way:
            del left[module]
    return found


def test_imports_go_down_only_and_in_no_circle():
    assert faults(PACKAGE) == []


PLANTED = (
    ("store/planted.py", "from indelible.toolsets.memory import memories", "store imports toolsets"),
    ("search/planted.py", "def f():\n    from indelible.core.context import ids", "search imports core"),
    ("graph/planted.py", "if TYPE_CHECKING:\n    from indelible.store.database import Row", "graph imports store"),
    ("core/indexes/planted.py", "import indelible.core.recall.recall", "core/indexes imports core/recall"),
    ("toolsets/planted.py", "from indelible.toolsets.code import tools", "toolsets/. imports toolsets/code"),
    ("model.py", "from indelible.planted import x", "a circle: indelible.model -> indelible.planted"),
)


def test_planted_imports_are_found(tmp_path):
    package = tmp_path / "indelible"
    for path in SOURCES:
        copy = package / place(path)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    (package / "planted.py").write_text("from indelible import model\n")
    assert faults(package) == []
    for file, text, _ in PLANTED:
        with (package / file).open("a") as planted:
            planted.write(f"\n{text}\n")
    found = faults(package)
    assert [sum(said in fault for fault in found) for *_, said in PLANTED] == [1] * len(PLANTED) == [1] * len(found)


def strangers(package: Path) -> list[str]:
    """Every import of a package from outside in a room that may not import it."""
    found = []
    for path in sorted(package.rglob("*.py")):
        allowed = {top for top, rooms in THIRD_PARTY.items() if room_of(module_of(path, package)) in rooms}
        allowed |= {"indelible", *sys.stdlib_module_names}
        outside = [(name, line) for name, line in imports(path, package) if name.split(".")[0] not in allowed]
        found += [f"{path.relative_to(package).as_posix()}:{line} {name}" for name, line in outside]
    return found


def test_what_comes_from_outside_is_imported_where_it_belongs():
    assert strangers(PACKAGE) == []


@pytest.mark.parametrize(
    ("file", "text", "found"),
    [
        ("core/recall/planted.py", "import numpy as np", ["core/recall/planted.py:1 numpy"]),
        ("toolsets/code/planted.py", "def f():\n    from numpy import array", ["toolsets/code/planted.py:2 numpy"]),
        ("store/planted.py", "if CHECKING:\n    from numpy.typing import NDArray", ["store/planted.py:2 numpy.typing"]),
        ("search/index/planted.py", "import numpy as np", []),
        ("embed/planted.py", "def f():\n    import numpy as np", []),
    ],
)
def test_a_planted_import_from_outside_is_found(file, text, found, tmp_path):
    planted = tmp_path / "indelible" / file
    planted.parent.mkdir(parents=True)
    planted.write_text(text)
    assert strangers(tmp_path / "indelible") == found


def test_a_folder_is_no_drawer():
    """Some twenty files at most, apart from `__init__`."""
    count = {folder: len(list(folder.glob("[!_]*.py"))) for folder in {path.parent for path in SOURCES}}
    assert {folder.name: files for folder, files in count.items() if files > 23} == {}


def test_sql_is_written_in_the_store_only():
    statement = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|PRAGMA|BEGIN|COMMIT|ATTACH|VACUUM)\b")
    found = []
    for path in SOURCES:
        if not place(path).startswith("store/"):
            texts = [node for node in nodes(path.read_text(encoding="utf-8")) if isinstance(node, ast.Constant)]
            sql = [node for node in texts if isinstance(node.value, str) and statement.match(node.value)]
            found += [f"{place(path)}:{node.lineno}: {node.value[:60]!r}" for node in sql]
    assert found == []


def is_below_toolsets(path: Path) -> bool:
    return ROOMS.index(room_of(module_of(path, PACKAGE))) > ROOMS.index("toolsets")


def named_tools(text: str) -> list[str]:
    """The tools that a module's texts name, docstrings too, each with its line.

    A name of one word is an ordinary word as well (`search`, `delete`): no text tells which is meant. A whole text that
    records of released versions hold is a value of theirs, which must be read as it was written.
    """
    names = {name for name in all_tools() if "_" in name}
    texts = [n for n in nodes(text) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    kept = stored_values()
    free = [n for n in texts if n.value not in kept]
    return [f"{n.lineno}: {word}" for n in free for word in re.findall(r"\w+", str(n.value)) if word in names]


@cache
def stored_values() -> set[str]:
    """Each value of the observations that stores of released versions hold."""
    observed = [
        text for old in released.ALL for record in old.exported for text in record["metadata"].get("observations", ())
    ]
    facts = [json.loads(text) for text in observed if text.startswith("{")]
    return {value for fact in facts for value in fact.values() if isinstance(value, str)}


def test_nothing_below_the_tools_knows_one_by_its_name():
    below = [path for path in SOURCES if is_below_toolsets(path)]
    assert below
    assert {place(path): named for path in below if (named := named_tools(path.read_text(encoding="utf-8")))} == {}


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ('if call.tool == "update_memory":\n    pass', ["1: update_memory"]),
        ('def f():\n    """As `recall_memory` does."""', ["2: recall_memory"]),
        ('x = f"{name} is unknown; see list_todos"', ["1: list_todos"]),
        ('x = "delete"', []),
        ('DETECTOR = "matrix_failure"', []),  # in what failures wrote into the graph
        ('x = "matrix_failure stores it"', ["1: matrix_failure"]),
        ("from indelible.core.records.exporting import export_memories", []),
    ],
)
def test_a_planted_name_of_a_tool_is_found(planted, found):
    assert named_tools(planted) == found


def test_no_query_names_a_tool():
    files = sorted((PACKAGE / "store" / "sql").glob("*.sql"))
    assert files
    assert [file.name for file in files if named_tools(repr(file.read_text(encoding="utf-8")))] == []


def reads_environment(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
        return node.attr in ("environ", "environb", "getenv", "putenv")
    return isinstance(node, ast.ImportFrom) and node.module == "os"


def test_the_environment_is_read_in_the_settings_only():
    readers = {path for path in SOURCES if any(map(reads_environment, nodes(path.read_text(encoding="utf-8"))))}
    assert {place(path) for path in readers} == {"settings.py", "hook_settings.py"}  # the second: what a hook reads


def test_a_file_is_named_after_a_noun():
    vague = {"utils", "util", "helpers", "helper", "manager", "handler", "service", "common", "misc"}
    assert [place(path) for path in SOURCES if path.stem in vague] == []


def test_the_public_names_are_sorted_and_there():
    assert indelible.__all__ == sorted(indelible.__all__)
    for name in indelible.__all__:
        assert getattr(indelible, name) is not None
    with pytest.raises(AttributeError, match="module 'indelible' has no attribute 'nothing'"):
        indelible.nothing  # noqa: B018


# --- Late imports ---

LATE = re.compile(r"^# Imported late \(([\w, ]+)\): ((?:.*)(?:\n#   .*)*)", re.MULTILINE)
INDENTED_IMPORT = re.compile(r"^[ \t]+(import|from)\b", re.MULTILINE)  # as ruff formats all that a function imports
# Steps of bench/speed.py; `client` (the Python client loads no more than its connection), `extra` (a package that may
# not be installed) and `platform` (a module that only some systems have) are the other reasons.
LATE_FOR = {"start", "cli", "hooks", "redact", "memory", "client", "extra", "platform"}


def unexplained(text: str, package: Path = PACKAGE) -> list[str]:
    """The modules that functions of a file import, of which no comment at its head says why they do."""
    said: set[str] = set()
    for reasons, modules in LATE.findall(text):
        assert set(reasons.split(", ")) <= LATE_FOR
        said.update(re.findall(r"[\w.]+", modules))
    found = set()
    for node in ast.walk(ast.parse(text)) if INDENTED_IMPORT.search(text) else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Import):
                    found.update(alias.name for alias in inner.names)
                elif isinstance(inner, ast.ImportFrom):
                    assert inner.module is not None
                    found.update(_module(inner.module, alias.name, package) for alias in inner.names)
    return sorted(found - said)


def test_an_import_inside_a_function_says_which_figure_needs_it():
    """A command of cli/commands/ imports what it works with: docs/design/cli.md."""
    others = [path for path in SOURCES if "commands" not in path.parts]
    assert {place(path): late for path in others if (late := unexplained(path.read_text(encoding="utf-8")))} == {}


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("def f():\n    import numpy as np", ["numpy"]),
        ("# Imported late (start): numpy\ndef f():\n    import numpy as np", []),
        (
            "# Imported late (start): numpy\ndef f():\n    from indelible.core.context import ids",
            ["indelible.core.context.ids"],
        ),
    ],
)
def test_a_planted_late_import_is_found(planted, found):
    assert unexplained(planted) == found


# --- What a process loads ---

HEAVY = (
    *("mcp", "mcp_types", "anyio", "pydantic", "numpy", "rich", "apsw", "starlette", "httpx2", "Stemmer", "psycopg"),
    "opentelemetry",
    *("indelible.search.failures", "indelible.graph.keys"),  # modules of ours with large expressions
)
REPORT = """
import sys
from indelible.cli.main import main
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


@pytest.mark.process
def test_importing_the_package_loads_nothing_heavy(tmp_path):
    program = "import sys, indelible; print('loaded:', *sorted(sys.modules))"
    assert loaded(program, data=tmp_path / "data") == set()


@pytest.mark.process
@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["recall", "--help"]], ids=" ".join)
def test_a_command_that_only_talks_loads_nothing_heavy(arguments, tmp_path):
    assert loaded(REPORT, *arguments, data=tmp_path / "data") == set()


@pytest.mark.process
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


def test_a_tool_is_described_in_full_and_in_little():
    for tool in all_tools().values():
        assert 60 <= len(tool.description) <= 1024, tool.name
        assert len(tool.name) <= 30
        assert re.fullmatch(r"[a-z0-9_]+", tool.name)
        for name, schema in tool.input_schema.get("properties", {}).items():
            assert schema.get("description"), (tool.name, name)
        for schema in (tool.input_schema, tool.output_schema):
            text = json.dumps(schema)
            assert '"title": "' not in text, tool.name  # which says nothing; a property may be called title
            assert "$ref" not in text, tool.name
            assert schema["type"] == "object", tool.name
        assert tool.input_schema["additionalProperties"] is False, tool.name
