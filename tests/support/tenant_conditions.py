"""What a statement says of the tenant of each table in it, read from its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TOKEN = re.compile(r"'(?:[^']|'')*'|%\(\w+\)s|:\w+|[A-Za-z_][\w.]*|\S")
_SETS = ("UNION", "EXCEPT", "INTERSECT")
_NOT_AN_ALIAS = frozenset(
    "WHERE ON GROUP ORDER LIMIT CROSS JOIN LEFT SET VALUES RETURNING SELECT UNION INDEXED".split()
)


@dataclass
class Select:
    """One SELECT, or a statement that changes rows, without what stands in parentheses as a SELECT of its own."""

    words: list[str] = field(default_factory=list)
    within: list[Select] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join(self.words)

    def all(self) -> Iterator[Select]:
        yield self
        for each in self.within:
            yield from each.all()


def selects(sql: str) -> list[Select]:
    """Every SELECT of a statement, those in parentheses too."""
    words = _TOKEN.findall(re.sub(r"--[^\n]*", "", sql))
    found, _ = _read(words, 0)
    return [each for one in found for each in one.all()]


def _read(words: list[str], place: int) -> tuple[list[Select], int]:
    arms, depth = [Select()], 0
    while place < len(words):
        word = words[place]
        if word == "(" and words[place + 1] in ("SELECT", "WITH"):
            inner, place = _read(words, place + 1)
            arms[-1].within += inner
            arms[-1].words.append("()")
        elif word == ")" and depth == 0:
            return arms, place + 1
        else:
            depth += (word == "(") - (word == ")")
            if word in _SETS and depth == 0:
                arms.append(Select())
            arms[-1].words.append(word)
            place += 1
    return arms, place


def unnamed(sql: str, tables: frozenset[str]) -> list[str]:
    """The tables, by the name that they have in the statement, of which it does not say whose rows are meant."""
    return [name for one in selects(sql) for name in _unnamed_in(one, tables)]


def _unnamed_in(one: Select, tables: frozenset[str]) -> Iterator[str]:
    """Those from which no chain of equal tenants leads to the parameter, or out to what stands around the SELECT."""
    sources = list(_sources(one.words, tables))
    equal = re.findall(r"(?<![\w.])(?:(\w+)\.)?tenant = (?:%\(tenant\)s|(\w+)\.tenant\b)", one.text)
    pairs = [(left or (sources[0] if len(sources) == 1 else "?"), right) for left, right in equal]
    named = {"", *(name for pair in pairs for name in pair if name not in sources)}
    for _ in pairs:
        named |= {name for pair in pairs if named & set(pair) for name in pair}
    yield from (name for name in sources if name not in named)
    if "INSERT" in one.words:
        yield from _unnamed_insert(one.text)


def _sources(words: list[str], tables: frozenset[str]) -> Iterator[str]:
    for before, table, *after in zip(words, words[1:], [*words[2:], ""], [*words[3:], "", ""], strict=False):
        if before in ("FROM", "JOIN", "UPDATE") and table in tables and after[0] != "(":
            yield after[1] if after[0] == "AS" else table


def _unnamed_insert(text: str) -> Iterator[str]:
    (into,) = re.findall(r"INSERT INTO \w+ \((.*?)\)", text)
    if "tenant" not in into.split(" "):
        yield "INSERT"
    target = re.findall(r"ON CONFLICT \((.*?)\)", text)
    if target and "tenant" not in target[0].split(" "):
        yield "ON CONFLICT"
