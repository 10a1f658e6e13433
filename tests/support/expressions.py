"""Every regular expression of the package, how it is used, and texts that make one that backtracks take long.

`all_expressions` reads the source: each call of `re` is evaluated in its module. One whose pattern is made of what only
a function knows has no value there (`pattern` is None): a test names those.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import indelible

PACKAGE = Path(indelible.__file__).parent
CALLS = frozenset(("compile", "match", "search", "sub", "subn", "findall", "finditer", "fullmatch", "split"))
MAKERS = frozenset(("compiled", "_compiled", "_any"))  # functions that compile what they are given
MATCHED = frozenset(("source/parse/comments.py",))  # modules whose expressions are kept in a class, and matched only
AT_A_PLACE = frozenset(("match", "fullmatch"))  # methods that do not look for a beginning
MOST_SAMPLES = 6  # of one part of a pattern
BOUNDED = 1_000  # times that a part repeats at most: its work does not grow with the text


@dataclass(frozen=True)
class Expression:
    """`name` says where it stands, `methods` what is asked of it: those of `re.Pattern`, "" where nobody can tell."""

    name: str
    pattern: re.Pattern[Any] | None
    methods: frozenset[str]

    def run(self, text: Any) -> None:
        """Ask of a text what is asked of it; a search is one from every place of the text."""
        assert self.pattern is not None
        if not self.methods <= AT_A_PLACE:
            for _ in self.pattern.finditer(text):
                pass
        for method in self.methods & AT_A_PLACE:
            getattr(self.pattern, method)(text)


@cache
def all_expressions() -> tuple[Expression, ...]:
    """Those of all modules, by their place."""
    sources = {path: path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))}
    trees = {path: ast.parse(source) for path, source in sources.items()}
    public = _methods(trees.values())
    calls = re.compile(rf"\b(?:re|{'|'.join(MAKERS)})\b")
    with_calls = [path for path, source in sources.items() if calls.search(source)]
    return tuple(each for path in with_calls for each in _of_module(path, trees[path], public))


def _methods(trees: Iterable[ast.Module]) -> dict[str, set[str]]:
    """By the name of anything, the attributes that are taken of it, and "" where it is used in another way."""
    found: dict[str, set[str]] = {}
    for tree in trees:
        of_attributes = set()
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute | ast.Name)]
        for node in nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute):
                name = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
                found.setdefault(name, set()).add(node.attr)
                of_attributes.add(id(node.value))
        for node in nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in of_attributes:
                found.setdefault(node.id, set()).add("")
    return found


def _of_module(path: Path, tree: ast.Module, public: dict[str, set[str]]) -> Iterator[Expression]:
    private = _methods([tree])
    names = {id(node.value): node.targets[0].id for node in ast.walk(tree) if _is_named(node)}
    around = {id(node.value): node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    place = path.relative_to(PACKAGE).as_posix()
    counts: dict[str, int] = {}
    for node, inside in _calls(tree, ""):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else "compile"
        kept = names.get(id(node))
        if inside in MAKERS:
            continue  # who calls it says what is compiled
        name = f"{place}: {kept or inside or 'the module'}"
        counts[name] = counts.get(name, 0) + 1
        name += f" ({counts[name]})" if counts[name] > 1 else ""
        if called != "compile":
            methods = {called}
        elif kept:
            methods = (private if kept.startswith("_") else public).get(kept, {""})
        elif place in MATCHED:
            methods = {"match"}
        else:
            methods = {around.get(id(node), "")}
        yield Expression(name, _evaluated(path, node), frozenset(methods))


def _calls(tree: ast.AST, function: str) -> Iterator[tuple[Any, str]]:
    """The calls of `re`, each with the name of the innermost function around it."""
    for node in ast.iter_child_nodes(tree):
        inside = node.name if isinstance(node, ast.FunctionDef) else function
        if _is_call(node):
            yield node, inside
        yield from _calls(node, inside)


def _is_named(node: Any) -> bool:
    return isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)


def _is_call(node: Any) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in CALLS
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
    ) or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS)


def _evaluated(path: Path, call: Any) -> re.Pattern[Any] | None:
    module = ".".join((PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    values = vars(importlib.import_module(module))
    parts = [call]
    if isinstance(call.func, ast.Attribute):
        position = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(call.func.attr, 2)
        flags = [word.value for word in call.keywords if word.arg == "flags"]
        parts = [call.args[0], *flags, *call.args[position : position + 1]]
    codes = [compile(ast.Expression(each), module, "eval") for each in parts]
    try:
        found, *flag = (eval(code, dict(values)) for code in codes)
    except NameError:
        return None
    return found if isinstance(found, re.Pattern) else re.compile(found, *flag)


# --- Texts ---


def texts(pattern: re.Pattern[Any], size: int, pumps: int = 16) -> Iterator[tuple[str, Any]]:
    """Texts of about a size for a pattern, each with what it is made of.

    For each part that repeats, the least that leads to it and then its own body again and again, ended by what does
    not fit; the same with the characters that the pattern names (what one part and the next both take); and all that
    again and again, for a search that starts anew at each of them. A pattern without such a part gives none.
    """
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = parser.parse(source, pattern.flags & ~re.LOCALE)
    characters = list(dict.fromkeys([*islice(dict.fromkeys(_characters(tree)), 12), *' \na0".']))
    seen: set[tuple[str, str]] = set()
    for prefix, bodies in _repeats(tree, "", characters):
        for pump in list(dict.fromkeys([*bodies, *characters]))[:pumps]:
            if (prefix, pump) not in seen and pump:
                seen.add((prefix, pump))
                yield from _made(prefix, pump, size, isinstance(pattern.pattern, bytes))


def _made(prefix: str, pump: str, size: int, is_bytes: bool) -> Iterator[tuple[str, Any]]:
    many = size // len(pump)
    made = (
        (f"{prefix!r} + {pump!r} * n", prefix + pump * many),
        (f"{prefix!r} + {pump!r} * n + '\\0'", prefix + pump * many + "\0"),
        (f"{prefix + pump!r} * n", (prefix + pump) * (size // len(prefix + pump))),
    )
    for how, text in made:
        yield how, text.encode("latin-1", "replace") if is_bytes else text


def _repeats(tree: Any, prefix: str, characters: list[str]) -> Iterator[tuple[str, list[str]]]:
    """What leads to each part that repeats, and samples of its body; also what leads to the end."""
    for op, value in tree:
        if op in _REPEATS:
            least, most, body = value
            if most > BOUNDED:
                yield prefix, _samples(body, characters)
            yield from _repeats(body, prefix, characters)
            prefix += _samples(body, characters)[0] * min(max(1, least), 40)
            continue
        for inner in _inner(op, value):
            yield from _repeats(inner, prefix, characters)
        prefix += _samples([(op, value)], characters)[0]


_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)


def _inner(op: Any, value: Any) -> list[Any]:
    if op is sre.SUBPATTERN:
        return [value[3]]
    if op is sre.BRANCH:
        return list(value[1])
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return [value[1]] if value[0] > 0 else []
    return [value] if op is sre.ATOMIC_GROUP else []


def _samples(tree: Any, characters: list[str]) -> list[str]:
    """Texts that fit a sequence, at least one."""
    found = [""]
    for op, value in tree:
        found = [before + after for before in found for after in _of_one(op, value, characters)][:MOST_SAMPLES]
    return found or [""]


def _of_one(op: Any, value: Any, characters: list[str]) -> list[str]:  # noqa: PLR0911 - one case a kind of node
    if op is sre.LITERAL:
        return [chr(value)]
    if op is sre.ANY:
        return ["a", *(each for each in characters if each != "a")]
    if op is sre.NOT_LITERAL:
        return [each for each in ("a", *characters, "b") if each != chr(value)]
    if op is sre.IN:
        return _of_set(value, characters)
    if op in _REPEATS:
        least, _, body = value
        return [each * max(1, min(least, 40)) for each in _samples(body, characters)]
    if op is sre.BRANCH:
        return [each for tree in value[1] for each in _samples(tree, characters)[:2]]
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return [""]
    inner = _inner(op, value)
    return _samples(inner[0], characters) if inner else [""]


def _of_set(members: Any, characters: list[str]) -> list[str]:
    if members[0][0] is sre.NEGATE:
        taken = set(_in_set(members[1:]))
        return [each for each in ("a", *characters, "b", "~", "é") if each not in taken][:MOST_SAMPLES] or ["é"]
    return list(dict.fromkeys(_in_set(members)))[:MOST_SAMPLES] or ["a"]


_CATEGORIES = {
    sre.CATEGORY_SPACE: " \n\t\r",
    sre.CATEGORY_WORD: "aA0_",
    sre.CATEGORY_DIGIT: "0",
    sre.CATEGORY_NOT_SPACE: "a.",
    sre.CATEGORY_NOT_WORD: " .\n",
    sre.CATEGORY_NOT_DIGIT: "a ",
}


def _in_set(members: Any) -> Iterator[str]:
    for op, value in members:
        if op is sre.LITERAL:
            yield chr(value)
        elif op is sre.RANGE:
            yield from (chr(value[0]), chr(value[1]))
        elif op is sre.CATEGORY:
            yield from _CATEGORIES[value]


def _characters(tree: Any) -> Iterator[str]:
    """The characters that a pattern names."""
    for op, value in tree:
        if op is sre.IN:
            yield from _in_set([each for each in value if each[0] is not sre.NEGATE])
        elif op in (sre.LITERAL, sre.NOT_LITERAL):
            yield chr(value)
        elif op in _REPEATS:
            yield from _characters(value[2])
        for inner in _inner(op, value):
            yield from _characters(inner)
