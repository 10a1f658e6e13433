"""The definitions of a small codebase, and its edges as lines for tables of cases."""

from typing import Any

from indelible.source.parse.languages import language_of
from indelible.source.parse.parsing import parse
from indelible.source.resolve.definition_index import Definitions
from indelible.source.resolve.module_names import Layout, module_name
from indelible.source.resolve.resolution import CALLS, IMPORTS, WHOLE_FILE, Resolution, Resolved


def index(files: dict[str, str], **places: Any) -> Definitions:
    """The definitions of a codebase given as {path: text}."""
    folders = {path.rpartition("/")[0] for path in files if path.endswith("__init__.py")}
    crates = {path.rpartition("/")[0]: text for path, text in files.items() if path.endswith("Cargo.toml")}
    layout = Layout(frozenset(folders), crates)
    found = Definitions(**places)
    for path, text in files.items():
        language = language_of(path, text.encode())
        if language is not None:
            found.put(path, parse(text.encode(), language, path, module_name(language, path, layout)))
    return found


def shown(definitions: Definitions, path: str, edge: Resolved) -> str:
    """`source RELATION target` of an edge of a file."""
    file = definitions.files[path]
    source = edge.subject or (path if edge.scope < 0 else file.symbols[edge.scope].qualified_name)
    target = definitions.files[edge.target_path]
    to = edge.target_path if edge.target_index == WHOLE_FILE else target.symbols[edge.target_index].qualified_name
    return f"{source} {edge.relation} {to}"


def edges(files: dict[str, str], **places: Any) -> dict[str, float]:
    """All edges as `source RELATION target`, with their confidence."""
    definitions = index(files, **places)
    resolution = Resolution(definitions)
    return {
        shown(definitions, path, edge): edge.confidence for path in definitions.files for edge in resolution.edges(path)
    }


def edges_of(definitions: Definitions, path: str) -> dict[str, float]:
    """The edges of one file as `edges` gives them."""
    return {shown(definitions, path, edge): edge.confidence for edge in Resolution(definitions).edges(path)}


def imported(files: dict[str, str]) -> list[str]:
    """`file IMPORTS file` of each import that resolves to a whole file, sorted."""
    resolution = Resolution(index(files))
    found = ((path, edge) for path in files for edge in resolution.edges(path))
    whole = ((path, edge) for path, edge in found if edge.relation == IMPORTS and edge.target_index == WHOLE_FILE)
    return sorted(f"{path} IMPORTS {edge.target_path}" for path, edge in whole)


def calls(
    files: dict[str, str],
    *,
    with_path: bool = False,
    with_line: bool = False,
    npm_packages: dict[str, str] | None = None,
) -> list[str]:
    """`source CALLS target` of each call that resolves, sorted; with the file or the line of the target."""
    definitions = index(files, npm_packages=npm_packages)
    made = []
    resolution = Resolution(definitions)
    for path in files:
        symbols = definitions.files[path].symbols
        for edge in resolution.edges(path):
            if edge.relation == CALLS:
                target = definitions.files[edge.target_path].symbols[edge.target_index]
                more = f" {edge.target_path}" if with_path else f" {target.line}" if with_line else ""
                source = symbols[edge.scope].qualified_name if edge.scope >= 0 else path
                made.append(f"{source} CALLS {target.qualified_name}{more}")
    return sorted(made)
