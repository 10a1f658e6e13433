"""The parser of the few SQL shapes that `namespace_filter.limited_sql` rewrites for limited callers.

Our SQL keeps to a few shapes: keywords in capitals, names in small letters, tables joined by JOIN. Rewriting another
shape could let too much through or change its meaning: it is refused, for a test to find it.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

# Texts, quoted names, comments, words, and any other character.
_TOKEN = r"""'[^']*+(?:''[^']*+)*'|"[^"]*"|--[^\n]*|[A-Za-z_]\w*|\S"""
_IN_CAPITALS = frozenset("WITH SELECT FROM JOIN WHERE INSERT INTO UPDATE DELETE RETURNING SET AS".split())
_NEVER = frozenset("USING INDEXED REPLACE MERGE TRUNCATE TABLE ONLY".split())
_AFTER_SOURCES = frozenset(
    "SELECT WHERE GROUP HAVING WINDOW ORDER LIMIT OFFSET UNION EXCEPT INTERSECT SET VALUES RETURNING".split()
)


@dataclass(frozen=True, slots=True)
class Word:
    """A token, where it begins, and in how many parentheses it stands; these are as deep as what is around them."""

    text: str
    at: int
    depth: int


@dataclass(frozen=True, slots=True)
class Target:
    """The change of a statement: `verb` is INSERT, UPDATE or DELETE.

    `condition` is the start and end of its own WHERE, None where it has none.
    """

    verb: str
    table: str
    condition: tuple[int, int] | None


def without_comments(sql: str) -> str:
    """Return the statement without its comments, which could hide the rest of it."""
    return re.sub(_TOKEN, lambda found: "" if found[0].startswith("--") else found[0], sql)


def check(sql: str, tables: Collection[str]) -> None:
    """Raise ValueError for a statement of an unknown shape; it must have no comments."""
    words = _words(sql)
    for word in words:
        if word.text in _NEVER or (word.text not in _IN_CAPITALS and word.text.upper() in _IN_CAPITALS):
            raise _unknown(f"{word.text!r} in it")
    _check_sources(words, tables)
    _target_of(words, len(sql))


def target(sql: str) -> Target | None:
    """Return the change of a statement, None where it only reads. Raises ValueError as `check` does."""
    return _target_of(_words(sql), len(sql))


def _unknown(what: str) -> ValueError:
    return ValueError(f"no limited form can be made of a query with {what}; write it otherwise, or its form beside it")


def _words(sql: str) -> list[Word]:
    found, depth = [], 0
    for token in re.finditer(_TOKEN, sql):
        depth -= token[0] == ")"
        found.append(Word(token[0], token.start(), depth))
        depth += token[0] == "("
    return found


def _text(words: Sequence[Word], place: int) -> str:
    return words[place].text if place < len(words) else ""


# --- What is read ---


def _check_sources(words: Sequence[Word], tables: Collection[str]) -> None:
    reading: dict[int, bool] = {}  # by depth: whether a list of sources is open there
    for place, word in enumerate(words):
        if word.text == "(":
            reading[word.depth + 1] = False
        elif word.text in ("FROM", "JOIN"):
            reading[word.depth] = True
            _check_source(words, place + 1, tables, listed=False)
        elif word.text == "," and reading.get(word.depth):
            _check_source(words, place + 1, tables, listed=True)
        elif word.text in _AFTER_SOURCES:
            reading[word.depth] = False


def _check_source(words: Sequence[Word], place: int, tables: Collection[str], *, listed: bool) -> None:
    """A table with or without `AS name`, a function, a common table expression, or a SELECT in parentheses."""
    place += _text(words, place) == "LATERAL"
    name, after = _text(words, place), _text(words, place + 1)
    if name == "(":
        if after != "SELECT":
            raise _unknown("parentheses around tables")
        return
    if re.fullmatch(r"[a-z_]+", name) is None or after == ".":
        raise _unknown(f"{name + after!r} where a table stands")
    if name not in tables or after == "(":
        return
    if listed:
        raise _unknown("a table behind a comma")
    behind = _text(words, place + 3 if after == "AS" else place + 1)
    if behind not in ("", ")", ",", ";") and not (behind.isupper() and behind != "NOT"):
        raise _unknown(f"{behind!r} behind the table {name}")


# --- What is changed ---


def _target_of(words: Sequence[Word], end: int) -> Target | None:
    changing = ("INSERT", "UPDATE", "DELETE")  # the UPDATE of an upsert has its SET at once
    found = [at for at, word in enumerate(words) if word.text in changing and _text(words, at + 1) != "SET"]
    if not found:
        return None
    verb = words[found[0]]
    at = found[0] + (1 if verb.text == "UPDATE" else 2)
    led_by = {"INSERT": "INTO", "DELETE": "FROM"}.get(verb.text, verb.text)
    table, after = _text(words, at), _text(words, at + 1)
    if len(found) > 1 or verb.depth or _text(words, at - 1) != led_by or re.fullmatch("[a-z_]+", table) is None:
        raise _unknown("more than one change, or one that is not INSERT INTO, UPDATE or DELETE FROM a table")
    if after == ".":
        raise _unknown(f"{table + after!r} where a table stands")
    if verb.text == "INSERT":
        return Target(verb.text, table, None)
    return Target(verb.text, table, _condition([word for word in words[at:] if word.depth == 0], end))


def _condition(words: Sequence[Word], end: int) -> tuple[int, int] | None:
    """Return the place between the WHERE of an UPDATE or DELETE and its RETURNING or its end."""
    wheres = [word for word in words if word.text == "WHERE"]
    if not wheres:
        return None
    behind = [word for word in words if word.at > wheres[0].at]
    if len(wheres) > 1 or any(word.text in ("ORDER", "LIMIT", "UNION") for word in behind):
        raise _unknown("more behind the condition of a change than RETURNING")
    last = next((word.at for word in behind if word.text == "RETURNING"), end)
    return wheres[0].at + len("WHERE"), last
