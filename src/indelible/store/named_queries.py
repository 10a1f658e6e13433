"""Named SQL: `store/sql/<noun>.sql` holds `-- name: x` sections, `-- name: x (sqlite)` where the dialects differ.

A query says itself what a caller sees of it who is limited to namespaces (`limited_form`): a table of which such a
caller sees a part is written `scoped.record`, the rows that a change reaches `scoped(record) AND ...`; for everybody
else both are taken away here. Lines below its name say the rest, and in the head of a file for all its queries:

    -- checks: namespace         a parameter that says where a new row belongs: one of the caller's namespaces,
    -- checks: source, target    or ids of records that the caller must see
    -- whole: REASON             nothing (else) of it is limited
    -- refused: REASON           it is not for such callers; the reason follows "this affects the whole store, as"

Where a limited caller is better answered in another way, a query `x_limited` stands beside `x`; it has `:granted`.
"""

import re
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path

# Imported late (hooks): indelible.store.limited_form

_HERE = Path(__file__).parent
_SECTION = re.compile(r"^-- name: (\w+)(?: \((sqlite|postgres)\))?\s*$", re.MULTILINE)
_DECLARED = re.compile(r"^-- (checks|whole|refused): (.+)$", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*--.*\n?", re.MULTILINE)
_LIMITING = re.compile(r"\bscoped(?:\.|\([a-z_]+\)\s+AND\s+)")
_UNARY_PLUS = re.compile(r"(?<=[\s(])\+(?=[a-z])")
_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)\b")


class Queries(dict[str, str]):
    """The queries of a dialect by name. The form of a query for limited callers is made when it is first asked for."""

    def __init__(self, dialect: str, texts: dict[str, str]) -> None:
        super().__init__({name: adapt(unlimited(text), dialect) for name, text in texts.items()})
        self._dialect = dialect
        self.texts = texts  # as the files have them, with what they declare
        self._limited: dict[str, str] = {}  # apart: what is loaded stays what the files say

    @cached_property
    def whole(self) -> frozenset[str]:
        """The queries that say that nothing, or nothing else, of them is limited."""
        return frozenset(name for name, text in self.texts.items() if "whole" in declared(text))

    def __missing__(self, name: str) -> str:
        from indelible.store.limited_form import FORM, limited_sql  # which most processes do not need

        if not name.startswith(FORM):
            raise KeyError(name)
        if name not in self._limited:
            given = name.removeprefix(FORM)
            text = self.texts.get(f"{given}_limited")
            if text is not None:
                sql = unlimited(text)
            else:
                text = self.texts[given]
                sql = limited_sql(_without_comments(text), declared(text), self._dialect)
            self._limited[name] = adapt(sql, self._dialect)
        return self._limited[name]


@cache
def load(dialect: str) -> Queries:
    """Every query of a dialect as `noun.name`; parameters are written `:name` in the files."""
    return Queries(dialect, {name: text for name, only, text in _sections() if only in (None, dialect)})


@cache
def checked_parameters() -> dict[str, tuple[str, ...]]:
    """Return what queries declare in `-- checks:`, by their names."""
    found = {name: declared(text).get("checks") for name, _, text in _sections()}
    return {name: tuple(parameters.split(", ")) for name, parameters in found.items() if parameters}


def _sections() -> Iterator[tuple[str, str | None, str]]:
    """Yield the name of each query, the dialect that it is for (None: both) and its text with what it declares."""
    for file in sorted((_HERE / "sql").iterdir(), key=lambda f: f.name):
        noun = file.name.removesuffix(".sql")
        head, *parts = _SECTION.split(file.read_text(encoding="utf-8"))
        of_all = _DECLARED.search(head)
        for name, only, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            own = text.strip().rstrip(";")
            if of_all is not None and _DECLARED.search(own) is None:
                own = f"{of_all[0]}\n{own}"
            yield f"{noun}.{name}", only, own


def declared(text: str) -> dict[str, str]:
    """Return the declarations of a query: what follows `checks`, `whole` or `refused`."""
    return dict(_DECLARED.findall(text))


def _without_comments(text: str) -> str:
    """Return a query without its comments, which stand in lines of their own."""
    return _COMMENT.sub("", text)


def unlimited(text: str) -> str:
    """Return a query as it is for callers who are not limited to namespaces."""
    return _LIMITING.sub("", _without_comments(text))


def adapt(sql: str, dialect: str) -> str:
    """Return SQL with the dialect's parameter syntax, and without what only SQLite's planner reads (`+column`)."""
    if dialect == "postgres":
        sql = _UNARY_PLUS.sub("", sql)
        return _PARAMETER.sub(r"%(\1)s", sql.replace("%", "%%"))
    return sql


def migrations(dialect: str) -> list[tuple[int, str]]:
    """The numbered migrations of a dialect, ascending: (number, SQL)."""
    folder = _HERE / "migrations" / dialect
    return sorted((int(f.name.removesuffix(".sql")), f.read_text(encoding="utf-8")) for f in folder.iterdir())


def newest_schema(dialect: str) -> int:
    """The schema number that this version of Indelible writes."""
    folder = _HERE / "migrations" / dialect
    return max(int(f.name.removesuffix(".sql")) for f in folder.iterdir())
