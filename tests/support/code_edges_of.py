"""The calls and imports of a small codebase, as lines for tables of cases."""

from indelible.source.parse.languages import language_of
from indelible.source.parse.parsing import parse
from indelible.source.resolve.definition_index import Definitions
from indelible.source.resolve.module_names import Layout, module_name
from indelible.source.resolve.resolution import CALLS, IMPORTS, WHOLE_FILE, Resolution


def _index(files: dict[str, str], npm_packages: dict[str, str] | None = None) -> Definitions:
    definitions = Definitions(npm_packages=npm_packages)
    for path, text in files.items():
        language = language_of(path, text.encode())
        assert language is not None
        definitions.put(path, parse(text.encode(), language, path, module_name(language, path, Layout())))
    return definitions


def imported(files: dict[str, str]) -> list[str]:
    """`file IMPORTS file` of each import that resolves to a whole file, sorted."""
    resolution = Resolution(_index(files))
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
    definitions = _index(files, npm_packages)
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
