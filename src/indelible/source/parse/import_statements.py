"""Parsing of import statements, one function a language: the module, the imported names and their aliases.

Each yields (module, name, alias, exported) as `symbols.Import` describes them. Unreadable parts are left out.
"""

import re
from collections.abc import Iterator

Imported = tuple[str, str, str, bool]

MOST_NAMES = 1_000  # of one statement
DEEPEST_TREE = 50  # braces in one another; each keeps the path before it
_SPACE = re.compile(r"\s+")
_PYTHON_COMMENT = re.compile(r"#[^\n]*|\\\n")
_PYTHON_FROM = re.compile(r"from\s*+((?:\.\s*+)*+(?:(?!import\b)[\w.]++)?)\s*+import\b\s*(.*)", re.DOTALL)
_BLOCK_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)


def python(statement: str) -> Iterator[Imported]:
    """`import a.b as c`, `from .a import b as c, d`."""
    text = _PYTHON_COMMENT.sub(" ", statement)
    found = _PYTHON_FROM.match(text)
    if found is None:
        for part in text.removeprefix("import").split(","):
            name, _, alias = _SPACE.sub(" ", part.strip()).partition(" as ")
            if name:
                yield name, "", alias, True
        return
    module = _SPACE.sub("", found.group(1))
    for part in found.group(2).strip("() \n\t").split(","):
        name, _, alias = _SPACE.sub(" ", part.strip(" ()\n\t\r;")).partition(" as ")
        if name:
            yield module, name, alias, True


_FROM = re.compile(r"""from\s*["']([^"']+)["']""")
_QUOTED = re.compile(r"""["']([^"']+)["']""")
_NAMED = re.compile(r"\{([^{}]*)\}")
_STAR = re.compile(r"\*\s*(?:as\s+([\w$]+))?")
_DEFAULT = re.compile(r"import\s+(?:type\s+)?([\w$]+)\s*(?:,|\bfrom\b|=)")
_REQUIRED = re.compile(r"""^(.*?)=\s*(?:await\s+)?require\s*\(\s*["']([^"']+)["']\s*\)(?:\.([\w$]+))?""", re.DOTALL)


def ecmascript(statement: str) -> Iterator[Imported]:
    """`import a, { b as c } from "m"`, `export * from "m"`, `const { a: b } = require("m")`."""
    text = _BLOCK_COMMENT.sub(" ", statement) if "/*" in statement or "\n" in statement else statement
    exported = text.startswith("export")
    if not exported and not text.startswith("import"):
        yield from _required(text)
        return
    found = _FROM.search(text) or _QUOTED.search(text)
    if found is None:
        return
    module, head = found.group(1), text[: found.start()]
    nothing = True
    default = _DEFAULT.match(head + "from")
    if default and default.group(1) != "from":
        nothing = False
        whole = "=" in head and "require" in text
        yield module, "" if whole else "default", default.group(1), exported
    if star := _STAR.search(head):
        nothing = False
        alias = star.group(1) or ""
        yield module, "" if alias else "*", alias, exported
    if named := _NAMED.search(head):
        nothing = False
        yield from _names(module, named.group(1), " as ", exported)
    if nothing and not exported:
        yield module, "", "", False


def _required(text: str) -> Iterator[Imported]:
    found = _REQUIRED.match(text)
    if found is None:
        return
    target, module, member = found.group(1).strip(), found.group(2), found.group(3)
    if named := _NAMED.match(target):
        yield from _names(module, named.group(1), ":", False)
    elif target.isidentifier() or "$" in target:
        yield module, member or "", target, False


def _names(module: str, inside: str, as_: str, exported: bool) -> Iterator[Imported]:
    for part in inside.split(",")[:MOST_NAMES]:
        words = _SPACE.sub(" ", part.strip()).removeprefix("type ").partition("=")[0]
        name, _, alias = words.partition(as_)
        if name.strip():
            yield module, name.strip().strip("\"'"), alias.strip(), exported


_USE = re.compile(r"(pub(?:\s*+\([^)]*\))?\s++)?(use|mod)\s")
_USE_TOKEN = re.compile(r"[{},]|[^{},]+")


def rust(statement: str) -> Iterator[Imported]:
    """`pub use a::{self, b as c, d::*}`; `mod a;` is an import of a from `self`."""
    text = _BLOCK_COMMENT.sub(" ", statement).strip()
    found = _USE.match(text)
    if found is None:
        return
    exported, tree = bool(found.group(1)), text[found.end() :].removesuffix(";")
    if found.group(2) == "mod":
        yield "self", tree.strip(), "", exported
        return
    for index, path in enumerate(_use_paths(tree)):
        if index == MOST_NAMES:
            return
        whole, _, alias = _SPACE.sub(" ", path).strip().partition(" as ")
        whole = whole.replace(" ", "").removeprefix("::")
        if whole.endswith("::self"):
            whole = whole.removesuffix("::self")
        module, _, name = whole.rpartition("::")
        if name:
            yield module, name, alias, exported


def _use_paths(tree: str) -> Iterator[str]:
    """The paths of a use tree, its braces written out."""
    prefixes = [""]
    path = ""
    for token in _USE_TOKEN.findall(tree):
        if token == "{":
            if len(prefixes) > DEEPEST_TREE:
                return
            prefixes.append((prefixes[-1] + path.strip())[-1_000:])
            path = ""
        elif token in ",}":
            if path.strip():
                yield prefixes[-1] + path.strip()
            path = ""
            if token == "}" and len(prefixes) > 1:
                prefixes.pop()
        else:
            path += token
    if path.strip():
        yield prefixes[-1] + path.strip()


_GO_SPEC = re.compile(r"""\s*+(?:([\w.]++)\s*+)?["`]([^"`]++)["`]""")


def go(statement: str) -> Iterator[Imported]:
    """`"fmt"`, `f "fmt"`, `. "fmt"`, `_ "fmt"`: one spec."""
    found = _GO_SPEC.match(statement)
    if found is None:
        return
    alias = found.group(1) or ""
    yield found.group(2), "*" if alias == "." else "", "" if alias == "." else alias, False


_JAVA = re.compile(r"import\s+(static\s+)?([\w.]*\w)(\s*\.\s*\*)?\s*;?")


def java(statement: str) -> Iterator[Imported]:
    """`import a.b.C`, `import static a.b.C.d`, `import a.b.*`."""
    found = _JAVA.match(_BLOCK_COMMENT.sub(" ", statement))
    if found is None:
        return
    path = found.group(2)
    if found.group(3):
        yield path, "*", "", False
    else:
        module, _, name = path.rpartition(".")
        yield module, name, "", False


_INCLUDE = re.compile(r"""#\s*include(?:_next)?\s*(<[^>]+>|"[^"]+")""")
_USING = re.compile(r"using\s+(namespace\s+|typename\s+)?([\w:]+)\s*;?")


def c(statement: str) -> Iterator[Imported]:
    """`#include "a.h"` with its quotes or brackets as the module; `using namespace a`, `using a::b` of C++."""
    if found := _INCLUDE.match(statement):
        yield found.group(1), "*", "", True
    elif found := _USING.match(statement):
        path = found.group(2).removeprefix("::")
        if (found.group(1) or "").startswith("namespace"):
            yield path, "*", "", False
        else:
            module, _, name = path.rpartition("::")
            yield module, name, "", False
