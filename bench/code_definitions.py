"""Definitions of real source held against independent tools, and how fast they are found.

    python bench/code_definitions.py [--corpora DIR] [--show N] [--write docs/benchmarks.md] [NAME ...]

Python is held against `ast` (functions, methods and classes: name, line and which of the three); the other languages
against universal-ctags (its functions, methods, classes, structs, enums, interfaces; name and line). `parse` is the
time of tree-sitter alone over the same bytes in the same run, `x` how many times that `parse()` takes in all. Corpora
are those of code_corpora.py; fetch them first.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from code_corpora import CORPORA, DEFAULT, Corpus, files
from report import Run, check_sections, table, write_section

from indelible.source.parse import deadline, parsing
from indelible.source.parse.languages import BY_NAME
from indelible.source.parse.symbols import ParsedFile, Symbol

SECTION = "code definitions"
CALLABLES = {"function", "method", "test"}
CTAGS = {  # language: the name that ctags has for it, and its kinds by what we call them
    "c": ("C", {"function": "function", "struct": "type", "union": "type", "enum": "type"}),
    "cpp": ("C++", {"function": "function", "class": "type", "struct": "type", "union": "type", "enum": "type"}),
    "rust": (
        "Rust",
        {"function": "function", "method": "function", "struct": "type", "enum": "type", "interface": "type"},
    ),
    "go": ("Go", {"func": "function", "struct": "type", "interface": "type", "methodSpec": "function"}),
    "java": (
        "Java",
        {"method": "function", "class": "type", "interface": "type", "enum": "type", "annotation": "type"},
    ),
    "javascript": (
        "JavaScript",
        {"function": "function", "method": "function", "generator": "function", "class": "type"}
        | {"getter": "function", "setter": "function"},
    ),
    "typescript": (
        "TypeScript",
        {"function": "function", "method": "function", "generator": "function", "class": "type"}
        | {"interface": "type", "enum": "type"},
    ),
}
CTAGS["tsx"] = CTAGS["typescript"]
CTAGS |= {
    "csharp": (
        "C#",
        {"method": "function", "class": "type", "struct": "type", "interface": "type", "enum": "type"},
    ),
    "ruby": ("Ruby", {"class": "type", "module": "type", "method": "function", "singletonMethod": "function"}),
    "php": ("PHP", {"class": "type", "interface": "type", "trait": "type", "function": "function"}),
    "kotlin": ("Kotlin", {"class": "type", "interface": "type", "object": "type", "method": "function"}),
    "bash": ("Sh", {"function": "function"}),
    "sql": ("SQL", {"table": "type", "view": "type", "function": "function", "procedure": "function"}),
    "markdown": (
        "Markdown",
        dict.fromkeys(("chapter", "section", "subsection", "subsubsection", "l4subsection", "l5subsection"), "type"),
    ),
}
OURS = {"ruby": {"module"}, "markdown": {"module"}}  # kinds that are compared beside functions and types

Found = tuple[str, str, int]  # what (function, method, class or type), name, line


@dataclass
class Result:
    """What is known of one corpus after its run. `missed` and `extra` are (file, what, name, line)."""

    corpus: Corpus
    files: int = 0
    bytes: int = 0
    symbols: int = 0
    references: int = 0
    with_errors: int = 0
    unread: int = 0
    parse_seconds: float = 0.0
    seconds: float = 0.0
    expected: int = 0
    ours: int = 0
    missed: list[tuple[str, str, str, int]] = field(default_factory=list)
    extra: list[tuple[str, str, str, int]] = field(default_factory=list)


def measure(corpus: Corpus, top: Path) -> Result:
    result = Result(corpus)
    language = BY_NAME[corpus.language]
    root = top / corpus.name
    paths = list(files(corpus, top))
    bodies = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
    parsing.parse(b"", language, "warm")
    result.files, result.bytes = len(bodies), sum(map(len, bodies.values()))
    result.parse_seconds = _alone(bodies.values(), corpus.language)
    parsed: dict[str, ParsedFile] = {}
    started = time.process_time()
    for path, body in bodies.items():
        try:
            parsed[path] = parsing.parse(body, language, path)
        except deadline.NotSource:
            result.unread += 1
    result.seconds = time.process_time() - started
    result.symbols = sum(len(file.symbols) for file in parsed.values())
    result.references = sum(len(file.references) for file in parsed.values())
    result.with_errors = sum(file.errors for file in parsed.values())
    if corpus.language == "python":
        _against_ast(result, parsed, bodies)
    else:
        _against_ctags(result, parsed, root)
    return result


def _alone(bodies: Iterable[bytes], language: str) -> float:
    """Seconds of processor time that tree-sitter takes to parse the files and nothing else."""
    from tree_sitter import Parser

    if BY_NAME[language].read is not None:
        return 0.0
    parser = Parser(parsing.grammar_of(BY_NAME[language]).language)
    started = time.process_time()
    for body in bodies:
        parser.parse(body)
    return time.process_time() - started


def _against_ast(result: Result, parsed: dict[str, ParsedFile], bodies: dict[str, bytes]) -> None:
    for path, file in parsed.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                wanted = Counter(_defined(ast.parse(bodies[path])))
        except (SyntaxError, ValueError):
            continue
        got = Counter(_of_python(file.symbols))
        result.expected += wanted.total()
        result.ours += got.total()
        result.missed += [(path, *each) for each in (wanted - got).elements()]
        result.extra += [(path, *each) for each in (got - wanted).elements()]


def _defined(tree: ast.AST) -> Iterator[Found]:
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, in_class = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield "method" if in_class else "function", node.name, node.lineno
        elif isinstance(node, ast.ClassDef):
            yield "class", node.name, node.lineno
        is_class = isinstance(node, ast.ClassDef)
        is_scope = is_class or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        waiting += [(child, is_class if is_scope else in_class) for child in ast.iter_child_nodes(node)]


def _of_python(symbols: Iterable[Symbol]) -> Iterator[Found]:
    classes = {symbol.qualified_name for symbol in symbols if symbol.kind == "class"}
    for symbol in symbols:
        if symbol.kind == "test":
            yield "method" if symbol.parent in classes else "function", symbol.name, symbol.line
        elif symbol.kind in ("function", "method", "class"):
            yield symbol.kind, symbol.name, symbol.line


def _against_ctags(result: Result, parsed: dict[str, ParsedFile], root: Path) -> None:
    name, kinds = CTAGS[result.corpus.language]
    command = ["ctags", "--options=NONE", "--output-format=json", "--fields=+nKPl", "-L", "-", "-f", "-"]
    command += [f"--language-force={name}", "--links=no", "--sort=no"]
    told = subprocess.run(command, cwd=root, input="\n".join(parsed), capture_output=True, text=True, check=True)
    wanted: dict[str, set[Found]] = {path: set() for path in parsed}
    others: dict[str, set[tuple[str, int]]] = {path: set() for path in parsed}
    for line in told.stdout.splitlines():
        tag = json.loads(line)
        what = kinds.get(tag["kind"])
        if what is None or _is_none(tag):
            others[tag["path"]].add((_plain(tag["name"]), tag["line"]))
        else:
            wanted[tag["path"]].add((what, tag["name"], tag["line"]))
    for path, file in parsed.items():
        wanted[path] = _once(wanted[path], file)
        got = {(_plain(symbol.name), symbol.line) for symbol in file.symbols}
        got |= {(name, symbol.line) for symbol in file.symbols for name in _MACRO.findall(symbol.signature)[:1]}
        got |= {(_plain(symbol.name), symbol.start_line) for symbol in file.symbols}
        result.expected += len(wanted[path])
        got |= {("TEST", symbol.start_line) for symbol in file.symbols if symbol.kind == "test"}
        got |= {(name, line + 1) for name, line in got}  # where a name ends its line, ctags gives the next
        known = {(_plain(name), line) for _, name, line in wanted[path]} | others[path]
        known |= {(name, line - 1) for name, line in known}
        kinds_of_ours = CALLABLES | {"class", "struct", "enum", "interface"} | OURS.get(result.corpus.language, set())
        mine = {
            ("function" if symbol.kind in CALLABLES else "type", symbol.name, symbol.line)
            for symbol in file.symbols
            if not _is_title(result.corpus.language, symbol) and symbol.kind in kinds_of_ours
        }
        result.ours += len(mine)
        result.missed += [(path, *each) for each in sorted(wanted[path]) if (_plain(each[1]), each[2]) not in got]
        result.extra += [(path, *each) for each in sorted(mine) if (_plain(each[1]), each[2]) not in known]


def _is_title(language: str, symbol: Symbol) -> bool:
    """Whether a symbol is a case of RSpec or Minitest by its title, which ctags has not under its name of Ruby."""
    return language == "ruby" and symbol.kind == "test" and not symbol.name.startswith("test_")


def _once(wanted: set[Found], file: ParsedFile) -> set[Found]:
    """ctags names `a.b = function c() {` twice, as b and as c: that is one definition, ours where it is one of them."""
    lines: dict[int, list[Found]] = {}
    for each in wanted:
        lines.setdefault(each[2], []).append(each)
    ours = {symbol.line: symbol for symbol in file.symbols if _ASSIGNED.search(symbol.signature)}
    for line, found in lines.items():
        symbol = ours.get(line)
        if symbol is not None and len(found) > 1 and any(name == symbol.name for _, name, _ in found):
            wanted = {each for each in wanted if each[2] != line or each[1] == symbol.name}
    return wanted


_GIVEN = re.compile(r"prototype\.[\w$]+\s*=\s*+(?!(undefined|null|true|false|\d+|\[\]|'[^']*')\s*;)")
_ASSIGNED = re.compile(r"=\s*(?:async\s+)?(?:function|class)\b")
_MACRO = re.compile(r"^(?:static\s+|struct\s+)*([A-Z][A-Z0-9_]{3,})\(")  # ctags calls what a macro makes by the macro


def _is_none(tag: dict[str, str]) -> bool:
    """Whether ctags lists what is no definition with a name: it makes up names for anonymous ones and calls an object
    literal of JavaScript that has functions in it a class, and every mention of a prototype's member a method."""
    made_up = tag["name"].startswith(("__anon", "anonymous", "Anonymous"))
    literal = (
        tag["kind"] == "class" and re.search(r"\b(class|struct|record|function|impl)\b|=>", tag["pattern"]) is None
    )
    mention = "prototype." in tag["pattern"] and _GIVEN.search(tag["pattern"]) is None
    array = tag["language"] == "Sh" and tag["name"].endswith("=")  # `a=(1 2)`
    return made_up or literal or mention or array or (tag["language"] == "Kotlin" and not _is_kotlins(tag))


