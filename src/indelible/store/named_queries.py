"""Named SQL: `store/sql/<noun>.sql` holds `-- name: x` sections, `-- name: x (sqlite)` where the dialects differ."""

import re
from functools import cache
from pathlib import Path

# Imported late (hooks): indelible.store.namespace_filter

_HERE = Path(__file__).parent
_SECTION = re.compile(r"^-- name: (\w+)(?: \((sqlite|postgres)\))?\s*$", re.MULTILINE)
_UNARY_PLUS = re.compile(r"(?<=[\s(])\+(?=[a-z])")
_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]+)\b")


class Queries(dict[str, str]):
    """The queries of a dialect by name. The form of a query for limited callers is made when it is first asked for.

    Where a query `x` cannot be rewritten, a query `x_limited` stands beside it.
    """

    def __init__(self, dialect: str, texts: dict[str, str]) -> None:
        super().__init__({name: adapt(text, dialect) for name, text in texts.items()})
        self._dialect = dialect
        self._texts = texts
        self._limited: dict[str, str] = {}  # apart: what is loaded stays what the files say

    def __missing__(self, name: str) -> str:
        from indelible.store.namespace_filter import FORM, limited_sql, refuse_whole  # which most processes do not need

        if not name.startswith(FORM):
            raise KeyError(name)
        if name not in self._limited:
            given = name.removeprefix(FORM)
            refuse_whole(given)
            own = f"{given}_limited"
            text = self._texts[own] if own in self._texts else limited_sql(self._texts[given], self._dialect)
            self._limited[name] = adapt(text, self._dialect)
        return self._limited[name]


@cache
def load(dialect: str) -> Queries:
    """Every query of a dialect as `noun.name`; parameters are written `:name` in the files."""
    found: dict[str, str] = {}
    for file in sorted((_HERE / "sql").iterdir(), key=lambda f: f.name):
        noun = file.name.removesuffix(".sql")
        parts = _SECTION.split(file.read_text(encoding="utf-8"))
        for name, only, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            if only in (None, dialect):
                found[f"{noun}.{name}"] = text.strip().rstrip(";")
    return Queries(dialect, found)


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
