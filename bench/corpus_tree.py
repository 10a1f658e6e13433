"""A real package parsed and put together as the index does it: what several benchmarks of code begin with."""

import json
import re
import time
from dataclasses import dataclass, field
from pathlib import Path

from code_corpora import Corpus, files

from indelible.source.parse.deadline import NotSource
from indelible.source.parse.languages import BY_NAME, language_of
from indelible.source.parse.parsing import parse
from indelible.source.parse.symbols import ParsedFile
from indelible.source.resolve.definition_index import Definitions
from indelible.source.resolve.module_names import Layout, module_name

BESIDE = {"typescript": ("tsx",), "tsx": ("typescript",), "cpp": ("c",), "c": ("cpp",)}  # dialects of one package


@dataclass
class Tree:
    """One package. `seconds` of processor time that parsing took."""

    top: Path
    definitions: Definitions
    bytes: int = 0
    seconds: float = 0.0
    unread: int = 0
    parsed: dict[str, ParsedFile] = field(default_factory=dict)

    def line(self, path: str, number: int) -> str:
        """A line of a file as it stands there."""
        lines = (self.top / path).read_text(encoding="utf-8", errors="replace").split("\n")
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def parsed_tree(corpus: Corpus, into: Path, *, dialects: frozenset[str] = frozenset()) -> Tree:
    """The files of a corpus, with those of other `dialects` beside them (headers of C, TSX beside TypeScript)."""
    top = into / corpus.name
    paths = [path.relative_to(top).as_posix() for path in files(corpus, into, dialects)]
    layout = Layout(
        frozenset(path.rpartition("/")[0] for path in paths if path.endswith(("__init__.py", "__init__.pyi"))),
        {each.parent.relative_to(top).as_posix().removeprefix("."): name for each, name in _crates(top)},
    )
    tree = Tree(top, Definitions(_go_modules(top), _npm_packages(top)))
    for path in paths:
        body = (top / path).read_bytes()
        language = language_of(path, body) or BY_NAME[corpus.language]
        began = time.process_time()
        try:
            tree.parsed[path] = parse(body, language, path, module_name(language, path, layout))
        except NotSource:
            tree.unread += 1
            continue
        finally:
            tree.seconds += time.process_time() - began
        tree.bytes += len(body)
        tree.definitions.put(path, tree.parsed[path])
    return tree


def _folder(file: Path, top: Path) -> str:
    return file.parent.relative_to(top).as_posix().removeprefix(".")


def _crates(top: Path) -> list[tuple[Path, str]]:
    found = ((path, re.search(r'^name\s*=\s*"([^"]+)"', path.read_text(), re.M)) for path in top.rglob("Cargo.toml"))
    return [(path, name[1]) for path, name in found if name]


def _go_modules(top: Path) -> dict[str, str]:
    found = ((path, re.search(r"^module\s+(\S+)", path.read_text(), re.M)) for path in top.rglob("go.mod"))
    return {_folder(path, top): name[1] for path, name in found if name}


def _npm_packages(top: Path) -> dict[str, str]:
    named = {}
    for path in top.rglob("package.json"):
        try:
            named[str(json.loads(path.read_text()).get("name"))] = _folder(path, top)
        except (ValueError, AttributeError):
            continue
    return named