def _is_kotlins(tag: dict[str, str]) -> bool:
    """Whether a definition of Kotlin has a name: ctags lists lambdas, their parameters, and companions without one."""
    name = re.escape(tag["name"])
    return re.search(rf"\b(?:fun|class|interface|object)\b[^={{]*(?<!\w)`?{name}(?!\w)", tag["pattern"]) is not None


def _plain(name: str) -> str:
    """A name as both write it: ctags puts spaces into operators, drops the brackets of computed names, and calls a test
    of GoogleTest by its macro."""
    name = re.sub(r"^(?:[A-Z][\w<>, ]*\.)+(?=\w)|^self\.", "", name)  # of an interface of C# before its member
    name = _plain_heading(name) if " " in name else name
    return "TEST" if re.fullmatch("(TYPED_)?TEST(_[FP])?", name) else name.replace(" ", "").strip("[]'\"#`")


def _plain_heading(name: str) -> str:
    """A heading without its links and emphasis."""
    return re.sub(r"!?\[([^\[\]]*)\](\([^()]*\)|\[[^\[\]]*\])?|[`*_]|<[^<>]*>", r"\1", name)


def _row(result: Result) -> list[str]:
    megabytes = result.bytes / 1e6
    found = result.expected - len(result.missed)
    precision = (result.ours - len(result.extra)) / max(1, result.ours)
    return [
        result.corpus.language,
        f"{result.corpus.package} {result.corpus.version}{' (held out)' if result.corpus.held_out else ''}",
        f"{result.files:,}",
        f"{megabytes:.1f}",
        f"{result.symbols:,}",
        f"{result.references:,}",
        f"{result.with_errors:,}",
        f"{megabytes / result.parse_seconds:.1f}" if result.parse_seconds else "-",
        f"{megabytes / result.seconds:.1f}",
        f"{result.seconds / result.parse_seconds:.2f}" if result.parse_seconds else "-",
        f"{result.expected:,}",
        f"{found / max(1, result.expected):.4f}",
        f"{precision:.4f}",
    ]


HEADS = ["language", "package", "files", "MB", "symbols", "references", "with errors", "parse MB/s", "all MB/s", "x"]
HEADS += ["tool's definitions", "recall", "precision or agreement"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, default=DEFAULT)
    parser.add_argument("--show", type=int, default=0, help="differences to print of each corpus")
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write between the markers of a document")
    parser.add_argument("names", nargs="*", help="packages or languages; none means all")
    given = parser.parse_args()
    if given.write:
        check_sections(given.write, [SECTION])
    run = Run("bench/code_definitions.py", ["DIR" if each == str(given.corpora) else each for each in sys.argv[1:]])
    wanted = [c for c in CORPORA if not given.names or {c.package, c.language} & set(given.names)]
    wanted.sort(key=lambda corpus: (not corpus.held_out, corpus.language))
    results = [measure(corpus, given.corpora.resolve()) for corpus in wanted]
    ctags = subprocess.run(["ctags", "--version"], capture_output=True, text=True, check=True).stdout.partition("\n")[0]
    body = f"{run.header([ctags])}\n\n{table(HEADS, [_row(result) for result in results])}"
    print(body)
    if given.write:
        write_section(given.write, SECTION, body)
    for result in results:
        _show(result, given.show)


def _show(result: Result, most: int) -> None:
    """Print what the two do not agree on, `most` of each sort, evenly spread."""
    for title, differences in (("missed", result.missed), ("not in the tool's", result.extra)):
        kinds = Counter(what for _, what, _, _ in differences)
        print(f"\n{result.corpus.package}: {title}: {dict(kinds.most_common())}")
        step = max(1, len(differences) // max(1, most))
        for path, what, name, line in differences[::step][:most]:
            print(f"  {path}:{line} {what} {name}")


if __name__ == "__main__":
    main()
